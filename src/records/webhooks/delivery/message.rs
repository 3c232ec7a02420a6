//! The id of what is sent.

use uuid::Uuid;

/// The `webhook-id` of an event, or of a batch.
pub(crate) fn message_id(event: Uuid) -> String {
    format!("msg_{}", event.simple())
}
