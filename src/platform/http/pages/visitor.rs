//! Pages for visitors of short links, in the visitor's language where it is known: all that they need is in them, since an account's
//! host serves nothing but links.

mod brand;
mod language;

use std::sync::LazyLock;

use axum::{
    body::{Body, Bytes},
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};

pub(crate) use self::{
    brand::{Brand, HostPage, OwnText},
    language::Language,
};
use self::{
    brand::{POLICY, STYLE},
    language::{ENGLISH, GERMAN},
};
use super::page::page;
use crate::base::error::ApiError;

/// Keeps a page out of search engines.
const X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");

/// The words and the look of a page for one visitor of a host.
#[derive(Clone, Copy)]
pub(crate) struct Wording<'a> {
    /// The language of what the service says.
    pub(crate) language: &'static Language,
    /// The visitor's `Accept-Language`, by which texts of the account are chosen; empty if there is none.
    pub(crate) accept_language: &'a [u8],
    /// Look and texts of the host. `None`: the service's.
    pub(crate) brand: Option<&'a Brand>,
}

/// A title of a page and the text below, as HTML.
struct Words {
    title: String,
    /// Attributes of the elements that have them.
    attributes: String,
    text: Option<String>,
}

impl<'a> Wording<'a> {
    /// The service's own words and look in a language.
    pub(crate) fn plain(language: &'static Language) -> Self {
        Wording { language, accept_language: &[], brand: None }
    }

    /// The account's words on a page. `None`: the service's.
    fn own(self, page: HostPage) -> Option<Words> {
        let own = self.brand?.text(page, self.accept_language)?;
        Some(Words {
            title: escaped(&own.title),
            attributes: format!(" lang=\"{}\" dir=\"auto\"", escaped(&own.language)),
            text: own.text.as_deref().map(escaped),
        })
    }

    /// A whole page. `attributes` are those of its heading.
    fn html(self, title: &str, attributes: &str, body: &str) -> String {
        let (tag, head) = (self.language.tag, include_str!("visitor-head.html"));
        let own = self.brand.filter(|brand| !brand.style.is_empty());
        let own = own.map(|brand| format!("<style>{}</style>\n", brand.style)).unwrap_or_default();
        let logo = self.brand.and_then(|brand| brand.logo.as_deref());
        let logo =
            logo.map(|url| format!("<img class=\"logo\" src=\"{}\" alt=\"\">\n", escaped(url))).unwrap_or_default();
        format!(
            "<!doctype html>\n<html lang=\"{tag}\">\n{head}{STYLE}</style>\n{own}<title>{title}</title>\n</head>\n<body>\n<main>\n\
             {logo}<h1{attributes}>{title}</h1>\n{body}</main>\n</body>\n</html>\n"
        )
    }

    fn answer(self, status: StatusCode, html: impl Into<Body>) -> Response {
        let policy = self.brand.map_or_else(|| POLICY.clone(), |brand| brand.policy.clone());
        let mut response = page(status, html, policy);
        response.headers_mut().insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(self.language.tag));
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-language"));
        response
    }

    /// A page that says this, or what the account says in its place. `None`: the service's own page is the one.
    fn branded(self, page: HostPage, status: StatusCode, [title, text]: [&str; 2]) -> Option<Response> {
        self.brand?;
        let words = self.own(page).unwrap_or_else(|| Words::of_service(title));
        let text = words.paragraph().unwrap_or_else(|| format!("<p>{text}</p>\n"));
        Some(self.answer(status, self.html(&words.title, &words.attributes, &text)))
    }
}

impl Words {
    fn of_service(title: &str) -> Self {
        Words { title: title.to_owned(), attributes: String::new(), text: None }
    }

