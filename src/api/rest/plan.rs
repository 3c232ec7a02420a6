//! The plan of the facade: the SDL's `@rest` directives, checked, with everything prepared that does not depend on a
//! request. An inconsistent mapping stops the start.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
    sync::Arc,
};

use async_graphql::{
    Name,
    parser::{
        parse_query,
        types::{BaseType, DocumentOperations, ExecutableDocument, Type},
    },
};

use crate::{
    api::rest::{
        format::Format,
        selection::{self, Selected},
    },
    auth::{
        access::{Access, EntryPoint, Permission},
        caller::Caller,
    },
    error::ApiError,
    graphql::{
        contract::{
            Contract, ContractError, Field, Input, OperationKind, RestMapping, RootField, Rules, Shape, base_name,
            refuse,
        },
        directives::HttpMethod,
    },
};

/// The argument that a JSON body becomes.
const BODY_ARGUMENT: &str = "input";
/// The argument that a path parameter such as `{linkId}` may also mean.
const ID_ARGUMENT: &str = "id";
/// Arguments that choose a page.
const PAGING: [&str; 3] = ["page", "pageSize", "limit"];
/// The query parameter that chooses the format of an export.
pub(crate) const FORMAT: &str = "format";
/// Where the public API is mounted.
pub const PUBLIC_PREFIX: &str = "/api/v1";

/// All operations of the facade.
#[derive(Debug)]
pub struct Plan {
    /// In the order of the contract.
    pub operations: Vec<Arc<Operation>>,
    /// The same of what is exported.
    pub exports: Vec<Arc<Export>>,
}

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
    /// Parameters in the path.
    pub path_parameters: Vec<Parameter>,
    /// Parameters in the query.
    pub query_parameters: Vec<Parameter>,
    /// The body, when it takes one.
    pub body: Option<Body>,
    /// The whole selection.
    pub selection: Vec<Selected>,
    /// The permissions that its fields ask for.
    pub(crate) permissions: Vec<Permission>,
    /// Where `?fields=` narrows it; none where it can't.
    pub(crate) entity: Option<Vec<String>>,
    /// The GraphQL document, parsed.
    pub(crate) document: ExecutableDocument,
}

impl Plan {
    /// Checks and prepares every `@rest` of the contract.
    pub fn new(contract: &Contract) -> Result<Self, ContractError> {
        let (mut operations, mut exports) = (Vec::new(), Vec::new());
        let mut taken: HashMap<(&str, String), &str> = HashMap::new();
        for root in &contract.operations {
            check_arguments(contract, root)?;
            let mut take = |method: HttpMethod, path: &str| {
                let place = (method_name(method), anonymous(path));
                if let Some(other) = taken.insert(place, &root.field.name) {
                    let name = &root.field.name;
                    refuse!("{name} and {other} are both mapped to {} {path}", method_name(method));
                }
                Ok(())
            };
            for mapping in &root.rest {
                take(mapping.method, &mapping.path)?;
                operations.push(operation(contract, root, mapping)?);
            }
            for path in &root.exports {
                take(HttpMethod::Get, path)?;
                exports.push(Arc::new(export(contract, root, path)?));
            }
        }
        let mut located = HashSet::new();
        for Operation { method, path, location, .. } in &operations {
            let Some(location) = location.as_deref().filter(|location| location.starts_with('/')) else { continue };
            if !taken.contains_key(&(method_name(HttpMethod::Get), anonymous(location))) {
                refuse!("{} {path}: nothing is mapped to the location GET {location}", method_name(*method));
            }
            located.insert(anonymous(location));
        }
        for operation in &mut operations {
            operation.is_addressed =
                !operation.path_parameters.is_empty() || located.contains(&anonymous(&operation.path));
        }
        Ok(Plan { operations: operations.into_iter().map(Arc::new).collect(), exports })
    }

    /// First segments of all paths: slugs that the service's own paths need.
    pub(crate) fn first_segments(&self) -> impl Iterator<Item = &str> {
        self.operations.iter().filter_map(|operation| operation.path.split('/').nth(1))
    }
}

