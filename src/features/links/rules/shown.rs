//! Rules and splits as the API shows them.

use entity::link_destination;
use link_rules::{Outcome, Part, Reason, Warning};

use super::{
    ops::ShownRoutes,
    types::{LinkDestination, LinkRule, LinkRules, LinkSplit, MAX_WARNINGS, RuleWarning, RuleWarningReason, SplitPart},
};
use crate::{
    app::App,
    graphql::scalars::Timestamp,
    redirect::rules::{NamedRule, OWN},
};

/// A place from 0 on, as a number from 1 on.
pub(super) fn number(place: usize) -> i32 {
    i32::try_from(place + 1).unwrap_or(i32::MAX)
}

impl From<&link_destination::Model> for LinkDestination {
    fn from(row: &link_destination::Model) -> Self {
        LinkDestination {
            number: i32::try_from(row.number).unwrap_or(i32::MAX),
            url: row.url.clone(),
            label: row.label.clone(),
            is_retired: row.retired_at.is_some(),
        }
    }
}

impl ShownRoutes {
    /// The destination with this number and URL.
    pub(super) fn destination(&self, number: u16, url: &str) -> LinkDestination {
        let known = self.destinations.iter().find(|row| row.number == i64::from(number) && number != OWN);
        known.map_or_else(
            || LinkDestination { number: number.into(), url: url.to_owned(), label: None, is_retired: false },
            LinkDestination::from,
        )
    }

    fn parts(&self, parts: &[Part]) -> Vec<SplitPart> {
        let part = |part: &Part| SplitPart {
            destination: self.destination(part.destination.number, &part.destination.url),
            weight: part.weight.into(),
        };
        parts.iter().map(part).collect()
    }

    /// Its rules, in their order.
    fn shown_rules(&self) -> Vec<LinkRule> {
        let rule = |(place, NamedRule { name, rule }): (usize, &NamedRule)| {
            let (destination, split) = match &rule.outcome {
                Outcome::To(to) => (Some(self.destination(to.number, &to.url)), Vec::new()),
                Outcome::Split(parts) => (None, self.parts(parts)),
            };
            LinkRule {
                number: number(place),
                name: name.clone(),
                conditions: rule.conditions.iter().map(|condition| condition.written().into()).collect(),
                destination,
                split,
            }
        };
        self.routes.rules.iter().enumerate().map(rule).collect()
    }

    /// Parts of its split; none: it is not split.
    fn shown_split(&self) -> Vec<SplitPart> {
        self.parts(&self.routes.split)
    }
}

impl LinkRules {
    pub(crate) fn new(shown: &ShownRoutes, app: &App) -> Self {
        LinkRules {
            id: shown.link.id.into(),
            rules: shown.shown_rules(),
            destinations: shown.destinations.iter().map(LinkDestination::from).collect(),
            warnings: shown.warnings(app).into_iter().take(MAX_WARNINGS as usize).map(RuleWarning::from).collect(),
            updated_at: Timestamp(shown.link.updated_at),
        }
    }
}

impl LinkSplit {
    pub(crate) fn new(shown: &ShownRoutes) -> Self {
        LinkSplit {
            id: shown.link.id.into(),
            parts: shown.shown_split(),
            auto_stops_at: shown.routes.split_stops_at.map(Timestamp),
            updated_at: Timestamp(shown.link.updated_at),
        }
    }
}

impl From<Warning> for RuleWarning {
    fn from(warning: Warning) -> Self {
        RuleWarning {
            rule: number(warning.rule),
            condition: warning.condition.map(number),
            reason: match warning.reason {
                Reason::NoCountries => RuleWarningReason::NoCountries,
                Reason::NoCities => RuleWarningReason::NoCities,
                Reason::UntrustedProxy => RuleWarningReason::UntrustedProxy,
                Reason::NeverReached(_) => RuleWarningReason::NeverReached,
                Reason::WindowOver => RuleWarningReason::WindowOver,
                Reason::IpadsAreMacs => RuleWarningReason::IpadsAreMacs,
                Reason::UnknownName(_) => RuleWarningReason::UnknownName,
            },
            message: warning.reason.to_string(),
        }
    }
}
