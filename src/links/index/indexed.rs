//! Links as the index has them.

use uuid::Uuid;

use crate::clock::UnixMillis;

/// Facts about a link that its row, and rows that belong to it, tell.
#[derive(Clone, Debug, Default)]
pub(super) struct Indexed {
    pub(super) id: Uuid,
    pub(super) is_active: bool,
    pub(super) is_archived: bool,
    /// Whether its limit is used up.
    pub(super) is_used_up: bool,
    /// Whether the operator has blocked it.
    pub(super) is_blocked: bool,
    pub(super) starts_at: Option<UnixMillis>,
    pub(super) expires_at: Option<UnixMillis>,
    pub(super) tags: Vec<Uuid>,
    /// Slug, destination, and title with notes, in lower case.
    pub(super) texts: [String; 3],
}
