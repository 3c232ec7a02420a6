//! Idempotency keys: a request that is sent again gets the answer again, to the caller that it belongs to, and nothing is made
//! twice.

use linkgraph::{
    api::rest::{operation::method_name, selection::to_text},
    base::clock::{Clock, DAY, HOUR, MINUTE},
    platform::auth::{access::EntryPoint, scope::Scope},
};
use reqwest::Method;
use sea_orm::{ConnectionTrait, TransactionTrait};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, TestServer, eventually,
        idempotency::{assert_replayed, is_replayed, new_link},
        noon,
    },
};

const KEYS: &str = "SELECT count(*) FROM idempotency_keys";
/// Events of changes that requests make: an import ends some time after its request.
const EVENTS: &str = "SELECT count(*) FROM outbox_events WHERE kind <> 'import.finished'";

impl Http {
    /// A GraphQL request with an idempotency key.
    async fn graphql_once(&self, credential: &str, key: &Json, query: &str, variables: &Json) -> Answer {
        let extensions = json!({ "idempotencyKey": key });
        self.post("/graphql", credential, json!({ "query": query, "variables": variables, "extensions": extensions }))
            .await
    }
}

/// The input of an operation, as the documents have it; `name` is one that nothing has.
fn example(document: &Json, path: &str, name: &str) -> Json {
    let mut body = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["example"].clone();
    let named = [("slug", name.to_owned()), ("subdomain", name.to_owned()), ("domain", format!("{name}.example.com"))];
    for (field, text) in named {
        if !body[field].is_null() && (field != "domain" || path.ends_with("/domains")) {
            body[field] = text.into();
        }
    }
    if path.ends_with("/annotations") || path.ends_with("/reports") {
        // The example's link is nobody's.
        body["linkId"] = Json::Null;
    }
    for (number, link) in body.get_mut("links").and_then(Json::as_array_mut).into_iter().flatten().enumerate() {
        link["slug"] = format!("{name}-{number}").into();
    }
    body
}

async fn all_scopes(server: &Http, token: &str) -> String {
    server.api_key(token, &Scope::ALL.iter().map(|scope| scope.as_str()).collect::<Vec<_>>()).await
}

async fn settings(database: &TestDatabase) -> TestServer {
    database.start_with(&[("LINKGRAPH_BILLING_SANDBOX", "true"), ("LINKGRAPH_DEFAULT_PLAN", "pro")]).await
}

/// The test knows no operation by name: whatever the schema calls idempotent is so.
#[on_each_database]
async fn each_idempotent_operation_answers_again_over_rest(database: TestDatabase) {
    let server = settings(&database).await;
    let document = server.get("/openapi.json", "").await.json();
    let mut sent = 0;
    for operation in server.api().plan.operations.iter().filter(|operation| operation.is_idempotent) {
        sent += 1;
        let (path, name) = (&operation.path, format!("name{sent}"));
        // Each has an account of its own, so that none is in another's way.
        let token = server.register(&name).await;
        let is_public = operation.entry_point == EntryPoint::PublicApi;
        let credential = if is_public { all_scopes(&server, &token).await } else { token };
        assert_eq!(method_name(operation.method), "POST");
        let described = &document["paths"][path]["post"];
        let mut parameters = described["parameters"].as_array().unwrap().iter();
        assert!(parameters.any(|parameter| parameter["name"] == "Idempotency-Key"), "{path}");
        assert!(!described["responses"]["409"].is_null() && !described["responses"]["422"].is_null(), "{path}");
        let body = example(&document, path, &name);
        let first = server.post_once(path, &credential, "k", &body).await.expect(operation.status);
        let made = (database.number(KEYS).await, database.number(EVENTS).await);
        let second = server.post_once(path, &credential, "\"k\"", &body).await;
        assert_replayed(&first, &second);
        assert_eq!((database.number(KEYS).await, database.number(EVENTS).await), made, "{path}");
        assert_eq!(made.0, sent);
        // Each field that is shown is stored.
        assert!(first.text.len() > 50, "{path}: {first:?}");
    }
    assert!(sent >= 11, "{sent}");
}

