//! `weir profile`: whose code takes the CPU time, of a run, of a variant of a plan, or of a running process.

mod files;

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ::profile::{Sampler, Subject};
use ::report::profile::{Folded, Profiled, Shares};
use ::report::terminal;
use experiment::Allowance;
use record::{Load, Plan};

use crate::args::{ProfileArgs, RunOrPath, Side};
use crate::commands::bench::NAME;
use crate::commands::known::Known;
use crate::commands::stack::served;
use crate::error::{Error, Exit, Result};
use crate::invocation::{Invocation, named};
use crate::output::note;

/// How often a user who wants to end it is noticed.
const TICK: Duration = Duration::from_millis(50);

pub(crate) fn run(args: &ProfileArgs, invocation: &mut Invocation) -> Result<Exit> {
    // what is wrong with it is said before anything is sampled
    let earlier = args.diff.as_ref().map(|of| earlier(of, invocation));
    let earlier = earlier.transpose()?;
    let profiled = match (&args.of, args.pid) {
        (_, Some(pid)) => of_process(pid, args, invocation)?,
        (Some(RunOrPath::Run(side)), _) => of_run(side, args.variant.as_deref(), invocation)?,
        (Some(RunOrPath::Path(plan)), _) => of_plan(plan, args, invocation)?,
        (None, None) => unreachable!("clap asks for one of them"),
    };
    let shares = match &earlier {
        Some(earlier) => Shares::of(&profiled).beside(&profiled, earlier),
        None => Shares::of(&profiled),
    };
    if let (None, Some(earlier)) = (&shares.changes, &earlier) {
        note(format!(
            "no thread of `{}` or of `{}` was on CPU: how they differ is not known",
            shares.name, earlier.name
        ));
    }
    let shown = invocation.show(&shares, || {
        terminal::profile(&shares, args.top, invocation.width())
    })?;
    if args.pid.is_some() && shares.classes.is_empty() && shares.problem.is_none() {
        note(
            "hint: load it while it is sampled; `weir bench URL --profile 50` does both where the server is on this machine",
        );
    }
    if let Some(folder) = &args.out {
        files::write(&profiled, earlier.as_ref(), folder, invocation)?;
    }
    Ok(shown)
}

/// What a profile is compared with.
fn earlier(of: &RunOrPath, invocation: &Invocation) -> Result<Folded> {
    match of {
        RunOrPath::Run(side) => Ok(Folded::of(&of_run(side, None, invocation)?)),
        RunOrPath::Path(path) => files::read(path),
    }
}

/// A process, for as long as was asked for, or until it ends or the user has enough.
fn of_process(pid: u32, args: &ProfileArgs, invocation: &Invocation) -> Result<Profiled> {
    ::profile::readable(pid).map_err(|error| {
        Error::new(Exit::Usage, error.to_string()).hint(error.hint().to_owned())
    })?;
    let machine = invocation.machine()?;
    let subject = Subject::of_process(pid);
    let subject = Subject {
        servers: machine.catalogue().packages(),
        app: args.app.clone().or(subject.app),
        ..subject
    };
    let sampler = Sampler::start(subject, args.rate);
    let progress = invocation.progress();
    progress.wait(&format!("sampling process {pid}"), Some(args.seconds));
    sampler.resume();
    let began = Instant::now();
    // one that ended and was not waited for is still listed, as a zombie
    let is_there = || {
        let stat = std::fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
        let stat = String::from_utf8_lossy(&stat);
        // the state is behind the name, which may have parentheses of its own
        let state = stat
            .rsplit_once(") ")
            .and_then(|(_, rest)| rest.chars().next());
        state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
    };
    while began.elapsed().as_secs_f64() < args.seconds
        && !invocation.interrupted().load(Ordering::Relaxed)
        && is_there()
    {
        let left = args.seconds - began.elapsed().as_secs_f64();
        std::thread::park_timeout(TICK.min(Duration::from_secs_f64(left.max(0.0))));
    }
    let seconds = began.elapsed().as_secs_f64();
    let (facts, stacks) = sampler.finish();
    progress.end();
    if !is_there() && !invocation.quiet() {
        note(format!(
            "process {pid} ended after {}; this is what it did until then",
            ::report::units::duration(seconds)
        ));
    }
    let name = format!("process {pid}");
    Ok(Profiled::new(&name, seconds, facts, stacks))
}

