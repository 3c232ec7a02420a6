//! The web application at `/app`, from the files of `app/dist`: in the binary, or in a debug build on the disk, as they are when
//! the service starts.

use axum::{
    Router,
    body::Bytes,
    http::{HeaderName, header},
    response::IntoResponse,
    routing::get,
};
use rust_embed::{Embed, EmbeddedFile};

use super::document::Document;
use crate::{
    base::error::{ApiError, Code},
    platform::http::refusal::Refusal,
};

/// Where the application is.
pub(super) const PATH: &str = "/app";
const INDEX: &str = "index.html";
/// The page of a report, which is not below [`PATH`].
const REPORT: &str = "report.html";
/// Files whose names change with their content.
const HASHED: &str = "assets/";

/// Headers of the page. Nothing runs but files of this service, nothing else is shown but images that members of an account choose for
/// messengers, and no script makes HTML out of text
/// (<https://www.w3.org/TR/CSP3/>, <https://www.w3.org/TR/trusted-types/>).
static HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https:; connect-src 'self'; \
         manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
    ),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "accelerometer=(), autoplay=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), \
         magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=(), xr-spatial-tracking=(), \
         clipboard-write=(self), publickey-credentials-get=(self), publickey-credentials-create=(self)",
    ),
];

/// The policy of a report's page, up to the origins whose pages may show it in a frame.
pub(crate) const REPORT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; \
     base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors";

#[derive(Embed)]
#[folder = "app/dist"]
struct Files;

/// The page of a report. `None`: the application was built without it.
pub(crate) fn report() -> Option<Bytes> {
    Some(Files::get(REPORT)?.data.into_owned().into())
}

/// The application's routes.
pub(super) fn router() -> Router {
    let nothing = get(async || Refusal(ApiError::new(Code::NotFound, "There is no such file.")).into_response());
    let mut router = Router::new().route(&format!("{PATH}/{HASHED}{{*file}}"), nothing);
    for name in Files::iter().filter(|name| name != REPORT) {
        let (Some(EmbeddedFile { data, .. }), Some(content_type)) = (Files::get(&name), content_type(&name)) else {
            continue;
        };
        let caching = if name.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
        let file = Document::new(content_type, Bytes::from(data.into_owned())).with_cache_control(caching);
        if name == INDEX {
            // The script knows which page an address means.
            let page = file.with_headers(&HEADERS).route();
            for path in ["", "/", "/{*page}"] {
                router = router.route(&format!("{PATH}{path}"), page.clone());
            }
        } else {
            router = router.route(&format!("{PATH}/{name}"), file.route());
        }
    }
    router
}

/// The media type of a file by its name. `None`: it is not served.
fn content_type(name: &str) -> Option<&'static str> {
    Some(match name.rsplit_once('.')?.1 {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "webmanifest" => "application/manifest+json",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_but_the_list_of_sources_is_served() {
        let unserved: Vec<_> = Files::iter().filter(|name| content_type(name).is_none()).collect();
        assert_eq!(unserved, ["SOURCES"]);
        assert!(Files::iter().any(|name| name == INDEX) && Files::iter().any(|name| name.starts_with(HASHED)));
    }
}
