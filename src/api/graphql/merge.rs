//! The operation that is executed: fragments spread, what is skipped left out, variables replaced by their values, and fields
//! that answer under one key merged (GraphQL specification, 6.3.2 and 6.3.3). The library resolves a field as often as it
//! stands in the document. Here each stands once, so that what it costs can be counted, and is paid once.

use std::{cell::Cell, collections::HashMap};

use apollo_compiler::{
    Node, Schema,
    ast::{Directive, Type},
    executable::{Field as Selected, Operation, OperationType as Kind, Selection as Part, SelectionSet as Parts},
    schema::{ExtendedType, UnionType},
};
use async_graphql::{
    Name, Pos, Positioned, Value, Variables,
    parser::types::{
        Field, InlineFragment, OperationDefinition, OperationType, Selection, SelectionSet, TypeCondition,
    },
};

use super::{
    coercion::{self, UnexpectedNull},
    cost::{MAX_INPUTS, exceeded, weight_of},
    document::Document,
    field_errors,
};
use crate::base::error::{ApiError, Code};

/// Merges an operation of a valid document, whose variables are coerced. Fails when null is the value of a variable where the
/// type has no null, or when values are too many.
pub fn merge(
    schema: &Schema,
    document: &Document,
    operation: &Node<Operation>,
    variables: &Variables,
) -> Result<OperationDefinition, ApiError> {
    let merging = Merging { schema, document, root: &operation.selection_set.ty, variables, inputs: Cell::new(0) };
    let selection_set = merging.selection(&[&operation.selection_set])?;
    Ok(OperationDefinition {
        ty: match operation.operation_type {
            Kind::Query => OperationType::Query,
            Kind::Mutation => OperationType::Mutation,
            Kind::Subscription => OperationType::Subscription,
        },
        variable_definitions: Vec::new(),
        directives: Vec::new(),
        selection_set: at(selection_set, document.place(operation.location())),
    })
}

/// The value that an argument of a merged field has; none where it has none.
pub(crate) fn argument(field: &Field, name: &str) -> Option<Value> {
    field.get_argument(name)?.node.clone().into_const()
}

fn at<T>(node: T, pos: Pos) -> Positioned<T> {
    Positioned::new(node, pos)
}

struct Merging<'a> {
    schema: &'a Schema,
    document: &'a Document,
    /// The type of the operation's root fields.
    root: &'a str,
    variables: &'a Variables,
    /// Weight of the arguments so far.
    inputs: Cell<usize>,
}

/// A field as often as it stands in one place.
struct Merged<'a> {
    field: &'a Node<Selected>,
    selections: Vec<&'a Parts>,
}

/// The fields of one place, in the order in which their keys are first met.
#[derive(Default)]
struct Fields<'a> {
    merged: Vec<Merged<'a>>,
    by_key: HashMap<&'a str, usize>,
}

impl<'a> Fields<'a> {
    fn add(&mut self, field: &'a Node<Selected>) {
        let place = *self.by_key.entry(field.response_key()).or_insert(self.merged.len());
        match self.merged.get_mut(place) {
            Some(merged) => merged.selections.push(&field.selection_set),
            None => self.merged.push(Merged { field, selections: vec![&field.selection_set] }),
        }
    }
}

/// The parent type whose fields are collected.
#[derive(Clone, Copy)]
struct Of<'a> {
    /// The type of the value.
    concrete: &'a str,
    /// Whether the fields stand in a union's selection, and not in one of its members, or of an interface of theirs.
    is_union: bool,
}

