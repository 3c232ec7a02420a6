//! Lengths of texts.

/// Whether a text has so many characters.
pub(crate) fn within(text: &str, min: i32, max: i32) -> bool {
    i32::try_from(text.chars().count()).is_ok_and(|length| (min..=max).contains(&length))
}
