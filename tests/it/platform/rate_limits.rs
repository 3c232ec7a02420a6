//! Rate limits: who is counted, by what, and how the counting ends.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use linkgraph::base::clock::MINUTE;
use reqwest::Method;
use serde_json::{Value as Json, json};

// `memory.rs` imports it from here.
pub(crate) use crate::support::limits::LIMITED;
use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, TestServer, eventually,
        limits::{
            assert_limited, exhaust, from, granted, graphql_code, is_the_quota, login, standing, takes_what_it_costs,
        },
        mail::mails,
    },
};

const BEHIND_PROXY: (&str, &str) = ("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1");

async fn exhaust_route(http: &Http, forwarded: &str, path: &str) {
    exhaust(10, 6_000, 400, async || from(http, forwarded, path, &json!({})).await).await;
}

async fn start(database: &TestDatabase, more: &[(&str, &str)]) -> TestServer {
    let settings: Vec<_> = [LIMITED].iter().chain(more).copied().collect();
    database.start_with(&settings).await
}

#[on_each_database]
async fn a_free_key_has_sixty_requests_a_minute(database: TestDatabase) {
    let server = start(&database, &[]).await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &["links:read"]).await;
    let other = server.api_key(&token, &["links:read"]).await;
    let powerless = server.api_key(&token, &[]).await;
    exhaust(60, 1_000, 200, async || server.get("/api/v1/links", &key).await).await;
    // The limit is the key's: not the route's, the account's or the user's.
    join_all((0..10).map(|_| server.get("/api/v1/links", &other))).await.into_iter().for_each(|answer| {
        answer.expect(200);
    });
    server.get("/links", &token).await.expect(200);
    // The credential comes before the limit, and the limit before the scope.
    exhaust(60, 1_000, 403, async || server.get("/api/v1/links", &powerless).await).await;
    assert_limited(&at_limit(async || server.get("/me", &powerless).await).await);
    let unknown = linkgraph::platform::auth::api_key::generate().unwrap_or_else(|_| panic!("no randomness")).text;
    server.get("/api/v1/links", &unknown).await.expect(401);
    server.get("/api/v1/links", &token).await.expect(401);
}

#[on_each_database]
async fn an_answer_says_how_its_caller_stands(database: TestDatabase) {
    let server = start(&database, &[BEHIND_PROXY]).await;
    let token = server.register("alice").await;
    server.link(&token, "spring").await;
    let key = server.api_key(&token, &["links:read"]).await;
    let answer = server.get("/api/v1/links", &key).await.expect(200);
    assert_eq!(answer.header("ratelimit-policy"), "\"default\";q=60;w=60");
    assert_eq!(answer.header("ratelimit"), "\"default\";r=59;t=1");
    // Aliases, and what fragments spread, are root fields; so is introspection.
    let query = "{ a: me { id } ...f ... { c: me { id } } __typename } fragment f on Query { b: me { id } }";
    let answer = server.post("/graphql", &key, json!({ "query": query })).await.expect(200);
    assert_eq!(answer.json()["data"].as_object().unwrap().len(), 4, "{answer:?}");
    assert!((55..=57).contains(&standing(&answer).1), "{answer:?}");
    // Refused for another reason is counted, too.
    assert_eq!(standing(&server.post("/api/v1/links", &key, json!({})).await.expect(403)).0, "default");

    let answer = from(&server, "203.0.113.1", "/auth/login", &json!({})).await.expect(400);
    assert_eq!(answer.header("ratelimit-policy"), "\"authentication\";q=10;w=60");
    assert_eq!(answer.header("ratelimit"), "\"authentication\";r=9;t=6");
    let reset = "resetPassword(input: { token: \"x\", password: \"long enough\" }) { message }";
    let query = format!("mutation {{ a: {reset} b: {reset} }}");
    let answer = from(&server, "203.0.113.1", "/graphql", &json!({ "query": query })).await.expect(200);
    assert_eq!(standing(&answer), ("authentication".to_owned(), 8, 12), "{answer:?}");
    // Where two policies counted, the answer shows the one with less remaining.
    let answer = from(&server, "203.0.113.1", "/auth/login", &login("alice@example.com", "wrong")).await.expect(401);
    assert_eq!(standing(&answer), ("login-failures".to_owned(), 4, 900), "{answer:?}");
    for answer in [
        server.get("/subdomain", &token).await.expect(404),
        server.post("/graphql", &token, json!({ "query": "{ subdomain { id } }" })).await.expect(200),
    ] {
        assert_eq!(standing(&answer).0, "subdomain", "{answer:?}");
    }

    assert_eq!(standing(&server.get("/links", &token).await.expect(200)).0, "api-cost");

    for answer in [
        server.follow("spring").await.expect(302),
        server.follow("nothing").await.expect(404),
        server.call("DELETE", "/links/nothing", &token, Json::Null).await.expect(404),
        server.get("/health", "").await.expect(200),
        server.get("/api/v1/links", "nonsense").await.expect(401),
    ] {
        assert!(!answer.headers.keys().any(|header| header.as_str().contains("ratelimit")), "{answer:?}");
        assert_eq!(answer.header("retry-after"), "");
    }
}

