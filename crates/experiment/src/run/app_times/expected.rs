//! How long loads, trials and runs will take, by what the look at the app has shown.

use record::{Amount, Load, Plan, Shape, Stress, Variant, WarmUpPlan, limits};

use super::AppTimes;
use crate::run::again::AGAIN;
use crate::run::at_once::{AtOnce, Slots};
use crate::run::first_load::Cost;
use crate::run::forecast::Forecast;
use crate::run::slices;

/// Seconds of a trial besides: the load engine's start and end, and often a front end's.
const BESIDES: f64 = 0.4;

/// Seconds that each further program of a variant takes to start and to stop.
const PROGRAM: f64 = 0.2;

/// Fewer variants make no choice: the way of today, another server, a front end.
const CHOICE: usize = 3;

/// The smallest comparisons, the best first: how many variants they have, and whether they have an A/A pair.
const SMALLEST: [(usize, bool); 3] = [(CHOICE, true), (2, true), (2, false)];

impl AppTimes {
    /// Seconds that a plan will take, about.
    pub fn of_run(&self, plan: &Plan, slots: Slots) -> f64 {
        self.of_blocks(plan, slots)(plan.blocks)
    }

    /// Seconds that a plan will take with so many blocks.
    fn of_blocks(&self, plan: &Plan, slots: Slots) -> impl Fn(u32) -> f64 {
        let trial = |variant: &Variant| self.of_variant(plan, variant, slots);
        let block: f64 = plan.variants.iter().map(trial).sum();
        let twin = plan.noise_floor.as_ref();
        let twin = twin.and_then(|name| plan.variant(name)).map_or(0.0, trial);
        let baseline = plan.variant(&plan.baseline).map_or(0.0, trial);
        let besides = self.before + plan.variants.len() as f64 * self.under_stress(plan);
        move |blocks| {
            let pairs = f64::from(plan.pairs_in(blocks));
            let more = f64::from(plan.more_baselines_in(blocks));
            besides + f64::from(blocks) * block + pairs * twin + more * baseline
        }
    }

    /// How many blocks of a plan fit into this many seconds, with its stress and time for a trial that is taken again.
    pub fn blocks_in(&self, plan: &Plan, slots: Slots, seconds: f64) -> u32 {
        let variants = plan.variants.iter();
        let longest = variants.map(|variant| self.of_variant(plan, variant, slots));
        let again = f64::from(AGAIN) * longest.fold(0.0, f64::max);
        self.whole_blocks(plan, slots, seconds - again)
    }

    /// How many blocks of a plan end within this many seconds where its stress has what they leave and nothing is taken
    /// again: one at least, as the first is always run.
    pub fn blocks_within(&self, plan: &Plan, slots: Slots, seconds: f64) -> u32 {
        let calm = Plan {
            stress: Vec::new(),
            ..plan.clone()
        };
        let whole = self.whole_blocks(&calm, slots, seconds);
        whole.min(plan.blocks).max(1)
    }

    fn whole_blocks(&self, plan: &Plan, slots: Slots, seconds: f64) -> u32 {
        let takes = self.of_blocks(plan, slots);
        let fits = |blocks: &u32| takes(*blocks) <= seconds;
        (1..=limits::BLOCKS).take_while(fits).count() as u32
    }

    /// How many of these variants of a plan, the first ones, are compared in this many seconds, and whether with an A/A pair: as
    /// many as fit, if they are a choice; else those of the best of the smallest comparisons that comes to a verdict, which may
    /// leave no time for stress. Where there is no time for any of these it is the best of which one block fits, and nothing is
    /// decided; where none does, the choice.
    pub fn compared(
        &self,
        plan: &Plan,
        variants: &[&Variant],
        slots: Slots,
        seconds: f64,
    ) -> (usize, bool) {
        let usual = self.fitting(plan, variants, slots, seconds);
        if usual >= CHOICE {
            return (usual, true);
        }
        let fits = |blocks: u32, (number, twin): (usize, bool)| {
            let small = Plan {
                blocks,
                stress: Vec::new(),
                noise_floor: plan.noise_floor.clone().filter(|_| twin),
                variants: variants.iter().take(number).copied().cloned().collect(),
                ..plan.clone()
            };
            self.of_run(&small, slots) <= seconds
        };
        let best = |blocks| SMALLEST.into_iter().find(|&of| fits(blocks, of));
        let decided = best(plan.looks().unwrap_or(plan.blocks));
        decided.or_else(|| best(1)).unwrap_or((CHOICE, true))
    }

    /// How many of these variants of a plan, the first ones, fit into this many seconds, with time for a trial that
    /// is taken again.
    fn fitting(&self, plan: &Plan, variants: &[&Variant], slots: Slots, budget: f64) -> usize {
        let ends = self.ends(plan, variants, slots);
        ends.take_while(|end| *end <= budget).count()
    }

    /// Seconds from which on these variants of a plan, the first ones, are a choice that has time for its stress, too.
    pub fn of_choice(&self, plan: &Plan, variants: &[&Variant], slots: Slots) -> f64 {
        let ends = self.ends(plan, variants, slots);
        ends.take(CHOICE).fold(0.0, f64::max)
    }

