//! What a mutation answers to a caller who may write resources and not read them: ids, and what the request wrote. And what an update
//! must say for anything to be written.

use async_graphql::{
    Value,
    parser::types::{BaseType, Type},
};

use super::{Contract, ContractError, Field, Input, RootField, Shape, base_name, model::OperationKind, refuse};
use crate::{
    base::error::Violations,
    graphql::directives::HttpMethod,
    platform::auth::access::{Credential, Permission},
};

/// The argument that says what to write.
pub(crate) const INPUT: &str = "input";
/// The field by which a resource is known.
const ID: &str = "id";

/// A place in the answer of a mutation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'v> {
    /// The permission to read the resource that the place belongs to. `None`: it is outside of one.
    reads: Option<Permission>,
    /// The object of the request's input that this place is compared with, if there is one.
    written: Option<&'v Value>,
}

impl<'v> Place<'v> {
    /// The permission to read an object of this type there. `None`: it is neither a resource nor a part of one.
    pub(crate) fn reads(self, contract: &Contract, type_name: &str) -> Option<Permission> {
        contract.types.get(type_name).and_then(|definition| definition.reads).or(self.reads)
    }

    /// The place of a selected field of this type, and the permission that the field needs beside its own.
    pub(crate) fn field(self, contract: &Contract, type_name: &str, field: &Field) -> (Option<Permission>, Place<'v>) {
        let resource = contract.types.get(type_name).and_then(|definition| definition.reads);
        let reads = self.reads(contract, type_name);
        let nothing = Place { reads: None, written: None };
        if !field.permissions.is_empty() {
            // It leads to another resource, whose fields are judged as those of a query.
            return (None, nothing);
        }
        if (resource.is_some() && field.name == ID) || field.is_shown_once {
            return (None, nothing);
        }
        let value = match self.written {
            Some(Value::Object(written)) => written.get(field.name.as_str()).filter(|value| **value != Value::Null),
            _ => None,
        };
        let inner = base_name(&field.ty);
        if !contract.has_fields(inner) {
            let is_written = value.is_some_and(|value| !matches!(value, Value::Object(_)));
            return (reads.filter(|_| !is_written), nothing);
        }
        if reads.is_none() {
            return (None, self);
        }
        let is_other = contract.types.get(inner).is_some_and(|definition| definition.reads.is_some());
        match value {
            _ if is_other || matches!(field.ty.base, BaseType::List(_)) => (reads, nothing),
            Some(Value::Object(_)) => (None, Place { reads, written: value }),
            // Inputs may have the fields of an object that a resource always has.
            None if !field.ty.nullable => (None, Place { reads, written: self.written }),
            _ => (reads, Place { reads, written: None }),
        }
    }
}

impl RootField {
    /// The place of its answer to a request with this input. `None`: callers get all of the answer that their permissions for its
    /// fields allow.
    pub(crate) fn answer<'v>(&self, contract: &Contract, input: Option<&'v Value>) -> Option<Place<'v>> {
        let is_judged = self.writes() && self.access.credential == Credential::Any;
        let written = self.input().zip(input).map(|(known, input)| contract.change(&known.ty, INPUT, input).1);
        is_judged.then_some(Place { reads: None, written })
    }

    /// Adds a violation if the request's input says nothing: then there is nothing to change. And in a change of what exists, one for each
    /// null that would take nothing away. `whole` is how the caller knows the input.
    pub(crate) fn check_change(&self, contract: &Contract, whole: &str, input: &Value, violations: &mut Violations) {
        let Some(known) = self.input().filter(|_| self.writes()) else { return };
        let (path, change) = contract.change(&known.ty, whole, input);
        if self.says_nothing(contract, change) {
            violations.add(path, "must have at least one field: there is nothing to change");
        }
        if self.rest.iter().any(|mapping| mapping.method == HttpMethod::Patch) {
            contract.check_nulls("", base_name(&known.ty), input, violations);
        }
    }

    /// Whether a request may say which version of the resource it changes.
    pub(crate) fn is_conditional(&self, contract: &Contract) -> bool {
        self.preconditions(contract).next().is_some()
    }

    /// The fields of the input that say when the change is made.
    fn preconditions<'a>(&'a self, contract: &'a Contract) -> impl Iterator<Item = &'a Input> {
        let fields = self.input().and_then(|input| contract.input(base_name(&input.ty)));
        fields.into_iter().flatten().filter(|field| field.is_precondition)
    }

    /// Whether a value is an object without a field but preconditions and such objects.
    fn says_nothing(&self, contract: &Contract, value: &Value) -> bool {
        let Value::Object(fields) = value else { return false };
        let is_precondition = |name: &str| self.preconditions(contract).any(|field| field.name == name);
        fields
            .iter()
            .all(|(name, value)| self.says_nothing(contract, value) || (*value != Value::Null && is_precondition(name)))
    }

    /// Whether it is a mutation of what existed before.
    fn writes(&self) -> bool {
        self.kind == OperationKind::Mutation && self.creates.is_none()
    }

    fn input(&self) -> Option<&Input> {
        self.field.arguments.iter().find(|argument| argument.name == INPUT)
    }
}

