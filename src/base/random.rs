//! Cryptographically secure random bytes.

use rand::{TryRngCore, rngs::OsRng};

/// Random bytes from the operating system.
pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], <OsRng as TryRngCore>::Error> {
    let mut bytes = [0; N];
    OsRng.try_fill_bytes(&mut bytes)?;
    Ok(bytes)
}
