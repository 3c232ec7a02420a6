//! Custom domains: whom a name belongs to is proved by DNS, and proved again every day.

pub mod changes;
pub(crate) mod check;
pub(crate) mod event;
pub(crate) mod hosts;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod subscription;
pub(crate) mod types;
