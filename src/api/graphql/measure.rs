//! The size of the answer to an operation, counted in values before anything is executed: their number when every
//! page is full.

use std::cell::{Cell, RefCell};

use async_graphql::{
    Value,
    parser::types::{BaseType, Field, OperationDefinition, Selection, SelectionSet},
};

use crate::{
    api::graphql::{
        cost::{exceeded, weight_of_arguments},
        introspection::Lengths,
        merge::argument,
    },
    base::{
        clock::UnixMillis,
        error::ApiError,
        page::{DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE},
    },
    contract::{self, Contract, OperationKind, Parent},
    platform::auth::access::Permission,
};

/// Operations of one request.
pub(crate) const MAX_ROOT_FIELDS: usize = 40;
/// Values of the answer: 100 links, each with 50 clicks and nine fields of their link, are 104,000. Each takes about half a microsecond
/// of a processor.
pub(crate) const MAX_VALUES: usize = 110_000;
/// Values of introspection, which strangers may ask for; all that tools ask for are less than 10,000.
pub(crate) const MAX_INTROSPECTED: usize = 50_000;
/// Values of the answer to one event of a subscription, since events can be as frequent as visits.
pub(crate) const MAX_EVENT_VALUES: usize = 5_000;
/// The cost of a page's item beside its fields, in values: a row of a table is read, handed over and taken apart.
pub(crate) const ROW: usize = 20;
/// Items of a list of which nothing else is known: scopes, names of events, records of a domain.
const SHORT_LIST: usize = 20;
/// The weight of arguments that counts as one value.
const ARGUMENTS: usize = 8;

/// Bounds the length of a list, by its name, the arguments of the field whose type this was found for, and the time now. `None`:
/// no bound is known.
pub(crate) type ListLength = fn(&str, &dyn Fn(&str) -> Option<Value>, UnixMillis) -> Option<usize>;

/// The context of a measurement beside the operation.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The schema as data.
    pub(crate) contract: &'a Contract,
    /// The lists of introspection.
    pub(crate) introspection: &'a Lengths,
    /// Finds the function that bounds the lists below a field of this type.
    pub(crate) list_length: fn(&str) -> Option<ListLength>,
    /// The cost of a page's item of this type beside its fields, in values: [`ROW`], if it is read as a row.
    pub(crate) row: fn(&str) -> usize,
    pub(crate) now: UnixMillis,
}

/// The size of an operation's answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Measured {
    /// The names of the root fields that are executed, each as often as it is.
    pub(crate) roots: Vec<String>,
    /// The permissions that the fields below them ask for, each once.
    pub(crate) permissions: Vec<Permission>,
    /// Values of the answer.
    pub values: usize,
}

/// Measures a merged operation. Fails if its answer could exceed a limit.
pub fn measure(known: Known<'_>, operation: &OperationDefinition) -> Result<Measured, ApiError> {
    let kind = OperationKind::from(operation.ty);
    let selection = &operation.selection_set.node;
    let roots: Vec<String> = fields(selection).map(|field| field.name.node.to_string()).collect();
    let measure = Measure { known, introspected: Cell::new(0), permissions: RefCell::default() };
    let values = measure.selection(selection, Parent::Root(kind), Above::default());
    let (limit, max) = match kind {
        OperationKind::Subscription => ("values of an event", MAX_EVENT_VALUES),
        OperationKind::Query | OperationKind::Mutation => ("values", MAX_VALUES),
    };
    if roots.len() > MAX_ROOT_FIELDS {
        return Err(exceeded("root fields", MAX_ROOT_FIELDS));
    }
    if values > max {
        return Err(exceeded(limit, max));
    }
    if measure.introspected.get() > MAX_INTROSPECTED {
        return Err(exceeded("values of introspection", MAX_INTROSPECTED));
    }
    Ok(Measured { roots, permissions: measure.permissions.into_inner(), values })
}

fn fields(selection: &SelectionSet) -> impl Iterator<Item = &Field> {
    selection.items.iter().filter_map(|item| match &item.node {
        Selection::Field(field) => Some(&field.node),
        Selection::InlineFragment(_) | Selection::FragmentSpread(_) => None,
    })
}

/// The lengths that the fields above give to the lists below them.
#[derive(Clone, Copy, Default)]
struct Above<'a> {
    /// Most items of the page whose fields these are.
    page_size: Option<usize>,
    list_length: Option<(ListLength, &'a Field, &'a contract::Field)>,
}

struct Measure<'a> {
    known: Known<'a>,
    /// Values of introspection so far.
    introspected: Cell<usize>,
    /// Permissions of fields so far.
    permissions: RefCell<Vec<Permission>>,
}

