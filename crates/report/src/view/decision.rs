//! What to deploy: the variant, what it brings and costs, and the programs that it is.

mod reasons;

use std::fmt::Display;

use judge::{Comparison, Decision, VariantOpinion};
use minijinja::Environment;
use record::{Metric, StackFacts, Target};
use serde::Serialize;

use super::findings;
use crate::html::{Drawn, drawn};
use crate::terminal::paragraph::{DEEPER, FLUSH, INSIDE, Page};
use crate::terminal::style::{DIM, PLAIN, STRONG};
use crate::{JudgedRun, words};

/// What stands for the folder that a trial's files were in, and for its address.
const FOLDER: &str = "DIR/";
const ADDRESS: &str = "127.0.0.1:8000";
const PORT: &str = "8000";
/// Why one that leads is not.
const DEVELOPMENT: &str = "made for development, and not to be deployed";
const UNDECIDED: &str = "This run does not say which variant to run";

/// The metrics that are told, where there are any of them: the others mostly repeat these.
const TOLD: [Metric; 6] = [
    Metric::Throughput,
    Metric::Mean,
    Metric::P99,
    Metric::CpuPerRequest,
    Metric::PeakMemory,
    Metric::Errors,
];

/// A program of the variant to deploy.
#[derive(JsonSchema, Serialize)]
pub(crate) struct ToRun {
    /// Its catalogue entry.
    entry: String,
    /// The version that was measured.
    version: String,
    /// The command line, for a shell in the app's folder; `DIR` is the folder of the files.
    command: String,
    /// The files that it needs, below that folder.
    files: Vec<String>,
}

