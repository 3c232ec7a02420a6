//! Stripe over its HTTP API (<https://docs.stripe.com/api>).

mod look;
pub(crate) mod objects;
pub(crate) mod signature;

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::{
    Method, Request, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER, USER_AGENT},
};
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use rand::Rng;
use serde::de::DeserializeOwned;
use tokio::{
    sync::Semaphore,
    time::{Instant, sleep, timeout_at},
};
use uuid::Uuid;

use super::provider::{
    Checkout, CustomerState, NewCheckout, NewCustomer, Provider, ProviderError, ProviderSubscription, Sold,
};
use crate::{
    base::{config::StripeSettings, error::in_one_line, tier::Offer},
    platform::net::tls,
};
use objects::{Customer, Invoices, List, Session, Subscription};

/// The API version whose objects [`objects`] reads, whatever the default of the Stripe account.
pub(crate) const VERSION: &str = "2025-03-31.basil";
/// Timeout of a request, including its retries.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(6);
/// Timeout of one attempt.
const TRY_TIMEOUT: Duration = Duration::from_millis(2_500);
/// Times that a request is sent at most.
const MAX_TRIES: u32 = 4;
/// Wait before the first retry. It doubles each time; up to half of it is random.
const FIRST_WAIT: Duration = Duration::from_millis(200);
/// How much of an answer is read, in bytes.
const MAX_ANSWER: usize = 4 * 1024 * 1024;
/// Concurrent requests of this process; any more wait. This bounds the memory of responses, and stays within Stripe's rate
/// limits.
const MAX_AT_ONCE: usize = 32;
/// Items of a list: the most that Stripe answers at once.
const PAGE: &str = "100";

/// Stripe, or what speaks its API.
pub(crate) struct Stripe {
    http: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    settings: StripeSettings,
    authorization: HeaderValue,
    places: Semaphore,
}

/// The outcome of one attempt.
enum Outcome {
    Answer(StatusCode, Bytes),
    /// A failure that is worth a retry, with the wait that the response asks for.
    Again(String, Option<Duration>),
}

impl Stripe {
    pub(crate) fn new(settings: StripeSettings) -> anyhow::Result<Self> {
        let http = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(Duration::from_secs(20))
            .pool_max_idle_per_host(16)
            .build(tls::https(HttpConnector::new())?);
        let mut authorization = HeaderValue::try_from(format!("Bearer {}", settings.secret_key))?;
        authorization.set_sensitive(true);
        Ok(Stripe { http, settings, authorization, places: Semaphore::new(MAX_AT_ONCE) })
    }

    async fn get<T: DeserializeOwned>(&self, path: &str, query: &[(&str, &str)]) -> Result<T, ProviderError> {
        let path = if query.is_empty() { path.to_owned() } else { format!("{path}?{}", form(query)) };
        self.request(Method::GET, &path, None, String::new()).await
    }

