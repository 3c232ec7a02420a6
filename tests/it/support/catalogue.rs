//! One of each resource, the names of their ids, and what each mutation is sent. Who adds an operation adds it here; tests of all operations
//! take their ids and arguments from here.

use std::collections::{BTreeMap, BTreeSet};

use base64::{Engine, engine::general_purpose::STANDARD};
use linkgraph::{
    api::rest::plan::Plan,
    contract::{Input, RootField},
};
use pictures::Picture;
use serde_json::{Value as Json, json};

use super::{
    Http, TestDatabase, TestServer,
    browser::Browser,
    eventually,
    mail::{all_mails, mails, token_in},
    passkey::Passkey,
    receiver::id,
    totp,
};

/// Ids by the names of path parameters, such as `linkId`.
pub(crate) type Ids = BTreeMap<&'static str, String>;

/// The path parameters of resources that an account makes by a request, but `deliveryId`: a delivery is sent.
const RESOURCES: [&str; 14] = [
    "linkId",
    "tagId",
    "utmTemplateId",
    "annotationId",
    "reportId",
    "imageId",
    "domainId",
    "host",
    "publishableKeyId",
    "webhookId",
    "importId",
    "apiKeyId",
    "userId",
    "transferId",
];

/// Makes the resource that a path parameter stands for, and answers its id. `name` is part of what has to be unique.
pub(crate) async fn make(server: &Http, token: &str, parameter: &str, name: &str) -> String {
    let post = async |path: &str, body: Json| {
        let answer = server.post(path, token, body).await;
        assert!(answer.status.is_success(), "{path}: {answer:?}");
        answer.json()
    };
    let made = match parameter {
        "linkId" => server.link(token, name).await,
        "tagId" => post("/tags", json!({ "name": "red" })).await,
        "otherTagId" => post("/tags", json!({ "name": "blue" })).await,
        "utmTemplateId" => post("/utm-templates", json!({ "name": "Newsletter", "source": "newsletter" })).await,
        "annotationId" => {
            let body = json!({ "occurredAt": "2026-11-24T07:00:00.000Z", "text": "Newsletter sent" });
            post("/analytics/annotations", body).await
        }
        "reportId" => post("/reports", json!({ "name": "Spring" })).await,
        "imageId" => post("/images", json!({ "content": image(&[]) })).await,
        "domainId" => post("/domains", json!({ "domain": format!("{name}.example.com") })).await,
        // That of its domain, if it has one.
        "host" => {
            let domains = server.get("/domains", token).await.expect(200).json();
            let known = domains["data"][0]["domain"].as_str().map(str::to_owned);
            let host = known.unwrap_or_else(|| format!("{name}.example.com"));
            if domains["total"] == 0 {
                post("/domains", json!({ "domain": host })).await;
            }
            return host;
        }
        "publishableKeyId" => post("/apps/keys", json!({ "name": "Acme", "hosts": ["localhost"] })).await,
        // Nothing that happens by itself is sent to it.
        "webhookId" => server.webhook(token, "https://hooks.example.com/", &["domain.failing"]).await,
        "importId" => post("/imports", json!({})).await,
        "apiKeyId" => post("/api-keys", json!({ "name": "key", "scopes": ["links:read"] })).await["apiKey"].clone(),
        "transferId" => offered(server, token, &format!("to-{name}")).await,
        // The user's own.
        "userId" => server.get("/me", token).await.expect(200).json(),
        _ => panic!("the catalogue does not know how a {parameter} is made"),
    };
    id(&made).to_owned()
}

/// An image in base64, with bytes behind its end, by which files differ.
pub(crate) fn image(behind: &[u8]) -> String {
    let picture = Picture::new(2, 1, [[200, 0, 0, 255], [255; 4]].concat()).unwrap();
    STANDARD.encode([&picture.png().unwrap(), behind].concat())
}

/// Offers a link to the account of somebody who is registered for it.
async fn offered(server: &Http, token: &str, to: &str) -> Json {
    let there = server.get("/me", &server.register(to).await).await.expect(200).json()["account"]["id"].clone();
    let link = server.link(token, &format!("given-{to}")).await;
    let body = json!({ "toAccountId": there, "linkIds": [id(&link)] });
    server.post("/transfers", token, body).await.expect(201).json()
}

