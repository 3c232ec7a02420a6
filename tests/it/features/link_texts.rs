//! Titles, notes and external ids of links; searches and filters over them; and links that are
//! answered again instead of being created twice.

use std::collections::BTreeSet;

use linkgraph::base::clock::{HOUR, rfc3339};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Http, TestDatabase, receiver::id},
};

/// The slugs of the links that a list has, and their number as the list tells it.
async fn found(http: &Http, token: &str, query: &str) -> String {
    let page = http.get(&format!("/links?{query}"), token).await.expect(200).json();
    assert_eq!(page["total"], page["data"].as_array().unwrap().len(), "{query}: {page}");
    page["data"].as_array().unwrap().iter().map(|link| link["slug"].as_str().unwrap()).collect()
}

#[on_each_database]
async fn texts_are_set_changed_and_taken_away(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let texts = json!({ "title": "Frühling – \"Poster\"", "notes": "one\n\ttwo\r\n🦀", "externalId": "crm:4711" });
    let link = server.link_with(&token, "spring", texts.clone()).await;
    for (name, value) in texts.as_object().unwrap() {
        assert_eq!(&link[name], value);
    }
    let path = format!("/links/{}", id(&link));
    let shown = async || server.get(&path, &token).await.expect(200).json();
    assert_eq!(shown().await, link);
    // Fields that are absent stay as they are.
    let change = json!({ "title": "Summer" });
    let changed = server.call("PATCH", &path, &token, change).await.expect(200).json();
    assert_eq!((&changed["title"], &changed["notes"]), (&json!("Summer"), &texts["notes"]));
    let query = "mutation($id: ID!, $input: UpdateLinkInput!) { updateLink(id: $id, input: $input) { title notes externalId } }";
    let input = json!({ "title": null, "notes": null, "externalId": null });
    let cleared = server.graphql(&token, query, json!({ "id": link["id"], "input": input })).await;
    let none = json!({ "title": null, "notes": null, "externalId": null });
    assert_eq!(cleared["data"]["updateLink"], none, "{cleared}");
    assert_eq!(database.number("SELECT count(*) FROM links WHERE search_text IS NOT NULL").await, 0);
    // An invalid change changes nothing.
    let before = shown().await;
    for (change, path_of_violation) in [
        (json!({ "title": "" }), "title"),
        (json!({ "title": " \u{200b}" }), "title"),
        (json!({ "title": "a\nb" }), "title"),
        (json!({ "title": "x".repeat(201) }), "title"),
        (json!({ "notes": "\0" }), "notes"),
        (json!({ "notes": "" }), "notes"),
        (json!({ "notes": "é".repeat(1_001) }), "notes"),
        (json!({ "externalId": "x".repeat(129) }), "externalId"),
        (json!({ "externalId": "a\tb" }), "externalId"),
        (json!({ "title": "x", "slug": null }), "slug"),
    ] {
        let refused = server.call("PATCH", &path, &token, change.clone()).await.expect(400);
        assert_eq!(refused.violations(), [path_of_violation], "{change}");
        if change.get("slug").is_none() {
            let mut new = json!({ "destinationUrl": "https://example.com/" });
            new.as_object_mut().unwrap().extend(change.as_object().cloned().unwrap());
            assert_eq!(server.post("/links", &token, new.clone()).await.expect(400).violations(), [path_of_violation]);
            let bulk = server.post("/links/bulk", &token, json!({ "links": [new] })).await.expect(200).json();
            let violations = &bulk["results"][0]["error"]["validationErrors"];
            assert_eq!(violations[0]["path"], path_of_violation, "{bulk}");
        }
    }
    assert_eq!(shown().await, before);
    assert_eq!(found(&server, &token, "").await, "spring");
}

