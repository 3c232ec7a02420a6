//! GraphQL types of reports.

use async_graphql::{ComplexObject, Context, ID, SimpleObject};
use entity::report;
use serde::{Deserialize, Serialize};

use super::definition::{Definition, ReportPanel, ReportPeriod, ReportTime};
use crate::{
    base::error::ApiError,
    click_store::condition::{ClickDimension, Condition, ConditionOperator},
    features::links::{link::Link, query::link_id},
    graphql::{
        context::ContextExt,
        directives::{example, items},
        page::Paged,
        scalars::{TimeZone, Timestamp},
        shorthands::Reads,
    },
    platform::auth::{access::resource, scope::Scope},
};

/// One condition on the clicks that a report counts: as `ClickCondition`.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct ReportCondition {
    /// The property of the click, or of its link, whose value is compared.
    #[graphql(directive = example::apply("\"COUNTRY\"".into()))]
    dimension: ClickDimension,
    /// How it is compared.
    #[graphql(directive = example::apply("\"IS\"".into()))]
    operator: ConditionOperator,
    /// Alternatives. Null: the value is not known, or there is none.
    #[graphql(directive = items::apply(1, 100), directive = example::apply("[\"DE\",\"CH\"]".into()))]
    values: Vec<Option<String>>,
}

impl From<Condition> for ReportCondition {
    fn from(Condition { dimension, operator, values }: Condition) -> Self {
        ReportCondition { dimension, operator, values }
    }
}

/// A question about clicks that is kept: which clicks, of which time. If it is shared, it has a page that everybody can open who has its
/// `url`, and which answers JSON to programs.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(complex, directive = resource::apply(Scope::AnalyticsRead))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report {
    /// Identifies the report.
    #[graphql(directive = example::apply("019aa1c9-3c4d-7e5f-8a6b-7c8d9e0f1a23".into()))]
    pub(crate) id: ID,
    /// Its name, which the page has as its title.
    #[graphql(directive = example::apply("Spring campaign".into()))]
    pub(crate) name: String,
    /// Id of the link whose clicks it counts. Null: those on all links of the account.
    #[graphql(directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into()))]
    pub(crate) link_id: Option<ID>,
    /// The period whose clicks it counts. Null: those between `from` and `to`.
    #[graphql(directive = example::apply("\"LAST_30_DAYS\"".into()))]
    pub(crate) period: Option<ReportPeriod>,
    /// How many times its length the period is before the one that ends now: 1 is the month before this one, with `THIS_MONTH`. 0 as well where
    /// there is no period.
    #[graphql(directive = example::apply("0".into()))]
    pub(crate) back: i32,
    /// Start of the time whose clicks it counts. Null: there is a period instead.
    #[graphql(directive = example::apply("null".into()))]
    pub(crate) from: Option<Timestamp>,
    /// End of that time. Null: there is a period instead.
    #[graphql(directive = example::apply("null".into()))]
    pub(crate) to: Option<Timestamp>,
    /// By whose calendar and clocks days begin.
    #[graphql(directive = example::apply("Europe/Zurich".into()))]
    pub(crate) time_zone: TimeZone,
    /// Whether clicks of bots count.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) include_bots: bool,
    /// The lists on its page, in this order: of each the ten most frequent values.
    #[graphql(directive = items::apply(0, 15), directive = example::apply("[\"COUNTRIES\",\"SOURCES\"]".into()))]
    pub(crate) panels: Vec<ReportPanel>,
    /// Whether its page says where links lead.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) shows_destinations: bool,
    /// Origins whose pages may show its page in a frame. Empty: none.
    #[graphql(directive = items::apply(0, 20), directive = example::apply("[\"https://wiki.example.com\"]".into()))]
    pub(crate) embed_origins: Vec<String>,
    /// When its page ceases to be there. Null: no end is set.
    #[graphql(directive = example::apply("2027-01-31T23:00:00.000Z".into()))]
    pub(crate) expires_at: Option<Timestamp>,
    /// Whether its page asks for a password.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) has_password: bool,
    /// Whether it has a page, until `expiresAt`.
    #[graphql(directive = example::apply("true".into()))]
    pub(crate) is_shared: bool,
    /// When it was created.
    #[graphql(directive = example::apply("2026-11-24T14:33:38.125Z".into()))]
    pub(crate) created_at: Timestamp,
    /// When it was last changed.
    #[graphql(directive = example::apply("2026-11-24T14:33:38.125Z".into()))]
    pub(crate) updated_at: Timestamp,
    #[graphql(skip)]
    conditions: Vec<Condition>,
    #[graphql(skip)]
    token: Option<String>,
}

#[ComplexObject]
impl Report {
    /// Only clicks of which all these conditions hold are counted. Empty: all are. Over REST it is left out for an API key that lacks the scope.
    #[graphql(directive = items::apply(0, 20), directive = Reads::apply(Scope::LinksRead))]
    async fn filter(&self) -> Vec<ReportCondition> {
        self.conditions.iter().cloned().map(ReportCondition::from).collect()
    }

    /// The link whose clicks it counts. Null: it counts those on all links.
    #[graphql(directive = Reads::apply(Scope::LinksRead))]
    async fn link(&self, ctx: &Context<'_>) -> Result<Option<Link>, ApiError> {
        match &self.link_id {
            Some(id) => Link::load(ctx, link_id(id)?).await,
            None => Ok(None),
        }
    }

    /// Address of its page: everybody who has it can open the page. Null: it is not shared. Over REST it is left out for an API key that lacks
    /// one of the scopes.
    #[graphql(
        directive = Reads::apply(Scope::AnalyticsRead),
        directive = Reads::apply(Scope::LinksRead),
        directive = example::apply("https://sho.rt/reports/b7Kx2mQ9vT4nW8pL3sR6yA5dF1gH0jZc".into())
    )]
    async fn url(&self, ctx: &Context<'_>) -> Result<Option<String>, ApiError> {
        let base = ctx.app()?.config.base_url.as_str();
        Ok(self.token.as_ref().map(|token| format!("{base}/reports/{token}")))
    }
}

impl Paged for Report {
    const PAGE: &str = "ReportPageResult";
}

impl TryFrom<report::Model> for Report {
    type Error = ApiError;

    fn try_from(report: report::Model) -> Result<Self, ApiError> {
        let definition = Definition::read(&report.definition).map_err(ApiError::internal)?;
        let (period, back, range) = match definition.time {
            ReportTime::Period { period, back } => (Some(period), back, None),
            ReportTime::Fixed { from, to } => (None, 0, Some((from, to))),
        };
        Ok(Report {
            id: report.id.into(),
            name: report.name,
            link_id: report.link_id.map(ID::from),
            period,
            back,
            from: range.map(|(from, _)| Timestamp(from)),
            to: range.map(|(_, to)| Timestamp(to)),
            time_zone: TimeZone(definition.time_zone),
            include_bots: definition.include_bots,
            panels: definition.panels,
            shows_destinations: definition.shows_destinations,
            embed_origins: definition.embed_origins,
            expires_at: report.expires_at.map(Timestamp),
            has_password: report.password_hash.is_some(),
            is_shared: report.token.is_some(),
            created_at: Timestamp(report.created_at),
            updated_at: Timestamp(report.updated_at),
            conditions: definition.conditions,
            token: report.token,
        })
    }
}
