//! Restrictions by the operator: suspended accounts, blocked links and blocked destinations. Nothing is deleted, and each act is
//! recorded.

pub mod ops;
