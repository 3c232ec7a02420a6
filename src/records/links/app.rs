//! Apps that links open, and the data of their owners for them.

use serde_json::Value;
use url::Url;

use crate::{
    base::{
        config::AppSchemes,
        error::Violations,
        validate::{check_destination_url, check_length, check_package},
    },
    redirect::app_link::AppLink,
};

/// Longest URI that opens an app, in characters: redirect caches keep it with the link.
pub(crate) const MAX_APP_URI: i32 = 1_000;
/// Most data for an app, in bytes.
pub(crate) const MAX_APP_DATA: i32 = 2_048;
/// Hosts of Apple's stores.
const APPLE_STORES: [&str; 3] = ["apps.apple.com", "itunes.apple.com", "testflight.apple.com"];

/// Notes values that break a rule.
pub(crate) fn check(app: &AppLink, schemes: &AppSchemes, violations: &mut Violations) {
    let AppLink { ios_uri, ios_store_url, android_uri, android_package, data } = app;
    for (path, uri) in [("app.iosUri", ios_uri), ("app.androidUri", android_uri)] {
        if let Some(uri) = uri {
            violations.take(path, check_uri(uri, schemes));
        }
    }
    if let Some(url) = ios_store_url {
        violations.take("app.iosStoreUrl", store_url(url));
    }
    if let Some(package) = android_package {
        violations.take("app.androidPackage", check_package(package));
    }
    if let Some(data) = data {
        violations.take("app.data", check_data(data));
    }
}

/// The text that is stored, with the store's URL as a browser writes it. `None`: it opens no app.
pub(crate) fn stored(mut app: AppLink) -> Option<String> {
    app.ios_store_url = app.ios_store_url.map(|url| store_url(&url).map_or(url, String::from));
    app.stored()
}

fn check_uri(uri: &str, schemes: &AppSchemes) -> Result<(), String> {
    check_length(uri, 1, MAX_APP_URI)?;
    let (scheme, rest) = uri.split_once(':').ok_or("must be a URI, such as acme://offers/42")?;
    if !schemes.allow(scheme) {
        return Err(format!("must have the scheme of an app: {scheme} is not allowed"));
    }
    // An intent is written around it, whose parts begin so.
    if rest.is_empty() || uri.contains("#Intent;") || !uri.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("must be a URI, such as acme://offers/42".to_owned());
    }
    Ok(())
}

fn store_url(url: &str) -> Result<Url, &'static str> {
    let parsed = check_destination_url(url)?;
    let is_store = parsed.host_str().is_some_and(|host| APPLE_STORES.contains(&host)) && parsed.scheme() == "https";
    if is_store {
        Ok(parsed)
    } else {
        Err("must be a page of the App Store, such as https://apps.apple.com/app/id1234567890")
    }
}

fn check_data(data: &str) -> Result<(), &'static str> {
    if data.len() > MAX_APP_DATA.unsigned_abs() as usize {
        return Err("must have at most 2048 bytes");
    }
    match serde_json::from_str(data) {
        // PostgreSQL stores no NUL; JSON text has it escaped.
        Ok(Value::Object(_)) => Ok(()),
        _ => Err("must be the JSON text of an object"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(app: &AppLink) -> Vec<String> {
        let mut violations = Violations::default();
        check(app, &AppSchemes::Any, &mut violations);
        violations
            .finish()
            .err()
            .map_or_else(Vec::new, |error| error.violations.iter().map(|violation| violation.path.clone()).collect())
    }

    #[test]
    fn values_that_open_no_app_are_refused_by_their_names() {
        let of = |app: AppLink| refused(&app);
        let some = |text: &str| Some(text.to_owned());
        for uri in ["acme://offers/42", "com.acme.shop:/a?b=c#d", "fb1:x"] {
            assert!(
                of(AppLink { ios_uri: some(uri), android_uri: some(uri), ..AppLink::default() }).is_empty(),
                "{uri}"
            );
        }
        let long = format!("acme:{}", "a".repeat(1_000));
        for uri in [
            "",
            "acme",
            "acme:",
            "javascript:alert(1)",
            "https://acme.example",
            "acme:a b",
            "acme:ä",
            "acme:a\n",
            "acme:a#Intent;component=x;end",
            "1:a",
            &long,
        ] {
            let link = AppLink { ios_uri: some(uri), android_uri: some(uri), ..AppLink::default() };
            assert_eq!(of(link), ["app.iosUri", "app.androidUri"], "{uri}");
        }
        for (url, is_right) in [
            ("https://apps.apple.com/de/app/acme/id123", true),
            ("https://testflight.apple.com/join/abc", true),
            ("http://apps.apple.com/app/id123", false),
            ("https://apps.apple.com.evil.example/", false),
            ("https://acme.example/", false),
            ("itms-apps://apps.apple.com/app/id1", false),
        ] {
            let found = of(AppLink { ios_store_url: some(url), ..AppLink::default() });
            assert_eq!(found.is_empty(), is_right, "{url}: {found:?}");
        }
        for (package, is_right) in [
            ("com.acme.shop", true),
            ("a.b_1", true),
            ("acme", false),
            ("com..a", false),
            ("com.1a", false),
            ("com.a;S.b=c", false),
        ] {
            let found = of(AppLink { android_package: some(package), ..AppLink::default() });
            assert_eq!(found.is_empty(), is_right, "{package}: {found:?}");
        }
        for (data, is_right) in [
            ("{}", true),
            (r#"{"offer": 42, "name": "ü"}"#, true),
            ("[]", false),
            ("42", false),
            ("{", false),
            ("", false),
            (&format!(r#"{{"a": "{}"}}"#, "a".repeat(2_040)), false),
        ] {
            let found = of(AppLink { data: some(data), ..AppLink::default() });
            assert_eq!(found.is_empty(), is_right, "{data}: {found:?}");
        }
    }
}
