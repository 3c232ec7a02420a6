//! Requests to the identity provider, bounded in time and size.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{FutureExt, TryFutureExt, future::BoxFuture};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use tokio::time::timeout;

use crate::{base::error::in_one_line, platform::net::tls};

/// How long a request to the provider may take.
const TIMEOUT: Duration = Duration::from_secs(6);
/// How much of an answer is read, in bytes. Key sets and tokens with hundreds of groups have some ten thousand.
const MAX_ANSWER: usize = 1024 * 1024;

/// Sends requests to the provider. It follows no redirects.
pub(super) struct Http(Client<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl Http {
    pub(super) fn new() -> anyhow::Result<Self> {
        Ok(Http(Client::builder(TokioExecutor::new()).build(tls::https(HttpConnector::new())?)))
    }
}

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = Unanswered;
    type Future = BoxFuture<'c, Result<HttpResponse, Unanswered>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        let exchange = async {
            let request = request.map(|body| Full::new(Bytes::from(body)));
            let answer = self.0.request(request).await.map_err(|error| in_one_line(&anyhow::Error::from(error)))?;
            let (head, body) = answer.into_parts();
            let body = Limited::new(body, MAX_ANSWER).collect().await.map_err(|error| error.to_string())?;
            Ok(HttpResponse::from_parts(head, body.to_bytes().to_vec()))
        };
        let answered =
            async { timeout(TIMEOUT, exchange).await.unwrap_or_else(|_| Err("no answer in time".to_owned())) };
        answered.map_err(Unanswered).boxed()
    }
}

/// Why a request to the provider has no answer.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unanswered(String);