#[on_each_database]
async fn a_larger_plan_has_more_requests(database: TestDatabase) {
    let as_plan = async |plan: &str, quota: Option<u64>| {
        let server = start(&database, &[("LINKGRAPH_DEFAULT_PLAN", plan)]).await;
        let key = server.api_key(&server.register(plan).await, &[]).await;
        if let Some(quota) = quota {
            let since = server.clock.now();
            is_the_quota(granted(&server, &key, quota).await, quota, &server, since);
        } else {
            assert_eq!(server.get("/me", &key).await.expect(200).header("ratelimit-policy"), "");
        }
        server.stop().await;
    };
    as_plan("free", Some(60)).await;
    as_plan("pro", Some(600)).await;
    as_plan("business", Some(3_000)).await;
    as_plan("unlimited", None).await;
}

#[on_each_database]
async fn every_root_field_of_a_key_counts(database: TestDatabase) {
    let server = start(&database, &[]).await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &[]).await;
    let roots: Vec<String> = (0..20).map(|number| format!("m{number}: me {{ id }}")).collect();
    let query = json!({ "query": format!("{{ {} }}", roots.join(" ")) });
    // Three of these are sixty; what the time gives back is never as much as a fourth.
    for _ in 0..3 {
        let answer = server.post("/graphql", &key, query.clone()).await.json();
        assert_eq!(answer["data"].as_object().unwrap().len(), 20, "{answer}");
    }
    let answer = server.post("/graphql", &key, query.clone()).await;
    assert_eq!(graphql_code(&answer.json()), "RATE_LIMITED", "{answer:?}");
    assert!(answer.header("retry-after").parse::<u64>().unwrap() >= 1, "{answer:?}");
    assert_eq!(answer.json()["errors"][0]["extensions"]["retryAfter"].to_string(), answer.header("retry-after"));
    // REST counts in the same place.
    assert_limited(&at_limit(async || server.get("/me", &key).await).await);
    assert!(server.graphql(&token, query["query"].as_str().unwrap(), Json::Null).await.get("errors").is_none());
}

#[on_each_database]
async fn a_client_has_ten_tries_a_minute_at_each_route(database: TestDatabase) {
    let server = start(&database, &[BEHIND_PROXY]).await;
    server.register("alice").await;
    for path in ["/auth/login", "/auth/forgot-password", "/auth/reset-password", "/auth/register"] {
        exhaust_route(&server, "203.0.113.1", path).await;
        // Another client, and one that pretends to be the first.
        from(&server, "203.0.113.2", path, &json!({})).await.expect(400);
        from(&server, "203.0.113.1, 203.0.113.2", path, &json!({})).await.expect(400);
    }
    // IPv6 clients choose addresses within their /64.
    let mut host = 0;
    exhaust(10, 6_000, 400, async || {
        host += 1;
        from(&server, &format!("2001:db8:0:1:{host:x}::{host:x}"), "/auth/login", &json!({})).await
    })
    .await;
    from(&server, "2001:db8:0:2::1", "/auth/login", &json!({})).await.expect(400);
    // An IPv4 address is the same client however it is written.
    assert_limited(&at_limit(async || from(&server, "::ffff:203.0.113.1", "/auth/login", &json!({})).await).await);
    from(&server, "203.0.113.3", "/auth/login", &login("alice@example.com", "alice's password")).await.expect(200);
}

