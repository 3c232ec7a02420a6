//! An authenticator app, without the service's library.

use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;

/// The code of a secret in base 32 at a time in seconds (RFC 6238, RFC 4226 §5.3).
pub(crate) fn code(secret: &str, now: i64) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let (mut bits, mut length, mut bytes) = (0_u64, 0, Vec::new());
    for char in secret.bytes() {
        bits = bits << 5 | alphabet.iter().position(|known| *known == char).unwrap() as u64;
        length += 5;
        if length >= 8 {
            length -= 8;
            bytes.push((bits >> length) as u8);
        }
    }
    let mut hmac = Hmac::<Sha1>::new_from_slice(&bytes).unwrap();
    hmac.update(&(now / 30).to_be_bytes());
    let hash = hmac.finalize().into_bytes();
    let at = usize::from(hash[19] & 15);
    let number = u32::from_be_bytes(hash[at..at + 4].try_into().unwrap()) & 0x7fff_ffff;
    format!("{:06}", number % 1_000_000)
}
