//! Signing in by the company's identity provider, by a trusted proxy, and by an operator's link.

use linkgraph::base::clock::{MINUTE, SECOND};
use reqwest::{
    Client, Method, Url,
    header::{CONTENT_TYPE, COOKIE},
    redirect::Policy,
};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase, TestServer,
        browser::Browser,
        identity_provider::{IdentityProvider, Traveller, claims},
        mail::{all_mails, mailed},
        process::operate,
        receiver::id,
        totp,
    },
};

const GROUPS: (&str, &str) = ("LINKGRAPH_OIDC_ROLE_CLAIM", "groups");

async fn start(database: &TestDatabase, provider: &IdentityProvider, more: &[(&str, &str)]) -> TestServer {
    database.start_with(&[&provider.settings("mock")[..], more].concat()).await
}

/// The user of a browser's session, as `GET /me` answers it, and a token.
async fn me(traveller: &mut Traveller, server: &Http) -> (Json, String) {
    let refreshed = traveller.browser.refresh(server).await.expect(200).json();
    let token = refreshed["accessToken"].as_str().unwrap().to_owned();
    (server.get("/me", &token).await.expect(200).json(), token)
}

async fn signed_in(server: &Http, provider: &IdentityProvider) -> (Json, String) {
    let mut traveller = Traveller::default();
    assert_eq!(traveller.sign_in(server, provider, "").await, "/app#signed-in");
    me(&mut traveller, server).await
}

async fn refused(server: &Http, provider: &IdentityProvider) -> String {
    let mut traveller = Traveller::default();
    let page = traveller.sign_in(server, provider, "").await;
    traveller.browser.refresh(server).await.expect(401);
    let code = page.strip_prefix("/app/login?signIn=").unwrap_or_else(|| panic!("{page}"));
    code.split('&').next().unwrap().to_owned()
}

async fn register(server: &Http, name: &str, database: &TestDatabase, mails: usize) -> String {
    let token = server.register(name).await;
    let proof = mailed(database, mails, "verify-email?token=").await;
    server.post("/auth/verify-email", "", json!({ "token": proof })).await.expect(200);
    token
}

#[on_each_database]
async fn who_signs_in_is_the_same_user_ever_after(database: TestDatabase) {
    let provider = IdentityProvider::start().await;
    let server = start(&database, &provider, &[]).await;
    let instance = server.graphql("", "{ instance { hasPasswordLogin companySignIn } }", Json::Null).await;
    assert_eq!(instance["data"]["instance"], json!({ "hasPasswordLogin": true, "companySignIn": "Acme" }));
    provider.signs_in("Grace", &[]).await;
    let mut traveller = Traveller::default();
    let (answer, there) = traveller.open(&server, "/auth/sign-in?to=/app/links%3Fpage=2").await;
    // The cookie comes along with a link from the provider, and no script reads it.
    let set = answer.header("set-cookie");
    assert!(set.contains("; HttpOnly; SameSite=Lax; Max-Age=600"), "{set}");
    let asked: Vec<_> = Url::parse(&there).unwrap().query_pairs().into_owned().collect();
    let asked_for = |name: &str| &asked.iter().find(|(it, _)| it == name).unwrap_or_else(|| panic!("{name}")).1;
    for (name, value) in
        [("response_type", "code"), ("code_challenge_method", "S256"), ("scope", "openid email profile")]
    {
        assert_eq!(asked_for(name), value);
    }
    assert_eq!(asked_for("redirect_uri"), "http://sho.rt/auth/sign-in/callback");
    for secret in ["state", "nonce", "code_challenge"] {
        assert!(asked_for(secret).len() >= 22, "{secret}");
    }
    let back = provider.authorize(&there).await;
    let begun = traveller.clone();
    let (answer, page) = traveller.open(&server, &back).await;
    assert_eq!((page.as_str(), answer.header("referrer-policy")), ("/app/links?page=2#signed-in", "no-referrer"));
    assert_eq!(traveller.sign_in, "");
    let (user, token) = me(&mut traveller, &server).await;
    assert_eq!((&user["email"], &user["name"]), (&json!("grace@example.com"), &json!("Grace")));
    assert!(user["emailVerifiedAt"].is_string());
    assert_eq!(user["memberships"][0]["role"], "OWNER");
    // Neither the code nor the sign-in works twice.
    assert!(begun.clone().open(&server, &back).await.1.starts_with("/app/login?signIn=failed"));
    assert!(traveller.open(&server, &back).await.1.starts_with("/app/login?signIn=failed"));

    // The provider's name for the user counts, and not the address.
    provider.control(json!({ "claims": { "sub": "Grace's subject", "email": "g@example.org" } })).await;
    let (again, _) = signed_in(&server, &provider).await;
    assert_eq!((&again["id"], &again["email"]), (&user["id"], &json!("grace@example.com")));
    let shown = server.get("/me/identities", &token).await.expect(200).json();
    assert_eq!(shown["identities"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&shown["identities"][0]["provider"], &shown["identities"][0]["email"]),
        (&json!("Acme"), &json!("g@example.org"))
    );
    // Another user can't remove it.
    let path = format!("/me/identities/{}", shown["identities"][0]["id"].as_str().unwrap());
    let other = server.register("other").await;
    server.call("DELETE", &path, &other, Json::Null).await.expect(404);
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    server.call("DELETE", &path, &token, Json::Null).await.expect(404);
    // Without it, the same person is found by the address that both sides have proved.
    provider.signs_in("Grace", &[]).await;
    assert_eq!(signed_in(&server, &provider).await.0["id"], user["id"]);
}

