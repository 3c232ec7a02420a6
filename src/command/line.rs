//! Command line: `linkgraph` serves; the other commands do what their names say.

use std::{path::PathBuf, process::ExitCode};

use anyhow::ensure;
use clap::{Parser, Subcommand};

use super::{
    accounts::{self, AccountsCommand},
    actions, backup,
    check::{self, Depth, Grade},
    copy,
    destinations::{self, DestinationsCommand},
    drain, health,
    import::{self, ImportFile},
    links::{self, LinksCommand},
    process::{self, StopSignals, print, runtime, start_log},
    restore,
};
use crate::{
    api::{
        self,
        rest::openapi::{self, Extent},
    },
    base::{
        clock::Clock,
        config::{Config, ConfigErrors},
        error::in_one_line,
        machine, memory,
    },
    platform::db::{Db, Mark},
    server::Server,
};

/// A link-shortening service with a GraphQL API and a REST facade. Without a command it serves. All settings are
/// environment variables; docs/operating.md lists them.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Serve (the default).
    Serve,
    /// Apply the database migrations, and exit.
    Migrate,
    /// Ingest the clicks that a node left in its data directory, and exit. For a node that does not come back: one that does
    /// ingests them itself.
    Drain {
        /// Its data directory, or a copy of it.
        #[arg(long)]
        data_dir: PathBuf,
    },
    /// Ask the running service whether it is ready; exit 1 if it is not.
    Health {
        /// Where it listens, such as http://127.0.0.1:8080; by default at LINKGRAPH_BIND.
        #[arg(long)]
        url: Option<String>,
    },
    /// Try everything that the settings name, and say for each what was found; exit 1 if something fails. Changes nothing.
    Check {
        /// Also look through all indexes of a SQLite and all records of the click log, which may take minutes.
        #[arg(long)]
        deep: bool,
    },
    /// Write a copy of the SQLite database to a new file, while the service runs.
    Backup {
        /// The new file.
        file: PathBuf,
    },
    /// Put a backup into the place of the SQLite database, while no service runs. The files that were there are kept beside it.
    Restore {
        /// The backup, as `linkgraph backup` has written it.
        backup: PathBuf,
    },
    /// List, make, suspend and restore accounts, while the service runs.
    #[command(subcommand)]
    Accounts(AccountsCommand),
    /// Block and unblock links, while the service runs.
    #[command(subcommand)]
    Links(LinksCommand),
    /// Say where links must not lead, while the service runs.
    #[command(subcommand)]
    Destinations(DestinationsCommand),
    /// Import links from a file of another service. The running service does it, and this shows how far it is.
    Import(ImportFile),
    /// Print what operators did by the commands above: when, who, what, why; the newest first.
    Actions {
        /// So many at most.
        #[arg(long, default_value_t = 100)]
        limit: u64,
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
    },
    /// Copy the SQLite database to an empty PostgreSQL, while no service runs. It can be run again, and goes on where it was
    /// interrupted.
    Copy {
        /// URL of the PostgreSQL; by default DATABASE_URL.
        #[arg(long)]
        to: Option<String>,
    },
    /// Print the GraphQL schema.
    Schema,
    /// Print the OpenAPI document of the REST facade.
    Openapi {
        /// Only the public API, which is below /api/v1.
        #[arg(long)]
        public: bool,
    },
}

