//! `weir try`: the user's own app on every stack that fits, without a plan.

mod asked;
mod choosing;
mod fitting;
mod lasting;
mod loading;
mod looking;
mod redirect;
pub(super) mod servers;
mod site;
mod today;
mod varying;
mod writes;

use std::time::Instant;

use experiment::{Candidates, Lab};
use record::{App, Interface, Load, Plan, RequestFile, Variant};
use stack::{Machine, Recognised, Today};

use crate::args::TryArgs;
use crate::commands::run::{apply, begin, carry_out, lab, require};
use crate::commands::write;
use crate::error::{Exit, Result};
use crate::invocation::Invocation;
use crate::mask;
use crate::output::note;

pub(crate) fn run(args: &TryArgs, invocation: &Invocation) -> Result<Exit> {
    args.write.as_deref().map(write::is_free).transpose()?;
    let began = Instant::now();
    let machine = invocation.machine()?;
    let seed = experiment::seed();
    let load = loading::of(args, machine.cores(), seed)?; // nobody waits for what makes no sense
    if let Some(masked) = args.mix.as_deref().and_then(mask::in_mix) {
        note(masked);
    }
    let Recognised { mut app, today, .. } = looking::recognised(args, &machine, invocation)?;
    let (waited, file) = (Instant::now(), looking::file_of(&app));
    let (mut candidates, to_type) =
        servers::found(&mut app, &machine, invocation, file.as_deref(), args)?;
    let began = began + waited.elapsed(); // what is installed is no part of the run
    if let Some(today) = &today {
        add_today(today, &app, &mut candidates, &machine, (args, invocation));
    }
    let not_tried = choosing::not_tried(&candidates, !to_type.is_empty());
    let variants = varying::asked(args, &mut candidates, &app, &machine, invocation)?;
    let serves = |of: &Variant| of.server.is_some() || files_only(&app);
    let is_served = variants.iter().any(serves);
    choosing::tell(&not_tried, is_served, invocation);
    if !is_served {
        return Err(servers::none(&to_type, args.install));
    }
    let mut plan = plan(args, app, variants, (load, seed), &machine);
    plan.not_tried = not_tried;
    apply(&args.how, &mut plan);
    plan.stress = asked::stress(args, &plan);
    if !invocation.quiet() {
        asked::in_vain(args, &plan).iter().for_each(note);
    }
    require(&args.how, &mut plan)?;
    writes::allowed(args, &plan)?;
    let app = plan.app.clone();
    let ended = measured(args, plan, &candidates, &machine, began, invocation);
    writes::brought_back(args, &app, ended)
}

/// Looks at the app and measures what has time, from the first start to what is written.
fn measured(
    args: &TryArgs,
    mut plan: Plan,
    candidates: &Candidates,
    machine: &Machine,
    began: Instant,
    invocation: &Invocation,
) -> Result<Exit> {
    let mut store = invocation.store()?;
    let lab = Lab {
        time: args.budget.patience().into(),
        ..lab(&mut store, machine, invocation, &args.how.start)
    };
    let (time, mut progress) = if files_only(&plan.app) {
        // files are there before anything starts, and front ends take no time for them
        loading::lengthen(args, &mut plan, None);
        (args.budget.limit().into(), invocation.progress())
    } else {
        let follows = args.route.status.is_none() && args.declared().is_none();
        let pace = redirect::looked_at(args, &lab, &mut plan, follows, invocation)?;
        loading::lengthen(args, &mut plan, Some(&pace));
        let pool = loading::size_pool(args, &mut plan, &pace);
        let spent = began.elapsed();
        let mut fit = fitting::fit(args, spent, candidates, &mut plan, &pace, machine);
        fit.told.extend(pool);
        fit.told.extend(writes::told(args, &plan));
        if !invocation.quiet() {
            fit.told.iter().for_each(note);
        }
        let time = fitting::allowance(&args.budget, began.elapsed(), pace);
        (time, invocation.progress().foretold(fit.too_few))
    };
    let run = begin(&plan, invocation, &mut store)?;
    let how = &args.how;
    let exit = carry_out(&run, time, &mut store, invocation, how, &mut progress)?;
    let Some(folder) = &args.write else {
        return Ok(exit);
    };
    let written = write::best(run.id, &store, folder, invocation)?;
    Ok(if exit == Exit::Done { written } else { exit })
}

/// Puts the way in which the app is run today before the others, where it can be run here. One of them that is the same is
/// not tried beside it, unless the user named it.
fn add_today(
    today: &Today,
    app: &App,
    candidates: &mut Candidates,
    machine: &Machine,
    (args, invocation): (&TryArgs, &Invocation),
) {
    let variant = today::variant(today, app, candidates, machine);
    let used = variant.is_some();
    if let Some(variant) = variant {
        candidates.put_first(variant, app, machine, &args.budget.variants);
        if let Some(server) = &today.server {
            candidates.note_own(server.clone(), app, machine);
        }
    }
    if !invocation.quiet() {
        today::tell(today, used);
    }
}

/// Whether there is nothing to load.
fn files_only(app: &App) -> bool {
    app.interface == Interface::Static
}

/// The plan of a comparison.
fn plan(
    args: &TryArgs,
    app: App,
    variants: Vec<Variant>,
    (load, seed): (Load, u64),
    machine: &Machine,
) -> Plan {
    let mut plan = Plan {
        name: app.name.clone(),
        title: title(&app, &load),
        load,
        app,
        blocks: fitting::BLOCKS,
        at_least: Some(judge::PAIRS as u32),
        slice: experiment::SLICE,
        seed,
        variants,
        keep_going: true,
        to_deploy: true,
        ..Plan::default()
    };
    choose_baseline(args, &mut plan, machine);
    plan.cpus = experiment::own_cores(&plan, machine.cores());
    plan
}

/// Names the variant with which the others are compared: the first that serves the app. Development servers are not what others
/// are compared with, unless there is nothing else, and are measured with a fifth of the requests: with all of them where a
/// condition may ask for a quantile that so few could not carry.
fn choose_baseline(args: &TryArgs, plan: &mut Plan, machine: &Machine) {
    let develops = |variant: &Variant| {
        let entry = variant.server.as_ref().map(|server| &server.entry);
        let entry = entry.and_then(|name| machine.catalogue().entry(name));
        entry.is_some_and(|entry| entry.development)
    };
    let files = files_only(&plan.app);
    let mut served = plan
        .variants
        .iter()
        .filter(|of| of.server.is_some() || files);
    let first = served.clone().find(|of| !develops(of)).or(served.next());
    let baseline = first.map(|first| first.name.clone()).unwrap_or_default();
    let few = args
        .how
        .expect
        .is_empty()
        .then(|| loading::shortened(&plan.load));
    for variant in plan.variants.iter_mut().filter(|of| develops(of)) {
        variant.load = few.clone().filter(|_| variant.name != baseline);
    }
    plan.noise_floor = Some(baseline.clone());
    plan.baseline = baseline;
}

/// What is loaded, of which app.
fn title(app: &App, load: &Load) -> String {
    let file = load.requests_from.as_ref().map(RequestFile::name);
    let asked = file.unwrap_or_else(|| app.routes[0].name());
    format!("{}: {asked}", app.name)
}