#[on_each_database]
async fn an_address_connects_only_if_both_sides_proved_it(database: TestDatabase) {
    let provider = IdentityProvider::start().await;
    let server = start(&database, &provider, &[]).await;
    server.register("ada").await;
    provider.signs_in("ada", &[]).await;
    assert_eq!(refused(&server, &provider).await, "address");
    let proof = mailed(&database, 1, "verify-email?token=").await;
    server.post("/auth/verify-email", "", json!({ "token": proof })).await.expect(200);
    for unproved in [json!(false), json!(null), json!("true")] {
        let mut claims = claims("ada", &[]);
        claims["email_verified"] = unproved;
        provider.control(json!({ "claims": claims })).await;
        let code = refused(&server, &provider).await;
        assert!(["address", "failed"].contains(&&*code), "{code}");
    }
    provider.control(json!({ "claims": { "sub": "nobody" } })).await;
    assert_eq!(refused(&server, &provider).await, "noEmail");
    provider.signs_in("ada", &[]).await;
    let (user, _) = signed_in(&server, &provider).await;
    assert_eq!(user["id"], id(&server.get("/me", &server.login("ada").await).await.json()));
    mailed(&database, 1, "From now on, Acme signs you in").await;
    // A user whom the provider has not proved has to prove the address here.
    let mut unproved = claims("eve", &[]);
    unproved["email_verified"] = json!(false);
    provider.control(json!({ "claims": unproved })).await;
    assert_eq!(signed_in(&server, &provider).await.0["emailVerifiedAt"], Json::Null);
}

#[on_each_database]
async fn wrong_answers_sign_nobody_in(database: TestDatabase) {
    let provider = IdentityProvider::start().await;
    let server = start(&database, &provider, &[]).await;
    let now = server.clock.now() / SECOND;
    for (answers, code) in [
        (json!({ "claims": { "nonce": "another" } }), "failed"),
        (json!({ "omit": ["nonce"] }), "failed"),
        (json!({ "claims": { "aud": "another" } }), "failed"),
        (json!({ "claims": { "aud": ["linkgraph", "another"] } }), "failed"),
        (json!({ "omit": ["aud"] }), "failed"),
        (json!({ "claims": { "iss": "https://evil.example" } }), "failed"),
        (json!({ "claims": { "exp": now - 120 } }), "failed"),
        (json!({ "omit": ["exp"] }), "failed"),
        (json!({ "claims": { "iat": now + 600 } }), "failed"),
        (json!({ "omit": ["sub"] }), "failed"),
        (json!({ "wrong": "unsigned" }), "failed"),
        (json!({ "wrong": "symmetric" }), "failed"),
        (json!({ "wrong": "forged" }), "failed"),
        (json!({ "wrong": "noIdToken" }), "failed"),
        (json!({ "wrong": "noTokenType" }), "failed"),
        (json!({ "wrong": "refused" }), "failed"),
        (json!({ "wrong": "failing" }), "failed"),
        (json!({ "wrong": "elsewhere" }), "failed"),
        (json!({ "wrong": "tooLong" }), "unavailable"),
        (json!({ "wrong": "state" }), "failed"),
        (json!({ "wrong": "issuer" }), "failed"),
        (json!({ "wrong": "denied" }), "cancelled"),
        (json!({ "omit": ["email"], "userinfo": { "sub": "another", "email": "a@example.com" } }), "failed"),
        (json!({ "omit": ["email"] }), "noEmail"),
        (json!({ "claims": { "email": "not an address" } }), "noEmail"),
    ] {
        let mut answers = answers;
        let changed = answers["claims"].take();
        answers["claims"] = claims("eve", &[]);
        for (name, value) in changed.as_object().into_iter().flatten() {
            answers["claims"][name] = value.clone();
        }
        provider.control(answers.clone()).await;
        assert_eq!(refused(&server, &provider).await, code, "{answers}");
    }
    // Nothing is left of it, and the next right answer is taken.
    provider.signs_in("eve", &[]).await;
    assert_eq!(signed_in(&server, &provider).await.0["memberships"].as_array().unwrap().len(), 1);
    let users = operate(&database, &["accounts", "list", "--json"]).await;
    assert_eq!(users.lines().count(), 1, "{users}");
}

