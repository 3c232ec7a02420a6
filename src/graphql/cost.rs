//! The bound of a document's cost to parse, validate and merge, decided on its shape alone; the bound of its answer is in
//! [`measure`](super::measure).
//!
//! The library's own limits walk every fragment spread of every operation anew, which takes exponential time for a few
//! hundred bytes. Here each fragment is measured once.

use std::{collections::HashMap, convert::Infallible};

use async_graphql::{
    Name, Positioned, Value, Variables,
    parser::types::{ExecutableDocument, Field, FragmentDefinition, Selection, SelectionSet},
};
use serde_json::json;

use crate::error::{ApiError, Code};

/// Levels of selections; the introspection query of graphql-js has 15.
pub const MAX_DEPTH: usize = 16;
/// Fields with an alias.
pub const MAX_ALIASES: usize = 30;
/// Operations that a document defines, whichever is executed. Validation reports the mistakes of a fragment again for
/// each operation that spreads it.
pub const MAX_OPERATIONS: usize = 20;
/// Arguments of one field. Validation reports each of them again for every field of the same name.
pub const MAX_ARGUMENTS: usize = 10;
/// Fields and spreads after all fragments are spread, of all operations of the document.
pub const MAX_FIELDS: usize = 2_000;
/// Values that arguments have wherever they stand, with those of the variables that they name: validation copies a
/// variable for each of its uses.
pub const MAX_INPUTS: usize = 200_000;
/// Bytes of text that count as one value of an argument.
const BYTES_OF_A_VALUE: usize = 64;

/// The cost of each part of a document: so much of it is a unit.
const TOKENS_OF_A_UNIT: usize = 25;
const BYTES_OF_A_UNIT: usize = 2_000;
const INPUTS_OF_A_UNIT: usize = 1_000;
const VALUES_OF_A_UNIT: usize = 100;
/// Units from which on a document is worth the way to other threads.
const MANY_UNITS: usize = 20;

/// The cost of a document, in about tenths of a millisecond of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units(usize);

impl Units {
    /// To read, validate and merge it.
    pub fn of_text(tokens: usize, bytes: usize, variables: &Variables) -> Self {
        let inputs = variables.values().map(weight_of).sum::<usize>();
        Units(1 + tokens / TOKENS_OF_A_UNIT + bytes / BYTES_OF_A_UNIT + inputs / INPUTS_OF_A_UNIT)
    }

    /// To answer so many values.
    pub fn add_values(&mut self, values: usize) {
        self.0 = self.0.saturating_add(values / VALUES_OF_A_UNIT);
    }

    /// Whether it is costly.
    pub fn are_many(self) -> bool {
        self.0 >= MANY_UNITS
    }

    /// As rate limits count them.
    pub fn count(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

/// The refusal of a document that exceeds a limit.
pub(super) fn exceeded(limit: &'static str, max: usize) -> ApiError {
    ApiError::new(Code::QueryTooComplex, format!("The document exceeds the limit of {max} {limit}."))
        .with_details(json!({ "limit": limit, "max": max }))
}

/// Measures the shape of the whole document against the limits. What passes has no fragment that spreads itself.
pub fn check_shape(document: &ExecutableDocument, variables: &Variables) -> Result<(), ApiError> {
    let mut shape = Shape { document, fragments: HashMap::new() };
    // Operations that are not executed are validated too, with all their fragments spread, and so are fragments that
    // none uses.
    let (mut operations, mut all) = (0, Cost::default());
    for (_, operation) in document.operations.iter() {
        operations += 1;
        all.add(shape.selection(&operation.node.selection_set.node)?);
    }
    for name in document.fragments.keys() {
        shape.fragment(name)?;
    }
    let selections = document
        .operations
        .iter()
        .map(|(_, operation)| &operation.node.selection_set)
        .chain(document.fragments.values().map(|fragment| &fragment.node.selection_set));
    let mut text = Text { variables, aliases: 0, inputs: 0 };
    selections.for_each(|selection| text.add(&selection.node));
    for (value, limit, max) in [
        (operations, "operations", MAX_OPERATIONS),
        (text.aliases, "aliases", MAX_ALIASES),
        (all.depth, "levels of selections", MAX_DEPTH),
        (all.fields, "fields", MAX_FIELDS),
        (text.inputs, "values of arguments", MAX_INPUTS),
    ] {
        if value > max {
            return Err(exceeded(limit, max));
        }
    }
    Ok(())
}

/// The size of a selection with all fragments spread. All sums saturate.
#[derive(Clone, Copy, Default)]
struct Cost {
    fields: usize,
    depth: usize,
}

impl Cost {
    fn add(&mut self, other: Cost) {
        self.fields = self.fields.saturating_add(other.fields);
        self.depth = self.depth.max(other.depth);
    }
}

struct Shape<'a> {
    document: &'a ExecutableDocument,
    /// Measured fragments; none while one is being measured.
    fragments: HashMap<&'a str, Option<Cost>>,
}

impl<'a> Shape<'a> {
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
        let fragment: Option<&Positioned<FragmentDefinition>> = self.document.fragments.get(name);
        let Some(fragment) = fragment else { return Ok(Cost::default()) };
        self.fragments.insert(name, None);
        let cost = self.selection(&fragment.node.selection_set.node)?;
        self.fragments.insert(name, Some(cost));
        Ok(cost)
    }

