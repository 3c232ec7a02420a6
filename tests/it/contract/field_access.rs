//! Access at every field: a walk over all paths of the schema with each scope missing in turn, and what a refusal must not
//! have done.

use std::collections::{BTreeSet, HashMap};

use futures_util::{StreamExt, stream};
use linkgraph::{
    api::rest::plan::Plan,
    contract::{Contract, Field, Input, RootField, Shape, base_name},
    platform::auth::{
        access::{Credential, Permission},
        scope::Scope,
    },
};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase,
        catalogue::{self, Ids},
        eventually,
        receiver::{Receiver, id},
        stored::stored,
    },
};

const SETTINGS: [(&str, &str); 2] =
    [("LINKGRAPH_DEFAULT_PLAN", "unlimited"), ("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")];

/// A way from a root field to a field, which asks for permissions here or before.
struct Path<'a> {
    root: &'a RootField,
    /// `field(arguments)` or `... on Member`, below the root.
    steps: Vec<String>,
    permissions: Vec<Permission>,
    ends_in_leaf: bool,
}

impl Path<'_> {
    fn document(&self, arguments: &str) -> String {
        let leaf = if self.ends_in_leaf { String::new() } else { " { __typename }".to_owned() };
        let below = self.steps.iter().rev().fold(leaf, |inner, step| format!(" {{ {step}{inner} }}"));
        format!("{} {{ {}{arguments}{below} }}", self.root.kind.keyword(), self.root.field.name)
    }

    /// The scopes that it needs, its root's included.
    fn scopes(&self) -> BTreeSet<&'static str> {
        let scopes = self.permissions.iter().filter_map(|permission| permission.scope());
        scopes.chain(self.root.access.scope).map(Scope::as_str).collect()
    }
}

/// All paths that visit no type twice, to each field with a permission and to each field below such a one.
fn paths(contract: &Contract) -> Vec<Path<'_>> {
    let mut found = Vec::new();
    for root in contract.operations.iter().filter(|root| root.access.credential == Credential::Any) {
        let start = Path { root, steps: Vec::new(), permissions: Vec::new(), ends_in_leaf: false };
        let mut seen = vec![base_name(&root.field.ty)];
        descend(contract, &start, base_name(&root.field.ty), &mut seen, &mut found);
    }
    found
}

fn descend<'a>(
    contract: &'a Contract,
    above: &Path<'a>,
    type_name: &'a str,
    seen: &mut Vec<&'a str>,
    found: &mut Vec<Path<'a>>,
) {
    let below = |step: String, permissions: &[Permission], ends_in_leaf| Path {
        root: above.root,
        steps: [above.steps.clone(), vec![step]].concat(),
        permissions: [&above.permissions, permissions].concat(),
        ends_in_leaf,
    };
    match contract.types.get(type_name).map(|definition| &definition.shape) {
        Some(Shape::Union(members)) => {
            for member in members {
                descend(contract, &below(format!("... on {member}"), &[], false), member, seen, found);
            }
        }
        Some(Shape::Object(fields)) => {
            let mut has_plain_leaf = false;
            for field in fields {
                let inner = base_name(&field.ty);
                let is_leaf = !matches!(
                    contract.types.get(inner).map(|definition| &definition.shape),
                    Some(Shape::Object(_) | Shape::Union(_))
                );
                let path =
                    below(field.name.clone() + &arguments(contract, field, &|_| None), &field.permissions, is_leaf);
                if !is_leaf && !seen.contains(&inner) {
                    seen.push(inner);
                    descend(contract, &path, inner, seen, found);
                    seen.pop();
                }
                // Leaves without a permission of their own are judged alike: one of each place is enough.
                let is_plain = is_leaf && field.permissions.is_empty();
                let is_alike = is_plain && has_plain_leaf;
                if !path.permissions.is_empty() && !is_alike {
                    found.push(path);
                }
                has_plain_leaf |= is_plain;
            }
        }
        _ => {}
    }
}

