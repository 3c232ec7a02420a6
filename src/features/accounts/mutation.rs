//! Mutations of accounts.

use async_graphql::{Context, Object};

use crate::{
    base::error::ApiError,
    features::accounts::{
        login::{self, Login},
        ops::{self, Changed, UserChange},
        proof,
        registration::{self, Registration},
        types::{
            AuthPayload, ForgotPasswordInput, LoginInput, MessagePayload, RegisterInput, ResetPasswordInput,
            UndoEmailChangeInput, UpdateMeInput, UpdateMePayload, User, VerifyEmailInput,
        },
    },
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, rest},
        scalars::count,
    },
    platform::auth::access::{Credential, Depth, access, creates},
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct AccountMutation;

#[Object]
impl AccountMutation {
    /// Creates an account and its first user, and logs the user in. Fails with CONFLICT when the e-mail address is
    /// taken, and with FORBIDDEN when registration is closed. With the token of an invitation the user becomes a member of the account that
    /// invited instead, also while registration is closed, and the address is proved; it fails with NOT_FOUND when the invitation is
    /// unknown, used, taken back or expired, and with FORBIDDEN and the reason OTHER_ADDRESS when it was mailed to another address. Ten a
    /// minute per client address.
    #[graphql(
        directive = access::apply(Credential::Public, None, None, None),
        directive = creates::apply(None),
        directive = rest::apply(HttpMethod::Post, "/auth/register".into(), 201, Some("/me".into()))
    )]
    async fn register(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new user.")] input: RegisterInput,
    ) -> Result<AuthPayload, ApiError> {
        let RegisterInput { email, password, name, invitation_token } = input;
        let new = Registration { email, password, name };
        Ok(registration::register(ctx.app()?, new, invitation_token.as_deref(), ctx.call()?.client).await?.into())
    }

    /// Logs a user in. Fails with INVALID_CREDENTIALS, in the same words and time, for an unknown e-mail address and a
    /// wrong password, with SECOND_FACTOR_REQUIRED when they are right and the user has a second factor, and with FORBIDDEN when the account is suspended and the password is right. Ten a minute per
    /// client address. After 5 failures within 15 minutes for one e-mail address from one client address (IPv6: its /64)
    /// RATE_LIMITED for that client. After 100 failures within 24 hours for one e-mail address, a client from whose address
    /// nobody has logged in with it waits up to 30 seconds for the answer, and is RATE_LIMITED when too many wait.
    #[graphql(
        directive = access::apply(Credential::Public, None, None, None),
        directive = rest::apply(HttpMethod::Post, "/auth/login".into(), 200, None)
    )]
    async fn login(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Who logs in.")] input: LoginInput,
    ) -> Result<AuthPayload, ApiError> {
        Ok(login::login(ctx.app()?, &input.email, &input.password, ctx.call()?.client).await?.into())
    }

    /// Mails a token that sets a new password. The answer is always the same, whether or not there is such a user.
    #[graphql(
        directive = access::apply(Credential::Public, None, None, None),
        directive = rest::apply(HttpMethod::Post, "/auth/forgot-password".into(), 200, None)
    )]
    async fn forgot_password(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Whose password.")] input: ForgotPasswordInput,
    ) -> Result<MessagePayload, ApiError> {
        ops::forgot_password(ctx.app()?, &input.email).await?;
        Ok(MessagePayload {
            message: "If there is an account with this e-mail address, a mail is on its way to it.".to_owned(),
        })
    }

    /// Sets a new password with the token from the mail. Fails with UNAUTHENTICATED when the token is unknown, used or
    /// expired, and with FORBIDDEN when the account is suspended. All user tokens made before are refused from then on, within
    /// a second on every node, the sockets that they opened are closed, and all sessions of the user end.
    #[graphql(
        directive = access::apply(Credential::Public, None, None, None),
        directive = rest::apply(HttpMethod::Post, "/auth/reset-password".into(), 200, None)
    )]
    async fn reset_password(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The token and the new password.")] input: ResetPasswordInput,
    ) -> Result<MessagePayload, ApiError> {
        let ResetPasswordInput { token, password, revoke_api_keys } = input;
        let revoke_api_keys = revoke_api_keys.unwrap_or_default();
        ops::reset_password(ctx.app()?, &token, &password, revoke_api_keys, ctx.call()?.client).await?;
        let message = match revoke_api_keys {
            true => "The password is changed, and all API keys are revoked. Please log in with it.",
            false => "The password is changed. Please log in with it.",
        };
        Ok(MessagePayload { message: message.to_owned() })
    }

    /// Mails a token to the address of the user who calls that is not proved yet: to `pendingEmail`, or to `email`. Registering and a new
    /// address do so by themselves. Fails with RATE_LIMITED after five mails to the address within 15 minutes.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Post, "/me/verification".into(), 200, None)
    )]
    async fn send_verification(&self, ctx: &Context<'_>) -> Result<MessagePayload, ApiError> {
        let message = match proof::send_verification(ctx.app()?, &ctx.act()?).await? {
            Some(email) => format!("A mail is on its way to {email}."),
            None => "Your e-mail address is confirmed already.".to_owned(),
        };
        Ok(MessagePayload { message })
    }

    /// Proves an e-mail address with the token from the mail to it; a pending one becomes the user's. If it takes the place of a proved
    /// one, that one gets a mail by which the change can be undone for 7 days. Fails with UNAUTHENTICATED when the token is unknown, used
    /// or expired, and with CONFLICT when another user has the address by now.
    #[graphql(
        directive = access::apply(Credential::Public, None, None, None),
        directive = rest::apply(HttpMethod::Post, "/auth/verify-email".into(), 200, None)
    )]
    async fn verify_email(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The token.")] input: VerifyEmailInput,
    ) -> Result<MessagePayload, ApiError> {
        proof::verify(ctx.app()?, &input.token).await?;
        Ok(MessagePayload { message: "The e-mail address is confirmed.".to_owned() })
    }

    /// Gives the user the e-mail address back that a token was mailed to when it was changed. The password is void until the token of
    /// another mail to it sets a new one; all user tokens are refused from then on, all sessions end, and second factors and connections to an
    /// identity provider that were made after the change are removed. Fails with UNAUTHENTICATED when the token is unknown, used or expired.
    #[graphql(
        directive = access::apply(Credential::Public, None, None, None),
        directive = rest::apply(HttpMethod::Post, "/auth/undo-email-change".into(), 200, None)
    )]
    async fn undo_email_change(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The token.")] input: UndoEmailChangeInput,
    ) -> Result<MessagePayload, ApiError> {
        proof::undo(ctx.app()?, &input.token, ctx.call()?.client).await?;
        Ok(MessagePayload {
            message: "The e-mail address is yours again. A mail to choose a new password is on its way to it."
                .to_owned(),
        })
    }

    /// Changes the user who calls. Changing the e-mail address or the password needs `currentPassword`, else
    /// INVALID_CREDENTIALS; a wrong one counts as a failed login does, up to RATE_LIMITED. A taken e-mail address is a CONFLICT; a free one
    /// waits as `pendingEmail` until it is proved, and `email` stays. Who has a second factor needs a fresh proof of it for both, else
    /// FORBIDDEN with the reason PROOF_REQUIRED.
    /// With a new password all user tokens made before are refused, this one too, within a second on every node, the sockets
    /// that they opened are closed, and all sessions end but that of this request; the answer has a fresh token.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Patch, "/me".into(), 200, None)
    )]
    async fn update_me(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to change.")] input: UpdateMeInput,
    ) -> Result<UpdateMePayload, ApiError> {
        let UpdateMeInput { name, email, password, current_password, revoke_api_keys, expected_updated_at } = input;
        let expected = ctx.expected(expected_updated_at);
        let revoke_api_keys = revoke_api_keys.unwrap_or_default();
        let change = UserChange { name, email, password, current_password, revoke_api_keys, expected };
        Ok(ops::update_user(ctx.app()?, &ctx.act()?, change).await?.into())
    }
}

impl From<Changed> for UpdateMePayload {
    fn from(changed: Changed) -> Self {
        match changed {
            Changed::User(user, account_id, account) => UpdateMePayload {
                user: User::new(user, account_id, account),
                access_token: None,
                token_type: None,
                expires_in: None,
            },
            Changed::Password(login) => {
                let AuthPayload { access_token, token_type, expires_in, user } = login.into();
                UpdateMePayload {
                    user,
                    access_token: Some(access_token),
                    token_type: Some(token_type),
                    expires_in: Some(expires_in),
                }
            }
        }
    }
}

impl From<Login> for AuthPayload {
    fn from(login: Login) -> Self {
        AuthPayload {
            access_token: login.token,
            token_type: "Bearer".to_owned(),
            expires_in: count(login.expires_in),
            user: User::new(login.user, login.account_id, login.account),
        }
    }
}
