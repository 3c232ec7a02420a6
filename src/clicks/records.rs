//! The records of a segment, in bytes that may be damaged anywhere: records that are whole are read, and what lies between is noted.

use super::{
    position::Position,
    record::{self, HEAD, Head, MAX_RECORD},
};

/// Bytes of the log that are no whole records any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where they begin.
    pub at: Position,
    /// Their number.
    pub bytes: u64,
    /// Clicks that are lost with them; at the end of a segment, so many at least.
    pub clicks: u64,
}

/// Reads the whole records in some bytes of a segment, in their order.
#[derive(Debug)]
pub struct Records<'a> {
    bytes: &'a [u8],
    /// Place of the first of the bytes.
    start: Position,
    /// Bytes up to the last that was written. Zeros follow, which may be the end of the last record.
    written: usize,
    /// Whether no more bytes of the segment follow.
    are_last: bool,
    /// Bytes read so far: of records, and damaged ones.
    read: usize,
    /// Number of the next record. `None`: not known.
    number: Option<u32>,
    /// Whether all records so far are of earlier versions, which are not found again behind damage.
    are_earlier: bool,
    is_torn: bool,
    damage: Vec<Damage>,
}

impl<'a> Records<'a> {
    /// Reads from a place on which a record begins or is to begin. The first `written` of the bytes were written; `are_last`: no more
    /// bytes of the segment follow.
    pub(super) fn new(bytes: &'a [u8], start: Position, written: usize, are_last: bool) -> Self {
        let number = (start.offset == 0).then_some(0);
        let damage = Vec::new();
        Records { bytes, start, written, are_last, read: 0, number, are_earlier: true, is_torn: false, damage }
    }

    /// Tells the number of the first record, by which lost ones are counted.
    pub(super) fn expect(&mut self, number: u32) {
        self.number = Some(number);
    }

    /// Number of the next record. `None`: not known, as where records of earlier versions are.
    pub(super) fn number(&self) -> Option<u32> {
        self.number
    }

    /// Where reading ended.
    pub(crate) fn at(&self) -> Position {
        self.place(self.read)
    }

    /// Whether nothing that was written follows in the segment.
    pub fn is_end(&self) -> bool {
        self.are_last && self.read >= self.written
    }

    /// Whether nothing could be read, since more bytes are needed.
    pub(crate) fn needs_more(&self) -> bool {
        self.read == 0 && !self.are_last
    }

    /// Whether there is no whole record at the beginning.
    pub(super) fn begin_damaged(&self) -> bool {
        let is_whole = |head: Head| self.bytes.get(HEAD..HEAD + head.length).is_none_or(|payload| head.fits(payload));
        self.written > 0
            && !Head::read(self.bytes, self.start).is_some_and(is_whole)
            && record::earlier(self.bytes).is_none()
    }

    /// The damage found so far, in its order.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// Whether the segment ended with a record that was not yet written when the process was killed. Its redirect was not answered.
    pub(crate) fn is_torn(&self) -> bool {
        self.is_torn
    }

    fn place(&self, read: usize) -> Position {
        Position { offset: self.start.offset + read as u64, ..self.start }
    }

    /// Passes over bytes that are no whole record.
    fn skip(&mut self, bytes: usize, clicks: u64) {
        let at = self.at();
        match self.damage.last_mut() {
            Some(last) if last.at.offset + last.bytes == at.offset => {
                last.bytes += bytes as u64;
                last.clicks += clicks;
            }
            _ => self.damage.push(Damage { at, bytes: bytes as u64, clicks }),
        }
        self.read += bytes;
        self.are_earlier = false;
    }

    /// Counts the records that are missing before the one of this number.
    fn count_before(&mut self, number: u32) {
        let missing = self.number.map_or(0, |expected| number.saturating_sub(expected));
        if missing > 0 {
            self.skip(0, missing.into());
        }
        self.number = Some(number.wrapping_add(1));
    }

    /// Whether the record whose head is there is in these bytes: damage is passed over with the record that counts it.
    fn has_record_at(&self, here: &[u8], start: usize) -> bool {
        let head = here.get(start..).and_then(|bytes| Head::read(bytes, self.place(self.read + start)));
        self.are_last || head.is_some_and(|head| start + HEAD + head.length <= here.len())
    }

    /// Whether the record here is the last one and has no head yet, which is written last. The room of the segment was left then.
    fn is_half_written(&self, here: &[u8]) -> bool {
        self.bytes.len() - self.written >= MAX_RECORD
            && self.written - self.read <= MAX_RECORD
            && here.iter().take(HEAD).all(|byte| *byte == 0)
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        while self.read < self.written {
            let here = self.bytes.get(self.read..)?;
            let rest = self.written - self.read;
            if let Some(head) = Head::read(here, self.at()) {
                self.count_before(head.number);
                match here.get(HEAD..HEAD + head.length) {
                    Some(payload) if head.fits(payload) => {
                        self.read += HEAD + payload.len();
                        self.are_earlier = false;
                        return Some(payload);
                    }
                    Some(payload) => self.skip(HEAD + payload.len(), 1),
                    None if self.are_last => self.skip(rest, 1),
                    None => return None,
                }
            } else if let Some((bytes, payload)) = record::earlier(here).filter(|_| self.are_earlier) {
                self.read += bytes;
                self.number = None;
                return Some(payload);
            } else if let Some(bytes) = Head::find(here, self.at()).filter(|bytes| self.has_record_at(here, *bytes)) {
                self.skip(bytes, 0);
            } else if !self.are_last {
                return None;
            } else if self.is_half_written(here) {
                (self.is_torn, self.read) = (true, self.written);
            } else {
                self.skip(rest, 1);
            }
        }
        None
    }
}
