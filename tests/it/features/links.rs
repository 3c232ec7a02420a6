//! Links: created, changed, deleted, listed and searched as the rules say.

use proptest::test_runner::{Config, TestRunner};
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};
use tokio::{runtime::Handle, task::block_in_place};

use crate::{
    on_each_database,
    support::{Answer, Http, TestDatabase},
};

const FIELDS: [&str; 30] = [
    "id",
    "destinationUrl",
    "utm",
    "slug",
    "domain",
    "shortUrl",
    "isActive",
    "state",
    "title",
    "notes",
    "tags",
    "externalId",
    "startsAt",
    "expiresAt",
    "expiredUrl",
    "maxClicks",
    "usedClicks",
    "isArchived",
    "forwardsQuery",
    "hasPassword",
    "asksFirst",
    "notice",
    "card",
    "app",
    "blockedAt",
    "clickCount",
    "importedClicks",
    "lastClickedAt",
    "createdAt",
    "updatedAt",
];
const ALPHABET: &str = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz";

fn keys(json: &Json) -> Vec<&str> {
    json.as_object().unwrap().keys().map(String::as_str).collect()
}

fn slugs(page: &Json) -> Vec<&str> {
    page["data"].as_array().unwrap().iter().map(|link| link["slug"].as_str().unwrap()).collect()
}

async fn create(http: &Http, credential: &str, body: Json) -> Answer {
    http.post("/links", credential, body).await
}

/// Creates `s0`, `s1`, … in this order.
async fn fill(http: &Http, token: &str, number: usize) {
    let links: Vec<Json> =
        (0..number).map(|n| json!({ "destinationUrl": "https://example.com/", "slug": format!("s{n}") })).collect();
    for links in links.chunks(100) {
        let answer = http.post("/links/bulk", token, json!({ "links": links })).await.expect(200).json();
        assert!(answer["results"].as_array().unwrap().iter().all(|result| result["error"].is_null()), "{answer}");
    }
}

#[on_each_database]
async fn a_link_is_created_through_both_doors(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &["links:read", "links:write"]).await;
    for (path, credential) in [("/links", &token), ("/api/v1/links", &key)] {
        let body = json!({ "destinationUrl": "https://example.com/a?b=c#d" });
        let answer = server.post(path, credential, body).await.expect(201);
        let link = answer.json();
        assert_eq!(keys(&link), FIELDS);
        let (id, slug) = (link["id"].as_str().unwrap(), link["slug"].as_str().unwrap());
        assert_eq!(answer.header("location"), format!("{path}/{id}"));
        assert!(slug.len() == 7 && slug.chars().all(|letter| ALPHABET.contains(letter)), "{slug}");
        let created_at = link["createdAt"].as_str().unwrap();
        assert!(created_at.len() == 24 && created_at.ends_with('Z'), "{created_at}");
        let expected = json!({
            "id": id,
            "destinationUrl": "https://example.com/a?b=c#d",
            "slug": slug,
            "domain": "sho.rt",
            "shortUrl": format!("http://sho.rt/{slug}"),
            "isActive": true,
            "state": "ACTIVE",
            "title": null,
            "notes": null,
            "tags": [],
            "externalId": null,
            "startsAt": null,
            "expiresAt": null,
            "expiredUrl": null,
            "maxClicks": null,
            "usedClicks": null,
            "isArchived": false,
            "forwardsQuery": null,
            "hasPassword": false,
            "asksFirst": false,
            "notice": null,
            "card": null,
            "app": null,
            "utm": null,
            "blockedAt": null,
            "clickCount": 0,
            "importedClicks": null,
            "lastClickedAt": null,
            "createdAt": created_at,
            "updatedAt": created_at,
        });
        assert_eq!(link, expected);
        assert_eq!(server.get(answer.header("location"), credential).await.expect(200).json(), link);
    }
}

#[on_each_database]
async fn null_is_as_good_as_absent_when_creating(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let body = json!({ "destinationUrl": "https://example.com/", "slug": null, "isActive": null, "domain": null });
    let link = create(&server, &token, body).await.expect(201).json();
    assert_eq!((&link["isActive"], link["slug"].as_str().unwrap().len()), (&json!(true), 7));
    let off = json!({ "destinationUrl": "https://example.com/", "slug": "off", "isActive": false });
    assert_eq!(create(&server, &token, off).await.expect(201).json()["isActive"], false);
    server.follow("off").await.expect(404);
}

