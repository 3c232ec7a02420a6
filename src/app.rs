//! What everything shares, built once.

use std::sync::Arc;

use anyhow::Context;
use tokio::sync::{Notify, Semaphore};
use tokio_util::task::TaskTracker;

use crate::{
    analytics::export::MAX_EXPORTS,
    api_keys::{self, ops::PresentedKeys},
    api_threads::ApiThreads,
    auth::{
        network_hash::NetworkHashes, password::Passwords, revocation::Revocations, signing_secret,
        user_token::UserTokens, watchers::Watchers,
    },
    billing::Billing,
    clicks::{
        agent::Agents,
        geoip::GeoIp,
        ingest,
        log::{ClickLog, DirectoryLock, Position},
        visitor::Visitors,
    },
    clock::Clock,
    command::copy::guard,
    config::Config,
    data_dir,
    db::Db,
    delivery::client::WebhookClient,
    dns::Dns,
    domains::check::MAX_CHECKS,
    ids::AccountId,
    links::{ops::Creations, slug::Reserved},
    live::Live,
    mailer::Mailer,
    metrics::Metrics,
    moderation::restrictions::Restrictions,
    places::Places,
    rate_limit::Limits,
    redirect::{
        cache::RedirectCache,
        host_cache::HostCache,
        invalidation::OwnChanges,
        resolve::{self, Lookups},
    },
    usage::ApiCalls,
};

/// Everything that operations need.
pub struct App {
    /// Settings.
    pub config: Config,
    /// Wall-clock time.
    pub clock: Clock,
    /// Database.
    pub db: Db,
    /// Run API requests.
    pub api_threads: ApiThreads,
    /// Who takes payments.
    pub billing: Billing,
    /// Calls of API keys on their way to the database.
    pub api_calls: ApiCalls,
    /// Sends mail.
    pub mailer: Mailer,
    /// Hashes passwords.
    pub passwords: Passwords,
    /// Signs and verifies user tokens.
    pub user_tokens: UserTokens,
    /// Tells the networks apart that users log in from.
    pub network_hashes: NetworkHashes,
    /// User tokens that ended before they expire.
    pub revocations: Revocations,
    /// Open sockets, told when a credential may have ended.
    pub watchers: Arc<Watchers>,
    /// Rate limits.
    pub limits: Limits,
    /// Slugs that links can't have on the service's own host.
    pub reserved_slugs: Reserved,
    /// API keys that are being looked for.
    pub presented_keys: Arc<PresentedKeys>,
    /// Links that are being created.
    pub creations: Creations,
    /// What redirects know.
    pub redirects: RedirectCache,
    /// Suspended accounts, blocked links and hosts.
    pub restrictions: Restrictions,
    /// Changes that this node has told the others.
    pub own_changes: OwnChanges,
    /// Slugs that are being looked up.
    pub lookups: Arc<Lookups>,
    /// Whose hosts requests come to.
    pub hosts: HostCache,
    /// Turns of domains that are checked.
    pub domain_checks: Semaphore,
    /// Clicks on their way to the database.
    pub click_log: Arc<ClickLog>,
    /// Tells visitors apart.
    pub visitors: Visitors,
    /// Exports that are under way.
    pub exports: Arc<Places<AccountId>>,
    /// Those who listen to what happens.
    pub live: Arc<Live>,
    /// Countries of addresses.
    pub geoip: GeoIp,
    /// What user agents say.
    pub agents: Agents,
    /// Looks names up.
    pub dns: Arc<Dns>,
    /// Sends to webhooks.
    pub webhook_client: WebhookClient,
    /// Says that there may be something to deliver.
    pub deliveries_due: Notify,
    /// Counters.
    pub metrics: Arc<Metrics>,
    /// Says that there may be jobs to do.
    pub jobs_due: Notify,
    /// Small work that a request leaves behind; awaited when the service stops.
    pub background: TaskTracker,
}

impl App {
    /// Opens everything. Answers where the ingest of clicks goes on.
    pub async fn open(config: Config, clock: Clock, reserved_slugs: Reserved) -> anyhow::Result<(Arc<Self>, Position)> {
        data_dir::close(&config);
        let clicks = config.data_dir.join("clicks");
        // Before anything is changed: two processes on one directory are a mistake.
        let lock = DirectoryLock::take(&clicks)?;
        guard::must_leave_no_accounts(&config).await?;
        let metrics = Arc::new(Metrics::new()?);
        let db = Db::connect(&config).await?;
        let log_id = ClickLog::identity(&clicks)?;
        let position = ingest::position(&db, log_id).await.context("DATABASE_URL: the tables can't be read")?;
        // A restored directory may lack segments that the database knows: their numbers are not used again.
        let click_log = ClickLog::open(lock, log_id, position.segment + 1, config.click_sync, Arc::clone(&metrics))?;
        let click_log = Arc::new(click_log);
        let redirects = Arc::downgrade(&click_log);
        let secrets = signing_secret::secrets(&config, &db).await?;
        let dns = Arc::new(Dns::new(&config)?);
        let app = App {
            webhook_client: WebhookClient::new(&config, &dns)?,
            deliveries_due: Notify::new(),
            dns,
            billing: Billing::new(&config, &db, &clock)?,
            api_calls: ApiCalls::default(),
            api_threads: ApiThreads::start(move || redirects.upgrade().map_or(0, |log| log.taken()))?,
            mailer: Mailer::new(&config)?,
            passwords: Passwords::new(config.password_hashing)?,
            network_hashes: NetworkHashes::new(&secrets)?,
            user_tokens: UserTokens::new(config.base_url.as_str(), secrets),
            revocations: Revocations::default(),
            watchers: Arc::default(),
            limits: Limits::open(&config, &clock, &metrics).await?,
            reserved_slugs,
            presented_keys: api_keys::ops::presented_keys(),
            creations: Creations::default(),
            redirects: RedirectCache::default(),
            restrictions: Restrictions::default(),
            own_changes: OwnChanges::default(),
            lookups: resolve::lookups(),
            hosts: HostCache::default(),
            domain_checks: Semaphore::new(MAX_CHECKS),
            click_log,
            visitors: Visitors::open(&db, &config.data_dir, clock.now())
                .await
                .context("DATABASE_URL: no visitor key")?,
            exports: Places::new(MAX_EXPORTS, "exports of the account"),
            live: Live::new(Arc::clone(&metrics)),
            geoip: GeoIp::open(&config)?,
            agents: Agents::default(),
            metrics,
            jobs_due: Notify::new(),
            background: TaskTracker::new(),
            db,
            clock,
            config,
        };
        Ok((Arc::new(app), position))
    }
}
