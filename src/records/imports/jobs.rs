//! The jobs that run imports.

use entity::import;
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::platform::work::jobs::{Job, StoredJob};

/// Go on with an import of a file of links, until it has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunImport {
    pub(crate) account: Uuid,
    pub(crate) import: Uuid,
}

impl Job for RunImport {
    const NAME: &'static str = "run_import";
}

/// Go on with an import from an API, until it has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FetchImport {
    pub(crate) account: Uuid,
    pub(crate) import: Uuid,
}

impl Job for FetchImport {
    const NAME: &'static str = "fetch_import";
}

/// Make a dry run of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DryRunImport {
    pub(crate) account: Uuid,
    pub(crate) import: Uuid,
}

impl Job for DryRunImport {
    const NAME: &'static str = "dry_run_import";
}

/// The job that runs the import.
pub(crate) fn job(import: &import::Model) -> Result<StoredJob, DbErr> {
    let (account, is_from_api, import, is_dry_run) =
        (import.account_id, import.url.is_some(), import.id, import.is_dry_run);
    match (is_dry_run, is_from_api) {
        (true, _) => DryRunImport { account, import }.stored(),
        (false, true) => FetchImport { account, import }.stored(),
        (false, false) => RunImport { account, import }.stored(),
    }
}
