//! A record of the click log: a head of 16 bytes, and the payload. All numbers are little-endian.
//!
//! | bytes | |
//! |---|---|
//! | 2 | a mark |
//! | 2 | length of the payload |
//! | 4 | CRC32 of the payload |
//! | 4 | number of the record in its segment, from 0 on |
//! | 4 | CRC32 of the bytes before, and of the record's place |
//!
//! So a record is found again behind damaged bytes, and the number says how many were lost. A copy of it at another place is none.
//! Nor are bytes within a payload, whatever a visitor sends: what visitors choose is text in UTF-8, each after its length of two bytes,
//! and neither can hold the mark.

use super::position::Position;

/// Bytes before a payload.
pub(super) const HEAD: usize = 16;
/// Most bytes of a payload. A larger length is not valid.
const MAX_PAYLOAD: usize = 16 * 1024;
/// Most bytes of a record.
pub(crate) const MAX_RECORD: usize = HEAD + MAX_PAYLOAD;
/// Bytes that stand in no text in UTF-8, and whose pair is no length of a text.
pub(super) const MARK: [u8; 2] = [0xff, 0xc1];
/// Bytes of a head before its own checksum.
const CHECKED: usize = 12;
/// Bytes before the payload of a record of earlier versions: length (u32) and CRC32.
const EARLIER_HEAD: usize = 8;

/// Appends a record whose payload `write` appends. It is valid once it is sealed.
pub(super) fn encode(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0; HEAD]);
    write(out);
    let (head, payload) = out[start..].split_at_mut(HEAD);
    head[..2].copy_from_slice(&MARK);
    head[2..4].copy_from_slice(&u16::try_from(payload.len()).unwrap_or(u16::MAX).to_le_bytes());
    head[4..8].copy_from_slice(&crc32fast::hash(payload).to_le_bytes());
}

/// Makes a record valid at its place.
pub(super) fn seal(record: &mut [u8], at: Position, number: u32) {
    record[8..CHECKED].copy_from_slice(&number.to_le_bytes());
    let checksum = checksum(&record[..CHECKED], at);
    record[CHECKED..HEAD].copy_from_slice(&checksum.to_le_bytes());
}

fn checksum(head: &[u8], at: Position) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(&at.segment.to_le_bytes());
    hasher.update(&at.offset.to_le_bytes());
    hasher.finalize()
}

/// The head of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    /// Bytes of the payload.
    pub(super) length: usize,
    checksum: u32,
    /// Records before it in its segment.
    pub(super) number: u32,
}

impl Head {
    /// The head at the start of some bytes. `None`: there is none that is valid at this place.
    pub(super) fn read(bytes: &[u8], at: Position) -> Option<Self> {
        let head = bytes.first_chunk::<HEAD>()?;
        let [m0, m1, l0, l1, c0, c1, c2, c3, n0, n1, n2, n3, s0, s1, s2, s3] = *head;
        let length = usize::from(u16::from_le_bytes([l0, l1]));
        let is_valid = [m0, m1] == MARK
            && (1..=MAX_PAYLOAD).contains(&length)
            && checksum(&head[..CHECKED], at) == u32::from_le_bytes([s0, s1, s2, s3]);
        is_valid.then(|| Head {
            length,
            checksum: u32::from_le_bytes([c0, c1, c2, c3]),
            number: u32::from_le_bytes([n0, n1, n2, n3]),
        })
    }

    /// Whether this is the payload that was written.
    pub(super) fn fits(&self, payload: &[u8]) -> bool {
        crc32fast::hash(payload) == self.checksum
    }

    /// Bytes from the start to the first head that is valid where it stands; `at` is the place of the first byte.
    pub(super) fn find(bytes: &[u8], at: Position) -> Option<usize> {
        (0..bytes.len().saturating_sub(HEAD - 1)).find(|start| {
            let here = Position { offset: at.offset + *start as u64, ..at };
            bytes[*start] == MARK[0] && Head::read(&bytes[*start..], here).is_some()
        })
    }
}

/// A record of the versions before 2026-11-26, `length (u32) · CRC32 (u32) · payload`: its bytes and its payload. `None`: there is none.
pub(super) fn earlier(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (length, after) = bytes.split_first_chunk::<4>()?;
    let (checksum, after) = after.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    let payload = after.get(..length).filter(|payload| (1..=MAX_PAYLOAD).contains(&payload.len()))?;
    let is_whole = crc32fast::hash(payload) == u32::from_le_bytes(*checksum);
    is_whole.then_some((EARLIER_HEAD + length, payload))
}
