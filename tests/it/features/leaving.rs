//! Who deletes an account proves to be its user, and nobody else gets its short links.

use linkgraph::base::clock::{DAY, HOUR, MINUTE};
use sea_orm::{ConnectionTrait, TransactionTrait};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Answer, TestDatabase, TestServer, eventually, limits::LIMITED, receiver::id, stored::stored},
};

const RETIRED: &str = "SELECT count(*) FROM retired_slugs";

async fn create(server: &TestServer, token: &str, slug: &str) -> Answer {
    server.post("/links", token, json!({ "destinationUrl": "https://example.com/new", "slug": slug })).await
}

#[on_each_database]
async fn an_account_is_deleted_with_its_password_alone(database: TestDatabase) {
    let server = database.start_with(&[LIMITED]).await;
    let token = server.register("alice").await;
    let bob = server.register("bob").await;
    server.link(&token, "hers").await;
    let connection = database.connect().await;
    let before = stored(&connection).await;
    let delete = async |body: Json| server.call("DELETE", "/me", &token, body).await;
    let unchanged = async || {
        assert!(before == stored(&connection).await, "a refused deletion changed something");
        server.get("/me", &token).await.expect(200);
    };
    for (body, violation) in [
        (json!({}), "currentPassword"),
        (json!({ "currentPassword": null }), "currentPassword"),
        (json!({ "currentPassword": 1 }), "currentPassword"),
        (json!({ "password": "alice's password" }), "currentPassword"),
    ] {
        let refused = delete(body.clone()).await.expect(400);
        assert_eq!(refused.violations()[0], violation, "{body}");
    }
    assert!(delete(Json::Null).await.status.is_client_error());
    let document = "mutation($input: DeleteMeInput!) { deleteMe(input: $input) }";
    let by_graphql = async |password: &str| {
        server.graphql(&token, document, json!({ "input": { "currentPassword": password } })).await
    };
    unchanged().await;
    // Another user's, an empty one, and guesses over both doors, which are counted together.
    for password in ["bob's password", "", "guess"] {
        let refused = delete(json!({ "currentPassword": password })).await.expect(401);
        assert_eq!(refused.code(), "INVALID_CREDENTIALS", "{password}");
    }
    for _ in 0..2 {
        let refused = by_graphql("guess").await;
        assert_eq!(refused["errors"][0]["extensions"]["code"], "INVALID_CREDENTIALS", "{refused}");
    }
    unchanged().await;
    let right = json!({ "currentPassword": "alice's password" });
    assert_eq!(delete(right.clone()).await.expect(429).code(), "RATE_LIMITED");
    let change = json!({ "password": "another password", "currentPassword": "alice's password" });
    server.call("PATCH", "/me", &token, change).await.expect(429);
    unchanged().await;
    server.clock.advance(16 * MINUTE);
    delete(right).await.expect(204);
    server.get("/me", &token).await.expect(401);
    server.follow("hers").await.expect(404);
    // The other user, over the other door.
    let answer = server.graphql(&bob, document, json!({ "input": { "currentPassword": "bob's password" } })).await;
    assert!(answer["data"]["deleteMe"].is_string(), "{answer}");
    assert_eq!(database.number("SELECT count(*) FROM accounts").await, 0);
    connection.close().await.unwrap();
}

