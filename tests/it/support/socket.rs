//! A client of `graphql-transport-ws` that does as the test says, right or wrong.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value as Json, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest, http::HeaderValue},
};

use super::{DEADLINE, Http};

/// An open socket.
pub(crate) struct Socket {
    stream: WebSocketStream<TcpStream>,
    /// Pings that the service has sent.
    pub(crate) pings: usize,
}

impl Http {
    /// Opens a socket; nothing is said yet.
    pub(crate) async fn open_socket(&self, protocol: &str, headers: &[(&'static str, &str)]) -> Socket {
        let address = self.base.strip_prefix("http://").unwrap();
        let mut request = format!("ws://{address}/graphql/ws").into_client_request().unwrap();
        if !protocol.is_empty() {
            request.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_str(protocol).unwrap());
        }
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_str(value).unwrap());
        }
        let (stream, _) = client_async(request, TcpStream::connect(address).await.unwrap()).await.unwrap();
        Socket { stream, pings: 0 }
    }

    /// Opens a socket with a credential (empty: none), and answers it with what is said to that.
    pub(crate) async fn begin_socket(&self, credential: &str) -> (Socket, Json) {
        let mut socket = self.open_socket("graphql-transport-ws", &[]).await;
        let payload =
            if credential.is_empty() { json!({}) } else { json!({ "authorization": format!("Bearer {credential}") }) };
        socket.say(json!({ "type": "connection_init", "payload": payload })).await;
        let said = socket.hear().await;
        (socket, said)
    }

    /// Opens a socket with a credential (empty: none) and waits for the acknowledgement.
    pub(crate) async fn socket(&self, credential: &str) -> Socket {
        let (socket, said) = self.begin_socket(credential).await;
        assert_eq!(said, json!({ "type": "connection_ack" }));
        socket
    }
}

impl Socket {
    pub(crate) async fn say(&mut self, message: Json) {
        self.send(Message::text(message.to_string())).await;
    }

    pub(crate) async fn send(&mut self, message: Message) {
        self.stream.send(message).await.unwrap();
    }

    pub(crate) async fn begin(&mut self, id: &str, query: &str, variables: Json) {
        let payload = json!({ "query": query, "variables": variables });
        self.say(json!({ "type": "subscribe", "id": id, "payload": payload })).await;
    }

    /// The next message of the protocol, or `{ "closed": code }`.
    pub(crate) async fn hear(&mut self) -> Json {
        let deadline = tokio::time::Instant::now() + DEADLINE;
        loop {
            // Pings of the service are no answer.
            let message = tokio::time::timeout_at(deadline, self.stream.next()).await.expect("silence");
            match message {
                Some(Ok(Message::Text(text))) => return serde_json::from_str(&text).unwrap(),
                Some(Ok(Message::Ping(_))) => self.pings += 1,
                Some(Ok(Message::Close(Some(frame)))) => return json!({ "closed": u16::from(frame.code) }),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return json!({ "closed": 1006 }),
            }
        }
    }

    /// Whether nothing is said for a while.
    pub(crate) async fn is_silent(&mut self, wait: Duration) -> bool {
        tokio::time::timeout(wait, self.hear()).await.is_err()
    }
}
