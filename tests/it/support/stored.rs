//! Looks at what a service stored, beside the service.

use std::fs;

use entity::click;
use linkgraph::{
    base::config::Config,
    click_store::Months,
    clicks::{click::Click, segment},
    platform::db::Db,
};
use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DatabaseBackend, DatabaseConnection, EntityTrait, QueryOrder, Statement,
};
use uuid::Uuid;

use super::{TestDatabase, TestServer, eventually};

/// Number of statements that wait for locks of other transactions.
pub(crate) const LOCK_WAITS: &str =
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/// Tables that work in the background changes as well.
const BACKGROUND: [&str; 5] = ["click_log_positions", "daily_usage", "jobs", "nodes", "visitor_keys"];
/// Tables of which the background changes rows, but neither adds nor deletes any while nobody calls.
const ROWS_ONLY: [&str; 2] = ["deliveries", "outbox_events"];

/// A click as ingest stores it, of which little is known.
pub(crate) fn stored_click(link: Uuid, clicked_at: i64) -> click::Model {
    click::Model {
        id: Uuid::now_v7(),
        link_id: link,
        clicked_at,
        visitor: vec![7; 16],
        is_bot: false,
        browser: None,
        os: None,
        device: None,
        referrer_host: None,
        country: None,
        language: None,
        utm_source: None,
        utm_medium: None,
        utm_campaign: None,
        utm_term: None,
        utm_content: None,
        trigger: None,
        destination: None,
        rule: None,
        ad_click: None,
        region: None,
        city: None,
        new_to_link: Some(false),
        new_to_account: Some(false),
    }
}

impl TestDatabase {
    /// Writes a segment of the click log, as a service does that is killed before it has ingested it.
    pub(crate) fn leave_records(&self, records: impl Iterator<Item = Vec<u8>>) {
        let folder = self.folder.join("clicks");
        let last = segment::list(&folder).unwrap().last().copied().unwrap_or_default();
        let mut bytes = Vec::new();
        for (number, record) in (0..).zip(records) {
            segment::append(&mut bytes, last + 1, number, |out| out.extend(&record));
        }
        fs::write(segment::path(&folder, last + 1), bytes).unwrap();
    }

    /// Stores clicks, and nothing of what they add up to.
    pub(crate) async fn store_clicks(&self, clicks: Vec<click::Model>) {
        self.make_months(clicks.iter().map(|click| click.clicked_at)).await;
        let connection = self.connect().await;
        for clicks in clicks.chunks(500) {
            let rows = clicks.iter().map(|click| click::ActiveModel::from(click.clone()).reset_all());
            click::Entity::insert_many(rows).exec_without_returning(&connection).await.unwrap();
        }
        connection.close().await.unwrap();
    }

    /// Makes room for clicks of these times.
    pub(crate) async fn make_months(&self, times: impl Iterator<Item = i64>) {
        let db = self.db().await;
        Months::default().cover(&db, times).await.unwrap();
        db.close().await;
    }

    pub(crate) fn config(&self) -> Config {
        self.config_with(&[])
    }

    /// The service's own access to the database.
    pub(crate) async fn db(&self) -> Db {
        Db::connect(&self.config()).await.unwrap()
    }

