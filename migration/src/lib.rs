//! linkgraph's schema changes, one a file, the same for SQLite and PostgreSQL. The statements of a file that has landed are never
//! edited.
//!
//! The table of applied migrations is that of sea-orm-migration, which made the first databases. That crate turns on each of
//! sea-orm's default features, and so compiles four libraries and types of six more columns that nothing here uses.

mod columns;
mod migrator;
mod reserved;
mod schema_manager;

/// The names that every migration imports.
mod prelude {
    pub(crate) use sea_orm::{ConnectionTrait, DbErr, sea_query::*};

    pub(crate) use crate::{columns::*, migrator::MigrationTrait, schema_manager::SchemaManager};
}

pub use migrator::{Unapplied, down, names, pending, up};

/// Declares the modules of migrations, in the order in which they are applied. The name of a module is that of its migration.
macro_rules! migrations {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        /// Each migration with its name, in the order in which they are applied.
        const MIGRATIONS: &[(&str, &dyn migrator::MigrationTrait)] = &[$((stringify!($name), &$name::Migration)),*];
    };
}

migrations! {
    m20261120_000001_accounts,
    m20261120_000002_api_keys,
    m20261120_000003_links,
    m20261120_000004_clicks,
    m20261120_000005_outbox_and_jobs,
    m20261120_000006_hosts,
    m20261120_000007_webhooks,
    m20261120_000008_billing,
    m20261120_000009_usage,
    m20261120_000010_rollups,
    m20261120_000011_retention,
    m20261121_000012_click_days,
    m20261121_000013_invalidations,
    m20261121_000014_shared_secrets,
    m20261121_000015_click_months,
    m20261122_000016_moderation,
    m20261122_000017_known_networks,
    m20261122_000018_subdomain_claims,
    m20261122_000019_link_activity,
    m20261122_000020_click_utm,
    m20261122_000021_webhook_options,
    m20261122_000022_click_parts,
    m20261122_000023_first_clicks,
    m20261123_000024_sessions,
    m20261124_000025_link_life,
    m20261124_000026_link_texts,
    m20261124_000027_tags,
    m20261124_000028_idempotency_keys,
    m20261124_000029_host_settings,
    m20261124_000030_forwarding,
    m20261124_000031_imports,
    m20261124_000032_utm_templates,
    m20261124_000033_redeliveries,
    m20261124_000034_deleted_accounts,
    m20261126_000035_retired_slugs,
    m20261126_000036_job_accounts,
    m20261126_000037_link_index,
    m20261127_000038_import_mappings,
    m20261127_000039_host_files,
    m20261127_000040_versions,
    m20261127_000041_nodes,
    m20261127_000042_imported_clicks,
    m20261127_000043_email_proofs,
    m20261127_000044_second_factors,
    m20261127_000045_memberships,
    m20261127_000046_identities,
    m20261127_000047_allowed_networks,
    m20261128_000048_passkeys,
    m20261128_000049_transfers,
    m20261128_000050_link_rules,
    m20261128_000051_link_gates,
    m20261128_000052_link_cards,
    m20261128_000053_link_apps,
    m20261128_000054_link_patterns,
    m20261128_000055_host_pages,
    m20261128_000056_images,
    m20261128_000057_ad_clicks,
    m20261129_000058_places,
    m20261129_000059_annotations,
    m20261129_000060_reports,
    m20261129_000061_report_passwords,
    m20261129_000062_click_blocks,
}
