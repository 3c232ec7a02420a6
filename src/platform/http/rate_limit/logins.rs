//! Bounds on guessed passwords: guesses must neither succeed nor lock the user out.
//!
//! | guesses at one e-mail address | in a day, at most |
//! |---|---|
//! | from one network: 5 failures in 15 minutes, then refusal | 480 |
//! | from all networks that its user has never logged in from: 100 failures in 24 hours at once, then one in 30 s | 2,980 |
//!
//! Guesses are failures that were answered as such; what is refused tells nothing about the password. So of 10,000 guesses a
//! day that come from 1,000 client addresses, 10 from each, at most 2,980 are tried, and no more of a million a day from
//! 100,000: a random password of 8 lower-case letters (26^8 = 2.1·10^11) takes 96,000 years on average
//! (26^8 / 2 / 2,980 / 365), and one of a million equally likely ones half a year (10^6 / 2 / 2,980 = 168 days). 10,000
//! guesses a day over 1,000 e-mail addresses are 10 a day at each, and take 298 times as long. Nodes without a Redis count
//! by themselves, so that the figures are multiplied by their number.
//!
//! A network that the user has logged in from meets the first bound alone, and failures there count for no other network.

use std::num::NonZeroU32;

use tokio::join;

use super::{
    headers::LimitState,
    limits::{Limits, Verdict, decide},
    policy::{Key, Policy},
};
use crate::{
    base::{
        clock::{Millis, SECOND, UnixMillis},
        error::ApiError,
    },
    platform::auth::client::ClientNet,
};

/// Longest wait of a login for its turn: as long as turns are apart, so that a login which waits alone gets the next.
const MAX_WAIT: Millis = 30 * SECOND;
/// A password that is tried at an e-mail address, from a network.
#[derive(Clone, Copy, Debug)]
pub struct Guess {
    /// The e-mail address and the network together.
    from_network: Key,
    /// The e-mail address.
    address: Key,
    network: ClientNet,
}

impl Guess {
    /// A password for an e-mail address, in lower case.
    pub fn new(email: &str, network: ClientNet) -> Self {
        Guess { from_network: Key::of_email_and_network(email, network), address: Key::of_email(email), network }
    }
}

impl Limits {
    /// Fails when the network has used up its failures for the address. Returns whether a network that is unknown for the address
    /// may try a password at once; otherwise it has to [wait for its turn](Self::wait_for_login). No header states this, since it
    /// would reveal guesses of others.
    pub(crate) async fn check_login(&self, guess: Guess) -> Result<bool, ApiError> {
        // Redis is asked both in one round trip.
        let (own, all) = join!(
            self.ask(Policy::LoginFailures, guess.from_network),
            self.ask(Policy::UnknownLoginFailures, guess.address)
        );
        if let Some(state) = own.filter(|own| !own.decision.granted) {
            decide(&self.metrics, state)?;
        }
        Ok(all.is_none_or(|all| all.decision.granted))
    }

    /// The longer of two waits: that for which a client was refused, and that of its network for the address. A client that waits so long is
    /// refused by neither.
    pub(crate) async fn longest_wait(&self, refused: ApiError, guess: Guess) -> ApiError {
        match self.check_login(guess).await {
            Err(longer) if longer.retry_after > refused.retry_after => longer,
            _ => refused,
        }
    }

    /// Waits until a network that is unknown for the address may try a password. Fails when too many logins wait for the address or from the
    /// network already, or others get the turns for 30 seconds. The caller should hold no permit or lock meanwhile.
    pub async fn wait_for_login(&self, guess: Guess) -> Result<(), ApiError> {
        let clock = &self.waiting.clock;
        let _place = self.waiting.enter(guess.address, guess.network)?;
        let given_up = clock.now() + MAX_WAIT;
        loop {
            let Some(state) = self.count(Policy::LoginTurns, guess.address).await else { return Ok(()) };
            let LimitState { quota_policy, decision } = state;
            let due = clock.now() + UnixMillis::try_from(decision.reset.as_millis()).unwrap_or(MAX_WAIT);
            if decision.granted {
                self.metrics.count_rate_limit(quota_policy.name, "granted");
                return Ok(());
            }
            if due > given_up {
                return decide(&self.metrics, state);
            }
            clock.reach(due).await;
        }
    }

    /// Counts a wrong password. `prompt`: its network is unknown for the address, and it did not wait. Fails when others have
    /// used up the failures since they were checked, so that no more concurrent guesses are answered than sequential ones.
    pub async fn count_login_failure(&self, guess: Guess, prompt: bool) -> Result<(), ApiError> {
        let all = async { if prompt { self.count(Policy::UnknownLoginFailures, guess.address).await } else { None } };
        let (own, all) = join!(self.take(Policy::LoginFailures, guess.from_network, 1), all);
        own?;
        match all {
            Some(all) if !all.decision.granted => Err(ApiError::rate_limited(1)),
            _ => Ok(()),
        }
    }

