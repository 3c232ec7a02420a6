//! Passwords: Argon2id with OWASP's parameters, on a few threads of the lowest priority, so that logins can't starve
//! redirects; and on one of the usual priority when those get nowhere, so that redirects can't starve logins. Users and networks of clients
//! share the threads fairly, so that none of them can starve the logins of others.

use std::{
    net::IpAddr,
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
use prometheus::IntCounter;
use tokio::{sync::oneshot, time::timeout};

use super::client::ClientNet;
use crate::base::{
    concurrency::{FairPermit, FairQueue, QueueSize, Turns},
    config::PasswordHashing,
    error::ApiError,
    ids::{AccountId, UserId},
    machine, metering,
    metrics::Metrics,
    priority, random,
    validate::MAX_PASSWORD,
};

/// Threads that one hash could use.
const LANES: u32 = 1;
/// Bytes of a salt and of a hash (RFC 9106, section 4).
const SALT_LEN: usize = 16;
const HASH_LEN: usize = 32;
/// Hashes that are queued or running, and those of one IPv4 address or IPv6 /48. Each holds up to 800 bytes.
const PLACES: QueueSize = QueueSize { places: 64, share: 16, waiting_of_one: MAX_WAITING, waiting_in_all: MAX_WAITING };
/// Of these, the places of one user, or of one network that no user is known of; any more fail with `UNAVAILABLE`.
const SHARES: QueueSize = QueueSize { places: usize::MAX, share: 4, waiting_of_one: 60, waiting_in_all: MAX_WAITING };
/// Requests that wait for a place at most: there are no more connections than these.
const MAX_WAITING: usize = 16_000;
/// Bounds of the time without a finished hash after which the threads of the lowest priority count as starved, and one hash is computed at
/// the usual priority: between them, a quarter more than what the first hash took of a processor.
const STALLED: [Duration; 2] = [Duration::from_millis(20), Duration::from_secs(1)];
/// The thread of the usual priority works for one part in `REST` of its time, and sleeps for the others: a hash delays requests by some ten
/// time slices.
const REST: u32 = 4;
/// Bytes of the longest password: four for each character.
const MAX_BYTES: usize = 4 * MAX_PASSWORD.unsigned_abs() as usize;
/// The working memory of Argon2, reused from hash to hash.
type Memory = Vec<Block>;
/// Work of the threads. The sites of clients take turns.
type Waiting = Arc<Mutex<Turns<ClientNet, Work>>>;
/// A queued hash or verification: computes it and sends the result to its requester. Returns `false` if it did not compute, since the
/// requester has hung up or already has the result.
type Work = Arc<dyn Fn(&mut Memory) -> bool + Send + Sync>;

/// Hashes and verifies passwords.
pub(crate) struct Passwords {
    argon2: Argon2<'static>,
    waiting: Waiting,
    /// To the threads that work when nothing else runs: one for each work that waits.
    added: mpsc::Sender<()>,
    /// To the thread of the usual priority, if it waits.
    urgent: mpsc::SyncSender<Work>,
    done: Arc<Done>,
    stalled: Duration,
    shares: Arc<FairQueue<Owner>>,
    places: Arc<FairQueue<ClientNet>>,
    /// Verified when there is no such user, so that the answer takes as long.
    dummy: Arc<str>,
}

/// Hashes that were done.
struct Done {
    last: Mutex<Instant>,
    number: IntCounter,
}

/// A caller that needs a hash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Requester {
    owner: Owner,
    /// The IPv4 address or IPv6 /48 that it calls from.
    site: ClientNet,
}

/// The owner of a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owner {
    User(UserId),
    Network(ClientNet),
    /// The account whose links are visited.
    Account(AccountId),
}

impl Requester {
    /// A user who has proved to be one.
    pub(crate) fn user(user: UserId, client: IpAddr) -> Self {
        Requester { owner: Owner::User(user), ..Self::client(client) }
    }

