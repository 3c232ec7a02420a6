//! Files that are written whole or not at all.

use std::{fs, io, io::Write, os::unix::fs::OpenOptionsExt, path::Path};

/// Writes a file, and its folder if need be, readable by its owner alone. It has its name only once it is complete and on
/// the disk: a crash leaves no half, and a reader sees none.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let new = path.with_extension("new");
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(new, path)
}
