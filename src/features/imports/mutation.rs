//! Changes of imports.

use async_graphql::{Context, ID, Object};

use crate::{
    app::idempotent::execute,
    base::error::ApiError,
    features::imports::{
        ops,
        preview::{self, ImportPreview, PreviewImportInput},
        types::{AppendImportInput, Import, StartApiImportInput, StartImportInput, import_id},
    },
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, example, idempotent},
        shorthands::{Post, RestOnBoth, Scoped},
    },
    platform::auth::{
        access::{Depth, creates},
        scope::Scope,
    },
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct ImportMutation;

#[Object]
impl ImportMutation {
    /// Begins an import of a file of links, which goes on by itself: of `data`, or of a file that follows in parts. Fails with
    /// CONFLICT while another import of the account has not ended, and with NOT_FOUND when the account has no such domain.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = creates::apply(None),
        directive = idempotent::apply(),
        directive = RestOnBoth::apply(HttpMethod::Post, "/imports", 202, Some("/imports/{id}"))
    )]
    async fn start_import(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The import.")] input: StartImportInput,
    ) -> Result<Import, ApiError> {
        let (app, act) = (ctx.app()?, ctx.act()?);
        let start = async {
            let started = ops::start(app, &act, input.into()).await?;
            Ok(started.map(|import| Import::new(import, &app.config)))
        };
        execute(app, &act, start).await
    }

    /// Begins an import of links out of another service's API, which goes on by itself. Fails with CONFLICT while another import of the
    /// account has not ended, and with NOT_FOUND when the account has no such domain.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = creates::apply(None),
        directive = idempotent::apply(),
        directive = RestOnBoth::apply(HttpMethod::Post, "/imports/from-api", 202, Some("/imports/{id}"))
    )]
    async fn start_api_import(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The import.")] input: StartApiImportInput,
    ) -> Result<Import, ApiError> {
        let (app, act) = (ctx.app()?, ctx.act()?);
        let start = async {
            let started = ops::start(app, &act, input.into()).await?;
            Ok(started.map(|import| Import::new(import, &app.config)))
        };
        execute(app, &act, start).await
    }

    /// Tells what a file's columns are taken for, with the first rows, and changes nothing.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = creates::apply(None),
        directive = Post::apply("/imports/preview")
    )]
    async fn preview_import(
        &self,
        #[graphql(desc = "The file.")] input: PreviewImportInput,
    ) -> Result<ImportPreview, ApiError> {
        preview::preview(input)
    }

    /// Gives an open import the next part of its file; the last one has it run. Fails with NOT_FOUND when the account has no such
    /// import, and with CONFLICT when it takes no more parts, or has another part of that number.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = RestOnBoth::apply(HttpMethod::Post, "/imports/{importId}/parts", 202, None)
    )]
    async fn append_import(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The import's id.",
            directive = example::apply("019aa1c2-b5d4-7a10-8c3e-0f1a2b3c4d5e".into())
        )]
        id: ID,
        #[graphql(desc = "The part.")] input: AppendImportInput,
    ) -> Result<Import, ApiError> {
        let app = ctx.app()?;
        let AppendImportInput { number, data, is_last } = input;
        let (act, id) = (ctx.act()?, import_id(&id)?);
        let import = ops::append(app, &act, id, number, data, is_last.unwrap_or(false)).await?;
        Ok(Import::new(import, &app.config))
    }

    /// Ends an import. Links that it made stay. Fails with NOT_FOUND when the account has no such import, and with CONFLICT when it
    /// has ended.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Post::apply("/imports/{importId}/cancel")
    )]
    async fn cancel_import(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The import's id.",
            directive = example::apply("019aa1c2-b5d4-7a10-8c3e-0f1a2b3c4d5e".into())
        )]
        id: ID,
    ) -> Result<Import, ApiError> {
        let app = ctx.app()?;
        let act = ctx.act()?;
        let import = ops::cancel(app, &act, act.account, import_id(&id)?).await?;
        Ok(Import::new(import, &app.config))
    }
}
