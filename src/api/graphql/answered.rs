//! The permissions that a caller needs for what mutations answer of resources that existed before: see
//! [`written`](super::contract::written).

use async_graphql::parser::types::{OperationDefinition, Selection, SelectionSet};

use super::merge::argument;
use crate::{
    contract::{
        Contract, OperationKind, Parent,
        written::{INPUT, Place},
    },
    platform::auth::access::Permission,
};

/// Adds the permissions to read what the selections of a merged operation have beside ids and what the operation writes.
pub(crate) fn add_permissions(contract: &Contract, operation: &OperationDefinition, needed: &mut Vec<Permission>) {
    let kind = OperationKind::from(operation.ty);
    for item in &operation.selection_set.node.items {
        let Selection::Field(field) = &item.node else { continue };
        let Some(root) = contract.operation(kind, &field.node.name.node) else { continue };
        let input = argument(&field.node, INPUT);
        if let Some(place) = root.answer(contract, input.as_ref()) {
            let inner = Parent::of(Some(&root.field));
            selection(contract, &field.node.selection_set.node, inner, place, needed);
        }
    }
}

fn selection(
    contract: &Contract,
    selected: &SelectionSet,
    parent: Parent<'_>,
    place: Place<'_>,
    needed: &mut Vec<Permission>,
) {
    for item in &selected.items {
        match &item.node {
            Selection::Field(field) => {
                let (Parent::Type(type_name), Some(known)) = (parent, parent.field(contract, &field.node.name.node))
                else {
                    continue;
                };
                let (permission, inner) = place.field(contract, type_name, known);
                needed.extend(permission.filter(|permission| !needed.contains(permission)));
                selection(contract, &field.node.selection_set.node, Parent::of(Some(known)), inner, needed);
            }
            Selection::InlineFragment(fragment) => {
                let member = fragment.node.type_condition.as_ref();
                let member = member.map_or(parent, |condition| Parent::Type(&condition.node.on.node));
                selection(contract, &fragment.node.selection_set.node, member, place, needed);
            }
            Selection::FragmentSpread(_) => {}
        }
    }
}
