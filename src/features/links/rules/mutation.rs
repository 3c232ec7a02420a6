//! Mutations of rules and splits.

use async_graphql::{Context, ID, Object};

use super::{
    inputs::{SetLinkRulesInput, SetLinkSplitInput},
    ops,
    query::LINK_ID,
    types::{LinkRules, LinkSplit},
};
use crate::{
    base::error::ApiError,
    features::links::query::link_id,
    graphql::{
        context::ContextExt,
        directives::example,
        shorthands::{Put, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct RuleMutation;

#[Object]
impl RuleMutation {
    /// Gives a link these rules in the place of those that it has; the next redirect follows them. The answer says which of them do not do
    /// what they seem to. Rules and split together lead to at most 16 destinations, the link's own with them, and have at most 24 KiB when
    /// compiled. Fails with NOT_FOUND when the account has no such link.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Put::apply("/links/{linkId}/rules")
    )]
    async fn set_link_rules(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The link's id.", directive = example::apply(LINK_ID.into()))] link_id: ID,
        #[graphql(desc = "The rules.")] input: SetLinkRulesInput,
    ) -> Result<LinkRules, ApiError> {
        let (app, id) = (ctx.app()?, self::link_id(&link_id)?);
        let expected = ctx.expected(input.expected_updated_at);
        let shown = ops::set_rules(app, &ctx.act()?, id, input.rules, &expected).await?;
        Ok(LinkRules::new(&shown, app))
    }

    /// Gives a link this split in the place of the one that it has; the next redirect follows it. A visitor, told apart by network and user
    /// agent, goes to the same part at each visit, without a cookie; a change of weights moves no more visitors than it must. Fails
    /// with NOT_FOUND when the account has no such link.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Put::apply("/links/{linkId}/split")
    )]
    async fn set_link_split(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The link's id.", directive = example::apply(LINK_ID.into()))] link_id: ID,
        #[graphql(desc = "The split.")] input: SetLinkSplitInput,
    ) -> Result<LinkSplit, ApiError> {
        let (app, id) = (ctx.app()?, self::link_id(&link_id)?);
        let expected = ctx.expected(input.expected_updated_at);
        let stops_at = input.auto_stops_at.map(|time| time.0);
        let shown = ops::set_split(app, &ctx.act()?, id, input.parts, stops_at, &expected).await?;
        Ok(LinkSplit::new(&shown))
    }
}
