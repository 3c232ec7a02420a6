//! New accounts, each with its first user.

use std::net::IpAddr;

use entity::{account, invitation, user};
use sea_orm::SqlErr;

use crate::{
    app::App,
    base::{
        clock::UnixMillis,
        error::{ApiError, Reason, Violations},
        ids::{AccountId, UserId},
        validate::{check_email, check_name, check_password},
    },
    features::accounts::{
        invitation as invited, known_networks,
        login::{Login, check_has_password_login, issue_token, selected},
        proof_mail::VerificationMail,
    },
    platform::{
        auth::{password::Requester, role::Role},
        db::Transaction,
        work::{
            audit::{By, Fact},
            jobs::Job,
        },
    },
    records::{
        accounts::{proof_repo, repo},
        memberships,
    },
};

/// The input of a registration.
#[derive(Debug)]
pub(crate) struct Registration {
    pub(crate) email: String,
    pub(crate) password: String,
    pub(crate) name: String,
}

impl Registration {
    /// Fails if a field breaks its rules.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        let mut violations = Violations::default();
        violations.take("email", check_email(&self.email));
        violations.take("password", check_password(&self.password));
        violations.take("name", check_name(&self.name));
        violations.finish()
    }
}

/// Creates an account with its first user, or with the token of an invitation a member of the account that invited; logs the user in, and
/// stores the client's network as known. Fails with FORBIDDEN while registration is closed, there is a user, and no invitation.
pub(crate) async fn register(
    app: &App,
    new: Registration,
    invitation: Option<&str>,
    client: IpAddr,
) -> Result<Login, ApiError> {
    check_has_password_login(app)?;
    let is_open = app.config.is_registration_open || invitation.is_some();
    if !is_open && repo::is_there_a_user(app.db.read()).await? {
        return Err(registration_is_closed());
    }
    new.check()?;
    let invitation = match invitation {
        Some(token) => Some(invited::find(app, token).await?),
        None => None,
    };
    if let Some(invitation) = &invitation {
        invited::check_address(invitation, &new.email.to_lowercase())?;
    }
    check_email_is_free(app, &new.email).await?;
    let password_hash = app.passwords.hash(Requester::client(client), &new.password).await?;
    // Strangers must not fill a mailbox: the user can ask for the mail later.
    let takes_mail = invitation.is_none() && app.limits.takes_mail(&new.email.to_lowercase()).await;
    let now = app.clock.now();
    let user = new_user(new, password_hash, now);
    let tx = app.begin(By::visitor("register")).await?;
    if invitation.is_none() {
        check_is_open(app, &tx).await?;
    }
    let mut facts = Vec::new();
    let (user, account) = match &invitation {
        Some(invitation) => {
            facts.push(Fact::deleted(invitation));
            store_invited(&tx, user, invitation).await?
        }
        None => store_account(&tx, user).await?,
    };
    if takes_mail {
        tx.enqueue(VerificationMail { user: user.id }.stored()?, AccountId(account.id), now).await?;
    }
    let membership = selected(&tx, &user, None).await?;
    facts.push(Fact::created(&user));
    tx.commit(facts).await?;
    known_networks::remember(app, UserId(user.id), client, None).await;
    Ok(Login { account: Some(account), ..issue_token(app, user, &membership, None, now)? })
}

/// Fails with CONFLICT when a user has the e-mail address, or had it and can get it back. It may be taken later nevertheless.
pub(crate) async fn check_email_is_free(app: &App, email: &str) -> Result<(), ApiError> {
    let email = email.to_lowercase();
    let is_taken = repo::user_by_email(app.db.read(), &email).await?.is_some();
    if is_taken || proof_repo::is_kept(app.db.read(), &email, app.clock.now()).await? {
        return Err(email_is_taken());
    }
    Ok(())
}

/// The first user of a new account; not stored yet.
pub(crate) fn new_user(new: Registration, password_hash: String, now: UnixMillis) -> user::Model {
    user::Model {
        id: UserId::new().0,
        account_id: AccountId::new().0,
        email: new.email.to_lowercase(),
        email_verified_at: None,
        pending_email: None,
        name: new.name,
        password_hash,
        password_changed_at: now,
        created_at: now,
        updated_at: now,
    }
}

/// Stores a new user and the account of it. Fails with CONFLICT when the e-mail address is taken.
pub(crate) async fn store_account(
    tx: &Transaction,
    user: user::Model,
) -> Result<(user::Model, account::Model), ApiError> {
    let account = repo::insert_account(tx, AccountId(user.account_id), user.created_at).await?;
    Ok((repo::insert_user(tx, user).await.map_err(email_taken)?, account))
}

/// Stores a new user, who has proved to read the mails to the address, as a member of the account that invited it.
pub(crate) async fn store_invited(
    tx: &Transaction,
    user: user::Model,
    invitation: &invitation::Model,
) -> Result<(user::Model, account::Model), ApiError> {
    let account = invited::lock_account(tx, invitation).await?;
    invited::take(tx, invitation).await?;
    let user = user::Model { email_verified_at: Some(user.created_at), ..user };
    Ok((store_member(tx, user, &account, Role::from_stored(&invitation.role)).await?, account))
}

/// Stores a new user as a member of an account, which is locked, and of no other.
pub(crate) async fn store_member(
    tx: &Transaction,
    user: user::Model,
    account: &account::Model,
    role: Role,
) -> Result<user::Model, ApiError> {
    let user = user::Model { account_id: account.id, ..user };
    let user = repo::insert_user(tx, user).await.map_err(email_taken)?;
    // The trigger of the table made an owner of the user.
    let first = memberships::repo::membership(tx, AccountId(account.id), UserId(user.id)).await?;
    let first = first.ok_or_else(|| ApiError::internal("a user was stored without a membership"))?;
    memberships::repo::set_role(tx, &first, role, user.created_at).await?;
    Ok(user)
}

/// Fails with FORBIDDEN while registration is closed and there is a user. One of several who come at the same time is the first.
pub(crate) async fn check_is_open(app: &App, tx: &Transaction) -> Result<(), ApiError> {
    if app.config.is_registration_open {
        return Ok(());
    }
    repo::lock_users(tx).await?;
    if repo::is_there_a_user(tx).await? { Err(registration_is_closed()) } else { Ok(()) }
}

fn registration_is_closed() -> ApiError {
    ApiError::forbidden(Reason::RegistrationClosed, "Registration is closed.")
}

pub(crate) fn email_taken(error: sea_orm::DbErr) -> ApiError {
    match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => email_is_taken(),
        _ => error.into(),
    }
}

fn email_is_taken() -> ApiError {
    ApiError::conflict("email", "The e-mail address is taken.")
}
