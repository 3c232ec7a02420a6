//! linkgraph's schema changes, one a file, the same for SQLite and PostgreSQL. A file that has landed is never edited.

mod m20261120_000001_accounts;
mod m20261120_000002_api_keys;
mod m20261120_000003_links;
mod m20261120_000004_clicks;
mod m20261120_000005_outbox_and_jobs;
mod m20261120_000006_hosts;
mod m20261120_000007_webhooks;
mod m20261120_000008_billing;
mod m20261120_000009_usage;
mod m20261120_000010_rollups;
mod m20261120_000011_retention;
mod m20261121_000012_click_days;
mod m20261121_000013_invalidations;
mod m20261121_000014_shared_secrets;
mod m20261121_000015_click_months;
mod m20261122_000016_moderation;
mod m20261122_000017_known_networks;
mod m20261122_000018_subdomain_claims;
mod m20261122_000019_link_activity;
mod m20261122_000020_click_utm;
mod m20261122_000021_webhook_options;
mod m20261122_000022_click_parts;
mod m20261122_000023_first_clicks;
mod m20261123_000024_sessions;
mod m20261124_000025_link_life;
mod m20261124_000026_link_texts;
mod m20261124_000027_tags;
mod m20261124_000028_idempotency_keys;
mod m20261124_000029_host_settings;
mod m20261124_000030_forwarding;
mod m20261124_000031_imports;
mod m20261124_000032_utm_templates;
mod reserved;

use sea_orm_migration::prelude::*;

pub use sea_orm_migration::{Migration, MigratorTrait};

/// Applies and reverts the migrations, in order.
#[derive(Debug)]
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20261120_000001_accounts::Migration),
            Box::new(m20261120_000002_api_keys::Migration),
            Box::new(m20261120_000003_links::Migration),
            Box::new(m20261120_000004_clicks::Migration),
            Box::new(m20261120_000005_outbox_and_jobs::Migration),
            Box::new(m20261120_000006_hosts::Migration),
            Box::new(m20261120_000007_webhooks::Migration),
            Box::new(m20261120_000008_billing::Migration),
            Box::new(m20261120_000009_usage::Migration),
            Box::new(m20261120_000010_rollups::Migration),
            Box::new(m20261120_000011_retention::Migration),
            Box::new(m20261121_000012_click_days::Migration),
            Box::new(m20261121_000013_invalidations::Migration),
            Box::new(m20261121_000014_shared_secrets::Migration),
            Box::new(m20261121_000015_click_months::Migration),
            Box::new(m20261122_000016_moderation::Migration),
            Box::new(m20261122_000017_known_networks::Migration),
            Box::new(m20261122_000018_subdomain_claims::Migration),
            Box::new(m20261122_000019_link_activity::Migration),
            Box::new(m20261122_000020_click_utm::Migration),
            Box::new(m20261122_000021_webhook_options::Migration),
            Box::new(m20261122_000022_click_parts::Migration),
            Box::new(m20261122_000023_first_clicks::Migration),
            Box::new(m20261123_000024_sessions::Migration),
            Box::new(m20261124_000025_link_life::Migration),
            Box::new(m20261124_000026_link_texts::Migration),
            Box::new(m20261124_000027_tags::Migration),
            Box::new(m20261124_000028_idempotency_keys::Migration),
            Box::new(m20261124_000029_host_settings::Migration),
            Box::new(m20261124_000030_forwarding::Migration),
            Box::new(m20261124_000031_imports::Migration),
            Box::new(m20261124_000032_utm_templates::Migration),
        ]
    }
}
