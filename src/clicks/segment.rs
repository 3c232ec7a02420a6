//! A segment of the click log: a file of records. Zeros follow the last record while the segment is being written, and stay when the
//! process is killed.

use std::{
    fs::File,
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use super::{
    position::Position,
    record::{self, MAX_RECORD},
    records::{Damage, Records},
};

/// Bytes that are read at once to find the last that is not zero.
const BLOCK: usize = 64 << 10;

/// Appends one record, whose payload `write` appends, to the bytes of a segment so far.
pub fn append(bytes: &mut Vec<u8>, segment: u64, number: u32, write: impl FnOnce(&mut Vec<u8>)) {
    let start = bytes.len();
    record::encode(bytes, write);
    record::seal(&mut bytes[start..], Position { segment, offset: start as u64 }, number);
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

/// A segment that is read.
#[derive(Debug)]
pub struct Segment {
    file: File,
    number: u64,
    /// Bytes of the file, or those that are complete if it is being written.
    length: u64,
    /// Bytes up to the last that was written.
    written: u64,
}

impl Segment {
    /// Opens a segment. `end`: the end of its last record, if it is being written.
    pub fn open(folder: &Path, number: u64, end: Option<u64>) -> io::Result<Self> {
        let file = File::open(path(folder, number))?;
        let (length, written) = match end {
            Some(end) => (end, end),
            None => {
                let length = file.metadata()?.len();
                (length, written(&file, length)?)
            }
        };
        Ok(Segment { file, number, length, written })
    }

    /// Its length in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Reads bytes from a place on: `max`, fewer at the end, or more if that is not enough for a record or the damage before one.
    pub fn read(&self, from: u64, max: usize) -> io::Result<Vec<u8>> {
        let rest = usize::try_from(self.to_read().saturating_sub(from)).unwrap_or(max);
        let bytes = read_at(&self.file, from, rest.min(max))?;
        let mut first = self.unnumbered(from, &bytes);
        first.next();
        if first.needs_more() { read_at(&self.file, from, rest) } else { Ok(bytes) }
    }

    /// The records in bytes that were read from a place on.
    pub fn records<'a>(&self, from: u64, bytes: &'a [u8]) -> io::Result<Records<'a>> {
        let mut records = self.unnumbered(from, bytes);
        if from > 0 && records.begin_damaged() {
            let before = read_at(&self.file, 0, usize::try_from(from).unwrap_or_default())?;
            let mut earlier = Records::new(&before, self.at(0), before.len(), true);
            earlier.by_ref().for_each(drop);
            if let Some(number) = earlier.number() {
                records.expect(number);
            }
        }
        Ok(records)
    }

    fn unnumbered<'a>(&self, from: u64, bytes: &'a [u8]) -> Records<'a> {
        let written = usize::try_from(self.written.saturating_sub(from)).unwrap_or(usize::MAX).min(bytes.len());
        let are_last = from + bytes.len() as u64 >= self.to_read();
        Records::new(bytes, self.at(from), written, are_last)
    }

    fn at(&self, offset: u64) -> Position {
        Position { segment: self.number, offset }
    }

    /// Bytes that may belong to records: the last one may end with zeros.
    fn to_read(&self) -> u64 {
        self.length.min(self.written + MAX_RECORD as u64)
    }
}

/// What the segments of a folder hold.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Whole records.
    pub(crate) records: u64,
    /// All damage.
    pub(crate) damage: Vec<Damage>,
}

/// Reads all segments of a folder. A service may write them meanwhile, and delete those that it has ingested.
pub(crate) fn survey(folder: &Path) -> io::Result<Survey> {
    let mut survey = Survey::default();
    for number in list(folder)? {
        let segment = match Segment::open(folder, number, None) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            segment => segment?,
        };
        let bytes = segment.read(0, usize::MAX)?;
        let mut records = segment.records(0, &bytes)?;
        survey.records += records.by_ref().count() as u64;
        survey.damage.extend_from_slice(records.damage());
    }
    Ok(survey)
}