/// Makes one of each resource of which there is none yet.
pub(crate) async fn complete(server: &Http, token: &str, name: &str, ids: &mut Ids) {
    for parameter in RESOURCES {
        if !ids.contains_key(parameter) {
            ids.insert(parameter, make(server, token, parameter, name).await);
        }
    }
}

/// A service, and the token of an account that has one of each resource.
pub(crate) async fn with_one_of_each(database: &TestDatabase) -> (TestServer, String, Ids) {
    let settings = [("LINKGRAPH_DEFAULT_PLAN", "unlimited"), ("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")];
    let server = database.start_with(&settings).await;
    let token = server.register("alice").await;
    let mut ids = Ids::new();
    complete(&server, &token, "alice", &mut ids).await;
    ids.insert("userId", guest(&server, database, "alice").await);
    server.post("/subdomain", &token, json!({ "subdomain": "alice-s" })).await.expect(201);
    (server, token, ids)
}

/// The path parameter that stands for the argument of a root field, such as `tagId` for the `id` of `updateTag`.
pub(crate) fn parameter<'a>(plan: &'a Plan, root: &str, argument: &'a str) -> &'a str {
    let mut operations = plan.operations.iter().filter(|operation| operation.field.name == root);
    let of_root = operations.next().map_or(&[][..], |operation| &operation.path_parameters);
    let found = of_root.iter().find(|parameter| parameter.argument.name == argument);
    found.map_or(argument, |parameter| &parameter.name)
}

