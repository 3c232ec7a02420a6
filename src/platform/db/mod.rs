//! The database: pools of connections that notice when it is away, transactions, and what statements show of its health.

mod address;
pub(crate) mod batch;
mod commits;
mod connections;
pub(crate) mod data_dir;
mod database;
mod deadline;
mod handles;
mod health;
pub(crate) mod inspect;
mod integrity;
mod interrupt;
pub(crate) mod left_behind;
mod log;
mod mark;
pub(crate) mod nodes;
mod options;
pub mod packed;
mod polling;
mod pool;
mod purpose;
mod rows;
mod sqlite;
mod transaction;
mod turn;
pub(crate) mod unfinished_copy;
mod watchdog;

pub use self::{
    database::Db,
    deadline::{Limit, REQUEST, counting, within},
    purpose::Owner,
    rows::on_rows,
    transaction::{Snapshot, Transaction},
};
pub(crate) use self::{
    deadline::{STATEMENT, act_for, count_statements, export, request, service, wait_for},
    health::{Fault, Health},
    integrity::first_damage,
    mark::{Mark, beside, must_fit},
    polling::Polling,
    purpose::{Purpose, postgres_sizes, sqlite_sizes},
    rows::{ROWS_PER_STATEMENT, filled_up, of_each, replace, select_of_each},
    sqlite::{Checkpoint, sqlite_file, write_cache},
    turn::TURN,
};