#[on_each_database]
async fn an_external_id_belongs_to_one_link_of_the_account(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let first = server.link_with(&alice, "first", json!({ "externalId": "1" })).await;
    server.link_with(&bob, "bobs", json!({ "externalId": "1" })).await;
    let second = server.link_with(&alice, "second", json!({})).await;
    let body = |slug: &str| json!({ "destinationUrl": "https://example.com/", "slug": slug, "externalId": "1" });
    let refused = server.post("/links", &alice, body("third")).await.expect(409).json();
    assert_eq!(
        (&refused["error"]["code"], &refused["error"]["details"]["path"]),
        (&json!("CONFLICT"), &json!("externalId"))
    );
    let path = format!("/links/{}", id(&second));
    let refused = server.call("PATCH", &path, &alice, json!({ "externalId": "1" })).await.expect(409).json();
    assert_eq!(refused["error"]["details"]["path"], "externalId");
    // The slug is not to blame, and neither is taken away from the other links of the request.
    let links = json!([body("a"), { "destinationUrl": "https://example.com/", "externalId": "2" },
        { "destinationUrl": "https://example.com/", "externalId": "2" }, body("first"), { "destinationUrl": "https://example.com/", "slug": "first" }]);
    let results = server.post("/links/bulk", &alice, json!({ "links": links })).await.expect(200).json();
    let outcome = |index: usize| {
        let result = &results["results"][index];
        result["link"]["externalId"].as_str().or(result["error"]["details"]["path"].as_str()).unwrap().to_owned()
    };
    assert_eq!([0, 1, 2, 3, 4].map(outcome), ["externalId", "2", "externalId", "externalId", "slug"]);
    assert_eq!(database.links().await, 4);
    // It is free once its link has lost it, or is gone.
    let of_first = format!("/links/{}", id(&first));
    server.call("PATCH", &of_first, &alice, json!({ "externalId": null })).await.expect(200);
    server.call("PATCH", &path, &alice, json!({ "externalId": "1" })).await.expect(200);
    assert_eq!(found(&server, &alice, "externalId=1").await, "second");
    server.call("DELETE", &path, &alice, Json::Null).await.expect(204);
    server.call("PATCH", &of_first, &alice, json!({ "externalId": "1" })).await.expect(200);
    assert_eq!(found(&server, &alice, "externalId=1").await, "first");
    assert_eq!(found(&server, &bob, "externalId=1").await, "bobs");
    assert_eq!(found(&server, &bob, "externalId=2").await, "");
}

#[on_each_database]
async fn searches_find_titles_and_notes_in_any_case(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.link_with(&token, "a", json!({ "title": "Übersicht 100 %" })).await;
    server.link_with(&token, "b", json!({ "notes": "Für ÖSTERREICH\nund_die Schweiz" })).await;
    let c = server.link_with(&token, "c", json!({ "title": "Title", "notes": "Österreich" })).await;
    let bob = server.register("bob").await;
    server.link_with(&bob, "d", json!({ "title": "Österreich" })).await;
    for (search, expected) in [
        ("übersicht", "a"),
        ("ÜBERSICHT 100 %25", "a"),
        ("100_%25", ""),
        ("österreich", "cb"),
        ("und_die", "b"),
        ("undXdie", ""),
        ("österreich%0Aund", "b"),
        ("EXAMPLE.com/", "cba"),
        ("titleö", ""),
    ] {
        assert_eq!(found(&server, &token, &format!("search={search}")).await, expected, "{search}");
    }
    // A search finds the changed texts.
    let path = format!("/links/{}", id(&c));
    server.call("PATCH", &path, &token, json!({ "notes": "Graubünden" })).await.expect(200);
    assert_eq!(found(&server, &token, "search=GRAUBÜNDEN").await, "c");
    assert_eq!(found(&server, &token, "search=österreich").await, "b");
    server.call("PATCH", &path, &token, json!({ "notes": null })).await.expect(200);
    assert_eq!(found(&server, &token, "search=graubünden").await, "");
    assert_eq!(found(&server, &token, "search=title").await, "c");
}

