//! Commands beside serving, with the service's settings, while it runs. The operator's are thin over `ops` of a feature, and
//! of the data directory they touch SQLite's file alone.

pub(crate) mod accounts;
pub(crate) mod actions;
pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod copy;
pub(crate) mod destinations;
pub(crate) mod drain;
pub(crate) mod health;
pub(crate) mod import;
pub mod line;
pub(crate) mod links;
mod operator;
mod process;
pub(crate) mod restore;

use std::{
    io::{self, Write},
    str::FromStr,
};

use anyhow::{Context, bail};
use clap::Args;
use sea_orm::sqlx::sqlite::SqliteConnectOptions;

use crate::{
    base::{clock::Clock, config::Config, error::ApiError},
    features::moderation::ops::Order,
    platform::db::{Db, must_fit},
};

/// Why something is done.
#[derive(Args, Clone, Debug)]
pub(crate) struct Why {
    /// Why; kept with who did it and when.
    #[arg(long)]
    reason: Option<String>,
}

impl Why {
    /// An order of the operator who runs this process.
    fn order(self) -> Order {
        Order { actor: operator::name(), reason: self.reason, now: Clock::default().now() }
    }
}

/// Opens an existing database, without migrating it, since a service may be running. Fails if the SQLite file does not exist: a
/// wrong setting must not look like a service without accounts.
async fn open(config: &Config) -> anyhow::Result<Db> {
    if config.database_url.starts_with("sqlite:") {
        let options = SqliteConnectOptions::from_str(&config.database_url).context("DATABASE_URL")?;
        let file = options.get_filename();
        if !file.is_file() {
            bail!("DATABASE_URL: there is no database at {}", file.display());
        }
        must_fit(file)?;
    }
    let db = Db::connect(&Config { auto_migrate: false, ..config.clone() }).await?;
    db.ask_for_turns();
    Ok(db)
}

/// The error as an operator reads it: all broken rules, or the message.
fn readable(error: ApiError) -> anyhow::Error {
    if error.violations.is_empty() {
        return anyhow::Error::msg(error.message);
    }
    let rules: Vec<_> = error.violations.iter().map(|rule| format!("{}: {}", rule.path, rule.message)).collect();
    anyhow::Error::msg(rules.join("; "))
}

fn print(line: &str) -> anyhow::Result<()> {
    match writeln!(io::stdout(), "{line}") {
        // The reader has enough, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        written => written.context("can't print"),
    }
}
