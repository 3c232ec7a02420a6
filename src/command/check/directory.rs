//! The data directory and the click log in it.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use rustix::fs::{Access, access, statfs, statvfs};

use super::{
    found::{Found, ok, warn},
    look::{Depth, showing_progress},
};
use crate::clicks::{
    log::DirectoryLock,
    records::Damage,
    segment::{self, Survey},
};

const MIB: u64 = 1 << 20;
/// Free space below which the service hardly starts: the click log reserves 32 MiB, and a busy database's write-ahead log
/// has 64 MiB.
const NEEDED: u64 = 128 * MIB;
/// Free space below which a busy day may fill the disk.
const WANTED: u64 = 1024 * MIB;
/// File systems on which reserved room is not kept, or files are not kept at all (`statfs(2)`).
const UNSUITABLE: [(i64, &str); 7] = [
    (0x9123_683e, "btrfs copies on write: the room that the click log reserves is not kept for it"),
    (0x2fc1_2fc1, "ZFS copies on write: the room that the click log reserves is not kept for it"),
    (0xca45_1a4e, "bcachefs copies on write: the room that the click log reserves is not kept for it"),
    (0x0102_1994, "tmpfs is in memory: all is lost when the machine stops"),
    (0x6969, "NFS: neither SQLite nor the click log are safe on it"),
    (0xff53_4d42, "CIFS: neither SQLite nor the click log are safe on it"),
    (0xfe53_4d42, "SMB: neither SQLite nor the click log are safe on it"),
];

/// Whether the service can work in its data directory.
pub(super) fn data(folder: &Path) -> Found {
    let shown = folder.display();
    // A path that can't be looked at can't be made either, for the same cause.
    let exists = folder.try_exists().unwrap_or(false);
    let there = existing(folder);
    let failed = || match exists {
        true => format!("LINKGRAPH_DATA_DIR: can't use {shown}"),
        false => format!("LINKGRAPH_DATA_DIR: can't create {shown}: {}", there.display()),
    };
    let usable = match there.is_dir() {
        true => access(&there, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK).map_err(io::Error::from),
        false => Err(io::ErrorKind::NotADirectory.into()),
    };
    usable.with_context(failed)?;
    let space = statvfs(&there).with_context(failed)?;
    // `/proc` and its like have no blocks.
    ensure!(space.f_blocks > 0, "{}: the file system keeps no files", failed());
    let free = space.f_bavail.saturating_mul(space.f_frsize);
    let text = format!("{shown}, {} MiB free", free / MIB);
    ensure!(free >= NEEDED, "LINKGRAPH_DATA_DIR: {text}: {} MiB are needed", NEEDED / MIB);
    let mut doubts = Vec::new();
    if free < WANTED {
        doubts.push("little space".to_owned());
    }
    let kind = statfs(&there).map(|system| system.f_type).unwrap_or_default();
    doubts.extend(UNSUITABLE.iter().filter(|(of, _)| *of == kind).map(|(_, doubt)| (*doubt).to_owned()));
    if !exists {
        if doubts.is_empty() {
            return ok(format!("{text}; the first start makes it"));
        }
    } else {
        let mode = fs::metadata(folder)?.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            doubts.push(format!("others may enter it (mode {mode:03o}): chmod 700"));
        }
    }
    if doubts.is_empty() { ok(text) } else { warn(format!("{text}; {}", doubts.join("; "))) }
}

/// The folder, or the nearest one above it that is there.
fn existing(folder: &Path) -> PathBuf {
    let above = folder.ancestors().find(|above| above.symlink_metadata().is_ok());
    // A path without a folder in it is below the current one.
    above.filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// Whether a service runs on the data directory, and whether its click log is whole.
pub(super) async fn click_log(folder: &Path, depth: Depth) -> Found {
    let folder = folder.join("clicks");
    let is_taken = DirectoryLock::is_taken(&folder);
    let text = match is_taken.with_context(|| format!("LINKGRAPH_DATA_DIR: can't look at {}", folder.display()))? {
        Some(true) => "a service uses it",
        Some(false) => "no service runs on it",
        None => return ok("not there yet; the first start makes it"),
    };
    if depth == Depth::Quick {
        return ok(text);
    }
    let survey = tokio::task::spawn_blocking(move || segment::survey(&folder));
    let Survey { records, damage } = showing_progress("the click log", survey).await??;
    let text = format!("{text}; {records} clicks in it");
    let Some(first) = damage.first() else { return ok(format!("{text}, whole")) };
    let sum = |of: fn(&Damage) -> u64| damage.iter().map(of).sum::<u64>();
    warn(format!(
        "{text}; {} bytes are damaged, from offset {} of segment {} on: {} other clicks are lost",
        sum(|damage| damage.bytes),
        first.at.offset,
        first.at.segment,
        sum(|damage| damage.clicks)
    ))
}