#[on_each_database]
async fn a_link_is_created_on_the_own_host_and_on_no_unknown_one(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    for domain in ["sho.rt", "SHO.rt", "sho.rt."] {
        let body = json!({ "destinationUrl": "https://example.com/", "domain": domain });
        assert_eq!(create(&server, &token, body).await.expect(201).json()["domain"], "sho.rt", "{domain}");
    }
    for domain in ["other.example", "", "sho.rt.evil.example", "a\0b"] {
        let body = json!({ "destinationUrl": "https://example.com/", "domain": domain });
        assert_eq!(create(&server, &token, body).await.expect(404).code(), "NOT_FOUND", "{domain:?}");
    }
    assert_eq!(server.get("/links", &token).await.json()["total"], 3);
}

#[on_each_database]
async fn a_taken_slug_is_a_conflict_for_anybody_and_case_tells_slugs_apart(database: TestDatabase) {
    let server = database.start().await;
    let alice = server.register("alice").await;
    let bob = server.register("bob").await;
    server.link(&alice, "taken").await;
    for token in [&alice, &bob] {
        let answer = create(&server, token, json!({ "destinationUrl": "https://a.example/", "slug": "taken" })).await;
        let answer = answer.expect(409);
        assert_eq!(answer.code(), "CONFLICT");
        assert_eq!(answer.json()["error"]["details"], json!({ "path": "slug" }));
    }
    let link = server.link(&bob, "Taken").await;
    let path = format!("/links/{}", link["id"].as_str().unwrap());
    let answer = server.call("PATCH", &path, &bob, json!({ "slug": "taken" })).await.expect(409);
    assert_eq!(answer.json()["error"]["details"]["path"], "slug");
    assert_eq!(server.get(&path, &bob).await.json(), link, "a refused change changes nothing");
}

#[on_each_database]
async fn the_services_own_paths_are_no_slugs_in_any_case(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let link = server.link(&token, "mine").await;
    let path = format!("/links/{}", link["id"].as_str().unwrap());
    for slug in ["links", "LINKS", "GraphQL", "health", "api", "me", "auth", "Webhooks", "static", "reset-password"] {
        let answer = create(&server, &token, json!({ "destinationUrl": "https://a.example/", "slug": slug })).await;
        assert_eq!(answer.expect(400).violations(), ["slug"], "{slug}");
        let answer = server.call("PATCH", &path, &token, json!({ "slug": slug })).await;
        assert_eq!(answer.expect(400).violations(), ["slug"], "{slug}");
    }
}

#[on_each_database]
async fn slugs_that_later_paths_may_need_are_reserved_and_links_that_have_one_work_on(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let old = server.link(&token, "old").await;
    // As an older version let it.
    let connection = database.connect().await;
    connection.execute_unprepared("UPDATE links SET slug = 'Report'").await.unwrap();
    connection.close().await.unwrap();
    assert_eq!(server.follow("Report").await.expect(302).header("location"), "https://example.com/old");
    assert_eq!(server.post("/Report", &token, json!({})).await.expect(405).header("allow"), "GET,HEAD");
    let path = format!("/links/{}", old["id"].as_str().unwrap());
    for body in [json!({ "slug": "Report", "destinationUrl": "https://example.com/new" }), json!({ "isActive": true })]
    {
        assert_eq!(server.call("PATCH", &path, &token, body).await.expect(200).json()["slug"], "Report");
    }
    assert_eq!(server.follow("Report").await.expect(302).header("location"), "https://example.com/new");
    let slugs = [
        "app",
        "mcp",
        "tags",
        "utm-templates",
        "report",
        "share",
        "sessions",
        "imports",
        "members",
        "oauth",
        "invitations",
        "audit",
        "operator",
        "q",
        "u",
        "Q",
        "Sessions",
    ];
    for slug in slugs {
        let answer = create(&server, &token, json!({ "destinationUrl": "https://a.example/", "slug": slug })).await;
        assert_eq!(answer.expect(400).violations(), ["slug"], "{slug}");
        let answer = server.call("PATCH", &path, &token, json!({ "slug": slug })).await;
        assert_eq!(answer.expect(400).violations(), ["slug"], "{slug}");
    }
    server.call("PATCH", &path, &token, json!({ "slug": "new" })).await.expect(200);
    let back = server.call("PATCH", &path, &token, json!({ "slug": "Tags" })).await;
    assert_eq!(back.expect(400).violations(), ["slug"], "what was given up is gone");
    server.follow("Tags").await.expect(404);
}

