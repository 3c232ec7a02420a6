//! Metrics of the service, for Prometheus. Labels hold route templates and statuses: never slugs, ids or addresses.

use std::{
    collections::BTreeSet,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use prometheus::{
    Gauge, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Registry, TextEncoder,
};
use rustix::fs::statvfs;

use crate::base::{process_metrics::ProcessMetrics, registration::Registration};

/// Upper bounds of the latency histogram, in seconds.
const LATENCY: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// Upper bounds of the delay histogram, in seconds.
const DELAYS: &[f64] = &[0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3_600.0, 14_400.0];
/// Upper bounds of the statements histogram.
const STATEMENTS: &[f64] = &[0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// All metrics of one process. A series that has no label, or few values of it, is there from the start: one that begins with its
/// first event shows no increase then.
pub struct Metrics {
    registry: Registry,
    process: ProcessMetrics,
    requests: IntCounterVec,
    durations: HistogramVec,
    statements: HistogramVec,
    /// Redirects answered with a destination.
    pub(crate) redirects: IntCounter,
    /// Requests for the root of an account's host that leads elsewhere.
    pub(crate) redirects_to_root: IntCounter,
    /// Requests for what leads nowhere: 404, or the URL that the host has for that.
    pub(crate) redirects_missed: IntCounter,
    /// Redirects answered 410.
    pub(crate) redirects_disabled: IntCounter,
    /// Requests for links after their end: 410, or the URL that the link or its host has for that.
    pub(crate) redirects_expired: IntCounter,
    /// Requests answered with the page that asks whether to follow the link.
    pub(crate) redirects_asked: IntCounter,
    /// Requests of messengers and social networks answered with the link's card.
    pub(crate) redirects_shown_as_card: IntCounter,
    /// Visits by phone answered with the page that opens an app, or with a redirect to it.
    pub(crate) redirects_into_apps: IntCounter,
    /// Apps that were told where a link leads.
    pub(crate) redirects_told_to_apps: IntCounter,
    /// Redirects answered 503.
    pub(crate) redirects_failed: IntCounter,
    /// Clicks written to the log.
    pub(crate) clicks_logged: IntCounter,
    /// Clicks that the log could not take.
    pub(crate) clicks_dropped: IntCounter,
    /// Clicks read from the log into the database.
    pub(crate) clicks_ingested: IntCounter,
    /// Clicks lost since their records in the log were damaged.
    pub(crate) clicks_damaged: IntCounter,
    /// Bytes of the log that were damaged.
    pub(crate) click_log_damaged: IntCounter,
    /// Bytes of the log that are not ingested yet.
    pub(crate) click_log_lag: IntGauge,
    clicks_waiting: Gauge,
    /// Whether the node can do its work: 1 or 0, looked at when the metrics are asked for.
    pub(crate) ready: IntGauge,
    delivery_attempts: IntCounterVec,
    delivery_delay: Histogram,
    provider_events: IntCounterVec,
    rate_limits: IntCounterVec,
    deprecated: IntCounterVec,
    refused_changes: IntCounter,
    /// The value of `refused_changes`, taken over from the database.
    shown_refused_changes: AtomicU64,
    database_full: IntGauge,
    database_damaged: IntGauge,
    disk_available: Gauge,
    disk_size: Gauge,
    /// Decisions on rate limits that Redis did not take in time.
    pub(crate) rate_limit_redis_failures: IntCounter,
    /// Units that were taken from quotas for what API requests cost.
    pub(crate) api_cost_units: IntCounter,
    /// Passwords that were hashed, to be stored or verified.
    pub(crate) password_hashes: IntCounter,
    /// Open WebSockets of GraphQL.
    pub(crate) graphql_sockets: IntGauge,
    /// Operations begun over them.
    pub(crate) graphql_socket_operations: IntCounter,
}

impl Metrics {
    /// Registers all metrics, at zero.
    pub fn new() -> anyhow::Result<Self> {
        let to = Registration(Registry::new());
        let redirects =
            to.counters("linkgraph_redirects_total", "Requests for short links by outcome.", &["outcome"])?;
        let redirects = |outcome: &str| redirects.with_label_values(&[outcome]);
        let delivery_attempts = to.counters(
            "linkgraph_webhook_attempts_total",
            "Attempts to deliver events to webhooks by outcome.",
            &["outcome"],
        )?;
        for outcome in ["succeeded", "failed"] {
            let _ = delivery_attempts.with_label_values(&[outcome]);
        }
        let provider_events =
            to.counters("linkgraph_provider_events_total", "Events of the payment provider by outcome.", &["outcome"])?;
        for outcome in ["applied", "duplicate", "ignored", "refused", "failed"] {
            let _ = provider_events.with_label_values(&[outcome]);
        }
        let delay = HistogramOpts::new(
            "linkgraph_webhook_delay_seconds",
            "From when an event was due at a webhook to the attempt.",
        );
        Ok(Metrics {
            requests: to.counters(
                "linkgraph_http_requests_total",
                "API requests by method, route template and status.",
                &["method", "route", "status"],
            )?,
            durations: to.histograms(
                "linkgraph_http_request_duration_seconds",
                "Duration of API requests.",
                LATENCY,
                "route",
            )?,
            statements: to.histograms(
                "linkgraph_http_request_sql_statements",
                "SQL statements of an API request, BEGIN and COMMIT among them.",
                STATEMENTS,
                "route",
            )?,
            redirects: redirects("found"),
            redirects_to_root: redirects("root"),
            redirects_missed: redirects("not_found"),
            redirects_disabled: redirects("disabled"),
            redirects_expired: redirects("expired"),
            redirects_asked: redirects("asked"),
            redirects_shown_as_card: redirects("card"),
            redirects_into_apps: redirects("into_app"),
            redirects_told_to_apps: redirects("told_to_app"),
            redirects_failed: redirects("unavailable"),
            clicks_logged: to.counter("linkgraph_clicks_logged_total", "Clicks written to the click log.")?,
            clicks_dropped: to
                .counter("linkgraph_clicks_dropped_total", "Clicks lost because the click log could not be written.")?,
            clicks_ingested: to
                .counter("linkgraph_clicks_ingested_total", "Clicks read from the click log into the database.")?,
            clicks_damaged: to.counter(
                "linkgraph_clicks_damaged_total",
                "Clicks lost because their records in the click log were damaged.",
            )?,
            click_log_damaged: to.counter(
                "linkgraph_click_log_damaged_bytes_total",
                "Bytes of the click log that were found damaged, and are kept aside.",
            )?,
            click_log_lag: to.gauge("linkgraph_click_log_lag_bytes", "Bytes of the click log not ingested yet.")?,
            clicks_waiting: to.add(Gauge::new(
                "linkgraph_clicks_waiting_seconds",
                "For how long no click was ingested though some wait in the click log; 0 while none waits.",
            ))?,
            ready: to.gauge("linkgraph_ready", "Whether the node is ready: 1 or 0.")?,
            delivery_attempts,
            delivery_delay: to.add(Histogram::with_opts(delay.buckets(DELAYS.to_vec())))?,
            provider_events,
            rate_limits: to.counters(
                "linkgraph_rate_limit_decisions_total",
                "Decisions on rate limits by policy and outcome.",
                &["policy", "outcome"],
            )?,
            deprecated: to.counters(
                "linkgraph_deprecated_uses_total",
                "Requests that use what is deprecated, by its name in the schema.",
                &["name"],
            )?,
            shown_refused_changes: AtomicU64::new(0),
            refused_changes: to.counter(
                "linkgraph_database_refused_changes_total",
                "Changes that the database refused for want of room, an I/O error or damage.",
            )?,
            database_full: to.gauge(
                "linkgraph_database_full",
                "Whether the newest change was refused for want of room on the database's disk: 1 or 0.",
            )?,
            database_damaged: to.gauge(
                "linkgraph_database_damaged",
                "Whether damage was found in the database since the start: 1 or 0.",
            )?,
            disk_available: to.add(Gauge::new(
                "linkgraph_data_dir_available_bytes",
                "Room left on the data directory's file system.",
            ))?,
            disk_size: to
                .add(Gauge::new("linkgraph_data_dir_size_bytes", "Size of the data directory's file system."))?,
            rate_limit_redis_failures: to.counter(
                "linkgraph_rate_limit_redis_failures_total",
                "Decisions on rate limits that Redis did not take in time.",
            )?,
            api_cost_units: to.counter(
                "linkgraph_api_cost_units_total",
                "Units taken from the quotas of callers for the cost of API requests, each a tenth of a millisecond.",
            )?,
            password_hashes: to
                .counter("linkgraph_password_hashes_total", "Passwords hashed, to be stored or verified.")?,
            graphql_sockets: to.gauge("linkgraph_graphql_sockets", "Open WebSockets of GraphQL.")?,
            graphql_socket_operations: to
                .counter("linkgraph_graphql_socket_operations_total", "GraphQL operations begun over WebSockets.")?,
            process: ProcessMetrics::new(&to)?,
            registry: to.0,
        })
    }

    /// Counts one attempt to deliver an event.
    pub(crate) fn count_delivery_attempt(&self, succeeded: bool) {
        self.delivery_attempts.with_label_values(&[if succeeded { "succeeded" } else { "failed" }]).inc();
    }

    /// Notes how long after it was due an attempt began.
    pub(crate) fn observe_delivery_delay(&self, delay: Duration) {
        self.delivery_delay.observe(delay.as_secs_f64());
    }

    /// Counts one event of the payment provider.
    pub(crate) fn count_provider_event(&self, outcome: &'static str) {
        self.provider_events.with_label_values(&[outcome]).inc();
    }

    /// Counts a request that uses these deprecated fields of the schema.
    pub(crate) fn count_deprecated(&self, names: &BTreeSet<String>) {
        names.iter().for_each(|name| self.deprecated.with_label_values(&[name]).inc());
    }

    /// Counts one decision on a rate limit.
    pub(crate) fn count_rate_limit(&self, policy: &'static str, outcome: &'static str) {
        self.rate_limits.with_label_values(&[policy, outcome]).inc();
    }

    /// Counts one API request.
    pub(crate) fn observe_request(
        &self,
        method: &'static str,
        route: &str,
        status: u16,
        took: Duration,
        statements: u64,
    ) {
        self.requests.with_label_values(&[method, route, &status.to_string()]).inc();
        self.durations.with_label_values(&[route]).observe(took.as_secs_f64());
        #[expect(clippy::cast_precision_loss, reason = "a request has few statements")]
        self.statements.with_label_values(&[route]).observe(statements as f64);
    }

    /// Takes over the number of changes that the database refused since the start, and whether its disk is full and its file
    /// damaged.
    pub(crate) fn observe_database(&self, refused_changes: u64, is_full: bool, is_damaged: bool) {
        // Two scrapes may be under way.
        let shown = self.shown_refused_changes.fetch_max(refused_changes, Ordering::Relaxed);
        self.refused_changes.inc_by(refused_changes.saturating_sub(shown));
        self.database_full.set(is_full.into());
        self.database_damaged.set(is_damaged.into());
    }

    /// Takes over for how long clicks have waited in the log.
    pub(crate) fn observe_waiting(&self, waiting: Duration) {
        self.clicks_waiting.set(waiting.as_secs_f64());
    }

    /// Takes over how much room the file system of a folder has. A file system that does not say leaves the values as they are.
    #[expect(clippy::cast_precision_loss, reason = "a disk's size need not be exact to the byte")]
    pub(crate) fn observe_disk(&self, folder: &Path) {
        if let Ok(disk) = statvfs(folder) {
            self.disk_available.set((disk.f_bavail * disk.f_frsize) as f64);
            self.disk_size.set((disk.f_blocks * disk.f_frsize) as f64);
        }
    }

    /// In the text format of Prometheus, version 0.0.4. Fails when a metric can't be written.
    pub fn render(&self) -> anyhow::Result<String> {
        self.process.observe();
        Ok(TextEncoder::new().encode_to_string(&self.registry.gather())?)
    }
}
