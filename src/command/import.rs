//! `linkgraph import`: gives the running service a file of links, and shows how far it is.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::PathBuf,
    time::Duration,
};

use anyhow::{Context, bail, ensure};
use clap::Args;
use entity::import;
use link_files::{ColumnChoice, DateOrder, Field, Hints, Layout, Reader, Source, decode};
use tokio::time::{Instant, sleep};

use super::{open, print, readable};
use crate::{
    base::{
        clock::Clock,
        config::Config,
        ids::AccountId,
        page::{MAX_PAGE_SIZE, PageArgs},
        validate::{host_name, without_port},
    },
    features::imports::ops,
    platform::{db::Db, work::jobs},
    records::{
        accounts::repo::user_by_email,
        domains::hosts,
        imports::{
            ImportId,
            jobs::job,
            mapping, repo,
            state::{MAX_PART, State},
        },
    },
};

/// How often to look how far the import is.
const LOOK: Duration = Duration::from_millis(250);
/// How long no service may take it up before the command says so.
const PATIENCE: Duration = Duration::from_secs(10);
/// Characters of the bar.
const WIDTH: usize = 40;

/// A file of links.
#[derive(Args, Debug)]
pub(crate) struct ImportFile {
    /// The file: CSV or JSON of Bitly, Dub, Short.io, Rebrandly, YOURLS, Kutt, Shlink or linkgraph, or a table
    /// whose columns are known by their names. In UTF-8, UTF-16 or Windows-1252, which is found out.
    file: PathBuf,
    /// E-mail address of a user of the account that gets the links.
    #[arg(long)]
    account: String,
    /// The service that the file is from: linkgraph, bitly, dub, shortio, rebrandly, yourls, kutt, shlink or table; by default it is found out.
    #[arg(long)]
    source: Option<String>,
    /// What a column is about, such as url=Ziel: destinationUrl (or url), slug, domain, shortUrl, title, notes, tags, createdAt, startsAt,
    /// expiresAt, expiredUrl, maxClicks, clickCount, isActive, isArchived, forwardsQuery, externalId, or none to leave it out. The column by
    /// its name, or its number. Others are found out.
    #[arg(long = "map", value_name = "FIELD=COLUMN")]
    columns: Vec<String>,
    /// The order of dates such as 3/4/2024: dmy, mdy or ymd; by default the only one in which all dates of the file are days.
    #[arg(long)]
    date_format: Option<String>,
    /// The encoding of the file, such as windows-1250; by default UTF-8, UTF-16 or windows-1252, which is found out.
    #[arg(long)]
    encoding: Option<String>,
    /// Host of all links; by default each keeps the host that it had, if the account has it, and gets the service's own otherwise.
    #[arg(long)]
    domain: Option<String>,
    /// Tell only what would become of each row, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

/// Runs the command.
pub(crate) async fn run(config: &Config, file: ImportFile) -> anyhow::Result<()> {
    let source = match file.source.as_deref() {
        Some(id) => {
            Some(Source::parse(id).with_context(|| format!("--source: {id} is none of the services that are known"))?)
        }
        None => None,
    };
    let text = fs::read(&file.file).with_context(|| format!("can't read {}", file.file.display()))?;
    let (text, encoding) = decode(&text, file.encoding.as_deref())?;
    ensure!(!text.contains('\0'), "the file has NUL characters: it is no text");
    let hints = Hints {
        source,
        columns: file.columns.iter().map(|text| choice(text)).collect::<anyhow::Result<_>>()?,
        dates: match file.date_format.as_deref() {
            Some(id) => Some(
                DateOrder::parse(&id.to_lowercase())
                    .with_context(|| format!("--date-format: {id} is not dmy, mdy or ymd"))?,
            ),
            None => None,
        },
    };
    // Whether it can be read is told before anything is stored.
    let mut reader = Reader::new(text.as_bytes(), &hints)?;
    while reader.next_rows(1_000)?.is_some() {}
    say(&format!("{}\n", assumed(reader.layout(), encoding, hints.dates.or(reader.dates().only()))));
    if hints.dates.is_none() && reader.dates().are_unsure() {
        say("some dates are a day in several orders: say --date-format dmy, mdy or ymd\n");
    }
    let hints = Hints { source: Some(reader.layout().source()), ..hints };
    let db = open(config).await?;
    let done = import_text(config, &db, file, (&hints, encoding), &text).await;
    db.close().await;
    done
}

/// A column, as `--map` says what it is about.
fn choice(text: &str) -> anyhow::Result<ColumnChoice> {
    let (field, column) = text.split_once('=').with_context(|| format!("--map: {text} is not FIELD=COLUMN"))?;
    let known =
        (field != "none").then(|| Field::parse(field).with_context(|| format!("--map: no field is called {field}")));
    Ok(ColumnChoice { column: column.to_owned(), field: known.transpose()? })
}

/// What a file is taken for, in one line.
fn assumed(layout: &Layout, encoding: &str, dates: Option<DateOrder>) -> String {
    let columns = layout.columns().filter_map(|(name, field)| Some(format!("{}={name}", field?.id())));
    let header = if layout.has_header() == Some(false) { ", without a header" } else { "" };
    let dates = dates.map(|dates| format!(", dates {}", dates.id())).unwrap_or_default();
    format!(
        "read as {} in {encoding}{header}: {}{dates}",
        layout.source().name(),
        columns.collect::<Vec<_>>().join(", ")
    )
}

async fn import_text(
    config: &Config,
    db: &Db,
    file: ImportFile,
    (hints, encoding): (&Hints, &str),
    text: &str,
) -> anyhow::Result<()> {
    let user = user_by_email(db.read(), &file.account.to_lowercase()).await?;
    let account =
        AccountId(user.with_context(|| format!("--account: nobody has the address {}", file.account))?.account_id);
    let host = match &file.domain {
        Some(domain) => Some(host(config, db, account, domain).await?),
        None => None,
    };
    let now = Clock::default().now();
    let tx = db.begin().await?;
    let (opened, plan) = ops::open(&tx, account, config.default_plan, now).await.map_err(readable)?;
    let mut import = import::Model {
        source: hints.source.map(|source| source.id().to_owned()),
        encoding: Some(encoding.to_owned()),
        mapping: mapping::stored(&hints.columns),
        date_format: hints.dates.map(|dates| dates.id().to_owned()),
        host,
        is_dry_run: file.dry_run,
        ..opened
    };
    let mut rest = text;
    while !rest.is_empty() {
        let length = usize::try_from(MAX_PART)?;
        let end = rest.char_indices().nth(length).map_or(rest.len(), |(end, _)| end);
        let (part, further) = rest.split_at(end);
        ops::add_part(&tx, &mut import, plan, part.to_owned(), further.is_empty()).await.map_err(readable)?;
        rest = further;
    }
    repo::update(&tx, &import).await?;
    jobs::enqueue(&tx, job(&import)?, Some(account), now).await?;
    tx.commit().await?;
    let import = follow(db, account, ImportId(import.id)).await?;
    tell(db, &import).await
}

/// The stored name of the host that `--domain` names; empty for the service's own. Fails if the account has no such host.
async fn host(config: &Config, db: &Db, account: AccountId, domain: &str) -> anyhow::Result<String> {
    let name = without_port(domain);
    if config.base_url.is_own_host(name) {
        return Ok(String::new());
    }
    let name = host_name(name).filter(|name| !name.is_empty());
    let known = match &name {
        Some(name) => hosts::repo::of_account(db.read(), account, [name.clone()]).await?,
        None => Vec::new(),
    };
    name.filter(|name| known.contains(name)).with_context(|| format!("--domain: the account has no domain {domain}"))
}

/// Shows how far an import is, until it has ended.
async fn follow(db: &Db, account: AccountId, id: ImportId) -> anyhow::Result<import::Model> {
    let is_terminal = io::stderr().is_terminal();
    let (began, mut shown, mut is_told) = (Instant::now(), -1, false);
    loop {
        let import = repo::import(db.read(), account, id).await?;
        let import = import.context("the import is gone: was its account deleted?")?;
        if State::of(&import.state) == State::Queued && !is_told && began.elapsed() > PATIENCE {
            is_told = true;
            say("waiting for a service to take it up: `linkgraph serve` must run on this database\n");
        }
        let is_new = import.done != shown && import.total.is_some();
        if is_new && is_terminal {
            say(&format!("\r{}", bar(&import)));
        } else if is_new {
            say(&format!("{} of {} rows\n", import.done, import.total.unwrap_or(import.done)));
        }
        shown = if is_new { import.done } else { shown };
        if import.finished_at.is_some() {
            if is_terminal && shown >= 0 {
                say("\n");
            }
            return Ok(import);
        }
        sleep(LOOK).await;
    }
}

/// Writes progress to standard error. Errors are ignored: it may be closed.
fn say(text: &str) {
    let _ = write!(io::stderr(), "{text}");
}

fn bar(import: &import::Model) -> String {
    let total = import.total.unwrap_or(import.done).max(1);
    let share = |of: i64| usize::try_from(import.done.clamp(0, total) * of / total).unwrap_or_default();
    let filled = share(i64::try_from(WIDTH).unwrap_or_default());
    format!(
        "[{}{}] {:3} %  {} of {total} rows",
        "#".repeat(filled),
        " ".repeat(WIDTH.saturating_sub(filled)),
        share(100),
        import.done
    )
}

/// Prints the result of an import. Fails if it failed, or some of its rows did.
async fn tell(db: &Db, import: &import::Model) -> anyhow::Result<()> {
    let verb = if import.is_dry_run { "would be created" } else { "created" };
    print(&format!("{} links {verb}, {} were there, {} rows failed", import.created, import.skipped, import.failed))?;
    for number in 1.. {
        let page = PageArgs::new(number, MAX_PAGE_SIZE, "pageSize").map_err(readable)?;
        let errors = repo::errors(db.read(), ImportId(import.id), page).await?;
        if errors.is_empty() {
            break;
        }
        for error in errors {
            let column = error.field.map(|field| format!("{field}: ")).unwrap_or_default();
            print(&format!("row {}: {column}{}", error.row_number, error.message))?;
        }
    }
    match State::of(&import.state) {
        State::Finished if import.failed == 0 => Ok(()),
        State::Finished => bail!("{} of {} rows failed", import.failed, import.done),
        State::Cancelled => bail!("the import was cancelled"),
        _ => bail!("{}", import.error.as_deref().unwrap_or("the import failed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_as_full_as_the_import() {
        let import = |done| import::Model {
            id: Default::default(),
            account_id: Default::default(),
            source: None,
            encoding: None,
            mapping: None,
            columns: None,
            has_header: None,
            date_format: None,
            has_unsure_dates: false,
            password_hash: None,
            host: None,
            is_dry_run: false,
            state: "running".to_owned(),
            url: None,
            secret: None,
            parts: 1,
            bytes: 1,
            position: 0,
            total: Some(200),
            done,
            created: done,
            skipped: 0,
            failed: 0,
            result_rows: 0,
            error: None,
            created_at: 0,
            updated_at: 0,
            finished_at: None,
        };
        assert_eq!(bar(&import(0)), format!("[{}]   0 %  0 of 200 rows", " ".repeat(40)));
        assert_eq!(bar(&import(50)), format!("[{}{}]  25 %  50 of 200 rows", "#".repeat(10), " ".repeat(30)));
        assert_eq!(bar(&import(200)), format!("[{}] 100 %  200 of 200 rows", "#".repeat(40)));
    }
}
