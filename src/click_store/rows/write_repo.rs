//! Statements by which ingest writes clicks: all of them as rows.

use entity::click;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value,
    sea_query::{LockBehavior, LockType},
};

use crate::platform::db::on_rows;

/// Stores clicks, counted as they say.
pub(crate) async fn insert(tx: &impl ConnectionTrait, mut clicks: Vec<click::Model>) -> Result<(), DbErr> {
    // In the order of the table's primary key.
    clicks.sort_by_cached_key(|click| (click.link_id, click.clicked_at, click.id));
    let rows = clicks
        .into_iter()
        .map(|click| {
            // Stored values are not empty: an empty text stands for NULL.
            let text = |text: Option<String>| Value::from(text.unwrap_or_default());
            [
                Value::from(click.id),
                click.link_id.into(),
                click.clicked_at.into(),
                click.visitor.into(),
                click.is_bot.into(),
                text(click.browser),
                text(click.os),
                text(click.device),
                text(click.referrer_host),
                text(click.country),
                text(click.language),
                text(click.utm_source),
                text(click.utm_medium),
                text(click.utm_campaign),
                text(click.utm_term),
                text(click.utm_content),
                text(click.trigger),
                text(click.destination),
                text(click.rule),
                text(click.ad_click),
                text(click.region),
                text(click.city),
                click.new_to_link.unwrap_or_default().into(),
                click.new_to_account.unwrap_or_default().into(),
            ]
        })
        .collect();
    let types = [
        "uuid", "uuid", "bigint", "bytea", "boolean", "text", "text", "text", "text", "text", "text", "text", "text",
        "text", "text", "text", "text", "text", "text", "text", "text", "text", "boolean", "boolean",
    ];
    let texts: Vec<String> = (6..23).map(|column| format!("nullif(column{column}, '')")).collect();
    let texts = texts.join(", ");
    let sql = |rows: &str| {
        format!(
            "INSERT INTO clicks (id, link_id, clicked_at, visitor, is_bot, browser, os, device, referrer_host, country, \
             language, utm_source, utm_medium, utm_campaign, utm_term, utm_content, trigger, destination, rule, ad_click, region, city, \
             new_to_link, new_to_account) SELECT column1, column2, column3, column4, column5, {texts}, column23, column24 FROM {rows} AS clicked"
        )
    };
    for statement in on_rows(tx.get_database_backend(), types, rows, sql) {
        tx.execute_raw(statement).await?;
    }
    Ok(())
}

/// Notes with stored clicks that they are not the first of their visitors: on their links, by link, time, whether it is a bot's, and the
/// first 15 bytes of its visitor; and on links of their accounts, by day, account, visitor, milliseconds of the day, time, and whether
/// it is a bot's.
pub(crate) async fn not_new(
    tx: &impl ConnectionTrait,
    of_links: Vec<[Value; 4]>,
    of_accounts: Vec<[Value; 6]>,
) -> Result<(), DbErr> {
    let backend = tx.get_database_backend();
    let on_link = |rows: &str| {
        format!(
            "UPDATE clicks SET new_to_link = false FROM {rows} AS r WHERE clicks.link_id = r.column1 AND \
             clicks.clicked_at = r.column2 AND clicks.is_bot = r.column3 AND \
             substr(clicks.visitor, 1, 15) = r.column4 AND clicks.new_to_link"
        )
    };
    let mut statements = on_rows(backend, ["uuid", "bigint", "boolean", "bytea"], of_links, on_link);
    let types = ["int", "uuid", "bytea", "int", "bigint", "boolean"];
    statements.extend(on_rows(backend, types, of_accounts, not_new_to_account));
    for statement in statements {
        tx.execute_raw(statement).await?;
    }
    Ok(())
}

