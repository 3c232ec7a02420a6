//! Statements on many rows: few of them, and few different ones.

use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait, FromQueryResult, IdenStatic, Iterable,
    PrimaryKeyToColumn, Statement, Value,
    sea_query::{ArrayType, Expr, Func, JoinType, OnConflict, Query, SelectStatement, UnionType},
};
use uuid::Uuid;

/// Rows of one statement: SQLite takes 32,766 parameters, PostgreSQL 65,535.
pub(crate) const ROWS_PER_STATEMENT: usize = 500;
/// Rows of the statements that [`on_rows`] makes for SQLite.
const STATEMENT_LENGTHS: [usize; 4] = [512, 64, 8, 1];

/// Statements on a list of rows, as few as the database takes at once. `sql` gets the rows as a table that can stand after
/// `FROM`, with the columns `column1`, `column2` and so on, of these types. None of the values may be null.
pub fn on_rows<const N: usize>(
    backend: DatabaseBackend,
    types: [&str; N],
    rows: Vec<[Value; N]>,
    sql: impl Fn(&str) -> String,
) -> Vec<Statement> {
    if backend == DatabaseBackend::Postgres {
        return if rows.is_empty() { Vec::new() } else { vec![on_arrays(types, rows, sql)] };
    }
    let mut statements = Vec::new();
    let mut rows = rows.into_iter();
    // Statements of few lengths, which the connection keeps prepared: each further length would be parsed anew.
    for length in STATEMENT_LENGTHS {
        let row = format!("({})", vec!["?"; N].join(", "));
        while rows.len() >= length {
            let text = sql(&format!("(VALUES {})", vec![row.as_str(); length].join(", ")));
            let values = rows.by_ref().take(length).flatten();
            statements.push(Statement::from_sql_and_values(backend, text, values));
        }
    }
    statements
}

/// Stores a row, in the place of the one that has its primary key, if there is one.
pub(crate) async fn replace<A>(tx: &impl ConnectionTrait, row: <A::Entity as EntityTrait>::Model) -> Result<(), DbErr>
where
    A: ActiveModelTrait + From<<A::Entity as EntityTrait>::Model>,
{
    let key: Vec<_> = <A::Entity as EntityTrait>::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column).collect();
    let is_key = |column: &<A::Entity as EntityTrait>::Column| key.iter().any(|part| part.as_str() == column.as_str());
    let others = <A::Entity as EntityTrait>::Column::iter().filter(|column| !is_key(column));
    let conflict = OnConflict::columns(key.iter().copied()).update_columns(others).to_owned();
    A::Entity::insert(A::from(row).reset_all()).on_conflict(conflict).exec_without_returning(tx).await?;
    Ok(())
}

/// One array a column: the statement is the same for any number of rows.
fn on_arrays<const N: usize>(types: [&str; N], rows: Vec<[Value; N]>, sql: impl Fn(&str) -> String) -> Statement {
    let mut columns = types.map(|_| Vec::with_capacity(rows.len()));
    for row in rows {
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    let numbered = |text: fn(usize, &str) -> String| {
        (1..).zip(types).map(|(number, kind)| text(number, kind)).collect::<Vec<_>>().join(", ")
    };
    let arrays = numbered(|number, kind| format!("${number}::{kind}[]"));
    let names = numbered(|number, _| format!("column{number}"));
    let values = columns.into_iter().map(|column| {
        let kind = column.first().map_or(ArrayType::String, Value::array_type);
        Value::Array(kind, Some(Box::new(column)))
    });
    let table = format!("(SELECT * FROM unnest({arrays}) AS listed ({names}))");
    Statement::from_sql_and_values(DatabaseBackend::Postgres, sql(&table), values)
}

/// Repeats the last item, up to a length for which statements are kept prepared; for lists in which repetitions do not matter.
pub(crate) fn filled_up<T: Clone>(mut list: Vec<T>) -> Vec<T> {
    let length = STATEMENT_LENGTHS.into_iter().rev().find(|length| *length >= list.len());
    if let (Some(length), Some(last)) = (length, list.last().cloned()) {
        list.resize(length, last);
    }
    list
}

/// Some rows of each key, by one statement. `rows` gets a key, and orders and limits its rows: they are read alone from
/// their index.
pub(crate) async fn of_each<M: FromQueryResult>(
    db: &impl ConnectionTrait,
    keys: Vec<Uuid>,
    rows: impl Fn(Expr) -> SelectStatement + Send,
) -> Result<Vec<M>, DbErr> {
    let backend = db.get_database_backend();
    match select_of_each(backend, keys, rows) {
        Some(all) => M::find_by_statement(backend.build(&all)).all(db).await,
        None => Ok(Vec::new()),
    }
}

/// The statement that finds some rows of each key, as [`of_each`] does. `None`: there are no keys.
pub(crate) fn select_of_each<R>(backend: DatabaseBackend, keys: Vec<Uuid>, rows: R) -> Option<SelectStatement>
where
    R: Fn(Expr) -> SelectStatement,
{
    if backend == DatabaseBackend::Postgres {
        // The same statement for any number of keys, planned once.
        let (keys, rows) = (Func::cust("unnest").arg(Expr::val(keys)), rows(Expr::col(("key", "key"))));
        let mut all = Query::select().expr(Expr::cust("found.*")).from_function(keys, "key").take();
        return Some(all.join_lateral(JoinType::InnerJoin, rows, "found", Expr::cust("true")).take());
    }
    // A part of a union can be ordered only as a subquery.
    let whole = |key| Query::select().expr(Expr::cust("*")).from_subquery(rows(Expr::val(key)), "part").take();
    keys.into_iter().map(whole).reduce(|mut union, part| union.union(UnionType::All, part).take())
}
