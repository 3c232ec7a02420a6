//! GraphQL types of breakdowns.

use async_graphql::SimpleObject;
use serde::Serialize;

use crate::{
    base::page::PageArgs,
    click_store::{breakdown::ValueCounts, question::Question},
    features::analytics::{
        breakdown_ops::BrokenDown,
        summary_types::{PeriodStats, Shown},
    },
    graphql::{
        directives::example,
        page::{Page, Paged},
        scalars::{Timestamp, count},
    },
};

/// The clicks that have one value of a dimension.
#[derive(SimpleObject, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BreakdownPoint {
    /// The value; of `LINK` a link's id. Null: it is not known, or there is none.
    #[graphql(directive = example::apply("CH".into()))]
    pub(crate) value: Option<String>,
    /// Clicks with this value.
    #[graphql(directive = example::apply("401".into()))]
    pub(crate) clicks: i32,
    /// Visitors with at least one such click in the range: each counts once a UTC day.
    #[graphql(directive = example::apply("212".into()))]
    pub(crate) uniques: i32,
    /// Clicks of bots, previews and prefetches, whether the other numbers count them or not.
    #[graphql(directive = example::apply("9".into()))]
    pub(crate) bots: i32,
}

impl BreakdownPoint {
    /// A value that was found for a question.
    pub(crate) fn new((value, counts): ValueCounts, question: &Question) -> Self {
        let PeriodStats { clicks, uniques, bots } = Shown::new(counts, question.with_bots).into();
        BreakdownPoint { value: value.map(String::from), clicks, uniques, bots }
    }
}

impl Paged for BreakdownPoint {
    const PAGE: &str = "BreakdownPage";
}

/// One page of the values of a dimension, those with the most clicks first.
#[derive(SimpleObject, Debug)]
pub(crate) struct BreakdownPageResult {
    /// The page.
    #[graphql(flatten)]
    pub(crate) page: Page<BreakdownPoint>,
    /// The range begins at this time.
    #[graphql(directive = example::apply("2026-10-22T00:00:00.000Z".into()))]
    pub(crate) from: Timestamp,
    /// The range ends before this time.
    pub(crate) to: Timestamp,
    /// Single clicks that were read.
    #[graphql(directive = example::apply("1553".into()))]
    pub(crate) clicks_read: i32,
    /// Whether all clicks in the range were read. False: some are no longer stored one by one, or were on links deleted since; they are missing.
    #[graphql(directive = example::apply("true".into()))]
    pub(crate) is_exact: bool,
}

impl BreakdownPageResult {
    /// A page of the values that were found for a question.
    pub(crate) fn new(found: &mut BrokenDown, args: PageArgs, question: &Question) -> Self {
        let read = i64::try_from(found.coverage.clicks_read.unwrap_or_default()).unwrap_or(i64::MAX);
        let total = i64::try_from(found.values.len()).unwrap_or(i64::MAX);
        let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let shown = std::mem::take(&mut found.values).into_iter().skip(place(args.offset())).take(place(args.limit()));
        let page = Page::new(args, shown.map(|value| BreakdownPoint::new(value, question)).collect(), total);
        BreakdownPageResult {
            page,
            from: Timestamp(found.from),
            to: Timestamp(found.to),
            clicks_read: count(read),
            is_exact: found.coverage.is_exact,
        }
    }
}
