//! Runs imports: some rows in each transaction, with the progress.

use std::sync::Arc;
use uuid::Uuid;

use entity::import;
use link_files::{DateOrder, DateOrders, FileError, HEAD, Layout, Row};
use tokio::time::Instant;

use crate::{
    app::{App, jobs::Run},
    base::{
        clock::{HOUR, MINUTE, SECOND},
        error::ApiError,
        ids::AccountId,
    },
    features::imports::{
        fetch::{self, Fetched},
        ops,
        rows::{self, Outcome, Seen, Taken},
        text::Text,
    },
    platform::{
        db,
        work::{
            audit::By,
            jobs::{Done, Job, Lane, StoredJob, TURN},
        },
    },
    records::{
        accounts,
        imports::{
            ImportId,
            jobs::{DryRunImport, FetchImport, RunImport, job as job_of},
            mapping, repo, results_repo,
            state::State,
        },
    },
};

/// Rows of one transaction: SQLite's writer is held for some 50 ms. Statements on rows are kept prepared for 64 of them.
const ROWS: usize = 256;
/// Rows that can't become links, which are stored: a file of another kind must not fill the database.
const MAX_ERRORS: i64 = 1_000;
/// How long another service's API may be unavailable before the import fails, in milliseconds.
const API_PATIENCE: i64 = HOUR;
/// How long a dry run from an API may take, in milliseconds. It is not interrupted, so that other dry runs may wait for it.
const API_DRY_RUN: i64 = 5 * MINUTE;
/// How long until an unavailable API is called again, in milliseconds.
const API_RETRY: i64 = 15 * SECOND;

impl Run for RunImport {
    /// They write, by turns.
    const LANE: Lane = Lane::new("imports", 2);

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        on_api_threads(app, self.account, self.import, self.stored()?).await
    }
}

impl Run for FetchImport {
    /// They wait for another service, with at most 1 MiB of its answer.
    const LANE: Lane = Lane::new("fetches", 16);

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        on_api_threads(app, self.account, self.import, self.stored()?).await
    }
}

impl Run for DryRunImport {
    /// They wait for each other, with the addresses of all rows that they have read, and are not interrupted.
    const LANE: Lane = Lane::new("dry runs", 8);

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        on_api_threads(app, self.account, self.import, self.stored()?).await
    }
}

/// Rows are read and checked on the API's threads, which do not delay redirects.
async fn on_api_threads(app: &Arc<App>, account: Uuid, import: Uuid, job: StoredJob) -> Result<Done, ApiError> {
    let running = run(Arc::clone(app), AccountId(account), ImportId(import), job);
    let ended = || Err(ApiError::internal("an import ended early"));
    app.api_threads.run(db::service(db::Purpose::Work, running)).await.unwrap_or_else(ended)
}

/// Continues an import for one turn. Returns when it is to continue. A job that is not the import's, as a node of an earlier version
/// enqueued it, is replaced.
async fn run(app: Arc<App>, account: AccountId, id: ImportId, job: StoredJob) -> Result<Done, ApiError> {
    let app = &*app;
    let Some(import) = repo::import(app.db.read(), account, id).await? else { return Ok(Done::Finished) };
    if !matches!(State::of(&import.state), State::Queued | State::Running) {
        return Ok(Done::Finished);
    }
    let own = job_of(&import)?;
    if own != job {
        return Ok(Done::Next(own, app.clock.now()));
    }
    let done = if import.url.is_some() {
        from_api(app, import).await?
    } else {
        match from_file(app, import).await {
            Ok(done) => done,
            Err(Failure::Error(error)) => return Err(error),
            Err(Failure::File(error)) => {
                fail(app, account, id, error.to_string()).await?;
                Done::Finished
            }
        }
    };
    let Done::Finished = done else { return Ok(done) };
    let left = repo::import(app.db.read(), account, id).await?.filter(|import| import.finished_at.is_none());
    // Another worker has the import, since this one's lease has ended. It runs again later: the job is the import's only one, and that
    // worker may crash.
    Ok(left.map_or(Done::Finished, |_| Done::Again(app.clock.now() + MINUTE)))
}

