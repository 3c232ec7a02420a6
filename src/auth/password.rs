//! Passwords: Argon2id with OWASP's parameters, on a few threads of the lowest priority, so that logins can't starve
//! redirects; and on one of the usual priority when those get nowhere, so that redirects can't starve logins.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use anyhow::Context;
use argon2::{
    Algorithm, Argon2, Block, Params, PasswordHash, Version,
    password_hash::phc::{Output, ParamsString, Salt},
};
use parking_lot::Mutex;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, oneshot},
    time::timeout,
};

use crate::{config::PasswordHashing, error::ApiError, machine, priority, random, validate::MAX_PASSWORD};

/// Threads that one hash could use.
const LANES: u32 = 1;
/// Bytes of a salt and of a hash (RFC 9106, section 4).
const SALT_LEN: usize = 16;
const HASH_LEN: usize = 32;
/// Most hashes that are queued or running; any more fail with `UNAVAILABLE`.
const MAX_WAITING: usize = 64;
/// Time without a finished hash after which the threads of the lowest priority count as starved, and one hash is computed at the usual
/// priority: at most one in each such interval, since it delays requests by some ten time slices.
const STALLED: Duration = Duration::from_secs(1);
/// Bytes of the longest password: four for each character.
const MAX_BYTES: usize = 4 * MAX_PASSWORD.unsigned_abs() as usize;
/// The working memory of Argon2, reused from hash to hash.
type Memory = Vec<Block>;
/// A queued hash or verification: computes it and sends the result to its requester. Returns `false` if it did not compute, since the
/// requester has hung up or already has the result.
type Work = Arc<dyn Fn(&mut Memory) -> bool + Send + Sync>;

/// Hashes and verifies passwords.
pub(crate) struct Passwords {
    argon2: Argon2<'static>,
    /// To the threads that work when nothing else runs.
    work: mpsc::Sender<Work>,
    /// To the thread of the usual priority, if it waits.
    urgent: mpsc::SyncSender<Work>,
    /// When a hash was last done.
    done: Arc<Mutex<Instant>>,
    /// One permit for each hash that is queued or running: [`MAX_WAITING`] in all.
    places: Arc<Semaphore>,
    /// Verified when there is no such user, so that the answer takes as long.
    dummy: Arc<str>,
}

/// A permit to queue one hash or verification. Callers acquire it before any other work, so that a flood of logins costs little.
pub(crate) struct Turn<'a> {
    passwords: &'a Passwords,
    place: OwnedSemaphorePermit,
}

impl Passwords {
    /// Uses half of the cores, at least one.
    pub(crate) fn new(hashing: PasswordHashing) -> anyhow::Result<Self> {
        Self::of(hashing, (machine::cores() / 2).max(1))
    }

    /// Uses so many threads of the lowest priority, and one of the usual.
    fn of(hashing: PasswordHashing, idle_threads: u32) -> anyhow::Result<Self> {
        let PasswordHashing { memory_kib, passes, only_when_idle } = hashing;
        let params = Params::new(memory_kib, passes, LANES, Some(HASH_LEN)).map_err(anyhow::Error::msg)?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let dummy = hash(&argon2, b"no user has this password", &mut Memory::new())?.into();
        let (work, waiting) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        let done = Arc::new(Mutex::new(Instant::now()));
        for _ in 0..idle_threads {
            let (waiting, done) = (Arc::clone(&waiting), Arc::clone(&done));
            let hasher = thread::Builder::new().name("passwords".to_owned());
            let hash = move || {
                if only_when_idle && let Err(error) = priority::only_when_idle() {
                    tracing::warn!(%error, "Passwords are hashed at the priority of everything else");
                }
                hash_by_turns(&waiting, &done);
            };
            hasher.spawn(hash).context("can't start a thread")?;
        }
        let (urgent, waiting) = mpsc::sync_channel(0);
        let hasher = thread::Builder::new().name("password-urgent".to_owned());
        let done_urgently = Arc::clone(&done);
        hasher.spawn(move || hash_urgently(&waiting, &done_urgently)).context("can't start a thread")?;
        let places = Arc::new(Semaphore::new(MAX_WAITING));
        Ok(Passwords { argon2, work, urgent, done, places, dummy })
    }

