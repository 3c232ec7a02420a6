//! Rules and splits as a caller proposes them: read, and numbered among the destinations of a link.

use std::collections::HashSet;

use link_rules::{Condition, Invalid, Outcome, Part, Rule, Written};

use super::inputs::{LinkRuleInput, RuleConditionInput, SplitPartInput};
use crate::{
    app::App,
    base::error::{ApiError, Violations},
    features::links::checks::{destination, served},
    records::links::numbers::{Numbers, Refused, note_label},
    redirect::rules::NamedRule,
};

/// Labels of the destinations that a change names, by number.
pub(super) type Labels = Vec<(u16, Option<String>)>;

/// A rule whose values are valid.
#[derive(Clone, Debug)]
pub(super) struct ProposedRule {
    name: Option<String>,
    conditions: Vec<Condition>,
    to: ProposedOutcome,
}

#[derive(Clone, Debug)]
enum ProposedOutcome {
    To(String),
    Split(Vec<ProposedPart>),
}

/// A part of a split whose values are valid.
#[derive(Clone, Debug)]
pub(super) struct ProposedPart {
    url: String,
    label: Option<String>,
    weight: u8,
}

impl From<Written> for RuleConditionInput {
    fn from(Written { kind, values, key, negated }: Written) -> Self {
        RuleConditionInput { kind: kind.into(), values, key, negated }
    }
}

impl From<RuleConditionInput> for Written {
    fn from(RuleConditionInput { kind, values, key, negated }: RuleConditionInput) -> Self {
        Written { kind: kind.into(), values, key, negated }
    }
}

/// A path as violations have it: `rules.0.split`.
pub(super) fn dotted(path: &str) -> String {
    path.replace('[', ".").replace(']', "")
}

/// Reads rules. Fails with each value that is not allowed.
pub(super) async fn rules(app: &App, inputs: Vec<LinkRuleInput>) -> Result<Vec<ProposedRule>, ApiError> {
    let urls: Vec<&str> = inputs
        .iter()
        .flat_map(|rule| {
            let parts = rule.split.iter().flatten().map(|part| &*part.destination_url);
            rule.destination_url.as_deref().into_iter().chain(parts)
        })
        .collect();
    let served = served(app, urls.into_iter()).await?;
    let mut violations = Violations::default();
    let mut rules = Vec::with_capacity(inputs.len());
    for (place, LinkRuleInput { name, conditions, destination_url, split }) in inputs.into_iter().enumerate() {
        let path = format!("rules.{place}");
        let mut read = Vec::with_capacity(conditions.len());
        for (at, condition) in conditions.into_iter().enumerate() {
            match Condition::read(&condition.into()) {
                Ok(condition) => read.push(condition),
                Err(Invalid { at: field, message }) => {
                    violations.add(dotted(&format!("{path}.conditions.{at}.{field}")), message);
                }
            }
        }
        let to = match (destination_url, split) {
            (Some(url), None) => {
                let path = format!("{path}.destinationUrl");
                violations.take(&path, destination(app, &url, &served)).map(ProposedOutcome::To)
            }
            (None, Some(split)) => {
                Some(ProposedOutcome::Split(parts(app, split, &served, &format!("{path}.split"), &mut violations)))
            }
            _ => {
                violations.add(format!("{path}.destinationUrl"), "must be given, or else split");
                None
            }
        };
        rules.extend(to.map(|to| ProposedRule { name, conditions: read, to }));
    }
    violations.finish()?;
    Ok(rules)
}

/// Reads the parts of a link's own split. Fails with each value that is not allowed.
pub(super) async fn split(app: &App, inputs: Vec<SplitPartInput>) -> Result<Vec<ProposedPart>, ApiError> {
    let urls: Vec<&str> = inputs.iter().map(|part| &*part.destination_url).collect();
    let served = served(app, urls.into_iter()).await?;
    let mut violations = Violations::default();
    let parts = parts(app, inputs, &served, "parts", &mut violations);
    violations.finish()?;
    Ok(parts)
}

fn parts(
    app: &App,
    inputs: Vec<SplitPartInput>,
    served: &HashSet<String>,
    path: &str,
    violations: &mut Violations,
) -> Vec<ProposedPart> {
    let mut parts = Vec::with_capacity(inputs.len());
    for (at, SplitPartInput { destination_url, label, weight }) in inputs.into_iter().enumerate() {
        let url = violations.take(&format!("{path}.{at}.destinationUrl"), destination(app, &destination_url, served));
        // The contract has checked its range.
        parts.extend(url.map(|url| ProposedPart { url, label, weight: u8::try_from(weight).unwrap_or_default() }));
    }
    parts
}

/// Numbers the destinations of rules. Fails for one that can't have a number, or has two labels.
pub(super) fn numbered_rules(
    proposed: Vec<ProposedRule>,
    numbers: &mut Numbers,
    labels: &mut Labels,
) -> Result<Vec<NamedRule>, ApiError> {
    let rules = proposed.into_iter().enumerate().map(|(place, ProposedRule { name, conditions, to })| {
        let path = format!("rules.{place}");
        let outcome = match to {
            ProposedOutcome::To(url) => {
                let refused =
                    |refused: Refused| ApiError::invalid_field(format!("{path}.destinationUrl"), refused.message());
                Outcome::To(numbers.destination(url).map_err(refused)?)
            }
            ProposedOutcome::Split(parts) => {
                Outcome::Split(numbered_split(parts, &format!("{path}.split"), numbers, labels)?)
            }
        };
        Ok(NamedRule { name, rule: Rule { conditions, outcome } })
    });
    rules.collect()
}

/// Numbers the destinations of a split. Fails as for rules.
pub(super) fn numbered_split(
    proposed: Vec<ProposedPart>,
    path: &str,
    numbers: &mut Numbers,
    labels: &mut Labels,
) -> Result<Vec<Part>, ApiError> {
    let parts = proposed.into_iter().enumerate().map(|(at, ProposedPart { url, label, weight })| {
        let refused =
            |field: &str, refused: Refused| ApiError::invalid_field(format!("{path}.{at}.{field}"), refused.message());
        let destination = numbers.destination(url).map_err(|error| refused("destinationUrl", error))?;
        note_label(labels, destination.number, label).map_err(|error| refused("label", error))?;
        Ok(Part { destination, weight })
    });
    parts.collect()
}
