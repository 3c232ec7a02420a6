//! Types of the contract → JSON Schema, and typical values of them.

use std::collections::{BTreeMap, BTreeSet};

use async_graphql::{
    Name,
    parser::types::{BaseType, Type},
};
use serde_json::{Map, Value as Json, json};

use super::reference::reference;
use crate::{
    api::rest::{
        compact,
        operation::Operation,
        plan::Plan,
        selection::{is_selected, type_at},
    },
    base::validate,
    contract::{Contract, Deprecation, Field, Input, Rules, Shape, base_name, written::Place},
    graphql::directives::{Format, HttpMethod},
};

/// Before the name of a type as changes answer it.
const CHANGED: &str = "Changed";

/// The schemas of all types that operations use.
pub(super) struct Schemas<'a> {
    pub(super) contract: &'a Contract,
    /// Schemas by the name of their type.
    pub(super) done: BTreeMap<String, Json>,
    /// The place in the answer of a mutation that may have only what a request wrote. `None`: answers have all that callers may read.
    place: Option<Place<'a>>,
    /// Types of inputs that change something: null is accepted only where it takes a value away.
    changing: BTreeSet<&'a str>,
    /// Whether the schema is for a field of an item that is judged alone: what breaks a rule does not fail the request.
    is_in_item: bool,
}

impl<'a> Schemas<'a> {
    pub(super) fn new(contract: &'a Contract, plan: &'a Plan) -> Self {
        let mut changing = BTreeSet::new();
        for operation in plan.operations.iter().filter(|operation| operation.method == HttpMethod::Patch) {
            changing.extend(operation.body.as_ref().into_iter().flat_map(|body| contract.inputs_of(&body.type_name)));
        }
        Schemas { contract, done: BTreeMap::new(), place: None, changing, is_in_item: false }
    }

    /// The schema of what an operation answers, of this type.
    pub(super) fn of_answer(&mut self, operation: &Operation, ty: &Type) -> Json {
        self.place = operation.mutation(self.contract).and_then(|root| root.answer(self.contract, None));
        let schema = self.of_output(ty);
        self.place = None;
        schema
    }

    fn of_output(&mut self, ty: &Type) -> Json {
        let schema = match &ty.base {
            BaseType::List(inner) => json!({ "type": "array", "items": self.of_output(inner) }),
            BaseType::Named(name) => self.named(name),
        };
        if ty.nullable { nullable(schema) } else { schema }
    }

    pub(super) fn of_input(&mut self, input: &Input, may_be_null: bool) -> Json {
        let nothing = Rules::default();
        let rules = if self.is_in_item { &nothing } else { &input.rules };
        if input.is_separate {
            let before = std::mem::replace(&mut self.is_in_item, true);
            self.add(base_name(&input.ty));
            self.is_in_item = before;
        }
        let mut schema = match &input.ty.base {
            BaseType::List(inner) => {
                let mut items = match &inner.base {
                    BaseType::List(_) => json!({}),
                    BaseType::Named(name) => self.named(name),
                };
                apply(&mut items, rules);
                let mut list = json!({ "type": "array", "items": items });
                if let Some((min, max)) = rules.items {
                    list["minItems"] = min.into();
                    list["maxItems"] = max.into();
                }
                list
            }
            BaseType::Named(name) => {
                let mut schema = self.named(name);
                apply(&mut schema, rules);
                schema
            }
        };
        if let Some(default) = input.default.clone().and_then(|value| value.into_json().ok()) {
            schema["default"] = default;
        }
        if input.ty.nullable && may_be_null { nullable(schema) } else { schema }
    }

    /// The schema of a parameter: objects are texts.
    pub(super) fn of_parameter(&mut self, input: &Input) -> Json {
        let contract = self.contract;
        let Some(fields) = contract.input(base_name(&input.ty)) else { return self.of_input(input, false) };
        let mut text = input.clone();
        match &mut text.ty.base {
            BaseType::List(inner) => inner.base = BaseType::Named(Name::new("String")),
            base => *base = BaseType::Named(Name::new("String")),
        }
        let mut schema = self.of_input(&text, false);
        let texts = if schema["type"] == "array" { &mut schema["items"] } else { &mut schema };
        texts["pattern"] = compact::pattern(contract, fields).into();
        schema
    }

