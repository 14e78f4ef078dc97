//! The one place that puts conclusions into words, so that the terminal and the HTML say the same.
//!
//! Names stand in backticks; the HTML turns those into `<code>`.

mod again;
mod applied;
mod capacity;
mod care;
mod ceiling;
mod claim;
pub(crate) mod client;
mod compared;
mod counters;
mod crowd;
mod curves;
mod cut;
mod explain;
mod headline;
mod interrupted;
mod kernel;
mod load;
mod loads;
mod looks;
mod machines;
mod method;
mod named;
mod not_tried;
mod pace;
mod parts;
mod peak;
mod quiet;
mod rankings;
mod reversed;
mod revised;
mod segments;
mod sign;
mod slow;
mod states;
mod stress;
mod times;
mod undecided;
mod windows;

pub use applied::{
    amplification, applied, asleep, lengths, retries, sent_again, timed_out, warm_up,
};
pub use capacity::shares;
pub use care::with_care;
pub use ceiling::standing;
pub use claim::{claim_verdict, condition_verdict, differs, exchanged, expected, holds, measured};
pub use compared::to_decide;
pub(crate) use compared::{
    DIFFERS, IN_TURN, apart, compared, more, more_blocks, not_in_turn, times_the,
};
pub(crate) use counters::{COUNTED, counters};
pub use crowd::crowd;
pub(crate) use curves::same;
pub use curves::{answered, curve, level, turns};
pub use cut::{cut, short, too_few_blocks};
pub use explain::{Computed, computed, computed_columns, outcome};
pub use headline::{best, headline};
pub use interrupted::interrupted;
pub(crate) use load::briefly;
pub use load::{
    TIMED_OUT_ADVICE, accounting, achieved, cause_advice, crossed, engine, failures, shape,
};
pub use loads::loads;
pub use looks::looks;
pub use machines::machines;
pub use method::{divided, how_to_read, method, network, revisions};
pub use named::{NamedRow, named};
pub(crate) use not_tried::not_tried;
pub use pace::{Paces, pace, paces};
pub(crate) use parts::parts;
pub use peak::{computed_peak, tried};
pub use quiet::quiet;
pub(crate) use rankings::ranking;
pub use record::units::counted;
pub(crate) use revised::{became, served, to_tell};
pub use segments::{LEG_COLUMNS, SegmentRow, segments};
pub use sign::ratio;
pub(crate) use sign::{ratio_alone, signed, signs};
pub use slow::slow;
pub(crate) use stress::stressed;
pub use times::{SHORTEST, Timed, duration, off, quantile, quantile_within, timed};
pub use undecided::{too_wide, undecided};
pub use windows::whole;

use judge::{Comparison, Judged, NoiseFloor, Scatter, VariantOpinion, Verdict};
use record::{Knob, Metric, Run, RunStatus, Step, Trial};

use crate::units;

/// A verdict on two variants.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Same => "same",
        Verdict::CannotTell => "cannot tell",
    }
}

/// A comparison as a sentence without its full stop.
pub fn comparison(of: &Comparison) -> String {
    format!(
        "{} of `{}` is {} that of `{}`: {}",
        of.metric.row().noun,
        of.of,
        ratio(of),
        of.over,
        verdict(of.verdict),
    )
}

/// What a comparison rests on, so many of what is called so: `6 blocks, interleaved`.
pub fn pairs(of: &Comparison, called: &str) -> String {
    let number = counted(u64::from(of.pairs), called);
    let how = if of.paired {
        "interleaved"
    } else {
        "not interleaved: measured at different times"
    };
    format!("{number}, {how}")
}

/// Why a quantile is not given: `p99 needs 1,000 responses, there are 997`.
pub fn too_few_for(name: &str, q: f64, answers: u64) -> String {
    let (needed, there) = (units::count(judge::samples_for(q)), units::count(answers));
    format!("{name} needs {needed} responses, there are {there}")
}

/// The reason for each quantile that some variant may not give, with the most answers any of them has.
fn too_few(variants: &[VariantOpinion]) -> Vec<String> {
    let answers = |variant: &VariantOpinion| {
        let each = variant.response.count().checked_div(variant.counted.into());
        each.unwrap_or(0)
    };
    let most = |metric: &Metric| {
        let missing = variants
            .iter()
            .filter(|variant| variant.too_few.contains(metric));
        missing.map(answers).max()
    };
    let reason = |metric: &Metric| {
        let reason = too_few_for(metric.name(), metric.quantile()?, most(metric)?);
        Some(format!("{reason} in a trial"))
    };
    Metric::ALL.iter().filter_map(reason).collect()
}

/// How far apart two equal things lay.
pub fn noise_floor(floor: &NoiseFloor) -> String {
    let measured = units::ratio_within(floor.comparison.ratio, floor.comparison.interval);
    let noise = match floor.share.map(units::about) {
        Some(share) => format!("differences within {share} are noise here"),
        None => "too few blocks to say what is noise".to_owned(),
    };
    format!(
        "`{}` against itself came out at {measured}: {noise}",
        floor.variant
    )
}