/// Typical values for the arguments that the field needs; of pages and series, the smallest.
fn arguments(contract: &Contract, field: &Field, known: &dyn Fn(&str) -> Option<String>) -> String {
    let is_size = |name: &str| matches!(name, "pageSize" | "limit" | "days");
    let needed = field.arguments.iter().filter(|argument| argument.is_required() || is_size(&argument.name));
    let given: Vec<String> = needed
        .map(|argument| {
            if is_size(&argument.name) {
                return format!("{}: 1", argument.name);
            }
            let value = known(&argument.name).map(|id| format!("{id:?}"));
            format!("{}: {}", argument.name, value.unwrap_or_else(|| literal(contract, argument)))
        })
        .collect();
    if given.is_empty() { String::new() } else { format!("({})", given.join(", ")) }
}

fn literal(contract: &Contract, input: &Input) -> String {
    let name = base_name(&input.ty);
    match (contract.input(name), &input.example) {
        (Some(fields), _) => {
            let fields: Vec<String> = fields
                .iter()
                .filter(|field| field.is_required())
                .map(|field| format!("{}: {}", field.name, literal(contract, field)))
                .collect();
            let object = format!("{{ {} }}", fields.join(", "));
            if input.ty.base.to_string().starts_with('[') { format!("[{object}]") } else { object }
        }
        (None, Some(example)) if input.ty.base.to_string().starts_with('[') => example.clone(),
        (None, Some(example)) if matches!(name, "String" | "ID" | "DateTime") => format!("{example:?}"),
        // Names of an enum are examples in JSON.
        (None, Some(example)) => example.trim_matches('"').to_owned(),
        (None, None) => panic!("{} has no example", input.name),
    }
}

/// Fails with the rows that a refused request changed.
fn assert_unchanged(before: &str, after: &str) {
    let changed: Vec<_> = before.lines().zip(after.lines()).filter(|(before, after)| before != after).take(5).collect();
    assert!(before == after, "a refused request changed something: {changed:#?}");
}

/// Code and details of the one error of a refused request.
fn refusal(answer: &Json) -> (&Json, &Json) {
    assert!(answer.get("data").is_none(), "{answer}");
    let extensions = &answer["errors"][0]["extensions"];
    (&extensions["code"], &extensions["details"])
}

/// An account with one of everything that documents name by its id.
struct Everything {
    token: String,
    ids: Ids,
}

async fn everything(server: &Http) -> Everything {
    let token = server.register("alice").await;
    // It makes a link, of which the webhook is not to be told.
    let transfer = catalogue::make(server, &token, "transferId", "go").await;
    let receiver = Receiver::start().await;
    let webhook = server.webhook(&token, &receiver.url("/"), &["link.created"]).await;
    let link = server.link(&token, "first").await;
    let delivery = server.delivery_that(&token, &webhook, "it succeeds", |it| it["status"] == "SUCCEEDED").await;
    let ids = [("linkId", &link), ("webhookId", &webhook), ("deliveryId", &delivery)];
    let mut ids = Ids::from(ids.map(|(name, resource)| (name, id(resource).to_owned())));
    ids.insert("transferId", transfer);
    catalogue::complete(server, &token, "go", &mut ids).await;
    Everything { token, ids }
}

impl Everything {
    /// The id that an argument of this root field is to have.
    fn id(&self, plan: &Plan, root: &str, argument: &str) -> Option<String> {
        self.ids.get(catalogue::parameter(plan, root, argument)).cloned()
    }
}

