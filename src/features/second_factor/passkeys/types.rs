//! GraphQL types of passkeys.

use async_graphql::{ID, InputObject, SimpleObject};
use entity::passkey;

use crate::{
    base::validate::MAX_NAME,
    features::second_factor::codes::{EXAMPLE_CODES, RECOVERY_CODES},
    graphql::{
        directives::{Format, example, format, items, length},
        scalars::Timestamp,
    },
    platform::{auth::access::shown_once, auth::passkeys::Challenge},
    records::second_factors::passkey_repo::MAX_PASSKEYS,
};

/// Characters of a browser's answer at most: that of an authenticator which attests its model has a few thousand.
const MAX_CREDENTIAL: i32 = 32_768;

/// A passkey ([Web Authentication](https://www.w3.org/TR/webauthn-3/)) of a user: a key in a device or a password manager, which asks for a
/// finger, a face or a PIN before each use.
#[derive(SimpleObject, Debug)]
pub(crate) struct Passkey {
    /// Identifies the passkey.
    #[graphql(directive = example::apply("019aa1c2-d4f9-7c20-ae35-7b9d1f305c26".into()))]
    pub(crate) id: ID,
    /// Name that its user gave it.
    #[graphql(directive = example::apply("My phone".into()))]
    pub(crate) name: String,
    /// When it was added.
    pub(crate) created_at: Timestamp,
    /// When it last proved its user; null when it was not used yet.
    #[graphql(directive = example::apply("2026-11-21T08:12:04.730Z".into()))]
    pub(crate) last_used_at: Option<Timestamp>,
}

impl From<passkey::Model> for Passkey {
    fn from(passkey: passkey::Model) -> Self {
        Passkey {
            id: passkey.id.into(),
            name: passkey.name,
            created_at: Timestamp(passkey.created_at),
            last_used_at: passkey.last_used_at.map(Timestamp),
        }
    }
}

/// The passkeys of the user who calls.
#[derive(SimpleObject, Debug)]
pub(crate) struct PasskeyListResult {
    /// The passkeys, the oldest first.
    #[graphql(directive = items::apply(0, MAX_PASSKEYS as i32))]
    pub(crate) passkeys: Vec<Passkey>,
}

/// What a browser is asked for. It answers within five minutes.
#[derive(SimpleObject)]
pub(crate) struct PasskeyChallengePayload {
    /// What goes back with the browser's answer. It works once.
    #[graphql(directive = example::apply("eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6ImxvY2FsIn0.e30.c2lnbmF0dXJl".into()))]
    pub(crate) challenge: String,
    /// JSON, as text: for a new passkey what `PublicKeyCredential.parseCreationOptionsFromJSON` takes, else what
    /// `PublicKeyCredential.parseRequestOptionsFromJSON` takes.
    #[graphql(directive = example::apply(r#"{"challenge":"mZ0kJtq1xC0wq5Q2oYc3Uw","rpId":"sho.rt","userVerification":"required"}"#.into()))]
    pub(crate) options: String,
}

impl From<Challenge> for PasskeyChallengePayload {
    fn from(Challenge { text, options }: Challenge) -> Self {
        PasskeyChallengePayload { challenge: text, options }
    }
}

/// A new passkey.
#[derive(InputObject)]
pub(crate) struct AddPasskeyInput {
    /// The challenge that `startPasskey` answered.
    #[graphql(directive = example::apply("eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6ImxvY2FsIn0.e30.c2lnbmF0dXJl".into()))]
    pub(crate) challenge: String,
    /// What `navigator.credentials.create` gave, by its `toJSON`, as text.
    #[graphql(
        directive = length::apply(1, MAX_CREDENTIAL),
        directive = example::apply(r#"{"id":"pBZ4","rawId":"pBZ4","type":"public-key","response":{}}"#.into())
    )]
    pub(crate) credential: String,
    /// Name for it, 1 to 100 characters.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("My phone".into())
    )]
    pub(crate) name: String,
}

/// A passkey that was added.
#[derive(SimpleObject)]
pub(crate) struct AddPasskeyPayload {
    /// The passkey.
    pub(crate) passkey: Passkey,
    /// Ten recovery codes if it is the user's first second factor, else none; each takes the place of a second factor once. They are never
    /// shown again.
    #[graphql(
        directive = shown_once::apply(),
        directive = items::apply(0, RECOVERY_CODES as i32),
        directive = example::apply(EXAMPLE_CODES.into())
    )]
    pub(crate) recovery_codes: Vec<String>,
}

/// The login for which a passkey is asked.
#[derive(InputObject)]
pub(crate) struct StartPasskeyLoginInput {
    /// `details.challenge` of the error SECOND_FACTOR_REQUIRED: only a passkey of its user is taken. Absent or null: the passkey says whose
    /// login it is.
    #[graphql(directive = example::apply("eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6ImxvY2FsIn0.e30.c2lnbmF0dXJl".into()))]
    pub(crate) challenge: Option<String>,
}

/// What a passkey answered.
#[derive(InputObject)]
pub(crate) struct PasskeyInput {
    /// The challenge that asked for it.
    #[graphql(directive = example::apply("eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6ImxvY2FsIn0.e30.c2lnbmF0dXJl".into()))]
    pub(crate) challenge: String,
    /// What `navigator.credentials.get` gave, by its `toJSON`, as text.
    #[graphql(
        directive = length::apply(1, MAX_CREDENTIAL),
        directive = example::apply(r#"{"id":"pBZ4","rawId":"pBZ4","type":"public-key","response":{}}"#.into())
    )]
    pub(crate) credential: String,
}