impl Contract {
    /// Adds a violation for each field of the input that is null and not `@clearable`, but for those below a value that null would clear.
    fn check_nulls(&self, prefix: &str, type_name: &str, value: &Value, violations: &mut Violations) {
        let (Some(known), Value::Object(fields)) = (self.input(type_name), value) else { return };
        for field in known {
            let path = if prefix.is_empty() { field.name.clone() } else { format!("{prefix}.{}", field.name) };
            match fields.get(field.name.as_str()) {
                Some(Value::Null) if field.ty.nullable && !field.is_clearable => {
                    violations.add(path, "must not be null: it stays as it is when it is absent");
                }
                // Such a value is replaced as a whole: null in it is the same as absent.
                Some(_) if field.is_clearable => {}
                Some(value) => self.check_nulls(&path, base_name(&field.ty), value, violations),
                None => {}
            }
        }
    }

    /// The object that says what to write, and its path: the input, or the object that the input requires beside the ids of what is to
    /// be changed.
    fn change<'v, 'p>(&'p self, ty: &'p Type, path: &'p str, value: &'v Value) -> (&'p str, &'v Value) {
        let required = self.required_object(base_name(ty)).zip(match value {
            Value::Object(fields) => Some(fields),
            _ => None,
        });
        match required.and_then(|(field, fields)| Some((field, fields.get(field.name.as_str())?))) {
            Some((field, value)) => self.change(&field.ty, &field.name, value),
            None => (path, value),
        }
    }

    /// Names of an input object's type and of those of its fields.
    pub(crate) fn inputs_of(&self, type_name: &str) -> Vec<&str> {
        let Some((name, fields)) = self.types.get_key_value(type_name).zip(self.input(type_name)) else {
            return Vec::new();
        };
        let below = fields.iter().flat_map(|field| self.inputs_of(base_name(&field.ty)));
        std::iter::once(name.0.as_str()).chain(below).collect()
    }

    /// The field of an input object that must be an object.
    fn required_object(&self, type_name: &str) -> Option<&Input> {
        self.input(type_name)?.iter().find(|field| {
            field.is_required() && matches!(&field.ty.base, BaseType::Named(name) if self.input(name).is_some())
        })
    }

    fn has_fields(&self, type_name: &str) -> bool {
        let shape = self.types.get(type_name).map(|definition| &definition.shape);
        matches!(shape, Some(Shape::Object(_) | Shape::Union(_)))
    }

    /// Every entity that a mutation answers to API keys says who reads it.
    pub(super) fn check_resources(&self) -> Result<(), ContractError> {
        for root in self.operations.iter().filter(|root| root.kind == OperationKind::Mutation) {
            if root.access.credential == Credential::Any {
                self.check_resource(root, base_name(&root.field.ty), &mut Vec::new())?;
            }
        }
        Ok(())
    }

    fn check_resource<'a>(
        &'a self,
        root: &RootField,
        type_name: &'a str,
        seen: &mut Vec<&'a str>,
    ) -> Result<(), ContractError> {
        let Some(fields) = self.object(type_name).filter(|_| !seen.contains(&type_name)) else { return Ok(()) };
        seen.push(type_name);
        if self.is_entity(type_name) && self.types.get(type_name).is_none_or(|known| known.reads.is_none()) {
            refuse!("{} answers {type_name}, which has no @resource: with which scope is it read?", root.field.name);
        }
        let free = fields.iter().filter(|field| field.permissions.is_empty());
        free.map(|field| base_name(&field.ty)).try_for_each(|inner| self.check_resource(root, inner, seen))
    }
}
