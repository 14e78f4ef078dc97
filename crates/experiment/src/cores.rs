//! Which cores the load generator has, and which the stack.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use record::{Cpus, Plan, Variant};
use stack::{Composition, Machine, StackError};

use crate::plan::error::PlanError;

/// Most cores that a system tells apart.
const MOST: usize = CpuSet::MAX_CPU;

/// Cores of a machine from which on the load generator has some of its own where nobody says how they are divided: of two cores
/// it would leave the stack one, and what two workers do could not be seen.
const ENOUGH: u32 = 3;

/// Of so many cores it has one then, and of fewer one as well.
const ONE_OF: u32 = 4;

/// How a machine's cores are divided for a plan that does not say it. Stacks that are compared as fast as they go may keep each core
/// busy, and of some the load generator would then take more than of others: so it has cores of its own. `None` where nothing is
/// compared, where all is loaded at a rate, where servers run that weir does not start, and on a machine of too few cores.
pub fn own_cores(plan: &Plan, cores: u32) -> Option<Cpus> {
    let compares = plan.variants.len() > 1;
    let starts = plan.variants.iter().all(Variant::is_stack);
    let mut loads = plan.variants.iter().map(|of| plan.load_of(of));
    let as_fast_as_they_go = loads.any(|load| !load.shape.is_open() || load.goal.is_some());
    let load = (cores / ONE_OF).max(1);
    let wanted = cores >= ENOUGH && compares && starts && as_fast_as_they_go;
    wanted.then_some(Cpus { load, stack: None })
}

/// The processors that weir may use, by number: those of the stack first, as the plan divides them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Division {
    /// The stack's.
    pub(crate) stack: Vec<usize>,
    /// The load generator's.
    load: Vec<usize>,
}

impl Division {
    /// As the plan has it; none where all share all.
    ///
    /// # Errors
    /// The system's, when it does not say which processors there are.
    pub(crate) fn of(plan: &Plan) -> std::io::Result<Option<Self>> {
        let Some(cpus) = plan.cpus else {
            return Ok(None);
        };
        let mask = sched_getaffinity(None)?;
        let usable: Vec<usize> = (0..MOST).filter(|number| mask.is_set(*number)).collect();
        let load = usable.len().saturating_sub(cpus.load as usize);
        let (rest, load) = usable.split_at(load);
        let stack = cpus.stack.map_or(rest.len(), |most| most as usize);
        Ok(Some(Self {
            stack: rest[..stack.min(rest.len())].to_vec(),
            load: load.to_vec(),
        }))
    }

    /// Keeps this thread, and those that it starts from now on, on the load generator's processors until this is dropped.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn confine(&self) -> std::io::Result<Confined> {
        let before = sched_getaffinity(None)?;
        let mut mask = CpuSet::new();
        for number in &self.load {
            mask.set(*number);
        }
        sched_setaffinity(None, &mask)?;
        Ok(Confined(before))
    }
}

/// A thread that may run on some processors only, as long as this lives.
pub(crate) struct Confined(CpuSet);

impl Drop for Confined {
    fn drop(&mut self) {
        let _ = sched_setaffinity(None, &self.0);
    }
}

/// Cores of the stack on a machine of so many, as the plan divides them.
pub(crate) fn of_stack(plan: &Plan, machine: &Machine) -> u32 {
    plan.cpus.map_or(machine.cores(), |of| {
        let rest = machine.cores().saturating_sub(of.load);
        of.stack.unwrap_or(rest).clamp(1, rest.max(1))
    })
}

/// Cores of the load generator.
pub(crate) fn of_load(plan: &Plan, machine: &Machine) -> u32 {
    plan.cpus.map_or(machine.cores(), |of| of.load)
}

/// A variant of the plan, on the cores that the plan gives it.
///
/// # Errors
/// As of [`Machine::compose`].
pub(crate) fn compose(
    machine: &Machine,
    plan: &Plan,
    variant: &Variant,
) -> Result<Composition, StackError> {
    let app = plan.app_of(variant);
    machine.compose_with(variant, app, of_stack(plan, machine))
}

/// Whether a machine has the cores that the plan divides.
///
/// # Errors
/// It has too few.
pub(crate) fn check(plan: &Plan, machine: &Machine) -> Result<(), PlanError> {
    let Some(cpus) = plan.cpus else { return Ok(()) };
    let wanted = cpus.load.saturating_add(cpus.stack.unwrap_or(1));
    let cores = machine.cores();
    if cpus.load > 0 && cpus.stack != Some(0) && wanted <= cores {
        return Ok(());
    }
    Err(PlanError::Cores { wanted, cores })
}

#[cfg(test)]
mod tests {
    use record::Shape;

    use super::*;

    fn divided(load: u32, stack: Option<u32>) -> Option<Division> {
        let plan = Plan {
            cpus: Some(Cpus { load, stack }),
            ..Plan::default()
        };
        Division::of(&plan).unwrap()
    }

    #[test]
    fn the_generator_has_the_last_ones_and_the_stack_the_rest() {
        assert_eq!(Division::of(&Plan::default()).unwrap(), None);
        let all = divided(0, None).unwrap().stack;
        assert!(!all.is_empty());
        let one = divided(1, None).unwrap();
        assert_eq!(one.load, all[all.len() - 1..]);
        assert_eq!(one.stack, all[..all.len() - 1]);
        let both = divided(1, Some(1)).unwrap();
        assert_eq!(both.stack, all[..1.min(all.len() - 1)]);
    }

    #[test]
    fn the_generator_has_its_own_where_stacks_are_compared_as_fast_as_they_go() {
        let two = |change: fn(&mut Plan)| {
            let mut plan = Plan {
                variants: vec![Variant::default(), Variant::default()],
                ..Plan::default()
            };
            change(&mut plan);
            plan
        };
        let plan = two(|_| ());
        let of = |cores| own_cores(&plan, cores).map(|of| of.load);
        assert_eq!([1, 2].map(of), [None, None]);
        assert_eq!([3, 7, 8, 64].map(of), [1, 1, 2, 16].map(Some));
        let alone = two(|plan| plan.variants.truncate(1));
        let elsewhere = two(|plan| plan.variants[0].url = Some("http://127.0.0.1/".to_owned()));
        let at_a_rate = two(|plan| {
            plan.load.shape = Shape::Recorded {
                requests: 1,
                seconds: 1.0,
            };
        });
        for without in [alone, elsewhere, at_a_rate] {
            assert_eq!(own_cores(&without, 8), None);
        }
    }

    #[test]
    fn a_thread_is_confined_and_set_free() {
        let before = sched_getaffinity(None).unwrap();
        let confined = divided(1, None).unwrap().confine().unwrap();
        assert_eq!(sched_getaffinity(None).unwrap().count(), 1);
        let inherited = std::thread::spawn(|| sched_getaffinity(None).unwrap().count());
        assert_eq!(inherited.join().unwrap(), 1);
        drop(confined);
        assert_eq!(sched_getaffinity(None).unwrap(), before);
    }
}
