//! Documents made to cost much: refused at once, in little time, and survived.

use std::{hint::black_box, time::Duration};

use linkgraph::api::{
    Api,
    graphql::{measure::measure, merge::merge, tokens::read_text},
};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        TestDatabase,
        documents::{INTROSPECTION, first_name, heavy},
        process::TestProcess,
    },
};

/// The limit, and its value, in the error of a refused document.
fn limit(answer: &Json) -> (String, u64) {
    let extensions = &answer["errors"][0]["extensions"];
    assert_eq!(extensions["code"], "QUERY_TOO_COMPLEX", "{answer:.300}");
    let details = &extensions["details"];
    assert_eq!(details.as_object().unwrap().len(), 2, "{details}");
    (details["limit"].as_str().unwrap().to_owned(), details["max"].as_u64().unwrap())
}

/// `levels` fragments that each spread the next one twice.
fn bomb(levels: usize, end: &str) -> String {
    let tower: String = (0..levels)
        .map(|level| format!("fragment f{level} on Query {{ ...f{} ...f{} }} ", level + 1, level + 1))
        .collect();
    format!("{tower} fragment f{levels} on Query {{ {end} }}")
}

/// Documents that a limit refuses, and which.
fn refused() -> Vec<(String, &'static str, u64)> {
    let aliases: String = (0..31).map(|n| format!("a{n}: id ")).collect();
    let operations: String = (0..21).map(|n| format!("query q{n} {{ me {{ id }} }} ")).collect();
    let arguments: String = (0..21).map(|n| format!("a{n}: 1 ")).collect();
    let pages = "data { clicks(limit: 100) { data { link { clicks(limit: 100) { data { id } } } } } }";
    // As many aliases as there may be, and others beside them.
    let (aliased, others): (String, _) = (
        (0..30).map(|n| format!("a{n}: me {{ id }} ")).collect(),
        "me { id } links { total } domains { total } subdomain { id } webhooks { total } apiKeys { total } \
         plans { plans { id } } usage { periodEnd } invoices { invoices { id } } subscription { id } \
         accountClickSummary { from }",
    );
    let schemas = |number: usize, inner: &str| -> String {
        (0..number).map(|n| format!("s{n}: __schema {{ types {{ fields {{ {inner} }} }} }} ")).collect()
    };
    let attempts = "data { deliveries(pageSize: 100) { deliveries { attempts { responseStart } } } }";
    let nested = |open: &str, close: &str, inner: &str| format!("{}{inner}{}", open.repeat(41), close.repeat(41));
    vec![
        (format!("{{ me {{ {} }} }}", "id ".repeat(2_000)), "tokens", 2_000),
        (format!("{{ me {{ {} }} }}", "...f".repeat(60_000)), "tokens", 2_000),
        (format!("{{ links(search: [{}]) {{ total }} }}", "0".repeat(60_000)), "tokens", 2_000),
        (format!("{{ links(search: [{}]) {{ total }} }}", "1-".repeat(30_000)), "tokens", 2_000),
        (format!("{{ links(search: {}) {{ total }} }}", nested("[", "]", "1")), "nested brackets", 40),
        (format!("{{ links(search: {}) {{ total }} }}", nested("{a:", "}", "1")), "nested brackets", 40),
        (format!("query($a: {} = 1) {{ me {{ id }} }}", nested("[", "]", "Int")), "nested brackets", 40),
        (nested("{me", "}", ""), "nested brackets", 40),
        (format!("{{ me {}", nested("...{", "}", "id")), "nested brackets", 40),
        ("[".repeat(16 * 1024), "nested brackets", 40),
        ("{".repeat(16 * 1024), "nested brackets", 40),
        ("(".repeat(16 * 1024), "nested brackets", 40),
        ("{a".repeat(8 * 1024), "nested brackets", 40),
        ("{a(b:[".repeat(2 * 1024), "nested brackets", 40),
        (format!("{{ me(a: [\"\" \"\\u005b\" # \"\"\"\r{}", "[".repeat(16 * 1024)), "nested brackets", 40),
        (format!("{{ me {{ {aliases} }} }}"), "aliases", 30),
        (format!("{{ {aliased} {others} }}"), "root fields", 40),
        (format!("{{ ...f ... {{ {aliased} }} }} fragment f on Query {{ {others} }}"), "root fields", 40),
        (format!("{{ {}id{} }}", "me { ".repeat(16), " }".repeat(16)), "levels of selections", 16),
        (
            format!("{{ me {{ {} }} }} fragment f on User {{ {} }}", "...f ".repeat(50), "id ".repeat(50)),
            "fields",
            2_000,
        ),
        (format!("{{ ...f0 }} {}", bomb(22, "me { id }")), "fields", 2_000),
        (format!("{{ ...f0 }} {}", bomb(60, "me { id }")), "fields", 2_000),
        // Towers on nothing, in an operation that is not executed, and in one of a kind that there is not.
        (format!("{{ ...f0 }} {}", bomb(22, "...nothing")), "fields", 2_000),
        (format!("query A {{ me {{ id }} }} query B {{ ...f0 }} {}", bomb(22, "me { id }")), "fields", 2_000),
        (format!("query A {{ me {{ id }} }} mutation B {{ ...f0 }} {}", bomb(22, "...nothing")), "fields", 2_000),
        (format!("subscription {{ ...f0 }} {}", bomb(22, "me { id }")), "fields", 2_000),
        (operations, "operations", 20),
        (format!("{{ links({arguments}) {{ {} }} }}", "total ".repeat(100)), "arguments of a field", 20),
        (format!("{{ links(pageSize: 100) {{ {pages} }} }}"), "values", 110_000),
        (format!("query($n: Int = 100) {{ links(pageSize: $n) {{ {pages} }} }}"), "values", 110_000),
        (format!("query($big: Int) {{ links(pageSize: $big) {{ {pages} }} }}"), "values", 110_000),
        (format!("query($size: Int! = 100) {{ links(pageSize: $size) {{ {pages} }} }}"), "values", 110_000),
        (
            format!("{{ links {{ {} }} }}", "data { clicks { data { link { clicks { data { id } } } } } }"),
            "values",
            110_000,
        ),
        // A list that is no page has its length, too.
        (format!("{{ webhooks(pageSize: 100) {{ {attempts} }} }}"), "values", 110_000),
        (format!("{{ links(pageSize: 2147483647) {{ {pages} }} }}"), "values", 110_000),
        (
            "{ links(pageSize: 100) { data { clicks(limit: 100) { data { id clickedAt browser os device isBot referrerHost \
             country link { id slug domain shortUrl } } } } } }"
                .to_owned(),
            "values",
            110_000,
        ),
        // Introspection is measured like anything else.
        (
            format!("{{ {} }} fragment f on __Field {{ {} }}", schemas(4, "...f"), {
                (0..24).map(|n| format!("n{n}: name ")).collect::<String>()
            }),
            "values of introspection",
            50_000,
        ),
        (
            format!(
                "{{ {} }}",
                schemas(
                    8,
                    "name description args { name description type { kind ofType { name } } } type { kind ofType { name kind } }"
                )
            ),
            "values of introspection",
            50_000,
        ),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_limit_refuses_in_little_time_and_says_which_it_is() {
    let database = TestDatabase::sqlite();
    let process = TestProcess::start(&database, &[]).await;
    let token = process.register("alice").await;
    let documents = refused();
    for (document, name, max) in &documents {
        let body = json!({ "query": document, "operationName": first_name(document), "variables": { "big": 100 } });
        let mut least = Duration::MAX;
        for _ in 0..3 {
            let before = process.cpu();
            let answer = process.post("/graphql", &token, body.clone()).await.expect(200);
            least = least.min(process.cpu().saturating_sub(before));
            assert_eq!(limit(&answer.json()), ((*name).to_owned(), *max), "{document:.200}");
            assert!(answer.text.len() < 1_000, "the document is not repeated");
        }
        assert!(least < Duration::from_millis(200), "{least:?}: {document:.200}");
    }
    let cycle = "{ me { ...a } } fragment a on User { ...b } fragment b on User { id ...a }";
    let answer = process.graphql(&token, cycle, json!({})).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "GRAPHQL_VALIDATION_FAILED");
    // Nobody needs a credential to be refused, and the process outlives them all, at once.
    let calls: Vec<_> = (0..4)
        .flat_map(|_| documents.iter().filter(|(document, ..)| document.len() <= 16 * 1024 + 100))
        .map(|(document, ..)| {
            let (http, document) = (process.http.clone(), document.clone());
            tokio::spawn(async move { http.graphql("", &document, json!({})).await })
        })
        .collect();
    for call in calls {
        let answer = call.await.unwrap();
        assert!(answer["errors"][0]["extensions"]["code"].is_string(), "{answer}");
    }
    process.get("/health", "").await.expect(200);
    process.get("/links", &token).await.expect(200);
    assert!(!process.log.lock().unwrap().contains("panicked"));
}

/// Reads, validates, merges and measures a document that passes the limits, as a request does before anything is executed. Answers whether it
/// is valid.
fn judge(api: &Api, document: &str) -> bool {
    let text = read_text(document).unwrap_or_else(|error| panic!("{document:.100}: {error:?}"));
    let Ok(parsed) = api.validator.document(&text) else { return false };
    let operation = parsed.operation(first_name(document)).unwrap_or_else(|error| panic!("{document:.100}: {error:?}"));
    let merged = merge(&api.validator.schema, &parsed, operation, &Default::default());
    merged.is_ok_and(|merged| measure(api.known(), &merged).is_ok())
}

/// The processor time of one such judgement: the least of several means, so that other work on the machine does not show.
fn time_to_judge(api: &Api, document: &str) -> Duration {
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap();
    let mean = || {
        let (began, mut times) = (now(), 0);
        while now() - began < Duration::from_millis(20) {
            black_box(judge(api, document));
            times += 1;
        }
        (now() - began) / times
    };
    // The first one fills caches.
    mean();
    (0..5).map(|_| mean()).min().unwrap()
}

/// Whatever passes the limits is judged in a time that grows no faster than the document.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_passes_the_limits_is_cheap_and_its_cost_is_in_proportion() {
    let database = TestDatabase::sqlite();
    let process = TestProcess::start(&database, &[]).await;
    let token = process.register("alice").await;
    let cost = async |document: &str| {
        let body = json!({ "query": document, "operationName": first_name(document) });
        let mut least = Duration::MAX;
        for _ in 0..4 {
            let before = process.cpu();
            let answer = process.post("/graphql", &token, body.clone()).await.expect(200);
            least = least.min(process.cpu().saturating_sub(before));
            let code = &answer.json()["errors"][0]["extensions"]["code"];
            assert_ne!(code, "QUERY_TOO_COMPLEX", "{document:.100}: {}", answer.text);
            assert!(
                document == INTROSPECTION || answer.text.len() < 100_000,
                "{} bytes for {document:.100}",
                answer.text.len()
            );
        }
        least
    };
    let mut report = String::new();
    let mut too_slow = Vec::new();
    for ((name, quarter), (_, whole)) in heavy(2).into_iter().zip(heavy(8)) {
        let (small, large) = (cost(&quarter).await, cost(&whole).await);
        report += &format!("{name}: {small:?}, four times as long {large:?}\n");
        // Sixteen times as much would be its square.
        if large > Duration::from_millis(200) || large > small * 8 + Duration::from_millis(5) {
            too_slow.push(name);
        }
    }
    assert!(too_slow.is_empty(), "{too_slow:?}\n{report}");
    // Over HTTP, time that is the same for every request hides the proportion: here the documents are judged without it.
    let server = TestDatabase::sqlite().start().await;
    let mut faster = Vec::new();
    for ((name, quarter), (_, whole)) in heavy(2).into_iter().zip(heavy(8)) {
        let api = server.api();
        assert_eq!(judge(api, &quarter), judge(api, &whole), "{name}: the two are not the same work");
        let (small, large) = (time_to_judge(api, &quarter), time_to_judge(api, &whole));
        report += &format!("{name}, judged: {small:?}, four times as long {large:?}\n");
        // Four times as much, and more where lists are sorted or caches are small; sixteen times as much would be its square.
        if large > small * 8 {
            faster.push(name);
        }
    }
    server.stop().await;
    if std::env::var_os("LINKGRAPH_TEST_REPORT").is_some() {
        println!("{report}");
    }
    assert!(faster.is_empty(), "{faster:?}\n{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_can_introspect() {
    let server = TestDatabase::sqlite().start().await;
    let answer = server.graphql("", INTROSPECTION, json!({})).await;
    assert!(answer["errors"].is_null(), "{}", answer["errors"]);
    let schema = &answer["data"]["__schema"];
    assert_eq!((&schema["queryType"]["name"], &schema["mutationType"]["name"]), (&json!("Query"), &json!("Mutation")));
    let types = schema["types"].as_array().unwrap();
    let link = types.iter().find(|ty| ty["name"] == "Link").unwrap();
    assert_eq!(link["fields"].as_array().unwrap().len(), 34);
    assert_eq!(link["fields"][0]["type"]["ofType"]["name"], "ID");
    server.stop().await;
}

/// Values of an answer: each field and each item of a list is one.
fn values(answer: &Json) -> usize {
    match answer {
        Json::Object(fields) => fields.values().map(|value| values(value) + 1).sum(),
        Json::Array(items) => items.iter().map(|item| values(item) + 1).sum(),
        _ => 0,
    }
}

/// Introspection, as tools and people send it, is measured exactly, and answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_introspection_has_as_many_values_as_are_counted_before() {
    let server = TestDatabase::sqlite().start().await;
    let api = server.api();
    for document in [
        INTROSPECTION,
        // graphql-codegen asks this, by graphql-js with fewer options.
        &INTROSPECTION.replace("specifiedByURL", "").replace("isOneOf", "").replace("isRepeatable", ""),
        "{ __schema { types { name fields { name args { name type { name } } type { name kind ofType { name } } } } } }",
        "{ __schema { queryType { fields { name } } mutationType { name } subscriptionType { fields { args { name } } } } }",
        "{ __schema { directives { name locations args { name type { kind } } } description } }",
        "{ __type(name: \"Link\") { name fields { name type { ofType { fields { name } } } } } }",
        "{ __type(name: \"EventPayload\") { possibleTypes { name interfaces { name } fields { name } } } }",
        "{ __type(name: \"Interval\") { enumValues { name description } } __typename }",
        "{ __type(name: \"CreateLinkInput\") { inputFields(includeDeprecated: true) { name type { name ofType { name } } } } }",
        "{ a: __type(name: \"Nothing\") { name fields { name } } b: __schema { types { name name } types { name } } }",
    ] {
        let parsed = api.validator.document(&read_text(document).unwrap()).unwrap();
        let operation = parsed.operation(None).unwrap();
        let merged = merge(&api.validator.schema, &parsed, operation, &Default::default()).unwrap();
        let measured = measure(api.known(), &merged);
        let measured = measured.unwrap_or_else(|error| panic!("{document:.100}: {error:?}"));
        let answer = server.graphql("", document, json!({})).await;
        assert!(answer["errors"].is_null(), "{document:.100}: {}", answer["errors"]);
        let answered = values(&answer["data"]);
        println!("{} values, measured as {}: {document:.40}", answered, measured.values);
        // Null has no fields, which are counted all the same where the type does not tell: for a wrapped type, or nothing.
        assert!(
            (answered..=answered + answered / 10 + 1).contains(&measured.values),
            "{answered} of {} in {document:.100}",
            measured.values
        );
    }
    server.stop().await;
}

