//! Queries on UTM templates.

use async_graphql::{Context, ID, Object};

use crate::{
    base::{
        error::{ApiError, Code},
        page::PageArgs,
    },
    features::utm_templates::{ops, types::UtmTemplate},
    graphql::{
        context::ContextExt,
        directives::example,
        page::{Page, selected},
        shorthands::{Get, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
    records::utm_templates::UtmTemplateId,
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct UtmTemplateQuery;

#[Object]
impl UtmTemplateQuery {
    /// One page of the account's UTM templates, by name.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/utm-templates")
    )]
    async fn utm_templates(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Templates a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<UtmTemplate>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let (app, account) = (ctx.app()?, ctx.call()?.account()?);
        let (templates, total) = ops::list(app, account, args, selected(ctx)).await?;
        Ok(Page::new(args, templates.into_iter().map(UtmTemplate::from).collect(), total))
    }

    /// One UTM template. Fails with NOT_FOUND when the account has no such template.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/utm-templates/{utmTemplateId}")
    )]
    async fn utm_template(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The template's id.",
            directive = example::apply("019aa1c7-1b2c-7d3e-8f4a-5b6c7d8e9f01".into())
        )]
        id: ID,
    ) -> Result<UtmTemplate, ApiError> {
        Ok(ops::template(ctx.app()?, ctx.call()?.account()?, template_id(&id)?).await?.into())
    }
}

/// Parses the id of a template. Fails with NOT_FOUND when the text is no valid id.
pub(super) fn template_id(id: &ID) -> Result<UtmTemplateId, ApiError> {
    id.parse().map_err(|_| Code::NotFound.into())
}
