//! Fields of links that lead to other resources.

use async_graphql::{ComplexObject, Context, SimpleObject};
use futures_util::future::try_join_all;

use crate::{
    across::link_loader::{DomainKey, SubdomainKey, TagKey},
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
        domains::types::CustomDomain,
        links::link::Link,
        subdomains::types::SubdomainClaim,
        tags::types::Tag,
    },
    graphql::{
        context::ContextExt,
        directives::{example, items, range},
        load::load,
        page::{Page, selected},
        shorthands::Reads,
    },
    platform::auth::scope::Scope,
    records::tags::name::{MAX_LINK_TAGS, key},
};

/// The host of a link.
#[derive(SimpleObject, Clone, Debug)]
#[graphql(complex)]
pub(crate) struct Host {
    /// Its name, as the link's `domain`.
    #[graphql(directive = example::apply("go.example.com".into()))]
    name: String,
}

#[ComplexObject]
impl Host {
    /// The custom domain that it is. Null: it is none, or was deleted.
    #[graphql(directive = Reads::apply(Scope::DomainsRead))]
    async fn domain(&self, ctx: &Context<'_>) -> Result<Option<CustomDomain>, ApiError> {
        let app = ctx.app()?;
        if app.config.base_url.is_own_host(&self.name) || app.config.label_of(&self.name).is_some() {
            return Ok(None);
        }
        let found = load(ctx, DomainKey(self.name.clone())).await?;
        Ok(found.map(|shown| CustomDomain::new((*shown).clone(), &app.config)))
    }

    /// The subdomain that it is. Null: it is none, or no longer the account's.
    #[graphql(directive = Reads::apply(Scope::SubdomainRead))]
    async fn subdomain(&self, ctx: &Context<'_>) -> Result<Option<SubdomainClaim>, ApiError> {
        let app = ctx.app()?;
        let Some(label) = app.config.label_of(&self.name) else { return Ok(None) };
        let found = load(ctx, SubdomainKey).await?.filter(|shown| shown.subdomain.label == label);
        Ok(found.map(|shown| SubdomainClaim::new((*shown).clone(), &app.config)))
    }
}

#[ComplexObject]
impl Link {
    /// Its host, which leads to the domain or subdomain that it is.
    async fn host(&self) -> Host {
        Host { name: self.domain.clone() }
    }

    /// Its tags, in the order of `tags`.
    #[graphql(directive = Reads::apply(Scope::LinksRead), directive = items::apply(0, MAX_LINK_TAGS))]
    async fn tag_list(&self, ctx: &Context<'_>) -> Result<Vec<Tag>, ApiError> {
        let tags = try_join_all(self.tags.iter().map(|name| load(ctx, TagKey(key(name))))).await?;
        // One that was deleted since the link was read is left out.
        Ok(tags.into_iter().flatten().map(|tag| Tag::from((*tag).clone())).collect())
    }

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