    /// The account's text. `None`: it has none.
    fn paragraph(&self) -> Option<String> {
        let attributes = &self.attributes;
        self.text.as_ref().map(|text| format!("<p class=\"notice\"{attributes}>{text}</p>\n"))
    }
}
/// Pages that are always the same, made once: floods of them cost little.
macro_rules! fixed_pages {
    ($($(#[$doc:meta])* $visible:vis $name:ident $words:ident $status:ident;)*) => { $(
        $(#[$doc])*
        $visible fn $name(language: &'static Language) -> Response {
            static PAGES: LazyLock<[Bytes; 2]> = LazyLock::new(|| {
                [&ENGLISH, &GERMAN].map(|language| {
                    let [title, text] = language.$words;
                    Wording::plain(language).html(title, "", &format!("<p>{text}</p>\n")).into()
                })
            });
            let [english, german] = &*PAGES;
            let html = if std::ptr::eq(language, &GERMAN) { german } else { english };
            Wording::plain(language).answer(StatusCode::$status, html.clone())
        }
    )* };
}

fixed_pages! {
    no_link not_found NOT_FOUND;
    /// The page of a short link that the operator has disabled; it does not say where the link led.
    pub(crate) link_disabled disabled GONE;
    no_link_any_more expired GONE;
    /// The page of a short link that can't be looked up.
    pub(crate) can_not_look_up unavailable SERVICE_UNAVAILABLE;
}

/// No such short link, or one that is switched off: the two look the same.
pub(crate) fn link_not_found(wording: Wording<'_>) -> Response {
    let branded = wording.branded(HostPage::NotFound, StatusCode::NOT_FOUND, wording.language.not_found);
    branded.unwrap_or_else(|| no_link(wording.language))
}

/// The page of a short link after its end; it does not say where the link led.
pub(crate) fn link_expired(wording: Wording<'_>) -> Response {
    let branded = wording.branded(HostPage::Expired, StatusCode::GONE, wording.language.expired);
    branded.unwrap_or_else(|| no_link_any_more(wording.language))
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
pub(crate) fn ask(wording: Wording<'_>, status: StatusCode, asked: Asked<'_>) -> Response {
    let Asked { notice, needs_password, is_limited, refusal, referrer } = asked;
    let language = wording.language;
    let (page, title) = match (needs_password, notice) {
        (true, _) => (HostPage::Password, language.asks_for_password),
        (false, "") => (HostPage::Confirmation, language.asks),
        (false, _) => (HostPage::Notice, language.asks),
    };
    let words = wording.own(page).unwrap_or_else(|| Words::of_service(title));
    let text = match (notice, words.paragraph()) {
        ("", Some(own)) if is_limited => format!("{own}<p>{}</p>\n", language.is_limited),
        ("", Some(own)) => own,
        ("", None) if is_limited => format!("<p>{}</p>\n", language.is_limited),
        ("", None) if needs_password => String::new(),
        ("", None) => format!("<p>{}</p>\n", language.leads_on),
        (notice, _) => format!("<p class=\"notice\" dir=\"auto\">{}</p>\n", escaped(notice)),
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
    not_indexed(wording.answer(status, wording.html(&words.title, &words.attributes, &body)))
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
pub(crate) fn preview(wording: Wording<'_>, preview: Preview<'_>) -> Response {
    let language = wording.language;
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
    not_indexed(wording.answer(StatusCode::OK, wording.html(language.preview, "", &body)))
}

/// Asks a visitor by phone whether to open the app by this URI, to get it from its store (`None`: it is in none), or to go to the
/// destination.
pub(crate) fn open_app(wording: Wording<'_>, uri: &str, store: Option<&str>, destination: &str) -> Response {
    let language = wording.language;
    let [title, text] = language.opens_app;
    let link =
        |class: &str, url: &str, words: &str| format!("<p><a{class} href=\"{}\">{words}</a></p>\n", escaped(url));
    let open = link(" class=\"button\"", uri, language.open_app);
    let store = store.map(|url| link("", url, language.get_app)).unwrap_or_default();
    let website = link("", destination, language.website);
    let body = format!("{open}<p>{text}</p>\n{store}{website}");
    not_indexed(wording.answer(StatusCode::OK, wording.html(title, "", &body)))
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
    page(StatusCode::OK, html, POLICY.clone())
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