/// Why a run ends early.
enum Failure {
    /// The run is retried.
    Error(ApiError),
    /// The file can't be read.
    File(FileError),
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Failure::Error(error)
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Failure::File(error)
    }
}

async fn fail(app: &App, account: AccountId, id: ImportId, why: String) -> Result<(), ApiError> {
    let tx = app.begin(By::service(RunImport::NAME)).await?;
    let Some(mut import) = repo::lock_import(&tx, account, id).await? else { return Ok(()) };
    if import.finished_at.is_none() {
        import.error = Some(why);
        ops::end(app, &tx, import, State::Failed, app.clock.now()).await?;
        tx.commit(None).await?;
    }
    Ok(())
}

async fn from_file(app: &App, import: import::Model) -> Result<Done, Failure> {
    let mut text = Text::open(app, &import, 0).await?;
    let (head, _) = text.rest(app).await?;
    let layout = Layout::open(&head[..head.len().min(HEAD)], &mapping::hints(&import))?;
    let mut seen = Seen::default();
    let import = if State::of(&import.state) == State::Queued || import.is_dry_run {
        // All rows are counted first, so that a file that is cut off is refused before any of it is stored. An interrupted dry run
        // starts again.
        text.advance(layout.first());
        let counted = count(app, &layout, &mut text).await?;
        begin(app, &import, &layout, counted).await?
    } else {
        Some(import)
    };
    let Some(mut import) = import else { return Ok(Done::Finished) };
    let layout = layout.with_dates(import.date_format.as_deref().and_then(DateOrder::parse));
    let mut text = Text::open(app, &import, import.position).await?;
    let began = Instant::now();
    // A dry run has one turn only, since it keeps the rows that it has seen in memory.
    while import.is_dry_run || began.elapsed() < TURN {
        let before = import.done.unsigned_abs();
        let (rest, is_whole) = text.rest(app).await?;
        let batch = layout.read(rest, before, ROWS, is_whole)?;
        text.advance(batch.used);
        let position = import.position + i64::try_from(batch.used).unwrap_or(i64::MAX);
        match take(app, &import, &layout, batch.rows, position, batch.is_end, &mut seen).await? {
            Some(further) => import = further,
            None => return Ok(Done::Finished),
        }
    }
    Ok(Done::Again(app.clock.now()))
}

/// The number of rows in the rest of the text, and the orders that their dates may be written in. Fails if it can't be read.
async fn count(app: &App, layout: &Layout, text: &mut Text) -> Result<(i64, DateOrders), Failure> {
    let (mut rows, mut dates) = (0, DateOrders::default());
    loop {
        let (rest, is_whole) = text.rest(app).await?;
        let batch = layout.read(rest, rows, ROWS, is_whole)?;
        rows += batch.rows.len() as u64;
        dates = dates.and(batch.dates);
        text.advance(batch.used);
        if batch.is_end {
            return Ok((i64::try_from(rows).unwrap_or(i64::MAX), dates));
        }
        // Counting may take long, and other tasks wait for this thread.
        tokio::task::yield_now().await;
    }
}

