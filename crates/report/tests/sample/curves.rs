//! Two backends under more and more clients: one that stays flat, one that collapses.

use judge::{
    Collapse, Counts, Curve, Figure, Line, Missing, Point, Scalability, Turn, WorkloadCeiling,
};
use record::Metric;

use super::{BLOCKS, Dice};

const LEVELS: [f64; 7] = [1.0, 10.0, 25.0, 50.0, 100.0, 200.0, 500.0];

pub(crate) fn curves() -> Vec<Curve> {
    let steady = |clients: f64| (40.0 * clients).min(400.0);
    let collapsing = |clients: f64| {
        if clients > 150.0 {
            60.0
        } else {
            steady(clients) * 1.1
        }
    };
    let mut falls = curve("evented", &collapsing);
    falls.collapse = Some(Collapse {
        level: 200.0,
        after: 100.0,
    });
    falls.no_law = Some("the law is about correct responses, and this curve has errors".into());
    for line in &mut falls.lines {
        for point in line.points.iter_mut().filter(|point| point.level > 150.0) {
            point.errors = Some(0.82);
        }
    }
    let mut flat = curve("threaded", &steady);
    flat.law = Some(Scalability {
        alone: figure(40.0, 0.05),
        contention: figure(0.09, 0.1),
        coherency: figure(0.0, 0.0),
        peak: None,
        range: (1.0, 500.0),
        off: 0.21,
    });
    flat.missing.push(Missing {
        level: 300.0,
        variant: "threaded@connections=300".into(),
        why: "`puma` was not ready after 10 s".into(),
    });
    vec![flat, falls]
}

fn figure(value: f64, share: f64) -> Figure {
    Figure {
        value,
        interval: Some((value * (1.0 - share), value * (1.0 + share))),
    }
}

fn curve(family: &str, rate: &dyn Fn(f64) -> f64) -> Curve {
    let line = |metric: Metric, of: &dyn Fn(f64) -> f64| Line {
        metric,
        points: LEVELS.map(|level| point(family, level, of(level))).to_vec(),
    };
    let mut throughput = line(Metric::Goodput, rate);
    // an app that waits for 25 ms: 40 per client and second
    for point in &mut throughput.points {
        let most = point.level * 40.0;
        point.ceiling = Some(WorkloadCeiling {
            slots: point.level as u64,
            least: 0.025,
            most,
            share: point.figure.value / most,
            reached: point.figure.value >= 0.9 * most,
        });
    }
    throughput.points[2].added = true;
    let lines = vec![
        throughput,
        line(Metric::P50, &|level| level / rate(level)),
        line(Metric::P99, &|level| 1.8 * level / rate(level)),
    ];
    let turn = |level, low, high| Turn {
        level,
        interval: Some((low, high)),
        at_end: false,
    };
    Curve {
        family: family.into(),
        factor: "connections".into(),
        others: vec![("server".into(), "<puma>".into())],
        counts: Counts::Clients,
        lines,
        missing: Vec::new(),
        peak: Some(turn(50.0, 10.0, 200.0)),
        knee: Some(turn(10.0, 1.0, 25.0)),
        collapse: None,
        law: None,
        no_law: None,
    }
}

fn point(family: &str, level: f64, value: f64) -> Point {
    let mut dice = Dice::new(level as u64 + 3);
    let blocks = (0..BLOCKS).map(|block| (block, value * (1.0 + 0.03 * dice.normal())));
    Point {
        level,
        variant: format!("{family}@server=<puma>,connections={level}"),
        figure: figure(value, 0.06),
        blocks: blocks.collect(),
        errors: None,
        ceiling: None,
        added: false,
    }
}
