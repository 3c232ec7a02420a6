//! Pages for visitors of short links, in the visitor's language where it is known: all that they need is in them, since an account's
//! host serves nothing but links.

use std::sync::LazyLock;

use axum::{
    body::{Body, Bytes},
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use link_rules::most_preferred;
use sha2::{Digest, Sha256};

use super::page::page;
use crate::base::error::ApiError;

const STYLE: &str = include_str!("visitor.css");
/// Names that style by its hash (CSP 3 §6.7.2.3). It has no `form-action`: the answer to the form of [`ask`] is a redirect to
/// any host, which browsers refuse that apply the directive to redirects (CSP 3 §6.4.1).
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    format!("default-src 'none'; style-src 'sha256-{hash}'; img-src data:; base-uri 'none'; frame-ancestors 'none'")
});
/// Keeps a page out of search engines.
const X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");

/// The words of pages in a language.
pub(crate) struct Language {
    /// Its tag (BCP 47).
    tag: &'static str,
    /// Titles and texts of pages that are always the same.
    not_found: [&'static str; 2],
    disabled: [&'static str; 2],
    expired: [&'static str; 2],
    unavailable: [&'static str; 2],
    asks: &'static str,
    asks_for_password: &'static str,
    is_limited: &'static str,
    leads_on: &'static str,
    password: &'static str,
    open: &'static str,
    wrong: &'static str,
    too_many: fn(u32) -> String,
    preview: &'static str,
    leads_to: &'static str,
    does_not_tell: &'static str,
    elsewhere: &'static str,
    made: fn(&str) -> String,
    report: &'static str,
    opens_app: [&'static str; 2],
    open_app: &'static str,
    get_app: &'static str,
    website: &'static str,
}

static ENGLISH: Language = Language {
    tag: "en",
    not_found: ["Link not found", "This short link does not exist, or it is switched off."],
    disabled: ["Link disabled", "This link has been disabled."],
    expired: ["Link expired", "This link has expired."],
    unavailable: ["Try again in a moment", "This short link can't be looked up just now."],
    asks: "Open this link?",
    asks_for_password: "This link needs a password",
    is_limited: "This link can be opened a limited number of times. Opening it now counts as one of them.",
    leads_on: "It leads to another website.",
    password: "Password",
    open: "Open the link",
    wrong: "This password is not right. Try again.",
    too_many: |minutes| {
        let plural = if minutes == 1 { "" } else { "s" };
        format!("Too many wrong passwords. Try again in {minutes} minute{plural}.")
    },
    preview: "Where this link leads",
    leads_to: "It leads to:",
    does_not_tell: "It does not tell where it leads before it is opened.",
    elsewhere: "Some visitors are led elsewhere, for example by their device, country or language.",
    made: |day| format!("It was made on <time>{day}</time>."),
    report: "Report this link",
    opens_app: ["Open in the app", "If nothing happens, the app is not on this device."],
    open_app: "Open the app",
    get_app: "Get the app",
    website: "Continue to the website",
};

static GERMAN: Language = Language {
    tag: "de",
    not_found: ["Link nicht gefunden", "Diesen Kurzlink gibt es nicht, oder er ist ausgeschaltet."],
    disabled: ["Link gesperrt", "Dieser Link ist gesperrt worden."],
    expired: ["Link abgelaufen", "Dieser Link ist abgelaufen."],
    unavailable: ["Gleich noch einmal", "Dieser Kurzlink kann gerade nicht nachgeschlagen werden."],
    asks: "Diesen Link öffnen?",
    asks_for_password: "Dieser Link braucht ein Passwort",
    is_limited: "Dieser Link lässt sich nur einige Male öffnen. Ihn jetzt zu öffnen zählt als eines davon.",
    leads_on: "Er führt zu einer anderen Website.",
    password: "Passwort",
    open: "Den Link öffnen",
    wrong: "Dieses Passwort ist nicht richtig. Bitte noch einmal.",
    too_many: |minutes| {
        let plural = if minutes == 1 { "" } else { "n" };
        format!("Zu viele falsche Passwörter. In {minutes} Minute{plural} geht es wieder.")
    },
    preview: "Wohin dieser Link führt",
    leads_to: "Er führt zu:",
    does_not_tell: "Er sagt erst, wohin er führt, wenn er geöffnet wird.",
    elsewhere: "Manche Besucher führt er anderswohin, etwa nach Gerät, Land oder Sprache.",
    made: |day| format!("Es gibt ihn seit dem <time>{day}</time>."),
    report: "Diesen Link melden",
    opens_app: ["In der App öffnen", "Wenn nichts geschieht, ist die App nicht auf diesem Gerät."],
    open_app: "Die App öffnen",
    get_app: "Die App holen",
    website: "Weiter zur Website",
};

impl Language {
    /// The language of an `Accept-Language` field; English where none that it names is known.
    pub(crate) fn of(accept_language: &[u8]) -> &'static Self {
        let preferred = std::str::from_utf8(accept_language).ok();
        match preferred.and_then(|header| most_preferred(header, &[ENGLISH.tag, GERMAN.tag])) {
            Some("de") => &GERMAN,
            _ => &ENGLISH,
        }
    }

    /// A whole page.
    fn html(&self, title: &str, body: &str) -> String {
        let (tag, head) = (self.tag, include_str!("visitor-head.html"));
        format!(
            "<!doctype html>\n<html lang=\"{tag}\">\n{head}{STYLE}</style>\n<title>{title}</title>\n</head>\n<body>\n<main>\n\
             <h1>{title}</h1>\n{body}</main>\n</body>\n</html>\n"
        )
    }

    fn answer(&self, status: StatusCode, html: impl Into<Body>) -> Response {
        let mut response = page(status, html, &POLICY);
        response.headers_mut().insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(self.tag));
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-language"));
        response
    }
}

/// Pages that are always the same, made once: floods of them cost little.
macro_rules! fixed_pages {
    ($($(#[$doc:meta])* $name:ident $words:ident $status:ident;)*) => { $(
        $(#[$doc])*
        pub(crate) fn $name(language: &'static Language) -> Response {
            static PAGES: LazyLock<[Bytes; 2]> = LazyLock::new(|| {
                [&ENGLISH, &GERMAN].map(|language| {
                    let [title, text] = language.$words;
                    language.html(title, &format!("<p>{text}</p>\n")).into()
                })
            });
            let [english, german] = &*PAGES;
            let html = if std::ptr::eq(language, &GERMAN) { german } else { english };
            language.answer(StatusCode::$status, html.clone())
        }
    )* };
}

fixed_pages! {
    /// No such short link, or one that is switched off: the two look the same.
    link_not_found not_found NOT_FOUND;
    /// The page of a short link that the operator has disabled; it does not say where the link led.
    link_disabled disabled GONE;
    /// The page of a short link after its end; it does not say where the link led.
    link_expired expired GONE;
    /// The page of a short link that can't be looked up.
    can_not_look_up unavailable SERVICE_UNAVAILABLE;
}

/// A short link that can't be looked up now.
pub(crate) fn unavailable(language: &'static Language, error: &ApiError) -> Response {
    let mut response = can_not_look_up(language);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(error.retry_after.unwrap_or(1)));
    response
}

/// Questions to the visitors of a short link before they are redirected.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked<'a> {
    /// Text of the link's owner; empty if there is none.
    pub(crate) notice: &'a str,
    /// Whether they have to enter a password.
    pub(crate) needs_password: bool,
    /// Whether the link can be followed a limited number of times.
    pub(crate) is_limited: bool,
    /// The reason why the form that they sent opens nothing. `None`: they sent none.
    pub(crate) refusal: Option<Wrong>,
    /// The referrer of the visit, which the form sends back; empty if it has none.
    pub(crate) referrer: &'a str,
}

/// Why a password opens nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wrong {
    /// The link has another one.
    Password,
    /// Too many wrong ones were sent: none is taken for so many minutes.
    TooMany(u32),
}

/// Asks whether to follow a short link, and for its password if it has one, without saying where it leads.
pub(crate) fn ask(language: &'static Language, status: StatusCode, asked: Asked<'_>) -> Response {
    let Asked { notice, needs_password, is_limited, refusal, referrer } = asked;
    let title = if needs_password { language.asks_for_password } else { language.asks };
    let text = match (notice, is_limited) {
        ("", true) => format!("<p>{}</p>\n", language.is_limited),
        ("", false) if needs_password => String::new(),
        ("", false) => format!("<p>{}</p>\n", language.leads_on),
        (notice, _) => format!("<p class=\"notice\">{}</p>\n", escaped(notice)),
    };
    let refused = refusal.map(|wrong| {
        let message = match wrong {
            Wrong::Password => language.wrong.to_owned(),
            Wrong::TooMany(minutes) => (language.too_many)(minutes),
        };
        format!("<p class=\"error\" role=\"alert\">{message}</p>\n")
    });
    let field = match (needs_password, &refused) {
        (false, _) => String::new(),
        (true, refused) => {
            let (label, invalid) = (language.password, if refused.is_some() { " aria-invalid=\"true\"" } else { "" });
            format!(
                "<label for=\"password\">{label}</label>\n<input id=\"password\" name=\"password\" type=\"password\" required \
                 autofocus autocomplete=\"off\" maxlength=\"200\"{invalid}>\n"
            )
        }
    };
    let hidden = match referrer {
        "" => String::new(),
        _ => format!("<input type=\"hidden\" name=\"referrer\" value=\"{}\">\n", escaped(referrer)),
    };
    let (refused, open) = (refused.unwrap_or_default(), language.open);
    let body = format!("{text}{refused}<form method=\"post\">\n{field}{hidden}<button>{open}</button>\n</form>\n");
    not_indexed(language.answer(status, language.html(title, &body)))
}

/// Facts about a short link for its preview.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preview<'a> {
    pub(crate) slug: &'a str,
    /// The URL that it leads to. `None`: it does not say.
    pub(crate) destination: Option<&'a str>,
    /// Whether rules or a split lead some visitors elsewhere.
    pub(crate) has_rules: bool,
    /// The day on which it was made, in UTC (RFC 3339 `full-date`).
    pub(crate) since: &'a str,
    /// Where it can be reported, an `https:` or `mailto:` URI. `None`: the operator names no contact.
    pub(crate) contact: Option<&'a str>,
}

/// Shows where a short link leads, without following it.
pub(crate) fn preview(language: &'static Language, preview: Preview<'_>) -> Response {
    let Preview { slug, destination, has_rules, since, contact } = preview;
    let leads = match destination {
        Some(url) => format!("<p>{}</p>\n<p class=\"destination\">{}</p>\n", language.leads_to, escaped(url)),
        None => format!("<p>{}</p>\n", language.does_not_tell),
    };
    let elsewhere = match has_rules && destination.is_some() {
        true => format!("<p>{}</p>\n", language.elsewhere),
        false => String::new(),
    };
    let report = contact.map(|contact| format!("<p><a href=\"{}\">{}</a></p>\n", escaped(contact), language.report));
    let (made, open, report) = ((language.made)(since), language.open, report.unwrap_or_default());
    let body =
        format!("{leads}{elsewhere}<p>{made}</p>\n<p><a class=\"button\" href=\"/{slug}\">{open}</a></p>\n{report}");
    not_indexed(language.answer(StatusCode::OK, language.html(language.preview, &body)))
}

/// Asks a visitor by phone whether to open the app by this URI, to get it from its store (`None`: it is in none), or to go to the
/// destination.
pub(crate) fn open_app(language: &'static Language, uri: &str, store: Option<&str>, destination: &str) -> Response {
    let [title, text] = language.opens_app;
    let link =
        |class: &str, url: &str, words: &str| format!("<p><a{class} href=\"{}\">{words}</a></p>\n", escaped(url));
    let open = link(" class=\"button\"", uri, language.open_app);
    let store = store.map(|url| link("", url, language.get_app)).unwrap_or_default();
    let website = link("", destination, language.website);
    let body = format!("{open}<p>{text}</p>\n{store}{website}");
    not_indexed(language.answer(StatusCode::OK, language.html(title, &body)))
}

/// The card of a short link for messengers and social networks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Card<'a> {
    pub(crate) title: &'a str,
    pub(crate) description: Option<&'a str>,
    /// URL of the image. `None`: they show none.
    pub(crate) image_url: Option<&'a str>,
    pub(crate) short_url: &'a str,
}

