//! The committed contract is the one the code serves; an inconsistent one is refused.

use std::{collections::BTreeSet, fs};

use linkgraph::{
    api::{
        self,
        rest::{
            openapi::{self, Extent},
            operation::{Operation, method_name},
            plan::Plan,
        },
    },
    contract::{self, Contract},
    platform::auth::access::{Credential, EntryPoint},
};
use serde_json::{Map, Value as Json, json};

use crate::{
    on_each_database,
    support::{
        TestDatabase,
        catalogue::{self, Ids},
        schema::misfit,
    },
};

fn committed(name: &str) -> String {
    fs::read_to_string(format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn schema_graphql_is_up_to_date() {
    let (sdl, ..) = api::contract().unwrap();
    assert!(sdl == committed("schema.graphql"), "run: cargo run -- schema > schema.graphql");
}

#[test]
fn openapi_json_is_up_to_date() {
    let (_, contract, plan) = api::contract().unwrap();
    let document = openapi::document(&contract, &plan, Extent::Whole);
    assert!(document == committed("openapi.json"), "run: cargo run -- openapi > openapi.json");
}

/// What it has is as in the whole document, and refers to what it has.
#[test]
fn the_public_api_has_a_document_of_its_own() {
    let (_, contract, plan) = api::contract().unwrap();
    let public: Json = serde_json::from_str(&openapi::document(&contract, &plan, Extent::PublicApi)).unwrap();
    let whole: Json = serde_json::from_str(&committed("openapi.json")).unwrap();
    let paths = public["paths"].as_object().unwrap();
    let of_whole = whole["paths"].as_object().unwrap().iter().filter(|(path, _)| path.starts_with("/api/v1/"));
    assert_eq!(paths.iter().collect::<Vec<_>>(), of_whole.collect::<Vec<_>>());
    assert!(paths.len() > 20);
    assert_eq!(public["webhooks"], whole["webhooks"]);
    for document in [&public, &whole] {
        let text = document.to_string();
        for (kind, components) in document["components"].as_object().unwrap() {
            for (name, component) in components.as_object().unwrap() {
                assert_eq!(whole["components"][kind][name], *component, "{kind} {name}");
                let reference = format!("\"#/components/{kind}/{name}\"");
                let is_used = if kind == "securitySchemes" {
                    text.contains(&format!("{{\"{name}\":[]}}"))
                } else {
                    text.contains(&reference)
                };
                assert!(is_used, "nothing refers to {kind} {name}");
            }
        }
        walk(document, "", &mut |place, fields| {
            let reference = fields.get("$ref").and_then(Json::as_str);
            assert!(reference.is_none_or(|it| document.pointer(&it[1..]).is_some()), "{place}: {reference:?}");
        });
        let tags: BTreeSet<_> = operations(document, "paths")
            .chain(operations(document, "webhooks"))
            .map(|it| it["tags"][0].as_str())
            .collect();
        let listed: BTreeSet<_> = document["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str()).collect();
        assert_eq!(tags, listed);
    }
    assert!(
        public["components"]["schemas"]["Session"].is_null()
            && public["components"]["securitySchemes"]["userToken"].is_null()
    );
}

/// Generators of clients name an operation by its field, and a client has one of each name.
#[test]
fn root_fields_have_different_names() {
    let (_, contract, _) = api::contract().unwrap();
    let mut names: Vec<&str> = contract.operations.iter().map(|root| root.field.name.as_str()).collect();
    assert!(["clicks", "createLink", "accountClicks"].iter().all(|name| names.contains(name)), "{names:?}");
    names.sort_unstable();
    assert_eq!(names.windows(2).filter(|pair| pair[0] == pair[1]).collect::<Vec<_>>(), [[""; 2]; 0]);
}

#[test]
fn everything_is_described() {
    let (sdl, contract, _) = api::contract().unwrap();
    for (name, definition) in &contract.types {
        assert!(!definition.description.is_empty(), "{name} has no description");
    }
    let mut before = "";
    for line in sdl.lines() {
        let is_definition = line.contains(": ")
            && line.starts_with("  ")
            && !line.trim_start().starts_with(['"', ')'])
            && line.trim_start().split([':', '(']).next().is_some_and(|name| name.chars().all(char::is_alphanumeric));
        if is_definition
            && before != "schema {"
            && !before.starts_with("  query:")
            && !before.starts_with("  mutation:")
        {
            assert!(before.trim_end().ends_with('"'), "no description: {line}");
        }
        before = line;
    }
    let document: Json = serde_json::from_str(&committed("openapi.json")).unwrap();
    let mut missing = Vec::new();
    undescribed(&document["components"]["schemas"], "schemas", &mut missing);
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            assert!(operation["description"].as_str().is_some_and(|text| text.len() > 20), "{method} {path}");
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(parameter["description"].is_string() && !parameter["example"].is_null(), "{path}: {parameter}");
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

fn undescribed(schema: &Json, path: &str, missing: &mut Vec<String>) {
    if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
        for (name, property) in properties {
            if property.get("description").and_then(Json::as_str).unwrap_or_default().is_empty() {
                missing.push(format!("{path}.{name}"));
            }
        }
    }
    if let Some(object) = schema.as_object() {
        for (name, inner) in object {
            undescribed(inner, &format!("{path}.{name}"), missing);
        }
    }
}

/// Operations of the document below `paths` or `webhooks`.
fn operations<'a>(document: &'a Json, place: &str) -> impl Iterator<Item = &'a Json> {
    document[place].as_object().unwrap().values().flat_map(|methods| methods.as_object().unwrap().values())
}

/// Generators make a class of each tag, and one name would be two classes.
#[test]
fn events_have_a_tag_of_their_own() {
    let document: Json = serde_json::from_str(&committed("openapi.json")).unwrap();
    let of_paths: Vec<&Json> = operations(&document, "paths").map(|operation| &operation["tags"]).collect();
    for event in operations(&document, "webhooks") {
        assert!(!of_paths.contains(&&event["tags"]), "{}", event["operationId"]);
    }
}

/// Calls `look` with each value of the document that an object has, and its place.
fn walk<'a>(value: &'a Json, place: &str, look: &mut impl FnMut(&str, &'a Map<String, Json>)) {
    match value {
        Json::Object(fields) => {
            look(place, fields);
            fields.iter().for_each(|(name, value)| walk(value, &format!("{place}/{name}"), look));
        }
        Json::Array(items) => items.iter().for_each(|item| walk(item, place, look)),
        _ => {}
    }
}

/// Why an example of a file can't be read by who reads such files; nothing if it can.
fn unreadable(media_type: &str, example: &str) -> Option<String> {
    match media_type {
        "text/csv" => {
            let mut rows = csv::ReaderBuilder::new().from_reader(example.as_bytes()).into_records();
            rows.find_map(|row| row.err()).map(|error| error.to_string())
        }
        "application/jsonl" => {
            let lines = example.lines().map(serde_json::from_str::<Map<String, Json>>);
            lines.into_iter().find_map(Result::err).map(|error| error.to_string())
        }
        other => Some(format!("the test can't read {other}")),
    }
}

#[test]
fn examples_fit_their_schemas() {
    let document: Json = serde_json::from_str(&committed("openapi.json")).unwrap();
    let (mut fitting, mut files) = (0, 0);
    walk(&document, "", &mut |place, fields| {
        // Examples of a body, parameter or header stand beside its schema, those of a schema in it.
        let beside = fields.get("schema").into_iter().flat_map(|schema| {
            let named = fields.get("examples").and_then(Json::as_object).into_iter().flat_map(|named| named.values());
            let values = fields.get("example").into_iter().chain(named.map(|example| &example["value"]));
            values.map(move |value| (schema, value.clone()))
        });
        let own = Json::Object(fields.clone());
        let is_schema = fields.contains_key("type") && fields.get("examples").is_some_and(Json::is_array);
        let within = own["examples"].as_array().into_iter().flatten().filter(|_| is_schema);
        for (schema, value) in beside.chain(within.map(|value| (&own, value.clone()))) {
            assert_eq!(misfit(&document, schema, &value), None, "{place}");
            fitting += 1;
        }
        let contents = fields.get("content").filter(|_| !place.ends_with("/properties")).and_then(Json::as_object);
        for (media_type, content) in contents.into_iter().flatten() {
            let examples =
                content["examples"].as_object().map_or(0, Map::len) + usize::from(!content["example"].is_null());
            // JSON can't have one of bytes.
            let is_binary = content["schema"]["format"] == "binary";
            assert!(examples > 0 || is_binary, "{place} has no example of {media_type}");
            if let ("string", Some(text)) =
                (content["schema"]["type"].as_str().unwrap_or_default(), content["example"].as_str())
            {
                assert_eq!(unreadable(media_type, text), None, "{place}: {text}");
                files += 1;
            }
        }
    });
    assert!(fitting > 1_000 && files >= 12, "{fitting} {files}");
    let bulk = &document["paths"]["/links/bulk"]["post"]["responses"]["200"]["content"]["application/json"]["example"];
    for result in bulk["results"].as_array().unwrap() {
        assert!(result["link"].is_null() != result["error"].is_null(), "{result}");
    }
}

/// An answer has each field of its schema, except those for which a caller may lack the scope.
#[test]
fn answers_say_what_they_always_have() {
    let document: Json = serde_json::from_str(&committed("openapi.json")).unwrap();
    let (_, contract, _) = api::contract().unwrap();
    let (mut whole, mut changed) = (0, 0);
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        if let Some(fields) = contract.object(name) {
            let mut sure = fields.iter().filter(|field| !schema["properties"][&field.name].is_null());
            let by_scope = contract.types[name].event.is_none();
            let is_free = |name: &str| fields.iter().any(|it| it.name == name && it.permissions.is_empty());
            let missing = sure.find(|it| required.contains(&&*it.name) != (is_free(&it.name) || !by_scope));
            assert!(missing.is_none(), "{name}: {missing:?}");
            whole += 1;
        } else if let Some(of_change) = name.strip_prefix("Changed") {
            // A change says what it wrote, and of what; a part of a resource has no id.
            let expected: &[&str] = match of_change {
                "WebhookSecretPayload" => &["id", "secret"],
                _ if contract.object(of_change).unwrap().iter().any(|field| field.name == "id") => &["id"],
                _ => &[],
            };
            assert_eq!(required, expected, "{name}");
            changed += 1;
        }
    }
    assert!(whole > 60 && changed > 8, "{whole} {changed}");
}

