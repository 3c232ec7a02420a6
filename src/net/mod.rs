//! What this service asks of the network: names, mail servers, and TLS to others.

pub mod dns;
pub mod mailer;
pub mod tls;
