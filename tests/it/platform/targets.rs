//! Targets: no spelling of an address and no trick of a DNS server makes the service connect to its own network.

use std::{collections::HashMap, fmt::Write as _, net::Ipv4Addr};

use futures_util::future::join_all;
use linkgraph::base::clock::MINUTE;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        TestDatabase, TestServer,
        dns_stub::{Answer, DnsStub},
        receiver::{Receiver, id},
    },
};

const FORBIDDEN: &str = "The host's address is not a public one.";

/// One address of each range that is not public.
const ADDRESSES: [Ipv4Addr; 16] = [
    Ipv4Addr::new(127, 0, 0, 1),
    Ipv4Addr::new(127, 255, 1, 2),
    Ipv4Addr::new(0, 0, 0, 0),
    Ipv4Addr::new(10, 1, 2, 3),
    Ipv4Addr::new(172, 16, 0, 1),
    Ipv4Addr::new(192, 168, 1, 1),
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(100, 64, 0, 1),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(192, 0, 0, 192),
    Ipv4Addr::new(192, 0, 2, 1),
    Ipv4Addr::new(198, 18, 0, 1),
    Ipv4Addr::new(198, 51, 100, 1),
    Ipv4Addr::new(203, 0, 113, 1),
    Ipv4Addr::new(224, 0, 0, 1),
    Ipv4Addr::new(255, 255, 255, 255),
];

/// The digits in other scripts that IDNA maps to ASCII.
fn in_script(text: &str, zero: char) -> String {
    text.chars().map(|it| it.to_digit(10).map_or(it, |digit| char::from_u32(zero as u32 + digit).unwrap())).collect()
}

