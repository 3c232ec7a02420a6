//! Asks a running service whether it is ready: for a container, which has no other program to ask with.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use anyhow::{Context, bail, ensure};
use bytes::Bytes;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::{Request, StatusCode, client::conn::http1, header::HOST};
use hyper_util::rt::TokioIo;
use serde_json::Value as Json;
use tokio::net::{TcpStream, lookup_host};
use url::Url;

/// For all of it. The service itself gives its stores 2 seconds.
const TIMEOUT: Duration = Duration::from_secs(4);
/// Bytes of an answer that are read.
const MAX_BODY: usize = 16 * 1024;

/// The address to ask.
#[derive(Debug)]
pub(crate) struct Target {
    url: Url,
    /// The first one that takes a connection is asked.
    addresses: Vec<SocketAddr>,
}

impl Target {
    /// The service that listens at this address of this machine.
    pub(crate) fn bound(bind: SocketAddr) -> anyhow::Result<Self> {
        ensure!(bind.port() != 0, "LINKGRAPH_BIND: names no port to ask at; say --url");
        let addresses: &[IpAddr] = match bind.ip() {
            IpAddr::V4(Ipv4Addr::UNSPECIFIED) => &[IpAddr::V4(Ipv4Addr::LOCALHOST)],
            // Such a socket takes IPv4 too, and a container may have no loopback address but that.
            IpAddr::V6(Ipv6Addr::UNSPECIFIED) => &[IpAddr::V6(Ipv6Addr::LOCALHOST), IpAddr::V4(Ipv4Addr::LOCALHOST)],
            ip => &[ip],
        };
        let addresses: Vec<SocketAddr> = addresses.iter().map(|ip| SocketAddr::new(*ip, bind.port())).collect();
        let first = addresses.first().copied().unwrap_or(bind);
        Ok(Target { url: Url::parse(&format!("http://{first}/ready"))?, addresses })
    }

    /// The service at this URL; without a path, `/ready` there.
    pub(crate) async fn at(url: &str) -> anyhow::Result<Self> {
        let mut url = Url::parse(url).context("--url: is not a URL, such as http://127.0.0.1:8080")?;
        ensure!(url.scheme() == "http", "--url: must start with http://: ask where the service itself listens");
        if url.path() == "/" {
            url.set_path("/ready");
        }
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else { bail!("--url: has no host") };
        let addresses = match host {
            url::Host::Ipv4(ip) => vec![SocketAddr::new(ip.into(), port)],
            url::Host::Ipv6(ip) => vec![SocketAddr::new(ip.into(), port)],
            url::Host::Domain(name) => {
                lookup_host((name, port)).await.with_context(|| format!("{name} has no address"))?.collect()
            }
        };
        Ok(Target { url, addresses })
    }

    /// Returns the URL if the service there is ready. Fails with the reason otherwise.
    pub(crate) async fn ask(self) -> anyhow::Result<Url> {
        let answer = tokio::time::timeout(TIMEOUT, self.exchange()).await;
        let (status, body) =
            answer.unwrap_or_else(|_| bail!("no answer in {TIMEOUT:?}")).with_context(|| self.url.to_string())?;
        if status == StatusCode::OK {
            return Ok(self.url);
        }
        // It names what fails.
        let message = serde_json::from_slice::<Json>(&body).ok();
        let message = message.as_ref().and_then(|body| body["error"]["message"].as_str()).unwrap_or("Not ready.");
        bail!("{}: {status}: {message}", self.url)
    }

    async fn exchange(&self) -> anyhow::Result<(StatusCode, Bytes)> {
        let stream = TcpStream::connect(&self.addresses[..]).await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // It ends with its only request.
        tokio::spawn(connection);
        let path = &self.url[url::Position::BeforePath..url::Position::AfterQuery];
        let host = &self.url[url::Position::BeforeHost..url::Position::AfterPort];
        let request = Request::get(path).header(HOST, host).body(Empty::<Bytes>::new())?;
        let response = sender.send_request(request).await?;
        let status = response.status();
        // The status says enough where the body can't be read.
        let body = Limited::new(response.into_body(), MAX_BODY).collect().await.map(|body| body.to_bytes());
        Ok((status, body.unwrap_or_default()))
    }
}
