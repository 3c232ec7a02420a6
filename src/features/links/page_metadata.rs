//! Title, description and image that a page names, for those who write the card of a link.

use std::borrow::Cow;

use crate::{
    app::App,
    base::{
        error::ApiError,
        ids::AccountId,
        validate::{check_destination_url, in_one_line, shortened},
    },
    graphql::directives::example,
    platform::{
        http::rate_limit::{Key, Policy},
        net::guarded_client::WebPage,
    },
    records::links::card::{MAX_CARD_DESCRIPTION, MAX_CARD_TITLE},
};
use async_graphql::SimpleObject;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};
use serde::{Deserialize, Serialize};

/// Bytes of a page that are read: its head is among the first 100,000 nearly always.
const MAX_PAGE: usize = 512 * 1024;
/// Bytes at the beginning in which a page names its encoding (HTML, "prescan a byte stream").
const PRESCANNED: usize = 1_024;

/// Metadata of a page.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageMetadata {
    /// Where it is, after redirects.
    #[graphql(directive = example::apply("https://example.com/spring-sale".into()))]
    url: String,
    /// Its title, in one line of at most 200 characters. Null: it has none, or is no HTML.
    #[graphql(directive = example::apply("Spring at Acme".into()))]
    title: Option<String>,
    /// Its description, in one line of at most 300 characters. Null: it has none.
    #[graphql(directive = example::apply("Tulips, narcissi and 20 % off until Easter.".into()))]
    description: Option<String>,
    /// URL of the image that it wants to be shown with. Null: it names none.
    #[graphql(directive = example::apply("https://example.com/spring.jpg".into()))]
    image_url: Option<String>,
}

/// Fetches a page of the web. Fails with VALIDATION_ERROR when the URL is none, or nothing can be read there.
pub(crate) async fn fetch(app: &App, account: AccountId, url: &str) -> Result<PageMetadata, ApiError> {
    let url = check_destination_url(url).map_err(|reason| ApiError::invalid_field("url", reason))?;
    app.limits.take(Policy::PageFetches, Key::from(account), 1).await?;
    let _place = app.page_fetches.acquire(account).await?;
    let page = app.guarded_client.page(url, MAX_PAGE).await;
    let page = page.map_err(|reason| ApiError::invalid_field("url", format!("can't be read: {reason}")))?;
    Ok(of_page(&page))
}

fn of_page(WebPage { url, content_type, body }: &WebPage) -> PageMetadata {
    let (media_type, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
    let is_html = matches!(media_type.trim(), "" | "text/html" | "application/xhtml+xml");
    let mut found = Found::default();
    if is_html {
        found.read(&decoded(body, parameters));
    }
    let image = found.image.and_then(|image| url.join(image.trim()).ok());
    PageMetadata {
        url: url.as_str().to_owned(),
        title: found.own_title.or(found.title).and_then(|text| line(&text, MAX_CARD_TITLE)),
        description: found.own_description.or(found.description).and_then(|text| line(&text, MAX_CARD_DESCRIPTION)),
        image_url: image.and_then(|image| check_destination_url(image.as_str()).ok()).map(String::from),
    }
}

/// The text of a page, in the encoding that it or its server names, or else as browsers guess.
fn decoded<'a>(body: &'a [u8], parameters: &str) -> Cow<'a, str> {
    let start = String::from_utf8_lossy(body.get(..PRESCANNED).unwrap_or(body)).to_ascii_lowercase();
    let named = charset(&parameters.to_ascii_lowercase()).or_else(|| charset(&start));
    let guessed = || match std::str::from_utf8(body) {
        Err(error) if error.error_len().is_some() => WINDOWS_1252,
        // The last character may be cut.
        _ => UTF_8,
    };
    // Whichever is named, a byte order mark counts more.
    named.unwrap_or_else(guessed).decode(body).0
}

/// The encoding named by the first `charset=` in a text in lower case.
fn charset(text: &str) -> Option<&'static Encoding> {
    let (_, name) = text.split_once("charset=")?;
    let name = name.trim_start_matches(['"', '\'']);
    let end = name.find(|character: char| !character.is_ascii_alphanumeric() && !"-_:.".contains(character));
    Encoding::for_label(&name.as_bytes()[..end.unwrap_or(name.len())])
}

/// The text in one line of at most so many characters. `None`: it has no words.
fn line(text: &str, max: i32) -> Option<String> {
    Some(shortened(in_one_line(text), max)).filter(|line| !line.is_empty())
}

/// Texts in the head of a page: those that are made for cards (the Open Graph protocol, ogp.me; X Cards) come first.
#[derive(Default)]
struct Found {
    own_title: Option<String>,
    title: Option<String>,
    own_description: Option<String>,
    description: Option<String>,
    image: Option<String>,
}

impl Found {
    fn read(&mut self, html: &str) {
        let mut emitter = DefaultEmitter::default();
        emitter.naively_switch_states(true);
        let mut title = None;
        for token in Tokenizer::new_with_emitter(html, emitter) {
            match token {
                Ok(Token::StartTag(tag)) => match &**tag.name {
                    b"title" if self.title.is_none() => title = Some(String::new()),
                    b"meta" => self.note(&tag),
                    b"body" => return,
                    _ => {}
                },
                Ok(Token::String(text)) => {
                    if let Some(title) = &mut title {
                        title.push_str(&String::from_utf8_lossy(&text));
                    }
                }
                Ok(Token::EndTag(tag)) => match &**tag.name {
                    b"title" => self.title = self.title.take().or(title.take()),
                    b"head" => return,
                    _ => {}
                },
                _ => {}
            }
        }
    }

