//! API keys: shown once, invalid as soon as they are revoked, and limited by their scopes and the plan.

use futures_util::future::join_all;
use linkgraph::base::clock::{HOUR, MINUTE, SECOND};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Answer, Http, TestDatabase, eventually, stored::holds},
};

fn keys(object: &Json) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

async fn create(http: &Http, credential: &str, scopes: &[&str]) -> Answer {
    http.post("/api-keys", credential, json!({ "name": "test", "scopes": scopes })).await
}

/// Creates a key; its id and its text.
async fn created(http: &Http, credential: &str, body: Json) -> (String, String) {
    let answer = http.post("/api-keys", credential, body).await.expect(201).json();
    (answer["apiKey"]["id"].as_str().unwrap().to_owned(), answer["key"].as_str().unwrap().to_owned())
}

async fn revoke(http: &Http, credential: &str, id: &str) -> Answer {
    http.call("DELETE", &format!("/api-keys/{id}"), credential, Json::Null).await
}

/// The first key of the list.
async fn newest(http: &Http, token: &str) -> Json {
    http.get("/api-keys?pageSize=1", token).await.expect(200).json()["data"][0].clone()
}

/// Requests of `/me` so far, and their SQL statements.
async fn statements(http: &Http) -> (u64, u64) {
    let metrics = http.get("/metrics", "").await.expect(200).text;
    let value = |name: &str| {
        let series = format!("linkgraph_http_request_sql_statements_{name}{{route=\"/me\"}} ");
        let line = metrics.lines().find_map(|line| line.strip_prefix(&series)).unwrap_or("0");
        line.parse().unwrap()
    };
    (value("count"), value("sum"))
}

/// The time as the API writes it, so many milliseconds from now.
fn time(clock: &linkgraph::base::clock::Clock, from_now: i64) -> String {
    linkgraph::base::clock::rfc3339(clock.now() + from_now)
}

#[on_each_database]
async fn a_key_is_shown_once(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let body = json!({ "name": "CI", "scopes": ["links:write", "links:read", "links:read"] });
    let answer = server.post("/api-keys", &token, body).await.expect(201);
    let json = answer.json();
    assert_eq!(keys(&json), ["apiKey", "key"]);
    let shown = &json["apiKey"];
    assert_eq!(answer.header("location"), format!("/api-keys/{}", shown["id"].as_str().unwrap()));
    assert_eq!(
        keys(shown),
        [
            "id",
            "name",
            "prefix",
            "isPersonal",
            "scopes",
            "allowedNetworks",
            "createdAt",
            "lastUsedAt",
            "expiresAt",
            "revokedAt"
        ]
    );
    assert_eq!((&shown["name"], &shown["scopes"]), (&json!("CI"), &json!(["links:read", "links:write"])));
    assert_eq!(
        (&shown["lastUsedAt"], &shown["expiresAt"], &shown["revokedAt"]),
        (&Json::Null, &Json::Null, &Json::Null)
    );
    let text = json["key"].as_str().unwrap();
    let (prefix, random) = text.split_at(8);
    assert!(
        prefix == "lg_live_" && random.len() == 49 && random.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        "{text}"
    );
    assert!(text.starts_with(shown["prefix"].as_str().unwrap()) && shown["prefix"].as_str().unwrap().len() < 16);

    let list = server.get("/api-keys", &token).await.expect(200);
    assert!(!list.text.contains(random) && !list.text.contains(&random[8..]), "{}", list.text);
    assert_eq!(list.json()["data"], json!([shown]));
    let query = "{ apiKeys { data { id name prefix } } }";
    assert!(!server.graphql(&token, query, Json::Null).await.to_string().contains(&random[8..]));

    // Nor is it in anything that is kept.
    server.get("/api/v1/links", text).await.expect(200);
    let stored = database.everything_stored().await;
    assert!(holds(&stored, shown["prefix"].as_str().unwrap().as_bytes()), "what is stored was not found");
    for part in [text, random, &random[..43], &random[8..]] {
        assert!(!holds(&stored, part.as_bytes()), "{part} is stored");
    }
    server.stop().await;
    assert!(!holds(&database.everything_stored().await, random.as_bytes()));
}

#[on_each_database]
async fn a_key_is_read_by_its_id(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let answer = create(&server, &token, &["links:read"]).await.expect(201);
    let shown = answer.json()["apiKey"].clone();
    let location = answer.header("location").to_owned();
    assert_eq!(server.get(&location, &token).await.expect(200).json(), shown);
    let query = "query($id: ID!) { apiKey(id: $id) { id name scopes revokedAt } }";
    let found = server.graphql(&token, query, json!({ "id": shown["id"] })).await;
    let expected = json!({ "id": shown["id"], "name": "test", "scopes": ["links:read"], "revokedAt": null });
    assert_eq!(found["data"]["apiKey"], expected, "{found}");
    revoke(&server, &token, shown["id"].as_str().unwrap()).await.expect(204);
    assert!(server.get(&location, &token).await.expect(200).json()["revokedAt"].is_string(), "what is revoked stays");
}

