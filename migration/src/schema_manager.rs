//! The database as a migration changes it.

use sea_orm::{
    ConnectionTrait, DatabaseBackend, DatabaseTransaction, DbErr, StatementBuilder,
    sea_query::{
        IndexCreateStatement, IndexDropStatement, TableAlterStatement, TableCreateStatement, TableDropStatement,
    },
};

/// Executes the statements of one migration in its transaction.
pub(crate) struct SchemaManager<'a> {
    transaction: &'a DatabaseTransaction,
}

impl<'a> SchemaManager<'a> {
    pub(crate) fn new(transaction: &'a DatabaseTransaction) -> Self {
        SchemaManager { transaction }
    }

    /// The transaction, for statements as text.
    pub(crate) fn get_connection(&self) -> &DatabaseTransaction {
        self.transaction
    }

    pub(crate) fn get_database_backend(&self) -> DatabaseBackend {
        self.transaction.get_database_backend()
    }

    pub(crate) async fn execute(&self, statement: impl StatementBuilder) -> Result<(), DbErr> {
        self.transaction.execute(&statement).await.map(drop)
    }

    pub(crate) async fn create_table(&self, statement: TableCreateStatement) -> Result<(), DbErr> {
        self.execute(statement).await
    }

    pub(crate) async fn alter_table(&self, statement: TableAlterStatement) -> Result<(), DbErr> {
        self.execute(statement).await
    }

    pub(crate) async fn drop_table(&self, statement: TableDropStatement) -> Result<(), DbErr> {
        self.execute(statement).await
    }

    pub(crate) async fn create_index(&self, statement: IndexCreateStatement) -> Result<(), DbErr> {
        self.execute(statement).await
    }

    pub(crate) async fn drop_index(&self, statement: IndexDropStatement) -> Result<(), DbErr> {
        self.execute(statement).await
    }
}
