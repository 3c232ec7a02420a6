//! Rules and splits of a short link: to which of its destinations a visit is led. The crate is independent of linkgraph's service.
//!
//! # Rules
//!
//! A link has up to [`MAX_RULES`] rules in an order, and the first that matches decides; if none does, the link's own destination or
//! split. A rule matches where all its conditions hold. A condition holds where one of its values is true of the visit or, if it is
//! negated, where none is; what is unknown of a visit is none of the values, so that it is not from Germany and "not from Germany".
//!
//! | kind | values | key | true of a visit |
//! |---|---|---|---|
//! | `DEVICE` | `MOBILE`, `TABLET`, `DESKTOP` | | of this device |
//! | `OS`, `BROWSER` | names such as `iOS`, `Instagram` | | whose user agent is read as this one, without case |
//! | `COUNTRY` | ISO 3166-1: `DE` | | from there |
//! | `REGION` | ISO 3166-2: `DE-BY` | | from there |
//! | `CITY` | `Springfield`, `US:Springfield` | | from a city of this name, without case, and in this country |
//! | `LANGUAGE` | BCP 47: `fr`, `pt-BR` | | whose preferred language is this or, as `fr-CH` for `fr`, a part of it |
//! | `QUERY` | none, `=text`, `~text` | parameter | that has the parameter, with this value, with this text in it |
//! | `TIME_WINDOW` | `2026-12-01T00:00/2026-12-24T00:00`, one end may be `..` | zone | from the first time until before the second |
//! | `WEEKLY_HOURS` | `MON-FRI 09:00-17:30`, `FRI 22:00-02:00` | zone | while clocks of the zone show these hours |
//! | `REFERRER` | `example.com`, `none` | | from a page of this host or one below it; that does not say |
//! | `ADDRESS` | `192.0.2.0/24`, `2001:db8::1` | | from this network; IPv4-mapped addresses of IPv6 are those of IPv4 |
//! | `IS_BOT` | | | of a bot |
//!
//! The preferred language is that of RFC 4647's look-up among all languages that the link's rules name: somebody who prefers English
//! and reads some French is not led by a rule for `fr` if there is one for `en`, whichever comes first. Of a query, the first 2 KiB are
//! looked at. What happens where clocks change is said in `hours.rs`.
//!
//! # From texts to a decision
//!
//! [`Condition::read`] takes what a caller wrote, and [`Condition::written`] gives it back in its normal form. [`compile`] makes of all
//! rules one run of bytes for a cache, at most [`MAX_PROGRAM`]; [`decide`] runs it for a [`Visit`], which is asked only for what
//! conditions need. [`explain`] runs the same code and says what became of each rule, and [`warnings`] which rules can't work.
//!
//! # Splits
//!
//! A split leads visitors to 2 to [`MAX_PARTS`] destinations in proportion to their weights, each visitor to the same one at each
//! visit, without a cookie or anything stored (`split.rs`). [`Share`] and [`RatioTest`] judge its numbers.

mod bytes;
mod condition;
mod covers;
mod hours;
mod language;
mod places;
mod program;
mod rule;
mod run;
mod split;
mod statistics;
mod values;
mod visit;
mod warning;

pub use self::{
    bytes::Damaged,
    condition::{Condition, Kind, Written},
    language::most_preferred,
    program::{Program, compile},
    rule::{Destination, Invalid, Outcome, Part, Rule},
    run::{Decision, Explanation, Judged, decide, explain},
    statistics::{RatioTest, Share},
    values::{Device, language_tag},
    visit::{Agent, Visit, Visitor},
    warning::{Facts, Reason, Warning, warnings},
};

/// Rules that a link may have.
pub const MAX_RULES: usize = 32;
/// Conditions that a rule may have.
pub const MAX_CONDITIONS: usize = 8;
/// Values that a condition may have.
pub const MAX_VALUES: usize = 50;
/// Bytes that a value or key may have, as it is written.
pub const MAX_VALUE: usize = 200;
/// Destinations that rules may lead to, with those of the link itself.
pub const MAX_DESTINATIONS: usize = 16;
/// Parts that a split may have.
pub const MAX_PARTS: usize = 8;
/// The highest weight of a part.
pub const MAX_WEIGHT: u8 = 100;
/// Bytes of a program: the cache of redirects keeps no value of more than 32 KiB, and each visit of what is not kept would ask the
/// database.
pub const MAX_PROGRAM: usize = 24 * 1024;
