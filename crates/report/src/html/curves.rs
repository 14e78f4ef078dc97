use judge::{Curve, Line, Point};
use minijinja::value::Serde;
use minijinja::{Environment, context};
use record::Metric;
use serde::Serialize;

use super::Drawn;
use super::axis::{Axis, Dot, Tick, place};
use crate::{units, words};

/// The size of a drawing, and what is kept free for labels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 34.0;
/// Straight lines for a piece of a spline, and for a law.
const PIECES: usize = 12;
const LAW: usize = 96;
/// More curves than these cannot be told apart in one drawing.
const TOGETHER: usize = 6;

/// Curves of one factor, in one drawing for each figure.
#[derive(Serialize)]
struct Group {
    factor: String,
    plots: Vec<Plot>,
    legend: Vec<Legend>,
}

#[derive(Serialize)]
struct Legend {
    class: String,
    name: String,
    said: Vec<String>,
}

#[derive(Serialize)]
struct Plot {
    id: String,
    title: String,
    summary: String,
    x: Vec<Tick>,
    y: Vec<Tick>,
    series: Vec<Series>,
    /// What the workload allows, as polylines.
    ceilings: Vec<String>,
}

#[derive(Serialize)]
struct Series {
    class: String,
    /// The smoothed curve.
    spline: String,
    /// The law of scalability.
    law: Option<String>,
    intervals: Vec<(String, String, String)>,
    dots: Vec<Dot>,
    marks: Vec<Dot>,
}

/// Curves as a part of a page: nothing where there are none. Its classes are those of
/// the report's style sheet.
///
/// # Panics
/// If the template, which is part of the program, does not fit its data; the tests draw it.
pub fn curves(curves: &[Curve]) -> String {
    let drawn = super::environment().and_then(|environment| draw_curves(&environment, curves));
    drawn.expect("the built-in template fits its data")
}

pub(crate) fn draw_curves(environment: &Environment, curves: &[Curve]) -> Drawn {
    let context = context! {
        groups => Serde(groups(curves)),
        size => (WIDTH, HEIGHT),
        area => (LEFT, TOP, WIDTH - RIGHT, HEIGHT - BOTTOM),
    };
    environment.render_str(include_str!("curves.html"), context)
}

/// Curves along the same factor stand in one drawing, so that they can be compared.
fn groups(curves: &[Curve]) -> Vec<Group> {
    let mut factors: Vec<(&str, Vec<&Curve>)> = Vec::new();
    for curve in curves {
        match factors.iter_mut().find(|(known, _)| *known == curve.factor) {
            Some((_, all)) => all.push(curve),
            None => factors.push((&curve.factor, vec![curve])),
        }
    }
    let drawings = factors.iter().flat_map(|(_, all)| all.chunks(TOGETHER));
    let drawings = drawings.enumerate();
    drawings
        .map(|(number, together)| group(number, together))
        .collect()
}

fn group(number: usize, curves: &[&Curve]) -> Group {
    let has = |metric: &Metric| curves.iter().any(|curve| curve.line(*metric).is_some());
    let time = [Metric::P99, Metric::P50].into_iter().find(has);
    let plots = [Some(Metric::Goodput), time].into_iter().flatten();
    let legend = curves.iter().enumerate().map(|(place, curve)| Legend {
        class: class(place),
        name: curve.name(),
        said: words::turns(curve),
    });
    Group {
        factor: curves[0].factor.clone(),
        plots: plots.map(|metric| plot(number, curves, metric)).collect(),
        legend: legend.collect(),
    }
}

fn class(place: usize) -> String {
    format!("s{place}")
}

fn plot(number: usize, curves: &[&Curve], metric: Metric) -> Plot {
    let lines: Vec<(usize, &Curve, &Line)> = curves
        .iter()
        .enumerate()
        .filter_map(|(place, curve)| Some((place, *curve, curve.line(metric)?)))
        .collect();
    let points = || lines.iter().flat_map(|(.., line)| &line.points);
    let levels = points().map(|point| point.level);
    let x = Axis::over(levels, false, (LEFT, WIDTH - RIGHT));
    let values = points().flat_map(|point| {
        let ends = point.figure.interval.map(|(low, high)| [low, high]);
        let ends = ends.unwrap_or([point.figure.value; 2]);
        point.blocks.iter().map(|(_, value)| *value).chain(ends)
    });
    let ends = (HEIGHT - BOTTOM, TOP);
    let y = match metric {
        Metric::Goodput => Axis::from_zero(values, ends),
        _ => Axis::over(values, true, ends),
    };
    let factor = &curves[0].factor;
    let ceilings = lines.iter().filter_map(|(.., line)| ceiling(line, &x, &y));
    let mut ceilings: Vec<String> = ceilings.collect();
    ceilings.dedup();
    let drawn = lines
        .iter()
        .map(|(place, curve, line)| series(*place, curve, line, &x, &y));
    Plot {
        id: format!("curve-{number}-{}", metric.name()),
        title: format!("{} along {factor}", capital(metric.row().noun)),
        summary: summary(&lines, metric),
        x: x.ticks(words::level),
        y: y.ticks(|value| label(metric, value)),
        series: drawn.collect(),
        ceilings,
    }
}