/// A variable counts as often as it is named: it is copied each time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn variables_are_measured_where_they_are_used() {
    let server = TestDatabase::sqlite().start().await;
    let token = server.register("alice").await;
    let many = vec![json!({ "destinationUrl": "" }); 11_000];
    for (uses, is_refused) in [(9, false), (10, true)] {
        let each =
            (0..uses).map(|n| format!("a{n}: createLinks(input: {{ links: $a }}) {{ results {{ link {{ id }} }} }} "));
        let query = format!("mutation($a: [CreateLinksItemInput!]!) {{ {} }}", each.collect::<String>());
        let answer = server.graphql(&token, &query, json!({ "a": many })).await;
        if is_refused {
            assert_eq!(limit(&answer), ("values of arguments".to_owned(), 200_000));
        } else {
            assert_eq!(answer["errors"][0]["extensions"]["code"], "VALIDATION_ERROR", "{answer:.300}");
        }
    }
    server.stop().await;
}

/// The GraphQL specification merges what answers under one key (5.3.2, 6.3.3).
#[on_each_database]
async fn a_field_that_stands_twice_is_executed_once(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let create = "createLink(input: { destinationUrl: \"https://example.com/\" })";
    let mutation = format!(
        "mutation M($yes: Boolean = true) {{ {create} {{ id }} ...f ... @include(if: $yes) {{ {create} {{ slug }} }} \
             {create} @skip(if: $yes) {{ domain }} }} fragment f on Mutation {{ {create} {{ slug isActive }} }}"
    );
    let answer = server.graphql(&token, &mutation, json!({})).await;
    let created = answer["data"]["createLink"].as_object().unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(created.keys().collect::<Vec<_>>(), ["id", "slug", "isActive"]);
    assert_eq!(database.links().await, 1);
    // An invalid selection is refused, though it would be merged away.
    for (document, path) in [
        ("{ me { id id(a: 1) } }", "id"),
        ("{ me { id } ...f ...f } fragment f on Query { me { nothing } }", "nothing"),
        ("{ me { id @unknown } }", "unknown"),
        ("{ me { ... on Link { slug } } }", "Link"),
        ("{ me { id } } fragment f on User { id }", "f"),
    ] {
        let answer = server.graphql(&token, document, json!({})).await;
        assert_eq!(answer["errors"][0]["extensions"]["code"], "GRAPHQL_VALIDATION_FAILED", "{document}: {answer}");
        assert!(answer["errors"].to_string().contains(path) && answer.get("data").is_none(), "{document}: {answer}");
    }
}
