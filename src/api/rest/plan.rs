//! The plan of the facade: all that the SDL's directives map, once each. An inconsistent mapping stops the start.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::{
    api::rest::{
        mapping::{check_arguments, export, operation},
        operation::{Export, Operation, method_name},
    },
    contract::{Contract, ContractError, refuse},
    graphql::directives::HttpMethod,
};

/// All operations of the facade.
#[derive(Debug)]
pub struct Plan {
    /// In the order of the contract.
    pub operations: Vec<Arc<Operation>>,
    /// The same of what is exported.
    pub exports: Vec<Arc<Export>>,
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
            for mapping in &root.exports {
                take(HttpMethod::Get, &mapping.path)?;
                exports.push(Arc::new(export(contract, root, mapping)?));
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

/// The path without the names of its parameters: paths that differ only in these collide.
fn anonymous(path: &str) -> String {
    let segments: Vec<&str> =
        path.split('/').map(|segment| if segment.starts_with('{') { "{}" } else { segment }).collect();
    segments.join("/")
}
