//! One whole reply of each operation of the facade, kept in `snapshots/`: what callers are sent changes only where a commit says so.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Write,
    fs,
};

use linkgraph::{
    api::rest::operation::{PUBLIC_PREFIX, Parameter, method_name},
    graphql::directives::HttpMethod,
};
use regex::Regex;
use serde_json::{Value as Json, json};

use crate::support::{
    Answer, Http, TestDatabase,
    browser::Browser,
    catalogue::{self, Ids},
    dns_stub::DnsStub,
    eventually, noon,
    receiver::{Behaviour, Receiver, id},
    schema::misfit,
};

/// Forms of values that differ from run to run, each with the text that is kept in their place.
const VARYING: [(&str, &str); 11] = [
    // What a browser is asked for: a challenge, a user's handle, a passkey.
    (r#"(\\"(?:challenge|id)\\":\\")[A-Za-z0-9_-]{22,}"#, "$1[…]"),
    ("(?m)^etag: .*", "etag: […]"),
    ("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "[id]"),
    ("/reports/[A-Za-z0-9_-]{32}\"", "/reports/[token]\""),
    ("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z", "[time]"),
    // The end of a token or a secret: its beginning says what it is.
    ("[0-9a-f]{32}", "[…]"),
    (r#"(eyJ|lg_live_|lgp_|whsec_)[^"]+"#, "$1[…]"),
    // The secret of an authenticator app, and a recovery code.
    ("[A-Z2-7]{32}", "[…]"),
    ("([a-z2-7]{4}-){3}[a-z2-7]{4}", "[…]"),
    (r#""durationMs": [0-9]+"#, r#""durationMs": "[…]""#),
    (r"127\.0\.0\.1:[0-9]+", "127.0.0.1:[port]"),
];

/// A webhook with a delivery that has ended. What is sent to it later does not end.
async fn make_delivery(server: &Http, token: &str, receiver: &Receiver, name: &str) -> Ids {
    let path = format!("/{name}");
    let webhook = server.webhook(token, &receiver.url(&path), &["domain.failing"]).await;
    server.post(&format!("/webhooks/{}/test", id(&webhook)), token, Json::Null).await.expect(200);
    let delivery = server.delivery_that(token, &webhook, "it has succeeded", |it| it["status"] == "SUCCEEDED").await;
    receiver.set(&path, Behaviour::Hang);
    Ids::from([("webhookId", id(&webhook).to_owned()), ("deliveryId", id(&delivery).to_owned())])
}

/// A user's token and ids, with something to show for each query.
async fn make_reader(server: &Http, receiver: &Receiver) -> (String, Ids) {
    let token = server.register("reader").await;
    let mut ids = make_delivery(server, &token, receiver, "reader").await;
    catalogue::complete(server, &token, "reader", &mut ids).await;
    server.post("/subdomain", &token, json!({ "subdomain": "reader" })).await.expect(201);
    Browser::log_in(server, "reader", true).await;
    let offer = json!({ "planId": "pro", "interval": "month" });
    let checkout = server.post("/billing/checkout", &token, offer).await.expect(201);
    let page = checkout.header("location").strip_prefix("http://sho.rt").unwrap();
    server.press(page, "outcome", "pay").await.expect(303);
    server.follow("reader").await.expect(302);
    eventually("the click is counted, and the payment known", async || {
        let link = server.get(&format!("/links/{}", ids["linkId"]), &token).await.json();
        let is_paid = server.invoices(&token).await == ["paid"] && server.subscription(&token).await.is_object();
        (link["clickCount"] == 1 && is_paid).then_some(())
    })
    .await;
    (token, ids)
}

/// The reply as HTTP writes it, with what callers rely on.
fn shown(answer: &Answer) -> String {
    let mut shown = format!("{}\n", answer.status.as_u16());
    for name in ["content-type", "location", "etag"] {
        if answer.headers.contains_key(name) {
            writeln!(shown, "{name}: {}", answer.header(name)).unwrap();
        }
    }
    if answer.header("content-type") == "image/svg+xml" {
        write!(shown, "\n{}", answer.text).unwrap();
    } else if !answer.text.is_empty() {
        write!(shown, "\n{:#}", answer.json()).unwrap();
    }
    shown
}

/// A token of an account of the mutation's own, and the arguments, for which all that they need is made.
async fn make_call(server: &Http, database: &TestDatabase, receiver: &Receiver, mutation: &str) -> (String, Json) {
    let name = mutation.to_lowercase();
    let token = server.register(&name).await;
    if mutation.ends_with("Subdomain") && mutation != "claimSubdomain" {
        server.post("/subdomain", &token, json!({ "subdomain": name })).await.expect(201);
    }
    let arguments = match catalogue::user_arguments(server, database, mutation, &name).await {
        Some(arguments) => arguments,
        None => catalogue::arguments(mutation, &name),
    };
    let mut ids: BTreeMap<&str, String> = BTreeMap::new();
    // Their replies have the attempts that were made until then.
    if ["testWebhook", "redeliver"].contains(&mutation) {
        ids.extend(make_delivery(server, &token, receiver, &name).await);
    }
    for parameter in catalogue::needed(&arguments) {
        if !ids.contains_key(parameter) {
            ids.insert(parameter, catalogue::make(server, &token, parameter, &name).await);
        }
    }
    (token, catalogue::with_ids(arguments.clone(), &ids))
}

/// By a user's token, on the dashboard's path: the public API selects the same. `INSTA_UPDATE=always` keeps what is answered now.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_operation_replies_as_is_kept() {
    let database = TestDatabase::sqlite();
    let dns = DnsStub::start(HashMap::new()).await.address.to_string();
    let settings = [
        ("LINKGRAPH_BILLING_SANDBOX", "true"),
        ("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"),
        ("LINKGRAPH_DNS_SERVER", &*dns),
    ];
    let server = database.start_at(&settings, noon()).await;
    let receiver = Receiver::start().await;
    let page =
        "<title>Spring at Acme</title><meta name=description content=Tulips><meta property=og:image content=/a.png>";
    receiver.set("/page", Behaviour::Body(200, page.to_owned()));
    let (reader, reader_ids) = make_reader(&server, &receiver).await;
    let varying = VARYING.map(|(pattern, instead)| (Regex::new(pattern).unwrap(), instead));
    let mut kept = BTreeSet::new();
    let document = server.get("/openapi.json", "").await.expect(200).json();
    for operation in server.api().plan.operations.iter().filter(|it| !it.path.starts_with(PUBLIC_PREFIX)) {
        let name = &*operation.field.name;
        let (token, arguments) = if operation.method == HttpMethod::Get {
            let parameters = operation.path_parameters.iter();
            let arguments = parameters.map(|it| (it.argument.name.clone(), json!(reader_ids[&*it.name]))).collect();
            (reader.clone(), Json::Object(arguments))
        } else {
            make_call(&server, &database, &receiver, name).await
        };
        let path = operation.path_parameters.iter().fold(operation.path.clone(), |path, parameter| {
            let id = arguments[&parameter.argument.name].as_str().unwrap();
            path.replace(&format!("{{{}}}", parameter.name), id)
        });
        let asked = operation.query_parameters.iter().filter(|it| it.argument.is_required());
        let value = |it: &Parameter| match name {
            // The page that the receiver answers.
            "fetchMetadata" => receiver.url("/page"),
            _ => it.argument.example.as_deref().unwrap_or_default().trim_matches('"').to_owned(),
        };
        let asked: Vec<_> = asked.map(|it| format!("{}={}", it.name, value(it))).collect();
        let path = if asked.is_empty() { path } else { format!("{path}?{}", asked.join("&")) };
        let method = method_name(operation.method);
        let answer = server.call(method, &path, &token, arguments["input"].clone()).await.expect(operation.status);
        let answers = &document["paths"][&operation.path][&method.to_lowercase()]["responses"];
        let schema = &answers[operation.status.to_string()]["content"]["application/json"]["schema"];
        if operation.status != 204 && operation.file.is_none() {
            assert_eq!(misfit(&document, schema, &answer.json()), None, "{method} {path}");
        }
        let reply = varying
            .iter()
            .fold(shown(&answer), |reply, (pattern, instead)| pattern.replace_all(&reply, *instead).into_owned());
        let description = format!("{method} {}", operation.path);
        insta::with_settings!({ description => description, omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name, reply);
        });
        kept.insert(format!("{name}.snap"));
    }
    server.stop().await;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/api/snapshots");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(files.collect::<BTreeSet<_>>(), kept, "a file for each operation, and no other");
}
