//! The life of links: what becomes of a request before it begins, while it lasts, and after it ended.

use linkgraph::base::clock::{Clock, DAY, HOUR, MINUTE, rfc3339};
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, BROWSER, Http, TestDatabase,
        dns::TestDns,
        domains::hosts,
        eventually,
        process::binary,
        receiver::{Receiver, id},
    },
};

const BOT: &str = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)";

/// How a visitor asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    Browser,
    Head,
    Prefetch,
    Bot,
    Form,
}

const ASKS: [Ask; 5] = [Ask::Head, Ask::Prefetch, Ask::Bot, Ask::Browser, Ask::Form];

async fn ask(http: &Http, host: &str, slug: &str, ask: Ask) -> Answer {
    let method = match ask {
        Ask::Head => Method::HEAD,
        Ask::Form => Method::POST,
        _ => Method::GET,
    };
    let mut request = http.request(method, &format!("/{slug}")).header("host", host);
    request = request.header("user-agent", if ask == Ask::Bot { BOT } else { BROWSER });
    if ask == Ask::Prefetch {
        request = request.header("sec-purpose", "prefetch");
    }
    http.send(request).await
}

/// The answer to a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The destination.
    Redirect,
    /// The destination, after a form.
    SeeOther,
    /// The page that asks.
    Page,
    /// The URL for after the end.
    Over,
    Gone,
    NotFound,
    /// A form is not taken here: 405, or what the API answers.
    NoForm,
}

fn outcome(answer: &Answer) -> Outcome {
    match (answer.status.as_u16(), answer.header("location")) {
        (302, "https://example.com/over") => Outcome::Over,
        (302, "https://example.com/there") => Outcome::Redirect,
        (303, "https://example.com/there") => Outcome::SeeOther,
        (200, "") => Outcome::Page,
        (410, "") => Outcome::Gone,
        (404, "") => Outcome::NotFound,
        (405, "") => Outcome::NoForm,
        _ => panic!("{answer:?}"),
    }
}

/// Creates a link through GraphQL or REST.
async fn create(server: &Http, token: &str, through_graphql: bool, input: Json) -> Json {
    if !through_graphql {
        return server.post("/links", token, input).await.expect(201).json();
    }
    let query = "mutation($input: CreateLinkInput!) { createLink(input: $input) { id state usedClicks } }";
    let answer = server.graphql(token, query, json!({ "input": input })).await;
    assert!(answer["errors"].is_null(), "{answer}");
    answer["data"]["createLink"].clone()
}

