//! Lists of accounts with many links, which are answered by an index: they equal what a look at each link tells, whatever has changed since.

use linkgraph::base::clock::HOUR;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{TestDatabase, TestServer, eventually, process::operate, setting},
};

/// Links that an account has from the beginning: enough for an index of three blocks.
const LINKS: usize = 5_000;
/// Parts of blocks that so many links have.
const PARTS: i64 = 9;
/// Texts of titles, in lower case as `search_text` has them.
const TITLES: [&str; 8] = [
    "webinar – q3 campaign",
    "q3 „straße“ 100 %",
    "i\u{307}stanbul ısparta",
    "ὀδυσσεύς 🦀 under_score",
    "back\\slash \"quoted words\" end",
    "summer sale",
    "summer-sale/2026 & more",
    "q",
];

/// Gives the only account links, as an earlier version would have stored them.
async fn fill(database: &TestDatabase) {
    let connection = database.connect().await;
    let (id, account) = match database.url {
        Some(_) => ("CAST(lpad(to_hex(n), 32, '0') AS uuid)", "(SELECT id FROM accounts)"),
        None => ("unhex(printf('%032x', n))", "(SELECT id FROM accounts)"),
    };
    let title = |n: &str| {
        let cases: Vec<String> =
            TITLES.iter().enumerate().map(|(index, title)| format!("WHEN {index} THEN '{title}'")).collect();
        format!("CASE {n} % 9 {} END", cases.join(" "))
    };
    let numbers = format!("WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {LINKS})");
    for statement in [
        format!(
            "INSERT INTO links (id, account_id, host, slug, destination_url, is_active, click_count, created_at, updated_at, \
             starts_at, expires_at, archived_at, title, search_text) {numbers} SELECT {id}, {account}, '', 'S' || n, \
             'https://www.example.com/Page/' || (n % 7) || '?id=' || n, n % 5 > 0, n % 100, n, n, \
             CASE WHEN n % 11 = 0 THEN CAST(4000000000000 AS bigint) END, CASE WHEN n % 13 = 0 THEN 1000 END, \
             CASE WHEN n % 17 = 0 THEN 1000 END, {}, {} FROM n",
            title("n"),
            title("n")
        ),
        format!("UPDATE accounts SET link_count = {LINKS}"),
    ] {
        connection.execute_unprepared(&statement).await.unwrap();
    }
    connection.close().await.unwrap();
}

/// Waits until lists are answered by the index, and it has most changes.
async fn is_indexed(server: &TestServer, database: &TestDatabase, token: &str) {
    eventually("the links are indexed", async || {
        server.get("/links?search=anything", token).await.expect(200);
        let parts = database.number("SELECT count(*) FROM link_blocks").await;
        let changes = database.number("SELECT count(*) FROM link_changes").await;
        (parts >= PARTS && changes < 256).then_some(())
    })
    .await;
}

/// All links of the account, the newest first, as an export reads them: without the index.
async fn all(server: &TestServer, token: &str) -> Vec<Json> {
    let mut all = Vec::new();
    for is_archived in [false, true] {
        let path = format!("/links/export?format=jsonl&isArchived={is_archived}");
        let lines = server.get(&path, token).await.expect(200).text;
        all.extend(lines.lines().map(|line| {
            let mut link: Json = serde_json::from_str(line).unwrap();
            link["isArchived"] = is_archived.into();
            link
        }));
    }
    all.sort_by(|one, other| other["id"].as_str().cmp(&one["id"].as_str()));
    all
}

/// A filter, as a query and as it is meant.
#[derive(Clone, Debug, Default)]
struct Filter {
    words: Vec<String>,
    tag: Option<&'static str>,
    is_active: Option<bool>,
    state: Option<&'static str>,
    is_archived: bool,
}

impl Filter {
    fn random(random: &mut StdRng) -> Self {
        let words = [
            "q",
            "Q3",
            "webinar",
            "CAMPAIGN",
            "q3 campaign",
            "straße",
            "STRASSE",
            "İstanbul",
            "istanbul",
            "ıs",
            "ὀδυσσεύς",
            "🦀",
            "_",
            "%",
            "100 %",
            "\\",
            "back\\s",
            "words\" end",
            "summer",
            "summer-sale/2",
            "sale/2026 & m",
            "s1",
            "S49",
            "example.com/page/3",
            "page/3?id=1",
            "://www.",
            "id=4",
            "?",
            "7",
            "new",
            "tagged",
            "missing",
            "e",
            " ",
        ];
        let number = *[0, 1, 1, 1, 2, 3].choose(random).unwrap();
        Filter {
            words: words.choose_multiple(random, number).map(|word| (*word).to_owned()).collect(),
            tag: [None, None, None, Some("tagged"), Some("Other")].choose(random).copied().unwrap(),
            is_active: [None, None, None, Some(true), Some(false)].choose(random).copied().unwrap(),
            state: [
                None,
                None,
                Some("ACTIVE"),
                Some("INACTIVE"),
                Some("SCHEDULED"),
                Some("EXPIRED"),
                Some("USED_UP"),
                Some("BLOCKED"),
            ]
            .choose(random)
            .copied()
            .unwrap(),
            is_archived: random.random_ratio(1, 8),
        }
    }

