//! Definitions of the SDL, read into the contract's.

use apollo_compiler::{
    Node,
    ast::{Directive, DirectiveList, FieldDefinition, InputValueDefinition},
};
use async_graphql::{InputType, Value};

use super::{
    BodyFile, ContractError, Deprecation, ExportMapping, Field, Input, OperationKind, RestMapping, RootField, Rules,
    deprecation::deprecation,
    literal::{constant, type_reference},
    refuse,
};
use crate::platform::auth::{
    access::{Access, Creates, Credential, Depth, Permission, RateLimit},
    scope::Scope,
};

pub(super) fn root_field(kind: OperationKind, definition: &FieldDefinition) -> Result<RootField, ContractError> {
    let mut field = output(definition)?;
    // REST answers an error, or the value.
    field.ty.nullable &= !definition.directives.has("semanticNonNull");
    let mut access = None;
    let (mut rest, mut exports) = (Vec::new(), Vec::new());
    let (mut is_idempotent, mut creates) = (false, None);
    for directive in &definition.directives {
        let directive = Arguments { owner: &field.name, directive };
        match directive.directive.name.as_str() {
            "access" if access.is_some() => refuse!("{} has two @access: an operation has one", field.name),
            "access" => {
                access = Some(Access {
                    credential: directive.required("credential")?,
                    depth: directive.optional("depth")?.unwrap_or(Depth::UserContext),
                    scope: directive.optional::<Scope>("scope")?,
                    limit: directive.optional::<RateLimit>("limit")?,
                });
            }
            "idempotent" => is_idempotent = true,
            "creates" => creates = Some(Creates { or_returns: directive.optional("orReturns")?.unwrap_or_default() }),
            "export" => exports.push(ExportMapping {
                path: directive.required("path")?,
                orders: directive.optional("orders")?,
                columns: directive.optional("columns")?.unwrap_or_default(),
            }),
            "rest" => rest.push(RestMapping {
                method: directive.required("method")?,
                path: directive.required("path")?,
                status: directive.optional("status")?.unwrap_or(200),
                location: directive.optional("location")?,
            }),
            _ => {}
        }
    }
    let Some(access) = access else { refuse!("{} has no @access: every operation says who may call it", field.name) };
    // A key belongs to a caller, and protects a change.
    if is_idempotent && (kind != OperationKind::Mutation || access.credential == Credential::Public) {
        refuse!("{} is @idempotent: it must be a mutation that needs a credential", field.name);
    }
    Ok(RootField { kind, field, access, is_idempotent, creates, rest, exports })
}

/// A field of an object type that is no root type.
pub(super) fn nested(definition: &FieldDefinition) -> Result<Field, ContractError> {
    let mut field = output(definition)?;
    for directive in definition.directives.get_all("access") {
        let directive = Arguments { owner: &field.name, directive };
        let is_for_roots =
            directive.optional::<Depth>("depth")?.is_some() || directive.optional::<RateLimit>("limit")?.is_some();
        let permission = match (directive.required("credential")?, directive.optional("scope")?) {
            (Credential::Any, Some(scope)) if !is_for_roots => Permission::Scope(scope),
            (Credential::User, None) if !is_for_roots => Permission::UserToken,
            _ => refuse!(
                "@access on {}: below a root field it is (credential: ANY, scope: …) or (credential: USER)",
                field.name
            ),
        };
        field.permissions.push(permission);
    }
    Ok(field)
}

fn output(definition: &FieldDefinition) -> Result<Field, ContractError> {
    let name = definition.name.to_string();
    let example = argument(&name, &definition.directives, "example", "value")?;
    let items = definition.directives.get("items").map(|directive| Arguments { owner: &name, directive });
    let max_items = items.map(|items| items.required("max")).transpose()?;
    let file = definition.directives.get("file").map(|directive| Arguments { owner: &name, directive });
    let file = file.map(|file| file.required("mediaTypes")).transpose()?;
    Ok(Field {
        description: text(definition.description.as_ref()),
        arguments: definition.arguments.iter().map(|argument| input(argument)).collect::<Result<_, _>>()?,
        ty: type_reference(&definition.ty)?,
        example,
        max_items,
        permissions: Vec::new(),
        is_shown_once: definition.directives.has("shownOnce"),
        is_flattened: definition.directives.has("flattened"),
        file,
        is_embedded: definition.directives.has("embedded"),
        deprecated: deprecated(&name, &definition.directives)?,
        name,
    })
}

