//! Rules of the identities that a user sees.

use entity::identity;
use uuid::Uuid;

use crate::{
    app::App,
    base::{
        error::{ApiError, Code},
        ids::UserId,
    },
    features::accounts::fresh_proof,
    platform::work::audit::{Act, Fact},
    records::identities::repo,
};

/// The user's identities, the oldest first.
pub(crate) async fn list(app: &App, user: UserId) -> Result<Vec<identity::Model>, ApiError> {
    Ok(repo::of_user(app.db.read(), user).await?)
}

/// Disconnects an identity from the user who calls.
pub(crate) async fn remove(app: &App, act: &Act, id: Uuid) -> Result<(), ApiError> {
    fresh_proof::check(app, &act.call).await?;
    let tx = app.begin(act).await?;
    let removed = repo::delete(&tx, act.call.user()?, id).await?.ok_or(Code::NotFound)?;
    Ok(tx.commit([Fact::deleted(&removed)]).await?)
}
