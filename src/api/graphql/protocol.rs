//! The messages and close codes of `graphql-transport-ws`
//! (<https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md>).

use async_graphql::{Response, ServerError};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

/// The name of the protocol.
pub(crate) const NAME: &str = "graphql-transport-ws";

/// Longest id of an operation, in bytes: it is kept for as long as a subscription lasts.
const MAX_ID: usize = 256;

/// A message from the client. Any other content is invalid.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ClientMessage {
    /// The first message, with the client's credential.
    ConnectionInit {
        /// May have the field `authorization`.
        payload: Option<Map<String, Json>>,
    },
    Ping {
        /// Repeated in the answer.
        payload: Option<Map<String, Json>>,
    },
    Pong {},
    /// Begins an operation.
    Subscribe {
        /// The operation's id, at most 256 bytes.
        id: String,
        /// The GraphQL request.
        payload: Map<String, Json>,
    },
    /// Ends an operation.
    Complete {
        id: String,
    },
}

impl ClientMessage {
    pub(crate) fn read(text: &str) -> Option<Self> {
        let message = serde_json::from_str(text).ok()?;
        match &message {
            ClientMessage::Subscribe { id, .. } | ClientMessage::Complete { id }
                if !(1..=MAX_ID).contains(&id.len()) =>
            {
                None
            }
            _ => Some(message),
        }
    }
}

pub(crate) fn ack() -> String {
    json!({ "type": "connection_ack" }).to_string()
}

pub(crate) fn pong(payload: Option<Map<String, Json>>) -> String {
    let mut message = json!({ "type": "pong" });
    if let Some(payload) = payload {
        message["payload"] = payload.into();
    }
    message.to_string()
}

/// One result of an operation.
pub(crate) fn next(id: &str, response: &Response) -> String {
    json!({ "type": "next", "id": id, "payload": response }).to_string()
}

/// The operation failed, and is over.
pub(crate) fn error(id: &str, errors: &[ServerError]) -> String {
    json!({ "type": "error", "id": id, "payload": errors }).to_string()
}

/// The operation is over.
pub(crate) fn complete(id: &str) -> String {
    json!({ "type": "complete", "id": id }).to_string()
}

/// Why a socket is closed: a code with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CloseReason(pub(crate) u16, pub(crate) &'static str);

impl CloseReason {
    pub(crate) const GOING_AWAY: CloseReason = CloseReason(1001, "Going away");
    /// RFC 6455.
    pub(crate) const MESSAGE_TOO_BIG: CloseReason = CloseReason(1009, "Message too big");
    /// A store is away, or there are too many sockets.
    pub(crate) const TRY_AGAIN_LATER: CloseReason = CloseReason(1013, "Try again later");
    pub(crate) const INVALID_MESSAGE: CloseReason = CloseReason(4400, "Invalid message");
    /// An operation before the acknowledgement.
    pub(crate) const UNAUTHORIZED: CloseReason = CloseReason(4401, "Unauthorized");
    /// A credential that is invalid, or has ended.
    pub(crate) const FORBIDDEN: CloseReason = CloseReason(4403, "Forbidden");
    pub(crate) const SUBPROTOCOL: CloseReason = CloseReason(4406, "Subprotocol not acceptable");
    /// No `connection_init` in time.
    pub(crate) const INIT_TIMEOUT: CloseReason = CloseReason(4408, "Connection initialisation timeout");
    /// A second operation of one id.
    pub(crate) const DUPLICATE: CloseReason = CloseReason(4409, "Subscriber already exists");
    pub(crate) const SECOND_INIT: CloseReason = CloseReason(4429, "Too many initialisation requests");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_refused() {
        for text in [
            r#"{"type":"connection_init"}"#,
            r#"{"type":"connection_init","payload":null}"#,
            r#"{"type":"ping","payload":{"a":1}}"#,
            r#"{"type":"pong","payload":{"a":1}}"#,
            r#"{"type":"subscribe","id":"1","payload":{"query":"{a}"},"more":1}"#,
            r#"{"id":"1","type":"complete"}"#,
        ] {
            assert!(ClientMessage::read(text).is_some(), "{text}");
        }
        for text in [
            "",
            "{nope",
            "[]",
            "null",
            r#"{"type":"next","id":"1"}"#,
            r#"{"type":"start","id":"1","payload":{}}"#,
            r#"{"type":"connection_init","payload":"x"}"#,
            r#"{"type":"subscribe","payload":{"query":"{a}"}}"#,
            r#"{"type":"subscribe","id":"","payload":{"query":"{a}"}}"#,
            r#"{"type":"subscribe","id":1,"payload":{"query":"{a}"}}"#,
            r#"{"type":"subscribe","id":"1"}"#,
            r#"{"type":"complete"}"#,
        ] {
            assert!(ClientMessage::read(text).is_none(), "{text}");
        }
    }
}
