//! Operations made of the directives of root fields, each checked against the contract.

use std::fmt::Write;

use async_graphql::{
    Name,
    parser::{
        parse_query,
        types::{BaseType, Type},
    },
};

use crate::{
    api::rest::{
        compact,
        format::Format,
        operation::{Body, Export, FORMAT, File, Operation, PUBLIC_PREFIX, Parameter, method_name, parameters},
        selection::{self, Selected},
    },
    contract::{
        Contract, ContractError, ExportMapping, Field, Input, OperationKind, RestMapping, RootField, Rules, Shape,
        base_name, refuse, written::INPUT,
    },
    graphql::directives::HttpMethod,
    platform::auth::access::EntryPoint,
};

/// The argument that a path parameter such as `{linkId}` may also mean.
const ID_ARGUMENT: &str = "id";
/// Arguments that choose a page.
const PAGING: [&str; 3] = ["page", "pageSize", "limit"];
/// The argument that chooses the order of items.
const SORT: &str = "sort";
/// The field of a page that has its items.
const ITEMS: &str = "data";

/// Types of arguments exist, and rules can be checked on them.
pub(super) fn check_arguments(contract: &Contract, root: &RootField) -> Result<(), ContractError> {
    for argument in &root.field.arguments {
        let is_in_query = argument.name != INPUT && !root.rest.is_empty();
        let fields = contract.input(base_name(&argument.ty)).filter(|_| is_in_query);
        if fields.is_some_and(|fields| !compact::is_possible(contract, fields)) {
            refuse!(
                "{}({}) can't be written in a query: it has fields that are objects, or lists before the last field",
                root.field.name,
                argument.name
            );
        }
    }
    Ok(())
}

