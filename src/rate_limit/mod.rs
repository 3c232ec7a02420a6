//! Rate limits: one table of policies, each with a store in this process.
//!
//! | policy | counted by | quota |
//! |---|---|---|
//! | public API | API key | the plan's requests a minute |
//! | public operations (register, login, …) | client address and operation | 10 a minute |
//! | subdomain operations | user, with a user token | 60 in 60 seconds, of all together |
//! | login failures | e-mail address | 5 in 15 minutes |
//! | reset mails | e-mail address | 5 in 15 minutes |

mod failures;

use std::{collections::HashMap, net::IpAddr, num::NonZeroU32, sync::Arc, time::Duration};

use axum::response::Response;
use governor::{DefaultKeyedRateLimiter, Quota, clock::Clock as _, middleware::NoOpMiddleware};
use tower_governor::{
    GovernorLayer,
    errors::GovernorError,
    governor::{GovernorConfig, GovernorConfigBuilder},
    key_extractor::KeyExtractor,
};

use crate::{
    auth::{access::RateLimit, client::ClientNet},
    clock::{Clock, MINUTE},
    error::ApiError,
    ids::{ApiKeyId, UserId},
    plan::Plan,
};
use failures::Failures;

/// Requests a minute to one public operation from one client.
const PUBLIC_PER_MINUTE: u32 = 10;
/// Operations on subdomains by one user in 60 seconds.
const SUBDOMAIN_PER_MINUTE: u32 = 60;
/// Failed logins, or reset mails, for one e-mail address in [`PER_EMAIL_WINDOW`].
const PER_EMAIL: u32 = 5;
/// The window of [`PER_EMAIL`].
const PER_EMAIL_WINDOW: i64 = 15 * MINUTE;

/// The client of a request, which the HTTP edge has put into its extensions.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

/// Finds the client that a public operation's limit counts.
#[derive(Clone, Copy, Debug)]
pub struct ByClient;

impl KeyExtractor for ByClient {
    type Key = ClientNet;

    fn extract<T>(&self, request: &axum::http::Request<T>) -> Result<ClientNet, GovernorError> {
        let client = request.extensions().get::<ClientAddress>().ok_or(GovernorError::UnableToExtractKey)?;
        Ok(ClientNet::from(client.0))
    }
}

/// The user of a request whose token was verified, in its extensions.
#[derive(Clone, Copy, Debug)]
pub struct VerifiedUser(pub UserId);

/// Finds the user that a limit on users counts.
#[derive(Clone, Copy, Debug)]
pub struct ByUser;

impl KeyExtractor for ByUser {
    type Key = UserId;

    fn extract<T>(&self, request: &axum::http::Request<T>) -> Result<UserId, GovernorError> {
        let user = request.extensions().get::<VerifiedUser>().ok_or(GovernorError::UnableToExtractKey)?;
        Ok(user.0)
    }
}

type Config<K> = GovernorConfig<K, NoOpMiddleware>;
/// The layer of some routes.
pub type Layer<K> = GovernorLayer<K, NoOpMiddleware, axum::body::Body>;

/// All limits of this process.
pub struct Limits {
    on: bool,
    by_plan: Vec<(Plan, DefaultKeyedRateLimiter<ApiKeyId>)>,
    public: HashMap<String, Arc<Config<ByClient>>>,
    subdomain: Arc<Config<ByUser>>,
    login_failures: Failures,
    reset_mails: Failures,
}

impl Limits {
    /// With a limiter for each of the public operations.
    pub fn new(on: bool, clock: &Clock, public_operations: impl Iterator<Item = String>) -> anyhow::Result<Self> {
        let by_plan = Plan::ALL
            .into_iter()
            .filter_map(|plan| Some((plan, NonZeroU32::new(plan.requests_per_minute()?)?)))
            .map(|(plan, requests)| (plan, DefaultKeyedRateLimiter::keyed(Quota::per_minute(requests))))
            .collect();
        let public = public_operations
            .map(|operation| Ok((operation, config(PUBLIC_PER_MINUTE, ByClient)?)))
            .collect::<anyhow::Result<_>>()?;
        let subdomain = config(SUBDOMAIN_PER_MINUTE, ByUser)?;
        let failures = || Failures::new(clock.clone(), PER_EMAIL, PER_EMAIL_WINDOW);
        Ok(Limits { on, by_plan, public, subdomain, login_failures: failures(), reset_mails: failures() })
    }