    /// A permit to queue a hash. Fails with `UNAVAILABLE` when [`MAX_WAITING`] are taken.
    pub(crate) fn turn(&self) -> Result<Turn<'_>, ApiError> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| ApiError::unavailable())?;
        Ok(Turn { passwords: self, place })
    }

    /// The PHC string to store.
    pub(crate) async fn hash(&self, password: &str) -> Result<String, ApiError> {
        let (argon2, password) = (self.argon2.clone(), password.to_owned());
        let turn = self.turn()?;
        turn.work(move |memory| hash(&argon2, password.as_bytes(), memory)).await?.map_err(ApiError::internal)
    }
}

impl Turn<'_> {
    /// Whether the password is the stored one. Without a stored one it takes as long and is false.
    pub(crate) async fn verify(self, password: &str, stored: Option<&str>) -> Result<bool, ApiError> {
        // No stored password is longer, and queued work stays small.
        let is_possible = password.len() <= MAX_BYTES;
        let password = if is_possible { password.to_owned() } else { String::new() };
        let known = stored.is_some() && is_possible;
        let hash: Arc<str> = stored.map_or_else(|| self.passwords.dummy.clone(), Arc::from);
        let right = self.work(move |memory| verify(password.as_bytes(), &hash, memory)).await?;
        let right = right.inspect_err(|error| tracing::error!(%error, "A stored password can't be verified"));
        Ok(right.is_ok_and(|right| right) && known)
    }

    async fn work<T: Send + 'static>(
        self,
        work: impl Fn(&mut Memory) -> T + Send + Sync + 'static,
    ) -> Result<T, ApiError> {
        let (sender, mut receiver) = oneshot::channel();
        // The place is held by the work, not the request: clients that hang up don't make the queue longer.
        let asker = Mutex::new(Some((sender, self.place)));
        let work: Work = Arc::new(move |memory: &mut Memory| {
            let asker = || asker.lock();
            // The requester may have hung up while this was queued, or already have an answer.
            asker().take_if(|(sender, _)| sender.is_closed());
            if asker().is_none() {
                return false;
            }
            let answer = catch_unwind(AssertUnwindSafe(|| work(memory)));
            if let Some((sender, place)) = asker().take() {
                drop(place);
                match answer {
                    Ok(answer) => drop(sender.send(answer)),
                    Err(_) => tracing::error!("Hashing a password panicked"),
                }
            }
            true
        });
        self.passwords.work.send(Arc::clone(&work)).map_err(ApiError::internal)?;
        let answer = loop {
            if let Ok(answer) = timeout(STALLED, &mut receiver).await {
                break answer;
            }
            if self.passwords.done.lock().elapsed() >= STALLED {
                // If it fails, that thread is busy with another hash.
                let _ = self.passwords.urgent.try_send(Arc::clone(&work));
            }
        };
        answer.map_err(ApiError::internal)
    }
}

/// The loop of a thread of the lowest priority: takes work from the shared queue until all senders are dropped.
fn hash_by_turns(waiting: &Mutex<mpsc::Receiver<Work>>, done: &Mutex<Instant>) {
    let mut memory = Memory::new();
    loop {
        // The memory is kept while work is queued: unmapping and mapping it again would block the page faults of all threads.
        let next = waiting.try_lock().and_then(|waiting| waiting.try_recv().ok());
        let next = next.map_or_else(
            || {
                memory = Memory::new();
                waiting.lock().recv()
            },
            Ok,
        );
        let Ok(work) = next else { return };
        do_one(&work, &mut memory, done);
    }
}

/// The loop of the thread of the usual priority: does each work that it is handed until all senders are dropped.
fn hash_urgently(waiting: &mpsc::Receiver<Work>, done: &Mutex<Instant>) {
    while let Ok(work) = waiting.recv() {
        do_one(&work, &mut Memory::new(), done);
    }
}

fn do_one(work: &Work, memory: &mut Memory, done: &Mutex<Instant>) {
    if work(memory) {
        *done.lock() = Instant::now();
    }
}

/// A new salt's PHC string. The crate's own `hash_password` takes new memory each time.
fn hash(argon2: &Argon2<'_>, password: &[u8], memory: &mut Memory) -> anyhow::Result<String> {
    let salt: [u8; SALT_LEN] = random::bytes()?;
    let salt = Salt::new(&salt)?;
    let hash = Some(digest(argon2, password, &salt, memory)?);
    let (algorithm, version) = (Algorithm::Argon2id.ident(), Some(Version::V0x13.into()));
    let params = ParamsString::try_from(argon2.params())?;
    Ok(PasswordHash { algorithm, version, params, salt: Some(salt), hash }.to_string())
}

