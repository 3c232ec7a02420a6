//! Puts a backup into the place of the SQLite database, while no service runs. The files that were there are kept aside: nothing is
//! deleted.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use sea_orm::sqlx::sqlite::SqliteConnectOptions;

use super::backup::{self, Place};
use crate::{
    base::{
        clock::{Clock, rfc3339},
        config::Config,
        file,
    },
    clicks::log::DirectoryLock,
    platform::db::{
        self, beside,
        inspect::{Tables, inspect_file},
        must_fit,
    },
};

/// Ends of the names of a database and of the files beside it, in the order in which they are moved: without the first, and with the
/// others or the mark, a start is refused.
const FILES: [&str; 4] = ["", "-journal", "-shm", "-wal"];

/// A restored database.
pub(crate) struct Restored {
    /// The database's file.
    pub(crate) database: PathBuf,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// Migrations that the next start applies to it.
    pub(crate) pending: usize,
    /// The database that was there before. `None`: there was none.
    pub(crate) kept: Option<PathBuf>,
}

impl fmt::Display for Restored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Restored { database, size, pending, kept } = self;
        write!(f, "{}: restored, {size} bytes, whole", database.display())?;
        if *pending > 0 {
            write!(f, "; the next start applies {pending} migrations")?;
        }
        match kept {
            Some(kept) => write!(f, "; what was there is kept as {}", kept.display()),
            None => write!(f, "; there was no other"),
        }
    }
}

/// Copies the backup, looks through the copy, and only then moves the old files aside and the copy into their place. After a crash in
/// between a start is refused, and this can be run again.
pub(crate) async fn run(config: &Config, backup: &Path) -> anyhow::Result<Restored> {
    let shown = backup.display();
    let Some(database) = db::sqlite_file(&config.database_url) else {
        bail!("DATABASE_URL: `linkgraph restore` restores SQLite databases; pg_restore restores a PostgreSQL");
    };
    ensure!(backup.is_file(), "{shown}: there is no such file");
    let _lock =
        DirectoryLock::take(&config.data_dir.join("clicks")).context("stop linkgraph before a backup is restored")?;
    if let Some(folder) = database.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        file::create_folder(folder).with_context(|| format!("can't create {}", folder.display()))?;
    }
    ensure!(
        !fs::canonicalize(&database).is_ok_and(|database| fs::canonicalize(backup).is_ok_and(|it| it == database)),
        "{shown} is the database itself"
    );
    must_fit(backup)?;
    let place = Place::at(&database)?;
    let partial = place.begin().with_context(|| format!("can't write beside {}", database.display()))?;
    let has_log = fs::metadata(beside(backup, "-wal")).is_ok_and(|log| log.len() > 0);
    // One without a log is left as it is, and may be on a disk that can't be written.
    let source =
        SqliteConnectOptions::new().filename(backup).create_if_missing(false).read_only(!has_log).immutable(!has_log);
    backup::copy_checked(source, partial.path()).await.with_context(|| format!("{shown} can't be restored"))?;
    let pending = match inspect_file(partial.path()).await.with_context(|| shown.to_string())?.tables {
        Tables::Current => 0,
        Tables::Older { pending } => pending,
        Tables::Missing => bail!("{shown} is no database of linkgraph"),
        Tables::Newer => bail!("{shown} is of a newer linkgraph; this one is too old for it"),
    };
    let now = rfc3339(Clock::default().now()).replace(':', "-");
    let kept = beside(&database, &format!("-before-{now}"));
    let failed = || format!("{} can't be moved aside", database.display());
    let mut moved = 0;
    for suffix in FILES {
        moved += usize::from(keep_aside(&database, &kept, suffix).with_context(failed)?);
    }
    let size = place.publish(&partial).with_context(|| format!("can't write {}", database.display()))?;
    keep_aside(&database, &kept, "-mark").with_context(failed)?;
    Ok(Restored { database, size, pending, kept: (moved > 0).then_some(kept) })
}

/// Renames a file beside the database so that it lies beside the one that is kept. False: it is not there.
fn keep_aside(database: &Path, kept: &Path, suffix: &str) -> io::Result<bool> {
    match fs::rename(beside(database, suffix), beside(kept, suffix)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        renamed => renamed.map(|()| true),
    }
}
