//! Passwords: Argon2id with OWASP's parameters, on a few threads of the lowest priority, so that logins can't starve
//! redirects.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use anyhow::Context;
use argon2::{
    Algorithm, Argon2, Block, Params, PasswordHash, Version,
    password_hash::phc::{Output, ParamsString, Salt},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::{error::ApiError, random};

/// OWASP Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Bytes of a salt and of a hash (RFC 9106, section 4).
const SALT_LEN: usize = 16;
const HASH_LEN: usize = 32;
/// Hashes that may wait for their turn; more are told to come back.
const MAX_WAITING: usize = 64;
/// What a hash is computed in.
type Memory = Vec<Block>;
type Work = Box<dyn FnOnce(&mut Memory) + Send>;

/// Hashes and verifies passwords.
pub struct Passwords {
    argon2: Argon2<'static>,
    work: mpsc::Sender<Work>,
    /// Places of those that wait.
    places: Arc<Semaphore>,
    /// Verified when there is no such user, so that the answer takes as long.
    dummy: Arc<str>,
}

/// A place among those that wait. Who needs it takes it before other work, so that a flood of logins costs little.
pub struct Turn<'a> {
    passwords: &'a Passwords,
    place: OwnedSemaphorePermit,
}

impl Passwords {
    /// Uses half of the cores, at least one.
    pub fn new() -> anyhow::Result<Self> {
        let params = Params::new(MEMORY_KIB, PASSES, LANES, Some(HASH_LEN)).map_err(anyhow::Error::msg)?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let dummy = hash(&argon2, b"no user has this password", &mut Memory::new())?.into();
        let (work, waiting) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1)) {
            let waiting = Arc::clone(&waiting);
            let hasher = thread::Builder::new().name("passwords".to_owned());
            hasher.spawn(move || hash_all(&waiting)).context("can't start a thread")?;
        }
        let places = Arc::new(Semaphore::new(MAX_WAITING));
        Ok(Passwords { argon2, work, places, dummy })
    }

    /// A place, or `UNAVAILABLE` if there is none.
    pub fn turn(&self) -> Result<Turn<'_>, ApiError> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| ApiError::unavailable())?;
        Ok(Turn { passwords: self, place })
    }

    /// The PHC string to store.
    pub async fn hash(&self, password: &str) -> Result<String, ApiError> {
        let (argon2, password) = (self.argon2.clone(), password.to_owned());
        let turn = self.turn()?;
        turn.work(move |memory| hash(&argon2, password.as_bytes(), memory)).await?.map_err(ApiError::internal)
    }
}

impl Turn<'_> {
    /// Whether the password is the stored one. Without a stored one it takes as long and is false.
    pub async fn verify(self, password: &str, stored: Option<&str>) -> Result<bool, ApiError> {
        let password = password.to_owned();
        let known = stored.is_some();
        let hash: Arc<str> = stored.map_or_else(|| self.passwords.dummy.clone(), Arc::from);
        let right = self.work(move |memory| verify(password.as_bytes(), &hash, memory)).await?;
        let right = right.inspect_err(|error| tracing::error!(%error, "A stored password can't be verified"));
        Ok(right.is_ok_and(|right| right) && known)
    }

    async fn work<T: Send + 'static>(
        self,
        work: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let (sender, receiver) = oneshot::channel();
        // Held by the work, not the request: clients that hang up don't make the queue longer.
        let place = self.place;
        let work = move |memory: &mut Memory| {
            // Whoever asked may have gone while this waited.
            if !sender.is_closed() {
                let _ = sender.send(work(memory));
            }
            drop(place);
        };
        self.passwords.work.send(Box::new(work)).map_err(ApiError::internal)?;
        receiver.await.map_err(ApiError::internal)
    }
}

/// Works until nobody can ask any more.
fn hash_all(waiting: &Mutex<mpsc::Receiver<Work>>) {
    if let Err(error) = only_when_idle() {
        tracing::warn!(%error, "Passwords are hashed at the priority of everything else");
    }
    let mut memory = Memory::new();
    loop {
        // The memory stays for who waits already: giving it back and taking it again stops every thread's page faults.
        let next = waiting.try_lock().ok().and_then(|waiting| waiting.try_recv().ok());
        let next = next.map_or_else(
            || {
                memory = Memory::new();
                waiting.lock().unwrap_or_else(PoisonError::into_inner).recv()
            },
            Ok,
        );
        let Ok(work) = next else { return };
        if catch_unwind(AssertUnwindSafe(|| work(&mut memory))).is_err() {
            tracing::error!("Hashing a password panicked");
        }
    }
}

/// What redirects leave is this thread's (`SCHED_IDLE`, `sched(7)`). Niceness is not enough: a nice thread that got the
/// processor keeps it for its time slice, whoever wakes up meanwhile.
#[expect(unsafe_code, reason = "the only way to tell the kernel")]
fn only_when_idle() -> std::io::Result<()> {
    // SAFETY: all zero is a valid `sched_param` (musl's has more fields).
    let parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is of a living local; 0 is this thread.
    if unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const parameters) } == 0 {
        return Ok(());
    }
    Err(std::io::Error::last_os_error())
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
    use argon2::{PasswordHasher, PasswordVerifier};

    use super::*;
    use crate::error::Code;

    #[tokio::test]
    async fn verifies_only_the_right_password() {
        let passwords = Passwords::new().unwrap();
        let stored = passwords.hash("correct horse").await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(passwords.turn().unwrap().verify("correct horse", Some(&stored)).await.unwrap());
        assert!(!passwords.turn().unwrap().verify("battery staple", Some(&stored)).await.unwrap());
        assert!(!passwords.turn().unwrap().verify("no user has this password", None).await.unwrap());
    }

    #[tokio::test]
    async fn understands_the_crates_own_strings_and_is_understood() {
        let passwords = Passwords::new().unwrap();
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
    async fn a_full_queue_is_unavailable_and_empties() {
        let passwords = Passwords::new().unwrap();
        let others = passwords.places.try_acquire_many(u32::try_from(MAX_WAITING).unwrap()).unwrap();
        assert_eq!(passwords.hash("x").await.unwrap_err().code, Code::Unavailable);
        drop(others);
        assert!(passwords.hash("x").await.is_ok());
    }
}
