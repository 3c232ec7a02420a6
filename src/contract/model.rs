//! The contract as data.

use std::collections::HashMap;

use apollo_compiler::ast;
use async_graphql::{
    Value,
    parser::types::{BaseType, OperationType, Type},
};

use crate::{
    base::clock::UnixMillis,
    graphql::directives::{Format, HttpMethod},
    platform::auth::access::{Access, Creates, Credential, Permission},
};

/// A contract that contradicts itself. The service does not start with one.
#[derive(Debug, thiserror::Error)]
#[error("schema: {0}")]
pub struct ContractError(pub String);

macro_rules! refuse {
    ($($text:tt)*) => { return Err(ContractError(format!($($text)*))) };
}
pub(crate) use refuse;

/// Query, mutation or subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperationKind {
    /// An operation that reads.
    Query,
    /// An operation that changes.
    Mutation,
    /// An operation that streams events.
    Subscription,
}

impl OperationKind {
    /// GraphQL's keyword.
    pub const fn keyword(self) -> &'static str {
        match self {
            OperationKind::Query => "query",
            OperationKind::Mutation => "mutation",
            OperationKind::Subscription => "subscription",
        }
    }
}

impl From<ast::OperationType> for OperationKind {
    fn from(operation: ast::OperationType) -> Self {
        match operation {
            ast::OperationType::Query => OperationKind::Query,
            ast::OperationType::Mutation => OperationKind::Mutation,
            ast::OperationType::Subscription => OperationKind::Subscription,
        }
    }
}

impl From<OperationType> for OperationKind {
    fn from(operation: OperationType) -> Self {
        match operation {
            OperationType::Query => OperationKind::Query,
            OperationType::Mutation => OperationKind::Mutation,
            OperationType::Subscription => OperationKind::Subscription,
        }
    }
}

/// Where a REST operation is mounted.
#[derive(Clone, Debug)]
pub(crate) struct RestMapping {
    pub(crate) method: HttpMethod,
    /// Path with `{parameters}`.
    pub(crate) path: String,
    /// Status of a success.
    pub(crate) status: u16,
    /// Template of the `Location` header.
    pub(crate) location: Option<String>,
}

/// Where the items of all pages are exported.
#[derive(Clone, Debug)]
pub(crate) struct ExportMapping {
    /// Path with `{parameters}`.
    pub(crate) path: String,
    /// Values of `sort` that it takes. `None`: all.
    pub(crate) orders: Option<Vec<String>>,
    /// Columns beside the fields.
    pub(crate) columns: Vec<String>,
}

/// A root field: one operation.
#[derive(Clone, Debug)]
pub struct RootField {
    /// Query, mutation or subscription.
    pub kind: OperationKind,
    /// Its name, arguments and type.
    pub field: Field,
    /// The credential, scope and limit that it requires.
    pub access: Access,
    /// Whether its requests may have idempotency keys.
    pub is_idempotent: bool,
    /// How it makes what it answers. `None`: it does not.
    pub creates: Option<Creates>,
    pub(crate) rest: Vec<RestMapping>,
    /// Where all that it pages through is exported.
    pub(crate) exports: Vec<ExportMapping>,
}

/// The deprecation of a field, an argument or a field of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deprecation {
    /// Since when, until when, and what to use in its place: for a person.
    pub(crate) reason: String,
    /// The beginning of the day on which it was deprecated.
    pub since: UnixMillis,
    /// The beginning of the day from which on it may be gone.
    pub until: UnixMillis,
}

/// A field of an object type.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name.
    pub name: String,
    pub(crate) description: String,
    /// Arguments.
    pub arguments: Vec<Input>,
    /// Type.
    pub ty: Type,
    /// Typical value.
    pub(crate) example: Option<String>,
    /// Items that a list has at most, when it is no page.
    pub(crate) max_items: Option<i32>,
    /// Permissions that it asks for, if it is no root field.
    pub permissions: Vec<Permission>,
    /// Whether the operation that answers it makes its value, which is never shown again.
    pub(crate) is_shown_once: bool,
    /// Whether its fields stand in its place over REST.
    pub(crate) is_flattened: bool,
    /// The media types of the file that is the answer over REST, whose data URL this is. `None`: it is no file.
    pub(crate) file: Option<Vec<String>>,
    /// Whether the resource that it leads to is shown over REST.
    pub(crate) is_embedded: bool,
    /// Until when it stays. `None`: nothing is known of its end.
    pub deprecated: Option<Deprecation>,
}

impl Field {
    /// Its deprecation and those of its arguments.
    fn all_deprecated(&self) -> impl Iterator<Item = &Deprecation> {
        self.deprecated.iter().chain(self.arguments.iter().filter_map(|argument| argument.deprecated.as_ref()))
    }
}

