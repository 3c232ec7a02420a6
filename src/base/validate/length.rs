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

/// Checks that a text has so many characters.
pub(crate) fn check_length(text: &str, min: i32, max: i32) -> Result<(), String> {
    if within(text, min, max) { Ok(()) } else { Err(length_message(min, max)) }
}

/// The words of a text in one line, with single spaces between them.
pub(crate) fn in_one_line(text: &str) -> String {
    let printed = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    printed.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text, or as much of its beginning as fits into so many characters with an ellipsis.
pub(crate) fn shortened(text: String, max: i32) -> String {
    let max = usize::try_from(max).unwrap_or_default();
    if text.chars().count() <= max {
        return text;
    }
    text.chars().take(max.saturating_sub(1)).chain(['…']).collect()
}
