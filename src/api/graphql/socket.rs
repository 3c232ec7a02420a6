//! GraphQL over WebSockets: `graphql-transport-ws`. One task for each socket reads, executes and writes: messages for a client
//! that does not read wait in bounded queues.
//!
//! The origin of a socket is checked only if the operator has restricted the origins that may call the API: no cookie
//! authenticates a socket, so a page of another origin has no more rights than its author.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use async_graphql::{Response as GraphQlResponse, ServerError, Value};
use axum::{
    Extension,
    extract::{
        State,
        ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use futures_util::stream::{self, AbortHandle, BoxStream, SelectAll, StreamExt};
use serde_json::{Map, Value as Json};
use tokio::time::{MissedTickBehavior, timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    api::{
        Api, authenticate,
        credential::Credential,
        graphql::{
            protocol::{self, ClientMessage, CloseReason},
            rejection::{Rejection, complete, complete_refusal, server_error},
            request::{Parameters, Prepared, Transport, execute, in_lane, prepare, was_not_executed},
        },
    },
    base::{
        clock::{Millis, SECOND, UnixMillis},
        error::{ApiError, Code, Reason},
        metering::metered,
    },
    platform::{
        auth::{caller::Call, client::ClientNet},
        db::{self, Limit},
        http::{
            cors,
            edge::{Place, RequestId},
            rate_limit::ClientAddress,
            refusal::Refusal,
        },
        live::{Owner, SocketPermit},
    },
};

/// The path of the endpoint.
pub(crate) const PATH: &str = "/graphql/ws";
/// Longest message of a client, in bytes.
const MAX_MESSAGE: usize = 64 * 1024;
/// Bytes read ahead; the library's default would be most of an idle socket's memory.
const READ_AHEAD: usize = 4 * 1024;
/// Operations of one socket at once.
const MAX_OPERATIONS: usize = 20;
/// How long a client may take to send `connection_init`.
const INIT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a client may take to answer that it closes too.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);
/// How often the deadlines below are looked at.
const TICK: Duration = Duration::from_secs(1);
/// Silence of a client after which it is pinged.
const PING_AFTER: Millis = 20 * SECOND;
/// How long the client's pong may take.
const PONG_WITHIN: Millis = 40 * SECOND;

/// The state of the route.
#[derive(Clone)]
pub(crate) struct SocketState {
    /// The API that executes operations.
    pub(crate) api: Arc<Api>,
    /// Cancelled when sockets must close.
    pub(crate) shutdown: CancellationToken,
}

pub(crate) async fn serve(
    State(SocketState { api, shutdown }): State<SocketState>,
    Extension(request_id): Extension<RequestId>,
    Extension(ClientAddress(client)): Extension<ClientAddress>,
    Extension(connection_place): Extension<Place>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else {
        return Refusal(ApiError::new(Code::BadRequest, "This path takes WebSocket connections only.")).into_response();
    };
    if !cors::may_open_socket(&api.app.config, &headers) {
        let error = ApiError::forbidden(Reason::OriginNotAllowed, "Pages of this origin may not open sockets here.");
        return Refusal(error).into_response();
    }
    let place = match api.app.live.open_socket(Owner::Client(ClientNet::from(client))) {
        Ok(place) => place,
        Err(error) => return Refusal(error).into_response(),
    };
    let upgrade = upgrade
        .protocols([protocol::NAME])
        // Messages up to twice the limit are closed with `MESSAGE_TOO_BIG`; for longer ones, the connection is cut off.
        .max_message_size(2 * MAX_MESSAGE)
        .max_frame_size(2 * MAX_MESSAGE)
        .read_buffer_size(READ_AHEAD)
        .write_buffer_size(READ_AHEAD);
    let speaks = upgrade.selected_protocol().is_some();
    let now = api.app.clock.now();
    let connection = Connection {
        place,
        request_id,
        client,
        credential: Credential::of(headers.get(header::AUTHORIZATION).cloned(), client),
        is_acknowledged: false,
        opened: Instant::now(),
        heard: now,
        asked: None,
        operations: HashMap::new(),
        running: SelectAll::new(),
        begun: 0,
        api,
    };
    // Awaited when the service stops.
    let app = Arc::clone(&connection.api.app);
    let work = app.background.token();
    upgrade.on_upgrade(async move |socket| {
        // The limit is per statement: a total would be used up eventually, as one socket runs any number of operations.
        let (limit, owner) = (Limit::Each(db::REQUEST), ClientNet::from(client).into());
        let conversation =
            async move { db::request(limit, owner, connection.serve(socket, speaks, &shutdown)).await.0 };
        let _ = app.api_threads.run(conversation).await;
        drop((work, connection_place));
    })
}

/// The reason why a socket is no longer served.
#[derive(Debug)]
enum End {
    /// Close the socket, and say why.
    Close(CloseReason),
    /// The client is gone.
    Gone,
}

impl From<CloseReason> for End {
    fn from(closing: CloseReason) -> Self {
        End::Close(closing)
    }
}

/// An event in the stream of an operation.
enum Output {
    /// The operation was refused before it began.
    Refused(Vec<ServerError>),
    /// A result; the first of a subscription may say that it can't begin.
    Result {
        response: Box<GraphQlResponse>,
        is_subscription: bool,
        is_costly: bool,
    },
    End,
}

struct Operation {
    /// Distinguishes it from earlier operations with the same id.
    number: u64,
    abort: AbortHandle,
    /// Whether there was a result.
    has_begun: bool,
}

struct Connection {
    api: Arc<Api>,
    place: SocketPermit,
    request_id: RequestId,
    client: IpAddr,
    credential: Credential,
    is_acknowledged: bool,
    opened: Instant,
    /// When the last message of the client arrived, in Unix milliseconds.
    heard: UnixMillis,
    /// When the client was pinged since then. `None`: it was not.
    asked: Option<UnixMillis>,
    operations: HashMap<String, Operation>,
    running: SelectAll<BoxStream<'static, (String, u64, Output)>>,
    begun: u64,
}

impl Connection {
    async fn serve(mut self, mut socket: WebSocket, speaks: bool, shutdown: &CancellationToken) {
        let end = if speaks { self.converse(&mut socket, shutdown).await } else { CloseReason::SUBPROTOCOL.into() };
        let code = match end {
            End::Close(CloseReason(code, _)) => code,
            End::Gone => 1006,
        };
        if let End::Close(CloseReason(code, reason)) = end {
            let frame = CloseFrame { code, reason: reason.into() };
            let close = async {
                if socket.send(Message::Close(Some(frame))).await.is_ok() {
                    // Waits for the client's close frame: closing with unread messages would reset the connection, and lose the
                    // reason.
                    while let Some(Ok(_)) = socket.recv().await {}
                }
            };
            let _ = timeout(CLOSE_TIMEOUT, close).await;
        }
        let (request_id, seconds) = (self.request_id.as_str(), self.opened.elapsed().as_secs());
        tracing::info!(request_id, code, seconds, operations = self.begun, "A socket was closed");
    }

    async fn converse(&mut self, socket: &mut WebSocket, shutdown: &CancellationToken) -> End {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let ended = tokio::select! {
                () = shutdown.cancelled() => Err(CloseReason::GOING_AWAY.into()),
                message = socket.recv() => self.receive(socket, message).await,
                Some((id, number, output)) = self.running.next() => self.send_output(socket, id, number, output).await,
                () = self.credential.notified() => self.recheck().await,
                _ = ticks.tick() => self.look(socket).await,
            };
            if let Err(end) = ended {
                return end;
            }
        }
    }

    async fn receive(
        &mut self,
        socket: &mut WebSocket,
        message: Option<Result<Message, axum::Error>>,
    ) -> Result<(), End> {
        let Some(Ok(message)) = message else { return Err(End::Gone) };
        (self.heard, self.asked) = (self.api.app.clock.now(), None);
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return Err(CloseReason::INVALID_MESSAGE.into()),
            // The library answers them.
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => return Ok(()),
        };
        if text.len() > MAX_MESSAGE {
            return Err(CloseReason::MESSAGE_TOO_BIG.into());
        }
        match ClientMessage::read(&text).ok_or(CloseReason::INVALID_MESSAGE)? {
            ClientMessage::ConnectionInit { payload } => self.init(socket, payload.unwrap_or_default()).await,
            ClientMessage::Ping { payload } => send(socket, protocol::pong(payload)).await,
            ClientMessage::Pong {} => Ok(()),
            ClientMessage::Subscribe { id, payload } => self.begin(socket, id, payload).await,
            ClientMessage::Complete { id } => {
                self.remove_operation(&id);
                Ok(())
            }
        }
    }

    async fn init(&mut self, socket: &mut WebSocket, payload: Map<String, Json>) -> Result<(), End> {
        if self.is_acknowledged {
            return Err(CloseReason::SECOND_INIT.into());
        }
        if let Some((_, given)) = payload.into_iter().find(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
            let header = given.as_str().and_then(|text| HeaderValue::from_str(text).ok());
            self.credential = Credential::of(Some(header.ok_or(CloseReason::FORBIDDEN)?), self.client);
        }
        match self.credential.begin(&self.api.app).await {
            Ok(None) => {}
            Ok(Some(account)) => {
                self.place.belongs_to(Owner::Account(account)).map_err(|_| CloseReason::TRY_AGAIN_LATER)?;
            }
            Err(error) if error.code == Code::Unauthenticated => return Err(CloseReason::FORBIDDEN.into()),
            Err(_) => return Err(CloseReason::TRY_AGAIN_LATER.into()),
        }
        self.is_acknowledged = true;
        send(socket, protocol::ack()).await
    }

    async fn begin(&mut self, socket: &mut WebSocket, id: String, payload: Map<String, Json>) -> Result<(), End> {
        if !self.is_acknowledged {
            return Err(CloseReason::UNAUTHORIZED.into());
        }
        if self.operations.contains_key(&id) {
            return Err(CloseReason::DUPLICATE.into());
        }
        let parameters = Parameters::read(payload).map_err(|_| CloseReason::INVALID_MESSAGE)?;
        if self.operations.len() >= MAX_OPERATIONS {
            let message = format!("A socket has at most {MAX_OPERATIONS} operations at once.");
            let error = server_error(&ApiError::new(Code::RateLimited, message));
            return self.refuse(socket, &id, vec![error]).await;
        }
        self.begun += 1;
        self.api.app.metrics.graphql_socket_operations.inc();
        let number = self.begun;
        let (results, abort) =
            stream::abortable(results(Arc::clone(&self.api), parameters, self.credential.header(), self.client));
        self.operations.insert(id.clone(), Operation { number, abort, has_begun: false });
        self.running.push(results.map(move |output| (id.clone(), number, output)).boxed());
        Ok(())
    }

    async fn send_output(
        &mut self,
        socket: &mut WebSocket,
        id: String,
        number: u64,
        output: Output,
    ) -> Result<(), End> {
        let Some(operation) = self.operations.get_mut(&id).filter(|operation| operation.number == number) else {
            return Ok(());
        };
        match output {
            Output::Refused(errors) => {
                self.remove_operation(&id);
                self.refuse(socket, &id, errors).await
            }
            Output::Result { mut response, is_subscription, is_costly } => {
                let is_first = !std::mem::replace(&mut operation.has_begun, true);
                let has_failed = response.is_err() && response.data == Value::Null;
                if was_not_executed(&response) || (is_subscription && is_first && has_failed) {
                    self.remove_operation(&id);
                    return self.refuse(socket, &id, response.errors).await;
                }
                complete(&mut response.errors, &self.request_id);
                let text = in_lane(is_costly, async { protocol::next(&id, &response) }).await;
                send(socket, text).await
            }
            Output::End => {
                self.remove_operation(&id);
                send(socket, protocol::complete(&id)).await
            }
        }
    }

    async fn refuse(&mut self, socket: &mut WebSocket, id: &str, mut errors: Vec<ServerError>) -> Result<(), End> {
        complete_refusal(&mut errors, &self.request_id);
        send(socket, protocol::error(id, &errors)).await
    }

    fn remove_operation(&mut self, id: &str) {
        if let Some(operation) = self.operations.remove(id) {
            operation.abort.abort();
        }
    }

    async fn recheck(&mut self) -> Result<(), End> {
        let is_good = self.credential.is_good(&self.api.app).await;
        if is_good { Ok(()) } else { Err(CloseReason::FORBIDDEN.into()) }
    }

    /// Checks the credential and the timeouts, and pings a silent client. Fails if the socket has to be closed.
    async fn look(&mut self, socket: &mut WebSocket) -> Result<(), End> {
        let now = self.api.app.clock.now();
        if !self.is_acknowledged {
            return if self.opened.elapsed() < INIT_TIMEOUT { Ok(()) } else { Err(CloseReason::INIT_TIMEOUT.into()) };
        }
        self.recheck().await?;
        match self.asked {
            Some(asked) if now - asked >= PONG_WITHIN => Err(End::Gone),
            None if now - self.heard >= PING_AFTER => {
                self.asked = Some(now);
                deliver(socket, Message::Ping(Default::default())).await
            }
            _ => Ok(()),
        }
    }
}

