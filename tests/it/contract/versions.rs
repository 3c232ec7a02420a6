//! Two people who edit one resource, by the contract: an update that says what it was made from overwrites nobody's. Walks each update, over
//! all doors.

use futures_util::future::join_all;
use linkgraph::{
    api::rest::operation::method_name,
    contract::{OperationKind, base_name},
};
use reqwest::{Method, header::IF_MATCH};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, TestDatabase, TestServer,
        catalogue::{arguments, as_variables, with_ids, with_one_of_each},
    },
};

const EXPECTED: &str = "expectedUpdatedAt";
const OLD: &str = "2020-01-01T00:00:00.000Z";

struct Resource<'a> {
    server: &'a TestServer,
    credential: &'a str,
    path: String,
}

impl Resource<'_> {
    async fn read(&self) -> Answer {
        self.server.get(&self.path, self.credential).await.expect(200)
    }

    async fn patch(&self, if_match: &str, body: &Json) -> Answer {
        let request = self.server.request(Method::PATCH, &self.path).bearer_auth(self.credential);
        self.server.send(request.header(IF_MATCH, if_match).json(body)).await
    }
}

/// The input with the version that it expects.
fn expecting(input: &Json, version: &str) -> Json {
    let mut input = input.clone();
    input[EXPECTED] = json!(version);
    input
}

#[on_each_database]
async fn an_update_overwrites_no_change_that_its_author_has_not_seen(database: TestDatabase) {
    let (server, token, ids) = with_one_of_each(&database).await;
    let api = server.api();
    let scopes = ["links:read", "links:write", "domains:read", "domains:manage", "subdomain:read", "subdomain:manage"];
    let key =
        server.api_key(&token, &[&scopes[..], &["analytics:read", "webhooks:read", "webhooks:manage"]].concat()).await;
    let mut walked = 0;
    for operation in api.plan.operations.iter().filter(|it| method_name(it.method) == "PATCH") {
        let name = operation.field.name.as_str();
        if name == "updateLinks" {
            // It changes many, each of another version.
            continue;
        }
        walked += 1;
        let root = api.contract.operation(OperationKind::Mutation, name).unwrap();
        let mut given = match name {
            "updateMe" => json!({ "input": { "name": "Ada" } }),
            _ => with_ids(arguments(name, "alice"), &ids),
        };
        let parameter = operation.path_parameters.first().map_or("", |parameter| parameter.name.as_str());
        let id = ids.get(parameter).map_or("", String::as_str);
        let credential = if operation.path.starts_with("/api/v1") { &key } else { &token };
        let path = operation.path.replace(&format!("{{{parameter}}}"), id);
        let resource = Resource { server: &server, credential, path };
        let input = given["input"].clone();

        let before = resource.read().await;
        let version = before.json()["updatedAt"].as_str().unwrap_or_else(|| panic!("{name}: {before:?}")).to_owned();
        let tag = format!("\"{version}\"");
        assert_eq!(before.header("etag"), tag, "{name}");

        let weak = format!("W/{tag}");
        let old = format!("\"{OLD}\"");
        for (if_match, body) in [
            (old.as_str(), &input),
            (&weak, &input),
            ("\"other\"", &input),
            ("*", &expecting(&input, OLD)),
            (&tag, &expecting(&input, OLD)),
            (&old, &expecting(&input, &version)),
        ] {
            let answer = resource.patch(if_match, body).await;
            assert_eq!(
                (answer.status.as_u16(), answer.code()),
                (412, "PRECONDITION_FAILED".to_owned()),
                "{name} {answer:?}"
            );
        }
        let [declared, passed] = as_variables(root);
        let selected = if name == "updateMe" { "{ user { updatedAt } }" } else { "{ updatedAt }" };
        let mutation = format!("mutation{declared} {{ {name}{passed} {selected} }}");
        given["input"] = expecting(&input, OLD);
        let answer = server.graphql(&token, &mutation, given.clone()).await;
        assert_eq!(answer["errors"][0]["extensions"]["code"], "PRECONDITION_FAILED", "{name} {answer}");
        assert_eq!(answer["data"], json!({ name: null }));
        // The version alone changes nothing.
        for if_match in ["*", &tag] {
            let answer = resource.patch(if_match, &json!({ EXPECTED: version })).await.expect(400);
            assert_eq!(answer.violations(), ["body"], "{name}");
        }
        assert_eq!(resource.read().await.text, before.text, "{name}: it was refused");

        let all: Vec<Answer> = join_all((0..6).map(|_| resource.patch(&tag, &input))).await;
        let (done, refused): (Vec<_>, Vec<_>) = all.iter().partition(|answer| answer.status == 200);
        assert_eq!((done.len(), refused.len()), (1, 5), "{name}: of six editors one is first: {all:?}");
        assert!(refused.iter().all(|answer| answer.code() == "PRECONDITION_FAILED"), "{name} {all:?}");
        let after = resource.read().await;
        assert_eq!(done[0].header("etag"), after.header("etag"), "{name}");
        assert_ne!(after.header("etag"), tag, "{name}");

        // Whoever knows the present version goes on, by each door.
        let tags = format!("{old}, {}", after.header("etag"));
        let next = resource.patch(&tags, &input).await.expect(200);
        given["input"] = expecting(&input, next.header("etag").trim_matches('"'));
        let answer = server.graphql(&token, &mutation, given).await;
        let resource_of = if name == "updateMe" { &answer["data"][name]["user"] } else { &answer["data"][name] };
        let last = resource.read().await;
        assert_eq!(last.json()["updatedAt"], resource_of["updatedAt"], "{name} {answer}");
        let versions = [before.header("etag"), after.header("etag"), next.header("etag"), last.header("etag")];
        assert!(versions.is_sorted_by(|a, b| a < b), "{name} {versions:?}");
        let fields = api.contract.input(base_name(&root.field.arguments.last().unwrap().ty)).unwrap();
        assert!(fields.iter().any(|field| field.name == EXPECTED), "{name}");
    }
    assert!(walked >= 13, "{walked}");
}
