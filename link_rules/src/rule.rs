//! Rules of a link, and where they lead.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Serialize};

use crate::{Condition, MAX_CONDITIONS, MAX_DESTINATIONS, MAX_PARTS, MAX_RULES, MAX_WEIGHT};

/// A place that a link leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Destination {
    /// Its number among all that the link has and had.
    pub number: u16,
    /// Its URL.
    pub url: String,
}

/// A part of a split.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Where its visitors are led. Its number decides which they are.
    pub destination: Destination,
    /// The share of visitors, as a part of the sum of all weights: 0 to [`MAX_WEIGHT`]. 0: none.
    pub weight: u8,
}

/// Where a rule, or a link, leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// To one destination.
    To(Destination),
    /// To one of several, each visitor always to the same.
    Split(Vec<Part>),
}

impl Outcome {
    /// All destinations.
    pub fn destinations(&self) -> impl Iterator<Item = &Destination> {
        let (one, parts) = match self {
            Outcome::To(destination) => (Some(destination), &[][..]),
            Outcome::Split(parts) => (None, parts.as_slice()),
        };
        one.into_iter().chain(parts.iter().map(|part| &part.destination))
    }
}

/// A rule: where all its conditions hold, and no earlier rule's do, the link leads to its outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// 1 to [`MAX_CONDITIONS`].
    pub conditions: Vec<Condition>,
    /// Where it leads.
    pub outcome: Outcome,
}

/// A value that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The path of its field: `values[1]` of a condition, `rules[2].split[0].weight` of all rules.
    pub at: String,
    /// What is allowed, for a person.
    pub message: String,
}

impl Invalid {
    pub(crate) fn new(at: impl Into<String>, message: impl Into<String>) -> Self {
        Invalid { at: at.into(), message: message.into() }
    }

    /// The same of a field in another one: `values[1]` in `rules[2].conditions[0]` is `rules[2].conditions[0].values[1]`.
    #[must_use]
    pub fn within(self, outer: impl fmt::Display) -> Self {
        Invalid { at: format!("{outer}.{}", self.at), ..self }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.at, self.message)
    }
}

impl std::error::Error for Invalid {}

/// All that exceeds a limit, or that a split can't be, in rules and in where the link leads without them.
pub(crate) fn check(rules: &[Rule], default: &Outcome) -> Vec<Invalid> {
    let mut all = Vec::new();
    if rules.len() > MAX_RULES {
        all.push(Invalid::new("rules", format!("must have at most {MAX_RULES} items, has {}", rules.len())));
    }
    for (at, rule) in rules.iter().enumerate() {
        let count = rule.conditions.len();
        if !(1..=MAX_CONDITIONS).contains(&count) {
            let message = format!("must have 1 to {MAX_CONDITIONS} items, has {count}");
            all.push(Invalid::new(format!("rules[{at}].conditions"), message));
        }
    }
    let mut known: Vec<&Destination> = Vec::new();
    let outcomes = rules.iter().enumerate().map(|(at, rule)| (Cow::Owned(format!("rules[{at}].")), &rule.outcome));
    for (path, outcome) in outcomes.chain([(Cow::Borrowed(""), default)]) {
        if let Outcome::Split(parts) = outcome {
            all.extend(check_split(parts, &path));
        }
        for (part, destination) in outcome.destinations().enumerate() {
            match known.iter().find(|other| other.number == destination.number) {
                Some(other) if other.url != destination.url => {
                    let field = match outcome {
                        Outcome::To(_) => "destinationUrl".to_owned(),
                        Outcome::Split(_) => format!("split[{part}].destinationUrl"),
                    };
                    let message = format!("must be the one URL of destination {}", destination.number);
                    all.push(Invalid::new(format!("{path}{field}"), message));
                }
                Some(_) => {}
                None => known.push(destination),
            }
        }
    }
    if known.len() > MAX_DESTINATIONS {
        let message =
            format!("must lead to at most {MAX_DESTINATIONS} destinations, with the link's own: {}", known.len());
        all.push(Invalid::new("rules", message));
    }
    all
}

fn check_split(parts: &[Part], path: &str) -> Vec<Invalid> {
    let mut all = Vec::new();
    if !(2..=MAX_PARTS).contains(&parts.len()) {
        all.push(Invalid::new(
            format!("{path}split"),
            format!("must have 2 to {MAX_PARTS} items, has {}", parts.len()),
        ));
    }
    for (at, part) in parts.iter().enumerate() {
        if part.weight > MAX_WEIGHT {
            let message = format!("must be 0 to {MAX_WEIGHT}, is {}", part.weight);
            all.push(Invalid::new(format!("{path}split[{at}].weight"), message));
        }
        if parts[..at].iter().any(|earlier| earlier.destination.number == part.destination.number) {
            let message = "must be another destination than those of the parts before";
            all.push(Invalid::new(format!("{path}split[{at}].destinationUrl"), message));
        }
    }
    if parts.iter().all(|part| part.weight == 0) {
        all.push(Invalid::new(format!("{path}split"), "must have a part whose weight is more than 0"));
    }
    all
}
