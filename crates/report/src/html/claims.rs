//! The pages of claims: one for all, and one for each.

mod parts;

use judge::ClaimVerdict;
use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;

use super::{class, environment};
use crate::claims::{ClaimRow, ClaimStanding, Claims, FieldReport, counts};
use crate::view;
use crate::{JudgedRun, words};

/// What a claim's page is made of.
#[derive(Clone, Copy, Debug)]
pub struct ClaimPage<'a> {
    /// The claim.
    pub row: &'a ClaimRow,
    /// The run that decided it, if one has.
    pub findings: Option<&'a JudgedRun<'a>>,
    /// Its plan as text, and what that text is; none without a plan.
    pub plan: Option<(&'a str, &'a str)>,
    /// The run's report, relative to the page.
    pub report: Option<&'a str>,
}

/// The page of all claims: how many there are of each verdict, and a table for each report. Each row leads to
/// `ID.html`.
///
/// # Panics
/// If the template, which is part of the program, does not fit its data.
pub fn index(claims: &Claims) -> String {
    draw_index(claims).expect("the built-in template fits its data")
}

/// The page of a claim. It leads back to `index.html`.
///
/// # Panics
/// As [`index`] does.
pub fn claim(page: &ClaimPage) -> String {
    draw_claim(page).expect("the built-in template fits its data")
}

fn draw_index(claims: &Claims) -> Result<String, minijinja::Error> {
    let counts = counts(&claims.rows).map(|(word, count)| (word, class(word), count));
    let parts = claims.by_report().into_iter().map(|(source, rows)| {
        let rows: Vec<Row> = rows.into_iter().map(Row::new).collect();
        (title(&source), source, rows)
    });
    let context = context! {
        facts => claims.conditions(),
        counts => counts.collect::<Vec<_>>(),
        parts => Serde(parts.collect::<Vec<_>>()),
        versions => claims.versions(),
    };
    environment()?.render_str(include_str!("claims/index.html"), context)
}

fn draw_claim(page: &ClaimPage) -> Result<String, minijinja::Error> {
    let environment = environment()?;
    let judged = match (&page.row.standing, page.findings) {
        (ClaimStanding::Judged { verdict, .. }, Some(findings)) => Some((verdict, findings)),
        _ => None,
    };
    let mut parts = Vec::new();
    if let Some((verdict, findings)) = judged {
        let about = parts::About {
            variants: variants(verdict, findings),
            rankings: rankings(verdict),
        };
        parts = parts::all(&environment, findings, &about)?;
    }
    let conditions = judged.map_or_else(Vec::new, |(verdict, _)| view::conditions(verdict));
    let context = context! {
        row => Serde(Row::new(page.row)),
        conditions => Serde(conditions),
        facts => judged.map_or_else(Vec::new, |(_, findings)| facts(findings)),
        parts => Serde(parts),
        plan => page.plan,
        report => page.report,
    };
    environment.render_str(include_str!("claims/claim.html"), context)
}

/// What was run, and how far apart two equal variants came out in it.
fn facts(findings: &JudgedRun) -> Vec<(&'static str, String)> {
    let noise = findings.judged.noise_floor.as_ref();
    let noise = noise.map(|floor| ("Noise floor", words::noise_floor(floor)));
    let run = view::facts(findings).into_iter();
    run.chain(noise).collect()
}

/// The variants that a verdict rests on, each once, in the plan's order.
fn variants(verdict: &ClaimVerdict, findings: &JudgedRun) -> Vec<String> {
    let plan = &findings.run.plan;
    let conditions = verdict.conditions.iter();
    let meant: Vec<_> = conditions
        .flat_map(|condition| {
            condition
                .about
                .iter()
                .flat_map(|about| about.variants(plan))
        })
        .collect();
    let names = plan.variants.iter().map(|variant| &variant.name);
    names.filter(|name| meant.contains(name)).cloned().collect()
}

/// The rankings that a verdict rests on.
fn rankings(verdict: &ClaimVerdict) -> Vec<String> {
    let conditions = verdict.conditions.iter();
    let named = conditions.filter_map(|condition| condition.about.as_ref()?.ranking());
    named.map(str::to_owned).collect()
}

/// A claim with what is told of it.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    of: &'a ClaimRow,
    measured: Vec<String>,
    because: Vec<String>,
    changed: Option<&'a str>,
    reason: Option<&'static str>,
    tested: Vec<String>,
    exchanged: Option<&'a str>,
    verdict: &'static str,
    class: &'static str,
}

impl<'a> Row<'a> {
    fn new(of: &'a ClaimRow) -> Self {
        Self {
            measured: of.measured(),
            because: of.because(),
            changed: of.changed(),
            reason: of.reason(),
            tested: of.tested(),
            exchanged: of.exchanged(),
            verdict: of.verdict(),
            class: class(of.kind()),
            of,
        }
    }
}

fn title(source: &FieldReport) -> String {
    match source.title.as_str() {
        "" => format!("Claims {}", source.id),
        title => format!("Report {}: {title}", source.id),
    }
}
