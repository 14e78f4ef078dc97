//! How many trials a run has, how many are done, and how long the rest of them takes.

use std::time::Instant;

use experiment::Outlook;

use super::words;

/// What is counted of a run, as far as it is known.
#[derive(Debug, Default)]
pub(super) struct Total {
    /// Trials that have ended since the run began, or went on.
    done: u64,
    /// Those and the ones to come.
    of: u64,
    /// Whether there may be fewer.
    at_most: bool,
    /// What was thought of the rest last, and when.
    outlook: Option<(Outlook, Instant)>,
    /// Trials that had ended by then.
    ended_then: u64,
    /// Trials that have begun since.
    begun_since: u64,
    /// Blocks that there was said to be time for.
    blocks: u32,
    /// Seconds that other runs will need when this one has ended.
    after: f64,
}

impl Total {
    /// So many seconds will be needed for other runs when this one has ended.
    pub(super) fn before(&mut self, after: f64) {
        self.after = after;
    }

    /// A run begins, or goes on, with so many trials left.
    pub(super) fn begun(&mut self, left: u64) {
        *self = Self {
            of: left,
            after: self.after,
            ..Self::default()
        };
    }

    /// What is thought of the rest now; what was before. A number that is an upper limit never grows, unless more blocks
    /// fit.
    pub(super) fn look_ahead(&mut self, outlook: Outlook) -> Option<Outlook> {
        let before = self.outlook.replace((outlook, Instant::now()));
        (self.ended_then, self.begun_since) = (self.done, 0);
        let before = before.map(|(before, _)| before);
        if before.is_none() {
            self.blocks = outlook.blocks;
        }
        let now = self.done + outlook.most;
        let more = before.is_none_or(|before| before.blocks < outlook.blocks);
        self.at_most = words::is_limit(&outlook);
        self.of = if self.at_most && !more {
            self.of.min(now)
        } else {
            now
        };
        before
    }

    /// Whether this block, 0-based, which begins, is one more than there was said to be time for; from now on it was said.
    pub(super) fn goes_beyond(&mut self, block: u32) -> bool {
        let Some((outlook, _)) = self.outlook.filter(|_| block >= self.blocks) else {
            return false;
        };
        self.blocks = outlook.blocks.max(block + 1);
        true
    }

    /// What is thought of the rest, once anything is.
    pub(super) fn outlook(&self) -> Option<Outlook> {
        self.outlook.map(|(outlook, _)| outlook)
    }

    /// Trials in all, since the run began or went on: those that have ended, and those to come.
    pub(super) fn trials(&self) -> u64 {
        self.of
    }

    /// So many trials more were added.
    pub(super) fn more(&mut self, trials: u64) {
        self.of += trials;
    }

    /// So many trials begin, at once or in turn.
    pub(super) fn begin(&mut self, trials: u64) {
        self.begun_since += trials;
    }

    /// A trial has ended.
    pub(super) fn ended(&mut self) {
        self.done += 1;
    }

    /// Trials that are left.
    pub(super) fn rest(&self) -> u64 {
        self.of.saturating_sub(self.done)
    }

    /// Whether the run may end before its last block.
    pub(super) fn may_end_before(&self) -> bool {
        self.outlook.is_some_and(|(outlook, _)| outlook.at_most)
    }

    /// Which trial the next one is: `[6/42]`, or `[6/at most 42]`.
    pub(super) fn counter(&self) -> String {
        let next = self.done + 1;
        let at_most = if self.at_most { "at most " } else { "" };
        format!("[{next}/{at_most}{}]", self.of.max(next))
    }

    /// ` · about 12 min left, 95 min for all`; nothing where nothing is left, or nobody knows.
    pub(super) fn time_left(&self) -> String {
        let Some((outlook, moment)) = self.outlook.filter(|_| self.rest() > 0) else {
            return String::new();
        };
        let left = self.seconds_left(&outlook, moment);
        let all = (self.after > 0.0).then(|| words::about(left + self.after));
        let all = all.map_or_else(String::new, |all| format!(", {all} for all"));
        let at_most = if self.at_most { "at most " } else { "" };
        format!(" · {at_most}about {} left{all}", words::about(left))
    }

