//! Lists of links: in each order, by each filter, and with what they tell of each link's clicks.

use linkgraph::base::clock::{DAY, HOUR, MINUTE, parse_rfc3339, rfc3339};
use sea_orm::{ConnectOptions, ConnectionTrait, Database};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase, TestServer, eventually,
        receiver::{Arrived, Receiver, id},
        stored::all_ingested,
    },
};

/// Migrations before the one that adds `link_activity`.
const BEFORE: usize = 18;
const SORTS: [&str; 4] = ["NEWEST", "OLDEST", "MOST_CLICKED", "LAST_CLICKED"];

async fn slugs(http: &Http, token: &str, query: &str) -> Vec<String> {
    let page = http.get(&format!("/links?{query}"), token).await.expect(200).json();
    if !query.contains("page=") {
        assert_eq!(page["total"], page["data"].as_array().unwrap().len(), "{query}: {page}");
    }
    page["data"].as_array().unwrap().iter().map(|link| link["slug"].as_str().unwrap().to_owned()).collect()
}

/// When each link was followed last, as the stored clicks tell.
async fn last_clicks(database: &TestDatabase) -> Vec<String> {
    let sql =
        "SELECT slug || ' ' || max(clicked_at) FROM links JOIN clicks ON link_id = links.id GROUP BY slug ORDER BY 1";
    database.texts(sql).await
}

/// The same as the API tells it.
async fn told(http: &Http, token: &str) -> Vec<String> {
    let page = http.get("/links?pageSize=100", token).await.expect(200).json();
    let mut told: Vec<String> = page["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|link| {
            let last = link["lastClickedAt"].as_str()?;
            Some(format!("{} {}", link["slug"].as_str().unwrap(), parse_rfc3339(last).unwrap()))
        })
        .collect();
    told.sort_unstable();
    told
}

/// Links `a` to `f`, an hour apart, with some clicks: what the tests below list.
async fn fill(server: &TestServer, token: &str) {
    server.post("/subdomain", token, json!({ "subdomain": "ada" })).await.expect(201);
    server.post("/subdomain/activate", token, Json::Null).await.expect(200);
    for (slug, more) in [
        ("a", json!({})),
        ("b", json!({ "isActive": false })),
        ("c", json!({ "domain": "ada.sho.rt" })),
        ("d", json!({ "domain": "ada.sho.rt" })),
        ("e", json!({})),
        ("f", json!({})),
    ] {
        server.link_with(token, slug, more).await;
        server.clock.advance(HOUR);
    }
    for (host, slug) in [
        ("sho.rt", "f"),
        ("ada.sho.rt", "d"),
        ("sho.rt", "a"),
        ("sho.rt", "a"),
        ("ada.sho.rt", "c"),
        ("sho.rt", "a"),
        ("ada.sho.rt", "d"),
    ] {
        server.at_host(host, &format!("/{slug}")).await.expect(302);
        server.clock.advance(MINUTE);
    }
    all_ingested(server, 7).await;
}

#[on_each_database]
async fn lists_have_four_orders_and_filters_that_go_together(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let began = server.clock.now();
    fill(&server, &token).await;
    let bob = server.register("bob").await;
    server.link_with(&bob, "bobs", json!({})).await;
    let at = |hours: i64| rfc3339(began + hours * HOUR - MINUTE);
    let (second, fourth) = (format!("createdFrom={}", at(1)), format!("createdTo={}", at(4)));
    for (query, expected) in [
        ("", "fedcba"),
        ("sort=NEWEST", "fedcba"),
        ("sort=OLDEST", "abcdef"),
        // Among links with equally many clicks the newest comes first.
        ("sort=MOST_CLICKED", "adfceb"),
        ("sort=LAST_CLICKED", "dacfeb"),
        ("sort=MOST_CLICKED&pageSize=2&page=2", "fc"),
        ("sort=LAST_CLICKED&pageSize=4&page=2", "eb"),
        ("sort=OLDEST&pageSize=4&page=2", "ef"),
        ("domain=ada.sho.rt", "dc"),
        ("domain=ADA.sho.rt.", "dc"),
        ("domain=sho.rt", "feba"),
        ("domain=sho.rt&sort=OLDEST", "abef"),
        ("domain=sho.rt&sort=MOST_CLICKED", "afeb"),
        ("domain=ada.sho.rt&sort=LAST_CLICKED", "dc"),
        ("domain=other.example", ""),
        ("domain=", ""),
        ("domain=%00", ""),
        (&*second, "fedcb"),
        (&fourth, "dcba"),
        (&format!("{second}&{fourth}"), "dcb"),
        (&format!("{second}&{fourth}&sort=OLDEST"), "bcd"),
        (&format!("{second}&{fourth}&sort=LAST_CLICKED"), "dcb"),
        (&format!("{fourth}&sort=MOST_CLICKED&pageSize=3&page=1"), "adc"),
        (&format!("createdFrom={}&createdTo={}", at(4), at(1)), ""),
        ("isActive=true&sort=MOST_CLICKED", "adfce"),
        ("isActive=false&sort=LAST_CLICKED", "b"),
        ("search=COM/E&sort=MOST_CLICKED", "e"),
        (&format!("search=example&isActive=true&domain=sho.rt&{second}&sort=LAST_CLICKED"), "fe"),
    ] {
        assert_eq!(slugs(&server, &token, query).await.concat(), expected, "{query}");
    }
    // The same through GraphQL.
    let query = "query($sort: LinkSort!, $from: DateTime) { links(sort: $sort, domain: \"sho.rt\", createdFrom: $from) { data { slug } total } }";
    let found = server.graphql(&token, query, json!({ "sort": "MOST_CLICKED", "from": at(1) })).await;
    let expected = json!({ "data": [{ "slug": "f" }, { "slug": "e" }, { "slug": "b" }], "total": 3 });
    assert_eq!(found["data"]["links"], expected, "{found}");
    let wrong = server.get("/links?sort=newest&createdFrom=yesterday&createdTo=1", &token).await.expect(400);
    assert_eq!(wrong.violations(), ["createdFrom", "createdTo", "sort"]);
    // Deleted links are in no order.
    let page = server.get("/links?sort=MOST_CLICKED&pageSize=1", &token).await.expect(200).json();
    let first = format!("/links/{}", id(&page["data"][0]));
    server.call("DELETE", &first, &token, Json::Null).await.expect(204);
    for sort in SORTS {
        let left = slugs(&server, &token, &format!("sort={sort}")).await;
        assert!(left.len() == 5 && !left.contains(&"a".to_owned()), "{sort}: {left:?}");
    }
    server.leave(&token).await.expect(204);
    assert_eq!(database.number("SELECT count(*) FROM link_activity").await, 1, "Bob's");
}

