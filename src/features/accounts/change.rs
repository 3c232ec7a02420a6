//! Changes of what belongs to an account.

use crate::{
    app::{App, change::Change},
    base::error::{ApiError, Code},
    platform::work::audit::Act,
    records::accounts::repo,
};

/// Begins a change of what belongs to the account, of which there is one at a time: its row is locked. Fails with UNAUTHENTICATED when
/// there is no such account: a "signature only" token outlives it.
pub(crate) async fn begin<'a>(app: &'a App, act: &Act) -> Result<Change<'a>, ApiError> {
    let tx = app.begin_once(act).await?;
    match repo::lock_account(&tx, act.account).await? {
        Some(_) => Ok(tx),
        None => Err(Code::Unauthenticated.into()),
    }
}