impl<'a> Measure<'a> {
    fn selection(&self, selection: &'a SelectionSet, parent: Parent<'a>, above: Above<'a>) -> usize {
        // A value is of one member of its union.
        let mut most_of_members = 0;
        let mut values: usize = 0;
        for item in &selection.items {
            match &item.node {
                Selection::Field(field) => {
                    values = values.saturating_add(self.field(&field.node, parent, above));
                }
                Selection::InlineFragment(fragment) => {
                    let member = fragment.node.type_condition.as_ref();
                    let member = member.map_or(parent, |condition| Parent::Type(&condition.node.on.node));
                    let inner = self.selection(&fragment.node.selection_set.node, member, above);
                    most_of_members = inner.max(most_of_members);
                }
                Selection::FragmentSpread(_) => {}
            }
        }
        values.saturating_add(most_of_members)
    }

    fn field(&self, field: &'a Field, parent: Parent<'a>, above: Above<'a>) -> usize {
        let own = 1 + weight_of_arguments(field) / ARGUMENTS;
        let selection = &field.selection_set.node;
        let introspection = self.known.introspection;
        let inner = match (parent, field.name.node.as_str()) {
            (Parent::Root(_), "__schema") => self.introspect(introspection.schema(selection)),
            (Parent::Root(_), "__type") => {
                let name = argument(field, "name");
                let name =
                    name.as_ref().and_then(|name| if let Value::String(name) = name { Some(&**name) } else { None });
                self.introspect(introspection.ty(name, selection))
            }
            _ => self.answer(field, parent.field(self.known.contract, &field.name.node), above),
        };
        own.saturating_add(inner)
    }

    fn introspect(&self, values: usize) -> usize {
        self.introspected.set(self.introspected.get().saturating_add(values));
        values
    }

    fn note(&self, permissions: &[Permission]) {
        let mut noted = self.permissions.borrow_mut();
        for permission in permissions {
            if !noted.contains(permission) {
                noted.push(*permission);
            }
        }
    }

    /// The values of a contract field's answer, itself left out.
    fn answer(&self, field: &'a Field, definition: Option<&'a contract::Field>, above: Above<'a>) -> usize {
        let (list, selection) = (field.name.node.as_str(), &field.selection_set.node);
        let Some(definition) = definition else {
            return self.selection(selection, Parent::Unknown, Above::default());
        };
        self.note(&definition.permissions);
        let type_name = contract::base_name(&definition.ty);
        let page_size = self.page_size(field, definition);
        let list_length = match (self.known.list_length)(type_name) {
            Some(length) => Some((length, field, definition)),
            None => above.list_length.filter(|_| page_size.is_none()),
        };
        let inner = self.selection(selection, Parent::Type(type_name), Above { page_size, list_length });
        if !matches!(definition.ty.base, BaseType::List(_)) {
            return inner;
        }
        // A list that takes arguments decides on its own length.
        let decided = if definition.arguments.is_empty() { above.list_length } else { list_length };
        let by_arguments = decided.and_then(|(length, field, definition)| {
            length(list, &|argument| Self::argument(field, definition, argument), self.known.now)
        });
        let most = definition.max_items.and_then(|max| usize::try_from(max).ok());
        let (length, item) = match (by_arguments, most, above.page_size) {
            (Some(length), most, _) => (length.min(most.unwrap_or(length)), 1),
            (None, Some(most), _) => (most, 1),
            (None, None, Some(size)) => (size, 1 + (self.known.row)(type_name)),
            (None, None, None) => (SHORT_LIST, 1),
        };
        length.saturating_mul(inner.saturating_add(item))
    }

    /// How many items the field may list; none when it is no page. A value that is not understood counts as the most.
    fn page_size(&self, field: &Field, definition: &contract::Field) -> Option<usize> {
        let fields = self.known.contract.object(contract::base_name(&definition.ty))?;
        // Other lists that a `limit` limits have their own length.
        fields.iter().find(|field| field.name == "totalPages")?;
        let argument =
            definition.arguments.iter().find(|argument| matches!(argument.name.as_str(), "pageSize" | "limit"))?;
        let size = match Self::argument(field, definition, &argument.name) {
            Some(Value::Number(number)) => number.as_u64().and_then(|size| usize::try_from(size).ok()),
            Some(_) => None,
            None => usize::try_from(DEFAULT_PAGE_SIZE).ok(),
        };
        let max = usize::try_from(MAX_PAGE_SIZE).unwrap_or(usize::MAX);
        Some(size.unwrap_or(max).min(max))
    }

    /// The value of an argument, or its default.
    fn argument(field: &Field, definition: &contract::Field, name: &str) -> Option<Value> {
        let default = || definition.arguments.iter().find(|argument| argument.name == name)?.default.clone();
        argument(field, name).or_else(default)
    }
}
