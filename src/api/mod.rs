//! The API: the schema, and what is read out of it.

pub(crate) mod authenticate;
pub(crate) mod authorize;
pub(crate) mod charges;
pub(crate) mod credential;
pub(crate) mod deprecation;
pub mod graphql;
pub mod rest;

use std::sync::Arc;

use apollo_compiler::ast::Document;

use crate::{
    api::{
        graphql::{
            introspection::Lengths,
            measure::{Known, ListLength, ROW},
            schema::{self, ApiSchema},
            validator::Validator,
        },
        rest::plan::Plan,
    },
    app::App,
    base::{clock::Clock, config::Config},
    clicks::position::Position,
    contract::{self, Contract, ContractError},
    features::{
        analytics::{self, length},
        imports, links,
    },
    graphql::rows::Source,
    redirect::reserved::Reserved,
};

/// The API, which GraphQL and the REST facade share.
pub struct Api {
    /// The services that operations use.
    pub app: Arc<App>,
    pub(crate) schema: ApiSchema,
    /// Validates documents.
    pub validator: Validator,
    /// The schema as data.
    pub contract: Contract,
    /// How long the lists of introspection are.
    pub(crate) introspection: Lengths,
    /// The facade's operations.
    pub plan: Plan,
    /// The text of `schema.graphql`.
    pub(crate) sdl: String,
}

impl Api {
    /// Reads the contract, refuses an inconsistent one, and opens the app.
    pub(crate) async fn open(config: Config, clock: Clock) -> anyhow::Result<(Arc<Self>, Position)> {
        let sdl = schema::sdl();
        let definitions = contract::parse(&sdl)?;
        let (mut contract, plan) = read(&definitions)?;
        contract.allow_private_targets = config.allow_private_targets;
        let reserved_slugs = Reserved::new(plan.first_segments());
        let (app, position) = App::open(config, clock, reserved_slugs).await?;
        let schema = schema::build(Arc::clone(&app));
        let introspection = Lengths::of(&schema).await?;
        let validator = Validator::new(&definitions)?;
        Ok((Arc::new(Api { app, schema, validator, contract, introspection, plan, sdl }), position))
    }

    /// Lengths of lists, as far as they are known before an operation is executed.
    pub fn known(&self) -> Known<'_> {
        let (contract, introspection) = (&self.contract, &self.introspection);
        Known { contract, introspection, list_length, row, now: self.app.clock.now() }
    }
}

/// By the type of a field: the function that bounds the lists below the field, from its arguments.
const LIST_LENGTHS: &[(&str, ListLength)] = &[
    ("ClickSummaryResult", length::of_summary),
    ("AccountClickSummaryResult", length::of_summary),
    ("SeriesPoint", length::of_days),
];

fn list_length(type_name: &str) -> Option<ListLength> {
    LIST_LENGTHS.iter().find(|(name, _)| *name == type_name).map(|(_, length)| *length)
}

/// Item types whose pages are read as one value (`platform/db/packed.rs`), and not row by row.
const PACKED: &[&str] = &["ClickEvent"];

fn row(type_name: &str) -> usize {
    if PACKED.contains(&type_name) { 1 } else { ROW }
}

/// The sources of exports, by root field.
const SOURCES: &[(&str, Source)] = &[
    ("clicks", analytics::export::clicks),
    ("allClicks", analytics::export::clicks),
    ("clickBreakdown", analytics::export::breakdown),
    ("importRows", imports::results::rows),
    ("links", links::export::links),
];

/// The source of this root field's export. `None`: it has no export.
pub(crate) fn source(field: &str) -> Option<Source> {
    SOURCES.iter().find(|(name, _)| *name == field).map(|(_, source)| *source)
}

/// The contract and the plan of the facade, without an app.
pub fn contract() -> Result<(String, Contract, Plan), ContractError> {
    let sdl = schema::sdl();
    let (contract, plan) = read(&contract::parse(&sdl)?)?;
    Ok((sdl, contract, plan))
}

fn read(definitions: &Document) -> Result<(Contract, Plan), ContractError> {
    let contract = Contract::read(definitions)?;
    let plan = Plan::new(&contract)?;
    if let Some(export) = plan.exports.iter().find(|export| source(&export.operation.field.name).is_none()) {
        return Err(ContractError(format!("nothing knows how to export {}", export.operation.field.name)));
    }
    Ok((contract, plan))
}
