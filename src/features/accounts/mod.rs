//! Accounts (the tenant), users (the login), passwords and their reset.

pub(crate) mod change;
pub(crate) mod fresh_proof;
pub(crate) mod invitation;
pub mod known_networks;
pub(crate) mod login;
pub(crate) mod mutation;
pub(crate) mod notice;
pub(crate) mod ops;
pub(crate) mod owner;
pub(crate) mod password_check;
pub(crate) mod proof;
pub(crate) mod proof_mail;
pub(crate) mod query;
pub(crate) mod registration;
pub(crate) mod reset_mail;
pub(crate) mod types;
