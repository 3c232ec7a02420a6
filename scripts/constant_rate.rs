//! Offers requests at a constant rate, however slowly they are answered (an open loop): what `wrk` can't, which sends the next
//! request when the last one is answered and so asks less of a server that is slow. A latency counts from the moment at
//! which the request was due, whether or not a connection was free then.
//!
//! `constant_rate <address> <requests a second> <seconds> <connections> <slugs> <seed>`: asks for `/hot`, or for slugs from
//! `/b0000001` on, chosen at random, if `slugs` is not 0. Prints requests, then latencies in nanoseconds: p50, p99, p99.9 and
//! the longest, and how many were not answered 302. It needs a core for itself, which it keeps busy, so that no timer
//! adds to what it measures. Standard library only: `rustc -O` builds it in a second.

use std::{
    collections::VecDeque,
    env::args,
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    time::Instant,
};

struct Connection {
    stream: TcpStream,
    answer: Vec<u8>,
    /// When its request was due, in nanoseconds from the start.
    due: u64,
}

impl Connection {
    fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("an option");
        stream.set_nonblocking(true).expect("an option");
        Connection { stream, answer: Vec::with_capacity(4_096), due: 0 }
    }

    /// Whether the answer is complete; then, whether it is a redirect.
    fn read(&mut self) -> Option<bool> {
        let mut buffer = [0; 4_096];
        match self.stream.read(&mut buffer) {
            Ok(0) => panic!("the server closed a connection"),
            Ok(read) => self.answer.extend_from_slice(&buffer[..read]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return None,
            Err(error) => panic!("{error}"),
        }
        let head = self.answer.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
        let is_length = |line: &&[u8]| line.len() > 15 && line[..15].eq_ignore_ascii_case(b"content-length:");
        let length = self.answer[..head].split(|byte| *byte == b'\n').find(is_length).map_or(0, |line| {
            let text = std::str::from_utf8(&line[15..]).expect("text");
            text.trim().parse::<usize>().expect("a length")
        });
        if self.answer.len() < head + length {
            return None;
        }
        let is_redirect = self.answer.starts_with(b"HTTP/1.1 302 ");
        self.answer.clear();
        Some(is_redirect)
    }
}

/// Pseudo-random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % bound
    }
}

fn main() {
    let arguments: Vec<String> = args().skip(1).collect();
    let [address, numbers @ ..] = &*arguments else { panic!("an address") };
    let number = |at: usize| numbers[at].parse::<u64>().expect("a number");
    let (rate, seconds, connections, slugs) = (number(0), number(1), number(2), number(3));
    let mut random = Random(number(4) + 1);
    let mut free: VecDeque<Connection> = (0..connections).map(|_| Connection::open(address)).collect();
    let mut busy: Vec<Connection> = Vec::new();
    let total = rate * seconds;
    let (mut sent, mut failed, mut latencies) = (0, 0, Vec::with_capacity(total as usize));
    let start = Instant::now();
    let now = || start.elapsed().as_nanos() as u64;
    while sent < total || !busy.is_empty() {
        while sent < total {
            let due = sent * 1_000_000_000 / rate;
            if due > now() {
                break;
            }
            let Some(mut connection) = free.pop_front() else { break };
            let slug = if slugs == 0 { "hot".to_owned() } else { format!("b{:07}", 1 + random.below(slugs)) };
            let request = format!("GET /{slug} HTTP/1.1\r\nHost: {address}\r\n\r\n");
            assert_eq!(connection.stream.write(request.as_bytes()).expect("a request"), request.len());
            connection.due = due;
            busy.push(connection);
            sent += 1;
        }
        let mut at = 0;
        while at < busy.len() {
            let Some(is_redirect) = busy[at].read() else {
                at += 1;
                continue;
            };
            latencies.push(now() - busy[at].due);
            failed += u64::from(!is_redirect);
            free.push_back(busy.swap_remove(at));
        }
    }
    latencies.sort_unstable();
    let at = |part: f64| latencies[((latencies.len() - 1) as f64 * part) as usize];
    println!("{total} {} {} {} {} {failed}", at(0.5), at(0.99), at(0.999), at(1.0));
}
