//! The bound of a document's cost to parse, validate and merge, decided on its shape alone; the bound of its answer is in
//! [`measure`](super::measure).
//!
//! A library's limits that walk every fragment spread of every operation anew take exponential time for a few hundred bytes.
//! Here each fragment is measured once.

use std::{collections::HashMap, time::Duration};

use apollo_compiler::{
    Name,
    ast::{Definition, Document, FragmentDefinition, Selection},
};
use async_graphql::{Value, Variables, parser::types::Field};
use serde_json::json;

use crate::{
    base::error::{ApiError, Code},
    platform::http::rate_limit::cost_of,
};

/// Levels of selections; the introspection query of graphql-js has 15.
pub(crate) const MAX_DEPTH: usize = 16;
/// Fields with an alias.
pub(crate) const MAX_ALIASES: usize = 30;
/// Operations that a document defines, whichever is executed. Validation reports the mistakes of a fragment again for
/// each operation that spreads it.
pub(crate) const MAX_OPERATIONS: usize = 20;
/// Arguments of one field: the schema has none with more, so that a document with more repeats some.
pub(crate) const MAX_ARGUMENTS: usize = 20;
/// Fields and spreads after all fragments are spread, of all operations of the document.
pub(crate) const MAX_FIELDS: usize = 2_000;
/// Values that arguments of the executed operation have, with those of the variables that they name: a variable is copied for
/// each of its uses.
pub(crate) const MAX_INPUTS: usize = 200_000;
/// Bytes of text that count as one value of an argument.
const BYTES_OF_A_VALUE: usize = 64;

/// The cost of each part of a document: so much of it is a unit.
const TOKENS_OF_A_UNIT: usize = 25;
const BYTES_OF_A_UNIT: usize = 2_000;
const INPUTS_OF_A_UNIT: usize = 1_000;
const VALUES_OF_A_UNIT: usize = 100;
/// Units from which on a document counts as costly: it is executed in the idle lane, unless it is a mutation.
const MANY_UNITS: usize = 20;

/// The cost of a document, or of a part of it, in tenths of a millisecond: of a document, about what it takes of a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Units(usize);

impl Units {
    /// To read, validate and merge it.
    pub(crate) fn of_text(tokens: usize, bytes: usize, variables: &Variables) -> Self {
        let inputs = variables.values().map(weight_of).sum::<usize>();
        Units(1 + tokens / TOKENS_OF_A_UNIT + bytes / BYTES_OF_A_UNIT + inputs / INPUTS_OF_A_UNIT)
    }

    /// For any request over HTTP.
    pub(crate) fn of_a_request() -> Self {
        Units(1)
    }

    /// To answer so many values.
    pub(crate) fn of_values(values: usize) -> Self {
        Units(values / VALUES_OF_A_UNIT)
    }

    /// For a request that took so long, with what HTTP takes of it, which is not measured.
    pub(crate) fn of_time(time: Duration) -> Self {
        let Units(least) = Units::of_a_request();
        Units(usize::try_from(cost_of(time)).unwrap_or(usize::MAX).saturating_add(least))
    }

    /// Adds another part of the cost.
    pub(crate) fn add(&mut self, Units(part): Units) {
        self.0 = self.0.saturating_add(part);
    }

    /// Whether it is costly.
    pub(crate) fn are_many(self) -> bool {
        self.0 >= MANY_UNITS
    }

