//! The rule of slugs.

pub(crate) const MAX_SLUG: i32 = 64;
pub(crate) const SLUG_PATTERN: &str = r"^[A-Za-z0-9_-]+$";

/// Checks the shape of a slug.
pub(crate) fn check_slug(text: &str) -> Result<(), &'static str> {
    let shaped = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    let fits = shaped && (1..=MAX_SLUG.unsigned_abs() as usize).contains(&text.len());
    if fits { Ok(()) } else { Err("must have 1 to 64 of the characters A-Z, a-z, 0-9, _ and -") }
}

/// The slug that a request's path names, if it names one. A slash, dots and commas at the end of a path are no part of it: addresses
/// are copied out of texts with them.
pub(crate) fn slug_of_path(path: &str) -> Option<&str> {
    let slug = path.strip_prefix('/')?;
    // Most paths are as they should be.
    if check_slug(slug).is_ok() {
        return Some(slug);
    }
    Some(slug.trim_end_matches(['/', '.', ','])).filter(|slug| check_slug(slug).is_ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    #[test]
    fn what_follows_a_slug_in_a_text_is_cut_off() {
        let longest = format!("/{}", "a".repeat(64));
        for (path, slug) in [
            ("/Spring", Some("Spring")),
            ("/Spring/", Some("Spring")),
            ("/Spring.", Some("Spring")),
            ("/Spring,", Some("Spring")),
            ("/Spring/.,", Some("Spring")),
            ("/Spring...", Some("Spring")),
            ("/-_-/", Some("-_-")),
            (&longest, Some(&longest[1..])),
            (&format!("{longest}."), Some(&longest[1..])),
            (&format!("{longest}a."), None),
            ("/", None),
            ("", None),
            ("/.", None),
            ("//", None),
            ("/Spring/more", None),
            ("/Spring/more/", None),
            ("//Spring", None),
            ("/.Spring", None),
            ("/Spring.html", None),
            ("/Spring%2E", None),
            ("/Spring+", None),
            ("Spring.", None),
        ] {
            assert_eq!(slug_of_path(path), slug, "{path}");
        }
    }

    proptest! {
        #[test]
        fn slugs_are_exactly_the_documented_ones(text in "\\PC{0,70}") {
            let documented = Regex::new(SLUG_PATTERN).unwrap().is_match(&text) && text.len() <= 64;
            prop_assert_eq!(check_slug(&text).is_ok(), documented);
        }
    }
}
