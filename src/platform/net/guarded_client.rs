//! HTTP exchanges with servers that may be hostile: bounded in time and in what is read, and with connections only to addresses that
//! were checked.

use std::{
    error::Error,
    fmt,
    future::Future,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use chrono::DateTime;
use http_body_util::{BodyExt, Full};
use hyper::{
    Method, Request, Response, Uri,
    body::Incoming,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER, USER_AGENT},
};
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{
        Client,
        connect::{HttpConnector, dns::Name},
    },
    rt::{TokioExecutor, TokioTimer},
};
use tokio::time::{Instant, timeout};
use tower::Service;
use url::Url;

use super::target::{is_public, may_be_public};
use crate::{
    base::{
        clock::{Millis, SECOND, UnixMillis},
        config::Config,
    },
    platform::net::{dns::Dns, tls},
};

/// For names, connection, headers and body together.
pub(crate) const EXCHANGE_TIMEOUT: Duration = Duration::from_secs(15);
/// How much of an answer's body, and of its head, is read, in bytes: enough to use the connection again after a usual one.
const MAX_READ: usize = 16 * 1024;
/// How much of an answer is kept, in characters.
pub(crate) const MAX_KEPT: usize = 1_000;

/// For all requests of [`GuardedClient::page`] together: a person waits.
const PAGE_TIMEOUT: Duration = Duration::from_secs(5);
/// Redirects that are followed from one page to another; browsers follow 20.
const MAX_REDIRECTS: usize = 5;

const AGENT: &str = concat!("linkgraph/", env!("CARGO_PKG_VERSION"));
const INVALID: &str = "The URL is not valid.";
const FORBIDDEN: &str = "The host's address is not a public one.";

/// Result of one exchange with a receiver: its response, or the error.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exchange {
    /// HTTP status; none without an answer.
    pub(crate) status: Option<u16>,
    /// The wait that the receiver asks for with `Retry-After`, in milliseconds.
    pub(crate) retry_after: Option<UnixMillis>,
    /// Start of the body.
    pub(crate) response_start: Option<String>,
    /// Why there is no answer, or not all of it.
    pub(crate) error: Option<&'static str>,
    /// How long it took.
    pub(crate) took: Duration,
}

/// A signed webhook message to send.
pub(crate) struct Message<'a> {
    pub(crate) url: &'a str,
    /// `webhook-id`.
    pub(crate) id: &'a str,
    /// `webhook-timestamp`, in seconds.
    pub(crate) timestamp: i64,
    /// `webhook-signature`.
    pub(crate) signature: &'a str,
    /// JSON.
    pub(crate) body: String,
}

/// A page of the web.
pub(crate) struct WebPage {
    /// Where it was, after redirects.
    pub(crate) url: Url,
    /// Its `Content-Type`; empty if there is none.
    pub(crate) content_type: String,
    /// Its bytes, or the first of them.
    pub(crate) body: Vec<u8>,
}

/// Sends to receivers. It follows no redirects but those of pages, and uses no proxy of the environment, which would resolve names itself.
pub(crate) struct GuardedClient {
    http: Client<HttpsConnector<HttpConnector<ReceiverResolver>>, Full<Bytes>>,
    allow_private: bool,
}

impl GuardedClient {
    pub(crate) fn new(config: &Config, dns: &Arc<Dns>) -> anyhow::Result<Self> {
        let allow_private = config.allow_private_targets;
        let connector = HttpConnector::new_with_resolver(ReceiverResolver { dns: Arc::clone(dns), allow_private });
        let http = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(Duration::from_secs(20))
            .pool_max_idle_per_host(8)
            .http1_max_buf_size(MAX_READ)
            .build(tls::https(connector)?);
        Ok(GuardedClient { http, allow_private })
    }

    /// Sends one message. `now` is the time that a `Retry-After` date is compared with.
    pub(crate) async fn send(&self, message: Message<'_>, now: UnixMillis) -> Exchange {
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

    /// Sends a request to an untrusted server, and returns status and body. Fails, with the reason for a person, after
    /// [`EXCHANGE_TIMEOUT`] or if the body has more than `max` bytes.
    pub(crate) async fn fetch(
        &self,
        request: Request<Full<Bytes>>,
        max: usize,
    ) -> Result<(u16, Vec<u8>), &'static str> {
        let exchange = async {
            let mut response = self.request(request).await?;
            let mut body = Vec::new();
            while let Some(frame) = response.frame().await {
                let frame = frame.map_err(|error| reason(&error))?;
                body.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
                if body.len() > max {
                    return Err("The answer is too long.");
                }
            }
            Ok((response.status().as_u16(), body))
        };
        timeout(EXCHANGE_TIMEOUT, exchange).await.unwrap_or(Err("The exchange was not over after 15 seconds."))
    }

