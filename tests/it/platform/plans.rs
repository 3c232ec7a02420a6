//! On many links, of many accounts, nothing that the API does reads a whole table.

use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};

use crate::support::{TestDatabase, TestServer, eventually, receiver::id, setting};

/// Links of each account.
const EACH: u64 = 500;

/// Accounts with links, clicks and events, like those that the service would have stored.
async fn fill(database: &TestDatabase, links: u64) {
    database.make_months(std::iter::once(0)).await;
    let connection = database.connect().await;
    // Random ids, made of the numbers.
    let uuid = |kind: &str, number: &str| format!("CAST(md5('{kind}' || {number}) AS uuid)");
    let (account, link, event, click) =
        (uuid("account", &format!("n / {EACH}")), uuid("link", "n"), uuid("event", "n"), uuid("click", "n"));
    // Old events are deleted, a part of the table at a time.
    let now = "CAST(extract(epoch FROM now()) * 1000 AS bigint)";
    for statement in [
        format!(
            "INSERT INTO accounts (id, link_count, created_at) SELECT {account}, {EACH}, 0 FROM generate_series(0, {links} - 1, {EACH}) AS n"
        ),
        format!(
            "INSERT INTO links (id, account_id, host, slug, destination_url, is_active, click_count, created_at, updated_at) \
             SELECT {link}, {account}, '', 's' || n, 'https://example.com/' || md5(n::text), n % 10 > 0, 1, n, n \
             FROM generate_series(0, {links} - 1) AS n"
        ),
        format!(
            "INSERT INTO clicks (id, link_id, clicked_at, visitor, is_bot, new_to_link, new_to_account) \
             SELECT {click}, {link}, n, '\\x00'::bytea, false, true, true FROM generate_series(0, {links} - 1) AS n"
        ),
        format!(
            "INSERT INTO outbox_events (id, account_id, kind, subject_id, payload, recorded_at, fanned_out) \
             SELECT {event}, {account}, 'link.created', {link}, '{{}}', {now}, true FROM generate_series(0, {links} - 1) AS n"
        ),
        "ANALYZE".to_owned(),
    ] {
        connection.execute_unprepared(&statement).await.unwrap();
    }
    connection.close().await.unwrap();
}

/// The tables that are large, with the number of times that each was read from end to end.
async fn whole_reads(database: &TestDatabase) -> Vec<String> {
    let sql = "SELECT relname || ' ' || seq_scan FROM pg_stat_user_tables \
               WHERE relname ~ '^(clicks_1|links$|link_activity$|outbox_events$)' ORDER BY 1";
    database.texts(sql).await
}

/// Requests of a dashboard and an integrator; often enough that the database makes a plan for all values.
async fn use_it(server: &TestServer, token: &str, round: u64) {
    let link = server.link(token, &format!("mine{round}")).await;
    let path = |rest: &str| format!("{rest}/{}", id(&link));
    server.follow(&format!("mine{round}")).await.expect(302);
    server.follow(&format!("s{round}1")).await.expect(302);
    server.follow(&format!("none{round}")).await.expect(404);
    for query in [
        "",
        "?page=2",
        "?isActive=true",
        "?search=example",
        "?search=mine&isActive=false",
        "?sort=OLDEST&page=3",
        "?sort=MOST_CLICKED",
        "?sort=LAST_CLICKED&isActive=true&page=2",
        "?domain=sho.rt",
        "?domain=sho.rt&sort=LAST_CLICKED",
        "?createdFrom=2026-01-01T00:00:00Z",
        "?createdTo=2026-01-01T00:00:00Z&sort=OLDEST",
        "?createdFrom=2026-01-01T00:00:00Z&sort=MOST_CLICKED&search=mine",
    ] {
        server.get(&format!("/links{query}"), token).await.expect(200);
    }
    server.get(&path("/links"), token).await.expect(200);
    server.call("PATCH", &path("/links"), token, json!({ "slug": format!("other{round}") })).await.expect(200);
    server.get(&path("/analytics"), token).await.expect(200);
    server.get(&format!("{}/summary", path("/analytics")), token).await.expect(200);
    for other in ["/webhooks", "/api-keys", "/domains", "/billing/usage"] {
        server.get(other, token).await.expect(200);
    }
    let all = "{ links(pageSize: 50) { data { id clickCount lastClickedAt } total } accountClickSummary { totals { clicks } } }";
    let answer = server.graphql(token, all, Json::Null).await;
    assert!(answer["errors"].is_null(), "{answer}");
    server.call("DELETE", &path("/links"), token, Json::Null).await.expect(204);
}

/// Counts the scans that the database made, by its statistics, instead of asking for its plans.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_many_links_no_table_is_read_from_end_to_end() {
    const ROUNDS: u64 = 8;
    let database = TestDatabase::postgres().await;
    let settings = [("LINKGRAPH_DEFAULT_PLAN", "unlimited")];
    // The tables, and what the service looks for when it starts.
    database.start_with(&settings).await.stop().await;
    fill(&database, setting("LINKGRAPH_SOAK_LINKS", 100_000)).await;
    let server = database.start_with(&settings).await;
    let (token, other) = (server.register("alice").await, server.register("bob").await);
    server.link(&other, "bobs").await;
    let before = whole_reads(&database).await;
    for round in 1..=ROUNDS {
        use_it(&server, &token, round).await;
    }
    let stored = "SELECT count(*) FROM clicks JOIN links ON links.id = link_id WHERE slug = 's11'";
    eventually("clicks are stored", async || (database.number(stored).await == 2).then_some(())).await;
    server.leave(&other).await.expect(204);
    server.stop().await;
    // The statistics come when connections end.
    let lookups =
        "SELECT CAST(sum(idx_scan) AS bigint) FROM pg_stat_user_indexes WHERE indexrelname LIKE 'links_host_slug%'";
    let used = i64::try_from(ROUNDS * 3).unwrap();
    eventually("the statistics are there", async || (database.number(lookups).await >= used).then_some(())).await;
    assert_eq!(whole_reads(&database).await, before);
}
