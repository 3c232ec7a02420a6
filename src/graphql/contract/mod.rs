//! The contract as data: `schema.graphql`, parsed. Access, the facade and the OpenAPI document are read from here.

mod definition;
mod model;
mod parent;
pub(crate) mod rules;

use std::collections::HashMap;

use async_graphql::parser::{
    parse_schema,
    types::{TypeDefinition, TypeKind, TypeSystemDefinition},
};

use self::definition::{event, input, nested, root_field, text};
pub use self::model::{Contract, Field, Input, OperationKind, RootField, Shape, base_name};
pub(crate) use self::{
    model::{ContractError, RestMapping, Rules, TypeDef, refuse},
    parent::Parent,
};

impl Contract {
    /// Reads SDL.
    pub fn read(sdl: &str) -> Result<Self, ContractError> {
        let document = parse_schema(sdl).map_err(|error| ContractError(error.to_string()))?;
        let mut roots = HashMap::new();
        for definition in &document.definitions {
            if let TypeSystemDefinition::Schema(schema) = definition {
                let schema = &schema.node;
                for (name, kind) in [
                    (&schema.query, OperationKind::Query),
                    (&schema.mutation, OperationKind::Mutation),
                    (&schema.subscription, OperationKind::Subscription),
                ] {
                    roots.extend(name.iter().map(|name| (name.node.to_string(), kind)));
                }
            }
        }
        let mut contract =
            Contract { types: HashMap::new(), roots, operations: Vec::new(), allow_private_targets: false };
        for definition in &document.definitions {
            if let TypeSystemDefinition::Type(definition) = definition {
                contract.add(&definition.node)?;
            }
        }
        Ok(contract)
    }

    fn add(&mut self, definition: &TypeDefinition) -> Result<(), ContractError> {
        let name = definition.name.node.to_string();
        let shape = match &definition.kind {
            TypeKind::Object(object) => match self.roots.get(&name).copied() {
                Some(kind) => {
                    for field in &object.fields {
                        self.operations.push(root_field(kind, &field.node)?);
                    }
                    return Ok(());
                }
                None => Shape::Object(object.fields.iter().map(|field| nested(&field.node)).collect::<Result<_, _>>()?),
            },
            TypeKind::InputObject(object) => {
                Shape::Input(object.fields.iter().map(|field| input(&field.node)).collect::<Result<_, _>>()?)
            }
            TypeKind::Enum(items) => {
                Shape::Enum(items.values.iter().map(|value| value.node.value.node.to_string()).collect())
            }
            TypeKind::Scalar => Shape::Scalar,
            TypeKind::Union(union) => {
                Shape::Union(union.members.iter().map(|member| member.node.to_string()).collect())
            }
            TypeKind::Interface(_) => refuse!("{name} is an interface, which nothing here reads"),
        };
        let event = event(&name, &definition.directives)?;
        self.types.insert(name, TypeDef { description: text(definition.description.as_ref()), shape, event });
        Ok(())
    }
}
