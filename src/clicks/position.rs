//! Places in the log of clicks.

/// A place in the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Number of the segment.
    pub segment: u64,
    /// Bytes from its start.
    pub offset: u64,
}
