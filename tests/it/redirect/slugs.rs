//! Slugs beyond ASCII: stored once, and found on each kind of host however they are written.

use percent_encoding::{CONTROLS, utf8_percent_encode};
use reqwest::{Method, header};
use serde_json::{Value as Json, json};
use unicode_normalization::UnicodeNormalization;

use crate::{
    on_each_database,
    support::{
        BROWSER, Http, TestDatabase,
        dns::TestDns,
        domains::{hosts, set, start_with_subdomains},
        eventually,
        process::operate,
        receiver::id,
    },
};

const SLUGS: [&str; 9] =
    ["größe", "Été_2026", "весна", "ربيع", "हिन्दी", "春のセール", "봄세일", "👩🏾\u{200d}🚀", "sale❤"];

fn encoded(slug: &str) -> String {
    utf8_percent_encode(slug, CONTROLS).to_string()
}

/// The slug as some keyboards and file systems write it.
fn apart(slug: &str) -> String {
    slug.replace('❤', "❤\u{fe0f}").nfd().collect()
}

async fn create(http: &Http, token: &str, host: &str, slug: &str) -> (u16, Json) {
    let body =
        json!({ "destinationUrl": format!("https://example.com/{}", encoded(slug)), "slug": slug, "domain": host });
    let answer = http.post("/links", token, body).await;
    (answer.status.as_u16(), answer.json())
}

async fn location(http: &Http, host: &str, path: &str) -> String {
    http.at_host(host, path).await.header("location").to_owned()
}

#[on_each_database]
async fn slugs_of_all_scripts_are_stored_once_and_found_however_they_are_written(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    for host in hosts(&server, &token, &dns).await {
        for (number, slug) in SLUGS.into_iter().enumerate() {
            let destination = format!("https://example.com/{number}");
            let input = json!({ "destinationUrl": destination, "slug": apart(slug), "domain": host });
            let link = if number % 2 == 0 {
                server.post("/links", &token, input).await.expect(201).json()
            } else {
                let create = "mutation ($input: CreateLinkInput!) { createLink(input: $input) { id slug shortUrl } }";
                server.graphql(&token, create, json!({ "input": input })).await["data"]["createLink"].clone()
            };
            assert_eq!(link["slug"], slug);
            let short_url = link["shortUrl"].as_str().unwrap();
            assert!(short_url.ends_with(&format!("/{}", encoded(slug))), "{short_url}");
            for taken in [slug.to_owned(), apart(slug)] {
                let (status, refused) = create(&server, &token, &host, &taken).await;
                assert_eq!((status, &refused["error"]["details"]["path"]), (409, &json!("slug")), "{refused}");
                let path = format!("/links/availability?domain={host}&slug={}", encoded(&taken));
                let answer = server.get(&path, &token).await.expect(200).json();
                assert_eq!((&answer["state"], &answer["slug"]), (&json!("TAKEN"), &json!(slug)));
            }
            let lower = encoded(slug).to_lowercase();
            let mut paths =
                vec![encoded(slug), format!("{}…", apart(slug)), encoded(&apart(slug)) + ").", format!("/{slug}")];
            // Letters of ASCII have a case, and percent signs none.
            paths.extend((slug == slug.to_ascii_lowercase()).then_some(lower));
            for path in paths {
                assert_eq!(location(&server, &host, &format!("/{path}")).await, destination, "{host}/{path}");
            }
            let page = server.at_host(&host, &format!("/{}+", encoded(slug))).await.expect(200);
            assert!(page.text.contains(&destination), "{}", page.text);
            for search in [slug.to_owned(), slug.to_uppercase().replace("SS", "ß")] {
                let found =
                    server.get(&format!("/links?domain={host}&search={}", encoded(&search)), &token).await.json();
                assert_eq!((&found["total"], &found["data"][0]["slug"]), (&json!(1), &json!(slug)), "{search}");
            }
            // The same slug written otherwise is no change of address.
            let path = format!("/links/{}", link["id"].as_str().unwrap());
            let changed = server.call("PATCH", &path, &token, json!({ "slug": apart(slug) })).await.expect(200).json();
            assert_eq!((&changed["slug"], &changed["shortUrl"]), (&link["slug"], &link["shortUrl"]));
            server.get(&format!("{path}/qr"), &token).await.expect(200);
        }
    }
    let export = server.get("/links/export?format=csv", &token).await.expect(200);
    assert!(export.text.contains("größe,") && export.text.contains("/gr%C3%B6%C3%9Fe"), "{}", export.text);
}

