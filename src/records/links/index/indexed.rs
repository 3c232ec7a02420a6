//! Links as the index has them.

use uuid::Uuid;

use crate::base::clock::UnixMillis;

/// Facts about a link that its row, and rows that belong to it, tell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Indexed {
    pub(crate) id: Uuid,
    pub(crate) is_active: bool,
    pub(crate) is_archived: bool,
    /// Whether its limit is used up.
    pub(crate) is_used_up: bool,
    /// Whether the operator has blocked it.
    pub(crate) is_blocked: bool,
    pub(crate) starts_at: Option<UnixMillis>,
    pub(crate) expires_at: Option<UnixMillis>,
    pub(crate) tags: Vec<Uuid>,
    /// Slug, destination, and title with notes, in lower case.
    pub(crate) texts: [String; 3],
}
