//! The hosts that links of accounts are served on: their settings, and the pages that visitors see on them.

pub(crate) mod page_types;
pub(crate) mod pages;
pub(crate) mod route;
pub(crate) mod settings;
pub(crate) mod types;

use sea_orm::ConnectionTrait;

use crate::{
    app::App,
    base::{
        error::{ApiError, Code},
        ids::AccountId,
        validate::host_name,
    },
    records::{domains, subdomains},
};

/// The name of a domain or subdomain of the account, as it is stored. Fails with NOT_FOUND when it has none of that name.
pub(crate) async fn own_host(
    app: &App,
    db: &impl ConnectionTrait,
    account: AccountId,
    host: &str,
) -> Result<String, ApiError> {
    let name = host_name(host).ok_or(Code::NotFound)?;
    let is_own = match app.config.label_of(&name) {
        Some(label) => subdomains::repo::subdomain(db, account).await?.is_some_and(|claim| claim.label == label),
        None => domains::repo::has(db, account, &name).await?,
    };
    if is_own { Ok(name) } else { Err(Code::NotFound.into()) }
}
