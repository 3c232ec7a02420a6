//! What a query is charged follows what it costs, however many links and clicks there are.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream};
use linkgraph::{api, contract::OperationKind};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{TestDatabase, answers::Reader, eventually, process::TestProcess, setting},
};

/// The time that a unit stands for.
const UNIT: Duration = Duration::from_micros(100);
/// How long a document is asked for, as processor time.
const LONG_ENOUGH: Duration = Duration::from_millis(60);

const SUMMARY: &str = "totals { clicks uniques bots } series { start clicks } top { countries { ...t } referrers { ...t } browsers { ...t } }";
const FRAGMENT: &str = "fragment t on TopValuesStats { values { value clicks } unknown other }";

/// A selection for each query of the schema, and others of those that read more when asked for more.
pub(crate) const SELECTIONS: &[(&str, &str)] = &[
    ("instance", "{ version }"),
    ("me", "{ id email account { id plan } }"),
    ("members", "{ data { userId name email role } total }"),
    ("member", "(id: \"userId\") { name role }"),
    ("account", "{ name plan }"),
    ("invitations", "{ data { id email role } total }"),
    ("transfers", "{ data { id state shortUrls fromAccount { name } toAccount { name } } total }"),
    ("transfer", "(id: \"transferId\") { id state shortUrls }"),
    ("security", "{ totpSince recoveryCodesLeft }"),
    ("sessions", "{ sessions { id } }"),
    ("identities", "{ identities { id } }"),
    ("passkeys", "{ passkeys { id } }"),
    ("links", "(pageSize: 100) { data { id slug clickCount tags } total }"),
    ("links", "(search: \"webinar q3\") { data { id slug } total }"),
    ("links", "(search: \"e\", state: ACTIVE) { total }"),
    ("links", "(state: EXPIRED) { data { id } total }"),
    ("links", "(tags: [\"red\"], sort: MOST_CLICKED) { data { id } total }"),
    ("links", "(page: 40, pageSize: 20) { data { id } }"),
    ("links", "(sort: LAST_CLICKED) { data { id clicks(limit: 5) { data { id } } } }"),
    ("link", "(id: \"linkId\") { id slug clickSeries { start clicks } }"),
    ("qrCode", "(linkId: \"linkId\", format: \"png\", size: 2048) { url dataUrl }"),
    ("slugAvailability", "(slug: \"of-nobody\") { state }"),
    ("linkRules", "(linkId: \"linkId\") { rules { name conditions { kind } } }"),
    ("linkSplit", "(linkId: \"linkId\") { parts { weight } }"),
    ("explainRedirect", "(linkId: \"linkId\", input: {}) { finalUrl rules { result } }"),
    ("rehearseRules", "(linkId: \"linkId\", input: { rules: [] }) { visits outcomes { visits } }"),
    ("rehearseLink", "(linkId: \"linkId\", input: { isActive: false }) { visits phases { outcomes { visits } } }"),
    ("splitReport", "(linkId: \"linkId\") { parts { clicks } isUneven }"),
    ("tags", "{ data { id name linkCount } total }"),
    ("tag", "(id: \"tagId\") { id name }"),
    ("utmTemplates", "{ data { id name } total }"),
    ("utmTemplate", "(id: \"utmTemplateId\") { id name }"),
    ("hostPages", "(host: \"host\") { accentColor texts { page title } updatedAt }"),
    ("annotations", "{ data { id text } total }"),
    ("annotation", "(id: \"annotationId\") { id text }"),
    ("reports", "{ data { id name filter { values } url } total }"),
    ("report", "(id: \"reportId\") { id name }"),
    ("images", "{ data { id url } total }"),
    ("hostApps", "(host: \"host\") { iosApps { appId } updatedAt }"),
    ("publishableKeys", "{ data { id name hosts } total }"),
    ("publishableKey", "(id: \"publishableKeyId\") { id name }"),
    ("imports", "{ data { id state } total }"),
    ("import", "(id: \"importId\") { id state }"),
    ("importErrors", "(importId: \"importId\") { data { row } total }"),
    ("importRows", "(importId: \"importId\") { data { row shortUrl } total }"),
    ("domains", "{ data { id domain } total }"),
    ("domain", "(id: \"domainId\") { id domain }"),
    ("subdomain", "{ host }"),
    ("clicks", "(linkId: \"linkId\", limit: 100) { data { id clickedAt browser } total }"),
    (
        "clicks",
        "(linkId: \"linkId\", from: \"2026-01-01T00:00:00Z\", includeBots: false, limit: 1) { data { id } total }",
    ),
    ("allClicks", "(limit: 100) { data { id linkId clickedAt } total }"),
    ("clickSummary", "(linkId: \"linkId\") { SUMMARY }"),
    (
        "clickSummary",
        "(linkId: \"linkId\", from: \"2010-01-01T00:00:00Z\", interval: MONTH, limit: 1) { top { countries { ...t } } }",
    ),
    ("accountClickSummary", "{ SUMMARY }"),
    ("accountClickSummary", "(filter: [{dimension: OS, values: [\"iOS\"]}]) { SUMMARY }"),
    ("clickBreakdown", "(dimension: REFERRER) { data { value clicks } total }"),
    ("accountClickSummary", "(from: \"2010-01-01T00:00:00Z\", interval: MONTH) { SUMMARY links { linkId clicks } }"),
    ("webhooks", "{ data { id url } total }"),
    ("webhook", "(id: \"webhookId\") { id url }"),
    ("webhookDeliveries", "(webhookId: \"webhookId\") { deliveries { id status } total }"),
    ("apiKeys", "{ data { id name } total }"),
    ("apiKey", "(id: \"apiKeyId\") { id name }"),
    ("plans", "{ plans { name } }"),
    ("usage", "{ links { used } }"),
    ("invoices", "{ invoices { id } }"),
    ("subscription", "{ status }"),
];

