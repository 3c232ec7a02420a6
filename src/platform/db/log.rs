//! The log of statements, for those who want to know what is asked.

use sea_orm::{Statement, Value, sea_query::ArrayType};

/// Logs a statement and the types of its values, without these: `LINKGRAPH_LOG=info,linkgraph::statements=trace` shows what is asked.
/// Plans are tested on that.
pub(super) fn log(statement: &Statement) {
    tracing::trace!(target: "linkgraph::statements", types = types(statement), sql = statement.sql.as_str(), "A statement is executed");
}

/// The types that PostgreSQL is told of the values, separated by spaces.
fn types(statement: &Statement) -> String {
    let of_array = |array: &ArrayType| match array {
        ArrayType::Bool => "bool[]",
        ArrayType::Int => "int4[]",
        ArrayType::BigInt => "int8[]",
        ArrayType::String => "text[]",
        ArrayType::Uuid => "uuid[]",
        ArrayType::Bytes => "bytea[]",
        _ => "unknown",
    };
    let of = |value: &Value| match value {
        Value::Bool(_) => "bool",
        Value::Int(_) => "int4",
        Value::BigInt(_) | Value::BigUnsigned(_) => "int8",
        Value::Double(_) => "float8",
        Value::String(_) => "text",
        Value::Uuid(_) => "uuid",
        Value::Bytes(_) => "bytea",
        Value::Array(array, _) => of_array(array),
        _ => "unknown",
    };
    statement.values.iter().flat_map(|values| &values.0).map(of).collect::<Vec<_>>().join(" ")
}
