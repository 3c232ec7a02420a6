//! To write is not to read: what mutations answer to keys that may write and not read, and that an update must say something.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use linkgraph::{
    api::rest::operation::method_name,
    contract::{Contract, OperationKind, RootField, Shape, base_name},
    platform::auth::access::{Credential, EntryPoint},
};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase,
        catalogue::{Ids, arguments, as_variables, with_ids},
        dns_stub::DnsStub,
        idempotency::assert_replayed,
        planted::{SECRET, plant, secret},
        receiver::{Receiver, id},
        schema::misfit,
        stored::stored,
    },
};

const SETTINGS: [(&str, &str); 2] =
    [("LINKGRAPH_DEFAULT_PLAN", "unlimited"), ("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")];
/// An account with a secret in each text of each resource, and its keys by the scope with which they write.
struct Planted {
    token: String,
    ids: Ids,
    keys: BTreeMap<&'static str, String>,
}

async fn planted(server: &Http, name: &str, receiver: &Receiver) -> Planted {
    let token = server.register(name).await;
    let ids = plant(server, &token, name, receiver).await;
    let mut keys = BTreeMap::new();
    for scope in ["links:write", "domains:manage", "subdomain:manage", "api-keys:manage"] {
        keys.insert(scope, server.api_key(&token, &[scope]).await);
    }
    // Who creates a webhook may read what it is sent.
    keys.insert("webhooks:manage", server.api_key(&token, &["webhooks:manage", "links:read"]).await);
    Planted { token, ids, keys }
}

/// The leaves of a mutation's answer that a key may have which only writes: what the catalogue's arguments say, and ids. `None`: all, since
/// the mutation creates it.
fn free(mutation: &str) -> Option<&'static [&'static str]> {
    Some(match mutation {
        "createLink"
        | "createLinks"
        | "createTag"
        | "createUtmTemplate"
        | "createAnnotation"
        | "createReport"
        | "uploadImage"
        | "startImport"
        | "startApiImport"
        | "createDomain"
        | "claimSubdomain"
        | "createPublishableKey"
        | "createWebhook"
        | "testWebhook"
        | "createApiKey" => return None,
        "updateLinks" => &[
            "results.linkId",
            "results.link.id",
            "results.link.title",
            "results.link.utm.source",
            "results.link.isActive",
            "results.link.maxClicks",
            "results.error.code",
            "results.error.message",
            "results.error.validationErrors.path",
            "results.error.validationErrors.message",
            "results.error.details.path",
            "results.error.details.limit",
            "results.error.details.used",
            "results.error.details.resource",
        ],
        "updateLink" => &["id", "title", "utm.source", "isActive", "maxClicks"],
        "setLinkRules" | "setLinkSplit" => &["id"],
        "updateTag" => &["id", "name"],
        "updateUtmTemplate" => &["id", "name", "medium"],
        "updateAnnotation" => &["id", "text"],
        "updateReport" => &["id", "name", "isShared"],
        "updatePublishableKey" => &["id", "name"],
        "updateDomain" => &["id", "settings.rootUrl", "settings.forwardsQuery", "settings.ignoresCase"],
        "updateSubdomain" => &["id", "settings.rootUrl", "settings.forwardsQuery"],
        "updateWebhook" => &["id", "name", "isActive"],
        "rotateWebhookSecret" => &["webhook.id", "secret"],
        "mergeTag" | "appendImport" | "cancelImport" | "verifyDomain" | "activateSubdomain" | "redeliver" => &["id"],
        _ => panic!("the test does not know what {mutation} may answer"),
    })
}

/// The leaves below a type that need no permission of their own.
fn leaves(contract: &Contract, type_name: &str) -> Vec<String> {
    let Some(Shape::Object(fields)) = contract.types.get(type_name).map(|definition| &definition.shape) else {
        return vec![String::new()];
    };
    let free = fields.iter().filter(|field| field.permissions.is_empty() && field.arguments.is_empty());
    free.flat_map(|field| {
        let inner = leaves(contract, base_name(&field.ty)).into_iter();
        inner.map(|inner| if inner.is_empty() { field.name.clone() } else { format!("{}.{inner}", field.name) })
    })
    .collect()
}

