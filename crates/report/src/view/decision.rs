//! What to deploy: the variant, what it brings and costs, and the programs that it is.

use judge::{Comparison, Decision, Verdict};
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
/// Why the baseline is to be deployed.
const BASELINE: &str =
    "the others are compared with it, and none is surely better, nor as fast and surely cheaper";
const BEST: &str = "it is surely better than each of the others";
/// Why one that did not come first is.
const SIMPLEST: &str = "it is the simplest of those that lead and cannot be told apart: fewest programs and processes, then \
                        fewest doubts, then a better p99";
/// Why one that leads is not.
const DEVELOPMENT: &str = "made for development, and not to be deployed";
const UNDECIDED: &str = "This run does not say which variant to run";
const ALONE: &str = "no other variant could be measured, so that nothing says how good it is";

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
    let names = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        names.join(", ")
    };
    let against = |over: &str, comparisons: &[Comparison], none: &str| match comparisons {
        [] => format!("{none} than `{over}`"),
        some => format!("{}, against `{over}`", ratios(some.iter())),
    };
    let as_good = match &decision.as_good[..] {
        [] => "no other variant".to_owned(),
        some => format!("{}: this run cannot tell them apart from it", names(some)),
    };
    let as_good = ("as good", as_good);
    let mut lines = match &decision.over {
        Some(over) => vec![
            (
                "brings",
                against(over, &decision.brings, "nothing is surely better"),
            ),
            (
                "costs",
                against(over, &decision.costs, "nothing is surely worse"),
            ),
            as_good,
        ],
        None if decision.alone => vec![("because", ALONE.to_owned())],
        None if leads_alone(of, &decision.variant) => vec![("because", BEST.to_owned()), as_good],
        None => vec![("because", BASELINE.to_owned()), as_good],
    };
    let first = decision.simpler_than.as_ref();
    let why = cheaper(decision).or_else(|| Some(preferred(of, decision, first?)));
    lines.splice(0..0, why.map(|why| ("because", why)));
    if !decision.development.is_empty() {
        let those = names(&decision.development);
        lines.push(("left out", format!("{those}: {DEVELOPMENT}")));
    }
    lines.extend(beware(of, &decision.variant).map(|text| ("beware", text)));
    lines.extend(findings::next(title).map(|text| ("next", text)));
    let not_tried = of.run.plan.not_tried.iter();
    lines.extend(not_tried.map(|of| ("not tried", words::not_tried(of))));
    Some(Said {
        variant: decision.variant.clone(),
        title: title.title.clone(),
        lines,
        programs: programs(of),
        hint: format!("weir write {} DIR", of.run.id),
        open: Vec::new(),
    })
}

/// Why a variant is to be run instead of one that is as fast, where it is cheaper.
fn cheaper(decision: &Decision) -> Option<String> {
    let than = &decision.saves.first()?.over;
    let saves = ratios(decision.saves.iter());
    Some(format!(
        "as fast as `{than}`, as far as this run can tell, and surely cheaper: {saves}; surely worse in nothing"
    ))
}

/// Why another variant than the first is to be run.
fn preferred(of: &JudgedRun, decision: &Decision, first: &str) -> String {
    let metric = of.judged.lead.metric;
    let gains = |all: &[Comparison]| {
        let mut all = all.iter();
        all.any(|of| of.metric == metric && of.verdict == Verdict::Better)
    };
    let mut variants = of.judged.variants.iter();
    let opinion = variants.find(|of| of.name == first);
    let as_much = opinion.is_some_and(|of| gains(&of.against_baseline));
    match &decision.over {
        Some(over) if gains(&decision.brings) && !as_much => {
            format!("it is surely better than `{over}`, and `{first}`, which came first, is not")
        }
        _ => format!("{SIMPLEST}; `{first}` came first"),
    }
}

/// Whether a variant is first, and surely better than each of the others.
fn leads_alone(of: &JudgedRun, variant: &str) -> bool {
    let lead = &of.judged.lead;
    let first = lead.rivals.first().is_some_and(|name| name == variant);
    let beaten = lead.comparisons.iter();
    let all = beaten.filter(|of| of.verdict == Verdict::Better).count();
    first && all > 0 && all + 1 == lead.rivals.len()
}

/// How to get on where nothing is decided.
fn open(of: &JudgedRun) -> Option<Said> {
    let open = words::undecided(of.run, of.judged);
    (!open.is_empty()).then(|| Said {
        variant: String::new(),
        title: UNDECIDED.to_owned(),
        lines: Vec::new(),
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
        for text in &said.open {
            page.say(PLAIN, INSIDE, &format!("next      {text}"));
        }
        return;
    }
    let titled = (said.title != said.variant).then(|| format!(": {}", said.title));
    let title = titled.unwrap_or_default();
    page.say(STRONG, FLUSH, &format!("Run `{}`{title}", said.variant));
    for (what, text) in &said.lines {
        page.say(PLAIN, INSIDE, &format!("{what:<9} {text}"));
    }
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
