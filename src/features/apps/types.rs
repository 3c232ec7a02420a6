//! GraphQL types of links into apps.

use async_graphql::{ID, InputObject, SimpleObject};
use entity::{host_app, publishable_key};
use serde::{Deserialize, Serialize};

use super::{hosts::HostAppsChange, keys::MAX_HOSTS};
use crate::{
    base::{
        config::Config,
        validate::{MAX_NAME, MAX_PACKAGE, MAX_URL},
    },
    features::links::place::shown_host,
    graphql::{
        directives::{Format, embedded, example, format, items, length, precondition},
        page::Paged,
        scalars::Timestamp,
    },
    platform::auth::{access::resource, scope::Scope},
    records::apps::files::{FINGERPRINT, MAX_APP_ID, MAX_APPS, MAX_FILE, MAX_FINGERPRINTS, MAX_PATH, MAX_PATHS},
    redirect::association::{self, read},
};

/// Bytes of the longest publishable key that is looked up.
const MAX_KEY: i32 = 100;
/// Characters of the longest token that is looked up.
const MAX_TOKEN: i32 = 100;

/// An app of Apple's systems that opens links of a host.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct IosApp {
    /// Team and bundle id.
    #[graphql(directive = example::apply("ABCDE12345.com.example.app".into()))]
    app_id: String,
    /// Paths of the links that it opens; `*` stands for any characters, and `?` for any one.
    #[graphql(directive = items::apply(1, MAX_PATHS), directive = example::apply("[\"/*\"]".into()))]
    paths: Vec<String>,
}

/// An Android app that opens links of a host.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct AndroidApp {
    /// Name of its package.
    #[graphql(directive = example::apply("com.example.app".into()))]
    package_name: String,
    /// SHA-256 fingerprints of the certificates that sign it.
    #[graphql(
        directive = items::apply(1, MAX_FINGERPRINTS),
        directive = example::apply("[\"14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5\"]".into())
    )]
    fingerprints: Vec<String>,
}

/// Apps that open the links of a host, as phones learn from its files `/.well-known/apple-app-site-association` and
/// `/.well-known/assetlinks.json`.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct HostApps {
    /// The host.
    #[graphql(directive = example::apply("go.example.com".into()))]
    host: String,
    /// Apps of Apple's systems.
    #[graphql(directive = embedded::apply(), directive = items::apply(0, MAX_APPS))]
    ios_apps: Vec<IosApp>,
    /// Android apps.
    #[graphql(directive = embedded::apply(), directive = items::apply(0, MAX_APPS))]
    android_apps: Vec<AndroidApp>,
    /// The file for Apple as it was given. Null: it is made from `iosApps`, and there is none without any.
    #[graphql(directive = example::apply("{\"webcredentials\": {\"apps\": [\"ABCDE12345.com.example.app\"]}}".into()))]
    apple_file: Option<String>,
    /// The file for Google as it was given. Null: it is made from `androidApps`, and there is none without any.
    #[graphql(directive = example::apply("[{\"relation\": [\"delegate_permission/common.get_login_creds\"], \"target\": {\"namespace\": \"web\", \"site\": \"https://example.com\"}}]".into()))]
    android_file: Option<String>,
    /// When they were last changed. Null: they never were.
    #[graphql(directive = example::apply("2026-11-28T14:33:38.125Z".into()))]
    updated_at: Option<Timestamp>,
}

impl From<host_app::Model> for HostApps {
    fn from(apps: host_app::Model) -> Self {
        let ios: Vec<association::IosApp> = read(&apps.ios_apps);
        let android: Vec<association::AndroidApp> = read(&apps.android_apps);
        let ios = ios.into_iter().map(|app| IosApp { app_id: app.app_id, paths: app.paths });
        let android = android
            .into_iter()
            .map(|app| AndroidApp { package_name: app.package_name, fingerprints: app.fingerprints });
        HostApps {
            host: apps.host,
            ios_apps: ios.collect(),
            android_apps: android.collect(),
            apple_file: apps.apple_file,
            android_file: apps.android_file,
            updated_at: (apps.updated_at > 0).then_some(Timestamp(apps.updated_at)),
        }
    }
}

