//! The user of an identity: known, found by the e-mail address, or new; and the user's role, by groups.

use std::net::IpAddr;

use entity::{identity, invitation, user};
use sea_orm::{DbErr, SqlErr};
use uuid::Uuid;

use crate::{
    app::{App, change::Change},
    base::{
        clock::UnixMillis,
        config::MembershipRule,
        error::{ApiError, Code},
        ids::{AccountId, UserId},
        validate::{MAX_NAME, check_email, check_name},
    },
    features::{
        accounts::{
            known_networks,
            notice::{Notice, notify},
            proof_mail::VerificationMail,
            registration::{self, Registration, check_is_open, store_account, store_invited, store_member},
        },
        members::membership,
    },
    platform::{
        auth::{identity_provider::Identity, role::Role},
        work::{
            audit::{By, Fact},
            jobs::Job,
        },
    },
    records::{
        accounts::{self, proof_repo},
        identities::repo,
        memberships::{self, invitation_repo},
    },
};

/// Why an identity signs nobody in.
#[derive(Debug)]
pub(crate) enum Problem {
    /// Its e-mail address is a user's, and one of both sides has not proved it.
    Address,
    /// It has no e-mail address.
    NoEmail,
    /// It is nobody's, and registration is closed.
    Closed,
    /// None of its groups has a role.
    Group,
    /// It is another user's.
    Taken,
    /// Anything else.
    Failed(ApiError),
}

impl From<ApiError> for Problem {
    fn from(error: ApiError) -> Self {
        Problem::Failed(error)
    }
}

impl From<DbErr> for Problem {
    fn from(error: DbErr) -> Self {
        Problem::Failed(error.into())
    }
}

impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        let message = match problem {
            Problem::Failed(error) => return error,
            Problem::Address => {
                "A user has this e-mail address, and has not proved it: log in with the password, and confirm the address."
            }
            Problem::NoEmail => "Your e-mail address is not known.",
            Problem::Closed => "Registration is closed.",
            Problem::Group => "None of your groups may use this service.",
            Problem::Taken => "Another user is signed in by this.",
        };
        ApiError::new(Code::Forbidden, message)
    }
}

/// The account whose members come by an issuer.
#[derive(Clone, Copy)]
struct Place {
    account: AccountId,
    /// The role of the identity there. `None`: it has none.
    role: Option<Role>,
    /// See [`MembershipRule::is_synced`].
    is_synced: bool,
}

/// Whether the identity is the user's.
pub(crate) async fn is_of(app: &App, identity: &Identity, user: &user::Model) -> Result<bool, ApiError> {
    let connected = repo::find(app.db.read(), &identity.issuer, &identity.subject).await?;
    Ok(connected.is_some_and(|connected| connected.user_id == user.id))
}

/// The user of an identity. `provider` is the issuer's name for people, and `rule` says who is a member of what.
pub(crate) async fn sign_in(
    app: &App,
    identity: &Identity,
    provider: &str,
    rule: Option<&MembershipRule>,
    client: IpAddr,
) -> Result<user::Model, Problem> {
    let place = rule.map(|rule| Place {
        account: AccountId(rule.account),
        role: rule.role(&identity.groups).map(Role::from_stored),
        is_synced: rule.is_synced,
    });
    match try_sign_in(app, identity, provider, place, client).await {
        // The same user came by another request at the same time: now the user is known.
        Err(Problem::Failed(error)) if error.code == Code::Conflict => {
            try_sign_in(app, identity, provider, place, client).await
        }
        done => done,
    }
}

