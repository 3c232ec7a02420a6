//! How far a transfer is.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};

/// How far a transfer is. Over REST and in the database a state is written like `OFFERED`.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum TransferState {
    /// It waits for the other account.
    Offered,
    /// It is accepted, and its links become the other account's, one part after another. All of them redirect meanwhile.
    Moving,
    /// All belongs to the other account.
    Done,
}

impl TransferState {
    /// The stored form.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            TransferState::Offered => "OFFERED",
            TransferState::Moving => "MOVING",
            TransferState::Done => "DONE",
        }
    }

    /// Reads the stored form. One that this version does not know can be neither accepted nor taken back.
    pub(crate) fn from_stored(text: &str) -> Self {
        let states = [TransferState::Offered, TransferState::Moving, TransferState::Done];
        states.into_iter().find(|state| state.as_str() == text).unwrap_or(TransferState::Moving)
    }
}
