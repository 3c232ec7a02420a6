//! The type that a selection is made on.

use super::{Contract, Field, OperationKind, base_name};

/// The type that a selection is made on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parent<'a> {
    /// The type of root fields.
    Root(OperationKind),
    /// A type of the contract.
    Type(&'a str),
    /// A type of introspection.
    Unknown,
}

impl<'a> Parent<'a> {
    /// The definition of a field of this type; none where the contract has none.
    pub(crate) fn field(self, contract: &'a Contract, name: &str) -> Option<&'a Field> {
        let kind = match self {
            Parent::Root(kind) => kind,
            Parent::Type(type_name) => match contract.roots.get(type_name) {
                Some(kind) => *kind,
                None => return contract.object(type_name)?.iter().find(|field| field.name == name),
            },
            Parent::Unknown => return None,
        };
        contract.operation(kind, name).map(|operation| &operation.field)
    }

    /// The type that a field has, by its definition.
    pub(crate) fn of(field: Option<&'a Field>) -> Self {
        field.map_or(Parent::Unknown, |field| Parent::Type(base_name(&field.ty)))
    }
}
