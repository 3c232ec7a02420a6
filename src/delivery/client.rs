//! One exchange with a receiver, who may be hostile: 15 seconds for all of it, 16 KiB of the answer, no redirects, and a
//! connection only to an address that was judged.

use std::{error::Error, fmt, net::SocketAddr, sync::Arc, time::Duration};

use chrono::DateTime;
use reqwest::{
    Certificate, Client, Response,
    dns::{Addrs, Name, Resolve, Resolving},
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER},
    redirect::Policy,
};
use tokio::time::{Instant, timeout};
use url::Url;

use super::target::{is_public, may_be_public};
use crate::{
    clock::{Millis, SECOND},
    config::Config,
    dns::Dns,
};

/// For names, connection, headers and body together.
pub const EXCHANGE_TIMEOUT: Duration = Duration::from_secs(15);
/// How much of an answer is read, in bytes: enough to use the connection again after a usual one.
const MAX_READ: usize = 16 * 1024;
/// How much of an answer is kept, in characters.
pub const MAX_KEPT: usize = 1_000;

const FORBIDDEN: &str = "The host's address is not a public one.";

/// What a receiver answered.
#[derive(Clone, Debug, Default)]
pub struct Exchange {
    /// HTTP status; none without an answer.
    pub status: Option<u16>,
    /// How long the receiver wants to be left alone.
    pub retry_after: Option<Millis>,
    /// Start of the body.
    pub response_start: Option<String>,
    /// Why there is no answer, or not all of it.
    pub error: Option<&'static str>,
    /// How long it took.
    pub took: Duration,
}

/// What is sent.
pub struct Message<'a> {
    /// Where to.
    pub url: &'a str,
    /// `webhook-id`.
    pub id: &'a str,
    /// `webhook-timestamp`, in seconds.
    pub timestamp: i64,
    /// `webhook-signature`.
    pub signature: &'a str,
    /// JSON.
    pub body: String,
}

/// Sends to receivers.
pub struct WebhookClient {
    http: Client,
    allow_private: bool,
}

impl WebhookClient {
    /// As configured.
    pub fn new(config: &Config, dns: &Arc<Dns>) -> anyhow::Result<Self> {
        let allow_private = config.allow_private_targets;
        let builder = || {
            Client::builder()
                .user_agent(concat!("linkgraph/", env!("CARGO_PKG_VERSION")))
                .redirect(Policy::none())
                // A proxy of the environment would resolve names itself.
                .no_proxy()
                .dns_resolver(Arc::new(Judge { dns: Arc::clone(dns), allow_private }))
                .pool_max_idle_per_host(8)
                .pool_idle_timeout(Duration::from_secs(20))
        };
        let http = builder().build().or_else(|_| {
            // The system has no certificates, as a bare container. The operator's own authority would need some.
            tracing::info!("The system trusts no certificate authorities: webhooks trust Mozilla's");
            let mozillas = webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter();
            builder().tls_certs_only(mozillas.filter_map(|root| Certificate::from_der(root).ok())).build()
        })?;
        Ok(WebhookClient { http, allow_private })
    }

    /// Sends one message. `now` is the time that a `Retry-After` date is compared with.
    pub async fn send(&self, message: Message<'_>, now: Millis) -> Exchange {
        let started = Instant::now();
        let mut exchange = Exchange::default();
        exchange.error = match timeout(EXCHANGE_TIMEOUT, self.exchange(message, now, &mut exchange)).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error),
            Err(_) => Some("The exchange was not over after 15 seconds."),
        };
        exchange.took = started.elapsed();
        exchange
    }

    async fn exchange(&self, message: Message<'_>, now: Millis, exchange: &mut Exchange) -> Result<(), &'static str> {
        let url = Url::parse(message.url).map_err(|_| "The URL is not valid.")?;
        // The resolver is not asked about addresses.
        if !self.allow_private && !url.host().is_some_and(|host| may_be_public(&host)) {
            return Err(FORBIDDEN);
        }
        let text = |value: &str| HeaderValue::from_str(value).map_err(|_| "The message is not valid.");
        let headers = HeaderMap::from_iter([
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (HeaderName::from_static("webhook-id"), text(message.id)?),
            (HeaderName::from_static("webhook-timestamp"), message.timestamp.into()),
            (HeaderName::from_static("webhook-signature"), text(message.signature)?),
        ]);
        let request = self.http.post(url).headers(headers).body(message.body);
        let response = request.send().await.map_err(|error| reason(&error))?;
        exchange.status = Some(response.status().as_u16());
        exchange.retry_after = retry_after(response.headers(), now);
        let mut read = Vec::new();
        let rest = read_start(response, &mut read).await;
        exchange.response_start = kept(&read);
        rest
    }
}

