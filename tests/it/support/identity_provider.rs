//! Identity providers that others wrote: see `scripts/identity-provider/server.mjs`.

use std::{
    io::{BufRead, BufReader},
    process::{Child, ChildStdin, Command, Stdio},
};

use reqwest::{Client, Method, redirect::Policy};
use serde_json::{Value as Json, json};

use super::{Answer, Http, browser::Browser};

/// Where the providers send browsers back to.
const CALLBACK: &str = "http://sho.rt/auth/sign-in/callback";

/// The providers, in a process that ends with the test.
pub(crate) struct IdentityProvider {
    _input: ChildStdin,
    child: Child,
    said: Json,
    client: Client,
}

impl Drop for IdentityProvider {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl IdentityProvider {
    pub(crate) async fn start() -> Self {
        let script = std::env::var("LINKGRAPH_TEST_IDENTITY_PROVIDER").expect("scripts/test says where it is");
        let start = move || {
            let mut command = Command::new("node");
            command.args([&script, CALLBACK]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
            (child, line)
        };
        let (mut child, line) = tokio::task::spawn_blocking(start).await.unwrap();
        let client = Client::builder().redirect(Policy::none()).no_proxy().build().unwrap();
        let said = serde_json::from_str(&line).unwrap_or_else(|_| panic!("it did not start: {line}"));
        IdentityProvider { _input: child.stdin.take().unwrap(), child, said, client }
    }

    fn said(&self, what: &str) -> &str {
        self.said[what].as_str().unwrap()
    }

    /// Settings of a service that signs in by one of them: `mock` or `certified`.
    pub(crate) fn settings(&self, which: &str) -> [(&str, &str); 4] {
        [
            ("LINKGRAPH_OIDC_ISSUER", self.said[which].as_str().unwrap()),
            ("LINKGRAPH_OIDC_CLIENT_ID", self.said("id")),
            ("LINKGRAPH_OIDC_CLIENT_SECRET", self.said("secret")),
            ("LINKGRAPH_OIDC_NAME", "Acme"),
        ]
    }

    /// Says what the mock answers from now on.
    pub(crate) async fn control(&self, answers: Json) {
        let url = format!("{}/control", self.said("mock"));
        assert!(self.client.post(url).json(&answers).send().await.unwrap().status().is_success());
    }

    /// The mock signs in this user, whose address it says to be proved.
    pub(crate) async fn signs_in(&self, name: &str, groups: &[&str]) {
        self.control(json!({ "claims": claims(name, groups) })).await;
    }

    /// Where a browser with a service's cookies is sent by the mock when it is sent there.
    pub(crate) async fn authorize(&self, url: &str) -> String {
        let answer = self.client.get(url).send().await.unwrap();
        let back = answer.headers()["location"].to_str().unwrap();
        back.strip_prefix("http://sho.rt").unwrap_or_else(|| panic!("{back}")).to_owned()
    }
}

/// What the mock tells of a user.
pub(crate) fn claims(name: &str, groups: &[&str]) -> Json {
    let email = format!("{name}@example.com");
    json!({ "sub": format!("{name}'s subject"), "email": email, "email_verified": true, "name": name, "groups": groups })
}

/// A browser on its way through a sign-in: the session's cookie, and that of the sign-in.
#[derive(Clone, Default)]
pub(crate) struct Traveller {
    pub(crate) browser: Browser,
    pub(crate) sign_in: String,
}

impl Traveller {
    /// Opens a page of the service, and answers it with the address that it leads to.
    pub(crate) async fn open(&mut self, node: &Http, path: &str) -> (Answer, String) {
        let cookies = [&self.browser.cookie, &self.sign_in].map(String::as_str).join("; ");
        let request = node.request(Method::GET, path).header("cookie", cookies).header("user-agent", super::BROWSER);
        let answer = node.send(request).await.expect(303);
        for set in answer.headers.get_all("set-cookie") {
            let set = set.to_str().unwrap();
            let pair = set.split(';').next().unwrap();
            let pair = if pair.ends_with('=') { String::new() } else { pair.to_owned() };
            match set.starts_with("linkgraph-sign-in=") {
                true => self.sign_in = pair,
                false => self.browser.cookie = pair,
            }
        }
        let location = answer.header("location").to_owned();
        (answer, location)
    }

    /// Signs in by the mock, and answers the page that this leads to.
    pub(crate) async fn sign_in(&mut self, node: &Http, provider: &IdentityProvider, asked: &str) -> String {
        let (_, there) = self.open(node, &format!("/auth/sign-in{asked}")).await;
        if there.starts_with('/') {
            return there;
        }
        let back = provider.authorize(&there).await;
        self.open(node, &back).await.1
    }
}
