//! All that an account reads: every GET of the facade, and every field of the query root.

use std::collections::BTreeMap;

use linkgraph::{
    api,
    contract::{Contract, Field, OperationKind, RootField, Shape, base_name},
};
use reqwest::Method;
use serde_json::{Value as Json, json};

use super::{
    Http,
    catalogue::{self, Ids},
    receiver::id,
};

/// Routes of `openapi.json` that answer for the node, or for a page of the web, whichever account asks.
const OF_OTHERS: [&str; 4] = ["/health", "/ready", "/links/metadata", "/api/v1/links/metadata"];

/// An account's credentials and what it has.
pub(crate) struct Reader {
    pub(crate) token: String,
    /// An API key with all scopes that read. Empty: the account has none.
    pub(crate) key: String,
    pub(crate) ids: Ids,
    /// A range of time that is over.
    pub(crate) range: [String; 2],
}

/// All queries but the one that needs a page of the web.
fn queries(contract: &Contract) -> impl Iterator<Item = &RootField> {
    let queries = contract.operations.iter().filter(|operation| operation.kind == OperationKind::Query);
    queries.filter(|operation| operation.field.name != "fetchMetadata")
}

/// Answers by what was asked for.
pub(crate) type Answers = BTreeMap<String, String>;

impl Reader {
    /// The account of a user, with one resource of each kind.
    pub(crate) async fn with_one_of_each(server: &Http, name: &str) -> Self {
        let token = server.register(name).await;
        // This webhook gets deliveries of the links.
        let webhook = server.webhook(&token, "https://hooks.example.com/", &["link.created"]).await;
        let mut ids = Ids::from([("webhookId", id(&webhook).to_owned())]);
        catalogue::complete(server, &token, name, &mut ids).await;
        let range = ["2026-01-01T00:00:00.000Z".to_owned(), "2026-06-01T00:00:00.000Z".to_owned()];
        Reader { token, key: String::new(), ids, range }
    }

    fn value(&self, argument: &str, field: &str) -> Option<&str> {
        match argument {
            "from" => Some(&self.range[0]),
            "to" => Some(&self.range[1]),
            "slug" => Some("of-nobody"),
            "dimension" => Some("OS"),
            "id" if field == "member" => self.ids.get("userId").map(String::as_str),
            "id" => self
                .ids
                .iter()
                .find(|(name, _)| field.starts_with(name.trim_end_matches("Id")))
                .map(|(_, id)| id.as_str()),
            _ => self.ids.get(argument).map(String::as_str),
        }
    }

    async fn ask(&self, http: &Http, path: &str, credential: &str) -> String {
        // The id of a request is in errors.
        let request = http.request(Method::GET, path).bearer_auth(credential).header("x-request-id", "the-same");
        let answer = http.send(request).await;
        format!("{} {} {}", answer.status.as_u16(), answer.header("content-type"), answer.text)
    }