/// The arguments of a mutation, or of a query that is asked by POST, in which `$linkId` stands for an id. `name` is part of what has to be unique.
pub(crate) fn arguments(mutation: &str, name: &str) -> Json {
    let change = json!({
        "title": "plain", "utm": { "source": "plain" }, "isActive": true, "maxClicks": 5,
    });
    let host = json!({ "rootUrl": "https://example.com/plain", "forwardsQuery": true });
    let new = |slug: &str| {
        let long = format!("https://example.com/{}", "x".repeat(1_900));
        json!({ "destinationUrl": long, "slug": format!("{name}-{slug}"), "notes": "plain", "maxClicks": 5 })
    };
    match mutation {
        "createLink" => json!({ "input": new("one") }),
        "createLinks" => json!({ "input": { "links": [new("many"), {}] } }),
        "updateLink" => json!({ "id": "$linkId", "input": change }),
        "updateLinks" => {
            let mut change = change;
            change["addTags"] = json!(["plain"]);
            json!({ "input": { "ids": ["$linkId"], "change": change } })
        }
        "setLinkRules" => {
            let condition = json!({ "kind": "DEVICE", "values": ["MOBILE"] });
            let rule = json!({ "conditions": [condition], "destinationUrl": "https://example.com/phones" });
            json!({ "linkId": "$linkId", "input": { "rules": [rule] } })
        }
        "rehearseRules" => json!({ "linkId": "$linkId", "input": { "rules": [] } }),
        "rehearseLink" => json!({ "linkId": "$linkId", "input": { "isActive": false } }),
        "explainRedirect" => json!({ "linkId": "$linkId", "input": {} }),
        "setLinkSplit" => {
            let part = |url| json!({ "destinationUrl": url, "weight": 50 });
            let parts = [part("https://example.com/a"), part("https://example.com/b")];
            json!({ "linkId": "$linkId", "input": { "parts": parts } })
        }
        "deleteLink" => json!({ "id": "$linkId" }),
        "deleteLinks" => json!({ "input": { "ids": ["$linkId"] } }),
        "updateAccount" => json!({ "input": { "name": "plain" } }),
        "updateMember" => json!({ "id": "$userId", "input": { "role": "VIEWER" } }),
        "createTag" => json!({ "input": { "name": "plain tag" } }),
        "updateTag" => json!({ "id": "$tagId", "input": { "name": "plain 2" } }),
        "mergeTag" => json!({ "id": "$tagId", "input": { "into": "$otherTagId" } }),
        "deleteTag" => json!({ "id": "$tagId" }),
        "createUtmTemplate" => json!({ "input": { "name": "plain", "source": "plain" } }),
        "updateUtmTemplate" => {
            json!({ "id": "$utmTemplateId", "input": { "name": "plain 2", "medium": "plain", "source": null } })
        }
        "deleteUtmTemplate" => json!({ "id": "$utmTemplateId" }),
        "createAnnotation" => json!({ "input": { "occurredAt": "2026-11-24T07:00:00.000Z", "text": "plain" } }),
        "updateAnnotation" => json!({ "id": "$annotationId", "input": { "text": "plain 2" } }),
        "deleteAnnotation" => json!({ "id": "$annotationId" }),
        "createReport" => json!({ "input": { "name": "plain" } }),
        "updateReport" => json!({ "id": "$reportId", "input": { "name": "plain 2", "isShared": false } }),
        "deleteReport" => json!({ "id": "$reportId" }),
        "setHostPages" => {
            let text = json!({ "page": "NOT_FOUND", "language": "en", "title": "plain" });
            json!({ "host": "$host", "input": { "accentColor": "#1d3557", "texts": [text] } })
        }
        "uploadImage" => json!({ "input": { "content": image(name.as_bytes()) } }),
        "deleteImage" => json!({ "id": "$imageId" }),
        "setHostApps" => {
            let app = json!({ "appId": "ABCDE12345.com.example.app" });
            json!({ "host": "$host", "input": { "iosApps": [app] } })
        }
        "createPublishableKey" => json!({ "input": { "name": "plain", "hosts": ["localhost"] } }),
        "updatePublishableKey" => json!({ "id": "$publishableKeyId", "input": { "name": "plain 2" } }),
        "deletePublishableKey" => json!({ "id": "$publishableKeyId" }),
        "startImport" => json!({ "input": {} }),
        "startApiImport" => json!({ "input": { "source": "SHLINK", "url": "http://127.0.0.1:9/", "key": "plain" } }),
        "appendImport" => json!({ "id": "$importId", "input": { "number": 1, "data": "keyword,url\n" } }),
        "previewImport" => json!({ "input": { "data": "keyword,url\n" } }),
        "cancelImport" => json!({ "id": "$importId" }),
        "createDomain" => json!({ "input": { "domain": format!("plain.{name}.example") } }),
        "verifyDomain" => json!({ "id": "$domainId" }),
        "updateDomain" => {
            let mut host = host;
            host["ignoresCase"] = json!(true);
            json!({ "id": "$domainId", "input": host })
        }
        "deleteDomain" => json!({ "id": "$domainId" }),
        "claimSubdomain" => json!({ "input": { "subdomain": format!("plain-{name}") } }),
        "activateSubdomain" | "releaseSubdomain" | "createBillingPortal" => json!({}),
        "updateSubdomain" => json!({ "input": host }),
        "createWebhook" => {
            let input = json!({ "name": "plain", "url": "https://example.com/plain", "events": ["link.created"] });
            json!({ "input": input })
        }
        "updateWebhook" => {
            json!({ "id": "$webhookId", "input": { "name": "plain", "isActive": true, "linkIds": null } })
        }
        "deleteWebhook" | "testWebhook" | "rotateWebhookSecret" => json!({ "id": "$webhookId" }),
        "redeliver" => json!({ "webhookId": "$webhookId", "deliveryId": "$deliveryId" }),
        "createApiKey" => json!({ "input": { "name": "plain", "scopes": [] } }),
        "revokeApiKey" => json!({ "id": "$apiKeyId" }),
        "createCheckout" => json!({ "input": { "planId": "pro", "interval": "month" } }),
        _ => panic!("the catalogue does not know the arguments of {mutation}"),
    }
}

