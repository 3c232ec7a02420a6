//! GraphQL types of the apps that links open.

use async_graphql::{InputObject, SimpleObject};
use serde::{Deserialize, Serialize};

use crate::{
    base::validate::{MAX_PACKAGE, MAX_URL},
    graphql::directives::{Format, example, format, length},
    records::links::app::{MAX_APP_DATA, MAX_APP_URI},
    redirect::app_link::AppLink,
};

/// Apps that a link opens on phones, in place of its destination, and data for them.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LinkApp {
    /// URI that opens the app on an iPhone or iPad. Null: there, the link leads to `iosStoreUrl`, or else to its destination.
    #[graphql(directive = example::apply("acme://offers/42".into()))]
    pub(crate) ios_uri: Option<String>,
    /// Page of the app in the App Store. Null: it has none.
    #[graphql(directive = example::apply("https://apps.apple.com/app/id1234567890".into()))]
    pub(crate) ios_store_url: Option<String>,
    /// URI that opens the app on Android. Null: the short URL opens the app of `androidPackage`.
    #[graphql(directive = example::apply("acme://offers/42".into()))]
    pub(crate) android_uri: Option<String>,
    /// Name of the app's package on Android, which Google Play offers where it is not installed. Null: the link leads to its destination then.
    #[graphql(directive = example::apply("com.example.app".into()))]
    pub(crate) android_package: Option<String>,
    /// Data for the app, which it gets when it asks where the link leads: the JSON text of an object. Null: there is none.
    #[graphql(directive = example::apply("{\"offer\": 42}".into()))]
    pub(crate) data: Option<String>,
}

impl LinkApp {
    /// The apps and data as they are stored. `None`: they are unreadable.
    pub(crate) fn of(stored: &str) -> Option<Self> {
        let AppLink { ios_uri, ios_store_url, android_uri, android_package, data } = AppLink::read(stored.as_bytes())?;
        Some(LinkApp { ios_uri, ios_store_url, android_uri, android_package, data })
    }
}

/// Apps that a link is to open on phones, in place of its destination, and data for them. One without any value opens none.
#[derive(InputObject, Debug)]
pub(crate) struct LinkAppInput {
    /// URI that opens the app on an iPhone or iPad: with the scheme of an app, which is neither http nor https nor one of a browser's. The
    /// visitor gets a page with a button, since iOS does not say whether the app is there. Absent or null: none.
    #[graphql(directive = length::apply(1, MAX_APP_URI), directive = example::apply("acme://offers/42".into()))]
    pub(crate) ios_uri: Option<String>,
    /// Page of the app in the App Store, at `https://apps.apple.com/`. Absent or null: none.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://apps.apple.com/app/id1234567890".into())
    )]
    pub(crate) ios_store_url: Option<String>,
    /// URI that opens the app on Android; the rules are those of `iosUri`. Absent or null: the short URL opens the app of `androidPackage`.
    #[graphql(directive = length::apply(1, MAX_APP_URI), directive = example::apply("acme://offers/42".into()))]
    pub(crate) android_uri: Option<String>,
    /// Name of the app's package on Android. Where it is not installed, Google Play offers it, and hands it a token of the link when it is
    /// installed, which `resolveLink` takes. Absent or null: the link leads to its destination then.
    #[graphql(directive = length::apply(1, MAX_PACKAGE), directive = example::apply("com.example.app".into()))]
    pub(crate) android_package: Option<String>,
    /// Data for the app: the JSON text of an object, of at most 2,048 bytes in UTF-8. Absent or null: none.
    #[graphql(directive = length::apply(1, MAX_APP_DATA), directive = example::apply("{\"offer\": 42}".into()))]
    pub(crate) data: Option<String>,
}

impl From<LinkAppInput> for AppLink {
    fn from(LinkAppInput { ios_uri, ios_store_url, android_uri, android_package, data }: LinkAppInput) -> Self {
        AppLink { ios_uri, ios_store_url, android_uri, android_package, data }
    }
}
