//! The operator's commands beside a running service, and what callers and visitors see of them.

use std::time::Instant;

use linkgraph::base::clock::MINUTE;
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, eventually,
        mail::{mails, reset_token},
        process::{TestProcess, binary, line, operate},
        receiver::{Behaviour, Receiver, id},
        soon,
    },
};

/// The one line that a command prints when it fails.
async fn refusal(database: &TestDatabase, arguments: &[&str]) -> String {
    let (code, line) = line(database, &[], arguments).await;
    assert_eq!(code, Some(1), "{line}");
    line
}

/// Waits until a link answers so, and checks that it was soon.
async fn answers(http: &Http, slug: &str, status: u16) -> Answer {
    let since = Instant::now();
    let answer = eventually(&format!("{slug} answers {status}"), async || {
        let answer = http.follow(slug).await;
        (answer.status == status).then_some(answer)
    })
    .await;
    assert!(since.elapsed() <= soon(), "{:?}", since.elapsed());
    answer
}

fn actions(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Clicks that the service has logged.
async fn logged_clicks(http: &Http) -> u64 {
    http.metric("linkgraph_clicks_logged_total").await.unwrap()
}

async fn count(database: &TestDatabase, table: &str) -> i64 {
    database.number(&format!("SELECT count(*) FROM {table}")).await
}

#[on_each_database]
async fn a_suspended_account_is_refused_and_its_links_answer_410(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let key = server.api_key(&alice, &["links:read"]).await;
    server.link(&alice, "hers").await;
    server.link(&bob, "his").await;
    for slug in ["hers", "his"] {
        server.follow(slug).await.expect(302);
    }
    let body = json!({ "email": "alice@example.com" });
    server.post("/auth/forgot-password", "", body.clone()).await.expect(200);
    let reset = reset_token(&database, 1).await;
    let mut sockets = [server.socket(&alice).await, server.socket(&key).await];

    let said = operate(&database, &["accounts", "suspend", "Alice@example.com", "--reason", "phishing"]).await;
    assert_eq!(said, "Alice@example.com is suspended: 1 links answer 410 within a second\n");
    let since = Instant::now();
    let gone = answers(&server, "hers", 410).await;
    for socket in &mut sockets {
        assert_eq!(socket.hear().await, json!({ "closed": 4403 }));
    }
    assert!(since.elapsed() <= soon(), "{:?}", since.elapsed());
    assert!(gone.text.contains("This link has been disabled.") && !gone.text.contains("example.com"), "{gone:?}");
    assert_eq!((gone.header("content-type"), gone.header("location")), ("text/html; charset=utf-8", ""));
    assert_eq!(gone.header("cache-control"), "no-store");
    let head = server.send(server.request(Method::HEAD, "/hers")).await.expect(410);
    assert_eq!(head.text, "");
    for (path, credential) in [("/links", &alice), ("/me", &alice), ("/api/v1/links", &key)] {
        assert_eq!(server.get(path, credential).await.expect(401).code(), "UNAUTHENTICATED", "{path}");
    }
    let refused = server.graphql(&alice, "{ links { total } }", Json::Null).await;
    assert_eq!(refused["errors"][0]["extensions"]["code"], "UNAUTHENTICATED");

    let login = async |password: &str| {
        server.post("/auth/login", "", json!({ "email": "alice@example.com", "password": password })).await
    };
    let told = login("alice's password").await.expect(403);
    assert_eq!(
        (told.code(), &told.json()["error"]["message"]),
        ("FORBIDDEN".into(), &json!("This account is suspended."))
    );
    assert_eq!(told.json()["error"]["details"], json!({ "reason": "ACCOUNT_SUSPENDED" }));
    assert_eq!(login("wrong password").await.expect(401).code(), "INVALID_CREDENTIALS");
    let again = json!({ "email": "alice@example.com", "password": "another password", "name": "Alice" });
    server.post("/auth/register", "", again).await.expect(409);
    server.post("/auth/forgot-password", "", body).await.expect(200);
    eventually("the job is done", async || (database.jobs("password_reset_mail").await == 0).then_some(())).await;
    assert_eq!(mails(&database).len(), 1);
    let new = json!({ "token": reset, "password": "another password" });
    assert_eq!(server.post("/auth/reset-password", "", new.clone()).await.expect(403).code(), "FORBIDDEN");

    // Nobody else is concerned, and nothing is gone, or counted.
    let clicks = logged_clicks(&server).await;
    server.follow("hers").await.expect(410);
    server.follow("his").await.expect(302);
    assert_eq!(logged_clicks(&server).await, clicks + 1);
    server.get("/links", &bob).await.expect(200);
    let stored = async |table: &str| count(&database, table).await;
    assert_eq!((stored("links").await, stored("users").await, stored("api_keys").await), (2, 2, 1));
    let said = operate(&database, &["accounts", "suspend", "alice@example.com"]).await;
    assert!(said.starts_with("alice@example.com is suspended since 20"), "{said}");

    operate(&database, &["accounts", "restore", "alice@example.com", "--reason", "a mistake"]).await;
    assert_eq!(answers(&server, "hers", 302).await.header("location"), "https://example.com/hers");
    for (path, credential) in [("/links", &alice), ("/me", &alice), ("/api/v1/links", &key)] {
        server.get(path, credential).await.expect(200);
    }
    login("alice's password").await.expect(200);
    server.post("/auth/reset-password", "", new).await.expect(200);
    let said = operate(&database, &["accounts", "restore", "alice@example.com"]).await;
    assert_eq!(said, "alice@example.com is not suspended\n");
    assert_eq!(
        refusal(&database, &["accounts", "suspend", "nobody@example.com"]).await,
        "linkgraph: there is no account of nobody@example.com\n"
    );

    let done = actions(&operate(&database, &["actions", "--json"]).await);
    let what: Vec<_> = done.iter().map(|done| (done["action"].as_str().unwrap(), done["reason"].as_str())).collect();
    assert_eq!(what, [("account.restore", Some("a mistake")), ("account.suspend", Some("phishing"))]);
    for action in &done {
        assert_eq!((&action["email"], &action["target"]), (&json!("alice@example.com"), &Json::Null));
        assert!(!action["actor"].as_str().unwrap().is_empty() && action["at"].as_str().unwrap().ends_with('Z'));
    }
    let listed = operate(&database, &["actions"]).await;
    assert!(listed.contains("account.suspend  alice@example.com  \"phishing\""), "{listed}");
}

#[on_each_database]
async fn a_blocked_link_answers_410_whatever_its_owner_does(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let path = format!("/links/{}", id(&server.link(&alice, "bad").await));
    assert_eq!(server.get(&path, &alice).await.json()["blockedAt"], Json::Null);
    let beside = server.link(&alice, "beside").await;
    server.follow("bad").await.expect(302);
    let block = ["links", "block", "http://sho.rt/bad?utm_source=mail", "--reason", "malware"];
    assert_eq!(operate(&database, &block).await, "http://sho.rt/bad is blocked: it answers 410 within a second\n");
    answers(&server, "bad", 410).await;
    server.follow("beside").await.expect(302);
    assert_eq!(operate(&database, &block).await, "http://sho.rt/bad is blocked already\n");

    let shown = server.get(&path, &alice).await.expect(200).json();
    assert!(shown["blockedAt"].as_str().unwrap().ends_with('Z') && shown["isActive"] == true, "{shown}");
    let graphql = server.graphql(&alice, "{ links { data { slug blockedAt } } }", Json::Null).await;
    assert_eq!(graphql["data"]["links"]["data"][1], json!({ "slug": "bad", "blockedAt": shown["blockedAt"] }));
    // The link stays blocked whatever is changed, and its address is nobody else's.
    let change = json!({ "destinationUrl": "https://example.org/", "isActive": true });
    server.call("PATCH", &path, &alice, change).await.expect(200);
    server.follow("bad").await.expect(410);
    // The clicks of before are still being counted.
    let stored = async || {
        let mut link = server.get(&path, &alice).await.json();
        link.as_object_mut().unwrap().retain(|name, _| !matches!(name.as_str(), "clickCount" | "lastClickedAt"));
        link
    };
    let before = stored().await;
    for (path, change) in [
        (&path, json!({ "slug": "moved", "destinationUrl": "https://example.net/" })),
        (&format!("/links/{}", id(&beside)), json!({ "slug": "bad" })),
    ] {
        let refused = server.call("PATCH", path, &alice, change).await.expect(409);
        assert_eq!(refused.json()["error"]["details"]["path"], "slug");
    }
    assert_eq!(stored().await, before);
    server.follow("moved").await.expect(404);
    server.call("DELETE", &path, &alice, Json::Null).await.expect(204);
    let anew = json!({ "destinationUrl": "https://example.com/", "slug": "bad" });
    for token in [&alice, &bob] {
        assert_eq!(server.post("/links", token, anew.clone()).await.expect(409).code(), "CONFLICT");
    }
    assert_eq!(count(&database, "links").await, 1);
    server.follow("bad").await.expect(404);

    assert_eq!(operate(&database, &["links", "unblock", "sho.rt/bad"]).await, "sho.rt/bad is blocked no more\n");
    let created = async || (server.post("/links", &bob, anew.clone()).await.status == 201).then_some(());
    eventually("the address is free", created).await;
    server.follow("bad").await.expect(302);
    assert_eq!(operate(&database, &["links", "unblock", "sho.rt/bad"]).await, "sho.rt/bad is not blocked\n");
    let none = refusal(&database, &["links", "block", "sho.rt/none", "--reason", "?"]).await;
    assert_eq!(none, "linkgraph: there is no link sho.rt/none\n");
    let wrong = refusal(&database, &["links", "block", "https://sho.rt/a/b", "--reason", "?"]).await;
    assert!(wrong.contains("is no short URL, such as http://sho.rt/spring"), "{wrong}");
    let unexplained = binary(&database, &[], &["links", "block", "sho.rt/bad"]).await;
    assert_eq!(unexplained.status.code(), Some(2));
    let done = actions(&operate(&database, &["actions", "--json"]).await);
    let what: Vec<_> = done.iter().map(|done| (done["action"].as_str().unwrap(), done["target"].as_str())).collect();
    assert_eq!(what, [("link.unblock", Some("sho.rt/bad")), ("link.block", Some("http://sho.rt/bad"))]);
    assert_eq!(done[1]["email"], "alice@example.com");
}

#[on_each_database]
async fn a_link_on_an_own_host_is_blocked_there_alone(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    server.post("/subdomain", &token, json!({ "subdomain": "ada" })).await.expect(201);
    server.post("/subdomain/activate", &token, Json::Null).await.expect(200);
    let body = json!({ "destinationUrl": "https://example.com/", "slug": "a", "domain": "ada.sho.rt" });
    server.post("/links", &token, body.clone()).await.expect(201);
    server.link(&token, "a").await;
    let at_host = async || server.at_host("ada.sho.rt", "/a").await.status.as_u16();
    assert_eq!(at_host().await, 302);
    operate(&database, &["links", "block", "http://ADA.sho.rt/a", "--reason", "spam"]).await;
    eventually("it is blocked", async || (at_host().await == 410).then_some(())).await;
    server.follow("a").await.expect(302);
    // A deleted one is not made anew there.
    let links = server.get("/links?search=a", &token).await.json()["data"].as_array().unwrap().clone();
    let blocked: Vec<_> = links.iter().filter(|link| !link["blockedAt"].is_null()).collect();
    assert_eq!((blocked.len(), &blocked[0]["domain"]), (1, &json!("ada.sho.rt")));
    server.call("DELETE", &format!("/links/{}", id(blocked[0])), &token, Json::Null).await.expect(204);
    server.post("/links", &token, body).await.expect(409);
    operate(&database, &["links", "unblock", "http://ada.sho.rt/a"]).await;
}

#[on_each_database]
async fn links_that_lead_to_a_host_by_rules_or_a_split_are_blocked_too(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let put = async |link: &Json, what: &str, body: Json| {
        server.call("PUT", &format!("/links/{}/{what}", id(link)), &token, body).await
    };
    let rules = |host: &str| {
        let rule = json!({ "conditions": [{ "kind": "IS_BOT" }], "destinationUrl": format!("https://{host}/x") });
        json!({ "rules": [rule] })
    };
    let [ruled, split, former, fine] = ["ruled", "split", "former", "fine"];
    let mut links = Vec::new();
    for slug in [ruled, split, former, fine] {
        links.push(server.link(&token, slug).await);
    }
    put(&links[0], "rules", rules("a.evil.example")).await.expect(200);
    let part = |url: &str| json!({ "destinationUrl": url, "weight": 1 });
    let parts = json!({ "parts": [part("https://evil.example/"), part("https://example.com/")] });
    put(&links[1], "split", parts).await.expect(200);
    put(&links[2], "rules", rules("evil.example")).await.expect(200);
    put(&links[2], "rules", json!({ "rules": [] })).await.expect(200);
    put(&links[3], "rules", rules("notevil.example")).await.expect(200);

    let said = operate(&database, &["destinations", "block", "evil.example", "--links", "--reason", "phishing"]).await;
    assert!(said.contains("2 links lead there; 2 of them are blocked now"), "{said}");
    for (slug, status) in [(ruled, 410), (split, 410), (former, 302), (fine, 302)] {
        answers(&server, slug, status).await;
    }
    let refused = eventually("it is refused", async || {
        let answer = put(&links[3], "rules", rules("b.evil.example")).await;
        (answer.status == 400).then_some(answer)
    })
    .await;
    assert_eq!(refused.violations(), ["rules.0.destinationUrl"]);
}

#[on_each_database]
async fn a_blocked_host_can_be_no_destination(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let to = |host: &str| json!({ "destinationUrl": format!("https://{host}/x") });
    let create = async |host: &str| server.post("/links", &token, to(host)).await;
    let old = create("a.evil.example").await.expect(201).json();
    let fine = create("notevil.example").await.expect(201).json();
    // Where a link leads after its end counts too.
    let after =
        json!({ "destinationUrl": "https://example.com/", "expiredUrl": "https://evil.example/x", "maxClicks": 9 });
    server.post("/links", &token, after).await.expect(201);
    let slug = old["slug"].as_str().unwrap();
    let said =
        operate(&database, &["destinations", "block", "https://EVIL.example/path", "--reason", "phishing"]).await;
    assert_eq!(said, "evil.example is blocked: no new link leads there\n2 links lead there; --links blocks them\n");
    // A wrong domain as well: nothing is created meanwhile.
    let wrong = json!({ "destinationUrl": "https://evil.example/", "domain": "nowhere.example" });
    eventually("it is refused", async || {
        (server.post("/links", &token, wrong.clone()).await.status == 400).then_some(())
    })
    .await;
    let links = count(&database, "links").await;
    for host in ["evil.example", "EVIL.example.", "evil.example:8443", "b.a.evil.example"] {
        assert_eq!(create(host).await.expect(400).violations(), ["destinationUrl"], "{host}");
    }
    let after = json!({ "expiredUrl": "https://evil.example/" });
    let answer = server.call("PATCH", &format!("/links/{}", id(&fine)), &token, after).await.expect(400);
    assert_eq!(answer.violations(), ["expiredUrl"]);
    let bulk = json!({ "links": [to("evil.example"), to("evil.example.org")] });
    let results = server.post("/links/bulk", &token, bulk).await.expect(200).json()["results"].clone();
    assert_eq!(results[0]["error"]["code"], "VALIDATION_ERROR");
    let why = results[0]["error"]["validationErrors"][0]["message"].as_str().unwrap();
    assert_eq!(why, "leads to a host that the operator of the service has blocked");
    assert!(results[1]["error"].is_null(), "{results}");
    let path = format!("/links/{}", id(&fine));
    let answer = server.call("PATCH", &path, &token, to("evil.example")).await.expect(400);
    assert_eq!(answer.violations(), ["destinationUrl"]);
    assert_eq!(server.get(&path, &token).await.json()["destinationUrl"], "https://notevil.example/x");
    assert_eq!(count(&database, "links").await, links + 1);
    // A link that led there before goes on, until it is blocked too.
    server.follow(slug).await.expect(302);
    let said = operate(&database, &["destinations", "block", "evil.example", "--links"]).await;
    let expected = "evil.example is blocked already\n2 links lead there; 2 of them are blocked now, the others were\n";
    assert_eq!(said, expected);
    answers(&server, slug, 410).await;
    server.follow(fine["slug"].as_str().unwrap()).await.expect(302);

    let listed = operate(&database, &["destinations", "list", "--json"]).await;
    let listed: serde_json::Value = serde_json::from_str(listed.trim()).unwrap();
    assert_eq!(listed["host"], "evil.example", "{listed}");
    assert!(listed["blockedAt"].as_str().is_some_and(|at| at.ends_with('Z')), "{listed}");
    let listed = operate(&database, &["destinations", "list"]).await;
    assert!(listed.ends_with("Z  evil.example\n") && listed.lines().count() == 1, "{listed}");
    let said = operate(&database, &["destinations", "unblock", "evil.example"]).await;
    assert_eq!(said, "evil.example is blocked no more\n");
    eventually("it is allowed", async || (create("evil.example").await.status == 201).then_some(())).await;
    server.follow(slug).await.expect(410);
    assert_eq!(operate(&database, &["destinations", "unblock", "evil.example"]).await, "evil.example is not blocked\n");
    let wrong = refusal(&database, &["destinations", "block", "evil example"]).await;
    assert_eq!(wrong, "linkgraph: evil example is no host, such as example.com\n");
}

/// Restrictions are in force from the first request on.
#[on_each_database]
async fn a_service_that_starts_knows_what_is_forbidden(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    server.link(&alice, "hers").await;
    server.link(&bob, "his").await;
    server.stop().await;
    operate(&database, &["accounts", "suspend", "alice@example.com"]).await;
    operate(&database, &["links", "block", "sho.rt/his", "--reason", "spam"]).await;
    operate(&database, &["destinations", "block", "evil.example"]).await;
    let server = database.start().await;
    server.follow("hers").await.expect(410);
    server.follow("his").await.expect(410);
    server.get("/links", &alice).await.expect(401);
    let evil = json!({ "destinationUrl": "https://evil.example/" });
    server.post("/links", &bob, evil).await.expect(400);
}

#[on_each_database]
async fn what_a_suspended_accounts_webhooks_are_sent_waits(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")]).await;
    let receiver = Receiver::start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    for (token, path) in [(&alice, "/hers"), (&bob, "/his")] {
        server.webhook(token, &receiver.url(path), &["link.created"]).await;
    }
    receiver.set("/hers", Behaviour::Status(500));
    server.link(&alice, "hers").await;
    receiver.wait("/hers", 1).await;
    operate(&database, &["accounts", "suspend", "alice@example.com"]).await;
    database.settled().await;
    let attempts = receiver.arrived("/hers").len();
    receiver.set("/hers", Behaviour::Status(200));
    // The next attempt is due.
    server.clock.advance(10 * MINUTE);
    server.link(&bob, "his").await;
    receiver.wait("/his", 1).await;
    assert_eq!(receiver.arrived("/hers").len(), attempts);
    operate(&database, &["accounts", "restore", "alice@example.com"]).await;
    receiver.wait("/hers", attempts + 1).await;
}

#[on_each_database]
async fn registration_can_be_closed(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_REGISTRATION", "closed")]).await;
    let body = |name: &str| json!({ "email": format!("{name}@example.com"), "password": "long enough", "name": name });
    // One of several who come to an empty service gets in.
    let coming: Vec<_> = (0..6)
        .map(|number| {
            let (http, body) = (server.http.clone(), body(&format!("user{number}")));
            tokio::spawn(async move { http.post("/auth/register", "", body).await })
        })
        .collect();
    let mut statuses = Vec::new();
    for answer in coming {
        statuses.push(answer.await.unwrap().status.as_u16());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 403, 403, 403, 403, 403]);
    let refused = server.post("/auth/register", "", body("bob")).await.expect(403);
    assert_eq!(
        (refused.code(), &refused.json()["error"]["message"]),
        ("FORBIDDEN".into(), &json!("Registration is closed."))
    );
    assert_eq!(refused.json()["error"]["details"], json!({ "reason": "REGISTRATION_CLOSED" }));
    let mutation = "mutation($input: RegisterInput!) { register(input: $input) { accessToken } }";
    let refused = server.graphql("", mutation, json!({ "input": body("bob") })).await;
    assert_eq!(refused["errors"][0]["extensions"]["code"], "FORBIDDEN");
    assert_eq!((count(&database, "users").await, count(&database, "accounts").await), (1, 1));

    let said =
        operate(&database, &["accounts", "create", "Ada@example.com", "--name", "Ada", "--reason", "asked by mail"])
            .await;
    let (first, second) = said.trim_end().split_once('\n').unwrap();
    assert_eq!(first, "ada@example.com has an account now");
    let password = second.strip_prefix("password, shown this once: ").unwrap();
    let body = json!({ "email": "ada@example.com", "password": password });
    let token = server.post("/auth/login", "", body).await.expect(200).json()["accessToken"].clone();
    let me = server.get("/me", token.as_str().unwrap()).await.expect(200).json();
    assert_eq!(me["name"], "Ada");
    let taken = refusal(&database, &["accounts", "create", "ada@example.com"]).await;
    assert_eq!(taken, "linkgraph: The e-mail address is taken.\n");
    let wrong = refusal(&database, &["accounts", "create", "nobody", "--name", ""]).await;
    assert!(wrong.starts_with("linkgraph: email: must be an e-mail address; name: "), "{wrong}");
    assert_eq!(count(&database, "accounts").await, 2);
    // The password is nowhere, as it was not for the one who registered.
    let done = operate(&database, &["actions", "--json"]).await;
    assert!(done.contains("account.create") && done.contains("asked by mail") && !done.contains(password), "{done}");
}

