//! QR codes of short links, as pictures over REST and as data URLs over GraphQL.

use base64::{Engine, engine::general_purpose::STANDARD};
use png::{Decoder, Transformations};
use rqrr::PreparedImage;
use serde_json::json;

use crate::{
    on_each_database,
    support::{TestDatabase, catalogue, receiver::id},
};

const QUERY: &str =
    "query ($id: ID!, $size: Int!) { qrCode(linkId: $id, format: \"png\", size: $size) { url dataUrl } }";

/// The text that another library reads in a black and white PNG.
fn scanned(file: &[u8]) -> String {
    let mut decoder = Decoder::new(std::io::Cursor::new(file));
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    reader.next_frame(&mut pixels).unwrap();
    let mut image = PreparedImage::prepare_from_greyscale(width, height, |x, y| pixels[(y * width + x) * 3]);
    let grids = image.detect_grids();
    let [grid] = &grids[..] else { panic!("{} symbols", grids.len()) };
    grid.decode().unwrap().1
}

#[on_each_database]
async fn a_scan_leads_to_the_link(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let link = server.link(&token, "poster").await;
    let id = link["id"].as_str().unwrap();
    let answer = server.graphql(&token, QUERY, json!({ "id": id, "size": 236 })).await;
    let code = &answer["data"]["qrCode"];
    let file = code["dataUrl"].as_str().unwrap().strip_prefix("data:image/png;base64,").unwrap();
    let text = scanned(&STANDARD.decode(file).unwrap());
    assert_eq!(text, format!("{}?qr", link["shortUrl"].as_str().unwrap()));
    assert_eq!(server.follow("poster?qr").await.expect(302).header("location"), link["destinationUrl"]);

    // The URL is that of the same picture, for API keys.
    let key = server.api_key(&token, &["links:read"]).await;
    let path = code["url"].as_str().unwrap().strip_prefix("http://sho.rt").unwrap();
    let request = server.request(reqwest::Method::GET, path).bearer_auth(&key).send().await.unwrap();
    assert_eq!(request.headers()["content-type"], "image/png");
    assert_eq!(request.headers()["cache-control"], "private");
    assert_eq!(STANDARD.encode(request.bytes().await.unwrap()), file);
    let other = server.api_key(&token, &["links:write"]).await;
    assert_eq!(server.get(path, &other).await.expect(403).code(), "FORBIDDEN");
}

/// 2 cm at 300 dpi.
#[on_each_database]
async fn a_code_with_a_logo_is_scanned(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let link = server.link(&alice, "poster").await;
    let upload = async |token: &str| {
        let body = json!({ "content": catalogue::image(&[]) });
        id(&server.post("/images", token, body).await.expect(201).json()).to_owned()
    };
    let (hers, his) = (upload(&alice).await, upload(&bob).await);
    let path = format!("/links/{}/qr?format=png&size=236", id(&link));
    for (query, level) in [("", "Q"), ("&level=L", "Q"), ("&level=H", "H")] {
        let key = server.api_key(&alice, &["links:read"]).await;
        let request = server.request(reqwest::Method::GET, &format!("{path}&logo={hers}{query}")).bearer_auth(&alice);
        let file = request.send().await.unwrap().bytes().await.unwrap();
        assert_eq!(scanned(&file), format!("{}?qr", link["shortUrl"].as_str().unwrap()), "{query}");
        let document = "query ($id: ID!, $logo: ID!, $level: QrCodeLevel!) { \
                        qrCode(linkId: $id, format: \"png\", size: 236, logo: $logo, level: $level) { url dataUrl } }";
        let variables = json!({ "id": id(&link), "logo": hers, "level": query.strip_prefix("&level=").unwrap_or("M") });
        let code = server.graphql(&alice, document, variables).await["data"]["qrCode"].clone();
        let url = code["url"].as_str().unwrap();
        assert!(url.contains(&format!("&level={level}&")) && url.ends_with(&format!("&logo={hers}")), "{url}");
        assert_eq!(code["dataUrl"], format!("data:image/png;base64,{}", STANDARD.encode(&file)));
        let request = server.request(reqwest::Method::GET, url.strip_prefix("http://sho.rt").unwrap());
        assert_eq!(request.bearer_auth(&key).send().await.unwrap().bytes().await.unwrap(), file);
    }
    let drawn = server.get(&format!("/links/{}/qr?logo={hers}", id(&link)), &alice).await.expect(200);
    assert!(drawn.text.contains("<image ") && drawn.text.contains("href=\"data:image/png;base64,"), "{drawn:?}");
    for logo in [&his, "nothing", ""] {
        assert_eq!(server.get(&format!("{path}&logo={logo}"), &alice).await.expect(400).violations(), ["logo"]);
    }
}

#[on_each_database]
async fn an_unreadable_code_is_refused(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    // 77 modules, with a margin of 16.
    let slug = "a-poster-in-the-windows-of-all-shops-of-the-town";
    let id = server.link(&token, slug).await["id"].as_str().unwrap().to_owned();
    let get = async |query: &str| server.get(&format!("/links/{id}/qr?{query}"), &token).await;
    let drawn = get("size=236&margin=0&level=H&dark=%231D3557&light=f1faee").await.expect(200);
    assert_eq!(drawn.header("content-type"), "image/svg+xml");
    assert!(
        drawn.text.contains("width=\"236\" height=\"236\"") && drawn.text.contains("fill=\"#1d3557\""),
        "{drawn:?}"
    );
    for (query, expected) in [
        (
            "format=gif&size=63&margin=17&level=X&dark=red&light=fff",
            &["format", "size", "margin", "level", "dark", "light"][..],
        ),
        ("size=2049&margin=-1", &["size", "margin"]),
        ("size=big&margin=", &["size", "margin"]),
        // Light on dark, no contrast, and too little of it.
        ("dark=ffffff&light=000000", &["dark", "light"]),
        ("dark=ffffff", &["dark", "light"]),
        ("dark=777777", &["dark", "light"]),
        // A module is a pixel at least.
        ("format=png&size=64&margin=16&level=H", &["size"]),
        ("format=png&size=64&margin=16&dark=777777", &["dark", "light", "size"]),
    ] {
        assert_eq!(get(query).await.expect(400).violations(), expected, "{query}");
    }
    get("dark=767676").await.expect(200);
    get("format=png&size=2048&margin=16").await.expect(200);

    let mallory = server.register("mallory").await;
    server.get(&format!("/links/{id}/qr"), &mallory).await.expect(404);
    server.get("/links/none/qr", &token).await.expect(404);
    let refused = server.graphql(&token, QUERY, json!({ "id": id, "size": 4_000 })).await;
    assert_eq!(refused["errors"][0]["extensions"]["code"], "VALIDATION_ERROR");
}