impl Operation {
    /// The document with the fields that the caller may read. With `fields`, the known names of some of the entity's fields,
    /// only these of them; it fails when the caller may not read one.
    pub(crate) fn document_for(
        &self,
        caller: &Caller,
        fields: Option<&[String]>,
    ) -> Result<ExecutableDocument, ApiError> {
        let is_held = |permission: &Permission| permission.is_held_by(caller);
        if fields.is_none() && self.permissions.iter().all(is_held) {
            return Ok(self.document.clone());
        }
        let mut selection = self.selection.clone();
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
        HttpMethod::Patch => "PATCH",
        HttpMethod::Delete => "DELETE",
    }
}

/// Types of arguments exist, and rules can be checked on them.
fn check_arguments(contract: &Contract, root: &RootField) -> Result<(), ContractError> {
    for argument in &root.field.arguments {
        if contract.input(base_name(&argument.ty)).is_some() && argument.name != BODY_ARGUMENT && !root.rest.is_empty()
        {
            refuse!(
                "{}({}) is an input object: over REST only the argument {BODY_ARGUMENT} can be one",
                root.field.name,
                argument.name
            );
        }
    }
    Ok(())
}

fn operation(contract: &Contract, root: &RootField, mapping: &RestMapping) -> Result<Operation, ContractError> {
    let RootField { kind, field, access, is_idempotent, .. } = root;
    let RestMapping { method, path, status, location } = mapping;
    let shown = format!("{} {path}", method_name(*method));
    if !path.starts_with('/') || path.ends_with('/') {
        refuse!("{shown}: a path starts with / and does not end with it");
    }
    if *kind == OperationKind::Subscription {
        refuse!("{shown}: {} is a subscription, which one answer can't serve", field.name);
    }
    if (*method == HttpMethod::Get) != (*kind == OperationKind::Query) {
        refuse!(
            "{shown}: GET is for queries and the other methods for mutations, but {} is a {}",
            field.name,
            kind.keyword()
        );
    }
    if !(200..300).contains(status) {
        refuse!("{shown}: {status} is not the status of a success");
    }
    let mut arguments: Vec<&Input> = field.arguments.iter().collect();
    let mut path_parameters = Vec::new();
    for name in parameters(path) {
        let position = arguments
            .iter()
            .position(|argument| argument.name == name)
            .or_else(|| arguments.iter().position(|argument| argument.name == ID_ARGUMENT && name.ends_with("Id")));
        let Some(position) = position else {
            refuse!("{shown}: {{{name}}} is no argument of {}", field.name);
        };
        let argument = arguments.remove(position).clone();
        if !is_leaf(contract, &argument.ty) {
            refuse!("{shown}: {{{name}}} must be a scalar");
        }
        path_parameters.push(Parameter { name: name.to_owned(), argument });
    }
    let body = match arguments.iter().position(|argument| argument.name == BODY_ARGUMENT) {
        Some(position) => {
            let argument = arguments.remove(position);
            let type_name = base_name(&argument.ty).to_owned();
            if contract.input(&type_name).is_none() || matches!(argument.ty.base, BaseType::List(_)) {
                refuse!("{shown}: {BODY_ARGUMENT} must be one input object");
            }
            if *method == HttpMethod::Get {
                refuse!("{shown}: a GET has no body");
            }
            Some(Body { type_name })
        }
        None => None,
    };
    let query_parameters: Vec<Parameter> = arguments
        .into_iter()
        .map(|argument| Parameter { name: argument.name.clone(), argument: argument.clone() })
        .collect();
    let selection = selection::select(contract, &field.ty)?;
    let document = parse_query(document_text(*kind, field, &selection))
        .map_err(|error| ContractError(format!("{shown}: {error}")))?;
    let entity = selection::path_to_entity(contract, &field.ty, &selection);
    if let Some(template) = location {
        check_location(&shown, template, &selection)?;
    }
    let entry_point = if path.starts_with(PUBLIC_PREFIX) { EntryPoint::PublicApi } else { EntryPoint::Dashboard };
    let location = location.as_ref().map(|template| match entry_point {
        EntryPoint::PublicApi if template.starts_with('/') => format!("{PUBLIC_PREFIX}{template}"),
        _ => template.clone(),
    });
    Ok(Operation {
        method: *method,
        path: path.clone(),
        entry_point,
        status: *status,
        location,
        // Known when all operations are.
        is_addressed: false,
        field: field.clone(),
        access: *access,
        is_idempotent: *is_idempotent,
        path_parameters,
        query_parameters,
        body,
        permissions: selection::permissions(&selection),
        selection,
        entity,
        document,
    })
}

