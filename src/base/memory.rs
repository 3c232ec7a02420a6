//! Memory of this process.

use std::fs::read_to_string;

/// Bytes of this process that are not swapped out. `None`: the system does not say.
pub(crate) fn resident() -> Option<u64> {
    let status = read_to_string("/proc/self/status").ok()?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    size.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// Returns freed memory to the kernel: glibc keeps what lies between memory in use.
#[cfg_attr(target_env = "gnu", expect(unsafe_code, reason = "the only way to tell glibc"))]
pub(crate) fn trim() {
    #[cfg(target_env = "gnu")]
    // SAFETY: it may be called at any time, by any thread (`malloc_trim(3)`).
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_freed_between_what_is_used_goes_back() {
        let before = resident().unwrap();
        let mut pages: Vec<_> = (0..40_000).map(|_| Some(Box::new([1_u8; 4_096]))).collect();
        let kept: Vec<_> = pages.iter_mut().step_by(100).map(Option::take).collect();
        assert!(resident().unwrap() - before > 100 << 20);
        drop(pages);
        trim();
        let left = resident().unwrap().saturating_sub(before);
        assert!(left < 50 << 20, "{left} bytes are left beside {} pages", kept.len());
    }
}
