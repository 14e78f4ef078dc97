//! What `weir explain` tells of each variant.

use std::collections::BTreeSet;

use judge::{Found, Parts, Talked, VariantOpinion};
use record::{Cause, Trial};
use serde::Serialize;

use super::habits;
use super::line::Line;
use crate::terminal::paragraph::{DEEPER, FLUSH, INSIDE, Page};
use crate::terminal::style::{DIM, PLAIN, STRONG};
use crate::{JudgedRun, words};

/// The findings about a variant, as `weir explain` tells them.
#[derive(JsonSchema, Serialize)]
pub struct Explained<'a> {
    /// The variant's name.
    pub variant: &'a str,
    /// What is worth a try first comes first.
    pub findings: &'a [Found],
    /// Where the time of a response is spent; absent where neither a front end nor what a server had not begun to read tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<&'a Parts>,
    /// How it talked, where it is a client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub talked: Option<&'a Talked>,
    /// Why none of its trials counts, where they say all the same where the time went; absent where one counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aside: Option<String>,
    /// Why no trial of it was looked at, where none was.
    #[serde(skip)]
    unjudged: Option<&'static str>,
    /// What is said where nothing is found.
    #[serde(skip)]
    nothing: &'static str,
}

/// Of trials with faults.
const STRUCK: &str = "its trials have faults, and such are not judged here, as a stack that is struck is as fast as its faults let it \
                      be: `weir show` says what these cost, and a run without `faults` what holds it back";
/// Of a variant without a trial that counts.
const UNCOUNTED: &str = "no trial of it counts, and such are not judged here: `weir show` says why";
/// Of a server that weir did not start, where nothing is found.
const UNSEEN: &str = "weir saw no program of it, so that nothing is known of what holds it back: it sees those of this machine, and of \
                      other users' as root alone";
/// Where nothing is found, of a load at a rate and of others.
const NOTHING: [&str; 2] = [
    "nothing that weir knows holds it back, as where it keeps its rate",
    "nothing that weir knows holds it back",
];

impl<'a> Explained<'a> {
    fn new(of: &'a VariantOpinion) -> Self {
        Self {
            variant: &of.name,
            findings: &of.findings,
            parts: of.parts.as_ref(),
            talked: of.talked.as_ref(),
            aside: None,
            unjudged: None,
            nothing: NOTHING[1],
        }
    }

    /// The same with why no trial of it counts or was looked at, where none does or was.
    fn within(run: &JudgedRun, of: &'a VariantOpinion) -> Self {
        let mut struck = run.judged.faulted.iter().filter(|by| by.trials > 0);
        let struck = struck.any(|by| by.variant == of.name);
        let aside = aside(run, of).filter(|_| !struck);
        let unjudged = if struck {
            Some(STRUCK)
        } else {
            (of.counted == 0 && aside.is_none()).then_some(UNCOUNTED)
        };
        let plan = &run.run.plan;
        let planned = plan.variant(&of.name);
        let nothing = match planned {
            Some(variant) if variant.url.is_some() && !is_seen(run, &of.name) => UNSEEN,
            Some(variant) if plan.load_of(variant).is_open() => NOTHING[0],
            _ => NOTHING[1],
        };
        Self {
            aside,
            unjudged,
            nothing,
            ..Self::new(of)
        }
    }

    /// What is found of it: first of what it does by itself as a client, which holds wherever it runs.
    fn lines(&self) -> impl Iterator<Item = Line> {
        habits(self.talked).chain(self.findings.iter().map(Line::new))
    }
}

/// Whether weir saw a program of a variant in one of its trials.
fn is_seen(run: &JudgedRun, variant: &str) -> bool {
    let own = run.trials.iter().filter(|trial| trial.variant == variant);
    let mut measured = own.filter_map(Trial::measured);
    measured.any(|of| of.stack_processes().next().is_some())
}

/// Why no trial of a variant counts, where they say all the same where the time went; nothing where one counts.
fn aside(run: &JudgedRun, of: &VariantOpinion) -> Option<String> {
    let mut own = run
        .judged
        .trials
        .iter()
        .filter(|trial| trial.variant == of.name);
    let telling = own.find(|trial| of.counted == 0 && trial.tells_of_the_stack())?;
    let doubt = telling.doubts.iter().find(|doubt| doubt.disqualifies)?;
    let right = statuses(run, &of.name).map_or_else(String::new, |statuses| {
        format!(". If all of these statuses are right, say so: `--status {statuses}`")
    });
    Some(format!(
        "no trial of it counts: {}. What is told here is of trials that were put aside for that{right}",
        doubt.because
    ))
}

/// The statuses of all responses, where a URL was asked and some were not as expected.
fn statuses(run: &JudgedRun, variant: &str) -> Option<String> {
    let plan = &run.run.plan;
    let asks_url = plan.search.is_some() || plan.one_load().is_some();
    let own = run.trials.iter().filter(|trial| trial.variant == variant);
    let loads = own.filter_map(Trial::measured).map(|of| &of.load);
    let wrong = loads.filter(|load| load.failed.contains_key(&Cause::Status));
    let statuses: BTreeSet<u16> = wrong
        .flat_map(|load| load.statuses.keys().copied())
        .collect();
    let statuses: Vec<String> = statuses.iter().map(u16::to_string).collect();
    (asks_url && !statuses.is_empty()).then(|| statuses.join(","))
}

/// Every variant of a run of which something is found or that was not looked at, or the one of this name.
pub fn explained<'a>(of: &JudgedRun<'a>, variant: Option<&str>) -> Vec<Explained<'a>> {
    let variants = of.judged.variants.iter();
    let wanted = variants.filter(|of| variant.is_none_or(|name| of.name == name));
    let explained = wanted.map(|variant| Explained::within(of, variant));
    explained
        .filter(|of| {
            let told = of.parts.is_some() || of.unjudged.is_some() || of.aside.is_some();
            variant.is_some() || told || of.lines().next().is_some()
        })
        .collect()
}

/// Every finding about these variants, with its facts and what to try.
pub(crate) fn tell(page: &mut Page, of: &[Explained]) {
    if of.is_empty() {
        page.say(
            PLAIN,
            FLUSH,
            "nothing that weir knows holds any variant back",
        );
    }
    for (number, variant) in of.iter().enumerate() {
        if number > 0 {
            page.space();
        }
        page.say(STRONG, FLUSH, &format!("`{}`", variant.variant));
        if let Some(aside) = &variant.aside {
            page.say(PLAIN, INSIDE, aside);
        }
        if let Some(parts) = variant.parts {
            page.say(PLAIN, INSIDE, &words::parts(parts));
        }
        let lines: Vec<_> = variant.lines().collect();
        if lines.is_empty() {
            page.say(PLAIN, INSIDE, variant.unjudged.unwrap_or(variant.nothing));
        }
        for line in lines {
            page.say(STRONG, INSIDE, &format!("{} ({})", line.title, line.sure));
            page.say(PLAIN, DEEPER, &line.because);
            let gain = line
                .gain
                .map_or_else(String::new, |gain| format!(" ({gain})"));
            page.say(PLAIN, DEEPER, &format!("→ {}{gain}", line.next));
            if let Some(rule) = line.rule {
                page.say(DIM, DEEPER, &rule);
            }
        }
    }
}
