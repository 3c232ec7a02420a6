//! Priorities of threads.

/// What everything else leaves of the processors is this thread's from now on (`SCHED_IDLE`, `sched(7)`). Niceness is not
/// enough: a nice thread that got the processor keeps it for its time slice, whoever wakes up meanwhile. Threads that it
/// starts inherit it, and none can go back without privileges.
#[expect(unsafe_code, reason = "the only way to tell the kernel")]
pub fn only_when_idle() -> std::io::Result<()> {
    // SAFETY: all zero is a valid `sched_param` (musl's has more fields).
    let parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is of a living local; 0 is this thread.
    if unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const parameters) } == 0 {
        return Ok(());
    }
    Err(std::io::Error::last_os_error())
}
