//! Pages of hosts: the look and the texts that an account gives them, in the visitor's language.

use base64::{Engine, engine::general_purpose::STANDARD};
use linkgraph::base::clock::{HOUR, rfc3339};
use reqwest::Method;
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, catalogue,
        dns::TestDns,
        domains::{add, hosts, prove, start_with_subdomains, verify},
        eventually,
        process::operate,
        receiver::id,
    },
};

async fn visit(http: &Http, host: &str, language: &str, path: &str) -> Answer {
    http.send(http.request(Method::GET, path).header("host", host).header("accept-language", language)).await
}

fn texts() -> Json {
    let text = |page: &str, language: &str, title: &str, text: Option<&str>| json!({ "page": page, "language": language, "title": title, "text": text });
    json!([
        text("NOT_FOUND", "fr", "Rien <ici> & \"là\"", Some("Voyez example.com.\nMerci !")),
        text("NOT_FOUND", "en", "Nothing here", None),
        text("EXPIRED", "ar", "انتهى العرض", Some("انتهى.")),
        text("PASSWORD", "en", "Members only", Some("Ask the club.")),
        text("CONFIRMATION", "pt-br", "Um momento", Some("Isto sai daqui.")),
        text("NOTICE", "en", "Please read", Some("Never shown: links have their own.")),
    ])
}

/// Whether the page's policy lets a browser apply each of its styles, and nothing else.
fn allows_its_styles(page: &Answer) -> bool {
    let policy = page.header("content-security-policy");
    let styles: Vec<&str> = page
        .text
        .split("<style>")
        .skip(1)
        .filter_map(|rest| rest.split_once("</style>"))
        .map(|(style, _)| style)
        .collect();
    let hashed = |style: &&str| policy.contains(&format!("'sha256-{}'", STANDARD.encode(Sha256::digest(style))));
    styles.iter().all(hashed)
        && policy.matches("sha256-").count() == styles.len()
        && policy.starts_with("default-src 'none'")
}

