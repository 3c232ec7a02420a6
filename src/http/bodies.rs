//! Memory for the bodies of requests: bounded for all of them together, and for those of one client, so that neither many
//! connections nor one client can take it all.

use std::{
    cell::Cell,
    collections::{HashMap, hash_map::Entry},
    net::IpAddr,
    sync::Arc,
};

use parking_lot::Mutex;

use crate::{auth::client::ClientNet, error::ApiError};

/// Bytes of each body that are not counted: most requests fit, and are read whatever others send. Connections bound them,
/// 62.5 MiB at most.
const UNCOUNTED: usize = 4 * 1024;
/// One part in so many of the memory is the most that one client's bodies take; and those of one IPv6 network (/48).
const PART_OF_CLIENT: usize = 8;
const PART_OF_NETWORK: usize = 4;

tokio::task_local! {
    static SHARE: Share;
}

/// Whose bytes are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owner {
    All,
    Client(ClientNet),
    Network(ClientNet),
}

/// The memory that bodies share.
#[derive(Debug)]
pub(crate) struct Bodies {
    /// Bytes for all bodies together.
    max: usize,
    /// Bytes by owner; nobody is here who has none.
    taken: Mutex<HashMap<Owner, usize>>,
}

impl Bodies {
    /// So many bytes for all bodies together.
    pub(crate) fn new(max: usize) -> Arc<Self> {
        Arc::new(Bodies { max, taken: Mutex::default() })
    }

    /// Runs a client's request. What its body took is given back when the request ends, and not before: what the body is parsed
    /// into takes more.
    pub(crate) fn sharing<W: Future>(
        self: &Arc<Self>,
        client: IpAddr,
        work: W,
    ) -> impl Future<Output = W::Output> + use<W> {
        let share = Share { bodies: Arc::clone(self), client: client.into(), taken: Cell::new(0) };
        SHARE.scope(share, work)
    }

    /// By whom a client's bytes are counted, and how many each may have.
    fn owners(&self, client: ClientNet) -> impl Iterator<Item = (Owner, usize)> {
        let network = client.site().map(|site| (Owner::Network(site), self.max / PART_OF_NETWORK));
        [(Owner::All, self.max), (Owner::Client(client), self.max / PART_OF_CLIENT)].into_iter().chain(network)
    }

    /// Whether there was room.
    fn take(&self, client: ClientNet, bytes: usize) -> bool {
        let mut taken = self.taken.lock();
        let has_room = self
            .owners(client)
            .all(|(owner, max)| taken.get(&owner).copied().unwrap_or_default().saturating_add(bytes) <= max);
        if has_room {
            for (owner, _) in self.owners(client) {
                *taken.entry(owner).or_default() += bytes;
            }
        }
        has_room
    }

    fn give_back(&self, client: ClientNet, bytes: usize) {
        let mut taken = self.taken.lock();
        for (owner, _) in self.owners(client) {
            if let Entry::Occupied(mut of_owner) = taken.entry(owner) {
                *of_owner.get_mut() -= bytes;
                if *of_owner.get() == 0 {
                    of_owner.remove();
                }
            }
        }
    }
}

/// What the body of one request takes.
struct Share {
    bodies: Arc<Bodies>,
    client: ClientNet,
    /// Counted bytes.
    taken: Cell<usize>,
}

impl Share {
    fn grow(&self, size: usize) -> Result<(), ApiError> {
        let taken = self.taken.get();
        let more = size.saturating_sub(UNCOUNTED).saturating_sub(taken);
        if more == 0 {
            return Ok(());
        }
        if !self.bodies.take(self.client, more) {
            let message = "The service has too many large request bodies at once.".into();
            return Err(ApiError { message, ..ApiError::unavailable() });
        }
        self.taken.set(taken + more);
        Ok(())
    }

    fn give_back(&self) {
        let taken = self.taken.take();
        if taken > 0 {
            self.bodies.give_back(self.client, taken);
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// Takes memory for the body of the running request to have so many bytes, those that it has included; `UNAVAILABLE` if there
/// is none left.
pub(crate) fn grow(size: usize) -> Result<(), ApiError> {
    SHARE.try_with(|share| share.grow(size)).map_err(ApiError::internal)?
}

/// Gives back what the body of the running request took: it is read no further.
pub(crate) fn give_back() {
    // Outside a request nothing was taken.
    let _ = SHARE.try_with(Share::give_back);
}

#[cfg(test)]
mod tests {
    use std::{future::pending, pin::Pin};

    use super::*;
    use crate::error::Code;

    const MAX: usize = 8 << 20;
    const EACH: usize = MAX / PART_OF_CLIENT;

    fn client(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    async fn takes(bodies: &Arc<Bodies>, address: &str, size: usize) -> bool {
        bodies.sharing(client(address), async { grow(size).is_ok() }).await
    }

    #[tokio::test]
    async fn a_client_has_its_part_and_gives_it_back() {
        let bodies = Bodies::new(MAX);
        bodies
            .sharing(client("192.0.2.1"), async {
                grow(EACH).unwrap();
                // What is there is not taken again.
                grow(1).unwrap();
                grow(EACH + UNCOUNTED).unwrap();
                let refused = grow(EACH + UNCOUNTED + 1).unwrap_err();
                assert_eq!((refused.code, refused.retry_after), (Code::Unavailable, Some(1)));
                assert!(!takes(&bodies, "192.0.2.1", UNCOUNTED + 1).await);
                assert!(takes(&bodies, "192.0.2.1", UNCOUNTED).await, "a small body is always read");
                assert!(takes(&bodies, "192.0.2.2", EACH).await);
                give_back();
                assert!(takes(&bodies, "192.0.2.1", EACH).await);
                grow(EACH).unwrap();
            })
            .await;
        assert!(bodies.taken.lock().is_empty());
        assert_eq!(grow(1).unwrap_err().code, Code::InternalError, "there is no request");
    }

    /// A request that does not end, and has all that its client may have.
    async fn hold(bodies: &Arc<Bodies>, address: String) -> Pin<Box<dyn Future<Output = ()>>> {
        let bodies = Arc::clone(bodies);
        let mut request: Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move {
            let body = async {
                grow(EACH + UNCOUNTED).unwrap();
                pending::<()>().await;
            };
            bodies.sharing(client(&address), body).await;
        });
        assert!(futures_util::poll!(request.as_mut()).is_pending());
        request
    }

    #[tokio::test]
    async fn a_network_has_its_part_and_all_have_what_there_is() {
        let bodies = Bodies::new(MAX);
        let mut requests = Vec::new();
        for number in 0..PART_OF_CLIENT / PART_OF_NETWORK {
            requests.push(hold(&bodies, format!("2001:db8:1:{number}::1")).await);
        }
        assert!(!takes(&bodies, "2001:db8:1:99::1", UNCOUNTED + 1).await);
        assert!(takes(&bodies, "2001:db8:2:99::1", EACH).await);
        for number in requests.len()..PART_OF_CLIENT {
            requests.push(hold(&bodies, format!("192.0.2.{number}")).await);
        }
        assert!(!takes(&bodies, "198.51.100.1", UNCOUNTED + 1).await);
        assert!(takes(&bodies, "198.51.100.1", UNCOUNTED).await, "a small body is always read");
        // Who hangs up gives it back, too.
        drop(requests.pop());
        assert!(takes(&bodies, "198.51.100.1", EACH).await);
        drop(requests);
        assert!(bodies.taken.lock().is_empty());
    }
}