/// A field that leads to a resource and forgets its permission fails here, as the walk knows no field by name.
#[test]
fn every_path_to_a_resource_needs_its_scope() {
    let (_, contract, _) = linkgraph::api::contract().unwrap();
    let scope = |type_name: &str| match type_name {
        "Link" | "Tag" | "UtmTemplate" | "Image" => Some("links:read"),
        "ClickEvent" | "Annotation" | "Report" => Some("analytics:read"),
        "CustomDomain" | "PublishableKey" => Some("domains:read"),
        "SubdomainClaim" => Some("subdomain:read"),
        "Webhook" | "Delivery" => Some("webhooks:read"),
        "ApiKey" => Some("api-keys:manage"),
        _ => None,
    };
    // The resource that a mutation changed.
    let own = |root: &RootField| match root.access.scope.map(Scope::as_str) {
        Some("links:write") if root.field.name.ends_with("Tag") => ["Tag", ""],
        Some("links:write") if root.field.name.ends_with("UtmTemplate") => ["UtmTemplate", ""],
        Some("links:write") if root.field.name.ends_with("Annotation") => ["Annotation", ""],
        Some("links:write") if root.field.name.ends_with("Report") => ["Report", ""],
        Some("links:write") if root.field.name.ends_with("Image") => ["Image", ""],
        Some("links:write") => ["Link", ""],
        Some("domains:manage") if root.field.name.ends_with("PublishableKey") => ["PublishableKey", ""],
        Some("domains:manage") => ["CustomDomain", ""],
        Some("subdomain:manage") => ["SubdomainClaim", ""],
        Some("webhooks:manage") if root.field.name.contains("Webhook") && !root.field.name.starts_with("test") => {
            ["Webhook", ""]
        }
        Some("webhooks:manage") => ["Delivery", ""],
        _ => ["", ""],
    };
    let mut led_to = 0;
    let mut open = vec![];
    for root in contract.operations.iter().filter(|root| root.access.credential == Credential::Any) {
        let scopes: BTreeSet<&str> = root.access.scope.iter().map(|scope| scope.as_str()).collect();
        open.push((root, base_name(&root.field.ty).to_owned(), scopes, vec![root.field.name.clone()]));
    }
    while let Some((root, type_name, scopes, path)) = open.pop() {
        if let Some(needed) = scope(&type_name)
            && !own(root).contains(&&*type_name)
        {
            led_to += 1;
            assert!(scopes.contains(needed), "{} leads to {type_name} without {needed}", path.join("."));
        }
        let inner: Vec<(String, String, Vec<&str>)> =
            match contract.types.get(&type_name).map(|definition| &definition.shape) {
                Some(Shape::Union(members)) => members.iter().map(|it| (it.clone(), it.clone(), vec![])).collect(),
                Some(Shape::Object(fields)) => fields
                    .iter()
                    .filter(|field| !field.permissions.contains(&Permission::UserToken))
                    .map(|field| {
                        let needed = field.permissions.iter().filter_map(|it| it.scope()).map(Scope::as_str);
                        (field.name.clone(), base_name(&field.ty).to_owned(), needed.collect())
                    })
                    .collect(),
                _ => vec![],
            };
        for (name, inner, needed) in inner {
            if path.len() < 8 && !path.contains(&name) {
                let scopes = scopes.iter().copied().chain(needed).collect();
                open.push((root, inner, scopes, [path.clone(), vec![name]].concat()));
            }
        }
    }
    assert!(led_to > 50, "{led_to}");
}

