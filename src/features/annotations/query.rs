//! Queries on annotations.

use async_graphql::{Context, ID, Object};

use crate::{
    base::{
        error::{ApiError, Code},
        page::PageArgs,
    },
    features::{
        annotations::{ops, types::Annotation},
        links::query::link_id,
    },
    graphql::{
        context::ContextExt,
        directives::example,
        page::{Page, selected},
        scalars::Timestamp,
        shorthands::{Get, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
    records::annotations::{AnnotationId, repo::AnnotationFilter},
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct AnnotationQuery;

#[Object]
impl AnnotationQuery {
    /// One page of annotations, those of the latest time first. Fails with NOT_FOUND when the account has no such link.
    #[graphql(
        directive = Scoped::apply(Scope::AnalyticsRead, Depth::Signature),
        directive = Get::apply("/analytics/annotations")
    )]
    async fn annotations(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            name = "linkId",
            desc = "A link's id: its annotations and those about all links. Absent or null: all annotations of the account.",
            directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into())
        )]
        link: Option<ID>,
        #[graphql(
            desc = "Only annotations of this time or later. Absent: from the first.",
            directive = example::apply("2026-11-01T00:00:00.000Z".into())
        )]
        from: Option<Timestamp>,
        #[graphql(
            desc = "Only annotations of a time before this. Absent: also those of the future.",
            directive = example::apply("2026-12-01T00:00:00.000Z".into())
        )]
        to: Option<Timestamp>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Annotations a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<Annotation>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let link = link.as_ref().map(link_id).transpose()?;
        let filter = AnnotationFilter { link, from: from.map(|time| time.0), to: to.map(|time| time.0) };
        let (app, account) = (ctx.app()?, ctx.call()?.account()?);
        let (annotations, total) = ops::list(app, account, filter, args, selected(ctx)).await?;
        Ok(Page::new(args, annotations.into_iter().map(Annotation::from).collect(), total))
    }

    /// One annotation. Fails with NOT_FOUND when the account has no such annotation.
    #[graphql(
        directive = Scoped::apply(Scope::AnalyticsRead, Depth::Signature),
        directive = Get::apply("/analytics/annotations/{annotationId}")
    )]
    async fn annotation(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The annotation's id.",
            directive = example::apply("019aa1c8-2b3c-7d4e-8f5a-6b7c8d9e0f12".into())
        )]
        id: ID,
    ) -> Result<Annotation, ApiError> {
        Ok(ops::annotation(ctx.app()?, ctx.call()?.account()?, annotation_id(&id)?).await?.into())
    }
}

/// Parses the id of an annotation. Fails with NOT_FOUND when the text is no valid id.
pub(super) fn annotation_id(id: &ID) -> Result<AnnotationId, ApiError> {
    id.parse().map_err(|_| Code::NotFound.into())
}
