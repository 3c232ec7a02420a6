//! The service's verdicts on requests compared with those of graphql-js, the reference implementation of GraphQL. The requests
//! and their verdicts are made by `scripts/verdicts`.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader},
};

use async_graphql::Variables;
use flate2::bufread::GzDecoder;
use futures_util::{StreamExt, stream};
use linkgraph::{
    api::graphql::{document::Document, merge::merge, rejection::Rejection, tokens::read_text, validator::Validator},
    contract,
};
use serde_json::{Value as Json, json};

use crate::support::{TestDatabase, stored::stored};

fn requests() -> Vec<Json> {
    let packed = include_bytes!("../../data/verdicts/requests.jsonl.gz");
    let lines = BufReader::new(GzDecoder::new(&packed[..])).lines();
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

/// The code with which the request is refused here, and the first message; None when it is not.
fn refusal(validator: &Validator, request: &Json) -> Option<(&'static str, String)> {
    let told = |rejection| match rejection {
        Rejection::Refused(error) => (error.code.as_str(), error.message.into_owned()),
        Rejection::Invalid(errors) => {
            let code = errors[0].extensions.as_ref().and_then(|extensions| extensions.get("code"));
            let is_parse = code.is_some_and(|code| *code == "GRAPHQL_PARSE_FAILED".into());
            (if is_parse { "GRAPHQL_PARSE_FAILED" } else { "GRAPHQL_VALIDATION_FAILED" }, errors[0].message.clone())
        }
    };
    let text = match read_text(request["document"].as_str().unwrap()) {
        Ok(text) => text,
        Err(error) => return Some(told(error.into())),
    };
    let judged = validator.document(&text).and_then(|document: std::sync::Arc<Document>| {
        let operation = document.operation(request["operationName"].as_str())?;
        let given = Variables::from_json(request["variables"].clone());
        let variables = validator.variables(&document, operation, &given)?;
        merge(&validator.schema, &document, operation, &variables).map_err(Rejection::from)
    });
    judged.err().map(told)
}

/// Messages of refusals of requests that graphql-js takes, with the sentences of the specification.
const EXPLAINED: &[(&str, &str)] = &[
    (
        "can only have one root field",
        "5.2.4.1: `groupedFieldSet` must have exactly one entry. apollo-compiler counts the fields, also when one stands twice",
    ),
    (
        "argument `includeDeprecated` is not supported by `__Schema.directives",
        "4.1: `directives: [__Directive!]!` has no argument",
    ),
];

fn is_explained(refused: Option<&(&str, String)>) -> bool {
    refused.is_some_and(|(_, message)| EXPLAINED.iter().any(|(part, _)| message.contains(part)))
}

/// Refused where graphql-js refuses, or where the specification does and graphql-js does not (`differs` has its sentence).
/// `arguments` are errors of a field to the specification; here they refuse the request, before half of a mutation has
/// happened.
#[test]
fn verdicts_are_those_of_the_reference_implementation() {
    let validator =
        Validator::new(&contract::parse(include_str!("../../data/verdicts/schema.graphql")).unwrap()).unwrap();
    let requests = requests();
    assert!(requests.len() >= 10_000);
    let mut differences: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for request in &requests {
        let verdict = request["verdict"].as_str().unwrap();
        let refused = refusal(&validator, request);
        let is_syntax = refused.as_ref().map(|(code, _)| *code == "GRAPHQL_PARSE_FAILED");
        let agrees = match verdict {
            "valid" if is_explained(refused.as_ref()) => true,
            "valid" => is_syntax.is_some() == request["differs"].is_string(),
            "parse" => is_syntax == Some(true),
            _ => is_syntax == Some(false),
        };
        if !agrees {
            let kind = format!("{verdict}: {}", request["kind"].as_str().unwrap());
            differences.entry(kind).or_default().push(format!("{request} is here {refused:?}"));
        }
    }
    for (kind, examples) in &differences {
        println!("{} of {kind}\n    {:.900}", examples.len(), examples[0]);
    }
    assert!(differences.is_empty(), "{} kinds", differences.len());
}

/// A refused request has no effect, also if it is a mutation.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_requests_change_nothing() {
    let database = TestDatabase::sqlite();
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let token = server.register("alice").await;
    server.link(&token, "kept").await;
    let connection = database.connect().await;
    let before = stored(&connection).await;
    let requests = requests();
    let refused = requests.iter().filter(|request| request["verdict"] != "valid");
    let is_mutation = |request: &&Json| request["document"].as_str().unwrap().contains("mutation");
    let mutations: Vec<&Json> = refused.filter(is_mutation).collect();
    assert!(mutations.len() > 1_000);
    let sent = stream::iter(mutations).for_each_concurrent(4, async |request| {
        let body = json!({
            "query": request["document"], "operationName": request["operationName"], "variables": request["variables"],
        });
        let answer = server.post("/graphql", &token, body).await.expect(200).json();
        let code = answer["errors"][0]["extensions"]["code"].as_str().unwrap_or_default();
        assert!(code.starts_with("GRAPHQL_") && answer.get("data").is_none(), "{request} {answer}");
    });
    sent.await;
    assert_eq!(stored(&connection).await, before);
    server.stop().await;
}