/// On one database: what is refused here reaches none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_path_is_refused_without_each_of_its_scopes() {
    let database = TestDatabase::sqlite();
    let server = database.start_with(&SETTINGS).await;
    let api = server.api();
    let own = everything(&server).await;
    let mut keys: HashMap<&str, String> = HashMap::new();
    for missing in Scope::ALL {
        let others: Vec<&str> = Scope::ALL.iter().filter(|it| *it != missing).map(|it| it.as_str()).collect();
        keys.insert(missing.as_str(), server.api_key(&own.token, &others).await);
    }
    let all: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    let every_scope = server.api_key(&own.token, &all).await;
    let connection = database.connect().await;
    let before = stored(&connection).await;
    let walk = paths(&api.contract);
    println!("{} paths", walk.len());
    assert!(walk.len() > 300);
    let walked = stream::iter(&walk).for_each_concurrent(8, async |path| {
        let name = &path.root.field.name;
        let document =
            path.document(&arguments(&api.contract, &path.root.field, &|argument| own.id(&api.plan, name, argument)));
        for missing in path.scopes() {
            let answer = server.graphql(&keys[missing], &document, json!({})).await;
            if refusal(&answer).0 == "QUERY_TOO_COMPLEX" {
                // Nobody gets it: the limits come before the rights.
                let answer = server.graphql(&own.token, &document, json!({})).await;
                assert_eq!(refusal(&answer).0, "QUERY_TOO_COMPLEX", "{document}: {answer}");
                continue;
            }
            assert_eq!(refusal(&answer), (&json!("FORBIDDEN"), &json!({ "scope": missing })), "{document}: {answer}");
        }
        if path.permissions.contains(&Permission::UserToken) {
            let answer = server.graphql(&every_scope, &document, json!({})).await;
            assert_eq!(refusal(&answer), (&json!("FORBIDDEN"), &json!({ "credential": "USER" })), "{document}");
        }
    });
    walked.await;
    assert_unchanged(&before, &stored(&connection).await);
    connection.close().await.unwrap();
    server.stop().await;
}

/// Each of these was refused, and had happened.
#[on_each_database]
async fn what_is_refused_below_a_mutation_did_not_happen(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let own = everything(&server).await;
    let writer = server.api_key(&own.token, &["links:write"]).await;
    let manager = server.api_key(&own.token, &["webhooks:manage"]).await;
    let connection = database.connect().await;
    let before = stored(&connection).await;
    let link = "destinationUrl: \"https://example.com/\", slug: \"ghost\"";
    let fragment = "... on Link { ...F } } } fragment F on Link { c: clicks(page: 1) @include(if: $yes) { total } }";
    let (webhook, delivery) = (&own.ids["webhookId"], &own.ids["deliveryId"]);
    for (credential, scope, document) in [
        (
            &writer,
            "analytics:read",
            format!("mutation {{ createLink(input: {{ {link} }}) {{ id clicks {{ total }} }} }}"),
        ),
        (
            &writer,
            "analytics:read",
            format!("mutation($yes: Boolean! = true) {{ createLink(input: {{ {link} }}) {{ id {fragment}"),
        ),
        (
            &writer,
            "analytics:read",
            format!(
                "mutation {{ a: createLink(input: {{ {link} }}) {{ id }} \
                 createLinks(input: {{ links: [{{ {link} }}] }}) {{ results {{ link {{ clicks {{ data {{ id }} }} }} }} }} }}"
            ),
        ),
        (
            &manager,
            "webhooks:read",
            format!(
                "mutation {{ rotateWebhookSecret(id: \"{webhook}\") {{ secret webhook {{ deliveries {{ total }} }} }} }}"
            ),
        ),
        (
            &manager,
            "webhooks:read",
            format!("mutation {{ testWebhook(id: \"{webhook}\") {{ payload {{ __typename }} }} }}"),
        ),
        (&manager, "webhooks:read", format!("mutation {{ testWebhook(id: \"{webhook}\") {{ webhook {{ url }} }} }}")),
        (
            &manager,
            "webhooks:read",
            format!(
                "mutation {{ redeliver(webhookId: \"{webhook}\", deliveryId: \"{delivery}\") {{ id attempts {{ statusCode }} }} }}"
            ),
        ),
    ] {
        let answer = server.graphql(credential, &document, json!({})).await;
        assert_eq!(refusal(&answer), (&json!("FORBIDDEN"), &json!({ "scope": scope })), "{document}: {answer}");
        assert_eq!(answer["errors"][0]["message"], "Missing required scope.");
    }
    let off = "input: { isActive: false }";
    for (path, document, variables) in [
        (
            "page",
            format!(
                "mutation {{ updateLink(id: \"{}\", {off}) {{ clicks(page: 0) {{ total }} }} }}",
                own.ids["linkId"]
            ),
            json!({}),
        ),
        (
            "limit",
            format!(
                "mutation($n: Int!) {{ updateLink(id: \"{}\", {off}) {{ clicks(limit: $n) {{ total }} }} }}",
                own.ids["linkId"]
            ),
            json!({ "n": 101 }),
        ),
        (
            "event",
            format!(
                "mutation {{ testWebhook(id: \"{webhook}\") {{ webhook {{ deliveries(event: \"x\") {{ total }} }} }} }}"
            ),
            json!({}),
        ),
        (
            "expiresAt",
            format!(
                "mutation($at: DateTime) {{ a: createLink(input: {{ {link} }}) {{ id }} \
                     createApiKey(input: {{ name: \"k\", scopes: [], expiresAt: $at }}) {{ key }} }}"
            ),
            json!({ "at": "tomorrow" }),
        ),
        (
            "slug",
            format!(
                "mutation($second: CreateLinkInput!) {{ a: createLink(input: {{ {link} }}) {{ id }} b: createLink(input: $second) {{ id }} }}"
            ),
            json!({ "second": { "destinationUrl": "https://example.com/", "slug": "not a slug" } }),
        ),
    ] {
        let answer = server.graphql(&own.token, &document, variables).await;
        assert_eq!(refusal(&answer).0, "VALIDATION_ERROR", "{document}: {answer}");
        assert_eq!(answer["errors"][0]["extensions"]["validationErrors"][0]["path"], path, "{answer}");
    }
    assert_unchanged(&before, &stored(&connection).await);
    // With the scopes, and with what is left out by a condition, all of it is done.
    let both = server.api_key(&own.token, &["links:write", "analytics:read"]).await;
    let document = format!("mutation {{ createLink(input: {{ {link} }}) {{ clicks {{ total }} }} }}");
    let answer = server.graphql(&both, &document, json!({})).await;
    assert_eq!(answer["data"]["createLink"]["clicks"]["total"], 0, "{answer}");
    let document = "mutation($no: Boolean!) { createLink(input: { destinationUrl: \"https://example.com/\" }) \
            { isActive clicks @include(if: $no) { total } } }";
    let answer = server.graphql(&writer, document, json!({ "no": false })).await;
    assert_eq!(answer["data"], json!({ "createLink": { "isActive": true } }), "{answer}");
    connection.close().await.unwrap();
}

