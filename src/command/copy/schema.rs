//! The tables that are copied, as the databases describe them.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, bail};
use sea_orm::sqlx::{self, PgConnection, Row};

/// Tables of each database's own: which migrations it has, the mark of an unfinished copy, and indexes of links, which are made anew.
pub(super) const OWN: [&str; 5] =
    ["seaql_migrations", crate::platform::db::unfinished_copy::MARKER, "link_indexes", "link_blocks", "link_changes"];

/// Types of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Uuid,
    Bool,
    Int4,
    Int8,
    Text,
    Bytes,
}

impl Kind {
    const ALL: [Kind; 6] = [Kind::Uuid, Kind::Bool, Kind::Int4, Kind::Int8, Kind::Text, Kind::Bytes];

    /// The name of the type on PostgreSQL.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Uuid => "uuid",
            Kind::Bool => "bool",
            Kind::Int4 => "int4",
            Kind::Int8 => "int8",
            Kind::Text => "text",
            Kind::Bytes => "bytea",
        }
    }
}

#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The sequence that numbers new rows, if there is one.
    pub(super) sequence: Option<String>,
}

#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: String,
    /// Whether its rows stand in partitions, which are made on demand.
    pub(super) is_partitioned: bool,
    pub(super) columns: Vec<Column>,
    /// Places of the primary key's columns, in its order.
    pub(super) key: Vec<usize>,
}

impl Table {
    pub(super) fn quoted(&self) -> String {
        quoted(&self.name)
    }