/// A provider gives a customer a /48, and so 65,536 clients.
#[on_each_database]
async fn an_ipv6_network_has_ten_times_as_many(database: TestDatabase) {
    let server = start(&database, &[BEHIND_PROXY]).await;
    let path = "/auth/reset-password";
    let mut client = 0;
    exhaust(100, 600, 400, async || {
        client += 1;
        from(&server, &format!("2001:db8:1:{client:x}::1"), path, &json!({})).await
    })
    .await;
    let fresh = async |path: &str| from(&server, "2001:db8:1:ffff::1", path, &json!({})).await;
    let answer = at_limit(async || fresh(path).await).await;
    assert_eq!(answer.header("ratelimit-policy"), "\"authentication-network\";q=100;w=60");
    assert_limited(&answer);
    let query = json!({ "query": "mutation { resetPassword(input: { token: \"x\", password: \"x\" }) { message } }" });
    let mut codes = Vec::new();
    for _ in 0..5 {
        let answer = from(&server, "2001:db8:1:fffe::1", "/graphql", &query).await.json();
        codes.push(graphql_code(&answer).to_owned());
    }
    assert!(codes.contains(&"RATE_LIMITED".to_owned()), "{codes:?}");
    // Counted by operation, network and client: the response to a client with few requests reports the client's own limit.
    assert_eq!(standing(&fresh("/auth/register").await.expect(400)), ("authentication".to_owned(), 9, 6));
    from(&server, "2001:db8:2:1::1", path, &json!({})).await.expect(400);
    // One client of a network that asks on and on takes nothing from the others.
    exhaust(10, 6_000, 400, async || from(&server, "2001:db8:3:1::1", path, &json!({})).await).await;
    for _ in 0..100 {
        from(&server, "2001:db8:3:1::1", path, &json!({})).await;
    }
    from(&server, "2001:db8:3:2::1", path, &json!({})).await.expect(400);
}

#[on_each_database]
async fn nobody_else_is_believed_about_the_address(database: TestDatabase) {
    let server = start(&database, &[]).await;
    let mut client = 0;
    exhaust(10, 6_000, 400, async || {
        client += 1;
        from(&server, &format!("203.0.113.{client}"), "/auth/login", &json!({})).await
    })
    .await;
}

#[on_each_database]
async fn graphql_counts_tries_where_rest_does(database: TestDatabase) {
    let server = start(&database, &[BEHIND_PROXY]).await;
    let post = async |client: &str, aliases: usize| {
        let field = |number| {
            format!(
                "l{number}: login(input: {{ email: \"x{number}@example.com\", password: \"x\" }}) {{ accessToken }}"
            )
        };
        let fields: Vec<String> = (0..aliases).map(field).collect();
        let body = json!({ "query": format!("mutation {{ {} }}", fields.join(" ")) });
        from(&server, client, "/graphql", &body).await
    };
    let answer = post("203.0.113.1", 9).await.json();
    assert_eq!(graphql_code(&answer), "INVALID_CREDENTIALS", "{answer}");
    let answer = post("203.0.113.1", 4).await;
    assert_eq!(graphql_code(&answer.json()), "RATE_LIMITED", "aliases are tries: {answer:?}");
    assert!(answer.header("retry-after").parse::<u64>().unwrap() >= 1, "{answer:?}");
    assert_limited(&at_limit(async || from(&server, "203.0.113.1", "/auth/login", &json!({})).await).await);
    from(&server, "203.0.113.1", "/auth/forgot-password", &json!({})).await.expect(400);

    exhaust_route(&server, "203.0.113.2", "/auth/login").await;
    let answer = post("203.0.113.2", 2).await.json();
    assert_eq!(graphql_code(&answer), "RATE_LIMITED", "{answer}");
    // Eleven at once are too many for anybody, whatever the time: no wait is suggested, and none is counted.
    let answer = post("203.0.113.3", 11).await;
    assert_eq!(graphql_code(&answer.json()), "QUERY_TOO_COMPLEX", "{answer:?}");
    let extensions = &answer.json()["errors"][0]["extensions"];
    assert_eq!(extensions["details"], json!({ "limit": "authentication", "max": 10 }));
    assert_eq!((answer.header("retry-after"), &extensions["retryAfter"]), ("", &Json::Null));
    assert_eq!(standing(&answer).0, "api-cost", "no try is counted");
    exhaust_route(&server, "203.0.113.3", "/auth/login").await;
}

