//! Path, query and body of a request → GraphQL variables. Every violation is found before any is answered, and each is
//! named as the caller wrote it.

use std::{borrow::Cow, collections::HashMap};

use async_graphql::{
    Name, Value,
    indexmap::IndexMap,
    parser::types::{BaseType, Type},
};
use axum::{body::Body, http::HeaderMap};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Number, Value as Json};

use crate::{
    api::{
        graphql::coercion::integer,
        rest::{
            compact,
            operation::{self, Operation, Parameter},
        },
    },
    base::{
        error::{ApiError, Code, Violations},
        validate,
    },
    contract::{BodyFile, Contract, Input, Rules, Shape, rules, written::INPUT},
    platform::http::{bodies, edge},
};

/// The query parameter that narrows the answer.
pub(crate) const FIELDS: &str = "fields";
/// The path of the body as a whole.
const BODY: &str = "body";
/// Characters of an unknown field's name that a refusal repeats.
const MAX_SHOWN: usize = 64;

/// The input of a REST request: variables and selected fields.
#[derive(Debug)]
pub(crate) struct RequestInput {
    /// The operation's variables: an object.
    pub(crate) variables: Value,
    /// The fields of the entity to answer with; none is all.
    pub(crate) fields: Option<Vec<String>>,
}

/// Reads a body: a JSON object, or the file that stands for one.
pub(crate) async fn of_body(
    definition: &operation::Body,
    headers: &HeaderMap,
    body: Body,
) -> Result<Map<String, Json>, ApiError> {
    let Some((field, BodyFile { media_types, max_bytes })) = &definition.file else {
        return edge::read_json_object(headers, body).await;
    };
    if !edge::has_type(headers, media_types) {
        return edge::read_json_object(headers, body).await.map_err(|error| match error.code {
            Code::UnsupportedMediaType => {
                let message = format!("The request body must be application/json, or {}.", media_types.join(", "));
                ApiError { message: message.into(), ..error }
            }
            _ => error,
        });
    }
    let file = edge::read_body(headers, body, *max_bytes).await?;
    bodies::grow(file.len() + base64::encoded_len(file.len(), true).unwrap_or(file.len()))?;
    Ok(Map::from_iter([(field.clone(), STANDARD.encode(file).into())]))
}

/// Reads a request. Sources are never mixed: a query parameter can't stand in for a body field.
pub(crate) fn read<'a>(
    contract: &Contract,
    operation: &Operation,
    path: impl Iterator<Item = (&'a str, &'a str)>,
    query: &str,
    body: Option<Map<String, Json>>,
) -> Result<RequestInput, ApiError> {
    let mut reader = Reader { contract, violations: Violations::default(), is_separate: false };
    let mut variables = IndexMap::new();
    let path: HashMap<&str, &str> = path.collect();
    for Parameter { name, argument } in &operation.path_parameters {
        let text = path.get(name.as_str()).copied().unwrap_or_default();
        if let Some(value) = reader.texts(name, argument, &[text.to_owned()]) {
            variables.insert(Name::new(&argument.name), value);
        }
    }
    let mut given: HashMap<String, Vec<String>> = HashMap::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        // Unknown parameters are ignored, so they are not kept either.
        if name == FIELDS || operation.query_parameters.iter().any(|parameter| parameter.name == name) {
            given.entry(name.into_owned()).or_default().push(value.into_owned());
        }
    }
    for Parameter { name, argument } in &operation.query_parameters {
        match given.get(name) {
            Some(texts) => {
                if let Some(value) = reader.texts(name, argument, texts) {
                    variables.insert(Name::new(&argument.name), value);
                }
            }
            None if argument.is_required() => reader.violations.add(name, "is required"),
            None => {}
        }
    }
    // A body may be sent where none is taken; then each of its fields is unknown.
    let known = operation.body.as_ref().and_then(|definition| contract.input(&definition.type_name));
    let value = body.and_then(|body| reader.object("", known.unwrap_or_default(), body));
    if let (Some(_), Some(value)) = (known, value) {
        if let Some(root) = operation.mutation(contract) {
            root.check_change(contract, BODY, &value, &mut reader.violations);
        }
        variables.insert(Name::new(INPUT), value);
    }
    let fields = given.get(FIELDS).and_then(|texts| reader.field_names(operation, texts));
    reader.violations.finish()?;
    Ok(RequestInput { variables: Value::Object(variables), fields })
}

struct Reader<'a> {
    contract: &'a Contract,
    violations: Violations,
    /// Whether the value is one of several that are judged alone, by their rules too.
    is_separate: bool,
}