/// One order of decisions on every kind of host: disabled, not begun, inactive, ended, counted.
#[on_each_database]
async fn a_request_is_judged_by_the_life_of_the_link_on_every_host(database: TestDatabase) {
    use Outcome::*;
    let dns = TestDns::start().await;
    let server_name = dns.setting();
    let settings = [
        ("LINKGRAPH_SUBDOMAIN_HOST", "sho.rt"),
        ("LINKGRAPH_DNS_SERVER", server_name.as_str()),
        ("LINKGRAPH_DEFAULT_PLAN", "unlimited"),
    ];
    let server = database.start_with(&settings).await;
    let token = server.register("ada").await;
    let hosts = hosts(&server, &token, &dns).await;
    let now = server.clock.now();
    let (past, future) = (rfc3339(now - HOUR), rfc3339(now + HOUR));
    let over = "https://example.com/over";
    // In the order of `ASKS`: HEAD, prefetch, bot, browser, form.
    let plain = [Redirect, Redirect, Redirect, Redirect, NoForm];
    let ended = [[Gone; 5], [Over; 5]];
    let table = [
        ("plain", json!({}), "ACTIVE", plain),
        ("begun", json!({ "startsAt": past }), "ACTIVE", plain),
        ("scheduled", json!({ "startsAt": future }), "SCHEDULED", [NotFound; 5]),
        ("lasting", json!({ "startsAt": past, "expiresAt": future, "expiredUrl": over }), "ACTIVE", plain),
        ("expired", json!({ "expiresAt": past }), "EXPIRED", ended[0]),
        ("led-on", json!({ "expiresAt": past, "expiredUrl": over }), "EXPIRED", ended[1]),
        (
            "off",
            json!({ "isActive": false, "expiresAt": past }),
            "INACTIVE",
            [NotFound, NotFound, NotFound, NotFound, NoForm],
        ),
        (
            "off-soon",
            json!({ "isActive": false, "startsAt": future, "maxClicks": 1 }),
            "INACTIVE",
            [NotFound, NotFound, NotFound, NotFound, NoForm],
        ),
        ("few", json!({ "maxClicks": 2 }), "ACTIVE", [Page, Page, Page, Redirect, SeeOther]),
        ("once", json!({ "maxClicks": 1 }), "ACTIVE", [Page, Page, Page, Page, SeeOther]),
        ("few-expired", json!({ "maxClicks": 2, "expiresAt": past, "expiredUrl": over }), "EXPIRED", ended[1]),
        ("few-soon", json!({ "maxClicks": 2, "startsAt": future }), "SCHEDULED", [NotFound; 5]),
        ("blocked", json!({ "maxClicks": 2, "expiresAt": past, "expiredUrl": over }), "BLOCKED", [Gone; 5]),
    ];
    for (number, host) in hosts.iter().enumerate() {
        for (slug, life, state, outcomes) in &table {
            let mut input = json!({ "destinationUrl": "https://example.com/there", "slug": slug, "domain": host });
            input.as_object_mut().unwrap().extend(life.as_object().unwrap().clone());
            let created = create(&server, &token, number % 2 == 1, input).await;
            if *slug == "blocked" {
                let block = ["links", "block", &format!("{host}/blocked"), "--reason", "test"];
                assert!(binary(&database, &settings, &block).await.status.success());
                let shown = async || server.get(&format!("/links/{}", id(&created)), &token).await.json();
                eventually("it is blocked", async || (shown().await["state"] == *state).then_some(())).await;
            } else {
                assert_eq!(created["state"], *state, "{slug} at {host}");
            }
            // From the row, and once more from memory: what a visitor used up is the last question of each round.
            for (ask_as, outcome_of) in ASKS.into_iter().zip(outcomes) {
                let answer = ask(&server, host, slug, ask_as).await;
                if ask_as == Ask::Form && *outcome_of == NoForm {
                    assert!([404, 405].contains(&answer.status.as_u16()), "{slug} at {host}: {answer:?}");
                    continue;
                }
                assert_eq!(outcome(&answer), *outcome_of, "{slug} at {host} as {ask_as:?}");
                assert_eq!(answer.header("location").is_empty(), !answer.status.is_redirection());
                assert!(!answer.text.contains("example.com"), "a page tells where the link leads: {answer:?}");
            }
        }
        for (slug, used) in [("few", 2), ("once", 1)] {
            let page = server.get(&format!("/links?search={slug}&domain={host}"), &token).await.json();
            let link = page["data"].as_array().unwrap().iter().find(|link| link["slug"] == slug).unwrap().clone();
            assert_eq!((&link["state"], &link["usedClicks"]), (&json!("USED_UP"), &json!(used)));
            for ask_as in ASKS {
                assert_eq!(outcome(&ask(&server, host, slug, ask_as).await), Gone, "{slug} as {ask_as:?}");
            }
        }
    }
}