/// The operation that a `@rest` maps to the root field.
pub(super) fn operation(
    contract: &Contract,
    root: &RootField,
    mapping: &RestMapping,
) -> Result<Operation, ContractError> {
    let RootField { kind, field, access, is_idempotent, creates, .. } = root;
    let RestMapping { method, path, status, location } = mapping;
    let shown = format!("{} {path}", method_name(*method));
    if !path.starts_with('/') || path.ends_with('/') {
        refuse!("{shown}: a path starts with / and does not end with it");
    }
    if *kind == OperationKind::Subscription {
        refuse!("{shown}: {} is a subscription, which one answer can't serve", field.name);
    }
    // A query whose input does not fit into a URL is asked by POST.
    let has_input = field.arguments.iter().any(|argument| argument.name == INPUT);
    let asks = *method == HttpMethod::Get || (*method == HttpMethod::Post && has_input);
    let fits = if *kind == OperationKind::Query { asks } else { *method != HttpMethod::Get };
    if !fits {
        refuse!(
            "{shown}: GET is for queries, POST for those with an input, and all but GET for mutations, but {} is a {}",
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
    let body = match arguments.iter().position(|argument| argument.name == INPUT) {
        Some(position) => {
            let argument = arguments.remove(position);
            let type_name = base_name(&argument.ty).to_owned();
            let Some(fields) = contract.input(&type_name).filter(|_| !matches!(argument.ty.base, BaseType::List(_)))
            else {
                refuse!("{shown}: {INPUT} must be one input object");
            };
            let file = fields.iter().find_map(|field| Some((field.name.clone(), field.body.clone()?)));
            if let Some((name, _)) = &file
                && fields.iter().any(|field| field.is_required() && field.name != *name)
            {
                refuse!("{shown}: the file {name} can't be the whole body, since another field is required");
            }
            if *method == HttpMethod::Get {
                refuse!("{shown}: a GET has no body");
            }
            Some(Body { type_name, file })
        }
        None => None,
    };
    let query_parameters: Vec<Parameter> = arguments
        .into_iter()
        .map(|argument| Parameter { name: argument.name.clone(), argument: argument.clone() })
        .collect();
    let mut selection = selection::select(contract, &field.ty)?;
    let file = file(contract, &field.ty);
    if let Some(file) = &file {
        selection.retain(|selected| selected.name == file.field);
    }
    let document = parse_query(document_text(*kind, field, &selection))
        .map_err(|error| ContractError(format!("{shown}: {error}")))?;
    let entity = selection::path_to_entity(contract, &field.ty, &selection);
    let mut guarded = selection.clone();
    if let Some(place) = root.answer(contract, None) {
        selection::guard(contract, &field.ty, &mut guarded, place);
    }
    let mut fields = contract.object(base_name(&field.ty)).into_iter().flatten();
    let flattened = fields.find(|field| field.is_flattened).map(|field| field.name.clone());
    if let Some(template) = location {
        check_location(&shown, template, &beside(&selection, flattened.as_deref()))?;
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
        is_conditional: root.is_conditional(contract),
        creates: *creates,
        path_parameters,
        query_parameters,
        body,
        permissions: selection::permissions(&guarded),
        selection,
        flattened,
        file,
        entity,
        document,
    })
}

/// The selection with the fields of the flattened field, if there is one, in its place.
fn beside(selection: &[Selected], flattened: Option<&str>) -> Vec<Selected> {
    let is_flattened = |field: &Selected| flattened == Some(field.name.as_str());
    let place = |field: &Selected| if is_flattened(field) { field.inner.clone() } else { vec![field.clone()] };
    selection.iter().flat_map(place).collect()
}

/// The file that an answer of this type is.
fn file(contract: &Contract, ty: &Type) -> Option<File> {
    let mut fields = contract.object(base_name(ty)).into_iter().flatten();
    fields.find_map(|field| Some(File { field: field.name.clone(), media_types: field.file.clone()? }))
}

/// The export at a path: the operation of the root field, without paging.
pub(super) fn export(
    contract: &Contract,
    root: &RootField,
    ExportMapping { path, orders, columns }: &ExportMapping,
) -> Result<Export, ContractError> {
    let mapping = RestMapping { method: HttpMethod::Get, path: path.clone(), status: 200, location: None };
    let mut operation = operation(contract, root, &mapping)?;
    // Items without an id are those of the page.
    let of_page =
        operation.selection.iter().find(|selected| selected.name == ITEMS).map(|items| vec![items.name.clone()]);
    operation.entity = operation.entity.take().filter(|path| !path.is_empty()).or(of_page);
    let Some(fields) = operation.entity.as_deref().and_then(|path| selection::at(&mut operation.selection, path))
    else {
        refuse!("GET {path}: {} has no pages that could be exported", root.field.name);
    };
    // A line has no objects, but their parts: `utm.source`.
    fields.retain(|field| field.inner.iter().all(|part| part.inner.is_empty()));
    let beside = |name: &String| Selected { name: name.clone(), inner: Vec::new(), permissions: Vec::new() };
    fields.extend(columns.iter().map(beside));
    let parts = |field: &Selected| field.inner.iter().map(|part| format!("{}.{}", field.name, part.name)).collect();
    let names = |field: &Selected| if field.inner.is_empty() { vec![field.name.clone()] } else { parts(field) };
    let columns = fields.iter().flat_map(names).collect();
    operation.query_parameters.retain(|parameter| !PAGING.contains(&&*parameter.name));
    // An export has all items that its arguments do not exclude: nullable arguments have no default.
    for parameter in operation.query_parameters.iter_mut().filter(|parameter| parameter.argument.ty.nullable) {
        parameter.argument.default = None;
    }
    let sort = operation.query_parameters.iter_mut().find(|parameter| parameter.name == SORT);
    match (sort, orders) {
        (Some(sort), Some(_)) => sort.argument.rules.values = orders.clone(),
        (None, Some(_)) => refuse!("GET {path}: {} has no argument {SORT} that orders could be of", root.field.name),
        (_, None) => {}
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
        is_clearable: false,
        is_separate: false,
        is_precondition: false,
        body: None,
        deprecated: None,
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

fn is_leaf(contract: &Contract, ty: &Type) -> bool {
    match &ty.base {
        BaseType::List(_) => false,
        BaseType::Named(name) => contract
            .types
            .get(name.as_str())
            .is_none_or(|definition| matches!(definition.shape, Shape::Scalar | Shape::Enum(_))),
    }
}
