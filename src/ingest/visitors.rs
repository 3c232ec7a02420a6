//! Counts each visitor once a UTC day: stores the visitors of the day, and marks the first click of each.

use std::collections::{BTreeMap, HashMap};

use entity::click;
use foldhash::fast::RandomState;
use sea_orm::{ConnectionTrait, DatabaseBackend, DbErr, Statement, Value};
use uuid::Uuid;

use super::owners::Owners;
use crate::{
    base::clock::{DAY, UnixMillis, day},
    click_store::{is_pending, not_new},
    platform::db::{
        Db, Transaction, on_rows,
        packed::{Packed, packed},
    },
};

/// Number of days before the newest one for which visitors are stored. Clicks that are ingested later than that may count their
/// visitors again.
const KNOWN_DAYS: i32 = 7;

/// Day, account, visitor and link.
type Visit = (i32, Uuid, [u8; 16], Uuid);
/// Day, account and visitor.
type Visitor = (i32, Uuid, [u8; 16]);

/// Clicks that were counted as the first of their visitors on a day until earlier ones were ingested, from a node that was down or
/// had a wrong clock. The values are the clicks' times in milliseconds of the day.
#[derive(Debug, Default)]
pub(super) struct Overtaken {
    of_links: BTreeMap<Visit, i32>,
    of_accounts: BTreeMap<Visitor, i32>,
}

impl Overtaken {
    /// Their times (Unix milliseconds), and whether they are a bot's, by day and link or account.
    pub(super) fn by_document(&self) -> HashMap<(i32, Uuid), Vec<(UnixMillis, bool)>> {
        let of_links = self.of_links.iter().map(|((day, _, visitor, link), ms)| ((*day, *link), *ms, visitor));
        let of_accounts = self.of_accounts.iter().map(|((day, account, visitor), ms)| ((*day, *account), *ms, visitor));
        let mut documents: HashMap<_, Vec<_>> = HashMap::new();
        for (key, ms, visitor) in of_links.chain(of_accounts) {
            documents.entry(key).or_default().push((moment(key.0, ms), is_bot(visitor)));
        }
        documents
    }
}

fn visit(click: &click::Model, owners: &Owners) -> Visit {
    let mut visitor = [0; 16];
    visitor.iter_mut().zip(&click.visitor).for_each(|(to, from)| *to = *from);
    // A client that clicks as a bot and as a person is two visitors: else a summary without bots could not leave out one of them.
    visitor[15] = visitor[15] & !1 | u8::from(click.is_bot);
    (day(click.clicked_at), owners.get(&click.link_id).copied().unwrap_or_default(), visitor, click.link_id)
}

fn is_bot(visitor: &[u8; 16]) -> bool {
    visitor[15] & 1 == 1
}

fn visitor((day, account, visitor, _): Visit) -> Visitor {
    (day, account, visitor)
}

fn row((day, account, visitor, link): Visit) -> [Value; 4] {
    [day.into(), account.into(), visitor.to_vec().into(), link.into()]
}

/// The milliseconds of the UTC day that had passed.
fn ms_of_day(time: UnixMillis) -> i32 {
    i32::try_from(time.rem_euclid(DAY)).unwrap_or_default()
}

fn moment(day: i32, ms: i32) -> UnixMillis {
    i64::from(day) * DAY + i64::from(ms)
}

/// Bits of a visit that is stored: the visitor followed the link on this day; for the first time later than this click; the visitor
/// followed any link of the account; one of its visits was later than this click, so that the first may have been.
const ON_LINK: i64 = 1;
const LATER_ON_LINK: i64 = 2;
const ON_ACCOUNT: i64 = 4;
const LATER_ON_ACCOUNT: i64 = 8;

