//! GraphQL types of accounts.

use async_graphql::{ComplexObject, Context, ID, InputObject, SimpleObject};

use crate::{
    app::App,
    base::{
        error::{ApiError, Code},
        ids::{AccountId, UserId},
        validate::{MAX_EMAIL, MAX_NAME, MAX_PASSWORD, MIN_PASSWORD},
    },
    features::accounts::owner,
    graphql::{
        context::ContextExt,
        directives::{Format, embedded, example, flattened, format, items, length, precondition},
        scalars::Timestamp,
    },
    platform::auth::{caller::Caller, role::Role},
    records::{
        accounts::repo,
        memberships::{self, repo::MAX_ACCOUNTS},
    },
};

/// A login.
#[derive(SimpleObject, Debug)]
#[graphql(complex)]
pub(crate) struct User {
    /// Identifies the user.
    #[graphql(directive = example::apply("019aa1c2-7d10-7c3e-9a51-3f5b0c9d1e01".into()))]
    pub(crate) id: ID,
    /// E-mail address, in lower case; the user logs in with it.
    #[graphql(directive = example::apply("ada@example.com".into()))]
    pub(crate) email: String,
    /// When the user proved to read the mails to `email`; null when that was not proved yet.
    pub(crate) email_verified_at: Option<Timestamp>,
    /// E-mail address that takes the place of `email` once the user proves to read its mails; null when there is none.
    #[graphql(directive = example::apply("ada@example.org".into()))]
    pub(crate) pending_email: Option<String>,
    /// Display name.
    #[graphql(directive = example::apply("Ada Lovelace".into()))]
    pub(crate) name: String,
    /// When the user registered.
    pub(crate) created_at: Timestamp,
    /// When name, address or password were last changed.
    pub(crate) updated_at: Timestamp,
    #[graphql(skip)]
    pub(super) user_id: UserId,
    #[graphql(skip)]
    pub(super) account_id: AccountId,
    /// The account. `None`: it is read when it is asked for.
    #[graphql(skip)]
    pub(super) read: Option<entity::account::Model>,
}

/// The tenant that owns links, API keys and everything else; its members share them.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct Account {
    /// Identifies the account.
    #[graphql(directive = example::apply("019aa1c2-7d10-7c3e-9a51-3f5b0c9d1e00".into()))]
    pub(crate) id: ID,
    /// Display name; unless it was given one, the name of its first owner.
    #[graphql(directive = example::apply("Analytical Engines".into()))]
    pub(crate) name: String,
    /// Plan in force: `free`, `pro`, `business` or `unlimited`.
    #[graphql(directive = example::apply("free".into()))]
    pub(crate) plan: String,
    /// When the account was created.
    pub(crate) created_at: Timestamp,
    /// When the account was last renamed; at first when it was created.
    pub(crate) updated_at: Timestamp,
}

/// A user's place in an account.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct Membership {
    /// The account.
    #[graphql(directive = embedded::apply())]
    pub(crate) account: Account,
    /// What the user may do in it.
    #[graphql(directive = example::apply("\"OWNER\"".into()))]
    pub(crate) role: Role,
    /// When the user became a member.
    pub(crate) joined_at: Timestamp,
}

#[ComplexObject]
impl User {
    /// The account that the caller's token is for, or that of the API key.
    #[graphql(directive = embedded::apply())]
    async fn account(&self, ctx: &Context<'_>) -> Result<Account, ApiError> {
        let app = ctx.app()?;
        let account = match &self.read {
            Some(account) => account.clone(),
            None => owner::account(app, self.account_id).await?,
        };
        accounts(app, vec![account]).await?.pop().ok_or_else(|| Code::Unauthenticated.into())
    }

    /// The accounts that the user is a member of, the first one first; for an API key that of the key alone.
    #[graphql(directive = embedded::apply(), directive = items::apply(1, MAX_ACCOUNTS as i32))]
    async fn memberships(&self, ctx: &Context<'_>) -> Result<Vec<Membership>, ApiError> {
        let app = ctx.app()?;
        let mut found = memberships::repo::of_user(app.db.read(), self.user_id).await?;
        if let Caller::ApiKey(key) = &ctx.call()?.caller {
            found.retain(|(membership, _)| membership.account_id == key.account.0);
        }
        let (memberships, read): (Vec<_>, Vec<_>) =
            found.into_iter().filter_map(|(membership, account)| Some((membership, account?))).unzip();
        let shown = memberships.into_iter().zip(accounts(app, read).await?);
        Ok(shown.map(|(membership, account)| Membership::new(&membership, account)).collect())
    }
}