    /// A visitor of an account's link. The account has the share, so that the links of one keep nobody from logging in.
    pub(crate) fn visitor(account: AccountId, client: IpAddr) -> Self {
        Requester { owner: Owner::Account(account), ..Self::client(client) }
    }

    /// A client who has proved nothing: an e-mail address that it names says nothing of it.
    pub(crate) fn client(client: IpAddr) -> Self {
        let network = ClientNet::from(client);
        Requester { owner: Owner::Network(network), site: network.site().unwrap_or(network) }
    }
}

/// A permit to queue one hash or verification. Callers acquire it before any other work, so that a flood of logins costs little.
pub(crate) struct Turn<'a> {
    passwords: &'a Passwords,
    site: ClientNet,
    place: Place,
}

/// A place in the queue, and in the share of its owner.
struct Place {
    _place: FairPermit<ClientNet>,
    _share: FairPermit<Owner>,
}

impl Passwords {
    /// Uses half of the cores, at least one.
    pub(crate) fn new(hashing: PasswordHashing, metrics: &Metrics) -> anyhow::Result<Self> {
        Self::of(hashing, metrics, (machine::cores() / 2).max(1))
    }

    /// Uses so many threads of the lowest priority, and one of the usual.
    fn of(hashing: PasswordHashing, metrics: &Metrics, idle_threads: u32) -> anyhow::Result<Self> {
        let PasswordHashing { memory_kib, passes, only_when_idle } = hashing;
        let params = Params::new(memory_kib, passes, LANES, Some(HASH_LEN)).map_err(anyhow::Error::msg)?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let before = metering::of_thread();
        let dummy = hash(&argon2, b"no user has this password", &mut Memory::new())?.into();
        let [least, most] = STALLED;
        let stalled = ((metering::of_thread() - before) * 5 / 4).clamp(least, most);
        let waiting = Waiting::new(Mutex::new(Turns::new(usize::MAX)));
        let (added, additions) = mpsc::channel();
        let additions = Arc::new(Mutex::new(additions));
        let done = Arc::new(Done { last: Mutex::new(Instant::now()), number: metrics.password_hashes.clone() });
        for _ in 0..idle_threads {
            let (waiting, additions, done) = (Arc::clone(&waiting), Arc::clone(&additions), Arc::clone(&done));
            let hasher = thread::Builder::new().name("passwords".to_owned());
            let hash = move || {
                if only_when_idle && let Err(error) = priority::only_when_idle() {
                    tracing::warn!(%error, "Passwords are hashed at the priority of everything else");
                }
                hash_by_turns(&waiting, &additions, &done);
            };
            hasher.spawn(hash).context("can't start a thread")?;
        }
        let (urgent, handed) = mpsc::sync_channel(0);
        let hasher = thread::Builder::new().name("password-urgent".to_owned());
        let done_urgently = Arc::clone(&done);
        hasher.spawn(move || hash_urgently(&handed, &done_urgently)).context("can't start a thread")?;
        let (shares, places) = (FairQueue::new(SHARES), FairQueue::new(PLACES));
        Ok(Passwords { argon2, waiting, added, urgent, done, stalled, shares, places, dummy })
    }

    /// A permit to queue a hash. Waits for the requester's own hashes, and for others if all places are taken. Fails with `UNAVAILABLE` when
    /// too many hashes of the requester wait.
    pub(crate) async fn turn(&self, requester: Requester) -> Result<Turn<'_>, ApiError> {
        let Requester { owner, site } = requester;
        let share = self.shares.acquire(owner).await?;
        let place = self.places.acquire(site).await?;
        Ok(Turn { passwords: self, site, place: Place { _place: place, _share: share } })
    }

    /// The PHC string to store. All that can be refused without it should have been.
    pub(crate) async fn hash(&self, requester: Requester, password: &str) -> Result<String, ApiError> {
        let (argon2, password) = (self.argon2.clone(), password.to_owned());
        let turn = self.turn(requester).await?;
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
        self.passwords.waiting.lock().push(self.site, Arc::clone(&work));
        self.passwords.added.send(()).map_err(ApiError::internal)?;
        let answer = loop {
            if let Ok(answer) = timeout(self.passwords.stalled, &mut receiver).await {
                break answer;
            }
            if self.passwords.done.last.lock().elapsed() >= self.passwords.stalled {
                // If it fails, that thread is busy with another hash, or rests.
                let _ = self.passwords.urgent.try_send(Arc::clone(&work));
            }
        };
        answer.map_err(ApiError::internal)
    }
}

