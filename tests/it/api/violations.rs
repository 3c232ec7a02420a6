//! However many rules a request breaks, its answer stays small and says how many there are.

use linkgraph::{
    api::rest::operation::method_name, graphql::directives::HttpMethod, platform::auth::access::EntryPoint,
};
use reqwest::Method;
use serde_json::{Map, Value as Json, json};

use crate::{
    on_each_database,
    support::{Answer, TestDatabase},
};

/// Violations that one answer lists at most.
const MAX: usize = 50;

fn listed(violations: &Json, number: usize) {
    let violations = violations.as_array().unwrap();
    assert_eq!(violations.len(), number.min(MAX), "{violations:?}");
    let more = format!("; {} more violations are not listed", number.saturating_sub(MAX));
    for (index, violation) in violations.iter().enumerate() {
        let tells = violation["message"].as_str().unwrap().ends_with(&more);
        assert_eq!(tells, number > MAX && index == MAX - 1, "{violation}");
    }
}

fn in_rest(answer: Answer, number: usize) {
    let answer = answer.expect(400);
    assert!(answer.text.len() < 30_000, "{} bytes", answer.text.len());
    let error = &answer.json()["error"];
    assert_eq!((&error["code"], &error["message"]), (&json!("VALIDATION_ERROR"), &json!("Invalid request payload")));
    listed(&error["details"]["validationErrors"], number);
}

fn wrong(number: usize) -> Vec<String> {
    (0..number).map(|number| format!("w{number}")).collect()
}

#[on_each_database]
async fn fifty_are_listed_and_the_others_counted(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let token = server.register("alice").await;
    for number in [1, 50, 51, 100] {
        let answer = server.post("/api-keys", &token, json!({ "name": "x", "scopes": wrong(number) })).await;
        assert_eq!(answer.violations().last(), Some(&format!("scopes.{}", number.min(MAX) - 1)));
        in_rest(answer, number);
    }
    // Items of a list that is too long are not looked at.
    in_rest(server.post("/api-keys", &token, json!({ "name": "x", "scopes": wrong(20_000) })).await, 1);
    in_rest(server.post("/links/bulk", &token, json!({ "links": vec![0; 60_000] })).await, 1);
    let links = vec![json!({ "destinationUrl": 1, "slug": 1, "isActive": 1, "domain": 1 }); 100];
    in_rest(server.post("/links/bulk", &token, json!({ "links": links })).await, 400);

    let create = "mutation($scopes: [String!]!) { createApiKey(input: { name: \"x\", scopes: $scopes }) { key } }";
    let answer = server.graphql(&token, create, json!({ "scopes": wrong(100) })).await;
    listed(&answer["errors"][0]["extensions"]["validationErrors"], 100);
    let answer = server.graphql(&token, create, json!({ "scopes": wrong(20_000) })).await;
    listed(&answer["errors"][0]["extensions"]["validationErrors"], 1);
    let create = "mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }";
    let input = json!({ "name": "", "url": "", "events": wrong(90) });
    let answer = server.graphql(&token, create, json!({ "input": input })).await;
    listed(&answer["errors"][0]["extensions"]["validationErrors"], 92);
    assert_eq!(server.get("/api-keys", &token).await.json()["total"], 0);
    assert_eq!(server.get("/webhooks", &token).await.json()["total"], 0);
}

/// A misspelt field is refused, and nothing is changed.
#[on_each_database]
async fn an_unknown_field_is_refused_with_the_nearest_known_one(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let link = server.link(&token, "known").await;
    let link = format!("/links/{}", link["id"].as_str().unwrap());
    let url = "https://example.com/";
    for (method, path, body, violations) in [
        (
            "POST",
            "/links",
            json!({ "destinationUrl": url, "passphrase": "secret", "is_active": false }),
            vec![("passphrase", "password"), ("is_active", "isActive")],
        ),
        (
            "POST",
            "/api-keys",
            json!({ "name": "x", "scopes": [], "expiresat": null }),
            vec![("expiresat", "expiresAt")],
        ),
        (
            "POST",
            "/links/bulk",
            json!({ "links": [{ "destinationUrl": url }, { "destinationUrl": url, "Slug": "a" }], "Links": [] }),
            vec![("links.1.Slug", "slug"), ("Links", "links")],
        ),
        ("PATCH", &link, json!({ "slug": "unknown", "destination": url }), vec![("destination", "destinationUrl")]),
        ("PATCH", &link, json!({ "": 1 }), vec![("", "app")]),
        ("PATCH", "/me", json!({ "Name": "Mallory" }), vec![("Name", "name")]),
        ("PATCH", &link, json!({ "é".repeat(100_000): 1 }), vec![(&format!("{}…", "é".repeat(64)), "destinationUrl")]),
    ] {
        let answer = server.call(method, path, &token, body).await.expect(400).json();
        let expected: Vec<Json> = violations
                .iter()
                .map(|(path, nearest)| json!({ "path": path, "message": format!("is not a field: the nearest one is {nearest}") }))
                .collect();
        assert_eq!(answer["error"]["details"]["validationErrors"], Json::Array(expected), "{method} {path}");
    }
    // Beside other violations, those of known fields first.
    let answer = server.post("/links", &token, json!({ "slog": "b", "slug": "a b", "destinationUrl": 1 })).await;
    assert_eq!(answer.expect(400).violations(), ["destinationUrl", "slug", "slog"]);
    let many: Map<String, Json> = (0..15_000).map(|number| (format!("w{number}"), Json::Null)).collect();
    in_rest(server.post("/links", &token, json!({ "links": [many.clone()] })).await, 2);
    in_rest(server.post("/links/bulk", &token, json!({ "links": [many] })).await, 15_000);

    let links = server.get("/links", &token).await.json();
    assert_eq!((&links["total"], &links["data"][0]["slug"]), (&json!(1), &json!("known")));
    assert_eq!(server.get("/api-keys", &token).await.json()["total"], 0);
    assert_eq!(server.get("/me", &token).await.json()["name"], "alice");
}

