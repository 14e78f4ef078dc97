//! What is open of the plans that ran for a first look, and which of it gets the time that is left. No clock in here.

use ::report::words::counted;
use experiment::enough;
use record::Run;

/// What more blocks of a run may decide: claims come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// Claims.
    Claims,
    /// Why claims do not hold.
    Reasons,
}

/// A run of which blocks are left that may decide something.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Open {
    /// The place of its plan among all.
    pub(super) place: usize,
    /// The number of the run that is gone on with.
    pub(super) run: i64,
    /// Whole blocks that it has.
    blocks: u32,
    pub(super) what: What,
    /// How many of these are meant: those that the time most likely decides, or all where it decides none.
    number: u32,
    /// Blocks after which they are decided, where that is before the plan's last one.
    pub(super) until: Option<u32>,
    /// Seconds that this will most likely take, and those of one block.
    pub(super) seconds: f64,
    block: f64,
    /// Whether the time most likely decides what is meant.
    in_time: bool,
}

impl Open {
    /// What is open of a run that was cut short, where so many seconds are left: of each claim, or reason, how many blocks
    /// more it takes (see `judge::Wanted`). Nothing where not even a block fits.
    pub(super) fn of(
        place: usize,
        run: &Run,
        what: What,
        wanted: &[Option<u32>],
        left: f64,
    ) -> Option<Self> {
        let cut = run.cut.filter(|cut| cut.block <= left)?;
        let most = run.plan.blocks.saturating_sub(cut.blocks);
        if wanted.is_empty() || most == 0 {
            return None;
        }
        // without an interval nothing tells: what is missing of the blocks for one, and then all
        let to_first = enough(&run.plan).saturating_sub(cut.blocks);
        let unknown = if to_first > 0 { to_first } else { most };
        let seconds = |blocks: u32| cut.block * f64::from(blocks);
        let more = wanted.iter().map(|more| more.unwrap_or(unknown));
        let in_time: Vec<u32> = more
            .filter(|more| *more <= most && seconds(*more) <= left)
            .collect();
        let all = in_time.iter().copied().max();
        let more = all.unwrap_or(most);
        let meant = all.map_or(wanted.len(), |_| in_time.len());
        Some(Self {
            place,
            run: run.id,
            blocks: cut.blocks,
            what,
            number: meant as u32,
            until: (more < most).then_some(cut.blocks + more),
            seconds: seconds(more),
            block: cut.block,
            in_time: all.is_some(),
        })
    }

    /// What tells it from what is open later on.
    pub(super) fn state(&self) -> (i64, u32, What) {
        (self.run, self.blocks, self.what)
    }

    /// Whether there is still time for it, for so much of it as was thought.
    pub(super) fn fits(&self, left: f64) -> bool {
        let needed = if self.in_time {
            self.seconds
        } else {
            self.block
        };
        needed <= left
    }

    /// `2 open claims`.
    pub(super) fn words(&self) -> String {
        let what = match self.what {
            What::Claims => "open claim",
            What::Reasons => "open reason",
        };
        counted(self.number.into(), what)
    }

    /// Claims that the time decides come first, then reasons that it decides; what it does not decide has what these leave.
    fn turn(&self) -> (bool, What) {
        (!self.in_time, self.what)
    }

    /// Seconds for each claim, or reason.
    fn price(&self) -> f64 {
        self.seconds / f64::from(self.number)
    }
}

/// Those of which it is the turn, the cheapest first.
pub(super) fn in_turn(mut open: Vec<Open>) -> Vec<Open> {
    let first = open.iter().map(Open::turn).min();
    open.retain(|of| Some(of.turn()) == first);
    open.sort_by(|one, other| one.price().total_cmp(&other.price()));
    open
}

#[cfg(test)]
mod tests {
    use record::{Cut, Host, Plan, RunStatus};

    use super::*;

    /// A run of a plan of 4 to 12 blocks of ten seconds each that has so many.
    fn run(blocks: u32) -> Run {
        Run {
            id: 1,
            started: record::now(),
            plan: Plan {
                at_least: Some(4),
                blocks: 12,
                ..Plan::default()
            },
            host: Host::default(),
            weir: String::new(),
            status: RunStatus::Finished,
            cut: Some(Cut {
                budget: 100.0,
                spent: 100.0,
                blocks,
                trials: 0,
                block: 10.0,
            }),
        }
    }

    fn open(blocks: u32, what: What, wanted: &[Option<u32>], left: f64) -> Option<Open> {
        Open::of(0, &run(blocks), what, wanted, left)
    }

    #[test]
    fn claims_that_the_time_decides_come_before_reasons_and_these_before_other_claims() {
        let at = |place, what, more| {
            let open = open(4, what, &[Some(more)], 50.0).unwrap();
            Open { place, ..open }
        };
        let mut left = vec![
            at(0, What::Reasons, u32::MAX),
            at(1, What::Claims, 9),
            at(2, What::Reasons, 3),
            at(3, What::Reasons, 1),
            at(4, What::Claims, 5),
            at(5, What::Claims, 2),
        ];
        let mut turns = Vec::new();
        while !left.is_empty() {
            let now: Vec<usize> = in_turn(left.clone()).iter().map(|of| of.place).collect();
            left.retain(|of| !now.contains(&of.place));
            turns.push(now);
        }
        assert_eq!(turns, [vec![5, 4], vec![3, 2], vec![1], vec![0]]);
        assert!(in_turn(Vec::new()).is_empty());
    }

    #[test]
    fn of_several_claims_those_that_the_time_decides_are_meant() {
        let of = open(4, What::Claims, &[Some(2), Some(7), Some(3)], 50.0).unwrap();
        assert_eq!((of.words().as_str(), of.until), ("2 open claims", Some(7)));
        assert!((of.seconds - 30.0).abs() < 1e-9 && of.in_time);
        assert!(of.fits(30.0) && !of.fits(29.0));
        // where it decides none, all of them have what there is
        let of = open(4, What::Reasons, &[Some(9), None], 50.0).unwrap();
        assert_eq!((of.words().as_str(), of.until), ("2 open reasons", None));
        assert!(!of.in_time && of.fits(10.0) && !of.fits(9.0));
    }

    #[test]
    fn without_an_interval_as_many_blocks_are_wanted_as_it_needs() {
        let of = open(1, What::Claims, &[None], 50.0).unwrap();
        assert_eq!((of.until, of.in_time), (Some(4), true));
        let of = open(4, What::Claims, &[None], 80.0).unwrap();
        assert_eq!((of.until, of.in_time), (None, true));
    }

    #[test]
    fn nothing_is_begun_for_which_there_is_no_time_or_no_need() {
        assert_eq!(open(4, What::Claims, &[Some(1)], 9.0), None);
        assert_eq!(open(4, What::Claims, &[], 50.0), None);
        assert_eq!(open(12, What::Claims, &[Some(1)], 50.0), None);
        let whole = Run {
            cut: None,
            ..run(4)
        };
        assert_eq!(Open::of(0, &whole, What::Claims, &[Some(1)], 50.0), None);
    }
}
