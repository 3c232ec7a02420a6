//! Custom domains: added, proved by DNS, and failing.

use entity::outbox_event;
use futures_util::future::join_all;
use linkgraph::{
    across::payload::EventPayload,
    base::clock::{DAY, HOUR, MINUTE, UnixMillis},
    platform::work::event_kind::EventKind,
};
use sea_orm::{EntityTrait, QueryOrder};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase, TestServer,
        dns::{
            RecordType::{A, AAAA, CNAME, TXT},
            TestDns,
        },
        domains::{NAME, add, get, link, prove, start, text, verify},
        eventually,
        receiver::id,
    },
};

const FIELDS: [&str; 11] = [
    "id",
    "domain",
    "status",
    "verificationToken",
    "dnsRecords",
    "createdAt",
    "updatedAt",
    "activatedAt",
    "failingSince",
    "checkedAt",
    "settings",
];

async fn delete(http: &Http, token: &str, domain: &Json) {
    http.call("DELETE", &format!("/domains/{}", id(domain)), token, Json::Null).await.expect(204);
}

/// Waits until a job has checked the domain in the state of things from `since` on.
async fn checked(http: &Http, token: &str, domain: &Json, since: &str) -> Json {
    eventually("the job checks the domain", async || {
        let domain = get(http, token, domain).await;
        domain["checkedAt"].as_str().is_some_and(|at| at >= since).then_some(domain)
    })
    .await
}

/// Moves the time, and answers to when: what a job does then is not earlier.
fn advance(server: &TestServer, by: UnixMillis) -> String {
    let then = linkgraph::base::clock::rfc3339(server.clock.now() + by);
    server.clock.advance(by);
    then
}

