//! The rule of e-mail addresses.

use std::sync::LazyLock;

use regex::Regex;

/// Longest e-mail address (RFC 5321 §4.5.3.1.3 allows a path of 256 octets with its brackets).
pub(crate) const MAX_EMAIL: i32 = 254;

/// E-mail addresses as HTML's `<input type=email>` takes them, with a dot in the domain.
pub(crate) const EMAIL_PATTERN: &str = r"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$";

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by a test")]
static EMAIL: LazyLock<Regex> = LazyLock::new(|| Regex::new(EMAIL_PATTERN).expect("a pattern"));

/// Checks an e-mail address.
pub(crate) fn check_email(text: &str) -> Result<(), &'static str> {
    let fits = text.len() <= MAX_EMAIL.unsigned_abs() as usize && EMAIL.is_match(text);
    if fits { Ok(()) } else { Err("must be an e-mail address") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emails() {
        for email in ["a@example.com", "a.b+c@sub.example.co.uk"] {
            assert!(check_email(email).is_ok(), "{email}");
        }
        for email in [
            "",
            "a",
            "a@",
            "@example.com",
            "a@example",
            "a b@example.com",
            "a@example.com\n",
            "a@-x.com",
            ".a@x.com",
            "a..b@x.com",
        ] {
            assert!(check_email(email).is_err(), "{email:?}");
        }
    }
}