    fn named(&mut self, name: &str) -> Json {
        match name {
            "String" | "ID" => json!({ "type": "string" }),
            "Int" => json!({ "type": "integer", "format": "int32" }),
            "Float" => json!({ "type": "number", "format": "double" }),
            "Boolean" => json!({ "type": "boolean" }),
            "DateTime" => json!({ "type": "string", "format": "date-time" }),
            // Not the list of names: it grows, and clients may refuse what they do not know.
            "TimeZone" => json!({ "type": "string", "format": "time-zone" }),
            _ => match self.contract.types.get(name).map(|definition| &definition.shape) {
                Some(Shape::Enum(values)) => json!({ "type": "string", "enum": values }),
                // Its rules do not count here, so that it is another schema than elsewhere.
                Some(Shape::Input(_)) if self.is_in_item => self.object(name),
                Some(Shape::Object(_) | Shape::Input(_)) => reference("schemas", &self.add(name)),
                Some(Shape::Scalar | Shape::Union(_)) | None => json!({ "type": "string" }),
            },
        }
    }

    /// Adds an object type and all that it refers to, and answers its name in the document.
    pub(super) fn add(&mut self, name: &str) -> String {
        let mut fields = self.contract.object(name).into_iter().flatten();
        let resource = fields.find(|field| field.is_flattened).map_or(name, |field| base_name(&field.ty));
        let reads = self.place.and_then(|place| place.reads(self.contract, resource));
        let known_as = if reads.is_some() { format!("{CHANGED}{name}") } else { name.to_owned() };
        if !self.done.contains_key(&known_as) && self.contract.types.contains_key(name) {
            // Known from here on, so that types that refer to each other end.
            self.done.insert(known_as.clone(), Json::Null);
            let mut schema = self.object(name);
            if let Some(permission) = reads {
                let who = permission.scope().map(|scope| format!("`{}`", scope.as_str())).unwrap_or_default();
                let text = schema["description"].as_str().unwrap_or_default();
                schema["description"] = format!(
                    "{text}\n\nAs a change answers it: a key without {who} gets what its request wrote, and the id."
                )
                .into();
            }
            self.done.insert(known_as.clone(), schema);
        }
        known_as
    }

    /// The schema of an object type.
    fn object(&mut self, name: &str) -> Json {
        let contract = self.contract;
        let Some(definition) = contract.types.get(name) else { return json!({}) };
        let mut properties = Map::new();
        let mut required = Vec::new();
        match &definition.shape {
            Shape::Object(fields) => {
                let (in_entity, here) = (contract.is_entity(name), self.place);
                for field in fields.iter().filter(|field| is_selected(contract, field, in_entity)) {
                    self.place = here.map(|place| place.field(contract, name, field).1);
                    if field.is_flattened {
                        let inner = self.object(base_name(&field.ty));
                        properties.extend(inner["properties"].as_object().cloned().unwrap_or_default());
                        required.extend(inner["required"].as_array().into_iter().flatten().cloned());
                        continue;
                    }
                    let mut schema = self.of_output(&field.ty);
                    if let Some(max) = field.max_items {
                        schema["maxItems"] = max.into();
                    }
                    let mut schema = property(schema, &field.description, &field.ty, field.example.as_deref());
                    deprecate(&mut schema, field.deprecated.as_ref());
                    properties.insert(field.name.clone(), schema);
                    // Payloads of webhooks have all fields.
                    if definition.event.is_some() || is_sure(contract, name, field, here) {
                        required.push(Json::from(field.name.as_str()));
                    }
                }
                self.place = here;
            }
            Shape::Input(fields) => {
                for field in fields {
                    let schema = self.of_input(field, field.is_clearable || !self.changing.contains(name));
                    let mut schema = property(schema, &field.description, &field.ty, field.example.as_deref());
                    deprecate(&mut schema, field.deprecated.as_ref());
                    properties.insert(field.name.clone(), schema);
                    if field.is_required() {
                        required.push(field.name.as_str().into());
                    }
                }
            }
            Shape::Scalar | Shape::Enum(_) | Shape::Union(_) => {}
        }
        if let (Some(event), Some(kind)) = (&definition.event, properties.get_mut("type")) {
            kind["const"] = event.as_str().into();
        }
        let mut schema = json!({ "type": "object", "description": definition.description, "properties": properties });
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        if matches!(definition.shape, Shape::Input(_)) {
            schema["additionalProperties"] = false.into();
        }
        schema
    }

    /// A typical value of a type, put together from those of its fields.
    pub(super) fn example_of(&self, name: &str, in_entity: bool) -> Json {
        let contract = self.contract;
        let Some(definition) = contract.types.get(name) else { return Json::Null };
        let mut value = Map::new();
        match &definition.shape {
            Shape::Object(fields) => {
                let in_entity = in_entity || contract.is_entity(name);
                for field in fields.iter().filter(|field| is_selected(contract, field, in_entity)) {
                    let example = self.example_value(&field.ty, field.example.as_deref(), in_entity);
                    match example {
                        Json::Object(inner) if field.is_flattened => value.extend(inner),
                        example => drop(value.insert(field.name.clone(), example)),
                    }
                }
            }
            Shape::Input(fields) => {
                for field in fields {
                    let example = self.example_value(&field.ty, field.example.as_deref(), false);
                    // Nothing is taken away where null takes nothing away.
                    if !example.is_null() || field.is_clearable {
                        value.insert(field.name.clone(), example);
                    }
                }
            }
            Shape::Scalar | Shape::Enum(_) | Shape::Union(_) => return Json::Null,
        }
        Json::Object(value)
    }