/// Operations without a body are included: an object without fields may be sent to them.
#[on_each_database]
async fn every_operation_refuses_an_unknown_field(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let scopes: Vec<&str> = linkgraph::platform::auth::scope::Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    let key = server.api_key(&token, &scopes).await;
    let (mut with, mut without) = (0, 0);
    for operation in server.api().plan.operations.iter().filter(|it| it.method != HttpMethod::Get) {
        let credential = if operation.entry_point == EntryPoint::PublicApi { &key } else { &token };
        let path = operation.path.replace(['{', '}'], "");
        let send = |body: &'static str| {
            let request = server.request(method_name(operation.method).parse().unwrap(), &path);
            server.send(request.bearer_auth(credential).header("content-type", "application/json").body(body))
        };
        let answer = send("{\"zzz\": null}").await.expect(400);
        let violations = answer.json()["error"]["details"]["validationErrors"].clone();
        let unknown = violations.as_array().unwrap().iter().find(|violation| violation["path"] == "zzz");
        let message = unknown.unwrap_or_else(|| panic!("{path}: {violations}"))["message"].as_str().unwrap();
        if operation.body.is_some() {
            assert!(message.starts_with("is not a field: the nearest one is "), "{path}: {message}");
            with += 1;
            continue;
        }
        assert_eq!(message, "is not a field: none is taken here", "{path}");
        assert_eq!(send("[]").await.expect(400).code(), "BAD_REQUEST", "{path}");
        without += 1;
    }
    assert!(with >= 20 && without >= 15, "{with} {without}");
}

#[on_each_database]
async fn a_body_without_fields_is_taken_where_none_is_needed(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.post("/subdomain", &token, json!({ "subdomain": "ada" })).await.expect(201);
    let activate = || server.request(Method::POST, "/subdomain/activate").bearer_auth(&token);
    let json_type = || activate().header("content-type", "application/json");
    for request in [activate(), json_type(), json_type().body("{}"), activate().body("")] {
        server.send(request).await.expect(200);
    }
    assert_eq!(server.send(activate().body("{}")).await.expect(415).code(), "UNSUPPORTED_MEDIA_TYPE");
    // A change says what to change.
    assert_eq!(server.call("PATCH", "/me", &token, json!({})).await.expect(400).violations(), ["body"]);
    // HTTP gives the body of a GET no meaning.
    let request = server.request(Method::GET, "/me").bearer_auth(&token);
    server.send(request.json(&json!({ "zzz": 1 }))).await.expect(200);
}

/// Variables that do not fit the types are refused by the library.
#[on_each_database]
async fn variables_of_a_wrong_type_make_no_long_answer(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    for (query, variables) in [
        (
            "mutation($input: CreateLinksInput!) { createLinks(input: $input) { results { error { code } } } }",
            json!({ "input": { "links": vec![json!({ "slug": 0 }); 20_000] } }),
        ),
        ("query($search: String) { links(search: $search) { total } }", json!({ "search": vec![0; 60_000] })),
        ("{ me { id } }", json!({ "unknown": vec![0; 60_000] })),
        (
            "mutation($input: CreateLinkInput!) { createLink(input: $input) { id } }",
            json!({ "input": { "destinationUrl": "https://example.com/", "x".repeat(100_000): 1 } }),
        ),
        (
            "mutation($input: CreateLinkInput!) { createLink(input: $input) { id } }",
            json!({ "input": (0..10_000).map(|number| (format!("k{number}"), json!(1))).collect::<Map<_, _>>() }),
        ),
    ] {
        let answer = server.post("/graphql", &token, json!({ "query": query, "variables": variables })).await;
        assert!(answer.text.len() < 30_000, "{} bytes: {}", answer.text.len(), &answer.text[..1_000]);
        let answer = answer.json();
        assert!(answer["errors"].as_array().is_none_or(|errors| errors.len() <= MAX), "{answer}");
    }
    // A document with many mistakes: the last that is told says how many are not.
    let fields: String = (0..200).map(|number| format!("w{number} ")).collect();
    let answer = server.graphql(&token, &format!("{{ me {{ {fields} }} }}"), Json::Null).await;
    let errors = answer["errors"].as_array().unwrap();
    assert_eq!(errors.len(), MAX);
    let last = errors[MAX - 1]["message"].as_str().unwrap();
    assert!(last.ends_with(" (150 more mistakes are not listed)"), "{last}");
}
