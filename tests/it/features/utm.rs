//! UTM parameters of destinations: written, read back, and taken by clicks that come without any.

use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Http, TestDatabase, eventually, receiver::id},
};

const NONE: [Json; 5] = [Json::Null, Json::Null, Json::Null, Json::Null, Json::Null];

fn of(link: &Json) -> [Json; 5] {
    ["source", "medium", "campaign", "term", "content"].map(|name| link["utm"][name].clone())
}

#[on_each_database]
async fn parameters_are_written_into_the_destination_and_read_from_it(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let utm = json!({ "source": "news letter", "medium": "email", "campaign": "ü&x" });
    let body = json!({ "destinationUrl": "https://example.com/?a=%20&utm_medium=old&utm_term=kept#end", "utm": utm });
    let expected =
        "https://example.com/?a=%20&utm_medium=email&utm_term=kept&utm_source=news+letter&utm_campaign=%C3%BC%26x#end";
    let link = server.post("/links", &token, body.clone()).await.expect(201).json();
    assert_eq!(link["destinationUrl"], expected);
    let values = ["news letter", "email", "ü&x", "kept"].map(|it| json!(it));
    assert_eq!((&of(&link)[..4], &of(&link)[4]), (&values[..], &Json::Null));
    let fields = "id destinationUrl utm { source medium campaign term content }";
    let query = format!("mutation($input: CreateLinkInput!) {{ createLink(input: $input) {{ {fields} }} }}");
    let other = server.graphql(&token, &query, json!({ "input": body })).await["data"]["createLink"].clone();
    assert_eq!((&other["destinationUrl"], &other["utm"]), (&link["destinationUrl"], &link["utm"]));

    let path = format!("/links/{}", id(&link));
    let patch = async |body: Json| server.call("PATCH", &path, &token, body).await;
    let before = server.get(&path, &token).await.json();
    let long = "a".repeat(201);
    for (body, violation) in [
        (json!({ "utm": { "source": long } }), "utm.source"),
        (json!({ "utm": { "source": "a\u{7}b" } }), "utm.source"),
        (json!({ "utm": { "source": "" } }), "utm.source"),
        (json!({ "utm": { "source": "a" }, "destinationUrl": "ftp://example.com/" }), "destinationUrl"),
        (
            json!({ "utm": { "source": &long[1..] }, "destinationUrl": format!("https://example.com/?{}", "a".repeat(1_950)) }),
            "utm",
        ),
    ] {
        assert_eq!(patch(body.clone()).await.expect(400).violations(), [violation], "{body}");
        assert_eq!(server.get(&path, &token).await.json(), before, "{body}");
    }
    let same = patch(json!({ "utm": {}, "isActive": true })).await.expect(200).json();
    assert_eq!((&same["destinationUrl"], &same["utm"]), (&before["destinationUrl"], &before["utm"]));
    let one = patch(json!({ "utm": { "source": "shop" } })).await.expect(200).json();
    assert_eq!(one["destinationUrl"], expected.replace("news+letter", "shop"));
    let moved =
        patch(json!({ "utm": { "term": "t" }, "destinationUrl": "https://example.org/" })).await.expect(200).json();
    assert_eq!(moved["destinationUrl"], "https://example.org/?utm_term=t");
    assert_eq!(
        server.follow(moved["slug"].as_str().unwrap()).await.header("location"),
        "https://example.org/?utm_term=t"
    );
    let cleared = patch(json!({ "utm": null })).await.expect(200).json();
    assert_eq!((&cleared["destinationUrl"], of(&cleared)), (&json!("https://example.org/"), NONE));

    // Each of several links has its own, or its own error.
    let links = json!([
        { "destinationUrl": "https://example.com/", "utm": { "campaign": "c" } },
        { "destinationUrl": "https://example.com/", "utm": { "campaign": long } },
        { "destinationUrl": "https://example.com/?utm_source=written" },
    ]);
    let results =
        server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200).json()["results"].clone();
    assert_eq!(results[0]["link"]["destinationUrl"], "https://example.com/?utm_campaign=c");
    assert_eq!(results[1]["error"]["validationErrors"][0]["path"], "utm.campaign");
    assert_eq!(results[2]["link"]["utm"]["source"], "written");
}

async fn clicks(http: &Http, token: &str, link: &Json, number: usize) -> Vec<Json> {
    let path = format!("/analytics/{}", id(link));
    eventually("the clicks are stored", async || {
        let clicks = http.get(&path, token).await.json()["data"].as_array().unwrap().clone();
        (clicks.len() == number).then_some(clicks)
    })
    .await
}

#[on_each_database]
async fn a_click_without_parameters_takes_those_of_the_destination(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let body = json!({ "destinationUrl": "https://example.com/?x=1", "slug": "tagged", "utm": { "source": "news", "campaign": "c d" } });
    let link = server.post("/links", &token, body).await.expect(201).json();
    let plain = server.link(&token, "plain").await;
    server.follow("tagged").await.expect(302);
    server.follow("plain").await.expect(302);
    let taken = |click: &Json| ["utmSource", "utmMedium", "utmCampaign"].map(|name| click[name].clone());
    assert_eq!(taken(&clicks(&server, &token, &link, 1).await[0]), [json!("news"), Json::Null, json!("c d")]);
    assert_eq!(taken(&clicks(&server, &token, &plain, 1).await[0]), [Json::Null, Json::Null, Json::Null]);
    // A click's own count alone, and a changed destination from then on.
    server.follow("tagged?utm_medium=own").await.expect(302);
    assert_eq!(taken(&clicks(&server, &token, &link, 2).await[0]), [Json::Null, json!("own"), Json::Null]);
    let path = format!("/links/{}", id(&link));
    server.call("PATCH", &path, &token, json!({ "utm": { "source": "later" } })).await.expect(200);
    server.follow("tagged?y=1").await.expect(302);
    assert_eq!(taken(&clicks(&server, &token, &link, 3).await[0]), [json!("later"), Json::Null, json!("c d")]);
    let sources = server.get(&format!("/analytics/{}/summary", id(&link)), &token).await.expect(200).text;
    assert!(sources.contains("later") && sources.contains("news"), "{sources}");
}