/// The output stream of an operation: a refusal, or results, and then the end.
fn results(
    api: Arc<Api>,
    parameters: Parameters,
    credential: Option<HeaderValue>,
    client: IpAddr,
) -> impl futures_util::Stream<Item = Output> + Send + 'static {
    let (app, owner) = (Arc::clone(&api.app), ClientNet::from(client).into());
    let begin = async move {
        // Authenticated anew for each operation, since the credential may have been revoked.
        let prepared = async {
            let caller = authenticate::caller_by(&api.app, credential.as_ref(), client).await?;
            prepare(&api, parameters, &Arc::new(Call::new(caller, client)), Transport::Socket).await
        };
        let Prepared { request, once, is_subscription, is_costly } = match prepared.await {
            Ok(prepared) => prepared,
            Err(rejection) => {
                let errors = match rejection {
                    Rejection::Refused(error) => vec![server_error(&error)],
                    Rejection::Invalid(errors) => errors,
                };
                return stream::iter([Output::Refused(errors)]).boxed();
            }
        };
        let results = if is_subscription {
            api.schema.execute_stream(request)
        } else {
            let answer = in_lane(is_costly, execute(&api, request, once)).await;
            stream::iter([answer]).boxed()
        };
        let results = results.map(move |response| {
            let response = Box::new(response);
            Output::Result { response, is_subscription, is_costly }
        });
        results.chain(stream::iter([Output::End])).boxed()
    };
    // A task of its own: an operation that holds a connection goes on while the socket waits for something else, such as another connection.
    let run = async move {
        let begin = Box::pin(metered(begin));
        let begin = async move { db::request(Limit::Each(db::REQUEST), owner, begin).await.0 };
        app.api_threads.run(begin).await.unwrap_or_else(|| {
            let errors = vec![server_error(&ApiError::internal("the threads of the API have ended"))];
            stream::iter([Output::Refused(errors)]).boxed()
        })
    };
    stream::once(run).flatten()
}

async fn send(socket: &mut WebSocket, text: String) -> Result<(), End> {
    deliver(socket, Message::Text(text.into())).await
}

/// The stream below fails when the client takes in nothing for a while ([`ClientStream`](crate::platform::http::client_stream::ClientStream)).
async fn deliver(socket: &mut WebSocket, message: Message) -> Result<(), End> {
    socket.send(message).await.map_err(|_| End::Gone)
}
