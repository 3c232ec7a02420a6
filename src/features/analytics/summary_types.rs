//! GraphQL types of summaries.

use async_graphql::{ComplexObject, Context, ID, SimpleObject};

use crate::{
    base::{clock::UnixMillis, error::ApiError, ids::LinkId},
    click_store::{
        buckets::{Calendar, Interval},
        summary::{self, Top},
    },
    clicks::day_document::{Counts, LinkBytes},
    features::{analytics::ops::Summary, links::link::Link},
    graphql::{
        directives::{example, items},
        scalars::{TimeZone, Timestamp, count},
        shorthands::Reads,
    },
    platform::auth::scope::Scope,
};

/// Numbers of clicks, as the caller wants bots to be counted.
#[derive(Clone, Copy)]
pub(crate) struct Shown {
    clicks: u64,
    uniques: u64,
    bots: u64,
}

impl Shown {
    pub(crate) fn new(counts: Counts, with_bots: bool) -> Self {
        let (bots, bot_visitors) = if with_bots { (0, 0) } else { (counts.bots, counts.bot_visitors) };
        Shown { clicks: counts.clicks - bots, uniques: counts.visitors - bot_visitors, bots: counts.bots }
    }
}

fn shown(number: u64) -> i32 {
    count(i64::try_from(number).unwrap_or(i64::MAX))
}

/// The number of clicks in a time.
#[derive(SimpleObject, Debug)]
pub(crate) struct PeriodStats {
    /// Clicks.
    #[graphql(directive = example::apply("1204".into()))]
    pub(crate) clicks: i32,
    /// Visitors: each counts once a UTC day, at the first click of that day.
    #[graphql(directive = example::apply("873".into()))]
    pub(crate) uniques: i32,
    /// Clicks of bots, previews and prefetches, whether the other numbers count them or not.
    #[graphql(directive = example::apply("96".into()))]
    pub(crate) bots: i32,
}

impl From<Shown> for PeriodStats {
    fn from(Shown { clicks, uniques, bots }: Shown) -> Self {
        PeriodStats { clicks: shown(clicks), uniques: shown(uniques), bots: shown(bots) }
    }
}

/// Change relative to the time of the same length before: 0.25 is a quarter more.
#[derive(SimpleObject, Debug)]
pub(crate) struct ChangeStats {
    /// Of the clicks; null when there were none before.
    #[graphql(directive = example::apply("0.25".into()))]
    pub(crate) clicks: Option<f64>,
    /// Of the visitors; null when there were none before.
    #[graphql(directive = example::apply("0.1".into()))]
    pub(crate) uniques: Option<f64>,
    /// Of the clicks of bots; null when there were none before.
    #[graphql(directive = example::apply("-0.5".into()))]
    pub(crate) bots: Option<f64>,
}

/// The number of clicks in the whole range.
#[derive(SimpleObject, Debug)]
pub(crate) struct TotalStats {
    /// Clicks.
    #[graphql(directive = example::apply("1505".into()))]
    pub(crate) clicks: i32,
    /// Visitors: each counts once a UTC day, at the first click of that day.
    #[graphql(directive = example::apply("960".into()))]
    pub(crate) uniques: i32,
    /// Clicks of bots, previews and prefetches, whether the other numbers count them or not.
    #[graphql(directive = example::apply("48".into()))]
    pub(crate) bots: i32,
    /// How these numbers differ from `previous`.
    pub(crate) change: ChangeStats,
}

/// The number of clicks in one part of the range.
#[derive(SimpleObject, Debug)]
pub(crate) struct SeriesPoint {
    /// When the part begins. The first one may begin before the range, but counts only what is in it.
    #[graphql(directive = example::apply("2026-11-20T00:00:00.000Z".into()))]
    pub(crate) start: Timestamp,
    /// Clicks.
    #[graphql(directive = example::apply("52".into()))]
    pub(crate) clicks: i32,
    /// Visitors whose first click of the UTC day is in this part.
    #[graphql(directive = example::apply("31".into()))]
    pub(crate) uniques: i32,
    /// Clicks of bots, previews and prefetches.
    #[graphql(directive = example::apply("2".into()))]
    pub(crate) bots: i32,
}

impl SeriesPoint {
    /// The part that begins at `start`, with its counts.
    pub(crate) fn new(start: UnixMillis, counts: Counts, with_bots: bool) -> Self {
        let PeriodStats { clicks, uniques, bots } = Shown::new(counts, with_bots).into();
        SeriesPoint { start: Timestamp(start), clicks, uniques, bots }
    }
}

/// The number of clicks that have one value.
#[derive(SimpleObject, Debug)]
pub(crate) struct ValuePoint {
    /// The value, at most the first 100 characters of it.
    #[graphql(directive = example::apply("CH".into()))]
    pub(crate) value: String,
    /// Clicks that have it.
    #[graphql(directive = example::apply("401".into()))]
    pub(crate) clicks: i32,
}

