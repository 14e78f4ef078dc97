//! Whose code the CPU time goes to, of variants whose load asks for a profile.

mod on_page;

use record::{Doing, Target};

use crate::JudgedRun;
use crate::profile::{Changes, Profiled, Share, Shares};
use crate::terminal::paragraph::{FLUSH, INSIDE, Page};
use crate::terminal::style::{DIM, PLAIN, STRONG};
use crate::{units, words};

pub(super) use on_page::page;

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
    let effect = shares
        .throughput
        .map_or_else(String::new, |[with, without]| {
            format!(
                "; {} while it was profiled, {} without: {}",
                units::rate(with),
                units::rate(without),
                units::ratio(with / without)
            )
        });
    format!(
        "{} samples a second of each thread of {} for {}: {on_cpu} on CPU, {lock} waiting for the interpreter lock, {waits} \
         waiting for something else{lost}{late}; the profiler took {} of a core{effect}",
        units::number(shares.rate),
        processes,
        units::duration(shares.seconds),
        units::percent(shares.own_cores)
    )
}

/// How many functions differ from those of an earlier profile.
pub(crate) fn differing(of: &Changes) -> String {
    let compared = words::counted(of.compared as u64, "function");
    let [before, now] = of.samples.map(units::count);
    let differ = match of.functions.len() {
        0 => "none surely takes another share of the CPU time".to_owned(),
        1 => "1 surely takes another share of the CPU time".to_owned(),
        some => format!("{some} surely take another share of the CPU time"),
    };
    format!(
        "Against `{}` ({before} samples on CPU; here {now}): of {compared} {differ}",
        of.against
    )
}

/// A difference of shares in points, with its interval: `+50.5 [+44.0, +56.6]`.
pub(crate) fn points(value: f64, (low, high): (f64, f64)) -> String {
    let signed = |share: f64| {
        let sign = if share < 0.0 { "-" } else { "+" };
        format!("{sign}{}", units::number(100.0 * share.abs()))
    };
    format!("{} [{}, {}]", signed(value), signed(low), signed(high))
}

/// What was sampled of each variant, in the plan's order.
fn profiled(of: &JudgedRun) -> Vec<Profiled> {
    let variants = of.judged.variants.iter();
    variants
        .filter_map(|variant| of.profiled(&variant.name))
        .collect()
}

/// What `weir profile` calls a variant of the run; `None` of a run that is not in the store, whose number is 0.
fn called(of: &JudgedRun, variant: &str) -> Option<String> {
    let run = of.run.id;
    (run > 0).then(|| match of.run.plan.variants.len() {
        1 => run.to_string(),
        _ => format!("{run}:{variant}"),
    })
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    let shares: Vec<Shares> = profiled(of).iter().map(Shares::of).collect();
    let told = shares.iter().map(|one| {
        (
            one.name.as_str(),
            format!("`{}`: {}", one.name, headline(one)),
        )
    });
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
    if let Some(which) = called(of, first).filter(|_| is_sampled) {
        let hint = format!(
            "`weir profile {which} --out DIR` names the functions and writes a flame graph"
        );
        page.say(DIM, INSIDE, &hint);
    }
}
