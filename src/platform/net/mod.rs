//! Outbound network access: DNS, mail servers, and TLS to other servers.

pub(crate) mod dns;
pub(crate) mod guarded_client;
pub(crate) mod mailer;
pub(crate) mod target;
pub(crate) mod tls;