/// Notes with clicks of an account that they are not the first of their visitors, on whichever of the links that were followed
/// at this moment. In this order, and with the clicks found by their key: SQLite would read all clicks first, and look for the
/// visitor of each.
fn not_new_to_account(rows: &str) -> String {
    format!(
        "UPDATE clicks SET new_to_account = false WHERE (link_id, clicked_at, id) IN (SELECT c.link_id, c.clicked_at, c.id \
         FROM {rows} AS r CROSS JOIN click_visitors AS v CROSS JOIN clicks AS c WHERE v.day = r.column1 AND \
         v.account_id = r.column2 AND v.visitor = r.column3 AND v.first_ms = r.column4 AND c.link_id = v.link_id AND \
         c.clicked_at = r.column5 AND c.is_bot = r.column6 AND \
         substr(c.visitor, 1, 15) = substr(v.visitor, 1, 15) AND c.new_to_account)"
    )
}

/// Whether there are clicks that the roll-ups don't count.
pub(crate) async fn is_pending(db: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let pending = click::Entity::find().filter(click::Column::NewToLink.is_null());
    Ok(pending.select_only().column(click::Column::ClickedAt).limit(1).into_tuple::<i64>().one(db).await?.is_some())
}

/// Some of the clicks that the roll-ups don't count, oldest first, and locked; those that another node counts are left out.
pub(crate) async fn pending(tx: &impl ConnectionTrait, most: u64) -> Result<Vec<click::Model>, DbErr> {
    click::Entity::find()
        .filter(click::Column::NewToLink.is_null())
        .order_by_asc(click::Column::ClickedAt)
        .order_by_asc(click::Column::LinkId)
        .order_by_asc(click::Column::Id)
        .limit(most)
        .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
        .all(tx)
        .await
}

/// Notes with clicks how the roll-ups count them, and deletes others.
pub(crate) async fn note_counted(
    tx: &impl ConnectionTrait,
    counted: &[click::Model],
    gone: &[click::Model],
) -> Result<(), DbErr> {
    let key = |click: &click::Model| [Value::from(click.link_id), click.clicked_at.into(), click.id.into()];
    let counted = counted.iter().map(|click| {
        let [link, clicked_at, id] = key(click);
        let new = [click.new_to_link, click.new_to_account].map(Option::unwrap_or_default);
        [link, clicked_at, id, new[0].into(), new[1].into()]
    });
    let mark = |rows: &str| {
        format!(
            "UPDATE clicks SET new_to_link = r.column4, new_to_account = r.column5 FROM {rows} AS r \
             WHERE clicks.link_id = r.column1 AND clicks.clicked_at = r.column2 AND clicks.id = r.column3"
        )
    };
    let delete =
        |rows: &str| format!("DELETE FROM clicks WHERE (link_id, clicked_at, id) IN (SELECT * FROM {rows} AS r)");
    let backend = tx.get_database_backend();
    let mut statements = on_rows(backend, ["uuid", "bigint", "uuid", "boolean", "boolean"], counted.collect(), mark);
    statements.extend(on_rows(backend, ["uuid", "bigint", "uuid"], gone.iter().map(key).collect(), delete));
    for statement in statements {
        tx.execute_raw(statement).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use sea_orm::{ConnectOptions, Database, DatabaseBackend, Statement};

    use super::*;

    #[tokio::test]
    async fn sqlite_finds_overtaken_clicks_by_their_keys() {
        let mut options = ConnectOptions::new("sqlite::memory:");
        options.max_connections(1).idle_timeout(None).max_lifetime(None);
        let db = Database::connect(options).await.unwrap();
        migration::up(&db, None).await.unwrap();
        let update = not_new_to_account("(VALUES (1, x'00', x'00', 1, 1, false))");
        let explain = Statement::from_string(DatabaseBackend::Sqlite, format!("EXPLAIN QUERY PLAN {update}"));
        let plan = db.query_all_raw(explain).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        let of = |table: &str| plan.iter().any(|it| it.starts_with(&format!("SEARCH {table} USING PRIMARY KEY (")));
        assert!(of("v") && of("c") && of("clicks"), "{plan:#?}");
        let is_of_rows = |scan: &String| scan == "SCAN r" || scan == "SCAN CONSTANT ROW";
        assert!(plan.iter().filter(|it| it.starts_with("SCAN")).all(is_of_rows), "{plan:#?}");
    }
}
