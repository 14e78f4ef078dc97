use judge::{Judged, Peak, Reached};
use record::{Metric, Run, RunStatus, Search, Variant};

use super::Computed;
use crate::units;

/// What several loads of one URL came to: `capacity 31,200 req/s ±1 % with 16 connections; at 50.0 % of it, p99
/// 1.20 ms`, or `most was 31,200 req/s ±1 % at 16 connections`.
pub(super) fn headline(search: Search, run: &Run, judged: &Judged) -> String {
    let found = match (&judged.peak, search) {
        (None, Search::Sweep) => "nothing was measured".to_owned(),
        (None, Search::Survey) => "no capacity found: no load was without errors".to_owned(),
        (_, Search::Goal) => judged.reached.as_ref().map_or_else(String::new, reached),
        (Some(peak), Search::Sweep) => format!("most was {} at {}", rate(peak), peak.variant),
        (Some(peak), Search::Survey) => {
            let latency = latency(run, judged).unwrap_or_default();
            let (least, rising) = if peak.limited {
                ("at least ", ": the load generator was the bottleneck")
            } else if peak.rising {
                ("at least ", ": still rising at the last step")
            } else {
                ("", "")
            };
            let rate = rate(peak);
            format!(
                "capacity {least}{rate} with {}{rising}{latency}",
                peak.variant
            )
        }
    };
    let doubted = judged.trials.iter().filter(|trial| !trial.counts).count();
    let doubted = match doubted {
        0 => String::new(),
        1 => format!("; 1 of {} loads is doubted", judged.trials.len()),
        some => format!("; {some} of {} loads are doubted", judged.trials.len()),
    };
    let ended = match run.status {
        RunStatus::Stopped => "; ended by you before it was over",
        RunStatus::Begun | RunStatus::Finished => "",
    };
    format!("{found}{doubted}{ended}")
}

/// How far goals hold: `p99 < 200ms` up to 1,240 req/s, and not at 1,300 req/s, with what was measured there. Where no rate
/// failed, or none could be told above, it holds at that rate at least, and why no higher one was tried.
fn reached(of: &Reached) -> String {
    let goals: Vec<String> = of.goals.iter().map(|goal| format!("`{goal}`")).collect();
    let goals = super::list(&goals);
    let hold = if of.goals.len() == 1 { "holds" } else { "hold" };
    if let Some(limit) = &of.limit {
        let known = match of.holds {
            Some(rate) => format!("{goals} {hold} up to at least {}", units::rate(rate)),
            None => open(&goals, hold),
        };
        let (rate, because) = (units::rate(limit.rate), &limit.because);
        return format!("{known}; at {rate} it cannot be told: {because}");
    }
    let because = of.because.as_deref();
    let time = of.cut.map(|seconds| {
        let had = units::round_duration(seconds);
        (had, format!("give --survey-seconds {}", longer(seconds)))
    });
    let not_at = |rate: f64| {
        let because = because.unwrap_or("it does not hold");
        format!("; not at {}: {because}", units::rate(rate))
    };
    let over = |what: &str| match &time {
        Some((had, more)) => format!("the {had} were over before {what}; {more}"),
        None => format!("it ended before {what}"),
    };
    match (of.holds, of.misses) {
        (Some(rate), Some(above)) => {
            let narrow = time.as_ref().map(|(had, more)| {
                format!("; the {had} were over before the two were within 5 %; {more}")
            });
            let (window, missed) = (few_windows(of, rate), not_at(above));
            let rate = units::rate(rate);
            format!(
                "{goals} {hold} up to {rate}{window}{missed}{}",
                narrow.unwrap_or_default()
            )
        }
        (Some(rate), None) => {
            let (window, failed) = (few_windows(of, rate), failed_once(of, rate));
            let what = if failed.is_some() {
                "a second one there"
            } else {
                "a rate failed"
            };
            let (rate, failed, over) = (units::rate(rate), failed.unwrap_or_default(), over(what));
            format!("{goals} {hold} up to at least {rate}{window}{failed}: {over}")
        }
        (None, Some(above)) => {
            let lower = time.map(|(had, more)| format!("; the {had} were over; {more}"));
            format!(
                "{goals} {hold} at no rate that was tried{}{}",
                not_at(above),
                lower.unwrap_or_default()
            )
        }
        (None, None) => {
            let because = because.map_or_else(String::new, |because| format!(" ({because})"));
            let over = over("it was decided");
            format!("{}{because}: {over}", open(&goals, hold))
        }
    }
}