/// The page from which messengers and social networks read what to show of a short link (the Open Graph protocol, ogp.me; X Cards). It
/// has neither the destination nor a redirect to it, which some of them would follow, and show that page.
pub(crate) fn card(card: Card<'_>) -> Response {
    let [title, short_url] = [card.title, card.short_url].map(escaped);
    let property = |names: [&str; 2], value: Option<&str>| {
        let [open_graph, other] = names;
        let value = escaped(value?);
        Some(format!(
            "<meta property=\"{open_graph}\" content=\"{value}\">\n<meta name=\"{other}\" content=\"{value}\">\n"
        ))
    };
    let description = property(["og:description", "description"], card.description).unwrap_or_default();
    let image = property(["og:image", "twitter:image"], card.image_url).unwrap_or_default();
    let size = if card.image_url.is_some() { "summary_large_image" } else { "summary" };
    let html = format!(
        "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <meta property=\"og:title\" content=\"{title}\">\n<meta property=\"og:type\" content=\"website\">\n\
         <meta property=\"og:url\" content=\"{short_url}\">\n{description}{image}\
         <meta name=\"twitter:card\" content=\"{size}\">\n</head>\n<body>\n<h1>{title}</h1>\n</body>\n</html>\n"
    );
    page(StatusCode::OK, html, &POLICY)
}

fn not_indexed(mut response: Response) -> Response {
    response.headers_mut().insert(X_ROBOTS_TAG, HeaderValue::from_static("noindex"));
    response
}

/// Text as it stands in HTML.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            _ => html.push(character),
        }
    }
    html
}
