//! Mutations of links.

use std::collections::HashMap;

use async_graphql::{Context, ID, Object};

use crate::{
    app::idempotent::execute,
    base::{
        error::{ApiError, Code},
        ids::LinkId,
    },
    features::links::{
        bulk_types::{
            CreateLinksInput, CreateLinksPayload, DeleteLinkResult, DeleteLinksInput, DeleteLinksPayload,
            UpdateLinkResult, UpdateLinksInput, UpdateLinksPayload,
        },
        change_ops::{self, LinkChange, Outcome},
        create_ops,
        inputs::{CreateLinkInput, UpdateLinkInput},
        link::{AnsweredLink, Link},
        query::link_id,
    },
    graphql::{
        context::ContextExt,
        directives::{example, idempotent},
        shorthands::{Create, Delete, Patch, Post, Scoped},
    },
    platform::auth::{
        access::{Depth, creates},
        scope::Scope,
    },
    records::links::creations::NewLink,
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct LinkMutation;

#[Object]
impl LinkMutation {
    /// Creates a link. Fails with CONFLICT when the slug is taken or blocked on the domain, or another link of the account
    /// has the external id, with NOT_FOUND when the account has
    /// no such domain, and with PLAN_LIMIT_REACHED when the plan allows no more links.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = creates::apply(Some(true)),
        directive = idempotent::apply(),
        directive = Create::apply("/links", "/links/{id}")
    )]
    async fn create_link(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new link.")] input: CreateLinkInput,
    ) -> Result<Link, ApiError> {
        let (app, act) = (ctx.app()?, ctx.act()?);
        let new = NewLink { may_read: may_read(ctx)?, ..input.into() };
        let create = async {
            let created = create_ops::create(app, &act, new).await?;
            Ok(created.map(|it| AnsweredLink { link: Link::new(it.shown, app), is_old: !it.is_new }))
        };
        let AnsweredLink { link, is_old } = execute(app, &act, create).await?;
        if is_old {
            ctx.note_existing();
        }
        Ok(link)
    }

    /// Creates up to 100 links. Each has its own result; one that fails does not keep the others from being created.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = creates::apply(Some(true)),
        directive = idempotent::apply(),
        directive = Post::apply("/links/bulk")
    )]
    async fn create_links(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new links.")] input: CreateLinksInput,
    ) -> Result<CreateLinksPayload, ApiError> {
        let (app, act) = (ctx.app()?, ctx.act()?);
        let may_read = may_read(ctx)?;
        let new = input.links.into_iter().map(|link| NewLink { may_read, ..link.into() }).collect();
        let create = async {
            let created = create_ops::create_many(app, &act, new).await?;
            Ok(created.map(|results| CreateLinksPayload::new(results, app)))
        };
        execute(app, &act, create).await
    }

    /// Changes up to 100 links in the same way. Each has its own result; one that fails does not keep the others from being changed.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Patch::apply("/links/bulk")
    )]
    async fn update_links(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The links, and what to change.")] input: UpdateLinksInput,
    ) -> Result<UpdateLinksPayload, ApiError> {
        let app = ctx.app()?;
        let links = Links::new(&input.ids);
        let changed = change_ops::update_many(app, &ctx.act()?, &links.known, input.change.into()).await?;
        let results = links.results(changed).map(|(link_id, result)| match result {
            Ok(link) => UpdateLinkResult { link_id, link: Some(Link::new(link, app)), error: None },
            Err(error) => UpdateLinkResult { link_id, link: None, error: Some(error.into()) },
        });
        Ok(UpdateLinksPayload { results: results.collect() })
    }

    /// Deletes up to 100 links and their clicks. Each has its own result. Those that are deleted stop redirecting at once, and their
    /// slugs are free again.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Post::apply("/links/bulk/delete")
    )]
    async fn delete_links(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The links.")] input: DeleteLinksInput,
    ) -> Result<DeleteLinksPayload, ApiError> {
        let links = Links::new(&input.ids);
        let deleted = change_ops::delete_many(ctx.app()?, &ctx.act()?, &links.known).await?;
        let results = links.results(deleted);
        let results =
            results.map(|(link_id, result)| DeleteLinkResult { link_id, error: result.err().map(Into::into) });
        Ok(DeleteLinksPayload { results: results.collect() })
    }

    /// Changes a link; the next redirect follows. Fails with NOT_FOUND when the account has no such link or domain, and with
    /// CONFLICT when the slug is taken or blocked on its domain, when another link of the account has the external id, or when
    /// the link itself is blocked and gets another address.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Patch::apply("/links/{linkId}")
    )]
    async fn update_link(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The link's id.",
            directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into())
        )]
        id: ID,
        #[graphql(desc = "What to change.")] input: UpdateLinkInput,
    ) -> Result<Link, ApiError> {
        let app = ctx.app()?;
        let expected = ctx.expected(input.expected_updated_at);
        let change = LinkChange { expected, ..input.into() };
        let link = change_ops::update(app, &ctx.act()?, link_id(&id)?, change).await?;
        Ok(Link::new(link, app))
    }

    /// Deletes a link and its clicks, and answers its id. It stops redirecting at once, and its slug is free again.
    /// Fails with NOT_FOUND when the account has no such link.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Delete::apply("/links/{linkId}")
    )]
    async fn delete_link(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The link's id.",
            directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        change_ops::delete(ctx.app()?, &ctx.act()?, link_id(&id)?).await?;
        Ok(id)
    }
}

/// Whether the caller may read links.
fn may_read(ctx: &Context<'_>) -> Result<bool, ApiError> {
    Ok(ctx.call()?.caller.has(Scope::LinksRead))
}

/// The links that a request names.
struct Links<'a> {
    sent: &'a [ID],
    /// Each of them once, without texts that are no ids.
    known: Vec<LinkId>,
}

impl<'a> Links<'a> {
    fn new(sent: &'a [ID]) -> Self {
        let mut known: Vec<LinkId> = sent.iter().filter_map(|id| link_id(id).ok()).collect();
        known.sort_unstable();
        known.dedup();
        Links { sent, known }
    }

    /// The outcome of each link, in the order sent.
    fn results<T: Clone>(&self, outcomes: Vec<Outcome<T>>) -> impl Iterator<Item = (ID, Result<T, ApiError>)> {
        let outcomes: HashMap<LinkId, _> = outcomes.into_iter().collect();
        self.sent.iter().map(move |id| {
            let outcome = link_id(id).ok().and_then(|link| outcomes.get(&link).cloned());
            (id.clone(), outcome.unwrap_or_else(|| Err(Code::NotFound.into())))
        })
    }
}