/// An app of Apple's systems that is to open links of a host.
#[derive(InputObject, Debug)]
pub(crate) struct IosAppInput {
    /// Team and bundle id, such as `ABCDE12345.com.example.app`.
    #[graphql(
        directive = length::apply(1, MAX_APP_ID),
        directive = example::apply("ABCDE12345.com.example.app".into())
    )]
    app_id: String,
    /// Paths of the links that it is to open; `*` stands for any characters, and `?` for any one. Absent: all links.
    #[graphql(
        directive = items::apply(1, MAX_PATHS),
        directive = length::apply(1, MAX_PATH),
        directive = example::apply("[\"/offers/*\"]".into())
    )]
    paths: Option<Vec<String>>,
}

/// An Android app that is to open links of a host: those that its manifest names.
#[derive(InputObject, Debug)]
pub(crate) struct AndroidAppInput {
    /// Name of its package.
    #[graphql(directive = length::apply(1, MAX_PACKAGE), directive = example::apply("com.example.app".into()))]
    package_name: String,
    /// SHA-256 fingerprints of the certificates that sign it, in capital hexadecimal digits with colons between the bytes. Google Play shows that
    /// of the app's signing key.
    #[graphql(
        directive = items::apply(1, MAX_FINGERPRINTS),
        directive = length::apply(FINGERPRINT, FINGERPRINT),
        directive = example::apply("[\"14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5\"]".into())
    )]
    fingerprints: Vec<String>,
}

/// Apps that are to open the links of a host, in the place of all that it has.
#[derive(InputObject, Debug)]
pub(crate) struct SetHostAppsInput {
    /// Apps of Apple's systems. Absent: none.
    #[graphql(directive = items::apply(0, MAX_APPS))]
    ios_apps: Option<Vec<IosAppInput>>,
    /// Android apps. Absent: none.
    #[graphql(directive = items::apply(0, MAX_APPS))]
    android_apps: Option<Vec<AndroidAppInput>>,
    /// The whole file `/.well-known/apple-app-site-association`, for what `iosApps` can't say: JSON of at most 16 KiB, which is checked, and
    /// served as it is. Absent or null: the file is made from `iosApps`.
    #[graphql(
        directive = length::apply(1, MAX_FILE),
        directive = example::apply("{\"webcredentials\": {\"apps\": [\"ABCDE12345.com.example.app\"]}}".into())
    )]
    apple_file: Option<String>,
    /// The whole file `/.well-known/assetlinks.json`, for what `androidApps` can't say: JSON of at most 16 KiB, which is checked, and served
    /// as it is. Absent or null: the file is made from `androidApps`.
    #[graphql(
        directive = length::apply(1, MAX_FILE),
        directive = example::apply("[{\"relation\": [\"delegate_permission/common.get_login_creds\"], \"target\": {\"namespace\": \"web\", \"site\": \"https://example.com\"}}]".into())
    )]
    android_file: Option<String>,
    /// `updatedAt` of the apps as the caller read them. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: they are changed whoever changed them meanwhile.
    #[graphql(directive = precondition::apply())]
    pub(crate) expected_updated_at: Option<Timestamp>,
}

impl From<SetHostAppsInput> for HostAppsChange {
    fn from(input: SetHostAppsInput) -> Self {
        let ios = input.ios_apps.unwrap_or_default().into_iter().map(|app| association::IosApp {
            app_id: app.app_id,
            paths: app.paths.unwrap_or_else(|| vec!["/*".to_owned()]),
        });
        let android = input.android_apps.unwrap_or_default().into_iter();
        let android = android.map(|AndroidAppInput { package_name, fingerprints }| association::AndroidApp {
            package_name,
            fingerprints,
        });
        HostAppsChange {
            ios_apps: ios.collect(),
            android_apps: android.collect(),
            apple_file: input.apple_file,
            android_file: input.android_file,
        }
    }
}

/// A key that apps ship with, to ask where short links of some hosts lead. It is no secret, and opens nothing else.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(directive = resource::apply(Scope::DomainsRead))]
#[serde(rename_all = "camelCase")]
pub(crate) struct PublishableKey {
    /// Identifies the key.
    #[graphql(directive = example::apply("019aa1c9-2c3d-7e4f-8a5b-6c7d8e9f0a1b".into()))]
    pub(crate) id: ID,
    /// Its name, for people.
    #[graphql(directive = example::apply("Acme for iOS and Android".into()))]
    pub(crate) name: String,
    /// The key, for `resolveLink`.
    #[graphql(directive = example::apply("lgp_4f9XkT2bQw8RzYc1LmN5vJ".into()))]
    pub(crate) key: String,
    /// Hosts whose links it opens.
    #[graphql(directive = items::apply(1, MAX_HOSTS), directive = example::apply("[\"go.example.com\"]".into()))]
    pub(crate) hosts: Vec<String>,
    /// When it was created.
    #[graphql(directive = example::apply("2026-11-28T14:33:38.125Z".into()))]
    pub(crate) created_at: Timestamp,
    /// When it was last changed.
    #[graphql(directive = example::apply("2026-11-28T14:33:38.125Z".into()))]
    pub(crate) updated_at: Timestamp,
}

