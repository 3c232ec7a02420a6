//! Values that the service accepts fit the document, since clients check them before they send.

use async_graphql::Value;
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use regex::Regex;

use super::*;
use crate::{
    api,
    base::{error::Violations, validate},
    contract::{Rules, Shape},
    graphql::directives::Format,
};

const HOSTS: [&str; 8] = [
    "[::1]",
    "127.0.0.1",
    "0x7f000001",
    "ab--cd.com",
    "my_site.example.",
    "xn--bcher-kva.example",
    "bücher.example",
    "例え。テスト",
];

/// Names and addresses in their many spellings.
fn hosts() -> BoxedStrategy<String> {
    let names = "([A-Za-z0-9é例ßå-]{1,9}[.。]){0,3}[A-Za-zéß-]{2,9}[.。]?";
    let longest = "([a-z0-9]{63}\\.){3}[a-z]{61}\\.?";
    prop_oneof![proptest::sample::select(&HOSTS[..]).prop_map(str::to_owned), names, longest].boxed()
}

/// Texts of which many are accepted.
fn texts(format: Format) -> BoxedStrategy<String> {
    match format {
        Format::DestinationUrl | Format::WebhookUrl => {
            let rest = "(:0{0,3}[0-9]{0,5})?([/?#\\\\]\\PC{0,20})?";
            ("[ \n]?[Hh][Tt]\t?[Tt][Pp][Ss]?:[/\\\\]{1,3}", hosts(), rest)
                .prop_map(|(scheme, host, rest)| scheme + &host + &rest)
                .boxed()
        }
        Format::DomainName => hosts(),
        Format::Email => {
            "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,9}(\\.[a-z]{1,3})?@([A-Za-z0-9-]{1,9}\\.){1,3}[A-Za-z0-9-]{1,9}".boxed()
        }
        Format::Name | Format::Line => "\\PC{1,100}".boxed(),
        Format::Tag => "\\PC{1,50}".boxed(),
        Format::Text => "[\\PC\\t\\n\\x00-\\x9f]{0,40}".boxed(),
        Format::Slug => "[A-Za-z0-9_-]{1,64}|\\PC{1,6}|[а-я_-]{1,64}".boxed(),
        Format::Subdomain => "[A-Za-z0-9-]{3,20}".boxed(),
        Format::Color => "#?[0-9a-fA-Fg]{5,7}".boxed(),
    }
}

fn patterns(schema: &Json) -> usize {
    match schema {
        Json::Object(fields) => {
            usize::from(fields.get("pattern").is_some_and(Json::is_string))
                + fields.values().map(patterns).sum::<usize>()
        }
        Json::Array(items) => items.iter().map(patterns).sum(),
        _ => 0,
    }
}

#[test]
fn what_is_sent_to_webhooks_are_callbacks_of_what_makes_them() {
    let (_, contract, plan) = api::contract().unwrap();
    let document: Json = serde_json::from_str(&document(&contract, &plan, Extent::Whole)).unwrap();
    let sent: Vec<&String> = document["webhooks"].as_object().unwrap().keys().collect();
    for path in ["/webhooks", "/api/v1/webhooks"] {
        let callbacks = document["paths"][path]["post"]["callbacks"].as_object().unwrap();
        assert_eq!(callbacks.keys().collect::<Vec<_>>(), sent, "{path}");
        for (name, callback) in callbacks {
            let place = callback["{$request.body#/url}"]["$ref"].as_str().unwrap();
            assert_eq!(document.pointer(&place[1..]), Some(&document["webhooks"][name]), "{path}: {place}");
        }
    }
}

#[test]
fn whatever_is_accepted_fits_the_document() {
    let (_, contract, plan) = api::contract().unwrap();
    let document: Json = serde_json::from_str(&document(&contract, &plan, Extent::Whole)).unwrap();
    let mut runner = TestRunner::new(Config::default());
    let mut tried = 0;
    // Parameters of the query have patterns by the same rules.
    let paths = document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values());
    let of_queries: usize = paths.map(|operation| patterns(&operation["parameters"])).sum();
    for (name, definition) in &contract.types {
        let Shape::Input(fields) = &definition.shape else { continue };
        for (field, format) in fields.iter().filter_map(|field| Some((field, field.rules.format?))) {
            let schema = &document["components"]["schemas"][name]["properties"][&field.name];
            // An item that is judged alone does not fail the request, whatever it has.
            if name == "CreateLinksItemInput" {
                assert!(schema["pattern"].is_null() && schema["maxLength"].is_null(), "{name} {}", field.name);
                continue;
            }
            // The pattern of a list is that of its items.
            let schema = schema.get("items").unwrap_or(schema);
            let pattern = schema["pattern"].as_str().map(|pattern| Regex::new(pattern).unwrap());
            tried += usize::from(pattern.is_some());
            let longest = schema["maxLength"].as_u64().unwrap() as usize;
            let mut accepted = 0;
            for _ in 0..10_000 {
                if accepted == 120 {
                    break;
                }
                let text = texts(format).new_tree(&mut runner).unwrap().current();
                if !is_accepted(&field.rules, &text) {
                    continue;
                }
                accepted += 1;
                let fits = pattern.as_ref().is_none_or(|pattern| pattern.is_match(&text));
                assert!(fits && text.chars().count() <= longest, "{name}.{}: {text:?}", field.name);
            }
            assert_eq!(accepted, 120, "{name}.{}: hardly any text was accepted", field.name);
        }
    }
    assert!(tried > 0);
    assert_eq!(tried + of_queries, patterns(&document), "a pattern was not tried");
}

/// Whether a service whose webhooks may go anywhere accepts the text.
fn is_accepted(rules: &Rules, text: &str) -> bool {
    rules.check("text", &Value::from(text), true, &mut Violations::default())
}

#[test]
fn a_host_that_dns_can_not_have_does_not_fit_the_document() {
    let pattern = Regex::new(validate::URL_PATTERN).unwrap();
    let name = |length: usize| "a23456789.".repeat(26)[..length - 1].to_owned() + "z";
    for (host, fits) in [(name(253), true), (name(253) + ".", true), (name(255), false), (name(255) + "/?#", false)] {
        assert_eq!(pattern.is_match(&format!("https://{host}")), fits, "{host}");
    }
    assert!(pattern.is_match("http:a") && pattern.is_match(&format!("http://a/{}", "a".repeat(2_000))));
}

#[test]
fn hosts_in_all_spellings_are_accepted() {
    for host in HOSTS {
        let rules = Rules { format: Some(Format::DestinationUrl), ..Rules::default() };
        assert!(is_accepted(&rules, &format!("http://{host}/")), "{host}");
    }
}