/// Clicks by value. Listed, unknown and other ones are together `totals.clicks`.
#[derive(SimpleObject, Debug)]
pub(crate) struct TopValuesStats {
    /// The most frequent values, the most frequent first: at most `limit`. Each value of more than 1/500 of the clicks of the
    /// UTC days in which the range lies is counted; all are while no UTC day has more than 512 values, and no month more
    /// than 4,096. Only values that occur in the range are listed.
    #[graphql(directive = items::apply(0, 100))]
    pub(crate) values: Vec<ValuePoint>,
    /// Clicks of which the value is not known.
    #[graphql(directive = example::apply("12".into()))]
    pub(crate) unknown: i32,
    /// Clicks with other values, and those by which the listed counts are too low.
    #[graphql(directive = example::apply("84".into()))]
    pub(crate) other: i32,
    /// By how many clicks a listed count is too low at most, and how many clicks a value has at most that is not counted:
    /// not more than 1/500 of the clicks of the UTC days in which the range lies. 0: the counts are exact. More for days
    /// that were counted by earlier versions.
    #[graphql(directive = example::apply("0".into()))]
    pub(crate) error: i32,
}

impl From<Top<Box<str>>> for TopValuesStats {
    fn from(top: Top<Box<str>>) -> Self {
        let point = |(value, clicks): (Box<str>, u64)| ValuePoint { value: value.into(), clicks: shown(clicks) };
        TopValuesStats {
            values: top.values.into_iter().map(point).collect(),
            unknown: shown(top.unknown),
            other: shown(top.other),
            error: shown(top.error),
        }
    }
}

/// Where clicks come from, and with what they are made. A quarter of an hour in which the range begins or ends, and that has
/// more than 20,000 clicks, counts as `other` and in `error`.
#[derive(SimpleObject, Debug)]
pub(crate) struct TopStats {
    /// By country, ISO 3166-1 alpha-2.
    pub(crate) countries: TopValuesStats,
    /// By host of the page that referred to the link.
    pub(crate) referrers: TopValuesStats,
    /// By browser family, or app that showed the page in itself.
    pub(crate) browsers: TopValuesStats,
    /// By operating system family. Days that were counted by earlier versions have the names that these gave, such as
    /// `Windows 10`.
    pub(crate) operating_systems: TopValuesStats,
    /// By kind of device: `desktop`, `mobile`, `tablet`, `tv` or `console`. Earlier versions counted tablets as `mobile`.
    pub(crate) devices: TopValuesStats,
    /// By the language that the visitor's browser prefers.
    pub(crate) languages: TopValuesStats,
    /// By `utm_source` in the query of the short URL.
    pub(crate) utm_sources: TopValuesStats,
    /// By `utm_medium`.
    pub(crate) utm_mediums: TopValuesStats,
    /// By `utm_campaign`.
    pub(crate) utm_campaigns: TopValuesStats,
    /// By the kind of address that the visitor followed, as `ClickEvent.trigger` names it: `LINK`, `QR`, `CARD`, `APP`. Clicks that earlier versions
    /// counted are unknown.
    pub(crate) triggers: TopValuesStats,
    /// By number of the destination to which the visitor was led, in decimal digits, as in `LinkRules.destinations`: `0` is the link's
    /// own `destinationUrl` at the time. Clicks that earlier versions counted are unknown. So are all in the account's summary: a
    /// number means something on one link alone.
    pub(crate) destinations: TopValuesStats,
    /// By source, as `ClickEvent.source` names it: when the click was counted. Unknown are clicks that told none, and those that earlier
    /// versions counted.
    pub(crate) sources: TopValuesStats,
    /// By channel, as `ClickEvent.channel` names it: when the click was counted. Clicks that earlier versions counted are unknown.
    pub(crate) channels: TopValuesStats,
    /// By region, ISO 3166-2, such as `DE-BY`. Unknown are clicks that were counted while the service had no file with cities.
    pub(crate) regions: TopValuesStats,
    /// By city: the code of its country, a colon and its name, in English, such as `DE:Munich`. Unknown are clicks that were counted while
    /// the service had no file with cities.
    pub(crate) cities: TopValuesStats,
}

/// The number of clicks on one link.
#[derive(SimpleObject, Debug)]
#[graphql(complex)]
pub(crate) struct TopLinkPoint {
    /// The link's id.
    #[graphql(directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into()))]
    pub(crate) link_id: ID,
    /// Clicks on it.
    #[graphql(directive = example::apply("401".into()))]
    pub(crate) clicks: i32,
    #[graphql(skip)]
    key: LinkId,
}

impl TopLinkPoint {
    /// A link with its number of clicks.
    pub(crate) fn new(link: LinkId, clicks: i64) -> Self {
        TopLinkPoint { link_id: link.0.into(), clicks: count(clicks), key: link }
    }
}

#[ComplexObject]
impl TopLinkPoint {
    /// The link; null when it was deleted since. Over REST it is left out for an API key that lacks the scope.
    #[graphql(directive = Reads::apply(Scope::LinksRead))]
    async fn link(&self, ctx: &Context<'_>) -> Result<Option<Link>, ApiError> {
        Link::load(ctx, self.key).await
    }
}

