//! Headers of mails, by each way of sending them.

use serde_json::json;

use crate::{
    on_each_database,
    support::{
        TestDatabase, eventually,
        mail::{MailServer, mails},
    },
};

/// The values of a header, which stands before the first empty line.
fn header<'a>(mail: &'a str, name: &str) -> Vec<&'a str> {
    let lines = mail.lines().take_while(|line| !line.is_empty());
    lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).collect()
}

#[track_caller]
fn is_identified(mail: &str, domain: &str) -> String {
    let ([id], [date]) = (&header(mail, "Message-ID")[..], &header(mail, "Date")[..]) else { panic!("{mail}") };
    let (local, of) = id.strip_prefix('<').unwrap().strip_suffix('>').unwrap().split_once('@').unwrap();
    assert!(local.len() >= 32 && local.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-'), "{id}");
    assert_eq!(of, domain);
    let written = chrono::DateTime::parse_from_rfc2822(date).unwrap().timestamp_millis();
    let now = linkgraph::base::clock::Clock::default().now();
    assert!((now - 60_000..=now + 1_000).contains(&written), "{date}");
    (*id).to_owned()
}

#[on_each_database]
async fn a_mail_has_an_id_of_its_own_and_a_date(database: TestDatabase) {
    let forget = json!({ "email": "alice@example.com" });
    let server = database.start().await;
    server.register("alice").await;
    for _ in 0..2 {
        server.post("/auth/forgot-password", "", forget.clone()).await.expect(200);
    }
    eventually("the files", async || (mails(&database).len() == 2).then_some(())).await;
    server.stop().await;
    let mut ids: Vec<String> = mails(&database).iter().map(|mail| is_identified(mail, "localhost")).collect();

    let sink = MailServer::start(1, "451 come back later").await;
    let url = format!("smtp://127.0.0.1:{}", sink.port);
    let settings = [("LINKGRAPH_SMTP_URL", &*url), ("LINKGRAPH_MAIL_FROM", "Links <no-reply@sho.rt>")];
    let server = database.start_with(&settings).await;
    server.post("/auth/forgot-password", "", forget).await.expect(200);
    eventually("the first attempt", async || (sink.offered() == 1).then_some(())).await;
    eventually("the mail", async || {
        server.clock.advance(1_000);
        sink.taken().pop()
    })
    .await;
    ids.push(is_identified(&sink.taken()[0], "sho.rt"));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 3, "{ids:?}");
}
