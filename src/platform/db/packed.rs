//! Packs many rows of a result into one value. SQLite runs on a thread of its own, which hands over each row separately, with a
//! wake-up that takes several times as long as finding the row.

use std::str::from_utf8;

use sea_orm::{ConnectionTrait, DatabaseBackend, DbErr, Statement};

/// The expression that packs rows of a whole number and byte strings: an aggregate, in no order. None of the values may be null.
pub fn packed<const N: usize>(backend: DatabaseBackend, number: &str, bytes: [&str; N]) -> String {
    packed_where(backend, "true", number, bytes)
}

/// The expression that packs only those rows of which the condition holds.
pub(crate) fn packed_where<const N: usize>(
    backend: DatabaseBackend,
    condition: &str,
    number: &str,
    bytes: [&str; N],
) -> String {
    let filter = if condition == "true" { String::new() } else { format!(" FILTER (WHERE {condition})") };
    if backend == DatabaseBackend::Postgres {
        let lengths: String = bytes.iter().map(|bytes| format!(" || ' ' || octet_length({bytes})")).collect();
        let bytes: String = bytes.iter().map(|bytes| format!(" || {bytes}")).collect();
        return format!("string_agg(convert_to({number}{lengths} || ' ', 'UTF8'){bytes}, ''::bytea){filter}");
    }
    // One call: each `||` would copy the row so far. Text is bytes too: neither of these casts changes one.
    let lengths: String = bytes.iter().map(|bytes| format!(", ' ', octet_length({bytes})")).collect();
    let bytes: String = bytes.iter().map(|bytes| format!(", CAST({bytes} AS text)")).collect();
    format!("CAST(group_concat(concat({number}{lengths}, ' '{bytes}), ''){filter} AS blob)")
}

/// The expression for the bytes of a text column; empty for null.
pub(crate) fn text(backend: DatabaseBackend, column: &str) -> String {
    match backend {
        DatabaseBackend::Postgres => format!("convert_to(coalesce({column}, ''), 'UTF8')"),
        _ => format!("coalesce({column}, '')"),
    }
}

/// The expression for the bytes of a column of ids.
pub(crate) fn uuid(backend: DatabaseBackend, column: &str) -> String {
    match backend {
        DatabaseBackend::Postgres => format!("uuid_send({column})"),
        _ => column.to_owned(),
    }
}

/// The expression for a flag: one byte for true, empty for false.
pub(crate) fn flag(backend: DatabaseBackend, column: &str) -> String {
    match backend {
        DatabaseBackend::Postgres => format!("CASE WHEN {column} THEN '1'::bytea ELSE ''::bytea END"),
        _ => format!("CASE WHEN {column} THEN '1' ELSE '' END"),
    }
}

/// A row: an integer and `N` byte strings.
pub(crate) type Row<'a, const N: usize> = (i64, [&'a [u8]; N]);

/// Packed rows.
#[derive(Clone, Debug, Default)]
pub struct Packed(Vec<u8>);

impl Packed {
    /// Asks for rows; [`packed`] is the first column of the statement.
    pub async fn query(db: &impl ConnectionTrait, statement: Statement) -> Result<Self, DbErr> {
        let row = db.query_one_raw(statement).await?;
        let bytes: Option<Vec<u8>> = row.map(|row| row.try_get_by_index(0)).transpose()?.flatten();
        Ok(Packed(bytes.unwrap_or_default()))
    }

    /// Asks for rows and for the number of those that were looked at; [`packed_where`] is the first column of the statement, `count(*)` the
    /// second.
    pub(crate) async fn query_counted(db: &impl ConnectionTrait, statement: Statement) -> Result<(Self, u64), DbErr> {
        let Some(row) = db.query_one_raw(statement).await? else { return Ok(Default::default()) };
        let (bytes, count): (Option<Vec<u8>>, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        Ok((Packed(bytes.unwrap_or_default()), count.unsigned_abs()))
    }

    /// Adds a row.
    pub(crate) fn push<const N: usize>(&mut self, (number, bytes): Row<'_, N>) {
        let mut head = number.to_string();
        bytes.iter().for_each(|bytes| head += &format!(" {}", bytes.len()));
        self.0.extend(head.as_bytes());
        self.0.push(b' ');
        bytes.iter().for_each(|bytes| self.0.extend(*bytes));
    }

    /// The rows.
    pub fn rows<const N: usize>(&self) -> Result<Vec<Row<'_, N>>, DbErr> {
        let mut rest = &self.0[..];
        let mut rows = Vec::new();
        while !rest.is_empty() {
            rows.push(row(&mut rest).ok_or_else(|| DbErr::Type("packed rows can't be read".to_owned()))?);
        }
        Ok(rows)
    }
}

fn row<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<Row<'a, N>> {
    let first = number(rest)?;
    let mut lengths = [0; N];
    for length in &mut lengths {
        *length = usize::try_from(number(rest)?).ok()?;
    }
    let mut bytes = [&[][..]; N];
    for (bytes, length) in bytes.iter_mut().zip(lengths) {
        (*bytes, *rest) = rest.split_at_checked(length)?;
    }
    Some((first, bytes))
}

fn number(rest: &mut &[u8]) -> Option<i64> {
    let end = rest.iter().position(|byte| *byte == b' ')?;
    let number = from_utf8(&rest[..end]).ok()?.parse().ok()?;
    *rest = &rest[end + 1..];
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_were_packed() {
        let packed = Packed(b"7 2 0 \0 -12 0 3 1 2".to_vec());
        let rows: Vec<Row<'_, 2>> = packed.rows().unwrap();
        assert_eq!(rows, [(7, [&b"\0 "[..], b""]), (-12, [&b""[..], b"1 2"])]);
        assert_eq!(Packed(b"4 5 ".to_vec()).rows::<0>().unwrap(), [(4, []), (5, [])]);
        assert!(Packed::default().rows::<1>().unwrap().is_empty());
    }

    #[test]
    fn truncated_rows_are_refused() {
        for bytes in ["7", "7 ", "7 2", "7 2 a", "7 -1 a", "a 1 a", " "] {
            assert!(Packed(bytes.into()).rows::<1>().is_err(), "{bytes}");
        }
    }
}