#[on_each_database]
async fn the_list_has_pages(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let empty = server.get("/api-keys", &token).await.expect(200).json();
    assert_eq!(empty, json!({ "data": [], "total": 0, "page": 1, "pageSize": 20, "totalPages": 0 }));
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.insert(0, created(&server, &token, json!({ "name": format!("{number}"), "scopes": [] })).await.0);
    }
    revoke(&server, &token, &ids[0]).await.expect(204);
    let page = server.get("/api-keys?page=2&pageSize=2", &token).await.expect(200).json();
    assert_eq!(keys(&page), ["data", "total", "page", "pageSize", "totalPages"]);
    assert_eq!(
        (&page["total"], &page["page"], &page["pageSize"], &page["totalPages"]),
        (&json!(5), &json!(2), &json!(2), &json!(3))
    );
    let shown: Vec<_> = page["data"].as_array().unwrap().iter().map(|key| key["id"].as_str().unwrap()).collect();
    assert_eq!(shown, ids[2..4], "newest first, revoked ones included");
    let past = server.get("/api-keys?page=9", &token).await.expect(200).json();
    assert_eq!((&past["data"], &past["total"]), (&json!([]), &json!(5)));
    let answer = server.get("/api-keys?page=0&pageSize=101", &token).await.expect(400);
    assert_eq!(answer.violations(), ["page", "pageSize"]);
}

#[on_each_database]
async fn what_is_wrong_with_a_new_key_is_told_at_once(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    for (body, paths) in [
        (json!({}), vec!["name", "scopes"]),
        (json!({ "name": "x", "scopes": ["links:read", "links:admin"] }), vec!["scopes.1"]),
        (
            json!({ "name": "", "scopes": ["", "links:read", "LINKS_READ", "*"] }),
            vec!["name", "scopes.0", "scopes.2", "scopes.3"],
        ),
        (json!({ "name": "x", "scopes": "links:read" }), vec!["scopes"]),
        (json!({ "name": "x", "scopes": [null, 1] }), vec!["scopes.0", "scopes.1"]),
        (json!({ "name": "x", "scopes": null, "expiresAt": "tomorrow" }), vec!["scopes", "expiresAt"]),
    ] {
        let answer = server.post("/api-keys", &token, body.clone()).await.expect(400);
        assert_eq!(
            (answer.code().as_str(), answer.violations()),
            ("VALIDATION_ERROR", paths.iter().map(|path| (*path).to_owned()).collect()),
            "{body}"
        );
    }
    let create = "mutation { createApiKey(input: { name: \"x\", scopes: [\"links:read\", \"links:admin\"] }) { key } }";
    let answer = server.graphql(&token, create, Json::Null).await;
    let extensions = &answer["errors"][0]["extensions"];
    assert_eq!(
        (&extensions["code"], &extensions["validationErrors"][0]["path"]),
        (&json!("VALIDATION_ERROR"), &json!("scopes.1")),
        "{answer}"
    );
    assert_eq!(server.get("/api-keys", &token).await.json()["total"], 0);
}

#[on_each_database]
async fn a_key_expires(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let expires_at = time(&server.clock, HOUR);
    let (_, key) = created(&server, &token, json!({ "name": "x", "scopes": [], "expiresAt": expires_at })).await;
    assert_eq!(newest(&server, &token).await["expiresAt"], expires_at);
    server.clock.advance(HOUR - MINUTE);
    server.get("/me", &key).await.expect(200);
    server.clock.advance(MINUTE);
    assert_eq!(server.get("/me", &key).await.expect(401).code(), "UNAUTHENTICATED");
    let past = json!({ "name": "x", "scopes": [], "expiresAt": time(&server.clock, -SECOND) });
    let (_, dead) = created(&server, &token, past).await;
    server.get("/me", &dead).await.expect(401);
    // Expired keys leave room for live ones.
    for _ in 0..5 {
        create(&server, &token, &[]).await.expect(201);
    }
    create(&server, &token, &[]).await.expect(403);
}