/// Marks each click that is the first of its visitor on the UTC day, by its own time, of all clicks ingested so far. Returns the
/// stored clicks that no longer are the first.
pub(super) async fn note_visitors(
    tx: &Transaction,
    clicks: &mut [click::Model],
    owners: &Owners,
) -> Result<Overtaken, DbErr> {
    for click in clicks.iter_mut() {
        (click.new_to_link, click.new_to_account) = (Some(false), Some(false));
    }
    // The first click of each in this batch.
    let mut of_links: HashMap<Visit, usize, RandomState> = HashMap::default();
    let mut of_accounts: HashMap<Visitor, usize, RandomState> = HashMap::default();
    for (at, click) in clicks.iter().enumerate() {
        let visit = visit(click, owners);
        for first in [of_links.entry(visit).or_insert(at), of_accounts.entry(visitor(visit)).or_insert(at)] {
            if clicks[*first].clicked_at > click.clicked_at {
                *first = at;
            }
        }
    }
    let mut visits: Vec<(Visit, usize)> = of_links.into_iter().collect();
    visits.sort_unstable();
    let known = find_known(tx, clicks, &visits).await?;
    let late = |(_, known): &(&(Visit, usize), &i64)| *known & (LATER_ON_LINK | LATER_ON_ACCOUNT) != 0;
    let late: Vec<(Visit, i64)> =
        visits.iter().zip(&known).filter(late).map(|((visit, _), known)| (*visit, *known)).collect();
    let firsts = if late.is_empty() { Firsts::default() } else { first_clicks(tx, &late).await? };

    let mut overtaken = Overtaken::default();
    let ms = |at: usize| ms_of_day(clicks[at].clicked_at);
    for ((visit, _), _) in visits.iter().zip(&known).filter(|(_, known)| *known & ON_ACCOUNT != 0) {
        let visitor = visitor(*visit);
        let first = firsts.of_accounts.get(&visitor);
        match (of_accounts.get(&visitor), first) {
            (Some(at), Some(first)) if ms(*at) < *first => _ = overtaken.of_accounts.insert(visitor, *first),
            _ => _ = of_accounts.remove(&visitor),
        }
    }
    let (mut new, mut earlier) = (Vec::new(), Vec::new());
    let mut new_to_link = Vec::new();
    for ((visit, at), known) in visits.into_iter().zip(known) {
        let [day, account, visitor, link] = row(visit);
        let row = [day, account, visitor, link, ms(at).into()];
        match firsts.of_links.get(&visit) {
            Some(first) => {
                overtaken.of_links.insert(visit, *first);
                earlier.push(row);
            }
            None if known & ON_LINK != 0 => continue,
            None => new.push(row),
        }
        new_to_link.push(at);
    }
    for at in new_to_link {
        clicks[at].new_to_link = Some(true);
    }
    for at in of_accounts.into_values() {
        clicks[at].new_to_account = Some(true);
    }
    // Before the rows are updated, which have the times of the overtaken clicks.
    let of_links = overtaken.of_links.iter().map(|((day, _, visitor, link), ms)| {
        [(*link).into(), moment(*day, *ms).into(), is_bot(visitor).into(), visitor[..15].to_vec().into()]
    });
    let of_accounts = overtaken.of_accounts.iter().map(|((day, account, visitor), ms)| {
        let (visitor, is_bot) = ((*visitor).to_vec(), is_bot(visitor));
        [(*day).into(), (*account).into(), visitor.into(), (*ms).into(), moment(*day, *ms).into(), is_bot.into()]
    });
    not_new(tx, of_links.collect(), of_accounts.collect()).await?;
    let backend = tx.get_database_backend();
    let types = ["int", "uuid", "bytea", "uuid", "int"];
    let insert = |rows: &str| {
        format!("INSERT INTO click_visitors (day, account_id, visitor, link_id, first_ms) SELECT * FROM {rows} AS r")
    };
    let update = |rows: &str| {
        format!(
            "UPDATE click_visitors SET first_ms = r.column5 FROM {rows} AS r WHERE click_visitors.day = r.column1 AND \
             click_visitors.account_id = r.column2 AND click_visitors.visitor = r.column3 AND \
             click_visitors.link_id = r.column4"
        )
    };
    let mut statements = on_rows(backend, types, new, insert);
    statements.extend(on_rows(backend, types, earlier, update));
    for statement in statements {
        tx.execute_raw(statement).await?;
    }
    Ok(overtaken)
}

/// Rows of the visitor's visits to links of the account on the day, in a statement on visits.
const VISITS: &str =
    "click_visitors AS v WHERE v.day = r.column2 AND v.account_id = r.column3 AND v.visitor = r.column4";

/// The bits of each visit. `visits` has the index of its first click in `clicks` with each.
async fn find_known(tx: &Transaction, clicks: &[click::Model], visits: &[(Visit, usize)]) -> Result<Vec<i64>, DbErr> {
    let rows = (0_i32..).zip(visits).map(|(number, (visit, at))| {
        let [day, account, visitor, link] = row(*visit);
        [number.into(), day, account, visitor, link, ms_of_day(clicks[*at].clicked_at).into()]
    });
    // Subqueries with one answer are looked up in the index for each row, whatever the planner believes of the table. Any one
    // visit to the account will do: it is not earlier than the first.
    let found = |known: i64, later: i64, and: &str| {
        format!(
            "(SELECT CASE WHEN v.first_ms > r.column6 THEN {} ELSE {known} END FROM {VISITS} {and} LIMIT 1)",
            known + later
        )
    };
    let on_account = found(ON_ACCOUNT, LATER_ON_ACCOUNT, "");
    let on_link = found(ON_LINK, LATER_ON_LINK, "AND v.link_id = r.column5");
    let backend = tx.get_database_backend();
    let packed = packed(backend, "(number * 16 + on_account + coalesce(on_link, 0))", []);
    let sql = |rows: &str| {
        format!(
            "SELECT {packed} FROM (SELECT CAST(r.column1 AS bigint) AS number, {on_account} AS on_account, \
             {on_link} AS on_link FROM {rows} AS r) AS seen WHERE on_account IS NOT NULL"
        )
    };
    let mut known = vec![0; visits.len()];
    for statement in on_rows(backend, ["int", "int", "uuid", "bytea", "uuid", "int"], rows.collect(), sql) {
        for (found, []) in Packed::query(tx, statement).await?.rows()? {
            if let Some(known) = usize::try_from(found / 16).ok().and_then(|number| known.get_mut(number)) {
                *known = found % 16;
            }
        }
    }
    Ok(known)
}

