//! Members of an account: invitations, roles, removal, and the account that a user works in.

use futures_util::future::join_all;
use linkgraph::base::clock::DAY;
use sea_orm::{ConnectionTrait, TransactionTrait};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, TestServer,
        browser::Browser,
        eventually,
        mail::{all_mails, mailed},
        members::{TOKEN, accept, account, invite, join, switch},
        process::operate,
        receiver::id,
        setting,
    },
};

/// Another token of the browser's session.
async fn renewed(browser: &mut Browser, server: &Http) -> String {
    browser.refresh(server).await.expect(200).json()["accessToken"].as_str().unwrap().to_owned()
}

#[on_each_database]
async fn somebody_who_is_invited_becomes_a_member(database: TestDatabase) {
    let server = database.start().await;
    let ada = server.register("ada").await;
    let home = account(&server, &ada).await;
    server.link(&ada, "spring").await;
    let sent = invite(&server, &ada, "Grace@example.com", "MEMBER").await.expect(201).json();
    assert_eq!((&sent["email"], &sent["role"]), (&json!("grace@example.com"), &json!("MEMBER")));
    let waiting = server.get("/invitations", &ada).await.expect(200).json();
    assert_eq!((&waiting["total"], &waiting["data"][0]), (&json!(1), &sent));
    let invited = mailed(&database, 1, TOKEN).await;
    // Neither a stranger nor a wrong token gets in.
    let eve = server.register("eve").await;
    let refused = accept(&server, &eve, &invited).await.expect(403).json();
    assert_eq!(refused["error"]["details"]["reason"], "OTHER_ADDRESS");
    let grace = server.register("grace").await;
    accept(&server, &grace, &invited[1..]).await.expect(404);
    let joined = accept(&server, &grace, &invited).await.expect(200).json();
    assert_eq!(
        (&joined["role"], &joined["account"]["id"], &joined["account"]["name"]),
        (&json!("MEMBER"), &home, &json!("ada"))
    );
    accept(&server, &grace, &invited).await.expect(404);
    assert_eq!(server.get("/invitations", &ada).await.expect(200).json()["total"], 0);
    // The mail proved the address.
    let me = server.get("/me", &grace).await.expect(200).json();
    assert!(me["emailVerifiedAt"].is_string());
    let accounts: Vec<_> =
        me["memberships"].as_array().unwrap().iter().map(|it| (&it["account"]["id"], &it["role"])).collect();
    assert_eq!(accounts, [(&me["account"]["id"], &json!("OWNER")), (&home, &json!("MEMBER"))]);
    // The token is for one account at a time.
    assert_eq!(server.get("/links", &grace).await.expect(200).json()["total"], 0);
    let there = switch(&server, &grace, &home).await;
    assert_eq!(server.get("/links", &there).await.expect(200).json()["total"], 1);
    assert_eq!(account(&server, &there).await, home);
    assert_eq!(server.get("/links", &grace).await.expect(200).json()["total"], 0);
    // The next login is to the account that was chosen last.
    assert_eq!(account(&server, &server.login("grace").await).await, home);
    server.post("/me/account", &eve, json!({ "accountId": home })).await.expect(404);

    let members = server.get("/members", &there).await.expect(200).json();
    let shown: Vec<_> = members["data"].as_array().unwrap().iter().map(|it| (&it["name"], &it["role"])).collect();
    assert_eq!(shown, [(&json!("ada"), &json!("OWNER")), (&json!("grace"), &json!("MEMBER"))]);
    let again = invite(&server, &ada, "grace@example.com", "ADMIN").await.expect(409);
    assert_eq!(again.code(), "CONFLICT");
    server.call("PATCH", "/account", &ada, json!({ "name": "Engines" })).await.expect(200);
    assert_eq!(server.get("/me", &there).await.json()["account"]["name"], "Engines");
}

#[on_each_database]
async fn an_invitation_is_replaced_taken_back_and_expires(database: TestDatabase) {
    let server = database.start().await;
    let ada = server.register("ada").await;
    let grace = server.register("grace").await;
    invite(&server, &ada, "grace@example.com", "MEMBER").await.expect(201);
    let first = mailed(&database, 1, TOKEN).await;
    let second = invite(&server, &ada, "grace@example.com", "VIEWER").await.expect(201).json();
    let newer = mailed(&database, 2, TOKEN).await;
    accept(&server, &grace, &first).await.expect(404);
    server.call("DELETE", &format!("/invitations/{}", id(&second)), &ada, Json::Null).await.expect(204);
    server.call("DELETE", &format!("/invitations/{}", id(&second)), &ada, Json::Null).await.expect(404);
    accept(&server, &grace, &newer).await.expect(404);
    invite(&server, &ada, "grace@example.com", "VIEWER").await.expect(201);
    let late = mailed(&database, 3, TOKEN).await;
    server.clock.advance(7 * DAY);
    accept(&server, &server.login("grace").await, &late).await.expect(404);
    // Of ten who accept at once, one becomes a member once.
    let ada = server.login("ada").await;
    invite(&server, &ada, "grace@example.com", "VIEWER").await.expect(201);
    let (invited, grace) = (mailed(&database, 4, TOKEN).await, server.login("grace").await);
    let answers = join_all((0..10).map(|_| accept(&server, &grace, &invited))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1, "{answers:?}");
    assert_eq!(server.get("/members", &ada).await.expect(200).json()["total"], 2);
}