/// The mutations that answer resources to API keys, in an order in which each of them can succeed.
fn mutations(contract: &Contract) -> Vec<&RootField> {
    let reads = |name: &str| contract.types.get(name).is_some_and(|definition| definition.reads.is_some());
    let mut found: Vec<&RootField> = contract
        .operations
        .iter()
        .filter(|root| root.kind == OperationKind::Mutation && root.access.credential == Credential::Any)
        .filter(|root| {
            let mut open = vec![base_name(&root.field.ty)];
            let mut seen = BTreeSet::new();
            while let Some(name) = open.pop() {
                if reads(name) {
                    return true;
                }
                if let (Some(Shape::Object(fields)), true) =
                    (contract.types.get(name).map(|definition| &definition.shape), seen.insert(name))
                {
                    open.extend(fields.iter().map(|field| base_name(&field.ty)));
                }
            }
            false
        })
        .collect();
    found.sort_by_key(|root| match &*root.field.name {
        "mergeTag" | "claimSubdomain" => 3,
        "startApiImport" => 2,
        "startImport" => 1,
        _ => 0,
    });
    found
}

/// Makes room for what an account has one of.
async fn make_room(server: &Http, planted: &Planted, mutation: &str) {
    if mutation == "claimSubdomain" {
        server.call("DELETE", "/subdomain", &planted.token, Json::Null).await.expect(204);
    }
    if mutation == "startApiImport" {
        let imports = server.get("/imports", &planted.token).await.expect(200).json();
        for import in imports["data"].as_array().unwrap() {
            let path = format!("/imports/{}/cancel", id(import));
            server.post(&path, &planted.token, Json::Null).await;
        }
    }
}

fn scope(root: &RootField) -> &'static str {
    root.access.scope.unwrap().as_str()
}

/// The document that selects these leaves, each under names of its own unless there are many.
fn document(root: &RootField, leaves: &[&str]) -> String {
    let [variables, arguments] = as_variables(root);
    let selected: Vec<String> = leaves
        .iter()
        .enumerate()
        .map(|(number, leaf)| {
            // A document has at most 30 aliases.
            let alias = |letter: char| if leaves.len() < 8 { format!("{letter}{number}: ") } else { String::new() };
            let steps = leaf.split('.').rev().enumerate();
            steps.fold(String::new(), |inner, (depth, name)| match depth {
                0 => format!("{}{name}", alias('x')),
                _ => format!("... @include(if: true) {{ {}{name} {{ {inner} }} }}", alias('y')),
            })
        })
        .collect();
    format!(
        "mutation M{} {{ aliased: {}{} {{ ...F }} }} fragment F on {} {{ {} }}",
        variables,
        root.field.name,
        arguments,
        base_name(&root.field.ty),
        selected.join(" ")
    )
}

/// The leaves of a REST body.
fn leaves_of(body: &Json, path: &str, found: &mut BTreeSet<String>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match body {
        Json::Object(fields) => fields.iter().for_each(|(name, value)| leaves_of(value, &below(name), found)),
        Json::Array(items) => items.iter().for_each(|item| leaves_of(item, path, found)),
        _ => drop(found.insert(path.to_owned())),
    }
}

