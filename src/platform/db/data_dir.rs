//! The data directory is readable by its owner alone: hashes of passwords, secrets that sign, and mails with reset tokens
//! are in it. New files are closed to others from the beginning ([`file::private`]); this module closes those that older
//! versions, a copy or a restore left open.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use crate::{
    base::{config::Config, file},
    platform::db,
};

/// Files of the data directory, besides the database: the secret that signs tokens, and what older versions kept there.
const FILES: [&str; 3] = ["jwt-secret", "jwt-secret.new", "visitor-salt"];
/// Folders of it, with all that is in them.
const FOLDERS: [&str; 2] = ["clicks", "mail"];
/// Ends of the names of the files beside the database: SQLite's, that of turns to write, and the mark.
const BESIDE_DATABASE: [&str; 5] = ["-wal", "-shm", "-journal", "-turn", "-mark"];
/// The sticky bit, as `/tmp` has it: such a folder is shared by all users, and is left as it is.
const STICKY: u32 = 0o1000;

/// Removes the access of other users: folders get mode 0700 and files 0600. Only the service's own files are changed, since the
/// directory may be someone's working directory. Failures, such as files of another user, are logged and do not prevent the
/// start.
pub(crate) fn close(config: &Config) {
    let mut failed = Vec::new();
    let mut close = |path: PathBuf| {
        if let Err(error) = file::make_private(&path) {
            failed.push((path, error));
        }
    };
    let folder = &config.data_dir;
    let is_shared = fs::metadata(folder).is_ok_and(|found| found.permissions().mode() & STICKY != 0);
    if is_shared {
        tracing::warn!("LINKGRAPH_DATA_DIR: {} is a folder of everybody's", folder.display());
    } else {
        close(folder.clone());
    }
    FILES.iter().for_each(|name| close(folder.join(name)));
    FOLDERS.iter().for_each(|name| within(&folder.join(name), &mut close));
    if let Some(database) = db::sqlite_file(&config.database_url) {
        BESIDE_DATABASE.iter().for_each(|suffix| close(db::beside(&database, suffix)));
        close(database);
    }
    if let Some((path, error)) = failed.first() {
        let (path, others) = (path.display(), failed.len() - 1);
        tracing::warn!(%error, others, "LINKGRAPH_DATA_DIR: other users of this machine may be able to read {path}");
    }
}

/// The folder, and what is in it. No symbolic link is followed.
fn within(folder: &Path, close: &mut impl FnMut(PathBuf)) {
    if !fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir()) {
        return;
    }
    // Before it is read: a folder that was closed to its owner as well can be.
    close(folder.to_owned());
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(io::Result::ok) {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => within(&entry.path(), close),
            Ok(kind) if kind.is_file() => close(entry.path()),
            _ => {}
        }
    }
}
