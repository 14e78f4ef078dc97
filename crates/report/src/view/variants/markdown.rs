//! The same for a page or a comment on a pull request, with what else decides: claims, and what could not be measured.

use record::Metric;

use super::{FIGURES, Figure, Variant, all, versus};
use crate::harmless::one_line;
use crate::marks::plain;
use crate::view::findings;
use crate::{JudgedRun, units, words};

/// A run as Markdown: the run in one sentence, the commits that it served, a row for each variant, a line for each claim, and where
/// the time of each goes.
pub(crate) fn markdown(of: &JudgedRun) -> String {
    let variants = all(of);
    let shown = |metric: &Metric| variants.iter().any(|of| of.figure(*metric).is_some());
    let metrics = FIGURES.iter().map(|(metric, _)| *metric);
    let metrics: Vec<Metric> = metrics.filter(shown).collect();
    let heads: Vec<&str> = metrics.iter().map(|of| of.row().column).collect();
    let mut lines = vec![format!("**{}**\n", words::headline(of.run, of.judged))];
    let commits = words::revisions(&of.run.plan);
    lines.extend(commits.map(|told| format!("Commit: {}\n", one_line(&told))));
    lines.extend([
        format!(
            "| variant | {} | {} | | {} |",
            Metric::Throughput.row().column,
            versus(of.judged),
            heads.join(" | ")
        ),
        format!("|---|---:|---:|---|{}", "---:|".repeat(heads.len())),
    ]);
    lines.extend(variants.iter().map(|variant| row(variant, &metrics)));
    let claims = of.judged.claims.iter().map(|claim| {
        let holds = words::claim_verdict(claim);
        format!("* {}: {holds}: {}", claim.id, one_line(&claim.text))
    });
    let failures = variants.iter().filter_map(|variant| {
        let failure = one_line(variant.failure.as_deref()?).into_owned();
        Some(format!(
            "* `{}` could not be measured: {failure}",
            variant.name
        ))
    });
    let below: Vec<String> = claims.chain(failures).collect();
    if !below.is_empty() {
        lines.push(String::new());
    }
    lines.extend(below);
    lines.extend(findings::markdown(of));
    lines.join("\n") + "\n"
}

fn row(variant: &Variant, metrics: &[Metric]) -> String {
    let figure = |metric: Metric| {
        let known = variant.figure(metric);
        known.map_or_else(|| units::NOTHING.to_owned(), told)
    };
    let (ratio, verdict) = match &variant.versus {
        Some(of) => (of.ratio.as_str(), of.words),
        None if variant.baseline => ("baseline", ""),
        None => (units::NOTHING, ""),
    };
    let mut cells = vec![
        plain(&variant.name),
        figure(Metric::Throughput),
        ratio.to_owned(),
        verdict.to_owned(),
    ];
    cells.extend(metrics.iter().map(|metric| figure(*metric)));
    format!("| {} |", cells.join(" | "))
}

fn told(figure: &Figure) -> String {
    match &figure.uncertainty {
        Some(uncertainty) if figure.metric == Metric::Throughput => {
            format!("{} {uncertainty}", figure.text)
        }
        _ => figure.text.clone(),
    }
}
