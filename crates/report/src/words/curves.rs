use judge::{Collapse, Curve, Figure, Judged, Point, Scalability, Turn, WorkloadCeiling};
use record::Metric;

use crate::units;

/// What a curve shows, as the head of its table.
pub fn curve(of: &Curve) -> String {
    format!("`{}` along `{}`", of.name(), of.factor)
}

/// The name of a curve's first figure: throughput, or what is left of it beside errors.
pub fn answered(of: &Curve) -> &'static str {
    let errors = of.points().iter().any(|point| point.errors.is_some());
    let metric = if errors {
        Metric::Goodput
    } else {
        Metric::Throughput
    };
    metric.row().column
}

/// What is to be said of a curve: where it turns, the law that it follows, and what it says nothing
/// about; a sentence each.
pub fn turns(of: &Curve) -> Vec<String> {
    let at = |level: f64| format!("`{}` = {}", of.factor, self::level(level));
    let mut said = Vec::new();
    said.extend(of.peak.map(|turn| peak(of, turn, &at)));
    said.extend(of.knee.map(|turn| knee(turn, &at)));
    said.extend(of.collapse.map(|of| collapse(of, &at)));
    said.extend(of.law.as_ref().map(law));
    let no_law = of.no_law.iter();
    said.extend(no_law.map(|why| format!("No law of scalability: {why}.")));
    said.extend(at_ceiling(of));
    said.extend(failed(of));
    let missing = of.missing.iter();
    said.extend(missing.map(|of| format!("No figure at {}: {}.", at(of.level), of.why)));
    let mut added = of.points().iter().filter(|point| point.added).peekable();
    if added.peek().is_some() {
        let levels = listed(added.map(|point| point.level));
        said.push(format!(
            "The run added {levels}, where the curve turned in its first block; no claim counts them."
        ));
    }
    said
}

fn within(turn: Turn) -> String {
    let ends = turn.interval.map(|(low, high)| (level(low), level(high)));
    ends.map_or_else(String::new, |(low, high)| format!(" [{low}, {high}]"))
}

fn peak(of: &Curve, turn: Turn, at: &impl Fn(f64) -> String) -> String {
    let mut points = of.points().iter();
    let point = points.find(|point| same(point.level, turn.level));
    let figure = point.map(|point| units::figure(Metric::Goodput, &point.figure));
    let figure = figure.map_or_else(String::new, |figure| format!(", {figure}"));
    let end = turn
        .at_end
        .then_some(", the highest level that was measured");
    let end = end.unwrap_or_default();
    let (level, within) = (at(turn.level), within(turn));
    format!("The peak is at {level}{within}{figure}{end}.")
}

fn knee(turn: Turn, at: &impl Fn(f64) -> String) -> String {
    if turn.at_end {
        return format!(
            "No knee up to {}, the highest level: more load still gains more throughput than it costs response time.",
            at(turn.level)
        );
    }
    format!(
        "Knee at {}{}: more load than that costs more response time than it gains throughput.",
        at(turn.level),
        within(turn)
    )
}

fn collapse(of: Collapse, at: &impl Fn(f64) -> String) -> String {
    format!(
        "Collapse after {}: from {} on surely less than half of the peak is left.",
        at(of.after),
        at(of.level)
    )
}

/// A figure without a unit, with its interval.
fn bare(of: &Figure) -> String {
    units::number_within(of.value, of.interval)
}

fn law(of: &Scalability) -> String {
    let peak = match &of.peak {
        Some(peak) => format!(", most at N = {}", bare(peak)),
        None => ", and no peak within twice the measured range".to_owned(),
    };
    let off = units::about(of.off);
    let fits = if of.fits() {
        format!("It is {off} off at most.")
    } else {
        format!("It is {off} off somewhere: this is not the law behind the curve.")
    };
    format!(
        "Universal scalability law: λ = {} alone, contention σ = {}, coherency κ = {}{peak}. {fits}",
        bare(&of.alone),
        bare(&of.contention),
        bare(&of.coherency)
    )
}

/// `500 at once / 100 ms = 5,000 req/s`.
fn ceiling(of: &WorkloadCeiling) -> String {
    format!(
        "{} at once / {} = {}",
        units::count(of.slots),
        units::duration(of.least),
        units::rate(of.most)
    )
}

fn at_ceiling(of: &Curve) -> Option<String> {
    let points = of.points().iter();
    let reached = |point: &Point| Some((point.level, point.ceiling.filter(|of| of.reached)?));
    let reached: Vec<(f64, WorkloadCeiling)> = points.filter_map(reached).collect();
    let (_, highest) = reached.last()?;
    Some(format!(
        "At `{}` = {} it stands at the workload's ceiling ({}): this says nothing about the server, and only more load would.",
        of.factor,
        listed(reached.iter().map(|(level, _)| *level)),
        ceiling(highest)
    ))
}

fn failed(of: &Curve) -> Option<String> {
    let points = of.points().iter();
    let failing = points.filter_map(|point| Some((point.level, point.errors?)));
    let (levels, shares): (Vec<f64>, Vec<f64>) = failing.unzip();
    let worst = units::percent(shares.into_iter().reduce(f64::max)?);
    let (factor, levels) = (&of.factor, listed(levels.into_iter()));
    Some(format!(
        "At `{factor}` = {levels} requests failed (up to {worst}): only correct responses are counted there."
    ))
}

/// Variants beside the curves that stand at the ceiling of their workload.
pub(super) fn ceilings(judged: &Judged) -> impl Iterator<Item = String> + '_ {
    let on_curve = |variant: &str| {
        let mut points = judged.curves.iter().flat_map(Curve::points);
        points.any(|point| point.variant == variant)
    };
    let reached = judged.ceilings.iter().filter(|of| of.ceiling.reached);
    reached.filter(move |of| !on_curve(&of.variant)).map(|of| {
        format!(
            "`{}` stands at {} of its workload's ceiling ({}): this says nothing about the server",
            of.variant,
            units::about(of.ceiling.share),
            ceiling(&of.ceiling)
        )
    })
}

/// `1, 20 and 300`.
fn listed(levels: impl Iterator<Item = f64>) -> String {
    super::list(&levels.map(level).collect::<Vec<_>>())
}

/// A level as it was set: `500`, `0.5`.
pub fn level(of: f64) -> String {
    if of.fract() == 0.0 && (0.0..1e15).contains(&of) {
        units::count(of as u64)
    } else {
        of.to_string()
    }
}

/// Levels are the same where they were made of the same number.
pub(crate) fn same(a: f64, b: f64) -> bool {
    a.total_cmp(&b).is_eq()
}
