//! The few pages that people see: all from files in the binary, nothing from other hosts.

mod application;
pub(crate) mod document;
pub(crate) mod well_known;

use std::sync::LazyLock;

use axum::{
    Router,
    body::{Body, Bytes},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use crate::{
    base::{clock::Clock, config::Config, error::ApiError},
    platform::http::{negotiation::accepts_html, pages::document::Document, refusal::Refusal},
};

const HTML: &str = "text/html; charset=utf-8";
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";
/// Style of the pages for visitors. It is in them: an account's host serves nothing but links.
const VISITOR_STYLE: &str = include_str!("visitor.css");
/// Names that style by its hash (CSP 3 §6.7.2.3). It has no `form-action`: the answer to the form of [`ask`] is a redirect to
/// any host, which browsers refuse that apply the directive to redirects (CSP 3 §6.4.1).
static VISITOR_POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(VISITOR_STYLE));
    format!("default-src 'none'; style-src 'sha256-{hash}'; img-src data:; base-uri 'none'; frame-ancestors 'none'")
});

/// A page for visitors, from the file with its title and body.
macro_rules! visitor_page {
    ($status:expr, $file:literal) => {{
        let html = concat!(include_str!("visitor-head.html"), include_str!("visitor.css"), include_str!($file));
        page($status, html, &VISITOR_POLICY)
    }};
}

/// Keeps a page out of search engines.
const X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");
/// GraphiQL's editor sets styles from its script.
const GRAPHIQL_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                               img-src 'self' data:; font-src 'self' data:; connect-src 'self' ws: wss:; \
                               worker-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'";

pub(crate) fn router(config: &Config, clock: &Clock) -> Router {
    let asset = |content_type: &'static str, content: &'static [u8]| {
        // The name has no version: it is asked for again, and comes from the binary.
        Document::new(content_type, Bytes::from_static(content)).with_cache_control("no-cache").route()
    };
    application::router()
        .merge(well_known::router(config, clock))
        .route("/", get(root))
        .route("/reset-password", get(reset_password))
        .route(
            "/billing/checkout/success",
            get(|| async { page(StatusCode::OK, include_str!("checkout-success.html"), POLICY) }),
        )
        .route(
            "/billing/checkout/canceled",
            get(|| async { page(StatusCode::OK, include_str!("checkout-canceled.html"), POLICY) }),
        )
        .route("/static/pages.css", asset("text/css; charset=utf-8", include_bytes!("pages.css")))
        .route(
            "/graphiql/graphiql.js",
            asset("text/javascript; charset=utf-8", include_bytes!("../../../../graphiql/dist/graphiql.js")),
        )
        .route(
            "/graphiql/graphiql.css",
            asset("text/css; charset=utf-8", include_bytes!("../../../../graphiql/dist/graphiql.css")),
        )
        .route(
            "/graphiql/LICENSES.txt",
            asset("text/plain; charset=utf-8", include_bytes!("../../../../graphiql/dist/LICENSES.txt")),
        )
}

/// Leads browsers, which name HTML among what they accept, to the application; other clients get an index of the API.
async fn root(headers: HeaderMap) -> Response {
    let mut response = match accepts_html(&headers) {
        true => Redirect::to(application::PATH).into_response(),
        false => page(StatusCode::OK, include_str!("index.html"), POLICY),
    };
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    response
}

/// Redirects the address in reset mails to the application's page, with the token.
async fn reset_password(uri: Uri) -> Response {
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    // No other site may see the token in a `Referer`.
    ([(header::REFERRER_POLICY, "no-referrer")], Redirect::to(&format!("{}/reset{query}", application::PATH)))
        .into_response()
}

/// GraphiQL, for browsers that open `/graphql`.
pub(crate) fn graphiql() -> Response {
    page(StatusCode::OK, include_str!("../../../../graphiql/dist/index.html"), GRAPHIQL_POLICY)
}

/// No such short link, or one that is switched off: the two look the same.
pub(crate) fn link_not_found() -> Response<Body> {
    visitor_page!(StatusCode::NOT_FOUND, "link-not-found.html")
}

/// The page of a short link that the operator has disabled; it does not say where the link led.
pub(crate) fn link_disabled() -> Response<Body> {
    visitor_page!(StatusCode::GONE, "link-disabled.html")
}

/// The page of a short link after its end; it does not say where the link led.
pub(crate) fn link_expired() -> Response<Body> {
    visitor_page!(StatusCode::GONE, "link-expired.html")
}

/// What the visitors of a short link are asked before they are redirected.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked<'a> {
    /// Text of the link's owner; empty if there is none.
    pub(crate) notice: &'a str,
    /// Whether they have to enter a password.
    pub(crate) needs_password: bool,
    /// Whether the link can be followed a limited number of times.
    pub(crate) is_limited: bool,
    /// Why what they sent is not enough.
    pub(crate) error: Option<&'a str>,
    /// The referrer of the visit, which the form sends back; empty if it has none.
    pub(crate) referrer: &'a str,
}