    /// The one number that a query answers.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let connection = self.connect().await;
        let number = number(&connection, sql).await;
        connection.close().await.unwrap();
        number
    }

    /// Waits until a query returns this number. It uses one connection, since to open one takes longer than the query.
    pub(crate) async fn becomes(&self, what: &str, sql: &str, expected: i64) {
        let connection = self.connect().await;
        eventually(what, async || (number(&connection, sql).await == expected).then_some(())).await;
        connection.close().await.unwrap();
    }

    /// Makes the database refuse a change (`DELETE`, `UPDATE`) of the rows of a table that meet `condition`, until [`Self::allow`].
    pub(crate) async fn refuse(&self, change: &str, table: &str, condition: &str) {
        let connection = self.connect().await;
        let when = format!("CREATE TRIGGER refused BEFORE {change} ON {table} FOR EACH ROW WHEN ({condition})");
        let statements = match connection.get_database_backend() {
            DatabaseBackend::Postgres => vec![
                "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$"
                    .to_owned(),
                format!("{when} EXECUTE FUNCTION refuse()"),
            ],
            _ => vec![format!("{when} BEGIN SELECT RAISE(ABORT, 'refused'); END")],
        };
        for statement in statements {
            connection.execute_unprepared(&statement).await.unwrap();
        }
        connection.close().await.unwrap();
    }

    /// Drops the trigger of [`Self::refuse`].
    pub(crate) async fn allow(&self, table: &str) {
        let connection = self.connect().await;
        let of_table = match connection.get_database_backend() {
            DatabaseBackend::Postgres => format!(" ON {table}"),
            _ => String::new(),
        };
        connection.execute_unprepared(&format!("DROP TRIGGER refused{of_table}")).await.unwrap();
        connection.close().await.unwrap();
    }

    /// Waits until at least `least` statements on this PostgreSQL wait for locks.
    pub(crate) async fn waits_for_locks(&self, least: i64) {
        let connection = self.connect().await;
        let what = format!("{least} wait for locks");
        eventually(&what, async || (number(&connection, LOCK_WAITS).await >= least).then_some(())).await;
        connection.close().await.unwrap();
    }

    /// The texts that a query answers.
    pub(crate) async fn texts(&self, sql: &str) -> Vec<String> {
        let connection = self.connect().await;
        let found = texts(&connection, sql).await;
        connection.close().await.unwrap();
        found
    }

    /// The bytes of every file in the data directory, and of every row on PostgreSQL; without the mails and pages of zeros.
    pub(crate) async fn everything_stored(&self) -> Vec<u8> {
        let mut kept = Vec::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if !path.is_dir() {
                    // SQLite may take away a file of its own meanwhile.
                    let bytes = fs::read(path).unwrap_or_default();
                    // Most of them is the room that the click log has reserved.
                    bytes
                        .chunks(4096)
                        .filter(|page| page.iter().any(|byte| *byte != 0))
                        .for_each(|page| kept.extend(page));
                } else if path != self.folder.join("mail") {
                    folders.push(path);
                }
            }
        }
        let connection = self.connect().await;
        if connection.get_database_backend() == DatabaseBackend::Postgres {
            for row in texts(&connection, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'").await {
                let rows = texts(&connection, &format!("SELECT t::text FROM {row} t")).await;
                kept.extend(rows.join("\n").into_bytes());
            }
        }
        connection.close().await.unwrap();
        kept
    }
}

async fn number(connection: &DatabaseConnection, sql: &str) -> i64 {
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    connection.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}

async fn texts(connection: &DatabaseConnection, sql: &str) -> Vec<String> {
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let rows = connection.query_all_raw(statement).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

/// Whether the bytes are in there: as they are, or in hexadecimal digits, as PostgreSQL writes bytes.
pub(crate) fn holds(stored: &[u8], searched: &[u8]) -> bool {
    let digits = hex::encode(searched);
    [searched, digits.as_bytes()].iter().any(|form| stored.windows(form.len()).any(|window| window == *form))
}

/// The click as a record of the log.
pub(crate) fn record(click: &Click<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    click.encode(&mut bytes);
    bytes
}

/// All that a refused request could have changed.
pub(crate) async fn stored(connection: &DatabaseConnection) -> String {
    let mut rows = String::new();
    macro_rules! add {
        ($($entity:ident)*) => {$(
            let found = entity::$entity::Entity::find().order_by_asc(entity::$entity::Column::Id);
            rows += &format!("{:#?}\n", found.all(connection).await.unwrap());
        )*};
    }
    add!(account user link webhook delivery domain subdomain outbox_event subscription invoice);
    // The dispatcher notes what it has done.
    rows = rows.replace("fanned_out: false", "fanned_out: true");
    let mut keys =
        entity::api_key::Entity::find().order_by_asc(entity::api_key::Column::Id).all(connection).await.unwrap();
    keys.iter_mut().for_each(|key| key.last_used_at = None);
    rows + &format!("{keys:#?}")
}

/// Every row of the tables that callers change, as another connection sees them.
pub(crate) async fn rows(connection: &DatabaseConnection) -> Vec<String> {
    let (tables, columns_of, text) = match connection.get_database_backend() {
        DatabaseBackend::Postgres => (
            "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
            "SELECT column_name::text FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ",
            "quote_nullable",
        ),
        _ => (
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1",
            "SELECT name FROM pragma_table_info",
            "quote",
        ),
    };
    let mut rows = Vec::new();
    for table in texts(connection, tables).await {
        if BACKGROUND.contains(&&*table) {
            continue;
        }
        let columns = texts(connection, &format!("{columns_of}('{table}')")).await;
        let columns = columns.iter().filter(|name| !ROWS_ONLY.contains(&&*table) || *name == "id");
        let columns = columns.filter(|name| *name != "last_used_at");
        let row = columns.map(|name| format!("{text}({name})")).collect::<Vec<_>>().join(" || ',' || ");
        rows.extend(texts(connection, &format!("SELECT '{table}: ' || {row} FROM {table} ORDER BY 1")).await);
    }
    rows
}

/// Waits until so many clicks were ingested.
pub(crate) async fn all_ingested(server: &TestServer, clicks: usize) {
    eventually("the clicks are ingested", async || {
        (server.metric("linkgraph_clicks_ingested_total").await == Some(clicks)).then_some(())
    })
    .await;
}
