//! GraphQL types of what accounts set for their hosts.

use async_graphql::{InputObject, MaybeUndefined, SimpleObject};
use entity::host_setting;
use serde::{Deserialize, Serialize};

use crate::{
    base::{patch::Patch, version::Expected},
    features::domains::hosts::settings::{MAX_CONTACT, MAX_HOST_URL, MAX_ROBOTS, SettingsChange},
    graphql::{
        directives::{Format, clearable, example, format, items, length, precondition},
        scalars::Timestamp,
    },
    records::{
        domains::hosts::settings_repo::tag_names,
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
    /// Where `/favicon.ico` leads, the icon that browsers show. Null: there is none.
    #[graphql(directive = example::apply("https://example.com/favicon.ico".into()))]
    pub(crate) favicon_url: Option<String>,
    /// The file `/robots.txt`, with rules for crawlers (RFC 9309). Null: crawlers may follow all links.
    #[graphql(directive = example::apply("User-agent: *\nDisallow: /\n".into()))]
    pub(crate) robots_text: Option<String>,
    /// Whom to tell of a vulnerability, in `/.well-known/security.txt` (RFC 9116). Null: the contact of the service's operator, if
    /// there is one.
    #[graphql(directive = example::apply("mailto:security@example.com".into()))]
    pub(crate) security_contact: Option<String>,
    /// Whether links are found by their slugs in any case of A–Z, and no two links have slugs that differ in that alone.
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
            favicon_url: settings.favicon_url,
            robots_text: settings.robots_text,
            security_contact: settings.security_contact,
            ignores_case: settings.ignores_case,
            forwards_query: settings.forwards_query,
        })
    }
}

/// What to change of a host's settings, as JSON merge patch (RFC 7396): fields that are absent stay as they are, and null takes a value away.
#[derive(InputObject, Debug)]
pub(crate) struct UpdateHostInput {
    /// Where `/` leads: an absolute http or https URL of at most 1,024 characters; the other rules are those of a link's
    /// `destinationUrl`. It must not lead to one of the account's own domains either, proved or not. Null: as any address that leads nowhere.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_HOST_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/".into())
    )]
    pub(crate) root_url: MaybeUndefined<String>,
    /// Where an address leads at which there is no link, or one that is switched off or has not begun. The rules are those of
    /// `rootUrl`. Null: it answers 404.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_HOST_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/lost".into())
    )]
    pub(crate) not_found_url: MaybeUndefined<String>,
    /// Where links lead after their end that have no `expiredUrl` of their own. The rules are those of `rootUrl`. Null: they answer 410.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_HOST_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/sales".into())
    )]
    pub(crate) expired_url: MaybeUndefined<String>,
    /// Where `/favicon.ico` leads, the icon that browsers show. The rules are those of `rootUrl`. Null: there is none.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_HOST_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/favicon.ico".into())
    )]
    pub(crate) favicon_url: MaybeUndefined<String>,
    /// The file `/robots.txt`, with rules for crawlers (RFC 9309), of at most 500 characters of ASCII. Null: crawlers may follow all links.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_ROBOTS),
        directive = format::apply(Format::Text),
        directive = example::apply("User-agent: *\nDisallow: /\n".into())
    )]
    pub(crate) robots_text: MaybeUndefined<String>,
    /// Whom to tell of a vulnerability, in `/.well-known/security.txt` (RFC 9116): `mailto:` with an address, or an `https:` URL. Null: the
    /// contact of the service's operator, if there is one.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_CONTACT),
        directive = example::apply("mailto:security@example.com".into())
    )]
    pub(crate) security_contact: MaybeUndefined<String>,
    /// Whether links are found by their slugs in any case of A–Z: `/SPRING` leads where `/Spring` does. Fails with CONFLICT, which names
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
    /// `updatedAt` of the domain or subdomain as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: the domain or subdomain is changed whoever changed it meanwhile.
    #[graphql(directive = precondition::apply())]
    pub(crate) expected_updated_at: Option<Timestamp>,
}

impl From<UpdateHostInput> for SettingsChange {
    fn from(input: UpdateHostInput) -> Self {
        let UpdateHostInput {
            root_url,
            not_found_url,
            expired_url,
            favicon_url,
            robots_text,
            security_contact,
            ignores_case,
            default_tags,
            forwards_query,
            expected_updated_at: _,
        } = input;
        SettingsChange {
            urls: [root_url, not_found_url, expired_url, favicon_url].map(Patch::from),
            robots_text: robots_text.into(),
            security_contact: security_contact.into(),
            ignores_case,
            default_tags,
            forwards_query,
            expected: Expected::default(),
        }
    }
}
