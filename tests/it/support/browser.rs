//! A browser that is logged in.

use reqwest::Method;
use serde_json::{Value as Json, json};

use super::{Answer, Http};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

/// A browser, by the one cookie that it has.
#[derive(Clone, Default)]
pub(crate) struct Browser {
    pub(crate) cookie: String,
}

impl Browser {
    pub(crate) async fn send(&mut self, node: &Http, method: Method, path: &str, body: Json) -> Answer {
        let mut request = node.request(method, path).header("x-linkgraph", "1").header("user-agent", FIREFOX);
        if !self.cookie.is_empty() {
            request = request.header("cookie", &self.cookie);
        }
        if !body.is_null() {
            request = request.json(&body);
        }
        let answer = node.send(request).await;
        let set = answer.header("set-cookie");
        if !set.is_empty() {
            let pair = set.split(';').next().unwrap();
            self.cookie = if pair.ends_with('=') { String::new() } else { pair.to_owned() };
        }
        answer
    }

    /// Logs a user in whose password is as [`Http::register`] makes it.
    pub(crate) async fn log_in(node: &Http, name: &str, is_persistent: bool) -> (Browser, String) {
        let mut browser = Browser::default();
        let (email, password) = (format!("{name}@example.com"), format!("{name}'s password"));
        let body = json!({ "email": email, "password": password, "isPersistent": is_persistent });
        let answer = browser.send(node, Method::POST, "/auth/session", body).await.expect(200);
        (browser, answer.json()["accessToken"].as_str().unwrap().to_owned())
    }

    pub(crate) async fn refresh(&mut self, node: &Http) -> Answer {
        self.send(node, Method::POST, "/auth/session/refresh", Json::Null).await
    }
}
