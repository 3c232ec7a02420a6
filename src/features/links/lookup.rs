//! One link of an account.

use entity::link;

use crate::{
    app::App,
    base::{
        error::{ApiError, Code},
        ids::{AccountId, LinkId},
    },
    records::links::repo,
};

/// The link with this id. Fails with NOT_FOUND when the account has no such link.
pub(crate) async fn link(app: &App, account: AccountId, id: LinkId) -> Result<link::Model, ApiError> {
    repo::link(app.db.read(), account, id).await?.ok_or_else(|| Code::NotFound.into())
}