/// Names that are words of a language are not what a generator calls a function.
#[test]
fn operation_ids_are_words_of_no_language() {
    // Keywords, and what can be no name of a function; PHP's in any case.
    let words = [
        (
            "JavaScript, TypeScript",
            "abstract any arguments as async await boolean break byte case catch char class const constructor continue debugger declare default delete do double else enum eval export extends false final finally float for from function get goto if implements import in instanceof int interface is let long module namespace native never new null number object of package private protected public readonly require return set short static string super switch symbol synchronized this throw throws transient true try type typeof undefined unknown var void volatile while with yield",
        ),
        (
            "Python",
            "and as assert async await break case class continue def del elif else except exec finally for from global if import in is lambda match nonlocal not or pass print raise return self try type while with yield False None True",
        ),
        (
            "Java",
            "abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for goto if implements import instanceof int interface long native new null package private protected public record return short static strictfp super switch synchronized this throw throws transient true try var void volatile while yield",
        ),
        (
            "Go",
            "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var",
        ),
        (
            "C#",
            "abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while",
        ),
        (
            "Rust",
            "abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct super trait true try type typeof union unsafe unsized use virtual where while yield",
        ),
        (
            "Kotlin",
            "as break by catch class constructor continue delegate do dynamic else false field file finally for fun get if import in init interface is null object package param property receiver return set super this throw true try typealias typeof val value var when where while",
        ),
        (
            "Swift",
            "actor any as associatedtype async await break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate for func guard if import in init inout internal is let nil open operator precedencegroup private protocol public repeat rethrows return self some static struct subscript super switch throw throws true try typealias var where while",
        ),
        (
            "Ruby",
            "alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield",
        ),
        (
            "PHP",
            "abstract and array as break callable case catch class clone const continue declare default die do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum eval exit extends final finally fn for foreach function global goto if implements include instanceof insteadof interface isset list match namespace new or print private protected public readonly require return static switch throw trait try unset use var while xor yield",
        ),
    ];
    let document: Json = serde_json::from_str(&committed("openapi.json")).unwrap();
    let mut ids = BTreeSet::new();
    for operation in operations(&document, "paths").chain(operations(&document, "webhooks")) {
        let id = operation["operationId"].as_str().unwrap();
        assert!(ids.insert(id.to_lowercase()), "{id} is there twice");
        for (language, words) in words {
            assert!(words.split(' ').all(|word| !word.eq_ignore_ascii_case(id)), "{id} is a word of {language}");
        }
    }
    assert!(ids.len() > 100);
}

