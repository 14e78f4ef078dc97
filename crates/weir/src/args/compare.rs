//! What `weir compare` understands.

use clap::Args;
use record::Metric;

use super::Side;

/// What `weir compare --help` ends with.
const EXAMPLES: &str = concat!(
    "\
Examples:
  weir compare last last-1
  weir compare last:after last:before --fail-if-worse throughput,p99

Two loads of `weir bench` did not take turns. This plan loads two URLs in turn
(`weir run FILE`), which decides whether they differ:

",
    include_str!("../../../../docs/two-urls.toml")
);

#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    override_usage = "weir compare [OPTIONS] RUN[:VARIANT] RUN[:VARIANT]"
)]
pub(crate) struct CompareArgs {
    /// RUN or RUN:VARIANT to compare; without one, what can be compared is said
    pub(crate) of: Option<Side>,
    /// RUN or RUN:VARIANT to compare it with
    pub(crate) over: Option<Side>,
    /// Exit with code 3 if one of these metrics is worse than on the other side, as in throughput,p99
    ///
    /// Any metric that `weir compare` prints, by its name in plans. It also fails if a metric could not be compared at
    /// all, as that of a variant that did not start. `cannot tell` is no failure: standard error says so.
    #[arg(long, value_name = "METRIC,…", value_delimiter = ',', value_parser = guarded)]
    pub(crate) fail_if_worse: Vec<Metric>,
    /// Exit with code 3 also if it cannot be told whether one of them is worse
    #[arg(long, requires = "fail_if_worse")]
    pub(crate) fail_if_undecided: bool,
}

/// A metric of which two sides have a ratio. Errors are often zero, of which there is none.
fn guarded(text: &str) -> Result<Metric, String> {
    let metric = record::condition::metric_named(text)
        .map_err(|(problem, hint)| format!("{problem}\nhint: {hint}"))?;
    let compared = Metric::columns().filter(|metric| *metric != Metric::Errors);
    let names: Vec<&str> = compared.map(Metric::name).collect();
    if names.contains(&metric.name()) {
        return Ok(metric);
    }
    Err(format!(
        "two sides have no ratio of it\nhint: give one of {}; `--expect` of `weir run` takes every metric",
        names.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_is_named_as_in_plans() {
        assert_eq!(guarded("throughput"), Ok(Metric::Throughput));
        assert_eq!(guarded("median"), Ok(Metric::P50));
        assert_eq!(guarded("cpu-per-request"), Ok(Metric::CpuPerRequest));
        let slip = guarded("thruput").unwrap_err();
        assert!(slip.contains("did you mean `throughput`?"), "{slip}");
        let quantile = guarded("p999").unwrap_err();
        assert!(quantile.contains("are p50, p90, p95, p99"), "{quantile}");
        for none in ["errors", "segments"] {
            let why = guarded(none).unwrap_err();
            assert!(
                why.contains("no ratio of it") && why.contains("p99"),
                "{why}"
            );
        }
    }
}
