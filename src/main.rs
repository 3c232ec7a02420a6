//! Command line: `linkgraph` serves; the other commands do what their names say.

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context, ensure};
use clap::{Parser, Subcommand};
use linkgraph::{
    api::{self, rest::openapi},
    clock::Clock,
    command::{
        accounts::{self, AccountsCommand},
        actions, backup,
        check::{self, Grade},
        copy,
        destinations::{self, DestinationsCommand},
        drain, health,
        links::{self, LinksCommand},
    },
    config::{Config, LogFormat},
    db::Db,
    error::in_one_line,
    library_logs, priority,
    server::Server,
};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_subscriber::{EnvFilter, filter::LevelFilter, layer::SubscriberExt, util::SubscriberInitExt};

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
    Check,
    /// Write a copy of the SQLite database to a new file, while the service runs.
    Backup {
        /// The new file.
        file: PathBuf,
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
    Openapi,
}

/// Files that a library makes are the owner's alone, whatever this process was started with. Our own are made so by
/// themselves (`file.rs`), also where a folder's default ACL counts instead of this.
#[expect(unsafe_code, reason = "the standard library has no call for it")]
fn close_new_files() {
    // SAFETY: no other thread runs yet, and the call can't fail (`umask(2)`).
    unsafe {
        libc::umask(0o077);
    }
}

/// Bytes from which on memory comes from the kernel, and goes back to it: more than a summary of a year reads at once, whose
/// pages would be taken and cleared each time.
const LARGE: i32 = 4 << 20;
/// Free bytes at the end of an arena of glibc from which on they go back to the kernel.
const FREE: i32 = 8 << 20;

/// glibc takes more and more memory for itself where large pieces come and go: a password's hash has 19 MiB, a batch of
/// clicks several. With these limits set, it no longer raises them by itself (`mallopt(3)`).
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "the only way to tell glibc")]
fn bound_free_memory() {
    // SAFETY: no other thread runs yet, and any value is allowed.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_TRIM_THRESHOLD, FREE);
    }
}

/// Gives back what the start needed and freed, which lies between what stays: 3 MiB.
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "the only way to tell glibc")]
fn trim_memory() {
    // SAFETY: it may be called at any time, by any thread (`malloc_trim(3)`).
    unsafe {
        libc::malloc_trim(0);
    }
}

/// A file that reaches the limit of file sizes (`ulimit -f`) is an error of the write, not the end of the process.
#[expect(unsafe_code, reason = "the only way to tell the kernel")]
fn ignore_file_size_signal() {
    // SAFETY: no other thread runs yet, and ignoring a signal runs no code.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

fn main() -> ExitCode {
    close_new_files();
    #[cfg(target_env = "gnu")]
    bound_free_memory();
    ignore_file_size_signal();
    let command = Arguments::parse().command.unwrap_or(Command::Serve);
    match run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One line, that names the setting where one is wrong.
            let _ = writeln!(std::io::stderr(), "linkgraph: {}", in_one_line(&error));
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Schema => print(&api::contract()?.0),
        Command::Openapi => {
            let (_, contract, plan) = api::contract()?;
            print(&openapi::document(&contract, &plan))
        }
        Command::Migrate => {
            let config = Config::from_env()?;
            start_log(&config);
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
                let clicks = drain::run(Config { data_dir, ..config }, Clock::default()).await?;
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
        Command::Check => runtime()?.block_on(async {
            let findings = check::run(Config::from_env()).await;
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
                    // What is there of it goes.
                    () = signals.receive() => anyhow::bail!("interrupted: there is no backup"),
                };
                print(&format!("{}: {size} bytes\n", file.display()))
            })
        }
        Command::Accounts(command) => operate(async |config| accounts::run(&config, command).await),
        Command::Links(command) => operate(async |config| links::run(&config, command).await),
        Command::Destinations(command) => operate(async |config| destinations::run(&config, command).await),
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
            // The usual 1,024 descriptors are fewer than the connections that one node takes.
            if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
                tracing::warn!(%error, "The limit of open files stays as it is");
            }
            runtime()?.block_on(async {
                // Before anybody is told that it is ready.
                let mut signals = StopSignals::install()?;
                let server = tokio::select! {
                    started = Server::start(config, Clock::default()) => started?,
                    () = signals.receive() => return Ok(()),
                };
                #[cfg(target_env = "gnu")]
                trim_memory();
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

/// SIGTERM and SIGINT, which end the service in order.
struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    /// From now on they no longer end the process.
    fn install() -> anyhow::Result<Self> {
        let of = |kind| signal(kind).context("signals can't be received");
        Ok(StopSignals { terminate: of(SignalKind::terminate())?, interrupt: of(SignalKind::interrupt())? })
    }

    /// Waits for one of them.
    async fn receive(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    // The threads that answer redirects; the API has others (`api_threads`).
    let begin = || {
        if let Err(error) = priority::as_soon_as_it_wakes() {
            tracing::debug!(%error, "Redirects wait for their turn as everything else does");
        }
    };
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().on_thread_start(begin).build().context("the runtime can't start")
}

fn print(text: &str) -> anyhow::Result<()> {
    std::io::stdout().write_all(text.as_bytes()).context("can't print")
}

fn start_log(config: &Config) {
    let mut filter = EnvFilter::new(&config.log);
    // PostgreSQL writes a notice for each table that is made unless it exists, and does. A filter that names sqlx decides
    // itself what is shown of them.
    if filter.max_level_hint().is_none_or(|most| most >= LevelFilter::INFO)
        && !config.log.contains("sqlx")
        && let Ok(directive) = "sqlx::postgres::notice=warn".parse()
    {
        filter = filter.add_directive(directive);
    }
    // Colours are codes that files and collectors of logs would show (<https://no-color.org>).
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(std::io::stderr);
    match config.log_format {
        LogFormat::Text => builder.finish().with(library_logs::no_details()).init(),
        LogFormat::Json => builder.json().flatten_event(true).finish().with(library_logs::no_details()).init(),
    }
}