/// Requests list what is accepted and nothing else.
#[on_each_database]
async fn each_listed_value_is_accepted(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let mut ids = Ids::new();
    catalogue::complete(&server, &token, "alice", &mut ids).await;
    let document = server.get("/openapi.json", "").await.expect(200).json();
    let mut tried = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        if path.starts_with("/api/") {
            continue;
        }
        for parameter in methods["get"]["parameters"].as_array().into_iter().flatten() {
            let schema = &parameter["schema"];
            let values = schema["enum"].as_array().or(schema["items"]["enum"].as_array());
            for value in values.into_iter().flatten().filter_map(Json::as_str) {
                let path = ids.iter().fold(path.clone(), |path, (name, id)| path.replace(&format!("{{{name}}}"), id));
                // Asked for, too, where it is required.
                let dimension = if path.contains("breakdown") { "&dimension=OS" } else { "" };
                let name = parameter["name"].as_str().unwrap();
                let dimension = if name == "dimension" { "" } else { dimension };
                let answer = server.get(&format!("{path}?{name}={value}{dimension}"), &token).await;
                answer.expect(200);
                tried += 1;
            }
        }
    }
    assert!(tried > 30, "{tried}");
    let services = &document["components"]["schemas"]["StartApiImportInput"]["properties"]["source"]["enum"];
    assert_eq!(*services, json!(["SHLINK", "YOURLS"]));
    let api = json!({ "source": "BITLY", "url": "https://s.example.com", "key": "k" });
    let refused = server.post("/imports/from-api", &token, api.clone()).await.expect(400).json();
    let expected = json!([{ "path": "source", "message": "must be one of SHLINK, YOURLS" }]);
    assert_eq!(refused["error"]["details"]["validationErrors"], expected);
    for given in ["BITLY", "$source"] {
        let input = format!("{{ source: {given}, url: \"https://s.example.com\", key: \"k\" }}");
        let variables = if given == "BITLY" { "" } else { "($source: ImportSource!)" };
        let query = format!("mutation{variables} {{ startApiImport(input: {input}) {{ id }} }}");
        let answer = server.graphql(&token, &query, json!({ "source": "BITLY" })).await;
        let violations = &answer["errors"][0]["extensions"]["validationErrors"];
        assert_eq!(*violations, json!([{ "path": "source", "message": "must be one of SHLINK, YOURLS" }]), "{answer}");
    }
    let refused = server.get("/links/export?sort=MOST_CLICKED", &token).await.expect(400).json();
    let expected = json!([{ "path": "sort", "message": "must be one of NEWEST, OLDEST" }]);
    assert_eq!(refused["error"]["details"]["validationErrors"], expected);
}

