//! Many links changed or deleted by one request.

use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Answer, Http, TestDatabase, eventually, receiver::id},
};

const UNKNOWN: &str = "019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b";

async fn links(http: &Http, token: &str, slugs: &[&str]) -> Vec<Json> {
    let links: Vec<Json> = slugs
        .iter()
        .map(|slug| json!({ "destinationUrl": format!("https://example.com/{slug}"), "slug": slug }))
        .collect();
    let answer = http.post("/links/bulk", token, json!({ "links": links })).await.expect(200).json();
    answer["results"].as_array().unwrap().iter().map(|result| result["link"].clone()).collect()
}

async fn change(http: &Http, token: &str, ids: &[&str], change: Json) -> Answer {
    http.call("PATCH", "/links/bulk", token, json!({ "ids": ids, "change": change })).await
}

/// Else clicks change a link between an answer and the next.
async fn all_stored(database: &TestDatabase, clicks: i64) {
    eventually("the clicks are stored", async || {
        (database.number("SELECT CAST(sum(click_count) AS bigint) FROM link_activity").await == clicks).then_some(())
    })
    .await;
}

/// The outcome of each link: `done`, or its error's code.
fn outcomes(answer: &Json) -> Vec<&str> {
    let results = answer["results"].as_array().unwrap();
    results.iter().map(|result| result["error"]["code"].as_str().unwrap_or("done")).collect()
}

#[on_each_database]
async fn each_link_is_changed_or_fails_alone(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let made = links(&server, &alice, &["a", "b", "c"]).await;
    let of_bob = links(&server, &bob, &["bobs"]).await;
    let ids: Vec<&str> = made.iter().map(id).collect();
    // In memory, so that the change must evict them.
    for slug in ["a", "b", "c", "bobs"] {
        server.follow(slug).await.expect(302);
    }
    all_stored(&database, 4).await;
    server
        .call("PATCH", &format!("/links/{}", ids[2]), &alice, json!({ "expiresAt": "2030-01-01T00:00:00Z" }))
        .await
        .expect(200);
    let events = async || database.events("link.updated").await;
    let before = events().await;
    // The third would end before it begins.
    let sent = [ids[1], UNKNOWN, ids[2], id(&of_bob[0]), "no id", ids[0], ids[1]];
    let body = json!({ "isActive": false, "title": "Over", "startsAt": "2031-01-01T00:00:00Z" });
    let answer = change(&server, &alice, &sent, body).await.expect(200).json();
    let not_found = "NOT_FOUND";
    assert_eq!(outcomes(&answer), ["done", not_found, "VALIDATION_ERROR", not_found, not_found, "done", "done"]);
    for (result, sent) in answer["results"].as_array().unwrap().iter().zip(sent) {
        assert_eq!(result["linkId"], sent);
        assert!(result["link"].is_null() != result["error"].is_null(), "{result}");
    }
    assert_eq!(answer["results"][2]["error"]["validationErrors"][0]["path"], "startsAt");
    for (index, changed) in [(0, &answer["results"][5]["link"]), (1, &answer["results"][0]["link"])] {
        let shown = server.get(&format!("/links/{}", ids[index]), &alice).await.expect(200).json();
        assert_eq!((changed, &shown["title"], &shown["isActive"]), (&shown, &json!("Over"), &json!(false)));
    }
    assert_eq!(events().await, before + 2, "one for each link that was changed");
    for slug in ["a", "b"] {
        server.follow(slug).await.expect(404);
    }
    for slug in ["c", "bobs"] {
        server.follow(slug).await.expect(302);
    }
    assert_eq!(database.number("SELECT count(*) FROM links WHERE title IS NOT NULL").await, 2);
    // Limits are set and taken away for all of them.
    change(&server, &alice, &ids[..2], json!({ "maxClicks": 7 })).await.expect(200);
    assert_eq!(database.number("SELECT count(*) FROM link_limits WHERE max_clicks = 7").await, 2);
    let cleared = change(&server, &alice, &ids, json!({ "maxClicks": null, "startsAt": null })).await.expect(200);
    assert_eq!(outcomes(&cleared.json()), ["done"; 3]);
    assert_eq!(database.number("SELECT count(*) FROM link_limits").await, 0);
}

