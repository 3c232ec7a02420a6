//! Links are sorted by all their clicks, those before an import included: `link_activity.click_count` is the sum.

use sea_orm::DatabaseBackend;

use crate::prelude::*;

pub(crate) struct Migration;

/// The trigger that makes the row of a new link, whose count is this.
fn trigger(backend: DatabaseBackend, count: &str) -> Vec<String> {
    let insert = format!(
        "INSERT INTO link_activity (link_id, account_id, click_count, last_clicked_at) \
         VALUES (new.id, new.account_id, {count}, 0);"
    );
    match backend {
        DatabaseBackend::Postgres => vec![format!(
            "CREATE OR REPLACE FUNCTION add_link_activity() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             {insert} RETURN NULL; END $$"
        )],
        _ => vec![
            "DROP TRIGGER links_have_activity".to_owned(),
            format!("CREATE TRIGGER links_have_activity AFTER INSERT ON links BEGIN {insert} END"),
        ],
    }
}

/// Changes the counts of imported links by those of before.
fn change(sign: char) -> String {
    format!(
        "UPDATE link_activity SET click_count = link_activity.click_count {sign} links.imported_clicks FROM links \
         WHERE links.id = link_activity.link_id AND links.imported_clicks > 0"
    )
}

async fn apply(manager: &SchemaManager<'_>, count: &str, sign: char) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    for statement in trigger(manager.get_database_backend(), count).into_iter().chain([change(sign)]) {
        connection.execute_unprepared(&statement).await?;
    }
    Ok(())
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        apply(manager, "new.click_count + coalesce(new.imported_clicks, 0)", '+').await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        apply(manager, "new.click_count", '-').await
    }
}
