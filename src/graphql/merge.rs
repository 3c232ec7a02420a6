//! The operation that is executed: fragments spread, what is skipped left out, and fields that answer under one key merged
//! (GraphQL specification, 6.3.2 and 6.3.3). The library resolves a field as often as it stands in the document. Here each
//! stands once, so that what it costs can be counted, and is paid once.
//!
//! The document itself is validated as it was sent. Of one that is wrong nothing is executed, whatever becomes of it here.

use std::collections::HashMap;

use async_graphql::{
    Name, Positioned, Value, Variables,
    parser::types::{
        Directive, ExecutableDocument, Field, InlineFragment, OperationDefinition, Selection, SelectionSet,
        TypeCondition,
    },
};

use crate::graphql::contract::{self, Contract, OperationKind, Shape};

/// The type that a selection is made on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent<'a> {
    /// The type of root fields.
    Root(OperationKind),
    /// A type of the contract.
    Type(&'a str),
    /// Introspection, or what validation will refuse.
    Unknown,
}

impl<'a> Parent<'a> {
    /// The definition of a field of this type; none where the contract has none.
    pub fn field(self, contract: &'a Contract, name: &str) -> Option<&'a contract::Field> {
        let kind = match self {
            Parent::Root(kind) => kind,
            Parent::Type(type_name) => match contract.roots.get(type_name) {
                Some(kind) => *kind,
                None => return contract.object(type_name)?.iter().find(|field| field.name == name),
            },
            Parent::Unknown => return None,
        };
        contract.operation(kind, name).map(|operation| &operation.field)
    }

    /// The type that a field has, by its definition.
    pub fn of(field: Option<&'a contract::Field>) -> Self {
        field.map_or(Parent::Unknown, |field| Parent::Type(contract::base_name(&field.ty)))
    }
}

/// Merges the operation. The document must have passed [`check_shape`](super::cost::check_shape), which bounds the work and
/// knows that no fragment spreads itself.
pub fn merge(
    contract: &Contract,
    document: &ExecutableDocument,
    operation: &OperationDefinition,
    variables: &Variables,
) -> OperationDefinition {
    let merging = Merging { contract, document, operation, variables };
    let selection = &operation.selection_set;
    let merged = merging.selection(&[&selection.node], Parent::Root(operation.ty.into()));
    OperationDefinition {
        ty: operation.ty,
        variable_definitions: operation.variable_definitions.clone(),
        directives: Vec::new(),
        selection_set: Positioned::new(merged, selection.pos),
    }
}

struct Merging<'a> {
    contract: &'a Contract,
    document: &'a ExecutableDocument,
    operation: &'a OperationDefinition,
    variables: &'a Variables,
}

/// A field as often as it stands in one place.
struct Merged<'a> {
    field: &'a Positioned<Field>,
    selections: Vec<&'a SelectionSet>,
}

/// The fields of one place, in the order in which their keys are first met.
#[derive(Default)]
struct Fields<'a> {
    merged: Vec<Merged<'a>>,
    /// Places of those that answer under a key: several only where validation will refuse the document.
    by_key: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Fields<'a> {
    fn add(&mut self, field: &'a Positioned<Field>) {
        let places = self.by_key.entry(&field.node.response_key().node).or_default();
        let known = places.iter().find_map(|place| {
            self.merged.get(*place).filter(|merged| is_same(&merged.field.node, &field.node)).map(|_| *place)
        });
        match known.and_then(|place| self.merged.get_mut(place)) {
            Some(merged) => merged.selections.push(&field.node.selection_set.node),
            None => {
                places.push(self.merged.len());
                self.merged.push(Merged { field, selections: vec![&field.node.selection_set.node] });
            }
        }
    }
}

/// Whether both ask for the same.
fn is_same(one: &Field, other: &Field) -> bool {
    one.name.node == other.name.node
        && one.arguments.len() == other.arguments.len()
        && one.arguments.iter().all(|(name, value)| other.get_argument(&name.node) == Some(value))
}

/// What fields are collected of.
#[derive(Clone, Copy)]
struct Of<'a> {
    /// The type of the value. None: a type that has no other forms, so that each fragment applies.
    concrete: Option<&'a str>,
    /// Whether the fields stand in a union's selection, and not in one of its members.
    is_union: bool,
}

