//! GraphQL types of UTM templates.

use async_graphql::{ID, InputObject, SimpleObject};
use entity::utm_template;
use serde::{Deserialize, Serialize};

use crate::{
    base::validate::MAX_NAME,
    features::links::utm_types::UtmInput,
    graphql::{
        directives::{Format, example, format, length, precondition},
        page::Paged,
        scalars::Timestamp,
    },
    platform::auth::{access::resource, scope::Scope},
    records::links::utm::{MAX_UTM, UtmValues},
};

/// UTM parameters under a name, for destinations of many links. It is taken when a link is written: links do not change with it.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(directive = resource::apply(Scope::LinksRead))]
#[serde(rename_all = "camelCase")]
pub(crate) struct UtmTemplate {
    /// Identifies the template.
    #[graphql(directive = example::apply("019aa1c7-1b2c-7d3e-8f4a-5b6c7d8e9f01".into()))]
    pub(crate) id: ID,
    /// Its name, unique in the account in any case.
    #[graphql(directive = example::apply("Newsletter".into()))]
    pub(crate) name: String,
    /// `utm_source`: where visitors come from. Null: the template says nothing of it.
    #[graphql(directive = example::apply("newsletter".into()))]
    pub(crate) source: Option<String>,
    /// `utm_medium`: by what means. Null: the template says nothing of it.
    #[graphql(directive = example::apply("email".into()))]
    pub(crate) medium: Option<String>,
    /// `utm_campaign`: of which campaign. Null: the template says nothing of it.
    #[graphql(directive = example::apply("spring-sale".into()))]
    pub(crate) campaign: Option<String>,
    /// `utm_term`: by which search term. Null: the template says nothing of it.
    #[graphql(directive = example::apply("red shoes".into()))]
    pub(crate) term: Option<String>,
    /// `utm_content`: by which of several links or texts. Null: the template says nothing of it.
    #[graphql(directive = example::apply("button".into()))]
    pub(crate) content: Option<String>,
    /// When it was created.
    #[graphql(directive = example::apply("2026-11-24T14:33:38.125Z".into()))]
    pub(crate) created_at: Timestamp,
    /// When it was last changed.
    #[graphql(directive = example::apply("2026-11-24T14:33:38.125Z".into()))]
    pub(crate) updated_at: Timestamp,
}

impl Paged for UtmTemplate {
    const PAGE: &str = "UtmTemplatePageResult";
}

impl From<utm_template::Model> for UtmTemplate {
    fn from(template: utm_template::Model) -> Self {
        UtmTemplate {
            id: template.id.into(),
            name: template.name,
            source: template.source,
            medium: template.medium,
            campaign: template.campaign,
            term: template.term,
            content: template.content,
            created_at: Timestamp(template.created_at),
            updated_at: Timestamp(template.updated_at),
        }
    }
}

/// A UTM template to create: a name, and a parameter or more of at most 200 characters each.
#[derive(InputObject, Debug)]
pub(crate) struct CreateUtmTemplateInput {
    /// Its name of 1 to 100 characters, unique in the account in any case, else CONFLICT.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("Newsletter".into())
    )]
    pub(crate) name: String,
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

impl CreateUtmTemplateInput {
    /// The name and the parameters.
    pub(super) fn parts(self) -> (String, UtmValues) {
        let CreateUtmTemplateInput { name, source, medium, campaign, term, content } = self;
        (name, UtmValues { source, medium, campaign, term, content })
    }
}

/// What to change of a UTM template, as JSON merge patch (RFC 7396): fields that are absent stay as they are, and null takes a parameter away,
/// but for the last one.
#[derive(InputObject, Debug)]
pub(crate) struct UpdateUtmTemplateInput {
    /// Its name from now on; the rules are those of a new template.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("Newsletter, autumn".into())
    )]
    pub(crate) name: Option<String>,
    /// Its parameters.
    #[graphql(flatten)]
    pub(crate) parameters: UtmInput,
    /// `updatedAt` of the template as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: the template is changed whoever changed it meanwhile.
    #[graphql(directive = precondition::apply())]
    pub(crate) expected_updated_at: Option<Timestamp>,
}

impl UpdateUtmTemplateInput {
    /// The name, if it changes, and the parameters.
    pub(super) fn parts(self) -> (Option<String>, UtmValues) {
        (self.name, self.parameters.into())
    }
}
