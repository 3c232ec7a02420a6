//! Random slugs.

use crate::base::{error::ApiError, random};

/// Characters that can't be misread: no 0 O o, 1 I l i.
const ALPHABET: &[u8] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz";
/// 55^7 = 1.5 × 10^12: with a million links, one guess in a million and a half hits.
const LENGTH: usize = 7;

pub(crate) fn random() -> Result<String, ApiError> {
    let mut slug = String::with_capacity(LENGTH);
    while slug.len() < LENGTH {
        let bytes: [u8; 2 * LENGTH] = random::bytes().map_err(ApiError::internal)?;
        // 220 = 4 × 55: bytes above it would favour some characters.
        let fair = bytes.iter().filter(|byte| usize::from(**byte) < 4 * ALPHABET.len());
        slug.extend(
            fair.map(|byte| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()])).take(LENGTH - slug.len()),
        );
    }
    Ok(slug)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::base::validate::check_slug;

    #[test]
    fn random_slugs_are_slugs_and_differ() {
        assert_eq!(ALPHABET.len(), 55);
        let slugs: HashSet<String> = (0..1_000).map(|_| random().unwrap()).collect();
        assert_eq!(slugs.len(), 1_000);
        assert!(slugs.iter().all(|slug| slug.len() == LENGTH && check_slug(slug).is_ok()));
    }
}
