use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

use judge::Judged;
use record::{Network, Plan, Run, Trial, Variant};

use super::{counted, list};

/// Variants that are named in place of the folder that they serve.
const NAMED: usize = 3;

/// A term of a report with its meaning.
type Term = (&'static str, &'static str);

/// How to read the report's table and drawings, one paragraph each.
pub fn how_to_read(plan: &Plan) -> Vec<Term> {
    let figures = match starts(plan) {
        Starts::Nothing { blocks: false } => return vec![OF_ONE_WINDOW, RESPONSE_TIME, DOUBTS],
        Starts::Nothing { blocks: true } => OVER_BLOCKS,
        Starts::Stacks => OVER_STARTS,
    };
    vec![figures, RATIOS, RESPONSE_TIME, DOUBTS]
}

const OF_ONE_WINDOW: Term = (
    "Figures",
    "Each figure is of the one window of its load. What follows ± is the wider side of its 95 % interval, as the window's \
     tenths or its order statistics give it: another window, and the server started again, may lie further off. A dash means \
     that the figure cannot be given honestly, for the reason below the table.",
);

const OVER_BLOCKS: Term = (
    "Figures",
    "Each figure is the median over the blocks, in each of which every URL is loaded. What follows ± is the wider side of its \
     95 % interval; >100 % is more than the figure itself, which only more blocks narrow. A dash means that the figure cannot \
     be given honestly, for the reason below the table.",
);

const OVER_STARTS: Term = (
    "Figures",
    "Each figure is the median over the blocks, in which every variant is started afresh. What \
     follows ± is the wider side of its 95 % interval; >100 % is more than the figure itself, \
     which only more blocks narrow. A dash means that the figure cannot be given honestly, for \
     the reason below the table.",
);

const RATIOS: Term = (
    "Ratios",
    "A ratio is the centre of the ratios inside each block, with its 95 % interval in brackets: \
     both sides ran minutes apart on the same machine. Better and worse need an interval that \
     keeps clear of 1 and a difference beyond the noise floor. Same means that the whole \
     interval lies within the noise. Anything else is cannot tell: more blocks are needed, and \
     weir compare says how many.",
);

const RESPONSE_TIME: Term = (
    "Response time",
    "What a user waits: from the moment a request is due until the last byte is there, opening \
     the connection included. Requests that timed out count as at least that long.",
);

const DOUBTS: Term = (
    "Doubts",
    "A reason, computed from what was measured, not to trust a trial. One that disqualifies \
     keeps the trial out of all figures, ratios and verdicts; the trial itself stays visible.",
);

/// What the trials of a run start.
enum Starts {
    /// The variants' programs.
    Stacks,
    /// Nothing: each variant is a URL. Whether each is loaded in several blocks, or there are loads one after the other.
    Nothing { blocks: bool },
}

fn starts(plan: &Plan) -> Starts {
    let is_there = |of: &Variant| of.url.is_some();
    if !plan.variants.is_empty() && plan.variants.iter().all(is_there) {
        return Starts::Nothing {
            blocks: plan.blocks > 1,
        };
    }
    Starts::Stacks
}

/// How a run is done; with the A/A pair and with groups, as its trials had them: those of an earlier weir had others.
pub fn method(run: &Run, judged: &Judged) -> String {
    let mut second = judged.trials.iter().filter(|of| of.again);
    let in_each = second.any(|of| run.plan.pair_in(of.block).is_none());
    let pair = match &judged.noise_floor {
        None => "",
        Some(_) if in_each => PAIR_IN_EACH,
        Some(_) => PAIR,
    };
    let loaded = loaded(&run.plan);
    let in_turn = if run.plan.slices().is_some() {
        IN_TURN
    } else {
        ""
    };
    let groups = if judged.trials.iter().any(|of| of.group > 0) {
        GROUPS
    } else {
        ""
    };
    let (before, after) = match starts(&run.plan) {
        Starts::Stacks => (TRIALS, ", and stopped"),
        Starts::Nothing { blocks: true } => (URLS, ""),
        Starts::Nothing { blocks: false } => (LOADS, ""),
    };
    format!("{before} {loaded}{after}. {in_turn}{groups}{pair}{ACCOUNTS}")
}

/// Which cores the load generator has, and which the stack; none where all share all.
pub fn divided(plan: &Plan) -> Option<String> {
    let cpus = plan.cpus?;
    let load = counted(u64::from(cpus.load), "core");
    let stack = match cpus.stack {
        Some(cores) => counted(u64::from(cores), "core"),
        None => "the rest".to_owned(),
    };
    Some(format!(
        "the load generator has {load} to itself, the stack {stack}"
    ))
}

