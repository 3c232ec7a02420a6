//! GraphQL types of what accounts set for their hosts.

use async_graphql::{InputObject, SimpleObject};
use entity::host_setting;
use serde::{Deserialize, Serialize};

use crate::{
    features::domains::hosts::settings::{MAX_HOST_URL, SettingsChange},
    graphql::directives::{Format, example, format, items, length},
    records::{
        domains::hosts::{host_field::HostField, settings_repo::tag_names},
        tags::name::{MAX_LINK_TAGS, MAX_TAG},
    },
};

/// What a host does beside serving links.
#[derive(SimpleObject, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct HostSettings {
    /// Where `/` leads. Null: as any address that leads nowhere.
    #[graphql(directive = example::apply("https://example.com/".into()))]
    pub(crate) root_url: Option<String>,
    /// Where an address leads at which there is no link, or one that is switched off or has not begun. Null: it answers 404.
    #[graphql(directive = example::apply("https://example.com/lost".into()))]
    pub(crate) not_found_url: Option<String>,
    /// Where links lead after their end that have no `expiredUrl` of their own. Null: they answer 410.
    #[graphql(directive = example::apply("https://example.com/sales".into()))]
    pub(crate) expired_url: Option<String>,
    /// Whether links are found by their slugs in any case, and no two links have slugs that differ in case alone.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) ignores_case: bool,
    /// Names of the tags that links get, beside their own, when they are created on this host.
    #[graphql(directive = items::apply(0, MAX_LINK_TAGS), directive = example::apply("[\"spring\"]".into()))]
    pub(crate) default_tags: Vec<String>,
    /// Whether links with a null `forwardsQuery` forward the query of a visit to their destination.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) forwards_query: bool,
}

impl From<Option<host_setting::Model>> for HostSettings {
    fn from(settings: Option<host_setting::Model>) -> Self {
        settings.map_or_else(HostSettings::default, |settings| HostSettings {
            default_tags: tag_names(&settings),
            root_url: settings.root_url,
            not_found_url: settings.not_found_url,
            expired_url: settings.expired_url,
            ignores_case: settings.ignores_case,
            forwards_query: settings.forwards_query,
        })
    }
}

/// What to change of a host's settings. Fields that are absent or null stay as they are.
#[derive(InputObject, Debug)]
pub(crate) struct UpdateHostInput {
    /// Where `/` leads: an absolute http or https URL of at most 1,024 characters; the other rules are those of a link's
    /// `destinationUrl`. It must not lead to one of the account's own domains either, proved or not.
    #[graphql(
        directive = length::apply(1, MAX_HOST_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/".into())
    )]
    pub(crate) root_url: Option<String>,
    /// Where an address leads at which there is no link, or one that is switched off or has not begun. The rules are those of
    /// `rootUrl`.
    #[graphql(
        directive = length::apply(1, MAX_HOST_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/lost".into())
    )]
    pub(crate) not_found_url: Option<String>,
    /// Where links lead after their end that have no `expiredUrl` of their own. The rules are those of `rootUrl`.
    #[graphql(
        directive = length::apply(1, MAX_HOST_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/sales".into())
    )]
    pub(crate) expired_url: Option<String>,
    /// Whether links are found by their slugs in any case: `/SPRING` leads where `/Spring` does. Fails with CONFLICT, which names
    /// slugs, while slugs of the host differ in case alone. Turned off, slugs are found as they are written again.
    pub(crate) ignores_case: Option<bool>,
    /// Names of the tags that links get, beside their own, when they are created on this host: at most 20, each of 1 to 50 characters
    /// without commas. They take the place of all that were there; an empty list takes them away. Links that are on the host already,
    /// are moved there or are imported do not get them. The account gets a tag that it does not have with the first link.
    #[graphql(
        directive = items::apply(0, MAX_LINK_TAGS),
        directive = length::apply(1, MAX_TAG),
        directive = format::apply(Format::Tag),
        directive = example::apply("[\"spring\"]".into())
    )]
    pub(crate) default_tags: Option<Vec<String>>,
    /// Whether links with a null `forwardsQuery` forward the query of a visit to their destination. The next visit of each follows.
    pub(crate) forwards_query: Option<bool>,
    /// Settings to take away, since null changes nothing. The same request can't set them. Absent, null or empty: none.
    #[graphql(directive = items::apply(0, 3), directive = example::apply("[\"ROOT_URL\"]".into()))]
    pub(crate) clear: Option<Vec<HostField>>,
}

impl From<UpdateHostInput> for SettingsChange {
    fn from(input: UpdateHostInput) -> Self {
        let UpdateHostInput { root_url, not_found_url, expired_url, ignores_case, default_tags, forwards_query, clear } =
            input;
        SettingsChange {
            urls: [root_url, not_found_url, expired_url],
            ignores_case,
            default_tags,
            forwards_query,
            clear: clear.unwrap_or_default(),
        }
    }
}
