//! GraphQL types of sessions.

use async_graphql::{ID, SimpleObject};
use entity::session;

use crate::{
    base::ids::SessionId,
    features::sessions::ops::MAX_SESSIONS,
    graphql::{
        directives::{example, items},
        scalars::Timestamp,
    },
};

/// A login in a browser that stays until it is ended: 30 days after its last use, or a day if the browser was not to remember it,
/// and 90 days after the login at the latest.
#[derive(SimpleObject, Debug)]
pub(crate) struct Session {
    /// Identifies the session.
    #[graphql(directive = example::apply("019aa1c2-b0d4-7a2e-8f61-2c5d9e7f4a13".into()))]
    pub(crate) id: ID,
    /// Browser family of the login; null when it is unknown.
    #[graphql(directive = example::apply("Firefox".into()))]
    pub(crate) browser: Option<String>,
    /// Operating system of the login; null when it is unknown.
    #[graphql(directive = example::apply("Linux".into()))]
    pub(crate) os: Option<String>,
    /// ISO 3166-1 alpha-2 code of the country of the login; null when it is unknown. No address is stored.
    #[graphql(directive = example::apply("CH".into()))]
    pub(crate) country: Option<String>,
    /// When the user logged in.
    pub(crate) created_at: Timestamp,
    /// When the session last made a token, give or take five minutes.
    #[graphql(directive = example::apply("2026-11-21T08:12:04.730Z".into()))]
    pub(crate) last_seen_at: Timestamp,
    /// When it ends unless it is used before.
    #[graphql(directive = example::apply("2026-12-21T08:12:04.730Z".into()))]
    pub(crate) expires_at: Timestamp,
    /// Whether the token of this request is the session's.
    pub(crate) is_current: bool,
}

/// The sessions of the user who calls.
#[derive(SimpleObject, Debug)]
pub(crate) struct SessionListResult {
    /// The sessions, the one used last first.
    #[graphql(directive = items::apply(0, MAX_SESSIONS as i32))]
    pub(crate) sessions: Vec<Session>,
}

/// The outcome of ending the other sessions.
#[derive(SimpleObject, Debug)]
pub(crate) struct EndOtherSessionsPayload {
    /// How many sessions were ended.
    #[graphql(directive = example::apply("2".into()))]
    pub(crate) ended_count: i32,
}

impl Session {
    /// The session as the API shows it, to a caller whose token is of session `current`.
    pub(crate) fn new(session: session::Model, current: Option<SessionId>) -> Self {
        Session {
            id: session.id.into(),
            browser: session.browser,
            os: session.os,
            country: session.country,
            created_at: Timestamp(session.created_at),
            last_seen_at: Timestamp(session.last_seen_at),
            expires_at: Timestamp(session.expires_at),
            is_current: current.is_some_and(|current| current.0 == session.id),
        }
    }
}
