//! What one side of a comparison has and the other lacks, so that it is in no row.

use record::{LoadFacts, Metric, Run, units};

use crate::guarded::why;
use crate::latency::{enough, samples_for};
use crate::opinion::Comparison;
use crate::runs::{CompareError, Side, called, nothing_counts, variants};
use crate::seen_run::SeenRun;
use crate::words::listed;

/// What is not compared, a sentence each: variants that only one of two runs has, variants of which nothing counts on one
/// side, and metrics that only one of two variants has, or that are zero on one side. `found` is what was compared
/// ([`compare`](crate::compare)).
///
/// # Errors
/// The sides have nothing to compare.
pub fn left_out(of: Side, over: Side, found: &[Comparison]) -> Result<Vec<String>, CompareError> {
    let pairs = variants(of, over)?;
    let mut told = Vec::new();
    if of.2.is_none() && over.2.is_none() {
        let first = |name: &str| pairs.iter().any(|(first, _)| first == name);
        let second = |name: &str| pairs.iter().any(|(_, second)| second == name);
        told.extend(alone(of.0, first));
        told.extend(alone(over.0, second));
    }
    let (above, below) = (SeenRun::new(of.0, of.1), SeenRun::new(over.0, over.1));
    for (first, second) in &pairs {
        told.extend(of_pair((&above, first), (&below, second), found));
    }
    Ok(told)
}

/// The same of two loads of a URL, each with the number of its run: quantiles for which only one has enough responses.
pub fn left_out_of_loads(of: (i64, &LoadFacts), over: (i64, &LoadFacts)) -> Vec<String> {
    let told = |metric: Metric| {
        let q = metric.quantile()?;
        let has = |(_, load): (i64, &LoadFacts)| enough(q, load.response.count());
        let (run, load) = match (has(of), has(over)) {
            (true, false) => over,
            (false, true) => of,
            (true, true) | (false, false) => return None,
        };
        let (noun, name) = (metric.row().noun, metric.name());
        let [needed, there] = [samples_for(q), load.response.count()].map(units::count);
        Some(format!(
            "{noun} is not compared: {name} needs {needed} responses, and run {run} has {there}"
        ))
    };
    Metric::columns().filter_map(told).collect()
}

/// The variants of a run that are compared with none of the other one's.
fn alone(run: &Run, is_compared: impl Fn(&str) -> bool) -> Option<String> {
    let names = run.plan.variants.iter().map(|of| of.name.as_str());
    let names: Vec<&str> = names.filter(|name| !is_compared(name)).collect();
    if names.is_empty() {
        return None;
    }
    let (run, names) = (run.id, listed(names));
    Some(format!("only run {run} has {names}: not compared"))
}

/// What is not compared of two variants. A metric that both lack, or that is zero in both, is nothing to compare.
fn of_pair(of: (&SeenRun, &str), over: (&SeenRun, &str), found: &[Comparison]) -> Vec<String> {
    let (first, second) = called(of.0.run, over.0.run, (of.1, over.1));
    let theirs = found
        .iter()
        .filter(|known| known.of == first && known.over == second);
    let compared: Vec<Metric> = theirs.map(|known| known.metric).collect();
    if compared.is_empty() {
        return vec![nothing_counts(of, over).to_string()];
    }
    let has = |(seen_run, variant): (&SeenRun, &str), metric| {
        let values = seen_run.by_block(variant, metric);
        values.into_values().any(|value| value > 0.0)
    };
    let missing = Metric::columns()
        .filter(|metric| !compared.contains(metric))
        .filter(|metric| has(of, *metric) || has(over, *metric));
    let told = missing.map(|metric| {
        let (noun, why) = (metric.row().noun, why([of, over], metric));
        format!("{noun} of `{first}` and `{second}` is not compared: {why}")
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(responses: u64) -> LoadFacts {
        let mut load = LoadFacts::default();
        (0..responses).for_each(|_| load.response.record(1_000_000));
        load
    }

    #[test]
    fn a_quantile_that_one_load_has_is_told() {
        let (whole, few) = (load(1_000), load(999));
        let told = "99th percentile of the response time is not compared: p99 needs 1,000 responses, and run 2 has 999";
        assert_eq!(left_out_of_loads((1, &whole), (2, &few)), [told]);
        assert_eq!(left_out_of_loads((2, &few), (1, &whole)), [told]);
        for load in [&whole, &few] {
            assert!(left_out_of_loads((1, load), (2, load)).is_empty());
        }
    }
}
