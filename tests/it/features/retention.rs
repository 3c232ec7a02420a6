//! How long clicks are kept, and what stays of them.

use linkgraph::{
    base::{clock::DAY, tier::Plan},
    records::accounts::repo::{CLICKS_GRACE, plan_of_clicks, set_plan},
};
use sea_orm::{ActiveModelTrait, DatabaseConnection, EntityTrait};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::{
    on_each_database,
    support::{TestDatabase, TestServer, eventually, stored::stored_click},
};

/// Stores clicks as ingest would have: one on each of the last days of the link.
async fn store(database: &TestDatabase, link: &Json, times: impl Iterator<Item = i64>) {
    let link: Uuid = link["id"].as_str().unwrap().parse().unwrap();
    let clicks: Vec<_> = times.map(|clicked_at| stored_click(link, clicked_at)).collect();
    let added = clicks.len();
    database.store_clicks(clicks).await;
    let connection = database.connect().await;
    let count = entity::link::Entity::find_by_id(link).one(&connection).await.unwrap().unwrap();
    let count = entity::link::ActiveModel {
        id: sea_orm::ActiveValue::Unchanged(link),
        click_count: sea_orm::ActiveValue::Set(count.click_count + i64::try_from(added).unwrap()),
        ..Default::default()
    };
    count.update(&connection).await.unwrap();
    connection.close().await.unwrap();
}

/// Clicks that a page of the list has, and the number it tells.
async fn listed(server: &TestServer, token: &str, link: &Json) -> (u64, u64) {
    let path = format!("/analytics/{}?limit=100", link["id"].as_str().unwrap());
    let page = server.get(&path, token).await.expect(200).json();
    (page["data"].as_array().unwrap().len() as u64, page["total"].as_u64().unwrap())
}

async fn account(connection: &DatabaseConnection) -> entity::account::Model {
    entity::account::Entity::find().one(connection).await.unwrap().unwrap()
}

#[on_each_database]
async fn clicks_are_kept_as_long_as_the_plan_says(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let (busy, quiet, unused) =
        (server.link(&token, "busy").await, server.link(&token, "quiet").await, server.link(&token, "unused").await);
    let now = server.clock.now();
    // Several batches are too old, and a few are not.
    store(&database, &busy, (0..1_700).map(|number| now - 31 * DAY - number)).await;
    store(&database, &busy, (0..29).map(|day| now - day * DAY)).await;
    store(&database, &quiet, [now - 28 * DAY - DAY / 2].into_iter()).await;
    // The daily look is due.
    server.clock.advance(DAY);
    // The token has expired meanwhile.
    let token = server.login("alice").await;
    eventually("the old ones are gone", async || (listed(&server, &token, &busy).await == (29, 29)).then_some(()))
        .await;
    assert_eq!((listed(&server, &token, &quiet).await, listed(&server, &token, &unused).await), ((1, 1), (0, 0)));
    let link = server.get(&format!("/links/{}", busy["id"].as_str().unwrap()), &token).await.json();
    assert_eq!(link["clickCount"], 1_729, "it was followed as often as before");
    let nested = "{ links(search: \"busy\") { data { clicks(limit: 1) { total } } } }";
    let nested = server.graphql(&token, nested, json!({})).await;
    assert_eq!(nested["data"]["links"]["data"][0]["clicks"]["total"], 29);
    server.follow("busy").await.expect(302);
    eventually("one more", async || (listed(&server, &token, &busy).await == (30, 30)).then_some(())).await;
    server.clock.advance(2 * DAY);
    let token = server.login("alice").await;
    eventually("each day goes in its turn", async || (listed(&server, &token, &quiet).await == (0, 0)).then_some(()))
        .await;
    assert_eq!(database.jobs("expire_clicks").await, 1);
}

#[on_each_database]
async fn a_plan_without_an_end_keeps_them_for_ever(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let token = server.register("alice").await;
    let link = server.link(&token, "old").await;
    store(&database, &link, [1, server.clock.now() - 2_000 * DAY].into_iter()).await;
    server.clock.advance(DAY + 1);
    database.jobs_become("expire_clicks", &format!("run_at > {}", server.clock.now()), 1).await;
    assert_eq!(database.clicks().await, 2);
}

/// Clicks are kept by the paid plan for a while after its end.
#[on_each_database]
async fn a_worse_plan_takes_effect_later(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    let connection = database.connect().await;
    let start = server.clock.now();
    let set =
        async |plan, until, now| set_plan(&connection, &account(&connection).await, plan, until, now).await.unwrap();
    let kept_by = async |now| plan_of_clicks(&account(&connection).await, Plan::Free, now);
    assert_eq!(kept_by(start).await, Plan::Free);
    set(Some(Plan::Pro), None, start).await;
    set(Some(Plan::Business), None, start).await;
    assert_eq!(kept_by(start).await, Plan::Business);
    set(Some(Plan::Pro), None, start + 1).await;
    set(None, None, start + 2).await;
    assert_eq!(kept_by(start + 1 + CLICKS_GRACE).await, Plan::Business, "the best of these days");
    assert_eq!(kept_by(start + 2 + CLICKS_GRACE).await, Plan::Free);
    // A plan that is not paid lapses by itself, and later for clicks.
    set(Some(Plan::Pro), Some(start + 10 * DAY), start + 3 * CLICKS_GRACE).await;
    assert_eq!(kept_by(start + 10 * DAY + CLICKS_GRACE - 1).await, Plan::Pro);
    assert_eq!(kept_by(start + 10 * DAY + 3 * CLICKS_GRACE).await, Plan::Free);
    connection.close().await.unwrap();
}
