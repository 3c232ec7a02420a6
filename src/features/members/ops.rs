//! Rules of members.

use entity::{account, user};

use super::membership;
use crate::{
    app::{App, change::Change},
    base::{
        error::{ApiError, Code, Violations},
        ids::{AccountId, UserId},
        page::{PageArgs, Selected},
        validate::check_name,
        version::{self, Expected},
    },
    features::accounts::{
        change,
        login::{Login, check_not_suspended, issue_token},
        owner,
    },
    platform::{
        auth::{
            caller::{Call, Caller},
            role::Role,
        },
        work::audit::{Act, Fact},
    },
    records::{accounts, memberships::repo, sessions},
};

/// The role of the user who calls. `None`: no user calls.
fn role_of(call: &Call) -> Option<Role> {
    match &call.caller {
        Caller::User(subject) => Some(subject.role),
        _ => None,
    }
}

/// Fails unless the caller may give the role, or take it away: only owners make owners, and remove them.
pub(super) fn check_may_give(call: &Call, role: Role) -> Result<(), ApiError> {
    if role != Role::Owner || role_of(call) == Some(Role::Owner) {
        return Ok(());
    }
    Err(ApiError::new(Code::Forbidden, "Only an owner makes, changes and removes owners."))
}

/// Begins a change of the account's members, of which there is one at a time. Checks the caller again once the account is locked: the change
/// before may have taken the caller's role away.
pub(crate) async fn begin<'a>(app: &'a App, act: &Act) -> Result<Change<'a>, ApiError> {
    let tx = change::begin(app, act).await?;
    owner::check_user(&tx, &act.call).await?;
    Ok(tx)
}

/// One page of the account's members, and their number; each only if selected.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<(entity::membership::Model, user::Model)>, i64), ApiError> {
    let db = app.db.read();
    let found = if selected.items { repo::page(db, account, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account).await? } else { 0 };
    let members = found.into_iter().filter_map(|(membership, user)| Some((membership, user?))).collect();
    Ok((members, i64::try_from(total).unwrap_or(i64::MAX)))
}

async fn check_not_last_owner(tx: &Change<'_>, membership: &entity::membership::Model) -> Result<(), ApiError> {
    match membership::is_last_owner(tx, membership).await? {
        true => Err(ApiError::conflict("role", "The account needs an owner: make another member one first.")),
        false => Ok(()),
    }
}

/// A member of the account.
pub(crate) async fn member(
    app: &App,
    account: AccountId,
    user: UserId,
) -> Result<(entity::membership::Model, user::Model), ApiError> {
    repo::member(app.db.read(), account, user).await?.ok_or_else(|| Code::NotFound.into())
}

/// Gives a member another role. The member's tokens are refused from then on, within a second on every node.
pub(crate) async fn change_role(
    app: &App,
    act: &Act,
    member: UserId,
    role: Option<Role>,
    expected: &Expected,
) -> Result<(entity::membership::Model, user::Model), ApiError> {
    let tx = begin(app, act).await?;
    let Some((before, user)) = repo::member(&tx, act.account, member).await? else {
        return Err(Code::NotFound.into());
    };
    expected.check(before.changed_at)?;
    let Some(role) = role else { return Ok((before, user)) };
    check_may_give(&act.call, role)?;
    check_may_give(&act.call, Role::from_stored(&before.role))?;
    if role != Role::Owner {
        check_not_last_owner(&tx, &before).await?;
    }
    let after = membership::change(&tx, &before, role, app.clock.now()).await?;
    tx.commit([Fact::changed(&before, &after)]).await?;
    Ok((after, user))
}

/// Removes a member, whose tokens and own API keys are refused from then on, within a second on every node.
pub(crate) async fn remove(app: &App, act: &Act, member: UserId) -> Result<(), ApiError> {
    let tx = begin(app, act).await?;
    let Some((membership, user)) = repo::member(&tx, act.account, member).await? else {
        return Err(Code::NotFound.into());
    };
    check_may_give(&act.call, Role::from_stored(&membership.role))?;
    end(app, tx, membership, user).await
}

/// Ends the membership of the user who calls.
pub(crate) async fn leave(app: &App, act: &Act) -> Result<(), ApiError> {
    let tx = begin(app, act).await?;
    let member = repo::member(&tx, act.account, act.call.user()?).await?;
    let (membership, user) = member.ok_or_else(|| ApiError::from(Code::Unauthenticated))?;
    end(app, tx, membership, user).await
}

async fn end(
    app: &App,
    tx: Change<'_>,
    membership: entity::membership::Model,
    user: user::Model,
) -> Result<(), ApiError> {
    check_not_last_owner(&tx, &membership).await?;
    let facts = membership::end(&tx, &membership, &user, app.clock.now()).await?;
    Ok(tx.commit(facts).await?)
}

/// A token for another account of the user who calls; the user's next logins are to it, too, and the session's.
pub(crate) async fn switch(app: &App, act: &Act, account: AccountId) -> Result<Login, ApiError> {
    let (id, call) = (act.call.user()?, &act.call);
    if repo::membership(app.db.read(), account, id).await?.is_none() {
        return Err(Code::NotFound.into());
    }
    check_not_suspended(app.db.read(), account).await?;
    let tx = app.begin(act).await?;
    // Locked: whoever is removed meanwhile must not be left with this account, which may be deleted, as the selected one.
    let read = accounts::repo::lock_account(&tx, account).await?;
    let member = repo::member(&tx, account, id).await?;
    let (membership, mut user) = member.ok_or_else(|| ApiError::from(Code::NotFound))?;
    accounts::repo::set_selected(&tx, id, account).await?;
    if let Some(session) = call.session() {
        sessions::repo::set_account(&tx, session, account).await?;
    }
    tx.commit(None).await?;
    user.account_id = account.0;
    let login = issue_token(app, user, &membership, call.session(), call.proved_at().unwrap_or_default())?;
    Ok(Login { account: read, ..login })
}

/// Names the account. `None`: its name stays.
pub(crate) async fn rename(
    app: &App,
    act: &Act,
    name: Option<String>,
    expected: &Expected,
) -> Result<account::Model, ApiError> {
    let mut violations = Violations::default();
    name.as_deref().map(|name| violations.take("name", check_name(name)));
    violations.finish()?;
    let tx = change::begin(app, act).await?;
    let before = accounts::repo::account(&tx, act.account).await?;
    let before = before.ok_or_else(|| ApiError::from(Code::Unauthenticated))?;
    let version = before.updated_at.max(before.created_at);
    expected.check(version)?;
    if name.is_none() {
        return Ok(before);
    }
    let updated_at = version::next(version, app.clock.now());
    accounts::repo::set_name(&tx, act.account, name.clone(), updated_at).await?;
    let after = account::Model { name, updated_at, ..before.clone() };
    tx.commit([Fact::changed(&before, &after)]).await?;
    Ok(after)
}