    async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        key: Uuid,
        fields: &[(&str, &str)],
    ) -> Result<T, ProviderError> {
        self.request(Method::POST, path, Some(key), form(fields)).await
    }

    /// Sends a request, with retries. These are safe: a POST has an idempotency key, and the other methods are idempotent.
    async fn request<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        key: Option<Uuid>,
        body: String,
    ) -> Result<T, ProviderError> {
        let deadline = Instant::now() + REQUEST_TIMEOUT;
        let mut wait = FIRST_WAIT;
        let mut tries = 0;
        let (status, answer) = loop {
            let until = deadline.min(Instant::now() + TRY_TIMEOUT);
            let outcome = match timeout_at(until, self.attempt(&method, path, key, &body)).await {
                Ok(outcome) => outcome?,
                Err(_) => Outcome::Again("no answer in time".to_owned(), None),
            };
            tries += 1;
            match outcome {
                Outcome::Answer(status, answer) => break (status, answer),
                Outcome::Again(cause, asked) => {
                    let jittered = wait / 2 + wait.mul_f64(rand::rng().random_range(0.0..0.5));
                    let pause = asked.unwrap_or_default().saturating_add(jittered);
                    if tries >= MAX_TRIES || pause >= deadline.saturating_duration_since(Instant::now()) {
                        return Err(ProviderError::Down(cause));
                    }
                    sleep(pause).await;
                    wait *= 2;
                }
            }
        };
        if status.is_success() {
            return serde_json::from_slice(&answer)
                .map_err(|error| ProviderError::Refused(format!("{method} answered what can't be read: {error}")));
        }
        let cause = refusal(status, &answer);
        Err(match status {
            StatusCode::NOT_FOUND => ProviderError::Unknown(cause),
            StatusCode::CONFLICT | StatusCode::TOO_MANY_REQUESTS => ProviderError::Down(cause),
            _ if status.is_server_error() => ProviderError::Failed(cause),
            _ => ProviderError::Refused(cause),
        })
    }

    async fn attempt(
        &self,
        method: &Method,
        path: &str,
        key: Option<Uuid>,
        body: &str,
    ) -> Result<Outcome, ProviderError> {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.settings.api_base))
            .header(AUTHORIZATION, self.authorization.clone())
            .header("stripe-version", VERSION)
            .header(USER_AGENT, concat!("linkgraph/", env!("CARGO_PKG_VERSION")));
        if let Some(key) = key {
            request = request
                .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
                .header("idempotency-key", key.to_string());
        }
        let request = request
            .body(Full::new(Bytes::copy_from_slice(body.as_bytes())))
            .map_err(|error| ProviderError::Refused(error.to_string()))?;
        let _place = self.places.acquire().await.map_err(|error| ProviderError::Refused(error.to_string()))?;
        let response = match self.http.request(request).await {
            Ok(response) => response,
            Err(error) => return Ok(Outcome::Again(in_one_line(&error.into()), None)),
        };
        let (status, again) = (response.status(), is_worth_another_try(response.status(), response.headers()));
        let asked = retry_after(response.headers());
        let answer = match Limited::new(response.into_body(), MAX_ANSWER).collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) => return Ok(Outcome::Again(error.to_string(), None)),
        };
        Ok(if again { Outcome::Again(refusal(status, &answer), asked) } else { Outcome::Answer(status, answer) })
    }
}

/// Whether a repeated request may get another response: after 409, 429 and 5xx, unless `Stripe-Should-Retry` decides. A replayed response
/// stays the same for a day (<https://docs.stripe.com/api/idempotent_requests>).
fn is_worth_another_try(status: StatusCode, headers: &HeaderMap) -> bool {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    match (header("stripe-should-retry"), header("idempotent-replayed")) {
        (Some("true"), _) => true,
        (Some("false"), _) | (_, Some("true")) => false,
        _ => matches!(status, StatusCode::CONFLICT | StatusCode::TOO_MANY_REQUESTS) || status.is_server_error(),
    }
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}

/// Formats Stripe's refusal for the log: type, code and parameter contain no personal data.
fn refusal(status: StatusCode, answer: &[u8]) -> String {
    let json: serde_json::Value = serde_json::from_slice(answer).unwrap_or_default();
    let words = ["type", "code", "param"].iter().filter_map(|name| json["error"][name].as_str());
    format!("{status} {}", words.collect::<Vec<_>>().join(" "))
}

