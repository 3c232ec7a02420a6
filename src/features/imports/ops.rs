//! Rules of imports.

use entity::{import, import_part};
use link_files::{ColumnChoice, FileError, HEAD, Layout, encoding_name};

use crate::{
    app::{
        App,
        change::{Change, Pending},
    },
    base::{
        clock::{DAY, Millis, UnixMillis},
        error::{ApiError, Code, Violations},
        ids::AccountId,
        page::{PageArgs, Selected},
        tier::{MAX_IMPORT_BYTES, Plan},
        validate::{length_message, within},
    },
    features::{
        imports::{event, fetch},
        links::{checks, passwords, place},
    },
    platform::{
        db::Transaction,
        net::target,
        work::{
            audit::{Act, By, Fact},
            outbox,
        },
    },
    records::{
        accounts,
        imports::{
            ImportId,
            jobs::job,
            mapping, repo, results_repo,
            state::{MAX_COLUMN, MAX_COLUMNS, MAX_ENCODING, MAX_PART, NewImport, State},
        },
    },
};

/// Imports of an account that are kept.
const KEPT: u64 = 50;
/// Imports of an account of which is kept what became of their rows.
const RESULTS: u64 = 10;
/// How long an import waits for the next part.
const PATIENCE: Millis = DAY;
/// How long an import is kept after its end.
const RETENTION: Millis = 30 * DAY;
/// Abandoned imports that are looked at at once.
const ABANDONED: u64 = 100;

/// Begins an import.
pub(crate) async fn start<'a>(app: &'a App, act: &Act, new: NewImport) -> Result<Pending<'a, import::Model>, ApiError> {
    let account = act.account;
    check(app, &new)?;
    let host = match &new.domain {
        Some(domain) => Some(host(app, account, domain).await?),
        None => None,
    };
    let password_hash = match &new.password {
        Some(password) => Some(passwords::checked_hash(app, &act.call, password).await?),
        None => None,
    };
    let now = app.clock.now();
    let tx = app.begin_once(act).await?;
    let (opened, plan) = open(&tx, account, app.config.default_plan, now).await?;
    let mut import = import::Model {
        source: new.hints.source.map(|source| source.id().to_owned()),
        encoding: new.encoding.as_deref().and_then(encoding_name).map(str::to_owned),
        mapping: mapping::stored(&new.hints.columns),
        date_format: new.hints.dates.map(|dates| dates.id().to_owned()),
        host,
        is_dry_run: new.is_dry_run,
        url: new.url,
        secret: new.key,
        password_hash,
        ..opened
    };
    if import.url.is_some() {
        import.state = State::Queued.as_str().to_owned();
        tx.enqueue(job(&import)?, account, now).await?;
    } else if let Some(data) = new.data {
        add_part(&tx, &mut import, plan, data, true).await?;
        tx.enqueue(job(&import)?, account, now).await?;
    }
    repo::update(&tx, &import).await?;
    let fact = Fact::created(&import);
    Ok(tx.with(import, [fact]))
}

/// Stores a new import of the account, which takes parts, and returns it with the account's plan. Fails with CONFLICT while another
/// import of the account has not ended.
pub(crate) async fn open(
    tx: &Transaction,
    account: AccountId,
    default: Plan,
    now: UnixMillis,
) -> Result<(import::Model, Plan), ApiError> {
    // A "signature only" token outlives its account. Imports of one account begin one after the other.
    let owner = accounts::repo::lock_account(tx, account).await?.ok_or(Code::Unauthenticated)?;
    if repo::has_unfinished(tx, account).await? {
        return Err(ApiError::new(Code::Conflict, "Another import of the account has not ended."));
    }
    repo::delete_beyond(tx, account, KEPT - 1).await?;
    results_repo::delete_beyond(tx, account, RESULTS - 1).await?;
    let import = import::Model {
        id: ImportId::new().0,
        account_id: account.0,
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
        state: State::Open.as_str().to_owned(),
        url: None,
        secret: None,
        parts: 0,
        bytes: 0,
        position: 0,
        total: None,
        done: 0,
        created: 0,
        skipped: 0,
        failed: 0,
        result_rows: 0,
        error: None,
        created_at: now,
        updated_at: now,
        finished_at: None,
    };
    repo::insert(tx, import.clone()).await?;
    Ok((import, accounts::repo::plan_of(&owner, default, now)))
}

