//! Fetches links from another service's API: Shlink's, or YOURLS'. Its host is not trusted, so that the rules for receivers of
//! webhooks apply: public addresses only, no redirects, at most 15 seconds, and a response of bounded length.

use bytes::Bytes;
use entity::import;
use http_body_util::Full;
use hyper::{
    Method, Request,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use link_files::Source;
use url::Url;

use crate::{app::App, records::imports::state::MAX_SECRET};

/// Links of a page.
pub(super) const PAGE: usize = 100;
/// Bytes of a page: twenty times what 100 usual links have.
const MAX_PAGE: usize = 1024 * 1024;
/// Bytes of all pages of an import: 140,000 usual links of Shlink. A hostile service may send pages without end.
pub(super) const MAX_BYTES: i64 = 64 * 1024 * 1024;

/// The outcome of fetching a page.
pub(super) enum Fetched {
    /// Its text.
    Page(Vec<u8>),
    /// The API refuses the request, and a retry would not help. Why, for a person.
    Refused(String),
    /// The API is unavailable, and may be called again later. Why, for a person.
    Away(String),
}

/// Services whose links are read out of their API.
pub(super) const SERVICES: [Source; 2] = [Source::Shlink, Source::Yourls];

/// Whether the text can be the key of an API: it becomes a header, or a field of a form.
pub(super) fn is_key(text: &str) -> bool {
    (1..=MAX_SECRET.unsigned_abs() as usize).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Fetches the page after those that were imported.
pub(super) async fn page(app: &App, import: &import::Model) -> Fetched {
    let refused = |why: &str| Fetched::Refused(why.to_owned());
    let (Some(url), Some(key)) = (&import.url, &import.secret) else {
        return refused("The key is not there any more.");
    };
    let Some(request) = request(import, url, key) else { return refused("The URL is not valid.") };
    match app.guarded_client.fetch(request, MAX_PAGE).await {
        Ok((200, text)) => Fetched::Page(text),
        Ok((status @ (401 | 403), _)) => Fetched::Refused(format!("The service answered {status}: is the key right?")),
        // Shlink answers 404 for a path that it does not have, and YOURLS for a page after the last.
        Ok((404, _)) if import.position > 0 => Fetched::Page(Vec::new()),
        Ok((status @ (408 | 425 | 429 | 500..), _)) => Fetched::Away(format!("The service answered {status}.")),
        Ok((status, _)) => Fetched::Refused(format!("The service answered {status}: is the URL right?")),
        Err(why) => Fetched::Away(why.to_owned()),
    }
}

fn request(import: &import::Model, url: &str, key: &str) -> Option<Request<Full<Bytes>>> {
    let mut url = Url::parse(url).ok()?;
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_fragment(None);
    url.set_query(None);
    let mut secret = HeaderValue::from_str(key).ok()?;
    // Keeps the key out of logs of headers.
    secret.set_sensitive(true);
    let request = Request::builder().header(ACCEPT, "application/json");
    if import.source.as_deref() == Some(Source::Shlink.id()) {
        url.set_path(&format!("{}/rest/v3/short-urls", path.trim_end_matches("/rest/v3/short-urls")));
        let page = (import.position + 1).to_string();
        url.query_pairs_mut()
            .append_pair("page", &page)
            .append_pair("itemsPerPage", &PAGE.to_string())
            // In an order in which links that are made meanwhile come last.
            .append_pair("orderBy", "dateCreated-ASC");
        let request = request.method(Method::GET).uri(url.as_str()).header("x-api-key", secret);
        return request.body(Full::default()).ok();
    }
    url.set_path(&format!("{}/yourls-api.php", path.trim_end_matches("/yourls-api.php")));
    let form = form_urlencoded::Serializer::new(String::new())
        .append_pair("signature", key)
        .append_pair("action", "stats")
        .append_pair("filter", "last")
        .append_pair("format", "json")
        .append_pair("limit", &PAGE.to_string())
        .append_pair("start", &(import.position * PAGE as i64).to_string())
        .finish();
    // The key is in the body, which logs of proxies do not have.
    let request = request.method(Method::POST).uri(url.as_str());
    request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(Full::new(Bytes::from(form))).ok()
}
