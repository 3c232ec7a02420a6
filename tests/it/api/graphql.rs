//! GraphQL over HTTP: the form of responses, methods and media types, hidden details, and the cost of a page for the database.

use async_graphql::{EmptyMutation, EmptySubscription, Object, Schema};
use reqwest::{Method, RequestBuilder};
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Answer, Http, TestDatabase, eventually},
};

struct Root;

#[Object]
impl Root {
    async fn slow(&self) -> i32 {
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        1
    }

    async fn fast(&self) -> i32 {
        2
    }

    async fn child(&self) -> Option<Child> {
        Some(Child)
    }

    async fn children(&self) -> Vec<Option<Child>> {
        vec![Some(Child), None]
    }
}

struct Child;

#[Object]
impl Child {
    async fn works(&self) -> i32 {
        3
    }

    async fn fails(&self) -> async_graphql::Result<i32> {
        tokio::task::yield_now().await;
        Err("it failed".into())
    }
}

/// The behaviour for which the library's release is pinned.
#[tokio::test]
async fn the_library_keeps_the_querys_order_and_nulls_the_parent_of_what_failed() {
    let schema = Schema::new(Root, EmptyMutation, EmptySubscription);
    for (query, expected) in [
        ("{ slow fast }", r#"{"data":{"slow":1,"fast":2}}"#),
        ("{ b: fast slow a: fast slow }", r#"{"data":{"b":2,"slow":1,"a":2}}"#),
        ("{ slow ...F fast } fragment F on Root { x: fast }", r#"{"data":{"slow":1,"x":2,"fast":2}}"#),
    ] {
        assert_eq!(serde_json::to_string(&schema.execute(query).await).unwrap(), expected, "{query}");
    }
    for (query, data, path) in [
        ("{ child { works fails } fast }", json!({ "child": null, "fast": 2 }), json!(["child", "fails"])),
        ("{ fast children { a: fails } }", json!({ "fast": 2, "children": [null, null] }), json!(["children", 0, "a"])),
    ] {
        let answer = serde_json::to_value(schema.execute(query).await).unwrap();
        assert_eq!((&answer["data"], &answer["errors"][0]["path"]), (&data, &path), "{query}");
        assert_eq!(answer["errors"].as_array().unwrap().len(), 1);
    }
}

fn post(http: &Http, token: &str) -> RequestBuilder {
    http.request(Method::POST, "/graphql").bearer_auth(token)
}

async fn get(http: &Http, token: &str, parameters: &[(&str, &str)]) -> Answer {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    http.get(&format!("/graphql?{query}"), token).await
}

fn code(answer: &Json) -> &str {
    answer["errors"][0]["extensions"]["code"].as_str().unwrap_or_default()
}

const CREATE: &str = r#"mutation { createLink(input: { destinationUrl: "https://example.com/" }) { id } }"#;

#[on_each_database]
async fn answers_have_the_order_of_the_query(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.link(&token, "one").await;
    let query = "{ links { totalPages data { slug isActive } total } me { name } again: links { total } }";
    let answer = server.send(post(&server, &token).json(&json!({ "query": query }))).await.expect(200);
    let expected = concat!(
        r#"{"data":{"links":{"totalPages":1,"data":[{"slug":"one","isActive":true}],"total":1},"#,
        r#""me":{"name":"alice"},"again":{"total":1}}}"#,
    );
    assert_eq!(answer.text, expected);
    // Nothing is executed when a rule of an argument is broken.
    let answer = server.graphql(&token, "{ me { name } links(page: 0) { total } }", json!({})).await;
    assert_eq!((code(&answer), answer.get("data")), ("VALIDATION_ERROR", None), "{answer}");
    assert_eq!(answer["errors"][0]["extensions"]["validationErrors"][0]["path"], "page");
}

#[on_each_database]
async fn no_failure_of_a_root_field_hides_another(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.link(&token, "taken").await;
    let answer = server.graphql(&token, "{ me { name } link(id: \"x\") { slug } }", json!({})).await;
    assert_eq!(answer["data"], json!({ "me": { "name": "alice" }, "link": null }), "{answer}");
    assert_eq!((code(&answer), &answer["errors"][0]["path"]), ("NOT_FOUND", &json!(["link"])));
    let create = |slug: &str| {
        format!("createLink(input: {{ destinationUrl: \"https://example.com/\", slug: \"{slug}\" }}) {{ slug }}")
    };
    let delete = "deleteLink(id: \"019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b\")";
    let mutation =
        format!("mutation {{ a: {} b: {} c: {delete} d: {} }}", create("one"), create("taken"), create("two"));
    let answer = server.graphql(&token, &mutation, json!({})).await;
    let data = json!({ "a": { "slug": "one" }, "b": null, "c": null, "d": { "slug": "two" } });
    assert_eq!(answer["data"], data, "{answer}");
    let errors = answer["errors"].as_array().unwrap().iter();
    let errors: Vec<_> = errors.map(|error| (&error["path"], &error["extensions"]["code"])).collect();
    assert_eq!(errors, [(&json!(["b"]), &json!("CONFLICT")), (&json!(["c"]), &json!("NOT_FOUND"))]);
    assert_eq!(server.get("/links", &token).await.expect(200).json()["total"], 3);
}

#[on_each_database]
async fn the_path_of_an_error_has_the_index_of_the_item(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")]).await;
    let token = server.register("alice").await;
    let webhook = json!({ "name": "W", "url": "http://127.0.0.1:1/", "events": ["link.created"] });
    server.post("/webhooks", &token, webhook).await.expect(201);
    for slug in ["one", "two", "three"] {
        server.link(&token, slug).await;
    }
    let total = "{ webhooks { data { deliveries { total } } } }";
    let all = json!({ "webhooks": { "data": [{ "deliveries": { "total": 3 } }] } });
    eventually("all events are to be delivered", async || {
        (server.graphql(&token, total, json!({})).await["data"] == all).then_some(())
    })
    .await;
    let connection = database.connect().await;
    let second = "SELECT id FROM outbox_events WHERE kind = 'link.created' ORDER BY id LIMIT 1 OFFSET 1";
    let spoil = format!("UPDATE outbox_events SET payload = '{{}}' WHERE id = ({second})");
    connection.execute_unprepared(&spoil).await.unwrap();
    connection.close().await.unwrap();
    let query = "{ webhooks { data { all: deliveries { deliveries { id payload { __typename } } } } } }";
    let answer = server.graphql(&token, query, json!({})).await;
    let path = json!(["webhooks", "data", 0, "all", "deliveries", 1, "payload"]);
    assert_eq!((code(&answer), &answer["errors"][0]["path"]), ("INTERNAL_ERROR", &path), "{answer}");
}

#[on_each_database]
async fn a_query_may_come_by_get_and_a_mutation_may_not(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.link(&token, "one").await;
    let query = "query A($size: Int!) { links(pageSize: $size) { pageSize } } query B { me { name } }";
    let parameters = [("query", query), ("variables", r#"{"size":7}"#), ("operationName", "A"), ("extensions", "{}")];
    let answer = get(&server, &token, &parameters).await.expect(200);
    assert_eq!(answer.text, r#"{"data":{"links":{"pageSize":7}}}"#);
    let answer = get(&server, &token, &[("query", query), ("operationName", "B"), ("variables", "")]).await.expect(200);
    assert_eq!(answer.text, r#"{"data":{"me":{"name":"alice"}}}"#);
    let hidden = format!("query Q {{ me {{ id }} }} {}", CREATE.replace("mutation", "mutation M"));
    for parameters in [vec![("query", CREATE)], vec![("query", hidden.as_str()), ("operationName", "M")]] {
        let answer = get(&server, &token, &parameters).await.expect(405);
        assert_eq!((answer.header("allow"), code(&answer.json())), ("POST", "METHOD_NOT_ALLOWED"));
    }
    for parameters in
        [vec![], vec![("query", "{me{id}}"), ("variables", "{")], vec![("query", "{me{id}}"), ("variables", "[]")]]
    {
        assert_eq!(code(&get(&server, &token, &parameters).await.expect(400).json()), "BAD_REQUEST");
    }
    let answer = server.send(server.request(Method::HEAD, "/graphql?query=%7Bme%7Bid%7D%7D").bearer_auth(&token)).await;
    assert_eq!(answer.expect(200).text, "");
    assert_eq!(server.get("/links", &token).await.json()["total"], 1, "nothing was executed");
}

/// Each of these would let a foreign page act with the browser's credentials, or one request count as many.
#[on_each_database]
async fn other_ways_to_post_are_refused_and_execute_nothing(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let body = json!({ "query": CREATE }).to_string();
    let form = format!("query={}", CREATE.replace(' ', "+"));
    let parts = format!("--x\r\ncontent-disposition: form-data; name=\"operations\"\r\n\r\n{body}\r\n--x--\r\n");
    for (content_type, body) in [
        ("text/plain", &body),
        ("text/plain;charset=UTF-8", &body),
        ("application/x-www-form-urlencoded", &form),
        ("multipart/form-data; boundary=x", &parts),
        ("application/graphql", &CREATE.to_owned()),
    ] {
        let answer = server.send(post(&server, &token).header("content-type", content_type).body(body.clone())).await;
        assert_eq!(code(&answer.expect(415).json()), "UNSUPPORTED_MEDIA_TYPE", "{content_type}");
    }
    let operation = json!({ "query": CREATE });
    for body in [
        json!([operation]),
        json!([operation, operation]),
        json!([]),
        json!({ "query": [CREATE] }),
        json!({ "query": null }),
        json!({}),
        json!({ "query": CREATE, "variables": [] }),
        json!({ "query": CREATE, "operationName": 1 }),
        json!({ "query": CREATE, "extensions": "x" }),
    ] {
        let answer = server.send(post(&server, &token).json(&body)).await.expect(400);
        assert_eq!(code(&answer.json()), "BAD_REQUEST", "{body}");
    }
    // The query of the address is not the body's.
    let answer = server.post("/graphql?query=%7Bme%7Bid%7D%7D", &token, json!({})).await.expect(400);
    assert_eq!(code(&answer.json()), "BAD_REQUEST");
    assert_eq!(server.get("/links", &token).await.json()["total"], 0);
    server.send(post(&server, &token).json(&operation)).await.expect(200);
    assert_eq!(server.get("/links", &token).await.json()["total"], 1);
}

/// As the GraphQL-over-HTTP specification says: the newer media type has statuses, the older is always 200.
#[on_each_database]
async fn the_media_type_decides_the_status(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &[]).await;
    let newer = "application/graphql-response+json";
    for (query, credential, status, expected) in [
        ("{ me { name } }", token.as_str(), 200, ""),
        ("{ me { name }", &token, 400, "GRAPHQL_PARSE_FAILED"),
        ("{ nonsense }", &token, 400, "GRAPHQL_VALIDATION_FAILED"),
        ("query A { me { id } } query B { me { id } }", &token, 400, "GRAPHQL_VALIDATION_FAILED"),
        ("{ me { name } }", "nonsense", 401, "UNAUTHENTICATED"),
        ("{ me { name } }", "", 401, "UNAUTHENTICATED"),
        ("{ links { total } }", &key, 403, "FORBIDDEN"),
        ("subscription { me }", &token, 400, "GRAPHQL_VALIDATION_FAILED"),
        ("query($id: ID!) { link(id: $id) { id } }", &token, 400, "GRAPHQL_VALIDATION_FAILED"),
        ("{ links(page: 0) { total } }", &token, 400, "VALIDATION_ERROR"),
        // Executed, so there is data, even if it is null.
        ("{ link(id: \"x\") { id } }", &token, 200, "NOT_FOUND"),
    ] {
        let ask = async |accept: &str| {
            let request = server.request(Method::POST, "/graphql").header("accept", accept);
            let request = if credential.is_empty() { request } else { request.bearer_auth(credential) };
            server.send(request.json(&json!({ "query": query }))).await
        };
        let answer = ask(newer).await.expect(status);
        assert_eq!(answer.header("content-type"), format!("{newer}; charset=utf-8"));
        let challenge = match status {
            401 if credential.is_empty() => "Bearer",
            401 => "Bearer error=\"invalid_token\", error_description=\"A valid credential is required.\"",
            403 => {
                "Bearer error=\"insufficient_scope\", error_description=\"Missing required scope.\", scope=\"links:read\""
            }
            _ => "",
        };
        assert_eq!(answer.header("www-authenticate"), challenge, "{query}");
        assert_eq!((code(&answer.json()), answer.json().get("data").is_some()), (expected, status == 200), "{query}");
        for accept in [
            "application/json",
            "*/*",
            "text/css, application/json;q=0.5, application/graphql-response+json;q=0.1",
            "application/graphql-response+json;q=0, */*",
            "application/json, application/graphql-response+json",
            "text/html",
        ] {
            let answer = ask(accept).await.expect(200);
            assert_eq!(answer.header("content-type"), "application/json; charset=utf-8", "{accept}");
            assert_eq!(code(&answer.json()), expected, "{query}");
        }
    }
    for accept in [
        "application/json;q=0.5, application/graphql-response+json;q=0.9",
        "application/json; q=0.9, application/graphql-response+json",
        "*/*, Application/GraphQL-Response+JSON",
        "application/json;q=0.1, application/*;q=0.2",
        "application/json;q=0, */*;q=0.1",
    ] {
        let request = server.request(Method::POST, "/graphql").header("accept", accept);
        let answer = server.send(request.json(&json!({ "query": "{ __typename }" }))).await.expect(200);
        assert_eq!(answer.header("content-type"), format!("{newer}; charset=utf-8"), "{accept}");
    }
    // Apollo's clients send a hash first, and the document when they are told so.
    let hash = json!({ "extensions": { "persistedQuery": { "version": 1, "sha256Hash": "0".repeat(64) } } });
    for (accept, status) in [("application/json", 200), (newer, 400)] {
        let request = server.request(Method::POST, "/graphql").header("accept", accept).json(&hash);
        let answer = server.send(request).await.expect(status).json();
        assert_eq!(code(&answer), "PERSISTED_QUERY_NOT_SUPPORTED");
        assert_eq!(answer["errors"][0]["message"], "PersistedQueryNotSupported");
        let mut both = hash.clone();
        both["query"] = json!("{ __typename }");
        let request = server.request(Method::POST, "/graphql").header("accept", accept).json(&both);
        assert_eq!(server.send(request).await.expect(200).json()["data"]["__typename"], "Query");
    }
}

#[on_each_database]
async fn errors_do_not_guess_names_and_introspection_can_be_off(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_INTROSPECTION", "false")]).await;
    let token = server.register("alice").await;
    for query in [
        "{ lnks { total } }",
        "{ me { nam } }",
        "{ links(pageSiz: 1) { total } }",
        "mutation { createLnk { id } }",
        "{ links { data { ... on Lnk { id } } } }",
    ] {
        let answer = server.graphql(&token, query, json!({})).await;
        assert_eq!(code(&answer), "GRAPHQL_VALIDATION_FAILED", "{query}");
        let text = answer.to_string();
        assert!(!text.contains("Did you mean") && !text.contains("pageSize") && !text.contains("createLink"), "{text}");
    }
    for query in ["{ __schema { types { name } } }", "{ __type(name: \"Link\") { name fields { name } } }"] {
        let answer = server.graphql(&token, query, json!({})).await;
        let text = answer.to_string();
        assert!(!text.contains("Link\"") && !text.contains("fields") && !text.contains("types\":["), "{text}");
    }
    let answer = server.graphql(&token, "{ __typename me { __typename } }", json!({})).await;
    assert_eq!(answer["data"], json!({ "__typename": "Query", "me": { "__typename": "User" } }));
}

#[on_each_database]
async fn a_browser_is_shown_graphiql_from_the_binary(database: TestDatabase) {
    let server = database.start().await;
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let page = server.send(server.request(Method::GET, "/graphql").header("accept", browser)).await.expect(200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let policy = page.header("content-security-policy");
    assert!(policy.contains("script-src 'self';") && policy.contains("frame-ancestors 'none'"), "{policy}");
    let mut assets = 0;
    for reference in page.text.split(['"', '\'']).filter(|part| part.contains("/graphiql/")) {
        let asset = server.get(reference, "").await.expect(200);
        let expected = if reference.ends_with(".js") { "text/javascript" } else { "text/css" };
        assert!(asset.header("content-type").starts_with(expected) && asset.text.len() > 1_000, "{reference}");
        assets += 1;
    }
    assert!(assets >= 2, "{}", page.text);
    assert!(!page.text.contains("http://") && !page.text.contains("https://"), "nothing from other hosts");
    // A program that accepts anything, or a browser that sends a query, is answered by GraphQL.
    let asked = server.request(Method::GET, "/graphql?query=%7B__typename%7D").header("accept", browser);
    assert_eq!(server.send(asked).await.expect(200).json()["data"]["__typename"], "Query");
    server.get("/graphql", "").await.expect(400);
}

/// The number of statements does not grow with the page: the nested reads are batched.
#[on_each_database]
async fn a_full_page_costs_few_statements_whatever_its_size(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let links: Vec<Json> =
        (0..100).map(|n| json!({ "destinationUrl": "https://example.com/", "slug": format!("s{n}") })).collect();
    server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200);
    for n in 0..100 {
        server.follow(&format!("s{n}")).await.expect(302);
        server.follow(&format!("s{}", n / 2)).await.expect(302);
    }
    eventually("the clicks are ingested", async || {
        (server.metric("linkgraph_clicks_ingested_total").await == Some(200)).then_some(())
    })
    .await;
    let statements = async || -> f64 {
        server.metric("linkgraph_http_request_sql_statements_sum{route=\"/graphql\"}").await.unwrap_or_default()
    };
    let link = "id destinationUrl slug domain shortUrl isActive clickCount createdAt updatedAt";
    let click = "id clickedAt browser os device isBot referrerHost country";
    let page = "page pageSize totalPages total";
    let query = format!(
        "query($size: Int!) {{ links(pageSize: $size) {{ data {{ {link} lastClickedAt \
             clickSeries(days: 7) {{ start clicks uniques bots }} clicks {{ {page} data {{ {click} link {{ {link} }} }} }} }} {page} }} }}"
    );
    let mut costs = Vec::new();
    for size in [10, 100] {
        let before = statements().await;
        let answer = server.graphql(&token, &query, json!({ "size": size })).await;
        let data = answer["data"]["links"]["data"].as_array().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(data.len(), size);
        for link in data {
            let clicks = link["clicks"]["data"].as_array().unwrap();
            assert_eq!(link["clicks"]["total"], clicks.len());
            assert_eq!(link["lastClickedAt"], clicks[0]["clickedAt"]);
            let series = link["clickSeries"].as_array().unwrap();
            assert_eq!(series.iter().filter_map(|day| day["clicks"].as_u64()).sum::<u64>(), clicks.len() as u64);
            assert!(!clicks.is_empty() && clicks.iter().all(|click| click["link"]["id"] == link["id"]));
        }
        costs.push(statements().await - before);
    }
    // A costly query changes threads between statements, which can split a batch.
    assert!(costs[1] <= costs[0] + 2.0 && (1.0..=8.0).contains(&costs[1]), "{costs:?}");
}