async fn try_sign_in(
    app: &App,
    identity: &Identity,
    provider: &str,
    place: Option<Place>,
    client: IpAddr,
) -> Result<user::Model, Problem> {
    let (db, now) = (app.db.read(), app.clock.now());
    let connected = repo::find(db, &identity.issuer, &identity.subject).await?;
    let user = match &connected {
        Some(connected) => accounts::repo::user_by_id(db, UserId(connected.user_id)).await?,
        None => by_address(app, identity, now).await?,
    };
    let Some(user) = user else { return Box::pin(create(app, identity, place, client)).await };
    let id = UserId(user.id);
    let tx = app.begin(By::user(id, "signIn")).await?;
    let mut facts = Vec::new();
    if let Some(place) = place {
        facts = set_role(&tx, place, &user, now).await?;
        if place.role.is_none() {
            tx.commit(facts).await?;
            return Err(Problem::Group);
        }
    }
    match connected {
        Some(connected) => {
            let used = identity::Model { last_used_at: now, email: identity.email.clone(), ..connected };
            repo::update(&tx, used).await?;
        }
        None => facts.push(connect_to(&tx, identity, provider, &user, now).await?),
    }
    tx.commit(facts).await?;
    let seen_at = known_networks::seen_at(app, Some(id), client).await?;
    known_networks::remember_login(app, &user, client, seen_at).await;
    // As it is now: the role may have come with another selected account.
    accounts::repo::user_by_id(db, id).await?.ok_or_else(gone)
}

/// The user with the identity's e-mail address. Only who proved it on both sides is the same.
async fn by_address(app: &App, identity: &Identity, now: UnixMillis) -> Result<Option<user::Model>, Problem> {
    let (db, email) = (app.db.read(), address(identity)?);
    match accounts::repo::user_by_email(db, &email).await? {
        Some(user) if identity.is_email_proved && user.email_verified_at.is_some() => Ok(Some(user)),
        Some(_) => Err(Problem::Address),
        None if proof_repo::is_kept(db, &email, now).await? => Err(Problem::Address),
        None => Ok(None),
    }
}

fn address(identity: &Identity) -> Result<String, Problem> {
    let email = identity.email.as_deref().filter(|email| check_email(email).is_ok());
    email.map(str::to_lowercase).ok_or(Problem::NoEmail)
}

/// Stores a user for an identity that is nobody's.
async fn create(app: &App, identity: &Identity, place: Option<Place>, client: IpAddr) -> Result<user::Model, Problem> {
    let (email, now) = (address(identity)?, app.clock.now());
    if place.is_some_and(|place| place.role.is_none()) {
        return Err(Problem::Group);
    }
    let invitation = if place.is_none() { invited(app, identity, &email, now).await? } else { None };
    let name = identity.name.as_deref().unwrap_or_default().trim().chars().take(MAX_NAME as usize).collect::<String>();
    let name = if check_name(&name).is_ok() { name } else { email.split('@').next().unwrap_or_default().to_owned() };
    let takes_mail = !identity.is_email_proved && app.limits.takes_mail(&email).await;
    // Without a password, which a mail can set.
    let new = Registration { email, password: String::new(), name };
    let mut user = registration::new_user(new, String::new(), now);
    user.email_verified_at = identity.is_email_proved.then_some(now);
    let tx = app.begin(By::visitor("signIn")).await?;
    let mut facts = Vec::new();
    let user = match (place, &invitation) {
        (Some(place), _) => {
            let account = lock_account(&tx, place.account).await?;
            store_member(&tx, user, &account, place.role.unwrap_or(Role::Viewer)).await?
        }
        (None, Some(invitation)) => {
            facts.push(Fact::deleted(invitation));
            store_invited(&tx, user, invitation).await?.0
        }
        (None, None) => {
            check_is_open(app, &tx).await.map_err(|_| Problem::Closed)?;
            store_account(&tx, user).await?.0
        }
    };
    if takes_mail {
        tx.enqueue(VerificationMail { user: user.id }.stored()?, AccountId(user.account_id), now).await?;
    }
    let new = new_identity(identity, UserId(user.id), now);
    facts.extend([Fact::created(&user), Fact::created(&new)]);
    repo::insert(&tx, new).await.map_err(taken)?;
    tx.commit(facts).await?;
    known_networks::remember(app, UserId(user.id), client, None).await;
    Ok(user)
}

