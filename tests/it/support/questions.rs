//! What tests ask of a service's database: one place for each question, and for the names of tables and columns in it.

use sea_orm::ConnectionTrait;

use super::TestDatabase;

/// Clicks that are rows.
const CLICKS: &str = "SELECT count(*) FROM clicks";
/// Clicks that are stored: rows, and those in blocks.
const ALL_CLICKS: &str =
    "SELECT CAST((SELECT count(*) FROM clicks) + (SELECT coalesce(sum(clicks), 0) FROM click_blocks) AS bigint)";
/// Jobs but those that are always there.
const JOBS_LEFT: &str =
    "SELECT count(*) FROM jobs WHERE kind NOT IN ('expire_clicks', 'compact_clicks', 'announce_expired_links')";
/// Events that have no deliveries yet.
const TO_FAN_OUT: &str = "SELECT count(*) FROM outbox_events WHERE NOT fanned_out";
/// Deliveries that have not succeeded.
const OPEN_DELIVERIES: &str = "SELECT count(*) FROM deliveries WHERE status <> 'SUCCEEDED'";

/// Clicks.
impl TestDatabase {
    /// How many are stored.
    pub(crate) async fn clicks(&self) -> i64 {
        self.number(ALL_CLICKS).await
    }

    /// Waits until so many are stored.
    pub(crate) async fn clicks_become(&self, number: i64) {
        self.becomes(&format!("{number} clicks are stored"), ALL_CLICKS, number).await;
    }

    /// How many rows meet this condition.
    pub(crate) async fn clicks_where(&self, condition: &str) -> i64 {
        self.number(&format!("{CLICKS} WHERE {condition}")).await
    }

    /// Waits until none meets this condition.
    pub(crate) async fn no_clicks_where(&self, condition: &str) {
        let sql = format!("{CLICKS} WHERE {condition}");
        self.becomes(&format!("no click is left of {condition}"), &sql, 0).await;
    }

    /// How many different values the column has.
    pub(crate) async fn different_clicks(&self, column: &str) -> i64 {
        self.number(&format!("SELECT count(DISTINCT {column}) FROM clicks")).await
    }

    /// What an expression is for each of them, sorted.
    pub(crate) async fn of_clicks(&self, expression: &str) -> Vec<String> {
        self.texts(&format!("SELECT {expression} FROM clicks ORDER BY 1")).await
    }

    /// How many are stored and how many the links have counted, at the same moment.
    pub(crate) async fn clicks_and_counts(&self) -> (i64, i64) {
        let sum = "SELECT coalesce(sum(click_count), 0) FROM links";
        let text =
            self.texts(&format!("SELECT CAST(({CLICKS}) AS text) || ' ' || CAST(({sum}) AS text)")).await.remove(0);
        let (stored, counted) = text.split_once(' ').unwrap();
        (stored.parse().unwrap(), counted.parse().unwrap())
    }

    /// How many the links have counted.
    pub(crate) async fn counted_clicks(&self) -> i64 {
        self.number("SELECT CAST(coalesce(sum(click_count), 0) AS bigint) FROM links").await
    }

    /// Deletes those that meet this condition, and nothing of what they add up to.
    pub(crate) async fn delete_clicks(&self, condition: &str) {
        self.execute(&[&format!("DELETE FROM clicks WHERE {condition}")]).await;
    }

    /// Adds those that are stored now to a table of the test, which keeps what the service deletes.
    pub(crate) async fn keep_clicks(&self, table: &str) {
        let make = format!("CREATE TABLE IF NOT EXISTS {table} AS SELECT * FROM clicks WHERE id IS NULL");
        let add = format!("INSERT INTO {table} SELECT * FROM clicks WHERE id NOT IN (SELECT id FROM {table})");
        self.execute(&[&make, &add]).await;
    }