#[on_each_database]
async fn a_provider_that_is_away_or_has_other_keys_is_asked_again(database: TestDatabase) {
    let provider = IdentityProvider::start().await;
    // It is away when the service starts, which serves nevertheless.
    provider.control(json!({ "wrong": "down" })).await;
    let server = start(&database, &provider, &[]).await;
    server.register("ada").await;
    assert_eq!(refused(&server, &provider).await, "unavailable");
    for wrong in ["anotherIssuer", "noDocument"] {
        server.clock.advance(MINUTE);
        provider.control(json!({ "wrong": wrong })).await;
        assert_eq!(refused(&server, &provider).await, "unavailable", "{wrong}");
    }
    server.clock.advance(MINUTE);
    provider.control(json!({ "wrong": "noKeys", "claims": claims("grace", &[]) })).await;
    assert_eq!(refused(&server, &provider).await, "failed");
    // The keys are read again a minute later, when a token has another one.
    provider.signs_in("grace", &[]).await;
    assert_eq!(refused(&server, &provider).await, "failed");
    server.clock.advance(MINUTE);
    signed_in(&server, &provider).await;
    server.clock.advance(MINUTE);
    provider.control(json!({ "wrong": "rotated", "claims": claims("grace", &[]) })).await;
    signed_in(&server, &provider).await;
    // What is known of it stays in use while it does not answer to questions for more.
    server.clock.advance(10 * MINUTE);
    signed_in(&server, &provider).await;
}

#[on_each_database]
async fn groups_say_the_role_at_each_sign_in(database: TestDatabase) {
    let provider = IdentityProvider::start().await;
    let account = {
        let server = database.start().await;
        let ada = register(&server, "ada", &database, 1).await;
        let account = server.get("/me", &ada).await.json()["account"]["id"].as_str().unwrap().to_owned();
        server.stop().await;
        account
    };
    let roles = ("LINKGRAPH_OIDC_ROLES", "bosses:ADMIN,staff:MEMBER,guests:VIEWER");
    let rule = [GROUPS, ("LINKGRAPH_OIDC_ACCOUNT", account.as_str()), roles, ("LINKGRAPH_REGISTRATION", "closed")];
    let server = start(&database, &provider, &rule).await;
    provider.signs_in("grace", &["other"]).await;
    assert_eq!(refused(&server, &provider).await, "group");
    provider.signs_in("grace", &["guests", "staff"]).await;
    let (user, token) = signed_in(&server, &provider).await;
    assert_eq!(user["account"]["id"], account);
    let roles: Vec<_> = user["memberships"].as_array().unwrap().iter().map(|it| &it["role"]).collect();
    assert_eq!(roles, ["MEMBER"]);
    server.post("/links", &token, json!({ "destinationUrl": "https://example.com" })).await.expect(201);
    // Another role counts from the next sign-in on, and refuses the tokens before.
    provider.signs_in("grace", &["guests"]).await;
    let (_, viewer) = signed_in(&server, &provider).await;
    server.get("/links", &token).await.expect(401);
    server.get("/links", &viewer).await.expect(200);
    server.post("/links", &viewer, json!({ "destinationUrl": "https://example.com" })).await.expect(403);
    provider.signs_in("grace", &["bosses"]).await;
    let (_, admin) = signed_in(&server, &provider).await;
    assert_eq!(server.get("/members", &admin).await.expect(200).json()["total"], 2);
    // Who is in no group any more is no member.
    provider.signs_in("grace", &[]).await;
    assert_eq!(refused(&server, &provider).await, "group");
    server.get("/links", &admin).await.expect(401);
    // The last owner stays one, whatever the groups are.
    provider.signs_in("ada", &["guests"]).await;
    let (ada, token) = signed_in(&server, &provider).await;
    assert_eq!(ada["memberships"][0]["role"], "OWNER");
    assert_eq!(server.get("/members", &token).await.expect(200).json()["total"], 1);
}

