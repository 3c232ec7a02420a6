//! The built-in payment provider, as its pages and the API show it.

use reqwest::Method;
use serde_json::{Value as Json, json};

use super::{Answer, Http, TestDatabase, TestServer};

/// With a loopback bind address, as all tests have it, this opens the sandbox.
pub(crate) const LOOPBACK: (&str, &str) = ("LINKGRAPH_BASE_URL", "http://localhost:1234");

/// The path of a page: the test's server listens at another port than the base URL says.
pub(crate) fn path(url: &Json) -> String {
    url.as_str().unwrap().strip_prefix(LOOPBACK.1).unwrap().to_owned()
}

impl Http {
    /// Opens a checkout; its page's path.
    pub(crate) async fn checkout(&self, token: &str, plan: &str, interval: &str) -> String {
        let body = json!({ "planId": plan, "interval": interval });
        path(&self.post("/billing/checkout", token, body).await.expect(201).json()["checkoutUrl"])
    }

    /// Opens the portal; its page's path.
    pub(crate) async fn portal(&self, token: &str) -> String {
        path(&self.post("/billing/portal", token, Json::Null).await.expect(201).json()["portalUrl"])
    }

    /// Presses a button of a page.
    pub(crate) async fn press(&self, page: &str, field: &str, value: &str) -> Answer {
        let form = self.request(Method::POST, page).header("content-type", "application/x-www-form-urlencoded");
        self.send(form.body(format!("{field}={value}"))).await
    }

    pub(crate) async fn buy(&self, token: &str, plan: &str, interval: &str) {
        let page = self.checkout(token, plan, interval).await;
        self.press(&page, "outcome", "pay").await.expect(303);
    }

    /// Does something in the portal.
    pub(crate) async fn act(&self, token: &str, action: &str) {
        let page = self.portal(token).await;
        let answer = self.press(&page, "action", action).await.expect(303);
        assert_eq!(answer.header("location"), page);
    }

    pub(crate) async fn subscription(&self, token: &str) -> Json {
        self.get("/billing/subscription", token).await.expect(200).json()
    }

    /// The plan in force, and how many links it allows.
    pub(crate) async fn plan(&self, token: &str) -> (String, i64) {
        let answer = self.graphql(token, "{ me { account { plan } } usage { links { limit } } }", json!({})).await;
        let plan = answer["data"]["me"]["account"]["plan"].as_str().unwrap().to_owned();
        (plan, answer["data"]["usage"]["links"]["limit"].as_i64().unwrap())
    }

    /// Status of each invoice, newest first.
    pub(crate) async fn invoices(&self, token: &str) -> Vec<String> {
        let answer = self.get("/billing/invoices", token).await.expect(200).json();
        let invoices = answer["invoices"].as_array().unwrap().clone();
        invoices.iter().map(|invoice| invoice["status"].as_str().unwrap().to_owned()).collect()
    }

    /// Events of the provider by their outcome.
    pub(crate) async fn events(&self, outcome: &str) -> u64 {
        let series = format!("linkgraph_provider_events_total{{outcome=\"{outcome}\"}}");
        self.metric(&series).await.unwrap_or_default()
    }
}

pub(crate) async fn start(database: &TestDatabase) -> TestServer {
    database.start_with(&[LOOPBACK, ("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")]).await
}

pub(crate) fn pro() -> (String, i64) {
    ("pro".to_owned(), 50_000)
}
