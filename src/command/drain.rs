//! Clicks that a node left behind when it died: any machine that has its data directory brings them to the database.

use anyhow::{Context, bail};

use crate::{
    api::Api,
    base::{clock::Clock, config::Config},
    ingest,
};

/// Ingests the click log in the data directory, and answers how many clicks it had left. It can be run again, and beside
/// the node that the log belongs to: each click is stored once.
pub(crate) async fn run(config: Config, clock: Clock) -> anyhow::Result<u64> {
    let folder = config.data_dir.join("clicks");
    // Not made here, as a node that starts would: a wrong path must not look like an empty log.
    if !folder.join("log-id").is_file() {
        bail!("--data-dir: there is no click log in {}", folder.display());
    }
    let (api, position) = Api::open(config, clock).await?;
    let clicks = ingest::drain(&api.app, position).await.context("DATABASE_URL: the rest of the log is kept")?;
    api.app.db.clone().close().await;
    Ok(clicks)
}
