//! Connections: accepted, served redirects first, and handed to the HTTP server when something else is asked for.

use std::{
    collections::VecDeque,
    convert::Infallible,
    net::IpAddr,
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    http::{Uri, uri::PathAndQuery},
    response::{IntoResponse, Response},
};
use hyper::{body::Incoming, server::conn::http1, service::Service};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::TcpListener,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::{
    app::App,
    base::{error::Code, validate::without_needless_encoding},
    platform::http::{
        client_stream::{ClientStream, WriteTimeout},
        edge::{Peer, Place},
        host_field::names_its_host,
        refusal::Refusal,
        shutdown::{ConnectionHandle, Shutdown, ShutdownSignal},
    },
    redirect::{
        connection::{self, Next},
        head::Head,
        route,
    },
};

/// How long a connection that is told to end may take before the next one is told, too: an idle one ends at once.
const END_TIMEOUT: Duration = Duration::from_millis(5);
/// How long requests may take to finish once the listener is closed.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(6);
/// Bytes of a request's head, and of an answer's body that are taken from where it is made before they are sent.
const MAX_BUFFER: usize = 64 * 1024;

/// Accepts connections until it is stopped, and then waits a while for their requests to finish. Of `most` at once, the oldest idle one
/// makes room for another; more wait in the kernel's queue.
pub(crate) async fn accept(listener: TcpListener, app: Arc<App>, router: Router, most: usize, stop: CancellationToken) {
    let shutdown = Shutdown::default();
    let places = Arc::new(Semaphore::new(most));
    let mut open = VecDeque::new();
    let write_timeout = WriteTimeout::new(app.config.client_timeout);
    if let Err(error) = write_timeout.apply_to(&listener) {
        tracing::warn!(%error, "The kernel does not bound what it holds for clients that do not read");
    }
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = async {
                let accepted = listener.accept().await;
                (accepted, place(&places, &mut open).await)
            } => accepted,
        };
        let (Ok((stream, peer)), Some(place)) = accepted else {
            // Out of descriptors, most likely: others must end first.
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        let signal = shutdown.signal();
        if open.len() >= 2 * most {
            open.retain(|connection: &ConnectionHandle| !connection.has_ended());
        }
        open.push_back(signal.handle());
        let place = Place::new(place);
        let handler = ConnectionHandler { app: Arc::clone(&app), router: router.clone(), peer: peer.ip(), place };
        let stream = ClientStream::new(stream, write_timeout.clone());
        shutdown.connections().spawn(handler.serve(stream, signal));
    }
    drop(listener);
    if timeout(DRAIN_TIMEOUT, shutdown.complete()).await.is_err() {
        tracing::warn!("Some requests were cut off: they took too long");
    }
}

/// Waits for a place. Meanwhile the connections end that came first.
async fn place(places: &Arc<Semaphore>, open: &mut VecDeque<ConnectionHandle>) -> Option<OwnedSemaphorePermit> {
    loop {
        if let Ok(place) = Arc::clone(places).try_acquire_owned() {
            return Some(place);
        }
        let Some(oldest) = open.pop_front() else { return Arc::clone(places).acquire_owned().await.ok() };
        if oldest.end()
            && let Ok(Ok(place)) = timeout(END_TIMEOUT, Arc::clone(places).acquire_owned()).await
        {
            return Some(place);
        }
    }
}

/// Serves one connection.
#[derive(Clone)]
struct ConnectionHandler {
    app: Arc<App>,
    router: Router,
    peer: IpAddr,
    place: Place,
}

impl ConnectionHandler {
    /// Serves redirects, and hands the connection to the HTTP server at the first other request. Errors of the connection are ignored.
    async fn serve(self, mut stream: ClientStream, mut shutdown: ShutdownSignal) {
        let write_timeout = stream.timeout();
        let mut read = Vec::new();
        // Boxed, so that its memory is freed when the HTTP server takes over: idle connections need less.
        let redirects =
            Box::pin(connection::serve(&self.app.redirects, &mut stream, &mut read, self.peer, &mut shutdown));
        let next = redirects.await;
        if !matches!(next, Ok(Next::Other)) {
            return;
        }
        stream.unread(read);
        let mut http = http1::Builder::new();
        // Bodies are not copied to be sent: a client that does not read holds no more than a reference to a document. Not
        // `pipeline_flush`: with it hyper takes a streamed body into memory, however slowly its client reads, and answers
        // requests whose predecessors' answers wait.
        http.timer(TokioTimer::new()).header_read_timeout(write_timeout).writev(true).max_buf_size(MAX_BUFFER);
        let mut connection = pin!(http.serve_connection(TokioIo::new(stream), self).with_upgrades());
        tokio::select! {
            biased;
            _ = connection.as_mut() => return,
            () = shutdown.begun() => {}
        }
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}

impl Service<hyper::Request<Incoming>> for ConnectionHandler {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    /// Redirects bypass the layers of the API. Other requests run on the API's threads.
    fn call(&self, mut request: hyper::Request<Incoming>) -> Self::Future {
        let ConnectionHandler { app, router, peer, place } = self.clone();
        Box::pin(async move {
            if names_its_host(&request) {
                let (parts, body) = request.into_parts();
                let (head, mut body) = (hyper::Request::from_parts(parts, ()), Some(body));
                if let Some(answer) = route::answer(&app.redirects, peer, &Head::from(&head), &mut body).await {
                    return Ok(answer.into());
                }
                // It is taken for an answer alone.
                let Some(body) = body else { return Ok(Refusal(Code::InternalError.into()).into_response()) };
                request = head.map(|()| body);
            }
            normalize(request.uri_mut());
            request.extensions_mut().insert(Peer(peer));
            request.extensions_mut().insert(place);
            let answer = app.api_threads.run(router.oneshot(request.map(Body::new))).await;
            answer.unwrap_or_else(|| Ok(Refusal(Code::InternalError.into()).into_response()))
        })
    }
}

/// Writes the characters of the path that need no percent-encoding as themselves, as redirects read them: the router compares bytes.
fn normalize(uri: &mut Uri) {
    let Some(path) = without_needless_encoding(uri.path()) else { return };
    let mut parts = uri.clone().into_parts();
    let written = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path,
    };
    parts.path_and_query = PathAndQuery::try_from(written).ok();
    if let Ok(normalized) = Uri::from_parts(parts) {
        *uri = normalized;
    }
}
