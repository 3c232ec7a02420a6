//! Cards of links: messengers and social networks show what the link's owner wrote; browsers, and other bots, are redirected.

use linkgraph::base::clock::{HOUR, rfc3339};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, BROWSER, Http, TestDatabase,
        dns::TestDns,
        domains::{hosts, start_with_subdomains},
        eventually,
        receiver::id,
    },
};

const THERE: &str = "https://hidden.example/there";

/// User agents as messengers and social networks send them.
const UNFURLERS: [&str; 18] = [
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    // iMessage.
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
    "facebookexternalhit/1.1;line-poker/1.0",
    "Twitterbot/1.0",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "WhatsApp/2.23.20.0",
    "WhatsApp/2.2587.9 W",
    "TelegramBot (like TwitterBot)",
    // Microsoft Teams.
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
    "http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.social/) Bot",
    "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)",
    "Mozilla/5.0 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)",
    "Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)",
    "Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)",
    "Synapse (bot; +https://github.com/matrix-org/synapse)",
    "Mozilla/5.0 (compatible; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/)",
];

/// Those of browsers, also in the apps of the same companies, and of bots that look for what is at the destination.
const OTHERS: [&str; 10] = [
    BROWSER,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/470.0.0.40.108;FBBV/619389577]",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Twitter for iPhone/10.50",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Mobile Safari/537.36 [Pinterest/Android]",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1 KAKAOTALK 10.8.5",
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Mobile Safari/537.36 Snapchat/12.90",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Teams/24.1 Chrome/120.0 Electron/28.0 Safari/537.36",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "curl/8.5.0",
    "",
];

async fn ask(http: &Http, method: Method, (host, user_agent): (&str, &str), path: &str) -> Answer {
    http.send(http.request(method, path).header("host", host).header("user-agent", user_agent)).await
}

fn card() -> Json {
    json!({ "title": "Tulips & <b>more</b>", "description": "20 % off\nuntil \"Easter\"", "imageUrl": "https://Acme.example/a b.png" })
}