#[on_each_database]
async fn printed_links_do_not_change_hands(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let token = server.register("alice").await;
    let bob = server.register("bob").await;
    server.post("/subdomain", &token, json!({ "subdomain": "alice" })).await.expect(201);
    server.post("/subdomain/activate", &token, Json::Null).await.expect(200);
    let own = json!({ "destinationUrl": "https://example.com/", "slug": "own", "domain": "alice.sho.rt" });
    server.post("/links", &token, own).await.expect(201);
    for slug in ["printed", "Poster"] {
        server.link(&token, slug).await;
    }
    let removed = server.link(&token, "removed").await;
    server.call("DELETE", &format!("/links/{}", id(&removed)), &token, Json::Null).await.expect(204);
    let his = server.link(&bob, "his").await;
    server.leave(&token).await.expect(204);
    // No more than the slugs, of the host that all share.
    let slugs = "SELECT slug FROM retired_slugs ORDER BY lower(slug)";
    assert_eq!(database.texts(slugs).await, ["Poster", "printed"]);
    server.follow("printed").await.expect(404);

    let again = server.register("alice").await;
    let before = database.links().await;
    for token in [&bob, &again] {
        for slug in ["printed", "Poster"] {
            let refused = create(&server, token, slug).await.expect(409);
            assert_eq!(
                (refused.code().as_str(), &refused.json()["error"]["details"]["path"]),
                ("CONFLICT", &json!("slug"))
            );
        }
        let new = |slug: &str| json!({ "destinationUrl": "https://example.com/new", "slug": slug });
        let links =
            json!({ "links": [new("printed"), { "destinationUrl": "https://example.com/bulk" }, new("Poster")] });
        let results = server.post("/links/bulk", token, links).await.expect(200).json()["results"].clone();
        let code = |index: usize| results[index]["error"]["code"].clone();
        assert_eq!((code(0), code(1), code(2)), (json!("CONFLICT"), Json::Null, json!("CONFLICT")), "{results}");
    }
    let path = format!("/links/{}", id(&his));
    let moved = server.call("PATCH", &path, &bob, json!({ "slug": "printed", "title": "x" })).await.expect(409);
    assert_eq!(moved.json()["error"]["details"]["path"], "slug");
    assert_eq!(server.get(&path, &bob).await.json()["title"], Json::Null);
    let data = "keyword,url\nprinted,https://example.com/i\nimported,https://example.com/j\n";
    let import = server.post("/imports", &bob, json!({ "data": data, "source": "YOURLS" })).await.expect(202).json();
    let import = eventually("the import ends", async || {
        let import = server.get(&format!("/imports/{}", id(&import)), &bob).await.expect(200).json();
        (!import["finishedAt"].is_null()).then_some(import)
    })
    .await;
    assert_eq!((&import["created"], &import["failed"]), (&json!(1), &json!(1)), "{import}");
    assert_eq!(database.links().await, before + 3);
    // Another case is another slug, a slug that the user deleted is free, and so are slugs of other hosts.
    for slug in ["poster", "removed", "own"] {
        create(&server, &bob, slug).await.expect(201);
    }

    server.clock.advance(90 * DAY - HOUR);
    let bob = server.login("bob").await;
    create(&server, &bob, "printed").await.expect(409);
    server.clock.advance(2 * HOUR);
    create(&server, &bob, "printed").await.expect(201);
    server.call("PATCH", &path, &bob, json!({ "slug": "Poster" })).await.expect(200);
    server.follow("printed").await.expect(302);
    // The sweep begins with the service.
    let clock = server.clock.clone();
    assert_eq!(database.number(RETIRED).await, 2);
    server.stop().await;
    let _server = database.start_at(&[], clock).await;
    eventually("slugs are forgotten", async || (database.number(RETIRED).await == 0).then_some(())).await;
}

/// An insert that waits for a deletion does not see in its own snapshot what that has retired.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_that_waits_for_the_deletion_does_not_get_the_slug() {
    let database = TestDatabase::postgres().await;
    let server = database.start().await;
    let token = server.register("alice").await;
    let bob = server.register("bob").await;
    server.link(&token, "printed").await;
    let his = server.link(&bob, "his").await;
    let connection = database.connect().await;
    for is_moved in [false, true] {
        let deletion = connection.begin().await.unwrap();
        let now = server.clock.now();
        let retired = format!(
            "INSERT INTO retired_slugs SELECT slug, {now} FROM links WHERE slug = 'printed' \
             ON CONFLICT (slug) DO UPDATE SET retired_at = {now}"
        );
        for statement in [&*retired, "DELETE FROM links WHERE slug = 'printed'"] {
            deletion.execute_unprepared(statement).await.unwrap();
        }
        let waiting = tokio::spawn({
            let (http, bob, path) = (server.http.clone(), bob.clone(), format!("/links/{}", id(&his)));
            async move {
                match is_moved {
                    true => http.call("PATCH", &path, &bob, json!({ "slug": "printed" })).await,
                    false => {
                        http.post("/links", &bob, json!({ "destinationUrl": "https://a.example/", "slug": "printed" }))
                            .await
                    }
                }
            }
        });
        database.waits_for_locks(1).await;
        deletion.commit().await.unwrap();
        let answer = waiting.await.unwrap();
        assert!([409, 503].contains(&answer.status.as_u16()), "{answer:?}");
        assert_eq!(database.number("SELECT count(*) FROM links WHERE slug = 'printed'").await, 0);
        create(&server, &bob, "printed").await.expect(409);
        if !is_moved {
            // For the second round.
            connection.execute_unprepared("DELETE FROM retired_slugs").await.unwrap();
            create(&server, &token, "printed").await.expect(201);
        }
    }
    connection.close().await.unwrap();
    server.stop().await;
}
