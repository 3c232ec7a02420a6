//! Columns of files, and the order of their dates, as the API shows them.

use async_graphql::{Enum, InputObject, SimpleObject};
use link_files::{ColumnChoice, DateOrder, Field};
use serde::{Deserialize, Serialize};

use crate::{
    graphql::directives::{example, length},
    records::imports::state::MAX_COLUMN,
};

/// What a column of a file is about.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[graphql(remote = "Field")]
pub(crate) enum ImportField {
    /// Where the link leads. In a table that a person made, `https://` may be missing.
    #[graphql(name = "DESTINATION_URL")]
    #[serde(rename = "DESTINATION_URL")]
    Destination,
    /// Path of the short link; in a table that a person made, also the whole short link.
    #[graphql(name = "SLUG")]
    #[serde(rename = "SLUG")]
    Slug,
    /// Host of the short link.
    #[graphql(name = "DOMAIN")]
    #[serde(rename = "DOMAIN")]
    Host,
    /// The whole short link: its host and path are taken where no other column has them.
    #[graphql(name = "SHORT_URL")]
    #[serde(rename = "SHORT_URL")]
    ShortUrl,
    /// Its title.
    #[graphql(name = "TITLE")]
    #[serde(rename = "TITLE")]
    Title,
    /// Notes about it.
    #[graphql(name = "NOTES")]
    #[serde(rename = "NOTES")]
    Notes,
    /// Names of its tags, between commas, semicolons or pipes.
    #[graphql(name = "TAGS")]
    #[serde(rename = "TAGS")]
    Tags,
    /// When it was created.
    #[graphql(name = "CREATED_AT")]
    #[serde(rename = "CREATED_AT")]
    Created,
    /// When it begins to redirect.
    #[graphql(name = "STARTS_AT")]
    #[serde(rename = "STARTS_AT")]
    Starts,
    /// When it ceases to redirect.
    #[graphql(name = "EXPIRES_AT")]
    #[serde(rename = "EXPIRES_AT")]
    Expires,
    /// Where it leads after its end.
    #[graphql(name = "EXPIRED_URL")]
    #[serde(rename = "EXPIRED_URL")]
    ExpiredUrl,
    /// How often it redirects at most.
    #[graphql(name = "MAX_CLICKS")]
    #[serde(rename = "MAX_CLICKS")]
    MaxClicks,
    /// How many of these are used. Of other services all clicks count.
    #[graphql(name = "USED_CLICKS")]
    #[serde(rename = "USED_CLICKS")]
    UsedClicks,
    /// How often it was followed.
    #[graphql(name = "CLICK_COUNT")]
    #[serde(rename = "CLICK_COUNT")]
    Clicks,
    /// How often it was followed before it came to linkgraph.
    #[graphql(name = "IMPORTED_CLICKS")]
    #[serde(rename = "IMPORTED_CLICKS")]
    ImportedClicks,
    /// Whether it redirects.
    #[graphql(name = "IS_ACTIVE")]
    #[serde(rename = "IS_ACTIVE")]
    IsActive,
    /// Whether it is kept from redirecting.
    #[graphql(name = "IS_BANNED")]
    #[serde(rename = "IS_BANNED")]
    IsBanned,
    /// Whether lists leave it out.
    #[graphql(name = "IS_ARCHIVED")]
    #[serde(rename = "IS_ARCHIVED")]
    IsArchived,
    /// Whether the query of a visit is forwarded.
    #[graphql(name = "FORWARDS_QUERY")]
    #[serde(rename = "FORWARDS_QUERY")]
    ForwardsQuery,
    /// Its password, or whether it asks for one: the link gets the `password` of the import, and its row fails without one.
    #[graphql(name = "PASSWORD")]
    #[serde(rename = "PASSWORD")]
    Password,
    /// Whether visitors are asked to continue. Files of other services have none.
    #[graphql(name = "ASKS_FIRST")]
    #[serde(rename = "ASKS_FIRST")]
    AsksFirst,
    /// Its `notice`. Files of other services have none.
    #[graphql(name = "NOTICE")]
    #[serde(rename = "NOTICE")]
    Notice,
    /// Title of its `card`. Files of other services have none.
    #[graphql(name = "CARD_TITLE")]
    #[serde(rename = "CARD_TITLE")]
    CardTitle,
    /// Description of its `card`. Files of other services have none.
    #[graphql(name = "CARD_DESCRIPTION")]
    #[serde(rename = "CARD_DESCRIPTION")]
    CardDescription,
    /// URL of the image of its `card`. Files of other services have none.
    #[graphql(name = "CARD_IMAGE_URL")]
    #[serde(rename = "CARD_IMAGE_URL")]
    CardImageUrl,
    /// `iosUri` of its `app`. Files of other services have none.
    #[graphql(name = "APP_IOS_URI")]
    #[serde(rename = "APP_IOS_URI")]
    AppIosUri,
    /// `iosStoreUrl` of its `app`. Files of other services have none.
    #[graphql(name = "APP_IOS_STORE_URL")]
    #[serde(rename = "APP_IOS_STORE_URL")]
    AppIosStoreUrl,
    /// `androidUri` of its `app`. Files of other services have none.
    #[graphql(name = "APP_ANDROID_URI")]
    #[serde(rename = "APP_ANDROID_URI")]
    AppAndroidUri,
    /// `androidPackage` of its `app`. Files of other services have none.
    #[graphql(name = "APP_ANDROID_PACKAGE")]
    #[serde(rename = "APP_ANDROID_PACKAGE")]
    AppAndroidPackage,
    /// `data` of its `app`. Files of other services have none.
    #[graphql(name = "APP_DATA")]
    #[serde(rename = "APP_DATA")]
    AppData,
    /// Its rules: the input of `setLinkRules` in JSON. Files of other services have none.
    #[graphql(name = "RULES")]
    #[serde(rename = "RULES")]
    Rules,
    /// Its split: the input of `setLinkSplit` in JSON. Files of other services have none.
    #[graphql(name = "SPLIT")]
    #[serde(rename = "SPLIT")]
    Split,
    /// Its id in another service, by which it is known again. Tables that a person made have none.
    #[graphql(name = "ID")]
    #[serde(rename = "ID")]
    Id,
    /// Its `externalId`. Files of other services have none.
    #[graphql(name = "EXTERNAL_ID")]
    #[serde(rename = "EXTERNAL_ID")]
    ExternalId,
}