    /// Resets the failures of a network from which the user has logged in. Those of other networks stay.
    pub(crate) async fn reset_login_failures(&self, guess: Guess) {
        let (policy, key) = (Policy::LoginFailures, guess.from_network);
        self.local.reset(policy, key);
        if let (Some(shared), Some(quota_policy)) = (&self.shared, policy.quota_policy()) {
            shared.reset(&quota_policy, key).await;
        }
    }

    /// Logins that wait for their turn.
    pub fn waiting_logins(&self) -> usize {
        self.waiting.len()
    }

    /// Whether a window would grant another count, without counting it. `None`: nothing is limited.
    async fn ask(&self, policy: Policy, key: Key) -> Option<LimitState> {
        let quota_policy = policy.quota_policy().filter(|_| self.on)?;
        let shared = match &self.shared {
            Some(shared) => shared.take(&quota_policy, key.into(), 0).await,
            None => None,
        };
        shared.or_else(|| self.local.ask(policy, key))
    }

    /// Counts one in a window, without a note for the response headers. `None`: nothing is limited.
    async fn count(&self, policy: Policy, key: Key) -> Option<LimitState> {
        let quota_policy = policy.quota_policy().filter(|_| self.on)?;
        match self.ask_redis(policy, &quota_policy, key.into(), NonZeroU32::MIN).await {
            Verdict::Decided(state) => Some(state),
            Verdict::Passes => None,
            Verdict::Local => self.local.take(policy, key.into(), NonZeroU32::MIN),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        net::{IpAddr, Ipv4Addr},
        sync::Arc,
    };

    use super::*;
    use crate::{
        base::{
            clock::{Clock, DAY},
            config::Config,
            metrics::Metrics,
        },
        platform::http::rate_limit::waiting::MAX_WAITING_EACH,
    };

    async fn limits(clock: &Clock) -> Limits {
        let config = Config::read(&|_| None).unwrap();
        Limits::open(&config, clock, &Arc::new(Metrics::new().unwrap())).await.unwrap()
    }

    fn guess(client: u32) -> Guess {
        Guess::new("alice@example.com", IpAddr::from(Ipv4Addr::from_bits(client)).into())
    }

    /// Whether a wrong password is answered as one; a login that would have to wait is tried when there is a turn.
    async fn is_answered(limits: &Limits, guess: Guess) -> bool {
        let Ok(prompt) = limits.check_login(guess).await else { return false };
        let has_turn =
            prompt || limits.count(Policy::LoginTurns, guess.address).await.is_some_and(|turn| turn.decision.granted);
        has_turn && limits.count_login_failure(guess, prompt).await.is_ok()
    }

    /// Guesses that are answered in a day, of some at each of these moments from the next of so many networks.
    async fn in_a_day(networks: u32, interval: Millis, guesses: u32) -> u32 {
        let clock = Clock::default();
        let limits = limits(&clock).await;
        let (mut answered, mut client) = (0, 0);
        for _ in 0..DAY / interval {
            for _ in 0..guesses {
                client = (client + 1) % networks;
                answered += u32::from(is_answered(&limits, guess(client)).await);
            }
            clock.advance(interval);
        }
        answered
    }

    #[tokio::test]
    async fn the_documented_numbers_of_guesses_hold() {
        // 10,000 from 1,000 networks: one each 8.64 seconds, of which every fourth meets a turn; and 6 each 54 seconds.
        let (evenly, in_bursts) = (in_a_day(1_000, 8_640, 1).await, in_a_day(1_000, 54 * SECOND, 6).await);
        assert!((2_500..=2_600).contains(&evenly) && (1_600..=1_700).contains(&in_bursts), "{evenly}, {in_bursts}");
        // Far more: each turn is used. One network: the first bound is the narrower. The time that the test itself takes
        // passes too, and gives some turns more.
        let (many, one) = (in_a_day(100_000, 5 * SECOND, 10).await, in_a_day(1, 30 * SECOND, 5).await);
        assert!((2_950..=3_010).contains(&many) && (475..=485).contains(&one), "{many}, {one}");
    }

    #[tokio::test]
    async fn of_logins_that_wait_one_gets_the_turn() {
        let clock = Clock::default();
        let limits = limits(&clock).await;
        let wait = || limits.wait_for_login(guess(1));
        assert!(wait().await.is_ok());
        let others = async {
            while limits.waiting_logins() < MAX_WAITING_EACH {
                tokio::task::yield_now().await;
            }
            assert_eq!(wait().await.unwrap_err().retry_after, Some(30));
            // Another address has turns of its own.
            assert!(
                limits
                    .wait_for_login(Guess::new("bob@example.com", IpAddr::from(Ipv4Addr::LOCALHOST).into()))
                    .await
                    .is_ok()
            );
            clock.advance(MAX_WAIT);
        };
        let (one, two, three, four, ()) = join!(wait(), wait(), wait(), wait(), others);
        let outcomes = [one, two, three, four];
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
        assert_eq!(limits.waiting_logins(), 0);
    }
}
