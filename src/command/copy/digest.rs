//! Comparison of tables by the number of their rows and a checksum of all values.

use std::pin::pin;

use futures_util::{Stream, TryStreamExt};
use sha2::{Digest as _, Sha256};

use super::chunk::{Value, Values};

/// Number and checksum of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Digest {
    pub(super) rows: u64,
    /// Sum of half the SHA-256 of each row: the order of rows does not matter.
    sum: u128,
}

impl Digest {
    fn add(&mut self, row: &[Value]) {
        let mut hash = Sha256::new();
        for value in row {
            match value {
                Value::Null => hash.update([0]),
                Value::Uuid(id) => bytes(&mut hash, 1, id.as_bytes()),
                Value::Bool(is_true) => bytes(&mut hash, 2, &[u8::from(*is_true)]),
                Value::Int4(number) => bytes(&mut hash, 3, &number.to_le_bytes()),
                Value::Int8(number) => bytes(&mut hash, 4, &number.to_le_bytes()),
                Value::Text(text) => bytes(&mut hash, 5, text.as_bytes()),
                Value::Bytes(value) => bytes(&mut hash, 6, value),
            }
        }
        let mut half = [0; 16];
        half.copy_from_slice(&hash.finalize()[..16]);
        self.rows += 1;
        self.sum = self.sum.wrapping_add(u128::from_le_bytes(half));
    }
}

/// Hashes a value with its kind and length, so that different rows never give the same input.
fn bytes(hash: &mut Sha256, kind: u8, value: &[u8]) {
    hash.update([kind]);
    hash.update((value.len() as u64).to_le_bytes());
    hash.update(value);
}

/// Number and checksum of these rows.
pub(super) async fn digest(rows: impl Stream<Item = anyhow::Result<Values>>) -> anyhow::Result<Digest> {
    let (mut rows, mut digest) = (pin!(rows), Digest::default());
    while let Some(row) = rows.try_next().await? {
        digest.add(&row);
    }
    Ok(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&[Value]]) -> Digest {
        let mut digest = Digest::default();
        rows.iter().for_each(|row| digest.add(row));
        digest
    }

    #[test]
    fn rows_differ_by_every_value_and_not_by_their_order() {
        let text = |text: &str| Value::Text(text.to_owned());
        let (first, second) = ([text("ab"), Value::Null], [text("a"), text("b")]);
        assert_eq!(of(&[&first, &second]), of(&[&second, &first]));
        assert_ne!(of(&[&first]), of(&[&second]));
        for other in [
            [text("ab"), text("")],
            [text("a"), text("b")],
            [text(""), text("ab")],
            [Value::Bytes(b"ab".to_vec()), Value::Null],
            [Value::Null, text("ab")],
        ] {
            assert_ne!(of(&[&first]), of(&[&other]), "{other:?}");
        }
        assert_ne!(of(&[&[Value::Int4(1)]]), of(&[&[Value::Bool(true)]]));
        // A row that stands twice does not vanish.
        assert_ne!(of(&[&first, &first]), of(&[&second, &second]));
        assert_ne!(of(&[&first, &first]), of(&[]));
    }
}
