//! Converts values and types of apollo-compiler to those of async-graphql.

use apollo_compiler::ast;
use async_graphql::{Name, Value, parser::types::Type};

use super::{ContractError, refuse};

/// The value of a literal without variables; a variable is null.
pub(crate) fn constant(literal: &ast::Value) -> Value {
    match literal {
        ast::Value::Null | ast::Value::Variable(_) => Value::Null,
        ast::Value::Boolean(value) => Value::Boolean(*value),
        ast::Value::String(text) => Value::String(text.clone()),
        ast::Value::Enum(name) => Value::Enum(Name::new(name)),
        ast::Value::Int(number) => self::number(number.as_str()),
        ast::Value::Float(number) => self::number(number.as_str()),
        ast::Value::List(items) => Value::List(items.iter().map(|item| constant(item)).collect()),
        ast::Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (Name::new(name), constant(value))).collect())
        }
    }
}

/// A number beyond all types keeps its text, which no type takes.
fn number(text: &str) -> Value {
    text.parse().map_or_else(|_| Value::String(text.to_owned()), Value::Number)
}

/// The same type in async-graphql's terms.
pub(super) fn type_reference(ty: &ast::Type) -> Result<Type, ContractError> {
    let text = ty.to_string();
    match Type::new(&text) {
        Some(ty) => Ok(ty),
        None => refuse!("{text} is not a type"),
    }
}
