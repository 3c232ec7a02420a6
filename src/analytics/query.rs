//! Queries on clicks.

use async_graphql::{Context, ID, Object};

use crate::{
    analytics::{ops, repo::ClickFilter, types::ClickEvent},
    auth::{
        access::{Credential, Depth, access},
        scope::Scope,
    },
    error::ApiError,
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, example, export, range, rest},
        page::{Page, wanted},
        scalars::Timestamp,
    },
    links::query::link_id,
    page::{MAX_PAGE_SIZE, PageArgs},
};

/// See [`crate::graphql::schema::Query`].
#[derive(Default)]
pub struct AnalyticsQuery;

#[Object]
impl AnalyticsQuery {
    /// One page of a link's clicks, newest first. Fails with NOT_FOUND when the account has no such link.
    #[graphql(
        directive = access::apply(Credential::Any, Some(Depth::Signature), Some(Scope::AnalyticsRead), None),
        directive = rest::apply(HttpMethod::Get, "/analytics/{linkId}".into(), 200, None),
        directive = rest::apply(HttpMethod::Get, "/api/v1/analytics/{linkId}".into(), 200, None),
        directive = export::apply("/analytics/{linkId}/export".into()),
        directive = export::apply("/api/v1/analytics/{linkId}/export".into())
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
        #[graphql(
            default = 1,
            desc = "Number of the page, from 1.",
            directive = range::apply(1, i32::MAX),
            directive = example::apply("1".into())
        )]
        page: i32,
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
            ops::list(ctx.app()?, ctx.call()?.account()?, link_id(&link)?, filter, args, wanted(ctx)).await?;
        Ok(Page::new(args, clicks.into_iter().map(ClickEvent::from).collect(), total))
    }
}
