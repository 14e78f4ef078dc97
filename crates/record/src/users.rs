//! The users of a load: how many there are, and how many of them slept.

use crate::LoadFacts;
use crate::units::{counted, number};

impl LoadFacts {
    /// Requests that can be under way at once, each of them a user's: one for each connection, or for each of its streams.
    pub fn slots(&self) -> u64 {
        let streams = self.spoken.map_or(1, |spoken| spoken.streams.max(1));
        u64::from(self.connections) * u64::from(streams)
    }

    /// Seconds for which a user sleeps before a request, on average: of the sleeps that ended. Where none did, or the time is
    /// not a script's sleep, those for which one slept for each request that came to an end; 0 where none slept.
    pub fn sleep_each(&self) -> f64 {
        if self.has_whole_sleeps() {
            return self.slept / self.sleeps.max(1) as f64;
        }
        let ended = self.completed + self.failures();
        self.asleep / ended.max(1) as f64
    }

    /// Whether a sleep of a script's user came to its end in the window, so that its length is known.
    pub fn has_whole_sleeps(&self) -> bool {
        self.slept > 0.0
    }

    /// Users that were asleep, on average over the window, in words: `9.52 of 10 users`; `None` where none was.
    pub fn users_asleep(&self) -> Option<String> {
        (self.asleep > 0.0 && self.seconds > 0.0).then(|| {
            let users = counted(self.slots(), "user");
            format!("{} of {users}", number(self.asleep / self.seconds))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cause, Spoken};

    #[test]
    fn users_that_slept_are_told_as_an_average() {
        let mut load = LoadFacts {
            seconds: 10.0,
            connections: 5,
            completed: 90,
            failed: [(Cause::Status, 10)].into(),
            ..LoadFacts::default()
        };
        assert_eq!(load.users_asleep(), None);
        load.asleep = 42.0;
        assert_eq!(load.users_asleep().unwrap(), "4.20 of 5 users");
        assert!((load.sleep_each() - 0.42).abs() < 1e-9);
        // what was cut by the end of the window, and the first requests, say nothing of how long a user sleeps
        (load.slept, load.sleeps) = (40.0, 80);
        assert!(load.has_whole_sleeps() && (load.sleep_each() - 0.5).abs() < 1e-9);
        load.spoken = Some(Spoken {
            streams: 2,
            ..Spoken::default()
        });
        assert_eq!(load.users_asleep().unwrap(), "4.20 of 10 users");
    }

    #[test]
    fn what_was_stored_before_has_no_user_asleep() {
        let mut stored = serde_json::to_value(LoadFacts::default()).unwrap();
        let known = stored.as_object_mut().unwrap().remove("asleep");
        assert!(known.is_some());
        let read: LoadFacts = serde_json::from_value(stored).unwrap();
        assert_eq!(read, LoadFacts::default());
    }
}
