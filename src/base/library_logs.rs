//! A bound on what libraries log, whatever `LINKGRAPH_LOG` says.

use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::{Layer, filter::filter_fn};

/// The crate that our own lines come from.
const OURS: &str = "linkgraph";

/// Drops what libraries log below INFO. There they write what they send and receive: tungstenite each message of a
/// WebSocket, and with it the token in `connection_init`. A list of those that do would be true until the next update of
/// one; our own lines are ours to keep free of credentials, as a test does with all of them.
pub(crate) fn no_details<S: Subscriber>() -> impl Layer<S> {
    filter_fn(may_be_logged)
}

fn may_be_logged(metadata: &Metadata<'_>) -> bool {
    let rest = metadata.target().strip_prefix(OURS);
    *metadata.level() <= Level::INFO || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}
