//! The mails that a service sends: as files, or to a mail server of the test.

use std::{
    fs,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

use super::{TestDatabase, eventually};

/// The mails in the data directory, oldest first, but for those that prove an address or tell of what was done.
pub(crate) fn mails(database: &TestDatabase) -> Vec<String> {
    let mut mails = all_mails(database);
    mails.retain(|mail| !mail.contains("verify-email?token=") && !mail.contains("If it was you, do nothing."));
    mails
}

/// Waits until there are so many mails with this in their text, and answers what follows it in the newest one, up to a space.
pub(crate) async fn mailed(database: &TestDatabase, count: usize, before: &str) -> String {
    let found = eventually(before, async || {
        let mails: Vec<String> = all_mails(database).into_iter().filter(|mail| mail.contains(before)).collect();
        (mails.len() >= count).then_some(mails)
    });
    let found = found.await;
    assert_eq!(found.len(), count, "{before}");
    let (_, rest) = found[count - 1].split_once(before).unwrap();
    rest.split_whitespace().next().unwrap().to_owned()
}

/// All mails in the data directory, oldest first.
pub(crate) fn all_mails(database: &TestDatabase) -> Vec<String> {
    let Ok(entries) = fs::read_dir(database.folder.join("mail")) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "eml"));
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// Waits until there are so many mails, and answers the newest one's reset token.
pub(crate) async fn reset_token(database: &TestDatabase, mails_so_far: usize) -> String {
    eventually("the mail", async || (mails(database).len() == mails_so_far).then_some(())).await;
    token_in(&mails(database)[mails_so_far - 1])
}

/// The reset token of a mail.
pub(crate) fn token_in(mail: &str) -> String {
    let (_, rest) = mail.split_once("reset-password?token=").unwrap_or_else(|| panic!("no token: {mail}"));
    rest.split_whitespace().next().unwrap().to_owned()
}

/// A mail server that first refuses some mails with an answer of its own.
pub(crate) struct MailServer {
    pub(crate) port: u16,
    state: Arc<State>,
}

struct State {
    refusal: &'static str,
    to_refuse: usize,
    offered: AtomicUsize,
    taken: Mutex<Vec<String>>,
}

impl MailServer {
    pub(crate) async fn start(to_refuse: usize, refusal: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State { refusal, to_refuse, offered: AtomicUsize::default(), taken: Mutex::default() });
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(stream, Arc::clone(&shared)));
            }
        });
        MailServer { port, state }
    }

    /// Mails that were offered, refused ones included.
    pub(crate) fn offered(&self) -> usize {
        self.state.offered.load(Ordering::SeqCst)
    }

    /// Mails that were taken: the envelope's lines, then the mail.
    pub(crate) fn taken(&self) -> Vec<String> {
        self.state.taken.lock().unwrap().clone()
    }
}

/// As much of RFC 5321 as a client needs.
async fn converse(mut stream: TcpStream, state: Arc<State>) -> Option<()> {
    let (read, mut write) = stream.split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(b"220 sink\r\n").await.ok()?;
    let mut mail = String::new();
    while let Some(line) = lines.next_line().await.ok()? {
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let answer = match verb.as_str() {
            // A client with a password uses it (RFC 4954).
            "EHLO" => "250-sink\r\n250 AUTH PLAIN",
            "AUTH" => "235 come in",
            "MAIL" | "RCPT" => {
                mail.push_str(&(line + "\n"));
                "250 fine"
            }
            "DATA" if state.offered.fetch_add(1, Ordering::SeqCst) < state.to_refuse => {
                mail.clear();
                state.refusal
            }
            "DATA" => {
                write.write_all(b"354 go on\r\n").await.ok()?;
                loop {
                    let line = lines.next_line().await.ok()??;
                    if line == "." {
                        break;
                    }
                    mail.push_str(&(line + "\n"));
                }
                state.taken.lock().unwrap().push(std::mem::take(&mut mail));
                "250 taken"
            }
            "QUIT" => return write.write_all(b"221 bye\r\n").await.ok(),
            _ => "250 fine",
        };
        write.write_all(format!("{answer}\r\n").as_bytes()).await.ok()?;
    }
    None
}
