//! The mails that accounts get.

use entity::user;

use crate::{base::config::Config, platform::net::mailer::Mail};

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
