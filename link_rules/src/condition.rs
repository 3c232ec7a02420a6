//! A condition: what a caller writes, and what it means.

use std::{fmt::Display, str::FromStr};

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::{
    Invalid, MAX_VALUE, MAX_VALUES,
    hours::{Hours, Window},
    places::{City, Country, Region},
    values::{Device, Name, Network, QueryValue, Referrer, Tag},
};

/// What a condition asks about a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Kind {
    /// The device: [`Device`].
    Device,
    /// Family of the operating system.
    Os,
    /// Family of the browser, or the app that shows the page in itself.
    Browser,
    /// ISO 3166-1 alpha-2.
    Country,
    /// ISO 3166-2.
    Region,
    /// Name of a city, and its country.
    City,
    /// Ranges of BCP 47.
    Language,
    /// A parameter of the short URL's query; its name is the key.
    Query,
    /// From a time until another; the key is their zone.
    TimeWindow,
    /// Hours of the week; the key is their zone.
    WeeklyHours,
    /// Host of the page that the visit comes from.
    Referrer,
    /// Networks of the client's address.
    Address,
    /// Whether the visit is a bot's.
    IsBot,
}

impl Kind {
    /// All kinds; the place of a kind is its number in a program.
    pub const ALL: [Kind; 13] = [
        Kind::Device,
        Kind::Os,
        Kind::Browser,
        Kind::Country,
        Kind::Region,
        Kind::City,
        Kind::Language,
        Kind::Query,
        Kind::TimeWindow,
        Kind::WeeklyHours,
        Kind::Referrer,
        Kind::Address,
        Kind::IsBot,
    ];
}

/// A condition as callers write and see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// The fact of a visit that the condition is about.
    pub kind: Kind,
    /// Alternatives: one of them has to be true. Their form depends on the kind.
    pub values: Vec<String>,
    /// Name of the parameter, or the time zone, of the kinds that have one.
    pub key: Option<String>,
    /// Whether it holds where it otherwise would not.
    pub negated: bool,
}

/// A condition of a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Condition {
    pub(crate) test: Test,
    pub(crate) negated: bool,
}

/// What has to be true of a visit: one of the values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Test {
    Device(Vec<Device>),
    Os(Vec<Name>),
    Browser(Vec<Name>),
    Country(Vec<Country>),
    Region(Vec<Region>),
    City(Vec<City>),
    Language(Vec<Tag>),
    /// Name of the parameter. Without values, it has to be there.
    Query(String, Vec<QueryValue>),
    TimeWindow(Tz, Vec<Window>),
    WeeklyHours(Tz, Vec<Hours>),
    Referrer(Vec<Referrer>),
    Address(Vec<Network>),
    IsBot,
}

impl Condition {
    /// Reads what a caller wrote. Values are brought into their normal form, and each is kept once.
    ///
    /// # Errors
    ///
    /// For the first value or key that is not allowed.
    pub fn read(written: &Written) -> Result<Self, Invalid> {
        let key = written.key.as_deref();
        if let Some(key) = key
            && !matches!(written.kind, Kind::Query | Kind::TimeWindow | Kind::WeeklyHours)
        {
            return Err(Invalid::new("key", format!("must be left out: this kind has none, {key:?} was given")));
        }
        let texts = &written.values;
        let test = match written.kind {
            Kind::Device => Test::Device(values(texts)?),
            Kind::Os => Test::Os(values(texts)?),
            Kind::Browser => Test::Browser(values(texts)?),
            Kind::Country => Test::Country(values(texts)?),
            Kind::Region => Test::Region(values(texts)?),
            Kind::City => Test::City(values(texts)?),
            Kind::Language => Test::Language(values(texts)?),
            Kind::Query if texts.is_empty() => Test::Query(parameter(key)?, Vec::new()),
            Kind::Query => Test::Query(parameter(key)?, values(texts)?),
            Kind::TimeWindow => {
                let zone = zone(key)?;
                let windows: Vec<Window> = values(texts)?;
                match windows.iter().position(|window| window.is_empty(zone)) {
                    Some(at) => return Err(Invalid::new(format!("values[{at}]"), "must begin before it ends")),
                    None => Test::TimeWindow(zone, windows),
                }
            }
            Kind::WeeklyHours => Test::WeeklyHours(zone(key)?, values(texts)?),
            Kind::Referrer => Test::Referrer(values(texts)?),
            Kind::Address => Test::Address(values(texts)?),
            Kind::IsBot if texts.is_empty() => Test::IsBot,
            Kind::IsBot => return Err(Invalid::new("values", "must be empty: this kind has none")),
        };
        Ok(Condition { test, negated: written.negated })
    }

