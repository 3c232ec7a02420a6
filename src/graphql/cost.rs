//! What a document may cost, decided before it is executed, and in part before it is parsed.
//!
//! The library's own limits walk every fragment spread anew, which takes exponential time for a few hundred bytes, and
//! its parser recurses into literals and selections, which overflows the stack for a few thousand. So the brackets are
//! counted before parsing, and fragments are measured once each after it.

use std::collections::HashMap;

use async_graphql::{
    Name, Positioned, Value, Variables,
    parser::types::{
        ExecutableDocument, Field, FragmentDefinition, OperationDefinition, OperationType, Selection, SelectionSet,
    },
};
use serde_json::json;

use crate::{
    error::{ApiError, Code},
    graphql::contract::{self, Contract, OperationKind},
    page::{DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE},
};

/// Lexical tokens of a document.
pub const MAX_TOKENS: usize = 2_000;
/// Brackets of any kind inside each other: selections, arguments, literals.
pub const MAX_NESTING: usize = 40;
/// Levels of selections; the introspection query of graphql-js has 15.
pub const MAX_DEPTH: usize = 16;
/// Fields with an alias.
pub const MAX_ALIASES: usize = 30;
/// Operations of one request.
pub const MAX_ROOT_FIELDS: usize = 20;
/// Fields after all fragments are spread.
pub const MAX_FIELDS: usize = 2_000;
/// List items that the page sizes of the request may add up to.
pub const MAX_ROWS: usize = 20_000;

fn exceeded(limit: &'static str, max: usize) -> ApiError {
    ApiError::new(Code::QueryTooComplex, format!("The document exceeds the limit of {max} {limit}."))
        .with_details(json!({ "limit": limit, "max": max }))
}

/// Counts tokens and nested brackets. Runs in linear time, without recursion, on any bytes.
pub fn check_text(document: &str) -> Result<(), ApiError> {
    let bytes = document.as_bytes();
    let (mut at, mut tokens, mut nesting) = (0, 0, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' => {
                at += 1;
                continue;
            }
            b'#' => {
                at += bytes[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(bytes.len() - at);
                continue;
            }
            b'"' => at = string_end(bytes, at),
            b'(' | b'[' | b'{' => {
                nesting += 1;
                at += 1;
            }
            b')' | b']' | b'}' => {
                nesting = nesting.saturating_sub(1);
                at += 1;
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'+' | b'.' => {
                at += bytes[at..]
                    .iter()
                    .position(
                        |byte| !matches!(byte, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'+' | b'.'),
                    )
                    .unwrap_or(bytes.len() - at);
            }
            _ => at += 1,
        }
        tokens += 1;
        if tokens > MAX_TOKENS {
            return Err(exceeded("tokens", MAX_TOKENS));
        }
        if nesting > MAX_NESTING {
            return Err(exceeded("nested brackets", MAX_NESTING));
        }
    }
    Ok(())
}

/// Where the string that begins at `start` ends; an unterminated one ends the line, or the document.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let block = bytes[start..].starts_with(b"\"\"\"");
    let mut at = start + if block { 3 } else { 1 };
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if !block => at += 2,
            b'\\' if bytes[at..].starts_with(b"\\\"\"\"") => at += 4,
            b'"' if !block => return at + 1,
            b'"' if bytes[at..].starts_with(b"\"\"\"") => return at + 3,
            b'\n' | b'\r' if !block => return at,
            _ => at += 1,
        }
    }
    at.min(bytes.len())
}

/// A root field that the request executes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootSelection {
    /// Field name.
    pub name: String,
    /// Key in the answer.
    pub response_key: String,
}

