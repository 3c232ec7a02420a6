//! Queries on clicks.

use async_graphql::{Context, ID, Object};
use chrono_tz::Tz;

use crate::{
    base::{
        error::ApiError,
        page::{MAX_PAGE_SIZE, PageArgs, list_length},
    },
    click_store::{
        buckets::{Calendar, Interval},
        condition::ClickDimension,
        question::{Question, Subject},
    },
    features::{
        analytics::{
            breakdown_ops::{MAX_SEARCH, breakdown},
            breakdown_types::BreakdownPageResult,
            filter::{ClickCondition, FILTER, MAX_CONDITIONS, question},
            ops::{self, SummaryRequest},
            summary_types::{AccountClickSummaryResult, ClickSummaryResult},
            types::ClickEvent,
        },
        links::query::link_id,
    },
    graphql::{
        context::ContextExt,
        directives::{example, export, items, length, range},
        page::{Page, selected},
        scalars::{TimeZone, Timestamp},
        shorthands::{Get, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct AnalyticsQuery;

#[Object]
impl AnalyticsQuery {
    /// One page of a link's clicks, newest first. Fails with NOT_FOUND when the account has no such link.
    #[graphql(
        directive = Scoped::apply(Scope::AnalyticsRead, Depth::Signature),
        directive = Get::apply("/analytics/{linkId}"),
        directive = export::apply("/analytics/{linkId}/export".into(), None, None),
        directive = export::apply("/api/v1/analytics/{linkId}/export".into(), None, None)
    )]
    #[expect(clippy::too_many_arguments, reason = "one for each filter of the API")]
    async fn clicks(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            name = "linkId",
            desc = "Whose clicks: a link's id.",
            directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into())
        )]
        link: ID,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(
            default = 50,
            desc = "Clicks a page has at most, from 1 to 100; `pageSize` of the answer repeats it.",
            directive = range::apply(1, MAX_PAGE_SIZE),
            directive = example::apply("50".into())
        )]
        limit: i32,
        #[graphql(
            desc = "Only clicks at this time or later. Absent: from the first.",
            directive = example::apply("2026-11-01T00:00:00.000Z".into())
        )]
        from: Option<Timestamp>,
        #[graphql(
            desc = "Only clicks before this time. Absent: up to now.",
            directive = example::apply("2026-12-01T00:00:00.000Z".into())
        )]
        to: Option<Timestamp>,
        #[graphql(
            default = true,
            desc = "Whether clicks of bots are listed too.",
            directive = example::apply("false".into())
        )]
        include_bots: bool,
        #[graphql(
            desc = "Only clicks of which all these conditions hold. It is answered from single clicks, as long as they are kept: if 1,000,000 don't suffice for a page, it is refused with RANGE_TOO_LARGE; an export is if a quarter of an hour has more. Absent, null or empty: all clicks.",
            directive = items::apply(0, MAX_CONDITIONS),
            directive = example::apply(FILTER.into())
        )]
        filter: Option<Vec<ClickCondition>>,
    ) -> Result<Page<ClickEvent>, ApiError> {
        let args = PageArgs::new(page, limit, "limit")?;
        let link = link_id(&link)?;
        let question = question(ctx.app()?, ctx.call()?, Subject::Link(link), (from, to), include_bots, filter)?;
        let (clicks, total) = ops::list(ctx.app()?, ctx.call()?.account()?, &question, args, selected(ctx)).await?;
        Ok(Page::new(args, clicks.into_iter().map(ClickEvent::from).collect(), total))
    }

    /// One page of the clicks on all links of the account, newest first. They are read one by one, as long as they are kept: a range with more
    /// than 1,000,000 of them is refused with RANGE_TOO_LARGE; an export is if a quarter of an hour has more.
    #[graphql(
        directive = Scoped::apply(Scope::AnalyticsRead, Depth::Signature),
        directive = Get::apply("/analytics/clicks"),
        directive = export::apply("/analytics/clicks/export".into(), None, None),
        directive = export::apply("/api/v1/analytics/clicks/export".into(), None, None)
    )]
    #[expect(clippy::too_many_arguments, reason = "one for each filter of the API")]
    async fn all_clicks(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(
            default = 50,
            desc = "Clicks a page has at most, from 1 to 100; `pageSize` of the answer repeats it.",
            directive = range::apply(1, MAX_PAGE_SIZE),
            directive = example::apply("50".into())
        )]
        limit: i32,
        #[graphql(
            desc = "The range begins at this time. Absent: with the UTC day 29 days before the range's last one.",
            directive = example::apply("2026-11-01T00:00:00.000Z".into())
        )]
        from: Option<Timestamp>,
        #[graphql(
            desc = "The range ends before this time. Absent: now. Not after `from`: the range is empty.",
            directive = example::apply("2026-12-01T00:00:00.000Z".into())
        )]
        to: Option<Timestamp>,
        #[graphql(
            default = true,
            desc = "Whether clicks of bots are listed too.",
            directive = example::apply("false".into())
        )]
        include_bots: bool,
        #[graphql(
            desc = "Only clicks of which all these conditions hold. Absent, null or empty: all clicks.",
            directive = items::apply(0, MAX_CONDITIONS),
            directive = example::apply(FILTER.into())
        )]
        filter: Option<Vec<ClickCondition>>,
    ) -> Result<Page<ClickEvent>, ApiError> {
        let args = PageArgs::new(page, limit, "limit")?;
        let question = question(ctx.app()?, ctx.call()?, Subject::Account, (from, to), include_bots, filter)?;
        let (clicks, total) = ops::list(ctx.app()?, ctx.call()?.account()?, &question, args, selected(ctx)).await?;
        Ok(Page::new(args, clicks.into_iter().map(ClickEvent::from).collect(), total))
    }

    /// What the clicks on a link in a time add up to. The numbers are exact to the millisecond; only where the range begins
    /// or ends within a quarter of an hour of which clicks were deleted since, that quarter counts whole, and in the time
    /// in which it began. Fails with NOT_FOUND when the account has no such link.
    #[graphql(
        directive = Scoped::apply(Scope::AnalyticsRead, Depth::Signature),
        directive = Get::apply("/analytics/{linkId}/summary")
    )]
    #[expect(clippy::too_many_arguments, reason = "one for each filter of the API")]
    async fn click_summary(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            name = "linkId",
            desc = "Whose clicks: a link's id.",
            directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into())
        )]
        link: ID,
        #[graphql(
            desc = "The range begins at this time. Absent: with the local day 29 days before the range's last one.",
            directive = example::apply("2026-11-01T00:00:00.000Z".into())
        )]
        from: Option<Timestamp>,
        #[graphql(
            desc = "The range ends before this time. Absent: now. Not after `from`: the range is empty.",
            directive = example::apply("2026-12-01T00:00:00.000Z".into())
        )]
        to: Option<Timestamp>,
        #[graphql(
            default_with = "Interval::Day",
            desc = "Length of the parts of `series`.",
            directive = example::apply("\"DAY\"".into())
        )]
        interval: Interval,
        #[graphql(
            default_with = "TimeZone(Tz::UTC)",
            desc = "By whose calendar and clocks the parts of `series` begin.",
            directive = example::apply("Europe/Zurich".into())
        )]
        time_zone: TimeZone,
        #[graphql(
            default = true,
            desc = "Whether clicks of bots count. `bots` tells their number in any case.",
            directive = example::apply("false".into())
        )]
        include_bots: bool,
        #[graphql(
            default = 10,
            desc = "Values that each list of the most frequent ones has at most, from 1 to 100.",
            directive = range::apply(1, MAX_PAGE_SIZE),
            directive = example::apply("10".into())
        )]
        limit: i32,
        #[graphql(
            desc = "Only clicks of which all these conditions hold. It is answered from single clicks, as long as they are kept: 1,000,000 at most, those of `previous` included; more are refused with RANGE_TOO_LARGE. Absent, null or empty: all clicks.",
            directive = items::apply(0, MAX_CONDITIONS),
            directive = example::apply(FILTER.into())
        )]
        filter: Option<Vec<ClickCondition>>,
    ) -> Result<ClickSummaryResult, ApiError> {
        let calendar = Calendar { interval, zone: time_zone.0 };
        let question =
            question(ctx.app()?, ctx.call()?, Subject::Link(link_id(&link)?), (from, to), include_bots, filter)?;
        let request = request(ctx, question, calendar, limit)?;
        let summary = ops::summary(ctx.app()?, ctx.call()?.account()?, request).await?;
        Ok(ClickSummaryResult::new(summary, calendar, include_bots))
    }

    /// What the clicks on all links of the account in a time add up to, those deleted since included. A visitor of several
    /// links counts once a UTC day. As exact as `clickSummary`.
    #[graphql(
        directive = Scoped::apply(Scope::AnalyticsRead, Depth::Signature),
        directive = Get::apply("/analytics/summary")
    )]
    #[expect(clippy::too_many_arguments, reason = "one for each filter of the API")]
    async fn account_click_summary(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The range begins at this time. Absent: with the local day 29 days before the range's last one.",
            directive = example::apply("2026-11-01T00:00:00.000Z".into())
        )]
        from: Option<Timestamp>,
        #[graphql(
            desc = "The range ends before this time. Absent: now. Not after `from`: the range is empty.",
            directive = example::apply("2026-12-01T00:00:00.000Z".into())
        )]
        to: Option<Timestamp>,
        #[graphql(
            default_with = "Interval::Day",
            desc = "Length of the parts of `series`.",
            directive = example::apply("\"DAY\"".into())
        )]
        interval: Interval,
        #[graphql(
            default_with = "TimeZone(Tz::UTC)",
            desc = "By whose calendar and clocks the parts of `series` begin.",
            directive = example::apply("Europe/Zurich".into())
        )]
        time_zone: TimeZone,
        #[graphql(
            default = true,
            desc = "Whether clicks of bots count. `bots` tells their number in any case.",
            directive = example::apply("false".into())
        )]
        include_bots: bool,
        #[graphql(
            default = 10,
            desc = "Values that each list of the most frequent ones has at most, from 1 to 100.",
            directive = range::apply(1, MAX_PAGE_SIZE),
            directive = example::apply("10".into())
        )]
        limit: i32,
        #[graphql(
            desc = "Only clicks of which all these conditions hold. It is answered from single clicks, as long as they are kept: 1,000,000 at most, those of `previous` included; more are refused with RANGE_TOO_LARGE. Absent, null or empty: all clicks.",
            directive = items::apply(0, MAX_CONDITIONS),
            directive = example::apply(FILTER.into())
        )]
        filter: Option<Vec<ClickCondition>>,
    ) -> Result<AccountClickSummaryResult, ApiError> {
        let calendar = Calendar { interval, zone: time_zone.0 };
        let question = question(ctx.app()?, ctx.call()?, Subject::Account, (from, to), include_bots, filter)?;
        let request = request(ctx, question, calendar, limit)?;
        let summary = ops::summary(ctx.app()?, ctx.call()?.account()?, request).await?;
        Ok(AccountClickSummaryResult::new(summary, calendar, include_bots))
    }

    /// One page of the values of a dimension that clicks in a time have, those with the most clicks first: all of them, not only the most
    /// frequent ones. It is answered from single clicks, as long as they are kept: a range with more than 1,000,000 of them, or with more than
    /// 100,000 values, is refused with RANGE_TOO_LARGE; so is one whose values together have more than 1,000,000 visitors. Fails with NOT_FOUND when the account has no such link.
    #[graphql(
        directive = Scoped::apply(Scope::AnalyticsRead, Depth::Signature),
        directive = Get::apply("/analytics/breakdown"),
        directive = export::apply("/analytics/breakdown/export".into(), None, None),
        directive = export::apply("/api/v1/analytics/breakdown/export".into(), None, None)
    )]
    #[expect(clippy::too_many_arguments, reason = "one for each filter of the API")]
    async fn click_breakdown(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The dimension.", directive = example::apply("\"COUNTRY\"".into()))] dimension: ClickDimension,
        #[graphql(
            name = "linkId",
            desc = "Whose clicks: a link's id. Absent or null: those on all links of the account.",
            directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into())
        )]
        link: Option<ID>,
        #[graphql(
            desc = "The range begins at this time. Absent: with the UTC day 29 days before the range's last one.",
            directive = example::apply("2026-11-01T00:00:00.000Z".into())
        )]
        from: Option<Timestamp>,
        #[graphql(
            desc = "The range ends before this time. Absent: now. Not after `from`: the range is empty.",
            directive = example::apply("2026-12-01T00:00:00.000Z".into())
        )]
        to: Option<Timestamp>,
        #[graphql(
            default = true,
            desc = "Whether clicks of bots count. `bots` tells their number in any case.",
            directive = example::apply("false".into())
        )]
        include_bots: bool,
        #[graphql(
            desc = "Only clicks of which all these conditions hold. Absent, null or empty: all clicks.",
            directive = items::apply(0, MAX_CONDITIONS),
            directive = example::apply(FILTER.into())
        )]
        filter: Option<Vec<ClickCondition>>,
        #[graphql(
            desc = "Only values that contain this text, in any case; of links, the host and slug of the short URL, for which an API key needs `links:read`. Absent or empty: all.",
            directive = length::apply(0, MAX_SEARCH),
            directive = example::apply("news".into())
        )]
        search: Option<String>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Values a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<BreakdownPageResult, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let app = ctx.app()?;
        let subject = link.as_ref().map_or(Ok(Subject::Account), |link| link_id(link).map(Subject::Link))?;
        let question = Question {
            dimension: Some(dimension),
            ..question(app, ctx.call()?, subject, (from, to), include_bots, filter)?
        };
        let mut found = breakdown(app, ctx.call()?, &question, &search.unwrap_or_default()).await?;
        Ok(BreakdownPageResult::new(&mut found, args, &question))
    }
}

fn request(ctx: &Context<'_>, question: Question, calendar: Calendar, limit: i32) -> Result<SummaryRequest, ApiError> {
    // Fields that the query does not select are not counted.
    let ahead = ctx.look_ahead();
    Ok(SummaryRequest {
        question,
        calendar,
        limit: list_length(limit, "limit")?,
        previous: ahead.field("previous").exists() || ahead.field("totals").field("change").exists(),
        tops: ["top", "links", "linksOther", "linksError"].iter().any(|name| ahead.field(name).exists()),
    })
}