#[on_each_database]
async fn each_idempotent_operation_answers_again_over_graphql(database: TestDatabase) {
    let server = settings(&database).await;
    let document = server.get("/openapi.json", "").await.json();
    let mut sent = 0;
    for root in server.api().contract.operations.iter().filter(|root| root.is_idempotent) {
        sent += 1;
        let (field, name) = (&root.field.name, format!("name{sent}"));
        let token = server.register(&name).await;
        let mut operations = server.api().plan.operations.iter();
        let operation = operations.find(|operation| operation.field.name == *field).unwrap();
        let variables = json!({ "input": example(&document, &operation.path, &name) });
        let input = &root.field.arguments[0].ty;
        let query =
            format!("mutation($input: {input}) {{ made: {field}(input: $input){} }}", to_text(&operation.selection));
        let first = server.graphql_once(&token, &json!("k"), &query, &variables).await.expect(200);
        let events = database.number(EVENTS).await;
        let second = server.graphql_once(&token, &json!("k"), &query, &variables).await.expect(200);
        let whole = first.text.strip_suffix('}').unwrap();
        assert!(whole.starts_with("{\"data\":{\"made\":{"), "{field}: {first:?}");
        assert_eq!(second.text, format!("{whole},\"extensions\":{{\"idempotencyReplayed\":true}}}}"), "{field}");
        assert_eq!(database.number(EVENTS).await, events, "{field}");
        let mut socket = server.socket(&token).await;
        let payload = json!({ "query": query, "variables": variables, "extensions": { "idempotencyKey": "k" } });
        socket.say(json!({ "type": "subscribe", "id": "1", "payload": payload })).await;
        let heard = socket.hear().await;
        assert_eq!(heard["payload"], second.json(), "{field}");
    }
    assert!(sent >= 6, "{sent}");
    assert_eq!(database.number(KEYS).await, sent);
}