#[on_each_database]
async fn each_word_of_a_search_is_found_in_some_field(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.link_with(&token, "a", json!({ "title": "Webinar – Q3 campaign", "tags": ["Newsletter 5%"] })).await;
    server
        .link_with(&token, "b", json!({ "title": "q3", "notes": "a \"webinar\" in\nautumn", "tags": ["Herbst"] }))
        .await;
    server.link_with(&token, "c", json!({ "title": "Q3", "tags": ["WEBINAR"] })).await;
    server.link_with(&token, "webinar", json!({})).await;
    for (search, expected) in [
        ("webinar q3", "cba"),
        ("Q3 Webinar", "cba"),
        ("q3%09example.com/  BIN", "cba"),
        ("q3 campaign", "a"),
        ("\"q3 campaign\"", "a"),
        ("\"campaign q3\"", ""),
        ("\"in%0Aautumn\" herbst", "b"),
        ("newsletter 5%25 webinar", "a"),
        ("\"newsletter 5%25\"", "a"),
        ("\"webinar", "b"),
        ("webinar\"", "b"),
        ("q3 \"", "b"),
        ("q3 missing", ""),
        ("%20", "webinarcba"),
        ("\"\"", "webinarcba"),
    ] {
        assert_eq!(found(&server, &token, &format!("search={search}")).await, expected, "{search}");
        let lines = server.get(&format!("/links/export?format=jsonl&search={search}"), &token).await.expect(200).text;
        assert_eq!(lines.lines().count(), found_links(expected), "{search}");
    }
    let words = |number: usize| (0..number).map(|n| format!("w{n}x")).collect::<Vec<_>>().join("%20");
    server.get(&format!("/links?search={}", words(20)), &token).await.expect(200);
    let refused = server.get(&format!("/links?search={}", words(21)), &token).await.expect(400);
    assert_eq!(refused.violations(), ["search"]);
}

/// The number of links whose slugs are these, one after another.
fn found_links(slugs: &str) -> usize {
    slugs.replace("webinar", "w").len()
}

#[on_each_database]
async fn lists_are_filtered_by_state_and_destination(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let at = |hours: i64| rfc3339(server.clock.now() + hours * HOUR);
    for (slug, more) in [
        ("a", json!({})),
        ("b", json!({ "isActive": false })),
        ("c", json!({ "startsAt": at(1) })),
        ("d", json!({ "expiresAt": at(2) })),
        ("e", json!({ "maxClicks": 2 })),
        ("f", json!({ "isActive": false, "expiresAt": at(1) })),
        ("g", json!({ "maxClicks": 5 })),
    ] {
        server.link_with(&token, slug, more).await;
    }
    for _ in 0..2 {
        server.follow("e").await.expect(302);
    }
    let states = ["ACTIVE", "INACTIVE", "SCHEDULED", "EXPIRED", "USED_UP", "BLOCKED"];
    let check = async |expected: [&str; 6]| {
        for (state, slugs) in states.into_iter().zip(expected) {
            assert_eq!(found(&server, &token, &format!("state={state}")).await, slugs, "{state}");
        }
        let all = server.get("/links", &token).await.expect(200).json();
        for link in all["data"].as_array().unwrap() {
            let slug = link["slug"].as_str().unwrap();
            let place = states.iter().position(|state| link["state"] == **state).unwrap();
            assert!(expected[place].contains(slug), "{link}");
        }
    };
    check(["gda", "fb", "c", "", "e", ""]).await;
    server.clock.advance(2 * HOUR);
    check(["gca", "fb", "", "d", "e", ""]).await;
    crate::support::process::binary(&database, &[], &["links", "block", "http://sho.rt/a", "--reason", "test"]).await;
    crate::support::eventually("the service knows of the block", async || {
        (server.get("/a", "").await.status == 410).then_some(())
    })
    .await;
    check(["gc", "fb", "", "d", "e", "a"]).await;
    assert_eq!(found(&server, &token, "state=ACTIVE&sort=MOST_CLICKED").await, "gc");
    let destination = |url: &str| format!("destinationUrl={url}");
    // The destination is compared as it is stored.
    for (url, expected) in
        [("https://example.com/g", "g"), ("HTTPS://EXAMPLE.com:443/g", "g"), ("https://example.com/", "")]
    {
        assert_eq!(found(&server, &token, &destination(url)).await, expected, "{url}");
    }
    let refused = server.get("/links?destinationUrl=nowhere&state=GONE", &token).await.expect(400);
    assert_eq!(refused.violations(), ["state", "destinationUrl"]);
}

