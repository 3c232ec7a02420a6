//! Tags: given to links, counted, renamed, merged and deleted.

use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Http, TestDatabase, receiver::id},
};

async fn create(http: &Http, token: &str, slug: &str, tags: Json) -> Json {
    let body = json!({ "destinationUrl": format!("https://example.com/{slug}"), "slug": slug, "tags": tags });
    http.post("/links", token, body).await.expect(201).json()
}

/// Names of the account's tags with the number of their links.
async fn counts(http: &Http, token: &str, query: &str) -> Vec<String> {
    let page = http.get(&format!("/tags?{query}"), token).await.expect(200).json();
    let count = |tag: &Json| format!("{} {}", tag["name"].as_str().unwrap(), tag["linkCount"]);
    page["data"].as_array().unwrap().iter().map(count).collect()
}

async fn tag(http: &Http, token: &str, name: &str) -> Json {
    let page = http.get(&format!("/tags?search={name}"), token).await.expect(200).json();
    page["data"].as_array().unwrap().iter().find(|tag| tag["name"] == name).unwrap().clone()
}

/// Slugs of the links that a list has.
async fn found(http: &Http, token: &str, query: &str) -> String {
    let page = http.get(&format!("/links?{query}"), token).await.expect(200).json();
    assert_eq!(page["total"], page["data"].as_array().unwrap().len(), "{query}: {page}");
    page["data"].as_array().unwrap().iter().map(|link| link["slug"].as_str().unwrap()).collect()
}

/// The counts of the triggers equal the rows.
async fn is_counted(database: &TestDatabase) {
    let wrong = "SELECT count(*) FROM tags WHERE link_count <> (SELECT count(*) FROM link_tags WHERE tag_id = tags.id)";
    assert_eq!(database.number(wrong).await, 0);
}

#[on_each_database]
async fn links_get_tags_and_tags_count_links(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let first = create(&server, &alice, "a", json!(["Spring", "poster "])).await;
    assert_eq!(first["tags"], json!(["poster", "Spring"]));
    // A name is that of the tag that there is, whatever its case, and counts once.
    let second = create(&server, &alice, "b", json!(["SPRING", "spring", "Ärger"])).await;
    assert_eq!(second["tags"], json!(["Spring", "Ärger"]));
    create(&server, &bob, "c", json!(["spring"])).await;
    assert_eq!(counts(&server, &alice, "").await, ["poster 1", "Spring 2", "Ärger 1"]);
    assert_eq!(counts(&server, &alice, "search=ÄR").await, ["Ärger 1"]);
    assert_eq!(counts(&server, &alice, "search=%25").await, [""; 0]);
    assert_eq!(counts(&server, &bob, "").await, ["spring 1"]);
    // All of them take the place of those before; absent, they stay.
    let path = format!("/links/{}", id(&first));
    let patch = async |body: Json| server.call("PATCH", &path, &alice, body).await.expect(200).json()["tags"].clone();
    assert_eq!(patch(json!({ "title": "x" })).await, json!(["poster", "Spring"]));
    assert_eq!(patch(json!({ "tags": ["ärger", "new"] })).await, json!(["new", "Ärger"]));
    assert_eq!(counts(&server, &alice, "").await, ["new 1", "poster 0", "Spring 1", "Ärger 2"]);
    assert_eq!(patch(json!({ "tags": [] })).await, json!([]));
    assert_eq!(patch(json!({ "tags": ["Spring"] })).await, json!(["Spring"]));
    // The same through GraphQL.
    let query = "{ links(tags: [\"SPRING\"], sort: OLDEST) { data { slug tags } total } tags { data { name linkCount } total } }";
    let answer = server.graphql(&alice, query, json!({})).await;
    let expected = json!({ "data": [{ "slug": "a", "tags": ["Spring"] }, { "slug": "b", "tags": ["Spring", "Ärger"] }], "total": 2 });
    assert_eq!(answer["data"]["links"], expected, "{answer}");
    assert_eq!(answer["data"]["tags"]["total"], 4);
    is_counted(&database).await;
    // With their links tags lose their counts, and with the account all goes.
    server.call("DELETE", &path, &alice, Json::Null).await.expect(204);
    server.post("/links/bulk/delete", &alice, json!({ "ids": [id(&second)] })).await.expect(200);
    assert_eq!(counts(&server, &alice, "").await, ["new 0", "poster 0", "Spring 0", "Ärger 0"]);
    is_counted(&database).await;
    server.leave(&bob).await.expect(204);
    assert_eq!(database.number("SELECT count(*) FROM tags").await, 4, "Alice's");
}

