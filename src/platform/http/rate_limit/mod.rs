//! Rate limits: one table of policies, in `policy.rs`; counted by this process, or in Redis for all nodes together.
//!
//! | policy | counted by | quota | without Redis |
//! |---|---|---|---|
//! | client | client address (IPv6: /64), in `clients.rs` | 300,000 in 60 seconds, of all requests | this node's own, always |
//! | public API | API key | the plan's requests a minute | this node's own |
//! | authentication | client address (IPv6: /64) and public operation | 10 a minute | this node's own |
//! | authentication-network | the /48 of an IPv6 client and public operation | 100 a minute | this node's own |
//! | subdomain | user, with a user token | 60 in 60 seconds, of all operations on it together | pass |
//! | api-cost | user, account of API keys, or client address without a credential | 120,000 units in 60 seconds | this node's own |
//! | api-cost-network | the /48 of an IPv6 client without a credential | 1,200,000 units in 60 seconds | this node's own |
//! | login failures | e-mail address and client network | 5 in 15 minutes | this node's own |
//! | unknown login failures | e-mail address, where its user has never logged in | 100 in 24 hours, then slower | this node's own |
//! | login turns | e-mail address, once these are used up | 1 in 30 seconds | this node's own |
//! | reset mails | e-mail address | 5 in 15 minutes | this node's own |
//!
//! Requests that Redis grants are counted in this process too: when Redis fails, no one gets a fresh quota at the node
//! where theirs is used up.

mod buckets;
mod client_address;
mod clients;
mod headers;
mod limits;
mod local;
mod logins;
mod look;
mod policy;
mod shared;
mod waiting;
mod windows;

pub use self::logins::Guess;
pub(crate) use self::{
    client_address::ClientAddress,
    headers::noting,
    limits::Limits,
    look::look,
    policy::{Key, Policy, Subject, cost_of},
};
