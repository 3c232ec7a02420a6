//! Members of an account, made as users make them.

use serde_json::{Value as Json, json};

use super::{Answer, Http, TestDatabase, eventually, mail::all_mails, receiver::id};

/// What stands before the token of an invitation in its mail.
pub(crate) const TOKEN: &str = "/app/invitation?token=";

pub(crate) async fn invite(server: &Http, token: &str, email: &str, role: &str) -> Answer {
    server.post("/invitations", token, json!({ "email": email, "role": role })).await
}

pub(crate) async fn accept(server: &Http, token: &str, invited: &str) -> Answer {
    server.post("/invitations/accept", token, json!({ "token": invited })).await
}

pub(crate) async fn switch(server: &Http, token: &str, account: &Json) -> String {
    let answer = server.post("/me/account", token, json!({ "accountId": account })).await.expect(200);
    answer.json()["accessToken"].as_str().unwrap().to_owned()
}

pub(crate) async fn account(server: &Http, token: &str) -> Json {
    server.get("/me", token).await.expect(200).json()["account"]["id"].clone()
}

/// Registers somebody who becomes a member of the account of `owner`, and answers the user's id and a token for that account.
pub(crate) async fn join(
    server: &Http,
    database: &TestDatabase,
    owner: &str,
    name: &str,
    role: &str,
) -> (String, String) {
    let token = server.register(name).await;
    let address = format!("{name}@example.com");
    invite(server, owner, &address, role).await.expect(201);
    let to = format!("To: {address}");
    let invited = eventually("the invitation", async || {
        let mails = all_mails(database);
        let mail = mails.into_iter().rfind(|mail| mail.contains(TOKEN) && mail.contains(&to))?;
        Some(mail.split_once(TOKEN)?.1.split_whitespace().next()?.to_owned())
    })
    .await;
    accept(server, &token, &invited).await.expect(200);
    let user = id(&server.get("/me", &token).await.expect(200).json()).to_owned();
    (user, switch(server, &token, &account(server, owner).await).await)
}
