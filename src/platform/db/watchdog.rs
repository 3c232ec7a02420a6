//! The watchdog of the connections to PostgreSQL, which are replaced when it does not answer.
//!
//! A machine that loses its power or its network closes no connection: its clients wait until TCP gives up, if it ever does. So
//! does sqlx's pool, which reuses the slot of a connection only after that has answered once more (`Floating::return_to_pool`);
//! its hooks run earlier and can't prevent it. So connections whose statements get no answers are abandoned, with their waiting
//! callers, and others take their place.

use std::{
    pin::pin,
    sync::{Arc, Weak},
    time::Duration,
};

use sea_orm::sqlx::{
    self, Connection,
    postgres::{PgConnectOptions, PgConnection},
};
use tokio::time::{sleep, timeout};

use super::{
    address,
    options::ACQUIRE_TIMEOUT,
    pool::{Pool, Shared},
};

/// How often PostgreSQL is pinged.
const BEAT: Duration = Duration::from_millis(500);
/// How long the response to a ping may take, which needs no lookup, lock or write.
const SILENCE: Duration = Duration::from_millis(1_500);

/// Starts the watchdog, which pings PostgreSQL over a connection of its own and replaces the others when it gets no answer.
pub(super) fn start(pool: &Pool, options: PgConnectOptions) {
    pool.run_until_closed(watch(Arc::downgrade(pool.shared()), options));
}

/// The last sign of life from PostgreSQL.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heard {
    Answer,
    /// A refused connection.
    Refusal,
    /// The end of the connection, and so most likely of all others.
    End,
    Nothing,
}

/// Pings PostgreSQL, and replaces the connections when it does not answer.
async fn watch(pool: Weak<Shared>, options: PgConnectOptions) {
    let (anew, address) = (|| connect(options.clone()), address::of_postgres(&options));
    let mut own: Option<PgConnection> = None;
    let mut last = Heard::Answer;
    loop {
        let Some(pool) = pool.upgrade() else { return };
        let connections = pool.current();
        let answers = || connections.answers();
        let heard = match &mut own {
            Some(own) => match sign(own.ping(), SILENCE, answers, anew).await {
                Some(Ok(())) => Heard::Answer,
                Some(Err(_)) => Heard::End,
                None => Heard::Nothing,
            },
            None => {
                // A busy server may take its time to let the first one in.
                let limit = if last == Heard::Answer { ACQUIRE_TIMEOUT } else { SILENCE };
                match sign(anew(), limit, answers, anew).await {
                    Some(Ok(connected)) => {
                        own = Some(connected);
                        Heard::Answer
                    }
                    // The pool is kept: its statements may still be answered.
                    Some(Err(_)) => Heard::Refusal,
                    None => Heard::Nothing,
                }
            }
        };
        if heard != Heard::Answer {
            own = None;
        }
        match (last, heard) {
            (Heard::Answer, Heard::Answer) => {}
            (Heard::Answer, _) => tracing::warn!(address, "The database is away"),
            (_, Heard::Answer) => tracing::info!("The database answers again"),
            _ => {}
        }
        if matches!(heard, Heard::Nothing | Heard::End) {
            pool.replace(&connections).await;
        }
        drop(pool);
        last = heard;
        if heard == Heard::Nothing {
            connections.abandon();
            // No pause: the next ping is sent on a connection as new as those of the pool, and so shows whether these are answered.
            continue;
        }
        sleep(BEAT).await;
    }
}

/// Waits for the response to a ping, or for a connection. `None`: statements that were sent at the same time may never be answered, since
/// the response is late while no other statement is answered, or while new connections are.
async fn sign<T, C, A>(
    asked: impl Future<Output = T>,
    limit: Duration,
    answers: impl Fn() -> u64,
    anew: impl Fn() -> A,
) -> Option<T>
where
    A: Future<Output = Result<C, sqlx::Error>>,
{
    let mut asked = pin!(asked);
    loop {
        let before = answers();
        if let Ok(heard) = timeout(limit, &mut asked).await {
            return Some(heard);
        }
        // The answer is late. Others may be late as well, unless no query is answered, or only new connections are.
        if answers() == before {
            return None;
        }
        tokio::select! {
            biased;
            heard = &mut asked => return Some(heard),
            connected = timeout(limit, anew()) => {
                if matches!(connected, Ok(Ok(_))) {
                    return None;
                }
            }
        }
    }
}

async fn connect(options: PgConnectOptions) -> Result<PgConnection, sqlx::Error> {
    let mut connected = PgConnection::connect_with(&options).await?;
    connected.ping().await?;
    Ok(connected)
}

#[cfg(test)]
mod tests {
    use std::{
        future::{pending, ready},
        sync::atomic::{AtomicU64, Ordering},
    };

    use tokio::sync::Semaphore;

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(50);

    /// How often somebody else was answered, whenever one asks.
    fn more() -> impl Fn() -> u64 {
        let answers = AtomicU64::new(0);
        move || answers.fetch_add(1, Ordering::Relaxed)
    }

    #[tokio::test]
    async fn a_late_ping_is_awaited_while_statements_are_answered_unless_a_new_connection_is_faster() {
        let at_once = || ready(Ok(()));
        let never = pending::<Result<(), _>>;
        assert_eq!(sign(ready(1), PATIENCE, || 0, never).await, Some(1));
        // Nobody is answered.
        assert_eq!(sign(pending::<()>(), PATIENCE, || 0, at_once).await, None);
        // The pending request is lost, while others and new connections are answered.
        assert_eq!(sign(pending::<()>(), PATIENCE, more(), at_once).await, None);
        // All is slow: it comes when others have tried to connect.
        for tries in 1..4 {
            let tried = Semaphore::new(0);
            let late = async { tried.acquire_many(tries).await.map(|_| ()).unwrap() };
            let anew = || {
                tried.add_permits(1);
                pending::<Result<(), _>>()
            };
            assert_eq!(sign(late, PATIENCE, more(), anew).await, Some(()));
        }
    }
}
