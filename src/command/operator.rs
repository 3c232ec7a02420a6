//! The person who runs the process.

use std::{ffi::CStr, mem::MaybeUninit};

/// Room for a row of the user database: names are short, but it may have a long path or comment.
const ROW_BYTES: usize = 16 * 1024;

/// Name of the operating system's user who runs this process, or its number where it has no name. Behind `sudo`, who called
/// that comes first: `ada as linkgraph`.
pub(super) fn name() -> String {
    let user = user();
    match std::env::var("SUDO_USER") {
        Ok(caller) if caller != user && is_name(&caller) => format!("{caller} as {user}"),
        _ => user,
    }
}

fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.chars().all(|letter| letter.is_alphanumeric() || "._-@".contains(letter))
}

#[expect(unsafe_code, reason = "the only way to ask for it")]
fn user() -> String {
    let (mut row, mut buffer) = (MaybeUninit::<libc::passwd>::uninit(), vec![0; ROW_BYTES]);
    let mut found = std::ptr::null_mut();
    // SAFETY: it always succeeds (`getuid(2)`).
    let id = unsafe { libc::getuid() };
    // SAFETY: all pointers are valid for the call, and the buffer is as long as is said (`getpwuid_r(3)`).
    let code = unsafe { libc::getpwuid_r(id, row.as_mut_ptr(), buffer.as_mut_ptr(), buffer.len(), &raw mut found) };
    if code != 0 || found.is_null() {
        return format!("uid {id}");
    }
    // SAFETY: a row was found, so that it is filled in, and its name is a string in the buffer, which is alive.
    let name = unsafe { CStr::from_ptr((*found).pw_name) };
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn somebody_runs_this() {
        assert!(!super::user().is_empty());
        assert!(super::is_name("ada.l-2@example") && !super::is_name("a\nb") && !super::is_name(""));
    }
}
