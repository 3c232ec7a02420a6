//! Rules of invitations.

use entity::{account, invitation};

use super::{
    invitation_mail::InvitationMail,
    membership,
    ops::{self, check_may_give},
};
use crate::{
    app::App,
    base::{
        clock::{DAY, Millis},
        error::{ApiError, Code, Violations},
        ids::{AccountId, InvitationId, UserId},
        page::{PageArgs, Selected},
        validate::check_email,
        version,
    },
    features::accounts::{invitation as invited, owner},
    platform::{
        auth::role::Role,
        http::rate_limit::{Key, Policy},
        work::{
            audit::{Act, Fact},
            jobs::Job,
        },
    },
    records::{
        accounts,
        memberships::{invitation_repo as repo, repo as memberships},
    },
};

/// How long an invitation waits.
const LIFETIME: Millis = 7 * DAY;
/// Invitations of an account that wait at most: each is a mail to somebody who did not ask for it.
const MAX_WAITING: u64 = 100;

/// Invites an address, and mails it a token. An earlier invitation of it is void.
pub(crate) async fn invite(app: &App, act: &Act, email: &str, role: Role) -> Result<invitation::Model, ApiError> {
    let mut violations = Violations::default();
    violations.take("email", check_email(email));
    violations.finish()?;
    check_may_give(&act.call, role)?;
    let email = email.to_lowercase();
    let inviter = owner::user(app, act.account, act.call.user()?).await?;
    if let Some(user) = accounts::repo::user_by_email(app.db.read(), &email).await?
        && memberships::membership(app.db.read(), act.account, UserId(user.id)).await?.is_some()
    {
        return Err(ApiError::conflict("email", "The user is a member already."));
    }
    let now = app.clock.now();
    app.limits.take(Policy::Invitations, Key::from(act.account), 1).await?;
    app.limits.take_mail(&email).await?;
    let new = invitation::Model {
        id: InvitationId::new().0,
        account_id: act.account.0,
        email,
        role: role.as_str().to_owned(),
        token_hash: None,
        created_at: now,
        expires_at: now + LIFETIME,
    };
    let tx = ops::begin(app, act).await?;
    let waiting = repo::count(&tx, act.account, now).await?;
    if waiting >= MAX_WAITING {
        let [limit, used] = [MAX_WAITING, waiting].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        return Err(ApiError::plan_limit(limit, used, "invitations"));
    }
    repo::replace(&tx, new.clone()).await?;
    let mail = InvitationMail { invitation: new.id, inviter: inviter.email };
    tx.enqueue(mail.stored()?, act.account, now).await?;
    tx.commit([Fact::created(&new)]).await?;
    Ok(new)
}

/// One page of invitations that wait, and their number; each only if selected.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<invitation::Model>, i64), ApiError> {
    let (db, now) = (app.db.read(), app.clock.now());
    let found = if selected.items { repo::page(db, account, now, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account, now).await? } else { 0 };
    Ok((found, i64::try_from(total).unwrap_or(i64::MAX)))
}

/// Takes an invitation back.
pub(crate) async fn revoke(app: &App, act: &Act, id: InvitationId) -> Result<(), ApiError> {
    let tx = ops::begin(app, act).await?;
    let Some(invitation) = repo::invitation(&tx, act.account, id).await? else { return Err(Code::NotFound.into()) };
    check_may_give(&act.call, Role::from_stored(&invitation.role))?;
    repo::delete(&tx, invitation.id).await?;
    Ok(tx.commit([Fact::deleted(&invitation)]).await?)
}

/// Makes the user who calls a member, with the token of an invitation to the user's address, which it proves. A member stays as before.
pub(crate) async fn accept(
    app: &App,
    act: &Act,
    token: &str,
) -> Result<(entity::membership::Model, account::Model), ApiError> {
    let (id, now) = (act.call.user()?, app.clock.now());
    let invitation = invited::find(app, token).await?;
    let account = AccountId(invitation.account_id);
    let tx = app.begin(act).await?;
    let joined = invited::lock_account(&tx, &invitation).await?;
    let user = accounts::repo::lock_user(&tx, act.account, id).await?;
    let mut user = user.ok_or_else(|| ApiError::from(Code::Unauthenticated))?;
    invited::check_address(&invitation, &user.email)?;
    invited::take(&tx, &invitation).await?;
    let mut facts = vec![Fact::deleted(&invitation)];
    if user.email_verified_at.is_none() {
        let before = user.clone();
        user.email_verified_at = Some(now);
        user.updated_at = version::next(user.updated_at, now);
        user = accounts::repo::update_user(&tx, user).await?;
        facts.push(Fact::changed(&before, &user));
    }
    let membership = match memberships::membership(&tx, account, id).await? {
        Some(membership) => membership,
        None => {
            let role = Role::from_stored(&invitation.role);
            let new = membership::begin(&tx, account, id, role, now).await?;
            facts.push(Fact::created(&new));
            new
        }
    };
    tx.commit(facts).await?;
    Ok((membership, joined))
}
