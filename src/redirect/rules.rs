//! Rules and split of a link: as they are stored, compiled for the cache, and where they lead a visit.

use entity::link_rules as stored;
use link_rules::{Damaged, Decision, Destination, Invalid, Outcome, Part, Rule, Visit, compile, decide};
use serde::{Deserialize, Serialize};

use super::target::{Program, Target};
use crate::base::{clock::UnixMillis, ids::LinkId};

/// The number of a link's own destination.
pub(crate) const OWN: u16 = 0;

/// A rule with its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct NamedRule {
    /// One line for people. `None`: it has no name.
    pub(crate) name: Option<String>,
    /// The rule itself.
    #[serde(flatten)]
    pub(crate) rule: Rule,
}

/// Where a link leads beside its own destination. The default is a link without rules and split.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Routes {
    pub(crate) rules: Vec<NamedRule>,
    /// Parts of the split; none: the link is not split.
    pub(crate) split: Vec<Part>,
    /// When the split stops. `None`: never.
    pub(crate) split_stops_at: Option<UnixMillis>,
}

impl Routes {
    /// Reads what is stored. Fails for what a later version has written.
    pub(crate) fn read(
        rules: &str,
        split: Option<&str>,
        split_stops_at: Option<UnixMillis>,
    ) -> serde_json::Result<Self> {
        Ok(Routes {
            rules: serde_json::from_str(rules)?,
            split: split.map(serde_json::from_str).transpose()?.unwrap_or_default(),
            split_stops_at,
        })
    }

    /// Those of a row.
    pub(crate) fn of(row: &stored::Model) -> serde_json::Result<Self> {
        Routes::read(&row.rules, row.split.as_deref(), row.split_stops_at)
    }

    /// Whether all visits are led to the link's own destination.
    pub(crate) fn are_none(&self) -> bool {
        self.rules.is_empty() && self.split.is_empty()
    }

    /// Where visits are led that no rule leads elsewhere, until the split stops.
    fn default_outcome(&self, own_url: &str) -> Outcome {
        match self.split.is_empty() {
            true => Outcome::To(Destination { number: OWN, url: own_url.to_owned() }),
            false => Outcome::Split(self.split.clone()),
        }
    }

    /// The program of the link.
    ///
    /// # Errors
    ///
    /// With all values that are not allowed.
    pub(crate) fn compile(&self, link: LinkId, own_url: &str) -> Result<link_rules::Program, Vec<Invalid>> {
        let rules: Vec<Rule> = self.rules.iter().map(|named| named.rule.clone()).collect();
        compile(link.0.as_bytes(), &rules, &self.default_outcome(own_url))
    }

    /// The split's end as targets have it.
    pub(crate) fn stop(&self) -> UnixMillis {
        self.split_stops_at.unwrap_or(UnixMillis::MAX)
    }
}

/// Where a visit is led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Led<'a> {
    /// The URL.
    pub(crate) location: &'a [u8],
    /// Number of the destination.
    pub(crate) destination: u16,
    /// Number of the rule that leads there, from 1 on. 0: none does.
    pub(crate) rule: u8,
}

/// Where a visit of the link is led. `visit` is made only where it makes a difference.
pub(crate) fn led<V: Visit>(target: &Target, visit: impl FnOnce() -> V) -> Led<'_> {
    let own = Led { location: target.location(), destination: OWN, rule: 0 };
    let Some(program) = target.program() else { return own };
    let visit = visit();
    let led = decide(program.bytes, &visit).and_then(|decision| decided(program, decision, || visit.now()));
    led.unwrap_or_else(|Damaged| {
        // What is compiled is run by the same build.
        tracing::error!(link = %target.link().0, "The rules of a link can't be run: visits are led to its destination");
        None
    })
    .unwrap_or(own)
}

/// Where a decision of this program leads the visit at `now`. `None`: to the link's own destination.
pub(crate) fn decided(
    program: Program<'_>,
    decision: Decision,
    now: impl FnOnce() -> UnixMillis,
) -> Result<Option<Led<'_>>, Damaged> {
    let has_stopped = || program.split_stops_at != UnixMillis::MAX && program.split_stops_at <= now();
    if decision.destination == OWN || decision.rule.is_none() && has_stopped() {
        return Ok(None);
    }
    let rule = decision.rule.map_or(0, |place| u8::try_from(place + 1).unwrap_or_default());
    let location = program.bytes.get(decision.url).ok_or(Damaged)?;
    Ok(Some(Led { location, destination: decision.destination, rule }))
}
