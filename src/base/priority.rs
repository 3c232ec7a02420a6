//! Priorities of threads.

use std::io::{Error, Result};

/// Nanoseconds that a thread of redirects runs at a stretch while others wait: more than a redirect needs, and a seventh of
/// the usual slice on two cores.
const SLICE: u64 = 200_000;

/// Lets this thread run as soon as it wakes up, whatever runs then, as long as it has not had more than its share of the
/// processors: Linux prefers threads whose time slice is short (since 6.12; earlier versions have slices of one length, and
/// ignore this: `sched_setattr(2)`, <https://docs.kernel.org/scheduler/sched-eevdf.html>). Threads that it starts have usual
/// slices.
#[expect(unsafe_code, reason = "the only way to tell the kernel")]
pub(crate) fn as_soon_as_it_wakes() -> Result<()> {
    let attributes = libc::sched_attr {
        sched_flags: libc::SCHED_FLAG_RESET_ON_FORK.unsigned_abs().into(),
        sched_runtime: SLICE,
        ..attributes()?
    };
    // SAFETY: the pointer is of a living local; the first 0 is this thread, the last one stands for no flags.
    if unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) } == 0 {
        return Ok(());
    }
    Err(Error::last_os_error())
}

/// How the kernel schedules this thread.
#[expect(unsafe_code, reason = "the only way to ask the kernel")]
fn attributes() -> Result<libc::sched_attr> {
    // SAFETY: all zero is a valid `sched_attr`.
    let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
    let size = size_of::<libc::sched_attr>();
    // SAFETY: the pointer is of a living local of that size; the first 0 is this thread, the last one stands for no flags.
    if unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) } == 0 {
        return Ok(attributes);
    }
    Err(Error::last_os_error())
}

/// Lets this thread run only on otherwise idle processors from now on (`SCHED_IDLE`, `sched(7)`). Niceness is not
/// enough: a nice thread that got the processor keeps it for its time slice, whichever thread wakes up meanwhile.
/// Threads that it starts inherit the policy, and none can go back without privileges.
#[expect(unsafe_code, reason = "the only way to tell the kernel")]
pub(crate) fn only_when_idle() -> Result<()> {
    // SAFETY: all zero is a valid `sched_param` (musl's has more fields).
    let parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is of a living local; 0 is this thread.
    if unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const parameters) } == 0 {
        return Ok(());
    }
    Err(Error::last_os_error())
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn short_slices_are_not_inherited() {
        let slice = || attributes().unwrap().sched_runtime;
        let (before, after, started) = thread::spawn(move || {
            let before = slice();
            as_soon_as_it_wakes().unwrap();
            (before, slice(), thread::spawn(slice).join().unwrap())
        })
        .join()
        .unwrap();
        // Linux tells none where all are of one length.
        if before > 0 {
            assert_eq!((after, started), (SLICE, before));
        }
    }
}