#[on_each_database]
async fn a_revoked_key_is_dead_at_once(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let (id, key) = created(&server, &token, json!({ "name": "x", "scopes": ["links:read"] })).await;
    let (_, other) = created(&server, &token, json!({ "name": "y", "scopes": ["links:read"] })).await;
    server.get("/api/v1/links", &key).await.expect(200);
    assert_eq!(revoke(&server, &token, &id).await.expect(204).text, "");
    for path in ["/me", "/api/v1/links", "/links"] {
        let answer = server.get(path, &key).await.expect(401);
        assert_eq!(
            (answer.code().as_str(), answer.header("www-authenticate")),
            (
                "UNAUTHENTICATED",
                "Bearer error=\"invalid_token\", error_description=\"A valid credential is required.\""
            ),
            "{path}"
        );
    }
    server.clock.advance(HOUR);
    let keys = server.get("/api-keys", &token).await.json();
    let revoked_at = keys["data"][1]["revokedAt"].clone();
    assert!(revoked_at.is_string() && keys["data"][0]["revokedAt"].is_null(), "{keys}");
    revoke(&server, &token, &id).await.expect(204);
    assert_eq!(server.get("/api-keys", &token).await.json()["data"][1]["revokedAt"], revoked_at, "once is enough");
    assert_eq!(database.events("api_key.revoked").await, 1);
    server.get("/api/v1/links", &other).await.expect(200);
    // A key that may manage keys can revoke itself.
    let (own, manager) = created(&server, &token, json!({ "name": "m", "scopes": ["api-keys:manage"] })).await;
    revoke(&server, &manager, &own).await.expect(204);
    revoke(&server, &manager, &own).await.expect(401);
}

#[on_each_database]
async fn the_last_use_is_written_once_a_minute(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let (_, key) = created(&server, &token, json!({ "name": "x", "scopes": [] })).await;
    let used_at = async || newest(&server, &token).await["lastUsedAt"].as_str().map(str::to_owned);
    assert_eq!(used_at().await, None);
    server.get("/me", &key).await.expect(200);
    let first = eventually("the first use is noted", used_at).await;
    server.clock.advance(30 * SECOND);
    for _ in 0..3 {
        server.get("/me", &key).await.expect(200);
    }
    // The background work of requests is complete when the service has stopped. The clock starts again.
    server.stop().await;
    let server = database.start().await;
    assert_eq!(newest(&server, &token).await["lastUsedAt"], first);
    server.clock.advance(MINUTE);
    server.get("/me", &key).await.expect(200);
    let second = eventually("the next use is noted", async || {
        newest(&server, &token).await["lastUsedAt"].as_str().filter(|time| *time != first).map(str::to_owned)
    })
    .await;
    assert!(second > first, "{second} {first}");
}

#[on_each_database]
async fn a_key_without_scopes_opens_nothing_but_me(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &[]).await;
    server.get("/me", &key).await.expect(200);
    for path in ["/api/v1/links", "/links", "/api-keys"] {
        let answer = server.get(path, &key).await.expect(403);
        assert_eq!(
            (answer.code(), &answer.json()["error"]["message"]),
            ("FORBIDDEN".to_owned(), &json!("Missing required scope.")),
            "{path}"
        );
    }
    create(&server, &key, &[]).await.expect(403);
}

#[on_each_database]
async fn a_key_grants_only_what_it_has(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let manager = server.api_key(&token, &["api-keys:manage", "links:read"]).await;
    for scopes in [&["links:write"][..], &["links:read", "billing:manage"], &["domains:manage", "api-keys:manage"]] {
        let answer = create(&server, &manager, scopes).await.expect(403);
        assert_eq!(
            (answer.code(), &answer.json()["error"]["message"]),
            ("FORBIDDEN".to_owned(), &json!("Missing required scope."))
        );
        let missing = scopes.iter().find(|scope| !["api-keys:manage", "links:read"].contains(scope)).unwrap();
        assert_eq!(answer.json()["error"]["details"], json!({ "scope": missing }));
    }
    let mutation = "mutation { createApiKey(input: { name: \"x\", scopes: [\"links:write\"] }) { key } }";
    let answer = server.graphql(&manager, mutation, Json::Null).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "FORBIDDEN", "{answer}");
    assert_eq!(server.get("/api-keys", &token).await.json()["total"], 1);
    let child = create(&server, &manager, &["links:read"]).await.expect(201).json()["key"].as_str().unwrap().to_owned();
    server.get("/api/v1/links", &child).await.expect(200);
    create(&server, &child, &[]).await.expect(403);
    create(&server, &manager, &["api-keys:manage", "links:read"]).await.expect(201);
    create(&server, &manager, &[]).await.expect(201);
}

