//! Queries on imports.

use async_graphql::{Context, ID, Object};

use crate::{
    base::{error::ApiError, page::PageArgs},
    features::imports::{
        ops,
        results::ImportRow,
        types::{self, Import, ImportError, import_id},
    },
    graphql::{
        context::ContextExt,
        directives::{example, export},
        page::{Page, selected},
        shorthands::{Get, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct ImportQuery;

#[Object]
impl ImportQuery {
    /// One page of the account's imports, newest first. The last 50 are kept, each for 30 days after its end.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/imports")
    )]
    async fn imports(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Imports a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<Import>, ApiError> {
        let app = ctx.app()?;
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let (imports, total) = ops::list(app, ctx.call()?.account()?, args, selected(ctx)).await?;
        Ok(Page::new(args, imports.into_iter().map(|import| Import::new(import, &app.config)).collect(), total))
    }

    /// One import, with how far it is. Fails with NOT_FOUND when the account has no such import.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/imports/{importId}")
    )]
    async fn import(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The import's id.",
            directive = example::apply("019aa1c2-b5d4-7a10-8c3e-0f1a2b3c4d5e".into())
        )]
        id: ID,
    ) -> Result<Import, ApiError> {
        let app = ctx.app()?;
        let import = ops::import(app, ctx.call()?.account()?, import_id(&id)?).await?;
        Ok(Import::new(import, &app.config))
    }

    /// One page of the rows of an import that can't become links, in the order of the file; the first 1,000 are kept. Fails with
    /// NOT_FOUND when the account has no such import.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/imports/{importId}/errors")
    )]
    async fn import_errors(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The import's id.",
            directive = example::apply("019aa1c2-b5d4-7a10-8c3e-0f1a2b3c4d5e".into())
        )]
        import_id: ID,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Rows a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<ImportError>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let id = types::import_id(&import_id)?;
        let (errors, total) = ops::errors(ctx.app()?, ctx.call()?.account()?, id, args, selected(ctx)).await?;
        Ok(Page::new(args, errors.into_iter().map(ImportError::from).collect(), total))
    }

    /// One page of the rows of an import that are done with, each with its short link or its error, in the order of the file: its
    /// first 1,000,000 rows, until ten later imports have begun. The export has them all in one file. Fails with NOT_FOUND when the
    /// account has no such import.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/imports/{importId}/rows"),
        directive = export::apply("/imports/{importId}/rows/export".into(), None, None),
        directive = export::apply("/api/v1/imports/{importId}/rows/export".into(), None, None)
    )]
    async fn import_rows(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The import's id.",
            directive = example::apply("019aa1c2-b5d4-7a10-8c3e-0f1a2b3c4d5e".into())
        )]
        import_id: ID,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Rows a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<ImportRow>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let id = types::import_id(&import_id)?;
        let (rows, total) = ops::rows(ctx.app()?, ctx.call()?.account()?, id, args, selected(ctx)).await?;
        Ok(Page::new(args, rows.into_iter().map(ImportRow::from).collect(), total))
    }
}
