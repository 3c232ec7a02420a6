//! A REST operation has the same answer as its GraphQL field.

use base64::Engine;
use linkgraph::{api::rest::operation::PUBLIC_PREFIX, graphql::directives::HttpMethod};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        TestDatabase,
        catalogue::{self, Ids},
        schema::misfit,
    },
};

fn parameter_names(operation: &Json) -> impl Iterator<Item = &str> {
    operation["parameters"].as_array().into_iter().flatten().filter_map(|parameter| parameter["name"].as_str())
}

/// The document, with schemas that may have anything left out.
fn without_required(document: &Json) -> Json {
    match document {
        Json::Object(fields) => {
            let kept = fields.iter().filter(|(name, value)| *name != "required" || !value.is_array());
            kept.map(|(name, value)| (name.clone(), without_required(value))).collect()
        }
        Json::Array(items) => items.iter().map(without_required).collect(),
        other => other.clone(),
    }
}

/// For every GET of the plan: the body equals the value of the field, asked with the operation's own selection.
#[on_each_database]
async fn every_rest_body_is_the_graphql_value(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let scopes: Vec<&str> = linkgraph::platform::auth::scope::Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    let key = server.api_key(&token, &scopes).await;
    let link = server.link(&token, "golden").await["id"].as_str().unwrap().to_owned();
    server.follow("golden").await.expect(302);
    crate::support::eventually("the click is ingested", async || {
        (server.get(&format!("/links/{link}"), &token).await.json()["clickCount"] == 1).then_some(())
    })
    .await;
    let mut ids = Ids::from([("linkId", link)]);
    catalogue::complete(&server, &token, "golden", &mut ids).await;
    let id_of = |name: &str| ids.get(name).unwrap_or_else(|| panic!("the catalogue does not know a {name}")).clone();
    server.post("/subdomain", &token, json!({ "subdomain": "golden" })).await.expect(201);
    let mut compared = 0;
    let document = server.get("/openapi.json", "").await.json();
    let undemanding = without_required(&document);
    for operation in server.api().plan.operations.iter().filter(|it| it.method == HttpMethod::Get) {
        let path = operation.path_parameters.iter().fold(operation.path.clone(), |path, parameter| {
            path.replace(&format!("{{{}}}", parameter.name), &id_of(&parameter.name))
        });
        // Needs a page of the web: `features::page_metadata` compares.
        if operation.field.name == "fetchMetadata" {
            continue;
        }
        let credential = if path.starts_with(PUBLIC_PREFIX) { &key } else { &token };
        // Where a range ends now by itself, it would not be the same for both.
        let range = [("from", "2026-01-01T00:00:00.000Z"), ("to", "2026-01-31T00:00:00.000Z")];
        let has = |name: &str| operation.query_parameters.iter().any(|parameter| parameter.name == name);
        let in_range = has("timeZone") || has("dimension");
        let has_slug = has("slug");
        let range = if in_range { &range[..] } else { &[] };
        let range: Vec<_> = range.iter().chain(has_slug.then_some(&("slug", "of-nobody"))).collect();
        let dimension = has("dimension").then_some("dimension");
        let query = range.iter().map(|(name, time)| format!("{name}={time}"));
        let query: Vec<String> = query.chain(dimension.map(|name| format!("{name}=OS"))).collect();
        let rest = server.get(&format!("{path}?{}", query.join("&")), credential).await.expect(200);
        let given = range.iter().map(|(name, time)| format!("{name}: \"{time}\""));
        let given = given.chain(dimension.map(|name| format!("{name}: OS")));
        let arguments: Vec<String> = operation
            .path_parameters
            .iter()
            .map(|parameter| format!("{}: \"{}\"", parameter.argument.name, id_of(&parameter.name)))
            .chain(given)
            .collect();
        let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        let selection = linkgraph::api::rest::selection::to_text(&operation.selection);
        let name = &operation.field.name;
        let graphql = server
            .send(
                server
                    .request(reqwest::Method::POST, "/graphql")
                    .bearer_auth(credential)
                    .json(&json!({ "query": format!("{{ {name}{arguments}{selection} }}") })),
            )
            .await
            .expect(200);
        if let Some(file) = &operation.file {
            let url = graphql.json()["data"][name][&file.field].clone();
            let body = base64::engine::general_purpose::STANDARD.encode(&rest.text);
            assert_eq!(url, format!("data:{};base64,{body}", rest.header("content-type")), "{path}");
            continue;
        }
        // As text: the order of the fields is the same too.
        assert_eq!(graphql.text, format!("{{\"data\":{{\"{name}\":{}}}}}", rest.text), "{path}");
        compared += 1;
        let documented = &document["paths"][&operation.path]["get"];
        let schema = &documented["responses"]["200"]["content"]["application/json"]["schema"];
        assert_eq!(misfit(&document, schema, &rest.json()), None, "{path}");
        // What `fields` leaves out is required: no parameter offers that to generated clients.
        assert!(!parameter_names(documented).any(|name| name == "fields"), "{path}");
        let names = documented["x-fields"].as_array();
        assert_eq!(names.is_some(), operation.field_names().is_some(), "{path}");
        for name in names.into_iter().flatten() {
            let query = format!("{}&fields={}", query.join("&"), name.as_str().unwrap());
            let narrowed = server.get(&format!("{path}?{query}"), credential).await.expect(200).json();
            assert_eq!(misfit(&undemanding, schema, &narrowed), None, "{path}?{query}");
        }
    }
    assert!(compared >= 8, "{compared}");
}