/// The loop of a thread of the lowest priority: takes the work whose turn it is until all senders are dropped.
fn hash_by_turns(waiting: &Mutex<Turns<ClientNet, Work>>, added: &Mutex<mpsc::Receiver<()>>, done: &Done) {
    let mut memory = Memory::new();
    loop {
        // The memory is kept while work is queued: unmapping and mapping it again would block the page faults of all threads.
        let next = added.try_lock().and_then(|added| added.try_recv().ok());
        let next = next.map_or_else(
            || {
                memory = Memory::new();
                added.lock().recv()
            },
            Ok,
        );
        let Ok(()) = next else { return };
        let Some((site, work)) = waiting.lock().begin_next() else { continue };
        do_one(&work, &mut memory, done);
        waiting.lock().end(site);
    }
}

/// The loop of the thread of the usual priority: does each work that it is handed, and rests after it, until all senders are dropped.
fn hash_urgently(waiting: &mpsc::Receiver<Work>, done: &Done) {
    while let Ok(work) = waiting.recv() {
        let began = Instant::now();
        do_one(&work, &mut Memory::new(), done);
        thread::sleep(began.elapsed() * (REST - 1));
    }
}

fn do_one(work: &Work, memory: &mut Memory, done: &Done) {
    if work(memory) {
        *done.last.lock() = Instant::now();
        done.number.inc();
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
    use crate::base::error::Code;

    fn client(address: &str) -> Requester {
        Requester::client(address.parse().unwrap())
    }

    fn one() -> Requester {
        client("192.0.2.1")
    }

    /// Passwords of one thread of the lowest priority.
    fn idle_passwords(hashing: PasswordHashing) -> Passwords {
        Passwords::of(hashing, &Metrics::new().unwrap(), 1).unwrap()
    }

    /// The same, whose thread is blocked until the barrier is met, and counts as starved after `stalled`.
    fn blocked(stalled: Duration) -> (Arc<Passwords>, Arc<Barrier>) {
        let passwords = idle_passwords(PasswordHashing { memory_kib: 8, ..PasswordHashing::default() });
        let passwords = Passwords { stalled, ..passwords };
        let released = Arc::new(Barrier::new(2));
        let held = Arc::clone(&released);
        let hold = move |_: &mut Memory| {
            held.wait();
            true
        };
        passwords.waiting.lock().push(one().site, Arc::new(hold));
        passwords.added.send(()).unwrap();
        (Arc::new(passwords), released)
    }

    #[tokio::test]
    async fn verifies_only_the_right_password() {
        let passwords = idle_passwords(PasswordHashing::default());
        let stored = passwords.hash(one(), "correct horse").await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(passwords.turn(one()).await.unwrap().verify("correct horse", Some(&stored)).await.unwrap());
        assert!(!passwords.turn(one()).await.unwrap().verify("battery staple", Some(&stored)).await.unwrap());
        assert!(!passwords.turn(one()).await.unwrap().verify("no user has this password", None).await.unwrap());
    }

    #[tokio::test]
    async fn hashes_and_those_of_the_crate_verify_each_other() {
        let passwords = idle_passwords(PasswordHashing::default());
        let ours = passwords.hash(one(), "correct horse").await.unwrap();
        assert!(passwords.argon2.verify_password(b"correct horse", ours.as_str()).is_ok());
        // Parameters are those of the string.
        let weaker = Argon2::new(Algorithm::Argon2i, Version::V0x10, Params::new(64, 3, 2, None).unwrap());
        let theirs = weaker.hash_password(b"correct horse").unwrap().to_string();
        assert!(passwords.turn(one()).await.unwrap().verify("correct horse", Some(&theirs)).await.unwrap());
        assert!(!passwords.turn(one()).await.unwrap().verify("battery staple", Some(&theirs)).await.unwrap());
        assert!(!passwords.turn(one()).await.unwrap().verify("plain", Some("plain")).await.unwrap());
    }

    #[tokio::test]
    async fn a_busy_machine_does_not_starve_logins() {
        let (passwords, released) = blocked(STALLED[0]);
        let stored = passwords.hash(one(), "correct horse").await.unwrap();
        let abandoned = timeout(Duration::ZERO, passwords.hash(one(), "who hangs up"));
        assert!(abandoned.await.is_err());
        assert!(passwords.turn(one()).await.unwrap().verify("correct horse", Some(&stored)).await.unwrap());
        // The permit of the abandoned request is released only when the thread reaches its work.
        assert_eq!(passwords.shares.taken(), 1);
        released.wait();
        are_taken(&passwords, 0).await;
        assert_eq!(passwords.shares.taken(), 0);
    }

    async fn are_taken(passwords: &Passwords, places: usize) {
        let taken = async {
            while passwords.places.taken() != places {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(60), taken).await.unwrap();
    }

    #[tokio::test]
    async fn who_floods_waits_for_itself() {
        // The thread of the usual priority takes no turns: with it, the order would be another.
        let (passwords, released) = blocked(Duration::MAX);
        let order = Arc::new(Mutex::new(Vec::new()));
        let ask = |requester: Requester, name: &'static str| {
            let (passwords, order) = (Arc::clone(&passwords), Arc::clone(&order));
            tokio::spawn(async move {
                let turn = passwords.turn(requester).await?;
                turn.work(move |_| order.lock().push(name)).await
            })
        };
        // Many addresses of one /64, many /64s of one /48, and many users at one address.
        let mut asking = Vec::new();
        for number in 0..90 {
            asking.push(ask(client(&format!("2001:db8:1:1::{number:x}")), "a /64"));
        }
        are_taken(&passwords, 4).await;
        for number in 0..40 {
            asking.push(ask(client(&format!("2001:db8:2:{number:x}::")), "a /48"));
        }
        are_taken(&passwords, 20).await;
        for _ in 0..40 {
            asking.push(ask(Requester::user(UserId::new(), "198.51.100.1".parse().unwrap()), "users"));
        }
        are_taken(&passwords, 36).await;
        asking.push(ask(one(), "newcomer"));
        are_taken(&passwords, 37).await;
        released.wait();
        let mut refused = 0;
        for asked in asking {
            match asked.await.unwrap() {
                Ok(()) => {}
                Err(error) => {
                    assert_eq!((error.code, error.retry_after), (Code::Unavailable, Some(1)));
                    refused += 1;
                }
            }
        }
        assert_eq!(refused, 90 - 64, "of the /64");
        let order = order.lock().clone();
        assert_eq!(order[..4], ["a /64", "a /48", "users", "newcomer"]);
        assert_eq!(order.len(), 64 + 40 + 40 + 1);
        are_taken(&passwords, 0).await;
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_hashing_goes_on() {
        let passwords = idle_passwords(PasswordHashing::default());
        let panics = passwords.turn(one()).await.unwrap().work(|_| -> () { panic!("a test") });
        assert_eq!(panics.await.unwrap_err().code, Code::InternalError);
        assert!(passwords.hash(one(), "x").await.is_ok());
        are_taken(&passwords, 0).await;
    }
}
