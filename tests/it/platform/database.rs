//! Migrations, connections, query plans, and what the binary refuses to start with.

use std::{
    process::Output,
    time::{Duration, Instant},
};

use entity::{
    api_key, billing_customer, click, daily_usage, delivery, idempotency_bytes, idempotency_key, invoice, link,
    open_batch, provider_event, webhook,
};
use linkgraph::{
    base::error::{ApiError, Code},
    platform::db::{
        Limit, REQUEST, counting, on_rows,
        packed::{Packed, packed},
        within,
    },
};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseBackend, DatabaseConnection, EntityTrait, ExprTrait, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait, Select, Statement, TransactionTrait, sea_query::Expr,
};
use uuid::Uuid;

use crate::{
    on_each_database,
    support::{
        TestDatabase, eventually,
        postgres::TestPostgres,
        process::{TestProcess, binary},
    },
};

async fn texts(connection: &impl ConnectionTrait, sql: &str) -> Vec<String> {
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let rows = connection.query_all_raw(statement).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

/// Names of the tables, sorted.
async fn tables(connection: &DatabaseConnection) -> Vec<String> {
    let sql = match connection.get_database_backend() {
        DatabaseBackend::Postgres => {
            "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"
        }
        _ => "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1",
    };
    texts(connection, sql).await
}

/// Everything that the migrations made, as the database describes it.
async fn schema(connection: &DatabaseConnection) -> Vec<String> {
    let sql = match connection.get_database_backend() {
        DatabaseBackend::Postgres => {
            "SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) \
             FROM information_schema.columns WHERE table_schema = 'public' \
             UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"
        }
        _ => "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name",
    };
    texts(connection, sql).await
}

/// The one line that a refused start leaves, beside what the log tells of its way there.
#[track_caller]
fn only_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(output.stdout.is_empty() && !text.contains("panicked"), "{text}");
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains("INFO")).collect();
    assert_eq!(lines.len(), 1, "{text}");
    lines[0].to_owned()
}

/// How the database would find the rows.
async fn plan<E: EntityTrait>(connection: &DatabaseConnection, select: Select<E>) -> String {
    let backend = connection.get_database_backend();
    let statement = select.build(backend);
    let explain = if backend == DatabaseBackend::Postgres { "EXPLAIN" } else { "EXPLAIN QUERY PLAN" };
    // The tables are empty, where a sequential scan is always the cheapest.
    let tx = connection.begin().await.unwrap();
    if backend == DatabaseBackend::Postgres {
        tx.execute_unprepared("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off").await.unwrap();
    }
    let explained = Statement { sql: format!("{explain} {}", statement.sql), ..statement };
    let rows = tx.query_all_raw(explained).await.unwrap();
    let column = if backend == DatabaseBackend::Postgres { "QUERY PLAN" } else { "detail" };
    rows.iter().map(|row| row.try_get::<String>("", column).unwrap() + "\n").collect()
}

#[track_caller]
fn uses(plan: &str, index: &str) {
    assert!(plan.contains(index), "{index} is not used: {plan}");
    assert!(!plan.contains("Seq Scan") && !plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "{plan}");
    assert!(!plan.contains("Sort"), "the index has the order: {plan}");
}

/// Whatever their bytes are, and however many.
#[on_each_database]
async fn packed_rows_keep_their_bytes(database: TestDatabase) {
    let db = database.db().await;
    let backend = db.backend();
    let bytes = |number: i32| [0, 32, 255, 39].repeat(usize::try_from(number).unwrap() % 5);
    let rows = (0..700).map(|number| [number.into(), bytes(number).into()]).collect();
    let pack = packed(backend, "r.column1", ["r.column2"]);
    let mut found = Vec::new();
    for statement in on_rows(backend, ["int", "bytea"], rows, |rows| format!("SELECT {pack} FROM {rows} AS r")) {
        let packed = Packed::query(db.read(), statement).await.unwrap();
        found.extend(packed.rows().unwrap().into_iter().map(|(number, [bytes])| (number, bytes.to_vec())));
    }
    found.sort_unstable();
    assert!(found.into_iter().eq((0..700).map(|number| (i64::from(number), bytes(number)))));
    db.close().await;
}

