//! Mutations of reports.

use async_graphql::{Context, ID, Object};

use super::{
    inputs::{CreateReportInput, UpdateReportInput},
    ops,
    query::report_id,
    types::Report,
};
use crate::{
    app::idempotent::execute,
    base::error::ApiError,
    features::links::query::link_id,
    graphql::{
        context::ContextExt,
        directives::{example, idempotent},
        shorthands::{Create, Delete, Patch, Scoped},
    },
    platform::auth::{
        access::{Depth, creates},
        scope::Scope,
    },
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct ReportMutation;

#[Object]
impl ReportMutation {
    /// Creates a report, with a page for everybody who has its `url` unless `isShared` is false. Fails with NOT_FOUND when the account has no
    /// such link, with FORBIDDEN when the caller may not know what `filter` asks about, and with PLAN_LIMIT_REACHED when the account has 200
    /// reports.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = creates::apply(None),
        directive = idempotent::apply(),
        directive = Create::apply("/reports", "/reports/{id}")
    )]
    async fn create_report(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new report.")] input: CreateReportInput,
    ) -> Result<Report, ApiError> {
        let (app, act) = (ctx.app()?, ctx.act()?);
        let link = input.link_id.as_ref().map(link_id).transpose()?;
        let create = async { ops::create(app, &act, link, input).await?.try_map(Report::try_from) };
        execute(app, &act, create).await
    }

    /// Changes a report. Fails with NOT_FOUND when the account has no such report, and with FORBIDDEN when the caller may not know what `filter`
    /// asks about, or when the report has a page that goes on and an API key lacks `analytics:read` or `links:read`: whoever knows its URL
    /// would get what the change shows.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Patch::apply("/reports/{reportId}")
    )]
    async fn update_report(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The report's id.",
            directive = example::apply("019aa1c9-3c4d-7e5f-8a6b-7c8d9e0f1a23".into())
        )]
        id: ID,
        #[graphql(desc = "What to change.")] input: UpdateReportInput,
    ) -> Result<Report, ApiError> {
        let expected = ctx.expected(input.expected_updated_at);
        ops::update(ctx.app()?, &ctx.act()?, report_id(&id)?, input, &expected).await?.try_into()
    }

    /// Deletes a report with its page, and answers its id. Fails with NOT_FOUND when the account has no such report.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Delete::apply("/reports/{reportId}")
    )]
    async fn delete_report(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The report's id.",
            directive = example::apply("019aa1c9-3c4d-7e5f-8a6b-7c8d9e0f1a23".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        ops::delete(ctx.app()?, &ctx.act()?, report_id(&id)?).await?;
        Ok(id)
    }
}
