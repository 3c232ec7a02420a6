//! GraphQL types of rules and splits.

use async_graphql::{ComplexObject, Context, Enum, ID, SimpleObject};
use link_rules::{MAX_CONDITIONS, MAX_PARTS, MAX_RULES, MAX_VALUES, Written};
use serde::{Deserialize, Serialize};

use crate::{
    base::error::{ApiError, Code},
    features::links::link::Link,
    graphql::{
        directives::{embedded, example, items},
        scalars::Timestamp,
        shorthands::Reads,
    },
    platform::auth::{access::resource, scope::Scope},
};

/// What a condition asks about a visit. Text behind the kinds says what values have to look like.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[graphql(remote = "link_rules::Kind")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum RuleKind {
    /// The device: `MOBILE`, `TABLET`, `DESKTOP`. Browsers on iPads pretend to be on a Mac, so that most iPads are `DESKTOP`.
    Device,
    /// The operating system, as clicks name it, such as `iOS`. Case does not matter.
    Os,
    /// The browser, or the app that shows the page in itself, as clicks name it, such as `Instagram`. Case does not matter.
    Browser,
    /// The country, ISO 3166-1 alpha-2, such as `DE`.
    Country,
    /// The region, ISO 3166-2, such as `DE-BY`, where the service has a file that tells it.
    Region,
    /// The city by its English name, such as `Springfield`, or with its country, such as `US:Springfield`, where the service has a file
    /// that tells it. Case does not matter.
    City,
    /// The language that the visitor prefers among all that the link's rules name, such as `fr` or `pt-BR` (RFC 4647, look-up): `fr` is
    /// true for `fr-CH`, too.
    Language,
    /// A parameter of the short URL's query, whose name is `key`. Without values: it is there. `=text`: it has this value. `~text`: its
    /// value contains this.
    Query,
    /// A time from a moment until before another in the time zone `key`, such as `2026-12-01T00:00/2026-12-24T00:00`; `..` stands for
    /// an open end.
    TimeWindow,
    /// Hours of the week in the time zone `key`, such as `MON-FRI 09:00-17:30` or `FRI 22:00-02:00`.
    WeeklyHours,
    /// The host of the page that the visit comes from, such as `example.com`, which those below it are, too; `none`: the visit does not
    /// say.
    Referrer,
    /// The network of the visitor's address, such as `192.0.2.0/24` or `2001:db8::1`.
    Address,
    /// A bot visits. Without values.
    IsBot,
}

/// A condition of a rule: it holds where one of its values is true of the visit or, if it is negated, where none is. What is unknown of a
/// visit is none of the values.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct RuleCondition {
    /// What it asks about.
    #[graphql(directive = example::apply("\"QUERY\"".into()))]
    pub(crate) kind: RuleKind,
    /// Alternatives, in their normal form.
    #[graphql(directive = items::apply(0, MAX_VALUES as i32), directive = example::apply("[\"=newsletter\"]".into()))]
    pub(crate) values: Vec<String>,
    /// Name of the query parameter, or time zone, by the kind. Null: the kind has none.
    #[graphql(directive = example::apply("utm_source".into()))]
    pub(crate) key: Option<String>,
    /// Whether it holds where it otherwise would not.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) negated: bool,
}

impl From<Written> for RuleCondition {
    fn from(Written { kind, values, key, negated }: Written) -> Self {
        RuleCondition { kind: kind.into(), values, key, negated }
    }
}

/// A place that a link leads to, or led to.
#[derive(SimpleObject, Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinkDestination {
    /// Its number among those of the link, which clicks have as `destination`. No other URL ever gets it; 0 is the link's own
    /// `destinationUrl`, whatever that is at the time.
    #[graphql(directive = example::apply("1".into()))]
    pub(crate) number: i32,
    /// Its URL, in ASCII.
    #[graphql(directive = example::apply("https://example.com/readers".into()))]
    pub(crate) url: String,
    /// Its name for people. Null: it has none.
    #[graphql(directive = example::apply("For readers".into()))]
    pub(crate) label: Option<String>,
    /// Whether nothing leads there any more.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) is_retired: bool,
}

/// A part of a split.
#[derive(SimpleObject, Clone, Debug, PartialEq, Eq)]
pub(crate) struct SplitPart {
    /// Where its visitors are led.
    #[graphql(directive = embedded::apply())]
    pub(crate) destination: LinkDestination,
    /// Its share of visitors, as a part of the sum of all weights.
    #[graphql(directive = example::apply("50".into()))]
    pub(crate) weight: i32,
}

