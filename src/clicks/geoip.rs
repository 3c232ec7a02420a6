//! Country of an address, where the operator supplies a database. A new file in its place is used without a restart.

use std::{fs, net::IpAddr, os::unix::fs::MetadataExt, path::PathBuf, sync::Arc, time::Duration};

use anyhow::Context;
use arc_swap::ArcSwapOption;
use maxminddb::{Reader, geoip2};
use parking_lot::Mutex;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::base::{
    clock::{Clock, MINUTE, Millis, SECOND, UnixMillis},
    config::Config,
    error::in_one_line,
};

/// How often to look at the clock.
const LOOK: Duration = Duration::from_secs(1);
/// How often to look at the file.
const INTERVAL: Millis = MINUTE;

/// Properties that tell a file from the one before it: device, inode, length in bytes, and the time of its last change
/// (seconds, nanoseconds).
type Identity = (u64, u64, u64, i64, i64);

/// Looks countries up.
pub struct GeoIp {
    path: Option<PathBuf>,
    reader: ArcSwapOption<Reader<Vec<u8>>>,
    /// Identity of the file that was last read, or that could not be read. `None`: no file was found so far.
    seen: Mutex<Option<Identity>>,
}

/// Description of a database, from the metadata in its file.
#[derive(Clone, Debug)]
pub(crate) struct Described {
    /// The kind of database, such as `GeoLite2-Country`.
    pub(crate) kind: String,
    /// When it was built.
    pub(crate) built_at: UnixMillis,
}

impl GeoIp {
    /// Opens the configured file; without one, every country is unknown.
    pub(crate) fn open(config: &Config) -> anyhow::Result<Self> {
        let geoip = GeoIp { path: config.geoip_db.clone(), reader: ArcSwapOption::empty(), seen: Mutex::new(None) };
        geoip.reload()?;
        Ok(geoip)
    }

    /// ISO 3166-1 alpha-2, when known.
    pub fn country(&self, address: IpAddr) -> Option<[u8; 2]> {
        let reader = self.reader.load();
        let found = reader.as_ref()?.lookup(address).ok()?;
        let country = found.decode::<geoip2::Country<'_>>().ok()??;
        let code = country.country.iso_code.or(country.registered_country.iso_code)?;
        let code: [u8; 2] = code.as_bytes().try_into().ok()?;
        code.iter().all(u8::is_ascii_uppercase).then_some(code)
    }

    /// The database that is in use. `None`: none is configured.
    pub(crate) fn described(&self) -> Option<Described> {
        let reader = self.reader.load();
        let metadata = reader.as_ref()?.metadata();
        let built_at = i64::try_from(metadata.build_epoch).unwrap_or_default().saturating_mul(SECOND);
        Some(Described { kind: metadata.database_type.clone(), built_at })
    }

    /// Reads the file if it has changed, and returns whether it did. A file that can't be read is not tried again until it
    /// changes; the database read before stays in use.
    pub fn reload(&self) -> anyhow::Result<bool> {
        let Some(path) = &self.path else { return Ok(false) };
        let unreadable = || format!("LINKGRAPH_GEOIP_DB: can't read {}", path.display());
        let mut seen = self.seen.lock();
        let identity = match fs::metadata(path) {
            Ok(file) => Some((file.dev(), file.ino(), file.len(), file.mtime(), file.mtime_nsec())),
            // A missing file may be about to be replaced: the database that was read before stays in use.
            Err(_) if seen.is_some() => return Ok(false),
            Err(error) => return Err(error).with_context(unreadable),
        };
        if *seen == identity {
            return Ok(false);
        }
        *seen = identity;
        self.reader.store(Some(Arc::new(Reader::open_readfile(path).with_context(unreadable)?)));
        Ok(true)
    }
}

/// Looks for a new file until told to stop.
pub(crate) async fn run(geoip: Arc<GeoIp>, clock: Clock, stop: CancellationToken) {
    if geoip.path.is_none() {
        return;
    }
    let mut looked = UnixMillis::MIN;
    while !stop.is_cancelled() {
        let now = clock.now();
        if now.saturating_sub(looked) >= INTERVAL {
            looked = now;
            // The whole file is read at once, which blocks for a while.
            let reader = Arc::clone(&geoip);
            match tokio::task::spawn_blocking(move || reader.reload()).await {
                Ok(Ok(true)) => tracing::info!("The GeoIP database was read anew"),
                Ok(Ok(false)) => {}
                Ok(Err(error)) => tracing::warn!(error = in_one_line(&error), "The GeoIP database stays as it was"),
                Err(error) => tracing::error!(%error, "Reading the GeoIP database panicked"),
            }
        }
        stop.run_until_cancelled(sleep(LOOK)).await;
    }
}