impl<'a> Merging<'a> {
    fn selection(&self, selections: &[&'a Parts]) -> Result<SelectionSet, ApiError> {
        let Some(ty) = selections.first().map(|selection| &selection.ty) else { return Ok(SelectionSet::default()) };
        match self.union(ty) {
            Some(union) => self.of_union(selections, union),
            None => self.of_object(selections, Of { concrete: ty, is_union: false }),
        }
    }

    fn of_object(&self, selections: &[&'a Parts], of: Of<'_>) -> Result<SelectionSet, ApiError> {
        let mut fields = Fields::default();
        selections.iter().try_for_each(|selection| self.collect(selection, of, &mut fields))?;
        let items = fields.merged.into_iter().map(|Merged { field, selections }| self.field(field, &selections, of));
        Ok(SelectionSet { items: items.collect::<Result<_, _>>()? })
    }

    /// The selection set for a union: an inline fragment for each member with selected fields.
    fn of_union(&self, selections: &[&'a Parts], union: &'a UnionType) -> Result<SelectionSet, ApiError> {
        let mut items = Vec::new();
        for member in &union.members {
            let selection_set = self.of_object(selections, Of { concrete: member, is_union: true })?;
            let Some(pos) = selection_set.items.first().map(|item| item.pos) else { continue };
            let condition = TypeCondition { on: at(Name::new(member), pos) };
            let fragment = InlineFragment {
                type_condition: Some(at(condition, pos)),
                directives: Vec::new(),
                selection_set: at(selection_set, pos),
            };
            items.push(at(Selection::InlineFragment(at(fragment, pos)), pos));
        }
        Ok(SelectionSet { items })
    }

    fn field(
        &self,
        field: &'a Node<Selected>,
        selections: &[&'a Parts],
        of: Of<'_>,
    ) -> Result<Positioned<Selection>, ApiError> {
        let pos = self.document.place(field.location());
        let mut arguments = Vec::new();
        for argument in &field.arguments {
            let definition = field.definition.argument_by_name(&argument.name);
            let ty = definition.map(|definition| &*definition.ty);
            let value = coercion::argument(self.variables, self.schema, ty, &argument.value)
                .map_err(|UnexpectedNull| null_refused(&argument.name, pos))?;
            // A variable without a value: the argument's default holds.
            let Some(value) = value else { continue };
            self.inputs.set(self.inputs.get().saturating_add(weight_of(&value)));
            if self.inputs.get() > MAX_INPUTS {
                return Err(exceeded("values of arguments", MAX_INPUTS));
            }
            arguments.push((at(Name::new(&argument.name), pos), at(value.into_value(), pos)));
        }
        // Other fields than roots that have none below do not fail, and introspection does not either.
        let has_fields = !field.selection_set.selections.is_empty() && !field.selection_set.ty.starts_with("__");
        let can_fail = has_fields || (of.concrete == self.root && !field.name.starts_with("__"));
        let merged = Field {
            alias: field.alias.as_ref().map(|alias| at(Name::new(alias), pos)),
            name: at(Name::new(&field.name), pos),
            arguments,
            directives: can_fail.then(|| field_errors::directive(pos)).into_iter().collect(),
            selection_set: at(self.selection(selections)?, pos),
        };
        Ok(at(Selection::Field(at(merged, pos)), pos))
    }

    fn collect(&self, selection: &'a Parts, of: Of<'_>, fields: &mut Fields<'a>) -> Result<(), ApiError> {
        for part in &selection.selections {
            if self.is_skipped(part.directives())? {
                continue;
            }
            match part {
                // A union has no other field; its members do.
                Part::Field(field) if of.is_union && field.name != "__typename" => {}
                Part::Field(field) => fields.add(field),
                Part::InlineFragment(fragment) => {
                    if let Some(of) = self.within(fragment.type_condition.as_deref(), of) {
                        self.collect(&fragment.selection_set, of, fields)?;
                    }
                }
                Part::FragmentSpread(spread) => {
                    if let Some(fragment) = self.document.executable.fragments.get(&spread.fragment_name)
                        && let Some(of) = self.within(Some(&fragment.selection_set.ty), of)
                    {
                        self.collect(&fragment.selection_set, of, fields)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The parent type of a fragment's fields. `None`: the fragment does not apply.
    fn within<'b>(&self, condition: Option<&str>, of: Of<'b>) -> Option<Of<'b>> {
        let Some(on) = condition else { return Some(of) };
        if on == of.concrete {
            return Some(Of { is_union: false, ..of });
        }
        match self.schema.types.get(on)? {
            ExtendedType::Union(union) => union.members.contains(of.concrete).then_some(Of { is_union: true, ..of }),
            ExtendedType::Interface(_) => {
                let implemented = &self.schema.get_object(of.concrete)?.implements_interfaces;
                implemented.contains(on).then_some(Of { is_union: false, ..of })
            }
            _ => None,
        }
    }

    fn union(&self, name: &str) -> Option<&'a UnionType> {
        match self.schema.types.get(name)? {
            ExtendedType::Union(union) => Some(union),
            _ => None,
        }
    }

    fn is_skipped(&self, directives: &[Node<Directive>]) -> Result<bool, ApiError> {
        for directive in directives {
            if (directive.name == "skip" && self.condition(directive)?)
                || (directive.name == "include" && !self.condition(directive)?)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn condition(&self, directive: &Directive) -> Result<bool, ApiError> {
        let Some(literal) = directive.specified_argument_by_name("if") else { return Ok(false) };
        let boolean = Type::NonNullNamed(apollo_compiler::name!("Boolean"));
        match coercion::argument(self.variables, self.schema, Some(&boolean), literal) {
            Ok(value) => Ok(value == Some(Value::Boolean(true))),
            Err(UnexpectedNull) => Err(null_refused("if", self.document.place(literal.location()))),
        }
    }
}

/// `#sec-Coercing-Field-Arguments`: null for an argument that can't be null.
fn null_refused(argument: &str, Pos { line, column }: Pos) -> ApiError {
    let message = format!("The argument {argument}, at line {line}, column {column}, can't be null.");
    ApiError::new(Code::GraphqlValidationFailed, message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        api::graphql::{tokens::read_text, validator::Validator},
        contract,
    };

    const SCHEMA: &str = "
        schema { query: Query }
        type Query { a(of: Int, all: [In!] = []): Thing b(size: Int! = 5): Int any: Any }
        input In { n: Int! = 1 s: String }
        interface Seen { x: Int } interface Nowhere { w: Int } type Else implements Nowhere { w: Int }
        type Thing implements Seen { x: Int y: Int thing: Thing } type Other { z: Int } union Any = Thing | Other";

    fn written(selection: &SelectionSet) -> String {
        let items = selection.items.iter().map(|item| match &item.node {
            Selection::Field(field) => {
                let alias = field.node.alias.as_ref().map(|alias| format!("{}: ", alias.node)).unwrap_or_default();
                let arguments =
                    field.node.arguments.iter().map(|(name, value)| format!("({}: {})", name.node, value.node));
                format!(
                    "{alias}{}{}{}",
                    field.node.name.node,
                    arguments.collect::<String>(),
                    inner(&field.node.selection_set.node)
                )
            }
            Selection::InlineFragment(fragment) => {
                let on = &fragment.node.type_condition.as_ref().unwrap().node.on.node;
                format!("... on {on}{}", inner(&fragment.node.selection_set.node))
            }
            Selection::FragmentSpread(_) => panic!("it is spread"),
        });
        items.collect::<Vec<_>>().join(" ")
    }

    fn inner(selection: &SelectionSet) -> String {
        if selection.items.is_empty() { String::new() } else { format!(" {{ {} }}", written(selection)) }
    }

    fn merged_with(text: &str, variables: serde_json::Value) -> Result<String, ApiError> {
        let validator = Validator::new(&contract::parse(SCHEMA).unwrap()).unwrap();
        let document = validator.document(&read_text(text).unwrap()).unwrap();
        let operation = document.operation(None).unwrap();
        let variables = validator.variables(&document, operation, &Variables::from_json(variables)).unwrap();
        Ok(written(&merge(&validator.schema, &document, operation, &variables)?.selection_set.node))
    }

    fn merged(text: &str) -> String {
        merged_with(text, json!({})).unwrap()
    }

    #[test]
    fn each_key_of_a_place_stands_once_and_in_its_order() {
        for (document, expected) in [
            ("{ a { x x y x } }", "a { x y }"),
            ("{ a { x } b: a { x } a { y x } }", "a { x y } b: a { x }"),
            (
                "{ a(of: 1) { x } ... { a(of: 1) { ...f } ...g } } fragment f on Thing { y thing { x } thing { ...h } } \
              fragment g on Query { a(of: 1) { thing { y } } } fragment h on Thing { x }",
                "a(of: 1) { x y thing { x y } }",
            ),
            (
                "{ __schema { types { name name fields { name } fields { name } } types { kind } } }",
                "__schema { types { name fields { name } kind } }",
            ),
        ] {
            assert_eq!(merged(document), expected, "{document}");
        }
    }

    #[test]
    fn what_is_skipped_is_left_out() {
        let document = "query($yes: Boolean! $no: Boolean! $default: Boolean = true) { a { \
            x @skip(if: $yes) y @include(if: $no) x @skip(if: $no) @include(if: $yes) \
            thing @include(if: $default) { x } ... @skip(if: true) { y } ...f @include(if: false) } } \
            fragment f on Thing { y }";
        let variables = json!({ "yes": true, "no": false });
        assert_eq!(merged_with(document, variables).unwrap(), "a { x thing { x } }");
        let null = json!({ "yes": true, "no": false, "default": null });
        assert!(merged_with(document, null).unwrap_err().message.contains("if"));
    }

    #[test]
    fn variables_are_replaced_by_their_values() {
        let document = "query($n: Int $s: String = \"d\" $all: [In!]) { \
            x: a(of: $n) { x } y: a(all: [{ n: 2 s: $s } { s: $s }]) { x } z: a(all: $all) { x } b(size: $n) }";
        for (variables, expected) in [
            (json!({}), "x: a { x } y: a(all: [{n: 2, s: \"d\"}, {s: \"d\"}]) { x } z: a { x } b"),
            (
                json!({ "n": 7, "s": null, "all": { "s": "one" } }),
                "x: a(of: 7) { x } y: a(all: [{n: 2, s: null}, {s: null}]) { x } z: a(all: [{n: 1, s: \"one\"}]) { x } b(size: 7)",
            ),
        ] {
            assert_eq!(merged_with(document, variables).unwrap(), expected);
        }
        // Allowed, since there is a default: but null is not the default.
        assert!(merged_with(document, json!({ "n": null })).unwrap_err().message.contains("size"));
    }

    #[test]
    fn a_union_has_what_is_selected_of_each_member() {
        assert_eq!(
            merged(
                "{ any { ... on Other { z } __typename ...f ... on Any { ... on Thing { y } } } } fragment f on Thing { x }"
            ),
            "any { ... on Thing { __typename x y } ... on Other { z __typename } }"
        );
        assert_eq!(merged("{ any { ... on Thing { x } } }"), "any { ... on Thing { x } }");
        assert_eq!(merged("{ a { ... on Any { ... on Thing { x } ... on Other { z } } } }"), "a { x }");
    }

    #[test]
    fn the_types_of_an_interface_have_what_is_selected_of_it() {
        assert_eq!(
            merged(
                "{ a { y ... on Seen { x __typename ... on Thing { y thing { ...f } } } } } fragment f on Seen { s: x }"
            ),
            "a { y x __typename thing { s: x } }"
        );
        assert_eq!(
            merged("{ any { ... on Seen { x ... on Any { __typename ... on Other { z } } } ... on Other { z } } }"),
            "any { ... on Thing { x __typename } ... on Other { z } }"
        );
    }
}
