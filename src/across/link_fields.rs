//! Fields of links that lead to clicks.

use async_graphql::{ComplexObject, Context};

use crate::{
    base::{
        error::ApiError,
        ids::LinkId,
        page::{MAX_PAGE_SIZE, PageArgs},
    },
    features::{
        analytics::{
            loader::ClickPageKey,
            series::{MAX_DAYS, SeriesKey},
            summary_types::SeriesPoint,
            types::ClickEvent,
        },
        links::link::Link,
    },
    graphql::{
        directives::{items, range},
        page::{Page, selected},
        shorthands::Reads,
    },
    platform::auth::scope::Scope,
};

#[ComplexObject]
impl Link {
    /// One page of its clicks, newest first.
    #[graphql(directive = Reads::apply(Scope::AnalyticsRead))]
    async fn clicks(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 50, desc = "Clicks a page has at most.", directive = range::apply(1, MAX_PAGE_SIZE))]
        limit: i32,
    ) -> Result<Page<ClickEvent>, ApiError> {
        let args = PageArgs::new(page, limit, "limit")?;
        let link = self.id.parse::<LinkId>().map_err(ApiError::internal)?;
        ClickPageKey { link, args, selected: selected(ctx) }.load(ctx).await
    }

    /// Its clicks on each of the last days, oldest first, today and days without clicks included. Days are those of UTC.
    #[graphql(
        directive = Reads::apply(Scope::AnalyticsRead),
        directive = items::apply(1, MAX_DAYS)
    )]
    async fn click_series(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            default = 30,
            desc = "Number of days, from 1 to 365. The last one is today.",
            directive = range::apply(1, MAX_DAYS)
        )]
        days: i32,
    ) -> Result<Vec<SeriesPoint>, ApiError> {
        let link = self.id.parse::<LinkId>().map_err(ApiError::internal)?;
        SeriesKey::new(link, days)?.load(ctx).await
    }
}
