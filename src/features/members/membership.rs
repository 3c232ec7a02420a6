//! What becomes of tokens, keys and the selected account when a membership begins, changes or ends. Callers hold the account's lock.

use entity::{membership, user};

use crate::{
    app::change::Change,
    base::{
        clock::UnixMillis,
        error::ApiError,
        ids::{AccountId, MembershipId, UserId},
        version,
    },
    features::api_keys::revocation::revoke_all,
    platform::{auth::role::Role, work::audit::Fact},
    records::{
        accounts, api_keys,
        memberships::repo::{self, MAX_ACCOUNTS},
    },
    redirect::stale::Stale,
};

/// Whether the member is the account's last owner. The account is locked, so that of two changes at once the second sees the first.
pub(crate) async fn is_last_owner(tx: &Change<'_>, membership: &membership::Model) -> Result<bool, ApiError> {
    let (account, user) = (AccountId(membership.account_id), UserId(membership.user_id));
    let is_owner = Role::from_stored(&membership.role) == Role::Owner;
    Ok(is_owner && repo::count_other_owners(tx, account, user).await? == 0)
}

/// Makes the user a member. Fails with PLAN_LIMIT_REACHED when the user has too many accounts.
pub(crate) async fn begin(
    tx: &Change<'_>,
    account: AccountId,
    user: UserId,
    role: Role,
    now: UnixMillis,
) -> Result<membership::Model, ApiError> {
    if repo::of_user(tx, user).await?.len() as u64 >= MAX_ACCOUNTS {
        let limit = i64::try_from(MAX_ACCOUNTS).unwrap_or(i64::MAX);
        return Err(ApiError::plan_limit(limit, limit, "memberships"));
    }
    let new = membership::Model {
        id: MembershipId::new().0,
        user_id: user.0,
        account_id: account.0,
        role: role.as_str().to_owned(),
        created_at: now,
        changed_at: now,
    };
    repo::insert(tx, new.clone()).await?;
    Ok(new)
}

/// Gives the member another role. The member's tokens are refused from then on, within a second on every node.
pub(crate) async fn change(
    tx: &Change<'_>,
    before: &membership::Model,
    role: Role,
    now: UnixMillis,
) -> Result<membership::Model, ApiError> {
    let changed_at = version::next(before.changed_at, now);
    repo::set_role(tx, before, role, changed_at).await?;
    forget(tx, before, changed_at);
    Ok(membership::Model { role: role.as_str().to_owned(), changed_at, ..before.clone() })
}

/// Ends a membership. The member's tokens and own API keys are refused from then on, within a second on every node.
pub(crate) async fn end(
    tx: &Change<'_>,
    membership: &membership::Model,
    user: &user::Model,
    now: UnixMillis,
) -> Result<Vec<Fact>, ApiError> {
    let (account, id) = (AccountId(membership.account_id), UserId(user.id));
    accounts::repo::lock_user(tx, account, id).await?;
    let mut facts = revoke_all(tx, account, Some(id), now).await?;
    // The account's keys outlive whoever made them.
    if let Some(owner) = repo::with_roles(tx, account, &[Role::Owner], 2).await?.into_iter().find(|it| it.id != user.id)
    {
        api_keys::repo::give_to(tx, account, id, UserId(owner.id)).await?;
    }
    repo::delete(tx, membership).await?;
    let rest = repo::of_user(tx, id).await?;
    let next = match rest.first() {
        Some((first, _)) => AccountId(first.account_id),
        // A user always has an account: a new, empty one.
        None => {
            let account = accounts::repo::insert_account(tx, AccountId::new(), now).await?;
            begin(tx, AccountId(account.id), id, Role::Owner, now).await?;
            AccountId(account.id)
        }
    };
    if user.account_id == account.0 {
        accounts::repo::set_selected(tx, id, next).await?;
    }
    forget(tx, membership, version::next(membership.changed_at, now));
    facts.push(Fact::deleted(membership));
    Ok(facts)
}

fn forget(tx: &Change<'_>, membership: &membership::Model, changed_at: UnixMillis) {
    let account = AccountId(membership.account_id);
    tx.evict([Stale::membership(account, MembershipId(membership.id), changed_at), Stale::Credentials(account.0)]);
}
