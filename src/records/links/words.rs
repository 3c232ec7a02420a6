//! Words of searches.

/// Words that a search may have.
pub(crate) const MAX_WORDS: usize = 20;

/// The words of a search, in lower case: separated by white space, but a text in quotes is one word. A quote without another after it, or
/// within a word, stands for itself. Words that are parts of others are left out, since they occur wherever those do.
pub(crate) fn words(search: &str) -> Vec<String> {
    let search = search.to_lowercase();
    let mut all = Vec::new();
    let mut rest = search.trim_start();
    while !rest.is_empty() {
        let phrase = rest.strip_prefix('"').and_then(|quoted| quoted.split_once('"'));
        let (word, after) =
            phrase.unwrap_or_else(|| rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())));
        all.extend((!word.is_empty()).then_some(word));
        rest = after.trim_start();
    }
    let is_part = |index: usize, word: &str| {
        let mut others = all.iter().enumerate();
        others.any(|(other, long)| long.contains(word) && (long.len() > word.len() || other < index))
    };
    all.iter().enumerate().filter(|(index, word)| !is_part(*index, word)).map(|(_, word)| (*word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_separated_by_white_space_and_quotes_keep_a_phrase() {
        for (search, expected) in [
            ("", &[][..]),
            (" \t\n", &[]),
            ("webinar Q3", &["webinar", "q3"]),
            ("  Webinar\u{a0}q3\u{3000}", &["webinar", "q3"]),
            ("\"Webinar  q3\" sale", &["webinar  q3", "sale"]),
            ("\"a b\"c \"\" \" \"", &["a b", "c"]),
            ("\" \"", &[" "]),
            ("\"a b", &["\"a", "b"]),
            ("a\"b c\"", &["a\"b", "c\""]),
            ("5\" pipe", &["5\"", "pipe"]),
            ("\"a b\" \"c", &["a b", "\"c"]),
            ("sale summer-sale SALE", &["summer-sale"]),
            ("sale Sale", &["sale"]),
            ("ÜBER Straße STRASSE", &["über", "straße", "strasse"]),
            ("İ I ı", &["i\u{307}", "ı"]),
            ("% _ \\", &["%", "_", "\\"]),
        ] {
            assert_eq!(words(search), expected, "{search:?}");
        }
    }
}