/// Others wait for the writer of SQLite, and for the rows that are locked on PostgreSQL.
#[on_each_database]
async fn the_statements_of_a_change_do_not_grow_with_its_links(database: TestDatabase) {
    let server = database.start().await;
    let alice = server.register("alice").await;
    let slugs: Vec<String> = (0..100).map(|number| format!("s{number}")).collect();
    let made = links(&server, &alice, &slugs.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let ids: Vec<&str> = made.iter().map(id).collect();
    let statements = async || -> f64 {
        let name = "linkgraph_http_request_sql_statements_sum{route=\"/links/bulk\"}";
        server.metric(name).await.unwrap_or_default()
    };
    let mut costs = Vec::new();
    for (number, title) in [(2, "Few"), (100, "Many")] {
        let before = statements().await;
        let sent = json!({ "title": title, "isActive": false, "expiresAt": "2031-01-01T00:00:00Z" });
        let answer = change(&server, &alice, &ids[..number], sent).await.expect(200).json();
        assert_eq!(outcomes(&answer), vec!["done"; number]);
        costs.push(statements().await - before);
    }
    assert!(costs[1] <= costs[0] + 8.0, "{costs:?}");
    assert_eq!(database.number("SELECT count(*) FROM links WHERE title = 'Many' AND NOT is_active").await, 100);
    // One that has the title already is changed as well, and others keep their own.
    change(&server, &alice, &ids[..1], json!({ "title": "One" })).await.expect(200);
    change(&server, &alice, &ids[..3], json!({ "notes": "All", "title": "One" })).await.expect(200);
    assert_eq!(database.number("SELECT count(*) FROM links WHERE title = 'One' AND notes = 'All'").await, 3);
    assert_eq!(database.number("SELECT count(*) FROM links WHERE title = 'Many' AND notes IS NULL").await, 97);
}

#[on_each_database]
async fn links_are_deleted_together_with_their_clicks(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let made = links(&server, &alice, &["a", "b", "c"]).await;
    let of_bob = links(&server, &bob, &["bobs"]).await;
    for slug in ["a", "b", "c", "bobs"] {
        server.follow(slug).await.expect(302);
    }
    all_stored(&database, 4).await;
    let ids = [id(&made[0]), id(&of_bob[0]), id(&made[2]), UNKNOWN];
    let query = "mutation($ids: [ID!]!) { deleteLinks(input: { ids: $ids }) { results { linkId error { code } } } }";
    let answer = server.graphql(&alice, query, json!({ "ids": ids })).await;
    assert_eq!(outcomes(&answer["data"]["deleteLinks"]), ["done", "NOT_FOUND", "done", "NOT_FOUND"], "{answer}");
    for (slug, status) in [("a", 404), ("b", 302), ("c", 404), ("bobs", 302)] {
        server.follow(slug).await.expect(status);
    }
    assert_eq!(database.events("link.deleted").await, 2);
    assert_eq!(database.links().await, 2);
    database.no_clicks_where("link_id NOT IN (SELECT id FROM links)").await;
    // Their slugs are free.
    assert_eq!(links(&server, &bob, &["a", "c"]).await.iter().filter(|link| link.is_object()).count(), 2);
    let again = server.post("/links/bulk/delete", &alice, json!({ "ids": [id(&made[0])] })).await.expect(200).json();
    assert_eq!(outcomes(&again), ["NOT_FOUND"]);
}

#[on_each_database]
async fn what_a_bulk_is_refused_for_changes_nothing(database: TestDatabase) {
    let server = database.start().await;
    let alice = server.register("alice").await;
    let made = links(&server, &alice, &["a"]).await;
    let one = id(&made[0]);
    let many = vec![one; 101];
    for (method, path, body, violations) in [
        ("PATCH", "/links/bulk", json!({ "ids": [], "change": {} }), vec!["ids"]),
        ("PATCH", "/links/bulk", json!({ "ids": many, "change": {} }), vec!["ids"]),
        ("PATCH", "/links/bulk", json!({ "ids": [one] }), vec!["change"]),
        ("PATCH", "/links/bulk", json!({ "ids": [one], "change": { "slug": "x" } }), vec!["change.slug"]),
        (
            "PATCH",
            "/links/bulk",
            json!({ "ids": [one], "change": { "title": "\n", "destinationUrl": "x" } }),
            vec!["change.destinationUrl", "change.title"],
        ),
        ("POST", "/links/bulk/delete", json!({ "ids": [] }), vec!["ids"]),
        ("POST", "/links/bulk/delete", json!({ "ids": many }), vec!["ids"]),
        ("POST", "/links/bulk/delete", json!({}), vec!["ids"]),
    ] {
        let answer = server.call(method, path, &alice, body.clone()).await.expect(400);
        assert_eq!(answer.violations(), violations, "{body}");
    }
    // A key that may only read.
    let key = server.api_key(&alice, &["links:read"]).await;
    let v1 = "/api/v1/links/bulk";
    server.call("PATCH", v1, &key, json!({ "ids": [one], "change": { "isActive": false } })).await.expect(403);
    server.post(&format!("{v1}/delete"), &key, json!({ "ids": [one] })).await.expect(403);
    let shown = server.get(&format!("/links/{one}"), &alice).await.expect(200).json();
    assert_eq!(shown, made[0]);
}
