//! Input values as their types have them: of variables (GraphQL specification, 6.1.2), and of arguments (6.4.1). Both are
//! done before anything is executed, so that no mistake in a value is found once half of a mutation has happened.

use apollo_compiler::{
    Schema,
    ast::{Type, Value as Literal, VariableDefinition},
    executable::Operation,
    schema::ExtendedType,
};
use async_graphql::{Name, ServerError, Value, Variables};

use super::document::Document;

/// Mistakes of variables that are looked for: lists can have thousands.
const MAX_MISTAKES: usize = 50;

/// The values that the operation's variables have: given ones as their types have them, and defaults. A variable that may be
/// null and has neither is left out. Fails with the mistakes of all, of which each names its place.
pub fn coerce_variables(
    schema: &Schema,
    document: &Document,
    operation: &Operation,
    given: &Variables,
) -> Result<Variables, Vec<ServerError>> {
    let mut values = Variables::default();
    let mut errors = Vec::new();
    for definition in &operation.variables {
        let mut coercion = Coercion { schema, mistakes: Vec::new() };
        let name = Name::new(&definition.name);
        match coercion.variable(definition, given.get(&name)) {
            Some(value) => drop(values.insert(name, value)),
            None => {
                let place = document.place(definition.location());
                errors.extend(coercion.mistakes.into_iter().map(|mistake| ServerError::new(mistake, Some(place))));
            }
        }
        if errors.len() >= MAX_MISTAKES {
            break;
        }
    }
    if errors.is_empty() { Ok(values) } else { Err(errors) }
}

struct Coercion<'a> {
    schema: &'a Schema,
    mistakes: Vec<String>,
}

impl Coercion<'_> {
    /// The value of a variable; none if it has none, or mistakes.
    fn variable(&mut self, definition: &VariableDefinition, given: Option<&Value>) -> Option<Value> {
        let path = format!("${}", definition.name);
        match given {
            Some(value) => self.value(&path, &definition.ty, value).filter(|_| self.mistakes.is_empty()),
            None => match &definition.default_value {
                Some(default) => constant(default),
                None if definition.ty.is_non_null() => self.refuse(&path, &definition.ty, "it is not given"),
                None => None,
            },
        }
    }

    fn refuse(&mut self, path: &str, ty: &Type, reason: &str) -> Option<Value> {
        self.mistakes.push(format!("Variable {path} must be of type {ty}: {reason}."));
        None
    }

    fn value(&mut self, path: &str, ty: &Type, value: &Value) -> Option<Value> {
        if self.mistakes.len() >= MAX_MISTAKES {
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
                        self.refuse(path, ty, &format!("it has no field {name}"));
                    }
                    let mut fields = async_graphql::indexmap::IndexMap::new();
                    for (name, field) in &definition.fields {
                        let path = format!("{path}.{name}");
                        let value = match given.get(name.as_str()) {
                            Some(value) => self.value(&path, &field.ty, value),
                            None => match &field.default_value {
                                Some(default) => constant(default),
                                None if field.ty.is_non_null() => self.refuse(&path, &field.ty, "it is not given"),
                                None => None,
                            },
                        };
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

fn integer(number: &async_graphql::Number) -> Option<i32> {
    match number.as_i64() {
        Some(integer) => i32::try_from(integer).ok(),
        // A whole number is written without a fraction.
        None => number.as_f64()?.to_string().parse().ok(),
    }
}

/// The value of a literal without variables, which is valid.
fn constant(literal: &Literal) -> Option<Value> {
    argument(&Variables::default(), None, None, literal).ok().flatten()
}

/// Null where the type has none: a variable that may be null may stand where there is a default, but null is not the default.
#[derive(Clone, Copy, Debug)]
pub struct UnexpectedNull;

/// The value that an argument of this type has: none if it is a variable without one. The literal is valid, the variables are
/// coerced. Types and schema are None where the literal has no variables.
pub fn argument(
    variables: &Variables,
    schema: Option<&Schema>,
    ty: Option<&Type>,
    literal: &Literal,
) -> Result<Option<Value>, UnexpectedNull> {
    Ok(Some(match literal {
        Literal::Variable(name) => match variables.get(&Name::new(name)) {
            Some(Value::Null) if ty.is_some_and(Type::is_non_null) => return Err(UnexpectedNull),
            value => return Ok(value.cloned()),
        },
        Literal::Null => Value::Null,
        Literal::Boolean(value) => Value::Boolean(*value),
        Literal::String(text) => Value::String(text.clone()),
        Literal::Enum(name) => Value::Enum(Name::new(name)),
        Literal::Int(number) => self::number(number.as_str()),
        Literal::Float(number) => self::number(number.as_str()),
        Literal::List(items) => {
            let item = ty.map(Type::item_type);
            let value = |literal| Ok(argument(variables, schema, item, literal)?.unwrap_or_default());
            Value::List(items.iter().map(|literal| value(literal)).collect::<Result<_, _>>()?)
        }
        Literal::Object(given) => {
            let definition = ty.and_then(|ty| schema?.get_input_object(ty.inner_named_type()));
            let mut fields = async_graphql::indexmap::IndexMap::new();
            for (name, literal) in given {
                let ty = definition.and_then(|definition| Some(&*definition.fields.get(name)?.ty));
                fields.extend(argument(variables, schema, ty, literal)?.map(|value| (Name::new(name), value)));
            }
            Value::Object(fields)
        }
    }))
}

/// A number beyond all types keeps its text, which no type takes.
fn number(text: &str) -> Value {
    text.parse().map_or_else(|_| Value::String(text.to_owned()), Value::Number)
}
