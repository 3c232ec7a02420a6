//! The rule of passwords.

use super::length::within;

/// Shortest password (NIST SP 800-63B §5.1.1.2).
pub(crate) const MIN_PASSWORD: i32 = 8;
/// Longest password: enough for any passphrase, little enough to hash.
pub(crate) const MAX_PASSWORD: i32 = 200;

/// Checks a new password.
pub(crate) fn check_password(text: &str) -> Result<(), &'static str> {
    if within(text, MIN_PASSWORD, MAX_PASSWORD) { Ok(()) } else { Err("must have 8 to 200 characters") }
}
