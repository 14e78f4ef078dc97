//! Whose code the CPU time goes to, of variants whose load asks for a profile.

use minijinja::Environment;
use record::{Doing, Target};
use serde::Serialize;

use crate::JudgedRun;
use crate::html::{Drawn, drawn};
use crate::profile::{Flames, Profiled, Share, Shares};
use crate::terminal::paragraph::{FLUSH, INSIDE, Page};
use crate::terminal::style::{DIM, PLAIN, STRONG};
use crate::{units, words};

/// Functions of a variant that a page names.
const FUNCTIONS: usize = 10;

#[derive(Serialize)]
struct Said {
    name: String,
    headline: String,
    how: String,
    waits: Option<String>,
    threads: Option<String>,
    /// Whose, on whose behalf, and of its own.
    classes: Vec<[String; 3]>,
    /// Its own share, that with what it calls, whose it is, and its name.
    functions: Vec<[String; 4]>,
    flames: Option<Flames>,
}

impl Said {
    fn new(profiled: &Profiled) -> Self {
        let shares = Shares::of(profiled);
        let classes = shares
            .classes
            .iter()
            .map(|of| [of.class.name().to_owned(), share(&of.share), share(&of.own)]);
        let functions = shares.functions.iter().take(FUNCTIONS).map(|of| {
            [
                units::percent(of.own),
                units::percent(of.with_callees),
                of.class.name().to_owned(),
                of.function.clone(),
            ]
        });
        Self {
            headline: headline(&shares),
            how: how(&shares),
            waits: waits(&shares),
            threads: threads(&shares),
            classes: classes.collect(),
            functions: functions.collect(),
            flames: Flames::of(profiled),
            name: shares.name,
        }
    }
}

/// `28.5 % [26.7, 30.3]`.
pub(crate) fn share(of: &Share) -> String {
    let (low, high) = of.interval;
    let percent = |share: f64| units::number(100.0 * share);
    format!(
        "{} [{}, {}]",
        units::percent(of.value),
        percent(low),
        percent(high)
    )
}

/// Share of the looks without a stack from which the shares are in doubt: what they missed may be as much as a class has.
const MUCH_LOST: f64 = 0.1;

/// `server 69.1 % [67.2, 71.0] of the CPU time, framework 28.5 % …`.
pub(crate) fn headline(shares: &Shares) -> String {
    let classes = shares.classes.iter().filter(|of| of.share.value > 0.0);
    let classes: Vec<String> = classes
        .map(|of| format!("{} {}", of.class.name(), share(&of.share)))
        .collect();
    if classes.is_empty() {
        return match &shares.problem {
            Some(problem) if shares.is_empty() => format!("nothing was sampled: {problem}"),
            Some(problem) => format!("no thread was seen on CPU: {problem}"),
            None => "no thread was on CPU when it was looked at".to_owned(),
        };
    }
    let lock = shares.lock_wait.filter(|of| of.value > 0.0);
    let lock = lock.map_or_else(String::new, |of| {
        let of = share(&of);
        format!(
            "; threads with something to compute waited {of} of the time for the interpreter lock"
        )
    });
    let lost = shares.lost.filter(|share| *share >= MUCH_LOST);
    let lost = lost.map_or_else(String::new, |share| {
        let lost = units::percent(share);
        format!("; not to be relied on, as {lost} of the looks at threads on CPU gave no stack")
    });
    format!("of the CPU time {}{lock}{lost}", classes.join(", "))
}

/// What threads did in the code of the app and its framework; nothing where they only computed.
pub(crate) fn waits(shares: &Shares) -> Option<String> {
    let told = shares.in_app.iter();
    let told: Vec<String> = told
        .map(|of| format!("{} {}", of.doing.words(), share(&of.share)))
        .collect();
    let waits = shares.in_app.iter().any(|of| of.doing != Doing::OnCpu);
    waits.then(|| {
        format!(
            "of a thread's time in the code of the app and its framework: {}",
            told.join(", ")
        )
    })
}

