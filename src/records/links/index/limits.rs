//! Sizes of indexes of links.

/// Links of an account from which on it gets an index: of fewer, a scan takes some milliseconds.
pub(crate) const INDEXED_FROM: i64 = 2_000;
/// Links of a block, as a rule: one block is read and written by a transaction.
pub(crate) const BLOCK: usize = 2_048;
/// Bytes of texts from which on a block gets no more links.
pub(crate) const BLOCK_TEXTS: usize = 1 << 20;
/// Changes from which on they are taken into the index; of an index of many blocks twice as many as it has blocks, so that a block is seldom
/// written anew for a single one.
pub(crate) const MANY_CHANGES: usize = 256;
/// Changes up to which lists use the index: more take longer to look up than the index saves.
pub(crate) const MOST_CHANGES: usize = 4_096;

/// Whether so many changes are to be taken into an index of so many blocks.
pub(crate) fn are_many(changes: usize, blocks: usize) -> bool {
    changes >= (2 * blocks).clamp(MANY_CHANGES, MOST_CHANGES / 2)
}
