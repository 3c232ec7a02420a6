//! The shared application state, built once at startup.

pub(crate) mod change;
pub(crate) mod idempotent;
pub(crate) mod jobs;

use std::sync::Arc;

use anyhow::Context;
use tokio::sync::Notify;
use tokio_util::task::TaskTracker;

use crate::{
    base::{
        clock::Clock,
        concurrency::{ConcurrencyLimit, FairQueue, QueueSize},
        config::Config,
        ids::AccountId,
        metrics::Metrics,
    },
    clicks::{
        Clicks,
        agent::Agents,
        geoip::GeoIp,
        log::{ClickLog, DirectoryLock},
        position::Position,
        position_repo,
        visitor::Visitors,
    },
    payments::Billing,
    platform::{
        api_threads::ApiThreads,
        auth::{
            identity_provider::IdentityProvider, network_hash::NetworkHashes, passkeys::Passkeys, password::Passwords,
            signing_secret, user_token::UserTokens,
        },
        db::{Db, Mark, data_dir, left_behind},
        http::rate_limit::Limits,
        idempotency::seal::Seals,
        live::Live,
        net::{dns::Dns, guarded_client::GuardedClient, mailer::Mailer},
    },
    records::{
        api_keys::presented::{self, PresentedKeys},
        billing::usage::ApiCalls,
        images::cache::{ImageCache, image_cache},
        links::{creations::Creations, index::state::LinkIndexes},
        reports::cache::{ReportPages, report_pages},
    },
    redirect::{Redirects, reserved::Reserved},
};

/// Checks of domains at once: each asks name servers, which may not answer for seconds.
const DOMAIN_CHECKS: QueueSize = QueueSize { places: 16, share: 4, waiting_of_one: 16, waiting_in_all: 256 };
/// Fetches of pages at once: each asks a server that may not answer for 5 seconds.
const PAGE_FETCHES: QueueSize = QueueSize { places: 16, share: 2, waiting_of_one: 8, waiting_in_all: 256 };
/// Callers at once that wait for the payment provider: they leave half of its requests to jobs and to its events.
const PROVIDER_TURNS: QueueSize = QueueSize { places: 16, share: 4, waiting_of_one: 60, waiting_in_all: 1_024 };
/// Transactions of imports at once, of all jobs that run them.
const IMPORT_TURNS: QueueSize = QueueSize { places: 2, share: 1, waiting_of_one: 64, waiting_in_all: 64 };
/// Images that are decoded at once: each takes up to 160 MiB of memory and most of a second.
const IMAGE_TURNS: QueueSize = QueueSize { places: 2, share: 1, waiting_of_one: 16, waiting_in_all: 256 };
/// Exports of one account at once.
const MAX_EXPORTS: usize = 4;

/// Everything that operations need.
pub struct App {
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Clock,
    /// Database.
    pub db: Db,
    /// The threads that run API requests.
    pub api_threads: ApiThreads,
    pub(crate) billing: Billing,
    /// Calls of API keys on their way to the database.
    pub(crate) api_calls: ApiCalls,
    pub(crate) mailer: Mailer,
    pub(crate) passwords: Arc<Passwords>,
    /// The company's identity provider. None: there is none.
    pub(crate) identity_provider: Option<IdentityProvider>,
    /// Asks browsers for passkeys. None: the service's host is an address.
    pub(crate) passkeys: Option<Passkeys>,
    /// Signs and verifies user tokens.
    pub(crate) user_tokens: UserTokens,
    /// Hashes the networks that users log in from.
    pub(crate) network_hashes: NetworkHashes,
    /// Encrypts the answers to requests with idempotency keys.
    pub(crate) seals: Seals,
    /// Rate limits.
    pub limits: Arc<Limits>,
    /// Batches of lookups of API keys.
    pub(crate) presented_keys: Arc<PresentedKeys>,
    /// Links that are being created.
    pub(crate) creations: Creations,
    /// Indexes of links.
    pub(crate) link_indexes: LinkIndexes,
    /// State of redirects: caches, and the code that fills and evicts them.
    pub redirects: Arc<Redirects>,
    /// Permits to check domains.
    pub(crate) domain_checks: Arc<FairQueue<AccountId>>,
    /// Permits to fetch pages of the web while a caller waits.
    pub(crate) page_fetches: Arc<FairQueue<AccountId>>,
    /// Permits to ask the payment provider while a caller waits.
    pub(crate) provider_turns: Arc<FairQueue<AccountId>>,
    /// Permits to store rows of imports, for one transaction each.
    pub(crate) import_turns: Arc<FairQueue<AccountId>>,
    /// Permits to decode an image.
    pub(crate) image_turns: Arc<FairQueue<AccountId>>,
    /// Images that were asked for lately.
    pub(crate) images: ImageCache,
    /// Pages of reports that were asked for lately.
    pub(crate) report_pages: ReportPages,
    /// The click log, and the lookups that enrich clicks: visitors, countries, user agents.
    pub clicks: Arc<Clicks>,
    /// Exports that are under way.
    pub exports: Arc<ConcurrencyLimit<AccountId>>,
    /// Subscribers to changes, and their topics.
    pub live: Arc<Live>,
    pub(crate) dns: Arc<Dns>,
    pub(crate) guarded_client: GuardedClient,
    /// Notifies that deliveries may be due.
    pub(crate) deliveries_due: Notify,
    pub(crate) metrics: Arc<Metrics>,
    /// Notifies that jobs may be due.
    pub(crate) jobs_due: Arc<Notify>,
    /// Short tasks that outlive their request; awaited when the service stops.
    pub(crate) background: TaskTracker,
}

