//! Queries on members.

use async_graphql::{Context, ID, Object};

use super::{
    invitation_ops, ops,
    types::{Invitation, Member},
};
use crate::{
    base::{
        error::{ApiError, Code},
        page::PageArgs,
    },
    features::accounts::{
        owner,
        types::{Account, accounts},
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
pub(crate) struct MemberQuery;

#[Object]
impl MemberQuery {
    /// One page of the account's members, in the order in which they came.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::MembersRead), None),
        directive = rest::apply(HttpMethod::Get, "/members".into(), 200, None)
    )]
    async fn members(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Members a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<Member>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let (members, total) = ops::list(ctx.app()?, ctx.call()?.account()?, args, selected(ctx)).await?;
        Ok(Page::new(args, members.into_iter().map(Member::from).collect(), total))
    }

    /// One member. Fails with NOT_FOUND when the account has no such member.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::MembersRead), None),
        directive = rest::apply(HttpMethod::Get, "/members/{userId}".into(), 200, None)
    )]
    async fn member(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The member's user id.",
            directive = example::apply("019aa1c2-7d10-7c3e-9a51-3f5b0c9d1e01".into())
        )]
        id: ID,
    ) -> Result<Member, ApiError> {
        let user = id.parse().map_err(|_| Code::NotFound)?;
        Ok(ops::member(ctx.app()?, ctx.call()?.account()?, user).await?.into())
    }

    /// The account that the caller's token is for.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Get, "/account".into(), 200, None)
    )]
    async fn account(&self, ctx: &Context<'_>) -> Result<Account, ApiError> {
        let app = ctx.app()?;
        let account = owner::account(app, ctx.call()?.account()?).await?;
        accounts(app, vec![account]).await?.pop().ok_or_else(|| Code::NotFound.into())
    }

    /// One page of the account's invitations that wait to be accepted, newest first.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::MembersManage), None),
        directive = rest::apply(HttpMethod::Get, "/invitations".into(), 200, None)
    )]
    async fn invitations(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Invitations a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<Invitation>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let (found, total) = invitation_ops::list(ctx.app()?, ctx.call()?.account()?, args, selected(ctx)).await?;
        Ok(Page::new(args, found.into_iter().map(Invitation::from).collect(), total))
    }
}
