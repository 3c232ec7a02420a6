//! Where the secrets come from that sign user tokens.

use std::{fs, io, path::Path};

use anyhow::Context;

use super::signing_secret_repo as repo;
pub(crate) use super::signing_secret_repo::NAME as SHARED_NAME;
use crate::{
    base::{
        config::{Config, JwtSecret},
        file::write_whole,
        random,
    },
    platform::db::Db,
};

/// The `kid` of a secret that was not configured.
const KID: &str = "local";
/// Its file in the data directory.
const FILE: &str = "jwt-secret";

/// The configured secrets; without any, the one that was made at the first start. SQLite's one node keeps it in the data
/// directory, the nodes of a PostgreSQL share it there.
pub(crate) async fn secrets(config: &Config, db: &Db) -> anyhow::Result<Vec<JwtSecret>> {
    if !config.jwt_secrets.is_empty() {
        return Ok(config.jwt_secrets.clone());
    }
    let path = config.data_dir.join(FILE);
    let kept = kept(config)?;
    let secret = if db.is_shared() {
        // An older version's tokens stay good.
        let ours = kept.map_or_else(make, Ok)?;
        repo::share(db, ours).await.context("DATABASE_URL: the secret that signs tokens can't be read")?
    } else {
        kept.map_or_else(|| keep(&path), Ok)?
    };
    Ok(vec![JwtSecret { kid: KID.to_owned(), secret }])
}

/// The secret in the data directory, if there is one and no other is configured.
pub(crate) fn kept(config: &Config) -> anyhow::Result<Option<Vec<u8>>> {
    if config.jwt_secrets.is_empty() { read(&config.data_dir.join(FILE)) } else { Ok(None) }
}

fn make() -> anyhow::Result<Vec<u8>> {
    let secret: [u8; 32] = random::bytes().context("the system gives no randomness")?;
    Ok(secret.to_vec())
}

fn keep(path: &Path) -> anyhow::Result<Vec<u8>> {
    let secret = make()?;
    // A torn secret would end every session at the next start.
    write_whole(path, hex::encode(&secret).as_bytes())
        .with_context(|| format!("LINKGRAPH_DATA_DIR: can't write {}", path.display()))?;
    Ok(secret)
}

fn read(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("LINKGRAPH_DATA_DIR: can't read {}", path.display())),
    };
    let secret = hex::decode(text.trim()).ok().filter(|secret| secret.len() >= JwtSecret::MIN_BYTES);
    secret.map(Some).with_context(|| format!("LINKGRAPH_DATA_DIR: {} does not hold a secret", path.display()))
}