/// Times are compared at each request: nothing has to happen in between.
#[on_each_database]
async fn a_link_begins_and_ends_by_itself_and_its_end_is_told_once(database: TestDatabase) {
    let receiver = Receiver::start().await;
    let server = database.start_with(&[("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")]).await;
    let token = server.register("ada").await;
    let events = ["link.expired", "link.used_up"];
    server.webhook(&token, &receiver.url("/"), &events).await;
    let now = server.clock.now();
    let link = async |slug: &str, life: Json| {
        let mut input = json!({ "destinationUrl": "https://example.com/there", "slug": slug });
        input.as_object_mut().unwrap().extend(life.as_object().unwrap().clone());
        create(&server, &token, false, input).await
    };
    let times = json!({ "startsAt": rfc3339(now + HOUR), "expiresAt": rfc3339(now + 2 * HOUR) });
    let timed = link("timed", times).await;
    let longer = link("longer", json!({ "expiresAt": rfc3339(now + HOUR) })).await;
    link("unlimited", json!({ "expiresAt": rfc3339(now + 2 * HOUR) })).await;
    link("few", json!({ "maxClicks": 2 })).await;
    let body = json!({ "expiresAt": rfc3339(now + 3 * DAY) });
    server.call("PATCH", &format!("/links/{}", id(&longer)), &token, body).await.expect(200);
    let path = format!("/links/{}", id(&timed));
    let state = async || server.get(&path, &token).await.expect(200).json()["state"].clone();
    let follow = async |slug: &str| outcome(&ask(&server, "sho.rt", slug, Ask::Browser).await);

    assert_eq!((follow("timed").await, state().await), (Outcome::NotFound, json!("SCHEDULED")));
    server.clock.advance(HOUR + 1_000);
    assert_eq!((follow("timed").await, state().await), (Outcome::Redirect, json!("ACTIVE")));
    assert_eq!(follow("longer").await, Outcome::Redirect);
    server.clock.advance(HOUR);
    assert_eq!((follow("timed").await, state().await), (Outcome::Gone, json!("EXPIRED")));
    assert_eq!(
        [follow("few").await, follow("few").await, follow("few").await].map(|it| it == Outcome::Redirect),
        [true, true, false]
    );
    server.clock.advance(5 * MINUTE);

    let told = receiver.wait("/", 3).await;
    let mut told: Vec<_> = told
        .iter()
        .map(|arrived| {
            let event: Json = serde_json::from_str(&arrived.body).unwrap();
            let data = &event["data"];
            [&event["type"], &data["slug"], &data["state"], &data["usedClicks"]].map(|it| it.to_string()).join(" ")
        })
        .collect();
    told.sort();
    let expired = |slug| format!(r#""link.expired" "{slug}" "EXPIRED" null"#);
    assert_eq!(told, [expired("timed"), expired("unlimited"), r#""link.used_up" "few" "USED_UP" 2"#.to_owned()]);
    // Each once, and none for what was put off.
    server.clock.advance(DAY);
    let now = server.clock.now();
    let next = "SELECT run_at FROM jobs WHERE kind = 'announce_expired_links'";
    eventually("the job has run again", async || (database.number(next).await > now).then_some(())).await;
    let events = "SELECT count(*) FROM outbox_events WHERE kind IN ('link.expired', 'link.used_up')";
    assert_eq!(database.number(events).await, 3);
    server.clock.advance(3 * DAY);
    let last = receiver.wait("/", 4).await.pop().unwrap();
    assert!(last.body.contains(r#""slug":"longer""#), "{}", last.body);
}

#[on_each_database]
async fn a_life_is_changed_and_taken_away(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let now = server.clock.now();
    let at = |hours: i64| rfc3339(now + hours * HOUR);
    let input = json!({
        "destinationUrl": "https://example.com/there", "slug": "a", "startsAt": at(-2), "expiresAt": at(2),
        "expiredUrl": "https://example.com/over", "maxClicks": 3,
    });
    let link = create(&server, &token, false, input).await;
    let path = format!("/links/{}", id(&link));
    let shown = async || server.get(&path, &token).await.expect(200).json();
    let patch = async |body: Json| server.call("PATCH", &path, &token, body).await;
    let follow = async || outcome(&ask(&server, "sho.rt", "a", Ask::Browser).await);
    assert_eq!(follow().await, Outcome::Redirect);

    let counted = async || Some(shown().await).filter(|link| link["clickCount"] == 1);
    let before = eventually("the click is counted", counted).await;
    // A refused change changes nothing.
    assert_eq!((&before["usedClicks"], &before["maxClicks"]), (&json!(1), &json!(3)));
    for (body, path) in [
        (json!({ "expiresAt": at(-3) }), "expiresAt"),
        (json!({ "expiresAt": at(-2) }), "expiresAt"),
        (json!({ "startsAt": at(2) }), "startsAt"),
        (json!({ "startsAt": at(5), "expiresAt": at(4) }), "expiresAt"),
        (json!({ "maxClicks": 0 }), "maxClicks"),
        (json!({ "maxClicks": 1_000_001 }), "maxClicks"),
        (json!({ "expiredUrl": "ftp://example.com/" }), "expiredUrl"),
        (json!({ "expiredUrl": "http://sho.rt/b" }), "expiredUrl"),
        (json!({ "expiredUrl": "" }), "expiredUrl"),
        (json!({ "startsAt": "soon" }), "startsAt"),
        (json!({ "slug": null }), "slug"),
        (json!({ "maxClicks": 5, "isArchived": null }), "isArchived"),
    ] {
        let answer = patch(body.clone()).await.expect(400);
        assert_eq!(answer.violations(), [path], "{body}");
        assert_eq!(shown().await, before, "{body}");
    }
    let mutation = "mutation($id: ID!, $input: UpdateLinkInput!) { updateLink(id: $id, input: $input) { id } }";
    let input = json!({ "isActive": null, "startsAt": at(-1) });
    let refused = server.graphql(&token, mutation, json!({ "id": link["id"], "input": input })).await;
    assert_eq!(refused["errors"][0]["extensions"]["code"], "VALIDATION_ERROR", "{refused}");
    assert_eq!(shown().await, before);

    // What is absent stays.
    let after = patch(json!({ "isActive": true })).await.expect(200).json();
    for field in ["startsAt", "expiresAt", "expiredUrl", "maxClicks", "usedClicks", "isArchived", "state"] {
        assert_eq!(after[field], before[field], "{field}");
    }

    // The used clicks stay when the limit changes; a link whose new limit they reach is used up.
    assert_eq!(patch(json!({ "maxClicks": 1 })).await.expect(200).json()["state"], "USED_UP");
    assert_eq!(follow().await, Outcome::Over);
    let more = patch(json!({ "maxClicks": 2 })).await.expect(200).json();
    assert_eq!((&more["state"], &more["usedClicks"]), (&json!("ACTIVE"), &json!(1)));
    assert_eq!([follow().await, follow().await], [Outcome::Redirect, Outcome::Over]);

    // Taken away, the link is as it would be without.
    let cleared = patch(json!({ "maxClicks": null })).await.expect(200).json();
    assert_eq!(
        (&cleared["maxClicks"], &cleared["usedClicks"], &cleared["state"]),
        (&Json::Null, &Json::Null, &json!("ACTIVE"))
    );
    assert_eq!(follow().await, Outcome::Redirect);
    assert_eq!(patch(json!({ "maxClicks": 1 })).await.expect(200).json()["usedClicks"], 0);
    let input = json!({ "maxClicks": null, "startsAt": null, "expiredUrl": null, "expiresAt": at(-1) });
    let answer = server
        .graphql(
            &token,
            &mutation.replace("{ id }", "{ state startsAt expiredUrl }"),
            json!({ "id": link["id"], "input": input }),
        )
        .await;
    assert_eq!(
        answer["data"]["updateLink"],
        json!({ "state": "EXPIRED", "startsAt": null, "expiredUrl": null }),
        "{answer}"
    );
    assert_eq!(follow().await, Outcome::Gone);
    assert_eq!(patch(json!({ "expiresAt": null })).await.expect(200).json()["state"], "ACTIVE");
    assert_eq!(follow().await, Outcome::Redirect);
    assert_eq!(database.number("SELECT count(*) FROM link_limits").await, 0);
}

#[on_each_database]
async fn of_several_new_links_each_has_its_own_life_or_error(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let now = server.clock.now();
    let (past, future) = (rfc3339(now - HOUR), rfc3339(now + HOUR));
    let with = |life: Json| {
        let mut link = json!({ "destinationUrl": "https://example.com/" });
        link.as_object_mut().unwrap().extend(life.as_object().unwrap().clone());
        link
    };
    let links = json!([
        with(json!({ "maxClicks": 7, "expiredUrl": "https://example.com/over" })),
        with(json!({ "maxClicks": 0 })),
        with(json!({ "maxClicks": 1_000_001, "expiredUrl": "x" })),
        with(json!({ "startsAt": future, "expiresAt": past })),
        with(json!({ "startsAt": past, "expiresAt": past })),
        with(json!({ "startsAt": past, "expiresAt": future })),
        with(json!({ "expiredUrl": "http://sho.rt/x" })),
    ]);
    let answer = server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200).json();
    let results = answer["results"].as_array().unwrap();
    let paths = |result: &Json| -> Vec<String> {
        let violations = result["error"]["validationErrors"].as_array().cloned().unwrap_or_default();
        violations.iter().map(|violation| violation["path"].as_str().unwrap().to_owned()).collect()
    };
    let expected: [&[&str]; 7] =
        [&[], &["maxClicks"], &["expiredUrl", "maxClicks"], &["expiresAt"], &["expiresAt"], &[], &["expiredUrl"]];
    assert_eq!(results.iter().map(paths).collect::<Vec<_>>(), expected);
    assert_eq!((&results[0]["link"]["maxClicks"], &results[0]["link"]["usedClicks"]), (&json!(7), &json!(0)));
    assert_eq!(results[5]["link"]["expiresAt"], future);
    assert_eq!(database.links().await, 2);
    assert_eq!(database.number("SELECT count(*) FROM link_limits").await, 1);
    let path = format!("/links/{}", id(&results[0]["link"]));
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    assert_eq!(database.number("SELECT count(*) FROM link_limits").await, 0);
}

#[on_each_database]
async fn archived_links_redirect_and_are_left_out_of_lists(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let mut ids = Vec::new();
    for slug in ["a", "b", "c"] {
        ids.push(id(&server.link(&token, slug).await).to_owned());
    }
    let archive = async |id: &str, is_archived: bool| {
        let body = json!({ "isArchived": is_archived });
        let answer = server.call("PATCH", &format!("/links/{id}"), &token, body).await.expect(200).json();
        assert_eq!(answer["isArchived"], is_archived);
    };
    let listed = async |query: &str| {
        let page = server.get(&format!("/links?{query}"), &token).await.expect(200).json();
        let slugs: String =
            page["data"].as_array().unwrap().iter().map(|link| link["slug"].as_str().unwrap()).collect();
        (slugs, page["total"].as_i64().unwrap())
    };
    archive(&ids[1], true).await;
    archive(&ids[1], true).await;
    for (query, slugs) in [
        ("", "ca"),
        ("isArchived=false", "ca"),
        ("isArchived=true", "b"),
        ("sort=OLDEST", "ac"),
        ("sort=MOST_CLICKED", "ca"),
        ("sort=LAST_CLICKED&isArchived=true", "b"),
        ("search=example.com", "ca"),
        ("search=example.com&isArchived=true", "b"),
        ("isActive=true&sort=MOST_CLICKED", "ca"),
        ("isActive=false", ""),
        ("pageSize=1&page=2", "a"),
    ] {
        let total = if query.contains("page=2") { 2 } else { slugs.len() as i64 };
        assert_eq!(listed(query).await, (slugs.to_owned(), total), "{query}");
    }
    let both = "{ links(isArchived: null) { total data { slug isArchived } } }";
    let both = server.graphql(&token, both, json!({})).await;
    let flags: Vec<bool> =
        both["data"]["links"]["data"].as_array().unwrap().iter().map(|it| it["isArchived"] == true).collect();
    assert_eq!((&both["data"]["links"]["total"], flags), (&json!(3), vec![false, true, false]));
    server.follow("b").await.expect(302);
    archive(&ids[1], false).await;
    assert_eq!(listed("").await, ("cba".to_owned(), 3));
}

/// Nobody waits for the end of what had ended before it was made: an import makes many of those.
#[on_each_database]
async fn what_expired_before_it_was_made_is_not_told(database: TestDatabase) {
    let clock = Clock::default();
    let server = database.start_at(&[], clock).await;
    let token = server.register("ada").await;
    let done = async || {
        database.number("SELECT count(*) FROM jobs WHERE kind = 'announce_expired_links' AND run_at > 0").await
    };
    eventually("the job has run", async || (done().await == 1).then_some(())).await;
    let input = json!({ "destinationUrl": "https://example.com/", "expiresAt": rfc3339(server.clock.now() - DAY) });
    server.post("/links", &token, input).await.expect(201);
    server.clock.advance(2 * HOUR);
    let next = "SELECT run_at FROM jobs WHERE kind = 'announce_expired_links'";
    let now = server.clock.now();
    eventually("the job has run again", async || (database.number(next).await > now).then_some(())).await;
    assert_eq!(database.events("link.expired").await, 0);
}

/// A job whose end can't be stored is done again when its lease ends.
#[on_each_database]
async fn a_used_up_limit_is_told_once_however_often_its_job_is_done(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let input = json!({ "destinationUrl": "https://example.com/there", "slug": "few", "maxClicks": 2 });
    create(&server, &token, false, input).await;
    database.refuse("DELETE", "jobs", "TRUE").await;
    for _ in 0..2 {
        server.follow("few").await.expect(302);
    }
    eventually("it is told", async || (database.events("link.used_up").await > 0).then_some(())).await;
    let lease = "SELECT coalesce(max(leased_until), 0) FROM jobs WHERE kind = 'announce_used_up_link'";
    let first = database.number(lease).await;
    assert!(first > 0, "the job is gone");
    eventually("the job is done again", async || {
        server.clock.advance(MINUTE);
        (database.number(lease).await > first).then_some(())
    })
    .await;
    database.allow("jobs").await;
    eventually("the job is gone", async || {
        server.clock.advance(MINUTE);
        let jobs = database.jobs("announce_used_up_link").await;
        (jobs == 0).then_some(())
    })
    .await;
    assert_eq!(database.events("link.used_up").await, 1);
}

/// A worker that is suspended after it claimed the job finds that another worker has continued it.
#[on_each_database]
async fn ends_that_another_worker_has_told_are_not_told_again(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let now = server.clock.now();
    for (slug, end) in [("told", now + MINUTE), ("later", now + 2 * HOUR)] {
        let input = json!({ "destinationUrl": "https://example.com/", "slug": slug, "expiresAt": rfc3339(end) });
        create(&server, &token, false, input).await;
    }
    // A claim within the next hour sets the progress that the other worker reached: all expiries of half an hour are announced.
    let theirs = format!(r#"{{"done_until":{}}}"#, now + HOUR / 2);
    let is_claim = format!("NEW.kind = 'announce_expired_links' AND NEW.leased_until < {}", now + HOUR);
    let statements = if database.url.is_none() {
        vec![format!(
            "CREATE TRIGGER go_on AFTER UPDATE OF leased_until ON jobs WHEN {is_claim} \
             BEGIN UPDATE jobs SET payload = '{theirs}' WHERE id = NEW.id; END"
        )]
    } else {
        vec![
            format!(
                "CREATE FUNCTION go_on() RETURNS trigger LANGUAGE plpgsql AS $$ \
                 BEGIN NEW.payload := '{theirs}'; RETURN NEW; END $$"
            ),
            format!(
                "CREATE TRIGGER go_on BEFORE UPDATE OF leased_until ON jobs \
                 FOR EACH ROW WHEN ({is_claim}) EXECUTE FUNCTION go_on()"
            ),
        ]
    };
    let connection = database.connect().await;
    for statement in &statements {
        connection.execute_unprepared(statement).await.unwrap();
    }
    connection.close().await.unwrap();
    server.clock.advance(10 * MINUTE);
    let now = server.clock.now();
    let next = "SELECT run_at FROM jobs WHERE kind = 'announce_expired_links'";
    eventually("the job has run", async || (database.number(next).await > now).then_some(())).await;
    server.clock.advance(3 * HOUR);
    let told = "SELECT slug FROM outbox_events JOIN links ON links.id = subject_id WHERE kind = 'link.expired'";
    let told =
        eventually("an end is told", async || Some(database.texts(told).await).filter(|it| !it.is_empty())).await;
    assert_eq!(told, ["later"]);
}

/// While the job runs, it finds no link that expires. Then a link with an expiry is stored, and after it the end of the job.
#[on_each_database]
async fn an_end_that_the_job_did_not_see_is_told_within_two_minutes(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let next = "SELECT run_at FROM jobs WHERE kind = 'announce_expired_links'";
    let seen = eventually("the job has run", async || Some(database.number(next).await).filter(|at| *at > 0)).await;
    let end = rfc3339(server.clock.now() + MINUTE);
    create(&server, &token, false, json!({ "destinationUrl": "https://example.com/", "expiresAt": end })).await;
    let connection = database.connect().await;
    let store = format!("UPDATE jobs SET run_at = {seen} WHERE kind = 'announce_expired_links'");
    connection.execute_unprepared(&store).await.unwrap();
    connection.close().await.unwrap();
    server.clock.advance(3 * MINUTE);
    eventually("it is told", async || (database.events("link.expired").await == 1).then_some(())).await;
}
