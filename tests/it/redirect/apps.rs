//! Links into apps: phones open the app, others the destination; apps ask where links lead; hosts say which apps open their links.

use linkgraph::base::clock::{HOUR, rfc3339};
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, BROWSER, Http, TestDatabase, TestServer,
        dns::TestDns,
        domains::{NAME, add, hosts, prove, start_with_subdomains, verify},
        node,
        receiver::id,
    },
};

const THERE: &str = "https://hidden.example/there?a=1";
const STORE: &str = "https://apps.apple.com/app/id1234567890";
const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
const ANDROID: &str = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Mobile Safari/537.36";
/// The browser inside an app, which leaves URIs of other apps to it.
const IN_APP: &str = "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/470.0.0.40.108;]";
const OTHERS: [&str; 4] =
    [BROWSER, "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "curl/8.5.0", ""];

async fn ask(http: &Http, method: Method, (host, user_agent): (&str, &str), path: &str) -> Answer {
    http.send(http.request(method, path).header("host", host).header("user-agent", user_agent)).await
}

fn app() -> Json {
    json!({
        "iosUri": "acme://offers/42?a=\"b\"&c=d", "iosStoreUrl": STORE, "androidUri": "acme://offers/42",
        "androidPackage": "com.example.app", "data": "{\"offer\": 42}",
    })
}

/// Creates a link that opens the app, over REST or GraphQL.
async fn link(server: &Http, token: &str, through_graphql: bool, slug: &str, host: &str, more: Json) -> Json {
    let mut input = json!({ "destinationUrl": THERE, "slug": slug, "domain": host, "app": app() });
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    if !through_graphql {
        return server.post("/links", token, input).await.expect(201).json();
    }
    let query = "mutation($input: CreateLinkInput!) { createLink(input: $input) { id shortUrl app { iosUri iosStoreUrl androidUri androidPackage data } } }";
    server.graphql(token, query, json!({ "input": input })).await["data"]["createLink"].clone()
}

#[on_each_database]
async fn phones_open_the_app_and_others_the_destination(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    for (number, host) in hosts(&server, &token, &dns).await.iter().enumerate() {
        let made = link(&server, &token, number > 0, "offer", host, json!({})).await;
        let mut shown = app();
        shown["iosUri"] = json!("acme://offers/42?a=\"b\"&c=d");
        assert_eq!(made["app"], shown);
        let page = ask(&server, Method::GET, (host, IPHONE), "/offer").await.expect(200);
        for part in [
            r#"<a class="button" href="acme://offers/42?a=&quot;b&quot;&amp;c=d">"#,
            &format!(r#"<a href="{STORE}">"#),
            &format!(r#"<a href="{THERE}">"#),
            "Open in the app",
        ] {
            assert!(page.text.contains(part), "no {part} in {}", page.text);
        }
        assert_eq!((page.header("cache-control"), page.header("x-robots-tag")), ("no-store", "noindex"));
        assert!(page.header("content-security-policy").starts_with("default-src 'none'"), "{page:?}");
        let intent = ask(&server, Method::GET, (host, ANDROID), "/offer").await.expect(302);
        let location = intent.header("location").to_owned();
        assert!(location.starts_with("intent://offers/42#Intent;scheme=acme;package=com.example.app;"), "{location}");
        assert!(location.contains("play.google.com") && location.ends_with(";end"), "{location}");
        assert_eq!(intent.header("cache-control"), "private, no-store");
        let page = ask(&server, Method::GET, (host, IN_APP), "/offer").await.expect(200);
        assert!(page.text.contains(&format!(r#"<a class="button" href="{location}">"#)), "{}", page.text);
        for user_agent in OTHERS {
            let there = ask(&server, Method::GET, (host, user_agent), "/offer").await.expect(302);
            assert_eq!(there.header("location"), THERE, "{user_agent}");
        }
        // What is explained is what is answered.
        let path = format!("/links/{}/explain", id(&made));
        for (user_agent, answer) in [(IPHONE, "APP"), (ANDROID, "APP"), (BROWSER, "REDIRECT")] {
            let explained = server.post(&path, &token, json!({ "userAgent": user_agent })).await.expect(200).json();
            assert_eq!((&explained["answer"], &explained["finalUrl"]), (&json!(answer), &json!(THERE)));
        }
        // A rule that leads phones elsewhere knows better.
        let condition = json!({ "kind": "OS", "values": ["iOS"] });
        let rules = json!({ "rules": [{ "conditions": [condition], "destinationUrl": "https://example.com/ios" }] });
        server.call("PUT", &format!("/links/{}/rules", id(&made)), &token, rules).await.expect(200);
        let by_rule = ask(&server, Method::GET, (host, IPHONE), "/offer").await.expect(302);
        assert_eq!(by_rule.header("location"), "https://example.com/ios");
        ask(&server, Method::GET, (host, IN_APP), "/offer").await.expect(200);
        // A link that asks its visitors tells nothing before.
        link(&server, &token, number > 0, "vault", host, json!({ "password": "tulips" })).await;
        let asked = ask(&server, Method::GET, (host, IPHONE), "/vault").await.expect(200);
        assert!(!asked.text.contains("acme:") && !asked.text.contains("hidden.example"), "{}", asked.text);
        let form = |user_agent: &'static str| {
            let request = server.request(Method::POST, "/vault").header("host", host).header("user-agent", user_agent);
            server.send(request.header("content-type", "application/x-www-form-urlencoded").body("password=tulips"))
        };
        assert!(form(IPHONE).await.expect(200).text.contains("acme://offers/42"));
        assert!(form(ANDROID).await.expect(303).header("location").starts_with("intent:"));
        assert_eq!(form(BROWSER).await.expect(303).header("location"), THERE);
        // Without an app, the next visit follows.
        let path = format!("/links/{}", id(&made));
        let without = server.call("PATCH", &path, &token, json!({ "app": null })).await.expect(200).json();
        assert_eq!(without["app"], Json::Null);
        let there = ask(&server, Method::GET, (host, ANDROID), "/offer").await.expect(302);
        assert_eq!(there.header("location"), THERE);
    }
    database.clicks_become(3 * (3 + 4 + 2 + 3 + 1)).await;
    assert_eq!(database.clicks_where("\"trigger\" IS NOT NULL").await, 0);
}

/// A publishable key of the account for hosts.
async fn key(server: &Http, token: &str, hosts: &[&str]) -> Json {
    server.post("/apps/keys", token, json!({ "name": "Acme", "hosts": hosts })).await.expect(201).json()
}

async fn resolve(server: &Http, through_graphql: bool, input: Json) -> Result<Json, String> {
    if through_graphql {
        let query =
            "mutation($input: ResolveLinkInput!) { resolveLink(input: $input) { shortUrl destinationUrl data } }";
        let answer = server.graphql("", query, json!({ "input": input })).await;
        return match answer["errors"][0]["extensions"]["code"].as_str() {
            Some(code) => Err(code.to_owned()),
            None => Ok(answer["data"]["resolveLink"].clone()),
        };
    }
    let answer = server.post("/api/v1/resolve", "", input).await;
    match answer.status.as_u16() {
        200 => Ok(answer.json()),
        _ => Err(answer.json()["error"]["code"].as_str().unwrap().to_owned()),
    }
}

#[on_each_database]
async fn apps_are_told_where_links_lead(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let hosts = hosts(&server, &token, &dns).await;
    let all: Vec<&str> = hosts.iter().map(String::as_str).collect();
    let every = key(&server, &token, &all).await;
    assert!(every["key"].as_str().unwrap().starts_with("lgp_"), "{every}");
    let of_domain = key(&server, &token, &[NAME]).await;
    let stranger = server.register("bob").await;
    let of_stranger = key(&server, &stranger, &["sho.rt"]).await;
    let question = |key: &Json, more: Json| {
        let mut input = json!({ "publishableKey": key["key"], "userAgent": "okhttp/4.12.0" });
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        input
    };
    let mut told = 0;
    for (number, host) in hosts.iter().enumerate() {
        let made = link(&server, &token, number == 0, "offer", host, json!({ "forwardsQuery": true })).await;
        let (url, through_graphql) = (made["shortUrl"].as_str().unwrap(), number == 1);
        let play = ask(&server, Method::GET, (host, ANDROID), "/offer").await.expect(302);
        let by_play = play.header("location").split_once("link_token%253D").unwrap().1;
        let by_play = by_play.strip_suffix(";end").unwrap().to_owned();
        let expected =
            |destination: &str| json!({ "shortUrl": url, "destinationUrl": destination, "data": "{\"offer\": 42}" });
        let by_url = resolve(&server, through_graphql, question(&every, json!({ "url": format!("{url}?b=2") }))).await;
        assert_eq!(by_url, Ok(expected(&format!("{THERE}&b=2"))));
        let by_token = resolve(&server, through_graphql, question(&every, json!({ "token": by_play }))).await;
        assert_eq!(by_token, Ok(expected(THERE)));
        told += 2;
        // Rules see the device that the app tells, and no bot.
        let os = json!({ "kind": "OS", "values": ["iOS"] });
        let rules = json!({ "rules": [
            { "conditions": [{ "kind": "IS_BOT", "values": [] }], "destinationUrl": "https://example.com/bot" },
            { "conditions": [os], "destinationUrl": "https://example.com/ios" },
        ] });
        server.call("PUT", &format!("/links/{}/rules", id(&made)), &token, rules).await.expect(200);
        for (user_agent, destination) in [(IPHONE, "https://example.com/ios"), ("okhttp/4.12.0", THERE)] {
            let input = question(&every, json!({ "url": url, "userAgent": user_agent }));
            assert_eq!(resolve(&server, through_graphql, input).await, Ok(expected(destination)), "{user_agent}");
            told += 1;
        }
        // A key opens links of its hosts and of its account alone.
        let input = question(&of_domain, json!({ "url": url }));
        let of_other_host = resolve(&server, through_graphql, input).await;
        assert_eq!(of_other_host.is_ok(), host == NAME, "{of_other_host:?}");
        told += i64::from(host == NAME);
        let refused = |input: Json| resolve(&server, through_graphql, input);
        let not_found = Err("NOT_FOUND".to_owned());
        assert_eq!(refused(question(&of_stranger, json!({ "url": url }))).await, not_found);
        assert_eq!(refused(question(&of_stranger, json!({ "token": by_play }))).await, not_found);
        for other in ["https://elsewhere.example/offer", "http://sho.rt/", "http://sho.rt/of-nobody"] {
            assert_eq!(refused(question(&every, json!({ "url": other }))).await, not_found, "{other}");
        }
        assert_eq!(refused(question(&every, json!({ "token": "AQEBAQEBAQEBAQEBAQEBAQ" }))).await, not_found);
        assert_eq!(refused(question(&every, json!({ "token": "x" }))).await, not_found);
        let invalid = Err("VALIDATION_ERROR".to_owned());
        for more in [json!({}), json!({ "url": url, "token": by_play }), json!({ "url": "offer" })] {
            assert_eq!(refused(question(&every, more.clone())).await, invalid, "{more}");
        }
        assert_eq!(refused(json!({ "publishableKey": "lgp_x", "url": url })).await, invalid);
        // Links that do not redirect now tell nothing, and those that ask their visitors do not either.
        for (slug, more, code) in [
            ("later", json!({ "startsAt": rfc3339(server.clock.now() + HOUR) }), "NOT_FOUND"),
            ("over", json!({ "expiresAt": rfc3339(server.clock.now() - HOUR) }), "NOT_FOUND"),
            ("off", json!({ "isActive": false }), "NOT_FOUND"),
            ("vault", json!({ "password": "tulips" }), "FORBIDDEN"),
            ("asks", json!({ "notice": "For adults only." }), "FORBIDDEN"),
            ("once", json!({ "maxClicks": 1 }), "FORBIDDEN"),
        ] {
            let made = link(&server, &token, false, slug, host, more).await;
            let answer = refused(question(&every, json!({ "url": made["shortUrl"] }))).await;
            assert_eq!(answer, Err(code.to_owned()), "{slug}");
        }
        // Each answer uses up one of the clicks that are allowed.
        let few = link(&server, &token, false, "few", host, json!({ "maxClicks": 2 })).await;
        let input = question(&every, json!({ "url": few["shortUrl"] }));
        let answers = [refused(input.clone()).await, refused(input.clone()).await, refused(input).await];
        assert_eq!(answers.map(|answer| answer.is_ok()), [true, true, false]);
        told += 2;
    }
    database.clicks_become(told + 3).await;
    assert_eq!(database.clicks_where("\"trigger\" = 'APP' AND NOT is_bot").await, told);
    assert_eq!(database.clicks_where("\"trigger\" IS NULL").await, 3);
    // A link that is gone tells nothing, though this node has not heard of that and has it in its memory, with a limit.
    let gone = link(&server, &token, false, "gone", &hosts[0], json!({ "maxClicks": 9 })).await;
    let input = question(&every, json!({ "url": gone["shortUrl"] }));
    assert!(resolve(&server, false, input.clone()).await.is_ok());
    let connection = database.connect().await;
    for sql in ["DELETE FROM link_limits WHERE max_clicks = 9", "DELETE FROM links WHERE slug = 'gone'"] {
        connection.execute_unprepared(sql).await.unwrap();
    }
    assert_eq!(resolve(&server, false, input).await, Err("NOT_FOUND".to_owned()));
    // A key that is changed or deleted has its new hosts at once, or opens nothing.
    let path = format!("/apps/keys/{}", id(&every));
    let url = json!({ "url": format!("http://{NAME}/offer") });
    let changed = server.call("PATCH", &path, &token, json!({ "hosts": ["sho.rt"] })).await.expect(200).json();
    assert_eq!((&changed["hosts"], &changed["key"]), (&json!(["sho.rt"]), &every["key"]));
    assert_eq!(resolve(&server, false, question(&every, url.clone())).await, Err("NOT_FOUND".to_owned()));
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    assert_eq!(resolve(&server, false, question(&every, url)).await, Err("VALIDATION_ERROR".to_owned()));
}

/// Both files of a host, as a phone fetches them.
async fn files(server: &Http, host: &str) -> [Answer; 2] {
    let file = |path| ask(server, Method::GET, (host, "swcd (unknown version) CFNetwork/1494 Darwin/23"), path);
    [file("/.well-known/apple-app-site-association").await, file("/.well-known/assetlinks.json").await]
}

/// Whether the files are as Apple and Google demand, by a script that knows nothing of this service.
fn judged(apple: &Answer, google: &Answer) -> String {
    let given = |answer: &Answer| json!({ "status": answer.status.as_u16(), "type": answer.header("content-type"), "body": answer.text });
    node::run("scripts/app-files.mjs", &json!({ "apple": given(apple), "google": given(google) }).to_string())
}

#[on_each_database]
async fn hosts_say_which_apps_open_their_links(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server: TestServer = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let stranger = server.register("bob").await;
    let [own, domain, subdomain] = hosts(&server, &token, &dns).await;
    let fingerprint = "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5";
    let apps = json!({
        "iosApps": [{ "appId": "ABCDE12345.com.example.app", "paths": ["/offers/*", "/a?c"] }, { "appId": "ABCDE12345.com.example.other" }],
        "androidApps": [{ "packageName": "com.example.app", "fingerprints": [fingerprint] }],
    });
    for (host, through_graphql) in [(&domain, false), (&subdomain, true)] {
        for file in files(&server, host).await {
            file.expect(404);
        }
        let path = format!("/apps/hosts/{host}");
        let nothing = server.get(&path, &token).await.expect(200).json();
        let expected = json!({ "host": host, "iosApps": [], "androidApps": [], "appleFile": null, "androidFile": null, "updatedAt": null });
        assert_eq!(nothing, expected);
        let set = async |input: Json| {
            if !through_graphql {
                return server.call("PUT", &path, &token, input).await.expect(200).json();
            }
            let query = "mutation($host: String!, $input: SetHostAppsInput!) { setHostApps(host: $host, input: $input) { host iosApps { appId paths } androidApps { packageName fingerprints } appleFile androidFile updatedAt } }";
            let answer = server.graphql(&token, query, json!({ "host": host, "input": input })).await;
            answer["data"]["setHostApps"].clone()
        };
        let stored = set(apps.clone()).await;
        assert_eq!(stored["iosApps"][1]["paths"], json!(["/*"]), "{stored}");
        let [apple, google] = files(&server, host).await.map(|file| file.expect(200));
        assert_eq!(
            (apple.header("content-type"), google.header("content-type")),
            ("application/json", "application/json")
        );
        assert_eq!(judged(&apple, &google), "ok");
        assert_eq!(
            apple.json()["applinks"]["details"][0]["components"],
            json!([{ "/": "/offers/*" }, { "/": "/a?c" }])
        );
        assert_eq!(google.json()[0]["target"]["sha256_cert_fingerprints"], json!([fingerprint]));
        // A file that is given is served as it is; the other one is still made.
        let given = "{\n  \"appclips\": { \"apps\": [\"ABCDE12345.com.example.app.Clip\"] }\n}\n";
        let mut with_file = apps.clone();
        with_file["appleFile"] = json!(given);
        let stored = set(with_file).await;
        let [apple, google] = files(&server, host).await.map(|file| file.expect(200));
        assert_eq!((&*apple.text, judged(&apple, &google)), (given, "ok".to_owned()));
        // What is refused changes nothing.
        for (field, value, names) in [
            ("iosApps", json!([{ "appId": "com.example.app" }]), "iosApps.0.appId"),
            ("iosApps", json!([{ "appId": "ABCDE12345.a", "paths": ["offers"] }]), "iosApps.0.paths.0"),
            (
                "androidApps",
                json!([{ "packageName": "app", "fingerprints": [fingerprint] }]),
                "androidApps.0.packageName",
            ),
            (
                "androidApps",
                json!([{ "packageName": "com.a", "fingerprints": [fingerprint.to_lowercase()] }]),
                "androidApps.0.fingerprints.0",
            ),
            ("appleFile", json!("{}"), "appleFile"),
            ("androidFile", json!("[{}]"), "androidFile"),
        ] {
            let refused = server.call("PUT", &path, &token, json!({ field: value })).await.expect(400);
            assert!(refused.text.contains(&format!("\"{names}\"")), "{field}: {}", refused.text);
        }
        let late = json!({ "iosApps": [], "expectedUpdatedAt": "2026-01-01T00:00:00.000Z" });
        server.call("PUT", &path, &token, late).await.expect(412);
        assert_eq!(server.get(&path, &token).await.json(), stored);
        server.get(&path, &stranger).await.expect(404);
        server.call("PUT", &path, &stranger, json!({ "iosApps": [] })).await.expect(404);
        set(json!({ "iosApps": [] })).await;
        for file in files(&server, host).await {
            file.expect(404);
        }
        set(apps.clone()).await;
    }
    server.get(&format!("/apps/hosts/{own}"), &token).await.expect(404);
    // Who gets the host next begins without them.
    server.call("DELETE", "/subdomain", &token, Json::Null).await.expect(204);
    for file in files(&server, &subdomain).await {
        assert_ne!(file.status, 200);
    }
    let first = server.get("/domains", &token).await.json()["data"][0].clone();
    server.call("DELETE", &format!("/domains/{}", id(&first)), &token, Json::Null).await.expect(204);
    let again = add(&server, &token, &domain).await;
    prove(&dns, &domain, &[&again]);
    assert_eq!(verify(&server, &token, &again).await["status"], "ACTIVE");
    for file in files(&server, &domain).await {
        file.expect(404);
    }
}

#[on_each_database]
async fn an_operator_narrows_the_schemes(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_APP_SCHEMES", "acme, shop")]).await;
    let token = server.register("ada").await;
    for (uri, status) in [("acme://a", 201), ("SHOP:a", 201), ("other://a", 400), ("javascript:alert(1)", 400)] {
        let input = json!({ "destinationUrl": THERE, "app": { "iosUri": uri, "androidUri": uri } });
        let answer = server.post("/links", &token, input).await.expect(status);
        if status == 400 {
            assert!(answer.text.contains("app.iosUri") && answer.text.contains("app.androidUri"), "{}", answer.text);
        }
    }
    assert_eq!(server.get("/links", &token).await.json()["total"], 2);
}
