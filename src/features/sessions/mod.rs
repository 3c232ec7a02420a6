//! Sessions: logins in browsers. A session's secret is in a cookie and can do one thing, make user tokens; all else takes such a
//! token, in a field that no browser sends by itself.

pub(crate) mod cookie;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod route;
pub(crate) mod sign_in_route;
pub(crate) mod types;
