//! Queries on clicks.

use async_graphql::{Context, ID, Object};
use chrono_tz::Tz;

use crate::{
    base::{
        error::ApiError,
        page::{MAX_PAGE_SIZE, PageArgs, list_length},
    },
    features::{
        analytics::{
            ops::{self, Subject, SummaryRequest},
            summary_types::{AccountClickSummaryResult, ClickSummaryResult},
            types::ClickEvent,
        },
        links::query::link_id,
    },
    graphql::{
        context::ContextExt,
        directives::{example, export, range},
        page::{Page, selected},
        scalars::{TimeZone, Timestamp},
        shorthands::{Get, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
    records::analytics::{
        buckets::{Calendar, Interval},
        repo::ClickFilter,
    },
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
    ) -> Result<Page<ClickEvent>, ApiError> {
        let args = PageArgs::new(page, limit, "limit")?;
        let filter =
            ClickFilter { from: from.map(|time| time.0), to: to.map(|time| time.0), humans_only: !include_bots };
        let (clicks, total) =
            ops::list(ctx.app()?, ctx.call()?.account()?, link_id(&link)?, filter, args, selected(ctx)).await?;
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
    ) -> Result<ClickSummaryResult, ApiError> {
        let calendar = Calendar { interval, zone: time_zone.0 };
        let request = request(ctx, Subject::Link(link_id(&link)?), (from, to), calendar, include_bots, limit)?;
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
    ) -> Result<AccountClickSummaryResult, ApiError> {
        let calendar = Calendar { interval, zone: time_zone.0 };
        let request = request(ctx, Subject::Account, (from, to), calendar, include_bots, limit)?;
        let summary = ops::summary(ctx.app()?, ctx.call()?.account()?, request).await?;
        Ok(AccountClickSummaryResult::new(summary, calendar, include_bots))
    }
}

fn request(
    ctx: &Context<'_>,
    subject: Subject,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
    calendar: Calendar,
    with_bots: bool,
    limit: i32,
) -> Result<SummaryRequest, ApiError> {
    // Fields that the query does not select are not counted.
    let ahead = ctx.look_ahead();
    Ok(SummaryRequest {
        subject,
        from: from.map(|time| time.0),
        to: to.map(|time| time.0),
        calendar,
        with_bots,
        limit: list_length(limit, "limit")?,
        previous: ahead.field("previous").exists() || ahead.field("totals").field("change").exists(),
        tops: ["top", "links", "linksOther", "linksError"].iter().any(|name| ahead.field(name).exists()),
    })
}