#[on_each_database]
async fn who_may_write_alone_gets_what_was_written(database: TestDatabase) {
    let dns = DnsStub::start(HashMap::new()).await.address.to_string();
    let server = database.start_with(&[&SETTINGS[..], &[("LINKGRAPH_DNS_SERVER", &*dns)]].concat()).await;
    let api = server.api();
    let receiver = Receiver::start().await;
    let (alice, bob) = (planted(&server, "alice", &receiver).await, planted(&server, "bob", &receiver).await);
    let connection = database.connect().await;
    let walk = mutations(&api.contract);
    assert!(walk.len() >= 25, "{}", walk.len());

    // GraphQL refuses each other leaf by itself, whatever it is called, and nothing has happened.
    for root in &walk {
        let name = &root.field.name;
        let (variables, free) = (arguments(name, "alice"), free(name));
        let Some(free) = free else { continue };
        let variables = with_ids(variables, &alice.ids);
        let key = &alice.keys[scope(root)];
        let all = leaves(&api.contract, base_name(&root.field.ty));
        assert!(free.iter().all(|leaf| all.iter().any(|known| known == leaf)), "{name}: {all:?}");
        let before = stored(&connection).await;
        for leaf in all.iter().filter(|leaf| !free.contains(&&***leaf)) {
            let document = document(root, &["__typename", leaf]);
            let answer = server.graphql(key, &document, variables.clone()).await;
            let error = &answer["errors"][0];
            assert_eq!(
                (&error["message"], &error["extensions"]["code"], answer.get("data")),
                (&json!("Missing required scope."), &json!("FORBIDDEN"), None),
                "{document}: {answer}"
            );
            let read = match base_name(&root.field.ty) {
                "Annotation" | "Report" => "analytics:read".to_owned(),
                _ => scope(root).replace(":write", ":read").replace(":manage", ":read"),
            };
            assert_eq!(error["extensions"]["details"], json!({ "scope": read }), "{document}");
        }
        assert!(before == stored(&connection).await, "a refused {name} changed something");
    }

    // All that is allowed, at once: Alice's by GraphQL, Bob's by REST.
    for root in &walk {
        let name = &root.field.name;
        let (variables, free) = (arguments(name, "alice"), free(name));
        make_room(&server, &alice, name).await;
        let all = leaves(&api.contract, base_name(&root.field.ty));
        let selected: Vec<&str> =
            free.map_or_else(|| all.iter().map(String::as_str).collect(), |free: &[&str]| free.to_vec());
        let key = &alice.keys[scope(root)];
        let document = document(root, &selected);
        let answer = server.graphql(key, &document, with_ids(variables, &alice.ids)).await;
        assert!(answer["data"]["aliased"].is_object() && answer.get("errors").is_none(), "{document}: {answer}");
        assert!(!answer.to_string().contains(SECRET), "{document}: {answer}");
    }
    let mut routes = 0;
    let document = server.get("/openapi.json", "").await.expect(200).json();
    for root in &walk {
        let name = &root.field.name;
        let (variables, free) = (arguments(name, "bob"), free(name));
        make_room(&server, &bob, name).await;
        let of_root = api.plan.operations.iter().filter(|it| it.field.name == *name);
        let operation = of_root.max_by_key(|it| it.entry_point == EntryPoint::PublicApi).unwrap();
        let variables = with_ids(variables, &bob.ids);
        let mut path = operation.path.clone();
        for parameter in &operation.path_parameters {
            let value = variables[&parameter.argument.name].as_str().unwrap();
            path = path.replace(&format!("{{{}}}", parameter.name), value);
        }
        let key = &bob.keys[scope(root)];
        let method = method_name(operation.method);
        let answer = server.call(method, &path, key, variables["input"].clone()).await.expect(operation.status);
        assert!(!answer.text.contains(SECRET), "{method} {path}: {answer:?}");
        let answers = &document["paths"][&operation.path][&method.to_lowercase()]["responses"];
        let schema = &answers[operation.status.to_string()]["content"]["application/json"]["schema"];
        assert_eq!(misfit(&document, schema, &answer.json()), None, "{method} {path}");
        let mut found = BTreeSet::new();
        leaves_of(&answer.json(), "", &mut found);
        if let Some(free) = free {
            // Of an error that is null there is no more, and the fields of a webhook stand beside its secret.
            let free = free.iter().map(|leaf| leaf.strip_prefix("webhook.").unwrap_or(leaf)).map(|leaf| {
                leaf.split(".error").next().map_or(leaf, |start| if start == leaf { leaf } else { "results.error" })
            });
            assert_eq!(found, free.map(str::to_owned).collect(), "{method} {path}");
        } else {
            assert!(found.len() > 3, "{method} {path}: {found:?}");
        }
        routes += 1;
    }
    assert_eq!(routes, walk.len());

    // What the body lacks can't be asked for by name either; the owner, and a key that may read, have all of it.
    let path = format!("/api/v1/links/{}", bob.ids["linkId"]);
    let change = json!({ "title": "plain" });
    let refused =
        server.call("PATCH", &format!("{path}?fields=id,notes"), &bob.keys["links:write"], change.clone()).await;
    assert_eq!(refused.expect(403).json()["error"]["details"], json!({ "scope": "links:read" }));
    let reader = server.api_key(&bob.token, &["links:write", "links:read"]).await;
    let read = server.call("PATCH", &path, &reader, change).await.expect(200).json();
    assert_eq!(read["notes"], secret("bob", "links"));
    assert_eq!(read, server.get(&path, &reader).await.expect(200).json());
    connection.close().await.unwrap();
}

