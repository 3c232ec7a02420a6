//! Lists of names in one field.

/// The names in one text: between commas, and in quotes where a name has a comma or quote itself, or a space at an end. The
/// opposite of [`read_list`].
pub fn write_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for name in names {
        if !text.is_empty() {
            text.push_str(", ");
        }
        if name.is_empty() || name.contains([',', '"']) || name.trim() != name {
            text.push('"');
            text.push_str(&name.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(name);
        }
    }
    text
}

/// The names that [`write_list`] wrote. A quote that does not end reaches to the text's end.
pub fn read_list(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let mut name = String::new();
        if let Some(mut quoted) = rest.strip_prefix('"') {
            loop {
                let end = quoted.find('"').unwrap_or(quoted.len());
                name.push_str(&quoted[..end]);
                quoted = quoted.get(end + 1..).unwrap_or_default();
                match quoted.strip_prefix('"') {
                    Some(further) => quoted = further,
                    None => break,
                }
                name.push('"');
            }
            rest = quoted;
            names.push(name);
            // Whatever stands between a quote and the next comma belongs to no name.
            rest = rest.split_once(',').map_or("", |(_, rest)| rest);
        } else {
            let (found, further) = rest.split_once(',').unwrap_or((rest, ""));
            if !found.trim().is_empty() {
                names.push(found.trim().to_owned());
            }
            rest = further;
        }
        rest = rest.trim_start();
    }
    names
}

/// Names between any of these characters.
pub(crate) fn split(text: &str, separators: &[char]) -> Vec<String> {
    text.split(separators).map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_read_as_a_person_writes_them() {
        for (text, names) in [
            ("", &[][..]),
            ("spring", &["spring"]),
            ("spring, sale", &["spring", "sale"]),
            (" spring ,sale,, ", &["spring", "sale"]),
            ("\"a, b\", c", &["a, b", "c"]),
            ("\"say \"\"hi\"\"\"", &["say \"hi\""]),
            ("\"open, c", &["open, c"]),
        ] {
            assert_eq!(read_list(text), names, "{text}");
        }
        assert_eq!(write_list(["spring", "a, b"]), "spring, \"a, b\"");
    }

    proptest! {
        #[test]
        fn a_written_list_is_read_again(names in prop::collection::vec("[a\", |;é']{0,6}|\\PC{0,6}", 0..6)) {
            prop_assert_eq!(read_list(&write_list(names.iter().map(String::as_str))), names);
        }
    }
}