/// Each is a round trip.
#[on_each_database]
async fn what_begins_and_ends_a_transaction_is_counted_too(database: TestDatabase) {
    let db = database.db().await;
    let work = async {
        let tx = db.begin().await.unwrap();
        tx.execute_unprepared("DELETE FROM jobs").await.unwrap();
        tx.commit().await.unwrap();
        db.snapshot().await.unwrap().rollback().await.unwrap();
        db.write().execute_unprepared("DELETE FROM jobs").await.unwrap();
    };
    let ((), statements) = counting(Limit::InAll(REQUEST), work).await;
    assert_eq!(statements, 6);
    db.close().await;
}

#[on_each_database]
async fn migrations_go_up_down_and_up_again(database: TestDatabase) {
    let db = database.db().await;
    let connection = database.connect().await;
    let (all, made) = (tables(&connection).await, schema(&connection).await);
    for table in [
        "accounts",
        "annotations",
        "api_keys",
        "billing_customers",
        "click_blocks",
        "click_days",
        "click_log_positions",
        "click_visitors",
        "clicks",
        "daily_usage",
        "domains",
        "host_settings",
        "hosts",
        "idempotency_bytes",
        "idempotency_keys",
        "import_errors",
        "import_parts",
        "import_rows",
        "imports",
        "invalidations",
        "invoices",
        "jobs",
        "known_networks",
        "images",
        "link_activity",
        "link_blocks",
        "link_changes",
        "link_indexes",
        "links",
        "nodes",
        "outbox_events",
        "provider_events",
        "reports",
        "retired_slugs",
        "sandbox_objects",
        "seaql_migrations",
        "shared_secrets",
        "subdomain_claims",
        "subdomains",
        "subscriptions",
        "utm_templates",
        "visitor_keys",
    ] {
        assert!(all.iter().any(|name| name == table), "{table}: {all:?}");
    }
    db.migrate(&database.config()).await.unwrap();
    assert_eq!(schema(&connection).await, made, "applying again changes nothing");
    db.revert().await.unwrap();
    assert_eq!(tables(&connection).await, ["seaql_migrations"]);
    db.migrate(&database.config()).await.unwrap();
    assert_eq!(schema(&connection).await, made);
    connection.close().await.unwrap();
    db.close().await;
}

#[on_each_database]
async fn the_command_migrates_and_does_so_again(database: TestDatabase) {
    let database = database.emptied().await;
    let refused = binary(&database, &[("LINKGRAPH_AUTO_MIGRATE", "false")], &[]).await;
    let line = only_line(&refused);
    assert!(line.contains("DATABASE_URL") && line.contains("migrat"), "{line}");
    let connection = database.connect().await;
    assert_eq!(tables(&connection).await, [""; 0], "it must not migrate");
    for round in 0..2 {
        let output = binary(&database, &[("LINKGRAPH_AUTO_MIGRATE", "false")], &["migrate"]).await;
        assert!(output.status.success(), "{round}: {output:?}");
    }
    assert!(tables(&connection).await.contains(&"links".to_owned()));
    connection.close().await.unwrap();
    let process = TestProcess::start(&database, &[("LINKGRAPH_AUTO_MIGRATE", "false")]).await;
    process.register("alice").await;
}

/// A path that the API takes ends no link without a word.
#[on_each_database]
async fn a_slug_that_becomes_a_path_is_refused_and_nothing_changed(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.link(&token, "plain").await;
    server.stop().await;
    let connection = database.connect().await;
    let mut slug = "plain";
    for (used, migration) in [
        ("images", "m20261128_000056_images"),
        ("utm-templates", "m20261124_000032_utm_templates"),
        ("Tags", "m20261124_000027_tags"),
    ] {
        let steps = migration::names().rev().position(|name| name == migration).unwrap() + 1;
        migration::down(&connection, Some(steps)).await.unwrap();
        connection
            .execute_unprepared(&format!("UPDATE links SET slug = '{used}' WHERE slug = '{slug}'"))
            .await
            .unwrap();
        let applied = async || texts(&connection, "SELECT version FROM seaql_migrations ORDER BY version").await;
        let before = (applied().await, schema(&connection).await);
        let refused = only_line(&binary(&database, &[], &["migrate"]).await);
        let path = used.to_lowercase();
        assert!(refused.contains(&format!("/{path} becomes a path of the API")), "{refused}");
        assert_eq!((applied().await, schema(&connection).await), before);

        slug = "renamed";
        connection
            .execute_unprepared(&format!("UPDATE links SET slug = '{slug}' WHERE slug = '{used}'"))
            .await
            .unwrap();
        let output = binary(&database, &[], &["migrate"]).await;
        assert!(output.status.success(), "{output:?}");
    }
    connection.close().await.unwrap();
    let server = database.start().await;
    server.follow("renamed").await.expect(302);
}