impl<'a> Merging<'a> {
    fn selection(&self, selections: &[&'a SelectionSet], parent: Parent<'a>) -> SelectionSet {
        let concrete = match parent {
            Parent::Type(name) => match self.members(name) {
                Some(members) => return self.of_union(selections, members),
                None => Some(name),
            },
            Parent::Root(_) | Parent::Unknown => None,
        };
        let mut fields = Fields::default();
        selections.iter().for_each(|selection| self.collect(selection, Of { concrete, is_union: false }, &mut fields));
        self.written(fields, parent)
    }

    /// What is selected of each member.
    fn of_union(&self, selections: &[&'a SelectionSet], members: &'a [String]) -> SelectionSet {
        let items = members.iter().filter_map(|member| {
            let of = Of { concrete: Some(member), is_union: true };
            let mut fields = Fields::default();
            selections.iter().for_each(|selection| self.collect(selection, of, &mut fields));
            let selection_set = self.written(fields, Parent::Type(member));
            let pos = selection_set.items.first()?.pos;
            let condition = TypeCondition { on: Positioned::new(Name::new(member), pos) };
            let fragment = InlineFragment {
                type_condition: Some(Positioned::new(condition, pos)),
                directives: Vec::new(),
                selection_set: Positioned::new(selection_set, pos),
            };
            Some(Positioned::new(Selection::InlineFragment(Positioned::new(fragment, pos)), pos))
        });
        SelectionSet { items: items.collect() }
    }

    fn written(&self, fields: Fields<'a>, parent: Parent<'a>) -> SelectionSet {
        let items = fields.merged.into_iter().map(|Merged { field, selections }| {
            let inner = Parent::of(parent.field(self.contract, &field.node.name.node));
            let selection_set = self.selection(&selections, inner);
            let merged = Field {
                alias: field.node.alias.clone(),
                name: field.node.name.clone(),
                arguments: field.node.arguments.clone(),
                directives: Vec::new(),
                selection_set: Positioned::new(selection_set, field.node.selection_set.pos),
            };
            Positioned::new(Selection::Field(Positioned::new(merged, field.pos)), field.pos)
        });
        SelectionSet { items: items.collect() }
    }

    fn collect(&self, selection: &'a SelectionSet, of: Of<'_>, fields: &mut Fields<'a>) {
        for item in &selection.items {
            if self.is_skipped(item.node.directives()) {
                continue;
            }
            match &item.node {
                // A union has no other field; its members do.
                Selection::Field(field) if of.is_union && field.node.name.node != "__typename" => {}
                Selection::Field(field) => fields.add(field),
                Selection::InlineFragment(fragment) => {
                    let condition = fragment.node.type_condition.as_ref().map(|condition| &condition.node);
                    if let Some(of) = self.within(condition, of) {
                        self.collect(&fragment.node.selection_set.node, of, fields);
                    }
                }
                Selection::FragmentSpread(spread) => {
                    let fragment = self.document.fragments.get(&spread.node.fragment_name.node);
                    if let Some(fragment) = fragment
                        && let Some(of) = self.within(Some(&fragment.node.type_condition.node), of)
                    {
                        self.collect(&fragment.node.selection_set.node, of, fields);
                    }
                }
            }
        }
    }

    /// What a fragment's fields are selected of; none when it does not apply.
    fn within<'b>(&self, condition: Option<&TypeCondition>, of: Of<'b>) -> Option<Of<'b>> {
        let (Some(condition), Some(concrete)) = (condition, of.concrete) else { return Some(of) };
        let on = condition.on.node.as_str();
        if on == concrete {
            return Some(Of { is_union: false, ..of });
        }
        self.members(on)?.iter().any(|member| member == concrete).then_some(Of { is_union: true, ..of })
    }

    /// The members of a union.
    fn members(&self, name: &str) -> Option<&'a [String]> {
        match &self.contract.types.get(name)?.shape {
            Shape::Union(members) => Some(members),
            _ => None,
        }
    }

    fn is_skipped(&self, directives: &[Positioned<Directive>]) -> bool {
        directives.iter().map(|directive| &directive.node).any(|directive| match directive.name.node.as_str() {
            "skip" => self.condition(directive),
            "include" => !self.condition(directive),
            _ => false,
        })
    }

    fn condition(&self, directive: &Directive) -> bool {
        let given = directive.get_argument("if").map(|value| value.node.clone());
        let value = given.and_then(|value| {
            value.into_const_with(|name| variable(self.operation, self.variables, &name).cloned().ok_or(())).ok()
        });
        value == Some(Value::Boolean(true))
    }
}

/// The value of a variable: what was sent, or its default.
pub(super) fn variable<'a>(
    operation: &'a OperationDefinition,
    variables: &'a Variables,
    name: &Name,
) -> Option<&'a Value> {
    variables.get(name).or_else(|| {
        let definitions = operation.variable_definitions.iter().map(|definition| &definition.node);
        definitions.into_iter().find(|known| known.name.node == *name)?.default_value.as_ref().map(|value| &value.node)
    })
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::{parse_query, types::DocumentOperations};
    use serde_json::json;

    use super::*;

    const SCHEMA: &str = "
        schema { query: Query }
        type Query { a(of: Int): Thing @access(credential: PUBLIC) any: Any @access(credential: PUBLIC) }
        type Thing { x: Int y: Int thing: Thing } type Other { z: Int } union Any = Thing | Other";

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

    fn merged(document: &str) -> String {
        let contract = Contract::read(SCHEMA).unwrap();
        let document = parse_query(document).unwrap();
        let DocumentOperations::Single(operation) = &document.operations else { panic!("one operation") };
        let variables = Variables::from_json(json!({ "yes": true, "no": false }));
        written(&merge(&contract, &document, &operation.node, &variables).selection_set.node)
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
            // Validation refuses them; both are left to be counted.
            ("{ a(of: 1) { x } a(of: 2) { x } }", "a(of: 1) { x } a(of: 2) { x }"),
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
        let document = "query($yes: Boolean! $no: Boolean! $default: Boolean = true $none: Boolean) { a { \
            x @skip(if: $yes) y @include(if: $no) x @skip(if: $no) @include(if: $yes) \
            thing @include(if: $default) { x } ... @skip(if: true) { y } ...f @include(if: false) \
            t: thing @include(if: $none) { x } } } fragment f on Thing { y }";
        let document = document.replacen("query(", "query (", 1);
        let contract = Contract::read(SCHEMA).unwrap();
        let document = parse_query(document).unwrap();
        let (_, operation) = document.operations.iter().next().unwrap();
        let variables = Variables::from_json(json!({ "yes": true, "no": false }));
        let merged = merge(&contract, &document, &operation.node, &variables);
        assert_eq!(written(&merged.selection_set.node), "a { x thing { x } }");
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
}
