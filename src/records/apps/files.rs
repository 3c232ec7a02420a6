//! Rules of the apps that a host names, and of the files that it is given for them.

use serde_json::{Map, Value};

use crate::{
    base::{
        error::Violations,
        validate::{check_package, length_message, within},
    },
    redirect::association::{AndroidApp, IosApp},
};

/// Apps of each kind that a host names: what needs more is given as a file.
pub(crate) const MAX_APPS: i32 = 10;
/// Longest team and bundle id, in characters.
pub(crate) const MAX_APP_ID: i32 = 255;
/// Paths of an app.
pub(crate) const MAX_PATHS: i32 = 20;
/// Longest path, in characters.
pub(crate) const MAX_PATH: i32 = 200;
/// Fingerprints of an app's certificates.
pub(crate) const MAX_FINGERPRINTS: i32 = 10;
/// Characters of a fingerprint: 32 bytes in hexadecimal digits, and colons between them.
pub(crate) const FINGERPRINT: i32 = 32 * 3 - 1;
/// Longest file, in bytes: each node keeps it in memory with the host. Apple takes 128 KiB.
pub(crate) const MAX_FILE: i32 = 16 * 1024;

/// Services in a file for Apple (<https://developer.apple.com/documentation/xcode/supporting-associated-domains>).
const APPLE_SERVICES: [&str; 4] = ["applinks", "webcredentials", "appclips", "activitycontinuation"];

/// Checks the id of an app: ten characters of the team, a dot, and the bundle's id.
pub(crate) fn check_app_id(id: &str) -> Result<(), &'static str> {
    let is_id = |(team, bundle): (&str, &str)| {
        team.len() == 10
            && team.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            && !bundle.is_empty()
            && bundle.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
    };
    match within(id, 1, MAX_APP_ID) && id.split_once('.').is_some_and(is_id) {
        true => Ok(()),
        false => Err("must be a team and a bundle id, such as ABCDE12345.com.example.app"),
    }
}

fn check_fingerprint(text: &str) -> Result<(), &'static str> {
    let is_byte =
        |pair: &str| pair.len() == 2 && pair.bytes().all(|byte| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte));
    match text.split(':').count() == 32 && text.split(':').all(is_byte) {
        true => Ok(()),
        false => Err(
            "must be the SHA-256 fingerprint of a certificate: 32 bytes in capital hexadecimal digits, with colons between them",
        ),
    }
}

/// Notes parts of iOS apps that break a rule.
pub(crate) fn check_ios(apps: &[IosApp], violations: &mut Violations) {
    for (place, IosApp { app_id, paths }) in apps.iter().enumerate() {
        violations.take(&format!("iosApps.{place}.appId"), check_app_id(app_id));
        for (at, path) in paths.iter().enumerate() {
            let is_path = path.starts_with(['/', '*']) && path.bytes().all(|byte| byte.is_ascii_graphic());
            let path_of = || format!("iosApps.{place}.paths.{at}");
            if !within(path, 1, MAX_PATH) {
                violations.add(path_of(), length_message(1, MAX_PATH));
            } else if !is_path {
                violations.add(path_of(), "must be a path of ASCII characters, such as /offers/*");
            }
        }
    }
}

/// Notes parts of Android apps that break a rule.
pub(crate) fn check_android(apps: &[AndroidApp], violations: &mut Violations) {
    for (place, AndroidApp { package_name, fingerprints }) in apps.iter().enumerate() {
        violations.take(&format!("androidApps.{place}.packageName"), check_package(package_name));
        for (at, fingerprint) in fingerprints.iter().enumerate() {
            violations.take(&format!("androidApps.{place}.fingerprints.{at}"), check_fingerprint(fingerprint));
        }
    }
}

/// Checks a file for Apple, as far as its rules are published: the services, and in `applinks` apps and the components of URLs.
pub(crate) fn check_apple_file(text: &str) -> Result<(), String> {
    let file = object(&parsed(text)?, "the file")?.clone();
    if file.is_empty() {
        return Err(format!("must have one of {}", APPLE_SERVICES.join(", ")));
    }
    for (service, content) in &file {
        let content = object(content, service)?;
        match service.as_str() {
            "applinks" => check_applinks(content)?,
            // Clips have ids of their own behind those of apps.
            name if APPLE_SERVICES.contains(&name) => {
                for id in texts(content.get("apps"), &format!("{service}.apps"))? {
                    check_app_id(id).map_err(|reason| format!("{service}.apps {reason}"))?;
                }
            }
            other => return Err(format!("{other} is none of {}", APPLE_SERVICES.join(", "))),
        }
    }
    Ok(())
}

