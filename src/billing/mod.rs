//! Plans and payment.

pub mod types;