/// Stores that an import starts. `None`: its state has changed meanwhile, or it was deleted.
async fn begin(
    app: &App,
    import: &import::Model,
    layout: &Layout,
    (total, dates): (i64, DateOrders),
) -> Result<Option<import::Model>, ApiError> {
    let tx = app.begin(By::service(RunImport::NAME)).await?;
    let (account, id) = (AccountId(import.account_id), ImportId(import.id));
    let locked = repo::lock_import(&tx, account, id).await?.filter(|locked| locked.state == import.state);
    let Some(locked) = locked else { return Ok(None) };
    let begun = import::Model {
        state: State::Running.as_str().to_owned(),
        source: Some(layout.source().id().to_owned()),
        columns: mapping::found(layout),
        has_header: layout.has_header(),
        // An order that was asked for stays.
        date_format: import.date_format.clone().or_else(|| Some(dates.only()?.id().to_owned())),
        has_unsure_dates: import.date_format.is_none() && dates.are_unsure(),
        position: i64::try_from(layout.first()).unwrap_or(i64::MAX),
        total: Some(total),
        done: 0,
        created: 0,
        skipped: 0,
        failed: 0,
        result_rows: 0,
        updated_at: app.clock.now(),
        ..locked
    };
    repo::delete_errors(&tx, id).await?;
    results_repo::delete(&tx, id).await?;
    repo::update(&tx, &begun).await?;
    tx.commit(None).await?;
    Ok(Some(begun))
}

/// Imports some rows, and stores the progress with them. `None`: the import has ended, or another worker runs it.
async fn take(
    app: &App,
    import: &import::Model,
    layout: &Layout,
    rows: Vec<Row>,
    position: i64,
    is_end: bool,
    seen: &mut Seen,
) -> Result<Option<import::Model>, ApiError> {
    let (account, id) = (AccountId(import.account_id), ImportId(import.id));
    let is_this = |locked: &import::Model| {
        // A worker whose lease has ended may still run it, too.
        locked.finished_at.is_none() && (locked.position, locked.done) == (import.position, import.done)
    };
    let _turn = app.import_turns.acquire(account).await?;
    let prepared = rows::prepare(app, import, layout, rows).await?;
    let tx = app.begin(By::service(RunImport::NAME)).await?;
    // The account's row first, as everywhere.
    let Some(owner) = accounts::repo::lock_account(&tx, account).await? else { return Ok(None) };
    let Some(locked) = repo::lock_import(&tx, account, id).await?.filter(is_this) else { return Ok(None) };
    let taken = rows::store(app, &tx, &owner, (import, layout), prepared, seen).await?;
    let tx = if import.is_dry_run {
        // The changes of a dry run's rows are rolled back.
        drop(tx);
        let tx = app.begin(By::service(RunImport::NAME)).await?;
        if repo::lock_import(&tx, account, id).await?.filter(is_this).is_none() {
            return Ok(None);
        }
        tx
    } else {
        tx
    };
    let now = app.clock.now();
    let state = State::Running.as_str().to_owned();
    let bytes = import.bytes;
    let mut further = import::Model { state, position, bytes, updated_at: now, error: None, ..locked };
    let room = usize::try_from(results_repo::MAX_ROWS - import.result_rows).unwrap_or_default();
    let kept: Vec<_> = taken.iter().take(room).map(Taken::stored).collect();
    results_repo::insert(&tx, id, import.result_rows, &kept).await?;
    further.result_rows += i64::try_from(kept.len()).unwrap_or_default();
    let mut errors = Vec::new();
    for Taken { number, outcome, .. } in taken {
        further.done += 1;
        match outcome {
            Outcome::Created(_) => further.created += 1,
            Outcome::Skipped(_) => further.skipped += 1,
            Outcome::Failed(error) => {
                if further.failed < MAX_ERRORS {
                    errors.push(error.stored(id, number));
                }
                further.failed += 1;
            }
        }
    }
    repo::insert_errors(&tx, errors).await?;
    if is_end {
        further.total = Some(further.done);
        ops::end(app, &tx, further, State::Finished, now).await?;
        tx.commit(None).await?;
        return Ok(None);
    }
    repo::update(&tx, &further).await?;
    tx.commit(None).await?;
    Ok(Some(further))
}