    /// Fetches a page, after at most [`MAX_REDIRECTS`] redirects, and reads at most `max` bytes of it. Fails, with the reason for a person,
    /// after [`PAGE_TIMEOUT`], or if the server answers with an error.
    pub(crate) async fn page(&self, mut url: Url, max: usize) -> Result<WebPage, &'static str> {
        let fetch = async {
            for _ in 0..=MAX_REDIRECTS {
                let request = Request::builder().uri(Uri::try_from(url.as_str()).map_err(|_| INVALID)?);
                let request = request.header(ACCEPT, "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1");
                let response = self.request(request.body(Full::default()).map_err(|_| INVALID)?).await?;
                if let Some(location) = response.headers().get(LOCATION).filter(|_| response.status().is_redirection())
                {
                    let location = location.to_str().ok().and_then(|location| url.join(location).ok());
                    url = location.filter(|url| matches!(url.scheme(), "http" | "https")).ok_or(INVALID)?;
                    continue;
                }
                if !response.status().is_success() {
                    return Err("The server answered with an error.");
                }
                let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
                let content_type = content_type.unwrap_or_default().to_owned();
                let mut body = Vec::new();
                read_start(response, &mut body, max).await?;
                return Ok(WebPage { url, content_type, body });
            }
            Err("There are too many redirects.")
        };
        timeout(PAGE_TIMEOUT, fetch).await.unwrap_or(Err("The page did not arrive in 5 seconds."))
    }

    /// Sends a request to where it may be sent.
    async fn request(&self, mut request: Request<Full<Bytes>>) -> Result<Response<Incoming>, &'static str> {
        let url = Url::parse(&request.uri().to_string()).map_err(|_| INVALID)?;
        // The resolver, which checks addresses, is not called for a URL with an address.
        if !self.allow_private && !url.host().is_some_and(|host| may_be_public(&host)) {
            return Err(FORBIDDEN);
        }
        request.headers_mut().insert(USER_AGENT, HeaderValue::from_static(AGENT));
        self.http.request(request).await.map_err(|error| reason(&error))
    }

    async fn exchange(
        &self,
        message: Message<'_>,
        now: UnixMillis,
        exchange: &mut Exchange,
    ) -> Result<(), &'static str> {
        let url = Url::parse(message.url).map_err(|_| INVALID)?;
        let request = Request::builder()
            .method(Method::POST)
            .uri(Uri::try_from(url.as_str()).map_err(|_| INVALID)?)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", message.id)
            .header("webhook-timestamp", message.timestamp)
            .header("webhook-signature", message.signature)
            .body(Full::new(Bytes::from(message.body)));
        let response = self.request(request.map_err(|_| INVALID)?).await?;
        exchange.status = Some(response.status().as_u16());
        exchange.retry_after = retry_after(response.headers(), now);
        let mut read = Vec::new();
        let rest = read_start(response, &mut read, MAX_READ).await;
        exchange.response_start = kept(&read);
        rest
    }
}

async fn read_start(mut response: Response<Incoming>, read: &mut Vec<u8>, max: usize) -> Result<(), &'static str> {
    while read.len() < max {
        match response.frame().await {
            Some(Ok(frame)) => {
                let data = frame.data_ref().map(|data| &data[..data.len().min(max - read.len())]);
                read.extend_from_slice(data.unwrap_or_default());
            }
            Some(Err(error)) => return Err(reason(&error)),
            None => break,
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

/// The wait that `Retry-After` asks for, in milliseconds. The field has seconds or a date (RFC 9110 §10.2.3).
fn retry_after(headers: &HeaderMap, now: UnixMillis) -> Option<Millis> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match text.parse::<u32>() {
        Ok(seconds) => i64::from(seconds) * SECOND,
        Err(_) => DateTime::parse_from_rfc2822(text).ok()?.timestamp_millis() - now,
    };
    Some(wait.max(0))
}

/// Why a request failed, in words that help a receiver's owner and reveal nothing about the service's network.
fn reason(error: &(dyn Error + 'static)) -> &'static str {
    let mut connecting = false;
    let mut cause = Some(error);
    while let Some(current) = cause {
        if let Some(refusal) = current.downcast_ref::<Refusal>() {
            return refusal.0;
        }
        if let Some(error) = current.downcast_ref::<hyper_util::client::legacy::Error>() {
            connecting = error.is_connect();
        }
        if let Some(error) = current.downcast_ref::<hyper::Error>() {
            if error.is_parse_too_large() {
                return "The answer's headers are too large.";
            }
            if error.is_incomplete_message() {
                return "The connection was closed too early.";
            }
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
                _ => {}
            }
            // An I/O error does not name what it carries as its source.
            let carried = error.get_ref().map(|error| error as &(dyn Error + 'static));
            if carried.is_some_and(|error| error.is::<rustls::Error>()) {
                return "The TLS handshake failed: look at the server's certificate.";
            }
        }
        cause = current.source();
    }
    if connecting { "The connection failed." } else { "The answer is not valid HTTP, or broke off." }
}

/// Resolves the names of receivers, and refuses a name of which any address is forbidden.
#[derive(Clone)]
struct ReceiverResolver {
    dns: Arc<Dns>,
    allow_private: bool,
}

/// Why no connection is made to a name.
#[derive(Debug)]
struct Refusal(&'static str);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Refusal {}

impl Service<Name> for ReceiverResolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = Refusal;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Refusal>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Refusal>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let ReceiverResolver { dns, allow_private } = self.clone();
        Box::pin(async move {
            // Public names are fully qualified: the resolver's search list is not tried. Only private names may need it.
            let whole = match allow_private {
                true => name.as_str().to_owned(),
                false => format!("{}.", name.as_str().trim_end_matches('.')),
            };
            let found = dns.addresses(&whole).await;
            let addresses =
                found.map_err(|_| Refusal("The host's name could not be resolved: its DNS does not answer."))?;
            if addresses.is_empty() {
                return Err(Refusal("The host's name has no address."));
            }
            if !allow_private && !addresses.iter().all(|address| is_public(*address)) {
                return Err(Refusal(FORBIDDEN));
            }
            let addresses: Vec<_> = addresses.into_iter().map(|address| SocketAddr::new(address, 0)).collect();
            Ok(addresses.into_iter())
        })
    }
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

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
