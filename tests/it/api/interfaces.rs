//! Interfaces and their fragments: shapes, and rights.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{TestDatabase, eventually, receiver::id},
};

fn names(types: &Json) -> BTreeSet<&str> {
    types.as_array().unwrap().iter().map(|ty| ty["name"].as_str().unwrap()).collect()
}

#[on_each_database]
async fn fragments_on_interfaces_are_answered_and_open_nothing(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let webhook = server.webhook(&token, "https://hooks.example.com/", &["link.created"]).await;
    let link = server.link(&token, "spring").await;
    let query = "query($id: ID!) {
        links { ...pages data { ... on Node { key: id __typename ... on Link { slug } ... on Tag { name } } } }
        webhookDeliveries(webhookId: $id) { ...pages deliveries { ...node payload { ... on Event { type timestamp ...data } } } }
    }
    fragment pages on Page { total ... on LinkPageResult { page } }
    fragment node on Node { id }
    fragment data on Event { ... on LinkCreatedEventPayload { data { id slug } } ... on LinkDeletedEventPayload { __typename } }";
    let variables = json!({ "id": id(&webhook) });
    // The total and the page are read at two moments.
    let answer = eventually("there is a delivery", async || {
        let answer = server.graphql(&token, query, variables.clone()).await;
        answer["data"]["webhookDeliveries"]["deliveries"][0].is_object().then_some(answer)
    })
    .await;
    let data = &answer["data"];
    let expected =
        json!({ "total": 1, "page": 1, "data": [{ "key": link["id"], "__typename": "Link", "slug": "spring" }] });
    assert_eq!(data["links"], expected, "{answer}");
    let delivery = &data["webhookDeliveries"]["deliveries"][0];
    assert_eq!(data["webhookDeliveries"]["total"], 1);
    assert!(delivery["id"].is_string());
    let payload = json!({ "type": "link.created", "timestamp": link["createdAt"], "data": { "id": link["id"], "slug": "spring" } });
    assert_eq!(delivery["payload"], payload);
    // The data of the event is a link, however it is reached.
    let key = server.api_key(&token, &["webhooks:read"]).await;
    let refused = server.graphql(&key, query, variables.clone()).await;
    assert_eq!(refused["data"], Json::Null, "{refused}");
    let query =
        "query($id: ID!) { webhookDeliveries(webhookId: $id) { deliveries { payload { ... on Event { ... on Event {
        ... on LinkCreatedEventPayload { data { slug } } } } } } } }";
    let refused = server.graphql(&key, query, variables.clone()).await;
    assert_eq!(refused["data"], Json::Null, "{refused}");
    assert_eq!(refused["errors"][0]["extensions"]["code"], "FORBIDDEN", "{refused}");
    let query =
        "query($id: ID!) { webhookDeliveries(webhookId: $id) { deliveries { payload { ... on Event { type } } } } }";
    let answer = server.graphql(&key, query, variables).await;
    assert_eq!(
        answer["data"]["webhookDeliveries"]["deliveries"][0]["payload"],
        json!({ "type": "link.created" }),
        "{answer}"
    );
}

#[tokio::test]
async fn introspection_tells_interfaces_and_values() {
    let server = TestDatabase::sqlite().start().await;
    let query = "{ __schema { types { kind name interfaces { name } possibleTypes { name } fields { name type { kind ofType { kind ofType { kind ofType { kind } } } } }
        inputFields { name description } } } }";
    let answer = server.graphql("", query, json!({})).await;
    let types = answer["data"]["__schema"]["types"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let ty = |name: &str| types.iter().find(|ty| ty["name"] == name).unwrap_or_else(|| panic!("{name}: {answer}"));
    assert_eq!(names(&ty("Event")["possibleTypes"]), names(&ty("EventPayload")["possibleTypes"]));
    let all = types.iter().map(|ty| ty["name"].as_str().unwrap());
    let pages: BTreeSet<_> = all.filter(|name| name.ends_with("PageResult")).collect();
    assert_eq!(names(&ty("Page")["possibleTypes"]), pages);
    let nodes = names(&ty("Node")["possibleTypes"]);
    assert!(nodes.is_superset(&["Link", "Tag", "Webhook", "User", "Account"].into()), "{nodes:?}");
    for member in nodes {
        assert!(names(&ty(member)["interfaces"]).contains("Node"), "{member}");
    }
    // The merge of selections knows objects and unions alone as the types of fields.
    for field in types.iter().flat_map(|ty| ty["fields"].as_array().into_iter().flatten()) {
        assert!(!field.to_string().contains("INTERFACE"), "{field}");
    }
    let inputs = ty("CreateCheckoutInput")["inputFields"].as_array().unwrap();
    let interval = inputs.iter().find(|field| field["name"] == "interval").unwrap();
    assert!(interval["description"].as_str().unwrap().ends_with("Possible values: `month`, `year`."), "{interval}");
}