/// Imports pages of another service's API, each in a transaction.
async fn from_api(app: &App, mut import: import::Model) -> Result<Done, ApiError> {
    let (account, id) = (AccountId(import.account_id), ImportId(import.id));
    let began = Instant::now();
    let mut seen = Seen::default();
    if import.is_dry_run && import.position > 0 {
        // An interrupted dry run starts again, since the rows that it had seen were in memory.
        import = import::Model {
            bytes: 0,
            position: 0,
            done: 0,
            created: 0,
            skipped: 0,
            failed: 0,
            result_rows: 0,
            ..import
        };
        let tx = app.begin(By::service(RunImport::NAME)).await?;
        if repo::lock_import(&tx, account, id).await?.is_none_or(|locked| locked.finished_at.is_some()) {
            return Ok(Done::Finished);
        }
        repo::delete_errors(&tx, id).await?;
        results_repo::delete(&tx, id).await?;
        repo::update(&tx, &import).await?;
        tx.commit(None).await?;
    }
    let until = app.clock.now() + API_DRY_RUN;
    while import.is_dry_run || began.elapsed() < TURN {
        if import.is_dry_run && app.clock.now() > until {
            fail(app, account, id, "A dry run of the service's links takes longer than 5 minutes.".to_owned()).await?;
            return Ok(Done::Finished);
        }
        let page = match fetch::page(app, &import).await {
            Fetched::Page(text) => text,
            Fetched::Refused(why) => {
                fail(app, account, id, why).await?;
                return Ok(Done::Finished);
            }
            Fetched::Away(why) => return away(app, &import, why).await,
        };
        import.bytes += i64::try_from(page.len()).unwrap_or(i64::MAX);
        if import.bytes > fetch::MAX_BYTES {
            fail(app, account, id, "The service has more than 64 MiB of links.".to_owned()).await?;
            return Ok(Done::Finished);
        }
        let read = Layout::open(&page[..page.len().min(HEAD)], &mapping::hints(&import)).and_then(|layout| {
            let rows = layout.read(&page[layout.first()..], import.done.unsigned_abs(), fetch::PAGE + 1, true)?;
            Ok((layout, rows.rows))
        });
        let (layout, rows) = match read {
            Ok(read) => read,
            // After the last page.
            Err(FileError::Empty) => {
                finish(app, account, id).await?;
                return Ok(Done::Finished);
            }
            Err(error) => {
                fail(app, account, id, format!("The answer can't be read. {error}")).await?;
                return Ok(Done::Finished);
            }
        };
        if rows.len() > fetch::PAGE {
            fail(app, account, id, format!("The service answered more than the {} links of a page.", fetch::PAGE))
                .await?;
            return Ok(Done::Finished);
        }
        let is_end = rows.len() < fetch::PAGE;
        let position = import.position + 1;
        match take(app, &import, &layout, rows, position, is_end, &mut seen).await? {
            Some(further) => import = further,
            None => return Ok(Done::Finished),
        }
    }
    Ok(Done::Again(app.clock.now()))
}

async fn finish(app: &App, account: AccountId, id: ImportId) -> Result<(), ApiError> {
    let tx = app.begin(By::service(RunImport::NAME)).await?;
    let Some(mut import) = repo::lock_import(&tx, account, id).await? else { return Ok(()) };
    if import.finished_at.is_none() {
        import.total = Some(import.done);
        ops::end(app, &tx, import, State::Finished, app.clock.now()).await?;
        tx.commit(None).await?;
    }
    Ok(())
}

/// Schedules another call of an API that is unavailable, or fails the import after [`API_PATIENCE`].
async fn away(app: &App, import: &import::Model, why: String) -> Result<Done, ApiError> {
    let (account, id) = (AccountId(import.account_id), ImportId(import.id));
    let now = app.clock.now();
    if now - import.updated_at > API_PATIENCE {
        fail(app, account, id, why).await?;
        return Ok(Done::Finished);
    }
    let tx = app.begin(By::service(RunImport::NAME)).await?;
    let Some(mut import) = repo::lock_import(&tx, account, id).await? else { return Ok(Done::Finished) };
    if import.finished_at.is_some() {
        return Ok(Done::Finished);
    }
    import.error = Some(why);
    repo::update(&tx, &import).await?;
    tx.commit(None).await?;
    Ok(Done::Again(now + API_RETRY))
}