#[on_each_database]
async fn all_violations_come_at_once_under_the_callers_names(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let body = json!({ "destinationUrl": "ftp://example.com", "slug": "a b", "isActive": "yes", "domain": 5 });
    let answer = create(&server, &token, body).await.expect(400);
    assert_eq!(answer.json()["error"]["message"], "Invalid request payload");
    assert_eq!(answer.violations(), ["destinationUrl", "slug", "domain", "isActive"]);
    for (body, paths) in [
        (json!({}), vec!["destinationUrl"]),
        (json!({ "destinationUrl": null, "slug": "" }), vec!["destinationUrl", "slug"]),
        (json!({ "destinationUrl": 1, "slug": "x".repeat(65) }), vec!["destinationUrl", "slug"]),
        (json!({ "destinationUrl": ["https://example.com"] }), vec!["destinationUrl"]),
    ] {
        assert_eq!(create(&server, &token, body.clone()).await.expect(400).violations(), paths, "{body}");
    }
    let list = server.get("/links?page=0&pageSize=101&isActive=maybe", &token).await.expect(400);
    assert_eq!(list.violations(), ["page", "pageSize", "isActive"]);
    assert_eq!(server.get("/links", &token).await.json()["total"], 0);
}

/// The stored URL, the answer and the redirect's header are the same bytes, and ASCII.
#[on_each_database]
async fn a_destination_is_stored_and_sent_in_its_parsed_form(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    for (number, (given, stored)) in [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://EXAMPLE.com:443/A?b#c", "https://example.com/A?b#c"),
        ("https://bücher.example/ä?ö=ü#é", "https://xn--bcher-kva.example/%C3%A4?%C3%B6=%C3%BC#%C3%A9"),
        ("https://例え.テスト/パス", "https://xn--r8jz45g.xn--zckzah/%E3%83%91%E3%82%B9"),
        ("http://192.0.2.1:8080/a%2Fb/../c", "http://192.0.2.1:8080/c"),
        ("https://example.com/a\r\nSet-Cookie: x=y", "https://example.com/aSet-Cookie:%20x=y"),
        ("https://[2001:db8::1]/", "https://[2001:db8::1]/"),
    ]
    .into_iter()
    .enumerate()
    {
        let slug = format!("d{number}");
        let link = create(&server, &token, json!({ "destinationUrl": given, "slug": slug })).await.expect(201).json();
        assert_eq!(link["destinationUrl"], stored);
        let followed = server.follow(&slug).await.expect(302);
        assert_eq!(followed.header("location"), stored);
        assert!(followed.header("location").is_ascii());
    }
    let longest = format!("https://example.com/{}", "a".repeat(2_048 - 20));
    create(&server, &token, json!({ "destinationUrl": longest, "slug": "longest" })).await.expect(201);
    assert_eq!(server.follow("longest").await.header("location"), longest);
}

#[on_each_database]
async fn a_destination_that_could_harm_is_refused(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let link = server.link(&token, "good").await;
    let path = format!("/links/{}", link["id"].as_str().unwrap());
    for url in [
        "https://user:secret@example.com/",
        "https://user@example.com/",
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://example.com/",
        "file:///etc/passwd",
        "//example.com",
        "example.com",
        "https://",
        "",
        &format!("https://example.com/{}", "a".repeat(2_029)),
        // Loops.
        "http://sho.rt/good",
        "http://SHO.RT./good",
        "http://sho.rt:80/",
        "https://sho.rt/good",
        "http://sho%2Ert/good",
        "http://ｓｈｏ.rt/good",
        "http://localhost/good",
        "http://127.0.0.1/good",
        "http://[::1]/good",
        "http://[::ffff:127.0.0.1]/good",
        "http://sho.rt:8443/good",
        "https://sho.rt:1/",
        "http://localhost:3000/",
        // No name in DNS.
        &format!("https://{}.example/", "a".repeat(64)),
    ] {
        let created = create(&server, &token, json!({ "destinationUrl": url })).await;
        assert_eq!(created.expect(400).violations(), ["destinationUrl"], "{url}");
        let changed = server.call("PATCH", &path, &token, json!({ "destinationUrl": url })).await;
        assert_eq!(changed.expect(400).violations(), ["destinationUrl"], "{url}");
    }
    assert_eq!(server.follow("good").await.expect(302).header("location"), "https://example.com/good");
    let longest = format!("https://{}.example/", "a".repeat(63));
    create(&server, &token, json!({ "destinationUrl": longest })).await.expect(201);
}

