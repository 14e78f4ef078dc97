//! How windows are cut into slices that take turns. No clock and no server in here.

use load::{Pace, Slice};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use record::{Amount, Load, Plan};

/// Seconds of load that lead in to a slice at least: as long as a server takes to be at its pace again.
const LEAD: f64 = 0.02;
/// How many times as long as most responses take a slice is at best: then the requests that its ends cut through are few.
const RESPONSES: f64 = 4.0;
/// How many times as long as was asked for slices become for that; where responses take longer, a slice is as long as they.
const STRETCH: f64 = 2.5;
/// How many times as long as was asked for slices become at most. Beyond, a window is not cut.
const MOST_STRETCH: f64 = 10.0;
/// Longest time in seconds, in lengths of a slice as it was asked for, that what a slice's end cuts through may take until it is
/// answered. Beyond, the time between slices is longer than they.
const MOST_DRAIN: f64 = 10.0;
/// Fewest slices of a window. It has more as long as what is between them, load that leads in and the wait at an end, takes no
/// longer than they: beyond, the same time brings more as further blocks.
const FEWEST: u32 = 4;

/// A window that can be cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    /// Seconds of all its slices.
    window: f64,
    /// Seconds of load that lead in to each, and of these over which connections begin.
    lead: f64,
    spread: f64,
    /// Whether load goes on after each while what its end cuts through is waited for.
    trails: bool,
    /// Into how many slices at most.
    most: u32,
}

impl Cut {
    /// The window of a load whose warm-up went at this pace; slices are of so many seconds where nothing keeps them
    /// from it. None where that is no window of [`FEWEST`] slices.
    pub(crate) fn of(load: &Load, pace: Pace, slice: f64) -> Option<Self> {
        if slice <= 0.0 || !load.can_be_cut() || pace.rate <= 0.0 || pace.p90 <= 0.0 {
            return None;
        }
        let Amount::Seconds(window) = load.amount else {
            return None;
        };
        let settled = pace.p90.max(pace.cut);
        let length = (RESPONSES * pace.p90)
            .min(STRETCH * slice)
            .max(settled)
            .max(slice);
        let most = (window / length) as u32;
        // connections begin within one response, and in the next the server's queue becomes as long as they keep it
        let leads_in = (pace.p50 + settled).max(LEAD);
        let paid = (window / (leads_in + pace.drain)) as u32;
        let quick = length <= MOST_STRETCH * slice && pace.drain <= MOST_DRAIN * slice;
        (quick && most >= FEWEST).then(|| Self {
            window,
            lead: leads_in,
            spread: pace.p50,
            // few wait, and for long: they would for longer in a server that is left alone
            trails: pace.cut > pace.p90,
            most: most.min(paid.max(FEWEST)),
        })
    }

    /// How many slices windows are cut into that take turns.
    pub(crate) fn rounds(cuts: &[Self]) -> u32 {
        cuts.iter().map(|cut| cut.most).min().unwrap_or(0)
    }

    /// Each of so many slices.
    pub(crate) fn slice(&self, rounds: u32) -> Slice {
        Slice {
            lead: self.lead,
            spread: self.spread,
            length: self.window / f64::from(rounds.max(1)),
            trails: self.trails,
        }
    }
}

/// The fewest slices that a window has where these are to be of so many seconds and what an end cuts through takes so
/// long: one where that is too long to cut it.
pub(crate) fn fewest(slice: f64, drain: f64) -> u32 {
    if drain <= MOST_DRAIN * slice {
        FEWEST
    } else {
        1
    }
}

