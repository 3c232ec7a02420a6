//! Inputs of reports.

use async_graphql::{ID, InputObject, MaybeUndefined};

use super::definition::{Definition, ReportPanel, ReportPeriod, ReportTime};
use crate::{
    base::{
        config::origin,
        error::{ApiError, Violations},
        patch::Patch,
        validate::{MAX_NAME, MAX_PASSWORD},
    },
    features::analytics::filter::{ClickCondition, FILTER, MAX_CONDITIONS, conditions},
    graphql::{
        directives::{Format, clearable, example, format, items, length, precondition, range},
        scalars::{TimeZone, Timestamp},
    },
    platform::auth::caller::Call,
    records::links::gate::MIN_LINK_PASSWORD,
};

/// Lengths of a period that it can be before the one that ends now.
const MAX_BACK: i32 = 99;
const MAX_PANELS: i32 = 15;
const MAX_ORIGINS: i32 = 20;
/// Characters of an origin: `https://`, a host and a port.
const MAX_ORIGIN: i32 = 270;

/// Values that a report may have, a new one or another.
#[derive(InputObject, Clone)]
pub(crate) struct ReportFields {
    /// Only clicks of which all these conditions hold are counted. Empty, or absent in a new report: all are.
    #[graphql(directive = items::apply(0, MAX_CONDITIONS), directive = example::apply(FILTER.into()))]
    pub(crate) filter: Option<Vec<ClickCondition>>,
    /// The period whose clicks are counted; it takes the place of `from` and `to`. Absent in a new report without these: `LAST_30_DAYS`.
    #[graphql(directive = example::apply("\"LAST_30_DAYS\"".into()))]
    pub(crate) period: Option<ReportPeriod>,
    /// How many times its length the period is before the one that ends now. Absent, with a period: 0.
    #[graphql(directive = range::apply(0, MAX_BACK), directive = example::apply("0".into()))]
    pub(crate) back: Option<i32>,
    /// Start of the time whose clicks are counted, instead of a period. Not without `to`, and earlier.
    #[graphql(directive = example::apply("null".into()))]
    pub(crate) from: Option<Timestamp>,
    /// End of that time. Not without `from`.
    #[graphql(directive = example::apply("null".into()))]
    pub(crate) to: Option<Timestamp>,
    /// By whose calendar and clocks days begin. Absent in a new report: `UTC`.
    #[graphql(directive = example::apply("Europe/Zurich".into()))]
    pub(crate) time_zone: Option<TimeZone>,
    /// Whether clicks of bots count. Absent in a new report: they don't.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) include_bots: Option<bool>,
    /// The lists on its page, in this order. Absent in a new report: `COUNTRIES`, `SOURCES`, `DEVICES`.
    #[graphql(directive = items::apply(0, MAX_PANELS), directive = example::apply("[\"COUNTRIES\",\"SOURCES\"]".into()))]
    pub(crate) panels: Option<Vec<ReportPanel>>,
    /// Whether its page says where links lead. Absent in a new report: it doesn't.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) shows_destinations: Option<bool>,
    /// Origins whose pages may show its page in a frame. Empty, or absent in a new report: none.
    #[graphql(
        directive = items::apply(0, MAX_ORIGINS),
        directive = length::apply(1, MAX_ORIGIN),
        directive = example::apply("[\"https://wiki.example.com\"]".into())
    )]
    pub(crate) embed_origins: Option<Vec<String>>,
    /// Password that its page asks for, 6 to 200 characters. It is stored as a hash, and never shown. Null: none.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(MIN_LINK_PASSWORD, MAX_PASSWORD),
        directive = example::apply("tulips-in-april".into())
    )]
    pub(crate) password: MaybeUndefined<String>,
    /// When its page ceases to be there. Null: no end.
    #[graphql(directive = clearable::apply(), directive = example::apply("2027-01-31T23:00:00.000Z".into()))]
    pub(crate) expires_at: MaybeUndefined<Timestamp>,
    /// Whether it has a page. False ends the page at once, and a report that is shared again has another URL. Absent in a new report: it
    /// has one.
    #[graphql(directive = example::apply("true".into()))]
    pub(crate) is_shared: Option<bool>,
}

