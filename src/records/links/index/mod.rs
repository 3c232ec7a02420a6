//! The index of an account's links: what lists filter by, in blocks of links in the order of their ids.
//!
//! A list reads what it filters by of all blocks, and of the links on its page the rows alone. Triggers note which links have changed since
//! they were indexed; lists look these up in `links`. An index is made when a list of many links is asked for, and brought up to date when a
//! list finds many changes: an account that nobody lists costs nothing.

pub(crate) mod block;
pub(crate) mod directory;
pub(crate) mod indexed;
pub(crate) mod limits;
pub(crate) mod places;
pub(crate) mod repo;
pub(crate) mod state;
pub(crate) mod texts;
