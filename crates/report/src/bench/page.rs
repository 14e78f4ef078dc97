use minijinja::context;
use minijinja::value::Serde;
use record::{CheckFacts, Distribution, LoadFacts};
use serde::Serialize;

use super::{Bench, verdict};
use crate::html::environment;
use crate::{units, words};

const PAGE: &str = include_str!("page.html");
/// Up to which quantile the curve goes.
const LAST: f64 = 0.999_99;

/// The result as one HTML file that opens offline and needs no script.
///
/// # Panics
/// If the template, which is part of the program, does not fit its data, which has the same shape
/// for every load.
pub fn page(bench: &Bench) -> String {
    draw(bench).expect("the built-in template fits its data")
}

fn draw(bench: &Bench) -> Result<String, minijinja::Error> {
    let mut environment = environment()?;
    environment.add_template("bench.html", PAGE)?;
    let load = bench.load;
    let mut heads = vec!["", "mean"];
    heads.extend(judge::QUANTILES.map(|(name, _)| name));
    heads.push("max");
    environment.get_template("bench.html")?.render(context! {
        url => bench.url,
        verdict => verdict(bench.doubts),
        cut => bench.cut(),
        facts => facts(load),
        heads,
        rows => words::timed(load)
            .iter()
            .map(|timed| row(timed.name, timed.times))
            .collect::<Vec<_>>(),
        segment_heads => words::LEG_COLUMNS,
        segments => words::segments(load).iter().map(|segment| segment.cells().map(str::to_owned)).collect::<Vec<_>>(),
        named => words::named(&load.named).iter().map(named).collect::<Vec<_>>(),
        checks => load.checks.iter().map(check).collect::<Vec<_>>(),
        slowest => load.slowest.iter().map(|slow| words::slow(slow, load.paused.as_ref())).collect::<Vec<_>>(),
        curve => Serde(Curve::of(&load.response)),
        thresholds => bench.thresholds.iter().map(|result| {
            (result.text.clone(), words::crossed(result.crossed), result.because.clone())
        }).collect::<Vec<_>>(),
        doubts => bench.doubts.iter().map(|doubt| doubt.because.clone()).collect::<Vec<_>>(),
    })
}

fn facts(load: &LoadFacts) -> Vec<(&'static str, String)> {
    let always = |name, text| (name, Some(text));
    [
        always("Throughput", units::rate(load.throughput())),
        ("Rate", words::achieved(load)),
        always("Load", words::applied(load)),
        ("Warm-up", words::warm_up(load)),
        always("Window", units::duration(load.seconds)),
        always("Accounted", words::accounting(load)),
        ("Retries", words::retries(load)),
        ("Sent again", words::sent_again(load)),
        always("Engine", words::engine(load)),
    ]
    .into_iter()
    .filter_map(|(name, text)| Some((name, text?)))
    .collect()
}

/// Name, requests, errors, then as [`row`].
fn named(of: &words::NamedRow) -> Vec<String> {
    let mut cells = row(&of.name, &of.response);
    let counts = [of.requests, of.failed].map(units::count);
    cells.splice(1..1, counts);
    cells
}

fn check(of: &CheckFacts) -> [String; 4] {
    [
        of.name.clone(),
        units::count(of.looked_at),
        units::count(of.failed),
        of.example.clone().unwrap_or_default(),
    ]
}

fn row(name: &str, times: &Distribution) -> Vec<String> {
    let known = |seconds: Option<f64>| seconds.map_or(units::NOTHING.into(), units::duration);
    let quantile = |(_, q)| match judge::quantile(times, q) {
        None => units::NOTHING.to_owned(),
        Some(figure) => {
            let around = units::uncertainty(&figure).unwrap_or_default();
            format!("{} {around}", units::duration(figure.value))
        }
    };
    let mut cells = vec![name.to_owned(), known(times.mean())];
    cells.extend(judge::QUANTILES.map(quantile));
    cells.push(known(times.max()));
    cells
}

#[derive(Serialize)]
struct Curve {
    low: String,
    high: String,
    path: String,
}

impl Curve {
    /// The response time over the percentile, as `HdrHistogram`'s plots have it, up to where 100
    /// samples lie beyond.
    fn of(times: &Distribution) -> Option<Self> {
        let (low, high) = (times.min()?.max(1e-6), times.max()?.max(1e-6) * 1.000_1);
        let (steps, nines) = (200, -(1.0 - LAST).log10());
        let points: Vec<_> = (0..=steps)
            .map(|step| f64::from(step) / f64::from(steps))
            .map(|share| (share, 1.0 - 10_f64.powf(-share * nines)))
            .take_while(|&(_, q)| judge::enough(q, times.count()))
            .filter_map(|(share, q)| Some((share, times.quantile(q)?.max(low))))
            .map(|(share, seconds)| {
                let height = (seconds / low).ln() / (high / low).ln();
                format!("{:.1},{:.1}", share * 1000.0, 300.0 * (1.0 - height))
            })
            .collect();
        (points.len() > 1).then(|| Self {
            low: units::duration(low),
            high: units::duration(high),
            path: format!("M{}", points.join(" L")),
        })
    }
}