/// The account's links, of which the first has as many clicks as there are links, and one of each other resource.
async fn fill(process: &TestProcess, number: usize) -> Reader {
    let reader = Reader::with_one_of_each(process, "ada").await;
    let words = ["Webinar", "Newsletter", "Campaign Q3", "Q3 results"];
    for begin in (0..number).step_by(100) {
        let bulk: Vec<Json> = (begin..begin + 100)
            .map(|link| {
                let (title, tags) =
                    (words[link % words.len()], if link % 100 == 0 { json!(["red"]) } else { json!([]) });
                json!({ "destinationUrl": format!("https://example.com/{link}"), "title": title, "tags": tags })
            })
            .collect();
        process.post("/links/bulk", &reader.token, json!({ "links": bulk })).await.expect(200);
    }
    stream::iter(0..number).map(|_| process.follow("ada")).buffer_unordered(32).for_each(|_| async {}).await;
    let clicks = "{ accountClickSummary { totals { clicks } } }";
    eventually("the clicks are ingested", async || {
        let answer = process.graphql(&reader.token, clicks, Json::Null).await;
        (answer["data"]["accountClickSummary"]["totals"]["clicks"].as_u64()? >= number as u64).then_some(())
    })
    .await;
    // The index of the links is made when a list asks for it; what that costs is nobody's.
    process.graphql(&reader.token, "{ links(search: \"q3\") { total } }", Json::Null).await;
    eventually("the service has nothing left to do", async || {
        let before = process.cpu();
        tokio::time::sleep(Duration::from_millis(200)).await;
        (process.cpu() - before < Duration::from_millis(20)).then_some(())
    })
    .await;
    reader
}

/// The document of one of the selections.
pub(crate) fn document(query: &str, selection: &str, reader: &Reader) -> String {
    let mut selection = selection.replace("SUMMARY", SUMMARY);
    for (name, id) in &reader.ids {
        selection = selection.replace(&format!("\"{name}\""), &format!("\"{id}\""));
    }
    let fragment = if selection.contains("...t") { FRAGMENT } else { "" };
    format!("{{ {query}{selection} }} {fragment}")
}

/// Processor time of the service, and of what it has PostgreSQL do.
fn taken(process: &TestProcess, database: &TestDatabase) -> Duration {
    process.cpu() + database.processor_time()
}

/// What a document is charged by what it costs; the mean of as many times as it takes to be sure, and the time that it costs.
async fn charged(process: &TestProcess, database: &TestDatabase, token: &str, document: &str) -> (f64, Duration) {
    let units = async || process.metric::<f64>("linkgraph_api_cost_units_total").await.unwrap_or_default();
    // Afterwards the statements are prepared, the pages read and the index of the links made.
    for _ in 0..3 {
        let answer = process.graphql(token, document, Json::Null).await;
        assert!(answer["errors"].is_null(), "{document}: {answer}");
    }
    let (charged_before, before, began, mut times) = (units().await, taken(process, database), Instant::now(), 0);
    loop {
        process.graphql(token, document, Json::Null).await;
        times += 1;
        if taken(process, database) - before >= LONG_ENOUGH || began.elapsed() >= Duration::from_secs(10) {
            break;
        }
    }
    let cost = taken(process, database) - before;
    let charged = UNIT.mul_f64(units().await - charged_before);
    (charged.as_secs_f64() / cost.as_secs_f64(), cost / times)
}

#[on_each_database]
async fn a_query_is_charged_what_it_costs(database: TestDatabase) {
    let (_, contract, _) = api::contract().unwrap();
    let queries = contract.operations.iter().filter(|operation| operation.kind == OperationKind::Query);
    // Another server's page costs waiting for it.
    let queries = queries.filter(|operation| operation.field.name != "fetchMetadata");
    let queries: BTreeSet<&str> = queries.map(|operation| operation.field.name.as_str()).collect();
    assert_eq!(
        SELECTIONS.iter().map(|(query, _)| *query).collect::<BTreeSet<_>>(),
        queries,
        "each has a selection here"
    );

    let number = usize::try_from(setting("LINKGRAPH_SOAK_CHARGES", 1_000)).unwrap();
    // PostgreSQL tells no processor time, so that its queries are charged the time until it answers: longer beside other tests.
    let most = match (database.is_postgres(), setting("LINKGRAPH_SOAK_CHARGES", 0)) {
        (true, 0) => f64::MAX,
        _ => 2.0,
    };
    let process = TestProcess::start(&database, &[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let reader = fill(&process, number).await;
    let mut wrong = Vec::new();
    for (query, selection) in SELECTIONS {
        let document = document(query, selection, &reader);
        let (mut ratio, mut cost) = charged(&process, &database, &reader.token, &document).await;
        // Beside other tests a measure may be wrong; what is charged wrongly is so each time.
        for _ in 0..2 {
            if !(0.5..=most).contains(&ratio) {
                (ratio, cost) = charged(&process, &database, &reader.token, &document).await;
            }
        }
        println!("{number} links and clicks: {ratio:.2} of {cost:?}: {query}{selection:.100}");
        if !(0.5..=most).contains(&ratio) {
            wrong.push((document, ratio, cost));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