#[on_each_database]
async fn who_is_invited_registers_while_registration_is_closed(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_REGISTRATION", "closed")]).await;
    let ada = server.register("ada").await;
    invite(&server, &ada, "grace@example.com", "VIEWER").await.expect(201);
    let invited = mailed(&database, 1, TOKEN).await;
    let register = async |name: &str, token: &str| {
        let email = format!("{name}@Example.com");
        let body =
            json!({ "email": email, "password": format!("{name}'s password"), "name": name, "invitationToken": token });
        server.post("/auth/register", "", body).await
    };
    register("grace", &invited[1..]).await.expect(404);
    let refused = register("eve", &invited).await.expect(403).json();
    assert_eq!(refused["error"]["details"]["reason"], "OTHER_ADDRESS");
    assert_eq!(server.get("/invitations", &ada).await.json()["total"], 1);
    let answers = join_all((0..5).map(|_| register("grace", &invited))).await;
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses[0], 201, "{answers:?}");
    assert!(statuses[1..].iter().all(|status| [404, 409].contains(status)), "{answers:?}");
    register("grace", &invited).await.expect(404);
    // She is a viewer of his account, and has none of her own.
    let grace = server.login("grace").await;
    let me = server.get("/me", &grace).await.expect(200).json();
    assert!(me["emailVerifiedAt"].is_string());
    assert_eq!(me["account"]["id"], account(&server, &ada).await);
    let roles: Vec<_> = me["memberships"].as_array().unwrap().iter().map(|it| &it["role"]).collect();
    assert_eq!(roles, ["VIEWER"]);
    server.post("/links", &grace, json!({ "destinationUrl": "https://example.com" })).await.expect(403);
}

#[on_each_database]
async fn the_invitations_of_an_account_are_bounded(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_RATE_LIMITS", "on")]).await;
    let (ada, bob) = (server.register("ada").await, server.register("bob").await);
    // Taking them back does not make room for others.
    for some in 0..4 {
        let sent = (0..50).map(async |number| {
            let email = format!("u{some}-{number}@example.com");
            let sent = invite(&server, &ada, &email, "VIEWER").await.expect(201).json();
            server.call("DELETE", &format!("/invitations/{}", id(&sent)), &ada, Json::Null).await.expect(204);
        });
        join_all(sent).await;
    }
    let refused = invite(&server, &ada, "one@example.com", "VIEWER").await.expect(429);
    assert_eq!(refused.code(), "RATE_LIMITED");
    assert_eq!(server.get("/invitations", &ada).await.json()["total"], 0);
    invite(&server, &bob, "one@example.com", "VIEWER").await.expect(201);
}

#[on_each_database]
async fn an_invitation_tells_nobody_who_has_registered(database: TestDatabase) {
    let server = database.start().await;
    let ada = server.register("ada").await;
    server.register("known").await;
    let mut seen = Vec::new();
    for name in ["known", "other"] {
        let address = format!("{name}@example.com");
        let answer = invite(&server, &ada, &address, "MEMBER").await.expect(201);
        let names: Vec<_> = answer.headers.keys().map(|name| name.as_str().to_owned()).collect();
        let mut body = answer.json();
        for field in ["id", "createdAt", "expiresAt"] {
            assert!(body[field].take().is_string(), "{field}");
        }
        let mail = eventually("the mail", async || {
            all_mails(&database).into_iter().find(|mail| mail.contains(TOKEN) && mail.contains(&address))
        });
        let mail = mail.await;
        let token = mail.split_once(TOKEN).unwrap().1.split_whitespace().next().unwrap().to_owned();
        let text = mail.split_once("\n\n").or(mail.split_once("\r\n\r\n")).unwrap().1.replace(&token, "TOKEN");
        seen.push((names, body.to_string().replace(&address, "ADDRESS"), text.replace(&address, "ADDRESS")));
    }
    assert_eq!(seen[0], seen[1]);
}