/// Where of no rate that was tried it is known whether it holds.
fn open(goals: &str, hold: &str) -> String {
    format!("it is not known up to which rate {goals} {hold}")
}

/// That a rate holds by one window alone, or not in all of its windows, where it is so.
fn few_windows(of: &Reached, rate: f64) -> String {
    let tried = of.tried.iter();
    let mut there = tried.filter(|of| of.rate.total_cmp(&rate).is_eq());
    let windows = there.next().map(|of| of.windows).unwrap_or_default();
    match windows.all() {
        1 => " (in one window)".to_owned(),
        all if windows.held < all => format!(" (in {} of {all} windows)", windows.held),
        _ => String::new(),
    }
}

/// The lowest rate above one that holds of which a window failed, without enough of them to be sure.
fn failed_once(of: &Reached, holds: f64) -> Option<String> {
    let above = of.tried.iter().filter(|of| of.rate > holds);
    let mut failed = above.filter(|of| of.windows.missed > 0 && !of.windows.decide());
    let first = failed.next()?;
    let because = first.because.as_ref();
    let because = because.map_or_else(String::new, |because| format!(" ({because})"));
    let windows = match first.windows.all() {
        1 => "the only window".to_owned(),
        all => format!("{} of {all} windows", first.windows.missed),
    };
    let rate = units::rate(first.rate);
    Some(format!("; {rate} failed in {windows}{because}"))
}

/// Each rate that was tried with what came of it, and in how many of its windows the goals held; of one that is open, what the
/// last window lacked. Nothing where none was tried.
pub fn tried(of: &Reached) -> Option<String> {
    let all = of.tried.iter().map(|of| {
        let windows = of.windows;
        let came = if windows.hold() {
            "holds"
        } else if windows.fail() {
            "does not hold"
        } else if windows.tell_nothing() {
            "cannot be told"
        } else {
            "decides nothing"
        };
        let (rate, held, all) = (units::rate(of.rate), windows.held, windows.all());
        let because = of.because.as_ref();
        let because = because.map(|because| format!(": {because}; one such window is not enough"));
        let because = because.unwrap_or_default();
        format!("{rate} {came} ({held} of {all}{because})")
    });
    let all: Vec<String> = all.collect();
    let told = || {
        format!(
            "Rates tried, with the windows in which all goals held: {}.",
            all.join("; ")
        )
    };
    (!all.is_empty()).then(told)
}

/// A time that is worth a second search, as it is typed: `60s`, `3m`.
fn longer(seconds: f64) -> String {
    match 3.0 * seconds {
        more if more > 60.0 => format!("{:.0}m", (more / 60.0).ceil()),
        more => format!("{:.0}s", more.ceil()),
    }
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
    if search == Search::Goal {
        let formula = "a closed loop says where to begin (at its rate if the goal held in it, at half of that otherwise); the \
                       rate doubles as long as the goal holds, or is halved until it does; then it lies between one that \
                       holds and one that does not, at the root of their product, until these are within 5 %; what fails is \
                       tried once more before it counts as failing, and what holds in the end once more, too; where the load \
                       itself set the limit in two windows of a rate, it holds up to a lower one at least";
        return vec![one("goal", formula.to_owned())];
    }
    let capacity = judged.peak.as_ref().map(|peak| {
        let rising = if peak.limited {
            "; the load generator's busiest thread had no time left in it, so that there may be more"
        } else if peak.rising {
            "; no closed loop with more connections followed, so that there may be more"
        } else {
            ""
        };
        format!(
            "{} with {}, the most of all closed loops without an error; its interval is that of the median of the \
             window's tenths{rising}",
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