/// Checks `applinks` (<https://developer.apple.com/documentation/bundleresources/applinks>).
fn check_applinks(applinks: &Map<String, Value>) -> Result<(), String> {
    let details = list(applinks.get("details"), "applinks.details")?;
    for (place, detail) in details.iter().enumerate() {
        let at = format!("applinks.details.{place}");
        let detail = object(detail, &at)?;
        let one = detail.get("appID").map(|id| id.as_str().ok_or_else(|| format!("{at}.appID must be a text")));
        let several = detail.get("appIDs").map(|ids| texts(Some(ids), &format!("{at}.appIDs")));
        let ids: Vec<&str> = one.transpose()?.into_iter().chain(several.transpose()?.into_iter().flatten()).collect();
        if ids.is_empty() {
            return Err(format!("{at} must have appIDs"));
        }
        for id in ids {
            check_app_id(id).map_err(|reason| format!("{at}.appIDs {reason}"))?;
        }
        if let Some(paths) = detail.get("paths") {
            texts(Some(paths), &format!("{at}.paths"))?;
        }
        let Some(components) = detail.get("components") else { continue };
        for (index, component) in list(Some(components), &format!("{at}.components"))?.iter().enumerate() {
            let at = format!("{at}.components.{index}");
            for (name, value) in object(component, &at)? {
                let fits = match name.as_str() {
                    "/" | "#" | "comment" => value.is_string(),
                    "?" => {
                        value.is_string() || value.as_object().is_some_and(|query| query.values().all(Value::is_string))
                    }
                    "exclude" | "caseSensitive" | "percentEncoded" => value.is_boolean(),
                    _ => return Err(format!("{at}.{name} is no part of a component")),
                };
                if !fits {
                    return Err(format!("{at}.{name} has the wrong type"));
                }
            }
        }
    }
    Ok(())
}

/// Checks a file for Google (<https://developers.google.com/digital-asset-links/v1/statements>).
pub(crate) fn check_android_file(text: &str) -> Result<(), String> {
    let statements = parsed(text)?;
    for (place, statement) in list(Some(&statements), "the file")?.iter().enumerate() {
        let statement = object(statement, &place.to_string())?;
        for relation in texts(statement.get("relation"), &format!("{place}.relation"))? {
            if !relation.split_once('/').is_some_and(|(kind, detail)| !kind.is_empty() && !detail.is_empty()) {
                return Err(format!("{place}.relation must be like delegate_permission/common.handle_all_urls"));
            }
        }
        let at = format!("{place}.target");
        let target = object(statement.get("target").unwrap_or(&Value::Null), &at)?;
        match target.get("namespace").and_then(Value::as_str) {
            Some("android_app") => {
                let package = target.get("package_name").and_then(Value::as_str).unwrap_or_default();
                check_package(package).map_err(|reason| format!("{at}.package_name {reason}"))?;
                let name = format!("{at}.sha256_cert_fingerprints");
                for fingerprint in texts(target.get("sha256_cert_fingerprints"), &name)? {
                    check_fingerprint(fingerprint).map_err(|reason| format!("{name} {reason}"))?;
                }
            }
            Some("web") => {
                let site = target.get("site").and_then(Value::as_str).unwrap_or_default();
                if !site.starts_with("https://") && !site.starts_with("http://") {
                    return Err(format!("{at}.site must be like https://example.com"));
                }
            }
            _ => return Err(format!("{at}.namespace must be android_app or web")),
        }
    }
    Ok(())
}

fn parsed(text: &str) -> Result<Value, String> {
    if text.len() > MAX_FILE.unsigned_abs() as usize {
        return Err(format!("must have at most {MAX_FILE} bytes"));
    }
    serde_json::from_str(text).map_err(|error| format!("must be JSON: {error}"))
}

fn object<'a>(value: &'a Value, name: &str) -> Result<&'a Map<String, Value>, String> {
    value.as_object().ok_or_else(|| format!("{name} must be an object"))
}

fn list<'a>(value: Option<&'a Value>, name: &str) -> Result<&'a [Value], String> {
    value.and_then(Value::as_array).map(Vec::as_slice).ok_or_else(|| format!("{name} must be a list"))
}