    /// Seconds that what is left takes. What is waited for between trials, such as a quiet machine, takes nothing of it; and
    /// where more trials follow than were thought of, these take as long as the others.
    fn seconds_left(&self, outlook: &Outlook, moment: Instant) -> f64 {
        let each = outlook.left / outlook.trials.max(1) as f64;
        if self.done - self.ended_then >= outlook.trials {
            return each * self.rest() as f64;
        }
        let passed = moment.elapsed().as_secs_f64();
        (outlook.left - passed.min(each * self.begun_since as f64)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Of two variants in eight blocks, and a block of stress.
    fn outlook(blocks: u32, trials: u64, most: u64) -> Outlook {
        Outlook {
            trials,
            most,
            left: 60.0,
            blocks,
            of: 8,
            all: 80.0,
            at_most: true,
            budget: Some(90.0),
        }
    }

    #[test]
    fn an_upper_limit_never_grows_by_itself() {
        let mut total = Total::default();
        total.begun(18);
        assert_eq!(total.counter(), "[1/18]");
        assert_eq!(total.look_ahead(outlook(8, 16, 18)), None);
        assert_eq!(total.counter(), "[1/at most 18]");
        // whether there is time for stress changes nothing of it
        total.ended();
        total.look_ahead(outlook(8, 17, 17));
        assert_eq!(total.counter(), "[2/at most 18]");
        // a look has left a variant out of later blocks
        total.ended();
        total.look_ahead(outlook(8, 9, 9));
        assert_eq!(total.counter(), "[3/at most 11]");
        total.look_ahead(outlook(8, 12, 12));
        assert_eq!(
            (total.counter().as_str(), total.rest()),
            ("[3/at most 11]", 9)
        );
    }

    #[test]
    fn it_grows_with_the_blocks_that_fit() {
        let mut total = Total::default();
        total.begun(18);
        total.look_ahead(outlook(6, 12, 12));
        let before = total.look_ahead(outlook(7, 14, 14));
        assert_eq!(before.map(|of| of.blocks), Some(6));
        assert_eq!(total.counter(), "[1/at most 14]");
        // fewer fit than was thought, and then more again
        total.look_ahead(outlook(5, 10, 10));
        assert_eq!(
            (total.counter().as_str(), total.trials()),
            ("[1/at most 10]", 10)
        );
        total.look_ahead(outlook(7, 14, 14));
        assert_eq!(total.trials(), 14);
        // a trial is to be repeated
        total.ended();
        total.more(1);
        total.look_ahead(outlook(7, 14, 14));
        assert_eq!(total.counter(), "[2/at most 15]");
    }

    #[test]
    fn a_block_that_nobody_thought_of_is_told_when_it_begins() {
        let mut total = Total::default();
        total.begun(18);
        assert!(!total.goes_beyond(0), "nobody has looked ahead");
        total.look_ahead(outlook(2, 4, 4));
        assert!(!total.goes_beyond(0));
        // for a moment more seems to fit
        total.look_ahead(outlook(3, 6, 6));
        total.look_ahead(outlook(2, 4, 4));
        assert!(!total.goes_beyond(1));
        total.look_ahead(outlook(4, 6, 6));
        assert!(total.goes_beyond(2) && !total.goes_beyond(2));
        assert!(!total.goes_beyond(3), "it was said with the one before");
        total.look_ahead(outlook(5, 6, 6));
        assert!(total.goes_beyond(4));
    }

    #[test]
    fn a_wait_takes_no_time_of_trials() {
        let mut total = Total::default();
        total.begun(4);
        let four = Outlook {
            left: 40.0,
            at_most: false,
            ..outlook(2, 4, 4)
        };
        total.look_ahead(four);
        let moment = Instant::now().checked_sub(Duration::from_secs(15));
        total.outlook = moment.map(|moment| (four, moment));
        assert_eq!(total.time_left(), " · about 40 s left");
        total.begin(1);
        assert_eq!(total.time_left(), " · about 30 s left");
    }

    #[test]
    fn trials_that_nobody_thought_of_take_time_too() {
        let mut total = Total::default();
        total.begun(3);
        let one = Outlook {
            left: 20.0,
            ..outlook(8, 1, 3)
        };
        total.look_ahead(one);
        total.begin(1);
        total.ended();
        assert_eq!(total.time_left(), " · at most about 40 s left");
    }

    #[test]
    fn what_is_known_is_no_limit() {
        let known = Outlook {
            at_most: false,
            ..outlook(8, 16, 16)
        };
        let mut total = Total::default();
        total.before(600.0);
        total.begun(16);
        assert_eq!(total.time_left(), "", "nobody has looked ahead");
        total.look_ahead(known);
        assert_eq!(total.counter(), "[1/16]");
        let left = total.time_left();
        assert!(left.starts_with(" · about "), "{left}");
        assert!(left.ends_with(" for all"), "{left}");
        (0..16).for_each(|_| total.ended());
        assert_eq!((total.time_left().as_str(), total.rest()), ("", 0));
        // more than was thought
        assert_eq!(total.counter(), "[17/17]");
        total.begun(16);
        total.look_ahead(outlook(8, 16, 16));
        let left = total.time_left();
        assert!(left.starts_with(" · at most about "), "{left}");
    }
}
