//! The known name that a misspelt one was probably meant to be.

/// Characters of a name that are compared: no known name has more.
const MAX_COMPARED: usize = 64;

/// The item whose name is spelt most like this one, whatever the case; of several the first.
pub(crate) fn nearest<T>(name: &str, known: impl IntoIterator<Item = T>, name_of: impl Fn(&T) -> &str) -> Option<T> {
    let name: String = name.chars().take(MAX_COMPARED).collect::<String>().to_lowercase();
    known.into_iter().min_by_key(|known| strsim::damerau_levenshtein(&name_of(known).to_lowercase(), &name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_has_the_fewest_differences() {
        let known = ["destinationUrl", "slug", "isActive", "domain", "expiresAt"];
        for (name, expected) in [
            ("expiresat", "expiresAt"),
            ("EXPIRES_AT", "expiresAt"),
            ("destination_url", "destinationUrl"),
            ("SLUG", "slug"),
            ("active", "isActive"),
            ("", "slug"),
            (&"x".repeat(100_000), "expiresAt"),
        ] {
            assert_eq!(nearest(name, known, |known| known), Some(expected), "{}", &name[..name.len().min(20)]);
        }
        assert_eq!(nearest("slug", [""; 0], |known| known), None);
    }
}
