//! Accounts with more links than one transaction deletes: they are deleted for everybody at once, and their rows in batches.

use entity::{job, link, user};
use linkgraph::base::clock::{HOUR, rfc3339};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, DatabaseConnection, EntityTrait, QueryFilter};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::{
    on_each_database,
    support::{Http, TestDatabase, catalogue, eventually, process::TestProcess},
};

/// Links that one transaction deletes, a batch.
const PART: usize = 500;
/// Links of a large account: two batches, and some more. It has an older link besides.
const LINKS: usize = 1_200;
/// A link of the second batch, which the database refuses to delete.
const HELD: &str = "s0700";
/// The host of the account, with its older link.
const HOST: &str = "alice.sho.rt";
const SETTINGS: [(&str, &str); 1] = [("LINKGRAPH_DEFAULT_PLAN", "unlimited")];

/// The condition of the row whose deletion is refused.
fn is_held() -> String {
    format!("old.slug = '{HELD}'")
}

/// Stores links of the user's account, in the order of their numbers.
async fn fill(connection: &DatabaseConnection, email: &str, number: usize) {
    let owner = user::Entity::find().filter(user::Column::Email.eq(email)).one(connection).await.unwrap().unwrap();
    let link = |number: usize| link::Model {
        id: Uuid::now_v7(),
        account_id: owner.account_id,
        host: String::new(),
        slug: format!("s{number:04}"),
        destination_url: "https://example.com/".to_owned(),
        is_active: true,
        click_count: 0,
        expired_clicks: 0,
        created_at: 1,
        updated_at: 1,
        starts_at: None,
        expires_at: None,
        expired_url: None,
        archived_at: None,
        title: None,
        notes: None,
        external_id: None,
        imported_clicks: None,
        forwards_query: None,
        password_hash: None,
        asks_first: false,
        notice: None,
        card: None,
        app: None,
    };
    let links: Vec<link::Model> = (0..number).map(link).collect();
    for links in links.chunks(500) {
        let rows = links.iter().map(|link| link::ActiveModel::from(link.clone()).reset_all());
        link::Entity::insert_many(rows).exec_without_returning(connection).await.unwrap();
    }
}

/// One of everything else that an account owns.
async fn own_all(http: &Http, token: &str) {
    http.post("/subdomain", token, json!({ "subdomain": "alice" })).await.expect(201);
    http.post("/subdomain/activate", token, Json::Null).await.expect(200);
    for (path, body) in [
        ("/domains", json!({ "domain": "go.example.com" })),
        ("/webhooks", json!({ "name": "x", "url": "https://hooks.example.com/", "events": ["domain.activated"] })),
        ("/utm-templates", json!({ "name": "ads", "source": "ads" })),
        ("/images", json!({ "content": catalogue::image(&[]) })),
        ("/reports", json!({ "name": "Clicks" })),
        (
            "/links",
            json!({ "destinationUrl": "https://example.com/", "slug": "hers", "domain": HOST, "tags": ["poster"] }),
        ),
    ] {
        http.post(path, token, body).await.expect(201);
    }
}

/// Visitors find none of the account's links, deleted or not yet, and its credentials open nothing.
async fn assert_gone(http: &Http, token: &str, key: &str) {
    for slug in ["s0000", "s0498", "s0499", HELD, "s1199"] {
        http.follow(slug).await.expect(404);
    }
    http.at_host(HOST, "/hers").await.expect(404);
    for (path, credential) in [("/me", token), ("/links", token), ("/me", key), ("/api/v1/links", key)] {
        http.get(path, credential).await.expect(401);
    }
    let link = json!({ "destinationUrl": "https://example.com/" });
    http.post("/links", token, link.clone()).await.expect(401);
    http.post("/api/v1/links", key, link).await.expect(401);
}

async fn all_jobs_are_done(database: &TestDatabase) {
    let jobs = "SELECT count(*) FROM jobs WHERE kind IN ('delete_account', 'purge_clicks', 'purge_deliveries')";
    eventually("all rows are deleted", async || (database.number(jobs).await == 0).then_some(())).await;
}