    /// All columns, as SQL names them.
    pub(super) fn column_list(&self) -> String {
        self.columns.iter().map(|column| quoted(&column.name)).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn key_columns(&self) -> impl Iterator<Item = &Column> {
        self.key.iter().filter_map(|place| self.columns.get(*place))
    }
}

/// An identifier in SQL, of either database.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Tables of the schema that a connection uses; partitions are parts of others, and extensions may have tables of their own.
const TABLES: &str = "\
    SELECT pg_class.oid, relname::text, relkind = 'p' FROM pg_class \
    JOIN pg_namespace ON pg_namespace.oid = relnamespace AND nspname = current_schema() \
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relname <> ALL ($1) AND NOT EXISTS ( \
    SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e') ORDER BY 2";

/// Columns in their order, with the place in the primary key.
const COLUMNS: &str = "\
    SELECT attname::text, typname::text, array_position(indkey::int2[], attnum), \
    pg_get_serial_sequence($1::oid::regclass::text, attname) FROM pg_attribute \
    JOIN pg_type ON pg_type.oid = atttypid LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary \
    WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped ORDER BY attnum";

/// Pairs of a table and another that it refers to.
const REFERENCES: &str = "\
    SELECT DISTINCT referring.relname::text, referred.relname::text FROM pg_constraint \
    JOIN pg_class AS referring ON referring.oid = conrelid JOIN pg_class AS referred ON referred.oid = confrelid \
    WHERE contype = 'f' AND conrelid <> confrelid";

/// The tables of a PostgreSQL, each after those that it refers to.
pub(super) async fn read(connection: &mut PgConnection) -> anyhow::Result<Vec<Table>> {
    let mut tables = Vec::new();
    for row in sqlx::query(TABLES).bind(OWN.map(str::to_owned).to_vec()).fetch_all(&mut *connection).await? {
        let oid: sqlx::postgres::types::Oid = row.try_get(0)?;
        let columns = sqlx::query(COLUMNS).bind(oid).fetch_all(&mut *connection).await?;
        let (name, is_partitioned) = (row.try_get::<String, _>(1)?, row.try_get(2)?);
        let mut table = Table { name, is_partitioned, columns: Vec::new(), key: Vec::new() };
        let mut key = BTreeMap::new();
        for (place, row) in columns.iter().enumerate() {
            let (name, kind): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            let unknown = || format!("{}.{name}: columns of the type {kind} can't be copied", table.name);
            let kind = Kind::ALL.into_iter().find(|known| known.name() == kind).with_context(unknown)?;
            key.extend(row.try_get::<Option<i32>, _>(2)?.map(|of_key| (of_key, place)));
            table.columns.push(Column { name, kind, sequence: row.try_get(3)? });
        }
        table.key = key.into_values().collect();
        if table.key.is_empty() {
            bail!("{}: tables without a primary key can't be copied", table.name);
        }
        tables.push(table);
    }
    let mut references: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in sqlx::query(REFERENCES).fetch_all(connection).await? {
        references.entry(row.try_get(0)?).or_default().push(row.try_get(1)?);
    }
    ordered(tables, &references)
}

/// Puts each table after those that it refers to.
fn ordered(mut tables: Vec<Table>, references: &BTreeMap<String, Vec<String>>) -> anyhow::Result<Vec<Table>> {
    let mut in_order: Vec<Table> = Vec::new();
    while !tables.is_empty() {
        let waits = |table: &Table| {
            let referred = references.get(&table.name).map_or(&[][..], Vec::as_slice);
            tables.iter().any(|other| referred.contains(&other.name))
        };
        let Some(next) = tables.iter().position(|table| !waits(table)) else {
            bail!("{}: tables that refer to each other can't be copied", tables[0].name);
        };
        in_order.push(tables.remove(next));
    }
    Ok(in_order)
}

/// Columns by their tables.
pub(super) type Columns = BTreeMap<String, BTreeSet<String>>;

/// Refuses databases of which one has a column that the other lacks.
pub(super) fn compare(tables: &[Table], source: &Columns) -> anyhow::Result<()> {
    let named = |table: &Table| table.columns.iter().map(|column| column.name.clone()).collect();
    let target: Columns = tables.iter().map(|table| (table.name.clone(), named(table))).collect();
    let flat = |columns: &Columns| -> BTreeSet<String> {
        columns.iter().flat_map(|(table, names)| names.iter().map(move |name| format!("{table}.{name}"))).collect()
    };
    let (source, target) = (flat(source), flat(&target));
    match source.symmetric_difference(&target).next() {
        None => Ok(()),
        Some(column) if source.contains(column) => bail!("{column}: the target has no such column"),
        Some(column) => bail!("{column}: the source has no such column"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str) -> Table {
        Table { name: name.to_owned(), is_partitioned: false, columns: Vec::new(), key: Vec::new() }
    }

    #[test]
    fn tables_come_after_those_that_they_refer_to() {
        let references = |pairs: &[(&str, &[&str])]| {
            let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            pairs.iter().map(|(name, referred)| ((*name).to_owned(), owned(referred))).collect()
        };
        let tables = || ["a", "b", "c", "d"].map(table).into();
        let names = |tables: Vec<Table>| tables.into_iter().map(|table| table.name).collect::<String>();
        assert_eq!(names(ordered(tables(), &BTreeMap::new()).unwrap()), "abcd");
        let chain = references(&[("a", &["c", "d"]), ("c", &["d"]), ("b", &["a"])]);
        assert_eq!(names(ordered(tables(), &chain).unwrap()), "dcab");
        assert!(ordered(tables(), &references(&[("a", &["c"]), ("c", &["a"])])).is_err());
    }

    #[test]
    fn a_column_of_one_database_alone_is_named() {
        let columns = |name: &str| BTreeMap::from([("a".to_owned(), BTreeSet::from([name.to_owned()]))]);
        let tables = |name: &str| {
            let column = Column { name: name.to_owned(), kind: Kind::Text, sequence: None };
            vec![Table { columns: vec![column], ..table("a") }]
        };
        assert!(compare(&tables("x"), &columns("x")).is_ok());
        for (target, source) in [("x", "y"), ("y", "x")] {
            let said = compare(&tables(target), &columns(source)).unwrap_err().to_string();
            assert!(said.starts_with("a.x: the source") || said.starts_with("a.x: the target"), "{said}");
        }
    }
}
