//! Input values as their types have them: of variables (GraphQL specification, 6.1.2), and of arguments (6.4.1). Both are
//! done before anything is executed, so that no mistake in a value is found once half of a mutation has happened.

use std::fmt::Display;

use apollo_compiler::{
    Node, Schema,
    ast::{Type, Value as Literal},
    executable::Operation,
    schema::ExtendedType,
};
use async_graphql::{Name, Pos, ServerError, Value, Variables};

use super::{
    document::Document,
    rejection::{MAX_ERRORS, mistake},
};
use crate::contract::literal::constant;

/// The values that the operation's variables have: given ones as their types have them, and defaults. A variable that may be
/// null and has neither is left out. Fails with the mistakes of all, of which each names its place; they are not looked for
/// beyond the number that is told.
pub(crate) fn coerce_variables(
    schema: &Schema,
    document: &Document,
    operation: &Operation,
    given: &Variables,
) -> Result<Variables, Vec<ServerError>> {
    let mut coercion = Coercion { schema, place: Pos::default(), errors: Vec::new() };
    let mut values = Variables::default();
    for definition in &operation.variables {
        coercion.place = document.place(definition.location());
        let (name, path) = (Name::new(&definition.name), format!("${}", definition.name));
        let value = coercion.input(&path, &definition.ty, definition.default_value.as_ref(), given.get(&name));
        values.extend(value.map(|value| (name, value)));
    }
    if coercion.errors.is_empty() { Ok(values) } else { Err(coercion.errors) }
}

struct Coercion<'a> {
    schema: &'a Schema,
    /// The definition of the variable.
    place: Pos,
    errors: Vec<ServerError>,
}

impl Coercion<'_> {
    /// The value of a variable or of an input object's field. `None`: it has no value, or an invalid one.
    fn input(
        &mut self,
        path: &str,
        ty: &Type,
        default: Option<&Node<Literal>>,
        given: Option<&Value>,
    ) -> Option<Value> {
        match (given, default) {
            (Some(value), _) => self.value(path, ty, value),
            (None, Some(default)) => argument(&Variables::default(), self.schema, Some(ty), default).ok().flatten(),
            (None, None) if ty.is_non_null() => self.refuse(path, ty, "it is not given"),
            (None, None) => None,
        }
    }

    fn refuse(&mut self, path: &str, ty: &Type, reason: impl Display) -> Option<Value> {
        if self.errors.len() < MAX_ERRORS {
            let message = format_args!("Variable {path} must be of type {ty}: {reason}.");
            self.errors.push(mistake(message, Some(self.place)));
        }
        None
    }

    fn value(&mut self, path: &str, ty: &Type, value: &Value) -> Option<Value> {
        if self.errors.len() >= MAX_ERRORS {
            return None;
        }
        if *value == Value::Null {
            return if ty.is_non_null() { self.refuse(path, ty, "it is null") } else { Some(Value::Null) };
        }
        match ty {
            Type::List(item) | Type::NonNullList(item) => {
                // A value that is no list is a list with one item.
                let Value::List(items) = value else { return Some(Value::List(vec![self.value(path, item, value)?])) };
                let items = items.iter().enumerate();
                Some(Value::List(
                    items.filter_map(|(index, value)| self.value(&format!("{path}.{index}"), item, value)).collect(),
                ))
            }
            Type::Named(name) | Type::NonNullNamed(name) => match self.schema.types.get(name)? {
                ExtendedType::InputObject(definition) => {
                    let Value::Object(given) = value else { return self.refuse(path, ty, "it is no object") };
                    for name in given.keys().filter(|name| !definition.fields.contains_key(name.as_str())) {
                        self.refuse(path, ty, format_args!("it has no field {name}"));
                    }
                    let mut fields = async_graphql::indexmap::IndexMap::new();
                    for (name, field) in &definition.fields {
                        let path = format!("{path}.{name}");
                        let given = given.get(name.as_str());
                        let value = self.input(&path, &field.ty, field.default_value.as_ref(), given);
                        fields.extend(value.map(|value| (Name::new(name), value)));
                    }
                    Some(Value::Object(fields))
                }
                ExtendedType::Enum(definition) => match value {
                    Value::String(text) if definition.values.contains_key(text.as_str()) => {
                        Some(Value::Enum(Name::new(text)))
                    }
                    _ => self.refuse(path, ty, "it is none of the enum's values"),
                },
                _ => self.scalar(path, ty, name, value),
            },
        }
    }

    /// A scalar that GraphQL does not define takes any value here: its own rules are judged with the contract's.
    fn scalar(&mut self, path: &str, ty: &Type, name: &str, value: &Value) -> Option<Value> {
        let known = match (name, value) {
            // As JSON has one kind of numbers, 1.0 is an integer.
            ("Int", Value::Number(number)) => integer(number).map(Value::from),
            ("Float", Value::Number(_)) | ("String", Value::String(_)) | ("Boolean", Value::Boolean(_)) => {
                Some(value.clone())
            }
            ("ID", Value::String(_)) => Some(value.clone()),
            ("ID", Value::Number(number)) if number.is_i64() || number.is_u64() => Some(value.clone()),
            ("Int" | "Float" | "String" | "Boolean" | "ID", _) => None,
            _ => Some(value.clone()),
        };
        match (known, name) {
            (Some(value), _) => Some(value),
            (None, "Int") => self.refuse(path, ty, "it is no integer of 32 bits"),
            (None, _) => self.refuse(path, ty, "it has another type"),
        }
    }
}

/// The integer of 32 bits that a number is, however it is written: `5.0` and `1e2` are integers, too. `None`: it is none.
pub(crate) fn integer(number: &async_graphql::Number) -> Option<i32> {
    match number.as_i64() {
        Some(integer) => i32::try_from(integer).ok(),
        // A whole number is written without a fraction.
        None => number.as_f64()?.to_string().parse().ok(),
    }
}

/// Null where the type has none: a variable that may be null may stand where there is a default, but null is not the default.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnexpectedNull;

/// The value that an argument of this type has: none if it is a variable without one. The literal is valid, the variables are
/// coerced. None as the type: a part of a scalar that GraphQL does not define.
pub(crate) fn argument(
    variables: &Variables,
    schema: &Schema,
    ty: Option<&Type>,
    literal: &Literal,
) -> Result<Option<Value>, UnexpectedNull> {
    Ok(Some(match literal {
        Literal::Variable(name) => match variables.get(&Name::new(name)) {
            Some(Value::Null) if ty.is_some_and(Type::is_non_null) => return Err(UnexpectedNull),
            value => return Ok(value.cloned()),
        },
        Literal::List(items) => {
            let item = ty.map(Type::item_type);
            let value = |literal| Ok(argument(variables, schema, item, literal)?.unwrap_or_default());
            Value::List(items.iter().map(|literal| value(literal)).collect::<Result<_, _>>()?)
        }
        Literal::Object(given) => {
            let definition = ty.and_then(|ty| schema.get_input_object(ty.inner_named_type()));
            let mut fields = async_graphql::indexmap::IndexMap::new();
            for (name, literal) in given {
                let ty = definition.and_then(|definition| Some(&*definition.fields.get(name)?.ty));
                fields.extend(argument(variables, schema, ty, literal)?.map(|value| (Name::new(name), value)));
            }
            Value::Object(fields)
        }
        literal => constant(literal),
    }))
}