#[on_each_database]
async fn slugs_that_look_alike_are_refused_at_their_field(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let link = server.link(&token, "spring").await;
    for (slug, reason) in [
        ("sрring", "must not mix letters of several scripts"),
        ("раура1", "must not look like a slug of A-Z"),
        ("spring\u{202e}", "must have 1 to 64 letters, digits, emoji"),
        ("größe.", "must have 1 to 64 letters, digits, emoji"),
        ("a b", "must have 1 to 64 of the characters A-Z"),
    ] {
        let (status, refused) = create(&server, &token, "sho.rt", slug).await;
        let violation = &refused["error"]["details"]["validationErrors"][0];
        assert_eq!((status, &violation["path"]), (400, &json!("slug")), "{refused}");
        assert!(violation["message"].as_str().unwrap().starts_with(reason), "{slug}: {refused}");
        let patch = server.call("PATCH", &format!("/links/{}", id(&link)), &token, json!({ "slug": slug })).await;
        assert_eq!(&patch.expect(400).json()["error"]["details"]["validationErrors"][0], violation);
        let query = "query ($slug: String!) { slugAvailability(slug: $slug) { state } }";
        let answer = server.graphql(&token, query, json!({ "slug": slug })).await;
        assert_eq!(&answer["errors"][0]["extensions"]["validationErrors"][0], violation);
    }
}

#[on_each_database]
async fn emoji_behind_a_pasted_link_are_no_part_of_it_unless_a_link_has_them(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    for host in hosts(&server, &token, &dns).await {
        let destination = |slug: &str| format!("https://example.com/{}", encoded(slug));
        create(&server, &token, &host, "spring").await;
        for path in ["/spring🎉", "/spring🎉👍🏽.", "/spring%F0%9F%8E%89"] {
            assert_eq!(location(&server, &host, path).await, destination("spring"), "{host}{path}");
        }
        create(&server, &token, &host, "spring🎉").await;
        for (path, slug) in [("/spring🎉", "spring🎉"), ("/spring🎉!", "spring🎉"), ("/spring👍", "spring")] {
            assert_eq!(location(&server, &host, path).await, destination(slug), "{host}{path}");
        }
        server.at_host(&host, "/🎉").await.expect(404);
    }
}

#[on_each_database]
async fn only_letters_of_ascii_have_a_case_that_hosts_ignore(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let [_, domain, subdomain] = hosts(&server, &token, &dns).await;
    for host in [&domain, &subdomain] {
        set(&server, &token, host, true, json!({ "ignoresCase": true })).await;
        assert_eq!(create(&server, &token, host, "Größe").await.0, 201);
        assert_eq!(create(&server, &token, host, "gRößE").await.0, 409);
        for path in ["/größe", "/GRößE", "/gr%c3%b6%c3%9fe"] {
            assert_eq!(location(&server, host, path).await, "https://example.com/Gr%C3%B6%C3%9Fe", "{host}{path}");
        }
        server.at_host(host, "/GRÖßE").await.expect(404);
        assert_eq!(create(&server, &token, host, "GRÖßE").await.0, 201);
    }
}

#[on_each_database]
async fn the_operator_blocks_a_link_beyond_ascii_by_its_address(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    create(&server, &token, "sho.rt", "größe").await;
    let visit = async || {
        let request = server.request(Method::GET, "/gr%C3%B6%C3%9Fe").header(header::USER_AGENT, BROWSER);
        server.send(request).await.status.as_u16()
    };
    assert_eq!(visit().await, 302);
    operate(&database, &["links", "block", "sho.rt/größe", "--reason", "phishing"]).await;
    eventually("the link is blocked", async || (visit().await == 410).then_some(())).await;
    operate(&database, &["links", "unblock", "http://sho.rt/gro%CC%88%C3%9Fe", "--reason", "a mistake"]).await;
    eventually("the link is back", async || (visit().await == 302).then_some(())).await;
}

#[on_each_database]
async fn slugs_have_several_segments_on_hosts_of_accounts_alone(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let [own, domain, subdomain] = hosts(&server, &token, &dns).await;
    for slug in ["team/offer", "größe/весна"] {
        let (status, refused) = create(&server, &token, &own, slug).await;
        let violation = &refused["error"]["details"]["validationErrors"][0];
        assert_eq!((status, &violation["path"]), (400, &json!("slug")), "{refused}");
        let path = format!("/links/availability?domain={own}&slug={slug}");
        server.get(&path, &token).await.expect(400);
    }
    for host in [&domain, &subdomain] {
        // Looked up before, and not remembered for long as missing.
        server.at_host(host, "/team/offer").await.expect(404);
        for slug in ["team", "team/offer", "links/x", "a/b/c/d/e", "größe/весна"] {
            let (status, link) = create(&server, &token, host, slug).await;
            assert_eq!((status, &link["slug"]), (201, &json!(slug)), "{link}");
            let short_url = link["shortUrl"].as_str().unwrap();
            assert!(short_url.ends_with(&format!("/{}", encoded(slug))), "{short_url}");
            let destination = format!("https://example.com/{}", encoded(slug));
            for path in [slug.to_owned(), format!("{slug}/"), format!("/{slug})."), slug.replace('/', "%2F")] {
                assert_eq!(location(&server, host, &format!("/{path}")).await, destination, "{host}/{path}");
            }
            let page = server.at_host(host, &format!("/{slug}+")).await.expect(200);
            assert!(page.text.contains(&format!("href=\"/{slug}\"")), "{}", page.text);
            assert_eq!(create(&server, &token, host, slug).await.0, 409);
            let path = format!("/links/availability?domain={host}&slug={}", encoded(slug));
            assert_eq!(server.get(&path, &token).await.expect(200).json()["state"], "TAKEN");
            let moved = json!({ "domain": own });
            server.call("PATCH", &format!("/links/{}", id(&link)), &token, moved).await.expect(400);
        }
        for slug in ["a/b/c/d/e/f", "/a", "a/", "a//b", "a/../b", ".well-known/security.txt", "robots.txt"] {
            assert_eq!(create(&server, &token, host, slug).await.0, 400, "{slug}");
        }
        assert_eq!(
            server.at_host(host, "/robots.txt").await.expect(200).header("content-type"),
            "text/plain; charset=utf-8"
        );
        server.at_host(host, "/team//offer").await.expect(404);
        server.at_host(host, "/TEAM/offer").await.expect(404);
        set(&server, &token, host, true, json!({ "ignoresCase": true })).await;
        assert_eq!(location(&server, host, "/TEAM/Offer").await, "https://example.com/team/offer");
        operate(&database, &["links", "block", &format!("{host}/team/offer"), "--reason", "test"]).await;
        eventually("the link is blocked", async || {
            (server.at_host(host, "/team/offer").await.status == 410).then_some(())
        })
        .await;
    }
}

