//! Rules of validation on input values that apollo-compiler does not judge, or not everywhere: input object field uniqueness
//! (GraphQL specification, 5.6.3), and where variables may be used (5.8.5) within lists and objects.

use std::{
    collections::{HashMap, HashSet},
    fmt::Display,
};

use apollo_compiler::{
    Node, Schema,
    ast::{Type, Value, VariableDefinition},
    executable::{Argument, DirectiveList, Operation, Selection, SelectionSet},
};
use async_graphql::ServerError;

use super::{document::Document, rejection::mistake};

/// Fails with all mistakes of a document that is valid otherwise.
pub(crate) fn check_inputs(schema: &Schema, document: &Document) -> Result<(), Vec<ServerError>> {
    let mut errors = Vec::new();
    for operation in document.executable.operations.iter() {
        let variables = operation.variables.iter().map(|variable| (variable.name.as_str(), &**variable)).collect();
        let mut inputs = Inputs { schema, document, variables, spread: HashSet::new(), errors };
        inputs.operation(operation);
        errors = inputs.errors;
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The position of a value: its type, and whether that has a default.
#[derive(Clone, Copy)]
struct Place<'a> {
    ty: &'a Type,
    has_default: bool,
}

/// The inputs of one operation.
struct Inputs<'a> {
    schema: &'a Schema,
    document: &'a Document,
    variables: HashMap<&'a str, &'a VariableDefinition>,
    /// Fragments that were checked.
    spread: HashSet<&'a str>,
    errors: Vec<ServerError>,
}

impl<'a> Inputs<'a> {
    fn operation(&mut self, operation: &'a Operation) {
        for variable in &operation.variables {
            if let Some(default) = &variable.default_value {
                self.value(default, Some(Place { ty: &variable.ty, has_default: false }));
            }
        }
        self.directives(&operation.directives);
        self.selection(&operation.selection_set);
    }

    fn selection(&mut self, selection: &'a SelectionSet) {
        for item in &selection.selections {
            self.directives(item.directives());
            match item {
                Selection::Field(field) => {
                    for Argument { name, value } in field.arguments.iter().map(|argument| &**argument) {
                        let definition = field.definition.argument_by_name(name);
                        let place =
                            definition.map(|input| Place { ty: &input.ty, has_default: input.default_value.is_some() });
                        self.value(value, place);
                    }
                    self.selection(&field.selection_set);
                }
                Selection::InlineFragment(fragment) => self.selection(&fragment.selection_set),
                Selection::FragmentSpread(spread) => {
                    if self.spread.insert(&spread.fragment_name)
                        && let Some(fragment) = self.document.executable.fragments.get(&spread.fragment_name)
                    {
                        self.directives(&fragment.directives);
                        self.selection(&fragment.selection_set);
                    }
                }
            }
        }
    }

    fn directives(&mut self, directives: &'a DirectiveList) {
        for directive in directives.iter() {
            let definition = self.schema.directive_definitions.get(&directive.name);
            for Argument { name, value } in directive.arguments.iter().map(|argument| &**argument) {
                let input = definition.and_then(|definition| definition.argument_by_name(name));
                let place = input.map(|input| Place { ty: &input.ty, has_default: input.default_value.is_some() });
                self.value(value, place);
            }
        }
    }

    fn value(&mut self, value: &'a Node<Value>, place: Option<Place<'a>>) {
        match &**value {
            Value::Variable(name) => {
                if let Some(place) = place
                    && let Some(variable) = self.variables.get(name.as_str())
                    && !is_allowed(variable, place)
                {
                    let message =
                        format!("the variable ${name} of type {} can't be used for {}", variable.ty, place.ty);
                    self.refuse(message, value);
                }
            }
            Value::List(items) => {
                let place = place.map(|place| Place { ty: place.ty.item_type(), has_default: false });
                items.iter().for_each(|item| self.value(item, place));
            }
            Value::Object(fields) => {
                let definition = place.and_then(|place| self.schema.get_input_object(place.ty.inner_named_type()));
                let mut names = HashSet::new();
                for (name, value) in fields {
                    if !names.insert(name) {
                        self.refuse(format_args!("the input field `{name}` stands twice"), value);
                    }
                    let input = definition.and_then(|definition| definition.fields.get(name));
                    let place = input.map(|input| Place { ty: &input.ty, has_default: input.default_value.is_some() });
                    self.value(value, place);
                }
            }
            _ => {}
        }
    }

    fn refuse(&mut self, message: impl Display, value: &Node<Value>) {
        self.errors.push(mistake(message, Some(self.document.place(value.location()))));
    }
}

/// _IsVariableUsageAllowed_ of the specification.
fn is_allowed(variable: &VariableDefinition, place: Place<'_>) -> bool {
    if !place.ty.is_non_null() || variable.ty.is_non_null() {
        return variable.ty.is_assignable_to(place.ty);
    }
    let has_default = variable.default_value.as_ref().is_some_and(|default| !default.is_null());
    (has_default || place.has_default) && variable.ty.is_assignable_to(&place.ty.clone().nullable())
}