#[on_each_database]
async fn a_suspended_account_locks_nobody_out_of_another(database: TestDatabase) {
    let server = database.start().await;
    let ada = server.register("ada").await;
    let (_, there) = join(&server, &database, &ada, "grace", "MEMBER").await;
    let home = account(&server, &ada).await;
    assert_eq!(account(&server, &there).await, home);
    operate(&database, &["accounts", "suspend", "ada@example.com"]).await;
    let login = json!({ "email": "ada@example.com", "password": "ada's password" });
    server.post("/auth/login", "", login).await.expect(403);
    let grace = server.login("grace").await;
    assert_ne!(account(&server, &grace).await, home);
    server.post("/me/account", &grace, json!({ "accountId": home })).await.expect(403);
    operate(&database, &["accounts", "restore", "ada@example.com"]).await;
    eventually("the restored account", async || {
        let token = server.login("grace").await;
        let me = server.get("/me", &token).await;
        (me.status == 200 && me.json()["account"]["id"] == home).then_some(())
    })
    .await;
}

#[on_each_database]
async fn only_owners_make_and_remove_owners(database: TestDatabase) {
    let server = database.start().await;
    let ada = server.register("ada").await;
    let owner = id(&server.get("/me", &ada).await.json()).to_owned();
    let (admin, by_admin) = join(&server, &database, &ada, "adam", "ADMIN").await;
    let (viewer, _) = join(&server, &database, &ada, "vera", "VIEWER").await;
    let role = async |token: &str, user: &str, role: &str| {
        server.call("PATCH", &format!("/members/{user}"), token, json!({ "role": role })).await
    };
    for (user, wanted) in [(&viewer, "OWNER"), (&admin, "OWNER"), (&owner, "VIEWER")] {
        role(&by_admin, user, wanted).await.expect(403);
    }
    invite(&server, &by_admin, "z@example.com", "OWNER").await.expect(403);
    server.call("DELETE", &format!("/members/{owner}"), &by_admin, Json::Null).await.expect(403);
    role(&by_admin, &viewer, "MEMBER").await.expect(200);
    role(&by_admin, "019aa1c2-7d10-7c3e-9a51-3f5b0c9d1e01", "MEMBER").await.expect(404);
    // The last owner stays.
    for answer in [
        role(&ada, &owner, "ADMIN").await,
        server.call("DELETE", &format!("/members/{owner}"), &ada, Json::Null).await,
        server.post("/account/leave", &ada, json!({})).await,
        server.leave(&ada).await,
    ] {
        assert_eq!(answer.expect(409).code(), "CONFLICT");
    }
    let members = server.get("/members", &ada).await.expect(200).json();
    let roles: Vec<_> = members["data"].as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["OWNER", "ADMIN", "MEMBER"], "nothing else was changed");
}

#[on_each_database]
async fn of_two_owners_who_leave_at_once_one_stays(database: TestDatabase) {
    let server = database.start().await;
    for round in 0..10 {
        let ada = server.register(&format!("ada{round}")).await;
        let (_, bob) = join(&server, &database, &ada, &format!("bob{round}"), "OWNER").await;
        let leave = async |token: &str| server.post("/account/leave", token, json!({})).await.status.as_u16();
        let (one, other) = futures_util::future::join(leave(&ada), leave(&bob)).await;
        assert!([(200, 409), (409, 200)].contains(&(one, other)), "{one} {other}");
    }
}

#[on_each_database]
async fn of_two_owners_who_give_it_up_at_once_one_stays(database: TestDatabase) {
    let server = database.start().await;
    let ada = server.register("ada").await;
    let (bobs_id, bob) = join(&server, &database, &ada, "bob", "OWNER").await;
    let adas_id = id(&server.get("/me", &ada).await.expect(200).json()).to_owned();
    let (ids, mut tokens) = ([adas_id, bobs_id], [ada, bob]);
    let set = async |token: &str, user: &str, role: &str| {
        let path = format!("/members/{user}");
        server.call("PATCH", &path, token, json!({ "role": role })).await.status.as_u16()
    };
    for round in 0..setting("LINKGRAPH_SOAK_OWNERS", 10) {
        let give_up = async |owner: usize| set(&tokens[owner], &ids[owner], "ADMIN").await;
        let (one, other) = futures_util::future::join(give_up(0), give_up(1)).await;
        assert!([(200, 409), (409, 200)].contains(&(one, other)), "{round}: {one} {other}");
        let (left, stays) = if one == 200 { (0, 1) } else { (1, 0) };
        assert_eq!(set(&tokens[stays], &ids[left], "OWNER").await, 200);
        tokens[left] = server.login(["ada", "bob"][left]).await;
    }
}

