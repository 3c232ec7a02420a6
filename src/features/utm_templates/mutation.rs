//! Mutations of UTM templates.

use async_graphql::{Context, ID, Object};

use crate::{
    app::idempotent::execute,
    base::error::ApiError,
    features::utm_templates::{
        ops,
        query::template_id,
        types::{CreateUtmTemplateInput, UpdateUtmTemplateInput, UtmTemplate},
    },
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
pub(crate) struct UtmTemplateMutation;

#[Object]
impl UtmTemplateMutation {
    /// Creates a UTM template. Fails with CONFLICT when a template has the name, and with PLAN_LIMIT_REACHED when the account has 1,000
    /// templates.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = creates::apply(None),
        directive = idempotent::apply(),
        directive = Create::apply("/utm-templates", "/utm-templates/{id}")
    )]
    async fn create_utm_template(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new template.")] input: CreateUtmTemplateInput,
    ) -> Result<UtmTemplate, ApiError> {
        let (app, act) = (ctx.app()?, ctx.act()?);
        let (name, values) = input.parts();
        let create = async { Ok(ops::create(app, &act, &name, values).await?.map(UtmTemplate::from)) };
        execute(app, &act, create).await
    }

    /// Changes a UTM template; links that were written with it stay as they are. Fails with NOT_FOUND when the account has no such
    /// template, and with CONFLICT when another template has the name.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Patch::apply("/utm-templates/{utmTemplateId}")
    )]
    async fn update_utm_template(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The template's id.",
            directive = example::apply("019aa1c7-1b2c-7d3e-8f4a-5b6c7d8e9f01".into())
        )]
        id: ID,
        #[graphql(desc = "What to change.")] input: UpdateUtmTemplateInput,
    ) -> Result<UtmTemplate, ApiError> {
        let expected = ctx.expected(input.expected_updated_at);
        let (name, values) = input.parts();
        Ok(ops::update(ctx.app()?, &ctx.act()?, template_id(&id)?, name, values, &expected).await?.into())
    }

    /// Deletes a UTM template, and answers its id; links that were written with it stay as they are. Fails with NOT_FOUND when the
    /// account has no such template.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Delete::apply("/utm-templates/{utmTemplateId}")
    )]
    async fn delete_utm_template(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The template's id.",
            directive = example::apply("019aa1c7-1b2c-7d3e-8f4a-5b6c7d8e9f01".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        ops::delete(ctx.app()?, &ctx.act()?, template_id(&id)?).await?;
        Ok(id)
    }
}