    /// A typical item of what stands at a path of fields.
    pub(super) fn example_of_items(&self, ty: &Type, path: &[String]) -> Json {
        type_at(self.contract, ty, path).map_or(Json::Null, |name| self.example_of(name, false))
    }

    fn example_value(&self, ty: &Type, given: Option<&str>, in_entity: bool) -> Json {
        if let Some(value) = example(ty, given) {
            return value;
        }
        match &ty.base {
            BaseType::List(inner) => json!([self.example_value(inner, None, in_entity)]),
            BaseType::Named(name) => self.example_of(name, in_entity),
        }
    }
}

/// Whether the field of the type is in all answers, whatever callers may read: it, and something of what is below it.
fn is_sure(contract: &Contract, type_name: &str, field: &Field, place: Option<Place<'_>>) -> bool {
    let (permission, inner) = place.map(|place| place.field(contract, type_name, field)).unzip();
    let below = base_name(&field.ty);
    let has_something = contract.object(below).is_none_or(|fields| {
        let mut selected = fields.iter().filter(|field| is_selected(contract, field, contract.is_entity(below)));
        selected.any(|field| is_sure(contract, below, field, inner))
    });
    field.permissions.is_empty() && permission.flatten().is_none() && has_something
}

fn property(mut schema: Json, description: &str, ty: &Type, given: Option<&str>) -> Json {
    schema["description"] = description.into();
    if let Some(value) = example(ty, given).filter(|value| !value.is_null()) {
        schema["examples"] = json!([value]);
    }
    schema
}

/// Says of an operation, a parameter or a property that it is deprecated.
pub(super) fn deprecate(described: &mut Json, deprecated: Option<&Deprecation>) {
    let Some(Deprecation { reason, .. }) = deprecated else { return };
    let description = described["description"].as_str().unwrap_or_default();
    described["description"] = format!("{description}\n\nDeprecated: {reason}").into();
    described["deprecated"] = true.into();
}

/// The value of an `@example`: the text itself, or JSON for anything but text.
pub(super) fn example(ty: &Type, given: Option<&str>) -> Option<Json> {
    let given = given?;
    match &ty.base {
        BaseType::Named(name) if name == "DateTime" && given == "null" => Some(Json::Null),
        BaseType::Named(name) if matches!(name.as_str(), "String" | "ID" | "DateTime" | "TimeZone") => {
            Some(given.into())
        }
        _ => serde_json::from_str(given).ok(),
    }
}

fn nullable(mut schema: Json) -> Json {
    match schema.get("type").cloned() {
        Some(Json::String(name)) => {
            schema["type"] = json!([name, "null"]);
            if let Some(Json::Array(values)) = schema.get_mut("enum") {
                values.push(Json::Null);
            }
            schema
        }
        _ => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}

fn apply(schema: &mut Json, rules: &Rules) {
    if let Some((min, max)) = rules.length {
        if min > 0 {
            schema["minLength"] = min.into();
        }
        schema["maxLength"] = max.into();
    }
    if let Some((min, max)) = rules.range {
        schema["minimum"] = min.into();
        schema["maximum"] = max.into();
    }
    if let Some(values) = &rules.values {
        schema["enum"] = json!(values);
    }
    match rules.format {
        Some(Format::Email) => schema["pattern"] = validate::EMAIL_PATTERN.into(),
        Some(Format::Name | Format::Line) => schema["pattern"] = validate::NAME_PATTERN.into(),
        Some(Format::Tag) => schema["pattern"] = validate::TAG_PATTERN.into(),
        Some(Format::Text) => schema["pattern"] = validate::TEXT_PATTERN.into(),
        Some(Format::Slug) => schema["pattern"] = validate::SLUG_PATTERN.into(),
        Some(Format::DestinationUrl | Format::WebhookUrl) => {
            schema["format"] = "iri".into();
            schema["pattern"] = validate::URL_PATTERN.into();
        }
        Some(Format::DomainName) => schema["format"] = "idn-hostname".into(),
        Some(Format::Subdomain) => schema["pattern"] = validate::SUBDOMAIN_PATTERN.into(),
        Some(Format::Color) => schema["pattern"] = validate::COLOR_PATTERN.into(),
        None => {}
    }
}