/// Gives back the room of a segment that was being written when its process ended, but for what may belong to its last record.
pub(super) fn trim(path: &Path) -> io::Result<()> {
    let file = File::options().read(true).write(true).open(path)?;
    let length = file.metadata()?.len();
    let kept = written(&file, length)? + MAX_RECORD as u64;
    if kept < length {
        file.set_len(kept)?;
        file.sync_all()?;
    }
    Ok(())
}

/// Bytes of a file up to the last that is not zero.
fn written(file: &File, length: u64) -> io::Result<u64> {
    let mut end = length;
    while end > 0 {
        let start = end.saturating_sub(BLOCK as u64);
        let bytes = read_at(file, start, usize::try_from(end - start).unwrap_or(BLOCK))?;
        if let Some(last) = bytes.iter().rposition(|byte| *byte != 0) {
            return Ok(start + last as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Reads up to `max` bytes from a place.
fn read_at(file: &File, offset: u64, max: usize) -> io::Result<Vec<u8>> {
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

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::base::file::write_whole;

    /// A change of a segment's bytes.
    #[derive(Clone, Debug)]
    enum Change {
        Random(prop::sample::Index, Vec<u8>),
        Zeros(prop::sample::Index, usize),
        /// Bytes of another place, as a disk writes them that loses its way.
        Copied(prop::sample::Index, prop::sample::Index, usize),
        Cut(prop::sample::Index),
    }

    fn change() -> impl Strategy<Value = Change> {
        let at = any::<prop::sample::Index>;
        prop_oneof![
            4 => (at(), prop::collection::vec(any::<u8>(), 1..40)).prop_map(|(at, bytes)| Change::Random(at, bytes)),
            2 => (at(), 1_usize..600).prop_map(|(at, length)| Change::Zeros(at, length)),
            2 => (at(), at(), 1_usize..600).prop_map(|(at, from, length)| Change::Copied(at, from, length)),
            1 => at().prop_map(Change::Cut),
        ]
    }

    impl Change {
        fn make(&self, bytes: &mut Vec<u8>) {
            let range = |at: &prop::sample::Index, length: usize| {
                let start = at.index(bytes.len());
                start..(start + length).min(bytes.len())
            };
            match self {
                Change::Random(at, random) => {
                    let range = range(at, random.len());
                    let length = range.len();
                    bytes[range].copy_from_slice(&random[..length]);
                }
                Change::Zeros(at, length) => {
                    let range = range(at, *length);
                    bytes[range].fill(0);
                }
                Change::Copied(at, from, length) => {
                    let (to, from) = (range(at, *length), range(from, *length));
                    let length = to.len().min(from.len());
                    bytes.copy_within(from.start..from.start + length, to.start);
                }
                Change::Cut(at) => bytes.truncate(at.index(bytes.len()).max(1)),
            }
        }
    }

    /// A segment with these payloads, and the end of each record.
    fn written(number: u64, payloads: &[Vec<u8>]) -> (Vec<u8>, Vec<usize>) {
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        for (record, payload) in (0..).zip(payloads) {
            append(&mut bytes, number, record, |out| out.extend_from_slice(payload));
            ends.push(bytes.len());
        }
        (bytes, ends)
    }

    /// What is read of a segment, `most` records and about `room` bytes at a time.
    fn read(number: u64, bytes: &[u8], most: usize, room: usize) -> (Vec<Vec<u8>>, Vec<Damage>) {
        let folder = std::env::temp_dir().join(format!("linkgraph-segment-{}", Uuid::now_v7()));
        write_whole(&path(&folder, number), bytes).unwrap();
        let segment = Segment::open(&folder, number, None).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let (mut payloads, mut damage, mut from) = (Vec::new(), Vec::new(), 0);
        loop {
            let bytes = segment.read(from, room).unwrap();
            let mut records = segment.records(from, &bytes).unwrap();
            payloads.extend(records.by_ref().take(most).map(<[u8]>::to_vec));
            damage.extend_from_slice(records.damage());
            if records.is_end() {
                return (payloads, damage);
            }
            assert!(records.at().offset > from, "it goes on");
            from = records.at().offset;
        }
    }

    proptest! {
        /// Bytes that are changed anywhere lose the records that they belong to, and no others; the lost ones are counted.
        #[test]
        fn damage_loses_only_the_records_that_it_touches(
            payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..300), 1..40),
            changes in prop::collection::vec(change(), 0..4),
            (number, most, room) in (1_u64..1_000, 1_usize..20, 1_usize..2_000),
            // Zeros stand behind the records of a segment that was not full when the process ended.
            unwritten in prop_oneof![Just(0), Just(MAX_RECORD), Just(100_000)],
        ) {
            let (whole, ends) = written(number, &payloads);
            let mut bytes = whole.clone();
            changes.iter().for_each(|change| change.make(&mut bytes));
            let is_changed = |at: usize| bytes.get(at) != Some(&whole[at]);
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let ranges: Vec<_> = starts.zip(&ends).map(|(start, end)| start..*end).collect();
            let touched: Vec<bool> = ranges.iter().map(|range| range.clone().any(is_changed)).collect();
            let kept: Vec<_> = payloads.iter().zip(&touched).filter(|(_, touched)| !**touched).map(|(it, _)| it).collect();
            let after = bytes.len() + unwritten;
            bytes.resize(after, 0);

            let (found, damage) = read(number, &bytes, most, room);
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), kept);
            let lost: u64 = damage.iter().map(|place| place.clicks).sum();
            let gone = touched.iter().filter(|touched| **touched).count() as u64;
            if touched.last() == Some(&false) {
                prop_assert_eq!(lost, gone, "{:?}", damage);
            } else {
                prop_assert!(lost <= gone, "{:?}", damage);
            }
            for place in damage {
                let (start, end) = (place.at.offset as usize, (place.at.offset + place.bytes) as usize);
                let overlaps = ranges.iter().zip(&touched).filter(|(range, _)| range.start < end && start < range.end);
                prop_assert!(overlaps.clone().count() > 0 && overlaps.clone().all(|(_, touched)| *touched), "{:?}", place);
            }
        }
    }

    /// Whoever gets a whole record into the payload of another, and that other one damaged, has no record.
    #[test]
    fn a_record_within_another_is_none() {
        let inner = written(7, &[vec![3; 60]]).0;
        let (mut bytes, ends) = written(7, &[vec![1; 50], inner, vec![2; 50]]);
        bytes[ends[0]] ^= 1;
        let (found, damage) = read(7, &bytes, 10, 1_000);
        assert_eq!(found, [vec![1; 50], vec![2; 50]]);
        assert_eq!(damage.iter().map(|place| place.clicks).sum::<u64>(), 1);
    }

    #[test]
    fn a_segment_is_valid_under_its_number_alone() {
        let (bytes, _) = written(7, &[vec![1; 50], vec![2; 50]]);
        assert_eq!(read(8, &bytes, 10, 1_000).0, Vec::<Vec<u8>>::new());
    }

    /// Bytes that look like heads with lengths as long as can be cost no more than others.
    #[test]
    fn hostile_bytes_are_read_once() {
        let (mut bytes, _) = written(1, &[vec![1; 50]]);
        let hostile = [0xff, 0xc1, 0x00, 0x40].repeat(1 << 20);
        bytes.extend_from_slice(&hostile);
        let (found, damage) = read(1, &bytes, 10, 1 << 20);
        assert_eq!((found.len(), damage.len(), damage[0].bytes), (1, 1, hostile.len() as u64));
    }

    /// A segment that a version before wrote.
    #[test]
    fn records_of_earlier_versions_are_read() {
        let mut bytes = Vec::new();
        for payload in [[1; 50], [2; 50]] {
            bytes.extend_from_slice(&50_u32.to_le_bytes());
            bytes.extend_from_slice(&crc32fast::hash(&payload).to_le_bytes());
            bytes.extend_from_slice(&payload);
        }
        for most in [1, 10] {
            assert_eq!(read(1, &bytes, most, 1_000), (vec![vec![1; 50], vec![2; 50]], vec![]));
        }
        bytes[60] ^= 1;
        let (found, damage) = read(1, &bytes, 10, 1_000);
        assert_eq!((found, damage.len(), damage[0].clicks), (vec![vec![1; 50]], 1, 1));
    }
}