async fn read_start(mut response: Response, read: &mut Vec<u8>) -> Result<(), &'static str> {
    while read.len() < MAX_READ {
        match response.chunk().await {
            Ok(Some(chunk)) => read.extend_from_slice(&chunk[..chunk.len().min(MAX_READ - read.len())]),
            Ok(None) => break,
            Err(error) => return Err(reason(&error)),
        }
    }
    Ok(())
}

/// The start of an answer as text. PostgreSQL stores no NUL.
fn kept(bytes: &[u8]) -> Option<String> {
    let text: String =
        String::from_utf8_lossy(bytes).chars().filter(|character| *character != '\0').take(MAX_KEPT).collect();
    (!text.is_empty()).then_some(text)
}

/// Seconds, or a date (RFC 9110 §10.2.3).
fn retry_after(headers: &HeaderMap, now: Millis) -> Option<Millis> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match text.parse::<u32>() {
        Ok(seconds) => i64::from(seconds) * SECOND,
        Err(_) => DateTime::parse_from_rfc2822(text).ok()?.timestamp_millis() - now,
    };
    Some(wait.max(0))
}

/// Why a request failed, in words that tell a receiver's owner what to look at, and nothing of our network.
fn reason(error: &reqwest::Error) -> &'static str {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(current) = cause {
        if let Some(refusal) = current.downcast_ref::<Refusal>() {
            return refusal.0;
        }
        if let Some(error) = current.downcast_ref::<std::io::Error>() {
            match error.kind() {
                std::io::ErrorKind::ConnectionRefused => return "The connection was refused.",
                std::io::ErrorKind::ConnectionReset | std::io::ErrorKind::BrokenPipe => {
                    return "The connection was reset.";
                }
                std::io::ErrorKind::UnexpectedEof => return "The connection was closed too early.",
                std::io::ErrorKind::HostUnreachable | std::io::ErrorKind::NetworkUnreachable => {
                    return "The host can't be reached.";
                }
                std::io::ErrorKind::InvalidData if error.to_string().contains("certificate") => {
                    return "The server's certificate is not valid.";
                }
                _ => {}
            }
        }
        cause = current.source();
    }
    if error.is_connect() { "The connection failed." } else { "The answer is not valid HTTP, or broke off." }
}

/// Resolves the names of receivers, and refuses a name of which any address is forbidden.
struct Judge {
    dns: Arc<Dns>,
    allow_private: bool,
}

/// A name that is not connected to.
#[derive(Debug)]
struct Refusal(&'static str);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Refusal {}

impl Resolve for Judge {
    fn resolve(&self, name: Name) -> Resolving {
        let (dns, allow_private) = (Arc::clone(&self.dns), self.allow_private);
        Box::pin(async move {
            // A name on the internet is whole: the search list of this network is not tried. Only a private one may need it.
            let whole = if allow_private {
                name.as_str().to_owned()
            } else {
                format!("{}.", name.as_str().trim_end_matches('.'))
            };
            let found = dns.addresses(&whole).await;
            let addresses =
                found.map_err(|_| Refusal("The host's name could not be resolved: its DNS does not answer."))?;
            if addresses.is_empty() {
                return Err(Refusal("The host's name has no address.").into());
            }
            if !allow_private && !addresses.iter().all(|address| is_public(*address)) {
                return Err(Refusal(FORBIDDEN).into());
            }
            let addresses: Addrs = Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let asked = |text: &str| {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_str(text).unwrap())]);
            retry_after(&headers, 784_111_777_000 - 10_000)
        };
        assert_eq!(asked("120"), Some(120_000));
        assert_eq!(asked("Sun, 06 Nov 1994 08:49:37 GMT"), Some(10_000));
        assert_eq!(asked("Sun, 06 Nov 1983 08:49:37 GMT"), Some(0));
        for nonsense in ["-1", "soon", "", "1e9"] {
            assert_eq!(asked(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn little_of_an_answer_is_kept() {
        assert_eq!(kept(b""), None);
        assert_eq!(kept(b"a\0b\xff").as_deref(), Some("ab\u{fffd}"));
        assert_eq!(kept("é".repeat(5_000).as_bytes()).unwrap().chars().count(), MAX_KEPT);
    }
}