/// Ways to write the address that a URL parser understands.
fn spellings(address: Ipv4Addr) -> Vec<String> {
    let [a, b, c, d] = address.octets();
    let (bits, rest, last) = (address.to_bits(), address.to_bits() & 0xff_ffff, address.to_bits() & 0xffff);
    let plain = address.to_string();
    let mut percent = String::new();
    for byte in plain.bytes() {
        let _ = write!(percent, "%{byte:02x}");
    }
    let (high, low) = (bits >> 16, last);
    vec![
        plain.clone(),
        format!("{plain}."),
        bits.to_string(),
        format!("{bits:#x}"),
        format!("0X{bits:X}"),
        format!("0{bits:o}"),
        format!("{bits:#018x}"),
        format!("{a}.{rest}"),
        format!("{a}.{b}.{last}"),
        format!("{a:#x}.{b:#x}.{c:#x}.{d:#x}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("000{a:o}.0x0{b:x}.{c}.{d:#x}"),
        format!("{a:#x}.{rest:#o}").replace("0o", "0"),
        percent,
        in_script(&plain, '\u{ff10}'),
        in_script(&plain, '\u{1d7d8}'),
        plain.replace('.', "\u{3002}"),
        plain.replace('.', "\u{ff0e}"),
        format!("[::ffff:{plain}]"),
        format!("[::ffff:{high:x}:{low:x}]"),
        format!("[0:0:0:0:0:ffff:{high:04x}:{low:04x}]"),
        format!("[::{plain}]"),
        format!("[64:ff9b::{plain}]"),
        format!("[64:ff9b:1::{high:x}:{low:x}]"),
        format!("[2002:{high:x}:{low:x}::]"),
        format!("[2002:{high:x}:{low:x}::1]"),
        format!("[2001:0:{high:x}:{low:x}::]"),
    ]
}

const HOSTS: [&str; 44] = [
    "intranet",
    "INTRANET.",
    "xn--bcher-kva",
    "b\u{fc}cher",
    "metadata.google.internal",
    "Metadata.Google.INTERNAL.",
    "a\u{3002}\u{24d8}nternal",
    "internal.",
    "printer.local",
    "a.PRINTER.Local.",
    "printer\u{ff0e}\u{ff4c}ocal",
    "b\u{fc}ro.lo\u{ad}cal",
    "home.arpa",
    "router.home.arpa.",
    "a.router.HOME.ARPA",
    "router\u{3002}home\u{ff61}ar\u{ad}pa",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "LocalHost.",
    "a.localhost",
    "a.b.LOCALHOST.",
    "loc\u{ad}alhost",
    "\u{ff4c}ocalhost",
    "\u{24db}\u{24de}\u{24d2}\u{24d0}\u{24db}\u{24d7}\u{24de}\u{24e2}\u{24e3}",
    "localhost%2e",
    "%6cocalhost",
    "\u{2460}\u{2461}\u{2466}.\u{24ea}.\u{24ea}.\u{2460}",
    "127.1",
    "127.0.1",
    "0",
    "0x0",
    "00",
    "0x7f.1",
    "[::1]",
    "[::]",
    "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "[fe80::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[2001:db8::1]",
    "[100::1]",
];

/// Whole URLs, of which a reader may think that they lead elsewhere. `{}` is the port.
const TRICKS: [&str; 20] = [
    "http://example.com@127.0.0.1:{}/",
    "http://example.com:80@127.0.0.1:{}/",
    "http://example.com%2f@127.0.0.1:{}/",
    "http://127.0.0.1:{}\\@example.com/",
    "http://127.0.0.1:{}#@example.com/",
    "http://127.0.0.1:{}?@example.com/",
    "http://127.0.0.1:{}/..//example.com/",
    "http:127.0.0.1:{}/",
    "http:/127.0.0.1:{}/",
    "http:///127.0.0.1:{}/",
    "http:\\\\127.0.0.1:{}\\",
    "HtTp://127.0.0.1:{}/",
    "\t http://127.0.0.1:{}/",
    "http://127.0.\t0.1:{}/",
    "http://127.0.0.1\n:{}/",
    "ht\ntp://127.0.0.1:{}/",
    "http://127.0.0.1:0{}/",
    "https://127.0.0.1:{}/",
    "https://[::1]:{}/",
    "http://[::ffff:127.0.0.1]:{}/",
];

async fn attempt(server: &TestServer, token: &str, webhook: &Json, number: usize) -> Json {
    let what = format!("attempt {number} at {}", webhook["url"]);
    let delivery = server.delivery_that(token, webhook, &what, |it| it["attemptCount"] == number).await;
    assert_eq!(delivery["status"], "RETRYING", "{what}");
    delivery["attempts"][number - 1].clone()
}

async fn send(server: &TestServer, token: &str, webhook: &Json) {
    server.post(&format!("/webhooks/{}/test", id(webhook)), token, Json::Null).await.expect(200);
}

#[on_each_database]
async fn no_spelling_of_an_address_gets_in(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let token = server.register("alice").await;
    let canary = Receiver::on("[::]:0").await;
    let port = canary.address.port();
    assert_eq!(
        reqwest::get(format!("http://127.0.0.1:{port}/")).await.unwrap().status(),
        200,
        "it hears both families"
    );
    let before = canary.connections();
    let hosts = ADDRESSES.into_iter().flat_map(spellings).chain(HOSTS.map(str::to_owned));
    let mut urls: Vec<String> = hosts.map(|host| format!("http://{host}:{port}/")).collect();
    urls.extend(TRICKS.iter().map(|trick| trick.replace("{}", &port.to_string())));
    assert!(urls.len() >= 400, "{}", urls.len());
    for part in urls.chunks(20) {
        join_all(part.iter().map(async |url| {
            let body = json!({ "name": "x", "url": url, "events": ["link.created"] });
            let answer = server.post("/webhooks", &token, body).await;
            assert_eq!((answer.status.as_u16(), url), (400, url), "{answer:?}");
            assert_eq!(answer.violations(), ["url"], "{url}");
        }))
        .await;
    }
    // The same through GraphQL, and when the URL of a webhook is changed.
    let webhook = server.webhook(&token, "https://hooks.example.com/", &["link.created"]).await;
    for url in urls.iter().step_by(10) {
        let query = "mutation($id: ID!, $url: String!) { updateWebhook(id: $id, input: { url: $url }) { id } }";
        let answer = server.graphql(&token, query, json!({ "id": id(&webhook), "url": url })).await;
        assert_eq!(answer["errors"][0]["extensions"]["validationErrors"][0]["path"], "url", "{url}");
    }
    // The API of another service is asked by the same rules.
    for url in urls.iter().step_by(10) {
        let body = json!({ "source": "SHLINK", "url": url, "key": "k" });
        let answer = server.post("/imports/from-api", &token, body).await.expect(400);
        assert_eq!(answer.violations(), ["url"], "{url}");
    }
    assert_eq!(canary.connections(), before);
}

/// Who allows private targets has names of the own network.
#[on_each_database]
async fn private_names_are_taken_where_private_targets_are_allowed(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")]).await;
    let token = server.register("alice").await;
    for host in ["intranet", "printer.local"] {
        server.webhook(&token, &format!("http://{host}:9/"), &["link.created"]).await;
    }
    let body = json!({ "source": "SHLINK", "url": "http://shlink.internal:9/", "key": "k" });
    server.post("/imports/from-api", &token, body).await.expect(202);
}

/// A URL that was stored while private targets were allowed is checked again.
#[on_each_database]
async fn a_stored_address_is_judged_at_each_attempt(database: TestDatabase) {
    let canary = Receiver::on("[::]:0").await;
    let port = canary.address.port();
    let unlimited = ("LINKGRAPH_DEFAULT_PLAN", "unlimited");
    let server = database.start_with(&[unlimited, ("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")]).await;
    let token = server.register("alice").await;
    let mut webhooks = Vec::new();
    for host in ["127.0.0.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "localhost", "a.localhost."] {
        webhooks.push(server.webhook(&token, &format!("http://{host}:{port}/"), &["link.created"]).await);
    }
    server.stop().await;
    let server = database.start_with(&[unlimited]).await;
    for webhook in &webhooks {
        send(&server, &token, webhook).await;
    }
    for webhook in &webhooks {
        let attempt = attempt(&server, &token, webhook, 1).await;
        assert_eq!((&attempt["error"], &attempt["statusCode"]), (&json!(FORBIDDEN), &Json::Null), "{webhook}");
    }
    assert_eq!(canary.connections(), 0);
}

/// A DNS server in the attacker's hands: any forbidden address among the answers is refused, what was judged is what
/// is connected to, and an answer is not believed twice.
#[on_each_database]
async fn no_trick_of_a_dns_server_gets_in(database: TestDatabase) {
    let canary = Receiver::on("[::]:0").await;
    let port = canary.address.port();
    let address = |text: &str| Answer::Address(text.parse().unwrap());
    // A sink that belongs to nobody's service (RFC 7535).
    let public = || address("192.31.196.1");
    let tricks: [(&'static str, Vec<Vec<Answer>>); 13] = [
        ("loopback.example", vec![vec![address("127.0.0.1")]]),
        ("mixed.example", vec![vec![public(), address("127.0.0.1")]]),
        ("mixed-families.example", vec![vec![public(), address("::1")]]),
        ("alias.example", vec![vec![Answer::Alias("private.example")]]),
        ("private.example", vec![vec![Answer::Alias("loopback.example")]]),
        ("unspecified.example", vec![vec![address("0.0.0.0")]]),
        ("unspecified6.example", vec![vec![address("::")]]),
        ("mapped.example", vec![vec![address("::ffff:127.0.0.1")]]),
        ("compatible.example", vec![vec![address("::127.0.0.1")]]),
        ("nat64.example", vec![vec![address("64:ff9b::7f00:1")]]),
        ("6to4.example", vec![vec![address("2002:7f00:1::1")]]),
        ("metadata.example", vec![vec![address("169.254.169.254")]]),
        ("loopback6.example", vec![vec![address("::1")]]),
    ];
    let flip = ("flip.example", vec![vec![public()], vec![address("127.0.0.1")]]);
    let names: Vec<&str> = tricks.iter().map(|(name, _)| *name).collect();
    let script: HashMap<String, _> =
        tricks.clone().into_iter().chain([flip]).map(|(name, script)| (name.to_owned(), script)).collect();
    let dns = DnsStub::start(script).await;
    let server = dns.address.to_string();
    let server =
        database.start_with(&[("LINKGRAPH_DNS_SERVER", &*server), ("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let token = server.register("alice").await;
    let flip = server.webhook(&token, &format!("http://flip.example:{port}/"), &["link.created"]).await;
    send(&server, &token, &flip).await;
    // Judged once an attempt, and anew at the next one. Before all others: seconds later there would be a second attempt.
    let first = attempt(&server, &token, &flip, 1).await;
    assert!(first["statusCode"].is_null() && first["error"] != FORBIDDEN, "{first}");
    assert_eq!(dns.asked("flip.example"), 1);
    database.settled().await;
    server.clock.advance(MINUTE);
    assert_eq!(attempt(&server, &token, &flip, 2).await["error"], FORBIDDEN);
    assert_eq!(dns.asked("flip.example"), 2);
    join_all(names.iter().map(async |name| {
        let webhook =
            server.webhook(&token, &format!("http://{}:{port}/", name.to_uppercase()), &["link.created"]).await;
        send(&server, &token, &webhook).await;
        let attempt = attempt(&server, &token, &webhook, 1).await;
        assert_eq!((&attempt["error"], &attempt["statusCode"]), (&json!(FORBIDDEN), &Json::Null), "{name}");
    }))
    .await;
    let unknown = server.webhook(&token, &format!("http://unknown.example:{port}/"), &["link.created"]).await;
    send(&server, &token, &unknown).await;
    let error = attempt(&server, &token, &unknown, 1).await["error"].clone();
    assert_eq!(error, "The host's name has no address.");
    assert_eq!(canary.connections(), 0);
}