#[on_each_database]
async fn closed_registration_lets_in_whom_a_member_invited(database: TestDatabase) {
    let provider = IdentityProvider::start().await;
    let server = start(&database, &provider, &[("LINKGRAPH_REGISTRATION", "closed")]).await;
    let ada = server.register("ada").await;
    provider.signs_in("grace", &[]).await;
    assert_eq!(refused(&server, &provider).await, "closed");
    let invitation = json!({ "email": "grace@example.com", "role": "BILLING" });
    server.post("/invitations", &ada, invitation).await.expect(201);
    let mut unproved = claims("grace", &[]);
    unproved["email_verified"] = json!(false);
    provider.control(json!({ "claims": unproved })).await;
    assert_eq!(refused(&server, &provider).await, "closed");
    provider.signs_in("grace", &[]).await;
    let (grace, _) = signed_in(&server, &provider).await;
    let roles: Vec<_> = grace["memberships"].as_array().unwrap().iter().map(|it| &it["role"]).collect();
    assert_eq!(roles, ["BILLING"]);
    assert_eq!(server.get("/invitations", &ada).await.json()["total"], 0);
}

#[on_each_database]
async fn a_second_factor_is_asked_for_beside_the_provider(database: TestDatabase) {
    let provider = IdentityProvider::start().await;
    let server = start(&database, &provider, &[]).await;
    provider.signs_in("grace", &[]).await;
    let (_, token) = signed_in(&server, &provider).await;
    let secret = server.post("/me/totp", &token, Json::Null).await.expect(200).json()["secret"].clone();
    let code = |offset: i64| totp::code(secret.as_str().unwrap(), server.clock.now() / SECOND + offset);
    server.post("/me/totp/confirm", &token, json!({ "code": code(0) })).await.expect(200);
    let mut traveller = Traveller::default();
    let page = traveller.sign_in(&server, &provider, "?to=/app/tags").await;
    let (_, rest) = page.split_once("/app/login#challenge=").unwrap_or_else(|| panic!("{page}"));
    let challenge = rest.strip_suffix("&factors=TOTP&to=%2Fapp%2Ftags").unwrap_or_else(|| panic!("{page}"));
    traveller.browser.refresh(&server).await.expect(401);
    server.clock.advance(MINUTE);
    let body = json!({ "challenge": challenge, "code": code(0) });
    traveller.browser.send(&server, Method::POST, "/auth/session", body).await.expect(200);
    me(&mut traveller, &server).await;
    // The provider's word is no proof of the factor.
    server.clock.advance(20 * MINUTE);
    let page = traveller.sign_in(&server, &provider, "?again=1&to=/app/settings").await;
    assert!(page.starts_with("/app/settings?signIn="), "{page}");
}

