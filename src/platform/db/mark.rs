//! Notices that the file of a SQLite database was replaced beside the write-ahead log of another one, as by a backup that is copied
//! over it: SQLite would write that log's pages into the wrong file, and so damage it.
//!
//! Each start puts a random number into the file (`application_id`, which SQLite does not use) and into a file beside it, the mark. A
//! backup has the number 0.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use sea_orm::{ConnectionTrait, Statement};

use super::{Db, sqlite::sqlite_file};
use crate::base::{config::Config, file::write_whole};

/// Place of the number in the header of the file (<https://sqlite.org/fileformat2.html#application_id>).
const AT: u64 = 68;

/// The file of this name and suffix beside a database.
pub(crate) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// Refuses a database beside the write-ahead log of another one, and none where there was one. Must be called before SQLite opens the
/// file in this process: closing it afterwards would release SQLite's locks.
pub(crate) fn must_fit(database: &Path) -> anyhow::Result<()> {
    let (log, mark) = (beside(database, "-wal"), beside(database, "-mark"));
    let has_log = fs::metadata(&log).is_ok_and(|log| log.len() > 0);
    let known = match fs::read_to_string(&mark) {
        // A version before made none.
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        known => Some(known.context("DATABASE_URL: the mark beside the database can't be read")?),
    };
    if !has_log && known.is_none() {
        return Ok(());
    }
    let shown = database.display();
    let number = number(database).with_context(|| format!("DATABASE_URL: can't read {shown}"))?;
    let is_known =
        |known: &str| known.split_whitespace().any(|known| Some(known) == number.map(|it| it.to_string()).as_deref());
    let cause = match (number, known) {
        (None, _) => "is missing or empty, but files beside it are there",
        (Some(_), Some(known)) if has_log && !is_known(&known) => {
            "is another database than the one that the log beside it belongs to, as a backup that was copied over it"
        }
        _ => return Ok(()),
    };
    bail!(
        "DATABASE_URL: {shown} {cause}. Nothing was changed: `linkgraph restore <backup>` puts a backup into its place and keeps the \
         files aside"
    )
}

/// The number in the header. `None`: there is no header.
fn number(database: &Path) -> io::Result<Option<u32>> {
    let mut bytes = [0; 4];
    match File::open(database).and_then(|file| file.read_exact_at(&mut bytes, AT)) {
        Ok(()) => Ok(Some(u32::from_be_bytes(bytes))),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The mark of a database that a service is about to open.
pub(crate) struct Mark {
    database: PathBuf,
    number: u32,
}

impl Mark {
    /// Reads the number, before SQLite opens the file, and refuses a database that does not fit the files beside it. `None`: the
    /// database is no SQLite.
    pub(crate) fn of(config: &Config) -> anyhow::Result<Option<Self>> {
        let Some(database) = sqlite_file(&config.database_url) else { return Ok(None) };
        must_fit(&database)?;
        let number = number(&database).ok().flatten().unwrap_or_default();
        Ok(Some(Mark { database, number }))
    }

    /// Gives the file a new number. After a crash meanwhile it has the one before or the new one: the mark names both until the file has
    /// the new one for certain.
    pub(crate) async fn renew(self, db: &Db) -> anyhow::Result<()> {
        let mark = beside(&self.database, "-mark");
        let new = rand::random_range(1..i32::MAX);
        write_whole(&mark, format!("{} {new}", self.number).as_bytes())?;
        db.write().execute_unprepared(&format!("PRAGMA application_id = {new}")).await?;
        let moved = Statement::from_string(db.backend(), "PRAGMA wal_checkpoint(TRUNCATE)");
        let is_busy = match db.write().query_one_raw(moved).await? {
            Some(row) => row.try_get_by_index::<i32>(0)? != 0,
            None => true,
        };
        if !is_busy {
            write_whole(&mark, new.to_string().as_bytes())?;
        }
        Ok(())
    }
}
