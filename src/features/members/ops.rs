//! Rules of members.

use entity::{account, membership, user};

use crate::{
    app::{App, change::Change},
    base::{
        clock::UnixMillis,
        error::{ApiError, Code, Violations},
        ids::{AccountId, MembershipId, UserId},
        page::{PageArgs, Selected},
        validate::check_name,
        version::{self, Expected},
    },
    features::{
        accounts::{
            change,
            login::{Login, check_not_suspended, issue_token},
            owner,
        },
        api_keys::revocation::revoke_all,
    },
    platform::{
        auth::{
            caller::{Call, Caller},
            role::Role,
        },
        work::audit::{Act, Fact},
    },
    records::{accounts, api_keys, memberships::repo, sessions},
    redirect::stale::Stale,
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
pub(super) async fn begin<'a>(app: &'a App, act: &Act) -> Result<Change<'a>, ApiError> {
    let tx = change::begin(app, act).await?;
    match &act.call.caller {
        Caller::User(subject) => owner::check_token(&tx, subject).await?,
        _ => return Err(Code::Unauthenticated.into()),
    }
    Ok(tx)
}

/// One page of the account's members, and their number; each only if selected.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<(membership::Model, user::Model)>, i64), ApiError> {
    let db = app.db.read();
    let found = if selected.items { repo::page(db, account, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account).await? } else { 0 };
    let members = found.into_iter().filter_map(|(membership, user)| Some((membership, user?))).collect();
    Ok((members, i64::try_from(total).unwrap_or(i64::MAX)))
}

/// Fails when the member is the account's last owner. The account is locked, so that of two changes at once the second sees the first.
async fn check_not_last_owner(tx: &Change<'_>, membership: &membership::Model) -> Result<(), ApiError> {
    let (account, user) = (AccountId(membership.account_id), UserId(membership.user_id));
    let is_owner = Role::from_stored(&membership.role) == Role::Owner;
    if is_owner && repo::count_other_owners(tx, account, user).await? == 0 {
        return Err(ApiError::conflict("role", "The account needs an owner: make another member one first."));
    }
    Ok(())
}

/// A member of the account.
pub(crate) async fn member(
    app: &App,
    account: AccountId,
    user: UserId,
) -> Result<(membership::Model, user::Model), ApiError> {
    repo::member(app.db.read(), account, user).await?.ok_or_else(|| Code::NotFound.into())
}

/// Gives a member another role. The member's tokens are refused from then on, within a second on every node.
pub(crate) async fn change_role(
    app: &App,
    act: &Act,
    member: UserId,
    role: Option<Role>,
    expected: &Expected,
) -> Result<(membership::Model, user::Model), ApiError> {
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
    let changed_at = version::next(before.changed_at, app.clock.now());
    repo::set_role(&tx, &before, role, changed_at).await?;
    let after = membership::Model { role: role.as_str().to_owned(), changed_at, ..before.clone() };
    tx.evict([Stale::membership(act.account, MembershipId(after.id), changed_at)]);
    tx.evict([Stale::Credentials(act.account.0)]);
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

async fn end(app: &App, tx: Change<'_>, membership: membership::Model, user: user::Model) -> Result<(), ApiError> {
    check_not_last_owner(&tx, &membership).await?;
    let (account, id, now) = (AccountId(membership.account_id), UserId(user.id), app.clock.now());
    accounts::repo::lock_user(&tx, account, id).await?;
    let mut facts = revoke_all(&tx, account, Some(id), now).await?;
    // The account's keys outlive whoever made them.
    if let Some(owner) =
        repo::with_roles(&tx, account, &[Role::Owner], 2).await?.into_iter().find(|it| it.id != user.id)
    {
        api_keys::repo::give_to(&tx, account, id, UserId(owner.id)).await?;
    }
    repo::delete(&tx, &membership).await?;
    let rest = repo::of_user(&tx, id).await?;
    let next = match rest.first() {
        Some((first, _)) => AccountId(first.account_id),
        // A user always has an account: a new, empty one.
        None => new_account(&tx, id, now).await?,
    };
    if user.account_id == account.0 {
        accounts::repo::set_selected(&tx, id, next).await?;
    }
    let ended_at = version::next(membership.changed_at, now);
    tx.evict([Stale::membership(account, MembershipId(membership.id), ended_at)]);
    tx.evict([Stale::Credentials(account.0)]);
    facts.push(Fact::deleted(&membership));
    Ok(tx.commit(facts).await?)
}

async fn new_account(tx: &Change<'_>, owner: UserId, now: UnixMillis) -> Result<AccountId, ApiError> {
    let account = accounts::repo::insert_account(tx, AccountId::new(), now).await?;
    let membership = membership::Model {
        id: MembershipId::new().0,
        user_id: owner.0,
        account_id: account.id,
        role: Role::Owner.as_str().to_owned(),
        created_at: now,
        changed_at: now,
    };
    repo::insert(tx, membership).await?;
    Ok(AccountId(account.id))
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
