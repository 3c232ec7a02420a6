//! Workspaces: users are members of accounts, with a role, and are invited to them.
//!
//! A user begins as the owner of the account that was made with the user. A trigger says so, since the version before stores users without
//! memberships; the membership has the user's id.

use sea_orm::DatabaseBackend;

use crate::prelude::*;

pub(crate) struct Migration;

fn reference(table: &'static str, column: &'static str, to: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create().from(table, column).to(to, "id").on_delete(ForeignKeyAction::Cascade).take()
}

const FIRST: &str = "INSERT INTO memberships (id, user_id, account_id, role, created_at, changed_at)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let memberships = Table::create()
            .table("memberships")
            .col(uuid("id").primary_key())
            .col(uuid("user_id"))
            .col(uuid("account_id"))
            .col(text("role"))
            .col(big_integer("created_at"))
            .col(big_integer("changed_at"))
            .foreign_key(&mut reference("memberships", "user_id", "users"))
            .foreign_key(&mut reference("memberships", "account_id", "accounts"))
            .to_owned();
        manager.create_table(memberships).await?;
        let invitations = Table::create()
            .table("invitations")
            .col(uuid("id").primary_key())
            .col(uuid("account_id"))
            .col(text("email"))
            .col(text("role"))
            .col(var_binary_null("token_hash", 32).unique_key())
            .col(big_integer("created_at"))
            .col(big_integer("expires_at"))
            .foreign_key(&mut reference("invitations", "account_id", "accounts"))
            .to_owned();
        manager.create_table(invitations).await?;
        for index in [
            Index::create().name("memberships_place").table("memberships").col("user_id").col("account_id").unique().take(),
            // Members are listed in the order in which they came.
            Index::create().name("memberships_account").table("memberships").col("account_id").col("id").take(),
            Index::create().name("invitations_address").table("invitations").col("account_id").col("email").unique().take(),
            Index::create().name("invitations_expiry").table("invitations").col("expires_at").take(),
        ] {
            manager.create_index(index).await?;
        }
        let add = |table: &'static str, column| Table::alter().table(table).add_column(column).to_owned();
        manager.alter_table(add("accounts", text_null("name"))).await?;
        manager.alter_table(add("accounts", big_integer("updated_at").default(0).take())).await?;
        manager.alter_table(add("sessions", uuid_null("account_id"))).await?;
        manager.alter_table(add("api_keys", boolean("is_personal").default(false).take())).await?;
        let db = manager.get_connection();
        db.execute_unprepared(&format!("{FIRST} SELECT id, id, account_id, 'OWNER', created_at, created_at FROM users")).await?;
        let values = |row: &str| {
            format!("{FIRST} VALUES ({row}.id, {row}.id, {row}.account_id, 'OWNER', {row}.created_at, {row}.created_at);")
        };
        if manager.get_database_backend() == DatabaseBackend::Postgres {
            db.execute_unprepared(&format!(
                "CREATE FUNCTION add_first_membership() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {} RETURN NULL; END $$",
                values("NEW")
            ))
            .await?;
            db.execute_unprepared(
                "CREATE TRIGGER first_membership AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION add_first_membership()",
            )
            .await?;
        } else {
            db.execute_unprepared(&format!(
                "CREATE TRIGGER first_membership AFTER INSERT ON users BEGIN {} END",
                values("new")
            ))
            .await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        if manager.get_database_backend() == DatabaseBackend::Postgres {
            db.execute_unprepared("DROP TRIGGER first_membership ON users").await?;
            db.execute_unprepared("DROP FUNCTION add_first_membership()").await?;
        } else {
            db.execute_unprepared("DROP TRIGGER first_membership").await?;
        }
        for (table, column) in [("api_keys", "is_personal"), ("sessions", "account_id"), ("accounts", "updated_at"), ("accounts", "name")] {
            manager.alter_table(Table::alter().table(table).drop_column(column).to_owned()).await?;
        }
        for table in ["invitations", "memberships"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
