//! UTM templates: created, listed by name, changed and deleted, each account's own.

use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{TestDatabase, receiver::id},
};

const VALUES: [&str; 5] = ["source", "medium", "campaign", "term", "content"];

#[on_each_database]
async fn templates_are_kept_under_their_names(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let body = json!({ "name": "Newsletter", "source": "newsletter", "medium": "email", "term": "", "content": null });
    let made = server.post("/utm-templates", &alice, body.clone()).await.expect(201);
    let template = made.json();
    let path = format!("/utm-templates/{}", id(&template));
    assert_eq!(made.header("location"), path);
    assert_eq!(
        VALUES.map(|name| template[name].clone()),
        ["newsletter".into(), "email".into(), Json::Null, Json::Null, Json::Null]
    );
    server.post("/utm-templates", &bob, body.clone()).await.expect(201);
    server.post("/utm-templates", &alice, json!({ "name": "ads", "source": "ads" })).await.expect(201);
    let names = async |credential: &str| {
        let page = server.get("/utm-templates", credential).await.expect(200).json();
        assert_eq!(page["total"], page["data"].as_array().unwrap().len());
        page["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|template| template["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&alice).await, ["ads", "Newsletter"]);

    let before = server.get(&path, &alice).await.expect(200).json();
    assert_eq!(before, template);
    for (body, status, violation) in [
        (json!({ "name": "ADS" }), 409, ""),
        (json!({ "name": " " }), 400, "name"),
        (json!({ "source": "a".repeat(201) }), 400, "source"),
        (json!({ "campaign": "a\nb" }), 400, "campaign"),
        (json!({ "source": null, "medium": null }), 400, "source"),
    ] {
        let refused = server.call("PATCH", &path, &alice, body.clone()).await.expect(status);
        if status == 400 {
            assert_eq!(refused.violations(), [violation], "{body}");
        } else {
            assert_eq!(refused.json()["error"]["details"]["path"], "name");
        }
        assert_eq!(server.get(&path, &alice).await.json(), before, "{body}");
    }
    server.post("/utm-templates", &alice, body).await.expect(409);
    assert_eq!(
        server.post("/utm-templates", &alice, json!({ "name": "none" })).await.expect(400).violations(),
        ["source"]
    );
    for (method, body) in [("GET", Json::Null), ("PATCH", json!({ "name": "Bob's" })), ("DELETE", Json::Null)] {
        server.call(method, &path, &bob, body).await.expect(404);
    }
    assert_eq!(server.get(&path, &alice).await.json(), before);

    server.clock.advance(1_000);
    let changed =
        server.call("PATCH", &path, &alice, json!({ "name": "newsletter", "medium": null, "campaign": "ü" })).await;
    let changed = changed.expect(200).json();
    assert_eq!(changed["name"], "newsletter");
    assert_eq!(
        VALUES.map(|name| changed[name].clone()),
        ["newsletter".into(), Json::Null, "ü".into(), Json::Null, Json::Null]
    );
    assert!(
        changed["updatedAt"].as_str() > before["updatedAt"].as_str() && changed["createdAt"] == before["createdAt"]
    );
    server.call("DELETE", &path, &alice, Json::Null).await.expect(204);
    server.call("DELETE", &path, &alice, Json::Null).await.expect(404);
    assert_eq!((names(&alice).await, names(&bob).await), (vec!["ads".to_owned()], vec!["Newsletter".to_owned()]));

    // An account has a thousand.
    let connection = database.connect().await;
    let account = "(SELECT account_id FROM utm_templates WHERE name = 'ads')";
    let uuid = |number| match database.url {
        Some(_) => format!("'{number:032x}'::uuid"),
        None => format!("x'{number:032x}'"),
    };
    for number in 1..1_000 {
        let values = format!("{}, {account}, 'x', 'x{number}', 'x', 0, 0", uuid(number));
        let row = format!(
            "INSERT INTO utm_templates (id, account_id, name, key, source, created_at, updated_at) VALUES ({values})"
        );
        connection.execute_unprepared(&row).await.unwrap();
    }
    connection.close().await.unwrap();
    let refused =
        server.post("/utm-templates", &alice, json!({ "name": "one more", "source": "x" })).await.expect(403).json();
    assert_eq!(
        (&refused["error"]["code"], &refused["error"]["details"]["limit"]),
        (&json!("PLAN_LIMIT_REACHED"), &json!(1_000))
    );
}