/// A mutation can't be executed twice: what it returns through REST or GraphQL is read again through the other.
#[on_each_database]
async fn what_one_door_writes_the_other_reads(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let fields = "id destinationUrl utm { source } slug domain shortUrl isActive state title notes tags externalId startsAt expiresAt \
         expiredUrl maxClicks usedClicks isArchived forwardsQuery hasPassword asksFirst notice card { title } app { iosUri } blockedAt clickCount importedClicks lastClickedAt createdAt updatedAt";
    let read = async |id: &Json| {
        let query = format!("query($id: ID!) {{ link(id: $id) {{ {fields} }} }}");
        server.graphql(&token, &query, json!({ "id": id })).await["data"]["link"].clone()
    };
    let created = server.link(&token, "one").await;
    assert_eq!(created, read(&created["id"]).await);
    let path = format!("/links/{}", created["id"].as_str().unwrap());
    let updated = server.call("PATCH", &path, &token, json!({ "isActive": false })).await.expect(200).json();
    assert_eq!(updated, read(&created["id"]).await);

    let query = format!("mutation($input: CreateLinkInput!) {{ createLink(input: $input) {{ {fields} }} }}");
    let input = json!({ "destinationUrl": "https://example.com/", "slug": "two" });
    let created = server.graphql(&token, &query, json!({ "input": input })).await["data"]["createLink"].clone();
    let path = format!("/links/{}", created["id"].as_str().unwrap());
    assert_eq!(server.get(&path, &token).await.json(), created);
    let renamed = server.call("PATCH", "/me", &token, json!({ "name": "Alice B." })).await.expect(200).json();
    let me = server.graphql(&token, "{ me { id email name createdAt } }", json!({})).await["data"]["me"].clone();
    for (name, value) in me.as_object().unwrap() {
        assert_eq!(&renamed[name], value, "{name}");
    }
}

#[on_each_database]
async fn fields_narrow_the_answer(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let link = server.link(&token, "narrow").await;
    let id = link["id"].as_str().unwrap();
    let page = server.get("/links?fields=slug,id", &token).await.expect(200).json();
    assert_eq!(
        page,
        json!({ "data": [{ "id": id, "slug": "narrow" }], "total": 1, "page": 1, "pageSize": 20, "totalPages": 1 })
    );
    let one = server.get(&format!("/links/{id}?fields=shortUrl"), &token).await.expect(200).json();
    assert_eq!(one, json!({ "shortUrl": "http://sho.rt/narrow" }));
    let refused = server.get("/links?fields=slug,nonsense&page=0", &token).await.expect(400);
    assert_eq!(refused.violations(), ["page", "fields"]);
}
