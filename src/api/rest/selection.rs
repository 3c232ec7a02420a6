//! Which fields a REST operation answers with.
//!
//! Payloads and pages are opened until the first entity (a type with an `id`). Of an entity come its scalars and
//! embedded value objects: the selection stops at other entities but those that are `@embedded`, at what contains them, at unions, and at
//! fields that take arguments, which no request can give. A field that asks for a permission of its own is left out for a caller who
//! lacks it; so is what a mutation did not write, for a caller who may not read.

use std::collections::HashSet;

use async_graphql::{
    Positioned,
    parser::types::{Selection, Type},
};

use crate::{
    contract::{Contract, ContractError, Field, base_name, refuse, written::Place},
    platform::auth::access::Permission,
};

/// One selected field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    pub(crate) name: String,
    /// The selected subfields; empty for a leaf.
    pub(crate) inner: Vec<Selected>,
    /// Permissions that it asks for.
    pub(crate) permissions: Vec<Permission>,
}

/// The fields to select of a value of this type; empty for a leaf.
pub fn select(contract: &Contract, ty: &Type) -> Result<Vec<Selected>, ContractError> {
    of_type(contract, base_name(ty), false, &mut Vec::new())
}

fn of_type<'a>(
    contract: &'a Contract,
    type_name: &'a str,
    in_entity: bool,
    open: &mut Vec<&'a str>,
) -> Result<Vec<Selected>, ContractError> {
    let Some(fields) = contract.object(type_name) else { return Ok(Vec::new()) };
    if open.contains(&type_name) {
        refuse!("{} contains itself without an entity in between: its REST answer would not end", open.join(" > "));
    }
    open.push(type_name);
    let in_entity = in_entity || contract.is_entity(type_name);
    let mut selected = Vec::new();
    for field in fields.iter().filter(|field| is_selected(contract, field, in_entity)) {
        let inner = of_type(contract, base_name(&field.ty), in_entity, open)?;
        selected.push(Selected { name: field.name.clone(), inner, permissions: field.permissions.clone() });
    }
    open.pop();
    if selected.is_empty() {
        refuse!("nothing of {type_name} can be selected for REST");
    }
    Ok(selected)
}

/// Whether a field of an object belongs to its REST answer.
pub(crate) fn is_selected(contract: &Contract, field: &Field, in_entity: bool) -> bool {
    let leads_away =
        in_entity && !field.is_embedded && reaches_entity(contract, base_name(&field.ty), &mut HashSet::new());
    field.arguments.is_empty() && !leads_away && !contract.is_union(base_name(&field.ty))
}

fn reaches_entity<'a>(contract: &'a Contract, type_name: &'a str, seen: &mut HashSet<&'a str>) -> bool {
    let Some(fields) = contract.object(type_name) else { return false };
    contract.is_entity(type_name)
        || (seen.insert(type_name) && fields.iter().any(|field| reaches_entity(contract, base_name(&field.ty), seen)))
}

/// All permissions that fields of the selection ask for, as often as they do.
pub(crate) fn permissions(selection: &[Selected]) -> Vec<Permission> {
    let of_field = |field: &Selected| [field.permissions.clone(), permissions(&field.inner)].concat();
    selection.iter().flat_map(of_field).collect()
}

/// Adds the permissions that fields of a mutation's answer need at this place.
pub(crate) fn guard(contract: &Contract, ty: &Type, selection: &mut [Selected], place: Place<'_>) {
    let type_name = base_name(ty);
    for selected in selection {
        let mut fields = contract.object(type_name).into_iter().flatten();
        let Some(field) = fields.find(|field| field.name == selected.name) else { continue };
        let (permission, inner) = place.field(contract, type_name, field);
        selected.permissions.extend(permission);
        guard(contract, &field.ty, &mut selected.inner, inner);
    }
}

/// Leaves out the fields with a permission that is not held, and those of which nothing is left.
pub(crate) fn leave_out(selection: &mut Vec<Selected>, is_held: &impl Fn(&Permission) -> bool) {
    selection.retain_mut(|field| {
        let is_leaf = field.inner.is_empty();
        leave_out(&mut field.inner, is_held);
        field.permissions.iter().all(is_held) && (is_leaf || !field.inner.is_empty())
    });
}

/// The selection as GraphQL text.
pub fn to_text(selection: &[Selected]) -> String {
    if selection.is_empty() {
        return String::new();
    }
    let fields: Vec<String> =
        selection.iter().map(|field| format!("{}{}", field.name, to_text(&field.inner))).collect();
    format!(" {{ {} }}", fields.join(" "))
}

/// Leaves the fields below one of a document that are selected.
pub(crate) fn narrow(field: &mut Positioned<Selection>, selection: &[Selected]) {
    if let Selection::Field(field) = &mut field.node {
        field.node.selection_set.node.items.retain_mut(|item| {
            let Selection::Field(field) = &item.node else { return true };
            let selected = selection.iter().find(|selected| *selected.name == *field.node.name.node);
            selected.is_some_and(|selected| {
                narrow(item, &selected.inner);
                true
            })
        });
    }
}

/// Where the first entity stands in the selection: the fields that `?fields=` chooses from.
pub(crate) fn path_to_entity(contract: &Contract, ty: &Type, selection: &[Selected]) -> Option<Vec<String>> {
    let name = base_name(ty);
    if contract.is_entity(name) {
        return Some(Vec::new());
    }
    let fields = contract.object(name)?;
    selection.iter().find_map(|selected| {
        let field = fields.iter().find(|field| field.name == selected.name)?;
        let mut path = path_to_entity(contract, &field.ty, &selected.inner)?;
        path.insert(0, selected.name.clone());
        Some(path)
    })
}

/// The name of the type at a path of fields.
pub(crate) fn type_at<'a>(contract: &'a Contract, ty: &'a Type, path: &[String]) -> Option<&'a str> {
    path.iter().try_fold(base_name(ty), |name, part| {
        let field = contract.object(name)?.iter().find(|field| field.name == *part)?;
        Some(base_name(&field.ty))
    })
}

/// The fields at a path.
pub(crate) fn at<'a>(selection: &'a mut Vec<Selected>, path: &[String]) -> Option<&'a mut Vec<Selected>> {
    match path.split_first() {
        None => Some(selection),
        Some((name, rest)) => at(&mut selection.iter_mut().find(|field| field.name == *name)?.inner, rest),
    }
}
