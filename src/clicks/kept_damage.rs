//! Damaged bytes of the click log, kept for whoever looks for the cause: its segments are deleted once they are ingested.

use std::{
    fs, io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use super::{position::Position, segment};
use crate::base::{
    clock::{DAY, Millis, UnixMillis},
    file::{create_folder, private},
};

/// Segments of which damaged bytes are kept at most; those of one take as much room as itself, 16 MiB, at most.
const MOST: usize = 8;
/// How long they are kept: user agents and hashes of visitors may be in them.
const KEPT: Millis = 30 * DAY;

/// Writes damaged bytes to the file that a damaged segment has here, at the same offset. False when there are [`MOST`] files already.
pub(crate) fn keep(log: &Path, at: Position, bytes: &[u8]) -> io::Result<bool> {
    let folder = folder(log);
    let path = segment::path(&folder, at.segment);
    create_folder(&folder)?;
    if !path.try_exists()? && fs::read_dir(&folder)?.count() >= MOST {
        return Ok(false);
    }
    let file = private().create(true).truncate(false).open(path)?;
    file.write_all_at(bytes, at.offset)?;
    Ok(true)
}

/// Where they are kept.
pub(crate) fn folder(log: &Path) -> PathBuf {
    log.join("damaged")
}

/// Deletes those that have been kept for long enough.
pub(crate) fn delete_old(log: &Path, now: UnixMillis) -> io::Result<()> {
    let entries = match fs::read_dir(folder(log)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let modified = entry.metadata()?.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        if i64::try_from(modified.as_millis()).is_ok_and(|modified| modified < now - KEPT) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
