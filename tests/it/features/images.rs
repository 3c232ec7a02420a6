//! Images: uploaded as files or in base64, written anew, served to everybody, and deleted.

use base64::{Engine, engine::general_purpose::STANDARD};
use entity::image;
use linkgraph::base::clock::MINUTE;
use pictures::{MAX_SIDE, Picture, decode};
use reqwest::Method;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, sea_query::Expr,
};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::{
    on_each_database,
    support::{Answer, Http, TestDatabase, catalogue, eventually, process::operate, receiver::id},
};

const BASE_URL: &str = "http://sho.rt";
const UPLOAD: &str = "mutation ($content: String!) { uploadImage(input: { content: $content }) { id url } }";
/// The most that an account may have.
const IMAGES: usize = 500;
const BYTES: i64 = 100 << 20;

fn png(width: u32, height: u32, pixel: [u8; 4]) -> Vec<u8> {
    Picture::new(width, height, pixel.repeat(width as usize * height as usize)).unwrap().png().unwrap()
}

async fn upload(http: &Http, path: &str, credential: &str, media_type: &str, file: Vec<u8>) -> Answer {
    let request = http.request(Method::POST, path).bearer_auth(credential).header("content-type", media_type);
    http.send(request.body(file)).await
}

/// The path of an image on this machine.
fn path(image: &Json) -> String {
    image["url"].as_str().unwrap().strip_prefix(BASE_URL).unwrap().to_owned()
}

async fn total(http: &Http, token: &str) -> Json {
    http.get("/images", token).await.expect(200).json()["total"].clone()
}