#[on_each_database]
async fn an_identity_is_connected_by_its_user_with_a_fresh_proof(database: TestDatabase) {
    let provider = IdentityProvider::start().await;
    let server = start(&database, &provider, &[]).await;
    server.register("ada").await;
    let (browser, token) = Browser::log_in(&server, "ada", true).await;
    let mut traveller = Traveller { browser, sign_in: String::new() };
    provider.signs_in("company-ada", &[]).await;
    let connect = "?connect=1&to=/app/settings/security";
    server.clock.advance(11 * MINUTE);
    assert_eq!(traveller.sign_in(&server, &provider, connect).await, "/app/settings/security?signIn=proof");
    let token = {
        let proof = json!({ "currentPassword": "ada's password" });
        let path = "/me/confirm-access";
        let (refreshed, _) = (traveller.browser.refresh(&server).await.expect(200).json(), token);
        let token = refreshed["accessToken"].as_str().unwrap().to_owned();
        server.post(path, &token, proof).await.expect(200);
        token
    };
    assert_eq!(traveller.sign_in(&server, &provider, connect).await, "/app/settings/security");
    assert_eq!(traveller.sign_in(&server, &provider, connect).await, "/app/settings/security");
    assert_eq!(server.get("/me/identities", &token).await.json()["identities"].as_array().unwrap().len(), 1);
    let ada = server.get("/me", &token).await.json()["id"].clone();
    assert_eq!(signed_in(&server, &provider).await.0["id"], ada);
    // It is one user's.
    server.register("eve").await;
    let (browser, _) = Browser::log_in(&server, "eve", true).await;
    let mut eve = Traveller { browser, sign_in: String::new() };
    assert_eq!(eve.sign_in(&server, &provider, connect).await, "/app/settings/security?signIn=taken");
    // Without a session there is nobody to connect with.
    let page = Traveller::default().sign_in(&server, &provider, connect).await;
    assert_eq!(page, "/app/settings/security?signIn=failed");
    // A proof by the provider: only if the user authenticated again.
    server.clock.advance(11 * MINUTE);
    assert_eq!(traveller.sign_in(&server, &provider, "?again=1&to=/app/keys").await, "/app/keys?signIn=failed");
    let mut again = claims("company-ada", &[]);
    again["auth_time"] = json!(server.clock.now() / SECOND);
    again["iat"] = again["auth_time"].clone();
    provider.control(json!({ "claims": again })).await;
    assert_eq!(traveller.sign_in(&server, &provider, "?again=1&to=/app/keys").await, "/app/keys");
    let (_, token) = me(&mut traveller, &server).await;
    server.post("/me/totp", &token, Json::Null).await.expect(200);
}

#[on_each_database]
async fn who_gets_the_address_back_is_rid_of_identities_that_came_after_the_change(database: TestDatabase) {
    let provider = IdentityProvider::start().await;
    let server = start(&database, &provider, &[]).await;
    register(&server, "ada", &database, 1).await;
    let (browser, token) = Browser::log_in(&server, "ada", true).await;
    let mut thief = Traveller { browser, sign_in: String::new() };
    let change = json!({ "email": "thief@example.com", "currentPassword": "ada's password" });
    server.call("PATCH", "/me", &token, change).await.expect(200);
    let proof = mailed(&database, 2, "verify-email?token=").await;
    server.post("/auth/verify-email", "", json!({ "token": proof })).await.expect(200);
    provider.control(json!({ "claims": { "sub": "of the thief" } })).await;
    assert_eq!(thief.sign_in(&server, &provider, "?connect=1&to=/app/settings").await, "/app/settings");
    let stolen = signed_in(&server, &provider).await.0["id"].clone();
    let undo = mailed(&database, 1, "/app/undo-email?token=").await;
    server.post("/auth/undo-email-change", "", json!({ "token": undo })).await.expect(200);
    assert_eq!(refused(&server, &provider).await, "noEmail");
    assert_eq!(database.number("SELECT count(*) FROM identities").await, 0);
    assert_ne!(stolen, Json::Null);
}

