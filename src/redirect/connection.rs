//! Serves redirects directly from the connection: a request that can be for a short link is parsed in the input buffer, and the
//! responses to pipelined requests are sent together. Any other request is left, with the connection, to the HTTP server.

use std::{
    cell::RefCell,
    io::{self, Write},
    mem::MaybeUninit,
    net::IpAddr,
    pin::pin,
    sync::Arc,
    time::{Duration, SystemTime},
};

use axum::{body, http::response::Parts};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::{Instant, sleep_until},
};

use crate::{
    base::clock::{SECOND, UnixMillis},
    platform::http::{client_stream::ClientStream, shutdown::ShutdownSignal},
    redirect::{
        Redirects,
        head::Head,
        route::{self, Answer, CACHE_CONTROL},
    },
};

/// Bytes that are read at once.
const READ_BYTES: usize = 2 * 1024;
/// Longest head that is parsed here, in bytes. Longer ones are left to the HTTP server; browsers' heads rarely have a quarter of it.
const MAX_HEAD: usize = 8 * 1024;
/// Maximum number of header fields of such a head.
const MAX_FIELDS: usize = 64;
/// Header fields that no request for a short link needs, and that change how the connection continues (RFC 9110, RFC 9112).
const UNUSUAL: [&str; 4] = ["content-length", "transfer-encoding", "expect", "upgrade"];
/// Responses are sent as soon as they have so many bytes in all, which bounds the memory of a connection whose client does not read.
const MAX_OUTPUT: usize = 4 * 1024;

/// How a connection continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It is closed.
    End,
    /// With a request that is not for a short link, or not in the form that is parsed here.
    Other,
}

/// Serves redirects until another request comes, whose first bytes are then in `input`. The stream's timeout bounds how long a head
/// may take to arrive, and how long the connection may be idle. Fails when the connection does.
pub async fn serve(
    redirects: &Arc<Redirects>,
    stream: &mut ClientStream,
    input: &mut Vec<u8>,
    peer: IpAddr,
    shutdown: &mut ShutdownSignal,
) -> io::Result<Next> {
    let timeout = stream.timeout();
    let mut output = Vec::new();
    let mut since = Instant::now();
    let mut late = pin!(sleep_until(since + timeout));
    input.reserve(READ_BYTES);
    loop {
        let read = tokio::select! {
            biased;
            read = stream.read_buf(input) => read?,
            () = &mut late => {
                if since.elapsed() >= timeout {
                    return Ok(Next::End);
                }
                late.as_mut().reset(since + timeout);
                continue;
            }
            // A client in the middle of a request still gets an answer: shutdown ends only idle connections at once.
            () = shutdown.begun(), if input.is_empty() => return Ok(Next::End),
        };
        if read == 0 {
            return Ok(Next::End);
        }
        let mut parsed = 0;
        let next = loop {
            let (head, length) = match parse(input.get(parsed..).unwrap_or_default()) {
                Parsed::Whole(head, length) => (head, length),
                Parsed::Part => break None,
                Parsed::Other => break Some(Next::Other),
            };
            let Some(answer) = route::answer(redirects, peer, &head, &mut None).await else { break Some(Next::Other) };
            let is_last = shutdown.has_begun();
            write(&mut output, answer, redirects.clock.now(), head.method == "HEAD", is_last).await?;
            parsed += length;
            if is_last {
                break Some(Next::End);
            }
            if output.len() >= MAX_OUTPUT {
                send(stream, &mut output).await?;
            }
        };
        if parsed > 0 {
            send(stream, &mut output).await?;
            input.drain(..parsed);
            since = Instant::now();
        }
        if let Some(next) = next {
            return Ok(next);
        }
        if input.len() >= MAX_HEAD {
            return Ok(Next::Other);
        }
    }
}

enum Parsed<'a> {
    /// A request without a body, and its length.
    Whole(Head<'a>, usize),
    /// The beginning of a request.
    Part,
    Other,
}

