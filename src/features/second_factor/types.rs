//! GraphQL types of second factors.

use async_graphql::{InputObject, SimpleObject};

use super::{
    codes::{EXAMPLE_CODES, MAX_CODE, RECOVERY_CODES},
    ops,
    passkeys::types::PasskeyInput,
};
use crate::{
    graphql::{
        directives::{example, items, length},
        scalars::Timestamp,
    },
    platform::auth::access::shown_once,
};

/// How a user proves to be the user.
#[derive(SimpleObject, Debug)]
pub(crate) struct Security {
    /// Since when there is an authenticator app, of which logins need a code where no passkey takes its place; null when there is none.
    pub(crate) totp_since: Option<Timestamp>,
    /// Whether the user can log in with a password; false for who came by the company's identity provider and has set none, and where
    /// `hasPasswordLogin` of `instance` is false. Where `currentPassword` is asked for, a fresh proof takes its place then.
    #[graphql(directive = example::apply("true".into()))]
    pub(crate) has_password: bool,
    /// Recovery codes that are left, of ten.
    #[graphql(directive = example::apply("10".into()))]
    pub(crate) recovery_codes_left: i32,
    /// When the caller last proved to be the user, by a login or by `confirmAccess`, to the second. A proof is fresh for ten minutes.
    pub(crate) proved_at: Timestamp,
}

impl From<ops::Security> for Security {
    fn from(security: ops::Security) -> Self {
        Security {
            totp_since: security.totp_since.map(Timestamp),
            has_password: security.has_password,
            recovery_codes_left: i32::try_from(security.recovery_codes_left).unwrap_or(i32::MAX),
            proved_at: Timestamp(security.proved_at),
        }
    }
}

/// A secret for an authenticator app, in two forms. It is never shown again.
#[derive(SimpleObject)]
pub(crate) struct StartTotpPayload {
    /// The secret in base 32, for people who type it.
    #[graphql(
        directive = shown_once::apply(),
        directive = example::apply("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".into())
    )]
    pub(crate) secret: String,
    /// A URI for a QR code that the app reads: `otpauth:`, with SHA-1, six digits and 30 seconds.
    #[graphql(
        directive = shown_once::apply(),
        directive = example::apply(
            "otpauth://totp/sho.rt:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=sho.rt".into()
        )
    )]
    pub(crate) uri: String,
}

/// Fresh recovery codes. They are never shown again.
#[derive(SimpleObject)]
pub(crate) struct RecoveryCodesPayload {
    /// Ten codes; each takes the place of a second factor once. None: `confirmTotp` was not for the first second factor, whose codes stay.
    #[graphql(
        directive = shown_once::apply(),
        directive = items::apply(0, RECOVERY_CODES as i32),
        directive = example::apply(EXAMPLE_CODES.into())
    )]
    pub(crate) recovery_codes: Vec<String>,
}

/// A code of the new authenticator app.
#[derive(InputObject)]
pub(crate) struct ConfirmTotpInput {
    /// The six digits that the app shows.
    #[graphql(directive = length::apply(1, MAX_CODE), directive = example::apply("287082".into()))]
    pub(crate) code: String,
}

/// What the second step of a login needs.
#[derive(InputObject)]
pub(crate) struct ConfirmSecondFactorInput {
    /// `details.challenge` of the error SECOND_FACTOR_REQUIRED; it works for five minutes.
    #[graphql(directive = example::apply("eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6ImxvY2FsIn0.e30.c2lnbmF0dXJl".into()))]
    pub(crate) challenge: String,
    /// Six digits of the authenticator app, or a recovery code. Each works once.
    #[graphql(directive = length::apply(1, MAX_CODE), directive = example::apply("287082".into()))]
    pub(crate) code: String,
}

/// What proves that the caller is the user.
#[derive(InputObject)]
pub(crate) struct ConfirmAccessInput {
    /// The password in force; of a user without a second factor.
    #[graphql(directive = example::apply("correct horse battery staple".into()))]
    pub(crate) current_password: Option<String>,
    /// Six digits of the authenticator app, or a recovery code; of a user with a second factor.
    #[graphql(directive = length::apply(1, MAX_CODE), directive = example::apply("287082".into()))]
    pub(crate) code: Option<String>,
    /// What a passkey answered to `startPasskeyProof`; in place of a code.
    pub(crate) passkey: Option<PasskeyInput>,
}
