//! A DNS server that tells what it is told to, and something else the next time.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex},
};

use tokio::net::UdpSocket;

/// A record to answer with.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Address(IpAddr),
    Alias(&'static str),
}

/// The answers of a name, one after the other; the last one again and again.
type Script = Vec<Vec<Answer>>;

/// A running server, on UDP alone.
pub(crate) struct DnsStub {
    pub(crate) address: SocketAddr,
    /// Queries for A records, by name.
    asked: Arc<Mutex<HashMap<String, usize>>>,
}

impl DnsStub {
    /// Names are without final dot. A name that it does not know does not exist.
    pub(crate) async fn start(names: HashMap<String, Script>) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let asked: Arc<Mutex<HashMap<String, usize>>> = Arc::default();
        let counted = Arc::clone(&asked);
        tokio::spawn(async move {
            let mut buffer = [0; 1_500];
            while let Ok((length, peer)) = socket.recv_from(&mut buffer).await {
                if let Some(answer) = answer(&buffer[..length], &names, &counted) {
                    let _ = socket.send_to(&answer, peer).await;
                }
            }
        });
        DnsStub { address, asked }
    }

    /// How often the name's A records were asked for.
    pub(crate) fn asked(&self, name: &str) -> usize {
        self.asked.lock().unwrap().get(name).copied().unwrap_or_default()
    }
}

const A: u16 = 1;
const CNAME: u16 = 5;
const AAAA: u16 = 28;

/// RFC 1035 §4, as much of it as a query with one question needs.
fn answer(query: &[u8], names: &HashMap<String, Script>, asked: &Mutex<HashMap<String, usize>>) -> Option<Vec<u8>> {
    let mut place = 12;
    let mut labels = Vec::new();
    while let length @ 1.. = usize::from(*query.get(place)?) {
        labels.push(String::from_utf8_lossy(query.get(place + 1..place + 1 + length)?).to_lowercase());
        place += 1 + length;
    }
    let question = query.get(12..place + 5)?;
    let kind = u16::from_be_bytes([*query.get(place + 1)?, *query.get(place + 2)?]);
    let name = labels.join(".");
    let round = {
        let mut asked = asked.lock().unwrap();
        let times = asked.entry(name.clone()).or_default();
        // Both families of one lookup belong to one round.
        if kind == A {
            *times += 1;
        }
        times.saturating_sub(1)
    };
    let script = names.get(&name);
    let mut records = Vec::new();
    let mut current = script.map(|script| script[round.min(script.len() - 1)].clone()).unwrap_or_default();
    let mut owner = name.clone();
    while let [Answer::Alias(target)] = current[..] {
        records.push(record(&owner, CNAME, &wire(target)));
        owner = target.to_owned();
        current = names.get(target).map(|script| script[0].clone()).unwrap_or_default();
    }
    for answer in current {
        match answer {
            Answer::Address(IpAddr::V4(address)) if kind == A => records.push(record(&owner, A, &address.octets())),
            Answer::Address(IpAddr::V6(address)) if kind == AAAA => {
                records.push(record(&owner, AAAA, &address.octets()));
            }
            _ => {}
        }
    }
    let code = if script.is_some() { 0 } else { 3 };
    let count = u16::try_from(records.len()).unwrap().to_be_bytes();
    let mut message = vec![query[0], query[1], 0x85, 0x80 | code, 0, 1, count[0], count[1], 0, 0, 0, 0];
    message.extend(question);
    message.extend(records.concat());
    Some(message)
}

fn wire(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for label in name.split('.') {
        bytes.push(u8::try_from(label.len()).unwrap());
        bytes.extend(label.as_bytes());
    }
    bytes.push(0);
    bytes
}

fn record(owner: &str, kind: u16, data: &[u8]) -> Vec<u8> {
    let mut bytes = wire(owner);
    bytes.extend(kind.to_be_bytes());
    // IN, and a minute.
    bytes.extend([0, 1, 0, 0, 0, 60]);
    bytes.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
    bytes.extend(data);
    bytes
}
