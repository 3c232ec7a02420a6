//! The contract as data: `schema.graphql`, parsed. Access, the facade and the OpenAPI document are read from here.

mod definition;
mod deprecation;
pub(crate) mod literal;
mod model;
mod parent;
pub(crate) mod rules;
pub(crate) mod written;

use std::collections::HashMap;

use apollo_compiler::ast::{Definition, Document};

use self::definition::{event, input, nested, reads, root_field, text};
pub use self::model::{BodyFile, Contract, Deprecation, Field, Input, OperationKind, RootField, Shape, base_name};
pub(crate) use self::{
    model::{ContractError, ExportMapping, RestMapping, Rules, TypeDef, refuse},
    parent::Parent,
};

/// Parses SDL. Whether its types exist is judged by [`Validator::new`](crate::api::graphql::validator::Validator::new).
pub fn parse(sdl: &str) -> Result<Document, ContractError> {
    Document::parse(sdl, "schema.graphql").map_err(|invalid| ContractError(invalid.errors.to_string()))
}

impl Contract {
    /// Reads the definitions of a schema.
    pub fn read(document: &Document) -> Result<Self, ContractError> {
        let mut roots = HashMap::new();
        for definition in &document.definitions {
            if let Definition::SchemaDefinition(schema) = definition {
                let operations = schema.root_operations.iter().map(|root| (root.1.to_string(), root.0.into()));
                roots.extend(operations);
            }
        }
        let mut contract = Contract {
            types: HashMap::new(),
            roots,
            operations: Vec::new(),
            allow_private_targets: false,
            has_deprecated: false,
        };
        for definition in &document.definitions {
            contract.add(definition)?;
        }
        let has_deprecated = contract.deprecated().next().is_some();
        contract.has_deprecated = has_deprecated;
        contract.check_resources()?;
        Ok(contract)
    }

    fn add(&mut self, definition: &Definition) -> Result<(), ContractError> {
        let (description, directives, name, shape) = match definition {
            Definition::ObjectTypeDefinition(object) => {
                if let Some(kind) = self.roots.get(object.name.as_str()).copied() {
                    for field in &object.fields {
                        self.operations.push(root_field(kind, field)?);
                    }
                    return Ok(());
                }
                let fields = object.fields.iter().map(|field| nested(field)).collect::<Result<_, _>>()?;
                (&object.description, &object.directives, &object.name, Shape::Object(fields))
            }
            Definition::InputObjectTypeDefinition(object) => {
                let fields = object.fields.iter().map(|field| input(field)).collect::<Result<_, _>>()?;
                (&object.description, &object.directives, &object.name, Shape::Input(fields))
            }
            Definition::EnumTypeDefinition(items) => {
                let values = items.values.iter().map(|item| item.value.to_string()).collect();
                (&items.description, &items.directives, &items.name, Shape::Enum(values))
            }
            Definition::ScalarTypeDefinition(scalar) => {
                (&scalar.description, &scalar.directives, &scalar.name, Shape::Scalar)
            }
            Definition::UnionTypeDefinition(union) => {
                let members = union.members.iter().map(ToString::to_string).collect();
                (&union.description, &union.directives, &union.name, Shape::Union(members))
            }
            _ => return Ok(()),
        };
        let (event, reads) = (event(name, directives)?, reads(name, directives)?);
        self.types.insert(name.to_string(), TypeDef { description: text(description.as_ref()), shape, event, reads });
        Ok(())
    }
}