/// Refusals that depend on the caller have the headers that say what to do.
#[test]
fn refusals_are_documented_with_their_headers() {
    let document: Json = serde_json::from_str(&committed("openapi.json")).unwrap();
    let (_, _, plan) = api::contract().unwrap();
    for operation in all_of(&plan) {
        let method = method_name(operation.method).to_lowercase();
        let responses = &document["paths"][&operation.path][&method]["responses"];
        let limited = operation.access.limit.is_some() || operation.access.credential != Credential::User;
        for (status, applies, headers) in [
            ("401", operation.access.credential != Credential::Public, &["WWW-Authenticate"][..]),
            ("403", operation.access.scope.is_some(), &["WWW-Authenticate"]),
            ("409", operation.is_idempotent, &["Retry-After"]),
            ("422", operation.is_idempotent, &[]),
            ("429", limited, &["Retry-After", "RateLimit", "RateLimit-Policy"]),
        ] {
            let Some(name) = responses[status]["$ref"].as_str() else {
                assert!(!applies, "{method} {} can answer {status}", operation.path);
                continue;
            };
            let response = document.pointer(name.trim_start_matches('#')).unwrap();
            for header in [&["X-Request-Id"], headers].concat() {
                assert!(!response["headers"][header].is_null(), "{name}: {header}");
            }
        }
    }
    // A wrong password in force is counted as a failed login is.
    assert!(!document["paths"]["/me"]["patch"]["responses"]["429"].is_null());
    assert!(!document["paths"]["/me"]["delete"]["responses"]["429"].is_null());
}

