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
        directives::{HttpMethod, example, idempotent, rest},
    },
    platform::auth::{
        access::{Credential, Depth, access, creates},
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
        directive = access::apply(Credential::Any, Some(Depth::Signature), Some(Scope::LinksWrite), None),
        directive = creates::apply(None),
        directive = idempotent::apply(),
        directive = rest::apply(HttpMethod::Post, "/utm-templates".into(), 201, Some("/utm-templates/{id}".into())),
        directive = rest::apply(HttpMethod::Post, "/api/v1/utm-templates".into(), 201, Some("/utm-templates/{id}".into()))
    )]
    async fn create_utm_template(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new template.")] input: CreateUtmTemplateInput,
    ) -> Result<UtmTemplate, ApiError> {
        let (app, account, once) = (ctx.app()?, ctx.call()?.account()?, ctx.once());
        let (name, values) = input.parts();
        let create = async { Ok(ops::create(app, account, &name, values, once).await?.map(UtmTemplate::from)) };
        execute(app, once, create).await
    }

    /// Changes a UTM template; links that were written with it stay as they are. Fails with NOT_FOUND when the account has no such
    /// template, and with CONFLICT when another template has the name.
    #[graphql(
        directive = access::apply(Credential::Any, Some(Depth::Signature), Some(Scope::LinksWrite), None),
        directive = rest::apply(HttpMethod::Patch, "/utm-templates/{utmTemplateId}".into(), 200, None),
        directive = rest::apply(HttpMethod::Patch, "/api/v1/utm-templates/{utmTemplateId}".into(), 200, None)
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
        let (name, values) = input.parts();
        Ok(ops::update(ctx.app()?, ctx.call()?.account()?, template_id(&id)?, name, values).await?.into())
    }

    /// Deletes a UTM template, and answers its id; links that were written with it stay as they are. Fails with NOT_FOUND when the
    /// account has no such template.
    #[graphql(
        directive = access::apply(Credential::Any, Some(Depth::Signature), Some(Scope::LinksWrite), None),
        directive = rest::apply(HttpMethod::Delete, "/utm-templates/{utmTemplateId}".into(), 204, None),
        directive = rest::apply(HttpMethod::Delete, "/api/v1/utm-templates/{utmTemplateId}".into(), 204, None)
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
        ops::delete(ctx.app()?, ctx.call()?.account()?, template_id(&id)?).await?;
        Ok(id)
    }
}
