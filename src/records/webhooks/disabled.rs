//! Why the service disables webhooks.

/// Why the service disabled a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DisabledReason {
    /// The receiver answered 410.
    Gone,
    /// Nothing but failures for days.
    Failing,
}

impl DisabledReason {
    /// As it is stored.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            DisabledReason::Gone => "GONE",
            DisabledReason::Failing => "FAILING",
        }
    }

    /// Parses a stored reason. `None`: unknown text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        [DisabledReason::Gone, DisabledReason::Failing].into_iter().find(|reason| reason.as_str() == text)
    }
}
