//! User tokens: only those that the service signed for itself open anything.

use std::{fs, os::unix::fs::PermissionsExt};

use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use entity::shared_secret;
use hmac::{Hmac, KeyInit, Mac};
use linkgraph::base::clock::{DAY, MINUTE, SECOND};
use sea_orm::EntityTrait;
use serde_json::{Value as Json, json};
use sha2::{Sha256, Sha384, Sha512};

use crate::{
    on_each_database,
    support::{Http, TestDatabase},
};

const SECRET: &str = "a secret of the tests that is long enough";
const OTHER: &str = "another secret that the service has as well";
const SECRETS: &str =
    "main:a secret of the tests that is long enough,other:another secret that the service has as well";

fn encode(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(text)
}

fn hs256(secret: &str, text: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(text.as_bytes());
    URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
}

fn hs384(secret: &str, text: &str) -> String {
    let mut mac = Hmac::<Sha384>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(text.as_bytes());
    URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
}

fn hs512(secret: &str, text: &str) -> String {
    let mut mac = Hmac::<Sha512>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(text.as_bytes());
    URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
}

/// A token of this header and these claims, as they are written.
fn signed(header: &str, claims: &str, secret: &str) -> String {
    let text = format!("{}.{}", encode(header), encode(claims));
    let signature = hs256(secret, &text);
    format!("{text}.{signature}")
}