#[on_each_database]
async fn hosts_have_their_own_look_and_texts(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let stranger = server.register("bob").await;
    let [own, domain, subdomain] = hosts(&server, &token, &dns).await;
    let over = rfc3339(server.clock.now() - HOUR);
    for host in [&own, &domain, &subdomain] {
        for (slug, more) in [
            ("over", json!({ "expiresAt": over })),
            ("vault", json!({ "password": "tulips" })),
            ("asks", json!({ "asksFirst": true })),
            ("few", json!({ "maxClicks": 2 })),
            ("adults", json!({ "notice": "For <adults> only." })),
            ("gone", json!({})),
        ] {
            let mut more = more;
            more["domain"] = json!(host);
            server.link_with(&token, slug, more).await;
        }
        operate(&database, &["links", "block", &format!("{host}/gone"), "--reason", "test"]).await;
    }
    let image = json!({ "content": catalogue::image(&[]) });
    let strange = server.post("/images", &stranger, image.clone()).await.expect(201).json();
    let image = server.post("/images", &token, image).await.expect(201).json();
    let usual = visit(&server, &own, "en", "/nowhere").await.expect(404);
    for (host, through_graphql) in [(&domain, false), (&subdomain, true)] {
        assert_eq!(visit(&server, host, "en", "/nowhere").await.expect(404).text, usual.text);
        let path = format!("/domains/hosts/{host}/pages");
        let nothing = server.get(&path, &token).await.expect(200).json();
        let expected = json!({ "host": host, "accentColor": null, "backgroundColor": null, "logoImageId": null, "logoUrl": null, "texts": [], "updatedAt": null });
        assert_eq!(nothing, expected);
        let set = async |input: Json| {
            if !through_graphql {
                return server.call("PUT", &path, &token, input).await.expect(200).json();
            }
            let query = "mutation($host: String!, $input: SetHostPagesInput!) { setHostPages(host: $host, input: $input) { host accentColor backgroundColor logoImageId logoUrl texts { page language title text } updatedAt } }";
            let answer = server.graphql(&token, query, json!({ "host": host, "input": input })).await;
            answer["data"]["setHostPages"].clone()
        };
        let stored = set(json!({ "accentColor": "1D3557", "backgroundColor": "#fff8e7", "logoImageId": image["id"], "texts": texts() })).await;
        assert_eq!((&stored["logoImageId"], &stored["logoUrl"]), (&image["id"], &image["url"]));
        let url = image["url"].as_str().unwrap();
        assert_eq!((&stored["accentColor"], &stored["backgroundColor"]), (&json!("#1d3557"), &json!("#fff8e7")));
        assert_eq!(stored["texts"][4]["language"], "pt-BR");
        let shown = [
            (
                "/nowhere",
                "fr-CH,en;q=0.5",
                404,
                "<h1 lang=\"fr\" dir=\"auto\">Rien &lt;ici&gt; &amp; &quot;là&quot;</h1>\n<p class=\"notice\" lang=\"fr\" dir=\"auto\">Voyez example.com.\nMerci !</p>",
            ),
            (
                "/nowhere",
                "en",
                404,
                "<h1 lang=\"en\" dir=\"auto\">Nothing here</h1>\n<p>This short link does not exist, or it is switched off.</p>",
            ),
            // The first one, since none is in a language that the visitor reads.
            ("/nowhere", "de", 404, "<h1 lang=\"fr\" dir=\"auto\">Rien"),
            ("/over", "en", 410, "<h1 lang=\"ar\" dir=\"auto\">انتهى العرض</h1>"),
            (
                "/vault",
                "en",
                200,
                "<h1 lang=\"en\" dir=\"auto\">Members only</h1>\n<p class=\"notice\" lang=\"en\" dir=\"auto\">Ask the club.</p>\n<form",
            ),
            ("/asks", "de", 200, "Isto sai daqui.</p>\n<form method=\"post\">\n<button>Den Link öffnen</button>"),
            ("/few", "en", 200, "Isto sai daqui.</p>\n<p>This link can be opened a limited number of times."),
            (
                "/adults",
                "en",
                200,
                "<h1 lang=\"en\" dir=\"auto\">Please read</h1>\n<p class=\"notice\" dir=\"auto\">For &lt;adults&gt; only.</p>",
            ),
            ("/vault+", "en", 200, "<h1>Where this link leads</h1>"),
        ];
        for (path, language, status, part) in shown {
            let page = visit(&server, host, language, path).await.expect(status);
            assert!(page.text.contains(part), "{path} {language}: {}", page.text);
            let colours = "<style>:root{color-scheme:light;background:#fff8e7;color:#000;--border:#000}:root{--accent:#1d3557;--on-accent:#fff}</style>";
            assert!(page.text.contains(colours) && allows_its_styles(&page), "{path}: {page:?}");
            let logo = format!("<img class=\"logo\" src=\"{url}\" alt=\"\">\n<h1");
            let is_allowed = page.header("content-security-policy").contains(&format!("img-src data: {url};"));
            assert!(page.text.contains(&logo) && is_allowed, "{path}: {page:?}");
        }
        // A password that is not right is told so on the same page.
        let form = server.request(Method::POST, "/vault").header("host", host.as_str());
        let form = form.header("content-type", "application/x-www-form-urlencoded").body("password=roses");
        let wrong = server.send(form).await.expect(403);
        assert!(wrong.text.contains("Members only") && wrong.text.contains("This password is not right."), "{wrong:?}");
        // The operator says why a link is gone, and in whose name.
        let is_gone = async || Some(visit(&server, host, "en", "/gone").await).filter(|page| page.status == 410);
        let gone = eventually("the link is disabled", is_gone).await;
        assert!(gone.text.contains("This link has been disabled.") && !gone.text.contains("fff8e7"), "{gone:?}");
        // A refused change leaves all as it was.
        let text = |language: &str| json!({ "page": "EXPIRED", "language": language, "title": "Over" });
        let long = |page: &str, language: &str| json!({ "page": page, "language": language, "title": "ü".repeat(100), "text": "ü".repeat(500) });
        let pages = ["NOT_FOUND", "EXPIRED", "PASSWORD", "CONFIRMATION", "NOTICE"];
        let long: Vec<Json> = pages.iter().flat_map(|page| [long(page, "en"), long(page, "de")]).collect();
        for (field, value, names) in [
            ("accentColor", json!("red"), "accentColor"),
            ("backgroundColor", json!("#12345"), "backgroundColor"),
            ("logoImageId", strange["id"].clone(), "logoImageId"),
            ("logoImageId", json!("spring"), "logoImageId"),
            ("texts", json!([text("en"), text("*")]), "texts.1.language"),
            ("texts", json!([text("fr-ch"), text("fr-CH")]), "texts.1.language"),
            ("texts", json!([{ "page": "EXPIRED", "language": "en", "title": "a\nb" }]), "texts.0.title"),
            ("texts", json!([{ "page": "EXPIRED", "language": "en", "title": "a", "text": "\u{7}" }]), "texts.0.text"),
            ("texts", json!(long), "texts"),
        ] {
            let refused = server.call("PUT", &path, &token, json!({ field: value })).await.expect(400);
            assert!(refused.text.contains(&format!("\"{names}\"")), "{field}: {}", refused.text);
        }
        let late = json!({ "texts": [], "expectedUpdatedAt": "2026-01-01T00:00:00.000Z" });
        server.call("PUT", &path, &token, late).await.expect(412);
        server.get(&path, &stranger).await.expect(404);
        server.call("PUT", &path, &stranger, json!({ "texts": [] })).await.expect(404);
        assert_eq!(server.get(&path, &token).await.json(), stored);
        // Nothing in the place of all.
        set(json!({ "texts": [] })).await;
        assert_eq!(visit(&server, host, "en", "/nowhere").await.expect(404).text, usual.text);
        set(json!({ "texts": texts() })).await;
    }
    // An image that is deleted is no logo any more.
    let path = format!("/domains/hosts/{domain}/pages");
    let with_logo = json!({ "logoImageId": image["id"], "texts": texts() });
    server.call("PUT", &path, &token, with_logo).await.expect(200);
    assert!(visit(&server, &domain, "en", "/nowhere").await.text.contains("<img"));
    server.call("DELETE", &format!("/images/{}", id(&image)), &token, Json::Null).await.expect(204);
    assert!(!visit(&server, &domain, "en", "/nowhere").await.text.contains("<img"));
    assert_eq!(server.get(&path, &token).await.json()["logoUrl"], Json::Null);
    // The service's own host has its own look.
    assert_eq!(visit(&server, &own, "fr", "/nowhere").await.expect(404).text, usual.text);
    server.get(&format!("/domains/hosts/{own}/pages"), &token).await.expect(404);
    // An account that adds the domain again begins without them.
    let first = server.get("/domains", &token).await.json()["data"][0].clone();
    server.call("DELETE", &format!("/domains/{}", id(&first)), &token, Json::Null).await.expect(204);
    let again = add(&server, &token, &domain).await;
    prove(&dns, &domain, &[&again]);
    assert_eq!(verify(&server, &token, &again).await["status"], "ACTIVE");
    assert_eq!(visit(&server, &domain, "en", "/nowhere").await.expect(404).text, usual.text);
    // A suspended account says nothing.
    operate(&database, &["accounts", "suspend", "ada@example.com"]).await;
    let is_usual = async || (visit(&server, &subdomain, "en", "/nowhere").await.text == usual.text).then_some(());
    eventually("the service's own page is shown", is_usual).await;
}
