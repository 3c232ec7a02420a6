//! Revoked user tokens, in memory, so that no row has to be read.
//!
//! A user token carries the time at which its password was set (`pwd`, in milliseconds), and each change of a password has a
//! later time than the one before. So a token is revoked exactly if a later time is stored here for its user: the token that a
//! change of the password returns is valid, and one that was issued earlier in the same second is not. A token of a session also
//! ends with the session.

use std::collections::HashMap;

use parking_lot::RwLock;
use uuid::Uuid;

use super::user_token::{LIFETIME, SESSION_LIFETIME, TokenSubject};
use crate::base::{
    clock::{HOUR, Millis, SECOND, UnixMillis},
    ids::{MembershipId, SessionId, UserId},
};

/// How long a revocation is kept: until the last token that it revoked has expired. The hour is for clocks that differ, and for
/// logins in progress.
pub(crate) const KEPT: Millis = LIFETIME * SECOND + HOUR;
/// How long the end of a session is kept, likewise.
const SESSION_KEPT: Millis = SESSION_LIFETIME * SECOND + HOUR;
/// Most users in the map: 2¹⁸ slots of 25 bytes, of which seven in eight are used, are 6.3 MiB. One client address can add 14,400
/// a day, by registering and deleting users.
const MAX_USERS: usize = (1 << 18) / 8 * 7;
/// Most memberships in the map: 2¹⁶ slots are 1.6 MiB. They are added by members who may remove others.
const MAX_MEMBERSHIPS: usize = (1 << 16) / 8 * 7;
/// Most ended sessions in the map: 2¹⁶ slots are 1.6 MiB. One client address can add 1,200 in the two hours for which they are
/// kept.
const MAX_SESSIONS: usize = (1 << 16) / 8 * 7;

/// The state of a user token according to the revocations in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TokenState {
    /// Not revoked.
    Good,
    /// The map had no room for all revocations, so the rows of the user, the membership and the session must be read.
    Unknown,
    Revoked,
}

/// The users whose tokens were revoked in the last day, the memberships that changed in it, and the sessions that ended in the last hours.
#[derive(Debug)]
pub(crate) struct Revocations {
    /// By user: tokens with an earlier `pwd` are revoked.
    users: RwLock<Moments>,
    /// By membership: tokens that know an earlier change of it are revoked.
    memberships: RwLock<Moments>,
    /// Sessions that have ended: all their tokens are revoked.
    sessions: RwLock<Moments>,
}

/// A bounded map of the times of revocations.
#[derive(Debug)]
struct Moments {
    known: HashMap<Uuid, UnixMillis>,
    /// The latest revocation that was not stored, for lack of room.
    left_out: Option<UnixMillis>,
    kept: Millis,
    max: usize,
}

impl Default for Revocations {
    fn default() -> Self {
        Revocations {
            users: RwLock::new(Moments::new(KEPT, MAX_USERS)),
            memberships: RwLock::new(Moments::new(KEPT, MAX_MEMBERSHIPS)),
            sessions: RwLock::new(Moments::new(SESSION_KEPT, MAX_SESSIONS)),
        }
    }
}

impl Revocations {
    /// Refuses tokens of the user whose password was set before `not_before`, in Unix milliseconds. Calls may come in any order:
    /// the latest time counts.
    pub(crate) fn revoke(&self, user: UserId, not_before: UnixMillis, now: UnixMillis) {
        self.users.write().add(user.0, not_before, now);
    }

    /// Refuses tokens of a membership that was changed, or ended, at `changed_at`.
    pub(crate) fn change_membership(&self, membership: MembershipId, changed_at: UnixMillis, now: UnixMillis) {
        self.memberships.write().add(membership.0, changed_at, now);
    }

    /// Refuses the tokens of a session, which ended at `ended_at`.
    pub(crate) fn end_session(&self, session: SessionId, ended_at: UnixMillis, now: UnixMillis) {
        self.sessions.write().add(session.0, ended_at, now);
    }

    /// The state of a token with a good signature.
    pub(crate) fn state_of(&self, subject: &TokenSubject, now: UnixMillis) -> TokenState {
        let of_user = self.users.read().state_of(subject.user.0, now, |at| subject.password_changed_at < at);
        let is_changed = |at| subject.membership_changed_at < at;
        let of_membership = self.memberships.read().state_of(subject.membership.0, now, is_changed);
        let of_session = match subject.session {
            Some(session) => self.sessions.read().state_of(session.0, now, |_| true),
            None => TokenState::Good,
        };
        of_user.max(of_membership).max(of_session)
    }
}

impl Moments {
    fn new(kept: Millis, max: usize) -> Self {
        Moments { known: HashMap::new(), left_out: None, kept, max }
    }

    fn add(&mut self, id: Uuid, moment: UnixMillis, now: UnixMillis) {
        if self.is_over(moment, now) {
            return;
        }
        if let Some(known) = self.known.get_mut(&id) {
            *known = moment.max(*known);
            return;
        }
        if self.known.len() == self.known.capacity().min(self.max) {
            // Expired entries go before the map grows.
            let kept = self.kept;
            self.known.retain(|_, moment| *moment + kept > now);
        }
        if self.known.len() < self.max {
            self.known.insert(id, moment);
        } else {
            self.left_out = self.left_out.max(Some(moment));
        }
    }