#[on_each_database]
async fn documents_are_limited_by_what_they_cost(database: TestDatabase) {
    let server = start(&database, &[BEHIND_PROXY, ("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &["links:read", "analytics:read"]).await;
    // As many values as there can be, of an account without links.
    let query = "{ links(pageSize: 100) { data { clicks(limit: 80) { data { id } } } } }";
    let ask = async |client: &str, credential: &str, query: &str| {
        let mut request = server.request(Method::POST, "/graphql").header("x-forwarded-for", client);
        if !credential.is_empty() {
            request = request.bearer_auth(credential);
        }
        let answer = server.send(request.json(&json!({ "query": query }))).await;
        (graphql_code(&answer.json()).to_owned(), answer)
    };
    // Asks until the first refusal; how often it was granted.
    let exhaust = async |client: &str, credential: &str, usual: &str| {
        for granted in 0_u64.. {
            let (code, answer) = ask(client, credential, query).await;
            if code == "RATE_LIMITED" {
                assert!(answer.header("retry-after").parse::<u64>().unwrap() >= 1, "{answer:?}");
                assert_eq!(standing(&answer).0, "api-cost", "{answer:?}");
                return granted;
            }
            assert_eq!(code, usual, "{answer:?}");
            assert!(granted < 5_000, "there is no limit");
        }
        0
    };
    // Meanwhile the time may have given one back.
    let is_limited = async |client: &str, credential: &str| {
        for _ in 0..20 {
            if ask(client, credential, query).await.0 == "RATE_LIMITED" {
                return true;
            }
        }
        false
    };
    let (code, answer) = ask("203.0.113.1", "", "{ __typename }").await;
    assert_eq!((code.as_str(), answer.header("ratelimit-policy")), ("", "\"api-cost\";q=120000;w=60"));
    assert_eq!(answer.header("ratelimit"), "\"api-cost\";r=119999;t=1");
    // Refused documents count, too: what was counted was not executed.
    let begun = Instant::now();
    let granted = exhaust("203.0.113.1", "", "UNAUTHENTICATED").await;
    let units = granted * 265 - u64::try_from(begun.elapsed().as_millis() * 2).unwrap();
    assert!((100_000..=125_000).contains(&units), "{granted} of about 265 units");
    // Another client, and this one with a credential, have their own.
    assert_eq!(ask("203.0.113.2", "", "{ __typename }").await.0, "");
    assert_eq!(ask("203.0.113.1", &token, query).await.0, "");
    // An invalid credential counts as none.
    assert!(is_limited("203.0.113.1", "nonsense").await);
    // IPv6 clients choose addresses within their /64.
    exhaust("2001:db8:0:1::1", "", "UNAUTHENTICATED").await;
    assert!(is_limited("2001:db8:0:1:ffff::2", "").await);
    assert_eq!(ask("2001:db8:0:2::1", "", query).await.0, "UNAUTHENTICATED");
    // A user, wherever from; keys of this plan are not limited. What is read counts, and not what is asked for: this account has no links.
    for _ in 0..150 {
        assert_eq!(ask("203.0.113.3", &token, query).await.0, "");
    }
    takes_what_it_costs(&server, &server, &token).await;
    assert_eq!(ask("203.0.113.3", &key, query).await.0, "");
}

/// A password's hash takes long enough for many to ask before the first is refused.
#[on_each_database]
async fn guesses_at_once_are_not_more_than_five(database: TestDatabase) {
    let server = start(&database, &[BEHIND_PROXY]).await;
    let token = server.register("alice").await;
    let wrong = login("alice@example.com", "wrong");
    let guesses = (0..10).map(|_| from(&server, "203.0.113.1", "/auth/login", &wrong));
    let statuses: Vec<u16> = join_all(guesses).await.iter().map(|answer| answer.status.as_u16()).collect();
    let tried = statuses.iter().filter(|status| **status == 401).count();
    assert_eq!(tried, 5, "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 401 | 429)), "{statuses:?}");

    server.clock.advance(15 * MINUTE);
    let guesses = (0..12).map(|_| {
        let guess = json!({ "password": "a better one", "currentPassword": "wrong" });
        server.call("PATCH", "/me", &token, guess)
    });
    let statuses: Vec<u16> = join_all(guesses).await.iter().map(|answer| answer.status.as_u16()).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 5, "{statuses:?}");

    // Correct passwords at the same time are not limited.
    server.clock.advance(15 * MINUTE);
    let right = login("alice@example.com", "alice's password");
    let clients: Vec<String> = (0..12).map(|number| format!("203.0.113.1{number}")).collect();
    for answer in join_all(clients.iter().map(|client| from(&server, client, "/auth/login", &right))).await {
        answer.expect(200);
    }
}

#[on_each_database]
async fn an_address_gets_five_mails_in_a_quarter_of_an_hour(database: TestDatabase) {
    let server = start(&database, &[BEHIND_PROXY]).await;
    server.register("alice").await;
    let ask = async |number: usize| {
        let body = json!({ "email": "alice@example.com" });
        from(&server, &format!("203.0.113.{number}"), "/auth/forgot-password", &body).await.expect(200).json()
    };
    let answers = join_all((0..12).map(ask)).await;
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    database.no_jobs_left().await;
    // That of the registration is the fifth.
    assert_eq!(mails(&database).len(), 4);
    server.clock.advance(15 * MINUTE);
    ask(20).await;
    eventually("another mail", async || (mails(&database).len() == 5).then_some(())).await;
}

/// The first refusal: on a slow machine the time may have given a request back meanwhile.
async fn at_limit(mut ask: impl AsyncFnMut() -> Answer) -> Answer {
    for _ in 0..5 {
        let answer = ask().await;
        if answer.status == 429 {
            return answer;
        }
    }
    ask().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_comes_back_when_told_is_not_refused_again() {
    let database = TestDatabase::sqlite();
    let server = start(&database, &[]).await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &[]).await;
    let two = json!({ "query": "{ a: me { id } b: me { id } }" });
    exhaust(60, 1_000, 200, async || server.get("/me", &key).await).await;
    for round in 0..2 {
        let rest = at_limit(async || server.get("/me", &key).await).await;
        assert_limited(&rest);
        tokio::time::sleep(Duration::from_secs(rest.header("retry-after").parse().unwrap())).await;
        server.get("/me", &key).await.expect(200);
        // On a slow machine two more may be back by now.
        let graphql = eventually("both are refused", async || {
            let answer = server.post("/graphql", &key, two.clone()).await;
            (graphql_code(&answer.json()) == "RATE_LIMITED").then_some(answer)
        })
        .await;
        tokio::time::sleep(Duration::from_secs(graphql.header("retry-after").parse().unwrap())).await;
        let graphql = server.post("/graphql", &key, two.clone()).await;
        assert!(graphql.json().get("errors").is_none(), "{round}: {graphql:?}");
    }
    exhaust_route(&server, "", "/auth/login").await;
    let limited = at_limit(async || server.post("/auth/login", "", json!({})).await).await;
    tokio::time::sleep(Duration::from_secs(limited.header("retry-after").parse().unwrap())).await;
    server.post("/auth/login", "", json!({})).await.expect(400);
    server.stop().await;
}
