//! A run as one HTML file that opens offline, needs no script, and prints.
//!
//! Geometry is computed here and drawn by the template; every text goes through the template's
//! escaping, and the page's own policy forbids scripts and anything from outside.

mod axis;
mod blocks;
pub mod claims;
mod curves;
mod percentiles;
mod strips;

use std::borrow::Cow;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior, context, escape_formatter};
use serde::Serialize;

use self::blocks::Blocks;
use self::percentiles::Percentiles;
use self::strips::Strips;
use crate::JudgedRun;
use crate::view::Report;

pub use curves::curves;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
/// What pages are built on, and of.
const SHARED: [(&str, &str); 5] = [
    ("frame.html", include_str!("frame.html")),
    ("parts.html", include_str!("parts.html")),
    ("load.html", include_str!("load.html")),
    RANKINGS,
    ("strips.html", include_str!("strips.html")),
];
const RANKINGS: (&str, &str) = ("rankings.html", include_str!("rankings.html"));

/// The sections of a run's page in order. Each draws `report`, a [`Report`], and what is computed for it in
/// [`Drawings`].
const SECTIONS: [(&str, &str); 9] = [
    ("stages.html", include_str!("stages.html")),
    ("doubts.html", include_str!("doubts.html")),
    RANKINGS,
    ("verdicts.html", include_str!("verdicts.html")),
    ("drawn_curves.html", "{{ drawings.curves | safe }}"),
    ("latency.html", include_str!("latency.html")),
    ("blocks.html", include_str!("blocks.html")),
    ("details.html", include_str!("details.html")),
    ("reading.html", include_str!("reading.html")),
];

/// Geometry of what is drawn.
#[derive(Serialize)]
struct Drawings {
    times: Option<Strips>,
    blocks: Option<Blocks>,
    curves: String,
    /// Of each stage in detail.
    details: Vec<Option<Strips>>,
    /// Of each stage: the response times of the load that is shown.
    percentiles: Vec<Option<Percentiles>>,
}

/// The report on a run.
///
/// # Panics
/// If the template, which is part of the program, does not fit its data, which has the same shape
/// for every run; the tests draw runs of each kind.
pub fn page(of: &JudgedRun) -> String {
    draw(of).expect("the built-in template fits its data")
}

fn draw(of: &JudgedRun) -> Result<String, minijinja::Error> {
    let report = Report::new(of);
    let stages = of.judged.stages.iter();
    let drawings = Drawings {
        times: Strips::new(&report.times),
        blocks: report.blocks.as_ref().map(Blocks::new),
        curves: curves(&of.judged.curves),
        details: report
            .details
            .iter()
            .map(|of| Strips::new(&of.times))
            .collect(),
        percentiles: stages
            .map(|stage| Percentiles::new(&of.shown(&stage.name)?.1.load.response))
            .collect(),
    };
    let mut environment = environment()?;
    environment.add_template("page.html", PAGE)?;
    for (name, template) in SECTIONS {
        environment.add_template(name, template)?;
    }
    environment.get_template("page.html")?.render(context! {
        report => Serde(report),
        drawings => Serde(drawings),
        sections => SECTIONS.map(|(name, _)| name),
    })
}

/// What all pages have in common.
pub(crate) fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()?,
    );
    // text that is drawn apart is HTML too
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(|out, state, value| {
        let clean = value.as_str().map(crate::harmless::harmless);
        match clean {
            Some(Cow::Owned(clean)) if value.is_safe() => {
                escape_formatter(out, state, &Value::from_safe_string(clean))
            }
            Some(Cow::Owned(clean)) => escape_formatter(out, state, &Value::from(clean)),
            _ => escape_formatter(out, state, value),
        }
    });
    environment.add_filter("code", code);
    environment.add_filter("class", class);
    environment.add_global("style", Value::from_safe_string(STYLE.to_owned()));
    for (name, template) in SHARED {
        environment.add_template(name, template)?;
    }
    Ok(environment)
}

/// The colour of a verdict, as [`judge::Verdict`] and [`judge::Holds`] are serialised, or of what stands in its place.
fn class(verdict: &str) -> &'static str {
    match verdict {
        "holds" | "better" => "good",
        "does-not-hold" | "does not hold" | "failed" | "worse" => "bad",
        "cannot-tell" | "cannot tell" => "unsure",
        _ => "same",
    }
}

/// Text in which names stand in backticks, escaped, with `<code>` around the names.
fn code(text: &str) -> Value {
    let mut html = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, name, after)) = next_name(rest) {
        let (before, name) = (minijinja::HtmlEscape(before), minijinja::HtmlEscape(name));
        html.push_str(&format_args!("{before}<code>{name}</code>").to_string());
        rest = after;
    }
    html.push_str(&minijinja::HtmlEscape(rest).to_string());
    Value::from_safe_string(html)
}

fn next_name(text: &str) -> Option<(&str, &str, &str)> {
    let (before, from) = text.split_once('`')?;
    let (name, after) = from.split_once('`')?;
    Some((before, name, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_code_and_everything_is_escaped() {
        for (text, html) in [
            ("`a` & `b`", "<code>a</code> &amp; <code>b</code>"),
            ("`<script>`", "<code>&lt;script&gt;</code>"),
            ("a ` alone <b>", "a ` alone &lt;b&gt;"),
            ("", ""),
        ] {
            assert_eq!(code(text).to_string(), html);
        }
    }
}