#[on_each_database]
async fn removal_and_demotion_are_effective_at_once_on_every_node(database: TestDatabase) {
    let server = database.start().await;
    let second = database.node();
    let other = if database.is_postgres() { Some(second.start().await) } else { None };
    let nodes: Vec<&Http> = [Some(&server.http), other.as_ref().map(|it| &it.http)].into_iter().flatten().collect();
    let ada = server.register("ada").await;
    let (user, token) = join(&server, &database, &ada, "max", "MEMBER").await;
    let key = server.api_key(&token, &["links:read", "links:write"]).await;
    let own = server.get("/api-keys", &token).await.expect(200).json();
    assert_eq!((&own["total"], &own["data"][0]["isPersonal"]), (&json!(1), &json!(true)));
    server.api_key(&ada, &["links:read"]).await;
    assert_eq!(
        server.get("/api-keys", &token).await.expect(200).json()["total"],
        1,
        "the account's keys are not shown"
    );
    assert_eq!(server.get("/api-keys", &ada).await.expect(200).json()["total"], 2);
    let link = json!({ "destinationUrl": "https://example.com/" });
    for node in &nodes {
        node.get("/links", &token).await.expect(200);
        node.post("/links", &key, link.clone()).await.expect(201);
    }
    server.call("PATCH", &format!("/members/{user}"), &ada, json!({ "role": "VIEWER" })).await.expect(200);
    for node in &nodes {
        // A route that reads no row of the user.
        eventually("the token is refused", async || (node.get("/links", &token).await.status == 401).then_some(()))
            .await;
        node.post("/links", &key, link.clone()).await.expect(403);
        node.get("/links", &key).await.expect(200);
    }
    let viewer = switch(&server, &server.login("max").await, &account(&server, &ada).await).await;
    server.get("/links", &viewer).await.expect(200);
    server.post("/links", &viewer, link.clone()).await.expect(403);
    server.call("DELETE", &format!("/members/{user}"), &ada, Json::Null).await.expect(204);
    for node in &nodes {
        eventually("the token is refused", async || (node.get("/links", &viewer).await.status == 401).then_some(()))
            .await;
        node.get("/links", &key).await.expect(401);
    }
    // The user has an account of the own again, and is not in the other one.
    let home = server.login("max").await;
    let me = server.get("/me", &home).await.expect(200).json();
    assert_eq!(me["memberships"].as_array().unwrap().len(), 1);
    assert_ne!(account(&server, &home).await, account(&server, &ada).await);
    assert_eq!(server.get("/links", &home).await.expect(200).json()["total"], 0);
}

/// A member's own key opens no way to what the member may not.
#[on_each_database]
async fn an_own_key_makes_and_sees_own_keys_alone(database: TestDatabase) {
    let server = database.start().await;
    let ada = server.register("ada").await;
    let account_key = server.api_key(&ada, &["links:read"]).await;
    let (_, token) = join(&server, &database, &ada, "max", "MEMBER").await;
    let key = server.api_key(&token, &["links:read", "api-keys:manage"]).await;
    assert_eq!(server.get("/api-keys", &key).await.expect(200).json()["total"], 1);
    let all = server.get("/api-keys", &ada).await.expect(200).json();
    let of_account = all["data"].as_array().unwrap().iter().find(|key| key["isPersonal"] == false).unwrap();
    server.call("DELETE", &format!("/api-keys/{}", id(of_account)), &key, Json::Null).await.expect(404);
    let wide = json!({ "name": "wide", "scopes": ["links:read"], "isPersonal": false });
    server.post("/api-keys", &key, wide).await.expect(403);
    let made = json!({ "name": "made", "scopes": ["links:read"] });
    let made = server.post("/api-keys", &key, made).await.expect(201).json();
    assert_eq!(made["apiKey"]["isPersonal"], true);
    server.post("/api-keys", &key, json!({ "name": "x", "scopes": ["domains:manage"] })).await.expect(403);
    // With another password a member revokes the own keys, and not the account's.
    let body = json!({ "password": "a better one", "currentPassword": "max's password", "revokeApiKeys": true });
    server.call("PATCH", "/me", &token, body).await.expect(200);
    server.get("/links", &key).await.expect(401);
    server.get("/links", made["key"].as_str().unwrap()).await.expect(401);
    server.get("/links", &account_key).await.expect(200);
}

