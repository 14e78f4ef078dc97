//! A sign of life where nothing else is said: what is waited for, since when, and how long at most.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use report::units;

/// How many times as long as a wait what says itself how far it is goes on without a word.
const UNDER_WAY: u32 = 4;

/// What is under way.
#[derive(Debug)]
struct Doing {
    words: String,
    /// Since when it is waited for, and how many seconds at most; none of what says itself how far it is.
    wait: Option<(Instant, Option<f64>)>,
    /// When a line was said last.
    said: Instant,
}

/// Says what is under way whenever nothing was said for a while, until it is dropped.
#[derive(Debug)]
pub(super) struct Alive {
    doing: Arc<Mutex<Doing>>,
    /// Dropped, it ends the thread.
    ends: Option<Sender<()>>,
}

impl Alive {
    /// Calls `say` on a thread of its own after each such `silence`, and where something says itself how far it is after
    /// [`UNDER_WAY`] of them.
    pub(super) fn every(silence: Duration, say: impl Fn(&str) + Send + 'static) -> Self {
        let mut alive = Self::silent();
        let (ends, ended) = mpsc::channel::<()>();
        let doing = Arc::clone(&alive.doing);
        let watch = move || {
            while ended.recv_timeout(silence / 8) == Err(RecvTimeoutError::Timeout) {
                let mut doing = held(&doing);
                if doing.is_due(silence) {
                    say(&doing.told());
                    doing.said = Instant::now();
                }
            }
        };
        // without a thread there is no sign of life, and all else works
        let started = std::thread::Builder::new()
            .name("alive".into())
            .spawn(watch);
        alive.ends = started.is_ok().then_some(ends);
        alive
    }

    /// Says nothing.
    pub(super) fn silent() -> Self {
        let doing = Doing {
            words: String::new(),
            wait: None,
            said: Instant::now(),
        };
        Self {
            doing: Arc::new(Mutex::new(doing)),
            ends: None,
        }
    }

    /// From now on this is waited for, so many seconds at most; what is waited for already is since it was said first.
    pub(super) fn waits(&self, words: &str, at_most: Option<f64>) {
        let mut doing = held(&self.doing);
        let since = doing.wait.filter(|_| doing.words == words);
        let since = since.map_or_else(Instant::now, |(since, _)| since);
        words.clone_into(&mut doing.words);
        doing.wait = Some((since, at_most));
    }

    /// What is under way says itself how far it is.
    pub(super) fn goes_on(&self, words: &str) {
        let mut doing = held(&self.doing);
        words.clone_into(&mut doing.words);
        doing.wait = None;
    }

    /// Something was said.
    pub(super) fn said(&self) {
        held(&self.doing).said = Instant::now();
    }

    /// Nothing is under way any more.
    pub(super) fn rests(&self) {
        held(&self.doing).words.clear();
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        drop(self.ends.take());
    }
}

impl Doing {
    /// Whether nothing was said for too long. What was just begun has its time, too.
    fn is_due(&self, silence: Duration) -> bool {
        let (quiet, most) = match self.wait {
            Some((since, _)) => (self.said.elapsed().min(since.elapsed()), silence),
            None => (self.said.elapsed(), silence * UNDER_WAY),
        };
        !self.words.is_empty() && quiet >= most
    }

    /// `starting: 8 s so far, 30 s at most`.
    fn told(&self) -> String {
        let first = self.words.lines().next().unwrap_or_default();
        let Some((since, at_most)) = self.wait else {
            return first.to_owned();
        };
        let waited = since.elapsed().as_secs_f64().round();
        let so_far = units::round_duration(waited);
        // what is compiled before it starts, and each of a stack's programs, has a limit of its own
        let most = at_most.filter(|most| waited <= *most);
        let most = most.map(|most| format!(", {} at most", units::round_duration(most)));
        format!("{first}: {so_far} so far{}", most.unwrap_or_default())
    }
}

fn held(doing: &Mutex<Doing>) -> MutexGuard<'_, Doing> {
    doing.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_waited_for_is_said_again_and_again_until_it_rests() {
        let (said, heard) = mpsc::channel();
        let silence = Duration::from_millis(8);
        let alive = Alive::every(silence, move |words| {
            let _ = said.send(words.to_owned());
        });
        let next = || heard.recv_timeout(Duration::from_mins(1)).unwrap();
        alive.waits("one · starting", Some(30.0));
        for _ in 0..2 {
            let words = next();
            assert!(words.starts_with("one · starting: "), "{words}");
            assert!(words.ends_with(" s so far, 30 s at most"), "{words}");
        }
        alive.goes_on("measuring · 3 of 4\nmore");
        while next() != "measuring · 3 of 4" {}
        alive.rests();
        alive.waits("two", None);
        loop {
            let words = next();
            if words.starts_with("two: ") {
                assert!(words.ends_with(" so far"), "{words}");
                break;
            }
        }
        drop(alive);
        while heard.recv_timeout(Duration::from_mins(1)).is_ok() {}
    }

    #[test]
    fn what_is_waited_for_again_and_again_is_one_wait() {
        let alive = Alive::silent();
        let since = || held(&alive.doing).wait.unwrap().0;
        alive.waits("quiet", None);
        let first = since();
        alive.waits("quiet", None);
        assert_eq!(since(), first);
        alive.goes_on("measuring");
        alive.waits("quiet", None);
        assert!(since() > first, "it is another wait");
    }

    #[test]
    fn what_was_just_begun_has_time_and_what_says_how_far_it_is_has_more() {
        let ago = |seconds: u64| {
            let past = Duration::from_secs(seconds);
            Instant::now().checked_sub(past).unwrap()
        };
        let is_due = |said, since: Option<u64>| {
            let doing = Doing {
                words: "starting".to_owned(),
                wait: since.map(|since| (ago(since), None)),
                said: ago(said),
            };
            doing.is_due(Duration::from_secs(8))
        };
        assert!(is_due(9, Some(9)));
        assert!(!is_due(9, Some(1)) && !is_due(1, Some(9)));
        assert!(is_due(33, None) && !is_due(9, None));
    }

    #[test]
    fn a_limit_that_is_over_is_not_claimed() {
        let told = |seconds| {
            let since = Instant::now()
                .checked_sub(Duration::from_secs(seconds))
                .unwrap();
            let wait = Some((since, Some(30.0)));
            let (words, said) = ("starting".to_owned(), since);
            Doing { words, wait, said }.told()
        };
        assert_eq!(told(8), "starting: 8 s so far, 30 s at most");
        assert_eq!(told(33), "starting: 33 s so far");
    }
}