/// Stores the next part of an import's file. After the last part the import is queued. The caller enqueues its job and stores `import`.
pub(crate) async fn add_part(
    tx: &Transaction,
    import: &mut import::Model,
    plan: Plan,
    data: String,
    is_last: bool,
) -> Result<(), ApiError> {
    let starts_at = import.bytes;
    import.bytes += length(&data);
    if import.bytes > MAX_IMPORT_BYTES {
        return Err(ApiError::invalid_field("data", "makes the file longer than 48 MiB"));
    }
    if import.bytes > plan.max_import_bytes() {
        return Err(ApiError::plan_limit(plan.max_import_bytes(), import.bytes, "importBytes"));
    }
    import.parts += 1;
    if is_last {
        import.state = State::Queued.as_str().to_owned();
    }
    let part = import_part::Model { import_id: import.id, number: import.parts, starts_at, data };
    Ok(repo::insert_part(tx, part).await?)
}

fn check(app: &App, new: &NewImport) -> Result<(), ApiError> {
    let mut violations = Violations::default();
    check_hints(new, &mut violations);
    if let Some(data) = &new.data {
        check_part(data, &mut violations);
        // The beginning of a file that is sent as a whole is checked at once.
        let head = &data.as_bytes()[..data.len().min(HEAD)];
        if violations.is_empty()
            && let Err(error) = Layout::open(head, &new.hints)
        {
            violations.add(field_of(&error), error.to_string());
        }
    }
    if let Some(url) = &new.url {
        violations.take("url", target::check_url(url, app.config.allow_private_targets));
        if !new.key.as_deref().is_some_and(fetch::is_key) {
            violations.add("key", "must have 1 to 500 characters of ASCII, without spaces");
        }
    }
    violations.finish()
}

fn check_hints(new: &NewImport, violations: &mut Violations) {
    check_columns(&new.hints.columns, violations);
    if new.encoding.as_deref().is_some_and(|name| !within(name, 1, MAX_ENCODING) || encoding_name(name).is_none()) {
        violations.add("encoding", "must be the name of an encoding, such as windows-1252");
    }
}

/// Checks the choices of columns by themselves.
pub(super) fn check_columns(columns: &[ColumnChoice], violations: &mut Violations) {
    if columns.len() > MAX_COLUMNS.unsigned_abs() as usize {
        violations.add("columns", format!("must have at most {MAX_COLUMNS} items"));
    }
    for (index, choice) in columns.iter().enumerate() {
        if !within(&choice.column, 1, MAX_COLUMN) {
            violations.add_with(|| (format!("columns.{index}.column"), length_message(1, MAX_COLUMN)));
        }
    }
}

/// The field of the input that an error of the file is about.
pub(super) fn field_of(error: &FileError) -> String {
    match error {
        FileError::Choice(index, ..) => format!("columns.{index}.column"),
        FileError::Unknown(_) => "columns".to_owned(),
        _ => "data".to_owned(),
    }
}

pub(super) fn check_part(data: &str, violations: &mut Violations) {
    if !within(data, 1, MAX_PART) {
        violations.add("data", length_message(1, MAX_PART));
    }
    // PostgreSQL stores none.
    if data.contains('\0') {
        violations.add("data", "must not contain NUL");
    }
}

/// The host that a domain names, as it is stored.
async fn host(app: &App, account: AccountId, domain: &str) -> Result<String, ApiError> {
    let host = checks::stored_host(app, domain).ok_or_else(place::unknown_domain)?;
    if !host.is_empty() && !checks::usable(app, account, [domain].into_iter()).await?.contains(&host) {
        return Err(place::unknown_domain());
    }
    Ok(host)
}

fn length(data: &str) -> i64 {
    i64::try_from(data.len()).unwrap_or(i64::MAX)
}