    /// Counts one request of an API key.
    pub fn check_api_key(&self, key: ApiKeyId, plan: Plan) -> Result<(), ApiError> {
        match self.by_plan.iter().find(|(limited, _)| *limited == plan) {
            Some((_, limiter)) if self.on => limiter.check_key(&key).map_err(|until| {
                let wait = until.wait_time_from(limiter.clock().now());
                ApiError::rate_limited(wait.as_secs() + 1)
            }),
            _ => Ok(()),
        }
    }

    /// Counts one use of a public operation through GraphQL; its REST routes count by [`layer`](Self::layer).
    pub fn check_public(&self, operation: &str, client: ClientNet) -> Result<(), ApiError> {
        match self.public.get(operation) {
            Some(config) if self.on => check(config, &client),
            _ => Ok(()),
        }
    }

    /// The layer that counts uses of a public operation through REST, in the same buckets as
    /// [`check_public`](Self::check_public). `refuse` makes the answer.
    pub fn layer(&self, operation: &str, refuse: fn(ApiError) -> Response) -> Option<Layer<ByClient>> {
        Some(layer(self.public.get(operation).filter(|_| self.on)?, refuse))
    }

    /// Counts one call of a user through GraphQL; REST routes count by [`user_layer`](Self::user_layer).
    pub fn check_user(&self, limit: RateLimit, user: UserId) -> Result<(), ApiError> {
        if self.on { check(self.of(limit), &user) } else { Ok(()) }
    }

    /// The layer that counts calls of a user through REST, in the same buckets as [`check_user`](Self::check_user). Only
    /// for requests with a [`VerifiedUser`]. `refuse` makes the answer.
    pub fn user_layer(&self, limit: RateLimit, refuse: fn(ApiError) -> Response) -> Option<Layer<ByUser>> {
        self.on.then(|| layer(self.of(limit), refuse))
    }

    fn of(&self, limit: RateLimit) -> &Arc<Config<ByUser>> {
        match limit {
            RateLimit::Subdomain => &self.subdomain,
        }
    }

    /// Whether another login may be tried for the address.
    pub fn check_login(&self, email: &str) -> Result<(), ApiError> {
        if self.on { self.login_failures.check(email).map_err(ApiError::rate_limited) } else { Ok(()) }
    }

    /// Counts a failed login. Fails when others have used up the failures since [`check_login`](Self::check_login):
    /// of many guesses at once no more are answered than of many in turn.
    pub fn count_login_failure(&self, email: &str) -> Result<(), ApiError> {
        if self.on { self.login_failures.count(email).map_err(ApiError::rate_limited) } else { Ok(()) }
    }

    /// Forgets the failures of an address whose owner got in.
    pub fn forget_login_failures(&self, email: &str) {
        self.login_failures.forget(email);
    }

    /// Counts a reset mail; false when the address has had enough of them.
    pub fn take_reset_mail(&self, email: &str) -> bool {
        !self.on || self.reset_mails.count(email).is_ok()
    }

    /// Drops the keys that are back at their full quota, so that memory follows the active ones.
    pub fn drop_idle(&self) {
        for (_, limiter) in &self.by_plan {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
        self.public.values().for_each(|config| drop_idle(config));
        drop_idle(&self.subdomain);
        self.login_failures.drop_idle();
        self.reset_mails.drop_idle();
    }
}

/// So many requests a minute for each key.
fn config<K: KeyExtractor>(per_minute: u32, keys: K) -> anyhow::Result<Arc<Config<K>>>
where
    K::Key: Sync,
{
    let config = GovernorConfigBuilder::default()
        .period(Duration::from_secs(60) / per_minute)
        .burst_size(per_minute)
        .key_extractor(keys)
        .finish();
    Ok(Arc::new(config.ok_or_else(|| anyhow::anyhow!("a quota can't be zero"))?))
}

fn check<K: KeyExtractor>(config: &Config<K>, key: &K::Key) -> Result<(), ApiError> {
    config.limiter().check_key(key).map_err(|until| {
        let wait = until.wait_time_from(config.limiter().clock().now());
        ApiError::rate_limited(wait.as_secs() + 1)
    })
}

fn layer<K: KeyExtractor>(config: &Arc<Config<K>>, refuse: fn(ApiError) -> Response) -> Layer<K> {
    GovernorLayer::new(Arc::clone(config)).error_handler(move |error| {
        refuse(match error {
            // `wait_time` is rounded down, and a client that obeys must not meet a second refusal.
            GovernorError::TooManyRequests { wait_time, .. } => ApiError::rate_limited(wait_time + 1),
            GovernorError::UnableToExtractKey | GovernorError::Other { .. } => {
                ApiError::internal("the rate limiter found nobody to count")
            }
        })
    })
}

fn drop_idle<K: KeyExtractor>(config: &Config<K>) {
    config.limiter().retain_recent();
    config.limiter().shrink_to_fit();
}
