//! The files by which a host says which apps open its links: as an account gives them, or made from the apps that it names.

use entity::host_app;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// An app of Apple's systems.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IosApp {
    /// Team and bundle id: `ABCDE12345.com.example.app`.
    pub(crate) app_id: String,
    /// Paths of links that it opens, with `*` and `?` for any characters and any one.
    pub(crate) paths: Vec<String>,
}

/// An Android app. It opens all links of the host, as far as its manifest says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AndroidApp {
    /// Name of its package: `com.example.app`.
    pub(crate) package_name: String,
    /// SHA-256 fingerprints of the certificates that sign it, as `AB:CD:…` in capitals.
    pub(crate) fingerprints: Vec<String>,
}

/// The file for Apple. `None`: the host has none.
pub(super) fn apple_file(apps: &host_app::Model) -> Option<String> {
    apps.apple_file.clone().or_else(|| made_for_apple(&read(&apps.ios_apps)))
}

/// The file for Google. `None`: the host has none.
pub(super) fn android_file(apps: &host_app::Model) -> Option<String> {
    apps.android_file.clone().or_else(|| made_for_android(&read(&apps.android_apps)))
}

/// The stored apps; none if they are unreadable.
pub(crate) fn read<T: for<'a> Deserialize<'a>>(stored: &str) -> Vec<T> {
    serde_json::from_str(stored).unwrap_or_default()
}

/// The file that these apps need (<https://developer.apple.com/documentation/bundleresources/applinks>). `None`: there are none.
fn made_for_apple(apps: &[IosApp]) -> Option<String> {
    let details = apps.iter().map(|app| {
        let components = app.paths.iter().map(|path| json!({ "/": path }));
        json!({ "appIDs": [app.app_id], "components": components.collect::<Vec<Value>>() })
    });
    let details: Vec<Value> = details.collect();
    (!details.is_empty()).then(|| json!({ "applinks": { "details": details } }).to_string())
}

/// The file that these apps need (<https://developers.google.com/digital-asset-links/v1/statements>). `None`: there are none.
fn made_for_android(apps: &[AndroidApp]) -> Option<String> {
    let statements = apps.iter().map(|app| {
        json!({
            "relation": ["delegate_permission/common.handle_all_urls"],
            "target": {
                "namespace": "android_app",
                "package_name": app.package_name,
                "sha256_cert_fingerprints": app.fingerprints,
            },
        })
    });
    let statements: Vec<Value> = statements.collect();
    (!statements.is_empty()).then(|| Value::from(statements).to_string())
}