#[on_each_database]
async fn an_uploaded_image_is_for_everybody_until_it_is_deleted(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let file = [png(3_000, 1_500, [0, 0, 200, 255]), b"<script>alert(1)</script>".to_vec()].concat();
    let made = upload(&server, "/images", &alice, "image/png", file.clone()).await.expect(201);
    let image = made.json();
    assert_eq!(made.header("location"), image["url"]);
    assert_eq!(
        (&image["width"], &image["height"], &image["mediaType"]),
        (&json!(2_400), &json!(1_200), &json!("image/png"))
    );

    let served = server.request(Method::GET, &path(&image)).send().await.unwrap();
    assert_eq!(served.status(), 200);
    let headers = served.headers().clone();
    for (name, value) in [
        ("content-type", "image/png"),
        ("cache-control", "public, max-age=31536000, immutable"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("cross-origin-resource-policy", "cross-origin"),
    ] {
        assert_eq!(headers[name], value, "{name}");
    }
    assert!(!headers.contains_key("set-cookie"));
    let content = served.bytes().await.unwrap();
    assert_eq!(content.len(), image["size"]);
    assert!(!content.windows(8).any(|part| part == b"<script>"));
    let picture = decode(&content, MAX_SIDE).unwrap();
    assert_eq!((picture.width(), picture.rows().next().unwrap()[..4].to_vec()), (2_400, vec![0, 0, 200, 255]));
    let known = server.request(Method::GET, &path(&image)).header("if-none-match", &headers["etag"]);
    assert_eq!(server.send(known).await.expect(304).text, "");
    let head = server.send(server.request(Method::HEAD, &path(&image))).await.expect(200);
    assert_eq!((head.header("content-length"), head.text.as_str()), (&*content.len().to_string(), ""));

    // The same file again is the same image, through the other door, too; each account has its own.
    let again = upload(&server, "/images", &alice, "image/png", file.clone()).await.expect(200);
    assert_eq!((again.json(), again.header("location")), (image.clone(), ""));
    let small = json!({ "content": catalogue::image(&[]) });
    let one = server.graphql(&alice, UPLOAD, small.clone()).await["data"]["uploadImage"].clone();
    let other = server.post("/images", &alice, small.clone()).await.expect(200).json();
    assert_eq!(one["id"], other["id"]);
    assert_ne!(server.post("/images", &bob, small).await.expect(201).json()["id"], one["id"]);
    let listed = server.get("/images", &alice).await.expect(200).json();
    assert_eq!((&listed["total"], &listed["data"]), (&json!(2), &json!([other, image])));
    assert_eq!(total(&server, &bob).await, 1);

    let name = path(&image);
    for wrong in [
        name.replace(".png", ".jpg"),
        name.replace(".png", ""),
        format!("/images/{}.png", Uuid::now_v7()),
        "/images/%FF.png".to_owned(),
    ] {
        server.get(&wrong, "").await.expect(404);
    }
    let resource = format!("/images/{}", id(&image));
    server.call("DELETE", &resource, &bob, Json::Null).await.expect(404);
    server.get(&name, "").await.expect(200);
    server.call("DELETE", &resource, &alice, Json::Null).await.expect(204);
    server.get(&name, "").await.expect(404);
    server.call("DELETE", &resource, &alice, Json::Null).await.expect(404);
    assert_eq!(total(&server, &alice).await, 1);
}

#[on_each_database]
async fn what_is_no_image_is_refused_and_stores_nothing(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let good = png(64, 64, [9, 9, 9, 255]);
    let mut huge = good.clone();
    huge[16..20].copy_from_slice(&30_000_u32.to_be_bytes());
    for file in
        [b"GIF89a".to_vec(), b"<svg/>".to_vec(), good[..good.len() / 2].to_vec(), huge, png(4_097, 1, [0; 4]), vec![]]
    {
        let refused = upload(&server, "/images", &token, "image/png", file.clone()).await.expect(400);
        assert_eq!(refused.violations(), ["content"], "{refused:?}");
        let refused = server.graphql(&token, UPLOAD, json!({ "content": STANDARD.encode(&file) })).await;
        assert_eq!(
            refused["errors"][0]["extensions"]["validationErrors"][0]["path"]
                .as_str()
                .map(|path| path.rsplit('.').next().unwrap()),
            Some("content"),
            "{refused}"
        );
    }
    let text = json!({ "content": "<not base64>" });
    assert_eq!(server.post("/images", &token, text).await.expect(400).violations(), ["content"]);
    // One byte more than a file, or a body of JSON, may have.
    let long = upload(&server, "/images", &token, "image/png", vec![0; (1 << 20) + 1]).await.expect(413);
    assert!(long.text.contains("1024 KiB"), "{long:?}");
    upload(&server, "/images", &token, "image/png", vec![0; 1 << 20]).await.expect(400);
    let long = json!({ "content": "A".repeat(256 << 10) });
    assert!(server.post("/images", &token, long).await.expect(413).text.contains("256 KiB"));
    // A body of another type, for another operation, or without a credential.
    let other = upload(&server, "/images", &token, "image/gif", good.clone()).await.expect(415);
    assert!(other.text.contains("image/webp"), "{other:?}");
    upload(&server, "/links", &token, "image/png", good.clone()).await.expect(415);
    upload(&server, "/images", "", "image/png", good.clone()).await.expect(401);
    assert_eq!(total(&server, &token).await, 0);
    upload(&server, "/images", &token, "IMAGE/PNG; x=y", good).await.expect(201);
}

#[on_each_database]
async fn an_account_has_no_more_images_than_it_may(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let first =
        server.post("/images", &token, json!({ "content": catalogue::image(b"first") })).await.expect(201).json();
    let connection = database.connect().await;
    let stored = image::Entity::find().one(&connection).await.unwrap().unwrap();
    let rows = (1..IMAGES).map(|number| {
        let row = image::Model { id: Uuid::now_v7(), sha256: number.to_be_bytes().to_vec(), ..stored.clone() };
        image::ActiveModel::from(row).reset_all()
    });
    image::Entity::insert_many(rows).exec_without_returning(&connection).await.unwrap();
    let refused = async |limit: i64, used: i64, resource: &str| {
        let answer = server.post("/images", &token, json!({ "content": catalogue::image(b"more") })).await.expect(403);
        assert_eq!(answer.code(), "PLAN_LIMIT_REACHED");
        let details = json!({ "limit": limit, "used": used, "resource": resource });
        assert_eq!(answer.json()["error"]["details"], details);
    };
    refused(IMAGES as i64, IMAGES as i64, "images").await;
    // An image that the account has is answered all the same.
    server.post("/images", &token, json!({ "content": catalogue::image(b"first") })).await.expect(200);
    server.call("DELETE", &format!("/images/{}", id(&first)), &token, Json::Null).await.expect(204);
    let size = BYTES / (IMAGES as i64 - 1) + 1;
    let all = image::Entity::update_many().col_expr(image::Column::Size, Expr::value(size));
    all.exec(&connection).await.unwrap();
    refused(BYTES, size * (IMAGES as i64 - 1), "imageBytes").await;
    assert_eq!(image::Entity::find().count(&connection).await.unwrap(), IMAGES as u64 - 1);
    let smaller = image::Entity::update_many().col_expr(image::Column::Size, Expr::value(size - 1_000));
    smaller.exec(&connection).await.unwrap();
    server.post("/images", &token, json!({ "content": catalogue::image(b"more") })).await.expect(201);
    connection.close().await.unwrap();
}

#[on_each_database]
async fn an_image_is_in_memory_for_a_minute(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let image = server.post("/images", &token, json!({ "content": catalogue::image(&[]) })).await.expect(201).json();
    server.get(&path(&image), "").await.expect(200);
    let connection = database.connect().await;
    let row = image::Entity::find().filter(image::Column::Size.gt(0)).one(&connection).await.unwrap().unwrap();
    connection.execute_unprepared("DELETE FROM images").await.unwrap();
    server.get(&path(&image), "").await.expect(200);
    server.clock.advance(MINUTE);
    server.get(&path(&image), "").await.expect(404);
    image::ActiveModel::from(row).reset_all().insert(&connection).await.unwrap();
    connection.close().await.unwrap();
    server.get(&path(&image), "").await.expect(404);
    server.clock.advance(MINUTE);
    server.get(&path(&image), "").await.expect(200);
}

#[on_each_database]
async fn images_of_a_suspended_account_are_gone_while_it_is(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let body = json!({ "content": catalogue::image(&[]) });
    let hers = server.post("/images", &alice, body.clone()).await.expect(201).json();
    let his = server.post("/images", &bob, body).await.expect(201).json();
    let answers = async |status: u16| {
        let answer = async || (server.get(&path(&hers), "").await.status == status).then_some(());
        eventually("the image answers otherwise", answer).await;
        server.get(&path(&his), "").await.expect(200);
    };
    answers(200).await;
    operate(&database, &["accounts", "suspend", "alice@example.com", "--reason", "phishing"]).await;
    answers(404).await;
    operate(&database, &["accounts", "restore", "alice@example.com"]).await;
    answers(200).await;
}

/// To write is not to read: a key that only writes is not told of an image that was there before.
#[on_each_database]
async fn a_key_that_only_writes_gets_no_image_that_was_there(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let (writes, both) =
        (server.api_key(&token, &["links:write"]).await, server.api_key(&token, &["links:read", "links:write"]).await);
    let reads = server.api_key(&token, &["links:read"]).await;
    let file = png(9, 9, [1, 2, 3, 255]);
    let send = async |key: &str| upload(&server, "/api/v1/images", key, "image/png", file.clone()).await;
    assert_eq!(send(&reads).await.expect(403).code(), "FORBIDDEN");
    let made = send(&writes).await.expect(201).json();
    assert!(made["url"].is_string());
    let refused = send(&writes).await.expect(409);
    assert_eq!(
        (refused.code(), &refused.json()["error"]["details"]["path"]),
        ("CONFLICT".to_owned(), &json!("content"))
    );
    assert_eq!(send(&both).await.expect(200).json()["id"], made["id"]);
}
