//! The outermost limit: how much a client may ask for in all, whoever it is and whatever it wants. It bounds floods, of which each node
//! has its own: `tower_governor` counts them here, and no Redis is asked.

use std::{
    hash::{BuildHasher, RandomState},
    sync::Arc,
    time::Duration,
};

use axum::{Router, http::Request, response::IntoResponse};
use tower_governor::{
    GovernorLayer, errors::GovernorError, governor::GovernorConfigBuilder, key_extractor::KeyExtractor,
};

use super::{
    client_address::ClientAddress,
    headers::{LimitState, note},
    limits::Limits,
    policy::{Algorithm, Decision, QuotaPolicy, WithoutRedis},
};
use crate::{
    base::{error::ApiError, metrics::Metrics},
    platform::{auth::client::ClientNet, http::refusal::Refusal},
};

/// As much as all keys of the largest account may ask for, 100 of 3,000 requests each: no plan's quota is cut short.
const CLIENT: QuotaPolicy = QuotaPolicy {
    name: "client",
    quota: 300_000,
    window: 60,
    algorithm: Algorithm::Bucket,
    without_redis: WithoutRedis::Local,
    networks: None,
};

/// Counts by the hash of a client's address (IPv6: /64), of 16 bits: made-up addresses take no more memory than 65,536 buckets do.
#[derive(Clone)]
struct ByClient(RandomState);

impl KeyExtractor for ByClient {
    type Key = u16;

    fn extract<T>(&self, request: &Request<T>) -> Result<u16, GovernorError> {
        let ClientAddress(client) = request.extensions().get().ok_or(GovernorError::UnableToExtractKey)?;
        Ok(self.0.hash_one(ClientNet::from(*client)) as u16)
    }
}

impl Limits {
    /// Refuses requests of clients that send too many, before anything else looks at them.
    pub(crate) fn limit_clients(&self, router: Router) -> Router {
        if self.on { limited(router, CLIENT, Arc::clone(&self.metrics)) } else { router }
    }
}

fn limited(router: Router, quota_policy: QuotaPolicy, metrics: Arc<Metrics>) -> Router {
    let config = GovernorConfigBuilder::default()
        .period(quota_policy.interval())
        .burst_size(quota_policy.quota)
        .key_extractor(ByClient(RandomState::new()))
        .finish();
    // `finish` answers `None` for a quota of zero.
    let Some(config) = config else { return router };
    router.layer(GovernorLayer::new(config).error_handler(move |error| {
        let GovernorError::TooManyRequests { wait_time, .. } = error else {
            return Refusal(ApiError::internal("a request has no client")).into_response();
        };
        // Governor rounds the wait down to seconds; a client that waits as told must not be refused again.
        let reset = Duration::from_secs(wait_time + 1);
        let refused = LimitState::new(quota_policy, Decision { granted: false, remaining: 0, reset });
        note(refused);
        metrics.count_rate_limit(quota_policy.name, "refused");
        Refusal(ApiError::rate_limited(refused.seconds())).into_response()
    }))
}

#[cfg(test)]
mod tests {
    use axum::{body::Body, http::StatusCode, routing::get};
    use tower::ServiceExt;

    use super::*;
    use crate::platform::http::rate_limit::headers::noting;

    #[tokio::test]
    async fn a_client_is_refused_beyond_its_quota_whatever_it_asks_for() {
        let quota_policy = QuotaPolicy { quota: 3, ..CLIENT };
        let routes = Router::new().route("/a", get(async || "a"));
        let router = limited(routes, quota_policy, Arc::new(Metrics::new().unwrap()));
        let ask = async |path: &str, client: &str| {
            let mut request = Request::get(path).body(Body::empty()).unwrap();
            request.extensions_mut().insert(ClientAddress(client.parse().unwrap()));
            router.clone().oneshot(request).await.unwrap()
        };
        for (path, status) in [("/a", 200), ("/nothing", 404), ("/a", 200), ("/a", 429)] {
            assert_eq!(ask(path, "192.0.2.1").await.status(), status);
            assert_eq!(ask(path, "2001:db8::1").await.status(), status);
        }
        let (refused, state) = noting(ask("/a", "192.0.2.1")).await;
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        let Refusal(error) = refused.extensions().get().unwrap();
        assert!((19..=21).contains(&error.retry_after.unwrap()), "{error:?}");
        assert_eq!(state.unwrap().quota_policy, quota_policy);
        // One /64 is one client.
        assert_eq!(ask("/a", "2001:db8::2").await.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(ask("/a", "2001:db8:0:1::1").await.status(), StatusCode::OK);
    }
}
