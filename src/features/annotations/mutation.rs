//! Mutations of annotations.

use async_graphql::{Context, ID, Object};

use crate::{
    app::idempotent::execute,
    base::error::ApiError,
    features::{
        annotations::{
            ops,
            query::annotation_id,
            types::{Annotation, CreateAnnotationInput, UpdateAnnotationInput},
        },
        links::query::link_id,
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
pub(crate) struct AnnotationMutation;

#[Object]
impl AnnotationMutation {
    /// Writes an annotation down. Fails with NOT_FOUND when the account has no such link, and with PLAN_LIMIT_REACHED when the account has
    /// 1,000 annotations.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = creates::apply(None),
        directive = idempotent::apply(),
        directive = Create::apply("/analytics/annotations", "/analytics/annotations/{id}")
    )]
    async fn create_annotation(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new annotation.")] input: CreateAnnotationInput,
    ) -> Result<Annotation, ApiError> {
        let (app, act) = (ctx.app()?, ctx.act()?);
        let CreateAnnotationInput { occurred_at, text, link_id: link } = input;
        let link = link.as_ref().map(link_id).transpose()?;
        let create = async { Ok(ops::create(app, &act, link, occurred_at.0, text).await?.map(Annotation::from)) };
        execute(app, &act, create).await
    }

    /// Changes time or text of an annotation. Fails with NOT_FOUND when the account has no such annotation.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Patch::apply("/analytics/annotations/{annotationId}")
    )]
    async fn update_annotation(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The annotation's id.",
            directive = example::apply("019aa1c8-2b3c-7d4e-8f5a-6b7c8d9e0f12".into())
        )]
        id: ID,
        #[graphql(desc = "What to change.")] input: UpdateAnnotationInput,
    ) -> Result<Annotation, ApiError> {
        let expected = ctx.expected(input.expected_updated_at);
        let occurred_at = input.occurred_at.map(|time| time.0);
        let id = annotation_id(&id)?;
        Ok(ops::update(ctx.app()?, &ctx.act()?, id, occurred_at, input.text, &expected).await?.into())
    }

    /// Deletes an annotation, and answers its id. Fails with NOT_FOUND when the account has no such annotation.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Delete::apply("/analytics/annotations/{annotationId}")
    )]
    async fn delete_annotation(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The annotation's id.",
            directive = example::apply("019aa1c8-2b3c-7d4e-8f5a-6b7c8d9e0f12".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        ops::delete(ctx.app()?, &ctx.act()?, annotation_id(&id)?).await?;
        Ok(id)
    }
}
