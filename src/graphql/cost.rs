//! What a document may cost to validate and execute, decided before either.
//!
//! The library's own limits walk every fragment spread of every operation anew, which takes exponential time for a few
//! hundred bytes. Here each fragment is measured once.

use std::collections::HashMap;

use async_graphql::{
    Name, Positioned, Value, Variables,
    parser::types::{ExecutableDocument, Field, FragmentDefinition, OperationDefinition, Selection, SelectionSet},
};
use serde_json::json;

use crate::{
    error::{ApiError, Code},
    graphql::contract::{self, Contract, OperationKind},
    page::{DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE},
};

/// Levels of selections; the introspection query of graphql-js has 15.
pub const MAX_DEPTH: usize = 16;
/// Fields with an alias.
pub const MAX_ALIASES: usize = 30;
/// Operations of one request.
pub const MAX_ROOT_FIELDS: usize = 20;
/// Operations that a document defines, whichever is executed. Validation reports the mistakes of a fragment again for
/// each operation that spreads it.
pub const MAX_OPERATIONS: usize = 20;
/// Arguments of one field. Validation reports each of them again for every field of the same name.
pub const MAX_ARGUMENTS: usize = 10;
/// Fields and spreads after all fragments are spread, of all operations of the document.
pub const MAX_FIELDS: usize = 2_000;
/// List items that the pages and other lists of the request may add up to: those of ten summaries of clicks, for one.
pub const MAX_ROWS: usize = 30_000;
/// Values of the answer, when every page is full. A field that stands twice is resolved twice.
pub const MAX_VALUES: usize = 250_000;

pub(super) fn exceeded(limit: &'static str, max: usize) -> ApiError {
    ApiError::new(Code::QueryTooComplex, format!("The document exceeds the limit of {max} {limit}."))
        .with_details(json!({ "limit": limit, "max": max }))
}

/// Measures the document against all limits and returns the names of the root fields that the operation executes.
pub fn check_document(
    contract: &Contract,
    document: &ExecutableDocument,
    operation: &OperationDefinition,
    variables: &Variables,
) -> Result<Vec<String>, ApiError> {
    let mut measure =
        Measure { contract, document, operation, variables, fragments: HashMap::new(), roots: Vec::new() };
    let cost = measure.operation(operation)?;
    // Operations that are not executed are validated too, with all their fragments spread, and so are fragments that
    // none uses.
    let (mut operations, mut fields) = (0, 0_usize);
    for (_, other) in document.operations.iter() {
        operations += 1;
        fields = fields.saturating_add(measure.operation(&other.node)?.fields);
    }
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
        (operations, "operations", MAX_OPERATIONS),
        (spread_once, "aliases", MAX_ALIASES),
        (cost.depth, "levels of selections", MAX_DEPTH),
        (fields, "fields", MAX_FIELDS),
        (cost.rows, "list items", MAX_ROWS),
        (cost.values, "values", MAX_VALUES),
    ] {
        if value > max {
            return Err(exceeded(limit, max));
        }
    }
    measure.collect_roots(&operation.selection_set.node);
    if measure.roots.len() > MAX_ROOT_FIELDS {
        return Err(exceeded("root fields", MAX_ROOT_FIELDS));
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
    values: usize,
}

impl Cost {
    fn add(&mut self, other: Cost) {
        self.fields = self.fields.saturating_add(other.fields);
        self.depth = self.depth.max(other.depth);
        self.rows = self.rows.saturating_add(other.rows);
        self.values = self.values.saturating_add(other.values);
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
    /// Names of the fields that the request executes.
    roots: Vec<String>,
}

impl<'a> Measure<'a> {
    fn operation(&mut self, operation: &'a OperationDefinition) -> Result<Cost, ApiError> {
        self.selection(&operation.selection_set.node, Parent::Root(operation.ty.into()))
    }

    /// Root fields, with fragments spread. The operation was measured: there is no cycle, and no more than the limit.
    fn collect_roots(&mut self, selection: &'a SelectionSet) {
        for item in &selection.items {
            match &item.node {
                Selection::Field(field) => self.roots.push(field.node.name.node.to_string()),
                Selection::InlineFragment(fragment) => self.collect_roots(&fragment.node.selection_set.node),
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.definition(&spread.node.fragment_name.node) {
                        self.collect_roots(&fragment.selection_set.node);
                    }
                }
            }
        }
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
                    if field.node.arguments.len() > MAX_ARGUMENTS {
                        return Err(exceeded("arguments of a field", MAX_ARGUMENTS));
                    }
                    let definition = self.field_definition(parent, &field.node.name.node);
                    let inner_parent =
                        definition.map_or(Parent::Unknown, |field| Parent::Type(contract::base_name(&field.ty)));
                    let inner = self.selection(&field.node.selection_set.node, inner_parent)?;
                    let page = definition.and_then(|definition| {
                        let fixed = definition.max_items.and_then(|max| usize::try_from(max).ok());
                        self.page_size(&field.node, definition).or(fixed)
                    });
                    let rows = match page {
                        Some(size) => size.saturating_add(size.saturating_mul(inner.rows)),
                        None => inner.rows,
                    };
                    let values = inner.values.saturating_mul(page.unwrap_or(1).max(1)).saturating_add(1);
                    let fields = inner.fields.saturating_add(1);
                    cost.add(Cost { fields, depth: inner.depth + 1, rows, values });
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
                    // It counts itself: else a tower of spreads that ends in nothing would cost nothing.
                    cost.add(Cost { fields: inner.fields.saturating_add(1), ..inner });
                }
            }
        }
        Ok(cost)
    }

    fn field_definition(&self, parent: Parent<'a>, name: &str) -> Option<&'a contract::Field> {
        let kind = match parent {
            Parent::Root(kind) => kind,
            Parent::Type(type_name) => match self.contract.roots.get(type_name) {
                Some(kind) => *kind,
                None => return self.contract.object(type_name)?.iter().find(|field| field.name == name),
            },
            Parent::Unknown => return None,
        };
        self.contract.operation(kind, name).map(|operation| &operation.field)
    }

    /// How many items the field may list; none when it is no page. A value that is not understood counts as the most.
    fn page_size(&self, field: &Field, definition: &contract::Field) -> Option<usize> {
        let fields = self.contract.object(contract::base_name(&definition.ty))?;
        // Other lists that a `limit` limits have their own length.
        fields.iter().find(|field| field.name == "totalPages")?;
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
