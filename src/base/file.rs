//! Files of the service: readable by their owner alone, and written whole or not at all.

use std::{
    fs::{self, DirBuilder, OpenOptions, Permissions},
    io,
    io::Write,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::Path,
};

/// Modes that give access to the owner only.
const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;

/// Options that open a file for writing. A new file is readable by its owner only, from its creation on.
pub(crate) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(FILE_MODE);
    options
}

/// Makes a folder for the owner alone, and its parents if need be. One that is there stays as it is.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)
}

/// Removes the access of others to a file or a folder, but not to the folder's content. Succeeds if it does not exist.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    let found = match fs::metadata(path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(()),
        found => found?,
    };
    let mode = if found.is_dir() { FOLDER_MODE } else { FILE_MODE };
    if found.permissions().mode() & 0o7777 == mode {
        return Ok(());
    }
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Writes a file, and its folder if needed. The file gets its name only once it is complete and on the disk: neither a crash nor
/// a reader finds a part of it.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        create_folder(folder)?;
    }
    let new = path.with_extension("new");
    let mut file = private().create(true).truncate(true).open(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(new, path)
}