/// Measures the document against all limits and returns the root fields of the operation.
pub fn check_document(
    contract: &Contract,
    document: &ExecutableDocument,
    operation: &OperationDefinition,
    variables: &Variables,
) -> Result<Vec<RootSelection>, ApiError> {
    let mut measure =
        Measure { contract, document, operation, variables, fragments: HashMap::new(), roots: Vec::new() };
    let kind = match operation.ty {
        OperationType::Query => OperationKind::Query,
        OperationType::Mutation => OperationKind::Mutation,
        // The schema has none; validation says so.
        OperationType::Subscription => return Ok(Vec::new()),
    };
    measure.collect_roots(&operation.selection_set.node, 0)?;
    let cost = measure.selection(&operation.selection_set.node, Parent::Root(kind))?;
    // Fragments that this operation does not use are validated too.
    for name in document.fragments.keys() {
        measure.fragment(name)?;
    }
    let spread_once: usize = document
        .operations
        .iter()
        .map(|(_, operation)| &operation.node.selection_set)
        .chain(document.fragments.values().map(|fragment| &fragment.node.selection_set))
        .map(|selection| aliases(&selection.node))
        .sum();
    for (value, limit, max) in [
        (measure.roots.len(), "root fields", MAX_ROOT_FIELDS),
        (spread_once, "aliases", MAX_ALIASES),
        (cost.depth, "levels of selections", MAX_DEPTH),
        (cost.fields, "fields", MAX_FIELDS),
        (cost.rows, "list items", MAX_ROWS),
    ] {
        if value > max {
            return Err(exceeded(limit, max));
        }
    }
    Ok(measure.roots)
}

fn aliases(selection: &SelectionSet) -> usize {
    selection
        .items
        .iter()
        .map(|item| match &item.node {
            Selection::Field(field) => {
                usize::from(field.node.alias.is_some()) + aliases(&field.node.selection_set.node)
            }
            Selection::InlineFragment(fragment) => aliases(&fragment.node.selection_set.node),
            Selection::FragmentSpread(_) => 0,
        })
        .sum()
}

/// What a selection costs with all fragments spread. All sums saturate.
#[derive(Clone, Copy, Default)]
struct Cost {
    fields: usize,
    depth: usize,
    rows: usize,
}

impl Cost {
    fn add(&mut self, other: Cost) {
        self.fields = self.fields.saturating_add(other.fields);
        self.depth = self.depth.max(other.depth);
        self.rows = self.rows.saturating_add(other.rows);
    }
}

/// The type that a selection is made on.
#[derive(Clone, Copy)]
enum Parent<'a> {
    Root(OperationKind),
    Type(&'a str),
    /// Introspection, or a field that validation will refuse.
    Unknown,
}

struct Measure<'a> {
    contract: &'a Contract,
    document: &'a ExecutableDocument,
    operation: &'a OperationDefinition,
    variables: &'a Variables,
    /// Measured fragments; none while one is being measured.
    fragments: HashMap<&'a str, Option<Cost>>,
    roots: Vec<RootSelection>,
}

