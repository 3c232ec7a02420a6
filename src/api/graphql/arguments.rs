//! Checks the arguments of an operation by the contract's rules before anything is executed: a violation deep in the selection of
//! a mutation must not be found after the mutation.

use async_graphql::{
    Value,
    parser::types::{BaseType, Field, OperationDefinition, Selection, SelectionSet, Type},
};

use crate::{
    api::graphql::merge::argument,
    base::error::{ApiError, Violations},
    contract::{Contract, Input, OperationKind, Parent, rules::check_scalar, written::INPUT},
};

/// Fails with all rules that arguments of a merged operation break.
pub(crate) fn check_arguments(contract: &Contract, operation: &OperationDefinition) -> Result<(), ApiError> {
    let mut arguments = Arguments { contract, violations: Violations::default() };
    let kind = OperationKind::from(operation.ty);
    arguments.selection(&operation.selection_set.node, Parent::Root(kind));
    for item in &operation.selection_set.node.items {
        let Selection::Field(field) = &item.node else { continue };
        let root = contract.operation(kind, &field.node.name.node);
        if let Some((root, input)) = root.zip(argument(&field.node, INPUT)) {
            root.check_change(contract, INPUT, &input, &mut arguments.violations);
        }
    }
    arguments.violations.finish()
}

struct Arguments<'a> {
    contract: &'a Contract,
    violations: Violations,
}

impl Arguments<'_> {
    fn selection(&mut self, selection: &SelectionSet, parent: Parent<'_>) {
        for item in &selection.items {
            match &item.node {
                Selection::Field(field) => self.field(&field.node, parent),
                Selection::InlineFragment(fragment) => {
                    let member = fragment.node.type_condition.as_ref();
                    let member = member.map_or(parent, |condition| Parent::Type(&condition.node.on.node));
                    self.selection(&fragment.node.selection_set.node, member);
                }
                Selection::FragmentSpread(_) => {}
            }
        }
    }

    fn field(&mut self, field: &Field, parent: Parent<'_>) {
        let definition = parent.field(self.contract, &field.name.node);
        for input in definition.iter().flat_map(|definition| &definition.arguments) {
            if let Some(value) = argument(field, &input.name) {
                // Fields of the input stand in messages without its name, as they stand in a body over REST.
                self.input(if input.name == INPUT { "" } else { &input.name }, input, &value);
            }
        }
        self.selection(&field.selection_set.node, Parent::of(definition));
    }

    fn input(&mut self, path: &str, input: &Input, value: &Value) {
        let fits = input.rules.check(path, value, self.contract.allow_private_targets, &mut self.violations);
        if fits && !input.is_separate {
            self.value(path, &input.ty, value);
        }
    }

    fn value(&mut self, path: &str, ty: &Type, value: &Value) {
        match (&ty.base, value) {
            (_, Value::Null) => {}
            (BaseType::List(item), Value::List(items)) => {
                for (index, value) in items.iter().enumerate() {
                    self.value(&format!("{path}.{index}"), item, value);
                }
            }
            // A value that is no list is a list with one item.
            (BaseType::List(item), single) => self.value(path, item, single),
            (BaseType::Named(name), value) => match (self.contract.input(name), value) {
                (Some(definitions), Value::Object(fields)) => {
                    for definition in definitions {
                        if let Some(value) = fields.get(definition.name.as_str()) {
                            let name = &definition.name;
                            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                            self.input(&path, definition, value);
                        }
                    }
                }
                (_, leaf) => {
                    let text = if let Value::String(text) = leaf { Some(text.as_str()) } else { None };
                    if let Err(message) = check_scalar(name, text) {
                        self.violations.add(path, message);
                    }
                }
            },
        }
    }
}