/// A minimal contract around some fields.
fn refusal(fields: &str) -> String {
    let sdl = format!(
        "type Query {{ {fields} }} \
         type Thing {{ id: ID! name: String }} type Loop {{ value: Int loop: Loop }} type Empty {{ thing(id: ID!): Int }} \
         type Page {{ data: [Thing!]! total: Int! }} input Filter {{ names: [String] last: String }} input Body {{ name: String! }} \
         input Photo {{ content: String! @body(mediaTypes: [\"image/png\"], maxBytes: 9) name: String! }} \
         schema {{ query: Query }}"
    );
    let contract = contract::parse(&sdl).and_then(|definitions| Contract::read(&definitions));
    match contract.and_then(|contract| Plan::new(&contract)) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_mutation_answers_only_what_says_who_reads_it() {
    let refusal = |answer: &str, resource: &str| {
        let sdl = format!(
            "type Mutation {{ a: {answer}! @access(credential: ANY, scope: LINKS_WRITE) }} type Thing {resource} {{ id: ID! }} \
             type Payload {{ things: [Thing!]! }} schema {{ mutation: Mutation }}"
        );
        let contract = contract::parse(&sdl).and_then(|definitions| Contract::read(&definitions));
        contract.map_or_else(|error| error.to_string(), |_| String::new())
    };
    for answer in ["Thing", "Payload"] {
        let message = refusal(answer, "");
        assert!(message.contains("a answers Thing, which has no @resource"), "{message}");
        assert_eq!(refusal(answer, "@resource(scope: LINKS_READ)"), "");
    }
}

#[test]
fn an_inconsistent_mapping_is_refused_with_its_reason() {
    assert_eq!(
        refusal("thing(id: ID!): Thing @access(credential: PUBLIC) @rest(method: GET, path: \"/t/{thingId}\")"),
        ""
    );
    for (fields, reason) in [
        (
            "a: Int @access(credential: PUBLIC) @rest(method: GET, path: \"/a\") \
             b: Int @access(credential: PUBLIC) @rest(method: GET, path: \"/a\")",
            "b and a are both mapped to GET /a",
        ),
        (
            "a(x: ID!): Int @access(credential: PUBLIC) @rest(method: GET, path: \"/a/{x}\") \
             b(y: ID!): Int @access(credential: PUBLIC) @rest(method: GET, path: \"/a/{y}\")",
            "b and a are both mapped to GET /a/{y}",
        ),
        ("a: Int @access(credential: PUBLIC) @rest(method: GET, path: \"/a/{x}\")", "{x} is no argument of a"),
        ("a: Int @rest(method: GET, path: \"/a\")", "a has no @access"),
        ("a: Int @access(credential: ANY, scope: LINKS_ADMIN)", "scope: LINKS_ADMIN is not a Scope"),
        ("a: Int @access(credential: SOMEBODY)", "credential: SOMEBODY is not a Credential"),
        ("a: Int @access(credential: ANY, limit: EVERYTHING)", "limit: EVERYTHING is not a RateLimit"),
        ("a: Int @access(scope: LINKS_READ)", "@access on a lacks credential"),
        (
            "a: Int @access(credential: ANY) @idempotent",
            "a is @idempotent: it must be a mutation that needs a credential",
        ),
        ("a: Loop @access(credential: PUBLIC) @rest(method: GET, path: \"/a\")", "Loop contains itself"),
        ("a: Empty @access(credential: PUBLIC) @rest(method: GET, path: \"/a\")", "nothing of Empty can be selected"),
        ("a: Int @access(credential: PUBLIC) @rest(method: GET, path: \"a\")", "a path starts with /"),
        ("a: Int @access(credential: PUBLIC) @rest(method: GET, path: \"/a/\")", "does not end with it"),
        ("a: Int @access(credential: PUBLIC) @rest(method: POST, path: \"/a\")", "GET is for queries"),
        ("a: Int @access(credential: PUBLIC) @rest(method: HEAD, path: \"/a\")", "method: HEAD is not a HttpMethod"),
        (
            "a: Int @access(credential: PUBLIC) @rest(method: GET, path: \"/a\", status: 404)",
            "not the status of a success",
        ),
        (
            "a(filter: Filter): Int @access(credential: PUBLIC) @rest(method: GET, path: \"/a\")",
            "can't be written in a query",
        ),
        ("a(input: Body): Int @access(credential: PUBLIC) @rest(method: GET, path: \"/a\")", "a GET has no body"),
        (
            "a(input: Photo!): Int @access(credential: PUBLIC) @rest(method: POST, path: \"/a\")",
            "the file content can't be the whole body",
        ),
        ("a(x: [ID!]!): Int @access(credential: PUBLIC) @rest(method: GET, path: \"/a/{x}\")", "must be a scalar"),
        ("a: Thing @access(credential: PUBLIC) @export(path: \"/a\")", "a has no pages that could be exported"),
        (
            "a: Page @access(credential: PUBLIC) @rest(method: GET, path: \"/a\") @export(path: \"/a\")",
            "a and a are both mapped to GET /a",
        ),
        (
            "a: Thing @access(credential: PUBLIC) @rest(method: GET, path: \"/a\", location: \"/t/{key}\")",
            "names key, which the answer does not have",
        ),
        (
            "a: Thing @access(credential: PUBLIC) @rest(method: GET, path: \"/a\", location: \"/things/{id}\")",
            "GET /a: nothing is mapped to the location GET /things/{id}",
        ),
    ] {
        let message = refusal(fields);
        assert!(message.starts_with("schema: ") && message.contains(reason), "{fields}\n→ {message}");
    }
}

/// Operations, and exports of operations.
fn all_of(plan: &Plan) -> impl Iterator<Item = &Operation> {
    plan.operations.iter().map(|it| &**it).chain(plan.exports.iter().map(|it| &it.operation))
}

/// A new one stands here, too.
#[test]
fn these_operations_need_no_credential() {
    let (_, contract, _) = api::contract().unwrap();
    let public: Vec<String> = contract.public_operations().collect();
    assert_eq!(
        public,
        [
            "register",
            "login",
            "forgotPassword",
            "resetPassword",
            "verifyEmail",
            "undoEmailChange",
            "confirmSecondFactor",
            "startPasskeyLogin",
            "loginWithPasskey",
            "resolveLink",
            "instance"
        ]
    );
}

/// A created resource is read at the `Location` in the response, with the same credential.
#[on_each_database]
async fn every_location_exists(database: TestDatabase) {
    let settings = [("LINKGRAPH_BILLING_SANDBOX", "true"), ("LINKGRAPH_DEFAULT_PLAN", "pro")];
    let server = database.start_with(&settings).await;
    let document = server.get("/openapi.json", "").await.expect(200).json();
    let scopes: Vec<&str> = linkgraph::platform::auth::scope::Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    let mut located = Vec::new();
    for operation in server.api().plan.operations.iter().filter(|operation| operation.location.is_some()) {
        let path = &operation.path;
        // Each operation has an account of its own, so that none is in another's way.
        let token = server.register(&format!("user{}", located.len())).await;
        let mut credential =
            if operation.entry_point == EntryPoint::PublicApi { server.api_key(&token, &scopes).await } else { token };
        let method = method_name(operation.method);
        let described = &document["paths"][path][method.to_lowercase()]["requestBody"];
        let mut body = described["content"]["application/json"]["example"].clone();
        // The example's slug is taken: the operation is called once for each kind of credential.
        for name in ["slug", "subdomain"] {
            if !body[name].is_null() {
                body[name] = format!("ada{}", located.len()).into();
            }
        }
        if path.ends_with("/annotations") || path.ends_with("/reports") {
            // The example's link is nobody's.
            body["linkId"] = Json::Null;
        }
        if path == "/transfers" {
            let name = format!("user{}", located.len());
            let arguments = catalogue::user_arguments(&server, &database, "offerTransfer", &name).await.unwrap();
            body = arguments["input"].clone();
        }
        let created = server.call(method, path, &credential, body).await.expect(operation.status);
        if operation.access.credential == Credential::Public {
            credential = created.json()["accessToken"].as_str().unwrap().to_owned();
        }
        let location = created.header("location").replace("http://sho.rt", "");
        assert!(location.starts_with('/'), "{path}: {created:?}");
        // A file is where everybody gets it.
        let is_file = operation.location.as_deref() == Some("{url}");
        assert_eq!(
            location.starts_with("/api/v1"),
            operation.entry_point == EntryPoint::PublicApi && !is_file,
            "{path}: {location}"
        );
        server.get(&location, &credential).await.expect(200);
        located.push(path.clone());
    }
    assert!(located.len() >= 12, "{located:?}");
}

/// An id of nothing is answered like another account's, which `matrix.rs` asks for.
#[on_each_database]
async fn ids_of_nothing_are_not_found(database: TestDatabase) {
    let server = database.start().await;
    let (alice, mallory) = (server.register("alice").await, server.register("mallory").await);
    let link = catalogue::make(&server, &alice, "linkId", "hers").await;
    let mut checked = 0;
    for operation in all_of(&server.api().plan) {
        if operation.path_parameters.is_empty() || operation.entry_point == EntryPoint::PublicApi {
            continue;
        }
        // The first one is another account's, and mostly of another kind.
        for id in [&*link, "019aa1c2-0000-7000-8000-000000000000", "nonsense"] {
            let mut path = operation.path.clone();
            for parameter in &operation.path_parameters {
                path = path.replace(&format!("{{{}}}", parameter.name), id);
            }
            // Required fields are sent.
            let body = match &operation.body {
                Some(_) if path.ends_with("/merge") => json!({ "into": link }),
                Some(_) if path.ends_with("/parts") => json!({ "number": 1, "data": "keyword,url" }),
                Some(_) if path.ends_with("/rules") || path.ends_with("/rules/rehearse") => json!({ "rules": [] }),
                Some(_) if path.ends_with("/split") => json!({ "parts": [] }),
                Some(_) if path.ends_with("/explain") => json!({}),
                Some(_) if path.starts_with("/analytics/annotations") => json!({ "text": "mine" }),
                Some(_) if path.starts_with("/apps/hosts") => json!({ "iosApps": [] }),
                Some(_) if path.ends_with("/pages") => json!({ "texts": [] }),
                Some(_) if path.starts_with("/members") => json!({ "role": "VIEWER" }),
                Some(_) if path.starts_with("/domains") => json!({ "forwardsQuery": true }),
                Some(_) if path.starts_with("/links") || path.starts_with("/webhooks") => json!({ "isActive": false }),
                Some(_) => json!({ "name": "mine" }),
                None => Json::Null,
            };
            let answer = server.call(method_name(operation.method), &path, &mallory, body).await.expect(404);
            assert_eq!(answer.code(), "NOT_FOUND", "{path}");
            checked += 1;
        }
    }
    assert!(checked >= 12, "{checked}");
}