    /// The state of a token of this user or session. `is_revoked`: whether a revocation at this time revokes the token.
    fn state_of(&self, id: Uuid, now: UnixMillis, is_revoked: impl Fn(UnixMillis) -> bool) -> TokenState {
        match self.known.get(&id) {
            Some(moment) if is_revoked(*moment) => TokenState::Revoked,
            // A known entry is always up to date, even when the map is full.
            Some(_) => TokenState::Good,
            None if self.left_out.is_some_and(|latest| is_revoked(latest) && !self.is_over(latest, now)) => {
                TokenState::Unknown
            }
            None => TokenState::Good,
        }
    }

    /// Whether all tokens that a revocation at this time revoked have expired.
    fn is_over(&self, moment: UnixMillis, now: UnixMillis) -> bool {
        moment + self.kept <= now
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{base::ids::AccountId, platform::auth::role::Role};

    const NOW: UnixMillis = 1_000 * HOUR;

    fn token(user: UserId, password_changed_at: UnixMillis) -> TokenSubject {
        TokenSubject {
            user,
            account: AccountId(Uuid::nil()),
            membership: MembershipId(user.0),
            membership_changed_at: 0,
            role: Role::Owner,
            password_changed_at,
            session: None,
            proved_at: 0,
            expires_at: UnixMillis::MAX,
        }
    }

    #[test]
    fn only_tokens_made_before_a_revocation_are_refused() {
        let (revocations, user) = (Revocations::default(), UserId::new());
        assert_eq!(revocations.state_of(&token(user, 0), NOW), TokenState::Good);
        // Revocations may arrive out of order.
        revocations.revoke(user, NOW, NOW);
        revocations.revoke(user, NOW - 1, NOW);
        assert_eq!(revocations.state_of(&token(user, NOW - 1), NOW), TokenState::Revoked);
        assert_eq!(revocations.state_of(&token(user, NOW), NOW), TokenState::Good);
        assert_eq!(revocations.state_of(&token(UserId::new(), 0), NOW), TokenState::Good);
    }

    #[test]
    fn tokens_of_users_that_do_not_fit_have_an_unknown_state() {
        let (revocations, users) = (Revocations::default(), [(); 5].map(|()| UserId::new()));
        revocations.users.write().max = 3;
        let add = |user: UserId, at: UnixMillis| revocations.revoke(user, at, at);
        users.iter().zip(NOW..).for_each(|(user, at)| add(*user, at));
        let states = |now: UnixMillis| users.map(|user| revocations.state_of(&token(user, 0), now));
        let TokenState::Revoked = states(NOW)[0] else { panic!("the first is known") };
        assert_eq!(states(NOW)[2..], [TokenState::Revoked, TokenState::Unknown, TokenState::Unknown]);
        // A password that is newer than all that was left out.
        assert_eq!(revocations.state_of(&token(UserId::new(), NOW + 4), NOW), TokenState::Good);
        // A day later there is room again.
        let later = NOW + 10 + KEPT;
        add(users[4], later);
        assert_eq!(revocations.users.read().known.len(), 1);
        assert_eq!(states(later)[3..], [TokenState::Good, TokenState::Revoked]);
    }

    #[test]
    fn a_change_of_a_membership_revokes_its_earlier_tokens_alone() {
        let (revocations, user) = (Revocations::default(), UserId::new());
        let state = |membership_changed_at, membership| {
            let subject = TokenSubject { membership_changed_at, membership, ..token(user, NOW) };
            revocations.state_of(&subject, NOW)
        };
        let (changed, other) = (MembershipId::new(), MembershipId::new());
        revocations.change_membership(changed, NOW, NOW);
        assert_eq!(state(NOW - 1, changed), TokenState::Revoked);
        assert_eq!([state(NOW, changed), state(NOW - 1, other)], [TokenState::Good; 2]);
    }

    #[test]
    fn the_end_of_a_session_revokes_only_its_own_tokens() {
        let (revocations, user, sessions) =
            (Revocations::default(), UserId::new(), [SessionId::new(), SessionId::new(), SessionId::new()]);
        let state = |session, now| revocations.state_of(&TokenSubject { session, ..token(user, 0) }, now);
        revocations.sessions.write().max = 1;
        revocations.end_session(sessions[0], NOW, NOW);
        assert_eq!(state(Some(sessions[0]), NOW), TokenState::Revoked);
        assert_eq!([state(Some(sessions[1]), NOW), state(None, NOW)], [TokenState::Good; 2]);
        revocations.end_session(sessions[2], NOW, NOW);
        assert_eq!([state(Some(sessions[1]), NOW), state(Some(sessions[2]), NOW)], [TokenState::Unknown; 2]);
        assert_eq!(state(None, NOW), TokenState::Good);
        assert_eq!(state(Some(sessions[2]), NOW + SESSION_KEPT), TokenState::Good);
        revocations.revoke(user, 1, NOW);
        assert_eq!(state(Some(sessions[1]), NOW), TokenState::Unknown, "that old a revocation is over");
        revocations.revoke(user, NOW, NOW);
        assert_eq!(state(Some(sessions[1]), NOW), TokenState::Revoked);
    }

    #[test]
    fn the_maps_have_the_documented_size() {
        assert_eq!(size_of::<(Uuid, UnixMillis)>(), 24);
        for max in [MAX_USERS, MAX_SESSIONS] {
            assert_eq!(
                HashMap::<Uuid, UnixMillis>::with_capacity(max).capacity(),
                max,
                "the next place would double it"
            );
        }
    }
}
