//! What a claim's page shows of the run that decided it.

use judge::Curve;
use minijinja::value::Serde;
use minijinja::{Environment, context};
use serde::Serialize;

use crate::JudgedRun;
use crate::html::{self, Strips};
use crate::view::{Variant, matrices, rankings};

/// What a verdict rests on.
pub(super) struct About {
    /// Names of variants.
    pub(super) variants: Vec<String>,
    /// Names of rankings.
    pub(super) rankings: Vec<String>,
}

/// A section of the page.
#[derive(Serialize)]
pub(super) struct PageSection {
    /// Unique on the page.
    id: &'static str,
    /// None where what is drawn is a section with a title of its own.
    title: Option<&'static str>,
    /// What is to be seen in it.
    lead: &'static str,
    /// Drawn, escaped.
    html: String,
}

type Drawn = Result<Option<PageSection>, minijinja::Error>;

/// The sections about it, in order. What else is drawn of a run takes its place here.
pub(super) fn all(
    environment: &Environment,
    findings: &JudgedRun,
    about: &About,
) -> Result<Vec<PageSection>, minijinja::Error> {
    let all: [Drawn; 4] = [
        curves(environment, findings, about),
        ranked(environment, findings, about),
        figures(environment, findings, about),
        times(environment, findings, about),
    ];
    let drawn: Result<Vec<_>, _> = all.into_iter().collect();
    Ok(drawn?.into_iter().flatten().collect())
}

/// A part that is a section with a title of its own, if there is anything in it.
fn section(id: &'static str, html: String) -> Option<PageSection> {
    let there = !html.trim().is_empty();
    there.then_some(PageSection {
        id,
        title: None,
        lead: "",
        html,
    })
}

fn curves(environment: &Environment, findings: &JudgedRun, about: &About) -> Drawn {
    let of_it = |curve: &&Curve| {
        let mut points = curve.points().iter();
        points.any(|point| about.variants.contains(&point.variant))
    };
    let curves = findings.judged.curves.iter().filter(of_it);
    let curves: Vec<Curve> = curves.cloned().collect();
    let html = html::draw_curves(environment, &curves)?;
    Ok(section("curves", html))
}

fn ranked(environment: &Environment, findings: &JudgedRun, about: &About) -> Drawn {
    let judged = findings.judged;
    let families = findings.run.plan.variants.iter();
    let families = families.filter(|variant| about.variants.contains(&variant.name));
    let families: Vec<&str> = families
        .filter_map(|variant| Some(variant.sweep.as_ref()?.family.as_str()))
        .collect();
    let of = judged.matrices.iter();
    let of = of.filter(|of| families.contains(&of.family.as_str()));
    let matrices = matrices::on_page(environment, of)?;
    let named = judged.rankings.iter();
    let named = named.filter(|of| about.rankings.contains(&of.name));
    let html = matrices + &rankings::on_page(environment, named)?;
    Ok(section("rankings", html))
}

fn figures(environment: &Environment, findings: &JudgedRun, about: &About) -> Drawn {
    let opinions = findings.judged.variants.iter();
    let opinions = opinions.filter(|variant| about.variants.contains(&variant.name));
    let rows = opinions.map(|variant| Variant::new(variant, findings.judged));
    let context = context! { variants => Serde(rows.collect::<Vec<_>>()) };
    let html = environment.render_str(include_str!("variants.html"), context)?;
    Ok(Some(PageSection {
        id: "variants",
        title: Some("The variants it rests on"),
        lead: "Medians over the blocks, with the wider side of their 95 % interval.",
        html,
    }))
}

fn times(environment: &Environment, findings: &JudgedRun, about: &About) -> Drawn {
    let opinions = findings.judged.variants.iter();
    let opinions = opinions.filter(|variant| about.variants.contains(&variant.name));
    let strips = opinions.map(|of| (&*of.name, &*of.title, &of.response));
    let Some(strips) = Strips::new(strips) else {
        return Ok(None);
    };
    let context = context! { strips => Serde(strips) };
    let html = environment.render_str(include_str!("times.html"), context)?;
    Ok(Some(PageSection {
        id: "latency",
        title: Some("Response times"),
        lead: "All responses of all trials that count, on one logarithmic axis: further left is faster.",
        html,
    }))
}
