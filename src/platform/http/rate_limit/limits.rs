//! All limits, and how a request is judged by them.

use std::{
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use serde_json::json;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::{
    headers::{LimitState, note, noting},
    local::Local,
    policy::{Key, Policy, QuotaPolicy, Subject, WithoutRedis},
    shared::Shared,
    waiting::Waiting,
};
use crate::base::{
    clock::Clock,
    config::Config,
    error::{ApiError, Code},
    metrics::Metrics,
};

/// Requests after which idle keys are dropped, whatever the time: each may have come with a key of its own.
const SWEEP: u32 = 500_000;

/// All limits.
pub struct Limits {
    pub(super) on: bool,
    pub(super) local: Local,
    pub(super) shared: Option<Shared>,
    pub(super) metrics: Arc<Metrics>,
    pub(super) waiting: Waiting,
    /// Requests since idle keys were dropped.
    counted: AtomicU32,
}

/// Where a request is decided: in Redis, nowhere, or in this process.
pub(super) enum Verdict {
    Decided(LimitState),
    /// Redis does not answer, and the policy lets requests pass without it.
    Passes,
    /// Redis does not answer, or is not configured: the counts of this process decide.
    Local,
}

impl Limits {
    /// Limits in this process, and in Redis if there is one. Starts without Redis when it is away.
    pub(crate) async fn open(config: &Config, clock: &Clock, metrics: &Arc<Metrics>) -> anyhow::Result<Self> {
        let shared = match &config.redis {
            Some(server) if config.rate_limits => Some(Shared::open(server, clock, metrics).await?),
            _ => None,
        };
        let local = if config.rate_limits { Local::new(clock) } else { Local::default() };
        let (metrics, waiting) = (Arc::clone(metrics), Waiting::new(clock));
        Ok(Limits { on: config.rate_limits, local, shared, metrics, waiting, counted: AtomicU32::new(0) })
    }

    /// Keeps the connection to Redis until told to stop.
    pub(crate) async fn keep_connected(&self, stop: &CancellationToken) {
        if let Some(shared) = &self.shared {
            shared.keep(stop).await;
        }
    }

    /// Takes `cost` from the subject's quota. Fails, and takes nothing, if less is left.
    pub(crate) async fn take(&self, policy: Policy, subject: impl Into<Subject>, cost: u32) -> Result<(), ApiError> {
        let (Some(quota_policy), Some(cost), true) = (policy.quota_policy(), NonZeroU32::new(cost), self.on) else {
            return Ok(());
        };
        if cost.get() > quota_policy.quota {
            return Err(self.too_expensive(&quota_policy, cost));
        }
        let subject = subject.into();
        match self.ask_redis(policy, &quota_policy, subject, cost).await {
            Verdict::Decided(state) => decide(&self.metrics, state),
            Verdict::Passes => Ok(()),
            Verdict::Local => match self.local.take(policy, subject, cost) {
                Some(state) => decide(&self.metrics, state),
                None => Ok(()),
            },
        }
    }

    /// Takes more from the subject's quota for what was granted before, or gives some of it back, if it did not cost what had been taken.
    pub(crate) fn settle(self: &Arc<Self>, policy: Policy, subject: Subject, difference: i64) {
        let (Some(quota_policy), true) = (policy.quota_policy(), self.on && difference != 0) else { return };
        self.local.settle(policy, subject, difference);
        // Without a runtime, the service is ending.
        if let (Some(_), Ok(runtime)) = (&self.shared, Handle::try_current()) {
            let limits = Arc::clone(self);
            runtime.spawn(async move {
                if let Some(shared) = &limits.shared {
                    shared.settle(&quota_policy, subject, difference).await;
                }
            });
        }
    }

    pub(super) async fn ask_redis(
        &self,
        policy: Policy,
        quota_policy: &QuotaPolicy,
        subject: Subject,
        cost: NonZeroU32,
    ) -> Verdict {
        if self.counted.fetch_add(1, Ordering::Relaxed) >= SWEEP {
            self.drop_idle();
        }
        let Some(shared) = &self.shared else { return Verdict::Local };
        match (shared.take(quota_policy, subject, cost.get()).await, quota_policy.without_redis) {
            (Some(state), without_redis) => {
                if state.decision.granted && without_redis == WithoutRedis::Local {
                    self.local.take(policy, subject, cost);
                }
                Verdict::Decided(state)
            }
            (None, WithoutRedis::Pass) => {
                self.metrics.count_rate_limit(quota_policy.name, "passed");
                Verdict::Passes
            }
            (None, WithoutRedis::Local) => Verdict::Local,
        }
    }

    /// Counts a mail that the owner of the address asks for. Fails when it has had too many.
    pub(crate) async fn take_mail(&self, email: &str) -> Result<(), ApiError> {
        self.take(Policy::Mails, Key::of_email(email), 1).await
    }

    /// Counts a mail that anybody can ask for. `false`: the address has had too many. The response must not reveal it.
    pub(crate) async fn takes_mail(&self, email: &str) -> bool {
        noting(self.take_mail(email)).await.0.is_ok()
    }

    /// Drops the keys that are back at their full quota, so that memory follows the active ones.
    pub(crate) fn drop_idle(&self) {
        self.counted.store(0, Ordering::Relaxed);
        self.local.drop_idle();
    }

    /// The error of a request whose cost exceeds the whole quota, so that it would be refused at any time.
    fn too_expensive(&self, quota_policy: &QuotaPolicy, cost: NonZeroU32) -> ApiError {
        self.metrics.count_rate_limit(quota_policy.name, "refused");
        let QuotaPolicy { name, quota, window, .. } = quota_policy;
        let message =
            format!("The document counts {cost} times, and the limit \"{name}\" is {quota} in {window} seconds.");
        ApiError::new(Code::QueryTooComplex, message).with_details(json!({ "limit": name, "max": quota }))
    }
}

/// Counts and notes a decision, and makes an error of a refusal.
pub(super) fn decide(metrics: &Metrics, state: LimitState) -> Result<(), ApiError> {
    let LimitState { quota_policy, decision } = state;
    note(state);
    metrics.count_rate_limit(quota_policy.name, if decision.granted { "granted" } else { "refused" });
    if decision.granted { Ok(()) } else { Err(ApiError::rate_limited(state.seconds())) }
}
