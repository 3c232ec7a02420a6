//! Sends the sandbox's events, as Stripe would, to the service that it is built into.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::OnceLock,
    time::Duration,
};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{Method, Request, StatusCode, header::CONTENT_TYPE};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use serde_json::json;
use tokio::time::{sleep, timeout};

use super::{
    books::Notice,
    objects::{self, new_id},
};
use crate::{
    base::{
        clock::{Clock, SECOND},
        error::ApiError,
    },
    payments::stripe::{
        VERSION,
        signature::{PATH, SIGNATURE, sign},
    },
};

/// Times that an event is sent at most. After that the daily look at the provider makes up for it.
const MAX_TRIES: u32 = 4;
/// Wait before the second; it doubles.
const FIRST_WAIT: Duration = Duration::from_millis(100);
/// For one answer.
const TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) struct Sender {
    http: Client<HttpConnector, Full<Bytes>>,
    /// The webhook secret of this process alone: each node sends its events to itself.
    secret: [String; 1],
    address: OnceLock<SocketAddr>,
    clock: Clock,
}

impl Sender {
    /// With a new secret.
    pub(crate) fn new(clock: Clock) -> Result<Self, ApiError> {
        // Twice 16 random bytes.
        let secret = format!("{}{}", new_id("whsec")?, new_id("")?.replace('_', ""));
        Ok(Sender {
            http: Client::builder(TokioExecutor::new()).build_http(),
            secret: [secret],
            address: OnceLock::new(),
            clock,
        })
    }

    /// The webhook secret that signs the events.
    pub(crate) fn secrets(&self) -> &[String] {
        &self.secret
    }

    /// Sets the address of the service, to which events are sent.
    pub(crate) fn send_to(&self, bound: SocketAddr) {
        let ip = match bound.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        // A second listener of the same service would do as well.
        let _ = self.address.set(SocketAddr::new(ip, bound.port()));
    }

    /// Sends an event for each notice, in order, until it is answered.
    pub(crate) async fn send(&self, notices: Vec<Notice>) {
        for (kind, object) in notices {
            if let Err(cause) = self.send_one(kind, object).await {
                tracing::warn!(cause, "The sandbox could not send {kind}: the daily look at it makes up for that");
            }
        }
    }

    async fn send_one(&self, kind: &'static str, object: serde_json::Value) -> Result<(), String> {
        let no_id = |error: ApiError| error.message.into_owned();
        let event = json!({
            "id": new_id("evt").map_err(no_id)?,
            "object": "event",
            "api_version": VERSION,
            "created": self.clock.now() / SECOND,
            "type": kind,
            "data": { "object": object },
            "pending_webhooks": 1,
            "request": { "id": null, "idempotency_key": null },
            "livemode": false,
        });
        let body = Bytes::from(objects::write(&event).map_err(no_id)?);
        let mut wait = FIRST_WAIT;
        for _ in 1..MAX_TRIES {
            if self.attempt(&body).await.is_ok() {
                return Ok(());
            }
            sleep(wait).await;
            wait *= 2;
        }
        self.attempt(&body).await
    }

    async fn attempt(&self, body: &Bytes) -> Result<(), String> {
        let address = self.address.get().ok_or("the service does not listen yet")?;
        let [secret] = &self.secret;
        let signature = sign(body, secret, self.clock.now()).map_err(|error| error.to_string())?;
        let request = Request::builder()
            .method(Method::POST)
            .uri(format!("http://{address}{PATH}"))
            .header(CONTENT_TYPE, "application/json")
            .header(SIGNATURE, signature)
            .body(Full::new(body.clone()))
            .map_err(|error| error.to_string())?;
        let exchange = async {
            let response = self.http.request(request).await.map_err(|error| error.to_string())?;
            let status = response.status();
            // To its end, so that the connection can be used again.
            response.into_body().collect().await.map_err(|error| error.to_string())?;
            Ok::<StatusCode, String>(status)
        };
        match timeout(TIMEOUT, exchange).await {
            Ok(Ok(status)) if status.is_success() => Ok(()),
            Ok(Ok(status)) => Err(format!("answered {status}")),
            Ok(Err(error)) => Err(error),
            Err(_) => Err("no answer in time".to_owned()),
        }
    }
}
