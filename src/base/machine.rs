//! Cores, memory, address space and open files that this process may use, of the machine or of its container.

use std::{fs::read_to_string, thread};

use anyhow::ensure;

/// Address space without that of threads: the program, the click log's segments, caches, and hashes of passwords.
const ADDRESSES: u64 = 512 << 20;
/// Address space of the threads for each core. glibc reserves 64 MiB for each of the first eight that allocate memory
/// (`M_ARENA_MAX`, `mallopt(3)`), and six are there from the start.
const ADDRESSES_OF_CORE: u64 = if cfg!(target_env = "gnu") { 384 << 20 } else { 32 << 20 };
/// Cores that count for the address space: that of machines with more was not measured.
const KNOWN_CORES: u32 = 8;

/// Cores on which this process may run, as far as its control group allows; 1 when the system does not say.
pub(crate) fn cores() -> u32 {
    thread::available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(u32::MAX))
}

/// Bytes of memory that this process may use: the machine's, or the limit of its control group, such as a container's, if
/// that is lower. `None`: neither can be read.
pub(crate) fn memory() -> Option<u64> {
    let machine = read_to_string("/proc/meminfo").ok().and_then(|text| of_machine(&text));
    // Where a container sees its own group (https://docs.kernel.org/admin-guide/cgroup-v2.html); `max` is no number.
    let group = read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    machine.into_iter().chain(group).min()
}

/// Fails where the limit of address space is too low to serve: any allocation may fail then, which looks like a fault of whatever needed it,
/// or ends the process.
pub(crate) fn must_have_address_space() -> anyhow::Result<()> {
    let wanted = ADDRESSES + ADDRESSES_OF_CORE * u64::from(cores().min(KNOWN_CORES));
    let limit = rlimit::Resource::AS.get_soft().unwrap_or(rlimit::INFINITY);
    ensure!(
        limit >= wanted,
        "the limit of address space (ulimit -v) is {} MiB: {} MiB are needed, or none",
        limit >> 20,
        wanted >> 20
    );
    Ok(())
}

/// Files, sockets included, that this process may have open at once. `None`: the system does not say.
pub(crate) fn open_files() -> Option<u64> {
    rlimit::Resource::NOFILE.get_soft().ok()
}

fn of_machine(meminfo: &str) -> Option<u64> {
    let total = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    total.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_says_how_much_memory_it_has() {
        assert_eq!(of_machine("MemTotal:       24651888 kB\nMemFree:  1 kB\n"), Some(24_651_888 << 10));
        assert_eq!(of_machine("MemFree:  1 kB\n"), None);
        assert!(memory().is_some_and(|bytes| bytes > 64 << 20), "these tests run on Linux");
    }
}