    fn query(&self) -> String {
        // Phrases with a quote within can't be written.
        let written =
            self.words.iter().map(|word| if word.contains(' ') { format!("\"{word}\"") } else { word.clone() });
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("search", &written.collect::<Vec<_>>().join(" "));
        self.tag.iter().for_each(|tag| _ = query.append_pair("tags", tag));
        self.is_active.iter().for_each(|is| _ = query.append_pair("isActive", &is.to_string()));
        self.state.iter().for_each(|state| _ = query.append_pair("state", state));
        query.append_pair("isArchived", &self.is_archived.to_string());
        query.finish()
    }

    fn passes(&self, link: &Json) -> bool {
        let lower = |field: &str| link[field].as_str().unwrap_or_default().to_lowercase();
        let tags: Vec<String> =
            link["tags"].as_array().unwrap().iter().map(|tag| tag.as_str().unwrap().to_lowercase()).collect();
        let fields = ["slug", "destinationUrl", "title", "notes"].map(lower);
        self.words.iter().all(|word| fields.iter().chain(&tags).any(|field| field.contains(&word.to_lowercase())))
            && self.tag.is_none_or(|tag| tags.contains(&tag.to_lowercase()))
            && self.is_active.is_none_or(|is| link["isActive"] == is)
            && self.state.is_none_or(|state| link["state"] == state)
            && link["isArchived"] == self.is_archived
    }
}

/// Compares pages of a list with what each link tells.
async fn compare(server: &TestServer, token: &str, all: &[Json], random: &mut StdRng) {
    let mut filter = Filter::random(random);
    filter.words.retain(|word| !(word.contains('"') && word.contains(' ')));
    let mut expected: Vec<&Json> = all.iter().filter(|link| filter.passes(link)).collect();
    let sort = ["NEWEST", "OLDEST", "MOST_CLICKED"].choose(random).unwrap();
    match *sort {
        "OLDEST" => expected.reverse(),
        "MOST_CLICKED" => expected.sort_by_key(|link| std::cmp::Reverse(link["clickCount"].as_u64())),
        _ => {}
    }
    let size = random.random_range(1..=100_usize);
    let last = expected.len().div_ceil(size).max(1);
    for page in [1, random.random_range(1..=last), last, last + 1] {
        let query = format!("{}&sort={sort}&page={page}&pageSize={size}", filter.query());
        let answer = server.get(&format!("/links?{query}"), token).await.expect(200).json();
        assert_eq!(answer["total"], expected.len(), "{query}");
        let ids: Vec<&Json> = answer["data"].as_array().unwrap().iter().map(|link| &link["id"]).collect();
        let on_page: Vec<&Json> = expected.iter().skip((page - 1) * size).take(size).map(|link| &link["id"]).collect();
        assert_eq!(ids, on_page, "{query}");
    }
}

/// Changes links: a few as callers do, and sometimes many, as versions do that know nothing of the index.
async fn change(server: &TestServer, database: &TestDatabase, token: &str, random: &mut StdRng, round: usize) {
    let some = async |random: &mut StdRng| {
        let page = random.random_range(1..=40);
        let page = server.get(&format!("/links?pageSize=100&page={page}&sort=OLDEST"), token).await.expect(200).json();
        page["data"].as_array().unwrap().choose(random).unwrap()["id"].as_str().unwrap().to_owned()
    };
    let created = json!({
        "destinationUrl": format!("https://new.example/{round}/Page"), "title": format!("New {}", TITLES.choose(random).unwrap()),
        "notes": "Sommer\nschluss", "tags": ["tagged"], "maxClicks": 2, "slug": format!("new{round}"),
    });
    server.post("/links", token, created).await.expect(201);
    for _ in 0..2 {
        server.follow(&format!("new{round}")).await.expect(302);
    }
    for body in [
        json!({ "title": "Ein STRAẞE Webinar", "notes": "q3 campaign", "isActive": true }),
        json!({ "title": null, "notes": null, "tags": ["Tagged", "other"] }),
        json!({ "isArchived": true }),
        json!({ "isArchived": false, "startsAt": null, "expiresAt": null, "tags": [] }),
        json!({ "destinationUrl": "https://www.example.com/page/3?id=1&_%25", "expiresAt": linkgraph::base::clock::rfc3339(server.clock.now() + HOUR) }),
    ] {
        let link = some(random).await;
        server.call("PATCH", &format!("/links/{link}"), token, body).await;
    }
    let link = some(random).await;
    server.call("DELETE", &format!("/links/{link}"), token, Json::Null).await.expect(204);
    if round % 2 == 1 {
        let connection = database.connect().await;
        let from = random.random_range(0..4_000);
        for statement in [
            format!("UPDATE links SET is_active = NOT is_active WHERE created_at BETWEEN {from} AND {from} + 400"),
            format!("DELETE FROM links WHERE created_at = {from} + 10"),
            "UPDATE accounts SET link_count = (SELECT count(*) FROM links)".to_owned(),
        ] {
            connection.execute_unprepared(&statement).await.unwrap();
        }
        connection.close().await.unwrap();
        let slug = format!("new{}", round - 1);
        operate(database, &["links", "block", &format!("http://sho.rt/{slug}"), "--reason", "spam"]).await;
        let states = async || {
            all(server, token).await.into_iter().find(|link| link["slug"] == slug).map(|link| link["state"].clone())
        };
        eventually("the link is blocked", async || (states().await? == "BLOCKED").then_some(())).await;
    }
    server.clock.advance(HOUR / 2);
}

