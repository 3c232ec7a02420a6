//! Findings of a check.

/// Severity of a finding for the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grade {
    /// The subject works.
    Ok,
    /// The service runs; something may surprise.
    Warn,
    /// The service does not start, or something that it is set up for does not work.
    Fail,
}

/// The grade of a finding. An error is a failure.
pub(super) type Found = anyhow::Result<(Grade, String)>;

/// The subject works.
pub(super) fn ok(text: impl Into<String>) -> Found {
    Ok((Grade::Ok, text.into()))
}

/// The subject works, and something may surprise.
pub(super) fn warn(text: impl Into<String>) -> Found {
    Ok((Grade::Warn, text.into()))
}