#[on_each_database]
async fn unknown_query_parameters_are_ignored_and_unknown_fields_refused(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let body = json!({ "destinationUrl": "https://example.com/", "slug": "extra" });
    let answer = server.post("/links?page=0&slug=other&nonsense=1&input=2", &token, body).await.expect(201);
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(answer.json()["slug"], "extra", "a query parameter does not stand in for a body field");
    server.get("/links?order=asc&page=1&utm=x", &token).await.expect(200);
    // Fields that only answers have are refused as well: a client that sends them wants to change them.
    let path = format!("/links/{id}");
    let patched = server.call("PATCH", &path, &token, json!({ "id": "x", "clickCount": 9, "slug": "y" })).await;
    assert_eq!(patched.expect(400).violations(), ["id", "clickCount"]);
    assert_eq!(server.get(&path, &token).await.json(), answer.json());
}

#[on_each_database]
async fn a_change_leaves_alone_what_is_absent(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let before = server.link(&token, "before").await;
    let path = format!("/links/{}", before["id"].as_str().unwrap());
    server.clock.advance(5);
    let same = server.call("PATCH", &path, &token, json!({ "isActive": true })).await.expect(200).json();
    for field in FIELDS.iter().filter(|field| **field != "updatedAt") {
        assert_eq!(same[field], before[field], "{field}");
    }
    assert!(same["updatedAt"].as_str() > before["updatedAt"].as_str());
    let off = server.call("PATCH", &path, &token, json!({ "isActive": false })).await.expect(200).json();
    assert_eq!((&off["isActive"], &off["slug"]), (&json!(false), &json!("before")));
    let all = json!({ "destinationUrl": "https://example.org/", "slug": "after", "isActive": true });
    let after = server.call("PATCH", &path, &token, all).await.expect(200).json();
    assert_eq!(
        (&after["destinationUrl"], &after["shortUrl"], &after["isActive"], &after["createdAt"]),
        (&json!("https://example.org/"), &json!("http://sho.rt/after"), &json!(true), &before["createdAt"])
    );
    // The old slug is free: for others too.
    let bob = server.register("bob").await;
    server.link(&bob, "before").await;
    let same = server.call("PATCH", &path, &token, json!({ "slug": "after" })).await.expect(200).json();
    assert_eq!(same["slug"], "after", "its own slug is no conflict");
}

#[on_each_database]
async fn a_deleted_link_is_gone_and_its_slug_is_free(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let id = server.link(&token, "gone").await["id"].as_str().unwrap().to_owned();
    let path = format!("/links/{id}");
    let answer = server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    assert_eq!(answer.text, "");
    for method in ["DELETE", "GET"] {
        assert_eq!(server.call(method, &path, &token, Json::Null).await.expect(404).code(), "NOT_FOUND");
    }
    server.call("PATCH", &path, &token, json!({ "isActive": true })).await.expect(404);
    server.get(&format!("/analytics/{id}"), &token).await.expect(404);
    assert_eq!(server.get("/links", &token).await.json()["total"], 0);
    server.link(&token, "gone").await;
}

#[on_each_database]
async fn lists_are_paged_newest_first_with_true_totals(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let empty = server.get("/links", &token).await.expect(200).json();
    assert_eq!(empty, json!({ "data": [], "total": 0, "page": 1, "pageSize": 20, "totalPages": 0 }));
    fill(&server, &token, 41).await;
    let first = server.get("/links", &token).await.expect(200).json();
    assert_eq!(keys(&first), ["data", "total", "page", "pageSize", "totalPages"]);
    assert_eq!((slugs(&first)[0], slugs(&first)[19]), ("s40", "s21"));
    let counted = |page: &Json| (page["total"].clone(), page["totalPages"].clone(), slugs(page).len());
    assert_eq!(counted(&first), (json!(41), json!(3), 20));
    let last = server.get("/links?page=3", &token).await.json();
    assert_eq!((slugs(&last), &last["page"]), (vec!["s0"], &json!(3)));
    for past in ["page=4", "page=2147483647&pageSize=100", "page=2&pageSize=41"] {
        let page = server.get(&format!("/links?{past}"), &token).await.expect(200).json();
        assert_eq!((slugs(&page).len(), &page["total"]), (0, &json!(41)), "{past}");
    }
    assert_eq!(counted(&server.get("/links?pageSize=41", &token).await.json()), (json!(41), json!(1), 41));
    assert_eq!(counted(&server.get("/links?pageSize=100", &token).await.json()), (json!(41), json!(1), 41));
    for (query, path) in [
        ("page=0", "page"),
        ("page=-1", "page"),
        ("page=x", "page"),
        ("page=1.5", "page"),
        ("page=2147483648", "page"),
        ("page=", "page"),
        ("page=1&page=2", "page"),
        ("pageSize=0", "pageSize"),
        ("pageSize=101", "pageSize"),
        ("pageSize=ten", "pageSize"),
        ("isActive=1", "isActive"),
    ] {
        assert_eq!(server.get(&format!("/links?{query}"), &token).await.expect(400).violations(), [path], "{query}");
    }
}