/// While registration is closed, an invitation to the proved address lets a user in.
async fn invited(
    app: &App,
    identity: &Identity,
    email: &str,
    now: UnixMillis,
) -> Result<Option<invitation::Model>, Problem> {
    let db = app.db.read();
    if app.config.is_registration_open || !accounts::repo::is_there_a_user(db).await? {
        return Ok(None);
    }
    let found = if identity.is_email_proved { invitation_repo::by_email(db, email, now).await? } else { None };
    found.map(Some).ok_or(Problem::Closed)
}

/// Makes the user a member with the role of the groups, or no member. The last owner stays.
async fn set_role(
    tx: &Change<'_>,
    Place { account, role, is_synced }: Place,
    user: &user::Model,
    now: UnixMillis,
) -> Result<Vec<Fact>, ApiError> {
    let id = UserId(user.id);
    lock_account(tx, account).await?;
    let before = memberships::repo::membership(tx, account, id).await?;
    let is_same = |before: &entity::membership::Model, role: Role| Role::from_stored(&before.role) == role;
    Ok(match (before, role) {
        (None, None) => Vec::new(),
        (None, Some(role)) => {
            let new = membership::begin(tx, account, id, role, now).await?;
            accounts::repo::set_selected(tx, id, account).await?;
            vec![Fact::created(&new)]
        }
        (Some(before), Some(role)) if !is_synced || is_same(&before, role) => Vec::new(),
        (Some(before), role) if membership::is_last_owner(tx, &before).await? => {
            let wanted = role.map_or("none", Role::as_str);
            tracing::warn!(account = %account, wanted, "The last owner of the account keeps the role");
            Vec::new()
        }
        (Some(before), Some(role)) => {
            let after = membership::change(tx, &before, role, now).await?;
            vec![Fact::changed(&before, &after)]
        }
        (Some(before), None) => membership::end(tx, &before, user, now).await?,
    })
}

async fn lock_account(tx: &Change<'_>, account: AccountId) -> Result<entity::account::Model, ApiError> {
    let found = accounts::repo::lock_account(tx, account).await?;
    found.ok_or_else(|| ApiError::internal(format!("there is no account {account}, which the settings name")))
}

/// Connects an identity with a user who has proved to be the user.
pub(crate) async fn connect(app: &App, user: UserId, identity: &Identity, provider: &str) -> Result<(), Problem> {
    match repo::find(app.db.read(), &identity.issuer, &identity.subject).await? {
        Some(connected) if connected.user_id == user.0 => return Ok(()),
        Some(_) => return Err(Problem::Taken),
        None => {}
    }
    let tx = app.begin(By::user(user, "connectIdentity")).await?;
    let stored = accounts::repo::user_by_id(&tx, user).await?.ok_or_else(gone)?;
    let fact = connect_to(&tx, identity, provider, &stored, app.clock.now()).await?;
    Ok(tx.commit([fact]).await?)
}

async fn connect_to(
    tx: &Change<'_>,
    identity: &Identity,
    provider: &str,
    user: &user::Model,
    now: UnixMillis,
) -> Result<Fact, ApiError> {
    let id = UserId(user.id);
    if repo::count(tx, id).await? >= repo::MAX_IDENTITIES {
        let limit = i64::try_from(repo::MAX_IDENTITIES).unwrap_or(i64::MAX);
        return Err(ApiError::plan_limit(limit, limit, "identities"));
    }
    let new = new_identity(identity, id, now);
    let fact = Fact::created(&new);
    repo::insert(tx, new).await.map_err(taken)?;
    notify(tx, user, Notice::IdentityConnected { provider: provider.to_owned() }, now).await?;
    Ok(fact)
}

fn new_identity(identity: &Identity, user: UserId, now: UnixMillis) -> identity::Model {
    identity::Model {
        id: Uuid::now_v7(),
        user_id: user.0,
        issuer: identity.issuer.clone(),
        subject: identity.subject.clone(),
        email: identity.email.clone(),
        created_at: now,
        last_used_at: now,
    }
}

/// The user was deleted meanwhile.
fn gone() -> Problem {
    Problem::Failed(Code::Unauthenticated.into())
}

fn taken(error: DbErr) -> ApiError {
    match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => ApiError::conflict("identity", "It is another user's."),
        _ => error.into(),
    }
}
