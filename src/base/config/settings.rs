//! All settings, read from variables.

use std::{
    net::{IpAddr, SocketAddr, ToSocketAddrs},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context;
use ipnet::IpNet;
use lettre::message::Mailbox;
use redis::IntoConnectionInfo;
use url::{Host, Url};

use crate::base::{
    file, machine,
    tier::Plan,
    validate::{check_contact, is_host_name},
};

use super::{
    app_schemes::AppSchemes,
    base_url::BaseUrl,
    billing::{self, BillingSettings},
    click_sync::ClickSync,
    cors::{self, CorsOrigins},
    jwt::{self, JwtSecret},
    log_filter,
    password_hashing::PasswordHashing,
    reader::{ConfigError, ConfigErrors, Reader, boolean, entries, error, on_off},
    sign_in::{self, SignInSettings},
};

/// The SQLite database in the data directory.
const SQLITE_FILE: &str = "linkgraph.db";
/// [`Config::body_memory`]: 256 of the longest bodies. With the bytes that are not counted, all bodies take less than 128 MiB.
const BODY_MEMORY: usize = 64 * 1024 * 1024;
/// [`Config::delivery_exchanges`]: one for each webhook that a node serves at once.
const DELIVERY_EXCHANGES: usize = 512;

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Where mail goes.
#[derive(Clone, Debug)]
pub struct SmtpSettings {
    /// `smtp://` or `smtps://`, with credentials when needed.
    pub(crate) url: String,
    pub(crate) from: Mailbox,
}

/// All settings, checked.
#[derive(Clone, Debug)]
pub struct Config {
    /// `LINKGRAPH_BIND` (`127.0.0.1:8080`).
    pub bind: SocketAddr,
    /// `LINKGRAPH_BASE_URL` (`http://localhost:8080`): its host is the default host of short links.
    pub base_url: BaseUrl,
    /// `LINKGRAPH_SUBDOMAIN_HOST` (host of the base URL), in lower case: `acme` claimed is `acme.<this>`.
    pub subdomain_host: String,
    /// `LINKGRAPH_DATA_DIR` (`./data`): SQLite file, click log, signing secret, unsent mail.
    pub data_dir: PathBuf,
    /// `DATABASE_URL` (a SQLite file in the data directory).
    pub database_url: String,
    /// `LINKGRAPH_POSTGRES_CONNECTIONS` (8 for each core): connections of this node to PostgreSQL for statements, at most.
    pub postgres_connections: u32,
    /// `REDIS_URL`: counts rate limits for all nodes together. None: each node counts its own.
    pub redis: Option<redis::ConnectionInfo>,
    /// `LINKGRAPH_JWT_SECRETS`, `kid:secret` separated by commas; the first signs. None: made at the first start.
    pub jwt_secrets: Vec<JwtSecret>,
    /// `LINKGRAPH_SMTP_URL` and `LINKGRAPH_MAIL_FROM`. None: mails become files in the data directory.
    pub smtp: Option<SmtpSettings>,
    /// `LINKGRAPH_DNS_SERVER`, with a port or on 53: resolves custom domains, and the hosts of webhooks and of the
    /// APIs that imports read. None: the system's.
    pub dns_server: Option<SocketAddr>,
    /// `LINKGRAPH_ALLOW_PRIVATE_TARGETS` (`false`): webhooks, and imports from APIs, may reach loopback and private addresses.
    pub allow_private_targets: bool,
    /// `LINKGRAPH_GEOIP_DB`: MaxMind-format file. None: the table in the binary.
    pub geoip_db: Option<PathBuf>,
    /// `LINKGRAPH_TRUSTED_PROXIES`: networks whose `X-Forwarded-For` and `X-Forwarded-Host` are believed.
    pub trusted_proxies: Vec<IpNet>,
    /// `LINKGRAPH_CLICK_SYNC` (`interval`).
    pub click_sync: ClickSync,
    /// `LINKGRAPH_STRIPE_…` and `LINKGRAPH_BILLING_SANDBOX`: the payment provider.
    pub billing: BillingSettings,
    /// `LINKGRAPH_DEFAULT_PLAN` (`free`).
    pub default_plan: Plan,
    /// `LINKGRAPH_REGISTRATION` (`open`). Closed: once there is a user, only operators make accounts.
    pub is_registration_open: bool,
    /// `LINKGRAPH_PASSWORD_LOGIN`, `LINKGRAPH_OIDC_…` and `LINKGRAPH_PROXY_…`: how users sign in.
    pub sign_in: SignInSettings,
    /// `LINKGRAPH_RATE_LIMITS` (`on`).
    pub rate_limits: bool,
    /// `LINKGRAPH_CORS_ORIGINS` (`*`): origins whose pages may call the API.
    pub cors_origins: CorsOrigins,
    /// `LINKGRAPH_SECURITY_CONTACT`: an `https:` or `mailto:` URI, named in `/.well-known/security.txt`. None: there is no such file.
    pub security_contact: Option<String>,
    /// `LINKGRAPH_APP_SCHEMES` (`any`): schemes that URIs which open apps may have.
    pub app_schemes: AppSchemes,
    /// `LINKGRAPH_INTROSPECTION` (`true`).
    pub introspection: bool,
    /// `LINKGRAPH_AUTO_MIGRATE` (`true`).
    pub auto_migrate: bool,
    /// `LINKGRAPH_LOG` (`info`): filter of `tracing`.
    pub log: String,
    /// `LINKGRAPH_LOG_FORMAT` (`text`).
    pub log_format: LogFormat,
    /// `LINKGRAPH_METRICS_BIND`. None: `/metrics` on the main listener, for loopback callers only.
    pub metrics_bind: Option<SocketAddr>,
    /// How long a stopping node still takes requests while `/ready` already refuses, so that load balancers notice.
    pub shutdown_grace: Duration,
    /// Single clicks that are read for an answer with a filter, or for a breakdown, at most.
    pub max_clicks_read: u64,
    /// How long a client may take to send a request's head or to take in more of an answer, and be idle between requests.
    pub client_timeout: Duration,
    /// Memory for all request bodies together, in bytes. The first 4 KiB of each are not counted.
    pub body_memory: usize,
    /// The cost of hashing a password.
    pub password_hashing: PasswordHashing,
    /// Number of concurrent exchanges with receivers of webhooks, over all webhooks that the node serves.
    pub delivery_exchanges: usize,
}

impl Config {
    /// Reads settings from anywhere. Which variables it asks for must not depend on their values. Fails with all settings that can't be used.
    pub fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, ConfigErrors> {
        Self::read_all(variable, Vec::new())
    }

    /// The same, where these errors are known already.
    pub(super) fn read_all(
        variable: &dyn Fn(&str) -> Option<String>,
        mut errors: Vec<ConfigError>,
    ) -> Result<Self, ConfigErrors> {
        loop {
            // Read again without what is wrong, to find what else is.
            let is_wrong = |name: &str| errors.iter().any(|error| error.variable == name);
            let read = Self::read_once(&|name| variable(name).filter(|_| !is_wrong(name)));
            match read {
                Ok(config) if errors.is_empty() => return Ok(config),
                Err(error) if !is_wrong(&error.variable) => errors.push(error),
                // That it is missing follows from an error that is known.
                Ok(_) | Err(_) => return Err(ConfigErrors(errors)),
            }
        }
    }

    /// Fails with the first setting that can't be used.
    fn read_once(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let read = Reader { variable };
        let data_dir = read.parse("LINKGRAPH_DATA_DIR", "./data", |text| Ok(PathBuf::from(text)))?;
        let database_url = match read.text("DATABASE_URL") {
            // Each connection would have a database of its own, and none would survive.
            Some(url) if url.contains(":memory:") || url.contains("mode=memory") => {
                return Err(error("DATABASE_URL", "must name a file: a database in memory forgets"));
            }
            // libpq takes several hosts and finds the one that writes (target_session_attrs); the driver here does not.
            Some(url) if url.starts_with("postgres") && has_many_hosts(&url) => {
                let reason =
                    "must name one host: a proxy that follows the primary, such as HAProxy, stands for several";
                return Err(error("DATABASE_URL", reason));
            }
            Some(url) if ["sqlite:", "postgres:", "postgresql:"].iter().any(|scheme| url.starts_with(scheme)) => url,
            Some(_) => return Err(error("DATABASE_URL", "must start with sqlite: or postgres:")),
            None => sqlite_url(&data_dir),
        };
        let base_url = read.parse("LINKGRAPH_BASE_URL", "http://localhost:8080", BaseUrl::parse)?;
        let bind = read.parse("LINKGRAPH_BIND", "127.0.0.1:8080", socket_address)?;
        Ok(Config {
            bind,
            subdomain_host: read.parse("LINKGRAPH_SUBDOMAIN_HOST", base_url.host(), |text| {
                match Host::parse(text) {
                    Ok(Host::Domain(name)) if !is_host_name(&name) => {
                        Err("must be a host name, such as example.com".into())
                    }
                    Ok(host) => Ok(host.to_string().trim_end_matches('.').to_owned()),
                    Err(_) => Err("must be a host name, such as example.com".into()),
                }
            })?,
            database_url,
            postgres_connections: read.parse(
                "LINKGRAPH_POSTGRES_CONNECTIONS",
                &(8 * machine::cores()).to_string(),
                |text| {
                    text.parse()
                        .ok()
                        .filter(|connections| (2..=10_000).contains(connections))
                        .ok_or_else(|| "must be a number of connections from 2 to 10000".into())
                },
            )?,
            redis: read
                .text("REDIS_URL")
                .map(|text| redis_server(&text).map_err(|reason| error("REDIS_URL", reason)))
                .transpose()?,
            jwt_secrets: read.parse("LINKGRAPH_JWT_SECRETS", "", jwt::parse)?,
            smtp: smtp(&read)?,
            dns_server: read
                .text("LINKGRAPH_DNS_SERVER")
                .map(|text| dns_server(&text).map_err(|reason| error("LINKGRAPH_DNS_SERVER", reason)))
                .transpose()?,
            allow_private_targets: read.parse("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "false", boolean)?,
            geoip_db: read.text("LINKGRAPH_GEOIP_DB").map(PathBuf::from),
            trusted_proxies: read.parse("LINKGRAPH_TRUSTED_PROXIES", "", networks)?,
            click_sync: read.parse("LINKGRAPH_CLICK_SYNC", "interval", |text| match text {
                "interval" => Ok(ClickSync::Interval),
                "strict" => Ok(ClickSync::Strict),
                _ => Err("must be interval or strict".into()),
            })?,
            default_plan: read.parse("LINKGRAPH_DEFAULT_PLAN", "free", |text| {
                Plan::parse(text).ok_or_else(|| "must be free, pro, business or unlimited".into())
            })?,
            is_registration_open: read.parse("LINKGRAPH_REGISTRATION", "open", |text| match text {
                "open" => Ok(true),
                "closed" => Ok(false),
                _ => Err("must be open or closed".into()),
            })?,
            sign_in: sign_in::read(&read, read.text("LINKGRAPH_TRUSTED_PROXIES").is_some())?,
            rate_limits: read.parse("LINKGRAPH_RATE_LIMITS", "on", on_off)?,
            cors_origins: read.parse("LINKGRAPH_CORS_ORIGINS", "*", cors::parse)?,
            security_contact: read
                .text("LINKGRAPH_SECURITY_CONTACT")
                .map(|text| contact(&text).map_err(|reason| error("LINKGRAPH_SECURITY_CONTACT", reason)))
                .transpose()?,
            app_schemes: read.parse("LINKGRAPH_APP_SCHEMES", "any", AppSchemes::read)?,
            introspection: read.parse("LINKGRAPH_INTROSPECTION", "true", boolean)?,
            auto_migrate: read.parse("LINKGRAPH_AUTO_MIGRATE", "true", boolean)?,
            log: read.parse("LINKGRAPH_LOG", "info", log_filter::parse)?,
            log_format: read.parse("LINKGRAPH_LOG_FORMAT", "text", |text| match text {
                "text" => Ok(LogFormat::Text),
                "json" => Ok(LogFormat::Json),
                _ => Err("must be text or json".into()),
            })?,
            metrics_bind: read
                .text("LINKGRAPH_METRICS_BIND")
                .map(|text| socket_address(&text).map_err(|reason| error("LINKGRAPH_METRICS_BIND", reason)))
                .transpose()?,
            shutdown_grace: Duration::from_secs(1),
            max_clicks_read: 1_000_000,
            client_timeout: Duration::from_secs(15),
            body_memory: BODY_MEMORY,
            password_hashing: PasswordHashing::default(),
            delivery_exchanges: DELIVERY_EXCHANGES,
            data_dir,
            // Last: that a part of it is missing may follow from another error.
            billing: billing::read(&read, &base_url, bind)?,
            base_url,
        })
    }
}

impl Config {
    /// Makes the data directory, unless it is there.
    pub(crate) fn create_data_dir(&self) -> anyhow::Result<()> {
        let folder = &self.data_dir;
        file::create_folder(folder).with_context(|| format!("LINKGRAPH_DATA_DIR: can't create {}", folder.display()))
    }

    /// The SQLite database of the data directory, in use or not.
    pub(crate) fn sqlite_file(&self) -> PathBuf {
        self.data_dir.join(SQLITE_FILE)
    }

    /// The URL of the SQLite database of the data directory.
    pub(crate) fn sqlite_url(&self) -> String {
        sqlite_url(&self.data_dir)
    }
}

fn sqlite_url(data_dir: &Path) -> String {
    format!("sqlite://{}?mode=rwc", data_dir.join(SQLITE_FILE).display())
}

fn socket_address(text: &str) -> Result<SocketAddr, String> {
    let mut addresses = text.to_socket_addrs().map_err(|_| "must be an address and a port, such as 0.0.0.0:8080")?;
    addresses.next().ok_or_else(|| "has no address".into())
}

/// The URL itself may hold a password: it is not repeated.
fn redis_server(text: &str) -> Result<redis::ConnectionInfo, String> {
    if !text.starts_with("redis:") && !text.starts_with("rediss:") {
        return Err("must start with redis: or rediss:".into());
    }
    text.into_connection_info().map_err(|_| "must be a URL, such as redis://user:secret@host:6379/0".into())
}

fn contact(text: &str) -> Result<String, String> {
    check_contact(text).map(|()| text.to_owned()).map_err(str::to_owned)
}

fn dns_server(text: &str) -> Result<SocketAddr, String> {
    text.parse()
        .or_else(|_| text.parse::<IpAddr>().map(|address| SocketAddr::new(address, 53)))
        .map_err(|_| "must be an address, such as 192.0.2.53 or 192.0.2.53:5353".into())
}

fn networks(text: &str) -> Result<Vec<IpNet>, String> {
    entries(text)
        .map(|network| {
            network
                .parse::<IpNet>()
                .or_else(|_| network.parse::<IpAddr>().map(IpNet::from))
                .map_err(|_| format!("{network} is not a network, such as 10.0.0.0/8"))
        })
        .collect()
}

/// Whether a URL has several hosts with commas, in its authority or as libpq's parameter.
fn has_many_hosts(url: &str) -> bool {
    let (_, rest) = url.split_once("://").unwrap_or_default();
    let (authority, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let hosts = authority.split('/').next().unwrap_or_default().rsplit('@').next().unwrap_or_default();
    hosts.contains(',') || parameters.split('&').any(|one| one.starts_with("host=") && one.contains(','))
}

fn smtp(read: &Reader<'_>) -> Result<Option<SmtpSettings>, ConfigError> {
    let (url, from) = (read.text("LINKGRAPH_SMTP_URL"), read.text("LINKGRAPH_MAIL_FROM"));
    // It is checked without a server, too: it is set for one that is to come.
    let from = from.map(|text| text.parse().map_err(|_| error("LINKGRAPH_MAIL_FROM", "must be an e-mail address")));
    let from: Option<Mailbox> = from.transpose()?;
    let Some(url) = url else { return Ok(None) };
    if !url.starts_with("smtp://") && !url.starts_with("smtps://") {
        return Err(error("LINKGRAPH_SMTP_URL", "must start with smtp:// or smtps://"));
    }
    if !Url::parse(&url).is_ok_and(|url| url.has_host()) {
        // The URL may hold a password: it is not repeated.
        return Err(error("LINKGRAPH_SMTP_URL", "must be a URL, such as smtps://user:secret@host"));
    }
    let Some(from) = from else {
        return Err(error("LINKGRAPH_MAIL_FROM", "is needed with LINKGRAPH_SMTP_URL"));
    };
    Ok(Some(SmtpSettings { url, from }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(settings: &[(&str, &str)]) -> Result<Config, ConfigErrors> {
        Config::read(&|name| {
            settings.iter().find(|(variable, _)| *variable == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn defaults_need_nothing() {
        let config = read(&[]).unwrap();
        assert_eq!(config.bind, "127.0.0.1:8080".parse().unwrap());
        assert_eq!(config.base_url.as_str(), "http://localhost:8080");
        assert_eq!(config.base_url.host(), "localhost");
        assert_eq!(config.database_url, "sqlite://./data/linkgraph.db?mode=rwc");
        assert_eq!((config.default_plan, config.is_registration_open), (Plan::Free, true));
        assert_eq!((config.subdomain_host.as_str(), config.allow_private_targets), ("localhost", false));
        let dns_server = |text| read(&[("LINKGRAPH_DNS_SERVER", text)]).unwrap().dns_server.unwrap().to_string();
        assert_eq!((dns_server("192.0.2.53"), dns_server("[::1]:5353")), ("192.0.2.53:53".into(), "[::1]:5353".into()));
    }

    #[test]
    fn a_bad_setting_is_named_and_a_secret_is_not_repeated() {
        for (variable, value) in [
            ("LINKGRAPH_BIND", "nowhere"),
            ("LINKGRAPH_BASE_URL", "ftp://example.com"),
            ("LINKGRAPH_BASE_URL", "https://example.com/path"),
            ("LINKGRAPH_BASE_URL", "user:hunter2@example.com"),
            ("LINKGRAPH_BASE_URL", ":hunter2@example.com"),
            ("LINKGRAPH_BASE_URL", "https://:hunter2@example.com"),
            ("DATABASE_URL", "mysql://localhost/x"),
            ("DATABASE_URL", "sqlite::memory:"),
            ("DATABASE_URL", "postgres://ada:hunter2@one,two/linkgraph"),
            ("DATABASE_URL", "postgres://ada:hunter2@one:5432,two:5433/linkgraph?target_session_attrs=read-write"),
            ("DATABASE_URL", "postgres:///linkgraph?host=one,two"),
            ("LINKGRAPH_MAIL_FROM", "nobody"),
            ("LINKGRAPH_SUBDOMAIN_HOST", "*.example.net"),
            ("LINKGRAPH_POSTGRES_CONNECTIONS", "1"),
            ("LINKGRAPH_POSTGRES_CONNECTIONS", "many"),
            ("REDIS_URL", "http://:hunter2@localhost"),
            ("REDIS_URL", "redis://:hunter2@localhost/x"),
            ("REDIS_URL", "redis://:hunter2@localhost:port"),
            ("LINKGRAPH_JWT_SECRETS", "hunter2hunter2"),
            ("LINKGRAPH_JWT_SECRETS", "a:hunter2"),
            ("LINKGRAPH_JWT_SECRETS", "a:0123456789abcdef0123456789abcdef,b:hunter2-0123456789abcdef0123456"),
            ("LINKGRAPH_JWT_SECRETS", "a:0123456789abcdef0123456789abcdef,a:fedcba9876543210fedcba9876543210"),
            ("LINKGRAPH_SMTP_URL", "http://localhost"),
            ("LINKGRAPH_SUBDOMAIN_HOST", "exa mple.com"),
            ("LINKGRAPH_DNS_SERVER", "localhost:53"),
            ("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "on"),
            ("LINKGRAPH_TRUSTED_PROXIES", "10.0.0.0/99"),
            ("LINKGRAPH_CLICK_SYNC", "sometimes"),
            ("LINKGRAPH_DEFAULT_PLAN", "gold"),
            ("LINKGRAPH_REGISTRATION", "invited"),
            ("LINKGRAPH_RATE_LIMITS", "no"),
            ("LINKGRAPH_CORS_ORIGINS", "app.example.com"),
            ("LINKGRAPH_CORS_ORIGINS", "https://app.example.com/path"),
            ("LINKGRAPH_CORS_ORIGINS", "https://a.example, null"),
            ("LINKGRAPH_CORS_ORIGINS", "https://a.example, *"),
            ("LINKGRAPH_CORS_ORIGINS", "https://*.example.com"),
            ("LINKGRAPH_CORS_ORIGINS", ","),
            ("LINKGRAPH_SECURITY_CONTACT", "security@example.com"),
            ("LINKGRAPH_SECURITY_CONTACT", "http://example.com/security"),
            ("LINKGRAPH_APP_SCHEMES", "acme, javascript"),
            ("LINKGRAPH_INTROSPECTION", "yes"),
            ("LINKGRAPH_AUTO_MIGRATE", "1"),
            ("LINKGRAPH_LOG", "linkgraph=loud"),
            ("LINKGRAPH_LOG", "loud"),
            ("LINKGRAPH_LOG", "info,sqlx"),
            ("LINKGRAPH_LOG", "7"),
            ("LINKGRAPH_SMTP_URL", "smtp://user:hunter2@localhost:port"),
            ("LINKGRAPH_LOG_FORMAT", "xml"),
            ("LINKGRAPH_METRICS_BIND", "9090"),
            ("LINKGRAPH_STRIPE_SECRET_KEY", "pk_live_hunter2"),
        ] {
            let message = read(&[(variable, value)]).unwrap_err().to_string();
            assert!(message.starts_with(variable), "{variable}={value}: {message}");
            assert!(!message.contains('\n') && !message.contains("hunter2"), "{message}");
        }
        for (given, written) in [
            ("go.example.com", "https://go.example.com"),
            ("go.example.com:8443/", "https://go.example.com:8443/"),
            ("localhost:8080", "http://localhost:8080"),
            ("127.0.0.1", "http://127.0.0.1"),
        ] {
            let message = read(&[("LINKGRAPH_BASE_URL", given)]).unwrap_err().to_string();
            assert_eq!(message, format!("LINKGRAPH_BASE_URL: has no scheme: write {written}"));
        }
        let long_enough = "a:0123456789abcdef0123456789abcdef";
        assert_eq!(read(&[("LINKGRAPH_JWT_SECRETS", long_enough)]).unwrap().jwt_secrets.len(), 1);
        let half = read(&[("LINKGRAPH_SMTP_URL", "smtp://localhost")]).unwrap_err().to_string();
        assert!(half.starts_with("LINKGRAPH_MAIL_FROM"), "{half}");
    }
}
