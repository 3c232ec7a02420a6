//! The input of an import, and its state.

use link_files::Hints;

/// Longest part of a file, in characters: escaped in JSON it still fits into a request's body.
pub(crate) const MAX_PART: i32 = 200_000;
/// Columns of a file that may be named.
pub(crate) const MAX_COLUMNS: i32 = link_files::MAX_COLUMNS as i32;
/// Longest name of a column, in characters.
pub(crate) const MAX_COLUMN: i32 = 200;
/// Longest name of an encoding, in characters.
pub(crate) const MAX_ENCODING: i32 = 40;
/// Longest key of another service's API, in characters.
pub(crate) const MAX_SECRET: i32 = 500;

/// How far an import is, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Open,
    Queued,
    Running,
    Finished,
    Failed,
    Cancelled,
}

impl State {
    const ALL: [State; 6] =
        [State::Open, State::Queued, State::Running, State::Finished, State::Failed, State::Cancelled];
    /// The states of imports that have ended.
    pub(crate) const ENDED: [State; 3] = [State::Finished, State::Failed, State::Cancelled];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Queued => "queued",
            State::Running => "running",
            State::Finished => "finished",
            State::Failed => "failed",
            State::Cancelled => "cancelled",
        }
    }

    /// Parses a stored state. A state of a later version is read as `Failed`, so that this version does not run the import.
    pub(crate) fn of(text: &str) -> State {
        State::ALL.into_iter().find(|state| state.as_str() == text).unwrap_or(State::Failed)
    }
}

/// The input of an import.
#[derive(Debug)]
pub(crate) struct NewImport {
    /// What is known of the file.
    pub(crate) hints: Hints,
    /// The encoding that the sender decoded the file from.
    pub(crate) encoding: Option<String>,
    /// Host of all its links, as written.
    pub(crate) domain: Option<String>,
    /// Password for links that had one.
    pub(crate) password: Option<String>,
    pub(crate) is_dry_run: bool,
    /// The whole file.
    pub(crate) data: Option<String>,
    /// Where an API is.
    pub(crate) url: Option<String>,
    /// Its key.
    pub(crate) key: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_as_they_are_stored() {
        for state in State::ALL {
            assert_eq!(State::of(state.as_str()), state);
        }
        assert_eq!(State::of("from a later version"), State::Failed);
    }
}
