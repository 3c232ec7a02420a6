//! Queries on transfers.

use async_graphql::{Context, ID, Object};

use super::{ops, types::Transfer};
use crate::{
    base::{
        error::{ApiError, Code},
        page::PageArgs,
    },
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, example, rest},
        page::{Page, selected},
    },
    platform::auth::{
        access::{Credential, Depth, access},
        scope::Scope,
    },
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct TransferQuery;

#[Object]
impl TransferQuery {
    /// One page of the transfers that the account gives or gets, newest first: offers that wait, and what was accepted in the last 30 days.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::MembersManage), None),
        directive = rest::apply(HttpMethod::Get, "/transfers".into(), 200, None)
    )]
    async fn transfers(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Transfers a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<Transfer>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let (found, total) = ops::list(ctx.app()?, ctx.call()?.account()?, args, selected(ctx)).await?;
        Ok(Page::new(args, found.into_iter().map(Transfer::from).collect(), total))
    }

    /// One transfer. Fails with NOT_FOUND when the account neither gives nor gets it.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::MembersManage), None),
        directive = rest::apply(HttpMethod::Get, "/transfers/{transferId}".into(), 200, None)
    )]
    async fn transfer(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The transfer's id.",
            directive = example::apply("019aa1c2-c3f4-7a6e-9d30-5b7c1e2f4a61".into())
        )]
        id: ID,
    ) -> Result<Transfer, ApiError> {
        let transfer = id.parse().map_err(|_| Code::NotFound)?;
        Ok(ops::transfer(ctx.app()?, ctx.call()?.account()?, transfer).await?.into())
    }
}