#[on_each_database]
async fn a_mistyped_key_costs_no_query(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &[]).await;
    let mut swapped = key.clone().into_bytes();
    let at = (8..56).find(|at| swapped[*at] != swapped[at + 1]).unwrap();
    swapped.swap(at, at + 1);
    let swapped = String::from_utf8(swapped).unwrap();
    let last = if key.ends_with('x') { "y" } else { "x" };
    let (requests, before) = statements(&server).await;
    let wrong = [
        swapped,
        format!("{}{last}", &key[..56]),
        key[..56].to_owned(),
        format!("{key}0"),
        key.to_uppercase().replacen("LG_LIVE_", "lg_live_", 1),
        key.replacen("lg_live_", "lg_test_", 1),
        "lg_live_".to_owned(),
        "lg_".to_owned(),
    ];
    for text in &wrong {
        assert_eq!(server.get("/me", text).await.expect(401).code(), "UNAUTHENTICATED", "{text}");
    }
    let count = u64::try_from(wrong.len()).unwrap();
    assert_eq!(statements(&server).await, (requests + count, before), "a refused key was looked up");
    // One with a right checksum is looked up, so the statements are counted.
    let unknown = linkgraph::platform::auth::api_key::generate().unwrap_or_else(|_| panic!("no randomness")).text;
    server.get("/me", &unknown).await.expect(401);
    assert_eq!(statements(&server).await, (requests + count + 1, before + 1));
    server.get("/me", &key).await.expect(200);
}

#[on_each_database]
async fn a_plan_has_so_many_live_keys(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let bob = server.register("bob").await;
    let (first, _) = created(&server, &token, json!({ "name": "x", "scopes": [] })).await;
    for _ in 0..3 {
        create(&server, &token, &[]).await.expect(201);
    }
    let answers = join_all((0..16).map(|_| create(&server, &token, &["links:read"]))).await;
    let won = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(won, 1, "{answers:?}");
    for answer in answers.into_iter().filter(|answer| answer.status != 201) {
        let answer = answer.expect(403);
        assert_eq!(
            (answer.code(), &answer.json()["error"]["details"]),
            ("PLAN_LIMIT_REACHED".to_owned(), &json!({ "limit": 5, "used": 5, "resource": "apiKeys" }))
        );
    }
    assert_eq!(server.get("/api-keys", &token).await.json()["total"], 5);
    assert_eq!(database.events("api_key.created").await, 5);
    create(&server, &bob, &[]).await.expect(201);
    revoke(&server, &token, &first).await.expect(204);
    create(&server, &token, &[]).await.expect(201);
    create(&server, &token, &[]).await.expect(403);
    server.stop().await;
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "pro")]).await;
    create(&server, &token, &[]).await.expect(201);
}

#[on_each_database]
async fn a_key_is_refused_beyond_its_networks(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1")]).await;
    let token = server.register("ada").await;
    let create = async |credential: &str, from: &str, networks: Json| {
        let scopes = ["api-keys:manage", "links:read"];
        let body = json!({ "name": "k", "scopes": scopes, "allowedNetworks": networks });
        let request = server.request(Method::POST, "/api-keys").bearer_auth(credential).header("x-forwarded-for", from);
        server.send(request.json(&body)).await
    };
    let wrong = create(&token, "192.0.2.7", json!(["192.0.2.0/24", "here", "10.0.0.0/40"])).await.expect(400);
    assert_eq!(wrong.violations(), ["allowedNetworks.1", "allowedNetworks.2"]);
    create(&token, "192.0.2.7", json!(vec!["192.0.2.7"; 21])).await.expect(400);
    let made = create(&token, "192.0.2.7", json!(["192.0.2.9/24", "2001:db8::/32"])).await.expect(201).json();
    assert_eq!(made["apiKey"]["allowedNetworks"], json!(["192.0.2.0/24", "2001:db8::/32"]));
    let key = made["key"].as_str().unwrap();
    let links = async |from: &str, path: &str| {
        server.send(server.request(Method::GET, path).bearer_auth(key).header("x-forwarded-for", from)).await
    };
    for path in ["/api/v1/links", "/links", "/api/v1/links/export"] {
        links("192.0.2.255", path).await.expect(200);
        links("2001:db8:7::1", path).await.expect(200);
        for from in ["192.0.3.1", "2001:db9::1", "127.0.0.1"] {
            let refused = links(from, path).await.expect(403).json();
            assert_eq!(refused["error"]["details"], json!({ "reason": "NETWORK_NOT_ALLOWED" }), "{path} {from}");
        }
    }
    let document = json!({ "query": "{ links { total } }" });
    let request = server.request(Method::POST, "/graphql").bearer_auth(key).header("x-forwarded-for", "192.0.3.1");
    assert_eq!(server.send(request.json(&document)).await.json()["errors"][0]["extensions"]["code"], "FORBIDDEN");
    // It makes no key that may be used from elsewhere.
    for (networks, status) in
        [(json!(null), 403), (json!([]), 403), (json!(["0.0.0.0/0"]), 403), (json!(["192.0.2.64/26"]), 201)]
    {
        create(key, "192.0.2.7", networks).await.expect(status);
    }
    assert_eq!(server.get("/api-keys", &token).await.expect(200).json()["total"], 2);
    // A key without networks is as before.
    let free = create(&token, "192.0.3.1", json!([])).await.expect(201).json();
    assert_eq!(free["apiKey"]["allowedNetworks"], json!([]));
    server.get("/links", free["key"].as_str().unwrap()).await.expect(200);
}
