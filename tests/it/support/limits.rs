//! Rate limits, as callers see them.

use std::time::Instant;

use linkgraph::base::clock::UnixMillis;
use reqwest::Method;
use serde_json::{Value as Json, json};

use super::{Answer, Http, TestServer, documents::INTROSPECTION, eventually};

pub(crate) const LIMITED: (&str, &str) = ("LINKGRAPH_RATE_LIMITS", "on");

pub(crate) fn assert_limited(answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (429, "RATE_LIMITED"), "{answer:?}");
    let seconds: u64 = answer.header("retry-after").parse().unwrap();
    assert!(seconds >= 1 && standing(answer).2 == seconds, "{answer:?}");
}

/// The name, what is left and the seconds that `RateLimit` tells; `RateLimit-Policy` names the same. Structured fields:
/// each a list of one string with whole numbers as parameters.
pub(crate) fn standing(answer: &Answer) -> (String, u64, u64) {
    let field = |header: &str, keys: [&str; 2]| {
        let bad = || panic!("{header}: {answer:?}");
        let mut parts = answer.header(header).split(';');
        let name = parts.next().and_then(|name| name.strip_prefix('"')?.strip_suffix('"')).unwrap_or_else(bad);
        let mut number =
            |key: &str| parts.next().and_then(|part| part.strip_prefix(key)?.strip_prefix('=')?.parse().ok());
        let numbers: [u64; 2] = keys.map(|key| number(key).unwrap_or_else(|| panic!("{header}: {answer:?}")));
        assert!(parts.next().is_none(), "{answer:?}");
        (name.to_owned(), numbers)
    };
    let (policy, [quota, window]) = field("ratelimit-policy", ["q", "w"]);
    let (name, [left, seconds]) = field("ratelimit", ["r", "t"]);
    assert_eq!(policy, name);
    assert!(left <= quota && seconds <= window, "{answer:?}");
    assert!(!answer.headers.keys().any(|header| header.as_str().starts_with("x-ratelimit")), "{answer:?}");
    (name, left, seconds)
}

/// Asks until the first 429, and checks that it came after `burst` answers of this status and those that the time
/// meanwhile gave back.
pub(crate) async fn exhaust(burst: u64, gives_back_ms: u128, status: u16, ask: impl AsyncFnMut() -> Answer) {
    exhaust_since(Instant::now(), burst, gives_back_ms, status, ask).await;
}

/// The same for a bucket that has not been whole since a moment.
pub(crate) async fn exhaust_since(
    started: Instant,
    burst: u64,
    gives_back_ms: u128,
    status: u16,
    mut ask: impl AsyncFnMut() -> Answer,
) {
    let mut answered = 0;
    loop {
        let answer = ask().await;
        if answer.status == 429 {
            assert_limited(&answer);
            break;
        }
        let answer = answer.expect(status);
        answered += 1;
        assert!(answered <= 2 * burst, "there is no limit: {answer:?}");
    }
    let given_back = u64::try_from(started.elapsed().as_millis() / gives_back_ms).unwrap();
    assert!((burst..=burst + given_back).contains(&answered), "{answered} of {burst}, {given_back} given back");
}

/// A call from a client behind a proxy. A body without anything in it is counted, but costs no password's hash.
pub(crate) async fn from(http: &Http, forwarded: &str, path: &str, body: &Json) -> Answer {
    http.send(http.request(Method::POST, path).header("x-forwarded-for", forwarded).json(body)).await
}

pub(crate) fn login(email: &str, password: &str) -> Json {
    json!({ "email": email, "password": password })
}

pub(crate) fn graphql_code(answer: &Json) -> &str {
    answer["errors"][0]["extensions"]["code"].as_str().unwrap_or_default()
}

/// Asks as a key of a plan that has so many requests a minute, and says so, until the first refusal. Answers how many were granted.
pub(crate) async fn granted(http: &Http, key: &str, quota: u64) -> u64 {
    // As many root fields as there may be aliases, each a request that costs nothing. They divide the quota of each plan.
    let roots: Vec<String> = (0..30).map(|number| format!("m{number}: __typename")).collect();
    let query = json!({ "query": format!("{{ {} }}", roots.join(" ")) });
    let mut granted = 0;
    loop {
        let answer = http.post("/graphql", key, query.clone()).await;
        assert_eq!(answer.header("ratelimit-policy"), format!("\"default\";q={quota};w=60"), "{answer:?}");
        if graphql_code(&answer.json()) == "RATE_LIMITED" {
            return granted;
        }
        assert_eq!(answer.json()["data"]["m29"], "Query", "{answer:?}");
        granted += roots.len() as u64;
        assert!(granted <= 2 * quota, "there is no limit: {answer:?}");
    }
}

/// So many granted requests are the quota, and what was given back since a time of the service's clock.
pub(crate) fn is_the_quota(granted: u64, quota: u64, server: &TestServer, since: UnixMillis) {
    let given_back = u64::try_from(server.clock.now() - since).unwrap() * quota / 60_000;
    assert!((quota..=quota + given_back).contains(&granted), "{granted} of {quota}, {given_back} given back");
}

/// What reads cost at one node is taken from the user's quota, as another one tells.
pub(crate) async fn takes_what_it_costs(asked: &Http, other: &Http, token: &str) {
    let state = async || {
        let costs: u64 = asked.metric("linkgraph_api_cost_units_total").await.unwrap();
        let answer = other.post("/graphql", token, json!({ "query": "{ __typename }" })).await;
        (costs, standing(&answer).1)
    };
    let (begun, before) = (Instant::now(), state().await);
    for _ in 0..10 {
        let answer = asked.graphql(token, INTROSPECTION, Json::Null).await;
        assert!(answer["errors"].is_null(), "{answer:.300}");
        asked.get("/links", token).await.expect(200);
    }
    // Redis may hear of it a moment later.
    eventually("it is taken", async || {
        let after = state().await;
        let (cost, taken) = (after.0 - before.0, before.1.saturating_sub(after.1));
        let back = u64::try_from(begun.elapsed().as_millis() * 2).unwrap();
        assert!(cost >= 100 && taken <= cost + 100, "{cost} units, {taken} taken");
        (taken + back + 100 >= cost).then_some(())
    })
    .await;
}