/// Where trials took place; none where the plan wants the machine's network.
pub fn network(plan: &Plan, trials: &[Trial]) -> Option<&'static str> {
    match (plan.network, &plan.capture) {
        (Network::Machine, _) => None,
        (Network::Own, Some(_)) => Some(CAPTURED),
        (Network::Own, None) => Some(OWN_NETWORK),
        (Network::OwnIfAllowed, _) => {
            let networks = trials.iter().filter_map(|of| of.measured()?.load.network);
            let mut own = networks.map(|network| network.own);
            let all = own.next()? && own.all(|own| own);
            Some(if all { OWN_NETWORK } else { NOT_ALLOWED })
        }
    }
}

/// The commits that were served: `` `shop` at v1.2-3-g4b1c9d2 ``; none where none is known.
pub fn revisions(plan: &Plan) -> Option<String> {
    let all = plan.revisions.iter();
    let told = all.map(|(dir, revision)| format!("{} at {revision}", served_from(plan, dir)));
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// What is served from a folder: its name, or the variants that serve it where others serve another one.
fn served_from(plan: &Plan, dir: &str) -> String {
    let stacks = plan.variants.iter().filter(|of| of.is_stack());
    let (own, others): (Vec<&Variant>, Vec<&Variant>) =
        stacks.partition(|of| plan.app_of(of).dir == Path::new(dir));
    if (1..=NAMED).contains(&own.len()) && !others.is_empty() {
        let names: Vec<String> = own.iter().map(|of| format!("`{}`", of.name)).collect();
        return list(&names);
    }
    let name = Path::new(dir).file_name();
    let name = name.map_or(Cow::from(dir), OsStr::to_string_lossy);
    format!("`{name}`")
}

/// What makes requests fall due, of all variants.
fn loaded(plan: &Plan) -> &'static str {
    let variants = plan.variants.iter();
    let loads: Vec<bool> = variants
        .map(|variant| plan.load_of(variant).is_open())
        .collect();
    match (loads.contains(&true), loads.contains(&false)) {
        (true, false) => ON_SCHEDULE,
        (true, true) => EITHER,
        (false, _) => ON_ANSWERS,
    }
}

const OWN_NETWORK: &str = "each trial had a network of its own: what was counted there is of its load and its stack alone";

const NOT_ALLOWED: &str = "weir was not allowed to make a network for each trial: what was counted is of other programs of the machine, too";

const CAPTURED: &str = "each trial had a network of its own, whose packets were captured: that costs speed, and \
    figures compare with each other only";

const TRIALS: &str = "\
    In each block every variant is started afresh, in an order drawn anew for the block. A variant must \
    first answer, and answer right: its answers are compared with those of the app alone. Then it is \
    warmed up,";

const URLS: &str = "\
    weir did not start what it loaded. In each block every URL is loaded once, in an order drawn anew for the block: it is \
    asked once, warmed up and";

const LOADS: &str = "\
    weir did not start what it loaded. Loads came one after the other: before each the URL is asked once, then it is warmed up and";

const ON_ANSWERS: &str =
    "loaded over connections that each send the next request when the last is answered";

const ON_SCHEDULE: &str =
    "loaded with requests that fall due on a schedule, whatever the server does";

const EITHER: &str = "loaded as its plan says: with requests that fall due on a schedule, or over \
    connections that each send the next request when the last is answered";

const IN_TURN: &str = "\
    Those of a block that answer quickly enough are up at the same time, and their loads take turns in short slices, \
    in an order drawn anew for each round: what is compared shares the noise of the machine. The first part of a slice \
    leads in to it, and is in no figure. ";

const GROUPS: &str = "\
    Where more than fit at the same time would be up, they are divided into groups with the baseline in each: what is compared \
    is compared within its group, and variants of two groups by way of their baselines. ";

const PAIR: &str = "\
    One variant runs twice in the first four blocks and in every second one after these, under two names; how far these \
    two equal things lie apart is the noise floor. ";

const PAIR_IN_EACH: &str = "\
    One variant runs twice in each block under two names; how far these two equal things lie apart is \
    the noise floor. ";

const ACCOUNTS: &str = "\
    Every request is accounted for: scheduled = completed + failed + timed out + dropped + in flight. Verdicts \
    are computed from the stored facts. A trial is repeated only for what the machine did to it, detected from \
    facts that are independent of its figures.";
