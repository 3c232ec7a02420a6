//! User tokens that ended before they expire, known without reading a row.
//!
//! A user token carries the moment at which its password was set (`pwd`, in milliseconds), and each change of a password has a
//! later moment than the one before. So a token ended exactly if a later moment is known for its user: a token that a change
//! of the password answers is good, and one that was issued in the same second before it is not.

use std::collections::HashMap;

use parking_lot::RwLock;
use uuid::Uuid;

use super::user_token::{LIFETIME, TokenSubject};
use crate::{
    clock::{HOUR, Millis, SECOND, UnixMillis},
    ids::UserId,
};

/// How long a revocation matters: until the last token that it ended has expired. The hour is for clocks that differ, and for
/// logins that were under way.
pub(crate) const KEPT: Millis = LIFETIME * SECOND + HOUR;
/// Users known at most: 2¹⁸ places of 25 bytes, of which seven in eight are used, are 6.3 MiB. One client address can add
/// 14,400 a day, by registering and deleting users.
const MAX_USERS: usize = (1 << 18) / 8 * 7;

/// A user token's state, as far as memory tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenState {
    /// Not revoked.
    Good,
    Revoked,
    /// The map had no room for all revocations of the last day, so the user's row must be read.
    Unknown,
}

/// The users whose tokens were revoked in the last day.
#[derive(Debug, Default)]
pub(crate) struct Revocations(RwLock<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Tokens with an earlier `pwd` are revoked.
    not_before: HashMap<Uuid, UnixMillis>,
    /// The latest such moment of the users for whom there was no room.
    left_out: Option<UnixMillis>,
}

impl Revocations {
    /// Refuses tokens of the user whose password was set before `not_before`, in Unix milliseconds. In any order: a later
    /// moment stands.
    pub(crate) fn revoke(&self, user: UserId, not_before: UnixMillis, now: UnixMillis) {
        if is_over(not_before, now) {
            return;
        }
        self.0.write().add(user.0, not_before, now, MAX_USERS);
    }

    /// The state of a token with a good signature.
    pub(crate) fn state_of(&self, subject: &TokenSubject, now: UnixMillis) -> TokenState {
        let known = self.0.read();
        let is_before = |moment: &UnixMillis| subject.password_changed_at < *moment;
        match known.not_before.get(&subject.user.0) {
            Some(not_before) if is_before(not_before) => TokenState::Revoked,
            // A known user's entry is always up to date, even when the map is full.
            Some(_) => TokenState::Good,
            None if known.left_out.is_some_and(|latest| is_before(&latest) && !is_over(latest, now)) => {
                TokenState::Unknown
            }
            None => TokenState::Good,
        }
    }
}

impl Known {
    fn add(&mut self, user: Uuid, not_before: UnixMillis, now: UnixMillis, max: usize) {
        if let Some(known) = self.not_before.get_mut(&user) {
            *known = not_before.max(*known);
            return;
        }
        if self.not_before.len() == self.not_before.capacity().min(max) {
            // Expired entries go before the map grows.
            self.not_before.retain(|_, not_before| !is_over(*not_before, now));
        }
        if self.not_before.len() < max {
            self.not_before.insert(user, not_before);
        } else {
            self.left_out = self.left_out.max(Some(not_before));
        }
    }
}

/// Whether all tokens that it ended have expired.
fn is_over(not_before: UnixMillis, now: UnixMillis) -> bool {
    not_before + KEPT <= now
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::AccountId;

    const NOW: UnixMillis = 1_000 * HOUR;

    fn token(user: UserId, password_changed_at: UnixMillis) -> TokenSubject {
        TokenSubject { user, account: AccountId(Uuid::nil()), password_changed_at, expires_at: UnixMillis::MAX }
    }

    #[test]
    fn exactly_what_was_made_before_is_refused() {
        let (revocations, user) = (Revocations::default(), UserId::new());
        assert_eq!(revocations.state_of(&token(user, 0), NOW), TokenState::Good);
        // The later one is heard of first.
        revocations.revoke(user, NOW, NOW);
        revocations.revoke(user, NOW - 1, NOW);
        assert_eq!(revocations.state_of(&token(user, NOW - 1), NOW), TokenState::Revoked);
        assert_eq!(revocations.state_of(&token(user, NOW), NOW), TokenState::Good);
        assert_eq!(revocations.state_of(&token(UserId::new(), 0), NOW), TokenState::Good);
    }

    #[test]
    fn there_is_room_for_so_many_and_the_others_rows_are_asked() {
        let (revocations, users) = (Revocations::default(), [(); 5].map(|()| UserId::new()));
        let add = |user: UserId, at: UnixMillis| revocations.0.write().add(user.0, at, at, 3);
        users.iter().zip(NOW..).for_each(|(user, at)| add(*user, at));
        let states = |now: UnixMillis| users.map(|user| revocations.state_of(&token(user, 0), now));
        let TokenState::Revoked = states(NOW)[0] else { panic!("the first is known") };
        assert_eq!(states(NOW)[2..], [TokenState::Revoked, TokenState::Unknown, TokenState::Unknown]);
        // A password that is newer than all that was left out.
        assert_eq!(revocations.state_of(&token(UserId::new(), NOW + 4), NOW), TokenState::Good);
        // A day later there is room again.
        let later = NOW + 10 + KEPT;
        add(users[4], later);
        assert_eq!(revocations.0.read().not_before.len(), 1);
        assert_eq!(states(later)[3..], [TokenState::Good, TokenState::Revoked]);
    }

    #[test]
    fn its_size_is_what_is_said() {
        assert_eq!(size_of::<(Uuid, UnixMillis)>(), 24);
        let known = HashMap::<Uuid, UnixMillis>::with_capacity(MAX_USERS);
        assert_eq!(known.capacity(), MAX_USERS, "the next place would double it");
    }
}
