//! The segment that is being written: a file whose blocks were reserved beforehand, mapped into memory. A record is one
//! copy and no system call. Mapped pages belong to the kernel, so that a killed process loses none of them.

use std::{
    fs::File,
    io,
    io::Write,
    path::Path,
    sync::{
        Arc,
        atomic::{Ordering, compiler_fence},
    },
};

use memmap2::MmapMut;
use rustix::{
    fs::{FallocateFlags, fallocate, fstatvfs},
    io::Errno,
};

use super::{
    position::Position,
    record::{self, HEAD},
    segment,
};
use crate::base::file::private;

/// Bytes of a segment. Its pages count as memory of the process while it is written.
const SEGMENT_BYTES: usize = 16 << 20;

/// Bytes that a new segment leaves free on the disk, enough to ingest a batch: if the log filled the disk, the database could not
/// take clicks out of it.
const LEFT_BYTES: u64 = 8 << 20;

/// A segment with room.
pub(crate) struct Writing {
    file: Arc<File>,
    map: MmapMut,
    at: Position,
    records: u32,
}

impl Writing {
    /// Creates the file with all its blocks, so that a full disk is an error here, and not when a record is copied.
    pub(crate) fn create(folder: &Path, number: u64) -> io::Result<Self> {
        let path = segment::path(folder, number);
        let file = private().read(true).create_new(true).open(&path)?;
        let made = reserve(&file).and_then(|()| {
            // The directory's entry survives a power cut too.
            file.sync_all()?;
            File::open(folder)?.sync_all()?;
            map(&file)
        });
        match made {
            Ok(map) => {
                Ok(Writing { file: Arc::new(file), map, at: Position { segment: number, offset: 0 }, records: 0 })
            }
            Err(error) => {
                // Blocks reserved for the file are needed elsewhere on the disk: delete it.
                let _ = std::fs::remove_file(&path);
                Err(error)
            }
        }
    }

    /// The end of what is written.
    pub(crate) fn at(&self) -> Position {
        self.at
    }

    /// The file to sync.
    pub(crate) fn file(&self) -> &Arc<File> {
        &self.file
    }

    /// Seals the record and copies it to the end; false when there is no room for it.
    pub(crate) fn append(&mut self, record: &mut [u8]) -> bool {
        let room = usize::try_from(self.at.offset).ok().and_then(|start| self.map.get_mut(start..));
        let Some(place) = room.and_then(|room| room.get_mut(..record.len())) else { return false };
        record::seal(record, self.at, self.records);
        place[HEAD..].copy_from_slice(&record[HEAD..]);
        // A process that is killed in between leaves zeros for the head: so the record is not taken for a damaged one.
        compiler_fence(Ordering::SeqCst);
        place[..HEAD].copy_from_slice(&record[..HEAD]);
        self.at.offset += record.len() as u64;
        self.records += 1;
        true
    }

    /// Cuts off the room that is left.
    pub(crate) fn finish(&self) -> io::Result<()> {
        self.file.set_len(self.at.offset)
    }

    /// Deletes a segment that holds nothing.
    pub(crate) fn remove(self, folder: &Path) -> io::Result<()> {
        std::fs::remove_file(segment::path(folder, self.at.segment))
    }
}

fn reserve(file: &File) -> io::Result<()> {
    reserve_blocks(file)?;
    // A file system that does not report its free space is not checked.
    let is_tight = fstatvfs(file).is_ok_and(|disk| disk.f_blocks > 0 && disk.f_bavail * disk.f_frsize < LEFT_BYTES);
    if is_tight { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
}

fn reserve_blocks(file: &File) -> io::Result<()> {
    match fallocate(file, FallocateFlags::empty(), 0, SEGMENT_BYTES as u64) {
        Err(Errno::OPNOTSUPP) => {
            // A file system that can't reserve blocks gives them to what is written.
            let zeros = [0; 64 << 10];
            (0..SEGMENT_BYTES / zeros.len()).try_for_each(|_| (&*file).write_all(&zeros))
        }
        other => Ok(other?),
    }
}

#[expect(unsafe_code, reason = "the only way to map a file")]
fn map(file: &File) -> io::Result<MmapMut> {
    // SAFETY: a map must not lose its file's bytes: only this process writes the directory (its lock is held), and it cuts
    // a segment only behind the last record, after which nothing is read or written through the map.
    unsafe { MmapMut::map_mut(file) }
}