/// A variant of a run that was profiled when it ran: the one that is named, or the only one.
fn of_run(side: &Side, variant: Option<&str>, invocation: &Invocation) -> Result<Profiled> {
    if let (Some(one), Some(other)) = (&side.variant, variant) {
        let message = format!("two variants are named, `{one}` and `{other}`");
        let hint = "name one of them: `weir profile RUN:VARIANT`";
        return Err(Error::new(Exit::Usage, message).hint(hint.to_owned()));
    }
    let store = invocation.store_to_read()?;
    let run = named(&store, side.run)?;
    let known = Known::read(run.id, &store)?;
    let judged = known.judged();
    let names = || run.plan.variants.iter().map(|of| &of.name);
    let wanted = side.variant.as_deref().or(variant);
    if let Some(name) = wanted {
        judge::check_variant(&run, name)?;
    }
    let profiled = names().filter(|name| wanted.is_none_or(|wanted| wanted == *name));
    let mut profiled: Vec<_> = profiled.filter_map(|name| judged.profiled(name)).collect();
    if profiled.len() > 1 {
        let first = profiled[0].name.clone();
        let message = format!("several variants of run {} were profiled", run.id);
        let hint = format!("name one of them: `weir profile {}:{first}`", run.id);
        return Err(Error::new(Exit::Usage, message).hint(hint));
    }
    profiled.pop().ok_or_else(|| {
        let what = wanted.map_or_else(String::new, |name| format!("`{name}` of "));
        let message = format!("{what}run {} was not profiled", run.id);
        Error::new(Exit::Usage, message).hint(how_to_profile(&run.plan).to_owned())
    })
}

/// How runs like that one are profiled: a load of `weir bench` has no plan, and of others nobody can tell whether weir made it.
fn how_to_profile(plan: &Plan) -> &'static str {
    let elsewhere = plan.variants.iter().all(|of| of.url.is_some());
    let asked = plan
        .variants
        .iter()
        .any(|of| plan.load_of(of).profile.is_some());
    if elsewhere && asked {
        "its server could not be seen from here: `weir profile --pid PID` samples it where it runs, as its user or as root"
    } else if elsewhere && plan.name == NAME {
        "load it again with `--profile 50`, if its server is on this machine; or sample that while it is loaded: `weir \
         profile --pid PID`"
    } else {
        "of an app: `weir try --profile` samples each variant; of a plan: `weir profile PLAN VARIANT` runs one, or give its load \
         `profile = 50` and run it again"
    }
}

/// A variant of a plan, run once and kept as any run is.
fn of_plan(file: &Path, args: &ProfileArgs, invocation: &Invocation) -> Result<Profiled> {
    let python = args.start.python.as_deref();
    let plan = experiment::read_plan(file, python, invocation.host().cores)?;
    let name = match (&args.variant, &plan.variants[..]) {
        (Some(name), _) => name,
        (None, [only]) => &only.name,
        (None, _) => {
            let first = plan.variants.first().map_or("VARIANT", |of| &of.name);
            let message = format!("plan `{}` has several variants", plan.name);
            let hint = format!("name one: `weir profile {} {first}`", file.display());
            return Err(Error::new(Exit::Usage, message).hint(hint));
        }
    };
    let once = once(&plan, name, args.rate)?;
    let mut store = invocation.store()?;
    let run = super::run::begin(&once, invocation, &mut store)?;
    let mut progress = invocation.progress();
    let time = Allowance::default();
    super::run::go(
        &run,
        time,
        &mut store,
        invocation,
        &args.start,
        &mut progress,
    )?;
    drop(store);
    let side = Side {
        run: crate::args::RunName::Number(run.id),
        variant: Some(name.clone()),
    };
    if !invocation.quiet() {
        note(format!("kept as run {}", run.id));
    }
    of_run(&side, None, invocation)
}

/// The plan of one trial of a variant, profiled.
fn once(plan: &Plan, name: &str, rate: f64) -> Result<Plan> {
    let mut variant = served(plan, name)?.clone();
    variant.load = Some(Load {
        profile: Some(rate),
        ..plan.load_of(&variant).clone()
    });
    variant.sweep = None;
    variant.change = None;
    Ok(Plan {
        title: format!("A profile of `{name}`"),
        baseline: name.to_owned(),
        variants: vec![variant],
        blocks: 1,
        at_least: None,
        slice: 0.0,
        // what other programs take, makes the threads slower and changes no share of theirs
        shared: true,
        ..plan.unasked()
    })
}
