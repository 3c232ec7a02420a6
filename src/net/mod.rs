//! Outbound network access: DNS, mail servers, and TLS to other servers.

pub mod dns;
pub mod mailer;
pub mod tls;