#[on_each_database]
async fn a_pattern_leads_the_paths_below_it_on(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let [own, domain, subdomain] = hosts(&server, &token, &dns).await;
    assert_eq!(create(&server, &token, &own, "docs/*").await.0, 400);
    for host in [&domain, &subdomain] {
        let link = async |slug: &str, destination: &str| {
            let input = json!({ "destinationUrl": destination, "slug": slug, "domain": host });
            server.post("/links", &token, input).await.expect(201).json()
        };
        for slug in ["*", "docs*", "docs/*/a", "docs/**"] {
            assert_eq!(create(&server, &token, host, slug).await.0, 400, "{slug}");
        }
        // The host is remembered as one without patterns, and the path as one without a link.
        server.at_host(host, "/docs/a").await.expect(404);
        let docs = link("docs/*", "https://example.com/manual/?v=1#top").await;
        assert!(docs["shortUrl"].as_str().unwrap().ends_with("/docs/*"), "{docs}");
        assert_eq!(create(&server, &token, host, "docs/*").await.0, 409);
        let leads = async |expected: &[(&str, &str)]| {
            for (path, destination) in expected {
                assert_eq!(location(&server, host, path).await, *destination, "{host}{path}");
            }
        };
        let below = [
            ("/docs", "https://example.com/manual/?v=1#top"),
            ("/docs/", "https://example.com/manual/?v=1#top"),
            ("/docs/*", "https://example.com/manual/?v=1#top"),
            ("/docs/a", "https://example.com/manual/a?v=1#top"),
            ("/docs/a/b.html", "https://example.com/manual/a/b.html?v=1#top"),
            ("/docs/%C3%BC/c++", "https://example.com/manual/%C3%BC/c++?v=1#top"),
            ("/docs/a?x=1", "https://example.com/manual/a?v=1#top"),
        ];
        leads(&below).await;
        leads(&below).await;
        for path in ["/docsx", "/other/a", "/a/docs", "/unknown"] {
            server.at_host(host, path).await.expect(404);
        }
        server.at_host(host, "/robots.txt").await.expect(200);
        // The link of the path itself comes first, and then the longest pattern.
        link("docs/a", "https://example.com/exact").await;
        link("docs/a/*", "https://example.com/longer").await;
        leads(&[
            ("/docs/a", "https://example.com/exact"),
            ("/docs/a/b/", "https://example.com/longer/b/"),
            ("/docs/b/a", "https://example.com/manual/b/a?v=1#top"),
        ])
        .await;
        let path = format!("/links/{}", id(&docs));
        let patch = async |body: Json| server.call("PATCH", &path, &token, body).await.expect(200);
        patch(json!({ "forwardsQuery": true })).await;
        leads(&[("/docs/c?x=1&v=2", "https://example.com/manual/c?v=1&x=1#top")]).await;
        let page = server.at_host(host, "/docs+").await.expect(200);
        assert!(page.text.contains("href=\"/docs\"") && page.text.contains("example.com/manual/"), "{}", page.text);
        server.get(&format!("{path}/qr"), &token).await.expect(200);
        eventually("the clicks are the pattern's", async || {
            let link = server.get(&path, &token).await.json();
            (link["clickCount"] == 2 * below.len() + 2).then_some(())
        })
        .await;
        patch(json!({ "slug": "help/*" })).await;
        leads(&[("/docs/c", ""), ("/help/c", "https://example.com/manual/c?v=1#top")]).await;
        set(&server, &token, host, true, json!({ "ignoresCase": true })).await;
        leads(&[("/HELP/C", "https://example.com/manual/C?v=1#top")]).await;
        operate(&database, &["links", "block", &format!("{host}/help/*"), "--reason", "test"]).await;
        eventually("the link is blocked", async || (server.at_host(host, "/help/c").await.status == 410).then_some(()))
            .await;
    }
}