#[on_each_database]
async fn a_newer_database_is_refused(database: TestDatabase) {
    let refused = "a newer linkgraph has changed the database";
    binary(&database, &[], &["migrate"]).await;
    let connection = database.connect().await;
    let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m29991231_000001_future', 0)";
    connection.execute_unprepared(newer).await.unwrap();
    for (settings, arguments) in
        [(&[][..], &[][..]), (&[("LINKGRAPH_AUTO_MIGRATE", "false")], &[]), (&[], &["migrate"])]
    {
        let line = only_line(&binary(&database, settings, arguments).await);
        assert!(line.starts_with("linkgraph: DATABASE_URL: ") && line.contains(refused), "{line}");
    }
    connection.close().await.unwrap();
}

/// Two logs in one directory would mix their clicks.
#[on_each_database]
async fn one_data_directory_serves_one_process(database: TestDatabase) {
    let first = TestProcess::start(&database, &[]).await;
    let line = only_line(&binary(&database, &[], &[]).await);
    assert!(line.starts_with("linkgraph: LINKGRAPH_DATA_DIR: another process uses"), "{line}");
    first.get("/ready", "").await.expect(200);
    drop(first);
    TestProcess::start(&database, &[]).await;
}

#[on_each_database]
async fn queries_that_are_rarely_sent_use_an_index(database: TestDatabase) {
    let db = database.db().await;
    let connection = database.connect().await;
    let id = Uuid::now_v7();
    let of_elsewhere = link::Entity::find().filter(link::Column::AccountId.eq(id));
    uses(&plan(&connection, of_elsewhere.filter(link::Column::ExternalId.eq("x"))).await, "links_external_id");
    let free_again = entity::retired_slug::Entity::find().filter(entity::retired_slug::Column::RetiredAt.lte(1));
    uses(&plan(&connection, free_again.limit(20)).await, "retired_slugs_by_time");
    let to = link::Entity::find().filter(link::Column::AccountId.eq(id)).filter(link::Column::DestinationUrl.eq("x"));
    uses(&plan(&connection, to.order_by_asc(link::Column::Id).limit(1)).await, "links_destination");
    let archived = link::Entity::find().filter(link::Column::AccountId.eq(id));
    let archived = archived.filter(link::Column::ArchivedAt.is_not_null()).order_by_asc(link::Column::Id);
    uses(&plan(&connection, archived).await, "links_archived");
    let of_key = idempotency_key::Entity::find_by_id((id, vec![0]));
    uses(
        &plan(&connection, of_key).await,
        if database.url.is_some() { "idempotency_keys_pkey" } else { "(account_id=? AND key=?)" },
    );
    let oldest = idempotency_key::Entity::find().filter(idempotency_key::Column::CreatedAt.lte(1)).limit(100);
    uses(&plan(&connection, oldest).await, "idempotency_keys_age");
    let hours = idempotency_bytes::Entity::find()
        .filter(idempotency_bytes::Column::AccountId.eq(id))
        .filter(idempotency_bytes::Column::Hour.gte(1))
        .order_by_asc(idempotency_bytes::Column::Hour);
    uses(
        &plan(&connection, hours).await,
        if database.url.is_some() { "idempotency_bytes_pkey" } else { "(account_id=? AND hour>?)" },
    );
    let clicks = click::Entity::find()
        .filter(click::Column::LinkId.eq(id))
        .order_by_desc(click::Column::ClickedAt)
        .order_by_desc(click::Column::Id)
        .offset(50)
        .limit(50);
    // Each month's index has the order, and months stand in order: nothing is merged or sorted.
    database.make_months([0, 2_000_000_000_000].into_iter()).await;
    let by_link = if database.url.is_some() { "clicks_1970_01_pkey" } else { "PRIMARY KEY (link_id=?" };
    uses(&plan(&connection, clicks.clone()).await, by_link);
    let time = || Expr::col((click::Entity, click::Column::ClickedAt));
    let after = Expr::tuple([time(), Expr::col((click::Entity, click::Column::Id))]);
    let after = clicks.clone().filter(after.lt(Expr::tuple([Expr::value(1_i64), Expr::value(id)])));
    uses(&plan(&connection, after).await, by_link);
    let expired = click::Entity::find()
        .filter(click::Column::LinkId.eq(id))
        .filter(click::Column::ClickedAt.lt(1))
        .order_by_asc(click::Column::ClickedAt)
        .order_by_asc(click::Column::Id);
    uses(&plan(&connection, expired.limit(500)).await, by_link);
    let clicked = link::Entity::find()
        .filter(link::Column::AccountId.eq(id))
        .filter(link::Column::Id.gt(id))
        .filter(Expr::col(link::Column::ClickCount).gt(Expr::col(link::Column::ExpiredClicks)))
        .order_by_asc(link::Column::Id);
    uses(&plan(&connection, clicked.limit(500)).await, "links_account");
    let since = clicks.filter(click::Column::ClickedAt.gte(1)).filter(click::Column::ClickedAt.lt(2));
    uses(&plan(&connection, since).await, by_link);
    let key = api_key::Entity::find().filter(api_key::Column::Hash.eq(&[0_u8; 32][..]));
    let name = if database.url.is_some() { "api_keys_hash_key" } else { "sqlite_autoindex_api_keys" };
    uses(&plan(&connection, key).await, name);
    if db.backend() == DatabaseBackend::Postgres {
        // The account has many links at one host: by the number of rows alone any of its indexes would do.
        let many = format!(
            "INSERT INTO accounts (id, link_count, created_at) VALUES ('{id}', 1000, 0); \
                 INSERT INTO links (id, account_id, host, slug, destination_url, is_active, click_count, created_at, updated_at) \
                 SELECT gen_random_uuid(), '{id}', 'go.example.com', 's' || n, 'https://example.com/', true, 0, n, n \
                 FROM generate_series(1, 1000) AS n; ANALYZE links"
        );
        connection.execute_unprepared(&many).await.unwrap();
    }
    let lower = if database.url.is_some() { r#"lower("links"."slug" COLLATE "C")"# } else { "lower(links.slug)" };
    let in_any_case = link::Entity::find()
        .filter(link::Column::Host.eq("go.example.com"))
        .filter(link::Column::Host.ne(""))
        .filter(Expr::cust(lower).eq("x"));
    uses(&plan(&connection, in_any_case).await, "links_host_lower_slug");
    let is_pattern = if database.url.is_some() { "links.slug LIKE '%/*'" } else { "substr(links.slug, -2) = '/*'" };
    let patterns = link::Entity::find().select_only().column(link::Column::Host).distinct();
    let patterns = patterns.filter(link::Column::Host.is_in(["go.example.com"])).filter(Expr::cust(is_pattern));
    uses(&plan(&connection, patterns).await, "links_pattern_host");
    connection.close().await.unwrap();
    db.close().await;
}

#[on_each_database]
async fn the_queries_of_deliveries_use_an_index(database: TestDatabase) {
    let db = database.db().await;
    let connection = database.connect().await;
    let id = Uuid::now_v7();
    let free = Condition::any().add(webhook::Column::LeasedUntil.is_null()).add(webhook::Column::LeasedUntil.lte(1));
    let due = webhook::Entity::find()
        .filter(webhook::Column::NextDueAt.lte(1))
        .filter(webhook::Column::IsActive.eq(true))
        .filter(free);
    uses(&plan(&connection, due.limit(1)).await, "webhooks_due");
    let active = webhook::Entity::find()
        .filter(webhook::Column::AccountId.is_in([id]))
        .filter(webhook::Column::IsActive.eq(true))
        .order_by_asc(webhook::Column::Id);
    uses(&plan(&connection, active).await, "webhooks_account");
    let of_one = delivery::Entity::find().filter(delivery::Column::WebhookId.eq(id));
    let again = of_one
        .clone()
        .filter(delivery::Column::AskedAgainAt.is_not_null())
        .order_by_desc(delivery::Column::AskedAgainAt)
        .limit(100);
    uses(&plan(&connection, again).await, "deliveries_asked_again");
    let list = of_one.order_by_desc(delivery::Column::EventId).offset(20).limit(20);
    uses(&plan(&connection, list.clone()).await, "deliveries_webhook_event");
    let by_status = list.clone().filter(delivery::Column::Status.eq("FAILED"));
    uses(&plan(&connection, by_status.clone()).await, "deliveries_status");
    let by_event = list.filter(delivery::Column::Event.eq("link.created"));
    uses(&plan(&connection, by_event).await, "deliveries_event");
    // Either will do.
    uses(&plan(&connection, by_status.filter(delivery::Column::Event.eq("link.created"))).await, "deliveries_");
    let open = open_batch::Entity::find().filter(open_batch::Column::WebhookId.is_in([id]));
    uses(&plan(&connection, open).await, "open_batches_webhook_event");
    connection.close().await.unwrap();
    db.close().await;
}

#[on_each_database]
async fn the_queries_of_billing_use_an_index(database: TestDatabase) {
    let db = database.db().await;
    let connection = database.connect().await;
    let is_postgres = database.url.is_some();
    let id = Uuid::now_v7();
    let swept = provider_event::Entity::find().filter(provider_event::Column::ReceivedAt.lt(1));
    uses(&plan(&connection, swept).await, "provider_events_received");
    let known = provider_event::Entity::find_by_id("evt_1");
    uses(
        &plan(&connection, known).await,
        if is_postgres { "provider_events_pkey" } else { "sqlite_autoindex_provider_events" },
    );
    let by_id = invoice::Entity::find()
        .filter(invoice::Column::AccountId.eq(id))
        .filter(invoice::Column::ProviderId.is_in(["in_1", "in_2"]));
    let by_id = plan(&connection, by_id).await;
    // A customer's few, or those named: either will do.
    uses(
        &by_id,
        if by_id.contains("invoices_account") {
            "invoices_account"
        } else if is_postgres {
            "invoices_provider_id_key"
        } else {
            "sqlite_autoindex_invoices"
        },
    );
    let customer = billing_customer::Entity::find()
        .filter(billing_customer::Column::CustomerId.eq("cus_1"))
        .filter(billing_customer::Column::Provider.eq("stripe"));
    uses(
        &plan(&connection, customer).await,
        if is_postgres { "billing_customers_customer_id_key" } else { "sqlite_autoindex_billing_customers" },
    );
    let period = daily_usage::Entity::find()
        .filter(daily_usage::Column::AccountId.eq(id))
        .filter(daily_usage::Column::Day.between(1, 31));
    uses(
        &plan(&connection, period).await,
        if is_postgres { "daily_usage_pkey" } else { "sqlite_autoindex_daily_usage" },
    );
    let old = daily_usage::Entity::find().filter(daily_usage::Column::Day.lt(1));
    uses(&plan(&connection, old).await, "daily_usage_day");
    connection.close().await.unwrap();
    db.close().await;
}

#[tokio::test]
async fn half_of_a_payment_provider_ends_the_start() {
    let database = TestDatabase::sqlite();
    let (key, secret) =
        (("LINKGRAPH_STRIPE_SECRET_KEY", "sk_test_hunter2"), ("LINKGRAPH_STRIPE_WEBHOOK_SECRET", "whsec_hunter2"));
    let price = ("LINKGRAPH_STRIPE_PRICE_PRO_MONTH", "price_1");
    for (settings, variable) in [
        (&[key][..], secret.0),
        (&[key, price], secret.0),
        (&[key, (secret.0, " , ")], secret.0),
        (&[key, (secret.0, "")], secret.0),
        (&[key, (secret.0, "whsec_hunter2 whsec_hunter2")], secret.0),
        (&[secret], key.0),
        (&[price], key.0),
        (&[("LINKGRAPH_STRIPE_API_BASE", "http://localhost:1")], key.0),
        (&[key, secret, ("LINKGRAPH_STRIPE_API_BASE", "http://192.0.2.1")], "LINKGRAPH_STRIPE_API_BASE"),
        (&[key, secret, price, ("LINKGRAPH_STRIPE_PRICE_PRO_YEAR", "price_1")], "LINKGRAPH_STRIPE_PRICE_PRO_YEAR"),
    ] {
        let line = only_line(&binary(&database, settings, &[]).await);
        assert!(
            line.starts_with(&format!("linkgraph: {variable}")) && !line.contains("hunter2"),
            "{settings:?}: {line}"
        );
    }
}

#[tokio::test]
async fn a_process_beside_the_service_asks_for_turns_until_it_ends() {
    let database = TestDatabase::sqlite();
    let (service, command) = (database.db().await, database.db().await);
    assert!(!service.is_waited_for_beside());
    command.ask_for_turns();
    assert!(service.is_waited_for_beside() && service.is_waited_for());
    command.close().await;
    assert!(!service.is_waited_for());
    service.close().await;
}

#[tokio::test]
async fn sqlite_has_a_wal_and_foreign_keys() {
    let database = TestDatabase::sqlite();
    let db = database.db().await;
    for (pragma, expected) in [("journal_mode", "wal"), ("foreign_keys", "1"), ("synchronous", "2")] {
        let sql = format!("SELECT CAST({pragma} AS text) FROM pragma_{pragma}");
        assert_eq!(texts(db.read(), &sql).await, [expected]);
        assert_eq!(texts(db.write(), &sql).await, [expected], "of synchronous, 2: a commit survives a power cut");
    }
    assert!(database.folder.join("linkgraph.db-wal").exists());
    db.close().await;
    assert!(!database.folder.join("linkgraph.db-wal").exists(), "closing checkpoints");
}

#[tokio::test]
async fn a_bad_setting_ends_the_start_with_one_line_that_names_it() {
    let database = TestDatabase::sqlite();
    let file = database.folder.join("a-file");
    std::fs::write(&file, "not a database, not a directory").unwrap();
    let file = file.display().to_string();
    let nowhere = format!("{file}/below");
    let not_sqlite = format!("sqlite://{file}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for (variable, value) in [
        ("LINKGRAPH_BIND", "nowhere"),
        ("LINKGRAPH_BIND", &*taken),
        ("LINKGRAPH_METRICS_BIND", "9090"),
        ("LINKGRAPH_METRICS_BIND", &taken),
        ("LINKGRAPH_BASE_URL", "ftp://example.com"),
        ("LINKGRAPH_BASE_URL", "https://example.com/path"),
        ("LINKGRAPH_DATA_DIR", &nowhere),
        ("DATABASE_URL", "mysql://localhost/x"),
        ("DATABASE_URL", &not_sqlite),
        ("REDIS_URL", "http://:hunter2@localhost"),
        ("REDIS_URL", "redis://:hunter2@localhost:port"),
        ("LINKGRAPH_JWT_SECRETS", "hunter2hunter2"),
        ("LINKGRAPH_JWT_SECRETS", "short:hunter2"),
        ("LINKGRAPH_SMTP_URL", "http://localhost"),
        ("LINKGRAPH_GEOIP_DB", &nowhere),
        ("LINKGRAPH_GEOIP_DB", &file),
        ("LINKGRAPH_TRUSTED_PROXIES", "10.0.0.0/99"),
        ("LINKGRAPH_CLICK_SYNC", "sometimes"),
        ("LINKGRAPH_DEFAULT_PLAN", "gold"),
        ("LINKGRAPH_RATE_LIMITS", "no"),
        ("LINKGRAPH_INTROSPECTION", "yes"),
        ("LINKGRAPH_AUTO_MIGRATE", "1"),
        ("LINKGRAPH_LOG", "linkgraph=loud"),
        ("LINKGRAPH_LOG_FORMAT", "xml"),
        ("LINKGRAPH_STRIPE_SECRET_KEY", "pk_live_hunter2"),
    ] {
        let line = only_line(&binary(&database, &[(variable, value)], &[]).await);
        assert!(line.starts_with(&format!("linkgraph: {variable}")), "{variable}={value}: {line}");
        assert!(!line.contains("hunter2"), "{line}");
    }
    assert!(binary(&database, &[], &["nonsense"]).await.status.code() == Some(2));
}

#[tokio::test]
async fn a_start_that_waits_for_its_database_says_so() {
    let database = TestDatabase::sqlite();
    let began = Instant::now();
    let output = binary(&database, &[("DATABASE_URL", "postgres://ada:hunter2@127.0.0.1:1/links")], &[]).await;
    let (took, said) = (began.elapsed(), String::from_utf8(output.stderr).unwrap());
    let waits: Vec<&str> = said.lines().filter(|line| line.contains(" s more")).collect();
    for line in &waits {
        let named = "DATABASE_URL: can't connect to 127.0.0.1:1/links: ";
        assert!(line.contains(" WARN ") && line.contains(named) && line.contains("Connection refused"), "{said}");
    }
    assert!(waits[0].contains("it is tried for 14 s more"), "{said}");
    // Ever more seldom, and every four seconds at least.
    assert!((5..=10).contains(&waits.len()) && took < Duration::from_secs(30), "{took:?}: {said}");
    let last = said.lines().last().unwrap();
    assert!(last.starts_with("linkgraph: DATABASE_URL: can't connect to 127.0.0.1:1/links: "), "{said}");
    assert!(output.status.code() == Some(1) && !said.contains("hunter2"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_starts_later_is_waited_for() {
    let mut postgres = TestPostgres::start().await;
    postgres.stop().await;
    let database = postgres.database();
    let (process, ()) = tokio::join!(TestProcess::start(&database, &[]), postgres.start_again());
    process.register("alice").await;
}

/// Ingest checks this, so that other writers wait no longer than a batch takes.
#[tokio::test]
async fn a_statement_that_waits_for_the_writer_is_seen() {
    let database = TestDatabase::sqlite();
    let db = database.db().await;
    let tx = db.begin().await.unwrap();
    assert!(!db.is_waited_for());
    let other = db.clone();
    let waiting = tokio::spawn(async move { other.write().execute_unprepared("DELETE FROM links").await });
    eventually("it waits", async || db.is_waited_for().then_some(())).await;
    tx.commit().await.unwrap();
    waiting.await.unwrap().unwrap();
    assert!(!db.is_waited_for());
    db.close().await;
}

/// Other statements are not cancelled.
#[tokio::test]
async fn a_statement_that_takes_too_long_is_given_up_alone() {
    let database = TestDatabase::postgres().await;
    let db = database.db().await;
    let other = db.begin().await.unwrap();
    let sleep = "SELECT pg_sleep(3)";
    let slow = async { within(Limit::InAll(Duration::from_secs(2)), db.read().execute_unprepared(sleep)).await };
    let (slow, answered) = tokio::join!(slow, other.execute_unprepared(sleep));
    let error = ApiError::from(slow.unwrap_err());
    assert_eq!(error.code, Code::Unavailable);
    assert!(!error.message.contains("database"), "{error:?}");
    answered.unwrap();
    other.commit().await.unwrap();
    db.close().await;
}

/// One client that vanished holds a lock; another that vanished waits for the lock and gets it next.
#[tokio::test]
async fn what_the_dead_hold_and_wait_for_becomes_free() {
    let database = TestDatabase::postgres().await;
    let db = database.db().await;
    let lock = "SELECT pg_advisory_xact_lock(1)";
    let (holds, waits) = (db.begin().await.unwrap(), db.begin().await.unwrap());
    holds.execute_unprepared(lock).await.unwrap();
    let (dead, ()) = tokio::join!(waits.execute_unprepared(lock), async {
        let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND database =
            (SELECT oid FROM pg_database WHERE datname = current_database())";
        database.becomes("it waits", waiting, 1).await;
        let taken = async || db.write().execute_unprepared(lock).await.ok();
        eventually("the lock is free", taken).await;
    });
    dead.unwrap();
    // They were given up.
    assert!(holds.commit().await.is_err());
    assert!(waits.commit().await.is_err());
    db.close().await;
}

/// An SQLite database has one service, which is notified of work instead of polling for it.
#[tokio::test]
async fn an_idle_service_asks_sqlite_nothing() {
    let database = TestDatabase::sqlite();
    let process = TestProcess::start(&database, &[]).await;
    let token = process.register("alice").await;
    process.link(&token, "a").await;
    process.follow("a").await.expect(302);
    let is_idle = async || {
        let before = process.sqlite_wakes();
        tokio::time::sleep(Duration::from_secs(3)).await;
        let asked = process.sqlite_wakes() - before;
        println!("asked {asked} times in 3 s");
        (asked == 0).then_some(())
    };
    eventually("nothing is asked for 3 s", is_idle).await;
    assert!(process.sqlite_wakes() > 0);
}
