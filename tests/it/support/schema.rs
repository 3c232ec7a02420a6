//! Values against the schemas of `openapi.json`, as far as it uses JSON Schema.

use chrono::DateTime;
use regex::Regex;
use serde_json::Value as Json;

/// Why the value does not fit the schema; nothing if it does.
pub(crate) fn misfit(document: &Json, schema: &Json, value: &Json) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let schema = document.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("there is no {name}"));
        return misfit(document, schema, value);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let misfits: Option<Vec<String>> = choices.iter().map(|choice| misfit(document, choice, value)).collect();
        return misfits.map(|misfits| misfits.join("; "));
    }
    let kind = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_f64() => "number",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let kinds: Vec<&str> = match &schema["type"] {
        Json::Array(kinds) => kinds.iter().filter_map(Json::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    };
    if !(kinds.contains(&kind) || kind == "integer" && kinds.contains(&"number")) {
        return Some(format!("{value} is none of {kinds:?}"));
    }
    if schema["enum"].as_array().is_some_and(|values| !values.contains(value)) {
        return Some(format!("{value} is not in {}", schema["enum"]));
    }
    if schema.get("const").is_some_and(|constant| constant != value) {
        return Some(format!("{value} is not {}", schema["const"]));
    }
    let is_within = |measure: i64, min: &str, max: &str| {
        schema[min].as_i64().is_none_or(|min| min <= measure) && schema[max].as_i64().is_none_or(|max| measure <= max)
    };
    match value {
        Json::Number(number) if !number.as_i64().is_none_or(|number| is_within(number, "minimum", "maximum")) => {
            Some(format!("{value} is out of bounds"))
        }
        Json::String(text) if !is_within(text.chars().count() as i64, "minLength", "maxLength") => {
            Some(format!("{value} is too long or too short"))
        }
        Json::String(text) if schema["pattern"].as_str().is_some_and(|it| !Regex::new(it).unwrap().is_match(text)) => {
            Some(format!("{value} has not the form {}", schema["pattern"]))
        }
        Json::String(text) if schema["format"] == "date-time" && DateTime::parse_from_rfc3339(text).is_err() => {
            Some(format!("{value} is no time"))
        }
        Json::Array(items) if items.len() < schema["minItems"].as_u64().unwrap_or_default() as usize => {
            Some(format!("{} items, of at least {}", items.len(), schema["minItems"]))
        }
        Json::Array(items) if schema["maxItems"].as_u64().is_some_and(|max| items.len() as u64 > max) => {
            Some(format!("{} items, of at most {}", items.len(), schema["maxItems"]))
        }
        Json::Array(items) => items.iter().find_map(|item| misfit(document, &schema["items"], item)),
        Json::Object(fields) => {
            let mut required = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
            if let Some(missing) = required.find(|name| !fields.contains_key(*name)) {
                return Some(format!("{missing} is missing"));
            }
            fields.iter().find_map(|(name, field)| match &schema["properties"][name] {
                Json::Null => Some(format!("{name} is unknown")).filter(|_| schema["properties"].is_object()),
                schema => misfit(document, schema, field).map(|misfit| format!("{name}: {misfit}")),
            })
        }
        _ => None,
    }
}
