//! Whether a link can get a slug, for those who type one.

use std::iter;

use async_graphql::{Enum, SimpleObject};
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    base::{
        error::ApiError,
        ids::{AccountId, LinkId},
    },
    features::links::{
        any_case::IgnoringHosts,
        checks::{self, is_reserved, stored_host, usable},
        lookup, place,
    },
    graphql::directives::example,
    records::links::{repo, retired_repo, slug_repo},
    redirect::cache::Site,
};

/// Whether a link can get a slug on a host.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum SlugState {
    /// A link can get it now. Nothing is reserved by the question: somebody else may be faster.
    Free,
    /// A link of this or another account has it. What a deleted account had on the service's own host stays taken for 90 days, and what
    /// a blocked link has for as long as it is blocked.
    Taken,
    /// The service itself answers at this path of its own host.
    Reserved,
}

/// The answer to whether a slug can be had.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SlugAvailability {
    /// The slug that was asked for, as it would be stored.
    #[graphql(directive = example::apply("spring-sale".into()))]
    slug: String,
    /// The host on which it was asked for.
    #[graphql(directive = example::apply("localhost".into()))]
    domain: String,
    /// Whether a link can get it there.
    #[graphql(directive = example::apply("\"FREE\"".into()))]
    state: SlugState,
}

/// Tells whether a link can get the slug on the domain (`None`: the service's own host). The address of the link `own` is not taken for
/// itself. Fails as the creation of a link does where the slug is invalid, or the account has no such domain.
pub(crate) async fn of_slug(
    app: &App,
    account: AccountId,
    slug: String,
    domain: Option<&str>,
    own: Option<LinkId>,
) -> Result<SlugAvailability, ApiError> {
    let host =
        domain.map_or(Some(String::new()), |domain| stored_host(app, domain)).ok_or_else(place::unknown_domain)?;
    let slug =
        checks::slug(host.is_empty(), &slug).map_err(|message| ApiError::invalid_field("slug", message))?.into_owned();
    if !host.is_empty() && usable(app, account, iter::once(host.as_str())).await?.is_empty() {
        return Err(place::unknown_domain());
    }
    if let Some(own) = own {
        lookup::link(app, account, own).await?;
    }
    let state = if is_reserved(app, host.is_empty(), &slug) {
        SlugState::Reserved
    } else if is_taken(app, account, &host, &slug, own).await? {
        SlugState::Taken
    } else {
        SlugState::Free
    };
    Ok(SlugAvailability { slug, domain: place::shown_host(&host, &app.config).to_owned(), state })
}

async fn is_taken(
    app: &App,
    account: AccountId,
    host: &str,
    slug: &str,
    own: Option<LinkId>,
) -> Result<bool, ApiError> {
    let db = app.db.read();
    let ignoring = IgnoringHosts::among(db, account, iter::once(host)).await?;
    let site = ignoring.on(Site::exact(host, account));
    let holder = if site.ignores_case {
        let lower = slug.to_ascii_lowercase();
        let taken = slug_repo::taken(db, account, iter::once((host, lower.as_str()))).await?;
        taken.into_iter().next().map(|link| link.id)
    } else {
        repo::holder(db, host, slug).await?
    };
    Ok(match (holder, own) {
        (Some(holder), own) => own.is_none_or(|own| own.0 != holder),
        (None, _) if app.redirects.restrictions.blocked_at(site, slug).is_some() => true,
        (None, _) => host.is_empty() && retired_repo::holds(db, slug, app.clock.now()).await?,
    })
}