/// Parses a GET or HEAD request in the usual form of browsers and proxies. Everything else is left to the HTTP server: a body, a
/// field that changes how messages are read (RFC 9112), another version.
fn parse(input: &[u8]) -> Parsed<'_> {
    let is_reading = [&b"GET "[..], b"HEAD "].iter().any(|method| method.iter().zip(input).all(|(is, has)| is == has));
    if !is_reading {
        return Parsed::Other;
    }
    let mut fields = [const { MaybeUninit::uninit() }; MAX_FIELDS];
    let mut request = httparse::Request::new(&mut []);
    let length = match request.parse_with_uninit_headers(input, &mut fields) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Parsed::Part,
        Err(_) => return Parsed::Other,
    };
    let (Some(method), Some(target), Some(1)) = (request.method, request.path, request.version) else {
        return Parsed::Other;
    };
    if !target.starts_with('/') || !target.bytes().all(is_in_uri) {
        return Parsed::Other;
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut head = Head::new(method, path, query);
    let mut hosts = 0_u8;
    for field in request.headers.iter() {
        let is = |name: &str| field.name.eq_ignore_ascii_case(name);
        let is_kept_alive = || field.value.eq_ignore_ascii_case(b"keep-alive");
        if UNUSUAL.iter().any(|name| is(name)) || (is("connection") && !is_kept_alive()) {
            return Parsed::Other;
        }
        hosts += u8::from(is("host"));
        head.note(field.name, field.value);
    }
    if hosts != 1 {
        return Parsed::Other;
    }
    Parsed::Whole(head, length)
}

/// Whether the byte may stand in a path or a query (RFC 3986 §3.3, §3.4).
fn is_in_uri(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&byte)
}

/// Appends the answer as HTTP/1.1 has it.
async fn write(out: &mut Vec<u8>, answer: Answer, now: UnixMillis, is_head: bool, is_last: bool) -> io::Result<()> {
    let page = match answer {
        Answer::Redirect(_) | Answer::Forward(_) => {
            out.extend_from_slice(b"HTTP/1.1 302 Found\r\nlocation: ");
            out.extend_from_slice(match &answer {
                Answer::Redirect(target) => target.location(),
                Answer::Forward(location) => location,
                Answer::Page(_) => &[],
            });
            out.extend_from_slice(b"\r\ncache-control: ");
            out.extend_from_slice(CACHE_CONTROL.as_bytes());
            out.extend_from_slice(b"\r\ncontent-length: 0");
            end_head(out, now, is_last);
            return Ok(());
        }
        Answer::Page(page) => page,
    };
    let (Parts { status, headers, .. }, page) = page.into_parts();
    let page = body::to_bytes(page, usize::MAX).await.map_err(io::Error::other)?;
    write!(out, "HTTP/1.1 {} {}", status.as_str(), status.canonical_reason().unwrap_or_default())?;
    for (name, value) in &headers {
        write!(out, "\r\n{name}: ")?;
        out.extend_from_slice(value.as_bytes());
    }
    write!(out, "\r\ncontent-length: {}", page.len())?;
    end_head(out, now, is_last);
    if !is_head {
        out.extend_from_slice(&page);
    }
    Ok(())
}

fn end_head(out: &mut Vec<u8>, now: UnixMillis, is_last: bool) {
    out.extend_from_slice(b"\r\ndate: ");
    DATE.with_borrow_mut(|date| out.extend_from_slice(date.at(now)));
    out.extend_from_slice(if is_last { b"\r\nconnection: close\r\n\r\n" } else { b"\r\n\r\n" });
}

thread_local! {
    static DATE: RefCell<Date> = RefCell::default();
}

/// The `Date` of answers (RFC 9110 §5.6.7), formatted once a second.
#[derive(Default)]
struct Date {
    second: u64,
    text: String,
}

impl Date {
    fn at(&mut self, now: UnixMillis) -> &[u8] {
        let second = u64::try_from(now / SECOND).unwrap_or_default();
        if second != self.second || self.text.is_empty() {
            self.second = second;
            self.text = httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(second));
        }
        self.text.as_bytes()
    }
}

/// Sends the responses, and shrinks the buffer to [`MAX_OUTPUT`] bytes.
async fn send(stream: &mut ClientStream, output: &mut Vec<u8>) -> io::Result<()> {
    stream.write_all(output).await?;
    output.clear();
    output.shrink_to(MAX_OUTPUT);
    Ok(())
}