/// The second batch fails, and then the service is killed. The account stays deleted, and the other rows are deleted after a restart.
#[on_each_database]
async fn a_large_account_is_gone_at_once_and_its_rows_later(database: TestDatabase) {
    let mut process = TestProcess::start(&database, &SETTINGS).await;
    let bob = process.register("bob").await;
    process.link(&bob, "his").await;
    let token = process.register("alice").await;
    let key = process.api_key(&token, &["links:read", "links:write"]).await;
    own_all(&process, &token).await;
    let connection = database.connect().await;
    fill(&connection, "alice@example.com", LINKS).await;
    database.refuse("DELETE", "links", &is_held()).await;
    for slug in ["his", "s0000", HELD, "s1199"] {
        process.follow(slug).await.expect(302);
    }
    process.at_host(HOST, "/hers").await.expect(302);
    database.clicks_become(5).await;

    process.leave(&token).await.expect(204);
    assert_gone(&process, &token, &key).await;
    process.call("DELETE", "/me", &token, Json::Null).await.expect(401);
    let login = json!({ "email": "alice@example.com", "password": "alice's password" });
    process.post("/auth/login", "", login).await.expect(401);
    for table in ["webhooks", "hosts", "domains", "subdomains", "api_keys", "reports"] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    let again = process.register("alice").await;
    assert_eq!(process.get("/links", &again).await.expect(200).json()["total"], 0);
    process.post("/domains", &again, json!({ "domain": "go.example.com" })).await.expect(201);
    database.jobs_become("delete_account", "attempts > 0", 1).await;
    // The first batch had the older link, too.
    let left = i64::try_from(LINKS - (PART - 1)).unwrap();
    assert_eq!(database.number("SELECT count(*) FROM links WHERE slug LIKE 's%'").await, left);

    process.kill();
    let process = TestProcess::start(&database, &SETTINGS).await;
    assert_gone(&process, &token, &key).await;
    assert_eq!(database.number("SELECT count(*) FROM links WHERE slug LIKE 's%'").await, left);
    // The job is there twice, as if its end had not been stored.
    let stored = job::Entity::find().filter(job::Column::Kind.eq("delete_account")).one(&connection).await.unwrap();
    let twice = job::Model { id: Uuid::now_v7(), leased_until: None, ..stored.unwrap() };
    job::ActiveModel::from(twice).reset_all().insert(&connection).await.unwrap();
    database.allow("links").await;
    let now = "UPDATE jobs SET run_at = 0, leased_until = NULL WHERE kind = 'delete_account'";
    connection.execute_unprepared(now).await.unwrap();
    connection.close().await.unwrap();
    all_jobs_are_done(&database).await;
    // Slugs of the service's own host are for nobody else, whichever batch deleted their links.
    for slug in ["s0000", HELD, "s1199"] {
        let body = json!({ "destinationUrl": "https://example.com/", "slug": slug });
        process.post("/links", &again, body).await.expect(409);
    }
    process.link(&again, "anew").await;
    process.follow("anew").await.expect(302);
    process.follow("his").await.expect(302);
    for (table, rows) in [
        ("accounts", 2),
        ("users", 2),
        ("links", 2),
        ("link_activity", 2),
        ("domains", 1),
        ("tags", 0),
        ("link_tags", 0),
        ("utm_templates", 0),
        ("annotations", 0),
        ("reports", 0),
        ("images", 0),
        ("subdomain_claims", 0),
        ("retired_slugs", i64::try_from(LINKS).unwrap()),
    ] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, rows, "{table}");
    }
    for orphans in [
        "clicks WHERE link_id NOT IN (SELECT id FROM links)",
        "click_blocks WHERE link_id NOT IN (SELECT id FROM links)",
        "click_days WHERE subject NOT IN (SELECT id FROM links UNION ALL SELECT id FROM accounts)",
        "click_visitors WHERE account_id NOT IN (SELECT id FROM accounts)",
        "daily_usage WHERE account_id NOT IN (SELECT id FROM accounts)",
    ] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {orphans}")).await, 0, "{orphans}");
    }
}

/// After a full batch, the service does not know whether there are more links.
#[on_each_database]
async fn an_account_with_as_many_links_as_a_part_goes_as_well(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let connection = database.connect().await;
    fill(&connection, "alice@example.com", PART).await;
    connection.close().await.unwrap();
    server.leave(&token).await.expect(204);
    server.follow("s0499").await.expect(404);
    all_jobs_are_done(&database).await;
    for table in ["accounts", "users", "links"] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
}

/// Links of a deleted account expire, or are used up, before a job has deleted their rows.
#[on_each_database]
async fn links_of_a_deleted_account_cause_no_events(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let connection = database.connect().await;
    fill(&connection, "alice@example.com", LINKS).await;
    let expires_at = server.clock.now() + HOUR;
    for statement in [
        format!("UPDATE links SET expires_at = {expires_at}"),
        format!(
            "INSERT INTO link_limits (link_id, max_clicks, used_clicks) SELECT id, 1, 1 FROM links WHERE slug = '{HELD}'"
        ),
    ] {
        connection.execute_unprepared(&statement).await.unwrap();
    }
    database.refuse("DELETE", "links", &is_held()).await;
    let used_up = link::Entity::find().filter(link::Column::Slug.eq(HELD)).one(&connection).await.unwrap().unwrap();
    server.leave(&token).await.expect(204);
    let announcement = job::Model {
        id: Uuid::now_v7(),
        kind: "announce_used_up_link".to_owned(),
        payload: json!({ "account": used_up.account_id, "link": used_up.id }).to_string(),
        account_id: Some(used_up.account_id),
        run_at: 0,
        attempts: 0,
        leased_until: None,
        created_at: 1,
    };
    job::ActiveModel::from(announcement).reset_all().insert(&connection).await.unwrap();
    connection.close().await.unwrap();

    // The event of a link that expires later shows that the job has processed the expiries of these.
    let bob = server.register("bob").await;
    let later = rfc3339(expires_at + HOUR / 2);
    server
        .post("/links", &bob, json!({ "destinationUrl": "https://example.com/", "expiresAt": later }))
        .await
        .expect(201);
    server.clock.advance(2 * HOUR);
    database.jobs_become("announce_used_up_link", "TRUE", 0).await;
    let events = "SELECT count(*) FROM outbox_events WHERE kind IN ('link.expired', 'link.used_up')";
    let of_bob = format!("{events} AND account_id = (SELECT account_id FROM users WHERE email = 'bob@example.com')");
    database.becomes("the event of the other link", &of_bob, 1).await;
    assert_eq!(database.number(events).await, 1);
}
