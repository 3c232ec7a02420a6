//! The rule of display names.

use std::{borrow::Cow, sync::LazyLock};

use regex::Regex;

use super::length::within;

/// Longest display name, in characters.
pub(crate) const MAX_NAME: i32 = 100;
/// Texts of several lines: no control characters but tabs and ends of lines.
pub(crate) const TEXT_PATTERN: &str = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$";
/// Control characters, for a bracket of a pattern.
macro_rules! control {
    () => {
        r"\u0000-\u001f\u007f-\u009f"
    };
}
/// Characters that show nothing, for a bracket of a pattern: the spaces of Unicode but U+0020, and those of the Basic
/// Multilingual Plane that Unicode lets displays ignore (`Default_Ignorable_Code_Point`), and the empty Braille pattern.
macro_rules! blank {
    () => {
        concat!(
            r"\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f",
            r"\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8",
        )
    };
}
/// Names: at least one character that shows, no control characters, and no U+0020 at the start. Characters are listed, since
/// `\s` means others in JavaScript's regular expressions, and so in JSON Schema, than here.
pub(crate) const NAME_PATTERN: &str =
    concat!("^([", blank!(), "][ ", blank!(), "]*)?[^ ", control!(), blank!(), "][^", control!(), "]*$",);
/// Names of tags: [`NAME_PATTERN`] without commas.
pub(crate) const TAG_PATTERN: &str =
    concat!("^([", blank!(), "][ ", blank!(), "]*)?[^ ,", control!(), blank!(), "][^,", control!(), "]*$",);

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by a test")]
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(NAME_PATTERN).expect("a pattern"));

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by a test")]
static BLANK: LazyLock<Regex> = LazyLock::new(|| Regex::new(concat!("[", blank!(), "]")).expect("a pattern"));

/// The text without the characters that show nothing, but for U+0020.
pub(crate) fn without_invisible(text: &str) -> Cow<'_, str> {
    BLANK.replace_all(text, "")
}

/// Checks that a text of one line has a visible character. Its length is checked separately.
pub(crate) fn check_line(text: &str) -> Result<(), &'static str> {
    let fits = NAME.is_match(text);
    if fits { Ok(()) } else { Err("must have a visible character, no control characters, and not start with a space") }
}

/// Checks a text of several lines. Its length is checked separately.
pub(crate) fn check_text(text: &str) -> Result<(), &'static str> {
    let fits = text.chars().all(|character| !character.is_control() || matches!(character, '\t' | '\n' | '\r'));
    if fits { Ok(()) } else { Err("must have no control characters but tabs and ends of lines") }
}

/// Checks the name of a tag: one line without commas, which separate tags in tables. Its length is checked separately.
pub(crate) fn check_tag(text: &str) -> Result<(), &'static str> {
    check_line(text)?;
    if text.contains(',') { Err("must have no comma") } else { Ok(()) }
}

/// Checks a display name.
pub(crate) fn check_name(text: &str) -> Result<(), &'static str> {
    let fits = within(text, 1, MAX_NAME) && NAME.is_match(text);
    if fits {
        Ok(())
    } else {
        Err("must have 1 to 100 characters, one of them visible, no control characters, and not start with a space")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_shows_something() {
        for name in
            ["Ada Lovelace", "张伟", "a\u{a0}b", "\u{3000}a", "\u{200b} a", "\u{915}\u{94d}\u{200d}\u{937}", "🦀"]
        {
            assert!(check_name(name).is_ok(), "{name:?}");
        }
        for name in
            ["\u{a0}", "\u{3000}", "\u{200b}", "\u{a0} \u{3000}\u{200b}", "\u{2060}\u{feff}", "\u{3164}", "\u{2800}"]
        {
            assert!(check_name(name).is_err(), "{name:?}");
        }
        for name in ["", " ", " a", "a\0b", "a\nb", "\u{85}a", &"a".repeat(101)] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
    }
}
