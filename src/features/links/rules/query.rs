//! Queries on rules and splits.

use async_graphql::{Context, ID, Object};
use link_rules::MAX_RULES;

use super::{
    explain::{self, ExplainRedirectInput, Explanation},
    ops,
    rehearsal::{self, Rehearsal, RehearseRulesInput},
    report::{self, SplitReport},
    types::{LinkRules, LinkSplit},
};
use crate::{
    base::error::ApiError,
    features::links::query::link_id,
    graphql::{
        context::ContextExt,
        directives::{example, range},
        shorthands::{Get, Post, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
};

/// Id of a link in examples.
pub(super) const LINK_ID: &str = "019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b";

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct RuleQuery;

#[Object]
impl RuleQuery {
    /// The rules of a link. Fails with NOT_FOUND when the account has no such link.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/links/{linkId}/rules")
    )]
    async fn link_rules(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The link's id.", directive = example::apply(LINK_ID.into()))] link_id: ID,
    ) -> Result<LinkRules, ApiError> {
        let app = ctx.app()?;
        let shown = ops::routes(app, ctx.call()?.account()?, self::link_id(&link_id)?).await?;
        Ok(LinkRules::new(&shown, app))
    }

    /// The split of a link. Fails with NOT_FOUND when the account has no such link.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/links/{linkId}/split")
    )]
    async fn link_split(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The link's id.", directive = example::apply(LINK_ID.into()))] link_id: ID,
    ) -> Result<LinkSplit, ApiError> {
        let shown = ops::routes(ctx.app()?, ctx.call()?.account()?, self::link_id(&link_id)?).await?;
        Ok(LinkSplit::new(&shown))
    }

    /// Where proposed rules would have led the visits of the last days, as far as clicks keep what rules ask about. Nothing is changed. Fails
    /// with NOT_FOUND when the account has no such link.
    #[graphql(
        directive = Scoped::apply(Scope::AnalyticsRead, Depth::Signature),
        directive = Post::apply("/links/{linkId}/rules/rehearse")
    )]
    async fn rehearse_rules(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The link's id.", directive = example::apply(LINK_ID.into()))] link_id: ID,
        #[graphql(desc = "The rules, and which visits.")] input: RehearseRulesInput,
    ) -> Result<Rehearsal, ApiError> {
        rehearsal::rehearse(ctx.app()?, ctx.call()?.account()?, self::link_id(&link_id)?, input).await
    }

    /// How the split of a link, or of one of its rules, divides visitors since it was last set, and whether it does so as its weights say.
    /// Clicks alone follow the weights: which destination does better, they do not tell. Fails with NOT_FOUND when the account has no
    /// such link, or the link's rule no split.
    #[graphql(
        directive = Scoped::apply(Scope::AnalyticsRead, Depth::Signature),
        directive = Get::apply("/links/{linkId}/split/report")
    )]
    async fn split_report(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The link's id.", directive = example::apply(LINK_ID.into()))] link_id: ID,
        #[graphql(
            desc = "The place, from 1 on, of the rule whose split it is. Absent: the link's own.",
            directive = range::apply(1, MAX_RULES as i32),
            directive = example::apply("1".into())
        )]
        rule: Option<i32>,
    ) -> Result<SplitReport, ApiError> {
        report::report(ctx.app()?, ctx.call()?.account()?, self::link_id(&link_id)?, rule).await
    }

    /// Where a link leads a visit, and why: the program that redirects run, for a visit that is described. Fails with NOT_FOUND when the
    /// account has no such link.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Post::apply("/links/{linkId}/explain")
    )]
    async fn explain_redirect(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The link's id.", directive = example::apply(LINK_ID.into()))] link_id: ID,
        #[graphql(desc = "The visit.")] input: ExplainRedirectInput,
    ) -> Result<Explanation, ApiError> {
        explain::explain(ctx.app()?, ctx.call()?.account()?, self::link_id(&link_id)?, input).await
    }
}