#[on_each_database]
async fn a_webhook_gets_only_events_whose_data_its_maker_may_read(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let own = everything(&server).await;
    let url = "https://hooks.example.com/";
    let connection = database.connect().await;
    for (scopes, event, missing) in [
        (&["webhooks:manage"][..], "link.created", json!({ "scope": "links:read" })),
        (&["webhooks:manage", "links:read"], "link.clicked", json!({ "scope": "analytics:read" })),
        (&["webhooks:manage", "analytics:read"], "link.clicked", json!({ "scope": "links:read" })),
        (&["webhooks:manage"], "domain.created", json!({ "scope": "domains:read" })),
        (&["webhooks:manage"], "subdomain.claimed", json!({ "scope": "subdomain:read" })),
        (&["webhooks:manage"], "api_key.created", json!({ "scope": "api-keys:manage" })),
        (&["webhooks:manage"], "webhook.disabled", json!({ "scope": "webhooks:read" })),
        (&["webhooks:manage", "billing:read", "billing:manage"], "invoice.paid", json!({ "credential": "USER" })),
        (
            &["webhooks:manage", "billing:read", "billing:manage"],
            "subscription.updated",
            json!({ "credential": "USER" }),
        ),
    ] {
        let key = server.api_key(&own.token, scopes).await;
        let before = stored(&connection).await;
        let refused = server
            .post("/api/v1/webhooks", &key, json!({ "name": "n", "url": url, "events": [event] }))
            .await
            .expect(403);
        assert_eq!(
            (refused.code(), &refused.json()["error"]["details"]),
            ("FORBIDDEN".to_owned(), &missing),
            "{event}"
        );
        // Nor may it be added to a webhook, or what a webhook has be sent elsewhere.
        let id = server
            .post("/webhooks", &own.token, json!({ "name": "n", "url": url, "events": [event] }))
            .await
            .expect(201)
            .json();
        let path = format!("/api/v1/webhooks/{}", id["id"].as_str().unwrap());
        let with_it = stored(&connection).await;
        let added = format!("/api/v1/webhooks/{}", own.ids["webhookId"]);
        for (path, change) in [
            (&added, json!({ "events": ["link.created", event] })),
            (&path, json!({ "url": "https://elsewhere.example.com/" })),
            (&path, json!({ "url": "https://elsewhere.example.com/", "isActive": true, "events": [event] })),
        ] {
            let allowed = event == "link.created" && *path == added;
            let refused = server.call("PATCH", path, &key, change.clone()).await;
            match allowed {
                true => refused.expect(200),
                false => refused.expect(403),
            };
        }
        if event != "link.created" {
            assert_unchanged(&with_it, &stored(&connection).await);
        }
        assert_ne!(before, with_it);
        // The key may send the events that the webhook has along with other changes.
        server.call("PATCH", &path, &key, json!({ "name": "other", "events": [event], "url": url })).await.expect(200);
        server.call("DELETE", &path.replace("/api/v1", ""), &own.token, Json::Null).await.expect(204);
    }
    let key = server.api_key(&own.token, &["webhooks:manage", "links:read", "analytics:read"]).await;
    let events = ["link.created", "link.updated", "link.deleted", "link.clicked"];
    server.post("/api/v1/webhooks", &key, json!({ "name": "n", "url": url, "events": events })).await.expect(201);
    connection.close().await.unwrap();
}