#[on_each_database]
async fn a_link_that_exists_is_answered_and_nothing_is_created(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let bob = server.register("bob").await;
    let url = "https://example.com/same";
    let again = json!({ "destinationUrl": url, "ifExists": "RETURN" });
    // Links of other accounts, inactive links, links that expire and links with a limit are not returned.
    server.link_with(&bob, "bobs", json!({ "destinationUrl": url })).await;
    server.link_with(&token, "off", json!({ "destinationUrl": url, "isActive": false })).await;
    server.link_with(&token, "few", json!({ "destinationUrl": url, "maxClicks": 9 })).await;
    let soon = rfc3339(server.clock.now() + HOUR);
    server.link_with(&token, "ends", json!({ "destinationUrl": url, "expiresAt": soon })).await;
    let first = server.post("/links", &token, again.clone()).await.expect(201).json();
    assert_eq!(database.links().await, 5);
    let events = async || database.all_events().await;
    let before = events().await;
    server.link_with(&token, "younger", json!({ "destinationUrl": url })).await;
    let spelt = json!({ "destinationUrl": "HTTPS://example.com:443/same", "ifExists": "RETURN", "title": "new" });
    for body in [&again, &spelt] {
        assert_eq!(server.post("/links", &token, body.clone()).await.expect(200).json(), first);
    }
    // With a slug, the link that has it, a new one, or the conflict that there is.
    let with = |slug: &str| json!({ "destinationUrl": url, "slug": slug, "ifExists": "RETURN" });
    assert_eq!(server.post("/links", &token, with("younger")).await.expect(200).json()["slug"], "younger");
    server.post("/links", &token, with("bobs")).await.expect(409);
    server.post("/links", &token, with("off")).await.expect(409);
    assert_eq!((database.links().await, events().await), (6, before + 1));
    // In one request as in several: the second is the first, also where that is new, but not where it fails.
    let other = json!({ "destinationUrl": "https://example.com/other", "ifExists": "RETURN" });
    let taken = json!({ "destinationUrl": "https://example.com/third", "slug": "bobs" });
    let third = json!({ "destinationUrl": "https://example.com/third", "ifExists": "RETURN" });
    let links = json!([again, other, other, taken, third, third]);
    let results = server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200).json();
    let link = |index: usize| results["results"][index]["link"]["id"].clone();
    assert_eq!(link(0), first["id"]);
    assert_eq!((link(1) == link(2), link(3), link(4) == link(5)), (true, Json::Null, true));
    assert_eq!((database.links().await, events().await), (8, before + 3));
    let count = database.number("SELECT link_count FROM accounts WHERE link_count > 1").await;
    assert_eq!(count, 7);
}

/// Callers that find or create at the same time get one link.
#[on_each_database]
async fn who_finds_or_creates_at_once_gets_one_link(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let (http, token): (Http, String) = ((*server).clone(), token.clone());
            let body = json!({ "destinationUrl": "https://example.com/once", "ifExists": "RETURN" });
            tokio::spawn(async move { http.post("/links", &token, body).await })
        })
        .collect();
    let (mut ids, mut created) = (BTreeSet::new(), 0);
    for call in calls {
        let answer = call.await.unwrap();
        created += usize::from(answer.status == 201);
        ids.insert(id(&answer.json()).to_owned());
    }
    assert_eq!(created, 1);
    assert_eq!((ids.len(), database.links().await), (1, 1));
}
