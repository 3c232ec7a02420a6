//! The database, and Redis.

use std::str::FromStr;

use anyhow::{Context, bail};
use sea_orm::sqlx::{ConnectOptions, sqlite::SqliteConnectOptions};
use tokio_util::sync::CancellationToken;

use super::{
    found::{Found, ok, warn},
    look::{Depth, in_time, showing_progress},
};
use crate::{
    base::config::Config,
    click_store::{Damaged, damaged},
    clicks::log::ClickLog,
    platform::{
        db::{
            first_damage,
            inspect::{Inspection, Tables, connect_to_read, inspect, undisturbed},
            nodes::doubt,
        },
        http::rate_limit,
    },
};

/// Whether SQLite can't read the file that it opened (SQLITE_CORRUPT: 11).
fn is_damage(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.to_string().contains("(code: 11)"))
}

/// Whether the database answers, its tables are those that this version needs, and SQLite's file is whole.
pub(super) async fn database(config: &Config, depth: Depth) -> Found {
    let inspected = in_time(inspect(&config.database_url)).await.map_err(|error| match is_damage(&error) {
        true => error.context("DATABASE_URL: damaged: `linkgraph restore` restores a backup"),
        false => error,
    });
    let Inspection { address, version, tables, may_create_tables, nodes } = inspected?;
    let mut found = format!("{address}, {version}");
    if config.database_url.starts_with("sqlite:") && tables != Tables::Missing {
        let options = SqliteConnectOptions::from_str(&config.database_url).context("DATABASE_URL")?;
        let options = undisturbed(&options).disable_statement_logging();
        let look = first_damage(&options, depth == Depth::Deep, CancellationToken::new());
        let damage = showing_progress("the database", look).await;
        if let Some(damage) = damage.with_context(|| format!("DATABASE_URL: {found}: can't be looked through"))? {
            bail!("DATABASE_URL: {found}: damaged: {damage}; `linkgraph restore` restores a backup");
        }
        found.push_str(", whole");
    }
    if depth == Depth::Deep && tables == Tables::Current {
        let Damaged { blocks, clicks, link } = showing_progress("blocks of clicks", damaged_blocks(config)).await?;
        if let Some(link) = link {
            return warn(format!(
                "{found}; blocks of old clicks that are damaged: {blocks}, with {clicks} clicks, the first on the link {link}; \
                 `linkgraph restore` restores a backup"
            ));
        }
    }
    let how = if config.auto_migrate { "the start makes them" } else { "`linkgraph migrate` makes them" };
    if !may_create_tables {
        bail!("DATABASE_URL: {found}: its user may not create tables, which each month of clicks needs");
    }
    match tables {
        Tables::Newer => bail!("DATABASE_URL: {found}: a newer linkgraph has changed it; this one is too old for it"),
        Tables::Current => {
            let folder = config.data_dir.join("clicks");
            // The check of the directory reports its errors.
            let log = ClickLog::kept_identity(&folder).ok().flatten();
            match doubt(&nodes, log, config.base_url.as_str()) {
                Some(doubt) => warn(format!("{found}, up to date; {doubt}")),
                None => ok(format!("{found}, up to date")),
            }
        }
        Tables::Missing if config.auto_migrate => ok(format!("{found}, no tables yet; {how}")),
        Tables::Older { pending } if config.auto_migrate => {
            warn(format!("{found}, {pending} migrations behind; the start applies them"))
        }
        Tables::Missing => bail!("DATABASE_URL: {found}: it has no tables; {how}"),
        Tables::Older { pending } => {
            bail!("DATABASE_URL: {found}: {pending} migrations behind; `linkgraph migrate` applies them")
        }
    }
}

async fn damaged_blocks(config: &Config) -> anyhow::Result<Damaged> {
    let connection = connect_to_read(&config.database_url).await?;
    let found = damaged(&connection).await;
    connection.close().await?;
    found.context("DATABASE_URL: the blocks of old clicks can't be read")
}

/// Whether Redis answers, and in time.
pub(super) async fn redis(config: &Config) -> Found {
    let Some(server) = &config.redis else { return ok("REDIS_URL is not set: each node counts rate limits alone") };
    let found = rate_limit::look(server).await?;
    let text = format!("{}, {}, answers in {:.1?}", server.addr(), found.version, found.took);
    if found.is_in_time {
        ok(text)
    } else {
        warn(format!("{text}: requests do not wait for that, and are counted by each node alone"))
    }
}
