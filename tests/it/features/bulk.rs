//! Many links at once: in one request, at the edge of the plan, and by callers that race.

use std::collections::BTreeSet;

use entity::outbox_event;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Answer, Http, TestDatabase},
};

fn link(slug: &str) -> Json {
    json!({ "destinationUrl": format!("https://example.com/{slug}"), "slug": slug })
}

fn links(prefix: &str, number: usize) -> Vec<Json> {
    (0..number).map(|n| link(&format!("{prefix}{n}"))).collect()
}

async fn bulk(http: &Http, token: &str, links: &[Json]) -> Vec<Json> {
    let answer = http.post("/links/bulk", token, json!({ "links": links })).await.expect(200).json();
    let results = answer["results"].as_array().unwrap().clone();
    assert_eq!(results.len(), links.len());
    for result in &results {
        let keys: Vec<_> = result.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["link", "error"]);
        assert!(result["link"].is_null() != result["error"].is_null(), "exactly one is null: {result}");
    }
    results
}

/// The outcome of each link: its slug, or its error's code.
fn outcomes<'a>(results: &'a [Json]) -> Vec<&'a str> {
    let outcome = |result: &'a Json| result["link"]["slug"].as_str().or(result["error"]["code"].as_str()).unwrap();
    results.iter().map(outcome).collect()
}

/// Fills the free plan to this many links.
async fn fill(http: &Http, token: &str, number: usize) {
    for links in links("full", number).chunks(100) {
        assert!(bulk(http, token, links).await.iter().all(|result| result["error"].is_null()));
    }
}

/// The same request many times at once.
async fn at_once(http: &Http, number: usize, token: &str, body: impl Fn(usize) -> Json) -> Vec<Answer> {
    let calls: Vec<_> = (0..number)
        .map(|n| {
            let (http, token, body) = (http.clone(), token.to_owned(), body(n));
            tokio::spawn(async move { http.post("/links", &token, body).await })
        })
        .collect();
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.unwrap());
    }
    answers
}