#[on_each_database]
async fn passwords_can_be_off_and_an_operator_lets_in(database: TestDatabase) {
    let provider = IdentityProvider::start().await;
    {
        let server = database.start().await;
        register(&server, "ada", &database, 1).await;
        server.stop().await;
    }
    let server = start(&database, &provider, &[("LINKGRAPH_PASSWORD_LOGIN", "off")]).await;
    let credentials = json!({ "email": "ada@example.com", "password": "ada's password" });
    let new = json!({ "email": "b@example.com", "password": "long enough", "name": "b" });
    let reset = json!({ "token": "a", "password": "long enough" });
    for (path, body) in [
        ("/auth/login", credentials.clone()),
        ("/auth/register", new),
        ("/auth/forgot-password", json!({ "email": "ada@example.com" })),
        ("/auth/reset-password", reset),
    ] {
        let answer = server.post(path, "", body).await.expect(403);
        assert_eq!(answer.json()["error"]["details"], json!({ "reason": "PASSWORD_LOGIN_OFF" }), "{path}");
    }
    let mut browser = Browser::default();
    browser.send(&server, Method::POST, "/auth/session", credentials).await.expect(403);
    provider.signs_in("ada", &[]).await;
    let (ada, _) = signed_in(&server, &provider).await;
    // The provider is away: the operator lets her in, once.
    let settings = provider.settings("mock");
    assert!(settings.len() == 4);
    let said = operate(&database, &["accounts", "login-link", "Ada@example.com", "--reason", "no provider"]).await;
    let token = said.trim().strip_prefix("http://sho.rt/app/login#link=").unwrap_or_else(|| panic!("{said}"));
    let link = |token: &str| json!({ "link": token });
    browser.send(&server, Method::POST, "/auth/session", link(&token[1..])).await.expect(401);
    let answer = browser.send(&server, Method::POST, "/auth/session", link(token)).await.expect(200);
    assert_eq!(answer.json()["user"]["id"], ada["id"]);
    browser.send(&server, Method::POST, "/auth/session", link(token)).await.expect(401);
    let late = operate(&database, &["accounts", "login-link", "ada@example.com"]).await;
    server.clock.advance(16 * MINUTE);
    let token = late.trim().split_once("#link=").unwrap().1.to_owned();
    browser.send(&server, Method::POST, "/auth/session", link(&token)).await.expect(401);
    assert!(operate(&database, &["actions"]).await.contains("account.login_link"));
}

#[on_each_database]
async fn a_trusted_proxy_names_the_user_and_nobody_else_does(database: TestDatabase) {
    let proxy = [
        ("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1"),
        ("LINKGRAPH_PROXY_USER_HEADER", "Remote-Email"),
        ("LINKGRAPH_PROXY_NAME_HEADER", "Remote-Name"),
    ];
    let server = database.start_with(&proxy).await;
    let send = async |server: &Http, cookie: &str, fields: &[(&str, &str)]| {
        let request = server.request(Method::POST, "/auth/session/refresh").header("x-linkgraph", "1");
        let request = fields.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        server.send(request.header("cookie", cookie)).await
    };
    let grace = [("remote-email", "Grace@Example.com"), ("remote-name", "Grace H.")];
    let answer = send(&server, "", &grace).await.expect(200);
    assert_eq!(
        (&answer.json()["user"]["email"], &answer.json()["user"]["name"]),
        (&json!("grace@example.com"), &json!("Grace H."))
    );
    let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
    // The session goes on, with the header and without.
    let again = send(&server, &cookie, &grace).await.expect(200);
    assert_eq!(
        (again.json()["user"]["id"].clone(), again.header("set-cookie")),
        (answer.json()["user"]["id"].clone(), "")
    );
    send(&server, &cookie, &[]).await.expect(200);
    // Somebody else at the proxy is somebody else here.
    let eve = send(&server, &cookie, &[("remote-email", "eve@example.com")]).await.expect(200);
    assert_eq!(eve.json()["user"]["email"], "eve@example.com");
    send(&server, &cookie, &[]).await.expect(401);
    // Two fields are none: the second may be the client's. An address that is none is refused.
    send(&server, "", &[grace[0], ("remote-email", "eve@example.com")]).await.expect(401);
    send(&server, "", &[("remote-email", "not an address")]).await.expect(403);
    // The header is no credential anywhere else.
    let request = server.request(Method::GET, "/me").header("remote-email", "grace@example.com");
    server.send(request).await.expect(401);
    server.stop().await;
    // From an address that is no proxy's it says nothing.
    let others = [("LINKGRAPH_TRUSTED_PROXIES", "10.0.0.0/8"), proxy[1]];
    let server = database.start_with(&others).await;
    send(&server, "", &grace).await.expect(401);
    send(&server, "", &[grace[0], ("x-forwarded-for", "10.0.0.1")]).await.expect(401);
    server.stop().await;
    let server = database.start().await;
    send(&server, "", &grace).await.expect(401);
}