/// How many threads did what at a time; nothing where they only computed.
pub(crate) fn threads(shares: &Shares) -> Option<String> {
    let told = shares.threads.iter();
    let told: Vec<String> = told
        .map(|of| format!("{} {}", of.doing.words(), units::number(of.threads)))
        .collect();
    let waits = shares.threads.iter().any(|of| of.doing != Doing::OnCpu);
    waits.then(|| format!("threads at a time, on average: {}", told.join(", ")))
}

/// How it was sampled, and what that cost.
pub(crate) fn how(shares: &Shares) -> String {
    let [on_cpu, lock, waits] = shares.samples.map(units::count);
    let lost = match shares.lost {
        Some(share) if share > 0.0 => format!(
            "; {} of the looks at threads on CPU gave no stack, as it changed while it was read: what is quickly over may be \
             underrated by as much",
            units::percent(share)
        ),
        _ => String::new(),
    };
    let processes = match shares.processes {
        1 => "1 process".to_owned(),
        some => format!("{some} processes"),
    };
    let late = match shares.late {
        0 => String::new(),
        some => format!("; {} late", words::counted(some, "look")),
    };
    format!(
        "{} samples a second of each thread of {} for {}: {on_cpu} on CPU, {lock} waiting for the interpreter lock, {waits} \
         waiting for something else{lost}{late}; the profiler took {} of a core",
        units::number(shares.rate),
        processes,
        units::duration(shares.seconds),
        units::percent(shares.own_cores)
    )
}

fn said(of: &JudgedRun) -> Vec<Said> {
    let variants = of.judged.variants.iter();
    let profiled = variants.filter_map(|variant| of.profiled(&variant.name));
    profiled.map(|of| Said::new(&of)).collect()
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    drawn(environment, include_str!("../html/profile.html"), said(of))
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    let told = said(of);
    let told = told
        .iter()
        .map(|of| (of.name.as_str(), format!("`{}`: {}", of.name, of.headline)));
    section(page, of, &told.collect::<Vec<_>>());
}

/// The same of one load of a URL, if it asks for a profile: where nothing was sampled, why.
pub(crate) fn draw_one(page: &mut Page, of: &JudgedRun, variant: &str) {
    let plan = &of.run.plan;
    let load = plan.variant(variant).map(|variant| plan.load_of(variant));
    if load.is_none_or(|load| load.profile.is_none()) {
        return;
    }
    let told = of
        .profiled(variant)
        .map(|profiled| headline(&Shares::of(&profiled)));
    section(
        page,
        of,
        &[(variant, told.unwrap_or_else(|| unseen(of, variant)))],
    );
}

/// Why nothing was sampled of a server that weir did not start: its processes are not to be seen from here.
fn unseen(of: &JudgedRun, variant: &str) -> String {
    let at = of
        .shown(variant)
        .map(|(_, measured)| &measured.stack.address);
    let at = match at {
        Some(Target::Tcp(address)) => format!(" at `{address}`"),
        Some(Target::Unix(path)) => format!(" at `{}`", path.display()),
        None => String::new(),
    };
    format!(
        "nothing was sampled, as no process that weir can see on this machine listens{at}: of a server elsewhere `weir \
         profile --pid PID` tells there, and another user's is seen by root alone"
    )
}

/// What is told of each variant, and what tells more of the first.
fn section(page: &mut Page, of: &JudgedRun, told: &[(&str, String)]) {
    let Some((first, _)) = told.first() else {
        return;
    };
    page.space();
    page.say(STRONG, FLUSH, "Whose code takes the CPU time");
    for (_, text) in told {
        page.say(PLAIN, INSIDE, text);
    }
    let is_sampled = of.profiled(first).is_some();
    // the number of a run that is not in the store is 0
    if is_sampled && of.run.id > 0 {
        let which = match of.run.plan.variants.len() {
            1 => of.run.id.to_string(),
            _ => format!("{}:{first}", of.run.id),
        };
        let hint = format!(
            "`weir profile {which} --out DIR` names the functions and writes a flame graph"
        );
        page.say(DIM, INSIDE, &hint);
    }
}