#[on_each_database]
async fn an_update_that_says_nothing_changes_nothing(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let api = server.api();
    let receiver = Receiver::start().await;
    let mut alice = planted(&server, "alice", &receiver).await;
    let me = server.get("/me", &alice.token).await.expect(200).json();
    alice.ids.insert("userId", id(&me).to_owned());
    let connection = database.connect().await;
    let before = stored(&connection).await;
    let mut updates = 0;
    for operation in api.plan.operations.iter().filter(|it| method_name(it.method) == "PATCH") {
        let name = &*operation.field.name;
        let (path, input) = match name {
            "updateLinks" => ("change", json!({ "ids": [alice.ids["linkId"]], "change": {} })),
            _ => ("body", json!({})),
        };
        let variables = if name == "updateMe" { json!({}) } else { with_ids(arguments(name, "alice"), &alice.ids) };
        let mut address = operation.path.clone();
        for parameter in &operation.path_parameters {
            address = address
                .replace(&format!("{{{}}}", parameter.name), variables[&parameter.argument.name].as_str().unwrap());
        }
        let is_public = operation.entry_point == EntryPoint::PublicApi;
        let credential = if is_public { &alice.keys[operation.access.scope.unwrap().as_str()] } else { &alice.token };
        let answer = server.call("PATCH", &address, credential, input.clone()).await.expect(400);
        assert_eq!(
            (answer.code(), answer.violations()),
            ("VALIDATION_ERROR".to_owned(), vec![path.to_owned()]),
            "{address}"
        );
        if is_public {
            continue;
        }
        let root = api.contract.operation(OperationKind::Mutation, name).unwrap();
        let mut variables = variables;
        variables["input"] = input;
        let document = document(root, &["__typename"]);
        let answer = server.graphql(&alice.token, &document, variables).await;
        let path = if path == "body" { "input" } else { path };
        let extensions = &answer["errors"][0]["extensions"];
        assert_eq!(extensions["code"], "VALIDATION_ERROR", "{document}: {answer}");
        assert_eq!(extensions["validationErrors"][0]["path"], path, "{document}: {answer}");
        updates += 1;
    }
    assert!(updates >= 8, "{updates}");
    // Objects without fields say nothing either; one field that is named is a change.
    let path = format!("/links/{}", alice.ids["linkId"]);
    server.call("PATCH", &path, &alice.token, json!({ "utm": {} })).await.expect(400);
    let document = "mutation($id: ID!) { a: updateLink(id: $id, input: { isActive: false }) { id } \
                    b: updateLink(id: $id, input: { utm: {} }) { id } }";
    let answer = server.graphql(&alice.token, document, json!({ "id": alice.ids["linkId"] })).await;
    assert!(answer.get("data").is_none(), "{answer}");
    assert!(before == stored(&connection).await, "nothing was to change");
    server.call("PATCH", &path, &alice.token, json!({ "isActive": true })).await.expect(200);
    assert!(before != stored(&connection).await);
    connection.close().await.unwrap();
}

