//! What the kernel says of this process, under the names that Prometheus has for it.

use std::fs;

use prometheus::{Counter, Gauge, IntGauge, Opts};
use rustix::time::{ClockId, clock_gettime};

use crate::base::{clock::Clock, machine, memory, registration::Registration};

/// Metrics of the process, looked at when they are asked for.
pub(crate) struct ProcessMetrics {
    cpu: Counter,
    open_files: IntGauge,
    max_open_files: IntGauge,
    resident: IntGauge,
}

impl ProcessMetrics {
    /// Registers them, and the version that runs.
    pub(crate) fn new(to: &Registration) -> prometheus::Result<Self> {
        let started =
            to.add(Gauge::new("process_start_time_seconds", "When the process started, in seconds since 1970."))?;
        #[expect(clippy::cast_precision_loss, reason = "a double has milliseconds for longer than the calendar lasts")]
        started.set(Clock::default().now() as f64 / 1_000.0);
        let build = Opts::new("linkgraph_build_info", "Always 1; the label says which version runs.");
        to.add(IntGauge::with_opts(build.const_label("version", env!("CARGO_PKG_VERSION"))))?.set(1);
        Ok(ProcessMetrics {
            cpu: to.add(Counter::new("process_cpu_seconds_total", "Processor time of the process."))?,
            open_files: to.gauge("process_open_fds", "Open file descriptors.")?,
            max_open_files: to.gauge("process_max_fds", "File descriptors that may be open.")?,
            resident: to.gauge("process_resident_memory_bytes", "Memory of the process that is not swapped out.")?,
        })
    }

    /// Looks again. What the system does not say stays as it is.
    pub(crate) fn observe(&self) {
        let used = clock_gettime(ClockId::ProcessCPUTime);
        #[expect(clippy::cast_precision_loss, reason = "seconds of processor time")]
        let used = used.tv_sec as f64 + used.tv_nsec as f64 / 1e9;
        // Two scrapes may be under way.
        self.cpu.inc_by((used - self.cpu.get()).max(0.0));
        let set = |gauge: &IntGauge, value: Option<u64>| {
            if let Some(value) = value.and_then(|value| i64::try_from(value).ok()) {
                gauge.set(value);
            }
        };
        // One of them is the folder that is read.
        set(&self.open_files, fs::read_dir("/proc/self/fd").ok().map(|open| (open.count() as u64).saturating_sub(1)));
        set(&self.max_open_files, machine::open_files());
        set(&self.resident, memory::resident());
    }
}