pub(super) fn input(definition: &InputValueDefinition) -> Result<Input, ContractError> {
    let name = definition.name.to_string();
    let (mut rules, mut body) = (Rules::default(), None);
    for directive in &definition.directives {
        let directive = Arguments { owner: &name, directive };
        let bounds = || Ok((directive.required("min")?, directive.required("max")?));
        match directive.directive.name.as_str() {
            "length" => rules.length = Some(bounds()?),
            "range" => rules.range = Some(bounds()?),
            "items" => rules.items = Some(bounds()?),
            "format" => rules.format = Some(directive.required("as")?),
            "values" => rules.values = Some(directive.required("of")?),
            "body" => {
                let max_bytes: i32 = directive.required("maxBytes")?;
                let media_types = directive.required("mediaTypes")?;
                body = Some(BodyFile { media_types, max_bytes: usize::try_from(max_bytes).unwrap_or_default() });
            }
            _ => {}
        }
    }
    Ok(Input {
        description: text(definition.description.as_ref()),
        ty: type_reference(&definition.ty)?,
        default: definition.default_value.as_ref().map(|value| constant(value)),
        example: argument(&name, &definition.directives, "example", "value")?,
        rules,
        is_clearable: definition.directives.has("clearable"),
        is_separate: definition.directives.has("separate"),
        is_precondition: definition.directives.has("precondition"),
        body,
        deprecated: deprecated(&name, &definition.directives)?,
        name,
    })
}

fn deprecated(owner: &str, directives: &DirectiveList) -> Result<Option<Deprecation>, ContractError> {
    argument(owner, directives, "deprecated", "reason")?.map(|reason| deprecation(owner, reason)).transpose()
}

/// The event that a type is the payload of.
pub(super) fn event(owner: &str, directives: &DirectiveList) -> Result<Option<String>, ContractError> {
    argument(owner, directives, "event", "name")
}

/// The permission to read a resource of this type.
pub(super) fn reads(owner: &str, directives: &DirectiveList) -> Result<Option<Permission>, ContractError> {
    let resource = directives.get("resource").map(|directive| Arguments { owner, directive });
    resource.map(|resource| resource.required("scope").map(Permission::Scope)).transpose()
}

/// The argument of a directive that may be there.
fn argument(
    owner: &str,
    directives: &DirectiveList,
    directive: &str,
    argument: &str,
) -> Result<Option<String>, ContractError> {
    directives.get(directive).map(|directive| Arguments { owner, directive }.required(argument)).transpose()
}

/// The arguments of one applied directive.
struct Arguments<'a> {
    owner: &'a str,
    directive: &'a Directive,
}

impl Arguments<'_> {
    fn optional<T: InputType>(&self, name: &str) -> Result<Option<T>, ContractError> {
        let argument = self.directive.specified_argument_by_name(name).map(|value| constant(value));
        argument.filter(|value| *value != Value::Null).map(|value| self.parse(name, value)).transpose()
    }

    fn required<T: InputType>(&self, name: &str) -> Result<T, ContractError> {
        match self.optional(name)? {
            Some(value) => Ok(value),
            None => refuse!("@{} on {} lacks {name}", self.directive.name, self.owner),
        }
    }

    fn parse<T: InputType>(&self, name: &str, value: Value) -> Result<T, ContractError> {
        let shown = value.to_string();
        T::parse(Some(value)).map_err(|_| {
            ContractError(format!(
                "@{} on {}: {name}: {shown} is not a {}",
                self.directive.name,
                self.owner,
                T::type_name()
            ))
        })
    }
}

pub(super) fn text(description: Option<&Node<str>>) -> String {
    description.map(|text| text.trim().to_owned()).unwrap_or_default()
}
