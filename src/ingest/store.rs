//! Stores batches of clicks in one transaction.
//!
//! Several nodes ingest at once. The data of a link is written under a lock of its row, and that of an account's day under a lock of
//! its row of usage. Rows are locked in the order of their keys, links first, and then each account whose documents change. So there
//! are no deadlocks, and a roll-up does not change between being read and written.

use std::collections::{BTreeMap, HashMap, HashSet};

use entity::{click, click_log_position, link};
use foldhash::fast::RandomState;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait, QueryFilter, Value,
    sea_query::OnConflict,
};
use uuid::Uuid;

use super::{
    owners::{Owners, Tagged},
    rollup::roll_up,
};
use crate::{
    app::App,
    base::{
        clock::{UnixMillis, day},
        error::ApiError,
        ids::AccountId,
    },
    click_store::insert,
    clicks::position::Position,
    features::analytics::event::clicked as clicked_event,
    platform::{
        db::{
            ROWS_PER_STATEMENT, Transaction, on_rows,
            packed::{self, Packed},
        },
        work::{
            event_kind::EventKind,
            outbox::{self, Event},
        },
    },
    records::{
        billing::usage::{self, AccountDay},
        links,
        webhooks::{delivery::repo::listening, interest::Interest},
    },
};

/// A transaction that stores clicks together with their end position in the log.
pub(super) struct Store<'a> {
    app: &'a App,
    tx: Transaction,
    watched: Vec<click::Model>,
}

impl<'a> Store<'a> {
    pub(super) async fn begin(app: &'a App) -> Result<Self, ApiError> {
        Ok(Store { app, tx: app.db.begin().await?, watched: Vec::new() })
    }

    /// Adds clicks. `today` is the newest day so far.
    pub(super) async fn add(&mut self, mut clicks: Vec<click::Model>, today: i32) -> Result<(), ApiError> {
        if clicks.is_empty() {
            return Ok(());
        }
        let (app, tx) = (self.app, &self.tx);
        let (owners, tagged) = count_clicks(tx, &clicks, 1).await?;
        // Clicks of a link deleted since they were logged go with it.
        clicks.retain(|click| owners.contains_key(&click.link_id));
        tagged.complete(&mut clicks);
        count_usage(tx, &clicks, &owners, 1).await?;
        record_events(app, tx, &clicks, &owners).await?;
        roll_up(tx, &mut clicks, &owners, today).await?;
        self.watched.extend(app.live.watched(&clicks));
        insert(tx, clicks).await?;
        Ok(())
    }

    /// Commits the clicks that were added, with `next` as the position in the log. Returns `false`, and stores nothing, if the stored
    /// position is not `from`: another process ingests a copy of the log.
    pub(super) async fn commit(self, from: Position, next: Position) -> Result<bool, ApiError> {
        if !move_position(&self.tx, self.app.clicks.log.id(), from, next).await? {
            self.tx.rollback().await?;
            return Ok(false);
        }
        self.tx.commit().await?;
        self.app.live.publish(self.watched);
        Ok(true)
    }
}

/// Adds `each` for each click to the counts of links, stores the times of their last clicks, and locks their rows. Returns the
/// accounts of the links that exist, and the UTM parameters of their destinations.
pub(super) async fn count_clicks(
    tx: &Transaction,
    clicks: &[click::Model],
    each: i64,
) -> Result<(Owners, Tagged), DbErr> {
    let mut counts: BTreeMap<Uuid, (i64, UnixMillis)> = BTreeMap::new();
    for click in clicks {
        let (count, last) = counts.entry(click.link_id).or_default();
        *count += each;
        *last = click.clicked_at.max(*last);
    }
    let backend = tx.get_database_backend();
    let lock = if backend == DatabaseBackend::Postgres { "FOR NO KEY UPDATE OF links" } else { "" };
    let keys: Vec<Uuid> = counts.keys().copied().collect();
    let links = (0_i32..).zip(&keys).map(|(number, link)| [number.into(), (*link).into()]).collect();
    let columns = [packed::uuid(backend, "account_id"), packed::text(backend, "tagged_url")];
    let found = packed::packed(backend, "number", columns.each_ref().map(String::as_str));
    let find = |rows: &str| {
        format!(
            "SELECT {found} FROM (SELECT clicked.column1 AS number, links.account_id, \
             CASE WHEN links.destination_url LIKE '%utm!_%' ESCAPE '!' THEN links.destination_url END AS tagged_url \
             FROM {rows} AS clicked CROSS JOIN links WHERE links.id = clicked.column2 ORDER BY links.id {lock}) AS found"
        )
    };
    let (mut owners, mut tagged) = (Owners::default(), Tagged::default());
    for statement in on_rows(backend, ["int", "uuid"], links, find) {
        for (number, [account, url]) in Packed::query(tx, statement).await?.rows()? {
            let link = usize::try_from(number).ok().and_then(|number| keys.get(number));
            if let (Some(link), Ok(account)) = (link, Uuid::from_slice(account)) {
                owners.insert(*link, account);
                tagged.note(*link, std::str::from_utf8(url).unwrap_or_default());
            }
        }
    }
    let last = counts.iter().map(|(link, (_, last))| [Value::from(*link), (*last).into()]).collect();
    let counts = counts.into_iter().map(|(link, (count, _))| [Value::from(link), count.into()]).collect();
    let add = |rows: &str| {
        format!(
            "UPDATE links SET click_count = click_count + clicked.column2 FROM {rows} AS clicked \
             WHERE links.id = clicked.column1"
        )
    };
    for statement in on_rows(backend, ["uuid", "bigint"], counts, add) {
        tx.execute_raw(statement).await?;
    }
    // The count is copied from the link: a sum of its own could differ.
    let greatest = if backend == DatabaseBackend::Postgres { "greatest" } else { "max" };
    let note = |rows: &str| {
        format!(
            "INSERT INTO link_activity (link_id, account_id, click_count, last_clicked_at) \
             SELECT links.id, links.account_id, links.click_count + coalesce(links.imported_clicks, 0), clicked.column2 FROM {rows} AS clicked \
             CROSS JOIN links WHERE links.id = clicked.column1 \
             ON CONFLICT (link_id) DO UPDATE SET click_count = excluded.click_count, \
             last_clicked_at = {greatest}(link_activity.last_clicked_at, excluded.last_clicked_at)"
        )
    };
    for statement in on_rows(backend, ["uuid", "bigint"], last, note) {
        tx.execute_raw(statement).await?;
    }
    Ok((owners, tagged))
}

