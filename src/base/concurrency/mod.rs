//! Places that owners, such as accounts and clients, compete for: [`ConcurrencyLimit`] refuses an owner that has as many as it may,
//! [`FairQueue`] lets it wait, [`Turns`] orders work that threads take. They count in memory, and bound what this node does.

mod fair_queue;
mod limit;
mod turns;

pub(crate) use fair_queue::{FairPermit, FairQueue, QueueSize};
pub(crate) use limit::{ConcurrencyLimit, Permit};
pub(crate) use turns::Turns;