#[on_each_database]
async fn lists_by_the_index_equal_a_look_at_each_link(database: TestDatabase) {
    let seed = setting("LINKGRAPH_TEST_SEED", rand::random());
    println!("LINKGRAPH_TEST_SEED={seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let server =
        database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited"), ("LINKGRAPH_RATE_LIMITS", "off")]).await;
    let token = server.register("alice").await;
    fill(&database).await;
    is_indexed(&server, &database, &token).await;
    for round in 0..usize::try_from(setting("LINKGRAPH_SOAK_ROUNDS", 6)).unwrap() {
        change(&server, &database, &token, &mut random, round).await;
        let links = all(&server, &token).await;
        for _ in 0..10 {
            compare(&server, &token, &links, &mut random).await;
        }
        // Once more with the changes in the index.
        is_indexed(&server, &database, &token).await;
        for _ in 0..10 {
            compare(&server, &token, &links, &mut random).await;
        }
    }
}

/// A change that nobody noted is not found: lists look at no link that is not on their page.
#[on_each_database]
async fn lists_do_not_read_the_links_that_they_leave_out(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let token = server.register("alice").await;
    fill(&database).await;
    is_indexed(&server, &database, &token).await;
    let total =
        async |query: &str| server.get(&format!("/links?{query}"), &token).await.expect(200).json()["total"].clone();
    let queries =
        ["search=summer", "search=q", "state=EXPIRED", "isActive=false", "search=sale&state=ACTIVE", "page=52"];
    let mut before = Vec::new();
    for query in queries {
        before.push(total(query).await);
    }
    assert!(before.iter().all(|total| total.as_u64() > Some(10)), "{before:?}");
    let connection = database.connect().await;
    for statement in [
        "UPDATE links SET slug = 'x' || slug, search_text = 'x', destination_url = 'x', is_active = false, expires_at = 1, archived_at = 1 \
         WHERE created_at < 4990",
        "DELETE FROM link_changes",
    ] {
        connection.execute_unprepared(statement).await.unwrap();
    }
    connection.close().await.unwrap();
    for (query, before) in queries.iter().zip(before) {
        assert_eq!(total(query).await, before, "{query}");
    }
}

#[on_each_database]
async fn a_new_link_is_found_while_others_are_indexed(database: TestDatabase) {
    let server =
        database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited"), ("LINKGRAPH_RATE_LIMITS", "off")]).await;
    let token = server.register("alice").await;
    fill(&database).await;
    let total = async |search: String| {
        server.get(&format!("/links?search={search}"), &token).await.expect(200).json()["total"].clone()
    };
    for batch in 0..8 {
        let links: Vec<Json> = (0..100)
            .map(|n| json!({ "destinationUrl": format!("https://example.net/batch{batch}/{n}"), "slug": format!("b{batch}n{n}") }))
            .collect();
        let query = "mutation($input: CreateLinksInput!) { createLinks(input: $input) { results { link { id } } } }";
        let answer = server.graphql(&token, query, json!({ "input": { "links": links } })).await;
        assert!(answer["errors"].is_null(), "{answer}");
        assert_eq!(total(format!("example.net/batch{batch}/")).await, 100);
        assert_eq!(total(format!("b{batch}n7 batch{batch}")).await, 11);
    }
    assert_eq!(total("example.net".to_owned()).await, 800);
    is_indexed(&server, &database, &token).await;
    assert_eq!(total("example.net".to_owned()).await, 800);
}

#[on_each_database]
async fn a_deleted_account_leaves_no_index(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let token = server.register("alice").await;
    fill(&database).await;
    is_indexed(&server, &database, &token).await;
    server.leave(&token).await.expect(204);
    eventually("the links are deleted", async || (database.links().await == 0).then_some(())).await;
    for table in ["link_indexes", "link_blocks", "link_changes"] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
}