/// What the clicks of a time add up to.
#[derive(SimpleObject, Debug)]
pub(crate) struct ClickSummaryResult {
    /// The range begins at this time.
    #[graphql(directive = example::apply("2026-10-22T00:00:00.000Z".into()))]
    pub(crate) from: Timestamp,
    /// The range ends before this time.
    pub(crate) to: Timestamp,
    /// Length of the parts of `series`.
    #[graphql(directive = example::apply("\"DAY\"".into()))]
    pub(crate) interval: Interval,
    /// By whose calendar and clocks they begin.
    #[graphql(directive = example::apply("Europe/Zurich".into()))]
    pub(crate) time_zone: TimeZone,
    /// All clicks in the range.
    pub(crate) totals: TotalStats,
    /// All clicks in the time of the same length right before. For a range of a day or longer it begins with a full quarter of
    /// an hour, and is up to a quarter of an hour longer.
    pub(crate) previous: PeriodStats,
    /// The parts of the range, oldest first, those without clicks included: the newest 2,000.
    #[graphql(directive = items::apply(0, 2_000))]
    pub(crate) series: Vec<SeriesPoint>,
    /// Where clicks come from, and with what they are made.
    pub(crate) top: TopStats,
    /// Single clicks that were read for `filter`. Null: there is no filter.
    #[graphql(directive = example::apply("1553".into()))]
    pub(crate) clicks_read: Option<i32>,
    /// Whether the numbers are those of exactly the clicks in the range, and of `previous` in the time before, if it is selected. False with
    /// a filter: some of these clicks are no longer stored one by one, or were on links deleted since; they are missing. False without: as
    /// it is said of the summary.
    #[graphql(directive = example::apply("true".into()))]
    pub(crate) is_exact: bool,
}

impl ClickSummaryResult {
    /// Builds the result from the counts of a summary.
    pub(crate) fn new(summary: Summary, calendar: Calendar, with_bots: bool) -> Self {
        let now = Shown::new(summary.totals, with_bots);
        let before = Shown::new(summary.previous, with_bots);
        let PeriodStats { clicks, uniques, bots } = now.into();
        let change = ChangeStats {
            clicks: summary::change(now.clicks, before.clicks),
            uniques: summary::change(now.uniques, before.uniques),
            bots: summary::change(now.bots, before.bots),
        };
        let point = |(start, counts)| SeriesPoint::new(start, counts, with_bots);
        let [countries, referrers, browsers, systems, devices, languages, more @ ..] =
            summary.dimensions.map(TopValuesStats::from);
        let [utm_sources, utm_mediums, utm_campaigns, triggers, destinations, sources, channels, regions, cities] =
            more;
        ClickSummaryResult {
            from: Timestamp(summary.from),
            to: Timestamp(summary.to),
            interval: calendar.interval,
            time_zone: TimeZone(calendar.zone),
            totals: TotalStats { clicks, uniques, bots, change },
            previous: before.into(),
            series: summary.series.into_iter().map(point).collect(),
            top: TopStats {
                countries,
                referrers,
                browsers,
                operating_systems: systems,
                devices,
                languages,
                utm_sources,
                utm_mediums,
                utm_campaigns,
                triggers,
                destinations,
                sources,
                channels,
                regions,
                cities,
            },
            clicks_read: summary.clicks_read.map(shown),
            is_exact: summary.is_exact,
        }
    }
}

/// What the clicks on all links of the account add up to.
#[derive(SimpleObject, Debug)]
pub(crate) struct AccountClickSummaryResult {
    /// All clicks.
    #[graphql(flatten)]
    pub(crate) summary: ClickSummaryResult,
    /// The links that are followed most, the most followed first: at most `limit`. Each link of more than 1/500 of the
    /// clicks of the UTC days in which the range lies is counted; all are while on no UTC day more than 1,000 are followed,
    /// and in no month more than 4,096.
    #[graphql(directive = items::apply(0, 100))]
    pub(crate) links: Vec<TopLinkPoint>,
    /// Clicks on other links, and those by which the counts of `links` are too low.
    #[graphql(directive = example::apply("84".into()))]
    pub(crate) links_other: i32,
    /// By how many clicks a count of `links` is too low at most, and how many clicks a link has at most that is not counted:
    /// not more than 1/500 of the clicks of the UTC days in which the range lies. 0: the counts are exact.
    #[graphql(directive = example::apply("0".into()))]
    pub(crate) links_error: i32,
}

impl AccountClickSummaryResult {
    /// Builds the result from the counts of a summary.
    pub(crate) fn new(summary: Summary, calendar: Calendar, with_bots: bool) -> Self {
        let point = |(link, clicks): &(LinkBytes, u64)| {
            TopLinkPoint::new(LinkId(uuid::Uuid::from_bytes(*link)), i64::try_from(*clicks).unwrap_or(i64::MAX))
        };
        let links = summary.links.values.iter().map(point).collect();
        let (links_other, links_error) = (shown(summary.links.other), shown(summary.links.error));
        AccountClickSummaryResult {
            summary: ClickSummaryResult::new(summary, calendar, with_bots),
            links,
            links_other,
            links_error,
        }
    }
}
