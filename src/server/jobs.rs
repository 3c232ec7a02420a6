//! The jobs that this service does.

use crate::{
    across::account_deletion::ops::DeleteAccount,
    app::jobs::Jobs,
    features::{
        accounts::reset_mail::PasswordResetMail,
        analytics::retention::ExpireClicks,
        billing::{
            ops::{DeleteCustomer, DeleteUnstoredCustomer},
            sync::ReconcileBilling,
        },
        domains::ops::CheckDomain,
        links::announcements::AnnounceExpiredLinks,
        webhooks::{disabled_mail::WebhookDisabledMail, purge::PurgeDeliveries},
    },
    records::{
        analytics::purge::PurgeClicks,
        imports::jobs::{DryRunImport, FetchImport, RunImport},
    },
    redirect::counting::AnnounceUsedUpLink,
};

/// All kinds of jobs, in the order in which a worker looks for those of its lane.
pub(super) fn jobs() -> Jobs {
    Jobs::default()
        .with::<PasswordResetMail>()
        .with::<WebhookDisabledMail>()
        .with::<CheckDomain>()
        .with::<PurgeClicks>()
        .with::<PurgeDeliveries>()
        .with::<ExpireClicks>()
        .with::<ReconcileBilling>()
        .with::<DeleteCustomer>()
        .with::<DeleteUnstoredCustomer>()
        .with::<AnnounceUsedUpLink>()
        .with::<AnnounceExpiredLinks>()
        .with::<RunImport>()
        .with::<FetchImport>()
        .with::<DryRunImport>()
        .with::<DeleteAccount>()
}
