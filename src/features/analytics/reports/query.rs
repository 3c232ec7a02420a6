//! Queries on reports.

use async_graphql::{Context, ID, Object};

use super::{ops, types::Report};
use crate::{
    base::{
        error::{ApiError, Code},
        page::PageArgs,
    },
    features::links::query::link_id,
    graphql::{
        context::ContextExt,
        directives::example,
        page::{Page, selected},
        shorthands::{Get, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
    records::reports::ReportId,
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct ReportQuery;

#[Object]
impl ReportQuery {
    /// One page of reports, the newest first. Fails with NOT_FOUND when the account has no such link.
    #[graphql(directive = Scoped::apply(Scope::AnalyticsRead, Depth::Signature), directive = Get::apply("/reports"))]
    async fn reports(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            name = "linkId",
            desc = "Only reports on this link, by its id. Absent or null: all reports of the account.",
            directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into())
        )]
        link: Option<ID>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Reports a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<Report>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let link = link.as_ref().map(link_id).transpose()?;
        let (app, account) = (ctx.app()?, ctx.call()?.account()?);
        let (reports, total) = ops::list(app, account, link, args, selected(ctx)).await?;
        let reports = reports.into_iter().map(Report::try_from).collect::<Result<_, _>>()?;
        Ok(Page::new(args, reports, total))
    }

    /// One report. Fails with NOT_FOUND when the account has no such report.
    #[graphql(
        directive = Scoped::apply(Scope::AnalyticsRead, Depth::Signature),
        directive = Get::apply("/reports/{reportId}")
    )]
    async fn report(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The report's id.",
            directive = example::apply("019aa1c9-3c4d-7e5f-8a6b-7c8d9e0f1a23".into())
        )]
        id: ID,
    ) -> Result<Report, ApiError> {
        ops::report(ctx.app()?, ctx.call()?.account()?, report_id(&id)?).await?.try_into()
    }
}

/// Parses the id of a report. Fails with NOT_FOUND when the text is no valid id.
pub(super) fn report_id(id: &ID) -> Result<ReportId, ApiError> {
    id.parse().map_err(|_| Code::NotFound.into())
}
