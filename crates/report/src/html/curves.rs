use judge::{Curve, Line, Point};
use minijinja::context;
use minijinja::value::Serde;
use record::Metric;
use serde::Serialize;

use super::axis::{Axis, Tick};
use crate::{units, words};

const PART: &str = include_str!("curves.html");

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

#[derive(Serialize)]
struct Dot {
    x: String,
    y: String,
    class: &'static str,
    text: String,
}

/// Curves as a part of a page: nothing where there are none. Its classes are those of
/// the report's style sheet.
///
/// # Panics
/// If the template, which is part of the program, does not fit its data; the tests draw it.
pub fn curves(curves: &[Curve]) -> String {
    draw(curves).expect("the built-in template fits its data")
}

fn draw(curves: &[Curve]) -> Result<String, minijinja::Error> {
    let mut environment = super::environment()?;
    environment.add_template("curves.html", PART)?;
    environment.get_template("curves.html")?.render(context! {
        groups => Serde(groups(curves)),
        size => (WIDTH, HEIGHT),
        area => (LEFT, TOP, WIDTH - RIGHT, HEIGHT - BOTTOM),
    })
}

/// Curves along the same factor stand in one drawing, so that they can be compared.
fn groups(curves: &[Curve]) -> Vec<Group> {
    let mut factors: Vec<&str> = curves.iter().map(|curve| &*curve.factor).collect();
    let mut seen = Vec::new();
    factors.retain(|factor| {
        !seen.contains(factor) && {
            seen.push(factor);
            true
        }
    });
    let mut groups = Vec::new();
    for factor in factors {
        let all: Vec<&Curve> = curves
            .iter()
            .filter(|curve| curve.factor == factor)
            .collect();
        for together in all.chunks(TOGETHER) {
            groups.push(group(groups.len(), together));
        }
    }
    groups
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
    let x = Axis::over(
        points().map(|point| point.level),
        false,
        (LEFT, WIDTH - RIGHT),
    );
    let values = points().flat_map(|point| {
        let ends = point
            .figure
            .interval
            .map_or([point.figure.value; 2], |(low, high)| [low, high]);
        point.blocks.iter().map(|(_, value)| *value).chain(ends)
    });
    let ends = (HEIGHT - BOTTOM, TOP);
    let y = match metric {
        Metric::Goodput => Axis::from_zero(values, ends),
        _ => Axis::over(values, true, ends),
    };
    let factor = &curves[0].factor;
    let mut ceilings: Vec<String> = lines
        .iter()
        .filter_map(|(.., line)| ceiling(line, &x, &y))
        .collect();
    ceilings.dedup();
    Plot {
        id: format!("curve-{number}-{}", metric.name()),
        title: format!("{} along {factor}", capital(metric.row().noun)),
        summary: summary(&lines, metric),
        x: x.ticks(words::level),
        y: y.ticks(|value| label(metric, value)),
        series: lines
            .iter()
            .map(|(place, curve, line)| series(*place, curve, line, &x, &y))
            .collect(),
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
        format!(
            "{}: {}.",
            curve.name(),
            points.collect::<Vec<_>>().join(", ")
        )
    };
    lines.iter().map(line).collect::<Vec<_>>().join(" ")
}

fn place(at: f64) -> String {
    format!("{at:.1}")
}

fn polyline(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let points = points.into_iter().map(|(x, y)| format!("{x:.1},{y:.1}"));
    points.collect::<Vec<_>>().join(" ")
}

/// c / w at each level that has one, as far as it lies in the drawing.
fn ceiling(line: &Line, x: &Axis, y: &Axis) -> Option<String> {
    let all: Vec<(f64, f64)> = line
        .points
        .iter()
        .filter_map(|point| Some((point.level, point.ceiling?.most)))
        .collect();
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
        Some((
            place(x.at(point.level)),
            place(y.at(low)),
            place(y.at(high)),
        ))
    });
    Series {
        class: class(number),
        spline: polyline(stats::b_spline(&middles, PIECES)),
        law: (line.metric == Metric::Goodput)
            .then(|| law(curve, x, y))
            .flatten(),
        intervals: intervals.collect(),
        dots: line
            .points
            .iter()
            .flat_map(|point| dots(curve, line, point, x, y))
            .collect(),
        marks: marks(curve, line, x, y),
    }
}

/// The raw points: one for each block.
fn dots(curve: &Curve, line: &Line, point: &Point, x: &Axis, y: &Axis) -> Vec<Dot> {
    let dot = |&(block, value): &(u32, f64)| Dot {
        x: place(x.at(point.level)),
        y: place(y.at(value)),
        class: if point.errors.is_some() {
            "errors"
        } else {
            "raw"
        },
        text: format!(
            "{} at {}, block {}: {}",
            curve.name(),
            words::level(point.level),
            block + 1,
            units::metric(line.metric, value)
        ),
    };
    point.blocks.iter().map(dot).collect()
}

/// Knee and collapse, on the points at which they are.
fn marks(curve: &Curve, line: &Line, x: &Axis, y: &Axis) -> Vec<Dot> {
    let knee = curve
        .knee
        .filter(|knee| !knee.at_end)
        .map(|knee| (knee.level, "knee"));
    let collapse = curve.collapse.map(|of| (of.level, "collapse"));
    let mark = |(level, class): (f64, &'static str)| {
        let point = line
            .points
            .iter()
            .find(|point| words::same(point.level, level))?;
        Some(Dot {
            x: place(x.at(level)),
            y: place(y.at(point.figure.value)),
            class,
            text: format!("{}: {class} at {}", curve.name(), words::level(level)),
        })
    };
    [knee, collapse]
        .into_iter()
        .flatten()
        .filter_map(mark)
        .collect()
}

/// The law over the part of the axis on which it is believed, if it describes the curve.
fn law(curve: &Curve, x: &Axis, y: &Axis) -> Option<String> {
    let law = curve.law.as_ref().filter(|law| law.fits())?;
    let steps = (0..=LAW).map(|step| x.value(step as f64 / LAW as f64));
    let points = steps.filter_map(|n| Some((x.at(n), y.at(law.at(n)?))));
    Some(polyline(points))
}