impl Reader<'_> {
    fn refuse(&mut self, path: &str, message: impl Into<String>) -> Option<Value> {
        self.violations.add(path, message);
        None
    }

    fn field_names(&mut self, operation: &Operation, texts: &[String]) -> Option<Vec<String>> {
        let known = operation.field_names()?;
        let names: Vec<String> =
            texts.iter().flat_map(|text| text.split(',')).map(|name| name.trim().to_owned()).collect();
        match names.iter().find(|name| !known.contains(name)) {
            Some(_) => {
                self.violations.add(FIELDS, format!("may list {}", known.join(", ")));
                None
            }
            None => Some(names),
        }
    }

    /// A value of the path or the query.
    fn texts(&mut self, path: &str, input: &Input, texts: &[String]) -> Option<Value> {
        let value = match (&input.ty.base, texts) {
            (BaseType::List(inner), texts) => {
                let items: Vec<Option<Value>> = texts
                    .iter()
                    .enumerate()
                    .map(|(index, text)| self.text(&format!("{path}.{index}"), inner, text))
                    .collect();
                Value::List(items.into_iter().collect::<Option<_>>()?)
            }
            (BaseType::Named(_), [text]) => self.text(path, &input.ty, text)?,
            (BaseType::Named(_), _) => return self.refuse(path, "must be given once"),
        };
        self.check(path, &input.rules, value)
    }

    fn text(&mut self, path: &str, ty: &Type, text: &str) -> Option<Value> {
        let BaseType::Named(name) = &ty.base else { return self.refuse(path, "can't be a list of lists") };
        let Some(fields) = self.contract.input(name) else { return self.json(path, ty, of_text(name, text)) };
        match compact::read(fields, text, of_text) {
            Some(object) => self.object(path, fields, object),
            None => self.refuse(path, format!("must be written as {}", compact::form(fields))),
        }
    }

    fn object(&mut self, prefix: &str, fields: &[Input], mut object: Map<String, Json>) -> Option<Value> {
        let mut values = IndexMap::new();
        let mut complete = true;
        let below = |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
        for field in fields {
            let path = below(&field.name);
            // The others keep their order.
            match object.shift_remove(&field.name) {
                Some(json) => {
                    let value = match too_many(&field.rules, &json).filter(|_| !self.is_separate) {
                        Some(message) => self.refuse(&path, message),
                        None => {
                            let before = self.is_separate;
                            self.is_separate |= field.is_separate;
                            let value = self.json(&path, &field.ty, json);
                            self.is_separate = before;
                            value
                        }
                    };
                    match value.and_then(|value| self.check(&path, &field.rules, value)) {
                        Some(value) => {
                            values.insert(Name::new(&field.name), value);
                        }
                        None => complete = false,
                    }
                }
                None if field.is_required() => {
                    self.violations.add(path, "is required");
                    complete = false;
                }
                // Absent is not null: a PATCH leaves it alone.
                None => {}
            }
        }
        // The value of a misspelt field would silently not count.
        for name in object.keys() {
            complete = false;
            self.violations.add_with(|| {
                let message = match validate::nearest(name, fields, |field| &field.name) {
                    Some(nearest) => format!("is not a field: the nearest one is {}", nearest.name),
                    None => "is not a field: none is taken here".to_owned(),
                };
                (below(&shortened(name)), message)
            });
        }
        complete.then_some(Value::Object(values))
    }

    fn json(&mut self, path: &str, ty: &Type, json: Json) -> Option<Value> {
        if json.is_null() {
            return if ty.nullable { Some(Value::Null) } else { self.refuse(path, "must not be null") };
        }
        let name = match &ty.base {
            BaseType::Named(name) => name.as_str(),
            BaseType::List(inner) => {
                let Json::Array(items) = json else { return self.refuse(path, "must be a list") };
                let values: Vec<Option<Value>> = items
                    .into_iter()
                    .enumerate()
                    .map(|(index, item)| self.json(&format!("{path}.{index}"), inner, item))
                    .collect();
                return values.into_iter().collect::<Option<_>>().map(Value::List);
            }
        };
        match (name, json) {
            ("Int", Json::Number(number)) => match integer(&number) {
                Some(number) => Some(number.into()),
                None => self.refuse(path, "must be a whole number of 32 bits"),
            },
            ("Int", _) => self.refuse(path, "must be a whole number"),
            ("Float", Json::Number(number)) => Some(Value::Number(number)),
            ("Float", _) => self.refuse(path, "must be a number"),
            ("Boolean", Json::Bool(boolean)) => Some(Value::Boolean(boolean)),
            ("Boolean", _) => self.refuse(path, "must be true or false"),
            (_, json) => match rules::check_scalar(name, json.as_str()) {
                Err(message) => self.refuse(path, message),
                Ok(()) => self.named(path, name, json),
            },
        }
    }

    fn named(&mut self, path: &str, name: &str, json: Json) -> Option<Value> {
        let contract = self.contract;
        match (contract.types.get(name).map(|definition| &definition.shape), json) {
            (Some(Shape::Input(fields)), Json::Object(object)) => self.object(path, fields, object),
            (Some(Shape::Input(_)), _) => self.refuse(path, "must be an object"),
            (Some(Shape::Enum(values)), Json::String(text)) if values.contains(&text) => {
                Some(Value::Enum(Name::new(text)))
            }
            (Some(Shape::Enum(values)), _) => self.refuse(path, format!("must be one of {}", values.join(", "))),
            (_, Json::String(text)) => Some(Value::String(text)),
            _ => self.refuse(path, "must be text"),
        }
    }

    fn check(&mut self, path: &str, rules: &Rules, value: Value) -> Option<Value> {
        if self.is_separate {
            return Some(value);
        }
        rules.check(path, &value, self.contract.allow_private_targets, &mut self.violations).then_some(value)
    }
}

/// The JSON for the text of a scalar: the text itself if it is none of the type.
fn of_text(type_name: &str, text: &str) -> Json {
    let json = match type_name {
        // As JSON writes numbers.
        "Int" | "Float" => serde_json::from_str::<Number>(text).ok().map(Json::Number),
        "Boolean" => text.parse::<bool>().ok().map(Json::from),
        _ => None,
    };
    json.unwrap_or_else(|| Json::from(text))
}

/// Why a list is refused without a look at its items, if it is.
fn too_many(rules: &Rules, json: &Json) -> Option<String> {
    let (min, max) = rules.items?;
    let is_long = json.as_array().is_some_and(|items| i32::try_from(items.len()).is_ok_and(|length| length > max));
    is_long.then(|| rules::items_message(min, max))
}

/// The start of a text that a caller made up, if it is long.
fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}