/// What a terminal and a page say.
#[derive(Serialize)]
struct Said {
    variant: String,
    title: String,
    /// That nothing is decided between it and others, if so.
    undecided: String,
    /// Why nothing is decided, where that is known.
    why: Option<String>,
    lines: Vec<(&'static str, String)>,
    programs: Vec<ToRun>,
    hint: String,
    /// What to type where nothing is decided.
    open: Vec<String>,
}

/// The programs of the variant to deploy, from the one that clients speak to inwards; none where nothing is decided,
/// and where weir did not start them.
pub(crate) fn programs(of: &JudgedRun) -> Vec<ToRun> {
    let Some(decision) = &of.judged.decision else {
        return Vec::new();
    };
    let mut trials = of.trials.iter();
    let own = trials.find_map(|trial| {
        trial
            .measured()
            .filter(|_| trial.variant == decision.variant)
    });
    let Some(stack) = own.map(|measured| &measured.stack) else {
        return Vec::new();
    };
    let folder = folder(stack);
    let app = format!("{}/", of.run.plan.app.dir.display());
    let servers = stack.servers.iter();
    let program = servers.map(|server| {
        let argv = if server.deployed.is_empty() {
            &server.argv
        } else {
            &server.deployed
        };
        let argv: Vec<String> = argv
            .iter()
            .map(|text| {
                let placed = placed(text, folder, &stack.address);
                placed.strip_prefix(&app).unwrap_or(&placed).to_owned()
            })
            .collect();
        let files = server.files.iter();
        ToRun {
            entry: server.entry.clone(),
            version: server.version.clone(),
            command: words::command(&argv),
            files: files.map(|file| file.path.clone()).collect(),
        }
    });
    program.collect()
}

/// The folder that the files of a trial were in, as command lines name it.
fn folder(stack: &StackFacts) -> Option<&str> {
    let mut servers = stack.servers.iter();
    servers.find_map(|server| {
        let mut pairs = server.argv.iter().flat_map(|text| {
            let files = server.files.iter();
            files.map(move |file| text.strip_suffix(file.path.as_str()))
        });
        pairs.find_map(|prefix| prefix.filter(|prefix| prefix.starts_with('/')))
    })
}

fn placed(text: &str, folder: Option<&str>, address: &Target) -> String {
    let text = folder.map_or_else(|| text.to_owned(), |folder| text.replace(folder, FOLDER));
    match address {
        Target::Tcp(own) if text == own.port().to_string() => PORT.to_owned(),
        Target::Tcp(own) => text.replace(&own.to_string(), ADDRESS),
        Target::Unix(_) => text,
    }
}

fn said(of: &JudgedRun) -> Option<Said> {
    let Some(decision) = &of.judged.decision else {
        return open(of);
    };
    let mut variants = of.judged.variants.iter();
    let title = variants.find(|variant| variant.name == decision.variant)?;
    Some(Said {
        variant: decision.variant.clone(),
        title: title.title.clone(),
        undecided: reasons::undecided(of, decision),
        why: None,
        lines: lines(of, decision, title),
        programs: programs(of),
        hint: format!("weir write {} DIR", of.run.id),
        open: Vec::new(),
    })
}

/// Why the variant that a run says to deploy is that, and what it brings and costs, in the words of its report: `because: it is
/// surely better than each of the others`. Nothing where none is.
pub fn why_to_run(of: &JudgedRun) -> Vec<String> {
    let decision = of.judged.decision.as_ref();
    let all = decision.map(|decision| weighed(of, decision));
    let all = all.into_iter().flatten();
    all.map(|(what, text)| format!("{what}: {text}")).collect()
}

/// Why the variant, and what it brings and costs.
fn weighed(of: &JudgedRun, decision: &Decision) -> Vec<(&'static str, String)> {
    let against = |over: &str, comparisons: &[Comparison], none: &str| match comparisons {
        [] => format!("{none} than `{over}`"),
        some => format!("{}, against `{over}`", ratios(some.iter())),
    };
    let why = reasons::because(of, decision).into_iter();
    let mut lines: Vec<_> = why.map(|why| ("because", why)).collect();
    if let Some(over) = &decision.over {
        let brings = against(over, &decision.brings, "nothing is surely better");
        let costs = against(over, &decision.costs, "nothing is surely worse");
        let costs = costs + &reasons::may_cost(decision);
        lines.extend([("brings", brings), ("costs", costs)]);
    }
    lines
}

/// The same, and what else there is to know before it is deployed.
fn lines(of: &JudgedRun, decision: &Decision, own: &VariantOpinion) -> Vec<(&'static str, String)> {
    let mut lines = weighed(of, decision);
    lines.extend(reasons::as_good(of, decision).map(|text| ("as good", text)));
    lines.extend(left_out(&decision.development));
    lines.extend(reasons::alone(of, decision).map(|text| ("beware", text)));
    lines.extend(beware(of, &decision.variant).map(|text| ("beware", text)));
    lines.extend(findings::next(own).map(|text| ("next", text)));
    lines.extend(not_tried(of));
    lines
}

/// That some are not among those to choose from, as they are for development only.
fn left_out<T: Display>(names: &[T]) -> Option<(&'static str, String)> {
    let all = reasons::names(names);
    (!names.is_empty()).then(|| ("left out", format!("{all}: {DEVELOPMENT}")))
}

fn not_tried(of: &JudgedRun) -> impl Iterator<Item = (&'static str, String)> {
    let all = of.run.plan.not_tried.iter();
    all.map(|of| ("not tried", words::not_tried(of)))
}

/// How to get on where nothing is decided.
fn open(of: &JudgedRun) -> Option<Said> {
    let open = words::undecided(of.run, of.judged);
    let not_for_use = of.judged.lead.not_for_use();
    (!open.is_empty()).then(|| Said {
        variant: String::new(),
        title: UNDECIDED.to_owned(),
        undecided: String::new(),
        why: words::too_wide(of.judged),
        lines: left_out(&not_for_use)
            .into_iter()
            .chain(not_tried(of))
            .collect(),
        programs: Vec::new(),
        hint: String::new(),
        open,
    })
}

/// What stress fells the variant to deploy, and whom it does not.
fn beware<'a>(of: &'a JudgedRun, variant: &'a str) -> impl Iterator<Item = String> + 'a {
    let (stress, usual) = (&of.judged.stress, &of.run.plan.load);
    let felled = stress
        .iter()
        .filter(move |of| of.variant == variant && of.felled);
    felled.map(move |felled| {
        let what = felled.stress.words(usual);
        let left = words::stressed(felled);
        let stands = stress
            .iter()
            .filter(|of| of.stress == felled.stress && !of.felled && of.failure.is_none());
        let stands = stands.max_by(|one, other| one.throughput.total_cmp(&other.throughput));
        let stands =
            stands.map(|of| format!("; `{}` stands it ({})", of.variant, words::stressed(of)));
        format!("{what}: throughput {left}{}", stands.unwrap_or_default())
    })
}

/// How many times each figure is the other variant's, of the metrics that are told, and of all of them where there is
/// none of these.
pub(super) fn ratios<'a>(comparisons: impl Iterator<Item = &'a Comparison> + Clone) -> String {
    let rest = !comparisons.clone().any(|of| TOLD.contains(&of.metric));
    let said = comparisons.filter(|of| rest || TOLD.contains(&of.metric));
    let said: Vec<String> = said.map(words::times_the).collect();
    said.join("; ")
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    drawn(environment, include_str!("../html/decision.html"), said(of))
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    let Some(said) = said(of) else {
        return;
    };
    page.space();
    if !said.open.is_empty() {
        page.say(STRONG, FLUSH, &said.title);
        if let Some(why) = &said.why {
            page.say(PLAIN, INSIDE, &format!("{:<9} {why}", "because"));
        }
        for text in &said.open {
            page.say(PLAIN, INSIDE, &format!("{:<9} {text}", "next"));
        }
        rows(page, &said);
        return;
    }
    let titled = (said.title != said.variant).then(|| format!(": {}", said.title));
    let title = titled.unwrap_or_default();
    let head = format!("Run `{}`{}{title}", said.variant, said.undecided);
    page.say(STRONG, FLUSH, &head);
    rows(page, &said);
    if said.programs.is_empty() {
        return;
    }
    page.say(PLAIN, INSIDE, "commands, in the app's folder");
    for program in &said.programs {
        page.say(
            DIM,
            DEEPER,
            &format!("{} {}", program.entry, program.version),
        );
        page.verbatim(&format!("    {}", program.command));
    }
    let hint = format!(
        "`{}` writes them with their files, a start script and a plan",
        said.hint
    );
    page.say(PLAIN, INSIDE, &format!("{:<9} {hint}", "files"));
}

fn rows(page: &mut Page, said: &Said) {
    for (what, text) in &said.lines {
        page.say(PLAIN, INSIDE, &format!("{what:<9} {text}"));
    }
}