/// Runs the command that the arguments of this process say; the exit code is 1, with a line on standard error, if it fails.
pub fn main() -> ExitCode {
    process::prepare();
    match run(Arguments::parse().command.unwrap_or(Command::Serve)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One line for each setting that is wrong, or for what else failed.
            match error.downcast_ref() {
                Some(ConfigErrors(errors)) => errors.iter().for_each(|error| process::report(&error.to_string())),
                None => process::report(&in_one_line(&error)),
            }
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Schema => print(&api::contract()?.0),
        Command::Openapi { public } => {
            let (_, contract, plan) = api::contract()?;
            print(&openapi::document(&contract, &plan, if public { Extent::PublicApi } else { Extent::Whole }))
        }
        Command::Migrate => {
            let config = Config::from_env()?;
            start_log(&config);
            Mark::of(&config)?;
            runtime()?.block_on(async {
                let db = Db::connect(&Config { auto_migrate: true, ..config }).await?;
                db.close().await;
                Ok(())
            })
        }
        Command::Drain { data_dir } => {
            let config = Config::from_env()?;
            start_log(&config);
            runtime()?.block_on(async {
                let clicks = Box::pin(drain::run(Config { data_dir, ..config }, Clock::default())).await?;
                print(&format!("{clicks} clicks ingested\n"))
            })
        }
        Command::Health { url } => runtime()?.block_on(async {
            let target = match url {
                Some(url) => health::Target::at(&url).await?,
                None => health::Target::bound(Config::from_env()?.bind)?,
            };
            print(&format!("{}: ready\n", target.ask().await?))
        }),
        Command::Check { deep } => runtime()?.block_on(async {
            let depth = if deep { Depth::Deep } else { Depth::Quick };
            let findings = Box::pin(check::run(Config::from_env(), depth)).await;
            let lines: String = findings.iter().map(|finding| format!("{finding}\n")).collect();
            print(&lines)?;
            let failed = findings.iter().filter(|finding| finding.grade == Grade::Fail).count();
            ensure!(failed == 0, "{failed} of {} checks failed", findings.len());
            Ok(())
        }),
        Command::Backup { file } => {
            let config = Config::from_env()?;
            runtime()?.block_on(async {
                let mut signals = StopSignals::install()?;
                let size = tokio::select! {
                    size = backup::write(&config, &file) => size?,
                    // The unfinished copy is deleted.
                    () = signals.receive() => anyhow::bail!("interrupted: there is no backup"),
                };
                print(&format!("{}: {size} bytes\n", file.display()))
            })
        }
        Command::Restore { backup } => {
            let config = Config::from_env()?;
            runtime()?.block_on(async {
                let restored = restore::run(&config, &backup).await?;
                print(&format!("{restored}\n"))
            })
        }
        Command::Accounts(command) => operate(async |config| accounts::run(&config, command).await),
        Command::Links(command) => operate(async |config| links::run(&config, command).await),
        Command::Destinations(command) => operate(async |config| destinations::run(&config, command).await),
        Command::Import(file) => operate(async |config| import::run(&config, file).await),
        Command::Actions { limit, json } => operate(async |config| actions::run(&config, limit, json).await),
        Command::Copy { to } => {
            let config = Config::from_env()?;
            runtime()?.block_on(async {
                let mut signals = StopSignals::install()?;
                let copied = tokio::select! {
                    copied = copy::run(&config, to.as_deref()) => copied?,
                    () = signals.receive() => {
                        anyhow::bail!("interrupted: `linkgraph copy` can be run again, and goes on")
                    }
                };
                print(&format!(
                    "{} rows of {} tables copied and verified: start linkgraph with DATABASE_URL and the same data directory\n",
                    copied.rows, copied.tables
                ))
            })
        }
        Command::Serve => {
            let config = Config::from_env()?;
            start_log(&config);
            machine::must_have_address_space()?;
            process::raise_open_files();
            runtime()?.block_on(async {
                // Before anybody is told that it is ready.
                let mut signals = StopSignals::install()?;
                let server = tokio::select! {
                    started = Server::start(config, Clock::default()) => started?,
                    () = signals.receive() => return Ok(()),
                };
                memory::trim();
                signals.receive().await;
                server.stop().await;
                Ok(())
            })
        }
    }
}

/// Runs a command of an operator.
fn operate(command: impl AsyncFnOnce(Config) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let config = Config::from_env()?;
    start_log(&config);
    runtime()?.block_on(command(config))
}