fn form(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// The path of an object of these. Ids come from Stripe, but nothing in one may change the path.
fn path(objects: &str, id: &str) -> String {
    let id: String = form_urlencoded::byte_serialize(id.as_bytes()).collect();
    format!("/v1/{objects}/{id}")
}

#[async_trait]
impl Provider for Stripe {
    fn name(&self) -> &'static str {
        if self.is_live() { "stripe" } else { "stripe-test" }
    }

    fn is_live(&self) -> bool {
        self.settings.is_live()
    }

    fn webhook_secrets(&self) -> &[String] {
        &self.settings.webhook_secrets
    }

    fn sells(&self, offer: Offer) -> bool {
        self.settings.prices.of(offer).is_some()
    }

    async fn create_customer(&self, new: &NewCustomer) -> Result<String, ProviderError> {
        let account = new.account.to_string();
        let fields = [("email", &*new.email), ("name", &new.name), ("metadata[account]", &account)];
        let customer: Customer = self.post("/v1/customers", new.key, &fields).await?;
        Ok(customer.id)
    }

    async fn create_checkout(&self, new: &NewCheckout) -> Result<Checkout, ProviderError> {
        let Some(price) = self.settings.prices.of(new.offer) else {
            return Err(ProviderError::Refused("the offer has no price".to_owned()));
        };
        let account = new.account.to_string();
        let fields = [
            ("mode", "subscription"),
            ("customer", &*new.customer),
            ("client_reference_id", &account),
            ("line_items[0][price]", price),
            ("line_items[0][quantity]", "1"),
            ("subscription_data[metadata][account]", &account),
            ("success_url", &new.success_url),
            ("cancel_url", &new.cancel_url),
        ];
        let session: Session = self.post("/v1/checkout/sessions", new.key, &fields).await?;
        let url = session.url.ok_or_else(|| ProviderError::Refused("the checkout has no page".to_owned()))?;
        Ok(Checkout { id: session.id, url })
    }

    async fn create_portal(&self, customer: &str, return_url: &str) -> Result<String, ProviderError> {
        let fields = [("customer", customer), ("return_url", return_url)];
        let session: Session = self.post("/v1/billing_portal/sessions", Uuid::now_v7(), &fields).await?;
        session.url.ok_or_else(|| ProviderError::Refused("the portal has no page".to_owned()))
    }

    async fn customer(&self, customer: &str, sold: Option<&Sold>) -> Result<CustomerState, ProviderError> {
        let (its, all) =
            ([("customer", customer), ("limit", PAGE)], [("customer", customer), ("status", "all"), ("limit", PAGE)]);
        let (subscriptions, invoices) = tokio::join!(
            self.get::<List<Subscription>>("/v1/subscriptions", &all),
            self.get::<Invoices>("/v1/invoices", &its),
        );
        if let Err(error @ ProviderError::Down(_)) = subscriptions {
            return Err(error);
        }
        // Deleting a customer ends its subscriptions, and the lists of a deleted one may fail. To save requests, a customer with
        // a live subscription is not fetched.
        let is_live = subscriptions.as_ref().is_ok_and(|list| list.data.iter().any(Subscription::is_live));
        if !is_live {
            match self.get::<Customer>(&path("customers", customer), &[]).await {
                Ok(found) if found.deleted => return Ok(CustomerState::Deleted),
                // Test data may be wiped. Where money is real, a customer that is not known means a wrong key.
                Err(ProviderError::Unknown(_)) if !self.is_live() => return Ok(CustomerState::Deleted),
                found => found.map(drop)?,
            }
        }
        let prices = match sold {
            Some(sold) => &self.settings.prices.and(&sold.price, sold.offer),
            None => &self.settings.prices,
        };
        let is_dropped =
            |it: &ProviderSubscription| it.status != "canceled" && self.settings.prices.offer(&it.sold.price).is_none();
        let subscriptions: Vec<_> = subscriptions?.data.into_iter().filter_map(|it| it.ours(prices)).collect();
        if let Some(dropped) = subscriptions.iter().find(|it| is_dropped(it)) {
            tracing::warn!(
                price = dropped.sold.price,
                "A subscription is at a price that stands in no setting any more"
            );
        }
        Ok(CustomerState::Present { subscriptions, invoices: invoices?.readable() })
    }

    async fn delete_customer(&self, customer: &str) -> Result<(), ProviderError> {
        let deleted = self.request::<Customer>(Method::DELETE, &path("customers", customer), None, String::new()).await;
        match deleted {
            Ok(_) | Err(ProviderError::Unknown(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replayed_response_is_not_retried() {
        let is = |status: u16, headers: &[(&'static str, &'static str)]| {
            let headers =
                headers.iter().map(|(name, value)| ((*name).parse().unwrap(), HeaderValue::from_static(value)));
            is_worth_another_try(StatusCode::from_u16(status).unwrap(), &headers.collect())
        };
        for status in [409, 429, 500, 502, 503] {
            assert!(is(status, &[]), "{status}");
            assert!(!is(status, &[("idempotent-replayed", "true")]), "{status}");
            assert!(!is(status, &[("stripe-should-retry", "false")]), "{status}");
        }
        for status in [200, 301, 400, 401, 402, 404] {
            assert!(!is(status, &[]), "{status}");
            assert!(is(status, &[("stripe-should-retry", "true")]), "{status}");
        }
    }
}
