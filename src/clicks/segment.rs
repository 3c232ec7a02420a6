//! A segment of the click log: a file of records, each `length (u32) · CRC32 (u32) · payload`, little-endian. Zeros follow
//! the last record while the segment is being written.

use std::{
    fs::File,
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

/// Bytes before a record's payload.
const HEADER: usize = 8;
/// Most bytes of a payload. A larger length is not valid.
const MAX_PAYLOAD: usize = 16 * 1024;

/// Appends one record whose payload `write` appends.
pub fn append(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0; HEADER]);
    write(out);
    let payload = &out[start + HEADER..];
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    let checksum = crc32fast::hash(payload);
    out[start..start + 4].copy_from_slice(&length.to_le_bytes());
    out[start + 4..start + HEADER].copy_from_slice(&checksum.to_le_bytes());
}

/// The bytes after the last whole record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Nothing, or zeros: no more was written.
    Unwritten,
    /// A truncated record.
    Cut,
    /// A record with an invalid length or a wrong checksum.
    Damaged,
}

/// The whole, undamaged records at the start of some bytes.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    bytes: &'a [u8],
    read: usize,
    rest: Rest,
}

impl<'a> Records<'a> {
    /// Reads the records in these bytes from the first one on.
    pub fn new(bytes: &'a [u8]) -> Self {
        Records { bytes, read: 0, rest: Rest::Unwritten }
    }

    /// Bytes of the records read so far.
    pub(crate) fn read(&self) -> usize {
        self.read
    }

    /// Where reading ended, once it has.
    pub fn rest(&self) -> Rest {
        self.rest
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let bytes = self.bytes.get(self.read..)?;
        match record(bytes) {
            Ok(payload) => {
                self.read += HEADER + payload.len();
                Some(payload)
            }
            Err(_) if bytes.iter().all(|byte| *byte == 0) => None,
            Err(rest) => {
                self.rest = rest;
                None
            }
        }
    }
}

/// The payload of the record at the start of some bytes.
fn record(bytes: &[u8]) -> Result<&[u8], Rest> {
    let (length, after) = bytes.split_first_chunk::<4>().ok_or(Rest::Cut)?;
    let (checksum, after) = after.split_first_chunk::<4>().ok_or(Rest::Cut)?;
    let length = u32::from_le_bytes(*length) as usize;
    if !(1..=MAX_PAYLOAD).contains(&length) {
        return Err(Rest::Damaged);
    }
    let payload = after.get(..length).ok_or(Rest::Cut)?;
    if crc32fast::hash(payload) == u32::from_le_bytes(*checksum) { Ok(payload) } else { Err(Rest::Damaged) }
}

/// File of a segment.
pub fn path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:016}.log"))
}

/// Numbers of the segments in a folder, oldest first.
pub fn list(folder: &Path) -> io::Result<Vec<u64>> {
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        if let Some(number) =
            name.to_str().and_then(|name| name.strip_suffix(".log")).and_then(|name| name.parse().ok())
        {
            numbers.push(number);
        }
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// Reads up to `max` bytes from a place.
pub(crate) fn read_at(file: &File, offset: u64, max: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; max];
    let mut length = 0;
    while length < max {
        match file.read_at(&mut bytes[length..], offset + length as u64) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(length);
    Ok(bytes)
}

/// Truncates a segment after its last whole record, and returns its length in bytes.
pub(crate) fn recover(path: &Path) -> io::Result<u64> {
    let file = File::options().read(true).write(true).open(path)?;
    let length = file.metadata()?.len();
    let (mut whole, mut torn) = (0, false);
    loop {
        let bytes = read_at(&file, whole, 4 << 20)?;
        let mut records = Records::new(&bytes);
        while records.next().is_some() {}
        if records.read() == 0 {
            torn |= records.rest() != Rest::Unwritten;
            break;
        }
        whole += records.read() as u64;
    }
    if torn {
        tracing::warn!(segment = %path.display(), offset = whole, "Cut off a record that a crash left half written");
    }
    if whole < length {
        file.set_len(whole)?;
        file.sync_all()?;
    }
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(payloads: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for payload in payloads {
            append(&mut bytes, |out| out.extend_from_slice(payload));
        }
        bytes
    }

    proptest! {
        #[test]
        fn a_cut_or_damaged_tail_loses_only_itself(
            payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..100), 1..20),
            cut in any::<prop::sample::Index>(),
            flip in any::<prop::sample::Index>(),
        ) {
            let bytes = written(&payloads);
            let read: Vec<_> = Records::new(&bytes).map(<[u8]>::to_vec).collect();
            prop_assert_eq!(&read, &payloads);

            let cut = cut.index(bytes.len());
            let mut records = Records::new(&bytes[..cut]);
            let read: Vec<_> = records.by_ref().map(<[u8]>::to_vec).collect();
            prop_assert_eq!(&read[..], &payloads[..read.len()]);
            let whole = written(&payloads[..read.len()]).len();
            prop_assert!(whole <= cut);
            prop_assert_eq!(records.rest(), if whole == cut { Rest::Unwritten } else { Rest::Cut });

            let mut unfinished = bytes.clone();
            unfinished.resize(bytes.len() + 100, 0);
            let mut records = Records::new(&unfinished);
            prop_assert_eq!(records.by_ref().map(<[u8]>::to_vec).collect::<Vec<_>>(), &payloads[..]);
            prop_assert_eq!((records.read(), records.rest()), (bytes.len(), Rest::Unwritten));

            let mut damaged = bytes.clone();
            let at = flip.index(bytes.len());
            damaged[at] ^= 0x55;
            let mut records = Records::new(&damaged);
            let read: Vec<_> = records.by_ref().map(<[u8]>::to_vec).collect();
            prop_assert_ne!(records.rest(), Rest::Unwritten);
            prop_assert!(read.len() < payloads.len());
            prop_assert_eq!(&read[..], &payloads[..read.len()]);
            prop_assert!(written(&payloads[..read.len()]).len() <= at);
        }
    }
}
