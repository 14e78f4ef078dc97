//! What a claim's page shows of the run that decided it.

use judge::Curve;
use minijinja::value::Serde;
use minijinja::{Environment, context};
use serde::Serialize;

use crate::JudgedRun;
use crate::html::{self, strips::Strips};
use crate::view::{Matrix, Ranking, Stage, Times};

const STAGES: &str = include_str!("stages.html");
const TIMES: &str = include_str!("times.html");

/// What a verdict rests on.
pub(super) struct About {
    /// Names of stages.
    pub(super) stages: Vec<String>,
    /// Names of rankings.
    pub(super) rankings: Vec<String>,
}

/// A section of the page.
#[derive(Serialize)]
pub(super) struct Part {
    /// Unique on the page.
    id: &'static str,
    /// None where what is drawn is a section with a title of its own.
    title: Option<&'static str>,
    /// What is to be seen in it.
    lead: &'static str,
    /// Drawn, escaped.
    html: String,
}

type Drawn = Result<Option<Part>, minijinja::Error>;

/// The sections about it, in order. What else is drawn of a run takes its place here.
pub(super) fn all(
    environment: &Environment,
    findings: &JudgedRun,
    about: &About,
) -> Result<Vec<Part>, minijinja::Error> {
    let About { stages, rankings } = about;
    let all: [Drawn; 4] = [
        Ok(curves(findings, stages)),
        ranked(environment, findings, stages, rankings),
        figures(environment, findings, stages),
        times(environment, findings, stages),
    ];
    let drawn: Result<Vec<_>, _> = all.into_iter().collect();
    Ok(drawn?.into_iter().flatten().collect())
}

fn curves(findings: &JudgedRun, stages: &[String]) -> Option<Part> {
    let of_it = |curve: &&Curve| {
        curve
            .points()
            .iter()
            .any(|point| stages.contains(&point.stage))
    };
    let curves: Vec<Curve> = findings
        .judged
        .curves
        .iter()
        .filter(of_it)
        .cloned()
        .collect();
    (!curves.is_empty()).then(|| Part {
        id: "curves",
        title: None,
        lead: "",
        html: html::curves(&curves),
    })
}

fn ranked(
    environment: &Environment,
    findings: &JudgedRun,
    stages: &[String],
    rankings: &[String],
) -> Drawn {
    let judged = findings.judged;
    let named = judged
        .rankings
        .iter()
        .filter(|of| rankings.contains(&of.name));
    let named: Vec<_> = named.map(Ranking::new).collect();
    let families = findings.run.plan.stages.iter();
    let families = families.filter(|stage| stages.contains(&stage.name));
    let families: Vec<&str> = families
        .filter_map(|stage| Some(stage.sweep.as_ref()?.family.as_str()))
        .collect();
    let matrices = judged.matrices.iter();
    let matrices = matrices.filter(|of| families.contains(&of.family.as_str()));
    let matrices: Vec<_> = matrices.map(Matrix::new).collect();
    if named.is_empty() && matrices.is_empty() {
        return Ok(None);
    }
    let html = environment
        .get_template("rankings.html")?
        .render(context! {
            report => context! { rankings => Serde(named), matrices => Serde(matrices) },
        })?;
    Ok(Some(Part {
        id: "rankings",
        title: None,
        lead: "",
        html,
    }))
}

fn figures(environment: &Environment, findings: &JudgedRun, stages: &[String]) -> Drawn {
    let opinions = findings.judged.stages.iter();
    let opinions = opinions.filter(|stage| stages.contains(&stage.name));
    let rows = opinions.map(|stage| Stage::new(stage, &findings.judged.baseline));
    let context = context! { stages => Serde(rows.collect::<Vec<_>>()) };
    let html = environment.render_str(STAGES, context)?;
    Ok(Some(Part {
        id: "stages",
        title: Some("The stages it rests on"),
        lead: "Medians over the blocks, with the wider side of their 95 % interval.",
        html,
    }))
}

fn times(environment: &Environment, findings: &JudgedRun, stages: &[String]) -> Drawn {
    let opinions = findings.judged.stages.iter();
    let opinions = opinions.filter(|stage| stages.contains(&stage.name));
    let rows: Vec<Times> = opinions.map(Times::of_stage).collect();
    let Some(strips) = Strips::new(&rows) else {
        return Ok(None);
    };
    let html = environment.render_str(TIMES, context! { strips => Serde(strips) })?;
    Ok(Some(Part {
        id: "latency",
        title: Some("Response times"),
        lead: "All answers of all trials that count, on one logarithmic axis: further left is faster.",
        html,
    }))
}