impl Membership {
    pub(crate) fn new(membership: &entity::membership::Model, account: Account) -> Self {
        let role = Role::from_stored(&membership.role);
        Membership { account, role, joined_at: Timestamp(membership.created_at) }
    }
}

/// Accounts as the API shows them, in the same order.
pub(crate) async fn accounts(app: &App, accounts: Vec<entity::account::Model>) -> Result<Vec<Account>, ApiError> {
    let unnamed: Vec<_> = accounts.iter().filter(|account| account.name.is_none()).map(|account| account.id).collect();
    let owners = memberships::repo::first_owners(app.db.read(), unnamed).await?;
    let shown = accounts.into_iter().map(|account| Account {
        id: account.id.into(),
        plan: repo::plan_of(&account, app.config.default_plan, app.clock.now()).as_str().to_owned(),
        name: account.name.or_else(|| owners.get(&account.id).cloned()).unwrap_or_default(),
        created_at: Timestamp(account.created_at),
        updated_at: Timestamp(account.updated_at.max(account.created_at)),
    });
    Ok(shown.collect())
}

impl User {
    /// The user, for a token of this account, with the account if it was read.
    pub(crate) fn new(
        user: entity::user::Model,
        account_id: AccountId,
        account: Option<entity::account::Model>,
    ) -> Self {
        User {
            id: user.id.into(),
            email: user.email,
            email_verified_at: user.email_verified_at.map(Timestamp),
            pending_email: user.pending_email,
            name: user.name,
            created_at: Timestamp(user.created_at),
            updated_at: Timestamp(user.updated_at),
            user_id: UserId(user.id),
            account_id,
            read: account,
        }
    }
}

/// A fresh user token and whose it is.
#[derive(SimpleObject, Debug)]
pub(crate) struct AuthPayload {
    /// User token (JWT); sent as `Authorization: Bearer <accessToken>`.
    #[graphql(directive = example::apply("eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6ImxvY2FsIn0.e30.c2lnbmF0dXJl".into()))]
    pub(crate) access_token: String,
    /// Always `Bearer`.
    #[graphql(directive = example::apply("Bearer".into()))]
    pub(crate) token_type: String,
    /// Seconds until the token expires.
    #[graphql(directive = example::apply("86400".into()))]
    pub(crate) expires_in: i32,
    /// The user.
    pub(crate) user: User,
}

/// What a change of the user who calls answers. A new password revokes all user tokens made before: then there is a fresh one.
#[derive(SimpleObject, Debug)]
pub(crate) struct UpdateMePayload {
    /// The user, as it is after the change.
    #[graphql(directive = flattened::apply())]
    pub(crate) user: User,
    /// Fresh user token (JWT), to be used instead of the one that called; null unless the password changed.
    #[graphql(directive = example::apply("eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6ImxvY2FsIn0.e30.c2lnbmF0dXJl".into()))]
    pub(crate) access_token: Option<String>,
    /// `Bearer`; null without a token.
    #[graphql(directive = example::apply("Bearer".into()))]
    pub(crate) token_type: Option<String>,
    /// Seconds until the token expires; null without one.
    #[graphql(directive = example::apply("86400".into()))]
    pub(crate) expires_in: Option<i32>,
}

/// A sentence for a person.
#[derive(SimpleObject, Debug)]
pub(crate) struct MessagePayload {
    /// What happened, or what happens next.
    #[graphql(directive = example::apply("Done.".into()))]
    pub(crate) message: String,
}

/// What registering needs.
#[derive(InputObject, Debug)]
pub(crate) struct RegisterInput {
    /// E-mail address to log in with; it may have one user only.
    #[graphql(
        directive = length::apply(3, MAX_EMAIL),
        directive = format::apply(Format::Email),
        directive = example::apply("ada@example.com".into())
    )]
    pub(crate) email: String,
    /// Password of 8 to 200 characters.
    #[graphql(
        directive = length::apply(MIN_PASSWORD, MAX_PASSWORD),
        directive = example::apply("correct horse battery staple".into())
    )]
    pub(crate) password: String,
    /// Display name of 1 to 100 characters.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("Ada Lovelace".into())
    )]
    pub(crate) name: String,
    /// The token of an invitation that was mailed to `email`. Absent or null: there is none, and the user gets an account.
    pub(crate) invitation_token: Option<String>,
}

