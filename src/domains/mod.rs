//! Custom domains: whom a name belongs to is proved by DNS, and proved again every day.

pub mod check;
pub mod event;
pub mod hosts;
pub mod mutation;
pub mod ops;
pub mod query;
pub mod repo;
pub mod state;
pub mod types;
