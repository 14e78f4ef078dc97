//! A load engine as a calculation: what it writes down of a server whose requests hang and fail.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use record::{Cause, Distribution, DrainFacts, SlotTime, Trial};

use crate::doubts::spoiled;

/// What happens to requests of a closed loop: how long an answer takes, and which share hangs or fails.
pub(super) struct Server<'a> {
    pub(super) service: &'a mut dyn FnMut() -> f64,
    pub(super) hangs: f64,
    pub(super) fails: f64,
}

/// What became of one request that a connection sent at `due`.
enum End {
    Kept(f64),
    Failed(f64),
    Hangs,
}

impl Server<'_> {
    fn answer(&mut self, random: &mut ChaCha8Rng) -> End {
        let time = (self.service)();
        if random.random_bool(self.hangs) {
            End::Hangs
        } else if random.random_bool(self.fails) {
            End::Failed(time)
        } else {
            End::Kept(time)
        }
    }
}

/// What a load engine writes down that does its work.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) seconds: f64,
    pub(super) times: Vec<f64>,
    /// Of `times`, those of requests that hung.
    pub(super) hung: Vec<f64>,
    pub(super) failures: u64,
    pub(super) cut_off: u64,
    pub(super) timed_out: u64,
    pub(super) slot_time: SlotTime,
    /// Of its `beyond`, what is of requests that hung.
    pub(super) hung_beyond: f64,
}

impl Seen {
    pub(super) fn keep(&mut self, time: f64) {
        self.times.push(time);
    }

    /// A request that was under way for so long when the window closed, and was waited for.
    pub(super) fn cut(&mut self, inside: f64, waited: f64) {
        self.hung.push(inside + waited);
        self.cut_off += 1;
        self.slot_time.beyond += waited;
        self.hung_beyond += waited;
    }

    /// The facts; `forgets` leaves out what hung, as engines do that stop when time is up.
    pub(super) fn trial(&self, connections: u64, forgets: bool) -> Trial {
        let mut response = Distribution::default();
        let hung: &[f64] = if forgets { &[] } else { &self.hung };
        for time in self.times.iter().chain(hung) {
            response.record((time * 1e9) as u64);
        }
        let cut_off = if forgets { 0 } else { self.cut_off };
        spoiled(|facts| {
            let load = &mut facts.load;
            load.seconds = self.seconds;
            load.connections = connections as u32;
            load.kept_busy = Some(connections);
            load.completed = self.times.len() as u64;
            load.timed_out = self.timed_out;
            load.failed.insert(Cause::Status, self.failures);
            load.in_flight = cut_off;
            load.drain = Some(DrainFacts {
                seconds: 1.0,
                unanswered: cut_off,
                cut_off,
                ..DrainFacts::default()
            });
            load.scheduled = load.accounted();
            load.response = response.clone();
            let time = load.slot_time.insert(self.slot_time);
            if forgets {
                time.beyond -= self.hung_beyond;
            }
        })
    }

    /// Share of all slots' time that hung requests took.
    pub(super) fn hung_share(&self, connections: u64) -> f64 {
        let inside: f64 = self.hung.iter().sum::<f64>() - self.hung_beyond;
        inside / (connections as f64 * self.seconds)
    }
}

/// A window of so many seconds, after which answers are waited for a second.
pub(super) fn by_time(
    connections: u64,
    seconds: f64,
    server: &mut Server,
    random: &mut ChaCha8Rng,
) -> Seen {
    let mut seen = Seen {
        seconds,
        ..Seen::default()
    };
    for _ in 0..connections {
        let mut due = 0.0;
        while due < seconds {
            let inside = seconds - due;
            match server.answer(random) {
                End::Hangs => {
                    seen.cut(inside, 1.0);
                    due = seconds;
                }
                End::Kept(time) if time > inside + 1.0 => {
                    seen.cut(inside, 1.0);
                    due = seconds;
                }
                End::Kept(time) => {
                    seen.keep(time);
                    seen.slot_time.beyond += (time - inside).max(0.0);
                    due += time;
                }
                End::Failed(time) => {
                    seen.failures += 1;
                    seen.slot_time.failed += time.min(inside);
                    due += time;
                }
            }
        }
    }
    seen
}

/// A window of so many requests, with a time limit of 30 s.
pub(super) fn by_count(
    connections: u64,
    requests: u64,
    server: &mut Server,
    random: &mut ChaCha8Rng,
) -> Seen {
    let mut seen = Seen::default();
    let mut free = vec![0.0f64; connections as usize];
    let mut late = Vec::new();
    let mut end = 0.0f64;
    for _ in 0..requests {
        let slot = free.iter_mut().min_by(|a, b| a.total_cmp(b)).unwrap();
        let due = *slot;
        end = end.max(due); // a request is begun
        match server.answer(random) {
            End::Hangs => {
                seen.hung.push(30.0);
                seen.timed_out += 1;
                late.push(due);
                *slot = due + 30.0;
                continue;
            }
            End::Kept(time) => {
                seen.keep(time);
                *slot = due + time;
            }
            End::Failed(time) => {
                seen.failures += 1;
                seen.slot_time.failed += time;
                *slot = due + time;
            }
        }
        end = end.max(*slot);
    }
    seen.seconds = end;
    seen.slot_time.idle = free.iter().map(|free| (end - free).max(0.0)).sum();
    let beyond = late.iter().map(|due| (due + 30.0 - end).clamp(0.0, 30.0));
    seen.hung_beyond = beyond.sum();
    seen.slot_time.beyond = seen.hung_beyond;
    seen
}
