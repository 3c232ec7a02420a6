//! A DNS server that says what the test wants.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

pub(crate) use hickory_resolver::proto::rr::RecordType;
use hickory_resolver::proto::{
    op::{Message, MessageType, ResponseCode},
    rr::{
        Name, RData, Record,
        rdata::{A, AAAA, CNAME, TXT},
    },
};
use tokio::{
    net::{TcpListener, UdpSocket},
    task::JoinHandle,
};

#[derive(Clone)]
enum Reply {
    Values(Vec<String>),
    Failure,
    Silence,
}

type Zone = Arc<Mutex<HashMap<(String, RecordType), Reply>>>;

/// Answers NXDOMAIN to whatever it was told nothing of.
pub(crate) struct TestDns {
    address: SocketAddr,
    zone: Zone,
    unanswered: Arc<AtomicUsize>,
    server: JoinHandle<()>,
}

impl TestDns {
    pub(crate) async fn start() -> Self {
        // Resolvers ask again by TCP: there nobody answers either.
        let (socket, tcp) = loop {
            let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
            if let Ok(tcp) = TcpListener::bind(socket.local_addr().unwrap()).await {
                break (socket, tcp);
            }
        };
        let (address, zone) = (socket.local_addr().unwrap(), Zone::default());
        let (known, unanswered) = (Arc::clone(&zone), Arc::<AtomicUsize>::default());
        let unanswered_here = Arc::clone(&unanswered);
        let server = tokio::spawn(async move {
            let _tcp = tcp;
            let mut buffer = [0; 4_096];
            loop {
                let (length, peer) = socket.recv_from(&mut buffer).await.unwrap();
                match answer(&known, &buffer[..length]) {
                    Some(answer) => drop(socket.send_to(&answer, peer).await.unwrap()),
                    None => drop(unanswered_here.fetch_add(1, Ordering::Relaxed)),
                }
            }
        });
        TestDns { address, zone, unanswered, server }
    }

    /// The value of `LINKGRAPH_DNS_SERVER`.
    pub(crate) fn setting(&self) -> String {
        self.address.to_string()
    }

    /// Sets the records of a name; none takes them away. The strings of a text are separated by `\n`.
    pub(crate) fn set(&self, kind: RecordType, name: &str, values: &[&str]) {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        self.put(kind, name, Reply::Values(values));
    }

    /// From now on the servers of the name answer SERVFAIL.
    pub(crate) fn fail(&self, kind: RecordType, name: &str) {
        self.put(kind, name, Reply::Failure);
    }

    /// From now on they don't answer.
    pub(crate) fn silence(&self, kind: RecordType, name: &str) {
        self.put(kind, name, Reply::Silence);
    }

    /// Questions that were not answered.
    pub(crate) fn unanswered(&self) -> usize {
        self.unanswered.load(Ordering::Relaxed)
    }

    fn put(&self, kind: RecordType, name: &str, reply: Reply) {
        self.zone.lock().unwrap().insert((name.to_owned(), kind), reply);
    }
}

impl Drop for TestDns {
    fn drop(&mut self) {
        self.server.abort();
    }
}

fn answer(zone: &Zone, question: &[u8]) -> Option<Vec<u8>> {
    let mut message = Message::from_vec(question).unwrap();
    let query = message.queries[0].clone();
    let asked = query.name().to_lowercase().to_ascii();
    message.metadata.message_type = MessageType::Response;
    message.metadata.recursion_available = true;
    let zone = zone.lock().unwrap();
    let mut name = asked.trim_end_matches('.').to_owned();
    // Aliases are followed, as resolvers do.
    for kind in [query.query_type(), RecordType::CNAME, query.query_type()] {
        let of_name = |kind| match zone.get(&(name.clone(), kind)) {
            Some(Reply::Values(values)) if values.is_empty() => None,
            reply => reply,
        };
        match of_name(kind) {
            Some(Reply::Silence) => return None,
            Some(Reply::Failure) => {
                message.metadata.response_code = ResponseCode::ServFail;
                break;
            }
            Some(Reply::Values(values)) => {
                for value in values {
                    let owner = Name::from_ascii(format!("{name}.")).unwrap();
                    message.add_answer(Record::from_rdata(owner, 1, data(kind, value)));
                }
                if kind == query.query_type() {
                    break;
                }
                name = values[0].clone();
            }
            None if kind == RecordType::CNAME || kind == query.query_type() && !message.answers.is_empty() => break,
            None => {}
        }
    }
    if message.answers.is_empty() && !zone.keys().any(|(known, _)| *known == name) {
        message.metadata.response_code = ResponseCode::NXDomain;
    }
    Some(message.to_vec().unwrap())
}

fn data(kind: RecordType, value: &str) -> RData {
    match kind {
        RecordType::A => RData::A(A(value.parse().unwrap())),
        RecordType::AAAA => RData::AAAA(AAAA(value.parse().unwrap())),
        RecordType::CNAME => RData::CNAME(CNAME(Name::from_ascii(format!("{value}.")).unwrap())),
        _ => RData::TXT(TXT::new(value.split('\n').map(str::to_owned).collect())),
    }
}
