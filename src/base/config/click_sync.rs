//! When clicks count as written.

/// When a click counts as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClickSync {
    /// In the file before the redirect is answered, on the disk at most 50 ms later.
    Interval,
    /// On the disk before the redirect is answered.
    Strict,
}