#[on_each_database]
async fn accounts_are_listed(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.register("bob").await;
    server.link(&token, "a").await;
    operate(&database, &["accounts", "suspend", "bob@example.com"]).await;
    let lines = actions(&operate(&database, &["accounts", "list", "--json"]).await);
    let shown: Vec<_> = lines.iter().map(|it| (it["email"].as_str().unwrap(), &it["links"], &it["plan"])).collect();
    assert_eq!(
        shown,
        [("alice@example.com", &json!(1), &json!("free")), ("bob@example.com", &json!(0), &json!("free"))]
    );
    assert!(lines[0]["suspendedAt"].is_null() && lines[1]["suspendedAt"].is_string(), "{lines:?}");
    let text = operate(&database, &["accounts", "list"]).await;
    let rows: Vec<_> = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
    assert_eq!(rows[0], ["E-MAIL", "NAME", "PLAN", "LINKS", "CREATED", "STATE"]);
    assert_eq!((&rows[1][..4], rows[1][5]), (&["alice@example.com", "alice", "free", "1"][..], "active"));
    assert_eq!((rows[2][0], &rows[2][5..7]), ("bob@example.com", &["suspended", "since"][..]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_public_service_says_so_at_each_start() {
    for (settings, is_named) in [
        (&[("LINKGRAPH_BASE_URL", "https://sho.rt")][..], true),
        (&[("LINKGRAPH_BASE_URL", "https://sho.rt"), ("LINKGRAPH_REGISTRATION", "closed")], false),
        (&[("LINKGRAPH_BASE_URL", "http://localhost:8080")], false),
    ] {
        let database = TestDatabase::sqlite();
        let service = TestProcess::start(&database, settings).await;
        let log = service.log.lock().unwrap().clone();
        assert_eq!(log.contains("LINKGRAPH_REGISTRATION=closed"), is_named, "{log}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_is_taken_from_standard_input_and_a_wrong_directory_is_named() {
    let database = TestDatabase::empty_sqlite();
    let none = refusal(&database, &["accounts", "list"]).await;
    assert!(none.contains("DATABASE_URL: there is no database at ") && none.contains("linkgraph.db"), "{none}");
    assert!(!database.folder.join("linkgraph.db").exists());
    let mut command = crate::support::process::command(&database.settings(&[]));
    command.args(["accounts", "create", "ada@example.com", "--password-stdin"]).stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"correct horse battery\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "ada@example.com has an account now\n");
    let server = database.start().await;
    let body = json!({ "email": "ada@example.com", "password": "correct horse battery" });
    server.post("/auth/login", "", body).await.expect(200);
    server.stop().await;
}
