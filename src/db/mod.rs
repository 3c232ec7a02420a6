//! The database: pools of connections that notice when it is away, transactions, and what statements show of its health.

mod address;
pub mod batch;
mod commits;
mod database;
mod deadline;
mod handles;
mod health;
pub mod inspect;
mod integrity;
pub mod left_behind;
mod options;
pub mod packed;
mod polling;
mod rows;
mod sqlite;
mod transaction;
mod turn;
pub mod unfinished_copy;
mod watchdog;

pub use self::{
    database::Db,
    deadline::{Limit, REQUEST, STATEMENT, count_statements, counting, wait_for, within},
    handles::Handle,
    health::{Fault, Health},
    polling::Polling,
    rows::{ROWS_PER_STATEMENT, filled_up, of_each, on_rows, select_of_each},
    sqlite::{sqlite_file, write_cache},
    transaction::Transaction,
    turn::TURN,
};
