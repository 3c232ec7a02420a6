//! Lines of CSV (RFC 4180), in which a spreadsheet takes no text for a formula.

/// Characters with which a spreadsheet takes a text for a formula, or skips to one
/// (<https://owasp.org/www-community/attacks/CSV_Injection>).
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Whether a spreadsheet would take the text for a formula, after however many apostrophes.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA)
}

/// The text with a mark that it is none, if a spreadsheet would take it for a formula: an apostrophe before it. A text that begins
/// with apostrophes and such a character gets one more, so that [`unmark_formula`] gives back what was there.
pub fn mark_formula(text: &str) -> String {
    if is_formula(text) { format!("'{text}") } else { text.to_owned() }
}

/// The text without the mark of [`mark_formula`].
pub fn unmark_formula(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(text)
}

/// A line of CSV, with its end.
pub fn csv_line<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    let mut line = String::new();
    let mut number = 0;
    for value in values {
        if number > 0 {
            line.push(',');
        }
        number += 1;
        let is_formula = is_formula(value);
        if is_formula || value.contains([',', '"', '\r', '\n']) {
            line.push('"');
            if is_formula {
                line.push('\'');
            }
            line.push_str(&value.replace('"', "\"\""));
            line.push('"');
        } else {
            line.push_str(value);
        }
    }
    // A line with one empty value must not be empty, since readers skip empty lines.
    if number == 1 && line.is_empty() {
        line.push_str("\"\"");
    }
    line + "\r\n"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_quoted_and_formulas_marked() {
        for (value, written) in [
            ("plain", "plain"),
            ("", ""),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("=1+1", "\"'=1+1\""),
            ("+1", "\"'+1\""),
            ("-1", "\"'-1\""),
            ("@a", "\"'@a\""),
            ("\tx", "\"'\tx\""),
            ("\rx", "\"'\rx\""),
            ("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""),
            ("a=b", "a=b"),
            ("'tis", "'tis"),
            ("'=1+1", "\"''=1+1\""),
            ("''-", "\"'''-\""),
        ] {
            assert_eq!(csv_line([value, "z"]), format!("{written},z\r\n"));
        }
        assert_eq!((csv_line([""]), csv_line(["", ""])), ("\"\"\r\n".to_owned(), ",\r\n".to_owned()));
    }

    #[test]
    fn a_mark_is_taken_from_what_has_one() {
        for (written, text) in [("'=1", "=1"), ("''=1", "'=1"), ("'tis", "'tis"), ("=1", "=1"), ("'", "'"), ("", "")] {
            assert_eq!(unmark_formula(written), text);
        }
    }

    proptest! {
        #[test]
        fn a_marked_text_is_read_again(text in "['=+@\\t\\r-]{0,4}\\PC{0,4}|\\PC*") {
            let marked = mark_formula(&text);
            prop_assert_eq!(unmark_formula(&marked), &text);
            prop_assert!(!marked.starts_with(FORMULA));
        }

        #[test]
        fn a_line_is_read_again(values in prop::collection::vec("[',\"=\\r\\n\\t a-]{0,6}|\\PC{0,6}", 1..5)) {
            let line = csv_line(values.iter().map(String::as_str));
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
            let records: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(records.len(), 1);
            let read: Vec<&str> = records[0].iter().map(unmark_formula).collect();
            prop_assert_eq!(read, values);
        }
    }
}
