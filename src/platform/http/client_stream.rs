//! A client's TCP stream. It fails when the client takes in nothing of what it is sent, so that whatever writes to it, and
//! however, holds an answer that is not read for a bounded time.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    time::{Instant, Sleep, sleep_until},
};

/// Streams that may be blocked for the whole timeout at the same time. Any more may be blocked only for [`HURRY`], so that the
/// memory of blocked streams is bounded, and clients that read can still connect.
const MAX_BLOCKED: usize = 1_024;
/// How long a stream may be blocked while too many are, and how often a blocked one looks at the time.
const HURRY: Duration = Duration::from_secs(1);
/// Bytes that the kernel takes of one stream before it can send them. With its own limit, which grows to megabytes, neither
/// its memory nor the time between two signs of progress would be bounded.
#[cfg(target_os = "linux")]
const MAX_UNSENT: u32 = 16 * 1024;

/// How long a write to a client may make no progress. Clones share the count of blocked streams.
#[derive(Clone, Debug)]
pub struct WriteTimeout {
    limit: Duration,
    blocked: Arc<AtomicUsize>,
}

impl WriteTimeout {
    /// The timeout of the streams of one listener.
    pub fn new(limit: Duration) -> Self {
        WriteTimeout { limit, blocked: Arc::default() }
    }

    /// Sets it in the kernel, for the connections of a listener: what it could not deliver when the service has closed a
    /// connection is dropped after the same time.
    pub(crate) fn apply_to(&self, listener: &TcpListener) -> io::Result<()> {
        let socket = socket2::SockRef::from(listener);
        socket.set_tcp_nodelay(true)?;
        #[cfg(target_os = "linux")]
        {
            socket.set_tcp_user_timeout(Some(self.limit))?;
            socket.set_tcp_notsent_lowat(MAX_UNSENT)?;
        }
        Ok(())
    }

    fn now(&self) -> Duration {
        if self.blocked.load(Ordering::Relaxed) > MAX_BLOCKED { self.limit.min(HURRY) } else { self.limit }
    }
}

/// A write that the kernel does not take.
#[derive(Debug)]
struct Blocked {
    write_timeout: WriteTimeout,
    since: Instant,
    timer: Pin<Box<Sleep>>,
}

impl Blocked {
    fn new(write_timeout: &WriteTimeout) -> Self {
        write_timeout.blocked.fetch_add(1, Ordering::Relaxed);
        let since = Instant::now();
        let timer = Box::pin(sleep_until(since + write_timeout.limit.min(HURRY)));
        Blocked { write_timeout: write_timeout.clone(), since, timer }
    }

    /// Ready when the write has been blocked for too long.
    fn poll_over(&mut self, context: &mut Context<'_>) -> Poll<()> {
        while self.timer.as_mut().poll(context).is_ready() {
            if self.since.elapsed() >= self.write_timeout.now() {
                return Poll::Ready(());
            }
            let next = (Instant::now() + HURRY).min(self.since + self.write_timeout.limit);
            self.timer.as_mut().reset(next);
        }
        Poll::Pending
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        self.write_timeout.blocked.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A client's TCP stream. A write that makes no progress within its [`WriteTimeout`] fails with `TimedOut`, and the
/// connection is then reset when the stream is dropped.
#[derive(Debug)]
pub struct ClientStream {
    tcp: TcpStream,
    write_timeout: WriteTimeout,
    /// Bytes that were given back, to be read again, and how many of them were.
    unread: (Vec<u8>, usize),
    blocked: Option<Blocked>,
}

impl ClientStream {
    /// The stream of an accepted connection.
    pub fn new(tcp: TcpStream, write_timeout: WriteTimeout) -> Self {
        ClientStream { tcp, write_timeout, unread: Default::default(), blocked: None }
    }

    /// How long the client may take to send a request's head, and be idle.
    pub(crate) fn timeout(&self) -> Duration {
        self.write_timeout.limit
    }

    /// Puts bytes back, to be read next.
    pub(crate) fn unread(&mut self, mut bytes: Vec<u8>) {
        bytes.extend_from_slice(self.unread.0.get(self.unread.1..).unwrap_or_default());
        self.unread = (bytes, 0);
    }

    /// Applies the deadline to a write. Fails with `TimedOut` when the write has been blocked for too long.
    fn judge<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.blocked = None;
            return written;
        }
        let blocked = self.blocked.get_or_insert_with(|| Blocked::new(&self.write_timeout));
        if blocked.poll_over(context).is_pending() {
            return Poll::Pending;
        }
        // Otherwise the kernel would go on trying to send what it has.
        let _ = self.tcp.set_zero_linger();
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let (bytes, given) = &mut this.unread;
        let rest = bytes.get(*given..).unwrap_or_default();
        if rest.is_empty() {
            return Pin::new(&mut this.tcp).poll_read(context, buffer);
        }
        let part = rest.get(..buffer.remaining()).unwrap_or(rest);
        buffer.put_slice(part);
        *given += part.len();
        if *given == bytes.len() {
            this.unread = Default::default();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.tcp).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.tcp).poll_write_vectored(context, slices);
        self.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(context)
    }
}