#[on_each_database]
async fn lists_and_searches_find_links_by_tags(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let bob = server.register("bob").await;
    create(&server, &bob, "z", json!(["red", "blue"])).await;
    for (slug, tags) in [
        ("a", json!(["red"])),
        ("b", json!(["red", "blue"])),
        ("c", json!(["blue"])),
        ("d", json!([])),
        ("e", json!(["Übrig"])),
    ] {
        create(&server, &token, slug, tags).await;
    }
    for (query, expected) in [
        ("tags=red", "ba"),
        ("tags=RED&tags=blue", "b"),
        ("tags=red&tags=red&sort=OLDEST", "ab"),
        ("tags=red&tags=green", ""),
        ("tags=green", ""),
        ("search=blue", "cb"),
        ("search=übr", "e"),
        ("search=example&tags=blue&sort=MOST_CLICKED", "cb"),
        ("tags=red&isActive=false", ""),
    ] {
        assert_eq!(found(&server, &token, query).await, expected, "{query}");
    }
}

#[on_each_database]
async fn tags_are_created_renamed_merged_and_deleted(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let bob = server.register("bob").await;
    let created = server.post("/tags", &token, json!({ "name": "Later" })).await.expect(201);
    let later = created.json();
    assert_eq!(server.get(created.header("location"), &token).await.expect(200).json(), later);
    for (slug, tags) in [("a", json!(["red", "rot"])), ("b", json!(["rot"])), ("c", json!(["red"]))] {
        create(&server, &token, slug, tags).await;
    }
    create(&server, &bob, "z", json!(["rot"])).await;
    let (red, rot, of_bob) =
        (tag(&server, &token, "red").await, tag(&server, &token, "rot").await, tag(&server, &bob, "rot").await);
    let path = |tag: &Json| format!("/tags/{}", id(tag));
    // A change of case is a rename; the name of another tag is a conflict, which changes nothing.
    let renamed = server.call("PATCH", &path(&rot), &token, json!({ "name": "ROT" })).await.expect(200).json();
    assert_eq!((&renamed["name"], &renamed["linkCount"]), (&json!("ROT"), &json!(2)));
    let refused = server.call("PATCH", &path(&rot), &token, json!({ "name": "Red" })).await.expect(409).json();
    assert_eq!(refused["error"]["details"]["path"], "name");
    server.post("/tags", &token, json!({ "name": "RED" })).await.expect(409);
    assert_eq!(counts(&server, &token, "").await, ["Later 0", "red 2", "ROT 2"]);
    // Merged, a link that had both has one.
    let merge = async |tag: &Json, into: &Json| {
        server.post(&format!("{}/merge", path(tag)), &token, json!({ "into": into["id"] })).await
    };
    assert_eq!(merge(&rot, &rot).await.expect(400).violations(), ["into"]);
    let unknown = merge(&rot, &of_bob).await.expect(404).json();
    assert_eq!(unknown["error"]["details"]["path"], "into");
    merge(&of_bob, &rot).await.expect(404);
    assert_eq!(counts(&server, &token, "").await, ["Later 0", "red 2", "ROT 2"]);
    let merged = merge(&rot, &red).await.expect(200).json();
    assert_eq!((&merged["id"], &merged["linkCount"]), (&red["id"], &json!(3)));
    assert_eq!(counts(&server, &token, "").await, ["Later 0", "red 3"]);
    assert_eq!(found(&server, &token, "tags=red").await, "cba");
    server.get(&path(&rot), &token).await.expect(404);
    server.call("DELETE", &path(&of_bob), &token, Json::Null).await.expect(404);
    server.call("DELETE", &path(&red), &token, Json::Null).await.expect(204);
    assert_eq!(found(&server, &token, "").await, "cba");
    assert_eq!(
        (counts(&server, &token, "").await, counts(&server, &bob, "").await),
        (vec!["Later 0".to_owned()], vec!["rot 1".to_owned()])
    );
    is_counted(&database).await;
}

