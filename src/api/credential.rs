//! The credential of an answer that goes on, an open socket's or an export's: checked when it is given, and again when it may have ended.

use std::net::IpAddr;

use axum::http::HeaderValue;
use futures_util::FutureExt;

use crate::{
    api::authenticate,
    app::App,
    base::{
        clock::UnixMillis,
        error::{ApiError, Code},
        ids::AccountId,
    },
    features::accounts,
    platform::auth::{
        caller::Caller,
        scope::{Scope, Scopes},
        watchers::Watcher,
    },
};

/// The credential, and how its end is noticed.
#[derive(Debug)]
pub(crate) struct Credential {
    /// Where it comes from.
    client: IpAddr,
    header: Option<HeaderValue>,
    /// Notifies when the credential may have been revoked.
    watcher: Option<Watcher>,
    /// When it expires, in Unix milliseconds. `None`: never.
    expires_at: Option<UnixMillis>,
    /// The scopes by which the answer was judged: a user's own key loses some with the user's role.
    scopes: Scopes,
    /// The one scope that the answer needs. `None`: all that the credential has, as for a socket.
    needs: Option<Scope>,
    /// Whether it has to be checked again.
    is_check_due: bool,
}

impl Credential {
    /// The value of an `Authorization` header that a client sent; none: anonymous.
    pub(crate) fn of(header: Option<HeaderValue>, client: IpAddr) -> Self {
        let scopes = Scopes::default();
        Credential { header, client, watcher: None, expires_at: None, scopes, needs: None, is_check_due: false }
    }

    /// The credential of a call whose answer needs one scope, which was judged before. That it expires does not end the answer.
    pub(crate) fn judged(self, app: &App, account: AccountId, needs: Option<Scope>) -> Self {
        let watcher = Some(app.redirects.watchers.watch(account));
        // It may have ended since.
        Credential { watcher, needs, is_check_due: true, ..self }
    }

    /// The value of the `Authorization` header.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        self.header.clone()
    }

    /// Checks the credential, and watches it from now on. Answers its account; none if it is anonymous.
    pub(crate) async fn begin(&mut self, app: &App) -> Result<Option<AccountId>, ApiError> {
        let caller = self.check(app).await?;
        let account = caller.account();
        self.watcher = account.map(|account| app.redirects.watchers.watch(account));
        self.expires_at = caller.expires_at();
        self.scopes = caller.scopes();
        // The credential may have ended after the check and before the watch.
        self.is_check_due = account.is_some();
        Ok(account)
    }

    /// Waits until the credential may have ended. Safe to be cancelled.
    pub(crate) async fn notified(&mut self) {
        match &mut self.watcher {
            Some(watcher) => watcher.notified().await,
            None => std::future::pending().await,
        }
        self.is_check_due = true;
    }

    /// Whether the credential is still valid, with its scopes. The database is read only if it may have been revoked. During an outage the
    /// credential counts as valid, and is checked again at the next call: without a database, nothing is sent.
    pub(crate) async fn is_good(&mut self, app: &App) -> bool {
        if self.expires_at.is_some_and(|expires_at| expires_at <= app.clock.now()) {
            return false;
        }
        let _ = self.notified().now_or_never();
        if self.is_check_due {
            match self.check(app).await {
                Ok(caller) if self.has_lost(caller.scopes()) => return false,
                Ok(caller) => (self.scopes, self.is_check_due) = (caller.scopes(), false),
                Err(error) => return error.code != Code::Unauthenticated,
            }
        }
        true
    }

    /// Whether a scope that is needed is not among those that are left.
    fn has_lost(&self, left: Scopes) -> bool {
        match self.needs {
            Some(scope) => !left.contains(scope),
            None => self.scopes.beyond(left) != Scopes::default(),
        }
    }

    /// The caller, checked as for an operation that loads the user.
    async fn check(&self, app: &App) -> Result<Caller, ApiError> {
        let caller = authenticate::caller_by(app, self.header.as_ref(), self.client).await?;
        match &caller {
            Caller::Anonymous | Caller::ApiKey(_) => {}
            Caller::Refused => return Err(Code::Unauthenticated.into()),
            Caller::User(subject) => {
                accounts::owner::check_token(app.db.read(), subject).await?;
            }
        }
        Ok(caller)
    }
}
