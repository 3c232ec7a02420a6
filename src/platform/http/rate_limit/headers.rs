//! Rate limit headers of a response, for the limits that its request was counted by, as in
//! draft-ietf-httpapi-ratelimit-headers: structured fields (RFC 9651) of which each is a list with one item.

use std::{cell::Cell, cmp::Reverse, time::Duration};

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use super::policy::{Decision, QuotaPolicy};

/// The quota and window of a policy.
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// Remaining quota, and seconds until it is reset.
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

tokio::task_local! {
    static NOTED: Cell<Option<LimitState>>;
}

/// The state of one policy after a decision, as the response headers report it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LimitState {
    pub(super) quota_policy: QuotaPolicy,
    pub(super) decision: Decision,
}

impl LimitState {
    /// After this decision.
    pub(crate) fn new(quota_policy: QuotaPolicy, decision: Decision) -> Self {
        LimitState { quota_policy, decision }
    }

    /// Whole seconds until the quota is whole again, or until the same request would be granted: who comes back then
    /// is not too early.
    pub(crate) fn seconds(&self) -> u64 {
        whole_seconds(self.decision.reset)
    }

    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let QuotaPolicy { name, quota, window, .. } = self.quota_policy;
        let (remaining, seconds) = (self.decision.remaining, self.seconds());
        for (header, value) in [
            (POLICY, format!("\"{name}\";q={quota};w={window}")),
            (LIMIT, format!("\"{name}\";r={remaining};t={seconds}")),
        ] {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(header, value);
            }
        }
    }

    /// Whether it leaves less than another, or as little for longer.
    fn is_stricter(&self, other: &LimitState) -> bool {
        let rank =
            |state: &LimitState| (state.decision.granted, state.decision.remaining, Reverse(state.decision.reset));
        rank(self) < rank(other)
    }
}

fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// Runs a request's future, and returns the state of the strictest policy that counted it.
pub(crate) async fn noting<T>(work: impl Future<Output = T>) -> (T, Option<LimitState>) {
    NOTED
        .scope(Cell::new(None), async {
            let output = work.await;
            (output, NOTED.with(Cell::get))
        })
        .await
}

pub(super) fn note(state: LimitState) {
    // Outside a request there is no answer to write it to.
    let _ = NOTED.try_with(|noted| {
        if noted.get().is_none_or(|known| state.is_stricter(&known)) {
            noted.set(Some(state));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::http::rate_limit::policy::Policy;

    fn state(policy: Policy, granted: bool, remaining: u32, reset: u64) -> LimitState {
        let reset = Duration::from_millis(reset);
        LimitState::new(policy.quota_policy().unwrap(), Decision { granted, remaining, reset })
    }

    #[tokio::test]
    async fn the_strictest_is_told_in_structured_fields() {
        let ((), noted) = noting(async {
            note(state(Policy::Authentication, true, 4, 36_000));
            note(state(Policy::LoginFailures, false, 0, 899_001));
            note(state(Policy::Subdomain, true, 0, 60_000));
        })
        .await;
        let mut headers = HeaderMap::new();
        noted.unwrap().write(&mut headers);
        assert_eq!(headers[POLICY], "\"login-failures\";q=5;w=900");
        assert_eq!(headers[LIMIT], "\"login-failures\";r=0;t=900");
        assert_eq!(noting(async {}).await.1, None);
    }
}