/// An argument, or a field of an input object.
#[derive(Clone, Debug)]
pub struct Input {
    /// Name.
    pub name: String,
    pub(crate) description: String,
    /// Type.
    pub ty: Type,
    /// Value when absent.
    pub(crate) default: Option<Value>,
    /// Typical value.
    pub example: Option<String>,
    /// Constraints on the value.
    pub rules: Rules,
    /// Whether null takes the value away where the input changes something.
    pub is_clearable: bool,
    /// Whether each item of the list is judged alone.
    pub is_separate: bool,
    /// Whether it says when a change is made, and nothing of the change.
    pub(crate) is_precondition: bool,
    /// The file whose base64 it is, which may be the body over REST. `None`: it is no file.
    pub(crate) body: Option<BodyFile>,
    /// Until when it is taken. `None`: nothing is known of its end.
    pub deprecated: Option<Deprecation>,
}

impl Input {
    /// Whether a request without it is refused.
    pub fn is_required(&self) -> bool {
        !self.ty.nullable && self.default.is_none()
    }
}

/// A file that may be a request's whole body.
#[derive(Clone, Debug)]
pub struct BodyFile {
    /// Media types that it may have.
    pub(crate) media_types: Vec<String>,
    /// Bytes that it may have.
    pub(crate) max_bytes: usize,
}

/// Constraints on an input beyond its type.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Characters.
    pub(crate) length: Option<(i32, i32)>,
    /// Numbers.
    pub(crate) range: Option<(i32, i32)>,
    /// List items.
    pub(crate) items: Option<(i32, i32)>,
    /// Judgement of the text.
    pub(crate) format: Option<Format>,
    /// Allowed texts, or names of an enum.
    pub values: Option<Vec<String>>,
}

/// A named type.
#[derive(Clone, Debug)]
pub struct TypeDef {
    /// Description.
    pub description: String,
    /// Kind and members.
    pub shape: Shape,
    /// The webhooks' event whose payload it is.
    pub event: Option<String>,
    /// The permission to read it. `None`: it is no resource that API keys read.
    pub reads: Option<Permission>,
}

/// The kind of a type, and its members.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A scalar, of which the schema says no more.
    Scalar,
    /// One of these names.
    Enum(Vec<String>),
    /// An output object and its fields.
    Object(Vec<Field>),
    /// An input object and its fields.
    Input(Vec<Input>),
    /// One of these output objects.
    Union(Vec<String>),
}

/// The whole contract.
#[derive(Debug)]
pub struct Contract {
    /// Types by name, the root types left out.
    pub types: HashMap<String, TypeDef>,
    /// The root types by name.
    pub(crate) roots: HashMap<String, OperationKind>,
    /// Operations, in the order of the SDL.
    pub operations: Vec<RootField>,
    /// Whether URLs of webhooks may lead to addresses that are not public: a setting, `false` until it is read.
    pub(crate) allow_private_targets: bool,
    /// Whether anything is deprecated.
    pub(crate) has_deprecated: bool,
}

impl Contract {
    /// The operation with this root field.
    pub fn operation(&self, kind: OperationKind, name: &str) -> Option<&RootField> {
        self.operations.iter().find(|operation| operation.kind == kind && operation.field.name == name)
    }

    /// Names of the operations that need no credential.
    pub fn public_operations(&self) -> impl Iterator<Item = String> {
        self.operations
            .iter()
            .filter(|operation| operation.access.credential == Credential::Public)
            .map(|operation| operation.field.name.clone())
    }

    /// All that is deprecated.
    pub(crate) fn deprecated(&self) -> impl Iterator<Item = &Deprecation> {
        let shapes = self.types.values().map(|definition| &definition.shape);
        let objects =
            shapes.clone().filter_map(|shape| if let Shape::Object(fields) = shape { Some(fields) } else { None });
        let inputs = shapes.filter_map(|shape| if let Shape::Input(fields) = shape { Some(fields) } else { None });
        let fields = self.operations.iter().map(|root| &root.field).chain(objects.flatten());
        fields.flat_map(Field::all_deprecated).chain(inputs.flatten().filter_map(|field| field.deprecated.as_ref()))
    }

    /// The fields of an output object type.
    pub fn object(&self, name: &str) -> Option<&[Field]> {
        match &self.types.get(name)?.shape {
            Shape::Object(fields) => Some(fields),
            _ => None,
        }
    }

    /// The fields of an input object type.
    pub fn input(&self, name: &str) -> Option<&[Input]> {
        match &self.types.get(name)?.shape {
            Shape::Input(fields) => Some(fields),
            _ => None,
        }
    }

    /// Whether a value can be one of several objects: REST does not choose between them, and leaves it out.
    pub(crate) fn is_union(&self, name: &str) -> bool {
        self.types.get(name).is_some_and(|definition| matches!(definition.shape, Shape::Union(_)))
    }

    /// Whether instances have an identity of their own.
    pub(crate) fn is_entity(&self, name: &str) -> bool {
        self.object(name).is_some_and(|fields| fields.iter().any(|field| field.name == "id"))
    }
}

/// The name of a type without its list and non-null wrappers.
pub fn base_name(ty: &Type) -> &str {
    match &ty.base {
        BaseType::Named(name) => name,
        BaseType::List(inner) => base_name(inner),
    }
}