/// Milliseconds of the day until the first stored click of each.
#[derive(Debug, Default)]
struct Firsts {
    of_links: BTreeMap<Visit, i32>,
    of_accounts: BTreeMap<Visitor, i32>,
}

/// The stored first clicks for visits that may be earlier than these (`late`, each with its bits): on the link, if the stored one is
/// later, and on any link of the account, looked up once for each visitor.
async fn first_clicks(tx: &Transaction, late: &[(Visit, i64)]) -> Result<Firsts, DbErr> {
    let backend = tx.get_database_backend();
    let on_links: Vec<Visit> = late.iter().filter(|(_, known)| known & LATER_ON_LINK != 0).map(|it| it.0).collect();
    let on_accounts: BTreeMap<Visitor, Visit> = late.iter().map(|(visit, _)| (visitor(*visit), *visit)).collect();
    let on_accounts: Vec<Visit> = on_accounts.into_values().collect();
    let find = async |visits: &[Visit], first: &str| {
        let rows = (0_i32..).zip(visits).map(|(number, visit)| {
            let [day, account, visitor, link] = row(*visit);
            [number.into(), day, account, visitor, link]
        });
        let sql = |rows: &str| format!("SELECT r.column1, ({first}) FROM {rows} AS r");
        let mut found: Vec<(Visit, i32)> = Vec::new();
        for statement in on_rows(backend, ["int", "int", "uuid", "bytea", "uuid"], rows.collect(), sql) {
            for row in tx.query_all_raw(statement).await? {
                let (number, first): (i32, Option<i32>) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
                let visit = usize::try_from(number).ok().and_then(|number| visits.get(number));
                found.extend(visit.copied().zip(first));
            }
        }
        Ok::<_, DbErr>(found)
    };
    let of_links = find(&on_links, &format!("SELECT v.first_ms FROM {VISITS} AND v.link_id = r.column5")).await?;
    let of_accounts = find(&on_accounts, &format!("SELECT min(v.first_ms) FROM {VISITS}")).await?;
    Ok(Firsts {
        of_links: of_links.into_iter().collect(),
        of_accounts: of_accounts.into_iter().map(|(visit, first)| (visitor(visit), first)).collect(),
    })
}

/// Deletes at most `most` visitors of days that are no longer recent. Returns whether there may be more. A click that a wrong clock
/// dates in the future does not make today an old day.
pub(crate) async fn delete_visitors(db: &Db, now: UnixMillis, most: u64) -> Result<bool, DbErr> {
    let backend = db.backend();
    let ask = |sql: &str| Statement::from_string(backend, sql);
    let range = "SELECT (SELECT min(day) FROM click_visitors), (SELECT max(day) FROM click_visitors)";
    let Some(row) = db.read().query_one_raw(ask(range)).await? else { return Ok(false) };
    let (Some(oldest), Some(newest)) =
        (row.try_get_by_index::<Option<i32>>(0)?, row.try_get_by_index::<Option<i32>>(1)?)
    else {
        return Ok(false);
    };
    let before = newest.min(day(now)).saturating_sub(KNOWN_DAYS);
    if oldest >= before {
        return Ok(false);
    }
    // Older days are still being counted.
    if is_pending(db.read()).await? {
        return Ok(false);
    }
    let key = "day, account_id, visitor, link_id";
    let nth = format!("SELECT {key} FROM click_visitors WHERE day < {before} ORDER BY {key} LIMIT 1 OFFSET {most}");
    let sql = match db.read().query_one_raw(ask(&nth)).await? {
        None => ask(&format!("DELETE FROM click_visitors WHERE day < {before}")),
        Some(row) => {
            let visitor: Vec<u8> = row.try_get_by_index(2)?;
            let (day, account, link) =
                (row.try_get_by_index::<i32>(0)?, row.try_get_by_index::<Uuid>(1)?, row.try_get_by_index::<Uuid>(3)?);
            let values: [Value; 4] = [day.into(), account.into(), visitor.into(), link.into()];
            let sql = match backend {
                DatabaseBackend::Postgres => "($1, $2, $3, $4)",
                _ => "(?, ?, ?, ?)",
            };
            Statement::from_sql_and_values(backend, format!("DELETE FROM click_visitors WHERE ({key}) < {sql}"), values)
        }
    };
    Ok(db.write().execute_raw(sql).await?.rows_affected() > 0)
}