#[on_each_database]
async fn an_existing_link_is_for_those_who_may_read(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let writer = server.api_key(&token, &["links:write"]).await;
    let reader = server.api_key(&token, &["links:write", "links:read"]).await;
    let url = "https://example.com/same";
    let secret = json!({ "destinationUrl": url, "slug": "there", "notes": SECRET, "title": SECRET });
    let there = server.post("/links", &token, secret).await.expect(201).json();
    let stored = async || database.links().await;
    let by_url = json!({ "destinationUrl": url, "ifExists": "RETURN" });
    let by_slug = json!({ "destinationUrl": url, "slug": "there", "ifExists": "RETURN" });
    // As if it had not been asked for: the same refusal, with a key as without, and once more.
    for (body, path) in [(&by_url, "destinationUrl"), (&by_slug, "slug")] {
        for _ in 0..2 {
            let refused = server.post_once("/api/v1/links", &writer, path, body).await.expect(409);
            assert_eq!(
                (refused.code().as_str(), &refused.json()["error"]["details"]["path"]),
                ("CONFLICT", &json!(path))
            );
            assert!(!refused.text.contains(SECRET) && !refused.text.contains(id(&there)), "{refused:?}");
        }
    }
    let plain = json!({ "destinationUrl": url, "slug": "there" });
    let (plain, asked) =
        (server.post("/links", &writer, plain).await, server.post("/links", &writer, by_slug.clone()).await);
    assert_eq!(plain.json()["error"], asked.json()["error"]);
    let links =
        json!({ "links": [by_url, by_slug, { "destinationUrl": "https://example.com/new", "ifExists": "RETURN" }] });
    let bulk = server.post("/api/v1/links/bulk", &writer, links.clone()).await.expect(200);
    let results = bulk.json()["results"].clone();
    assert_eq!((&results[0]["error"]["code"], &results[1]["error"]["code"]), (&json!("CONFLICT"), &json!("CONFLICT")));
    assert_eq!(results[2]["link"]["destinationUrl"], "https://example.com/new");
    assert!(!bulk.text.contains(SECRET) && !bulk.text.contains(id(&there)), "{bulk:?}");
    let document = "mutation($input: CreateLinkInput!, $links: CreateLinksInput!) { \
                    a: createLink(input: $input) { id notes } b: createLinks(input: $links) { results { link { id notes } } } }";
    let answer = server.graphql(&writer, document, json!({ "input": by_url, "links": links })).await.to_string();
    assert!(answer.contains("CONFLICT") && !answer.contains(SECRET) && !answer.contains(id(&there)), "{answer}");
    assert_eq!(stored().await, 2);

    // Who may read gets the link, and is told by the status that nothing was created; so is who sends it again.
    for (number, body) in [by_url.clone(), by_slug].iter().enumerate() {
        for (path, credential) in [("/api/v1/links", &reader), ("/links", &token)] {
            let key = format!("{number} {path}");
            let first = server.post_once(path, credential, &key, body).await.expect(200);
            assert_eq!((first.json(), first.header("location")), (there.clone(), ""));
            assert_replayed(&first, &server.post_once(path, credential, &key, body).await);
        }
    }
    assert_eq!(stored().await, 2);
    let other = json!({ "destinationUrl": "https://example.com/other", "ifExists": "RETURN" });
    let first = server.post_once("/api/v1/links", &reader, "other", &other).await.expect(201);
    assert_eq!(first.header("location"), format!("/api/v1/links/{}", id(&first.json())));
    assert_replayed(&first, &server.post_once("/api/v1/links", &reader, "other", &other).await);
    assert_eq!(server.post("/api/v1/links", &reader, other).await.expect(200).json(), first.json());
    // The key of another credential opens no answer.
    server.post_once("/api/v1/links", &writer, "0 /api/v1/links", &by_url).await.expect(422);
    let request = server.request(Method::POST, "/links").bearer_auth(&writer);
    server.send(request.json(&json!({ "destinationUrl": url }))).await.expect(201);
}