/// Stores the next part of a file; after the last the import runs. The same part may come again.
pub(crate) async fn append(
    app: &App,
    act: &Act,
    id: ImportId,
    number: i32,
    data: String,
    is_last: bool,
) -> Result<import::Model, ApiError> {
    let account = act.account;
    let mut violations = Violations::default();
    check_part(&data, &mut violations);
    violations.finish()?;
    let now = app.clock.now();
    let tx = app.begin(act).await?;
    let Some(mut import) = repo::lock_import(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
    let before = import.clone();
    let is_known = number <= import.parts && repo::part(&tx, id, number).await?.is_some_and(|part| part.data == data);
    let is_open = State::of(&import.state) == State::Open && import.url.is_none();
    if is_known && !(is_last && is_open) {
        // A part that is sent again changes nothing.
        return Ok(import);
    }
    if !is_open {
        return Err(ApiError::new(Code::Conflict, "The import takes no more parts."));
    }
    if is_known && number < import.parts || !is_known && (1..=import.parts).contains(&number) {
        return Err(ApiError::conflict("number", "The import has another part of this number, or later ones."));
    }
    if !is_known {
        if number != import.parts + 1 {
            return Err(ApiError::invalid_field("number", format!("must be {}, which comes next", import.parts + 1)));
        }
        let owner = accounts::repo::account(&tx, account).await?.ok_or(Code::Unauthenticated)?;
        let plan = accounts::repo::plan_of(&owner, app.config.default_plan, now);
        add_part(&tx, &mut import, plan, data, false).await?;
    }
    import.updated_at = now;
    if is_last {
        import.state = State::Queued.as_str().to_owned();
        tx.enqueue(job(&import)?, account, now).await?;
    }
    repo::update(&tx, &import).await?;
    tx.commit([Fact::changed(&before, &import)]).await?;
    Ok(import)
}

/// Ends an import before it is done.
pub(crate) async fn cancel(
    app: &App,
    by: impl Into<By>,
    account: AccountId,
    id: ImportId,
) -> Result<import::Model, ApiError> {
    let now = app.clock.now();
    let tx = app.begin(by).await?;
    let Some(before) = repo::lock_import(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
    if before.finished_at.is_some() {
        return Err(ApiError::new(Code::Conflict, "The import has ended."));
    }
    let import = end(app, &tx, before.clone(), State::Cancelled, now).await?;
    tx.commit([Fact::changed(&before, &import)]).await?;
    Ok(import)
}

/// Notes that an import has ended, and deletes what was stored for it: the file, the key of an API, and the hash of a password.
pub(super) async fn end(
    app: &App,
    tx: &Change<'_>,
    mut import: import::Model,
    state: State,
    now: UnixMillis,
) -> Result<import::Model, ApiError> {
    import.state = state.as_str().to_owned();
    import.secret = None;
    import.password_hash = None;
    import.updated_at = now;
    import.finished_at = Some(now);
    repo::delete_parts(tx, ImportId(import.id)).await?;
    repo::update(tx, &import).await?;
    let ended = event::finished(import.clone(), &app.config)?;
    outbox::record(tx, AccountId(import.account_id), [ended], now).await?;
    Ok(import)
}

pub(crate) async fn import(app: &App, account: AccountId, id: ImportId) -> Result<import::Model, ApiError> {
    repo::import(app.db.read(), account, id).await?.ok_or_else(|| Code::NotFound.into())
}

/// One page of the account's imports, and their number; each only if selected.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<import::Model>, i64), ApiError> {
    let db = app.db.read();
    let imports = if selected.items { repo::page(db, account, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account).await? } else { 0 };
    Ok((imports, total))
}

/// One page of the rows that can't become links, and their number; each only if selected.
pub(crate) async fn errors(
    app: &App,
    account: AccountId,
    id: ImportId,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<entity::import_error::Model>, i64), ApiError> {
    import(app, account, id).await?;
    let db = app.db.read();
    let errors = if selected.items { repo::errors(db, id, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count_errors(db, id).await? } else { 0 };
    Ok((errors, total))
}

/// One page of the import's rows with what became of them, and their number; each only if selected.
pub(crate) async fn rows(
    app: &App,
    account: AccountId,
    id: ImportId,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<results_repo::Outcome>, i64), ApiError> {
    let import = import(app, account, id).await?;
    let first = i64::try_from(page.offset()).unwrap_or(i64::MAX);
    let rows =
        if selected.items { results_repo::rows(app.db.read(), id, first, page.limit()).await? } else { Vec::new() };
    Ok((rows, import.result_rows))
}

/// Cancels imports that have waited for a part for too long, and deletes those that ended long ago.
pub(crate) async fn sweep(app: &App, now: UnixMillis) -> Result<(), ApiError> {
    for import in repo::abandoned(app.db.read(), now - PATIENCE, ABANDONED).await? {
        match cancel(app, By::service("end_abandoned_imports"), AccountId(import.account_id), ImportId(import.id)).await
        {
            // The import was ended or deleted meanwhile.
            Err(error) if matches!(error.code, Code::Conflict | Code::NotFound) => {}
            cancelled => cancelled.map(drop)?,
        }
    }
    Ok(repo::delete_ended(app.db.write(), now - RETENTION).await?)
}
