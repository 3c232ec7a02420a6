//! The shape of API keys: `lg_live_`, 32 random bytes in base62, and a 6-character CRC32 over both, so that scanners
//! recognise a leaked key and a mistyped one costs no query (the shape of GitHub's tokens).

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::base::{error::ApiError, random};

const PREFIX: &str = "lg_live_";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// 62^43 > 2^256 and 62^6 > 2^32.
const BODY: usize = 43;
const CHECKSUM: usize = 6;
/// Characters of a key that are shown to recognise it by.
const SHOWN: usize = PREFIX.len() + 4;

/// A key that was just made: the only time that its text is known.
#[derive(Debug)]
pub struct NewKey {
    /// The whole key.
    pub text: String,
    /// The hash that is stored in place of the key.
    pub(crate) hash: KeyHash,
    /// Its first characters.
    pub(crate) prefix: String,
}

/// SHA-256 of a whole key.
#[derive(Clone, Debug)]
pub(crate) struct KeyHash([u8; 32]);

impl KeyHash {
    /// As it is stored.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether the stored hash is this one, in constant time.
    pub(crate) fn matches(&self, stored: &[u8]) -> bool {
        self.0[..].ct_eq(stored).into()
    }

    fn of(text: &str) -> Self {
        KeyHash(Sha256::digest(text.as_bytes()).into())
    }
}

/// Whether the text has the prefix of API keys; the rest is not checked.
pub(crate) fn looks_like_key(text: &str) -> bool {
    text.starts_with("lg_")
}

/// Makes a key.
pub fn generate() -> Result<NewKey, ApiError> {
    let random: [u8; 32] = random::bytes().map_err(ApiError::internal)?;
    let mut text = format!("{PREFIX}{}", base62(&random, BODY));
    text.push_str(&checksum(&text));
    Ok(NewKey { hash: KeyHash::of(&text), prefix: text[..SHOWN].to_owned(), text })
}

/// The hash to look the key up by; none when the shape or the checksum is wrong.
pub(crate) fn parse(text: &str) -> Option<KeyHash> {
    let well_formed = text.starts_with(PREFIX)
        && text.len() == PREFIX.len() + BODY + CHECKSUM
        && text.is_ascii()
        && checksum(&text[..PREFIX.len() + BODY]).as_bytes() == &text.as_bytes()[PREFIX.len() + BODY..];
    well_formed.then(|| KeyHash::of(text))
}

fn checksum(text: &str) -> String {
    base62(&crc32fast::hash(text.as_bytes()).to_be_bytes(), CHECKSUM)
}

/// The big-endian number in base 62, padded with zeros to `width`.
pub(crate) fn base62(bytes: &[u8], width: usize) -> String {
    let mut number = bytes.to_vec();
    let mut digits = vec![b'0'; width];
    for digit in digits.iter_mut().rev() {
        let mut remainder = 0_u32;
        for byte in &mut number {
            let value = remainder << 8 | u32::from(*byte);
            *byte = u8::try_from(value / 62).unwrap_or_default();
            remainder = value % 62;
        }
        *digit = BASE62[remainder as usize];
    }
    String::from_utf8_lossy(&digits).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_new_key_parses_to_its_hash() {
        let key = generate().unwrap();
        assert_eq!(key.text.len(), 57);
        assert!(key.text.starts_with(&key.prefix));
        assert!(key.hash.matches(parse(&key.text).unwrap().as_bytes()));
        assert!(!key.hash.matches(parse(&generate().unwrap().text).unwrap().as_bytes()));
    }

    #[test]
    fn base62_is_the_number() {
        assert_eq!(base62(&[0, 0, 61], 3), "00z");
        assert_eq!(base62(&[1, 0], 3), "048");
        assert_eq!(base62(&[255; 32], 43).len(), 43);
    }

    proptest! {
        #[test]
        fn one_wrong_character_is_refused(position in 0_usize..57, replacement in "[0-9A-Za-z]") {
            let text = generate().unwrap().text;
            let mut wrong = text.clone();
            wrong.replace_range(position..=position, &replacement);
            prop_assert_eq!(parse(&wrong).is_some(), wrong == text);
        }

        #[test]
        fn arbitrary_text_is_refused(text in "\\PC*") {
            prop_assert!(parse(&text).is_none());
        }
    }
}
