use record::Distribution;
use serde::Serialize;

use super::axis::{Axis, rounds};
use crate::units;

/// Times on one logarithmic axis, a strip for each: the response times of all variants, or all that
/// was timed in one of them.
///
/// A strip shows how the answers spread over the axis (its height is relative to its own peak),
/// with a thin line from the fastest to the slowest. Places are percentages of the axis, so the
/// drawing stretches while the labels keep their size.
#[derive(Serialize)]
pub(crate) struct Strips {
    ticks: Vec<Tick>,
    rows: Vec<Strip>,
}

#[derive(Serialize)]
struct Tick {
    at: String,
    label: String,
    /// Not a power of ten: left out where there is little room.
    minor: bool,
}

#[derive(Serialize)]
struct Strip {
    name: String,
    title: String,
    /// The area, in a box of `WIDTH` by `HEIGHT`.
    area: String,
    from: String,
    to: String,
    /// The known quantiles and where they lie.
    marks: Vec<(&'static str, String)>,
    /// The same in words, and the longest: `p50 226 ms`.
    parts: Vec<String>,
}

/// The box in which an area is drawn; it is stretched to the strip's size.
const WIDTH: f64 = 1_000.0;
const HEIGHT: f64 = 100.0;
/// Cells of the axis, and over how many of them (one deviation) a count is smeared, so that the
/// outline shows the shape and not the noise of neighbouring cells.
const CELLS: usize = 250;
const SMEAR: f64 = 1.5;

/// The quantiles that are told where there are answers enough.
const TOLD: [(&str, f64); 4] = [("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99)];

/// Times with a name and a title.
type Named<'a> = (&'a str, &'a str, &'a Distribution);

impl Strips {
    /// Those that are empty are left out.
    pub(crate) fn new<'a>(all: impl Iterator<Item = Named<'a>>) -> Option<Self> {
        let rows: Vec<Named> = all.filter(|(.., times)| !times.is_empty()).collect();
        let axis = axis(rows.iter().map(|(.., times)| *times))?;
        Some(Self {
            ticks: ticks(&axis),
            rows: rows.into_iter().map(|of| Strip::new(of, &axis)).collect(),
        })
    }
}

impl Strip {
    fn new((name, title, times): Named, axis: &Axis) -> Self {
        let at = |seconds| percent(share(axis, seconds));
        let known = TOLD
            .iter()
            .filter(|(_, q)| judge::enough(*q, times.count()));
        let known = known.filter_map(|(name, q)| Some((*name, times.quantile(*q)?)));
        let longest = times.max().map(|seconds| ("max", seconds));
        let parts = known.clone().chain(longest);
        // p95 lies too near the others to be seen beside them
        let marked = known.filter(|(name, _)| *name != "p95");
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            area: area(times, axis),
            from: at(times.min().unwrap_or(axis.ends().0)),
            to: at(times.max().unwrap_or(axis.ends().1)),
            marks: marked.map(|(name, seconds)| (name, at(seconds))).collect(),
            parts: parts
                .map(|(name, seconds)| format!("{name} {}", units::duration(seconds)))
                .collect(),
        }
    }
}

/// The outline of the answers over the axis.
fn area(times: &Distribution, axis: &Axis) -> String {
    let mut cells = vec![0.0; CELLS];
    for (seconds, count) in times.cells() {
        let cell = (share(axis, seconds) * CELLS as f64) as usize;
        cells[cell.min(CELLS - 1)] += count as f64;
    }
    let smooth = smeared(&cells);
    let peak = smooth.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let point = |(cell, height): (usize, &f64)| {
        let x = (cell as f64 + 0.5) / CELLS as f64 * WIDTH;
        format!("{x:.0},{:.1}", HEIGHT * (1.0 - height / peak))
    };
    let points: Vec<String> = smooth.iter().enumerate().map(point).collect();
    format!("M0,{HEIGHT} L{} L{WIDTH},{HEIGHT} Z", points.join(" "))
}

/// Each cell's count spread over its neighbours as a bell.
fn smeared(cells: &[f64]) -> Vec<f64> {
    let reach = (SMEAR * 3.0) as usize;
    let weight = |step: usize| (-0.5 * ((step as f64 - reach as f64) / SMEAR).powi(2)).exp();
    let neighbour = |cell: usize, step: usize| cells.get((cell + step).checked_sub(reach)?);
    let spread = |cell: usize| {
        let steps = 0..=2 * reach;
        let parts = steps.filter_map(|step| Some(neighbour(cell, step)? * weight(step)));
        parts.sum()
    };
    (0..cells.len()).map(spread).collect()
}

/// From below the fastest to beyond the slowest of all, as shares.
fn axis<'a>(all: impl Iterator<Item = &'a Distribution>) -> Option<Axis> {
    let ends = all.filter_map(|times| Some((times.min()?.max(1e-6), times.max()?.max(1e-6))));
    let (low, high) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    Some(Axis::logarithmic(low / 1.15, high * 1.15))
}

/// Where a duration lies, 0 to 1.
fn share(axis: &Axis, seconds: f64) -> f64 {
    axis.at(seconds).clamp(0.0, 1.0)
}

/// Round durations: 1, 2 and 5 of each power of ten, or the powers alone on a long axis.
fn ticks(axis: &Axis) -> Vec<Tick> {
    let (low, high) = axis.ends();
    let all = rounds(low, high, (high / low).log10() > 3.5);
    let inside = all.filter(|(_, seconds)| (low..=high).contains(seconds));
    let tick = |(step, seconds)| Tick {
        at: percent(share(axis, seconds)),
        label: units::round_duration(seconds),
        minor: step > 1.0,
    };
    inside.map(tick).collect()
}

fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(seconds: &[f64]) -> Distribution {
        let mut times = Distribution::default();
        for seconds in seconds {
            times.record((seconds * 1e9) as u64);
        }
        times
    }

    #[test]
    fn an_axis_holds_every_duration_and_has_round_ticks() {
        let (fast, slow) = (of(&[0.018, 0.022]), of(&[0.2, 1.4]));
        let axis = axis([&fast, &slow].into_iter()).unwrap();
        let labels: Vec<_> = ticks(&axis).into_iter().map(|tick| tick.label).collect();
        assert_eq!(
            labels,
            ["20 ms", "50 ms", "100 ms", "200 ms", "500 ms", "1 s"]
        );
        for seconds in [0.018, 0.022, 0.2, 1.4] {
            assert!((0.01..0.99).contains(&share(&axis, seconds)), "{seconds}");
        }
    }

    #[test]
    fn one_single_duration_still_has_an_axis() {
        let one = of(&[0.01]);
        let axis = axis([&one].into_iter()).unwrap();
        assert!((share(&axis, 0.01) - 0.5).abs() < 0.01);
        assert!(!area(&one, &axis).contains("NaN"));
    }

    #[test]
    fn a_long_axis_has_powers_of_ten_only() {
        let wide = of(&[0.000_01, 10.0]);
        let axis = axis([&wide].into_iter()).unwrap();
        assert!(ticks(&axis).iter().all(|tick| !tick.minor));
    }

    #[test]
    fn the_peak_fills_the_box_and_lies_where_the_answers_are() {
        let times = of(&[0.1; 50]);
        let axis = Axis::logarithmic(0.01, 1.0);
        let area = area(&times, &axis);
        assert!(
            area.contains("502,0.0") || area.contains("498,0.0"),
            "{area}"
        );
    }
}