impl Paged for PublishableKey {
    const PAGE: &str = "PublishableKeyPageResult";
}

impl PublishableKey {
    /// The key as the API shows it.
    pub(crate) fn new(key: publishable_key::Model, config: &Config) -> Self {
        PublishableKey {
            id: key.id.into(),
            name: key.name,
            key: key.key,
            hosts: key.hosts.split(',').map(|host| shown_host(host, config).to_owned()).collect(),
            created_at: Timestamp(key.created_at),
            updated_at: Timestamp(key.updated_at),
        }
    }
}

/// A publishable key to create.
#[derive(InputObject, Debug)]
pub(crate) struct CreatePublishableKeyInput {
    /// Its name, 1 to 100 characters.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("Acme for iOS and Android".into())
    )]
    pub(crate) name: String,
    /// Hosts whose links it opens: domains and the subdomain of the account that are active, and the service's own host. Of the links on
    /// that, it opens those of the account alone.
    #[graphql(directive = items::apply(1, MAX_HOSTS), directive = example::apply("[\"localhost\"]".into()))]
    pub(crate) hosts: Vec<String>,
}

/// Changes of a publishable key, as JSON merge patch (RFC 7396): fields that are absent stay as they are.
#[derive(InputObject, Debug)]
pub(crate) struct UpdatePublishableKeyInput {
    /// Its name from now on; the rules are those of a new key.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("Acme for Android".into())
    )]
    pub(crate) name: Option<String>,
    /// All hosts whose links it opens from now on; the rules are those of a new key.
    #[graphql(directive = items::apply(1, MAX_HOSTS), directive = example::apply("[\"localhost\"]".into()))]
    pub(crate) hosts: Option<Vec<String>>,
    /// `updatedAt` of the key as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: the key is changed whoever changed it meanwhile.
    #[graphql(directive = precondition::apply())]
    pub(crate) expected_updated_at: Option<Timestamp>,
}

/// The question of an app where a short link leads: by its URL, or by the token that the app got when it was installed.
#[derive(InputObject, Debug)]
pub(crate) struct ResolveLinkInput {
    /// The key that the app ships with.
    #[graphql(directive = length::apply(1, MAX_KEY), directive = example::apply("lgp_4f9XkT2bQw8RzYc1LmN5vJ".into()))]
    pub(crate) publishable_key: String,
    /// The short URL by which the app was opened, with its query. Absent or null: there is a token.
    #[graphql(directive = length::apply(1, MAX_URL), directive = example::apply("http://localhost/spring-sale".into()))]
    pub(crate) url: Option<String>,
    /// The token of a link: `link_token` in the referrer that Google Play hands to the app once it is installed. Absent or null: there is a URL.
    #[graphql(directive = length::apply(1, MAX_TOKEN), directive = example::apply("AZqhwo5LfQK3pF1cLj9KWw".into()))]
    pub(crate) token: Option<String>,
    /// User agent of the device's browser or of the app's web view, for rules and clicks: that of the app's HTTP client tells neither. Absent
    /// or null: device, system and browser are unknown.
    #[graphql(
        directive = length::apply(1, 512),
        directive = example::apply("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148".into())
    )]
    pub(crate) user_agent: Option<String>,
    /// The user's languages, as in `Accept-Language`, for rules and clicks. Absent or null: they are unknown.
    #[graphql(directive = length::apply(1, 512), directive = example::apply("de-CH,fr;q=0.8".into()))]
    pub(crate) accept_language: Option<String>,
}

/// Where a short link leads an app.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResolvedLink {
    /// The short URL, without a query.
    #[graphql(directive = example::apply("http://localhost/spring-sale".into()))]
    pub(crate) short_url: String,
    /// Where it leads, by its rules and its split, with the query of the short URL if the link forwards it.
    #[graphql(directive = example::apply("https://example.com/spring".into()))]
    pub(crate) destination_url: String,
    /// The link's data for apps: the JSON text of an object. Null: it has none.
    #[graphql(directive = example::apply("{\"offer\": 42}".into()))]
    pub(crate) data: Option<String>,
}
