//! Input objects as one text, for the query of a URL: the values of the fields in the order of the schema, separated by `:`, of which the
//! last may be a list, separated by `,`: `COUNTRY:IS:DE,CH`. A `\` makes a `,` or `\` after it part of a value; an empty value is null, or the
//! field's default. Any tool can write it, and a person reads it in an address.

use async_graphql::parser::types::BaseType;
use serde_json::{Map, Value as Json};

use crate::contract::{Contract, Input, Shape, base_name};

/// Whether an input object with these fields can be written as one text: none of them is an object, and only the last is a list.
pub(super) fn is_possible(contract: &Contract, fields: &[Input]) -> bool {
    let is_flat = |input: &Input| match &input.ty.base {
        BaseType::Named(_) => true,
        BaseType::List(inner) => matches!(inner.base, BaseType::Named(_)),
    };
    let is_list = |input: &Input| matches!(input.ty.base, BaseType::List(_));
    fields.iter().rev().skip(1).all(|field| !is_list(field))
        && fields.iter().all(|field| is_flat(field) && contract.input(base_name(&field.ty)).is_none())
}

/// The names of the fields, as their values are written.
pub(super) fn form(fields: &[Input]) -> String {
    fields.iter().map(|field| &*field.name).collect::<Vec<_>>().join(":")
}

/// A regular expression (ECMA 262) for the texts.
pub(super) fn pattern(contract: &Contract, fields: &[Input]) -> String {
    let part = |(number, field): (usize, &Input)| match contract.types.get(base_name(&field.ty)).map(|it| &it.shape) {
        Some(Shape::Enum(values)) if field.is_required() => format!("({})", values.join("|")),
        Some(Shape::Enum(values)) => format!("({})?", values.join("|")),
        _ if number + 1 == fields.len() => ".*".to_owned(),
        _ => "[^:]*".to_owned(),
    };
    format!("^{}$", fields.iter().enumerate().map(part).collect::<Vec<_>>().join(":"))
}

/// The JSON object that a text stands for; `value` makes the JSON of a field's or an item's text. `None`: it does not have as many parts.
pub(super) fn read(fields: &[Input], text: &str, value: impl Fn(&str, &str) -> Json) -> Option<Map<String, Json>> {
    let parts: Vec<&str> = text.splitn(fields.len(), ':').collect();
    if parts.len() != fields.len() {
        return None;
    }
    let mut object = Map::new();
    for (field, part) in fields.iter().zip(parts) {
        let name = base_name(&field.ty);
        let json = match &field.ty.base {
            BaseType::List(_) => {
                let item = |text: String| if text.is_empty() { Json::Null } else { value(name, &text) };
                Json::Array(items(part).into_iter().map(item).collect())
            }
            BaseType::Named(_) if part.is_empty() => continue,
            BaseType::Named(_) => value(name, part),
        };
        object.insert(field.name.clone(), json);
    }
    Some(object)
}

/// The text that stands for a JSON object.
pub(super) fn write(fields: &[Input], object: &Map<String, Json>) -> String {
    let plain = |value: &Json| match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    let part = |field: &Input| match object.get(&field.name) {
        Some(Json::Array(items)) => {
            let escaped = |item: &Json| plain(item).replace('\\', "\\\\").replace(',', "\\,");
            items.iter().map(escaped).collect::<Vec<_>>().join(",")
        }
        value => plain(value.unwrap_or(&Json::Null)),
    };
    fields.iter().map(part).collect::<Vec<_>>().join(":")
}

/// The items of a list, without escapes.
fn items(text: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let Some(last) = items.last_mut() else { break };
        match character {
            ',' => items.push(String::new()),
            '\\' => last.extend(characters.next()),
            other => last.push(other),
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::api;

    #[test]
    fn filters_are_one_text() {
        let (_, contract, _) = api::contract().unwrap();
        let fields = contract.input("ClickCondition").unwrap();
        assert!(is_possible(&contract, fields) && !is_possible(&contract, contract.input("LinkRuleInput").unwrap()));
        assert_eq!(form(fields), "dimension:operator:values");
        let of = |text: &str| read(fields, text, |_, text| Json::from(text)).map(Json::Object);
        assert_eq!(
            of("COUNTRY:IS:DE,CH").unwrap(),
            json!({ "dimension": "COUNTRY", "operator": "IS", "values": ["DE", "CH"] })
        );
        assert_eq!(of("TAG::,a\\,b:c").unwrap(), json!({ "dimension": "TAG", "values": [null, "a,b:c"] }));
        assert_eq!((of("COUNTRY:DE"), of("")), (None, None));
        let pattern = pattern(&contract, fields);
        assert!(pattern.starts_with("^(LINK|TAG|") && pattern.ends_with(":(IS|IS_NOT|CONTAINS)?:.*$"), "{pattern}");
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read(values in prop::collection::vec(prop::option::of("[a-z,:\\\\ü]{1,9}"), 1..5)) {
            let (_, contract, _) = api::contract().unwrap();
            let fields = contract.input("ClickCondition").unwrap();
            let object = json!({ "dimension": "TAG", "operator": "IS_NOT", "values": values });
            let text = write(fields, object.as_object().unwrap());
            prop_assert_eq!(read(fields, &text, |_, text| Json::from(text)).map(Json::Object), Some(object));
        }
    }
}
