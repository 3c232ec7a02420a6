//! GraphQL types of UTM parameters.

use async_graphql::{InputObject, MaybeUndefined, SimpleObject};
use serde::{Deserialize, Serialize};

use crate::{
    base::patch::Patch,
    graphql::directives::{clearable, example, length},
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

/// UTM parameters to write into a destination, each of 1 to 200 characters. One that is absent stays in the destination as it is; null takes
/// it away.
#[derive(InputObject, Debug)]
pub(crate) struct UtmInput {
    /// `utm_source`: where visitors come from.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_UTM),
        directive = example::apply("newsletter".into())
    )]
    pub(crate) source: MaybeUndefined<String>,
    /// `utm_medium`: by what means.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_UTM),
        directive = example::apply("email".into())
    )]
    pub(crate) medium: MaybeUndefined<String>,
    /// `utm_campaign`: of which campaign.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_UTM),
        directive = example::apply("spring-sale".into())
    )]
    pub(crate) campaign: MaybeUndefined<String>,
    /// `utm_term`: by which search term.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_UTM),
        directive = example::apply("red shoes".into())
    )]
    pub(crate) term: MaybeUndefined<String>,
    /// `utm_content`: by which of several links or texts.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_UTM),
        directive = example::apply("button".into())
    )]
    pub(crate) content: MaybeUndefined<String>,
}

impl From<UtmValues> for Utm {
    fn from(UtmValues { source, medium, campaign, term, content }: UtmValues) -> Self {
        Utm { source, medium, campaign, term, content }
    }
}

impl From<UtmInput> for UtmValues {
    fn from(UtmInput { source, medium, campaign, term, content }: UtmInput) -> Self {
        // A parameter to take away is an empty one.
        let [source, medium, campaign, term, content] =
            [source, medium, campaign, term, content].map(|value| Patch::from(value).map(Option::unwrap_or_default));
        UtmValues { source, medium, campaign, term, content }
    }
}