/// Whatever the page size, the pages put together are the list.
#[on_each_database]
async fn pages_put_together_are_the_list(database: TestDatabase) {
    const LINKS: usize = 137;
    let server = database.start().await;
    let token = server.register("alice").await;
    fill(&server, &token, LINKS).await;
    let expected: Vec<String> = (0..LINKS).rev().map(|n| format!("s{n}")).collect();
    let mut runner = TestRunner::new(Config { cases: 12, failure_persistence: None, ..Config::default() });
    let pages = async |size: usize| {
        let mut found = Vec::new();
        for number in 1.. {
            let page = server.get(&format!("/links?page={number}&pageSize={size}"), &token).await.expect(200).json();
            assert_eq!((&page["total"], &page["totalPages"]), (&json!(LINKS), &json!(LINKS.div_ceil(size))));
            if slugs(&page).is_empty() {
                return (found, number - 1);
            }
            found.extend(slugs(&page).into_iter().map(str::to_owned));
        }
        unreachable!()
    };
    let outcome = runner.run(&(5_usize..=100), |size| {
        let (found, number) = block_in_place(|| Handle::current().block_on(pages(size)));
        proptest::prop_assert_eq!(number, LINKS.div_ceil(size));
        proptest::prop_assert_eq!(&found, &expected);
        Ok(())
    });
    outcome.unwrap();
}

#[on_each_database]
async fn a_search_takes_every_character_literally_and_no_case(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    for (slug, url, is_active) in [
        ("Summer-SALE", "https://example.com/", true),
        ("a_b", "https://example.com/1", true),
        ("axb", "https://example.com/2", false),
        ("percent", "https://example.com/?off=50%25", true),
        ("fifty", "https://example.com/?off=50x25", false),
        ("back", "https://example.com/?p=c\\d", true),
        ("plain", "https://Sale.example/Path", false),
    ] {
        let body = json!({ "destinationUrl": url, "slug": slug, "isActive": is_active });
        create(&server, &token, body).await.expect(201);
    }
    let bob = server.register("bob").await;
    server.link(&bob, "bobs-sale").await;
    for (query, expected) in [
        ("search=sale", vec!["plain", "Summer-SALE"]),
        ("search=SALE", vec!["plain", "Summer-SALE"]),
        ("search=path", vec!["plain"]),
        ("search=a_b", vec!["a_b"]),
        ("search=50%25", vec!["percent"]),
        ("search=%25", vec!["percent"]),
        ("search=_", vec!["a_b"]),
        ("search=%5C", vec!["back"]),
        ("search=c%5Cd", vec!["back"]),
        ("search=%5C%25", vec![]),
        ("search='", vec![]),
        ("search=sale&isActive=true", vec!["Summer-SALE"]),
        ("search=sale&isActive=false", vec!["plain"]),
        ("isActive=false", vec!["plain", "fifty", "axb"]),
        ("isActive=true&pageSize=2&page=2", vec!["a_b", "Summer-SALE"]),
        ("search=%00", vec![]),
        ("search=sale%00", vec![]),
        ("search=b%C3%BCcher", vec![]),
    ] {
        let page = server.get(&format!("/links?{query}"), &token).await.json();
        assert!(page["data"].is_array(), "{query}: {page}");
        assert_eq!(slugs(&page), expected, "{query}");
        if !query.contains("page=") {
            assert_eq!(page["total"], expected.len(), "{query}");
        }
    }
    assert_eq!(server.get("/links?search=", &token).await.expect(200).json()["total"], 7);
    let long = "é".repeat(201);
    assert_eq!(server.get(&format!("/links?search={long}"), &token).await.expect(400).violations(), ["search"]);
    server.get(&format!("/links?search={}", "é".repeat(200)), &token).await.expect(200);
}
