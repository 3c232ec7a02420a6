//! The address of a client.

use std::net::IpAddr;

/// The client of a request, which the HTTP edge has put into its extensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);