    /// The condition as callers see it, with its values in their normal form: read again, it is the same condition.
    pub fn written(&self) -> Written {
        let (values, key) = match &self.test {
            Test::Device(values) => (texts(values), None),
            Test::Os(values) | Test::Browser(values) => (texts(values), None),
            Test::Country(values) => (texts(values), None),
            Test::Region(values) => (texts(values), None),
            Test::City(values) => (texts(values), None),
            Test::Language(values) => (texts(values), None),
            Test::Query(name, values) => (texts(values), Some(name.clone())),
            Test::TimeWindow(zone, values) => (texts(values), Some(zone.name().to_owned())),
            Test::WeeklyHours(zone, values) => (texts(values), Some(zone.name().to_owned())),
            Test::Referrer(values) => (texts(values), None),
            Test::Address(values) => (texts(values), None),
            Test::IsBot => (Vec::new(), None),
        };
        Written { kind: self.kind(), values, key, negated: self.negated }
    }

    /// What the condition asks about.
    pub fn kind(&self) -> Kind {
        self.test.kind()
    }
}

impl Test {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Test::Device(_) => Kind::Device,
            Test::Os(_) => Kind::Os,
            Test::Browser(_) => Kind::Browser,
            Test::Country(_) => Kind::Country,
            Test::Region(_) => Kind::Region,
            Test::City(_) => Kind::City,
            Test::Language(_) => Kind::Language,
            Test::Query(..) => Kind::Query,
            Test::TimeWindow(..) => Kind::TimeWindow,
            Test::WeeklyHours(..) => Kind::WeeklyHours,
            Test::Referrer(_) => Kind::Referrer,
            Test::Address(_) => Kind::Address,
            Test::IsBot => Kind::IsBot,
        }
    }
}

impl TryFrom<Written> for Condition {
    type Error = Invalid;

    fn try_from(written: Written) -> Result<Self, Invalid> {
        Condition::read(&written)
    }
}

impl From<Condition> for Written {
    fn from(condition: Condition) -> Self {
        condition.written()
    }
}

fn values<T: FromStr<Err = &'static str> + PartialEq>(texts: &[String]) -> Result<Vec<T>, Invalid> {
    if texts.is_empty() || texts.len() > MAX_VALUES {
        return Err(Invalid::new("values", format!("must have 1 to {MAX_VALUES} items, has {}", texts.len())));
    }
    let mut values = Vec::with_capacity(texts.len());
    for (at, text) in texts.iter().enumerate() {
        let invalid = |message: String| Invalid::new(format!("values[{at}]"), message);
        if text.len() > MAX_VALUE {
            return Err(invalid(format!("must have at most {MAX_VALUE} bytes, has {}", text.len())));
        }
        let value = text.parse().map_err(|allowed: &str| invalid(format!("must be {allowed}")))?;
        if !values.contains(&value) {
            values.push(value);
        }
    }
    Ok(values)
}

fn texts(values: &[impl Display]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

fn parameter(key: Option<&str>) -> Result<String, Invalid> {
    let name = key.filter(|name| !name.is_empty() && name.len() <= MAX_VALUE).map(str::to_owned);
    name.ok_or_else(|| Invalid::new("key", format!("must be the name of a query parameter, 1 to {MAX_VALUE} bytes")))
}

fn zone(key: Option<&str>) -> Result<Tz, Invalid> {
    let zone = key.and_then(|name| name.parse().ok());
    zone.ok_or_else(|| Invalid::new("key", "must be a time zone of the IANA database, such as Europe/Berlin or UTC"))
}
