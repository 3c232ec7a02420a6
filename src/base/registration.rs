//! Makes and registers the metrics of the process.

use prometheus::{HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Registry, core::Collector};

/// Makes a metric and registers it. Fails for a name that is invalid, or taken.
pub(crate) struct Registration(pub(crate) Registry);

impl Registration {
    /// Registers a metric that was made.
    pub(crate) fn add<T: Collector + Clone + 'static>(&self, made: prometheus::Result<T>) -> prometheus::Result<T> {
        let metric = made?;
        self.0.register(Box::new(metric.clone()))?;
        Ok(metric)
    }

    /// A counter without labels.
    pub(crate) fn counter(&self, name: &str, help: &str) -> prometheus::Result<IntCounter> {
        self.add(IntCounter::new(name, help))
    }

    /// A counter with labels.
    pub(crate) fn counters(&self, name: &str, help: &str, labels: &[&str]) -> prometheus::Result<IntCounterVec> {
        self.add(IntCounterVec::new(Opts::new(name, help), labels))
    }

    /// A gauge of whole numbers.
    pub(crate) fn gauge(&self, name: &str, help: &str) -> prometheus::Result<IntGauge> {
        self.add(IntGauge::new(name, help))
    }

    /// A histogram with a label.
    pub(crate) fn histograms(
        &self,
        name: &str,
        help: &str,
        bounds: &[f64],
        label: &str,
    ) -> prometheus::Result<HistogramVec> {
        self.add(HistogramVec::new(HistogramOpts::new(name, help).buckets(bounds.to_vec()), &[label]))
    }
}
