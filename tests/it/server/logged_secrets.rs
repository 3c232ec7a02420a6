//! No credential is in any log line, at the most talkative level there is, whichever library wrote it.

use base64::{Engine, engine::general_purpose::STANDARD};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        TestDatabase, eventually,
        limits::LIMITED,
        mail::{MailServer, reset_token, token_in},
        process::TestProcess,
        receiver::{Receiver, id},
        redis::{TestRedis, keys},
        sandbox::{LOOPBACK, path},
        stripe::{KEY, SECRET, Stripe},
    },
};

const TRACE: (&str, &str) = ("LINKGRAPH_LOG", "trace");
const JWT_SECRET: &str = "jwt-Zq8vN2xK5mT7wR4yB6cD9fG1hJ3k";
const SMTP_PASSWORD: &str = "smtp-Zq8vN2xK5mT7wR4y";
const REDIS_PASSWORD: &str = "redis-Zq8vN2xK5mT7wR4y";
const DATABASE_PASSWORD: &str = "database-Zq8vN2xK5mT7wR4y";

/// Texts that must not be found, each with a name.
#[derive(Default)]
struct Secrets(Vec<(&'static str, String)>);

impl Secrets {
    /// One more; it is answered again.
    fn add(&mut self, what: &'static str, secret: impl Into<String>) -> String {
        let secret = secret.into();
        assert!(secret.len() >= 8, "{what}: {secret}");
        self.0.push((what, secret.clone()));
        secret
    }

    /// A secret in an answer.
    fn take(&mut self, what: &'static str, answer: &Json) -> String {
        let secret = answer.as_str().unwrap_or_else(|| panic!("{what}: {answer}"));
        self.add(what, secret)
    }

    fn are_not_in(&self, log: &str) {
        assert!(log.contains("INFO linkgraph::platform::http::edge"), "nothing was logged: {log}");
        let mut found = Vec::new();
        for (what, secret) in &self.0 {
            for form in forms(secret) {
                let line = log.lines().find(|line| line.contains(&form));
                found.extend(
                    line.map(|line| format!("{what}, as {form}: {}", line.chars().take(400).collect::<String>())),
                );
            }
        }
        assert!(found.is_empty(), "{found:#?}");
    }
}

/// A text as it is, and in the forms that libraries write bytes in.
fn forms(secret: &str) -> Vec<String> {
    let bytes = secret.as_bytes();
    let decimal: Vec<String> = bytes.iter().take(12).map(u8::to_string).collect();
    let mut forms = vec![
        secret.to_owned(),
        form_urlencoded::byte_serialize(bytes).collect(),
        hex::encode(bytes),
        hex::encode_upper(bytes),
        decimal.join(", "),
    ];
    // Within a longer text in Base64 it begins at any of three places; what its neighbours decide of is left out.
    for (before, neighbours) in [(0, 0), (1, 2), (2, 3)] {
        let padded = [&vec![0; before][..], bytes].concat();
        let whole = padded.len() / 3 * 4;
        let standard = STANDARD.encode(&padded)[neighbours..whole].to_owned();
        forms.push(standard.replace('+', "-").replace('/', "_"));
        forms.push(standard);
    }
    // A token's parts may be written by themselves.
    forms.extend(secret.split('.').skip(1).filter(|part| part.len() >= 16).map(str::to_owned));
    forms
}

/// A server that wants a password.
async fn closed_redis() -> (TestRedis, String) {
    let redis = TestRedis::start().await;
    let client = redis::Client::open(redis.url()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let mut command = redis::cmd("CONFIG");
    command.arg("SET").arg("requirepass").arg(REDIS_PASSWORD);
    command.query_async::<()>(&mut connection).await.unwrap();
    let url = redis.url().replace("//", &format!("//:{REDIS_PASSWORD}@"));
    (redis, url)
}

async fn finish(mut process: TestProcess, secrets: Secrets) {
    process.terminate();
    process.exit().await;
    // The reader's thread may be behind.
    eventually("the log ends", async || process.log.lock().unwrap().contains("Stopped").then_some(())).await;
    let log = process.log.lock().unwrap().clone();
    println!("{} lines, {} bytes", log.lines().count(), log.len());
    secrets.are_not_in(&log);
}

#[on_each_database]
async fn a_long_run_logs_no_credential(database: TestDatabase) {
    let mut secrets = Secrets::default();
    let (mail, stripe, receiver) = (MailServer::start(0, "").await, Stripe::start().await, Receiver::start().await);
    let smtp_url = format!("smtp://postmaster:{SMTP_PASSWORD}@127.0.0.1:{}", mail.port);
    let jwt = format!("main:{JWT_SECRET}");
    let mut settings = vec![
        TRACE,
        ("LINKGRAPH_SMTP_URL", smtp_url.as_str()),
        ("LINKGRAPH_MAIL_FROM", "no-reply@sho.rt"),
        ("LINKGRAPH_JWT_SECRETS", &jwt),
    ];
    // PostgreSQL asks the tests for no password, and takes one.
    let url = database.url.as_ref().map(|url| url.replace("postgres@", &format!("postgres:{DATABASE_PASSWORD}@")));
    settings.extend(url.as_ref().map(|url| ("DATABASE_URL", url.as_str())));
    for secret in [JWT_SECRET, SMTP_PASSWORD, DATABASE_PASSWORD, KEY, SECRET] {
        secrets.add("a setting", secret);
    }
    let process = stripe.spawn(&database, &settings).await;

    // Registering and logging in, right and wrong, through both doors.
    let password = secrets.add("the first password", "Pw-first-Zq8vN2xK5mT7wR4y");
    let wrong = secrets.add("a wrong password", "Pw-wrong-Zq8vN2xK5mT7wR4y");
    let body = |password: &str| json!({ "email": "alice@example.com", "password": password, "name": "Alice" });
    let credentials = |password: &str| json!({ "email": "alice@example.com", "password": password });
    let session = process.post("/auth/register", "", body(&password)).await.expect(201).json();
    let token = secrets.take("a token", &session["accessToken"]);
    process.post("/auth/register", &token, body(&password)).await.expect(409);
    process.post("/auth/login", "", credentials(&wrong)).await.expect(401);
    let session = process.post("/auth/login", "", credentials(&password)).await.expect(200).json();
    secrets.take("a token", &session["accessToken"]);
    let login =
        "mutation($p: String!) { login(input: { email: \"alice@example.com\", password: $p }) { accessToken } }";
    let session = process.graphql("", login, json!({ "p": password })).await;
    secrets.take("a token", &session["data"]["login"]["accessToken"]);
    process.graphql("", login, json!({ "p": [&wrong] })).await;
    for broken in [
        format!("mutation {{ login(input: {{ email: \"a\", password: \"{wrong}\" }}) {{ nothing }} }}"),
        format!("mutation {{ login(input: {{ email: \"a\", password: \"{wrong}\" "),
        format!(
            "mutation {{ login(input: {{ email: \"alice@example.com\", password: \"{wrong}\" }}) {{ expiresIn }} }}"
        ),
    ] {
        process.graphql(&token, &broken, Json::Null).await;
    }
    for raw in [format!("{{\"password\": \"{wrong}\""), format!("\"{wrong}\""), format!("password={wrong}")] {
        let request = process.request(Method::POST, "/auth/login").header("content-type", "application/json");
        process.send(request.body(raw)).await.expect(400);
    }
    process.post("/auth/login", "", json!({ "email": &wrong, "password": [&wrong] })).await;

    // Credentials where they belong, and where they do not.
    let made = json!({ "name": "all", "scopes": ["links:read", "links:write", "analytics:read", "webhooks:read"] });
    let key = process.post("/api-keys", &token, made).await.expect(201).json();
    let key = secrets.take("an API key", &key["key"]);
    for credential in [&token, &key, &wrong] {
        process.get("/me", credential).await;
        process.get("/api/v1/links", credential).await;
        process.get(&format!("/api/v1/links?access_token={credential}"), "").await;
        process.get("/graphql?query=%7Bme%7Bid%7D%7D", credential).await;
        process.get(&format!("/{credential}"), "").await;
        process.send(process.request(Method::GET, "/me").header("authorization", format!("Basic {credential}"))).await;
        process.send(process.request(Method::GET, "/me").header("cookie", format!("token={credential}"))).await;
        let mut socket = process.open_socket("graphql-transport-ws", &[]).await;
        let payload = json!({ "authorization": format!("Bearer {credential}") });
        socket.say(json!({ "type": "connection_init", "payload": payload })).await;
        socket.hear().await;
        if credential != &wrong {
            socket.begin("1", login, json!({ "p": &wrong })).await;
            socket.hear().await;
        }
    }

    // Events, signed.
    let url = receiver.url("/hook");
    let webhook = process.webhook(&token, &url, &["link.created"]).await;
    secrets.take("a webhook's secret", &webhook["secret"]);
    let rotate = format!("/webhooks/{}/rotate-secret", id(&webhook));
    let rotated = process.post(&rotate, &token, Json::Null).await.expect(200).json();
    secrets.take("a webhook's secret", &rotated["secret"]);
    process.link(&key, "spring").await;
    process.follow("spring").await.expect(302);
    receiver.wait("/hook", 1).await;

    // Mails with tokens, over a server that wants a password.
    process.post("/auth/forgot-password", "", json!({ "email": "alice@example.com" })).await.expect(200);
    let is_reset = |mail: &String| mail.contains("reset-password?token=");
    let mail = eventually("the mail", async || mail.taken().into_iter().find(is_reset)).await;
    let reset = secrets.add("a reset token", token_in(&mail));
    let second = secrets.add("the second password", "Pw-second-Zq8vN2xK5mT7wR4y");
    let asked = "mutation($t: String!, $p: String!) { resetPassword(input: { token: $t, password: $p }) { message } }";
    for code in [&wrong, &reset, &reset] {
        process.graphql("", asked, json!({ "t": code, "p": second })).await;
    }
    process.get(&format!("/reset-password?token={reset}"), "").await.expect(303);
    process.get(&format!("/app/reset?token={reset}"), "").await.expect(200);
    let session = process.post("/auth/login", "", credentials(&second)).await.expect(200).json();
    let token = secrets.take("a token", &session["accessToken"]);
    let third = secrets.add("the third password", "Pw-third-Zq8vN2xK5mT7wR4y");
    for current in [&wrong, &second] {
        let change = json!({ "password": third, "currentPassword": current });
        process.call("PATCH", "/me", &token, change).await;
    }
    let session = process.post("/auth/login", "", credentials(&third)).await.expect(200).json();
    let token = secrets.take("a token", &session["accessToken"]);

    // Payments.
    for event in stripe.buy(&process.http, &token, "pro", "month").await {
        stripe.deliver(&process.http, &event).await;
    }
    process.post("/billing/portal", &token, Json::Null).await.expect(201);
    finish(process, secrets).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_wants_a_password_is_used_and_missed_without_logging_it() {
    let database = TestDatabase::sqlite();
    let mut secrets = Secrets::default();
    let (mut redis, url) = closed_redis().await;
    secrets.add("the password of Redis", REDIS_PASSWORD);
    let process = TestProcess::start(&database, &[TRACE, LIMITED, ("REDIS_URL", &url)]).await;
    let token = secrets.add("a token", process.register("alice").await);
    let key = secrets.add("an API key", process.api_key(&token, &[]).await);
    process.get("/me", &key).await.expect(200);
    // The count in there shows that the password was taken.
    let counted = keys(&url, "linkgraph:limit:default:*").await;
    assert_eq!(counted.map(|keys| keys.len()), Some(1));
    redis.kill();
    process.get("/me", &key).await.expect(200);
    let complaint = async || process.log.lock().unwrap().contains("Redis fails").then_some(());
    eventually("Redis is missed", complaint).await;
    finish(process, secrets).await;
}

/// The address of a page of the sandbox is all that is needed to use it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sandbox_logs_no_page() {
    let database = TestDatabase::sqlite();
    let mut secrets = Secrets::default();
    let process = TestProcess::start(&database, &[TRACE, LOOPBACK]).await;
    let token = process.register("alice").await;
    let body = json!({ "planId": "pro", "interval": "month" });
    let checkout = process.post("/billing/checkout", &token, body).await.expect(201).json();
    secrets.take("a checkout", &checkout["sessionId"]);
    process.press(&path(&checkout["checkoutUrl"]), "outcome", "pay").await.expect(303);
    let portal = process.portal(&token).await;
    secrets.add("a portal", portal.rsplit('/').next().unwrap());
    process.press(&portal, "action", "cancel").await.expect(303);
    let secret = std::fs::read_to_string(database.folder.join("jwt-secret")).unwrap();
    secrets.add("the secret that signs", secret.trim());
    process.post("/auth/forgot-password", "", json!({ "email": "alice@example.com" })).await.expect(200);
    secrets.add("a reset token", reset_token(&database, 1).await);
    finish(process, secrets).await;
}