impl<'a> Measure<'a> {
    /// Root fields, with fragments spread. Stops where the limit is passed, so a bomb stays small.
    fn collect_roots(&mut self, selection: &'a SelectionSet, depth: usize) -> Result<(), ApiError> {
        if depth > MAX_DEPTH {
            return Err(exceeded("levels of selections", MAX_DEPTH));
        }
        for item in &selection.items {
            if self.roots.len() > MAX_ROOT_FIELDS {
                return Err(exceeded("root fields", MAX_ROOT_FIELDS));
            }
            match &item.node {
                Selection::Field(field) => self.roots.push(RootSelection {
                    name: field.node.name.node.to_string(),
                    response_key: field.node.response_key().node.to_string(),
                }),
                Selection::InlineFragment(fragment) => {
                    self.collect_roots(&fragment.node.selection_set.node, depth + 1)?;
                }
                Selection::FragmentSpread(spread) => {
                    // Measured first: a cycle ends there.
                    let before = self.fragment(&spread.node.fragment_name.node)?;
                    if before.fields > 0
                        && let Some(fragment) = self.definition(&spread.node.fragment_name.node)
                    {
                        self.collect_roots(&fragment.selection_set.node, depth + 1)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn definition(&self, name: &Name) -> Option<&'a FragmentDefinition> {
        self.document.fragments.get(name).map(|fragment: &Positioned<FragmentDefinition>| &fragment.node)
    }

    fn fragment(&mut self, name: &'a Name) -> Result<Cost, ApiError> {
        match self.fragments.get(name.as_str()) {
            Some(Some(cost)) => return Ok(*cost),
            Some(None) => {
                return Err(ApiError::new(
                    Code::GraphqlValidationFailed,
                    format!("The fragment {name} spreads itself."),
                ));
            }
            None => {}
        }
        let Some(fragment) = self.definition(name) else { return Ok(Cost::default()) };
        self.fragments.insert(name, None);
        let cost = self.selection(&fragment.selection_set.node, Parent::Type(&fragment.type_condition.node.on.node))?;
        self.fragments.insert(name, Some(cost));
        Ok(cost)
    }

    fn selection(&mut self, selection: &'a SelectionSet, parent: Parent<'a>) -> Result<Cost, ApiError> {
        let mut cost = Cost::default();
        for item in &selection.items {
            match &item.node {
                Selection::Field(field) => {
                    let definition = self.field_definition(parent, &field.node.name.node);
                    let inner_parent =
                        definition.map_or(Parent::Unknown, |field| Parent::Type(contract::base_name(&field.ty)));
                    let inner = self.selection(&field.node.selection_set.node, inner_parent)?;
                    let rows = match definition.and_then(|definition| self.page_size(&field.node, definition)) {
                        Some(size) => size.saturating_add(size.saturating_mul(inner.rows)),
                        None => inner.rows,
                    };
                    cost.add(Cost { fields: inner.fields.saturating_add(1), depth: inner.depth + 1, rows });
                }
                Selection::InlineFragment(fragment) => {
                    let parent = match &fragment.node.type_condition {
                        Some(condition) => Parent::Type(&condition.node.on.node),
                        None => parent,
                    };
                    let inner = self.selection(&fragment.node.selection_set.node, parent)?;
                    cost.add(inner);
                }
                Selection::FragmentSpread(spread) => {
                    let inner = self.fragment(&spread.node.fragment_name.node)?;
                    cost.add(inner);
                }
            }
        }
        Ok(cost)
    }

    fn field_definition(&self, parent: Parent<'a>, name: &str) -> Option<&'a contract::Field> {
        let kind = match parent {
            Parent::Root(kind) => kind,
            Parent::Type("Query") => OperationKind::Query,
            Parent::Type("Mutation") => OperationKind::Mutation,
            Parent::Type(type_name) => {
                return self.contract.object(type_name)?.iter().find(|field| field.name == name);
            }
            Parent::Unknown => return None,
        };
        self.contract.operation(kind, name).map(|operation| &operation.field)
    }

    /// How many items the field may list; none when it is no page. A value that is not understood counts as the most.
    fn page_size(&self, field: &Field, definition: &contract::Field) -> Option<usize> {
        let argument =
            definition.arguments.iter().find(|argument| matches!(argument.name.as_str(), "pageSize" | "limit"))?;
        let given = field.get_argument(&argument.name).map(|value| value.node.clone());
        let resolved = given.and_then(|value| {
            value
                .into_const_with(|name| {
                    let default = || {
                        let definition = self.operation.variable_definitions.iter();
                        let definition = definition.map(|it| &it.node).find(|it| it.name.node == name)?;
                        definition.default_value.as_ref().map(|value| value.node.clone())
                    };
                    self.variables.get(&name).cloned().or_else(default).ok_or(())
                })
                .ok()
        });
        let size = match resolved.or_else(|| argument.default.clone()) {
            Some(Value::Number(number)) => number.as_u64().and_then(|size| usize::try_from(size).ok()),
            Some(_) => None,
            None => usize::try_from(DEFAULT_PAGE_SIZE).ok(),
        };
        let max = usize::try_from(MAX_PAGE_SIZE).unwrap_or(usize::MAX);
        Some(size.unwrap_or(max).min(max))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tokens_are_counted_without_comments_and_strings_inside() {
        assert!(check_text("{ a(b: \"((((((((((((((((((((((((((((((((((((((((((((((((\") } # [[[[").is_ok());
        assert!(check_text(&format!("{{ a(b: \"\"\"{}\\\"\"\"{}\"\"\") }}", "[".repeat(99), "[".repeat(99))).is_ok());
        assert!(check_text(&"a ".repeat(MAX_TOKENS)).is_ok());
        assert!(check_text(&"a ".repeat(MAX_TOKENS + 1)).is_err());
        for open in ["{", "[", "(", "{a:["] {
            assert!(check_text(&open.repeat(MAX_NESTING + 1)).is_err());
        }
        assert!(check_text("\"\\").is_ok());
    }

    proptest! {
        #[test]
        fn any_text_is_judged(text in "[\\[\\](){}\"\\\\#a$ \n]{0,300}") {
            let _ = check_text(&text);
        }
    }
}
