//! The arguments of an operation, judged by the contract's rules before anything is executed: a rule that is broken far below
//! a mutation must not be found once the mutation has happened.

use async_graphql::{
    Value, Variables,
    parser::types::{Field, OperationDefinition, Selection, SelectionSet},
};

use crate::{
    error::{ApiError, Violations},
    graphql::{
        contract::{Contract, Input, OperationKind, base_name, rules::check_scalar},
        merge::{Parent, variable},
    },
};

/// The argument whose fields stand in the messages without its name, as they stand in a body over REST.
const INPUT: &str = "input";

/// Fails with all rules that arguments of a merged operation break.
pub fn check_arguments(
    contract: &Contract,
    operation: &OperationDefinition,
    variables: &Variables,
) -> Result<(), ApiError> {
    let mut arguments = Arguments { contract, operation, variables, violations: Violations::default() };
    arguments.selection(&operation.selection_set.node, Parent::Root(OperationKind::from(operation.ty)));
    arguments.violations.finish()
}

struct Arguments<'a> {
    contract: &'a Contract,
    operation: &'a OperationDefinition,
    variables: &'a Variables,
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
        for argument in definition.iter().flat_map(|definition| &definition.arguments) {
            let Some(given) = field.get_argument(&argument.name) else { continue };
            let value = |name| variable(self.operation, self.variables, &name).cloned().ok_or(());
            // A variable without a value: the argument is as good as absent.
            let Ok(value) = given.node.clone().into_const_with(value) else { continue };
            self.input(if argument.name == INPUT { "" } else { &argument.name }, argument, &value);
        }
        self.selection(&field.selection_set.node, Parent::of(definition));
    }

    fn input(&mut self, path: &str, input: &Input, value: &Value) {
        if input.rules.check(path, value, self.contract.allow_private_targets, &mut self.violations) {
            self.value(path, base_name(&input.ty), value);
        }
    }

    fn value(&mut self, path: &str, type_name: &str, value: &Value) {
        match value {
            Value::Null => {}
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(&format!("{path}.{index}"), type_name, item);
                }
            }
            Value::Object(fields) => {
                let definitions = self.contract.input(type_name).unwrap_or_default();
                for definition in definitions {
                    if let Some(value) = fields.get(definition.name.as_str()) {
                        let name = &definition.name;
                        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                        self.input(&path, definition, value);
                    }
                }
            }
            leaf => {
                let text = if let Value::String(text) = leaf { Some(text.as_str()) } else { None };
                if let Err(message) = check_scalar(type_name, text) {
                    self.violations.add(path, message);
                }
            }
        }
    }
}
