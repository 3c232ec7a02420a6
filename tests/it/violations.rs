//! However many rules a request breaks, its answer stays small and says how many there are.

use serde_json::{Value as Json, json};

use crate::{on_each_database, support::Answer};

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

on_each_database! {
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
        server.stop().await;
    }

    /// Variables that do not fit the types are refused by the library.
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
        server.stop().await;
    }
}
