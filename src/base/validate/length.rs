//! Lengths of texts.

/// Whether a text has so many characters.
pub(crate) fn within(text: &str, min: i32, max: i32) -> bool {
    i32::try_from(text.chars().count()).is_ok_and(|length| (min..=max).contains(&length))
}

/// The error message for a text that is too short or too long.
pub(crate) fn length_message(min: i32, max: i32) -> String {
    if min == 0 {
        format!("must have at most {max} characters")
    } else {
        format!("must have {min} to {max} characters")
    }
}
