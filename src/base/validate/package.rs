//! The rule of names of Android packages.

use super::length::within;

/// Longest name of a package, in characters: more than any in Google Play.
pub(crate) const MAX_PACKAGE: i32 = 255;

/// Checks the name of a package (<https://developer.android.com/build/configure-app-module#set-application-id>).
pub(crate) fn check_package(name: &str) -> Result<(), &'static str> {
    let is_part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    match within(name, 1, MAX_PACKAGE) && name.contains('.') && name.split('.').all(is_part) {
        true => Ok(()),
        false => Err("must be the name of a package, such as com.example.app"),
    }
}