/// A narrow key over REST is answered without the fields that it may not read; asked for by name, they are refused.
#[on_each_database]
async fn rest_leaves_out_what_a_key_may_not_read(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let own = everything(&server).await;
    let key = server.api_key(&own.token, &["webhooks:manage", "analytics:read"]).await;
    let reader =
        server.api_key(&own.token, &["webhooks:manage", "webhooks:read", "analytics:read", "links:read"]).await;
    server.get("/first", "").await.expect(302);
    eventually("the click is counted", async || {
        let link = server.get(&format!("/links/{}", own.ids["linkId"]), &own.token).await.json();
        (link["clickCount"] == 1).then_some(())
    })
    .await;
    let again = format!("/api/v1/webhooks/{}/deliveries/{}/redeliver", own.ids["webhookId"], own.ids["deliveryId"]);
    let summary = "/api/v1/analytics/summary";
    for (credential, is_shown) in [(&key, false), (&reader, true), (&own.token, true)] {
        let (again, summary) = match credential == &own.token {
            true => (again.replace("/api/v1", ""), summary.replace("/api/v1", "")),
            false => (again.clone(), summary.to_owned()),
        };
        let delivery = server.post(&again, credential, Json::Null).await.expect(200).json();
        assert_eq!(delivery.get("attempts").is_some(), is_shown, "{delivery}");
        assert_eq!(delivery["status"].is_string(), is_shown, "{delivery}");
        let links = server.get(&summary, credential).await.expect(200).json();
        assert_eq!(links["links"][0]["linkId"], own.ids["linkId"].as_str());
        assert_eq!(links["links"][0].get("link").is_some(), is_shown, "{links}");
    }
    let attempts = server.post(&format!("{again}?fields=id,attempts"), &key, Json::Null).await.expect(403);
    assert_eq!(attempts.json()["error"]["details"], json!({ "scope": "webhooks:read" }));
    server.post(&format!("{again}?fields=id,attempts"), &reader, Json::Null).await.expect(200);
    server.post(&format!("{again}?fields=id"), &key, Json::Null).await.expect(200);
}