/// The data of the last event, read as its type and written again.
async fn last_event(database: &TestDatabase) -> Json {
    let connection = database.connect().await;
    let last = outbox_event::Entity::find().order_by_desc(outbox_event::Column::Id).one(&connection).await;
    let last = last.unwrap().unwrap();
    connection.close().await.unwrap();
    let body = format!(r#"{{"type":"{}","timestamp":"2026-11-20T14:33:38.125Z","data":{}}}"#, last.kind, last.payload);
    match EventPayload::read(EventKind::parse(&last.kind).unwrap(), &body).unwrap() {
        EventPayload::DomainCreated(payload) => serde_json::to_value(payload.data).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[on_each_database]
async fn checks_that_wait_for_name_servers_hold_up_their_own_account_only(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start(&database, &dns).await;
    let (flooding, other) = (server.register("alice").await, server.register("bob").await);
    let (silent, answered) = (add(&server, &flooding, "silent.example").await, add(&server, &other, NAME).await);
    dns.silence(TXT, "_linkgraph.silent.example");
    prove(&dns, NAME, &[&answered]);
    let path = format!("/domains/{}/verify", id(&silent));
    let flood: Vec<_> = (0..64)
        .map(|_| {
            let (http, flooding, path) = (server.http.clone(), flooding.clone(), path.clone());
            tokio::spawn(async move { http.post(&path, &flooding, Json::Null).await })
        })
        .collect();
    eventually("checks wait", async || (dns.unanswered() >= 4).then_some(())).await;
    for _ in 0..3 {
        assert_eq!(verify(&server, &other, &answered).await["status"], "ACTIVE");
    }
    let flood: Vec<_> = join_all(flood).await.into_iter().map(Result::unwrap).collect();
    for refused in flood.iter().filter(|answer| answer.status != 200) {
        assert_eq!(
            (refused.status.as_u16(), refused.header("retry-after"), &*refused.code()),
            (503, "1", "UNAVAILABLE")
        );
    }
    let number = flood.iter().filter(|answer| answer.status == 200).count();
    assert!((4..=20).contains(&number), "{number} of 64 were made");
}

#[on_each_database]
async fn a_domain_is_added_through_both_doors_and_says_what_to_set(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start(&database, &dns).await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &["domains:read", "domains:manage"]).await;
    for (path, credential, name) in
        [("/domains", &token, "A.Example.COM."), ("/api/v1/domains", &key, "bücher.example")]
    {
        let answer = server.post(path, credential, json!({ "domain": name })).await.expect(201);
        let domain = answer.json();
        assert_eq!(domain.as_object().unwrap().keys().collect::<Vec<_>>(), FIELDS);
        assert_eq!(answer.header("location"), format!("{path}/{}", id(&domain)));
        assert_eq!(server.get(answer.header("location"), credential).await.expect(200).json(), domain);
        assert_eq!(last_event(&database).await, domain, "what is sent is what is shown");
    }
    let page = server.get("/domains", &token).await.expect(200).json();
    assert_eq!((&page["total"], &page["data"][0]["domain"]), (&json!(2), &json!("xn--bcher-kva.example")));
    let domain = &page["data"][1];
    assert_eq!((domain["domain"].as_str(), domain["status"].as_str()), (Some("a.example.com"), Some("PENDING")));
    assert!(domain["activatedAt"].is_null() && domain["failingSince"].is_null() && domain["checkedAt"].is_null());
    let unseen = |kind, name, value| json!({ "type": kind, "name": name, "value": value, "found": [], "isSet": null, "problem": null });
    assert_eq!(
        domain["dnsRecords"],
        json!([unseen("TXT", "_linkgraph.a.example.com", text(domain)), unseen("CNAME", "a.example.com", "sho.rt"),])
    );
    assert_eq!(database.events("domain.created").await, 2);
    delete(&server, &token, domain).await;
    server.get(&format!("/domains/{}", id(domain)), &token).await.expect(404);
    assert_eq!(database.events("domain.deleted").await, 1);
}

#[on_each_database]
async fn a_name_that_nobody_can_own_or_that_is_ours_is_refused(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_SUBDOMAIN_HOST", "pages.example")]).await;
    let token = server.register("alice").await;
    for name in [
        "",
        "example",
        "co.uk",
        "com",
        "github.io",
        "xn--55qx5d.cn",
        "公司.cn",
        "127.0.0.1",
        "[::1]",
        "0x7f.1",
        "sho.rt",
        "go.sho.rt",
        "SHO.RT.",
        "ｓｈｏ.rt",
        "pages.example",
        "acme.pages.example",
        "localhost",
        "a.localhost",
        "a_b.example",
        "-a.example",
        "a..example",
        "https://a.example",
        "a.example:80",
        "*.a.example",
        "a\0b.example",
    ] {
        let answer = server.post("/domains", &token, json!({ "domain": name })).await.expect(400);
        assert_eq!(
            (answer.code().as_str(), answer.violations()),
            ("VALIDATION_ERROR", vec!["domain".to_owned()]),
            "{name}"
        );
    }
    for body in [json!({}), json!({ "domain": null }), json!({ "domain": 1 })] {
        assert_eq!(server.post("/domains", &token, body).await.expect(400).violations(), ["domain"]);
    }
    let create = "mutation { createDomain(input: { domain: \"co.uk\" }) { id } }";
    let answer = server.graphql(&token, create, json!({})).await;
    assert_eq!(answer["errors"][0]["extensions"]["validationErrors"][0]["path"], "domain", "{answer}");
    add(&server, &token, "notsho.rt").await;
}

#[on_each_database]
async fn a_plan_allows_so_many_domains_and_a_conflict_comes_first(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let racing: Vec<_> = (0..16)
        .map(|n| {
            let (http, token) = (server.http.clone(), alice.clone());
            tokio::spawn(
                async move { http.post("/domains", &token, json!({ "domain": format!("d{n}.example") })).await },
            )
        })
        .collect();
    let mut statuses = Vec::new();
    for answer in racing {
        statuses.push(answer.await.unwrap().status.as_u16());
    }
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (201, &[403; 15][..]));
    let mine = server.get("/domains", &alice).await.json()["data"][0].clone();
    let again = server.post("/domains", &alice, json!({ "domain": mine["domain"] })).await.expect(409);
    assert_eq!(again.json()["error"]["details"], json!({ "path": "domain" }));
    let more = server.post("/domains", &alice, json!({ "domain": "more.example" })).await.expect(403);
    assert_eq!(more.code(), "PLAN_LIMIT_REACHED");
    assert_eq!(more.json()["error"]["details"], json!({ "limit": 1, "used": 1, "resource": "domains" }));
    // A domain that is not verified belongs to nobody.
    add(&server, &bob, mine["domain"].as_str().unwrap()).await;
    delete(&server, &alice, &mine).await;
    add(&server, &alice, "more.example").await;
}

#[on_each_database]
async fn a_domain_is_active_once_dns_proves_it_and_leads_here(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start(&database, &dns).await;
    let token = server.register("alice").await;
    let domain = add(&server, &token, NAME).await;
    let proof = format!("_linkgraph.{NAME}");
    let status = async || verify(&server, &token, &domain).await["status"].clone();
    let body = json!({ "destinationUrl": "https://example.org/", "domain": NAME });
    assert_eq!(status().await, "PENDING", "nothing is set");
    dns.set(TXT, &proof, &["linkgraph-00000000000000000000000000000000", &text(&domain)[1..]]);
    dns.set(CNAME, NAME, &["sho.rt"]);
    assert_eq!(status().await, "PENDING", "the value is wrong");
    dns.set(TXT, NAME, &[text(&domain)]);
    assert_eq!(status().await, "PENDING", "the name is wrong");
    dns.set(TXT, &proof, &[text(&domain)]);
    dns.set(CNAME, NAME, &["elsewhere.example"]);
    let seen = verify(&server, &token, &domain).await;
    assert_eq!((seen["status"].as_str(), &seen["dnsRecords"][0]["isSet"]), (Some("PENDING"), &json!(true)));
    assert_eq!(
        (&seen["dnsRecords"][1]["isSet"], &seen["dnsRecords"][1]["found"]),
        (&json!(false), &json!(["elsewhere.example"]))
    );
    server.at_host(NAME, "/a").await.expect(404);
    assert_eq!(
        server.post("/links", &token, body.clone()).await.expect(404).json()["error"]["details"]["path"],
        "domain"
    );
    assert_eq!(database.events("domain.activated").await, 0);

    // A text may come in several strings, beside others.
    let (first, second) = text(&domain).split_at(20);
    dns.set(TXT, &proof, &["v=spf1 -all", &format!("{first}\n{second}")]);
    dns.set(CNAME, NAME, &["sho.rt"]);
    let active = verify(&server, &token, &domain).await;
    assert_eq!(active["status"], "ACTIVE");
    assert!(active["activatedAt"].is_string() && active["failingSince"].is_null());
    assert_eq!(active, get(&server, &token, &domain).await);
    server.post("/links", &token, body).await.expect(201);
    link(&server, &token, NAME, "a").await;
    assert_eq!(server.at_host(NAME, "/a").await.expect(302).header("location"), "https://example.org/a");
    assert_eq!(status().await, "ACTIVE", "again changes nothing");
    assert_eq!(database.events("domain.activated").await, 1);

    // Deleted, the domain serves nothing in the very next redirect; had again, it serves its old links.
    delete(&server, &token, &domain).await;
    server.at_host(NAME, "/a").await.expect(404);
    let domain = add(&server, &token, NAME).await;
    server.at_host(NAME, "/a").await.expect(404);
    prove(&dns, NAME, &[&domain]);
    assert_eq!(verify(&server, &token, &domain).await["status"], "ACTIVE");
    server.at_host(NAME, "/a").await.expect(302);
}

#[on_each_database]
async fn an_apex_leads_here_by_its_addresses(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start(&database, &dns).await;
    let token = server.register("alice").await;
    dns.set(A, "sho.rt", &["192.0.2.1", "192.0.2.2"]);
    dns.set(AAAA, "sho.rt", &["2001:db8::1"]);
    let domain = add(&server, &token, "example.com").await;
    dns.set(TXT, "_linkgraph.example.com", &[text(&domain)]);
    dns.set(A, "example.com", &["192.0.2.1", "203.0.113.9"]);
    let seen = verify(&server, &token, &domain).await;
    assert_eq!(seen["status"], "PENDING", "one address leads elsewhere");
    let kinds: Vec<&str> =
        seen["dnsRecords"].as_array().unwrap().iter().map(|record| record["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["TXT", "CNAME", "A", "A", "AAAA"]);
    let record = seen["dnsRecords"].as_array().unwrap().iter().find(|record| record["value"] == "192.0.2.1").unwrap();
    assert_eq!((&record["isSet"], &record["found"]), (&json!(true), &json!(["192.0.2.1", "203.0.113.9"])));
    assert!(record["problem"].is_string(), "{record}");
    dns.set(A, "example.com", &["192.0.2.2"]);
    assert_eq!(verify(&server, &token, &domain).await["status"], "ACTIVE");
    // The alias of another name below us is no proof of routing, and without a token nothing is.
    let other = add(&server, &token, "other.example").await;
    dns.set(CNAME, "other.example", &["not-sho.rt"]);
    dns.set(TXT, "_linkgraph.other.example", &[text(&other)]);
    assert_eq!(verify(&server, &token, &other).await["status"], "PENDING");
}

#[on_each_database]
async fn behind_an_address_there_is_no_alias(database: TestDatabase) {
    let dns = TestDns::start().await;
    let settings = [("LINKGRAPH_DNS_SERVER", &*dns.setting()), ("LINKGRAPH_BASE_URL", "http://192.0.2.7:8080")];
    let server = database.start_with(&settings).await;
    let token = server.register("alice").await;
    let domain = add(&server, &token, NAME).await;
    assert_eq!(
        (&domain["dnsRecords"][1]["type"], &domain["dnsRecords"][1]["value"]),
        (&json!("A"), &json!("192.0.2.7"))
    );
    dns.set(TXT, &format!("_linkgraph.{NAME}"), &[text(&domain)]);
    dns.set(A, NAME, &["192.0.2.7"]);
    assert_eq!(verify(&server, &token, &domain).await["status"], "ACTIVE");
}

#[on_each_database]
async fn a_job_checks_until_the_domain_is_proved_and_gone(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start(&database, &dns).await;
    let token = server.register("alice").await;
    let domain = add(&server, &token, NAME).await;
    let jobs = async || database.jobs("check_domain").await;
    let since = advance(&server, 10 * MINUTE);
    assert_eq!(checked(&server, &token, &domain, &since).await["status"], "PENDING");
    prove(&dns, NAME, &[&domain]);
    let since = advance(&server, HOUR);
    assert_eq!(checked(&server, &token, &domain, &since).await["status"], "ACTIVE");
    assert_eq!(jobs().await, 1);
    delete(&server, &token, &domain).await;
    server.clock.advance(DAY);
    eventually("the job ends", async || (jobs().await == 0).then_some(())).await;
}

/// Every day a job checks; after 14 days nothing is served, until a check is good again.
#[on_each_database]
async fn a_failing_domain_is_served_for_fourteen_days(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start(&database, &dns).await;
    let token = server.register("alice").await;
    let domain = add(&server, &token, NAME).await;
    prove(&dns, NAME, &[&domain]);
    let active = verify(&server, &token, &domain).await;
    link(&server, &token, NAME, "a").await;
    dns.set(CNAME, NAME, &[]);
    // The token of the user is older than a day by now.
    let since = advance(&server, DAY);
    let token = server.login("alice").await;
    let failing = checked(&server, &token, &domain, &since).await;
    assert_eq!((&failing["status"], &failing["activatedAt"]), (&json!("FAILING"), &active["activatedAt"]));
    assert!(failing["failingSince"].is_string());
    assert_eq!(database.events("domain.failing").await, 1);
    server.clock.advance(14 * DAY - HOUR);
    let token = server.login("alice").await;
    assert_eq!(verify(&server, &token, &domain).await["status"], "FAILING");
    server.at_host(NAME, "/a").await.expect(302);
    server.clock.advance(HOUR);
    assert_eq!(verify(&server, &token, &domain).await["status"], "SUSPENDED");
    server.at_host(NAME, "/a").await.expect(404);
    assert_eq!(database.events("domain.failing").await, 2);
    assert_eq!(database.number("SELECT count(*) FROM hosts").await, 0);
    prove(&dns, NAME, &[&domain]);
    let again = verify(&server, &token, &domain).await;
    assert_eq!((&again["status"], &again["failingSince"]), (&json!("ACTIVE"), &Json::Null));
    server.at_host(NAME, "/a").await.expect(302);
}

/// Servers that don't say anything change nothing for a day, but are reported.
#[on_each_database]
async fn an_unclear_check_changes_nothing_for_a_day(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start(&database, &dns).await;
    let token = server.register("alice").await;
    let domain = add(&server, &token, NAME).await;
    prove(&dns, NAME, &[&domain]);
    verify(&server, &token, &domain).await;
    let proof = format!("_linkgraph.{NAME}");
    dns.fail(TXT, &proof);
    server.clock.advance(DAY - HOUR);
    let failed = verify(&server, &token, &domain).await;
    assert_eq!(failed["status"], "ACTIVE");
    let record = &failed["dnsRecords"][0];
    assert!(record["isSet"].is_null() && record["problem"].as_str().unwrap().contains("SERVFAIL"), "{record}");
    dns.silence(TXT, &proof);
    let silent = verify(&server, &token, &domain).await;
    assert_eq!(silent["status"], "ACTIVE");
    assert_eq!(silent["dnsRecords"][0]["problem"], "DNS servers did not answer in time.");
    dns.fail(TXT, &proof);
    server.clock.advance(HOUR);
    // The clock has gone on a little since the last conclusive check.
    let token = server.login("alice").await;
    assert_eq!(verify(&server, &token, &domain).await["status"], "FAILING");
    prove(&dns, NAME, &[&domain]);
    assert_eq!(verify(&server, &token, &domain).await["status"], "ACTIVE");
}
