use judge::{Judged, Peak};
use record::{Metric, Run, RunStatus, Search, Variant};

use super::Computed;
use crate::units;

/// What several loads of one URL came to: `capacity 31,200 req/s ±1 % with 16 connections; at 50.0 % of it, p99
/// 1.20 ms`, or `most was 31,200 req/s ±1 % at 16 connections`.
pub(super) fn headline(search: Search, run: &Run, judged: &Judged) -> String {
    let found = match (&judged.peak, search) {
        (None, Search::Sweep) => "nothing was measured".to_owned(),
        (None, Search::Survey) => "no capacity found: no load was without errors".to_owned(),
        (Some(peak), Search::Sweep) => format!("most was {} at {}", rate(peak), peak.variant),
        (Some(peak), Search::Survey) => {
            let latency = latency(run, judged).unwrap_or_default();
            format!("capacity {} with {}{latency}", rate(peak), peak.variant)
        }
    };
    let doubted = judged.trials.iter().filter(|trial| !trial.counts).count();
    let doubted = match doubted {
        0 => String::new(),
        some => format!("; {some} of {} loads are doubted", judged.trials.len()),
    };
    let ended = match run.status {
        RunStatus::Stopped => "; ended by you before it was over",
        RunStatus::Begun | RunStatus::Finished => "",
    };
    format!("{found}{doubted}{ended}")
}

/// How it was found.
pub fn computed_peak(search: Search, judged: &Judged) -> Vec<Computed> {
    let one = |figure: &str, formula: String| Computed {
        figure: figure.to_owned(),
        formula,
    };
    if search == Search::Sweep {
        let formula = "the load with the most correct responses per second; its interval is that of the median of its \
                       window's tenths";
        return vec![one("most", formula.to_owned())];
    }
    let capacity = judged.peak.as_ref().map(|peak| {
        format!(
            "{} with {}, the most of all closed loops without an error; its interval is that of the median of the \
             window's tenths",
            units::rate(peak.rate.value),
            peak.variant
        )
    });
    let capacity = capacity.unwrap_or_else(|| "no closed loop was without errors".to_owned());
    let survey = "connections are doubled from 1 until two steps in a row gain less than 2 % over the best, or requests \
                  fail; open loops then at shares of the capacity (capacity from closed, latency from open: \
                  Schroeder, Wierman, Harchol-Balter, NSDI 2006)";
    vec![one("capacity", capacity), one("survey", survey.to_owned())]
}

fn rate(peak: &Peak) -> String {
    let around = units::uncertainty(&peak.rate).unwrap_or_default();
    let rate = format!("{} {around}", units::rate(peak.rate.value));
    rate.trim_end().to_owned()
}

/// What users would wait at the second of the open loops.
fn latency(run: &Run, judged: &Judged) -> Option<String> {
    let plan = &run.plan;
    let open = |variant: &&Variant| plan.load_of(variant).shape.is_open();
    let half = plan.variants.iter().filter(open).nth(1)?;
    let opinion = judged.variants.iter().find(|of| of.name == half.name)?;
    let mut known = [Metric::P99, Metric::Mean].into_iter();
    let (metric, figure) =
        known.find_map(|metric| Some((metric, opinion.figures.get(&metric)?)))?;
    let time = units::duration(figure.value);
    let name = metric.name();
    Some(format!("; at {} of it, {name} {time}", half.name))
}
