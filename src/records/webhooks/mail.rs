//! The mails about webhooks.

use entity::{user, webhook};

use crate::{base::config::Config, platform::net::mailer::Mail, records::webhooks::disabled::DisabledReason};

/// The mail that says that a webhook was disabled. The name may be in any script and the body is ASCII: the URL tells
/// which webhook it is.
pub(crate) fn disabled(config: &Config, user: &user::Model, webhook: &webhook::Model, reason: DisabledReason) -> Mail {
    let why = match reason {
        DisabledReason::Gone => "Its receiver answered 410 Gone, which means that it wants no more events.",
        DisabledReason::Failing => "For 5 days, each attempt to deliver an event to it failed.",
    };
    Mail {
        to: user.email.clone(),
        subject: "A linkgraph webhook was disabled".to_owned(),
        text: format!(
            "The webhook {id} of your account at {base_url} was disabled:\n\n\
             {url}\n\n\
             {why}\n\n\
             What was not delivered is kept for 30 days. Look at its deliveries, mend the receiver,\n\
             and set isActive to true: those that were not given up then go on.\n",
            id = webhook.id,
            base_url = config.base_url.as_str(),
            url = in_short_lines(&webhook.url),
        ),
    }
}

/// Mail takes lines of less than 1000 characters (RFC 5322 §2.1.1).
fn in_short_lines(url: &str) -> String {
    if url.len() <= 900 { url.to_owned() } else { format!("{}...", url.get(..900).unwrap_or_default()) }
}