#[on_each_database]
async fn the_last_click_is_exact_and_told_wherever_the_link_is(database: TestDatabase) {
    let settings = [("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")];
    let server = database.start_with(&settings).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    let events = ["link.created", "link.updated", "link.deleted", "link.clicked"];
    let webhook = server.webhook(&token, &receiver.url("/"), &events).await;
    let created = server.link_with(&token, "one", json!({})).await;
    assert!(created["lastClickedAt"].is_null(), "{created}");
    server.link_with(&token, "two", json!({})).await;
    server.follow("one").await.expect(302);
    server.clock.advance(HOUR);
    // A bot, which counts as in `clickCount`.
    server.get("/two", "").await.expect(302);
    server.clock.advance(MINUTE);
    server.follow("one").await.expect(302);
    all_ingested(&server, 3).await;
    let stored = last_clicks(&database).await;
    assert_eq!((stored.len(), &told(&server, &token).await), (2, &stored));
    let path = format!("/links/{}", id(&created));
    let last = server.get(&path, &token).await.expect(200).json()["lastClickedAt"].clone();
    assert!(last.is_string());
    let changed = server.call("PATCH", &path, &token, json!({ "isActive": false })).await.expect(200).json();
    assert_eq!(changed["lastClickedAt"], last);
    let query =
        "query($id: ID!) { link(id: $id) { lastClickedAt } clicks(linkId: $id) { data { link { lastClickedAt } } } }";
    let shown = server.graphql(&token, query, json!({ "id": created["id"] })).await;
    assert_eq!(shown["data"]["link"]["lastClickedAt"], last, "{shown}");
    assert_eq!(shown["data"]["clicks"]["data"][1]["link"]["lastClickedAt"], last, "{shown}");
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    let sent = eventually("all events are sent", async || {
        let deliveries = server.get(&format!("/webhooks/{}/deliveries", id(&webhook)), &token).await.json();
        let sent = deliveries["deliveries"].as_array().unwrap();
        (sent.len() == 7 && sent.iter().all(|it| it["status"] == "SUCCEEDED")).then_some(())
    });
    sent.await;
    let bodies: Vec<Json> = receiver.arrived("/").iter().map(Arrived::json).collect();
    let of = |kind: &str, slug: &str| -> Vec<Json> {
        let links = bodies
            .iter()
            .filter(|body| body["type"] == kind)
            .map(|body| body["data"].get("link").unwrap_or(&body["data"]));
        links.filter(|link| link["slug"] == slug).map(|link| link["lastClickedAt"].clone()).collect()
    };
    assert_eq!(of("link.created", "one"), [Json::Null]);
    assert_eq!((of("link.updated", "one"), of("link.deleted", "one")), (vec![last.clone()], vec![last.clone()]));
    let clicked = of("link.clicked", "one");
    assert!(clicked.len() == 2 && clicked.contains(&last), "{clicked:?}");
}

/// A database of the version before, with what its clicks were.
#[on_each_database]
async fn links_of_before_get_their_last_click(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    fill(&server, &token).await;
    // All clicks of one link were deleted; its day is still known.
    let stored = last_clicks(&database).await;
    server.stop().await;
    database.delete_clicks("link_id = (SELECT id FROM links WHERE slug = 'f')").await;
    let url =
        database.url.clone().unwrap_or_else(|| format!("sqlite://{}", database.folder.join("linkgraph.db").display()));
    let connection =
        Database::connect(ConnectOptions::new(url).max_connections(1).idle_timeout(None).max_lifetime(None).to_owned())
            .await
            .unwrap();
    let later = migration::names().count() - BEFORE;
    migration::down(&connection, Some(later)).await.unwrap();
    assert!(connection.execute_unprepared("SELECT 1 FROM link_activity").await.is_err(), "it was not reverted");
    connection.close().await.unwrap();
    let server = database.start().await;
    let expected: Vec<String> = stored
        .iter()
        .map(|line| match line.split_once(' ').unwrap() {
            ("f", last) => format!("f {}", last.parse::<i64>().unwrap() / DAY * DAY),
            _ => line.clone(),
        })
        .collect();
    assert_eq!(told(&server, &token).await, expected);
    assert_eq!(slugs(&server, &token, "sort=MOST_CLICKED").await.concat(), "adfceb");
    // Links that are made now are in the lists as well.
    server.link_with(&token, "new", json!({})).await;
    assert_eq!(slugs(&server, &token, "sort=LAST_CLICKED&pageSize=1&page=5").await, ["new"]);
}
