//! The jobs that this service does.

use crate::{across, app::jobs::Jobs, features, records, redirect};

/// All kinds of jobs, in the order in which a worker looks for those of its lane.
pub(super) fn jobs() -> Jobs {
    Jobs::default()
        .with::<features::accounts::reset_mail::PasswordResetMail>()
        .with::<features::accounts::proof_mail::VerificationMail>()
        .with::<features::accounts::proof_mail::EmailChangedMail>()
        .with::<features::accounts::notice::NoticeMail>()
        .with::<features::members::invitation_mail::InvitationMail>()
        .with::<features::webhooks::disabled_mail::WebhookDisabledMail>()
        .with::<features::domains::ops::CheckDomain>()
        .with::<records::analytics::purge::PurgeClicks>()
        .with::<features::webhooks::purge::PurgeDeliveries>()
        .with::<features::analytics::retention::ExpireClicks>()
        .with::<features::analytics::compaction::CompactClicks>()
        .with::<features::billing::sync::ReconcileBilling>()
        .with::<features::billing::ops::DeleteCustomer>()
        .with::<features::billing::ops::DeleteUnstoredCustomer>()
        .with::<redirect::counting::AnnounceUsedUpLink>()
        .with::<features::links::announcements::AnnounceExpiredLinks>()
        .with::<records::imports::jobs::RunImport>()
        .with::<records::imports::jobs::FetchImport>()
        .with::<records::imports::jobs::DryRunImport>()
        .with::<across::account_deletion::ops::DeleteAccount>()
        .with::<across::transfers::moving::MoveLinks>()
}