    /// Seconds until the first of these variants has had its trials, the first two have, and so on, with time for a trial that is
    /// taken again.
    fn ends(&self, plan: &Plan, variants: &[&Variant], slots: Slots) -> impl Iterator<Item = f64> {
        let mut spent = self.before;
        variants.iter().map(move |variant| {
            let trial = self.of_variant(plan, variant, slots);
            spent += f64::from(trials(plan, variant)) * trial;
            spent += self.under_stress(plan);
            spent + f64::from(AGAIN) * trial
        })
    }

    /// Seconds that a run must have left for the first of its stress, which it has of all variants or of none; 0 without stress.
    pub fn of_first_stress(plan: &Plan) -> f64 {
        let first = plan.stress.first();
        first.map_or(0.0, |stress| {
            Forecast::default().under_stress(*stress, plan.variants.len())
        })
    }

    /// Seconds that a trial of a variant will take, about: each program that there is beside the first takes some
    /// time too.
    pub(crate) fn of_variant(&self, plan: &Plan, variant: &Variant, slots: Slots) -> f64 {
        let programs = variant.server.iter().chain(&variant.fronts);
        let programs: u32 = programs.map(|program| program.instances).sum();
        let beside = f64::from(programs.saturating_sub(1)) * PROGRAM;
        let load = plan.load_of(variant);
        let alone = variant.fronts.is_empty() && programs == 1;
        let own = alone && self.variant == variant.name;
        let seen = self
            .loaded
            .filter(|(connections, _)| own && *connections == load.connections);
        let seen = seen.map(|(_, cost)| cost);
        let cut = load.can_be_cut() && !plan.whole.contains(&variant.name);
        let slice = Some(plan.slice).filter(|slice| cut && *slice > 0.0);
        self.around + beside + self.of_load(load, slots(variant), seen, slice)
    }

    /// Seconds of a variant's trials under stress.
    fn under_stress(&self, plan: &Plan) -> f64 {
        let each = |stress: &Stress| self.around + stress.seconds() + Stress::BESIDES;
        plan.stress.iter().map(each).sum()
    }

    /// Seconds from a start to the end of a stop.
    pub(crate) fn of_start(&self) -> f64 {
        self.around
    }

    /// Seconds of a load; `seen` is what responses took on this very variant, and `slice` the seconds of the slices into
    /// which its window is cut.
    fn of_load(&self, load: &Load, slots: AtOnce, seen: Option<Cost>, slice: Option<f64>) -> f64 {
        let at_once = slots.requests.unwrap_or(f64::INFINITY).max(1.0);
        let at_once = at_once.min(f64::from(load.connections.max(1)));
        let each = match &load.shape {
            Shape::Open(arrivals) if arrivals.mean_rate() > 0.0 => 1.0 / arrivals.mean_rate(),
            _ => seen.map_or_else(|| self.each(at_once, slots), |cost| cost.each),
        };
        let measured = match load.amount {
            Amount::Requests(requests) => requests as f64 * each,
            Amount::Seconds(seconds) => seconds,
        };
        let warm_up = match load.warm_up {
            WarmUpPlan::Requests(requests) => requests as f64 * each,
            WarmUpPlan::Seconds(seconds) | WarmUpPlan::Stationary(seconds) => seconds,
            WarmUpPlan::None => 0.0,
        };
        BESIDES + measured + warm_up + waits(load, each, seen, slice)
    }

    /// Seconds from one answer to the next: what an answer waits for passes for as many `at_once`, and what it
    /// works for does so on as many cores as there are workers. Where nothing says how many, one works.
    fn each(&self, at_once: f64, slots: AtOnce) -> f64 {
        let workers = slots.requests.unwrap_or(1.0);
        let cores = workers.min(f64::from(slots.cores)).max(1.0);
        (self.answer / at_once).max(self.cpu / cores)
    }
}

/// Seconds in which the last answers are waited for: at the end of the warm-up and of the window, or of each of its
/// slices. Those of a server that works on one at a time come one by one, at this pace, and one that holds kept
/// connections back lets some wait for as long as was seen.
fn waits(load: &Load, each: f64, seen: Option<Cost>, slice: Option<f64>) -> f64 {
    if load.shape.is_open() {
        return 0.0;
    }
    let last = f64::from(load.connections) * each;
    let longest = seen.map_or(last, |cost| cost.longest.max(last));
    let wait = longest.min(load.timeout);
    let warm_ups = u32::from(load.warm_up != WarmUpPlan::None);
    let windows = slice.map_or(1, |slice| slices::fewest(slice, wait));
    f64::from(warm_ups + windows) * wait
}

/// How often a variant runs in the blocks of a plan.
fn trials(plan: &Plan, variant: &Variant) -> u32 {
    let twin = plan.noise_floor.as_ref() == Some(&variant.name);
    let pairs = if twin { plan.pairs_in(plan.blocks) } else { 0 };
    plan.blocks + pairs
}

#[cfg(test)]
mod tests;
