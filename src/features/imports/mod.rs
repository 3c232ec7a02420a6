//! Imports: links that come from other services, as files or out of their APIs. An import is a row with its progress; a job
//! takes some rows of the file in each of its transactions, so that it goes on after a kill exactly where it was.

pub(crate) mod columns;
pub(crate) mod event;
pub(crate) mod fetch;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod preview;
pub(crate) mod query;
pub(crate) mod results;
pub(crate) mod rows;
pub(crate) mod run;
pub(crate) mod text;
pub(crate) mod types;
