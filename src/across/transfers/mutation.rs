//! Mutations of transfers.

use async_graphql::{Context, ID, Object};

use super::{
    ops::{self, Offer},
    types::{OfferTransferInput, Transfer},
};
use crate::{
    base::error::{ApiError, Code},
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, example, rest},
    },
    platform::auth::{
        access::{Credential, Depth, access},
        scope::Scope,
    },
};

const TRANSFER_ID: &str = "019aa1c2-c3f4-7a6e-9d30-5b7c1e2f4a61";

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct TransferMutation;

fn parsed<T: std::str::FromStr>(path: &str, id: &ID) -> Result<T, ApiError> {
    id.parse().map_err(|_| ApiError::invalid_field(path, "is no id"))
}

#[Object]
impl TransferMutation {
    /// Offers links of the service's own host, or a custom domain with all links on it, to another account, which has 7 days to accept. Needs
    /// a fresh proof, as `createApiKey` does. Fails with NOT_FOUND when there is no such account, link or domain, and with
    /// PLAN_LIMIT_REACHED when 100 offers wait.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::MembersManage), None),
        directive = rest::apply(HttpMethod::Post, "/transfers".into(), 201, Some("/transfers/{id}".into()))
    )]
    async fn offer_transfer(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to give, and to whom.")] input: OfferTransferInput,
    ) -> Result<Transfer, ApiError> {
        let to = parsed("toAccountId", &input.to_account_id)?;
        let offer = match (input.link_ids, input.domain_id) {
            (Some(links), None) => {
                let ids = links.iter().enumerate();
                let ids = ids.map(|(place, id)| parsed(&format!("linkIds.{place}"), id));
                Offer::Links(ids.collect::<Result<_, _>>()?)
            }
            (None, Some(domain)) => Offer::Domain(parsed("domainId", &domain)?),
            _ => return Err(ApiError::invalid_field("linkIds", "must be given, or else domainId")),
        };
        Ok(ops::offer(ctx.app()?, &ctx.act()?, to, offer).await?.into())
    }

    /// Accepts a transfer to the account. Links belong to it at once. So does a domain; its links follow in the background, and all redirect
    /// meanwhile. Clicks and reports of a link come with it; reports of the whole account that gave keep the clicks that were made
    /// until then. Fails with CONFLICT when it was accepted already, the account has the domain or links on it, or links
    /// have an external id of another link of the account, and with PLAN_LIMIT_REACHED when the plan has no room.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::MembersManage), None),
        directive = rest::apply(HttpMethod::Post, "/transfers/{transferId}/accept".into(), 200, None)
    )]
    async fn accept_transfer(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The transfer's id.", directive = example::apply(TRANSFER_ID.into()))] id: ID,
    ) -> Result<Transfer, ApiError> {
        let transfer = id.parse().map_err(|_| Code::NotFound)?;
        Ok(ops::accept(ctx.app()?, &ctx.act()?, transfer).await?.into())
    }

    /// Takes an offer back, or declines one, and answers its id. Fails with NOT_FOUND when the account neither gives nor gets it, and with
    /// CONFLICT when it is accepted.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::MembersManage), None),
        directive = rest::apply(HttpMethod::Delete, "/transfers/{transferId}".into(), 204, None)
    )]
    async fn delete_transfer(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The transfer's id.", directive = example::apply(TRANSFER_ID.into()))] id: ID,
    ) -> Result<ID, ApiError> {
        let transfer = id.parse().map_err(|_| Code::NotFound)?;
        ops::withdraw(ctx.app()?, &ctx.act()?, transfer).await?;
        Ok(id)
    }
}