    /// As rate limits count them.
    pub(crate) fn count(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

/// The refusal of a document that exceeds a limit.
pub(super) fn exceeded(limit: &'static str, max: usize) -> ApiError {
    ApiError::new(Code::QueryTooComplex, format!("The document exceeds the limit of {max} {limit}."))
        .with_details(json!({ "limit": limit, "max": max }))
}

/// Measures the shape of the whole document against the limits. What passes has no fragment that spreads itself.
pub(crate) fn check_shape(document: &Document) -> Result<(), ApiError> {
    let mut fragments = HashMap::new();
    for definition in &document.definitions {
        if let Definition::FragmentDefinition(fragment) = definition {
            // Validation refuses a second fragment of the same name, and looks at the first.
            fragments.entry(fragment.name.as_str()).or_insert_with(|| &**fragment);
        }
    }
    let mut shape = Shape { fragments, measured: HashMap::new() };
    // Operations that are not executed are validated too, with all their fragments spread, and so are fragments that
    // none uses.
    let (mut operations, mut aliases, mut all, mut largest) = (0, 0_usize, Cost::default(), Cost::default());
    for definition in &document.definitions {
        match definition {
            Definition::OperationDefinition(operation) => {
                operations += 1;
                all.add(shape.selection(&operation.selection_set)?);
                aliases += aliases_of(&operation.selection_set);
            }
            Definition::FragmentDefinition(fragment) => {
                // No operation may spread it.
                let Cost { fields, depth } = shape.fragment(&fragment.name)?;
                largest = Cost { fields: largest.fields.max(fields), depth: largest.depth.max(depth) };
                aliases += aliases_of(&fragment.selection_set);
            }
            _ => {}
        }
    }
    for (value, limit, max) in [
        (operations, "operations", MAX_OPERATIONS),
        (aliases, "aliases", MAX_ALIASES),
        (all.depth.max(largest.depth), "levels of selections", MAX_DEPTH),
        (all.fields.max(largest.fields), "fields", MAX_FIELDS),
    ] {
        if value > max {
            return Err(exceeded(limit, max));
        }
    }
    Ok(())
}

/// Fields with an alias, fragments not spread.
fn aliases_of(selection: &[Selection]) -> usize {
    let of_each = selection.iter().map(|item| match item {
        Selection::Field(field) => usize::from(field.alias.is_some()) + aliases_of(&field.selection_set),
        Selection::InlineFragment(fragment) => aliases_of(&fragment.selection_set),
        Selection::FragmentSpread(_) => 0,
    });
    of_each.sum()
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
    fragments: HashMap<&'a str, &'a FragmentDefinition>,
    /// Measured fragments; none while one is being measured.
    measured: HashMap<&'a str, Option<Cost>>,
}

impl<'a> Shape<'a> {
    fn fragment(&mut self, name: &'a Name) -> Result<Cost, ApiError> {
        match self.measured.get(name.as_str()) {
            Some(Some(cost)) => return Ok(*cost),
            Some(None) => {
                return Err(ApiError::new(
                    Code::GraphqlValidationFailed,
                    format!("The fragment {name} spreads itself."),
                ));
            }
            None => {}
        }
        let Some(fragment) = self.fragments.get(name.as_str()).copied() else { return Ok(Cost::default()) };
        self.measured.insert(name, None);
        let cost = self.selection(&fragment.selection_set)?;
        self.measured.insert(name, Some(cost));
        Ok(cost)
    }

    fn selection(&mut self, selection: &'a [Selection]) -> Result<Cost, ApiError> {
        let mut cost = Cost::default();
        for item in selection {
            match item {
                Selection::Field(field) => {
                    if field.arguments.len() > MAX_ARGUMENTS {
                        return Err(exceeded("arguments of a field", MAX_ARGUMENTS));
                    }
                    let inner = self.selection(&field.selection_set)?;
                    cost.add(Cost { fields: inner.fields.saturating_add(1), depth: inner.depth + 1 });
                }
                Selection::InlineFragment(fragment) => cost.add(self.selection(&fragment.selection_set)?),
                Selection::FragmentSpread(spread) => {
                    let inner = self.fragment(&spread.fragment_name)?;
                    // The spread itself counts as a field: else nested spreads without any field would cost nothing.
                    cost.add(Cost { fields: inner.fields.saturating_add(1), ..inner });
                }
            }
        }
        Ok(cost)
    }
}

/// The weight of the arguments of a merged field: a list, an object and each value in it one, and text by its length.
pub(super) fn weight_of_arguments(field: &Field) -> usize {
    let values = field.arguments.iter().filter_map(|(_, value)| value.node.clone().into_const());
    values.fold(0, |sum, value| sum.saturating_add(weight_of(&value)))
}

pub(super) fn weight_of(value: &Value) -> usize {
    match value {
        Value::String(text) => 1 + text.len() / BYTES_OF_A_VALUE,
        Value::List(items) => items.iter().map(weight_of).sum::<usize>() + 1,
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| name.len() / BYTES_OF_A_VALUE + weight_of(value)).sum::<usize>() + 1
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::{
        parse_schema,
        types::{TypeKind, TypeSystemDefinition},
    };

    use super::*;

    /// A field with more arguments than a document may give one could never be asked in full.
    #[test]
    fn each_field_can_be_asked_with_all_its_arguments() {
        let document = parse_schema(include_str!("../../../schema.graphql")).unwrap();
        let mut most = 0;
        for definition in document.definitions {
            let TypeSystemDefinition::Type(definition) = definition else { continue };
            let TypeKind::Object(object) = definition.node.kind else { continue };
            for field in object.fields {
                let arguments = field.node.arguments.len();
                assert!(arguments <= MAX_ARGUMENTS, "{}: {arguments}", field.node.name);
                most = most.max(arguments);
            }
        }
        assert!(most > 10, "{most}");
    }
}
