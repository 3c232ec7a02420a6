//! GraphQL inputs of rules and splits, which files of links have in JSON.

use async_graphql::InputObject;
use link_rules::{MAX_CONDITIONS, MAX_PARTS, MAX_RULES, MAX_VALUE, MAX_VALUES, MAX_WEIGHT};
use serde::{Deserialize, Serialize};

use super::types::RuleKind;
use crate::{
    base::validate::MAX_URL,
    graphql::{
        directives::{Format, example, format, items, length, precondition, range},
        scalars::Timestamp,
    },
};

/// Characters of a rule's name, and of a destination's label.
pub(super) const MAX_LINE: i32 = 100;

/// Parts in examples.
const PARTS: &str = r#"[{"destinationUrl":"https://example.com/new","label":"New page","weight":50},{"destinationUrl":"https://example.com/spring-sale","label":"Old page","weight":50}]"#;

/// A condition of a rule.
#[derive(InputObject, Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RuleConditionInput {
    /// What it asks about.
    #[graphql(directive = example::apply("\"QUERY\"".into()))]
    pub(crate) kind: RuleKind,
    /// Alternatives: one of them has to be true. What they look like depends on the kind.
    #[graphql(
        default,
        directive = items::apply(0, MAX_VALUES as i32),
        directive = length::apply(1, MAX_VALUE as i32),
        directive = example::apply("[\"=newsletter\"]".into())
    )]
    #[serde(default)]
    pub(crate) values: Vec<String>,
    /// Name of the query parameter, or time zone, of the kinds that have one.
    #[graphql(directive = length::apply(1, MAX_VALUE as i32), directive = example::apply("utm_source".into()))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
    /// Whether it holds where it otherwise would not.
    #[graphql(default, directive = example::apply("false".into()))]
    #[serde(default)]
    pub(crate) negated: bool,
}

/// A part of a split.
#[derive(InputObject, Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SplitPartInput {
    /// Where its visitors are led; the rules are those of a link's `destinationUrl`. A URL to which the link has led before gets the
    /// number that it had then, and its visitors with it.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/new".into())
    )]
    pub(crate) destination_url: String,
    /// Its name for people. Absent or null: it has none.
    #[graphql(
        directive = length::apply(1, MAX_LINE),
        directive = format::apply(Format::Line),
        directive = example::apply("New page".into())
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    /// Its share of visitors, as a part of the sum of all weights; 0: none.
    #[graphql(directive = range::apply(0, MAX_WEIGHT.into()), directive = example::apply("50".into()))]
    pub(crate) weight: i32,
}

/// A rule: either `destinationUrl` or `split` says where it leads.
#[derive(InputObject, Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct LinkRuleInput {
    /// One line that names it. Absent or null: it has no name.
    #[graphql(
        directive = length::apply(1, MAX_LINE),
        directive = format::apply(Format::Line),
        directive = example::apply("Newsletter".into())
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// Its conditions, all of which have to hold.
    #[graphql(directive = items::apply(1, MAX_CONDITIONS as i32))]
    pub(crate) conditions: Vec<RuleConditionInput>,
    /// Where it leads; the rules are those of a link's `destinationUrl`.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/readers".into())
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) destination_url: Option<String>,
    /// 2 to 8 destinations among which it divides visitors.
    #[graphql(directive = items::apply(1, MAX_PARTS as i32))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) split: Option<Vec<SplitPartInput>>,
}

/// The rules that a link gets in the place of those that it has.
#[derive(InputObject, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SetLinkRulesInput {
    /// In their order; an empty list takes all rules away.
    #[graphql(directive = items::apply(0, MAX_RULES as i32))]
    pub(crate) rules: Vec<LinkRuleInput>,
    /// `updatedAt` of the link as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: the rules are set whoever changed the link meanwhile.
    #[graphql(directive = precondition::apply())]
    #[serde(skip)]
    pub(crate) expected_updated_at: Option<Timestamp>,
}

/// The split that a link gets in the place of the one that it has.
#[derive(InputObject, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SetLinkSplitInput {
    /// 2 to 8 parts; an empty list takes the split away.
    #[graphql(directive = items::apply(0, MAX_PARTS as i32), directive = example::apply(PARTS.into()))]
    pub(crate) parts: Vec<SplitPartInput>,
    /// From then on all of its visitors go to the link's own destination. Absent or null: it goes on until it is changed.
    #[graphql(directive = example::apply("2026-12-24T18:00:00.000Z".into()))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) auto_stops_at: Option<Timestamp>,
    /// As in `SetLinkRulesInput`.
    #[graphql(directive = precondition::apply())]
    #[serde(skip)]
    pub(crate) expected_updated_at: Option<Timestamp>,
}
