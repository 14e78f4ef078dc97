use judge::{ClaimVerdict, Condition, Holds, Judged, StageOpinion, Verdict};
use record::{Metric, Run};
use serde::Serialize;

use crate::{units, words};

/// Everything on the page that is text.
#[derive(Serialize)]
pub(super) struct Page {
    title: String,
    run: i64,
    facts: Vec<(&'static str, String)>,
    headline: String,
    noise: Option<String>,
    baseline: String,
    /// Heads of the columns after throughput and ratio.
    columns: Vec<&'static str>,
    stages: Vec<Stage>,
    notes: Vec<String>,
    claims: Vec<Claim>,
    doubts: Vec<Doubt>,
    how_to_read: Vec<(&'static str, &'static str)>,
    method: String,
}

#[derive(Serialize)]
struct Stage {
    name: String,
    title: String,
    figures: Vec<Figure>,
    versus: Option<Versus>,
    baseline: bool,
    failure: Option<String>,
}

#[derive(Serialize)]
struct Figure {
    column: &'static str,
    text: String,
    uncertainty: Option<String>,
    bad: bool,
}

#[derive(Serialize)]
struct Versus {
    ratio: String,
    verdict: &'static str,
    class: &'static str,
}

#[derive(Serialize)]
struct Claim {
    id: String,
    text: String,
    reported: String,
    conditions: Vec<Measured>,
    verdict: &'static str,
    class: &'static str,
    reason: Option<String>,
}

#[derive(Serialize)]
struct Measured {
    text: String,
    value: String,
    verdict: &'static str,
    class: &'static str,
}

#[derive(Serialize)]
struct Doubt {
    title: &'static str,
    effect: Option<&'static str>,
    seen: Vec<String>,
    advice: String,
}

impl Page {
    pub(super) fn new(run: &Run, judged: &Judged) -> Self {
        Self {
            title: run.plan.title.clone(),
            run: run.id,
            facts: facts(run),
            headline: words::headline(run, judged),
            noise: judged.noise_floor.as_ref().map(words::noise_floor),
            baseline: judged.baseline.clone(),
            columns: Metric::columns()
                .skip(1)
                .map(|metric| metric.row().column)
                .collect(),
            stages: judged
                .stages
                .iter()
                .map(|stage| Stage::new(stage, &judged.baseline))
                .collect(),
            notes: words::notes(judged),
            claims: judged.claims.iter().map(Claim::new).collect(),
            doubts: words::doubts(judged).into_iter().map(Doubt::new).collect(),
            how_to_read: words::HOW_TO_READ.to_vec(),
            method: words::method(run, judged),
        }
    }
}

/// What a run was, by name.
pub(super) fn facts(run: &Run) -> Vec<(&'static str, String)> {
    let apps = run.plan.apps().into_iter();
    let apps = apps.map(|app| format!("`{}` ({})", app.entry, app.name));
    let mut facts = vec![
        ("Begun", format!("{} UTC", words::moment(run.started))),
        ("Machine", words::host(run)),
        ("App", apps.collect::<Vec<_>>().join(", ")),
        ("Load", words::loads(&run.plan)),
        ("Order", words::blocks(run)),
        ("weir", run.weir.clone()),
    ];
    facts.extend(words::cut(run).map(|cut| ("Cut short", cut)));
    if run.status != record::RunStatus::Finished {
        facts.push(("Status", words::status(run.status).to_owned()));
    }
    facts
}

/// These stages with their figures.
pub(super) fn stages(judged: &Judged, names: &[String]) -> Vec<impl Serialize> {
    let opinions = judged.stages.iter();
    let opinions = opinions.filter(|stage| names.contains(&stage.name));
    opinions
        .map(|stage| Stage::new(stage, &judged.baseline))
        .collect()
}

impl Stage {
    fn new(stage: &StageOpinion, baseline: &str) -> Self {
        let versus = stage
            .against_baseline
            .iter()
            .find(|of| of.metric == Metric::Throughput);
        Self {
            name: stage.name.clone(),
            title: stage.title.clone(),
            figures: Metric::columns()
                .map(|metric| Figure::new(stage, metric))
                .collect(),
            versus: versus.map(|of| Versus {
                ratio: units::ratio_within(of.ratio, of.interval),
                verdict: words::verdict(of.verdict),
                class: class_of_verdict(of.verdict),
            }),
            baseline: stage.name == baseline,
            failure: stage.failure.clone(),
        }
    }
}

impl Figure {
    fn new(stage: &StageOpinion, metric: Metric) -> Self {
        let figure = stage.figures.get(&metric);
        let value = |figure: &judge::Figure| match metric {
            Metric::Throughput => units::number(figure.value),
            _ => units::metric(metric, figure.value),
        };
        Self {
            column: metric.row().column,
            text: figure.map_or_else(|| units::NOTHING.to_owned(), value),
            uncertainty: figure.and_then(units::uncertainty),
            bad: metric == Metric::Errors && figure.is_some_and(|figure| figure.value > 0.0),
        }
    }
}

impl Claim {
    fn new(claim: &ClaimVerdict) -> Self {
        Self {
            id: claim.id.clone(),
            text: claim.text.clone(),
            reported: claim.reported.clone(),
            conditions: claim.conditions.iter().map(Measured::new).collect(),
            verdict: words::holds(claim.holds),
            class: class_of_holds(claim.holds),
            reason: claim.reason.clone(),
        }
    }
}

impl Measured {
    fn new(condition: &Condition) -> Self {
        Self {
            text: condition.text.clone(),
            value: words::measured(condition),
            verdict: words::holds(condition.holds),
            class: class_of_holds(condition.holds),
        }
    }
}

impl Doubt {
    fn new(doubt: words::DoubtWords) -> Self {
        Self {
            title: doubt.title,
            effect: doubt.effect(),
            seen: doubt.seen.iter().map(words::seen_in).collect(),
            advice: doubt.advice,
        }
    }
}

fn class_of_verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "good",
        Verdict::Worse => "bad",
        Verdict::Same => "same",
        Verdict::CannotTell => "unsure",
    }
}

pub(super) fn class_of_holds(holds: Holds) -> &'static str {
    match holds {
        Holds::Holds => "good",
        Holds::DoesNotHold => "bad",
        Holds::CannotTell => "unsure",
    }
}
