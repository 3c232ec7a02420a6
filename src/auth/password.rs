//! Passwords: Argon2id with OWASP's parameters, on a few threads of the lowest priority, so that logins can't starve
//! redirects.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use anyhow::Context;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use rustix::{process::setpriority_process, thread::gettid};
use tokio::sync::{Semaphore, oneshot};

use crate::error::ApiError;

/// OWASP Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Hashes that may wait for their turn; more are told to come back.
const MAX_WAITING: usize = 64;
/// Niceness of the threads: what redirects leave is theirs (`setpriority(2)`).
const NICE: i32 = 19;

type Work = Box<dyn FnOnce() + Send>;

/// Hashes and verifies passwords.
pub struct Passwords {
    argon2: Argon2<'static>,
    work: mpsc::Sender<Work>,
    /// Places of those that wait.
    places: Arc<Semaphore>,
    /// Verified when there is no such user, so that the answer takes as long.
    dummy: Arc<str>,
}

impl Passwords {
    /// Uses half of the cores, at least one.
    pub fn new() -> anyhow::Result<Self> {
        let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|error| anyhow::anyhow!("{error}"))?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let dummy = argon2.hash_password(b"no user has this password").map_err(|error| anyhow::anyhow!("{error}"))?;
        let (work, waiting) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1)) {
            let waiting = Arc::clone(&waiting);
            let hasher = thread::Builder::new().name("passwords".to_owned());
            hasher.spawn(move || hash_all(&waiting)).context("can't start a thread")?;
        }
        let places = Arc::new(Semaphore::new(MAX_WAITING));
        Ok(Passwords { argon2, work, places, dummy: dummy.to_string().into() })
    }

    /// The PHC string to store.
    pub async fn hash(&self, password: &str) -> Result<String, ApiError> {
        let (argon2, password) = (self.argon2.clone(), password.to_owned());
        self.in_turn(move || argon2.hash_password(password.as_bytes()).map(|hash| hash.to_string()))
            .await?
            .map_err(ApiError::internal)
    }

    /// Whether the password is the stored one. Without a stored one it takes as long and is false.
    pub async fn verify(&self, password: &str, stored: Option<&str>) -> Result<bool, ApiError> {
        let (argon2, password) = (self.argon2.clone(), password.to_owned());
        let known = stored.is_some();
        let hash: Arc<str> = stored.map_or_else(|| self.dummy.clone(), Arc::from);
        let right = self.in_turn(move || argon2.verify_password(password.as_bytes(), &*hash).is_ok()).await?;
        Ok(right && known)
    }

    async fn in_turn<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        // Held by the work, not the request: clients that hang up don't make the queue longer.
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| ApiError::unavailable())?;
        let (sender, receiver) = oneshot::channel();
        let work = move || {
            // Whoever asked may have gone while this waited.
            if !sender.is_closed() {
                let _ = sender.send(work());
            }
            drop(place);
        };
        self.work.send(Box::new(work)).map_err(ApiError::internal)?;
        receiver.await.map_err(ApiError::internal)
    }
}

/// Works until nobody can ask any more.
fn hash_all(waiting: &Mutex<mpsc::Receiver<Work>>) {
    if let Err(error) = setpriority_process(Some(gettid()), NICE) {
        tracing::warn!(%error, "Passwords are hashed at the priority of everything else");
    }
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(work) = next else { return };
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            tracing::error!("Hashing a password panicked");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    #[tokio::test]
    async fn verifies_only_the_right_password() {
        let passwords = Passwords::new().unwrap();
        let stored = passwords.hash("correct horse").await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(passwords.verify("correct horse", Some(&stored)).await.unwrap());
        assert!(!passwords.verify("battery staple", Some(&stored)).await.unwrap());
        assert!(!passwords.verify("no user has this password", None).await.unwrap());
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