/// The arguments of a mutation on users, by a user who was registered under the name, and for whom what it needs is made. `None`: it
/// is none of these.
pub(crate) async fn user_arguments(server: &Http, database: &TestDatabase, mutation: &str, name: &str) -> Option<Json> {
    let (address, password) = (format!("{name}@example.com"), format!("{name}'s password"));
    Some(match mutation {
        "register" => json!({ "input": { "email": format!("x{address}"), "password": password, "name": "x" } }),
        "login" => json!({ "input": { "email": address, "password": password } }),
        "forgotPassword" => json!({ "input": { "email": address } }),
        "resetPassword" => {
            server.post("/auth/forgot-password", "", json!({ "email": address })).await.expect(200);
            let mail = async || mails(database).into_iter().find(|mail| mail.contains(&address));
            let reset = token_in(&eventually("the mail", mail).await);
            json!({ "input": { "token": reset, "password": format!("another {password}") } })
        }
        "verifyEmail" => json!({ "input": { "token": mail_token(database, &address, VERIFY).await } }),
        "undoEmailChange" => {
            let token = server.login(name).await;
            for email in [&address, &format!("y{address}")] {
                if email != &address {
                    let body = json!({ "email": email, "currentPassword": password });
                    server.call("PATCH", "/me", &token, body).await.expect(200);
                }
                let proof = mail_token(database, email, VERIFY).await;
                server.post("/auth/verify-email", "", json!({ "token": proof })).await.expect(200);
            }
            json!({ "input": { "token": mail_token(database, &address, "undo-email?token=").await } })
        }
        "sendVerification" | "startTotp" => json!({}),
        "confirmTotp" => json!({ "input": { "code": begun_totp(server, name).await.1 } }),
        "removeTotp" | "renewRecoveryCodes" => {
            let (token, code) = begun_totp(server, name).await;
            server.post("/me/totp/confirm", &token, json!({ "code": code })).await.expect(200);
            json!({})
        }
        "confirmSecondFactor" => {
            let (token, code) = begun_totp(server, name).await;
            let confirmed = server.post("/me/totp/confirm", &token, json!({ "code": code })).await.expect(200).json();
            let login = server.post("/auth/login", "", json!({ "email": address, "password": password })).await;
            let challenge = login.expect(401).json()["error"]["details"]["challenge"].clone();
            json!({ "input": { "challenge": challenge, "code": confirmed["recoveryCodes"][0] } })
        }
        "startPasskey" => json!({}),
        "addPasskey" => json!({ "input": Passkey::new().created(server, &server.login(name).await).await }),
        "removePasskey" => {
            let token = server.login(name).await;
            let added = Passkey::new().add(server, &token).await.expect(200).json();
            json!({ "id": added["passkey"]["id"] })
        }
        "startPasskeyLogin" => json!({ "input": {} }),
        "loginWithPasskey" => {
            let mut passkey = Passkey::added(server, &server.login(name).await).await;
            let asked = server.post("/auth/passkey/start", "", json!({})).await.expect(200).json();
            json!({ "input": passkey.input(&asked) })
        }
        "startPasskeyProof" => {
            Passkey::added(server, &server.login(name).await).await;
            json!({})
        }
        "inviteMember" => json!({ "input": { "email": format!("y{address}"), "role": "MEMBER" } }),
        "revokeInvitation" => json!({ "id": invitation(server, name, &format!("y{address}")).await }),
        "acceptInvitation" => {
            let host = format!("host-{name}");
            server.register(&host).await;
            invitation(server, &host, &address).await;
            json!({ "input": { "token": mail_token(database, &address, "invitation?token=").await } })
        }
        "updateMember" => json!({ "id": guest(server, database, name).await, "input": { "role": "VIEWER" } }),
        "removeMember" => json!({ "id": guest(server, database, name).await }),
        "leaveAccount" => {
            // Another owner stays.
            let other = guest(server, database, name).await;
            let token = server.login(name).await;
            let path = format!("/members/{other}");
            server.call("PATCH", &path, &token, json!({ "role": "OWNER" })).await.expect(200);
            json!({})
        }
        "switchAccount" => {
            let host = format!("host-{name}");
            server.register(&host).await;
            invitation(server, &host, &address).await;
            let invited = mail_token(database, &address, "invitation?token=").await;
            let token = server.login(name).await;
            let joined = server.post("/invitations/accept", &token, json!({ "token": invited })).await.expect(200);
            json!({ "input": { "accountId": joined.json()["account"]["id"] } })
        }
        "offerTransfer" => {
            let there = server.get("/me", &server.register(&format!("to-{name}")).await).await.expect(200).json();
            let link = server.link(&server.login(name).await, &format!("given-{name}")).await;
            json!({ "input": { "toAccountId": there["account"]["id"], "linkIds": [id(&link)] } })
        }
        "acceptTransfer" => {
            let here = server.get("/me", &server.login(name).await).await.expect(200).json();
            let giver = server.register(&format!("by-{name}")).await;
            let link = server.link(&giver, &format!("given-{name}")).await;
            let body = json!({ "toAccountId": here["account"]["id"], "linkIds": [id(&link)] });
            json!({ "id": server.post("/transfers", &giver, body).await.expect(201).json()["id"] })
        }
        "deleteTransfer" => {
            json!({ "id": offered(server, &server.login(name).await, &format!("to-{name}")).await["id"] })
        }
        "resolveLink" => {
            let token = server.login(name).await;
            let link = server.link(&token, &format!("app-{name}")).await;
            let key = json!({ "name": "Acme", "hosts": ["localhost"] });
            let key = server.post("/apps/keys", &token, key).await.expect(201).json();
            json!({ "input": { "publishableKey": key["key"], "url": link["shortUrl"] } })
        }
        "confirmAccess" => json!({ "input": { "currentPassword": password } }),
        "updateMe" => json!({ "input": { "name": "another name" } }),
        "deleteMe" => json!({ "input": { "currentPassword": password } }),
        "endSession" => {
            let (_, token) = Browser::log_in(server, name, true).await;
            let sessions = server.get("/me/sessions", &token).await.expect(200).json();
            json!({ "id": sessions["sessions"][0]["id"] })
        }
        "removeIdentity" => {
            database.add_identity(&address).await;
            let token = server.login(name).await;
            let identities = server.get("/me/identities", &token).await.expect(200).json();
            json!({ "id": identities["identities"][0]["id"] })
        }
        "endOtherSessions" => {
            Browser::log_in(server, name, true).await;
            json!({})
        }
        _ => return None,
    })
}

