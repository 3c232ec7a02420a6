//! Schemes of the URIs that open apps.

use super::reader::entries;

/// Schemes that browsers handle themselves, or that name a place on the device: no app has one of them for itself. `intent` is written by
/// the service alone, since it can start any component of an app.
const OF_BROWSERS: [&str; 24] = [
    "about",
    "android-app",
    "blob",
    "cid",
    "chrome",
    "content",
    "data",
    "edge",
    "file",
    "filesystem",
    "ftp",
    "http",
    "https",
    "intent",
    "jar",
    "javascript",
    "livescript",
    "mid",
    "mocha",
    "resource",
    "vbscript",
    "view-source",
    "ws",
    "wss",
];

/// `LINKGRAPH_APP_SCHEMES`: schemes that URIs which open apps may have. Those of browsers are never among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AppSchemes {
    /// `any`.
    #[default]
    Any,
    /// These, in lower case.
    Listed(Vec<String>),
}

impl AppSchemes {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if text == "any" {
            return Ok(AppSchemes::Any);
        }
        let schemes = entries(text).map(|scheme| match is_scheme(scheme) && !is_of_browsers(scheme) {
            true => Ok(scheme.to_ascii_lowercase()),
            false => Err(format!("{scheme} is not the scheme of an app, such as acme")),
        });
        schemes.collect::<Result<_, _>>().map(AppSchemes::Listed)
    }

    /// Whether URIs with this scheme may open an app.
    pub(crate) fn allow(&self, scheme: &str) -> bool {
        let is_listed = match self {
            AppSchemes::Any => true,
            AppSchemes::Listed(schemes) => schemes.iter().any(|known| known.eq_ignore_ascii_case(scheme)),
        };
        is_listed && is_scheme(scheme) && !is_of_browsers(scheme)
    }
}

fn is_of_browsers(scheme: &str) -> bool {
    OF_BROWSERS.iter().any(|known| known.eq_ignore_ascii_case(scheme))
}

/// Whether the text is a scheme (RFC 3986 §3.1).
fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_of_apps_are_allowed_and_those_of_browsers_never() {
        let listed = AppSchemes::read("acme, com.example.Shop").unwrap();
        for (scheme, of_any, of_listed) in [
            ("acme", true, true),
            ("ACME", true, true),
            ("com.example.shop", true, true),
            ("fb123", true, false),
            ("tel", true, false),
            ("javascript", false, false),
            ("JavaScript", false, false),
            ("data", false, false),
            ("https", false, false),
            ("intent", false, false),
            ("1a", false, false),
            ("a b", false, false),
            ("", false, false),
        ] {
            assert_eq!((AppSchemes::Any.allow(scheme), listed.allow(scheme)), (of_any, of_listed), "{scheme}");
        }
        assert_eq!(AppSchemes::read("any"), Ok(AppSchemes::Any));
        for wrong in ["acme, javascript", "a:b"] {
            assert!(AppSchemes::read(wrong).is_err(), "{wrong}");
        }
    }
}