/// What logging in needs.
#[derive(InputObject, Debug)]
pub(crate) struct LoginInput {
    /// E-mail address of the user; case does not matter.
    #[graphql(directive = example::apply("ada@example.com".into()))]
    pub(crate) email: String,
    /// The user's password.
    #[graphql(directive = example::apply("correct horse battery staple".into()))]
    pub(crate) password: String,
}

/// Whose password is forgotten.
#[derive(InputObject, Debug)]
pub(crate) struct ForgotPasswordInput {
    /// E-mail address of the user. The answer does not tell whether there is one.
    #[graphql(
        directive = length::apply(3, MAX_EMAIL),
        directive = format::apply(Format::Email),
        directive = example::apply("ada@example.com".into())
    )]
    pub(crate) email: String,
}

/// What setting a new password needs.
#[derive(InputObject, Debug)]
pub(crate) struct ResetPasswordInput {
    /// The token from the mail; it works once, for 30 minutes.
    #[graphql(directive = example::apply("q1Zc0sW4y8oG3m5tXrB7uJ2kLhN6vPdAeFiQzKwYxTs".into()))]
    pub(crate) token: String,
    /// The new password, of 8 to 200 characters. All user tokens made before are refused from then on.
    #[graphql(
        directive = length::apply(MIN_PASSWORD, MAX_PASSWORD),
        directive = example::apply("correct horse battery staple".into())
    )]
    pub(crate) password: String,
    /// Whether all API keys of the account are revoked as well: for when somebody else knew the password. Of a member who may not manage
    /// members only the own ones are. Absent or null: no.
    pub(crate) revoke_api_keys: Option<bool>,
}

/// The token of a mail that proves an e-mail address.
#[derive(InputObject)]
pub(crate) struct VerifyEmailInput {
    /// The token from the mail; it works once, for 24 hours.
    #[graphql(directive = example::apply("q1Zc0sW4y8oG3m5tXrB7uJ2kLhN6vPdAeFiQzKwYxTs".into()))]
    pub(crate) token: String,
}

/// The token of a mail to the earlier e-mail address.
#[derive(InputObject)]
pub(crate) struct UndoEmailChangeInput {
    /// The token from the mail; it works once, for 7 days.
    #[graphql(directive = example::apply("q1Zc0sW4y8oG3m5tXrB7uJ2kLhN6vPdAeFiQzKwYxTs".into()))]
    pub(crate) token: String,
}

/// What to change of the user who calls. Fields that are absent stay as they are.
#[derive(InputObject, Debug)]
pub(crate) struct UpdateMeInput {
    /// New display name of 1 to 100 characters.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("Ada King".into())
    )]
    pub(crate) name: Option<String>,
    /// New e-mail address; needs `currentPassword`. It waits as `pendingEmail` until `verifyEmail` has the token that is mailed to it; the
    /// one in force drops an address that waits.
    #[graphql(
        directive = length::apply(3, MAX_EMAIL),
        directive = format::apply(Format::Email),
        directive = example::apply("ada@example.org".into())
    )]
    pub(crate) email: Option<String>,
    /// New password, of 8 to 200 characters; needs `currentPassword`. All user tokens made before are refused from then on; the
    /// answer has a fresh one.
    #[graphql(
        directive = length::apply(MIN_PASSWORD, MAX_PASSWORD),
        directive = example::apply("an even better passphrase".into())
    )]
    pub(crate) password: Option<String>,
    /// The password in force. Needed to change the e-mail address or the password; else ignored, as of a user without a password, who
    /// needs a fresh proof instead.
    #[graphql(directive = example::apply("correct horse battery staple".into()))]
    pub(crate) current_password: Option<String>,
    /// Whether a new password revokes all API keys of the account as well, or the own ones of a member who may not manage members. Without
    /// a new password it is ignored.
    pub(crate) revoke_api_keys: Option<bool>,
    /// `updatedAt` of the user as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: the user is changed whoever changed it meanwhile.
    #[graphql(directive = precondition::apply())]
    pub(crate) expected_updated_at: Option<Timestamp>,
}

/// What it takes to delete the user who calls.
#[derive(InputObject)]
pub(crate) struct DeleteMeInput {
    /// The password in force: a stolen token is not enough. Of a user without a password any text, with a fresh proof.
    #[graphql(directive = example::apply("correct horse battery staple".into()))]
    pub(crate) current_password: String,
}