    /// Answers of GETs, by API key or by user token.
    async fn get_all(&self, http: &Http, by_key: bool) -> Answers {
        let document: Json = serde_json::from_str(&api_document()).unwrap();
        let mut answers = Answers::new();
        for (path, operations) in document["paths"].as_object().unwrap() {
            let operation = &operations["get"];
            if operation.is_null() || OF_OTHERS.contains(&path.as_str()) {
                continue;
            }
            let takes =
                |credential| operation["security"].as_array().unwrap().iter().any(|it| !it[credential].is_null());
            if by_key == takes("userToken") || (by_key && self.key.is_empty()) {
                continue;
            }
            assert!(takes("userToken") || takes("apiKey"), "{path}: nobody may ask");
            let (mut filled, mut query, mut formats) = (path.clone(), Vec::new(), vec![""]);
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].as_str().unwrap();
                match (parameter["in"].as_str().unwrap(), self.value(name, "")) {
                    ("path", Some(id)) => filled = filled.replace(&format!("{{{name}}}"), id),
                    ("query", Some(value)) => query.push(format!("{name}={value}")),
                    _ if name == "format" && path.ends_with("/export") => formats = vec!["format=csv", "format=jsonl"],
                    _ => {}
                }
            }
            // An account without such a thing has nothing to show there.
            if filled.contains('{') {
                assert!(self.ids.is_empty(), "{path}: the test lacks an id");
                continue;
            }
            let credential = if by_key { &self.key } else { &self.token };
            for format in formats {
                let path = format!("{filled}?{}", [query.join("&").as_str(), format].join("&"));
                let answer = self.ask(http, &path, credential).await;
                assert!(self.ids.is_empty() || answer.starts_with("200 "), "{path}: {answer}");
                answers.insert(path, answer);
            }
        }
        assert!(answers.len() > 10 || (by_key && self.key.is_empty()), "{answers:?}");
        answers
    }

    /// Answers to a query of each root field, as deep as may be.
    async fn query_all(&self, http: &Http) -> Answers {
        let (_, contract, _) = api::contract().unwrap();
        let mut answers = Answers::new();
        for operation in queries(&contract) {
            let required = operation.field.arguments.iter().filter(|argument| argument.is_required());
            let is_unknown = |name: &str| name != "input" && self.value(name, &operation.field.name).is_none();
            if required.clone().any(|argument| is_unknown(&argument.name)) {
                assert!(self.ids.is_empty(), "{}: the test lacks an id", operation.field.name);
                continue;
            }
            let mut told = None;
            for depth in (1..=3).rev() {
                let query = format!("{{ {} }}", self.selected(&contract, &operation.field, depth).unwrap());
                let body = json!({ "query": query });
                let request = http.request(Method::POST, "/graphql").bearer_auth(&self.token);
                let answer = http.send(request.header("x-request-id", "the-same").json(&body)).await;
                if !answer.text.contains("QUERY_TOO_COMPLEX") {
                    told = Some((query, answer.text));
                    break;
                }
            }
            let (query, answer) = told.unwrap_or_else(|| panic!("{} is too complex", operation.field.name));
            assert!(self.ids.is_empty() || !answer.contains("\"errors\""), "{query}: {answer}");
            answers.insert(query, answer);
        }
        answers
    }

    /// The field with all below it. None: it has arguments that nothing is known for, or nothing can be selected.
    fn selected(&self, contract: &Contract, field: &Field, depth: usize) -> Option<String> {
        let mut arguments = Vec::new();
        for argument in &field.arguments {
            match self.value(&argument.name, &field.name) {
                // A name of an enum.
                Some(value) if argument.name == "dimension" => arguments.push(format!("dimension: {value}")),
                Some(value) => arguments.push(format!("{}: \"{value}\"", argument.name)),
                None if argument.name == "input" => {
                    let rules = if field.name == "rehearseRules" { "rules: []" } else { "" };
                    arguments.push(format!("input: {{ {rules} }}"));
                }
                None if argument.is_required() => return None,
                None => {}
            }
        }
        let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        // Types of GraphQL itself are not in the contract.
        let below = match contract.types.get(base_name(&field.ty)).map(|definition| &definition.shape) {
            Some(Shape::Object(_) | Shape::Union(_)) if depth == 0 => return None,
            Some(Shape::Object(fields)) => {
                let below: Vec<_> =
                    fields.iter().filter_map(|field| self.selected(contract, field, depth - 1)).collect();
                format!(" {{ __typename {} }}", below.join(" "))
            }
            Some(Shape::Union(_)) => " { __typename }".to_owned(),
            _ => String::new(),
        };
        Some(format!("{}{arguments}{below}", field.name))
    }

    /// A document for each query of the schema, which asks for it as often as may be, `most` times at most.
    pub(crate) async fn repeated(&self, http: &Http, most: usize) -> Vec<String> {
        let (_, contract, _) = api::contract().unwrap();
        let mut documents = Vec::new();
        for operation in queries(&contract) {
            let field = self.selected(&contract, &operation.field, 1);
            let field = field.unwrap_or_else(|| panic!("{}: the test lacks an id", operation.field.name));
            let mut times = most;
            let document = loop {
                let aliases: Vec<_> = (0..times).map(|number| format!("a{number}: {field}")).collect();
                let document = format!("{{ {} }}", aliases.join(" "));
                let told = http.graphql(&self.token, &document, json!({})).await;
                if told["errors"].is_null() {
                    break document;
                }
                assert!(times > 4, "{document}: {told}");
                times /= 2;
            };
            documents.push(document);
        }
        documents
    }

    /// The answers to an API key.
    pub(crate) async fn by_key(&self, http: &Http) -> Answers {
        self.get_all(http, true).await
    }

    /// The answers to a user token, with the use of each key.
    pub(crate) async fn by_token(&self, http: &Http) -> Answers {
        let mut answers = self.get_all(http, false).await;
        answers.extend(self.query_all(http).await);
        answers
    }
}

fn api_document() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json")).unwrap()
}

/// Shows the first answer that is another one.
pub(crate) fn assert_same(before: &Answers, after: &Answers) {
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    for (asked, answer) in before {
        assert_eq!(&after[asked], answer, "{asked}");
    }
}
