//! Queries on the clicks of a slot, to divide it at a moment.

use sea_orm::{ConnectionTrait, DatabaseBackend, DbErr, Statement, Value};
use uuid::Uuid;

use super::scan_repo::ScannedClick;
use crate::{
    base::clock::UnixMillis,
    click_store::blocks::block::BlockClick,
    clicks::day_document::{COLUMNS, Counts},
    platform::db::{
        ROWS_PER_STATEMENT, filled_up,
        packed::{self, Packed, Row, packed},
    },
};

/// Whether visitors count as new per link or per account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum New {
    ToLink,
    ToAccount,
}

impl New {
    /// Whether the click of a block is the first of its visitor.
    pub(crate) fn is_of(self, click: &BlockClick<'_>) -> bool {
        match self {
            New::ToLink => click.is_new_to_link,
            New::ToAccount => click.is_new_to_account,
        }
    }

    fn column(self) -> &'static str {
        match self {
            New::ToLink => "new_to_link",
            New::ToAccount => "new_to_account",
        }
    }
}

/// A click as summaries count it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedClick<'a> {
    /// Unix time in milliseconds.
    pub(crate) clicked_at: UnixMillis,
    /// The link that was followed.
    pub(crate) link: &'a [u8],
    /// Whether a bot, a preview or a prefetch followed it.
    pub(crate) is_bot: bool,
    /// Whether it is the first of its visitor on the day.
    pub(crate) is_new: bool,
    /// Columns that [`crate::clicks::day_document::counted`] takes, in its order.
    pub(crate) columns: [Option<&'a str>; COLUMNS],
}

impl<'a> CountedClick<'a> {
    /// The row of a block's click, on this link.
    pub(crate) fn row<'b>(click: &BlockClick<'b>, link: &'b Uuid, new: New) -> Row<'b, 17> {
        let flag = |is_set: bool| if is_set { &b"1"[..] } else { b"" };
        let mut row = [&b""[..]; 17];
        [row[0], row[1], row[2]] = [link.as_bytes(), flag(click.is_bot), flag(new.is_of(click))];
        let columns = ScannedClick::of(click, *link).columns;
        row[3..].iter_mut().zip(columns).for_each(|(to, text)| *to = text.unwrap_or_default().as_bytes());
        (click.clicked_at, row)
    }

    /// Reads a row that [`clicks`] found.
    pub(crate) fn read((clicked_at, [link, is_bot, is_new, columns @ ..]): Row<'a, 17>) -> Result<Self, DbErr> {
        let mut texts = [None; COLUMNS];
        for (text, bytes) in texts.iter_mut().zip(columns) {
            if !bytes.is_empty() {
                *text = Some(std::str::from_utf8(bytes).map_err(|error| DbErr::Type(error.to_string()))?);
            }
        }
        Ok(CountedClick { clicked_at, link, is_bot: !is_bot.is_empty(), is_new: !is_new.is_empty(), columns: texts })
    }
}

/// The clicks on these links in a range that the roll-ups count, as rows of [`CountedClick`]s. Link by link, they are found by
/// the primary key alone. The links must be the account's.
pub(crate) async fn clicks(
    db: &impl ConnectionTrait,
    links: &[Uuid],
    range: (UnixMillis, UnixMillis),
    new: New,
) -> Result<Vec<Packed>, DbErr> {
    let backend = db.get_database_backend();
    let text = |column: &str| packed::text(backend, column);
    let row = [
        &*packed::uuid(backend, "link_id"),
        &packed::flag(backend, "is_bot"),
        &packed::flag(backend, new.column()),
        &text("country"),
        &text("referrer_host"),
        &text("browser"),
        &text("os"),
        &text("device"),
        &text("language"),
        &text("utm_source"),
        &text("utm_medium"),
        &text("utm_campaign"),
        &text("trigger"),
        &text("destination"),
        &text("ad_click"),
        &text("region"),
        &text("city"),
    ];
    let row = packed(backend, "clicked_at", row);
    let mut found = Vec::new();
    for links in links.chunks(ROWS_PER_STATEMENT) {
        found.push(Packed::query(db, statement(backend, &row, links, range, "")).await?);
    }
    Ok(found)
}

/// The number of clicks that [`clicks`] returns.
pub(crate) async fn counts(
    db: &impl ConnectionTrait,
    links: &[Uuid],
    range: (UnixMillis, UnixMillis),
    new: New,
) -> Result<Counts, DbErr> {
    let backend = db.get_database_backend();
    let columns = format!("is_bot, {}, count(*)", new.column());
    let mut sum = Counts::default();
    for links in links.chunks(ROWS_PER_STATEMENT) {
        let grouped = statement(backend, &columns, links, range, &format!("GROUP BY is_bot, {}", new.column()));
        for row in db.query_all_raw(grouped).await? {
            let (is_bot, is_new): (bool, bool) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
            let clicks = row.try_get_by_index::<i64>(2)?.unsigned_abs();
            (0..clicks).for_each(|_| sum += Counts::one(is_bot, is_new));
        }
    }
    Ok(sum)
}

fn statement(
    backend: DatabaseBackend,
    columns: &str,
    links: &[Uuid],
    (from, to): (UnixMillis, UnixMillis),
    end: &str,
) -> Statement {
    // Clicks that are new to neither are not in the roll-ups yet.
    let mut values: Vec<Value> = vec![from.into(), to.into()];
    let sql = match backend {
        DatabaseBackend::Postgres => {
            values.push(links.to_vec().into());
            format!(
                "SELECT {columns} FROM clicks WHERE link_id = ANY($3::uuid[]) AND clicked_at >= $1 AND clicked_at < $2 \
                 AND new_to_link IS NOT NULL {end}"
            )
        }
        _ => {
            // Repeated ids in `IN (…)` do not matter.
            let links = filled_up(links.to_vec());
            let marks = vec!["?"; links.len()].join(", ");
            values.extend(links.into_iter().map(Value::from));
            format!(
                "SELECT {columns} FROM clicks WHERE clicked_at >= ? AND clicked_at < ? AND link_id IN ({marks}) \
                 AND new_to_link IS NOT NULL {end}"
            )
        }
    };
    Statement::from_sql_and_values(backend, sql, values)
}