fn part(token: &str, index: usize) -> Json {
    let bytes = URL_SAFE_NO_PAD.decode(token.split('.').nth(index).unwrap()).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// Hostile tokens, each with what is wrong with it.
struct Hostile {
    claims: Json,
    tokens: Vec<(String, String)>,
}

impl Hostile {
    const HEADER: &str = r#"{"typ":"JWT","alg":"HS256","kid":"main"}"#;

    fn add(&mut self, what: impl Into<String>, token: impl Into<String>) {
        self.tokens.push((what.into(), token.into()));
    }

    /// Good but for its header.
    fn header(&mut self, header: &str) {
        self.add(format!("header {header}"), signed(header, &self.claims.to_string(), SECRET));
    }

    /// Good but for its claims.
    fn claims(&mut self, claims: &str) {
        self.add(format!("claims {claims}"), signed(Self::HEADER, claims, SECRET));
    }

    /// Good but for one claim: none takes it away.
    fn claim(&mut self, name: &str, value: Option<Json>) {
        let mut claims = self.claims.clone();
        match value {
            Some(value) => claims[name] = value,
            None => drop(claims.as_object_mut().unwrap().shift_remove(name)),
        }
        self.claims(&claims.to_string());
    }

    fn algorithms(&mut self) {
        let claims = self.claims.to_string();
        for alg in ["none", "None", "NONE", "nOnE", "", "hs256", "HS256 ", "HS1", "RS256", "PS256", "ES256", "EdDSA"] {
            self.header(&json!({ "typ": "JWT", "alg": alg, "kid": "main" }).to_string());
        }
        for alg in [r#""none""#, r#""None""#, r#""HS256""#, "null"] {
            let header = format!(r#"{{"alg":{alg},"kid":"main"}}"#);
            self.add(format!("no signature, alg {alg}"), format!("{}.{}.", encode(&header), encode(&claims)));
            self.add(format!("two parts, alg {alg}"), format!("{}.{}", encode(&header), encode(&claims)));
        }
        for header in [
            r#"{"kid":"main"}"#,
            r#"{"alg":null,"kid":"main"}"#,
            r#"{"alg":256,"kid":"main"}"#,
            r#"{"alg":["HS256"],"kid":"main"}"#,
            r#"{"alg":"HS256","alg":"none","kid":"main"}"#,
            r#"{"alg":"none","alg":"HS256","kid":"main"}"#,
            r#"["HS256","main"]"#,
            r#""HS256""#,
            "null",
            "",
        ] {
            self.header(header);
        }
        for (alg, sign) in [("HS384", hs384 as fn(&str, &str) -> String), ("HS512", hs512)] {
            let text = format!("{}.{}", encode(&format!(r#"{{"alg":"{alg}","kid":"main"}}"#)), encode(&claims));
            self.add(format!("{alg} with the right secret"), format!("{text}.{}", sign(SECRET, &text)));
            let text = format!("{}.{}", encode(Self::HEADER), encode(&claims));
            self.add(format!("HS256 signed by {alg}"), format!("{text}.{}", sign(SECRET, &text)));
        }
    }

    fn key_ids(&mut self) {
        let claims = self.claims.to_string();
        self.header(r#"{"alg":"HS256"}"#);
        for kid in [
            json!(null),
            json!(""),
            json!("unknown"),
            json!("MAIN"),
            json!("main "),
            json!("main\u{0}"),
            json!("other"),
            json!("../../../../dev/null"),
            json!("/proc/sys/kernel/randomize_va_space"),
            json!("main' OR '1'='1"),
            json!("x' UNION SELECT 'secret"),
            json!("$(id)"),
            json!(0),
            json!(["main"]),
            json!({ "kid": "main" }),
        ] {
            self.header(&json!({ "alg": "HS256", "kid": kid }).to_string());
        }
        // The keys to which such fields could lead.
        let kid = |kid: &str| json!({ "alg": "HS256", "kid": kid }).to_string();
        self.add("dev/null's key", signed(&kid("../../../../dev/null"), &claims, ""));
        self.add("a selected key", signed(&kid("x' UNION SELECT 'secret"), &claims, "secret"));
        self.add("unknown, no key", signed(&kid("unknown"), &claims, ""));
        let key = STANDARD.encode("mine");
        for header in [
            json!({ "alg": "HS256", "kid": "main", "jwk": { "kty": "oct", "k": encode("mine"), "alg": "HS256" } }),
            json!({ "alg": "HS256", "jwk": { "kty": "oct", "k": encode("mine"), "kid": "main" } }),
            json!({ "alg": "HS256", "kid": "main", "jku": "http://127.0.0.1:1/keys" }),
            json!({ "alg": "HS256", "kid": "main", "x5u": "http://127.0.0.1:1/chain" }),
            json!({ "alg": "HS256", "kid": "main", "x5c": [key] }),
        ] {
            self.add(format!("its own key {header}"), signed(&header.to_string(), &claims, "mine"));
        }
    }

    fn secrets(&mut self) {
        let claims = self.claims.to_string();
        for secret in ["", "wrong", "main", "main:a secret of the tests that is long enough", OTHER] {
            self.add(format!("secret {secret:?}"), signed(Self::HEADER, &claims, secret));
        }
        let good = signed(Self::HEADER, &claims, SECRET);
        let (text, signature) = good.rsplit_once('.').unwrap();
        let other = signed(Self::HEADER, &json!({ "sub": 1 }).to_string(), SECRET);
        self.add("another's signature", format!("{text}.{}", other.rsplit_once('.').unwrap().1));
        self.add("half a signature", format!("{text}.{}", &signature[..22]));
        self.add("a signature twice", format!("{text}.{signature}{signature}"));
        self.add("a padded signature", format!("{text}.{signature}="));
        self.add(
            "a signature in hexadecimal",
            format!("{text}.{}", hex::encode(URL_SAFE_NO_PAD.decode(signature).unwrap())),
        );
        // 43 characters hold 258 bits: the last two must be zero, or one signature had four spellings.
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let last = alphabet.find(signature.chars().last().unwrap()).unwrap();
        self.add("another spelling", format!("{text}.{}{}", &signature[..42], &alphabet[last + 1..last + 2]));
        let mut claims = self.claims.clone();
        claims["exp"] = json!(claims["exp"].as_i64().unwrap() + 1);
        let (header, _) = text.split_once('.').unwrap();
        self.add("changed claims", format!("{header}.{}.{signature}", encode(&claims.to_string())));
    }

    fn registered_claims(&mut self, now: i64) {
        let far = 1_000_000_000_000_i64;
        for (name, values) in [
            (
                "exp",
                vec![json!(null), json!((now + 60).to_string()), json!(-1), json!(0), json!(now - 5), json!(now - far)],
            ),
            ("exp", vec![json!(1e300), json!(u64::MAX), json!(true), json!([now + 60]), json!({})]),
            ("iss", vec![json!(null), json!(""), json!("http://sho.rt/"), json!("https://sho.rt"), json!(1)]),
            ("iss", vec![json!("http://sho.rt.evil.example"), json!(["http://evil.example"])]),
            (
                "aud",
                vec![
                    json!(null),
                    json!(""),
                    json!("Linkgraph"),
                    json!("other"),
                    json!([]),
                    json!(["a", "b"]),
                    json!(1),
                ],
            ),
            ("sub", vec![json!(null), json!(""), json!(1), json!("admin"), json!([self.claims["sub"]]), json!("*")]),
            ("account", vec![json!(null), json!(""), json!(1), json!("admin")]),
            ("pwd", vec![json!(null), json!("0"), json!(0.5)]),
            ("nbf", vec![json!(now + 60), json!("0"), json!(i64::MAX), json!(1e300)]),
            ("iat", vec![json!(now + 60), json!(null), json!("0"), json!(i64::MAX)]),
        ] {
            if name != "nbf" {
                self.claim(name, None);
            }
            for value in values {
                self.claim(name, Some(value));
            }
        }
        let text = self.claims.to_string();
        let open = text.strip_suffix('}').unwrap();
        for more in [
            r#""exp":1e400"#.to_owned(),
            format!(r#""exp":{far}"#),
            r#""sub":"019aa1c2-7d10-7c3e-9a51-3f5b0c9d1e01""#.to_owned(),
            r#""iss":"http://sho.rt""#.to_owned(),
            r#""aud":"linkgraph""#.to_owned(),
        ] {
            self.claims(&format!("{open},{more}}}"));
        }
        for claims in
            ["", "{}", "[]", "null", "1", r#""sub""#, open, &format!("\u{feff}{text}"), &format!("{text}{text}")]
        {
            self.claims(claims);
        }
        self.claims(&format!("[{text}]"));
    }

    fn shapes(&mut self) {
        let good = signed(Self::HEADER, &self.claims.to_string(), SECRET);
        let parts: Vec<&str> = good.split('.').collect();
        let [header, claims, signature] = parts[..] else { panic!("{good}") };
        for token in [
            String::new(),
            ".".to_owned(),
            "..".to_owned(),
            "...".to_owned(),
            header.to_owned(),
            format!("{header}..{signature}"),
            format!(".{claims}.{signature}"),
            format!("{good}."),
            format!(".{good}"),
            format!("{good}.{signature}"),
            format!("{header}.{header}.{claims}.{signature}"),
            format!("{header}.{header}.{claims}.{claims}.{signature}"),
            format!("{claims}.{header}.{signature}"),
            format!("{signature}.{claims}.{header}"),
            format!("{header}. {claims}.{signature}"),
            format!("{header}.{claims} .{signature}"),
            format!("{header}\t.{claims}.{signature}"),
            format!("{good} {good}"),
            format!("{good},{good}"),
            format!("\"{good}\""),
            format!("Bearer {good}"),
            good[1..].to_owned(),
            good[..good.len() - 1].to_owned(),
            good.to_uppercase(),
            STANDARD.encode(&good),
            "a".repeat(50_000),
            format!("{header}.{}.{signature}", "a".repeat(50_000)),
            ".".repeat(5_000),
        ] {
            self.add(format!("shape {}", &token[..token.len().min(60)]), token);
        }
    }
}

async fn status(http: &Http, path: &str, token: &str) -> u16 {
    let request = http.request(reqwest::Method::GET, path).header("authorization", format!("Bearer {token}"));
    http.send(request).await.status.as_u16()
}

fn now(clock: &linkgraph::base::clock::Clock) -> i64 {
    clock.now() / SECOND
}

#[on_each_database]
async fn no_forged_token_is_accepted(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_JWT_SECRETS", SECRETS)]).await;
    let real = server.register("alice").await;
    assert_eq!(part(&real, 0), json!({ "typ": "JWT", "alg": "HS256", "kid": "main" }));
    let mut hostile = Hostile { claims: part(&real, 1), tokens: Vec::new() };
    let names: Vec<_> = hostile.claims.as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["sub", "account", "iss", "aud", "iat", "exp", "auth_time", "jti", "pwd", "mem"]);

    // The tests can make tokens that are good, so what is refused below is refused for what is wrong with it.
    let claims = hostile.claims.to_string();
    let good = [
        signed(Hostile::HEADER, &claims, SECRET),
        signed(r#"{"kid":"main","alg":"HS256"}"#, &claims, SECRET),
        signed(r#"{"alg":"HS256","kid":"other"}"#, &claims, OTHER),
    ];
    for token in &good {
        assert_eq!((status(&server, "/me", token).await, status(&server, "/links", token).await), (200, 200));
    }

    hostile.algorithms();
    hostile.key_ids();
    hostile.secrets();
    hostile.registered_claims(now(&server.clock));
    hostile.shapes();
    assert!(hostile.tokens.len() >= 150, "{}", hostile.tokens.len());
    let mut accepted = Vec::new();
    for (what, token) in &hostile.tokens {
        // The second checks the signature only: no row of the database saves it.
        for path in ["/me", "/links"] {
            let status = status(&server, path, token).await;
            if status != 401 {
                accepted.push(format!("{status} {path} {what}"));
            }
        }
    }
    assert!(accepted.is_empty(), "{accepted:#?}");
    for header in [format!("Basic {}", good[0]), format!("Bearer{}", good[0]), good[0].clone(), "Bearer".to_owned()] {
        let answer = server.send(server.request(reqwest::Method::GET, "/links").header("authorization", &header)).await;
        assert_eq!(answer.expect(401).header("www-authenticate"), "Bearer", "{header}");
    }
    let invalid = server.get("/links", &format!("{}x", good[0])).await.expect(401);
    let challenge = "Bearer error=\"invalid_token\", error_description=\"A valid credential is required.\"";
    assert_eq!(invalid.header("www-authenticate"), challenge);
    // A wrong password is no wrong token, even if a token is sent with it.
    let login = json!({ "email": "alice@example.com", "password": "wrong password" });
    let answer = server.post("/auth/login", "not.a.token", login).await.expect(401);
    assert_eq!(answer.header("www-authenticate"), "Bearer");
    assert_eq!(status(&server, "/me", &good[0]).await, 200, "it is still good");
}

#[on_each_database]
async fn another_users_or_accounts_row_is_not_reached(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_JWT_SECRETS", SECRETS)]).await;
    let (alice, bob) = (part(&server.register("alice").await, 1), part(&server.register("bob").await, 1));
    let mut mixed = alice.clone();
    mixed["account"] = bob["account"].clone();
    assert_eq!(status(&server, "/me", &signed(Hostile::HEADER, &mixed.to_string(), SECRET)).await, 401);
    let mut changed = alice.clone();
    changed["pwd"] = json!(alice["pwd"].as_i64().unwrap() + 1);
    assert_eq!(status(&server, "/me", &signed(Hostile::HEADER, &changed.to_string(), SECRET)).await, 401);
    let mut early = alice.clone();
    early["iat"] = json!(alice["iat"].as_i64().unwrap() - 60);
    assert_eq!(status(&server, "/me", &signed(Hostile::HEADER, &early.to_string(), SECRET)).await, 401);
}

#[on_each_database]
async fn a_token_is_valid_for_a_day_and_five_seconds(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_JWT_SECRETS", SECRETS)]).await;
    let real = server.register("alice").await;
    let claims = part(&real, 1);
    assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 86_400);
    server.clock.advance(DAY - MINUTE);
    assert_eq!(status(&server, "/me", &real).await, 200);
    server.clock.advance(MINUTE + 5 * SECOND);
    assert_eq!(status(&server, "/me", &real).await, 401);
    assert_eq!(status(&server, "/links", &real).await, 401);

    let with = |name: &str, second: i64| {
        let mut claims = claims.clone();
        claims["exp"] = json!(now(&server.clock) + 60);
        claims[name] = json!(second);
        signed(Hostile::HEADER, &claims.to_string(), SECRET)
    };
    for (name, accepted, refused) in [("exp", 60, -5), ("nbf", 0, 60), ("iat", 0, 60)] {
        for path in ["/me", "/links"] {
            let second = now(&server.clock);
            assert_eq!(status(&server, path, &with(name, second + accepted)).await, 200, "{name} {path}");
            let late = with(name, now(&server.clock) + refused);
            assert_eq!(status(&server, path, &late).await, 401, "{name} {path}");
            if name != "exp" {
                server.clock.advance((refused - 5) * SECOND);
                assert_eq!(status(&server, path, &late).await, 200, "{name} {path}: its time has come");
            }
        }
    }
}

#[on_each_database]
async fn secrets_are_rotated_without_ending_sessions(database: TestDatabase) {
    let old_only = format!("old:{OTHER}");
    let both = format!("new:{SECRET},old:{OTHER}");
    let new_only = format!("new:{SECRET}");
    let with = async |secrets: &str| database.start_with(&[("LINKGRAPH_JWT_SECRETS", secrets)]).await;
    let server = with(&old_only).await;
    let old = server.register("alice").await;
    assert_eq!(part(&old, 0)["kid"], "old");
    server.stop().await;

    let server = with(&both).await;
    assert_eq!(status(&server, "/me", &old).await, 200);
    let body = json!({ "email": "alice@example.com", "password": "alice's password" });
    let session = server.post("/auth/login", "", body).await.expect(200).json();
    let new = session["accessToken"].as_str().unwrap().to_owned();
    assert_eq!(part(&new, 0)["kid"], "new");
    assert_eq!(status(&server, "/me", &new).await, 200);
    server.stop().await;

    let server = with(&new_only).await;
    assert_eq!((status(&server, "/me", &old).await, status(&server, "/links", &old).await), (401, 401));
    assert_eq!(status(&server, "/me", &new).await, 200);
    server.stop().await;
    assert!(!database.folder.join("jwt-secret").exists(), "a secret was made although some are configured");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_configured_secret_one_is_kept() {
    let database = TestDatabase::sqlite();
    let server = database.start().await;
    let token = server.register("alice").await;
    server.stop().await;
    let path = database.folder.join("jwt-secret");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let secret = fs::read_to_string(&path).unwrap();
    assert!(hex::decode(&secret).unwrap().len() >= 32);

    let server = database.start().await;
    assert_eq!(status(&server, "/me", &token).await, 200, "the session survives a restart");
    server.stop().await;
    assert_eq!(fs::read_to_string(&path).unwrap(), secret);

    fs::remove_file(&path).unwrap();
    let server = database.start().await;
    assert_eq!((status(&server, "/me", &token).await, status(&server, "/links", &token).await), (401, 401));
    server.stop().await;
    assert_ne!(fs::read_to_string(&path).unwrap(), secret);
}

/// The nodes of a PostgreSQL share one; that which a directory has from an older version is the first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_configured_secret_nodes_share_one() {
    let database = TestDatabase::postgres().await;
    let secret = [7; 32];
    fs::write(database.folder.join("jwt-secret"), hex::encode(secret)).unwrap();
    let server = database.start().await;
    let token = server.register("alice").await;
    let connection = database.connect().await;
    let kept = shared_secret::Entity::find_by_id("jwt").one(&connection).await.unwrap().unwrap();
    assert_eq!(kept.secret, secret);
    let other = database.node();
    fs::write(other.folder.join("jwt-secret"), hex::encode([8; 32])).unwrap();
    let another = other.start().await;
    assert_eq!(status(&another, "/me", &token).await, 200);
    assert_eq!(status(&server, "/me", &another.login("alice").await).await, 200);
    another.stop().await;
    server.stop().await;

    shared_secret::Entity::delete_by_id("jwt").exec(&connection).await.unwrap();
    connection.close().await.unwrap();
    let third = database.node();
    let server = third.start().await;
    assert_eq!((status(&server, "/me", &token).await, status(&server, "/links", &token).await), (401, 401));
    server.stop().await;
}
