//! Rules and splits in files of links: the inputs of `setLinkRules` and `setLinkSplit`, in JSON.

use entity::{link, link_destination, link_rules as stored};
use link_rules::{MAX_WEIGHT, Outcome, Part};
use sea_orm::{ConnectionTrait, DbErr};
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::{
    inputs::{LinkRuleInput, MAX_LINE, SetLinkRulesInput, SetLinkSplitInput, SplitPartInput},
    ops::{self, ShownRoutes},
    proposed::{self, Labels},
};
use crate::{
    app::App,
    base::{
        error::{ApiError, Violations},
        ids::LinkId,
        validate::{check_length, check_line},
    },
    graphql::scalars::Timestamp,
    records::links::{numbers::Numbers, rules_repo},
    redirect::rules::{NamedRule, Routes},
};

/// Rules and split of a link in a file. `None`: it has none.
#[derive(Clone, Debug, Default)]
pub(crate) struct RouteTexts {
    pub(crate) rules: Option<String>,
    pub(crate) split: Option<String>,
}

/// Rules and splits of links that were read for their account, in the order of the links.
pub(crate) async fn texts(app: &App, links: &[link::Model]) -> Result<Vec<RouteTexts>, ApiError> {
    let routes = ops::routes_of_all(app, links).await?;
    routes.iter().map(|routes| routes.as_ref().map_or_else(|| Ok(RouteTexts::default()), written)).collect()
}

fn written(shown: &ShownRoutes) -> Result<RouteTexts, ApiError> {
    let Routes { rules, split, split_stops_at } = &shown.routes;
    let parts = |parts: &[Part]| -> Vec<SplitPartInput> {
        let part = |part: &Part| SplitPartInput {
            destination_url: part.destination.url.clone(),
            label: shown.destination(part.destination.number, &part.destination.url).label,
            weight: part.weight.into(),
        };
        parts.iter().map(part).collect()
    };
    let rule = |NamedRule { name, rule }: &NamedRule| {
        let (destination_url, split) = match &rule.outcome {
            Outcome::To(to) => (Some(to.url.clone()), None),
            Outcome::Split(split) => (None, Some(parts(split))),
        };
        let conditions = rule.conditions.iter().map(|condition| condition.written().into()).collect();
        LinkRuleInput { name: name.clone(), conditions, destination_url, split }
    };
    let rules = (!rules.is_empty())
        .then(|| SetLinkRulesInput { rules: rules.iter().map(rule).collect(), expected_updated_at: None });
    let split = (!split.is_empty()).then(|| SetLinkSplitInput {
        parts: parts(split),
        auto_stops_at: split_stops_at.map(Timestamp),
        expected_updated_at: None,
    });
    let rules = rules.map(|rules| serde_json::to_string(&rules)).transpose().map_err(ApiError::internal)?;
    let split = split.map(|split| serde_json::to_string(&split)).transpose().map_err(ApiError::internal)?;
    Ok(RouteTexts { rules, split })
}

/// Rules and split of a new link, ready to be stored.
#[derive(Clone, Debug)]
pub(crate) struct NewRoutes {
    row: stored::Model,
    destinations: Vec<link_destination::Model>,
}

/// Reads rules and split of a new link, and checks them as `setLinkRules` and `setLinkSplit` do. `None`: it has none.
pub(crate) async fn read(app: &App, link: Uuid, texts: &RouteTexts) -> Result<Option<NewRoutes>, ApiError> {
    let rules =
        parsed::<SetLinkRulesInput>("rules", texts.rules.as_deref())?.map_or_else(Vec::new, |input| input.rules);
    let split = parsed::<SetLinkSplitInput>("split", texts.split.as_deref())?;
    let (parts, stops_at) = split.map_or((Vec::new(), None), |input| (input.parts, input.auto_stops_at));
    if rules.is_empty() && parts.is_empty() {
        return Ok(None);
    }
    check_values(&rules, &parts)?;
    let rules = proposed::rules(app, rules).await?;
    let parts = proposed::split(app, parts).await?;
    let (mut numbers, mut labels) = (Numbers::new(link, Vec::new(), 1), Labels::new());
    let rules = proposed::numbered_rules(rules, &mut numbers, &mut labels)?;
    let split = proposed::numbered_split(parts, "parts", &mut numbers, &mut labels)?;
    let split_stops_at = stops_at.map(|time| time.0).filter(|_| !split.is_empty());
    let routes = Routes { rules, split, split_stops_at };
    ops::check(&routes, LinkId(link))?;
    let now = app.clock.now();
    let destinations = ops::changes(&numbers, &[], &routes, &labels, now).set;
    Ok(Some(NewRoutes { row: ops::row(link, &routes, (now, now), numbers.next)?, destinations }))
}

fn parsed<T: DeserializeOwned>(path: &str, text: Option<&str>) -> Result<Option<T>, ApiError> {
    let parsed = text.map(serde_json::from_str).transpose();
    parsed.map_err(|error| ApiError::invalid_field(path, format!("can't be read: {error}")))
}

/// Checks what the contract checks of a request, as far as nothing else does.
fn check_values(rules: &[LinkRuleInput], parts: &[SplitPartInput]) -> Result<(), ApiError> {
    let mut violations = Violations::default();
    for (place, rule) in rules.iter().enumerate() {
        check_name(&format!("rules.{place}.name"), rule.name.as_deref(), &mut violations);
        check_parts(&format!("rules.{place}.split"), rule.split.as_deref().unwrap_or_default(), &mut violations);
    }
    check_parts("parts", parts, &mut violations);
    violations.finish()
}

fn check_parts(path: &str, parts: &[SplitPartInput], violations: &mut Violations) {
    for (place, part) in parts.iter().enumerate() {
        check_name(&format!("{path}.{place}.label"), part.label.as_deref(), violations);
        if !(0..=MAX_WEIGHT.into()).contains(&part.weight) {
            violations.add(format!("{path}.{place}.weight"), format!("must be between 0 and {MAX_WEIGHT}"));
        }
    }
}

fn check_name(path: &str, name: Option<&str>, violations: &mut Violations) {
    let Some(name) = name else { return };
    violations.take(path, check_length(name, 1, MAX_LINE).and_then(|()| Ok(check_line(name)?)));
}

/// Stores rules and split of a link that was just created.
pub(crate) async fn store(tx: &impl ConnectionTrait, routes: NewRoutes) -> Result<(), DbErr> {
    rules_repo::set(tx, routes.row).await?;
    rules_repo::set_destinations(tx, routes.destinations).await
}
