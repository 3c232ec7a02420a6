//! Activity of links: the counts and times by which lists of them are sorted. It stands apart from `links`: there, on PostgreSQL,
//! an index on a count would cost nine times as much for each batch of clicks, since the row's other indexes would have to be
//! written with it. Nor can `links` have another column: nodes of the version before have `SELECT links.*` prepared, which
//! PostgreSQL refuses to execute then.
//!
//! The row of a new link is made by a trigger, so that no version of the service forgets it. What nodes of the version before
//! count while a cluster is updated shows with the link's next click.

use sea_orm::DatabaseBackend;

use crate::prelude::*;

pub(crate) struct Migration;

const ON_SQLITE: &str = "\
    CREATE TRIGGER links_have_activity AFTER INSERT ON links BEGIN \
    INSERT INTO link_activity (link_id, account_id, click_count, last_clicked_at) \
    VALUES (new.id, new.account_id, new.click_count, 0); END";

/// `linkgraph copy` brings rows of its own.
const ON_POSTGRES: [&str; 2] = [
    "CREATE FUNCTION add_link_activity() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     INSERT INTO link_activity (link_id, account_id, click_count, last_clicked_at) \
     VALUES (NEW.id, NEW.account_id, NEW.click_count, 0); RETURN NULL; END $$",
    "CREATE TRIGGER links_have_activity AFTER INSERT ON links FOR EACH ROW \
     WHEN (current_setting('linkgraph.copying', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION add_link_activity()",
];

const FILL: &str = "\
    INSERT INTO link_activity (link_id, account_id, click_count, last_clicked_at) \
    SELECT id, account_id, click_count, \
    coalesce((SELECT max(clicked_at) FROM clicks WHERE clicks.link_id = links.id), 0) FROM links";

/// The day is known of clicks that are all deleted since.
const FILL_EXPIRED: &str = "\
    UPDATE link_activity SET last_clicked_at = days.midnight FROM \
    (SELECT subject, max(day) * CAST(86400000 AS bigint) AS midnight FROM click_days GROUP BY subject) AS days \
    WHERE days.subject = link_activity.link_id AND link_activity.click_count > 0 AND link_activity.last_clicked_at = 0";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let activity = Table::create()
            .table("link_activity")
            .col(uuid("link_id").primary_key())
            .col(uuid("account_id"))
            .col(big_integer("click_count"))
            .col(big_integer("last_clicked_at"))
            .foreign_key(
                ForeignKey::create()
                    .from("link_activity", "link_id")
                    .to("links", "id")
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(activity).await?;
        let connection = manager.get_connection();
        // First of all, since it keeps others from changing links until all is done.
        match manager.get_database_backend() {
            DatabaseBackend::Postgres => {
                for statement in ON_POSTGRES {
                    connection.execute_unprepared(statement).await?;
                }
            }
            _ => {
                connection.execute_unprepared(ON_SQLITE).await?;
            }
        }
        for statement in [FILL, FILL_EXPIRED] {
            connection.execute_unprepared(statement).await?;
        }
        for (name, table, columns) in [
            ("link_activity_clicks", "link_activity", ["account_id", "click_count", "link_id"]),
            ("link_activity_last", "link_activity", ["account_id", "last_clicked_at", "link_id"]),
            ("links_account_created", "links", ["account_id", "created_at", "id"]),
            ("links_account_host", "links", ["account_id", "host", "id"]),
        ] {
            let mut index = Index::create().name(name).table(table).to_owned();
            for column in columns {
                index.col(column);
            }
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        if manager.get_database_backend() == DatabaseBackend::Postgres {
            connection.execute_unprepared("DROP TRIGGER links_have_activity ON links").await?;
            connection.execute_unprepared("DROP FUNCTION add_link_activity").await?;
        } else {
            connection.execute_unprepared("DROP TRIGGER links_have_activity").await?;
        }
        for name in ["links_account_created", "links_account_host"] {
            manager.drop_index(Index::drop().name(name).table("links").to_owned()).await?;
        }
        manager.drop_table(Table::drop().table("link_activity").to_owned()).await
    }
}
