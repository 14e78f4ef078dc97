//! Every metric is one row here: its names, its unit, which way is better, and how it is computed from
//! the facts of a trial. Lists, tables, units and documents follow from the rows.

mod figures;
mod row;

use serde::{Deserialize, Serialize};

use crate::CodeClass;
use figures::{
    cpu_per_request, generator_share, memory, memory_growth, peak_memory, per_response,
    process_memory,
};
pub use row::{Dimension, Of, Row, TakenFrom, Times};
use row::{PROFILE, SHARE, TIME};

macro_rules! metrics {
    ($($(#[$doc:meta])* $metric:ident: $name:literal, $noun:literal, $column:literal => $row:expr,)*) => {
        /// A figure of a trial that can be named in a plan, compared and claimed about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Metric {
            $($(#[$doc])* $metric,)*
        }

        impl Metric {
            /// Every metric, in the order in which tables show them.
            pub const ALL: &[Self] = &[$(Self::$metric,)*];

            /// What is known of it.
            pub fn row(self) -> &'static Row {
                match self {
                    $(Self::$metric => {
                        const ROW: Row = Row { name: $name, noun: $noun, column: $column, ..$row };
                        &ROW
                    })*
                }
            }
        }
    };
}

metrics! {
    /// Completed requests per second.
    Throughput: "throughput", "throughput", "req/s" => Row {
        dimension: Dimension::Rate,
        larger_is_better: true,
        source: TakenFrom::Facts(|of| Some(of.load.throughput())),
        ..TIME
    },
    /// Mean response time in seconds.
    Mean: "mean", "mean response time", "mean" => Row {
        source: TakenFrom::Facts(|of| of.load.response.mean()),
        ..TIME
    },
    /// Median response time in seconds.
    P50: "p50", "median response time", "p50" => Row {
        source: TakenFrom::Quantile(0.50, Times::Response),
        ..TIME
    },
    /// 90th percentile of the response time in seconds.
    P90: "p90", "90th percentile of the response time", "p90" => Row {
        source: TakenFrom::Quantile(0.90, Times::Response),
        ..TIME
    },
    /// 95th percentile of the response time in seconds.
    P95: "p95", "95th percentile of the response time", "p95" => Row {
        source: TakenFrom::Quantile(0.95, Times::Response),
        ..TIME
    },
    /// 99th percentile of the response time in seconds.
    P99: "p99", "99th percentile of the response time", "p99" => Row {
        source: TakenFrom::Quantile(0.99, Times::Response),
        ..TIME
    },
    /// Longest response time in seconds.
    Max: "max", "longest response time", "max" => Row {
        is_peak: true,
        source: TakenFrom::Facts(|of| of.load.response.max()),
        ..TIME
    },
    /// CPU seconds of all processes of the stack per completed request.
    CpuPerRequest: "cpu-per-request", "CPU time per request", "CPU/req" => Row {
        dimension: Dimension::CpuTime,
        source: TakenFrom::Facts(cpu_per_request),
        ..TIME
    },
    /// Sum over the stack's processes of their largest memory, in bytes; what several share counts once.
    PeakMemory: "peak-memory", "peak memory", "memory" => Row {
        dimension: Dimension::Size,
        is_peak: true,
        source: TakenFrom::Facts(peak_memory),
        ..TIME
    },
    /// The same of the front ends' processes alone.
    FrontMemory: "front-memory", "peak memory of the front ends", "front memory" => Row {
        in_tables: false,
        dimension: Dimension::Size,
        is_peak: true,
        source: TakenFrom::Facts(|of| memory(of, &of.stack.fronts())),
        ..TIME
    },
    /// The same of the app server's processes alone.
    AppMemory: "app-memory", "peak memory of the app server", "app memory" => Row {
        in_tables: false,
        dimension: Dimension::Size,
        is_peak: true,
        source: TakenFrom::Facts(|of| memory(of, &[&of.stack.innermost()?.entry])),
        ..TIME
    },
    /// Largest memory, in bytes, of any one of the app server's processes: what a limit for each bounds.
    ProcessMemory: "process-memory", "peak memory of the app server's largest process", "process memory" => Row {
        in_tables: false,
        dimension: Dimension::Size,
        is_peak: true,
        source: TakenFrom::Facts(process_memory),
        ..SHARE // who is restarted at a limit loses requests
    },
    /// Resident memory of the app server's processes at the window's end over what they had at its begin; of those that were
    /// there then.
    MemoryGrowth: "memory-growth", "growth of the app server's memory", "memory growth" => Row {
        in_tables: false,
        dimension: Dimension::Count,
        is_peak: true,
        source: TakenFrom::Facts(memory_growth),
        ..TIME
    },
    /// TCP connections opened in the load's network namespace, by clients and by programs among themselves, for each response.
    Opens: "opens", "connections opened per response", "opens" => Row {
        in_tables: false,
        dimension: Dimension::Count,
        source: TakenFrom::Facts(|of| of.load.per_response(of.load.network?.opened)),
        ..TIME
    },
    /// TCP connections that programs of the stack opened among themselves, for each response: see [`crate::Measured::opened_inside`].
    OpensInside: "opens-inside", "connections opened between programs per response", "opens inside" => Row {
        in_tables: false,
        dimension: Dimension::Count,
        source: TakenFrom::Facts(crate::Measured::opened_inside),
        ..TIME
    },
    /// TCP segments sent in the load's network namespace, by clients and by programs among themselves, for each response.
    Segments: "segments", "TCP segments per response", "segments" => Row {
        in_tables: false,
        dimension: Dimension::Count,
        source: TakenFrom::Facts(|of| of.load.per_response(of.load.network?.segments)),
        ..TIME
    },
    /// Bytes sent in the load's network namespace with the headers of IP and TCP, by clients and by programs among
    /// themselves, for each response.
    PacketBytes: "packet-bytes", "bytes of packets per response", "bytes" => Row {
        in_tables: false,
        dimension: Dimension::Size,
        source: TakenFrom::Facts(|of| per_response(of, |network| network.bytes)),
        ..TIME
    },
    /// TCP segments that reset a connection or refused one in the load's network namespace, for each response.
    Resets: "resets", "TCP resets per response", "resets" => Row {
        in_tables: false,
        dimension: Dimension::Count,
        source: TakenFrom::Facts(|of| per_response(of, |network| network.resets)),
        ..TIME
    },
    /// Share of the scheduled requests that got no correct response, in time or at all, 0 to 1: see
    /// [`crate::LoadFacts::lost`].
    Errors: "errors", "share of failed requests", "errors" => Row {
        in_tables: true,
        source: TakenFrom::Facts(|of| of.load.error_share()),
        ..SHARE
    },
    /// Correct responses per second, where errors are what is measured: throughput that failures do not
    /// keep from counting.
    Goodput: "goodput", "correct responses per second", "right/s" => Row {
        dimension: Dimension::Rate,
        larger_is_better: true,
        source: TakenFrom::Facts(|of| Some(of.load.throughput())),
        ..SHARE
    },
    /// Share of the scheduled requests that got no connection (refused, accept queue full, not
    /// opened in time), 0 to 1.
    Unconnected: "unconnected", "share of requests without a connection", "unconnected" => Row {
        source: TakenFrom::Facts(|of| of.load.share(of.load.unconnected())),
        ..SHARE
    },
    /// Share of the scheduled requests that were not answered in time, 0 to 1.
    TimedOut: "timed-out", "share of timed-out requests", "timed out" => Row {
        source: TakenFrom::Facts(|of| of.load.share(of.load.timed_out)),
        ..SHARE
    },
    /// Longest time in seconds from a fault until correct responses came as before: see [`crate::LoadFacts::recovery`].
    Recovery: "recovery", "time to recover from a fault", "recovery" => Row {
        dimension: Dimension::Time,
        source: TakenFrom::Facts(|of| Some(of.load.recovery()?.seconds)),
        ..SHARE
    },
    /// Attempts per request, 1 where nobody tries again.
    Attempts: "attempts", "attempts per request", "attempts" => Row {
        dimension: Dimension::Count,
        source: TakenFrom::Facts(|of| of.load.share(of.load.scheduled + of.load.retries)),
        ..SHARE
    },
    /// Mean time of a page with its assets, in seconds.
    PageMean: "page-mean", "mean time of a page", "page mean" => Row {
        in_tables: false,
        source: TakenFrom::Facts(|of| of.load.pages.mean()),
        ..TIME
    },
    /// Median time of a page with its assets, in seconds.
    PageP50: "page-p50", "median time of a page", "page p50" => Row {
        in_tables: false,
        source: TakenFrom::Quantile(0.50, Times::Page),
        ..TIME
    },
    /// The load generator's share of the CPU time that it and the stack's processes took together over
    /// the window and its drain, 0 to 1.
    GeneratorCpu: "generator-cpu", "load generator's share of the CPU time", "generator" => Row {
        of: Of::Generator,
        source: TakenFrom::Facts(generator_share),
        ..SHARE
    },
    /// Share of a profile's samples on CPU that worked on behalf of the app, 0 to 1.
    AppShare: "app-share", "app's share of the CPU samples", "app" => Row {
        source: TakenFrom::Facts(|of| of.load.profile.as_ref()?.share_of(CodeClass::App)),
        ..PROFILE
    },
    /// Share of a profile's samples on CPU that worked on behalf of a framework, 0 to 1.
    FrameworkShare: "framework-share", "framework's share of the CPU samples", "framework" => Row {
        source: TakenFrom::Facts(|of| of.load.profile.as_ref()?.share_of(CodeClass::Framework)),
        ..PROFILE
    },
    /// Share of a profile's samples on CPU that worked on behalf of the app server, 0 to 1.
    ServerShare: "server-share", "app server's share of the CPU samples", "server" => Row {
        source: TakenFrom::Facts(|of| of.load.profile.as_ref()?.share_of(CodeClass::Server)),
        ..PROFILE
    },
    /// Share of the time in which threads had something to compute that they waited for the interpreter lock, 0 to 1.
    LockWait: "lock-wait", "share of waits for the interpreter lock", "lock wait" => Row {
        source: TakenFrom::Facts(|of| of.load.profile.as_ref()?.lock_wait()),
        ..PROFILE
    },
}

impl Metric {
    /// Those that any load has, in the order in which tables show them.
    pub fn columns() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|of| of.row().in_tables)
    }

    /// The name used in plans, on the command line and in JSON.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The metric of this name.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|metric| metric.name() == name)
    }

    /// Whether a larger figure is the better one.
    pub fn larger_is_better(self) -> bool {
        self.row().larger_is_better
    }

    /// What it is measured in.
    pub fn dimension(self) -> Dimension {
        self.row().dimension
    }

    /// The quantile of the response time that this metric is, if it is one.
    pub fn quantile(self) -> Option<f64> {
        match self.row().source {
            TakenFrom::Quantile(quantile, Times::Response) => Some(quantile),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
