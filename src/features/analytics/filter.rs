//! The filter of questions about clicks.

use async_graphql::InputObject;

use crate::{
    app::App,
    base::error::{ApiError, Violations},
    click_store::{
        condition::{ClickDimension, Condition, ConditionOperator},
        question::{Question, Subject},
    },
    graphql::{
        directives::{example, items, length},
        scalars::Timestamp,
    },
    platform::auth::{caller::Call, scope::Scope},
};

/// Conditions of a filter.
pub(crate) const MAX_CONDITIONS: i32 = 20;
/// A filter in examples.
pub(crate) const FILTER: &str = r#"[{"dimension":"COUNTRY","operator":"IS","values":["DE","CH"]}]"#;

/// One condition on clicks. All conditions of a filter must hold; the values of one are alternatives.
#[derive(InputObject, Clone, Debug)]
pub(crate) struct ClickCondition {
    /// The property of the click, or of its link, whose value is compared.
    #[graphql(directive = example::apply("\"COUNTRY\"".into()))]
    dimension: ClickDimension,
    /// How it is compared.
    #[graphql(default, directive = example::apply("\"IS\"".into()))]
    operator: ConditionOperator,
    /// The values, as the fields of clicks and the lists of summaries have them. Null: the value is not known, or there is none.
    #[graphql(
        directive = items::apply(1, 100),
        directive = length::apply(1, 255),
        directive = example::apply("[\"DE\",\"CH\"]".into())
    )]
    values: Vec<Option<String>>,
}

/// The question that arguments ask. Fails if the caller may not know what it asks about.
pub(crate) fn question(
    app: &App,
    call: &Call,
    subject: Subject,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
    with_bots: bool,
    filter: Option<Vec<ClickCondition>>,
) -> Result<Question, ApiError> {
    let mut violations = Violations::default();
    let conditions = conditions(call, filter.unwrap_or_default(), &mut violations)?;
    violations.finish()?;
    let (from, to) = (from.map(|time| time.0), to.map(|time| time.0));
    let own_host = app.config.base_url.host().to_owned();
    let max_clicks = app.config.max_clicks_read;
    Ok(Question { subject, from, to, with_bots, conditions, dimension: None, max_clicks, own_host })
}

/// The conditions of a filter; notes what breaks a rule. Fails if the caller may not know what they ask about.
pub(super) fn conditions(
    call: &Call,
    filter: Vec<ClickCondition>,
    violations: &mut Violations,
) -> Result<Vec<Condition>, ApiError> {
    let mut conditions = Vec::new();
    for (number, ClickCondition { dimension, operator, values }) in filter.into_iter().enumerate() {
        let refuse = |place, reason| violations.add(format!("filter.{number}.values.{place}"), reason);
        let condition = Condition::new(dimension, operator, values, refuse);
        if !condition.is_possible() {
            violations.add(format!("filter.{number}.operator"), "can't be CONTAINS with this dimension");
        }
        conditions.push(condition);
    }
    if conditions.iter().any(|condition| condition.dimension.tells_of_links()) {
        call.caller.check_scope(Scope::LinksRead)?;
    }
    Ok(conditions)
}