#[on_each_database]
async fn an_account_outlives_a_member_and_its_keys_a_maker(database: TestDatabase) {
    let server = database.start().await;
    let ada = server.register("ada").await;
    let (_, bob) = join(&server, &database, &ada, "bob", "OWNER").await;
    let key = server.api_key(&ada, &["links:read"]).await;
    let own = json!({ "name": "mine", "scopes": ["links:read"], "isPersonal": true });
    let own = server.post("/api-keys", &ada, own).await.expect(201).json()["key"].as_str().unwrap().to_owned();
    server.link(&ada, "spring").await;
    server.leave(&ada).await.expect(204);
    server.get("/links", &ada).await.expect(401);
    server.get("/links", &own).await.expect(401);
    assert_eq!(server.get("/links", &key).await.expect(200).json()["total"], 1);
    server.get("/me", &key).await.expect(200);
    server.follow("spring").await.expect(302);
    // With the last member goes the account.
    server.leave(&bob).await.expect(204);
    server.get("/links", &key).await.expect(401);
    server.follow("spring").await.expect(404);
    assert_eq!(database.number("SELECT count(*) FROM accounts").await, 0);
}

/// Sends the request while the account is locked, runs this meanwhile, and answers.
async fn meanwhile(
    server: &TestServer,
    database: &TestDatabase,
    request: reqwest::RequestBuilder,
    sql: &str,
) -> Answer {
    let connection = database.connect().await;
    let tx = connection.begin().await.unwrap();
    tx.execute_unprepared("UPDATE accounts SET link_count = link_count").await.unwrap();
    let http = server.http.clone();
    let answer = tokio::spawn(async move { http.send(request).await });
    if database.is_postgres() {
        database.waits_for_locks(1).await;
    }
    tx.execute_unprepared(sql).await.unwrap();
    tx.commit().await.unwrap();
    answer.await.unwrap()
}

#[on_each_database]
async fn who_is_removed_while_leaving_for_good_takes_no_account_along(database: TestDatabase) {
    let server = database.start().await;
    let ada = server.register("ada").await;
    server.link(&ada, "spring").await;
    let (_, max) = join(&server, &database, &ada, "max", "MEMBER").await;
    // The token is for the own account, of which max stays a member.
    let me = server.get("/me", &max).await.expect(200).json();
    let max = switch(&server, &max, &me["memberships"][0]["account"]["id"]).await;
    let body = json!({ "currentPassword": "max's password" });
    let leave = server.http.request(reqwest::Method::DELETE, "/me").bearer_auth(&max).json(&body);
    meanwhile(&server, &database, leave, "DELETE FROM memberships WHERE role = 'MEMBER'").await;
    server.follow("spring").await.expect(302);
    assert_eq!(server.get("/links", &ada).await.expect(200).json()["total"], 1);
}

#[on_each_database]
async fn who_is_demoted_meanwhile_changes_no_member(database: TestDatabase) {
    let server = database.start().await;
    let ada = server.register("ada").await;
    let (_, admin) = join(&server, &database, &ada, "adam", "ADMIN").await;
    let (viewer, _) = join(&server, &database, &ada, "vera", "VIEWER").await;
    let demoted = "UPDATE memberships SET role = 'MEMBER', changed_at = changed_at + 1 WHERE role = 'ADMIN'";
    let path = format!("/members/{viewer}");
    let change =
        server.http.request(reqwest::Method::PATCH, &path).bearer_auth(&admin).json(&json!({ "role": "ADMIN" }));
    meanwhile(&server, &database, change, demoted).await.expect(401);
    let members = server.get("/members", &ada).await.expect(200).json();
    let roles: Vec<_> = members["data"].as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["OWNER", "MEMBER", "VIEWER"]);
}

#[on_each_database]
async fn a_session_works_in_the_account_that_was_chosen(database: TestDatabase) {
    let server = database.start().await;
    let ada = server.register("ada").await;
    let (user, _) = join(&server, &database, &ada, "max", "MEMBER").await;
    let home = account(&server, &ada).await;
    let (mut browser, token) = Browser::log_in(&server, "max", true).await;
    let own = server.get("/me", &token).await.json()["memberships"][0]["account"]["id"].clone();
    let there = switch(&server, &token, &own).await;
    assert_eq!(account(&server, &there).await, own);
    assert_eq!(account(&server, &renewed(&mut browser, &server).await).await, own);
    let back = switch(&server, &there, &home).await;
    assert_eq!(account(&server, &back).await, home);
    assert_eq!(account(&server, &renewed(&mut browser, &server).await).await, home);
    // Whoever is removed goes on in another account.
    server.call("DELETE", &format!("/members/{user}"), &ada, Json::Null).await.expect(204);
    assert_eq!(account(&server, &renewed(&mut browser, &server).await).await, own);
}