const VERIFY: &str = "verify-email?token=";

/// The token of the newest mail to an address with this before it.
async fn mail_token(database: &TestDatabase, address: &str, before: &str) -> String {
    let to = format!("To: {address}");
    let mail = async || all_mails(database).into_iter().rfind(|mail| mail.contains(before) && mail.contains(&to));
    let mail = eventually("the mail", mail).await;
    mail.split_once(before).unwrap().1.split_whitespace().next().unwrap().to_owned()
}

/// Invites an address, and answers the invitation's id.
async fn invitation(server: &Http, name: &str, email: &str) -> String {
    let token = server.login(name).await;
    let body = json!({ "email": email, "role": "MEMBER" });
    id(&server.post("/invitations", &token, body).await.expect(201).json()).to_owned()
}

/// Makes another user a member of the user's account, and answers the other's id.
async fn guest(server: &Http, database: &TestDatabase, name: &str) -> String {
    let other = format!("guest-{name}");
    let address = format!("{other}@example.com");
    let token = server.register(&other).await;
    invitation(server, name, &address).await;
    let invited = mail_token(database, &address, "invitation?token=").await;
    server.post("/invitations/accept", &token, json!({ "token": invited })).await.expect(200);
    id(&server.get("/me", &token).await.expect(200).json()).to_owned()
}

/// Begins to set up an authenticator app, and answers the token of a login and a code of the app.
async fn begun_totp(server: &Http, name: &str) -> (String, String) {
    let token = server.login(name).await;
    let started = server.post("/me/totp", &token, json!({})).await.expect(200).json();
    // The time of the login, by the service's clock.
    let proved_at =
        server.get("/me/security", &token).await.expect(200).json()["provedAt"].as_str().unwrap().to_owned();
    let now = chrono::DateTime::parse_from_rfc3339(&proved_at).unwrap().timestamp();
    (token, totp::code(started["secret"].as_str().unwrap(), now))
}

/// The path parameters whose ids the arguments need.
pub(crate) fn needed(arguments: &Json) -> BTreeSet<&str> {
    match arguments {
        Json::String(text) => text.strip_prefix('$').into_iter().collect(),
        Json::Array(items) => items.iter().flat_map(needed).collect(),
        Json::Object(fields) => fields.values().flat_map(needed).collect(),
        _ => BTreeSet::new(),
    }
}

/// Puts ids in their places.
pub(crate) fn with_ids(arguments: Json, ids: &BTreeMap<&str, String>) -> Json {
    match arguments {
        Json::String(text) => text.strip_prefix('$').map_or(json!(text), |name| json!(ids[name])),
        Json::Array(items) => items.into_iter().map(|item| with_ids(item, ids)).collect(),
        Json::Object(fields) => fields.into_iter().map(|(name, value)| (name, with_ids(value, ids))).collect(),
        leaf => leaf,
    }
}

/// The variables that a root field's arguments are, as a document declares them, and as the field takes them; with their brackets.
pub(crate) fn as_variables(root: &RootField) -> [String; 2] {
    let all = |show: &dyn Fn(&Input) -> String| {
        let shown: Vec<String> = root.field.arguments.iter().map(show).collect();
        if shown.is_empty() { String::new() } else { format!("({})", shown.join(" ")) }
    };
    [
        all(&|argument| format!("${}: {}", argument.name, argument.ty)),
        all(&|argument| format!("{0}: ${0}", argument.name)),
    ]
}
