//! Events on their way to receivers.

pub(crate) mod deliveries;
pub(crate) mod delivery_nodes;
pub(crate) mod hostile;
pub(crate) mod soak;