impl App {
    /// Opens all services. Returns the position in the click log at which ingest continues.
    pub(crate) async fn open(
        config: Config,
        clock: Clock,
        reserved_slugs: Reserved,
    ) -> anyhow::Result<(Arc<Self>, Position)> {
        config.create_data_dir()?;
        data_dir::close(&config);
        let clicks = config.data_dir.join("clicks");
        // Before anything is changed: two processes on one directory are a mistake.
        let lock = DirectoryLock::take(&clicks)?;
        left_behind::must_leave_no_accounts(&config).await?;
        left_behind::must_not_begin_anew(&config).await?;
        let mark = Mark::of(&config)?;
        let metrics = Arc::new(Metrics::new()?);
        let db = Db::connect(&config).await?;
        if let Some(mark) = mark
            && let Err(error) = mark.renew(&db).await
        {
            tracing::warn!(%error, "The database has no new mark");
        }
        let log_id = ClickLog::identity(&clicks)?;
        let position = position_repo::position(&db, log_id).await.context("DATABASE_URL: the tables can't be read")?;
        // A restored directory may lack segments that the database knows: their numbers are not used again.
        let click_log = ClickLog::open(lock, log_id, position.segment + 1, config.click_sync, Arc::clone(&metrics))?;
        let visitors = Visitors::open(&db, &config.data_dir, clock.now()).await;
        let clicks = Arc::new(Clicks {
            log: Arc::new(click_log),
            visitors: Arc::new(visitors.context("DATABASE_URL: no visitor key")?),
            geoip: Arc::new(GeoIp::open(&config)?),
            agents: Agents::default(),
        });
        let logged = Arc::downgrade(&clicks.log);
        let config = Arc::new(config);
        let secrets = signing_secret::secrets(&config, &db).await?;
        let dns = Arc::new(Dns::new(&config)?);
        let passwords = Arc::new(Passwords::new(config.password_hashing, &metrics)?);
        let limits = Arc::new(Limits::open(&config, &clock, &metrics).await?);
        let gates = (&passwords, &limits);
        let redirects = Redirects::new(&config, &clock, &db, &metrics, &clicks, reserved_slugs, gates);
        let app = App {
            guarded_client: GuardedClient::new(&config, &dns)?,
            deliveries_due: Notify::new(),
            dns,
            billing: Billing::new(&config, &db, &clock)?,
            api_calls: ApiCalls::default(),
            api_threads: ApiThreads::start(move || logged.upgrade().map_or(0, |log| log.taken()))?,
            mailer: Mailer::new(&config)?,
            passwords,
            network_hashes: NetworkHashes::new(&secrets)?,
            seals: Seals::new(&secrets)?,
            identity_provider: config
                .sign_in
                .provider
                .clone()
                .map(|settings| IdentityProvider::new(settings, &config.base_url))
                .transpose()?,
            passkeys: Passkeys::new(&config.base_url)?,
            user_tokens: UserTokens::new(config.base_url.as_str(), secrets),
            limits,
            presented_keys: presented::presented_keys(),
            creations: Creations::default(),
            link_indexes: LinkIndexes::default(),
            jobs_due: Arc::clone(&redirects.jobs_due),
            redirects: Arc::new(redirects),
            clicks,
            domain_checks: FairQueue::new(DOMAIN_CHECKS),
            page_fetches: FairQueue::new(PAGE_FETCHES),
            provider_turns: FairQueue::new(PROVIDER_TURNS),
            import_turns: FairQueue::new(IMPORT_TURNS),
            image_turns: FairQueue::new(IMAGE_TURNS),
            images: image_cache(),
            report_pages: report_pages(),
            exports: ConcurrencyLimit::new(MAX_EXPORTS, "exports of the account"),
            live: Live::new(Arc::clone(&metrics)),
            metrics,
            background: TaskTracker::new(),
            db,
            clock,
            config,
        };
        Ok((Arc::new(app), position))
    }
}
