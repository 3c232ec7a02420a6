//! Clicks by month, on PostgreSQL.

use linkgraph::{
    base::clock::{Clock, DAY},
    click_store::Months,
};
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};

use crate::support::{TestDatabase, TestServer, stored::stored_click};

/// The tables that hold clicks.
async fn months(database: &TestDatabase) -> Vec<String> {
    let sql =
        "SELECT CAST(inhrelid::regclass AS text) FROM pg_inherits WHERE inhparent = 'clicks'::regclass ORDER BY 1";
    database.texts(sql).await
}

/// The tables that the stored clicks should be in, as the calendar says.
async fn calendar(database: &TestDatabase) -> Vec<String> {
    let month = "DISTINCT to_char(to_timestamp(clicked_at / 1000.0) AT TIME ZONE 'UTC', '\"clicks_\"YYYY_MM')";
    database.of_clicks(month).await
}

/// Follows the link, and waits until so many clicks are stored.
async fn follow(server: &TestServer, database: &TestDatabase, stored: i64) {
    server.follow("spring").await.expect(302);
    database.clicks_become(stored).await;
}

/// When the clicks on the link were, as the API lists them.
async fn listed(server: &TestServer, link: &Json) -> Vec<String> {
    let (token, path) = (server.login("alice").await, format!("/analytics/{}", link["id"].as_str().unwrap()));
    let list = server.get(&path, &token).await.expect(200).json();
    list["data"].as_array().unwrap().iter().map(|click| click["clickedAt"].to_string()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_month_is_made_with_its_first_click_and_goes_when_it_is_empty() {
    let database = TestDatabase::postgres().await;
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "pro")]).await;
    let link = server.link(&server.register("alice").await, "spring").await;
    assert_eq!(months(&database).await, [""; 0]);
    follow(&server, &database, 1).await;
    let first = months(&database).await;
    assert_eq!((first.len(), &first), (1, &calendar(&database).await));
    // Old enough to be deleted, which the daily look does.
    server.clock.advance(366 * DAY);
    // The plan's time is over.
    database.clicks_become(0).await;
    follow(&server, &database, 1).await;
    let second = calendar(&database).await;
    assert_eq!(months(&database).await, [first.clone(), second.clone()].concat(), "its pages are there still");
    database.connect().await.execute_unprepared("VACUUM clicks").await.unwrap();
    server.clock.advance(31 * DAY);
    follow(&server, &database, 2).await;
    let both = calendar(&database).await;
    assert_eq!((both.len(), months(&database).await), (2, both));
    let times = listed(&server, &link).await;
    assert!(times.len() == 2 && times.is_sorted_by(|newer, older| newer > older), "{times:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_nodes_make_the_same_months_at_once() {
    const NODES: usize = 6;
    let database = TestDatabase::postgres().await;
    database.db().await.close().await;
    let making = (0..NODES).map(|_| async {
        let (db, mut made) = (database.db().await, Months::default());
        for month in 0..12 {
            made.cover(&db, [month * 31 * DAY, (month + 1) * 31 * DAY].into_iter()).await.unwrap();
        }
        db.close().await;
    });
    futures_util::future::join_all(making).await;
    let made = months(&database).await;
    // Each newest but one is empty, and goes when another comes.
    assert!(made.contains(&"clicks_1971_01".to_owned()) && made.len() <= 13, "{made:?}");
}

/// As it was when clicks were one table.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clicks_from_before_there_were_months_stay() {
    const BEFORE: usize = 14;
    let database = TestDatabase::empty_postgres().await;
    let connection = database.connect().await;
    migration::up(&connection, Some(BEFORE)).await.unwrap();
    let settings = [("LINKGRAPH_DEFAULT_PLAN", "unlimited")];
    // One is of tomorrow, so that the month of the table is not over before the service starts.
    let tomorrow = Clock::default().now() + DAY;
    let clicks = format!(
        "INSERT INTO clicks (id, link_id, clicked_at, visitor, is_bot) \
         SELECT gen_random_uuid(), gen_random_uuid(), CASE n WHEN 1 THEN {tomorrow} ELSE n * 1000000000 END, '\\x00'::bytea, false \
         FROM generate_series(CAST(1 AS bigint), 1700) AS n"
    );
    connection.execute_unprepared(&clicks).await.unwrap();
    let before = database.clicks_where("TRUE").await;
    let db = database.db().await;
    let whole = months(&database).await;
    assert!(whole.len() == 1 && whole[0].starts_with("clicks_before_"), "{whole:?}");
    assert_eq!(database.clicks_where("TRUE").await, before);
    database.delete_clicks("TRUE").await;
    // The versions before can read rows alone.
    connection.execute_unprepared("DELETE FROM jobs WHERE kind = 'compact_clicks'").await.unwrap();
    db.close().await;

    let server = database.start_with(&settings).await;
    let link = server.link(&server.register("alice").await, "spring").await;
    let old = stored_click(link["id"].as_str().unwrap().parse().unwrap(), 1);
    database.store_clicks(vec![old]).await;
    follow(&server, &database, 2).await;
    assert_eq!(months(&database).await, whole, "this month's have a place there");
    server.clock.advance(62 * DAY);
    follow(&server, &database, 3).await;
    let new = calendar(&database).await.pop().unwrap();
    assert_eq!(months(&database).await, [vec![new], whole].concat());
    let times = listed(&server, &link).await;
    assert_eq!((times.len(), times.last()), (3, Some(&json!("1970-01-01T00:00:00.001Z").to_string())));
    server.stop().await;

    let clicks = "id || ' ' || clicked_at";
    let stored = database.of_clicks(clicks).await;
    let later = migration::names().count() - BEFORE;
    migration::down(&connection, Some(later)).await.unwrap();
    assert_eq!(database.texts("SELECT CAST(relkind AS text) FROM pg_class WHERE relname = 'clicks'").await, ["r"]);
    assert_eq!((database.of_clicks(clicks).await, stored.len()), (stored, 3));
    connection.close().await.unwrap();
}
