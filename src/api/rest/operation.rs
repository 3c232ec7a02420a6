//! The operations of the facade, with everything prepared that does not depend on a request.

use async_graphql::{
    Value,
    parser::types::{DocumentOperations, ExecutableDocument},
};

use crate::{
    api::rest::selection::{self, Selected},
    base::error::ApiError,
    contract::{BodyFile, Contract, Field, Input, OperationKind, RootField, written::INPUT},
    graphql::directives::HttpMethod,
    platform::auth::{
        access::{Access, Creates, EntryPoint, Permission},
        caller::Caller,
    },
};

/// The query parameter that chooses the format of an export.
pub(crate) const FORMAT: &str = "format";
/// Where the public API is mounted.
pub const PUBLIC_PREFIX: &str = "/api/v1";

/// All items that an operation pages through, as a file.
#[derive(Debug)]
pub struct Export {
    /// The request that asks for it: the operation's without paging, and with a [`FORMAT`].
    pub operation: Operation,
    /// The scalar fields of an item.
    pub(crate) columns: Vec<String>,
}

/// A parameter of the path or the query.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// As the caller writes it.
    pub name: String,
    /// The argument that it becomes.
    pub argument: Input,
}

/// The fields of a JSON body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its input object type.
    pub(crate) type_name: String,
    /// The field of the input whose file may be the body in place of JSON, and what is said of the file. `None`: the body is JSON.
    pub(crate) file: Option<(String, BodyFile)>,
}

/// A file as the answer.
#[derive(Clone, Debug)]
pub struct File {
    /// The field with its data URL.
    pub field: String,
    /// Media types that the file may have.
    pub media_types: Vec<String>,
}

/// One REST operation.
#[derive(Debug)]
pub struct Operation {
    /// HTTP method.
    pub method: HttpMethod,
    /// Path with `{parameters}`.
    pub path: String,
    /// Which credentials the path takes.
    pub entry_point: EntryPoint,
    /// Status of a success.
    pub status: u16,
    /// Template of the `Location` header: a path of the same entry point, or a URL.
    pub location: Option<String>,
    /// Whether the path is a resource's own: it has a parameter, or is the location of what another operation creates. Null is
    /// 404 there, and `null` elsewhere.
    pub(crate) is_addressed: bool,
    /// The root field.
    pub field: Field,
    /// The credential, scope and limit that it requires.
    pub access: Access,
    /// Whether its requests may have idempotency keys.
    pub is_idempotent: bool,
    /// Whether its requests may say which version of the resource they change.
    pub(crate) is_conditional: bool,
    /// How it makes what it answers. `None`: it does not.
    pub(crate) creates: Option<Creates>,
    /// Parameters in the path.
    pub path_parameters: Vec<Parameter>,
    /// Parameters in the query.
    pub query_parameters: Vec<Parameter>,
    /// The body, when it takes one.
    pub body: Option<Body>,
    /// The whole selection.
    pub selection: Vec<Selected>,
    /// The permissions that its fields ask for, and those that they need if a request writes nothing.
    pub(crate) permissions: Vec<Permission>,
    /// The field of the answer whose fields stand beside its others.
    pub(crate) flattened: Option<String>,
    /// The field of the answer whose file is the body. `None`: the answer is JSON.
    pub file: Option<File>,
    /// Where `?fields=` narrows it; none where it can't.
    pub(crate) entity: Option<Vec<String>>,
    /// The GraphQL document, parsed.
    pub(crate) document: ExecutableDocument,
}

impl Operation {
    /// The mutation. `None`: it is a query.
    pub(crate) fn mutation<'a>(&self, contract: &'a Contract) -> Option<&'a RootField> {
        contract.operation(OperationKind::Mutation, &self.field.name)
    }

    /// The document with the fields that the caller may have in the answer to a request with these variables. With `fields`, the known
    /// names of some of the entity's fields, only these of them; it fails when the caller may not have one.
    pub(crate) fn document_for(
        &self,
        contract: &Contract,
        caller: &Caller,
        fields: Option<&[String]>,
        variables: &Value,
    ) -> Result<ExecutableDocument, ApiError> {
        let is_held = |permission: &Permission| permission.is_held_by(caller);
        if fields.is_none() && self.permissions.iter().all(is_held) {
            return Ok(self.document.clone());
        }
        let mut selection = self.selection.clone();
        let input = if let Value::Object(variables) = variables { variables.get(INPUT) } else { None };
        if let Some(place) = self.mutation(contract).and_then(|root| root.answer(contract, input)) {
            selection::guard(contract, &self.field.ty, &mut selection, place);
        }
        if let Some(fields) = fields
            && let Some(of_entity) = self.entity.as_deref().and_then(|path| selection::at(&mut selection, path))
        {
            // Fields that the Location header is built from stay selected.
            let in_location =
                |name: &str| self.location.as_deref().is_some_and(|template| parameters(template).any(|it| it == name));
            of_entity.retain(|field| fields.contains(&field.name) || in_location(&field.name));
            selection::permissions(of_entity).iter().try_for_each(|permission| permission.check(caller))?;
        }
        selection::leave_out(&mut selection, &is_held);
        let mut document = self.document.clone();
        if let DocumentOperations::Single(operation) = &mut document.operations {
            operation.node.selection_set.node.items.iter_mut().for_each(|root| selection::narrow(root, &selection));
        }
        Ok(document)
    }

    /// The type whose fields `?fields=` lists, and these.
    pub(crate) fn entity_type<'a>(&self, contract: &'a Contract) -> Option<(&'a str, &'a [Field])> {
        let name = selection::type_at(contract, &self.field.ty, self.entity.as_deref()?)?;
        let (name, _) = contract.types.get_key_value(name)?;
        Some((name, contract.object(name)?))
    }

    /// Names that `?fields=` may list.
    pub fn field_names(&self) -> Option<Vec<String>> {
        let mut selection = self.selection.clone();
        let fields = selection::at(&mut selection, self.entity.as_deref()?)?;
        Some(fields.iter().map(|field| field.name.clone()).collect())
    }
}

/// The method as HTTP writes it.
pub const fn method_name(method: HttpMethod) -> &'static str {
    match method {
        HttpMethod::Get => "GET",
        HttpMethod::Post => "POST",
        HttpMethod::Put => "PUT",
        HttpMethod::Patch => "PATCH",
        HttpMethod::Delete => "DELETE",
    }
}

/// The names in braces.
pub(crate) fn parameters(template: &str) -> impl Iterator<Item = &str> {
    template.split('{').skip(1).filter_map(|part| part.split('}').next())
}
