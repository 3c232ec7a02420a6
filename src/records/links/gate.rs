//! Questions to visitors of a link before they are redirected: its password, whether to continue, a notice to confirm.
//!
//! Guesses at the password of a link, whoever makes them: 60 at once, and then one in a minute, are 1,500 on the first day. A password of 6
//! random digits is found after 347 days on average (10^6 / 2 / 1,440), and one of 8 random lower-case letters after 198,000 years
//! (26^8 / 2 / 1,440 / 365). Each network has 5 at once, and then one in 3 minutes: 10,000 of them have no more together than the link allows.

use entity::link;

use crate::{
    base::{
        error::Violations,
        patch::Patch,
        validate::{MAX_PASSWORD, check_length, check_text},
    },
    redirect::target::Gate,
};

/// Shortest password of a link, in characters: people hand it on by word of mouth, and the guesses at it are bounded.
pub(crate) const MIN_LINK_PASSWORD: i32 = 6;
/// Longest notice, in characters: a redirect cache keeps it with the link.
pub(crate) const MAX_NOTICE: i32 = 500;

/// Values of a request for the questions to visitors. The default says nothing.
#[derive(Clone, Default)]
pub(crate) struct GateValues {
    /// The password, as sent. It is taken out when it is hashed.
    pub(crate) password: Patch<String>,
    /// The hash of the password.
    pub(crate) password_hash: Patch<String>,
    /// Whether visitors are asked to continue.
    pub(crate) asks_first: Option<bool>,
    /// Text that visitors confirm.
    pub(crate) notice: Patch<String>,
}

/// Not with the password.
impl std::fmt::Debug for GateValues {
    fn fmt(&self, text: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let GateValues { asks_first, notice, .. } = self;
        text.debug_struct("GateValues").field("asks_first", asks_first).field("notice", notice).finish_non_exhaustive()
    }
}

impl GateValues {
    /// Notes values that break a rule.
    pub(crate) fn check(&self, violations: &mut Violations) {
        if let Some(Some(password)) = &self.password {
            violations.take("password", check_link_password(password));
        }
        if let Some(Some(notice)) = &self.notice {
            violations.take("notice", check_length(notice, 1, MAX_NOTICE).and_then(|()| Ok(check_text(notice)?)));
        }
    }

    /// Writes the values into a link's row.
    pub(crate) fn write_into(&self, link: &mut link::Model) {
        let GateValues { password, password_hash, asks_first, notice } = self.clone();
        // A new password has been hashed before; null takes the old one away.
        let password_hash = password_hash.or(password.filter(Option::is_none));
        link.password_hash = password_hash.unwrap_or(link.password_hash.take());
        link.asks_first = asks_first.unwrap_or(link.asks_first);
        link.notice = notice.unwrap_or(link.notice.take());
    }
}

/// Whether the link says that it answers visitors, messengers or apps otherwise than by a redirect.
pub(crate) fn answers_otherwise(link: &link::Model) -> bool {
    Gate::from(link) != Gate::default() || link.card.is_some() || link.app.is_some()
}

/// Checks the length of a link's password.
pub(crate) fn check_link_password(password: &str) -> Result<(), String> {
    check_length(password, MIN_LINK_PASSWORD, MAX_PASSWORD)
}