#[on_each_database]
async fn a_user_without_a_password_proves_by_the_provider(database: TestDatabase) {
    let provider = IdentityProvider::start().await;
    let server = start(&database, &provider, &[]).await;
    provider.signs_in("grace", &[]).await;
    let mut traveller = Traveller::default();
    traveller.sign_in(&server, &provider, "").await;
    let (_, token) = me(&mut traveller, &server).await;
    let has_password = async |token: &str| server.get("/me/security", token).await.json()["hasPassword"].clone();
    assert_eq!(has_password(&token).await, false);
    for password in ["", " ", "grace's password"] {
        let body = json!({ "email": "grace@example.com", "password": password });
        server.post("/auth/login", "", body).await.expect(401);
    }
    // A sign-in of the last minutes stands for the password.
    let other = json!({ "email": "g@example.com", "currentPassword": "" });
    server.call("PATCH", "/me", &token, other.clone()).await.expect(200);
    server.clock.advance(11 * MINUTE);
    let (_, token) = me(&mut traveller, &server).await;
    let refused = [
        server.call("PATCH", "/me", &token, other).await,
        server.call("DELETE", "/me", &token, json!({ "currentPassword": "" })).await,
        server.post("/me/confirm-access", &token, json!({ "currentPassword": "" })).await,
    ];
    for answer in refused {
        let answer = answer.expect(403).json();
        assert_eq!(answer["error"]["details"], json!({ "reason": "PROOF_REQUIRED" }));
    }
    // A password is set with a fresh proof, and is asked for from then on.
    let mut again = claims("grace", &[]);
    again["auth_time"] = json!(server.clock.now() / SECOND);
    again["iat"] = again["auth_time"].clone();
    again["exp"] = json!(server.clock.now() / SECOND + 600);
    provider.control(json!({ "claims": again })).await;
    assert_eq!(traveller.sign_in(&server, &provider, "?again=1").await, "/app");
    let (_, token) = me(&mut traveller, &server).await;
    let set = server.call("PATCH", "/me", &token, json!({ "password": "grace's password" })).await.expect(200);
    let token = set.json()["accessToken"].as_str().unwrap().to_owned();
    assert_eq!(has_password(&token).await, true);
    server.call("DELETE", "/me", &token, json!({ "currentPassword": "" })).await.expect(401);
    server.call("DELETE", "/me", &token, json!({ "currentPassword": "grace's password" })).await.expect(204);
}

/// The forms of a certified provider, filled in as a person does. It checks what a client has to send.
#[on_each_database]
async fn a_certified_provider_signs_in(database: TestDatabase) {
    let provider = IdentityProvider::start().await;
    let scopes = ("LINKGRAPH_OIDC_SCOPES", "openid email profile groups");
    let server = database.start_with(&[&provider.settings("certified")[..], &[scopes, GROUPS]].concat()).await;
    let mut traveller = Traveller::default();
    let (_, mut at) = traveller.open(&server, "/auth/sign-in").await;
    let client = Client::builder().redirect(Policy::none()).no_proxy().build().unwrap();
    let mut cookies: Vec<String> = Vec::new();
    let mut form: Option<Vec<(&str, &str)>> = None;
    let back = loop {
        let request = match &form {
            Some(fields) => {
                let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
                client.post(&at).header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(body)
            }
            None => client.get(&at),
        };
        let answer = request.header(COOKIE, cookies.join("; ")).send().await.unwrap();
        for set in answer.headers().get_all("set-cookie") {
            let pair = set.to_str().unwrap().split(';').next().unwrap().to_owned();
            let name = pair.split('=').next().unwrap().to_owned();
            cookies.retain(|cookie| !cookie.starts_with(&format!("{name}=")));
            cookies.push(pair);
        }
        form = None;
        if answer.status().is_redirection() {
            let to = answer.headers()["location"].to_str().unwrap().to_owned();
            if let Some(back) = to.strip_prefix("http://sho.rt") {
                break back.to_owned();
            }
            at = Url::parse(&at).unwrap().join(&to).unwrap().to_string();
            continue;
        }
        let page = answer.text().await.unwrap();
        let (_, rest) = page.split_once("action=\"").unwrap_or_else(|| panic!("{at}: {page}"));
        at = rest.split('"').next().unwrap().to_owned();
        form = Some(match page.contains("name=\"login\"") {
            true => vec![("prompt", "login"), ("login", "grace"), ("password", "any")],
            false => vec![("prompt", "consent")],
        });
    };
    assert_eq!(traveller.open(&server, &back).await.1, "/app#signed-in");
    let (grace, _) = me(&mut traveller, &server).await;
    assert_eq!((&grace["email"], &grace["name"]), (&json!("grace@example.com"), &json!("The grace")));
    assert!(all_mails(&database).is_empty());
}