/// Whether a PHC string is of this password, with the parameters it names.
fn verify(password: &[u8], stored: &str, memory: &mut Memory) -> anyhow::Result<bool> {
    let stored = PasswordHash::new(stored)?;
    let version = stored.version.map_or(Ok(Version::default()), Version::try_from).map_err(anyhow::Error::msg)?;
    let argon2 = Argon2::new(Algorithm::try_from(stored.algorithm.as_str())?, version, Params::try_from(&stored)?);
    let salt = stored.salt.context("a stored password has no salt")?;
    // `Output` is compared in constant time.
    Ok(Some(digest(&argon2, password, &salt, memory)?) == stored.hash)
}

fn digest(argon2: &Argon2<'_>, password: &[u8], salt: &[u8], memory: &mut Memory) -> anyhow::Result<Output> {
    let mut digest = [0; HASH_LEN];
    memory.resize(argon2.params().block_count(), Block::default());
    argon2.hash_password_into_with_memory(password, salt, &mut digest, memory).map_err(anyhow::Error::msg)?;
    Ok(Output::new(&digest)?)
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use argon2::{PasswordHasher, PasswordVerifier};

    use super::*;
    use crate::error::Code;

    #[tokio::test]
    async fn verifies_only_the_right_password() {
        let passwords = Passwords::new(PasswordHashing::default()).unwrap();
        let stored = passwords.hash("correct horse").await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(passwords.turn().unwrap().verify("correct horse", Some(&stored)).await.unwrap());
        assert!(!passwords.turn().unwrap().verify("battery staple", Some(&stored)).await.unwrap());
        assert!(!passwords.turn().unwrap().verify("no user has this password", None).await.unwrap());
    }

    #[tokio::test]
    async fn hashes_and_those_of_the_crate_verify_each_other() {
        let passwords = Passwords::new(PasswordHashing::default()).unwrap();
        let ours = passwords.hash("correct horse").await.unwrap();
        assert!(passwords.argon2.verify_password(b"correct horse", ours.as_str()).is_ok());
        // Parameters are those of the string.
        let weaker = Argon2::new(Algorithm::Argon2i, Version::V0x10, Params::new(64, 3, 2, None).unwrap());
        let theirs = weaker.hash_password(b"correct horse").unwrap().to_string();
        assert!(passwords.turn().unwrap().verify("correct horse", Some(&theirs)).await.unwrap());
        assert!(!passwords.turn().unwrap().verify("battery staple", Some(&theirs)).await.unwrap());
        assert!(!passwords.turn().unwrap().verify("plain", Some("plain")).await.unwrap());
    }

    #[tokio::test]
    async fn a_busy_machine_does_not_starve_logins() {
        let passwords = Passwords::of(PasswordHashing::default(), 1).unwrap();
        // Blocks the thread of the lowest priority, as a busy machine does.
        let released = Arc::new(Barrier::new(2));
        let held = Arc::clone(&released);
        let hold = move |_: &mut Memory| {
            held.wait();
            true
        };
        passwords.work.send(Arc::new(hold)).unwrap();
        let stored = passwords.hash("correct horse").await.unwrap();
        let abandoned = timeout(Duration::ZERO, passwords.hash("who hangs up"));
        assert!(abandoned.await.is_err());
        assert!(passwords.turn().unwrap().verify("correct horse", Some(&stored)).await.unwrap());
        // The permit of the abandoned request is released only when the thread reaches its work.
        assert_eq!(passwords.places.available_permits(), MAX_WAITING - 1);
        released.wait();
        let all = passwords.places.acquire_many(u32::try_from(MAX_WAITING).unwrap());
        drop(timeout(Duration::from_secs(60), all).await.unwrap().unwrap());
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_hashing_goes_on() {
        let passwords = Passwords::of(PasswordHashing::default(), 1).unwrap();
        let panics = passwords.turn().unwrap().work(|_| -> () { panic!("a test") });
        assert_eq!(panics.await.unwrap_err().code, Code::InternalError);
        assert!(passwords.hash("x").await.is_ok());
        assert_eq!(passwords.places.available_permits(), MAX_WAITING);
    }

    #[tokio::test]
    async fn a_full_queue_is_unavailable_and_empties() {
        let passwords = Passwords::new(PasswordHashing::default()).unwrap();
        let others = passwords.places.try_acquire_many(u32::try_from(MAX_WAITING).unwrap()).unwrap();
        assert_eq!(passwords.hash("x").await.unwrap_err().code, Code::Unavailable);
        drop(others);
        assert!(passwords.hash("x").await.is_ok());
    }
}
