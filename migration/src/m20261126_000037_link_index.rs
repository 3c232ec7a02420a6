//! The index of links: what lists filter by, in blocks. It is made when lists of an account ask for it, in small steps beside the service;
//! until then the tables are empty, and lists look into `links`.
//!
//! Triggers note which links of indexed accounts change, so that no version of the service forgets it. Nodes of the version before do not read
//! these tables.

use sea_orm::DatabaseBackend;

use crate::prelude::*;

pub(crate) struct Migration;

/// Columns of `links` that the index has.
const COLUMNS: &str = "host, slug, destination_url, search_text, is_active, starts_at, expires_at, archived_at";

/// The events on tables after which the link of a row, `new` or `old`, has changed, each with the statement that notes it.
fn on_sqlite() -> Vec<(&'static str, String)> {
    let of_link = |row: &str| {
        format!(
            "INSERT INTO link_changes (account_id, link_id) SELECT account_id, {row}.id FROM link_indexes \
             WHERE account_id = {row}.account_id"
        )
    };
    let of_part = |row: &str| {
        format!(
            "INSERT INTO link_changes (account_id, link_id) SELECT links.account_id, links.id FROM links \
             JOIN link_indexes ON link_indexes.account_id = links.account_id WHERE links.id = {row}.link_id"
        )
    };
    let of_place = |row: &str| {
        format!(
            "INSERT INTO link_changes (account_id, link_id) SELECT links.account_id, links.id FROM links \
             JOIN link_indexes ON link_indexes.account_id = links.account_id WHERE links.host = {row}.host \
             AND links.slug = {row}.slug AND (links.host = '' OR links.account_id = {row}.account_id)"
        )
    };
    vec![
        ("link_changes_1 AFTER INSERT ON links", of_link("new")),
        ("link_changes_2 AFTER DELETE ON links", of_link("old")),
        ("link_changes_3 AFTER UPDATE OF {COLUMNS} ON links", of_link("new")),
        ("link_changes_4 AFTER INSERT ON link_tags", of_part("new")),
        ("link_changes_5 AFTER DELETE ON link_tags", of_part("old")),
        ("link_changes_6 AFTER INSERT ON link_limits", of_part("new")),
        ("link_changes_7 AFTER DELETE ON link_limits", of_part("old")),
        (
            "link_changes_8 AFTER UPDATE ON link_limits WHEN (new.used_clicks >= new.max_clicks) <> (old.used_clicks >= old.max_clicks)",
            of_part("new"),
        ),
        ("link_changes_9 AFTER INSERT ON blocked_links", of_place("new")),
        ("link_changes_10 AFTER DELETE ON blocked_links", of_place("old")),
    ]
}

/// Functions of the triggers, by name, with the condition by which they find links of the row `changed`.
const FUNCTIONS: [(&str, &str); 3] = [
    ("note_link", "links.id = changed.id"),
    ("note_part_of_link", "links.id = changed.link_id"),
    (
        "note_place_of_link",
        "links.host = changed.host AND links.slug = changed.slug AND (links.host = '' OR links.account_id = changed.account_id)",
    ),
];

/// Triggers, each with its table and function.
const ON_POSTGRES: [(&str, &str, &str); 5] = [
    ("INSERT OR DELETE OR UPDATE OF {COLUMNS}", "links", "FOR EACH ROW EXECUTE FUNCTION note_link()"),
    ("INSERT OR DELETE", "link_tags", "FOR EACH ROW EXECUTE FUNCTION note_part_of_link()"),
    ("INSERT OR DELETE", "link_limits", "FOR EACH ROW EXECUTE FUNCTION note_part_of_link()"),
    (
        "UPDATE",
        "link_limits",
        "FOR EACH ROW WHEN ((NEW.used_clicks >= NEW.max_clicks) <> (OLD.used_clicks >= OLD.max_clicks)) \
         EXECUTE FUNCTION note_part_of_link()",
    ),
    ("INSERT OR DELETE", "blocked_links", "FOR EACH ROW EXECUTE FUNCTION note_place_of_link()"),
];

/// A function that notes the links of a row. A deleted link is found no more, but its row has all that is noted.
fn function(name: &str, condition: &str) -> String {
    let select = match name {
        "note_link" => "account_id, changed.id FROM link_indexes WHERE account_id = changed.account_id".to_owned(),
        _ => format!(
            "links.account_id, links.id FROM links JOIN link_indexes ON link_indexes.account_id = links.account_id WHERE {condition}"
        ),
    };
    format!(
        "CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE changed record; BEGIN \
         IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF; \
         INSERT INTO link_changes (account_id, link_id) SELECT {select}; RETURN NULL; END $$"
    )
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let cascade = |from: &str, to: &str, column: &str| {
            ForeignKey::create()
                .from(from.to_owned(), "account_id")
                .to(to.to_owned(), column.to_owned())
                .on_delete(ForeignKeyAction::Cascade)
                .to_owned()
        };
        let indexes = Table::create()
            .table("link_indexes")
            .col(uuid("account_id").primary_key())
            .col(blob("directory"))
            .col(big_integer_null("noted_after"))
            .foreign_key(&mut cascade("link_indexes", "accounts", "id"))
            .to_owned();
        manager.create_table(indexes).await?;
        let blocks = Table::create()
            .table("link_blocks")
            .col(uuid("id"))
            .col(integer("part"))
            .col(uuid("account_id"))
            .col(blob("data"))
            .primary_key(Index::create().col("id").col("part"))
            .foreign_key(&mut cascade("link_blocks", "link_indexes", "account_id"))
            .to_owned();
        manager.create_table(blocks).await?;
        let changes = Table::create()
            .table("link_changes")
            .col(big_integer("id").primary_key().auto_increment())
            .col(uuid("account_id"))
            .col(uuid("link_id"))
            .foreign_key(&mut cascade("link_changes", "link_indexes", "account_id"))
            .to_owned();
        manager.create_table(changes).await?;
        for (name, table) in [("link_blocks_account", "link_blocks"), ("link_changes_account", "link_changes")] {
            let index = Index::create().name(name).table(table).col("account_id").to_owned();
            manager.create_index(index).await?;
        }
        let connection = manager.get_connection();
        if manager.get_database_backend() != DatabaseBackend::Postgres {
            for (event, statement) in on_sqlite() {
                let event = event.replace("{COLUMNS}", COLUMNS);
                connection.execute_unprepared(&format!("CREATE TRIGGER {event} BEGIN {statement}; END")).await?;
            }
            return Ok(());
        }
        // Blocks are compact already.
        connection.execute_unprepared("ALTER TABLE link_blocks ALTER COLUMN data SET STORAGE EXTERNAL").await?;
        for (name, condition) in FUNCTIONS {
            connection.execute_unprepared(&function(name, condition)).await?;
        }
        for (number, (events, table, call)) in (1..).zip(ON_POSTGRES) {
            let events = events.replace("{COLUMNS}", COLUMNS);
            let trigger = format!("CREATE TRIGGER link_changes_{number} AFTER {events} ON {table} {call}");
            connection.execute_unprepared(&trigger).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        if manager.get_database_backend() == DatabaseBackend::Postgres {
            for (name, _) in FUNCTIONS {
                connection.execute_unprepared(&format!("DROP FUNCTION {name} CASCADE")).await?;
            }
        } else {
            for number in 1..=on_sqlite().len() {
                connection.execute_unprepared(&format!("DROP TRIGGER link_changes_{number}")).await?;
            }
        }
        for table in ["link_changes", "link_blocks", "link_indexes"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