#[on_each_database]
async fn many_links_get_and_lose_tags_at_once(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let full: Vec<String> = (0..20).map(|n| format!("t{n:02}")).collect();
    let links = [
        create(&server, &token, "a", json!(["red"])).await,
        create(&server, &token, "b", json!([])).await,
        create(&server, &token, "c", json!(full)).await,
    ];
    let ids: Vec<&str> = links.iter().map(id).collect();
    let body = json!({ "ids": ids, "change": { "addTags": ["Blue", "red"], "removeTags": ["t00"] } });
    let answer = server.call("PATCH", "/links/bulk", &token, body).await.expect(200).json();
    let tags = |index: usize| answer["results"][index]["link"]["tags"].clone();
    assert_eq!((tags(0), tags(1)), (json!(["Blue", "red"]), json!(["Blue", "red"])));
    // It has room for one more only: it is left as it was.
    assert_eq!(answer["results"][2]["error"]["validationErrors"][0]["path"], "addTags", "{answer}");
    assert_eq!(found(&server, &token, "tags=t00").await, "c");
    let body = json!({ "ids": ids, "change": { "removeTags": ["RED", "unknown"] } });
    server.call("PATCH", "/links/bulk", &token, body).await.expect(200);
    assert_eq!(found(&server, &token, "tags=blue").await, "ba");
    assert_eq!(found(&server, &token, "tags=red").await, "");
    assert_eq!(counts(&server, &token, "search=unknown").await, [""; 0], "what is taken away is not created");
    is_counted(&database).await;
}

#[on_each_database]
async fn a_wrong_tag_is_refused_and_makes_no_tag(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let link = create(&server, &token, "a", json!([])).await;
    let many: Vec<String> = (0..21).map(|n| n.to_string()).collect();
    for (tags, path) in [
        (json!([""]), "tags.0"),
        (json!(["ok", " x"]), "tags.1"),
        (json!(["a,b"]), "tags.0"),
        (json!(["a\nb"]), "tags.0"),
        (json!(["x".repeat(51)]), "tags.0"),
        (json!(many), "tags"),
        (json!("x"), "tags"),
        (json!([null]), "tags.0"),
    ] {
        let new = json!({ "destinationUrl": "https://example.com/", "tags": tags });
        assert_eq!(server.post("/links", &token, new.clone()).await.expect(400).violations(), [path], "{tags}");
        let change = server.call("PATCH", &format!("/links/{}", id(&link)), &token, json!({ "tags": tags })).await;
        assert_eq!(change.expect(400).violations(), [path], "{tags}");
        if tags.is_array() && !tags[0].is_null() {
            let bulk = server.post("/links/bulk", &token, json!({ "links": [new] })).await.expect(200).json();
            assert_eq!(bulk["results"][0]["error"]["validationErrors"][0]["path"], path, "{bulk}");
        }
    }
    // A link that is not stored makes no tag either, nor does one that asks for more than the account may have.
    let taken = json!({ "destinationUrl": "https://example.com/", "slug": "a", "tags": ["unused"] });
    server.post("/links", &token, taken).await.expect(409);
    for name in ["a,b", "", "x\0"] {
        assert_eq!(server.post("/tags", &token, json!({ "name": name })).await.expect(400).violations(), ["name"]);
    }
    assert_eq!(database.number("SELECT count(*) FROM tags").await, 0);
    let reader = server.api_key(&token, &["links:read"]).await;
    server.post("/api/v1/tags", &reader, json!({ "name": "x" })).await.expect(403);
    assert_eq!(database.number("SELECT count(*) FROM tags").await, 0);
}