/// How far equal measurements lay apart, and what would narrow an interval.
pub fn scatter(scatter: &Scatter) -> String {
    let [between, within] = [scatter.between, scatter.within].map(units::about);
    let what = match scatter.between / scatter.within {
        of if of > 2.0 => "more blocks narrow the intervals, longer windows hardly",
        of if of < 0.5 => "longer windows narrow the intervals as much as more blocks",
        _ => "more blocks narrow the intervals, longer windows a little",
    };
    format!("{between} between starts, {within} of a window's mean within one: {what}")
}

/// How often: `6 blocks: every variant started afresh in each, in random order (seed 2008)`; whether loads took turns is
/// in the trials.
pub fn blocks(run: &Run, trials: &[Trial]) -> String {
    let blocks = counted(u64::from(run.plan.blocks), "block");
    let blocks = match run.plan.looks() {
        Some(least) => format!("{least} to {blocks}"),
        None => blocks,
    };
    let urls = run
        .plan
        .variants
        .iter()
        .filter(|variant| variant.url.is_some());
    let (how, remark) = match urls.count() {
        0 => ("started afresh", ""),
        some if some < run.plan.variants.len() => ("started afresh (a URL: loaded)", ""),
        // the loads of `weir bench` have no order to draw
        _ if run.plan.blocks == 1 => return format!("{blocks}: every variant loaded once"),
        _ => (
            "loaded in turn",
            "; weir does not start these servers, so what differs from start to start is in no interval",
        ),
    };
    let windows = windows::windows(&run.plan, trials);
    format!(
        "{blocks}: every variant {how} in each, in random order (seed {}){windows}{remark}",
        run.plan.seed
    )
}

/// The machine: `2 cores of Intel Xeon, 25.3 GB, Debian 12, Linux 6.18`.
pub fn host(run: &Run) -> String {
    let host = &run.host;
    format!(
        "{} of {}, {}, {}, Linux {}",
        counted(u64::from(host.cores), "core"),
        host.cpu,
        units::bytes(host.memory as f64),
        host.system,
        host.kernel
    )
}

/// The value of a knob.
pub fn knob(value: &Knob) -> String {
    match value {
        Knob::Switch(true) => "on".to_owned(),
        Knob::Switch(false) => "off".to_owned(),
        Knob::Number(number) => number.to_string(),
        Knob::Text(text) => text.clone(),
    }
}

/// An argument vector as a shell would take it.
pub fn command(argv: &[String]) -> String {
    // no argument of a program can have a NUL in it
    let words: Vec<String> = argv.iter().map(|word| word.replace('\0', "")).collect();
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default()
}

/// How far a run came.
pub fn status(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Begun => "cut short or still running",
        RunStatus::Finished => "finished",
        RunStatus::Stopped => "stopped",
    }
}

/// The step at which a trial failed: `while becoming ready`.
pub fn step(step: Step) -> &'static str {
    match step {
        Step::Start => "while starting",
        Step::Ready => "while becoming ready",
        Step::Verify => "while its responses were compared",
        Step::Load => "under load",
        Step::Stop => "while stopping",
    }
}

/// What to say below the table of variants: where figures and ratios have opposite orders, why quantiles are missing, which
/// trials are left out, whose blocks are of two states, and what a request costs at the same rate.
pub fn notes(judged: &Judged) -> Vec<String> {
    let missing = too_few(&judged.variants).into_iter();
    let missing = missing.map(|reason| format!("≥ {reason}"));
    let mut notes: Vec<String> = reversed::reversed(judged)
        .into_iter()
        .chain(missing)
        .collect();
    let some = |of: &&VariantOpinion| of.left_out > 0 && of.counted > 0;
    for variant in judged.variants.iter().filter(some) {
        let (name, out) = (&variant.name, variant.left_out);
        let trials = counted(u64::from(variant.counted + out), "trial");
        notes.push(format!("{out} of {trials} of `{name}` left out"));
    }
    notes.extend(judged.variants.iter().flat_map(again::taken_again));
    notes.extend(judged.variants.iter().filter_map(states::two_states));
    notes.extend(curves::ceilings(judged));
    let compared = judged.variants.iter().flat_map(|of| &of.against_baseline);
    let costs = compared
        .clone()
        .filter(|of| of.metric == Metric::CpuPerRequest);
    notes.extend(costs.map(|of| format!("at the same rate, {}", comparison(of))));
    let shown = compared.filter(|of| of.metric == judged.lead.metric);
    notes.extend(signs("ratio", shown.map(|of| of.elsewhere)));
    notes
}

/// When something happened: `2026-11-20 18:14`.
pub fn moment(at: jiff::Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M").to_string()
}

/// Names in a row: `a`, `a and b`, `a, b and c`.
pub fn list(items: &[String]) -> String {
    record::joined(items, "and")
}

/// As much of a name as so many letters have room for, 1 at least; what is cut ends with `…`.
pub fn shortened(name: &str, room: usize) -> String {
    if name.chars().count() <= room {
        return name.to_owned();
    }
    name.chars().take(room - 1).chain(['…']).collect()
}
