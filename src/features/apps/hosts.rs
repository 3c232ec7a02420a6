//! Rules of the apps of hosts.

use entity::host_app;

use crate::{
    app::App,
    base::{
        error::{ApiError, Violations},
        ids::AccountId,
        version::{self, Expected},
    },
    features::{accounts::change, domains::hosts::own_host},
    platform::work::audit::{Act, Fact},
    records::apps::{files, host_repo as repo},
    redirect::{
        association::{AndroidApp, IosApp},
        stale::Stale,
    },
};

/// Apps of a host that a request asks for, in the place of all that it has.
#[derive(Clone, Debug)]
pub(crate) struct HostAppsChange {
    pub(crate) ios_apps: Vec<IosApp>,
    pub(crate) android_apps: Vec<AndroidApp>,
    /// The file for Apple as it is to be served. `None`: it is made from the apps.
    pub(crate) apple_file: Option<String>,
    /// The file for Google as it is to be served. `None`: it is made from the apps.
    pub(crate) android_file: Option<String>,
}

impl HostAppsChange {
    fn check(&self) -> Result<(), ApiError> {
        let mut violations = Violations::default();
        files::check_ios(&self.ios_apps, &mut violations);
        files::check_android(&self.android_apps, &mut violations);
        if let Some(file) = &self.apple_file {
            violations.take("appleFile", files::check_apple_file(file));
        }
        if let Some(file) = &self.android_file {
            violations.take("androidFile", files::check_android_file(file));
        }
        violations.finish()
    }
}

/// The apps of the account's host; those of a host without any were never changed. Fails with NOT_FOUND when the account has no
/// such domain or subdomain.
pub(crate) async fn apps(app: &App, account: AccountId, host: &str) -> Result<host_app::Model, ApiError> {
    let db = app.db.read();
    let host = own_host(app, db, account, host).await?;
    Ok(repo::apps(db, account, &host).await?.unwrap_or_else(|| nothing(account, host)))
}

/// Gives the account's host these apps in the place of those that it has. The next request for its files follows, on other nodes after a
/// moment.
pub(crate) async fn set(
    app: &App,
    act: &Act,
    host: &str,
    change: HostAppsChange,
    expected: &Expected,
) -> Result<host_app::Model, ApiError> {
    change.check()?;
    let account = act.account;
    let tx = change::begin(app, act).await?;
    let host = own_host(app, &*tx, account, host).await?;
    let before = repo::apps(&*tx, account, &host).await?.unwrap_or_else(|| nothing(account, host.clone()));
    expected.check(before.updated_at)?;
    let after = host_app::Model {
        ios_apps: serde_json::to_string(&change.ios_apps).map_err(ApiError::internal)?,
        android_apps: serde_json::to_string(&change.android_apps).map_err(ApiError::internal)?,
        apple_file: change.apple_file,
        android_file: change.android_file,
        updated_at: version::next(before.updated_at, app.clock.now()),
        ..before.clone()
    };
    repo::store(&*tx, after.clone()).await?;
    tx.evict([Stale::Host(host)]);
    tx.commit([Fact::changed(&before, &after)]).await?;
    Ok(after)
}

fn nothing(account: AccountId, host: String) -> host_app::Model {
    host_app::Model {
        host,
        account_id: account.0,
        ios_apps: "[]".to_owned(),
        android_apps: "[]".to_owned(),
        apple_file: None,
        android_file: None,
        updated_at: 0,
    }
}
