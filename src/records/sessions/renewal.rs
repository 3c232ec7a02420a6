//! Decides how a use changes a session. Pure functions.
//!
//! A secret is replaced once a day, so that a stolen copy of a cookie does not work for long. The one before is taken until a minute
//! after the browser has used the new one: requests of other tabs may have been under way, and an answer with the new secret
//! may have been lost.

use entity::session;

use crate::base::clock::{DAY, MINUTE, Millis, UnixMillis};

/// Idle time after which a session ends that the browser keeps when it is closed.
const IDLE: Millis = 30 * DAY;
/// The same for a session that the browser does not keep, since the machine may be shared.
const IDLE_UNTIL_CLOSED: Millis = DAY;
/// Age at which any session ends.
const LIFETIME: Millis = 90 * DAY;
/// Age at which a secret is replaced.
const ROTATION: Millis = DAY;
/// How long the previous secret is accepted beside the new one, and how long a response may be in transit, in milliseconds.
const OVERLAP: Millis = MINUTE;
/// Age at which the note of the last use is renewed, so that most uses write nothing.
const NOTE: Millis = 5 * MINUTE;

/// The outcome of a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Renewal {
    /// The session has ended, or the secret has been replaced.
    Refused,
    /// Nothing changes.
    Unchanged,
    /// The time of the use is noted; `is_confirmed`: the browser has the newest secret, so that the one before ends soon.
    Noted { is_confirmed: bool },
    /// There is a new secret.
    Rotated,
}

/// The outcome of a use at `now`. `is_newest`: the request has the newest secret, and not the one before.
pub(crate) fn renewal(session: &session::Model, is_newest: bool, now: UnixMillis) -> Renewal {
    let is_refused = now >= session.expires_at || (!is_newest && session.previous_until.is_some_and(|end| now >= end));
    let age = now - session.rotated_at;
    let has_previous = session.previous_hash.is_some();
    let is_confirmed = is_newest && has_previous && session.previous_until.is_none();
    let is_due = match (is_newest, session.previous_until) {
        (true, until) => age >= ROTATION && (!has_previous || until.is_some_and(|until| now >= until)),
        // The answer with the newest secret was lost.
        (false, None) => age >= OVERLAP,
        (false, Some(_)) => false,
    };
    match () {
        () if is_refused => Renewal::Refused,
        () if is_due => Renewal::Rotated,
        () if is_confirmed || now - session.last_seen_at >= NOTE => Renewal::Noted { is_confirmed },
        () => Renewal::Unchanged,
    }
}

/// Until when the previous secret is accepted after the newest was used at `now`.
pub(crate) fn previous_until(now: UnixMillis) -> UnixMillis {
    now + OVERLAP
}

/// When a session ends that was used now, unless it is used again.
pub(crate) fn expires_at(created_at: UnixMillis, is_persistent: bool, now: UnixMillis) -> UnixMillis {
    (now + if is_persistent { IDLE } else { IDLE_UNTIL_CLOSED }).min(created_at + LIFETIME)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn new(is_persistent: bool) -> session::Model {
        session::Model {
            id: Uuid::nil(),
            user_id: Uuid::nil(),
            account_id: None,
            secret_hash: vec![0],
            previous_hash: None,
            rotated_at: 0,
            previous_until: None,
            is_persistent,
            browser: None,
            os: None,
            country: None,
            created_at: 0,
            last_seen_at: 0,
            proved_at: 0,
            expires_at: expires_at(0, is_persistent, 0),
        }
    }

    /// As the store does it. Secrets are numbers here.
    fn apply(session: &mut session::Model, renewal: Renewal, is_newest: bool, now: UnixMillis) {
        match renewal {
            Renewal::Refused | Renewal::Unchanged => return,
            Renewal::Noted { is_confirmed: false } => {}
            Renewal::Noted { is_confirmed: true } => session.previous_until = Some(previous_until(now)),
            Renewal::Rotated => {
                if is_newest {
                    session.previous_hash = Some(session.secret_hash.clone());
                }
                session.secret_hash[0] += 1;
                session.previous_until = None;
                session.rotated_at = now;
            }
        }
        session.last_seen_at = now;
        session.expires_at = expires_at(session.created_at, session.is_persistent, now);
    }

    #[test]
    fn a_session_ends_when_it_is_idle_or_old() {
        for (is_persistent, idle) in [(true, IDLE), (false, IDLE_UNTIL_CLOSED)] {
            let session = new(is_persistent);
            assert_ne!(renewal(&session, true, idle - 1), Renewal::Refused);
            assert_eq!(renewal(&session, true, idle), Renewal::Refused);
        }
        assert_eq!(expires_at(0, true, LIFETIME - 1), LIFETIME);
    }

    #[test]
    fn a_new_secret_takes_the_place_of_the_one_before_once_it_was_used() {
        let mut session = new(true);
        assert_eq!(renewal(&session, true, NOTE - 1), Renewal::Unchanged);
        assert_eq!(renewal(&session, true, NOTE), Renewal::Noted { is_confirmed: false });
        assert_eq!(renewal(&session, true, DAY), Renewal::Rotated);
        apply(&mut session, Renewal::Rotated, true, DAY);
        // Another tab, whose request was under way.
        assert_eq!(renewal(&session, false, DAY + 1), Renewal::Unchanged);
        assert_eq!(renewal(&session, true, DAY + 2), Renewal::Noted { is_confirmed: true });
        apply(&mut session, Renewal::Noted { is_confirmed: true }, true, DAY + 2);
        assert_eq!(renewal(&session, false, DAY + 1 + OVERLAP), Renewal::Unchanged);
        assert_eq!(renewal(&session, false, DAY + 2 + OVERLAP), Renewal::Refused);
        assert_eq!(renewal(&session, true, 2 * DAY), Renewal::Rotated);
    }

    #[test]
    fn a_lost_answer_ends_no_session() {
        let mut session = new(true);
        apply(&mut session, Renewal::Rotated, true, DAY);
        assert_eq!(renewal(&session, false, DAY + OVERLAP), Renewal::Rotated);
        let before = session.previous_hash.clone();
        apply(&mut session, Renewal::Rotated, false, DAY + OVERLAP);
        assert_eq!(session.previous_hash, before, "what the browser has goes on");
        assert_eq!(renewal(&session, false, DAY + OVERLAP + 1), Renewal::Unchanged);
    }

    proptest! {
        /// A browser that is used within its idle time, and some of whose answers are lost.
        #[test]
        fn a_browser_that_is_used_stays_logged_in(steps in prop::collection::vec((1_i64..20 * DAY, any::<bool>()), 1..200)) {
            let (mut session, mut now, mut cookie) = (new(true), 0, 0_u8);
            for (pause, is_lost) in steps {
                now += pause.min(LIFETIME - 1 - now).max(0);
                if session.secret_hash[0] > 250 {
                    break;
                }
                let is_newest = session.secret_hash[0] == cookie;
                prop_assert!(is_newest || session.previous_hash == Some(vec![cookie]));
                let outcome = renewal(&session, is_newest, now);
                prop_assert_ne!(outcome, Renewal::Refused);
                apply(&mut session, outcome, is_newest, now);
                if outcome == Renewal::Rotated && !is_lost {
                    cookie = session.secret_hash[0];
                }
            }
        }
    }
}
