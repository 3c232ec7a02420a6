//! A copy of the SQLite database as it is at one moment, made while the service runs. The copy is a whole database by
//! itself, and has its name only once it is complete, checked and on the disk.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use anyhow::{Context, bail, ensure};
use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};
use sea_orm::sqlx::{
    self, ConnectOptions, Connection, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode},
};
use uuid::Uuid;

use crate::{
    base::{config::Config, file::private},
    platform::db::must_fit,
};

/// How long the copy waits for a moment in which it can begin to read.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Writes a backup to a file that is not there yet, and answers its size in bytes.
pub(crate) async fn write(config: &Config, file: &Path) -> anyhow::Result<u64> {
    ensure!(
        config.database_url.starts_with("sqlite:"),
        "DATABASE_URL: `linkgraph backup` copies SQLite databases; back PostgreSQL up with pg_dump, or continuously with \
         WAL archiving (point-in-time recovery)"
    );
    ensure!(!file.try_exists()?, "{} is there already", file.display());
    let place = Place::at(file)?;
    let source = SqliteConnectOptions::from_str(&config.database_url).context("DATABASE_URL")?.create_if_missing(false);
    must_fit(source.get_filename())?;
    let partial = place.begin().with_context(|| format!("can't write {}", place.folder.display()))?;
    copy_checked(source, &partial.0).await.context("DATABASE_URL")?;
    let size = place.publish(&partial).with_context(|| format!("can't write {}", file.display()))?;
    Ok(size)
}

/// Copies a database into an empty file, without what no copy may hold, and checks the copy.
pub(super) async fn copy_checked(source: SqliteConnectOptions, partial: &Path) -> anyhow::Result<()> {
    let source = open(source).await.context("can't open the database")?;
    copy(source, partial).await.context("the database can't be copied")?;
    finish(partial).await.context("the copy can't be finished")
}

async fn open(options: SqliteConnectOptions) -> Result<SqliteConnection, sqlx::Error> {
    // A large database takes longer than statements usually may: that is no reason to log them.
    options.busy_timeout(BUSY_TIMEOUT).disable_statement_logging().connect().await
}

/// Copies in one read transaction, for which nothing waits in WAL mode. Only used pages are written, so that deleted data is in
/// no backup.
async fn copy(mut source: SqliteConnection, partial: &Path) -> anyhow::Result<()> {
    let path = partial.to_str().context("the path is not in UTF-8")?;
    sqlx::query("VACUUM INTO ?").bind(path).execute(&mut source).await?;
    Ok(source.close().await?)
}

/// Deletes the keys of visitors, which must not outlive their day, takes the mark of the database that is in use out of the copy, and
/// checks it for damage.
async fn finish(partial: &Path) -> anyhow::Result<()> {
    let options = SqliteConnectOptions::new()
        .filename(partial)
        .create_if_missing(false)
        // Nothing beside the file.
        .journal_mode(SqliteJournalMode::Memory)
        // Deleted bytes are overwritten.
        .pragma("secure_delete", "ON");
    let mut copy = open(options).await?;
    // A database of an older version may not have the table.
    let has_keys = sqlx::query("SELECT 1 FROM sqlite_schema WHERE name = 'visitor_keys'");
    if has_keys.fetch_optional(&mut copy).await?.is_some() {
        sqlx::query("DELETE FROM visitor_keys").execute(&mut copy).await?;
    }
    sqlx::query("PRAGMA application_id = 0").execute(&mut copy).await?;
    let found: Vec<String> = sqlx::query_scalar("PRAGMA quick_check(10)").fetch_all(&mut copy).await?;
    if found != ["ok"] {
        bail!("the database is damaged: {}", found.join("; "));
    }
    Ok(copy.close().await?)
}

/// The path of a file that is to be written.
pub(super) struct Place {
    folder: PathBuf,
    name: String,
}

impl Place {
    pub(super) fn at(file: &Path) -> anyhow::Result<Self> {
        let shown = file.display();
        let name = file.file_name().with_context(|| format!("{shown} names no file"))?;
        let name = name.to_str().with_context(|| format!("{shown} is not in UTF-8"))?.to_owned();
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Absolute: SQLite takes a name that begins with `file:` for a URI.
        let folder = folder.canonicalize().with_context(|| folder.display().to_string())?;
        Ok(Place { folder, name })
    }

    /// Creates an empty file in the same folder that only its owner can read: it will hold hashes of passwords and the secrets of
    /// webhooks.
    pub(super) fn begin(&self) -> io::Result<Partial> {
        let path = self.folder.join(format!("{}.{}.partial", self.name, Uuid::now_v7().simple()));
        private().create_new(true).open(&path)?;
        Ok(Partial(path))
    }

    /// Renames the partial file to the final name, and returns its size in bytes. Fails if that name is taken by now.
    pub(super) fn publish(&self, partial: &Partial) -> io::Result<u64> {
        let file = File::open(&partial.0)?;
        file.sync_all()?;
        let target = self.folder.join(&self.name);
        match renameat_with(CWD, &partial.0, CWD, &target, RenameFlags::NOREPLACE) {
            // Not every file system supports this, for example NFS.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) if !target.try_exists()? => {
                fs::rename(&partial.0, &target)?;
            }
            renamed => renamed?,
        }
        File::open(&self.folder)?.sync_all()?;
        Ok(file.metadata()?.len())
    }
}

/// An unfinished backup, deleted when dropped unless it was renamed.
pub(super) struct Partial(PathBuf);

impl Partial {
    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
        // SQLite's, while it copies.
        let mut journal = self.0.clone().into_os_string();
        journal.push("-journal");
        let _ = fs::remove_file(journal);
    }
}
