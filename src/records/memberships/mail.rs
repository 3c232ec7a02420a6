//! The mail with an invitation.

use entity::invitation;

use crate::{base::config::Config, platform::net::mailer::Mail};

/// The mail that invites an address to an account. Names may be in any script, and may be made up by strangers: the mail has none.
pub(crate) fn invitation(config: &Config, invitation: &invitation::Model, inviter: &str, token: &str) -> Mail {
    let base_url = config.base_url.as_str();
    Mail {
        to: invitation.email.clone(),
        subject: "You are invited to a linkgraph account".to_owned(),
        text: format!(
            "{inviter} invites you to an account at {base_url}.\n\n\
             Open this within 7 days to accept:\n\n\
             {base_url}/app/invitation?token={token}\n\n\
             Or log in with this address and send the token to POST {base_url}/invitations/accept:\n\n\
             {token}\n\n\
             If you do not know who that is, do nothing.\n"
        ),
    }
}