/// Asks whether to follow a short link, and for its password if it has one, without saying where it leads.
pub(crate) fn ask(status: StatusCode, asked: Asked<'_>) -> Response<Body> {
    let Asked { notice, needs_password, is_limited, error, referrer } = asked;
    let title = if needs_password { "This link needs a password" } else { "Open this link?" };
    let paragraph = |text: &str| format!("<p>{text}</p>\n");
    let text = match (notice, is_limited) {
        ("", true) => {
            paragraph("This link can be opened a limited number of times. Opening it now counts as one of them.")
        }
        ("", false) if needs_password => String::new(),
        ("", false) => paragraph("It leads to another website."),
        (notice, _) => format!("<p class=\"notice\">{}</p>\n", escaped(notice)),
    };
    let error = error.map(|error| format!("<p class=\"error\" role=\"alert\">{}</p>\n", escaped(error)));
    let field = match (needs_password, error.is_some()) {
        (false, _) => "",
        (true, false) => PASSWORD_FIELD,
        (true, true) => WRONG_PASSWORD_FIELD,
    };
    let error = error.unwrap_or_default();
    let hidden = match referrer {
        "" => String::new(),
        _ => format!("<input type=\"hidden\" name=\"referrer\" value=\"{}\">\n", escaped(referrer)),
    };
    let (head, style) = (include_str!("visitor-head.html"), VISITOR_STYLE);
    let html = format!(
        "{head}{style}</style>\n<title>{title}</title>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{text}{error}\
         <form method=\"post\">\n{field}{hidden}<button>Open the link</button>\n</form>\n</main>\n</body>\n</html>\n"
    );
    let mut response = page(status, html, &VISITOR_POLICY);
    response.headers_mut().insert(X_ROBOTS_TAG, HeaderValue::from_static("noindex"));
    response
}

/// What a short link shows of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preview<'a> {
    pub(crate) slug: &'a str,
    /// Where it leads. `None`: it does not say.
    pub(crate) destination: Option<&'a str>,
    /// Whether rules or a split lead some visitors elsewhere.
    pub(crate) has_rules: bool,
    /// The day on which it was made, in UTC (RFC 3339 `full-date`).
    pub(crate) since: &'a str,
    /// Where it can be reported, an `https:` or `mailto:` URI. `None`: the operator names no contact.
    pub(crate) contact: Option<&'a str>,
}

/// Shows where a short link leads, without following it.
pub(crate) fn preview(preview: Preview<'_>) -> Response<Body> {
    let Preview { slug, destination, has_rules, since, contact } = preview;
    let leads = match destination {
        Some(url) => format!("<p>It leads to:</p>\n<p class=\"destination\">{}</p>\n", escaped(url)),
        None => "<p>It does not tell where it leads before it is opened.</p>\n".to_owned(),
    };
    let rules = match has_rules && destination.is_some() {
        true => "<p>Some visitors are led elsewhere, for example by their device, country or language.</p>\n",
        false => "",
    };
    let report = contact.map(|contact| format!("<p><a href=\"{}\">Report this link</a></p>\n", escaped(contact)));
    let (head, style, report) = (include_str!("visitor-head.html"), VISITOR_STYLE, report.unwrap_or_default());
    let html = format!(
        "{head}{style}</style>\n<title>Where this link leads</title>\n</head>\n<body>\n<main>\n<h1>Where this link leads</h1>\n{leads}{rules}\
         <p>It was made on <time>{since}</time>.</p>\n<p><a class=\"button\" href=\"/{slug}\">Open the link</a></p>\n{report}\
         </main>\n</body>\n</html>\n"
    );
    let mut response = page(StatusCode::OK, html, &VISITOR_POLICY);
    response.headers_mut().insert(X_ROBOTS_TAG, HeaderValue::from_static("noindex"));
    response
}

const PASSWORD_FIELD: &str = "<label for=\"password\">Password</label>\n<input id=\"password\" name=\"password\" type=\"password\" \
                              required autofocus autocomplete=\"off\" maxlength=\"200\">\n";
const WRONG_PASSWORD_FIELD: &str = "<label for=\"password\">Password</label>\n<input id=\"password\" name=\"password\" type=\"password\" \
                                    required autofocus autocomplete=\"off\" maxlength=\"200\" aria-invalid=\"true\">\n";

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

/// The page for a person whose request is refused at a path that is none of the API's; its headers are written among the response's.
pub(crate) fn refused(Refusal(error): &Refusal, headers: &mut HeaderMap) -> Body {
    let (parts, body) = match error.code.status() {
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => link_not_found(),
        _ => unavailable(error),
    }
    .into_parts();
    headers.extend(parts.headers);
    headers.insert(header::VARY, HeaderValue::from_static("accept"));
    body
}

/// The response to a method other than GET and HEAD on a host that serves only short links.
pub(crate) fn method_not_allowed() -> Response<Body> {
    (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET,HEAD"), (header::CACHE_CONTROL, "no-store")]).into_response()
}

/// A short link that can't be looked up now.
pub(crate) fn unavailable(error: &ApiError) -> Response<Body> {
    let mut response = visitor_page!(StatusCode::SERVICE_UNAVAILABLE, "unavailable.html");
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(error.retry_after.unwrap_or(1)));
    response
}

/// A page that sends forms only to this service, and runs no scripts.
pub(crate) fn strict(status: StatusCode, html: String) -> Response {
    page(status, html, POLICY)
}

fn page(status: StatusCode, html: impl Into<Body>, policy: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HTML),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // The address may contain a reset token.
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    (status, headers, html.into()).into_response()
}
