//! GraphQL types of UTM parameters.

use async_graphql::{InputObject, SimpleObject};
use serde::{Deserialize, Serialize};

use crate::{
    graphql::directives::{example, length},
    records::links::utm::{MAX_UTM, UtmValues},
};

/// UTM parameters of a link's destination, as analytics programs read them.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Utm {
    /// `utm_source`: where visitors come from. Null: the destination has none.
    #[graphql(directive = example::apply("newsletter".into()))]
    pub(crate) source: Option<String>,
    /// `utm_medium`: by what means. Null: the destination has none.
    #[graphql(directive = example::apply("email".into()))]
    pub(crate) medium: Option<String>,
    /// `utm_campaign`: of which campaign. Null: the destination has none.
    #[graphql(directive = example::apply("spring-sale".into()))]
    pub(crate) campaign: Option<String>,
    /// `utm_term`: by which search term. Null: the destination has none.
    #[graphql(directive = example::apply("red shoes".into()))]
    pub(crate) term: Option<String>,
    /// `utm_content`: by which of several links or texts. Null: the destination has none.
    #[graphql(directive = example::apply("button".into()))]
    pub(crate) content: Option<String>,
}

/// UTM parameters to write into a destination, each of at most 200 characters. Fields that are absent or null leave the destination's
/// as they are; empty ones take them away.
#[derive(InputObject, Debug)]
pub(crate) struct UtmInput {
    /// `utm_source`: where visitors come from.
    #[graphql(directive = length::apply(0, MAX_UTM), directive = example::apply("newsletter".into()))]
    pub(crate) source: Option<String>,
    /// `utm_medium`: by what means.
    #[graphql(directive = length::apply(0, MAX_UTM), directive = example::apply("email".into()))]
    pub(crate) medium: Option<String>,
    /// `utm_campaign`: of which campaign.
    #[graphql(directive = length::apply(0, MAX_UTM), directive = example::apply("spring-sale".into()))]
    pub(crate) campaign: Option<String>,
    /// `utm_term`: by which search term.
    #[graphql(directive = length::apply(0, MAX_UTM), directive = example::apply("red shoes".into()))]
    pub(crate) term: Option<String>,
    /// `utm_content`: by which of several links or texts.
    #[graphql(directive = length::apply(0, MAX_UTM), directive = example::apply("button".into()))]
    pub(crate) content: Option<String>,
}

/// UTM parameters to write into the destination of one of several links; the rules are those of `UtmInput`, and breaking one fails
/// this link alone.
#[derive(InputObject, Debug)]
pub(crate) struct UtmItemInput {
    /// `utm_source`: where visitors come from.
    #[graphql(directive = example::apply("newsletter".into()))]
    pub(crate) source: Option<String>,
    /// `utm_medium`: by what means.
    #[graphql(directive = example::apply("email".into()))]
    pub(crate) medium: Option<String>,
    /// `utm_campaign`: of which campaign.
    #[graphql(directive = example::apply("spring-sale".into()))]
    pub(crate) campaign: Option<String>,
    /// `utm_term`: by which search term.
    #[graphql(directive = example::apply("red shoes".into()))]
    pub(crate) term: Option<String>,
    /// `utm_content`: by which of several links or texts.
    #[graphql(directive = example::apply("button".into()))]
    pub(crate) content: Option<String>,
}

/// The types have the same five values.
macro_rules! same {
    ($($from:ident => $to:ident),*) => {$(
        impl From<$from> for $to {
            fn from($from { source, medium, campaign, term, content }: $from) -> Self {
                $to { source, medium, campaign, term, content }
            }
        }
    )*};
}

same! { UtmValues => Utm, UtmInput => UtmValues, UtmItemInput => UtmValues }
