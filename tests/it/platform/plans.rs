//! Nothing that the service asks reads a whole table: by the plans of the statements that it sends, and, on many links of many
//! accounts, by the statistics of PostgreSQL.

use std::collections::BTreeSet;

use linkgraph::{api, contract::OperationKind};
use sea_orm::{ConnectionTrait, DatabaseBackend, DatabaseConnection, QueryResult, Statement, TransactionTrait};
use serde_json::{Value as Json, json};

use crate::{
    api::charges,
    on_each_database,
    server::full_disk,
    support::{Http, TestDatabase, answers::Reader, eventually, process::TestProcess, receiver::id, setting},
};

/// Statements that may read a whole table, each by its end, with the reason.
const WHOLE: &[(&str, &str)] = &[
    (r#"WHERE "accounts"."suspended_at" IS NOT NULL"#, "an index of these alone"),
    (r#"FROM "accounts" WHERE TRUE ORDER BY "accounts"."id" ASC LIMIT "#, "all, a page at a time, for the operator"),
    (r#"FROM "blocked_hosts" ORDER BY "blocked_hosts"."name" ASC"#, "nodes hold them in memory"),
    (r#"FROM "blocked_links""#, "nodes hold them in memory"),
    (r#"WHERE "clicks"."new_to_link" IS NULL LIMIT "#, "an index of these alone"),
    (
        r#"DELETE FROM "idempotency_bytes" WHERE "idempotency_bytes"."hour" < "#,
        "a row for each hour of a day and account, once an hour",
    ),
    (r#"FROM "nodes" WHERE "nodes"."seen_at" "#, "a row for each node, once an hour"),
    (r#"FROM "open_batches""#, "they are open for seconds"),
    ("WHERE NOT fanned_out ORDER BY", "an index of these alone"),
    (r#"SELECT "users"."id" FROM "users" LIMIT "#, "whether there is one"),
    (r#"FROM "click_day_deltas" WHERE "click_day_deltas"."day" < "#, "they are merged within minutes"),
    (r#"SELECT DISTINCT "link_changes"."account_id" FROM "link_changes" LIMIT "#, "they are indexed within seconds"),
    (r#"WHERE "webhooks"."leased_by" = "#, "when a node starts or stops, or has lost its database"),
];

/// The frequent statements that grow with what an account has, each by its end, and the index that has their order.
const INDEXED: &[(&str, &str)] = &[
    (
        r#""links"."account_id" = ? AND "links"."archived_at" IS NULL ORDER BY "links"."id" DESC LIMIT ? OFFSET ?"#,
        "links_account",
    ),
    (
        r#""links"."host" = ? AND "links"."archived_at" IS NULL ORDER BY "links"."id" DESC LIMIT ? OFFSET ?"#,
        "links_account",
    ),
    (
        r#""links"."is_active" = ? AND "links"."archived_at" IS NULL ORDER BY "links"."id" DESC LIMIT ? OFFSET ?"#,
        "links_account",
    ),
    (
        r#""links"."archived_at" IS NULL ORDER BY "links"."created_at" ASC, "links"."id" ASC LIMIT ? OFFSET ?"#,
        "links_account_created",
    ),
    (r#"WHERE "links"."expires_at" > ? ORDER BY "links"."expires_at" ASC LIMIT ?"#, "links_expiry"),
    (r#"ORDER BY "links"."expires_at" ASC, "links"."id" ASC LIMIT ?"#, "links_expiry"),
    (
        "WHERE links.is_active AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = links.account_id AND accounts.deleted_at IS NOT NULL)",
        "links_host_slug",
    ),
    (r#"FROM "domains" WHERE "domains"."account_id" = ? AND "domains"."name" IN (?)"#, "domains_account_name"),
    (r#"WHERE "domains"."account_id" = ? ORDER BY "domains"."id" DESC LIMIT ? OFFSET ?"#, "domains_account"),
    (r#"WHERE "tags"."account_id" = ? ORDER BY "tags"."key" ASC LIMIT ? OFFSET ?"#, "tags_key"),
    (
        r#"WHERE "utm_templates"."account_id" = ? ORDER BY "utm_templates"."key" ASC LIMIT ? OFFSET ?"#,
        "utm_templates_key",
    ),
    (
        r#"WHERE "annotations"."account_id" = ? ORDER BY "annotations"."occurred_at" DESC, "annotations"."id" DESC LIMIT ? OFFSET ?"#,
        "annotations_time",
    ),
    (r#"WHERE "reports"."account_id" = ? ORDER BY "reports"."id" DESC LIMIT ? OFFSET ?"#, "reports_account"),
    (r#"WHERE "images"."account_id" = ? ORDER BY "images"."id" DESC LIMIT ? OFFSET ?"#, "images_account"),
    (r#"WHERE "imports"."account_id" = ? ORDER BY "imports"."id" DESC LIMIT ? OFFSET ?"#, "imports_account"),
    (r#"WHERE "api_keys"."account_id" = ? ORDER BY "api_keys"."id" DESC LIMIT ? OFFSET ?"#, "api_keys_account"),
    (r#"WHERE "webhooks"."account_id" = ? ORDER BY "webhooks"."id" DESC LIMIT ? OFFSET ?"#, "webhooks_account"),
    (r#""webhooks"."next_due_at" IS NOT NULL ORDER BY "webhooks"."next_due_at" ASC LIMIT ?"#, "webhooks_due"),
    (
        r#""deliveries"."webhook_id" = ? AND "deliveries"."due_at" <= ? ORDER BY "deliveries"."due_at" ASC LIMIT ?"#,
        "deliveries_due",
    ),
    (r#""deliveries"."due_at" IS NOT NULL ORDER BY "deliveries"."due_at" ASC LIMIT ?"#, "deliveries_due"),
    (r#"FROM "deliveries" WHERE "deliveries"."created_at" < ? LIMIT ?"#, "deliveries_created"),
    (
        r#""outbox_events"."recorded_at" < ? ORDER BY "outbox_events"."recorded_at" ASC LIMIT ?"#,
        "outbox_events_recorded",
    ),
    ("WHERE NOT fanned_out ORDER BY \"outbox_events\".\"id\" ASC LIMIT ?", "outbox_events_waiting"),
    (r#"FROM "open_batches" ORDER BY "open_batches"."closes_at" ASC LIMIT ?"#, "open_batches_closing"),
    (r#"AND "jobs"."run_at" <= ? ORDER BY "jobs"."run_at" ASC LIMIT ?"#, "jobs_kind_due"),
    (
        r#"WHERE "invoices"."account_id" = ? ORDER BY "invoices"."created_at" DESC, "invoices"."id" DESC LIMIT ?"#,
        "invoices_account",
    ),
    (r#"FROM "subscriptions" WHERE "subscriptions"."account_id" = ? LIMIT ?"#, "subscriptions"),
];

/// A statement as it was sent: its text, and the types of its values.
type Sent = (String, String);

/// The statements that a service has sent so far, without values.
fn sent(process: &TestProcess) -> BTreeSet<Sent> {
    let log = process.log.lock().unwrap().clone();
    let fields =
        log.lines().filter_map(|line| line.split_once("A statement is executed types=")?.1.split_once(" sql="));
    let text = |quoted: &str| serde_json::from_str(quoted).unwrap_or_else(|error| panic!("{error}: {quoted}"));
    fields.map(|(types, sql)| (text(sql), text(types))).collect()
}

/// How the database finds the rows of a statement, whatever its values are.
async fn plan(connection: &DatabaseConnection, (sql, types): &Sent) -> String {
    let tx = connection.begin().await.unwrap();
    let backend = tx.get_database_backend();
    let (explain, column) = if backend == DatabaseBackend::Postgres {
        let types: Vec<&str> = types.split_whitespace().collect();
        let nulls = vec!["NULL"; types.len()].join(", ");
        let [declared, given] =
            [types.join(", "), nulls].map(|list| if list.is_empty() { list } else { format!("({list})") });
        // On small tables to read, keep, sort and join all is always the cheapest.
        for setting in ["enable_seqscan", "enable_material", "enable_sort", "enable_hashjoin", "enable_mergejoin"] {
            tx.execute_unprepared(&format!("SET LOCAL {setting} = off")).await.unwrap();
        }
        tx.execute_unprepared("SET LOCAL plan_cache_mode = force_generic_plan").await.unwrap();
        tx.execute_unprepared(&format!("PREPARE asked{declared} AS {sql}"))
            .await
            .unwrap_or_else(|error| panic!("{error}: {sql}"));
        (format!("EXPLAIN EXECUTE asked{given}"), "QUERY PLAN")
    } else {
        (format!("EXPLAIN QUERY PLAN {sql}"), "detail")
    };
    let rows = tx.query_all_raw(Statement::from_string(backend, explain)).await;
    let rows = rows.unwrap_or_else(|error| panic!("{error}: {sql}"));
    if backend == DatabaseBackend::Postgres {
        tx.execute_unprepared("DEALLOCATE asked").await.unwrap();
    }
    // PostgreSQL indents what is below a node by itself.
    let below = |row: &QueryResult| row.try_get::<i64>("", "parent").is_ok_and(|parent| parent != 0);
    let line = |row: &QueryResult| row.try_get::<String>("", column).unwrap() + "\n";
    rows.iter().map(|row| if below(row) { "  ".to_owned() + &line(row) } else { line(row) }).collect()
}

/// Whether the rows of a statement are sorted, beside those of a subquery for each row.
fn is_sorted(plan: &str) -> bool {
    plan.split("SubPlan").next().is_some_and(|plan| plan.contains("Sort Key"))
        || plan.lines().any(|line| line.starts_with("USE TEMP B-TREE FOR ORDER BY"))
}

/// The text with `?` for each value on both databases.
fn form(sql: &str) -> String {
    let mut parts = sql.split('$');
    let first = parts.next().unwrap_or_default().to_owned();
    let form = parts
        .fold(first, |form, part| form + "?" + part.trim_start_matches(|character: char| character.is_ascii_digit()));
    form.replace(" FOR UPDATE", "").replace(" SKIP LOCKED", "").trim_end().to_owned()
}

/// Whether the plan reads all rows of a table, or of an index: of one of the database, that is, and not of values in the statement or of
/// the rows of a part of it.
fn reads_all(plan: &str) -> bool {
    plan.lines().any(|line| {
        let name = line.trim_start().strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
        let is_made = |name: &str| {
            name == "CONSTANT"
                || name.ends_with("-ROW")
                || name.starts_with('(')
                || plan.contains(&format!("CO-ROUTINE {name}\n"))
                || plan.contains(&format!("MATERIALIZE {name}\n"))
        };
        line.contains("Seq Scan on ") || name.is_some_and(|name| !is_made(name))
    })
}

/// Uses all that there is: each query and mutation, each list in each order, redirects and the jobs behind them.
async fn use_all(http: &Http, database: &TestDatabase) {
    let reader = Reader::with_one_of_each(http, "ada").await;
    http.post("/subdomain", &reader.token, json!({ "subdomain": "ada" })).await.expect(201);
    reader.by_token(http).await;
    for (query, selection) in charges::SELECTIONS {
        http.graphql(&reader.token, &charges::document(query, selection, &reader), Json::Null).await;
    }
    http.link(&reader.token, "s11").await;
    use_it(http, &reader.token, 1).await;
    let (_, contract, _) = api::contract().unwrap();
    for root in contract.operations.iter().filter(|operation| operation.kind == OperationKind::Mutation) {
        if let Some(call) = full_disk::prepare(http, database, &contract, root, 0).await {
            let answer = http.graphql(&call.token, &call.document, call.variables).await;
            assert!(answer["errors"].is_null(), "{}: {answer}", call.document);
        }
    }
}

#[on_each_database]
async fn no_statement_that_is_sent_reads_a_whole_table(database: TestDatabase) {
    let settings = [("LINKGRAPH_DEFAULT_PLAN", "unlimited"), ("LINKGRAPH_LOG", "info,linkgraph::statements=trace")];
    let process = TestProcess::start(&database, &settings).await;
    use_all(&process, &database).await;
    let connection = database.connect().await;
    let statements = eventually("each frequent statement is sent", async || {
        let statements = sent(&process);
        let is_sent = |(end, _): &(&str, &str)| statements.iter().any(|(sql, _)| form(sql).ends_with(end));
        INDEXED.iter().all(is_sent).then_some(statements)
    })
    .await;
    assert!(statements.len() > 150, "{}", statements.len());
    let mut whole = Vec::new();
    for statement in statements {
        let plan = plan(&connection, &statement).await;
        let form = form(&statement.0);
        if let Some((_, index)) = INDEXED.iter().find(|(end, _)| form.ends_with(end)) {
            assert!(plan.contains(index) && !is_sorted(&plan), "{index} is not used: {}\n{plan}", statement.0);
        }
        if reads_all(&plan) && !WHOLE.iter().any(|(part, _)| statement.0.contains(part)) {
            whole.push(format!("{}\n{plan}", statement.0));
        }
    }
    assert!(whole.is_empty(), "{} statements:\n{}", whole.len(), whole.join("\n"));
}

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
async fn use_it(server: &Http, token: &str, round: u64) {
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
    for query in ["filter=OS:IS:Linux&filter=TAG:IS_NOT:red", "dimension=OS&filter=IS_BOT:IS:false"] {
        server.get(&format!("{}?{query}", path("/analytics")), token).await.expect(200);
        let of_all = if query.starts_with("dimension") { "breakdown" } else { "summary" };
        server.get(&format!("/analytics/{of_all}?{query}"), token).await.expect(200);
    }
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