/// A rule of a link: visits of which all conditions hold, and no earlier rule's do, are led to its destination, or to one of its split.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct LinkRule {
    /// Its place, from 1 on, which clicks have as `rule`.
    #[graphql(directive = example::apply("1".into()))]
    pub(crate) number: i32,
    /// One line that names it. Null: it has no name.
    #[graphql(directive = example::apply("Newsletter".into()))]
    pub(crate) name: Option<String>,
    /// Its conditions, all of which have to hold.
    #[graphql(directive = embedded::apply(), directive = items::apply(1, MAX_CONDITIONS as i32))]
    pub(crate) conditions: Vec<RuleCondition>,
    /// Where it leads. Null: it splits visits.
    #[graphql(directive = embedded::apply())]
    pub(crate) destination: Option<LinkDestination>,
    /// Parts of its split; empty: it leads to its destination.
    #[graphql(directive = embedded::apply(), directive = items::apply(0, MAX_PARTS as i32))]
    pub(crate) split: Vec<SplitPart>,
}

/// Why a rule does not do what it seems to.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleWarningReason {
    /// The service has no data of countries.
    NoCountries,
    /// The service has no data of regions and cities.
    NoCities,
    /// Visits have the address of a proxy that the service does not trust.
    UntrustedProxy,
    /// An earlier rule matches whenever this one would.
    NeverReached,
    /// The time is over.
    WindowOver,
    /// Browsers on iPads pretend to be on a Mac.
    IpadsAreMacs,
    /// A value is no name that visits are known by.
    UnknownName,
}

/// A rule that is allowed and still does not do what it seems to.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct RuleWarning {
    /// The rule's place, from 1 on.
    #[graphql(directive = example::apply("1".into()))]
    pub(crate) rule: i32,
    /// The condition's place in the rule, from 1 on. Null: it is about the whole rule.
    #[graphql(directive = example::apply("1".into()))]
    pub(crate) condition: Option<i32>,
    /// The reason.
    #[graphql(directive = example::apply("\"WINDOW_OVER\"".into()))]
    pub(crate) reason: RuleWarningReason,
    /// The reason for people, in English.
    #[graphql(directive = example::apply("the time is over.".into()))]
    pub(crate) message: String,
}

/// The rules of a link. The first that matches decides where a visit is led; if none does, the link's split, or else its own destination.
#[derive(SimpleObject, Clone, Debug)]
#[graphql(complex, directive = resource::apply(Scope::LinksRead))]
pub(crate) struct LinkRules {
    /// The id of the link.
    #[graphql(directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into()))]
    pub(crate) id: ID,
    /// In their order; empty: the link has none.
    #[graphql(directive = embedded::apply(), directive = items::apply(0, MAX_RULES as i32))]
    pub(crate) rules: Vec<LinkRule>,
    /// All that the link's rules and split lead to, and led to, by number; of those to which nothing leads any more the newest 100.
    #[graphql(directive = embedded::apply(), directive = items::apply(0, MAX_SHOWN))]
    pub(crate) destinations: Vec<LinkDestination>,
    /// Rules that do not do what they seem to, here and now; the first 64 reasons.
    #[graphql(directive = embedded::apply(), directive = items::apply(0, MAX_WARNINGS))]
    pub(crate) warnings: Vec<RuleWarning>,
    /// When the link was last changed: what `expectedUpdatedAt` takes.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.125Z".into()))]
    pub(crate) updated_at: Timestamp,
}

#[ComplexObject]
impl LinkRules {
    /// The link.
    #[graphql(directive = Reads::apply(Scope::LinksRead))]
    async fn link(&self, ctx: &Context<'_>) -> Result<Link, ApiError> {
        link(ctx, &self.id).await
    }
}

/// The split of a link: visitors that no rule leads elsewhere go to one of its destinations, each visitor always to the same.
#[derive(SimpleObject, Clone, Debug)]
#[graphql(complex, directive = resource::apply(Scope::LinksRead))]
pub(crate) struct LinkSplit {
    /// The id of the link.
    #[graphql(directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into()))]
    pub(crate) id: ID,
    /// Its parts; empty: the link is not split.
    #[graphql(directive = embedded::apply(), directive = items::apply(0, MAX_PARTS as i32))]
    pub(crate) parts: Vec<SplitPart>,
    /// From then on all of its visitors go to the link's own destination. Null: it goes on until it is changed.
    #[graphql(directive = example::apply("2026-12-24T18:00:00.000Z".into()))]
    pub(crate) auto_stops_at: Option<Timestamp>,
    /// When the link was last changed: what `expectedUpdatedAt` takes.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.125Z".into()))]
    pub(crate) updated_at: Timestamp,
}

#[ComplexObject]
impl LinkSplit {
    /// The link.
    #[graphql(directive = Reads::apply(Scope::LinksRead))]
    async fn link(&self, ctx: &Context<'_>) -> Result<Link, ApiError> {
        link(ctx, &self.id).await
    }
}

async fn link(ctx: &Context<'_>, id: &ID) -> Result<Link, ApiError> {
    let link = Link::load(ctx, id.parse().map_err(ApiError::internal)?).await?;
    // Deleted since its rules were read.
    link.ok_or_else(|| Code::NotFound.into())
}

/// Destinations that are shown at most: all that lead somewhere, and those that are kept.
const MAX_SHOWN: i32 = 116;
/// Warnings that are shown at most.
pub(super) const MAX_WARNINGS: i32 = 64;