fn label(metric: Metric, value: f64) -> String {
    match metric {
        Metric::Goodput => units::number(value),
        _ if value > 0.0 => units::round_duration(value),
        _ => "0".to_owned(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// The drawing in words, for those who do not see it.
fn summary(lines: &[(usize, &Curve, &Line)], metric: Metric) -> String {
    let line = |(_, curve, line): &(usize, &Curve, &Line)| {
        let points = line.points.iter().map(|point| {
            let figure = units::figure(metric, &point.figure);
            format!("{figure} at {}", words::level(point.level))
        });
        let points: Vec<_> = points.collect();
        format!("{}: {}.", curve.name(), points.join(", "))
    };
    lines.iter().map(line).collect::<Vec<_>>().join(" ")
}

fn polyline(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let points = points.into_iter().map(|(x, y)| format!("{x:.1},{y:.1}"));
    points.collect::<Vec<_>>().join(" ")
}

/// c / w at each level that has one, as far as it lies in the drawing.
fn ceiling(line: &Line, x: &Axis, y: &Axis) -> Option<String> {
    let points = line.points.iter();
    let known = points.filter_map(|point| Some((point.level, point.ceiling?.most)));
    let all: Vec<(f64, f64)> = known.collect();
    let near = all.iter().any(|(_, most)| *most <= y.ends().1);
    // straight over the levels, and so bent on a logarithmic axis
    let at = |step: usize| {
        let level = x.value(step as f64 / LAW as f64);
        let pair = all.windows(2).find(|pair| level <= pair[1].0)?;
        let ((low, from), (high, to)) = (pair[0], pair[1]);
        let most = from + (to - from) * (level - low) / (high - low);
        (level >= low).then(|| (x.at(level), y.at(most)))
    };
    near.then(|| polyline((0..=LAW).filter_map(at)))
}

fn series(number: usize, curve: &Curve, line: &Line, x: &Axis, y: &Axis) -> Series {
    let at = |point: &Point| (x.at(point.level), y.at(point.figure.value));
    let middles: Vec<(f64, f64)> = line.points.iter().map(at).collect();
    let intervals = line.points.iter().filter_map(|point| {
        let (low, high) = point.figure.interval?;
        let [low, high] = [low, high].map(|end| place(y.at(end)));
        Some((place(x.at(point.level)), low, high))
    });
    let goodput = line.metric == Metric::Goodput;
    let raw = line
        .points
        .iter()
        .flat_map(|point| dots(curve, line, point, x, y));
    Series {
        class: class(number),
        spline: polyline(stats::b_spline(&middles, PIECES)),
        law: goodput.then(|| law(curve, x, y)).flatten(),
        intervals: intervals.collect(),
        dots: raw.collect(),
        marks: marks(curve, line, x, y),
    }
}

/// The raw points: one for each block.
fn dots(curve: &Curve, line: &Line, point: &Point, x: &Axis, y: &Axis) -> Vec<Dot> {
    let class = if point.errors.is_some() {
        "errors"
    } else {
        "raw"
    };
    let (name, level) = (curve.name(), words::level(point.level));
    let dot = |&(block, value): &(u32, f64)| {
        let told = units::metric(line.metric, value);
        let text = format!("{name} at {level}, block {}: {told}", block + 1);
        Dot::new(x.at(point.level), y.at(value), class, text)
    };
    point.blocks.iter().map(dot).collect()
}

/// Knee and collapse, on the points at which they are.
fn marks(curve: &Curve, line: &Line, x: &Axis, y: &Axis) -> Vec<Dot> {
    let knee = curve.knee.filter(|knee| !knee.at_end);
    let knee = knee.map(|knee| (knee.level, "knee"));
    let collapse = curve.collapse.map(|of| (of.level, "collapse"));
    let mark = |(level, class): (f64, &'static str)| {
        let mut points = line.points.iter();
        let point = points.find(|point| words::same(point.level, level))?;
        let text = format!("{}: {class} at {}", curve.name(), words::level(level));
        Some(Dot::new(x.at(level), y.at(point.figure.value), class, text))
    };
    let turns = knee.into_iter().chain(collapse);
    turns.filter_map(mark).collect()
}

/// The law over the part of the axis on which it is believed, if it describes the curve.
fn law(curve: &Curve, x: &Axis, y: &Axis) -> Option<String> {
    let law = curve.law.as_ref().filter(|law| law.fits())?;
    let steps = (0..=LAW).map(|step| x.value(step as f64 / LAW as f64));
    let points = steps.filter_map(|n| Some((x.at(n), y.at(law.at(n)?))));
    Some(polyline(points))
}
