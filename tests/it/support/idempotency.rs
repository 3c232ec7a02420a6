//! Requests with idempotency keys.

use reqwest::Method;
use serde_json::{Value as Json, json};

use super::{Answer, Http};

impl Http {
    /// A POST with an idempotency key.
    pub(crate) async fn post_once(&self, path: &str, credential: &str, key: &str, body: &Json) -> Answer {
        let request = self.request(Method::POST, path).bearer_auth(credential).header("idempotency-key", key);
        self.send(request.json(body)).await
    }
}

pub(crate) fn new_link(slug: &str) -> Json {
    json!({ "destinationUrl": "https://example.com/", "slug": slug })
}

pub(crate) fn is_replayed(answer: &Answer) -> bool {
    let replayed = answer.headers.get("idempotency-replayed");
    replayed.inspect(|value| assert_eq!(*value, "true")).is_some()
}

/// The second answer is the first one, and says so.
#[track_caller]
pub(crate) fn assert_replayed(first: &Answer, second: &Answer) {
    assert_eq!((second.status, &second.text), (first.status, &first.text));
    for header in ["location", "content-type"] {
        assert_eq!(second.header(header), first.header(header), "{header}");
    }
    assert_eq!((is_replayed(first), is_replayed(second)), (false, true), "{second:?}");
}