/// A list of one text or more.
fn texts<'a>(value: Option<&'a Value>, name: &str) -> Result<Vec<&'a str>, String> {
    let texts: Option<Vec<&str>> = list(value, name)?.iter().map(Value::as_str).collect();
    texts.filter(|texts| !texts.is_empty()).ok_or_else(|| format!("{name} must have texts"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINGERPRINT_TEXT: &str =
        "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5";

    /// Files as the documentation of Apple and Google shows them, and such with one mistake.
    #[test]
    fn published_files_are_accepted_and_mistakes_named() {
        let apple = r##"{
            "applinks": {"details": [
                {"appIDs": ["ABCDE12345.com.example.app", "ABCDE12345.com.example.app2"],
                 "components": [
                    {"#": "no_universal_links", "exclude": true, "comment": "Matches any URL with a fragment"},
                    {"/": "/buy/*", "comment": "Matches any URL with a path that starts with /buy/."},
                    {"/": "/help/website/*", "exclude": true},
                    {"/": "/help/*", "?": {"articleNumber": "????"}}]},
                {"appID": "ABCDE12345.com.example.old", "paths": ["*", "NOT /a"]}]},
            "webcredentials": {"apps": ["ABCDE12345.com.example.app"]},
            "appclips": {"apps": ["ABCDE12345.com.example.app.Clip"]}
        }"##;
        assert_eq!(check_apple_file(apple), Ok(()));
        for (wrong, names) in [
            ("", "JSON"),
            ("[]", "object"),
            ("{}", "applinks"),
            (r#"{"links": {}}"#, "links"),
            (r#"{"applinks": {}}"#, "applinks.details"),
            (r#"{"applinks": {"details": [{}]}}"#, "applinks.details.0 must have appIDs"),
            (r#"{"applinks": {"details": [{"appIDs": ["com.example.app"]}]}}"#, "applinks.details.0.appIDs"),
            (
                r#"{"applinks": {"details": [{"appIDs": ["ABCDE12345.a"], "components": [{"path": "/"}]}]}}"#,
                "components.0.path",
            ),
            (
                r#"{"applinks": {"details": [{"appIDs": ["ABCDE12345.a"], "components": [{"exclude": "yes"}]}]}}"#,
                "exclude",
            ),
            (r#"{"webcredentials": {"apps": []}}"#, "webcredentials.apps"),
        ] {
            let reason = check_apple_file(wrong).unwrap_err();
            assert!(reason.contains(names), "{wrong}: {reason}");
        }
        assert!(check_apple_file(&format!(r#"{{"a": "{}"}}"#, "a".repeat(20_000))).is_err());
        let statement = |target: &str| {
            format!(r#"[{{"relation": ["delegate_permission/common.handle_all_urls"], "target": {target}}}]"#)
        };
        let target = format!(
            r#"{{"namespace": "android_app", "package_name": "com.example.app", "sha256_cert_fingerprints": ["{FINGERPRINT_TEXT}"]}}"#
        );
        assert_eq!(check_android_file(&statement(&target)), Ok(()));
        let web = r#"{"namespace": "web", "site": "https://www.example.com"}"#;
        assert_eq!(check_android_file(&statement(web)), Ok(()));
        for (wrong, names) in [
            ("{}".to_owned(), "list"),
            (r#"[{"relation": ["all"], "target": {}}]"#.to_owned(), "0.relation"),
            (statement("{}"), "0.target.namespace"),
            (statement(&target.replace("com.example.app", "other")), "0.target.package_name"),
            (statement(&target.replace("14:6D", "14:6d")), "fingerprints"),
            (statement(&target.replace(":E5", "")), "fingerprints"),
            (statement(r#"{"namespace": "web", "site": "example.com"}"#), "0.target.site"),
        ] {
            let reason = check_android_file(&wrong).unwrap_err();
            assert!(reason.contains(names), "{wrong}: {reason}");
        }
    }

    #[test]
    fn parts_of_apps_are_named_by_their_place() {
        let mut violations = Violations::default();
        let ios = |app_id: &str, path: &str| IosApp { app_id: app_id.to_owned(), paths: vec![path.to_owned()] };
        check_ios(
            &[ios("ABCDE12345.com.example", "/a/*"), ios("ABCDE12345.", "a"), ios("abcde12345.a", "/ä")],
            &mut violations,
        );
        let android = AndroidApp {
            package_name: "a".to_owned(),
            fingerprints: vec![FINGERPRINT_TEXT.to_owned(), FINGERPRINT_TEXT.to_lowercase()],
        };
        check_android(&[android], &mut violations);
        let paths: Vec<String> =
            violations.into_error().violations.iter().map(|violation| violation.path.clone()).collect();
        let expected = [
            "iosApps.1.appId",
            "iosApps.1.paths.0",
            "iosApps.2.appId",
            "iosApps.2.paths.0",
            "androidApps.0.packageName",
            "androidApps.0.fingerprints.1",
        ];
        assert_eq!(paths, expected);
    }
}