    /// Notes a `meta` element. The first of each kind counts.
    fn note(&mut self, tag: &StartTag<()>) {
        let attribute = |name: &[u8]| tag.attributes.get(name).map(|value| String::from_utf8_lossy(value).into_owned());
        let Some(content) = attribute(b"content").filter(|content| !content.trim().is_empty()) else { return };
        let name = attribute(b"property").or_else(|| attribute(b"name")).unwrap_or_default().to_ascii_lowercase();
        let place = match &*name {
            "og:title" | "twitter:title" => &mut self.own_title,
            "og:description" | "twitter:description" => &mut self.own_description,
            "description" => &mut self.description,
            "og:image" | "og:image:url" | "og:image:secure_url" | "twitter:image" | "twitter:image:src" => {
                &mut self.image
            }
            _ => return,
        };
        place.get_or_insert(content);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::*;

    fn read(content_type: &str, body: &[u8]) -> [Option<String>; 3] {
        let url = Url::parse("https://acme.example/shop/spring?a=b").unwrap();
        let read = of_page(&WebPage { url, content_type: content_type.to_owned(), body: body.to_owned() });
        [read.title, read.description, read.image_url]
    }

    fn html(text: &str) -> [Option<String>; 3] {
        read("text/html; charset=utf-8", text.as_bytes())
    }

    fn found(parts: [&str; 3]) -> [Option<String>; 3] {
        parts.map(|part| Some(part.to_owned()).filter(|part| !part.is_empty()))
    }

    #[test]
    fn a_page_is_read_as_browsers_and_messengers_do() {
        for (page, parts) in [
            ("<title>A &amp; B</title>", ["A & B", "", ""]),
            ("<TITLE>\n  A\t\n  b </TITLE><meta name=description content='c'>", ["A b", "c", ""]),
            (
                "<head><title>Page</title><meta name=\"description\" content=\"Of the page\">\
                 <meta property=\"og:title\" content=\"Card\"><meta content='Of the card' property='og:description'>\
                 <meta property=\"og:image\" content=\"/a b.png\"><meta property='og:image' content='/second.png'></head>",
                ["Card", "Of the card", "https://acme.example/a%20b.png"],
            ),
            (
                "<meta name=twitter:title content=T><meta name=twitter:image content=//cdn.example/x.webp>",
                ["T", "", "https://cdn.example/x.webp"],
            ),
            (
                "<script>'<title>No</title>'</script><style>title{}</style><!-- <title>No</title> --><title>Yes</title>",
                ["Yes", "", ""],
            ),
            (
                "<title>Yes</title></head><body><svg><title>No</title></svg><meta name=description content=No>",
                ["Yes", "", ""],
            ),
            ("<meta property=og:title content=' '><title>T</title>", ["T", "", ""]),
            ("<meta property=og:image content='javascript:alert(1)'><meta property=og:title content=T>", ["T", "", ""]),
            ("<title>unfinished", ["", "", ""]),
            ("", ["", "", ""]),
        ] {
            assert_eq!(html(page), found(parts), "{page}");
        }
        let long = html(&format!("<title>{}</title>", "ä ".repeat(300)));
        assert_eq!(long[0].as_ref().map(|title| title.chars().count()), Some(200));
        assert!(long[0].as_ref().unwrap().ends_with('…'));
    }

    #[test]
    fn a_page_is_read_in_its_encoding() {
        let title = |content_type: &str, body: &[u8]| read(content_type, body)[0].clone().unwrap_or_default();
        for (content_type, body) in [
            ("text/html", "<title>Käse</title>".as_bytes()),
            ("text/html; charset=ISO-8859-1", b"<title>K\xe4se</title>"),
            ("text/html", b"<meta charset=\"latin1\"><title>K\xe4se</title>"),
            (
                "text/html",
                b"<meta http-equiv=content-type content='text/html; charset=windows-1252'><title>K\xe4se</title>",
            ),
            ("", b"<title>K\xe4se</title>"),
            ("text/html; charset=nonsense", "<title>Käse</title>".as_bytes()),
            ("text/html", b"\xff\xfe<\0t\0i\0t\0l\0e\0>\0K\0\xe4\0s\0e\0<\0/\0t\0i\0t\0l\0e\0>\0"),
        ] {
            assert_eq!(title(content_type, body), "Käse", "{content_type} {body:?}");
        }
        assert_eq!(title("text/html; charset=shift_jis", b"<title>\x93\xfa\x96\x7b</title>"), "日本");
        assert_eq!(title("application/pdf", b"<title>no</title>"), "");
    }

    proptest! {
        #[test]
        fn no_page_makes_the_reader_panic(body in prop::collection::vec(any::<u8>(), 0..300), shaped in "[<>/='\" a-z!-]{0,200}") {
            for body in [body, [b"<meta property=og:title content='", shaped.as_bytes()].concat(), shaped.into_bytes()] {
                let [title, description, _] = read("text/html", &body);
                prop_assert!(title.is_none_or(|text| (1..=200).contains(&text.chars().count())));
                prop_assert!(description.is_none_or(|text| (1..=300).contains(&text.chars().count())));
            }
        }
    }
}
