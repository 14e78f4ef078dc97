use record::metric::{TakenFrom, Times};
use record::{LoadFacts, Metric};
use serde::Serialize;

use crate::compare::verdict;
use crate::{Figure, Verdict, quantile, throughput};

/// One figure of two loads that did not take turns.
///
/// Each figure's interval knows how much it scattered within its own load. What drifted between the two loads (another
/// start of the server, the machine, its neighbours) is in neither, so that this is never a verdict. Nor is it known what the load
/// generator took of the cores of what it loaded: the facts of a load have the CPU time of the generator alone.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Apart {
    /// What is compared.
    pub metric: Metric,
    /// Of the load above the line.
    pub of: Figure,
    /// Of the load below it.
    pub over: Figure,
    /// The first over the second.
    pub ratio: f64,
    /// Its 95 % interval, as far as the scatter within the two loads goes; absent where a load was too short to have
    /// one.
    pub interval: Option<(f64, f64)>,
}

impl Apart {
    /// What could be said of these two loads, by the rule of all comparisons ([`crate::Comparison`]). It is none on what was
    /// loaded, and whoever words it has to say so.
    pub fn verdict(&self) -> Verdict {
        let ratio = Figure {
            value: self.ratio,
            interval: self.interval,
        };
        verdict(self.metric, ratio, None)
    }
}

/// Throughput and the quantiles that both loads have.
pub fn against(of: &LoadFacts, over: &LoadFacts) -> Vec<Apart> {
    let whole = apart(Metric::Throughput, throughput(of), throughput(over));
    let metrics = Metric::columns().filter_map(|metric| match metric.row().source {
        TakenFrom::Quantile(q, Times::Response) => Some((metric, q)),
        _ => None,
    });
    let times = metrics.filter_map(|(metric, q)| {
        let (of, over) = (quantile(&of.response, q)?, quantile(&over.response, q)?);
        apart(metric, of, over)
    });
    whole.into_iter().chain(times).collect()
}

/// `None` where a figure is zero.
fn apart(metric: Metric, of: Figure, over: Figure) -> Option<Apart> {
    let ratio = stats::ratio_apart(of, over)?;
    Some(Apart {
        metric,
        of,
        over,
        ratio: ratio.value,
        interval: ratio.interval,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: f64, interval: Option<(f64, f64)>) -> Figure {
        Figure { value, interval }
    }

    #[test]
    fn the_ratio_of_two_loads_is_as_unsure_as_both() {
        let wide = figure(100.0, Some((90.0, 110.0)));
        let same = apart(Metric::Throughput, wide, wide).unwrap();
        let (low, high) = same.interval.unwrap();
        assert!(
            low < 0.9 && high > 1.1,
            "{low} to {high}: wider than either"
        );
        assert!(
            low > 0.8 && high < 1.2,
            "{low} to {high}: narrower than their sum"
        );
        assert_eq!(same.verdict(), Verdict::CannotTell);
        let twice = apart(
            Metric::Throughput,
            figure(200.0, Some((190.0, 210.0))),
            wide,
        )
        .unwrap();
        assert_eq!(twice.verdict(), Verdict::Better);
        let sharp = figure(100.0, Some((100.0, 100.0)));
        let known = apart(Metric::Throughput, sharp, sharp).unwrap();
        assert_eq!(known.interval, Some((1.0, 1.0)));
        assert_eq!(known.verdict(), Verdict::Same);
        // sure, and no difference that anybody should act on: as it is said of variants
        let little = figure(101.0, Some((101.0, 101.0)));
        let little = apart(Metric::Throughput, little, sharp).unwrap();
        assert_eq!(little.verdict(), Verdict::Same);
    }

    #[test]
    fn without_an_interval_nothing_is_said_of_their_scatter() {
        let short = figure(100.0, None);
        let apart = |of, over| apart(Metric::P50, of, over);
        assert_eq!(apart(short, short).unwrap().verdict(), Verdict::CannotTell);
        assert_eq!(apart(short, figure(0.0, None)), None);
    }
}
