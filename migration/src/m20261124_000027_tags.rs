//! Tags of links. A trigger keeps the number of each tag's links, so that no version of the service forgets it: links go with
//! accounts too, and nodes of the version before delete links.

use sea_orm::DatabaseBackend;

use crate::{prelude::*, reserved::refuse_used_slug};

pub(crate) struct Migration;

const ON_SQLITE: [&str; 2] = [
    "CREATE TRIGGER link_tags_added AFTER INSERT ON link_tags BEGIN \
     UPDATE tags SET link_count = link_count + 1 WHERE id = new.tag_id; END",
    "CREATE TRIGGER link_tags_deleted AFTER DELETE ON link_tags BEGIN \
     UPDATE tags SET link_count = link_count - 1 WHERE id = old.tag_id; END",
];

/// Once for each statement, since one changes many rows. `linkgraph copy` brings tags with their counts.
const ON_POSTGRES: [&str; 3] = [
    "CREATE FUNCTION count_link_tags() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     UPDATE tags SET link_count = link_count + changed.links FROM (SELECT tag_id, count(*) AS links FROM changes GROUP BY tag_id) \
     AS changed WHERE tags.id = changed.tag_id AND TG_OP = 'INSERT'; \
     UPDATE tags SET link_count = link_count - changed.links FROM (SELECT tag_id, count(*) AS links FROM changes GROUP BY tag_id) \
     AS changed WHERE tags.id = changed.tag_id AND TG_OP = 'DELETE'; RETURN NULL; END $$",
    "CREATE TRIGGER link_tags_added AFTER INSERT ON link_tags REFERENCING NEW TABLE AS changes FOR EACH STATEMENT \
     WHEN (current_setting('linkgraph.copying', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION count_link_tags()",
    "CREATE TRIGGER link_tags_deleted AFTER DELETE ON link_tags REFERENCING OLD TABLE AS changes FOR EACH STATEMENT \
     EXECUTE FUNCTION count_link_tags()",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        refuse_used_slug(manager, "tags").await?;
        let cascade = |from: &str, column: &str, to: &str| {
            ForeignKey::create()
                .from(from.to_owned(), column.to_owned())
                .to(to.to_owned(), "id")
                .on_delete(ForeignKeyAction::Cascade)
                .to_owned()
        };
        let tags = Table::create()
            .table("tags")
            .col(uuid("id").primary_key())
            .col(uuid("account_id"))
            .col(text("name"))
            .col(text("key"))
            .col(big_integer("link_count"))
            .col(big_integer("created_at"))
            .foreign_key(&mut cascade("tags", "account_id", "accounts"))
            .to_owned();
        manager.create_table(tags).await?;
        let link_tags = Table::create()
            .table("link_tags")
            .col(uuid("tag_id"))
            .col(uuid("link_id"))
            .primary_key(Index::create().col("tag_id").col("link_id"))
            .foreign_key(&mut cascade("link_tags", "tag_id", "tags"))
            .foreign_key(&mut cascade("link_tags", "link_id", "links"))
            .to_owned();
        manager.create_table(link_tags).await?;
        let names = Index::create().name("tags_key").table("tags").col("account_id").col("key").unique().to_owned();
        manager.create_index(names).await?;
        let by_link = Index::create().name("link_tags_link").table("link_tags").col("link_id").to_owned();
        manager.create_index(by_link).await?;
        let statements = match manager.get_database_backend() {
            DatabaseBackend::Postgres => &ON_POSTGRES[..],
            _ => &ON_SQLITE,
        };
        for statement in statements {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("link_tags").to_owned()).await?;
        manager.drop_table(Table::drop().table("tags").to_owned()).await?;
        if manager.get_database_backend() == DatabaseBackend::Postgres {
            manager.get_connection().execute_unprepared("DROP FUNCTION count_link_tags").await?;
        }
        Ok(())
    }
}
