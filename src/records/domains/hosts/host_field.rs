//! Settings of hosts that can be taken away.

use async_graphql::Enum;

/// A setting of a host that can be taken away from it.
#[expect(clippy::enum_variant_names, reason = "they are named for the settings, which are URLs so far")]
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostField {
    /// `rootUrl`: `/` leads where any address leads at which there is no link.
    RootUrl,
    /// `notFoundUrl`: an address without a link answers 404.
    NotFoundUrl,
    /// `expiredUrl`: links answer 410 after their end, unless they have a URL of their own for that.
    ExpiredUrl,
}

impl HostField {
    /// The fields with URLs, in the order of `SettingsChange::urls`.
    pub(crate) const URLS: [HostField; 3] = [HostField::RootUrl, HostField::NotFoundUrl, HostField::ExpiredUrl];

    /// The name of the setting.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            HostField::RootUrl => "rootUrl",
            HostField::NotFoundUrl => "notFoundUrl",
            HostField::ExpiredUrl => "expiredUrl",
        }
    }
}
