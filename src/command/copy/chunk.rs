//! Values, and chunks of rows that are stored at once.

use sea_orm::sqlx::{
    self, Postgres, Row,
    postgres::{PgArguments, PgRow},
    query::Query,
    sqlite::SqliteRow,
};
use uuid::Uuid;

use super::schema::{Column, Kind, Table};

/// Rows that are stored at once, at most.
const ROWS: usize = 4_000;
/// Bytes of values after which no more rows are taken into a chunk.
const BYTES: usize = 4 << 20;

/// A value, the same whichever database it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    Uuid(Uuid),
    Bool(bool),
    Int4(i32),
    Int8(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// A row's values, in the order of the table's columns.
pub(super) type Values = Vec<Value>;

/// Reads values of rows.
pub(super) trait Read {
    fn value(&self, place: usize, kind: Kind) -> Result<Value, sqlx::Error>;

    /// All values of the row: it has these columns.
    fn values<'a>(&self, columns: impl Iterator<Item = &'a Column>) -> Result<Values, sqlx::Error> {
        columns.enumerate().map(|(place, column)| self.value(place, column.kind)).collect()
    }
}

macro_rules! impl_read {
    ($($row:ty),*) => {$(
        impl Read for $row {
            fn value(&self, place: usize, kind: Kind) -> Result<Value, sqlx::Error> {
                Ok(match kind {
                    Kind::Uuid => self.try_get::<Option<Uuid>, _>(place)?.map(Value::Uuid),
                    Kind::Bool => self.try_get::<Option<bool>, _>(place)?.map(Value::Bool),
                    Kind::Int4 => self.try_get::<Option<i32>, _>(place)?.map(Value::Int4),
                    Kind::Int8 => self.try_get::<Option<i64>, _>(place)?.map(Value::Int8),
                    Kind::Text => self.try_get::<Option<String>, _>(place)?.map(Value::Text),
                    Kind::Bytes => self.try_get::<Option<Vec<u8>>, _>(place)?.map(Value::Bytes),
                }
                .unwrap_or(Value::Null))
            }
        }
    )*};
}

impl_read!(SqliteRow, PgRow);

impl Value {
    fn size(&self) -> usize {
        match self {
            Value::Text(text) => text.len(),
            Value::Bytes(bytes) => bytes.len(),
            _ => size_of::<Uuid>(),
        }
    }
}

/// Rows that are stored at once, by column.
pub(super) struct Chunk {
    columns: Vec<Vec<Value>>,
    bytes: usize,
}

impl Chunk {
    pub(super) fn new(table: &Table) -> Self {
        Chunk { columns: table.columns.iter().map(|_| Vec::new()).collect(), bytes: 0 }
    }

    pub(super) fn push(&mut self, row: Values) {
        self.bytes += row.iter().map(Value::size).sum::<usize>();
        self.columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }

    pub(super) fn rows(&self) -> u64 {
        self.columns.first().map_or(0, |column| column.len() as u64)
    }

    pub(super) fn is_full(&self) -> bool {
        self.rows() >= ROWS as u64 || self.bytes >= BYTES
    }

    /// The whole numbers of a column.
    pub(super) fn numbers(&self, place: usize) -> impl Iterator<Item = i64> {
        self.columns.get(place).into_iter().flatten().filter_map(|value| match value {
            Value::Int8(number) => Some(*number),
            _ => None,
        })
    }

    /// Binds an array a column to a query.
    pub(super) fn bind<'q>(
        self,
        mut query: Query<'q, Postgres, PgArguments>,
        table: &Table,
    ) -> Query<'q, Postgres, PgArguments> {
        macro_rules! array {
            ($variant:ident, $values:expr) => {{
                let of_kind = |value| if let Value::$variant(value) = value { Some(value) } else { None };
                query.bind($values.into_iter().map(of_kind).collect::<Vec<_>>())
            }};
        }
        for (column, values) in table.columns.iter().zip(self.columns) {
            query = match column.kind {
                Kind::Uuid => array!(Uuid, values),
                Kind::Bool => array!(Bool, values),
                Kind::Int4 => array!(Int4, values),
                Kind::Int8 => array!(Int8, values),
                Kind::Text => array!(Text, values),
                Kind::Bytes => array!(Bytes, values),
            };
        }
        query
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_is_full_by_rows_or_by_bytes() {
        let column = |name: &str, kind| Column { name: name.to_owned(), kind, sequence: None };
        let columns = vec![column("id", Kind::Int8), column("text", Kind::Text)];
        let table = Table { name: "a".to_owned(), is_partitioned: false, columns, key: vec![0] };
        let mut chunk = Chunk::new(&table);
        for number in 0..ROWS as i64 {
            assert!(!chunk.is_full());
            chunk.push(vec![Value::Int8(number), Value::Null]);
        }
        assert!(chunk.is_full());
        assert_eq!((chunk.rows(), chunk.numbers(0).sum::<i64>()), (4_000, 3_999 * 2_000));
        let mut chunk = Chunk::new(&table);
        chunk.push(vec![Value::Int8(1), Value::Text("a".repeat(BYTES))]);
        assert!(chunk.is_full());
    }
}
