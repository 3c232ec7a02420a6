//! Metrics of the service, for Prometheus. Labels hold route templates and statuses: never slugs, ids or addresses.

use std::{path::Path, time::Duration};

use metrics::{Counter, Gauge, Key, KeyName, Label, Level, Metadata, Recorder, Unit};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use rustix::fs::statvfs;

/// Upper bounds of the latency histogram, in seconds.
const LATENCY: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// Upper bounds of the delay histogram, in seconds.
const DELAYS: &[f64] = &[0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3_600.0, 14_400.0];
/// Upper bounds of the statements histogram.
const STATEMENTS: &[f64] = &[0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

const METADATA: Metadata<'static> = Metadata::new(module_path!(), Level::INFO, None);
const REQUESTS: &str = "linkgraph_http_requests_total";
const DURATION: &str = "linkgraph_http_request_duration_seconds";
const ATTEMPTS: &str = "linkgraph_webhook_attempts_total";
const PROVIDER_EVENTS: &str = "linkgraph_provider_events_total";
const RATE_LIMITS: &str = "linkgraph_rate_limit_decisions_total";
const REDIS_FAILURES: &str = "linkgraph_rate_limit_redis_failures_total";
const SOCKETS: &str = "linkgraph_graphql_sockets";
const SOCKET_OPERATIONS: &str = "linkgraph_graphql_socket_operations_total";
const SQL: &str = "linkgraph_http_request_sql_statements";
const DELAY: &str = "linkgraph_webhook_delay_seconds";
const READY: &str = "linkgraph_ready";
const REFUSED_CHANGES: &str = "linkgraph_database_refused_changes_total";
const DATABASE_FULL: &str = "linkgraph_database_full";
const DATABASE_DAMAGED: &str = "linkgraph_database_damaged";
const DISK_AVAILABLE: &str = "linkgraph_data_dir_available_bytes";
const DISK_SIZE: &str = "linkgraph_data_dir_size_bytes";

/// All metrics of one process. Handles on the redirect's way are made once.
pub struct Metrics {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    /// Redirects answered with a destination.
    pub(crate) redirects: Counter,
    /// Redirects answered 404.
    pub(crate) redirects_missed: Counter,
    /// Redirects answered 410.
    pub(crate) redirects_disabled: Counter,
    /// Redirects answered 503.
    pub(crate) redirects_failed: Counter,
    /// Clicks written to the log.
    pub(crate) clicks_logged: Counter,
    /// Clicks that the log could not take.
    pub(crate) clicks_dropped: Counter,
    /// Clicks read from the log into the database.
    pub(crate) clicks_ingested: Counter,
    /// Bytes of the log that are not ingested yet.
    pub(crate) click_log_lag: Gauge,
    /// Whether the node can do its work: 1 or 0, looked at when the metrics are asked for.
    pub(crate) ready: Gauge,
    refused_changes: Counter,
    database_full: Gauge,
    database_damaged: Gauge,
    disk_available: Gauge,
    disk_size: Gauge,
    /// Decisions on rate limits that Redis did not take in time.
    pub(crate) rate_limit_redis_failures: Counter,
    /// Open WebSockets of GraphQL.
    pub(crate) graphql_sockets: Gauge,
    /// Operations begun over them.
    pub(crate) graphql_socket_operations: Counter,
}

impl Metrics {
    /// An empty set.
    pub fn new() -> anyhow::Result<Self> {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Full(DURATION.to_owned()), LATENCY)?
            .set_buckets_for_metric(Matcher::Full(DELAY.to_owned()), DELAYS)?
            .set_buckets_for_metric(Matcher::Full(SQL.to_owned()), STATEMENTS)?
            .build_recorder();
        for (name, unit, help) in [
            (REQUESTS, Unit::Count, "API requests by method, route template and status."),
            ("linkgraph_redirects_total", Unit::Count, "Requests for short links by outcome."),
            (ATTEMPTS, Unit::Count, "Attempts to deliver events to webhooks by outcome."),
            (PROVIDER_EVENTS, Unit::Count, "Events of the payment provider by outcome."),
            ("linkgraph_clicks_logged_total", Unit::Count, "Clicks written to the click log."),
            ("linkgraph_clicks_dropped_total", Unit::Count, "Clicks lost because the click log could not be written."),
            ("linkgraph_clicks_ingested_total", Unit::Count, "Clicks read from the click log into the database."),
            (RATE_LIMITS, Unit::Count, "Decisions on rate limits by policy and outcome."),
            (REDIS_FAILURES, Unit::Count, "Decisions on rate limits that Redis did not take in time."),
            (
                REFUSED_CHANGES,
                Unit::Count,
                "Changes that the database refused for want of room, an I/O error or damage.",
            ),
            (SOCKET_OPERATIONS, Unit::Count, "GraphQL operations begun over WebSockets."),
        ] {
            recorder.describe_counter(KeyName::from(name), Some(unit), help.into());
        }
        recorder.describe_histogram(DURATION.into(), Some(Unit::Seconds), "Duration of API requests.".into());
        recorder.describe_histogram(
            SQL.into(),
            None,
            "SQL statements of an API request, BEGIN and COMMIT among them.".into(),
        );
        let delay = "From when an event was due at a webhook to the attempt.";
        recorder.describe_histogram(DELAY.into(), Some(Unit::Seconds), delay.into());
        recorder.describe_gauge(READY.into(), Some(Unit::Count), "Whether the node is ready: 1 or 0.".into());
        let lag = "linkgraph_click_log_lag_bytes";
        recorder.describe_gauge(lag.into(), Some(Unit::Bytes), "Bytes of the click log not ingested yet.".into());
        for (name, unit, help) in [
            (
                DATABASE_FULL,
                Unit::Count,
                "Whether the newest change was refused for want of room on the database's disk: 1 or 0.",
            ),
            (DATABASE_DAMAGED, Unit::Count, "Whether damage was found in the database since the start: 1 or 0."),
            (DISK_AVAILABLE, Unit::Bytes, "Room left on the data directory's file system."),
            (DISK_SIZE, Unit::Bytes, "Size of the data directory's file system."),
        ] {
            recorder.describe_gauge(name.into(), Some(unit), help.into());
        }
        let gauge = |name: &'static str| recorder.register_gauge(&Key::from_static_name(name), &METADATA);
        recorder.describe_gauge(SOCKETS.into(), Some(Unit::Count), "Open WebSockets of GraphQL.".into());
        let counter = |name: &'static str| recorder.register_counter(&Key::from_static_name(name), &METADATA);
        let redirects = |outcome: &'static str| {
            let key = Key::from_parts("linkgraph_redirects_total", vec![Label::from_static_parts("outcome", outcome)]);
            recorder.register_counter(&key, &METADATA)
        };
        // From the start, since a series that begins with its first event shows no increase then.
        for (name, outcomes) in [
            (ATTEMPTS, &["succeeded", "failed"][..]),
            (PROVIDER_EVENTS, &["applied", "duplicate", "ignored", "refused", "failed"]),
        ] {
            for outcome in outcomes {
                let outcome = Label::from_static_parts("outcome", outcome);
                recorder.register_counter(&Key::from_parts(name, vec![outcome]), &METADATA).absolute(0);
            }
        }
        // Registering is enough to show it.
        let _ = recorder.register_histogram(&Key::from_static_name(DELAY), &METADATA);
        Ok(Metrics {
            redirects: redirects("found"),
            redirects_missed: redirects("not_found"),
            redirects_disabled: redirects("disabled"),
            redirects_failed: redirects("unavailable"),
            clicks_logged: counter("linkgraph_clicks_logged_total"),
            clicks_dropped: counter("linkgraph_clicks_dropped_total"),
            clicks_ingested: counter("linkgraph_clicks_ingested_total"),
            click_log_lag: gauge(lag),
            ready: gauge(READY),
            refused_changes: counter(REFUSED_CHANGES),
            database_full: gauge(DATABASE_FULL),
            database_damaged: gauge(DATABASE_DAMAGED),
            disk_available: gauge(DISK_AVAILABLE),
            disk_size: gauge(DISK_SIZE),
            rate_limit_redis_failures: counter(REDIS_FAILURES),
            graphql_sockets: gauge(SOCKETS),
            graphql_socket_operations: counter(SOCKET_OPERATIONS),
            handle: recorder.handle(),
            recorder,
        })
    }

    /// Counts one attempt to deliver an event.
    pub(crate) fn count_delivery_attempt(&self, succeeded: bool) {
        let outcome = Label::from_static_parts("outcome", if succeeded { "succeeded" } else { "failed" });
        self.recorder.register_counter(&Key::from_parts(ATTEMPTS, vec![outcome]), &METADATA).increment(1);
    }

    /// Notes how long after it was due an attempt began.
    pub(crate) fn observe_delivery_delay(&self, delay: Duration) {
        self.recorder.register_histogram(&Key::from_static_name(DELAY), &METADATA).record(delay.as_secs_f64());
    }

    /// Counts one event of the payment provider.
    pub(crate) fn count_provider_event(&self, outcome: &'static str) {
        let outcome = Label::from_static_parts("outcome", outcome);
        self.recorder.register_counter(&Key::from_parts(PROVIDER_EVENTS, vec![outcome]), &METADATA).increment(1);
    }

    /// Counts one decision on a rate limit.
    pub(crate) fn count_rate_limit(&self, policy: &'static str, outcome: &'static str) {
        let labels = vec![Label::from_static_parts("policy", policy), Label::from_static_parts("outcome", outcome)];
        self.recorder.register_counter(&Key::from_parts(RATE_LIMITS, labels), &METADATA).increment(1);
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
        let route = Label::new("route", route.to_owned());
        let labels =
            vec![Label::from_static_parts("method", method), route.clone(), Label::new("status", status.to_string())];
        self.recorder.register_counter(&Key::from_parts(REQUESTS, labels), &METADATA).increment(1);
        let histogram = |name: &'static str| {
            self.recorder.register_histogram(&Key::from_parts(name, vec![route.clone()]), &METADATA)
        };
        histogram(DURATION).record(took.as_secs_f64());
        #[expect(clippy::cast_precision_loss, reason = "a request has few statements")]
        histogram(SQL).record(statements as f64);
    }

    /// Takes over the number of changes that the database refused since the start, and whether its disk is full and its file
    /// damaged.
    pub(crate) fn observe_database(&self, refused_changes: u64, is_full: bool, is_damaged: bool) {
        self.refused_changes.absolute(refused_changes);
        self.database_full.set(if is_full { 1.0 } else { 0.0 });
        self.database_damaged.set(if is_damaged { 1.0 } else { 0.0 });
    }

    /// Takes over how much room the file system of a folder has. A file system that does not say leaves the values as they are.
    #[expect(clippy::cast_precision_loss, reason = "a disk's size need not be exact to the byte")]
    pub(crate) fn observe_disk(&self, folder: &Path) {
        if let Ok(disk) = statvfs(folder) {
            self.disk_available.set((disk.f_bavail * disk.f_frsize) as f64);
            self.disk_size.set((disk.f_blocks * disk.f_frsize) as f64);
        }
    }

    /// In the text format of Prometheus.
    pub fn render(&self) -> String {
        self.handle.run_upkeep();
        self.handle.render()
    }
}