/// In which order so many members of a block take their turns: a row for each round. Each goes on from every place
/// about equally often, at random, and the plan's seed and the block's number decide it.
pub(crate) fn turns(plan: &Plan, block: u32, members: usize, rounds: u32) -> Vec<Vec<usize>> {
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    // apart from the one that orders the block
    random.set_stream(u64::MAX - u64::from(block));
    let mut order: Vec<usize> = (0..members).collect();
    let mut round = |_| {
        order.shuffle(&mut random);
        order.clone()
    };
    (0..rounds).map(&mut round).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::order::tests::plan;

    fn pace(rate: f64, p90: f64) -> Pace {
        Pace {
            rate,
            p50: p90 / 2.0,
            p90,
            cut: p90 / 2.0,
            drain: p90,
        }
    }

    fn load(amount: Amount) -> Load {
        Load {
            amount,
            ..Load::default()
        }
    }

    #[test]
    fn a_window_is_cut_as_its_responses_allow() {
        let of = |p90| Cut::of(&load(Amount::Seconds(2.0)), pace(1_000.0, p90), 0.1);
        let quick = of(0.001).unwrap();
        assert_eq!((quick.most, quick.lead, quick.spread), (20, 0.02, 0.0005));
        let slow = of(0.05).unwrap();
        assert_eq!((slow.most, slow.spread), (10, 0.025));
        assert!((slow.lead - 0.075).abs() < 1e-9);
        assert_eq!(of(0.1).unwrap().most, 8);
        // the ends of five slices would take longer than they
        assert_eq!((of(0.155).unwrap().most, of(0.18).unwrap().most), (5, 4));
        assert_eq!(of(0.5).unwrap().most, 4);
        assert_eq!(of(0.51), None, "three slices of it are too few");
        let long = load(Amount::Seconds(10.0));
        let of_long = |p90| Cut::of(&long, pace(1_000.0, p90), 0.1);
        assert_eq!(of_long(0.5).unwrap().most, 8);
        assert_eq!(of_long(1.0).unwrap().most, 4);
        assert_eq!(
            of_long(1.01),
            None,
            "its slices would be longer than a second"
        );
        assert_eq!(of(0.0), None, "nothing was answered");
        let short = load(Amount::Seconds(0.3));
        assert_eq!(Cut::of(&short, pace(1_000.0, 0.001), 0.1), None);
        let whole = load(Amount::Seconds(2.0));
        assert_eq!(Cut::of(&whole, pace(1_000.0, 0.001), 0.0), None);
    }

    #[test]
    fn what_lets_few_wait_for_long_has_long_slices_and_a_load_that_goes_on() {
        let of = |cut, drain| {
            let quick = pace(1_000.0, 0.004);
            let window = load(Amount::Seconds(2.0));
            Cut::of(
                &window,
                Pace {
                    cut,
                    drain,
                    ..quick
                },
                0.1,
            )
        };
        let even = of(0.003, 0.01).unwrap();
        assert!(!even.trails && even.slice(even.most).length < 0.11);
        let uneven = of(0.3, 0.9).unwrap();
        assert!(uneven.trails && uneven.slice(uneven.most).trails);
        assert_eq!(uneven.most, 4);
        assert!((uneven.lead - 0.302).abs() < 1e-9);
        assert_eq!(
            of(0.3, 1.1),
            None,
            "a turn would be shorter than the wait after it"
        );
        assert_eq!(of(0.6, 0.9), None);
    }

    #[test]
    fn all_have_as_many_slices_as_the_one_that_has_fewest() {
        let cut = |seconds, p90| {
            let load = load(Amount::Seconds(seconds));
            Cut::of(&load, pace(1_000.0, p90), 0.1).unwrap()
        };
        let (quick, slow) = (cut(2.0, 0.001), cut(1.0, 0.05));
        let rounds = Cut::rounds(&[quick, slow]);
        assert_eq!(rounds, 5);
        assert!((quick.slice(rounds).length - 0.4).abs() < 1e-9);
        assert!((slow.slice(rounds).length - 0.2).abs() < 1e-9);
    }

    #[test]
    fn each_takes_its_turn_in_every_round_and_from_every_place() {
        let plan = plan(7, None, 2);
        let rounds = turns(&plan, 0, 3, 300);
        let mut first = [0; 3];
        for round in &rounds {
            first[round[0]] += 1;
            let mut all = round.clone();
            all.sort_unstable();
            assert_eq!(all, [0, 1, 2]);
        }
        assert!(
            first.iter().all(|times| (70..=130).contains(times)),
            "{first:?}"
        );
        assert_eq!(rounds, turns(&plan, 0, 3, 300));
        assert_ne!(rounds, turns(&plan, 1, 3, 300));
    }
}