impl ReportFields {
    /// The password, as it was sent.
    pub(super) fn password(&self) -> Patch<String> {
        self.password.clone().into()
    }

    /// Writes what is said of the definition into it, and notes what breaks a rule. Fails if the caller may not know what the filter asks about.
    pub(super) fn write_into(
        &self,
        definition: &mut Definition,
        call: &Call,
        violations: &mut Violations,
    ) -> Result<(), ApiError> {
        if let Some(filter) = &self.filter {
            definition.conditions = conditions(call, filter.clone(), violations)?;
        }
        match (self.from, self.to) {
            (None, None) => {
                if self.period.is_some() || self.back.is_some() {
                    let before = match definition.time {
                        ReportTime::Period { period, .. } => period,
                        ReportTime::Fixed { .. } => ReportPeriod::default(),
                    };
                    let period = self.period.unwrap_or(before);
                    definition.time = ReportTime::Period { period, back: self.back.unwrap_or(0) };
                }
            }
            (Some(_), None) => violations.add("to", "must be there with from"),
            (None, Some(_)) => violations.add("from", "must be there with to"),
            (Some(from), Some(to)) => {
                if from.0 >= to.0 {
                    violations.add("to", "must be later than from");
                }
                for (name, is_there) in [("period", self.period.is_some()), ("back", self.back.is_some())] {
                    if is_there {
                        violations.add(name, "must not be there with from and to");
                    }
                }
                definition.time = ReportTime::Fixed { from: from.0, to: to.0 };
            }
        }
        if let Some(TimeZone(zone)) = self.time_zone {
            definition.time_zone = zone;
        }
        definition.include_bots = self.include_bots.unwrap_or(definition.include_bots);
        definition.shows_destinations = self.shows_destinations.unwrap_or(definition.shows_destinations);
        if let Some(panels) = &self.panels {
            definition.panels = Vec::new();
            for (place, panel) in panels.iter().enumerate() {
                if definition.panels.contains(panel) {
                    violations.add(format!("panels.{place}"), "is there already");
                }
                definition.panels.push(*panel);
            }
        }
        if let Some(origins) = &self.embed_origins {
            definition.embed_origins = Vec::new();
            for (place, text) in origins.iter().enumerate() {
                match origin(text) {
                    Some(origin) => definition.embed_origins.push(origin),
                    None => violations
                        .add(format!("embedOrigins.{place}"), "is not an origin, such as https://wiki.example.com"),
                }
            }
        }
        Ok(())
    }
}

/// A report to create.
#[derive(InputObject)]
pub(crate) struct CreateReportInput {
    /// Its name of 1 to 100 characters, which its page has as its title.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("Spring campaign".into())
    )]
    pub(crate) name: String,
    /// Id of the link whose clicks it counts; the report goes with the link. Absent or null: those on all links of the account.
    #[graphql(directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into()))]
    pub(crate) link_id: Option<ID>,
    /// Clicks, time and page.
    #[graphql(flatten)]
    pub(crate) fields: ReportFields,
}

/// The fields of a report that change; fields that are absent stay as they are.
#[derive(InputObject)]
pub(crate) struct UpdateReportInput {
    /// Its name from now on.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("Spring campaign, all countries".into())
    )]
    pub(crate) name: Option<String>,
    /// Clicks, time and page.
    #[graphql(flatten)]
    pub(crate) fields: ReportFields,
    /// `updatedAt` of the report as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: the report is changed whoever changed it meanwhile.
    #[graphql(directive = precondition::apply())]
    pub(crate) expected_updated_at: Option<Timestamp>,
}