/// Kind and subject of the recorded facts about links, in order.
async fn facts(database: &TestDatabase) -> Vec<(String, String, Json)> {
    let connection = database.connect().await;
    let events = outbox_event::Entity::find()
        .filter(outbox_event::Column::Kind.starts_with("link."))
        .order_by_asc(outbox_event::Column::Id)
        .all(&connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    let fact = |event: outbox_event::Model| {
        (event.kind, event.subject_id.to_string(), serde_json::from_str(&event.payload).unwrap())
    };
    events.into_iter().map(fact).collect()
}

#[on_each_database]
async fn each_of_several_links_succeeds_or_fails_alone(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.link(&token, "taken").await;
    let sent = [
        link("first"),
        json!({ "slug": "homeless" }),
        json!({ "destinationUrl": "ftp://example.com", "slug": "a b" }),
        link("taken"),
        link("twice"),
        link("twice"),
        link("LINKS"),
        json!({ "destinationUrl": "https://example.com/", "domain": "other.example" }),
        json!({ "destinationUrl": "http://sho.rt/first" }),
        json!({ "destinationUrl": "https://example.com/", "slug": null, "isActive": false }),
        link("last"),
    ];
    let results = bulk(&server, &token, &sent).await;
    let generated = results[9]["link"]["slug"].as_str().unwrap().to_owned();
    assert_eq!(
        outcomes(&results),
        [
            "first",
            "VALIDATION_ERROR",
            "VALIDATION_ERROR",
            "CONFLICT",
            "twice",
            "CONFLICT",
            "VALIDATION_ERROR",
            "NOT_FOUND",
            "VALIDATION_ERROR",
            &generated,
            "last",
        ]
    );
    assert_eq!((generated.len(), &results[9]["link"]["isActive"]), (7, &json!(false)));
    let paths = |result: &Json| -> Vec<String> {
        let violations = result["error"]["validationErrors"].as_array().unwrap();
        violations.iter().map(|violation| violation["path"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(paths(&results[1]), ["destinationUrl"]);
    assert_eq!(paths(&results[2]), ["destinationUrl", "slug"]);
    assert!(paths(&results[3]).is_empty());
    let details = |path: &str| json!({ "path": path, "limit": null, "used": null, "resource": null });
    assert_eq!((&results[1]["error"]["details"], &results[3]["error"]["details"]), (&Json::Null, &details("slug")));
    assert_eq!(results[7]["error"]["details"], details("domain"));
    assert_eq!(results[0]["link"]["shortUrl"], "http://sho.rt/first");
    let id = results[0]["link"]["id"].as_str().unwrap();
    assert_eq!(server.get(&format!("/links/{id}"), &token).await.expect(200).json(), results[0]["link"]);
    assert_eq!(server.follow("last").await.expect(302).header("location"), "https://example.com/last");
    assert_eq!(server.get("/links", &token).await.json()["total"], 5);
}

#[on_each_database]
async fn a_bulk_request_has_1_to_100_links(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    for (sent, paths) in [
        (json!({ "links": [] }), vec!["links"]),
        (json!({ "links": links("many", 101) }), vec!["links"]),
        (json!({}), vec!["links"]),
        (json!({ "links": null }), vec!["links"]),
        (json!({ "links": link("no-list") }), vec!["links"]),
        (json!({ "links": [link("a"), 5, null] }), vec!["links.1", "links.2"]),
        (
            json!({ "links": [{ "destinationUrl": 1, "isActive": "x" }] }),
            vec!["links.0.destinationUrl", "links.0.isActive"],
        ),
    ] {
        let answer = server.post("/links/bulk", &token, sent.clone()).await.expect(400);
        assert_eq!(
            (answer.code().as_str(), answer.violations()),
            ("VALIDATION_ERROR", paths.iter().map(|path| (*path).to_owned()).collect()),
            "{sent}"
        );
    }
    let query = "mutation($input: CreateLinksInput!) { createLinks(input: $input) { results { link { id } } } }";
    for number in [0, 101] {
        let answer = server.graphql(&token, query, json!({ "input": { "links": links("many", number) } })).await;
        let extensions = &answer["errors"][0]["extensions"];
        assert_eq!(
            (&extensions["code"], &extensions["validationErrors"][0]["path"]),
            (&json!("VALIDATION_ERROR"), &json!("links")),
        );
    }
    assert_eq!(server.get("/links", &token).await.json()["total"], 0);
    bulk(&server, &token, &links("many", 100)).await;
    assert_eq!(server.get("/links", &token).await.json()["total"], 100);
}

#[on_each_database]
async fn the_free_plan_ends_at_1000_links(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    fill(&server, &token, 998).await;
    // Over the edge: what fits is created. Links that fail for another reason take nobody's place.
    let sent = [link("full0"), link("a"), json!({}), link("b"), link("c"), link("full1")];
    let expected = ["CONFLICT", "a", "VALIDATION_ERROR", "b", "PLAN_LIMIT_REACHED", "PLAN_LIMIT_REACHED"];
    let results = bulk(&server, &token, &sent).await;
    assert_eq!(outcomes(&results), expected);
    let details = json!({ "path": null, "limit": 1_000, "used": 1_000, "resource": "links" });
    assert_eq!(results[5]["error"]["details"], details);
    let answer = server.post("/links", &token, link("more")).await.expect(403);
    assert_eq!(answer.code(), "PLAN_LIMIT_REACHED");
    assert_eq!(answer.json()["error"]["details"], json!({ "limit": 1_000, "used": 1_000, "resource": "links" }));
    server.follow("more").await.expect(404);
    // Another account has a limit of its own.
    let bob = server.register("bob").await;
    server.link(&bob, "bobs").await;
    // A deleted link frees its place: for one, whoever comes first.
    let page = server.get("/links?search=full7&pageSize=1", &token).await.expect(200).json();
    let path = format!("/links/{}", page["data"][0]["id"].as_str().unwrap());
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    let answers = at_once(&server, 16, &token, |n| link(&format!("race{n}"))).await;
    let created = answers.iter().filter(|answer| answer.status == 201).count();
    let refused = answers.iter().filter(|answer| answer.status == 403 && answer.code() == "PLAN_LIMIT_REACHED").count();
    assert_eq!((created, refused), (1, 15));
    assert_eq!(server.get("/links", &token).await.json()["total"], 1_000);
    assert_eq!(
        server.get("/links?search=example", &token).await.expect(200).json()["total"],
        1_000,
        "the kept count is true"
    );
}

#[on_each_database]
async fn one_of_many_racing_creates_gets_the_slug(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let body = |n| json!({ "destinationUrl": format!("https://example.com/{n}"), "slug": "wanted" });
    let answers = at_once(&server, 32, &token, body).await;
    let winners: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert_eq!(winners.len(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.status == 409 && answer.code() == "CONFLICT").count(), 31);
    assert_eq!(server.follow("wanted").await.header("location"), winners[0].json()["destinationUrl"]);
    assert_eq!(server.get("/links", &token).await.json()["total"], 1);
}

/// Changes of one link wait for each other: none undoes another, and none meets a link that is half gone.
#[on_each_database]
async fn changes_of_one_link_at_once_are_all_kept(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    for round in 0..30 {
        let path = format!("/links/{}", server.link(&token, &format!("many{round}")).await["id"].as_str().unwrap());
        let slug = format!("renamed{round}");
        let changes =
            [json!({ "isActive": false }), json!({ "slug": slug }), json!({ "destinationUrl": "https://b.example/" })];
        let changing: Vec<_> = changes
            .into_iter()
            .map(|change| {
                let (http, token, path) = (server.http.clone(), token.clone(), path.clone());
                tokio::spawn(async move { http.call("PATCH", &path, &token, change).await.expect(200) })
            })
            .collect();
        for change in changing {
            change.await.unwrap();
        }
        let link = server.get(&path, &token).await.expect(200).json();
        let kept = json!([link["isActive"], link["slug"], link["destinationUrl"]]);
        assert_eq!(kept, json!([false, slug, "https://b.example/"]), "round {round}");

        let rename = json!({ "slug": format!("gone{round}"), "isActive": true });
        let (renamed, deleted, again) = tokio::join!(
            server.call("PATCH", &path, &token, rename),
            server.call("DELETE", &path, &token, Json::Null),
            server.call("DELETE", &path, &token, Json::Null),
        );
        assert!(renamed.status == 200 || renamed.status == 404, "{renamed:?}");
        let mut statuses = [deleted.status.as_u16(), again.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 404]);
        server.follow(&format!("gone{round}")).await.expect(404);
    }
    assert_eq!(server.get("/links", &token).await.json()["total"], 0);
}

/// A fact is recorded exactly if the change is.
#[on_each_database]
async fn every_committed_change_is_one_recorded_fact(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let one = server.link(&token, "one").await;
    let path = format!("/links/{}", one["id"].as_str().unwrap());
    server.post("/links", &token, link("one")).await.expect(409);
    server.post("/links", &token, json!({ "destinationUrl": "nonsense" })).await.expect(400);
    let results = bulk(&server, &token, &[link("two"), link("one"), json!({}), link("three")]).await;
    let changed = server.call("PATCH", &path, &token, json!({ "slug": "four" })).await.expect(200).json();
    server.call("PATCH", &path, &token, json!({ "slug": "two" })).await.expect(409);
    server.call("PATCH", &path, &token, json!({ "slug": "a b" })).await.expect(400);
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    server.call("DELETE", &path, &token, Json::Null).await.expect(404);
    bulk(&server, &token, &[link("two")]).await;
    at_once(&server, 8, &token, |_| link("raced")).await;
    let facts = facts(&database).await;
    let kinds: Vec<&str> = facts.iter().map(|(kind, ..)| kind.as_str()).collect();
    let expected = ["link.created", "link.created", "link.created", "link.updated", "link.deleted", "link.created"];
    assert_eq!(kinds, expected);
    let ids = |facts: &[(String, String, Json)]| facts.iter().map(|(_, id, _)| id.clone()).collect::<BTreeSet<_>>();
    let id = |link: &Json| link["id"].as_str().unwrap().to_owned();
    assert_eq!(ids(&facts[1..3]), BTreeSet::from([id(&results[0]["link"]), id(&results[3]["link"])]));
    assert_eq!((&facts[0].2, &facts[3].2, &facts[4].2), (&one, &changed, &changed), "the link as the API shows it");
}
