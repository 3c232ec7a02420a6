//! The cost of hashing a password.

/// Parameters of Argon2id (RFC 9106), and the priority of the threads that compute it. No variable sets them: tests of
/// everything but passwords choose cheaper ones.
#[derive(Clone, Copy, Debug)]
pub struct PasswordHashing {
    /// Memory of a hash in KiB.
    pub memory_kib: u32,
    /// Passes over the memory.
    pub passes: u32,
    /// Whether hashes get only the processor time that everything else leaves.
    pub only_when_idle: bool,
}

impl Default for PasswordHashing {
    /// OWASP Password Storage Cheat Sheet: 19 MiB, 2 passes.
    fn default() -> Self {
        PasswordHashing { memory_kib: 19_456, passes: 2, only_when_idle: true }
    }
}