/// Another request is one that asks for something else, and not one that is written otherwise.
#[on_each_database]
async fn another_request_with_the_key_is_refused_and_changes_nothing(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let text = async |path: &str, key: &str, body: &str| {
        let request = server.request(Method::POST, path).bearer_auth(&token).header("idempotency-key", key);
        server.send(request.header("content-type", "application/json").body(body.to_owned())).await
    };
    let first = text("/links", "k", r#"{"slug":"one","destinationUrl":"https://example.com/"}"#).await.expect(201);
    let same = "{ \"destinationUrl\": \"https:\\/\\/example.com\\/\",\n \"slug\": \"one\" }";
    assert_replayed(&first, &text("/links?unknown=1", "k", same).await);
    for (path, body) in [
        ("/links", r#"{"slug":"two","destinationUrl":"https://example.com/"}"#),
        ("/links", r#"{"slug":"one","destinationUrl":"https://example.com/","isActive":true}"#),
        ("/links?fields=id", same),
        ("/links/bulk", r#"{"links":[{"slug":"two","destinationUrl":"https://example.com/"}]}"#),
        ("/api-keys", r#"{"name":"two","scopes":[]}"#),
    ] {
        let refused = text(path, "k", body).await.expect(422);
        assert_eq!(refused.code(), "IDEMPOTENCY_KEY_REUSED");
        assert_eq!(refused.json()["error"]["details"], json!({ "path": "Idempotency-Key" }));
    }

    let variables = json!({ "input": new_link("three") });
    let query = "mutation($input: CreateLinkInput!) { createLink(input: $input) { id shortUrl } }";
    let first = server.graphql_once(&token, &json!("g"), query, &variables).await.json();
    for (same, variables) in [
        (
            "mutation Named($new: CreateLinkInput!) { # a remark\n createLink(input: $new) { ...f } } fragment f on Link { id shortUrl }",
            json!({ "new": { "slug": "three", "destinationUrl": "https://example.com/" } }),
        ),
        (
            "mutation { createLink(input: { slug: \"three\", destinationUrl: \"https://example.com/\" }) { id shortUrl id @skip(if: true) } }",
            json!({}),
        ),
    ] {
        let again = server.graphql_once(&token, &json!("g"), same, &variables).await.json();
        assert_eq!((&again["data"], &again["extensions"]["idempotencyReplayed"]), (&first["data"], &json!(true)));
    }
    for other in [
        "mutation($input: CreateLinkInput!) { createLink(input: $input) { shortUrl id } }",
        "mutation($input: CreateLinkInput!) { other: createLink(input: $input) { id shortUrl } }",
        "mutation { createLink(input: { slug: \"four\", destinationUrl: \"https://example.com/\" }) { id shortUrl } }",
    ] {
        let refused = server.graphql_once(&token, &json!("g"), other, &variables).await.json();
        let extensions = &refused["errors"][0]["extensions"];
        assert_eq!(
            (&extensions["code"], &extensions["details"]),
            (&json!("IDEMPOTENCY_KEY_REUSED"), &json!({ "path": "extensions.idempotencyKey" }))
        );
    }
    // The same text through the other entry point asks for another answer.
    assert_eq!(text("/links", "g", &new_link("three").to_string()).await.expect(422).code(), "IDEMPOTENCY_KEY_REUSED");
    assert_eq!((database.links().await, database.number(KEYS).await), (2, 2));
    assert_eq!(database.number("SELECT count(*) FROM api_keys").await, 0);
}

/// The account has one space of keys, and each caller reads its own answers in it.
#[on_each_database]
async fn an_answer_is_for_the_caller_that_got_it(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "pro")]).await;
    let (ada, bob) = (server.register("ada").await, server.register("bob").await);
    let body = json!({ "name": "ci", "scopes": ["links:read"] });
    let first = server.post_once("/api-keys", &ada, "k", &body).await.expect(201);
    // Another account's key is another key.
    let other = server.post_once("/api-keys", &bob, "k", &body).await.expect(201);
    assert!(!is_replayed(&other));
    assert_ne!(other.json()["key"], first.json()["key"]);
    // Another login of the user is the same caller.
    assert_replayed(&first, &server.post_once("/api-keys", &server.login("ada").await, "k", &body).await);

    let manager = server.api_key(&ada, &["api-keys:manage", "links:read", "links:write"]).await;
    let equal = server.api_key(&ada, &["api-keys:manage", "links:read", "links:write"]).await;
    let narrow = server.api_key(&ada, &["links:read"]).await;
    let by_key = server.post_once("/api-keys", &manager, "m", &body).await.expect(201);
    assert_replayed(&by_key, &server.post_once("/api-keys", &manager, "m", &body).await);
    for credential in [&equal, &ada] {
        let refused = server.post_once("/api-keys", credential, "m", &body).await.expect(422);
        assert_eq!(refused.code(), "IDEMPOTENCY_KEY_REUSED");
        assert!(!refused.text.contains("lg_live_"));
    }
    let refused = server.post_once("/api-keys", &narrow, "m", &body).await.expect(403);
    assert_eq!(refused.json()["error"]["details"], json!({ "scope": "api-keys:manage" }));
    server.post_once("/api-keys", "", "m", &body).await.expect(401);
    let query = "mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }";
    let refused = server.graphql_once(&narrow, &json!("m"), query, &json!({ "input": body })).await;
    assert!(refused.text.contains("FORBIDDEN") && !refused.text.contains("lg_live_"), "{refused:?}");

    let keys = server.get("/api-keys?pageSize=100", &ada).await.json();
    let id = keys["data"].as_array().unwrap().iter().find(|key| manager.starts_with(key["prefix"].as_str().unwrap()));
    let id = id.unwrap()["id"].as_str().unwrap().to_owned();
    server.call("DELETE", &format!("/api-keys/{id}"), &ada, Json::Null).await.expect(204);
    server.post_once("/api-keys", &manager, "m", &body).await.expect(401);
    assert_eq!(database.number("SELECT count(*) FROM api_keys").await, 6);
}

#[on_each_database]
async fn no_key_and_no_secret_of_an_answer_is_stored_as_it_is(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let made_up = "an-idempotency-key-that-is-made-up";
    let body = json!({ "name": "a name of a key", "scopes": [] });
    let created = server.post_once("/api-keys", &token, made_up, &body).await.expect(201);
    let secret = created.json()["key"].as_str().unwrap().to_owned();
    let stored = database.everything_stored().await;
    let holds = |text: &str| {
        let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        [text, &hex].iter().any(|text| stored.windows(text.len()).any(|part| part == text.as_bytes()))
    };
    assert!(holds("a name of a key"), "the test looks at the wrong place");
    assert!(!holds(&secret) && !holds(made_up));
    let answers = "SELECT count(*) FROM idempotency_keys WHERE length(answer) BETWEEN 100 AND 1000";
    assert_eq!(database.number(answers).await, 1);
}

#[on_each_database]
async fn a_refusal_leaves_nothing_and_its_key_is_free(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let taken = server.link(&token, "taken").await;
    let id = taken["id"].as_str().unwrap();
    for (body, status) in [
        (json!({ "destinationUrl": "ftp://example.com" }), 400),
        (new_link("links"), 400),
        (json!({ "destinationUrl": "https://example.com/", "domain": "unknown.example.com" }), 404),
        (new_link("taken"), 409),
    ] {
        let refused = server.post_once("/links", &token, "k", &body).await.expect(status);
        assert_eq!((is_replayed(&refused), refused.header("retry-after")), (false, ""));
    }
    let none = json!({ "links": [new_link("taken"), new_link("a b")] });
    let failed = server.post_once("/links/bulk", &token, "k", &none).await.expect(200);
    assert!(failed.json()["results"][1]["link"].is_null());
    assert_eq!((database.number(KEYS).await, database.links().await), (0, 1));
    server.call("DELETE", &format!("/links/{id}"), &token, Json::Null).await.expect(204);
    let made = server.post_once("/links", &token, "k", &new_link("taken")).await.expect(201);
    assert_replayed(&made, &server.post_once("/links", &token, "k", &new_link("taken")).await);
    // The answer outlives the link.
    server.call("DELETE", made.header("location"), &token, Json::Null).await.expect(204);
    assert_replayed(&made, &server.post_once("/links", &token, "k", &new_link("taken")).await);
    assert_eq!(database.links().await, 0);

    let some = json!({ "links": [new_link("one"), new_link("a b"), new_link("one"), new_link("two")] });
    let made = server.post_once("/links/bulk", &token, "b", &some).await.expect(200);
    assert_eq!(made.json()["results"][2]["error"]["details"]["path"], "slug");
    assert_replayed(&made, &server.post_once("/links/bulk", &token, "b", &some).await);
    assert_eq!(database.links().await, 2);
}

#[on_each_database]
async fn a_key_where_it_means_nothing_is_refused_or_ignored(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let long = "k".repeat(256);
    for key in [&long, "\"open", "\"\"", "\u{e4}"] {
        let request = server.request(Method::POST, "/links").bearer_auth(&token).json(&new_link("one"));
        let refused = server.send(request.header("idempotency-key", key.as_bytes())).await.expect(400);
        assert_eq!(refused.violations(), ["Idempotency-Key"]);
    }
    let twice = server.request(Method::POST, "/links").bearer_auth(&token).header("idempotency-key", "a");
    let refused = server.send(twice.header("idempotency-key", "a").json(&new_link("one"))).await.expect(400);
    assert_eq!(refused.violations(), ["Idempotency-Key"]);
    assert_eq!(database.links().await, 0);
    let path = format!("/links/{}", server.link(&token, "one").await["id"].as_str().unwrap());
    // Other operations ignore the header, and so does GraphQL.
    for (method, path, body) in [
        (Method::GET, "/links", Json::Null),
        (Method::PATCH, &*path, json!({ "isActive": false })),
        (Method::PATCH, &path, json!({ "isActive": true })),
        (Method::POST, "/graphql", json!({ "query": "{ me { id } }" })),
    ] {
        let request = server.request(method, path).bearer_auth(&token).header("idempotency-key", "\"open");
        server.send(request.json(&body)).await.expect(200);
    }
    let create = "createLink(input: { destinationUrl: \"https://example.com/\" }) { id }";
    for (query, key) in [
        ("{ me { id } }".to_owned(), json!("k")),
        (format!("mutation {{ {create} }}"), json!("")),
        (format!("mutation {{ {create} }}"), json!(7)),
        (format!("mutation {{ {create} }}"), json!(long)),
        (format!("mutation {{ a: {create} b: {create} }}"), json!("k")),
        (format!("mutation {{ {create} __typename }}"), json!("k")),
        ("mutation { updateMe(input: { name: \"x\" }) { accessToken } }".to_owned(), json!("k")),
    ] {
        let answer = server.graphql_once(&token, &key, &query, &json!({})).await.json();
        let extensions = &answer["errors"][0]["extensions"];
        assert_eq!(extensions["code"], "VALIDATION_ERROR", "{query}: {answer}");
        assert_eq!(extensions["validationErrors"][0]["path"], "extensions.idempotencyKey", "{query}");
    }
    let made = server.graphql_once(&token, &Json::Null, &format!("mutation {{ {create} }}"), &json!({})).await;
    assert!(made.text.starts_with("{\"data\""), "{made:?}");
    assert_eq!((database.links().await, database.number(KEYS).await), (2, 0));
}

#[on_each_database]
async fn a_key_is_known_for_a_day_and_deleted_then(database: TestDatabase) {
    let clock = Clock::default();
    let server = database.start_at(&[], clock.clone()).await;
    let token = server.register("ada").await;
    let key = server.api_key(&token, &["links:write"]).await;
    let body = json!({ "destinationUrl": "https://example.com/" });
    let first = server.post_once("/api/v1/links", &key, "k", &body).await.expect(201);
    server.clock.advance(DAY - MINUTE);
    assert_replayed(&first, &server.post_once("/api/v1/links", &key, "k", &body).await);
    server.clock.advance(MINUTE);
    let anew = server.post_once("/api/v1/links", &key, "k", &body).await.expect(201);
    assert!(!is_replayed(&anew));
    assert_ne!(anew.json()["id"], first.json()["id"]);
    assert_replayed(&anew, &server.post_once("/api/v1/links", &key, "k", &body).await);
    assert_eq!((database.links().await, database.number(KEYS).await), (2, 1));
    server.clock.advance(HOUR);
    server.post_once("/api/v1/links", &key, "later", &body).await.expect(201);
    server.stop().await;
    // The sweep begins with the service.
    clock.advance(DAY - HOUR);
    let server = database.start_at(&[], clock.clone()).await;
    eventually("the older one is deleted", async || (database.number(KEYS).await == 1).then_some(())).await;
    server.stop().await;
    clock.advance(2 * HOUR);
    let _server = database.start_at(&[], clock).await;
    let left = "SELECT (SELECT count(*) FROM idempotency_keys) + (SELECT count(*) FROM idempotency_bytes)";
    eventually("both are deleted", async || (database.number(left).await == 0).then_some(())).await;
}

#[on_each_database]
async fn an_account_has_only_so_many_bytes_of_answers(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let token = server.register("ada").await;
    let key = server.api_key(&token, &["links:write"]).await;
    let create = async |key_of_request: &str| {
        server
            .post_once("/api/v1/links", &key, key_of_request, &json!({ "destinationUrl": "https://example.com/" }))
            .await
    };
    let first = create("k").await.expect(201);
    let bytes = "SELECT bytes FROM idempotency_bytes";
    let one = database.number(bytes).await;
    assert!((300..900).contains(&one), "{one}");
    create("l").await.expect(201);
    let two = database.number(bytes).await;
    assert!((2 * one - 50..2 * one + 50).contains(&two), "{one} and {two}");
    let connection = database.connect().await;
    let fill = format!("UPDATE idempotency_bytes SET bytes = {}", 32 << 20);
    connection.execute_unprepared(&fill).await.unwrap();
    connection.close().await.unwrap();
    let refused = create("m").await.expect(429);
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    assert!((DAY / 1_000..=(DAY + HOUR) / 1_000).contains(&wait), "{wait}");
    assert!(refused.json()["error"]["message"].as_str().unwrap().contains("32 MiB"), "{refused:?}");
    // The stored answer is sent again; a request without a key is executed, and so are those of other accounts.
    assert_replayed(&first, &create("k").await);
    server.post("/api/v1/links", &key, json!({ "destinationUrl": "https://example.com/" })).await.expect(201);
    let bob = server.register("bob").await;
    server.post_once("/links", &bob, "m", &new_link("bobs")).await.expect(201);
    server.clock.advance(wait * 1_000);
    create("m").await.expect(201);
}

/// The request waits for a row that another transaction has; the same request, sent again to either node, does not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_is_being_executed_is_told_from_a_conflict() {
    let database = TestDatabase::postgres().await;
    let (directory, other) = (database.node(), database.node());
    let (server, other) = (directory.start().await, other.start().await);
    let token = server.register("ada").await;
    let connection = database.connect().await;
    let held = connection.begin().await.unwrap();
    held.execute_unprepared("UPDATE accounts SET link_count = link_count").await.unwrap();
    let (http, credential) = (server.http.clone(), token.clone());
    let first = tokio::spawn(async move { http.post_once("/links", &credential, "k", &new_link("one")).await });
    let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted \
                 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    database.becomes("it has the key", locks, 1).await;
    for node in [&server, &other] {
        for body in [new_link("one"), new_link("two")] {
            let refused = node.post_once("/links", &token, "k", &body).await.expect(409);
            assert_eq!((refused.code().as_str(), refused.header("retry-after")), ("CONFLICT", "1"));
            assert_eq!(refused.json()["error"]["details"], json!({ "path": "Idempotency-Key" }));
        }
    }
    let query = "mutation { createLink(input: { destinationUrl: \"https://example.com/\" }) { id } }";
    let refused = other.graphql_once(&token, &json!("k"), query, &json!({})).await.expect(200);
    let extensions = &refused.json()["errors"][0]["extensions"];
    assert_eq!(extensions["details"], json!({ "path": "extensions.idempotencyKey" }), "{refused:?}");
    assert_eq!((refused.header("retry-after"), &extensions["retryAfter"]), ("1", &json!(1)));
    held.rollback().await.unwrap();
    connection.close().await.unwrap();
    let first = first.await.unwrap().expect(201);
    assert_replayed(&first, &other.post_once("/links", &token, "k", &new_link("one")).await);
    assert_eq!(
        other.post_once("/links", &token, "k", &new_link("two")).await.expect(422).code(),
        "IDEMPOTENCY_KEY_REUSED"
    );
    assert_eq!((database.links().await, database.number(KEYS).await), (1, 1));
    other.stop().await;
    server.stop().await;
}