    fn selection(&mut self, selection: &'a SelectionSet) -> Result<Cost, ApiError> {
        let mut cost = Cost::default();
        for item in &selection.items {
            match &item.node {
                Selection::Field(field) => {
                    if field.node.arguments.len() > MAX_ARGUMENTS {
                        return Err(exceeded("arguments of a field", MAX_ARGUMENTS));
                    }
                    let inner = self.selection(&field.node.selection_set.node)?;
                    cost.add(Cost { fields: inner.fields.saturating_add(1), depth: inner.depth + 1 });
                }
                Selection::InlineFragment(fragment) => cost.add(self.selection(&fragment.node.selection_set.node)?),
                Selection::FragmentSpread(spread) => {
                    let inner = self.fragment(&spread.node.fragment_name.node)?;
                    // It counts itself: else a tower of spreads that ends in nothing would cost nothing.
                    cost.add(Cost { fields: inner.fields.saturating_add(1), ..inner });
                }
            }
        }
        Ok(cost)
    }
}

/// The size of the text, each fragment counted once.
struct Text<'a> {
    variables: &'a Variables,
    aliases: usize,
    inputs: usize,
}

impl Text<'_> {
    fn add(&mut self, selection: &SelectionSet) {
        for item in &selection.items {
            for directive in item.node.directives() {
                for (_, value) in &directive.node.arguments {
                    self.inputs =
                        self.inputs.saturating_add(weight(self.variables, |of| value.node.clone().into_const_with(of)));
                }
            }
            match &item.node {
                Selection::Field(field) => {
                    self.aliases += usize::from(field.node.alias.is_some());
                    self.inputs = self.inputs.saturating_add(weight_of_arguments(&field.node, self.variables));
                    self.add(&field.node.selection_set.node);
                }
                Selection::InlineFragment(fragment) => self.add(&fragment.node.selection_set.node),
                Selection::FragmentSpread(_) => {}
            }
        }
    }
}

/// The weight of a field's arguments: a list, an object and each value in it one, and text by its length.
pub(super) fn weight_of_arguments(field: &Field, variables: &Variables) -> usize {
    field
        .arguments
        .iter()
        .fold(0, |sum, (_, value)| sum.saturating_add(weight(variables, |of| value.node.clone().into_const_with(of))))
}

/// Asks for a variable's value.
type Of<'a> = &'a mut dyn FnMut(Name) -> Result<Value, Infallible>;

/// Weighs a literal and the variables that it names. The type of a literal has no public name.
fn weight(variables: &Variables, literal: impl FnOnce(Of<'_>) -> Result<Value, Infallible>) -> usize {
    let mut named: usize = 0;
    let mut note = |name: Name| {
        named = named.saturating_add(variables.get(&name).map_or(0, weight_of));
        Ok(Value::Null)
    };
    let Ok(literal) = literal(&mut note);
    weight_of(&literal).saturating_add(named)
}

fn weight_of(value: &Value) -> usize {
    match value {
        Value::String(text) => 1 + text.len() / BYTES_OF_A_VALUE,
        Value::List(items) => items.iter().map(weight_of).sum::<usize>() + 1,
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| name.len() / BYTES_OF_A_VALUE + weight_of(value)).sum::<usize>() + 1
        }
        _ => 1,
    }
}