/// The order of day, month and year in dates that are written with numbers alone.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[graphql(remote = "DateOrder")]
pub(crate) enum DateFormat {
    /// Day, month, year: `13/02/2024`.
    #[graphql(name = "DMY")]
    #[serde(rename = "DMY")]
    Dmy,
    /// Month, day, year: `2/13/2024`.
    #[graphql(name = "MDY")]
    #[serde(rename = "MDY")]
    Mdy,
    /// Year, month, day: `24-02-13`.
    #[graphql(name = "YMD")]
    #[serde(rename = "YMD")]
    Ymd,
}

/// A column of a file that is kept.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ImportColumn {
    /// Its name in the header, cut to 60 characters; its number from 1 on if there is no header; in JSON, the name of a member.
    #[graphql(directive = example::apply("Ziel-URL".into()))]
    pub(crate) name: String,
    /// What it is about.
    #[graphql(directive = example::apply("\"DESTINATION_URL\"".into()))]
    pub(crate) field: ImportField,
}

/// What a column of a file is about.
#[derive(InputObject, Clone, Debug)]
pub(crate) struct ImportColumnInput {
    /// Its name in the file's header, where capitals, spaces and punctuation need not be the same, or its number from 1 on; in JSON, the
    /// name of a member, such as `meta.validUntil`.
    #[graphql(directive = length::apply(1, MAX_COLUMN), directive = example::apply("url".into()))]
    pub(crate) column: String,
    /// What it is about; no two columns may have the same. Absent or null: it is left out.
    #[graphql(directive = example::apply("\"DESTINATION_URL\"".into()))]
    pub(crate) field: Option<ImportField>,
}

impl From<ImportColumnInput> for ColumnChoice {
    fn from(input: ImportColumnInput) -> Self {
        ColumnChoice { column: input.column, field: input.field.map(Field::from) }
    }
}