fn export(contract: &Contract, root: &RootField, path: &str) -> Result<Export, ContractError> {
    let mapping = RestMapping { method: HttpMethod::Get, path: path.to_owned(), status: 200, location: None };
    let mut operation = operation(contract, root, &mapping)?;
    let mut selection = operation.selection.clone();
    let items = operation.entity.as_deref().filter(|path| !path.is_empty());
    let Some(fields) = items.and_then(|path| selection::at(&mut selection, path)) else {
        refuse!("GET {path}: {} has no pages that could be exported", root.field.name);
    };
    let columns = fields.iter().filter(|field| field.inner.is_empty()).map(|field| field.name.clone()).collect();
    operation.query_parameters.retain(|parameter| !PAGING.contains(&&*parameter.name));
    // A file has all items that its caller does not leave out: what may be null has no other default.
    for parameter in operation.query_parameters.iter_mut().filter(|parameter| parameter.argument.ty.nullable) {
        parameter.argument.default = None;
    }
    let formats = Format::ALL.map(|format| format.as_str().to_owned());
    let format = Input {
        name: FORMAT.to_owned(),
        description:
            "`csv`: a line of names, then a line for each item, as RFC 4180 says. A text that a spreadsheet would \
                      take for a formula begins with an apostrophe. `jsonl`: a JSON object in each line."
                .to_owned(),
        ty: Type { base: BaseType::Named(Name::new("String")), nullable: false },
        default: Some(Format::default().as_str().into()),
        example: Some(Format::default().as_str().to_owned()),
        rules: Rules { values: Some(formats.to_vec()), ..Rules::default() },
    };
    operation.query_parameters.insert(0, Parameter { name: FORMAT.to_owned(), argument: format });
    Ok(Export { operation, columns })
}

/// `query($page: Int! = 1, …) { links(page: $page, …) { … } }`
fn document_text(kind: OperationKind, field: &Field, selection: &[Selected]) -> String {
    let mut variables = String::new();
    let mut arguments = String::new();
    for Input { name, ty, default, .. } in &field.arguments {
        // Writing to a String does not fail.
        let _ = write!(variables, "${name}: {ty}");
        if let Some(default) = default {
            let _ = write!(variables, " = {default}");
        }
        variables.push(' ');
        let _ = write!(arguments, "{name}: ${name} ");
    }
    let wrap = |text: String| if text.is_empty() { text } else { format!("({text})") };
    format!(
        "{}{} {{ {}{}{} }}",
        kind.keyword(),
        wrap(variables),
        field.name,
        wrap(arguments),
        selection::to_text(selection)
    )
}

/// The template's placeholders are scalars of the answer, none of them nullable.
fn check_location(shown: &str, template: &str, selection: &[Selected]) -> Result<(), ContractError> {
    for name in parameters(template) {
        let mut fields = selection;
        let mut leaf = false;
        for part in name.split('.') {
            let Some(field) = fields.iter().find(|field| field.name == part) else {
                refuse!("{shown}: the location {template} names {name}, which the answer does not have");
            };
            fields = &field.inner;
            leaf = fields.is_empty();
        }
        if !leaf {
            refuse!("{shown}: the location {template} names {name}, which is not a scalar");
        }
    }
    Ok(())
}

/// The names in braces.
pub(crate) fn parameters(template: &str) -> impl Iterator<Item = &str> {
    template.split('{').skip(1).filter_map(|part| part.split('}').next())
}

/// The path without the names of its parameters: two paths that differ in these alone are one place.
fn anonymous(path: &str) -> String {
    let segments: Vec<&str> =
        path.split('/').map(|segment| if segment.starts_with('{') { "{}" } else { segment }).collect();
    segments.join("/")
}

fn is_leaf(contract: &Contract, ty: &Type) -> bool {
    match &ty.base {
        BaseType::List(_) => false,
        BaseType::Named(name) => contract
            .types
            .get(name.as_str())
            .is_none_or(|definition| matches!(definition.shape, Shape::Scalar | Shape::Enum(_))),
    }
}
