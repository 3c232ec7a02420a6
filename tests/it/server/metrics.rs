//! Dashboard and alerts ask for nothing that the service does not export.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use serde_json::Value as Json;

use crate::{
    on_each_database,
    support::{TestDatabase, eventually},
};

/// Names of series, each with the values of its label `outcome`.
type Series = BTreeMap<String, BTreeSet<String>>;

/// The text between quotes after `before`, split at `|`.
fn values(text: &str, before: &str) -> Vec<String> {
    let Some((_, after)) = text.split_once(before) else { return Vec::new() };
    let quoted = after.split('"').nth(1).unwrap_or_default();
    quoted.split('|').map(str::to_owned).collect()
}

/// The service's series that are named in a text, with the outcomes that their selectors name.
fn named(text: &str) -> Series {
    let mut found = Series::new();
    let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
    for (start, _) in text.match_indices("linkgraph_") {
        if text[..start].ends_with(|c: char| is_name(c) || c == '/') {
            continue;
        }
        let name = text[start..].split(|c| !is_name(c)).next().unwrap_or_default();
        let selector = text[start + name.len()..].strip_prefix('{').and_then(|rest| rest.split('}').next());
        let outcomes = found.entry(name.to_owned()).or_default();
        outcomes.extend(values(selector.unwrap_or_default(), "outcome="));
    }
    found
}

fn texts<'a>(json: &'a Json, found: &mut Vec<&'a str>) {
    match json {
        Json::String(text) => found.push(text),
        Json::Array(values) => values.iter().for_each(|value| texts(value, found)),
        Json::Object(members) => members.values().for_each(|value| texts(value, found)),
        _ => {}
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(path)).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dashboard_and_alerts_name_what_is_exported() {
    let database = TestDatabase::sqlite();
    let server = database.start_with(&[("LINKGRAPH_RATE_LIMITS", "on")]).await;
    // Requests are counted by route, and decisions by policy: there is no series before the first one.
    server.get("/ready", "").await.expect(200);
    server.register("alice").await;
    let exported = server.get("/metrics", "").await.expect(200).text;
    let exported: Vec<&str> = exported.lines().filter(|line| !line.starts_with('#')).collect();
    let exported = named(&exported.join("\n"));
    assert!(exported.len() > 15, "{exported:?}");
    server.stop().await;

    let dashboard: Json = serde_json::from_str(&read("grafana/linkgraph.json")).unwrap();
    let mut strings = Vec::new();
    texts(&dashboard, &mut strings);
    for (file, text) in [
        ("the dashboard", strings.join("\n")),
        ("the alerts", read("prometheus/alerts.yml")),
        ("their tests", read("prometheus/alerts_test.yml")),
    ] {
        let asked = named(&text);
        assert!(asked.len() > 5, "{file}: {asked:?}");
        for (name, outcomes) in asked {
            let known = exported.get(&name).unwrap_or_else(|| panic!("{file}: {name} is not exported"));
            assert!(outcomes.is_subset(known), "{file}: {name}: {outcomes:?}, but there are {known:?}");
        }
    }
}

#[test]
fn the_dashboard_can_be_imported_anywhere() {
    let dashboard: Json = serde_json::from_str(&read("grafana/linkgraph.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let ids: BTreeSet<i64> = panels.iter().map(|panel| panel["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len());
    for panel in panels.iter().filter(|panel| panel["type"] != "row") {
        let targets = panel["targets"].as_array().unwrap();
        assert!(!targets.is_empty(), "{panel}");
        for source in targets.iter().map(|target| &target["datasource"]).chain([&panel["datasource"]]) {
            assert_eq!(source["uid"], "${datasource}", "{}", panel["title"]);
        }
    }
}

/// The metric of a stalled ingest grows for as long as a click waits, whether others come or not.
#[on_each_database]
async fn a_click_that_waits_is_told_of_until_it_is_ingested(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.link(&token, "seen").await;
    let waiting = async || server.metric::<f64>("linkgraph_clicks_waiting_seconds").await.unwrap();
    assert!(waiting().await < 1.0);
    database.refuse("INSERT", "click_log_positions", "TRUE").await;
    server.follow("seen").await.expect(302);
    eventually("it waits", async || (waiting().await > 1.0).then_some(())).await;
    database.allow("click_log_positions").await;
    eventually("it is ingested", async || (waiting().await < f64::EPSILON).then_some(())).await;
    assert_eq!(database.clicks().await, 1);
}

/// The names that every dashboard of processes knows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_is_described() {
    let database = TestDatabase::sqlite();
    let server = database.start().await;
    let now = linkgraph::base::clock::Clock::default().now() as f64 / 1_000.0;
    let started: f64 = server.metric("process_start_time_seconds").await.unwrap();
    assert!((now - 60.0..=now).contains(&started), "{started}");
    let used: f64 = server.metric("process_cpu_seconds_total").await.unwrap();
    assert!(used > 0.0 && server.metric::<f64>("process_cpu_seconds_total").await.unwrap() >= used);
    assert!(server.metric::<u64>("process_resident_memory_bytes").await.unwrap() > 1 << 20);
    let open: u64 = server.metric("process_open_fds").await.unwrap();
    assert!((10..=server.metric("process_max_fds").await.unwrap()).contains(&open), "{open}");
    let build = format!("linkgraph_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    assert_eq!(server.metric::<u64>(&build).await, Some(1));
    server.stop().await;
}