#[on_each_database]
async fn messengers_get_the_card_and_browsers_the_destination(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    for (number, host) in hosts(&server, &token, &dns).await.iter().enumerate() {
        let mut all = Vec::new();
        for (slug, more) in [
            ("plain", json!({})),
            ("vault", json!({ "password": "tulips" })),
            ("asks", json!({ "asksFirst": true })),
            ("once", json!({ "maxClicks": 1 })),
            ("few", json!({ "maxClicks": 100 })),
        ] {
            let mut input = json!({ "destinationUrl": THERE, "slug": slug, "domain": host, "card": card() });
            input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let link = match number {
                0 => server.post("/links", &token, input).await.expect(201).json(),
                _ => {
                    let query = "mutation($input: CreateLinkInput!) { createLink(input: $input) { id shortUrl card { title description imageUrl } } }";
                    server.graphql(&token, query, json!({ "input": input })).await["data"]["createLink"].clone()
                }
            };
            assert_eq!(link["card"]["imageUrl"], "https://acme.example/a%20b.png", "{link}");
            assert_eq!(link["card"]["description"], card()["description"]);
            all.push((slug, link));
        }
        for (slug, link) in &all {
            for user_agent in UNFURLERS {
                let page = ask(&server, Method::GET, (host, user_agent), &format!("/{slug}?utm_source=a")).await;
                assert_eq!(page.status, 200, "{user_agent}");
                assert!(!format!("{page:?}").contains("hidden.example"), "{user_agent}: {page:?}");
                for part in [
                    "<title>Tulips &amp; &lt;b&gt;more&lt;/b&gt;</title>".to_owned(),
                    r#"<meta property="og:title" content="Tulips &amp; &lt;b&gt;more&lt;/b&gt;">"#.to_owned(),
                    "<meta property=\"og:description\" content=\"20 % off\nuntil &quot;Easter&quot;\">".to_owned(),
                    r#"<meta property="og:image" content="https://acme.example/a%20b.png">"#.to_owned(),
                    r#"<meta name="twitter:card" content="summary_large_image">"#.to_owned(),
                    format!(r#"<meta property="og:url" content="{}">"#, link["shortUrl"].as_str().unwrap()),
                ] {
                    assert!(page.text.contains(&part), "{user_agent}: no {part} in {}", page.text);
                }
                assert_eq!(page.header("cache-control"), "no-store");
                assert!(page.header("content-security-policy").starts_with("default-src 'none'"), "{page:?}");
                let head = ask(&server, Method::HEAD, (host, user_agent), &format!("/{slug}")).await.expect(200);
                assert!(head.text.is_empty() && head.header("location").is_empty(), "{head:?}");
            }
        }
        // What is explained is what is answered.
        for (slug, link) in &all {
            let path = format!("/links/{}/explain", id(link));
            let explained = async |user_agent: &str| {
                let answer = server.post(&path, &token, json!({ "userAgent": user_agent })).await.expect(200).json();
                answer["answer"].as_str().unwrap().to_owned()
            };
            let [browser, bot] = match *slug {
                "plain" => ["REDIRECT", "REDIRECT"],
                "few" => ["REDIRECT", "QUESTION"],
                _ => ["QUESTION", "QUESTION"],
            };
            let all = [explained(UNFURLERS[0]).await, explained(BROWSER).await, explained(OTHERS[7]).await];
            assert_eq!(all, ["CARD", browser, bot], "{slug}");
        }
        for user_agent in OTHERS {
            let answer = ask(&server, Method::GET, (host, user_agent), "/plain").await.expect(302);
            assert_eq!(answer.header("location"), THERE, "{user_agent}");
        }
        // A card uses nothing up, and opens nothing.
        let of_limited = server.get(&format!("/links/{}", id(&all[4].1)), &token).await.json();
        assert_eq!(of_limited["usedClicks"], 0);
        ask(&server, Method::POST, (host, UNFURLERS[0]), "/once").await.expect(303);
        ask(&server, Method::POST, (host, UNFURLERS[0]), "/vault").await.expect(200);
        // Before its beginning, and after its end, there is none.
        for (slug, more, status) in [
            ("later", json!({ "startsAt": rfc3339(server.clock.now() + HOUR) }), 404),
            ("over", json!({ "expiresAt": rfc3339(server.clock.now() - HOUR) }), 410),
            ("off", json!({ "isActive": false }), 404),
        ] {
            let mut input = json!({ "destinationUrl": THERE, "slug": slug, "domain": host, "card": card() });
            input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let link = server.post("/links", &token, input).await.expect(201).json();
            let page = ask(&server, Method::GET, (host, UNFURLERS[0]), &format!("/{slug}")).await.expect(status);
            let path = format!("/links/{}/explain", id(&link));
            let explained = server.post(&path, &token, json!({ "userAgent": UNFURLERS[0] })).await.expect(200).json();
            assert_eq!(explained["answer"], "NONE", "{explained}");
            assert!(!page.text.contains("Tulips"), "{}", page.text);
        }
    }
    let now = server.clock.now();
    database.clicks_become(3 * (5 * 18 + 10 + 1)).await;
    assert_eq!(database.clicks_where("\"trigger\" = 'CARD'").await, 3 * 5 * 18);
    assert_eq!(database.clicks_where("\"trigger\" = 'CARD' AND NOT is_bot").await, 0);
    assert_eq!(database.clicks_where(&format!("\"trigger\" = 'CARD' AND clicked_at > {now}")).await, 0);
}

#[on_each_database]
async fn a_card_is_changed_and_taken_away(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let link = server.link(&token, "spring").await;
    assert_eq!(link["card"], Json::Null);
    let path = format!("/links/{}", id(&link));
    let shown = async || ask(&server, Method::GET, ("localhost", UNFURLERS[0]), "/spring").await;
    shown().await.expect(302);
    let changed =
        server.call("PATCH", &path, &token, json!({ "card": { "title": "Spring" } })).await.expect(200).json();
    assert_eq!(changed["card"], json!({ "title": "Spring", "description": null, "imageUrl": null }));
    let page = shown().await.expect(200).text;
    assert!(page.contains("Spring") && !page.contains("og:image") && page.contains(r#"content="summary""#), "{page}");
    for (card, path_of_field) in [
        (json!({}), "card.title"),
        (json!({ "title": "" }), "card.title"),
        (json!({ "title": "a\nb" }), "card.title"),
        (json!({ "title": "x".repeat(201) }), "card.title"),
        (json!({ "title": "a", "description": "" }), "card.description"),
        (json!({ "title": "a", "description": "x".repeat(301) }), "card.description"),
        (json!({ "title": "a", "imageUrl": "javascript:alert(1)" }), "card.imageUrl"),
        (json!({ "title": "a", "imageUrl": "/a.png" }), "card.imageUrl"),
        (json!("Spring"), "card"),
    ] {
        let refused = server.call("PATCH", &path, &token, json!({ "card": card })).await.expect(400);
        assert!(refused.text.contains(&format!("\"{path_of_field}\"")), "{card}: {}", refused.text);
    }
    assert_eq!(server.get(&path, &token).await.json()["card"]["title"], "Spring");
    // A card is replaced as a whole: null in it is the same as absent.
    let without = json!({ "card": { "title": "Spring", "description": null, "imageUrl": null } });
    server.call("PATCH", &path, &token, without).await.expect(200);
    // Other changes leave it, and several links get one at once.
    server.call("PATCH", &path, &token, json!({ "title": "T" })).await.expect(200);
    let other = server.link(&token, "other").await;
    let both = json!({ "ids": [id(&link), id(&other)], "change": { "card": { "title": "Both" } } });
    server.call("PATCH", "/links/bulk", &token, both).await.expect(200);
    assert!(shown().await.expect(200).text.contains("<title>Both</title>"));
    server.call("PATCH", &path, &token, json!({ "card": null })).await.expect(200);
    shown().await.expect(302);
    // A link that has a card is not what is asked for without one.
    let wanted = json!({ "destinationUrl": other["destinationUrl"], "ifExists": "RETURN" });
    let created = server.post("/links", &token, wanted).await.expect(201).json();
    assert_eq!(created["card"], Json::Null);
}

/// A file that was exported has the cards, and gives them to another account.
#[on_each_database]
async fn cards_are_exported_and_imported(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let input = json!({ "destinationUrl": THERE, "slug": "spring", "card": card() });
    let link = server.post("/links", &token, input).await.expect(201).json();
    for format in ["csv", "jsonl"] {
        let file = server.get(&format!("/links/export?format={format}"), &token).await.expect(200).text;
        assert!(file.contains("card.title"), "{file}");
        let other = server.register(format).await;
        let file = file.replace("spring", &format!("spring-{format}"));
        let import = server.post("/imports", &other, json!({ "data": file })).await.expect(202).json();
        let path = format!("/imports/{}", id(&import));
        eventually("the import ends", async || {
            let import = server.get(&path, &other).await.json();
            (import["state"] == "FINISHED").then_some(())
        })
        .await;
        let links = server.get("/links", &other).await.json();
        assert_eq!(links["data"][0]["card"], link["card"], "{links}");
    }
}
