//! The API: the schema, and what is read out of it.

use std::sync::Arc;

use crate::{
    app::App,
    clicks::log::Position,
    clock::Clock,
    config::Config,
    graphql::{
        contract::{Contract, ContractError},
        schema::{self, ApiSchema},
    },
    links::slug::Reserved,
    rest::plan::Plan,
};

/// Both doors work on this.
pub struct Api {
    /// What operations need.
    pub app: Arc<App>,
    /// Executes operations.
    pub schema: ApiSchema,
    /// The schema as data.
    pub contract: Contract,
    /// The facade's operations.
    pub plan: Plan,
    /// The text of `schema.graphql`.
    pub sdl: String,
}

impl Api {
    /// Reads the contract, refuses an inconsistent one, and opens the app.
    pub async fn open(config: Config, clock: Clock) -> anyhow::Result<(Arc<Self>, Position)> {
        let (sdl, contract, plan) = contract()?;
        let reserved_slugs = Reserved::new(plan.first_segments());
        let (app, position) = App::open(config, clock, contract.public_operations(), reserved_slugs).await?;
        let schema = schema::build(Arc::clone(&app));
        Ok((Arc::new(Api { app, schema, contract, plan, sdl }), position))
    }
}

/// The contract and the plan of the facade, without an app.
pub fn contract() -> Result<(String, Contract, Plan), ContractError> {
    let sdl = schema::sdl();
    let contract = Contract::read(&sdl)?;
    let plan = Plan::new(&contract)?;
    Ok((sdl, contract, plan))
}