    /// Lets the service put those that are old enough into blocks, and waits until it has.
    pub(crate) async fn compact_clicks(&self) {
        self.jobs_become("compact_clicks", "run_at > 0", 1).await;
        // A day later, if it has done all.
        let before = self.number("SELECT run_at FROM jobs WHERE kind = 'compact_clicks'").await;
        self.begin_to_compact().await;
        self.jobs_become("compact_clicks", &format!("run_at >= {before}"), 1).await;
    }

    /// Lets the service begin with that, even if one that was killed had begun.
    pub(crate) async fn begin_to_compact(&self) {
        self.execute(&["UPDATE jobs SET run_at = 0, leased_until = NULL WHERE kind = 'compact_clicks'"]).await;
    }

    /// Connects a user with what an identity provider calls the user.
    pub(crate) async fn add_identity(&self, address: &str) {
        let id = if self.is_postgres() { "gen_random_uuid()" } else { "randomblob(16)" };
        let row = format!("SELECT {id}, id, 'https://id.example.com', email, email, created_at, created_at FROM users");
        self.execute(&[&format!("INSERT INTO identities {row} WHERE email = '{address}'")]).await;
    }

    /// Gives a user a passkey that no authenticator has.
    pub(crate) async fn add_passkey(&self, address: &str) {
        let (id, credential) =
            if self.is_postgres() { ("gen_random_uuid()", "'\\x00'") } else { ("randomblob(16)", "x'00'") };
        let row = format!("SELECT {id}, id, {credential}, email, '{{}}', created_at, NULL FROM users");
        self.execute(&[&format!("INSERT INTO passkeys {row} WHERE email = '{address}'")]).await;
    }

    async fn execute(&self, statements: &[&str]) {
        let connection = self.connect().await;
        for sql in statements {
            connection.execute_unprepared(sql).await.unwrap();
        }
        connection.close().await.unwrap();
    }
}

/// Links, events, jobs and deliveries.
impl TestDatabase {
    pub(crate) async fn links(&self) -> i64 {
        self.number("SELECT count(*) FROM links").await
    }

    /// Recorded events, of all kinds.
    pub(crate) async fn all_events(&self) -> i64 {
        self.number("SELECT count(*) FROM outbox_events").await
    }

    /// Recorded events of this kind.
    pub(crate) async fn events(&self, kind: &str) -> i64 {
        self.number(&format!("SELECT count(*) FROM outbox_events WHERE kind = '{kind}'")).await
    }

    /// Waits until every event has its deliveries.
    pub(crate) async fn fanned_out(&self) {
        self.becomes("all events are fanned out", TO_FAN_OUT, 0).await;
    }

    /// Jobs of this kind.
    pub(crate) async fn jobs(&self, kind: &str) -> i64 {
        self.jobs_where(kind, "TRUE").await
    }

    /// Jobs of this kind that meet a condition.
    pub(crate) async fn jobs_where(&self, kind: &str, condition: &str) -> i64 {
        self.number(&format!("SELECT count(*) FROM jobs WHERE kind = '{kind}' AND {condition}")).await
    }

    /// Waits until so many jobs of this kind meet a condition.
    pub(crate) async fn jobs_become(&self, kind: &str, condition: &str, number: i64) {
        let sql = format!("SELECT count(*) FROM jobs WHERE kind = '{kind}' AND {condition}");
        self.becomes(&format!("{number} jobs {kind} of {condition}"), &sql, number).await;
    }

    /// Waits until all jobs are done, but those that are always there.
    pub(crate) async fn no_jobs_left(&self) {
        self.becomes("all jobs are done", JOBS_LEFT, 0).await;
    }

    pub(crate) async fn deliveries(&self) -> i64 {
        self.number("SELECT count(*) FROM deliveries").await
    }

    /// Waits until all deliveries have succeeded.
    pub(crate) async fn all_delivered(&self) {
        self.becomes("all deliveries have succeeded", OPEN_DELIVERIES, 0).await;
    }
}
