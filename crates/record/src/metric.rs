use serde::{Deserialize, Serialize};

/// A figure of a trial that can be named in a plan, compared and claimed about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// Completed requests per second.
    Throughput,
    /// Mean response time in seconds.
    Mean,
    /// Median response time in seconds.
    P50,
    /// 90th percentile of the response time in seconds.
    P90,
    /// 95th percentile of the response time in seconds.
    P95,
    /// 99th percentile of the response time in seconds.
    P99,
    /// Longest response time in seconds.
    Max,
    /// CPU seconds of all processes of the stack per completed request.
    CpuPerRequest,
    /// Sum over the stack's processes of their largest resident memory, in bytes.
    PeakMemory,
    /// Failed and timed-out share of the scheduled requests, 0 to 1.
    Errors,
    /// Right answers per second, where errors are what is measured: throughput that failures do not
    /// keep from counting.
    Goodput,
    /// Share of the scheduled requests that got no connection (refused, accept queue full, not
    /// opened in time), 0 to 1.
    Unconnected,
    /// Share of the scheduled requests that were not answered in time, 0 to 1.
    TimedOut,
    /// Attempts per request, 1 where nobody tries again.
    Attempts,
    /// Mean time of a page with its assets, in seconds.
    PageMean,
    /// Median time of a page with its assets, in seconds.
    PageP50,
    /// The load generator's share of the CPU time that it and the stack's processes took together over
    /// the window and its drain, 0 to 1.
    GeneratorCpu,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Self; 17] = [
        Self::Throughput,
        Self::Mean,
        Self::P50,
        Self::P90,
        Self::P95,
        Self::P99,
        Self::Max,
        Self::CpuPerRequest,
        Self::PeakMemory,
        Self::Errors,
        Self::Goodput,
        Self::Unconnected,
        Self::TimedOut,
        Self::Attempts,
        Self::PageMean,
        Self::PageP50,
        Self::GeneratorCpu,
    ];

    /// Those that any load has, in the order in which tables show them; the others are for claims.
    pub const COLUMNS: [Self; 10] = [
        Self::Throughput,
        Self::Mean,
        Self::P50,
        Self::P90,
        Self::P95,
        Self::P99,
        Self::Max,
        Self::CpuPerRequest,
        Self::PeakMemory,
        Self::Errors,
    ];

    /// The name used in plans, on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Throughput => "throughput",
            Self::Mean => "mean",
            Self::P50 => "p50",
            Self::P90 => "p90",
            Self::P95 => "p95",
            Self::P99 => "p99",
            Self::Max => "max",
            Self::CpuPerRequest => "cpu-per-request",
            Self::PeakMemory => "peak-memory",
            Self::Errors => "errors",
            Self::Goodput => "goodput",
            Self::Unconnected => "unconnected",
            Self::TimedOut => "timed-out",
            Self::Attempts => "attempts",
            Self::PageMean => "page-mean",
            Self::PageP50 => "page-p50",
            Self::GeneratorCpu => "generator-cpu",
        }
    }

    /// The metric of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|metric| metric.name() == name)
    }

    /// Whether a larger figure is the better one.
    pub fn larger_is_better(self) -> bool {
        matches!(self, Self::Throughput | Self::Goodput)
    }

    /// Whether it tells how requests failed or were tried again, so that a trial in which they did
    /// is a witness of it.
    pub fn is_of_errors(self) -> bool {
        matches!(
            self,
            Self::Errors | Self::Goodput | Self::Unconnected | Self::TimedOut | Self::Attempts
        )
    }

    /// Whether it tells what the load generator cost, so that a trial in which the generator was the
    /// bottleneck is a witness of it.
    pub fn is_of_the_generator(self) -> bool {
        self == Self::GeneratorCpu
    }

    /// The quantile of the response time that this metric is, if it is one.
    pub fn quantile(self) -> Option<f64> {
        match self {
            Self::P50 => Some(0.50),
            Self::P90 => Some(0.90),
            Self::P95 => Some(0.95),
            Self::P99 => Some(0.99),
            _ => None,
        }
    }
}
