//! The mails that accounts get.

use entity::user;
use serde::{Deserialize, Serialize};

use crate::{
    base::{
        clock::{UnixMillis, rfc3339},
        config::Config,
    },
    platform::net::mailer::Mail,
};

/// The mail with a token that proves the address that it is sent to.
pub(crate) fn verification(config: &Config, to: &str, token: &str) -> Mail {
    let base_url = config.base_url.as_str();
    Mail {
        to: to.to_owned(),
        subject: "Confirm your e-mail address".to_owned(),
        text: format!(
            "Somebody, probably you, uses this address for an account at {base_url}.\n\n\
             Open this within 24 hours to confirm that it is yours:\n\n\
             {base_url}/app/verify-email?token={token}\n\n\
             Or send the token to POST {base_url}/auth/verify-email:\n\n\
             {token}\n\n\
             If it was not you, do nothing.\n"
        ),
    }
}

/// The mail to an address that was the user's until now, with a token that makes it the user's again.
pub(crate) fn email_changed(config: &Config, to: &str, token: &str) -> Mail {
    let base_url = config.base_url.as_str();
    Mail {
        to: to.to_owned(),
        subject: "The e-mail address of your linkgraph account was changed".to_owned(),
        text: format!(
            "Your account at {base_url} has another e-mail address now.\n\n\
             If you changed it, do nothing.\n\n\
             If it was not you, open this within 7 days. Your account then has this address again, everybody\n\
             is signed out, and you get a mail to choose a new password:\n\n\
             {base_url}/app/undo-email?token={token}\n\n\
             Or send the token to POST {base_url}/auth/undo-email-change:\n\n\
             {token}\n"
        ),
    }
}

/// The mail with a reset token. Its address comes from the settings, never from the request's `Host`.
pub(crate) fn password_reset(config: &Config, user: &user::Model, token: &str) -> Mail {
    let base_url = config.base_url.as_str();
    Mail {
        to: user.email.clone(),
        subject: "Reset your linkgraph password".to_owned(),
        text: format!(
            "Somebody, probably you, asked to reset the password of this address.\n\n\
             Open this within 30 minutes to choose a new one:\n\n\
             {base_url}/reset-password?token={token}\n\n\
             Or send the token to POST {base_url}/auth/reset-password:\n\n\
             {token}\n\n\
             If it was not you, do nothing: your password stays as it is.\n"
        ),
    }
}

/// What a user is told of, since somebody else may have done it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Notice {
    /// A login from a network that the user has not logged in from for long.
    NewNetwork {
        /// ISO 3166-1 alpha-2 code. `None`: it is unknown.
        country: Option<String>,
    },
    /// The password is another one.
    PasswordChanged,
    /// There is a new API key.
    ApiKeyCreated {
        /// The beginning of its text, which tells it from others.
        prefix: String,
    },
    /// Logins need a code of an authenticator app.
    SecondFactorAdded,
    /// The authenticator app is no second factor any more.
    SecondFactorRemoved,
    /// A passkey logs the user in.
    PasskeyAdded {
        /// What the user calls it.
        name: String,
    },
    /// A passkey does not log the user in any more.
    PasskeyRemoved {
        /// What the user called it.
        name: String,
    },
    /// A recovery code took the place of a second factor.
    RecoveryCodeUsed,
    /// The recovery codes before are void.
    RecoveryCodesRenewed,
    /// An identity provider signs the user in.
    IdentityConnected {
        /// Name of the provider.
        provider: String,
    },
}

/// The mail that tells of something in the account.
pub(crate) fn notice(config: &Config, user: &user::Model, notice: &Notice, at: UnixMillis) -> Mail {
    let (subject, what) = match notice {
        Notice::NewNetwork { country } => (
            "A new sign-in to your linkgraph account",
            match country {
                Some(country) => {
                    format!("Somebody signed in as you from a network that is new to us, in {country}.")
                }
                None => "Somebody signed in as you from a network that is new to us.".to_owned(),
            },
        ),
        Notice::PasswordChanged => {
            ("The password of your linkgraph account was changed", "Your password was changed.".to_owned())
        }
        Notice::ApiKeyCreated { prefix } => {
            ("A new API key in your linkgraph account", format!("An API key was created. It begins with {prefix}."))
        }
        Notice::SecondFactorAdded => (
            "An authenticator app was added to your linkgraph account",
            "From now on, signing in needs a code of an authenticator app, or another second factor.".to_owned(),
        ),
        Notice::SecondFactorRemoved => (
            "The authenticator app of your linkgraph account was removed",
            "From now on, its codes sign nobody in. Without another second factor, your password alone does."
                .to_owned(),
        ),
        Notice::PasskeyAdded { name } => (
            "A passkey was added to your linkgraph account",
            format!("From now on, the passkey \"{name}\" signs you in, and a password needs a second factor."),
        ),
        Notice::PasskeyRemoved { name } => (
            "A passkey of your linkgraph account was removed",
            format!("From now on, the passkey \"{name}\" signs nobody in."),
        ),
        Notice::RecoveryCodeUsed => (
            "A recovery code of your linkgraph account was used",
            "Somebody used a recovery code in place of your second factor. It does not work again.".to_owned(),
        ),
        Notice::RecoveryCodesRenewed => (
            "New recovery codes for your linkgraph account",
            "New recovery codes were made. Those that you had do not work any more.".to_owned(),
        ),
        Notice::IdentityConnected { provider } => (
            "A new way to sign in to your linkgraph account",
            format!("From now on, {provider} signs you in, without your password."),
        ),
    };
    let (base_url, at) = (config.base_url.as_str(), rfc3339(at));
    // A new password takes none of these away.
    let added = match notice {
        Notice::ApiKeyCreated { .. } => Some("developers"),
        Notice::SecondFactorAdded | Notice::PasskeyAdded { .. } | Notice::IdentityConnected { .. } => Some("settings"),
        _ => None,
    };
    let added = added.map(|page| format!("\nThen take away what was added:\n\n{base_url}/app/{page}\n"));
    Mail {
        to: user.email.clone(),
        subject: subject.to_owned(),
        text: format!(
            "{what}\n\n\
             Account: {base_url}\n\
             When: {at}\n\n\
             If it was you, do nothing.\n\n\
             If it was not you, choose a new password at once, which signs everybody out:\n\n\
             {base_url}/app/forgot\n{}",
            added.unwrap_or_default()
        ),
    }
}