/// Adds to what the accounts used, `each` for a click. The rows of their days are locked.
pub(super) async fn count_usage(
    tx: &Transaction,
    clicks: &[click::Model],
    owners: &Owners,
    each: i64,
) -> Result<(), DbErr> {
    let mut counts: HashMap<AccountDay, i64, RandomState> = HashMap::default();
    for click in clicks {
        if let Some(account) = owners.get(&click.link_id) {
            *counts.entry((AccountId(*account), day(click.clicked_at))).or_default() += each;
        }
    }
    usage::repo::add(tx, counts.into_iter().map(|(key, clicks)| (key, clicks, 0))).await
}

/// Records an event for each click that a webhook of its account asks for.
async fn record_events(app: &App, tx: &Transaction, clicks: &[click::Model], owners: &Owners) -> Result<(), ApiError> {
    let accounts: HashSet<Uuid> = owners.values().copied().collect();
    let mut interests: HashMap<Uuid, Vec<Interest>> = HashMap::new();
    for webhook in listening(tx, EventKind::LinkClicked, accounts).await? {
        interests.entry(webhook.account_id).or_default().push(Interest::of(&webhook));
    }
    let is_asked_for = |click: &&click::Model| {
        let interests = owners.get(&click.link_id).and_then(|account| interests.get(account));
        let includes = |it: &Interest| it.includes(EventKind::LinkClicked, click.link_id, || click.is_bot);
        interests.is_some_and(|interests| interests.iter().any(includes))
    };
    let clicks: Vec<&click::Model> = clicks.iter().filter(is_asked_for).collect();
    if clicks.is_empty() {
        return Ok(());
    }
    let clicked: HashSet<Uuid> = clicks.iter().map(|click| click.link_id).collect();
    let clicked: Vec<Uuid> = clicked.into_iter().collect();
    let mut shown = HashMap::new();
    for clicked in clicked.chunks(ROWS_PER_STATEMENT) {
        let found = link::Entity::find().filter(link::Column::Id.is_in(clicked.iter().copied()));
        let found = links::repo::as_shown(tx, found).await?;
        shown.extend(found.into_iter().map(|link| (link.link.id, link)));
    }
    let mut events: HashMap<Uuid, Vec<Event>> = HashMap::new();
    for click in clicks {
        if let Some(shown) = shown.get(&click.link_id) {
            events.entry(shown.link.account_id).or_default().push(clicked_event(click, shown, app)?);
        }
    }
    for (account, events) in events {
        outbox::record(tx, AccountId(account), events, app.clock.now()).await?;
    }
    Ok(())
}

async fn move_position(tx: &Transaction, log: Uuid, from: Position, to: Position) -> Result<bool, DbErr> {
    let stored = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let moved = click_log_position::ActiveModel {
        log_id: Set(log),
        segment: Set(stored(to.segment)),
        position: Set(stored(to.offset)),
    };
    let (segment, position) = (click_log_position::Column::Segment, click_log_position::Column::Position);
    let replace = OnConflict::column(click_log_position::Column::LogId)
        .update_columns([segment, position])
        .action_and_where(segment.eq(stored(from.segment)))
        .action_and_where(position.eq(stored(from.offset)))
        .to_owned();
    Ok(click_log_position::Entity::insert(moved).on_conflict(replace).exec_without_returning(tx).await? > 0)
}
