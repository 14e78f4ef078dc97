//! What a person is told once of a run, and not with each trial.

use std::collections::BTreeSet;

use judge::StillOpen;
use record::Others;

/// What is worth a line once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Once {
    /// How long the run takes, and how much of it fits its time.
    Estimate,
    /// That fewer blocks fit than a verdict needs.
    FewBlocks,
    /// How trials take turns.
    Turns,
    /// What the present trials wait for when their window is over.
    Drain,
    /// Which programs are waited for.
    Waiting,
    /// What to do about programs that disturb trials.
    BesideOthers,
    /// That responses differ in times, which are not compared.
    Times,
}

/// What was told.
#[derive(Debug, Default)]
pub(super) struct Told {
    once: BTreeSet<Once>,
    /// The programs that were named, as they disturbed a trial or were waited for.
    named: BTreeSet<String>,
    /// The questions that were said to stay open, and whether they were given up then.
    open: BTreeSet<(String, bool)>,
}

impl Told {
    /// Whether this was not told yet; from now on it was.
    pub(super) fn first(&mut self, what: Once) -> bool {
        self.once.insert(what)
    }

    /// This may be told once more.
    pub(super) fn forget(&mut self, what: Once) {
        self.once.remove(&what);
    }

    /// Whether it was not told yet that a question will stay open, or that it is given up; from now on it was. One that was
    /// given up is told no more.
    pub(super) fn left_open(&mut self, of: &StillOpen) -> bool {
        let given_up = self.open.contains(&(of.what.clone(), true));
        !given_up && self.open.insert((of.what.clone(), of.given_up))
    }

    /// Why a trial is repeated, which was disturbed `by` these programs or is for another reason; and from the second one that
    /// was disturbed on, unless it was told, what to do about them.
    pub(super) fn repeated(&mut self, because: &str, by: &[String]) -> (String, Option<String>) {
        if by.is_empty() {
            return (because.to_owned(), None);
        }
        let again = !self.named.is_empty();
        let known = by.iter().all(|name| self.named.contains(name));
        self.named.extend(by.iter().cloned());
        let same = "the same programs disturbed it";
        let why = if known { same } else { because };
        (why.to_owned(), again.then(|| self.advice(None)).flatten())
    }

    /// What is said when these programs are waited for, in these words: nothing where it was said.
    pub(super) fn waits(&mut self, words: &str, others: &Others) -> Vec<String> {
        let names = others.each(|of| of.name.clone()).into_iter();
        self.named.extend(names.map(|(name, _)| name));
        if !self.first(Once::Waiting) {
            return Vec::new();
        }
        let wait = std::iter::once(words.to_owned());
        wait.chain(self.advice(Some(others))).collect()
    }

    fn advice(&mut self, others: Option<&Others>) -> Option<String> {
        let first = self.first(Once::BesideOthers);
        first.then(|| {
            let programs = others.into_iter().flat_map(|of| &of.programs);
            let ends = observe::Ends::of(programs.filter_map(|of| of.pid)).words();
            format!("hint: {}", judge::beside_others(ends.as_deref()))
        })
    }
}

#[cfg(test)]
mod tests {
    use record::OtherProgram;

    use super::*;

    fn names(of: &[&str]) -> Vec<String> {
        of.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn what_to_do_about_others_is_said_of_the_second_trial_that_they_disturb() {
        let mut told = Told::default();
        let (cc, both) = (names(&["cc1"]), names(&["cc1", "ld"]));
        assert_eq!(told.repeated("lost", &[]), ("lost".to_owned(), None));
        assert_eq!(told.repeated("cc1: 41 %", &cc).1, None);
        let lost = told.repeated("lost", &[]);
        assert_eq!(lost, ("lost".to_owned(), None), "it is no second one");
        let (why, advice) = told.repeated("cc1: 42 %", &cc);
        assert_eq!(why, "the same programs disturbed it");
        assert!(advice.unwrap().contains("`--shared`"));
        let other = told.repeated("cc1 and ld: 43 %", &both);
        assert_eq!(other, ("cc1 and ld: 43 %".to_owned(), None));
        let waits = told.waits("waiting for ld", &Others::default());
        assert_eq!(waits, ["waiting for ld"]);
    }

    #[test]
    fn a_wait_is_said_once_with_what_to_do() {
        let mut told = Told::default();
        let others = Others {
            programs: vec![OtherProgram {
                name: "cc1".to_owned(),
                pid: Some(std::process::id()),
                ..OtherProgram::default()
            }],
            ..Others::default()
        };
        let lines = told.waits("waiting for cc1", &others);
        assert_eq!((lines.len(), &*lines[0]), (2, "waiting for cc1"));
        let ends = format!("`kill {}`", std::process::id());
        assert!(lines[1].contains(&ends), "{ends}: {lines:?}");
        assert!(lines[1].contains("`--shared`"), "{lines:?}");
        assert_eq!(told.waits("waiting for cc1", &others), [""; 0]);
        let same = ("the same programs disturbed it".to_owned(), None);
        assert_eq!(told.repeated("cc1: 41 %", &names(&["cc1"])), same);
    }

    #[test]
    fn what_stays_open_is_told_once_and_once_more_when_it_is_given_up() {
        let mut told = Told::default();
        let open = |given_up| StillOpen {
            what: "mean of `a` < 1 ms".to_owned(),
            because: String::new(),
            blocks: 40,
            given_up,
        };
        assert!(told.left_open(&open(false)) && !told.left_open(&open(false)));
        assert!(told.left_open(&open(true)) && !told.left_open(&open(true)));
        let mut late = Told::default();
        assert!(late.left_open(&open(true)) && !late.left_open(&open(false)));
    }

    #[test]
    fn what_is_forgotten_is_told_once_more() {
        let mut told = Told::default();
        assert!(told.first(Once::Drain) && !told.first(Once::Drain));
        told.forget(Once::Drain);
        assert!(told.first(Once::Drain));
    }
}
