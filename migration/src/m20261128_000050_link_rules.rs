//! Rules and splits of links, the destinations that they lead to, and where clicks were led.

use crate::prelude::*;

pub(crate) struct Migration;

/// Columns of clicks: what was followed, the number of the destination, and that of the rule that led there.
const OF_CLICKS: [&str; 3] = ["trigger", "destination", "rule"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let of_link = |table: &str| {
            ForeignKey::create()
                .from(table.to_owned(), "link_id")
                .to("links", "id")
                .on_delete(ForeignKeyAction::Cascade)
                .to_owned()
        };
        let rules = Table::create()
            .table("link_rules")
            .col(uuid("link_id").primary_key())
            .col(text("rules"))
            .col(text_null("split"))
            .col(big_integer_null("split_stops_at"))
            .col(big_integer("rules_set_at"))
            .col(big_integer("split_set_at"))
            .col(big_integer("next_number"))
            .foreign_key(&mut of_link("link_rules"))
            .to_owned();
        manager.create_table(rules).await?;
        let destinations = Table::create()
            .table("link_destinations")
            .col(uuid("link_id"))
            .col(big_integer("number"))
            .col(text("url"))
            .col(text_null("label"))
            .col(big_integer_null("retired_at"))
            .primary_key(Index::create().col("link_id").col("number"))
            .foreign_key(&mut of_link("link_destinations"))
            .to_owned();
        manager.create_table(destinations).await?;
        for column in OF_CLICKS {
            let column = text_null(column);
            manager.alter_table(Table::alter().table("clicks").add_column(column).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in OF_CLICKS {
            manager.alter_table(Table::alter().table("clicks").drop_column(column).to_owned()).await?;
        }
        for table in ["link_destinations", "link_rules"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
