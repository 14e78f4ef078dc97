//! What threads had used when processes were looked at first, so that of each it is known what it has used since: the one that used
//! most before may be another than the one that is busy now.

use std::collections::BTreeMap;

use super::super::usage::Scheduled;

#[derive(Default)]
pub(super) struct Begun {
    /// Whether that look is over: threads that are found later have begun since.
    over: bool,
    /// CPU nanoseconds, by the ids of the threads.
    ran: BTreeMap<u32, u64>,
}

impl Begun {
    /// What the scheduler did for a thread, with what it has used since the first look.
    pub(super) fn since(&mut self, id: u32, of: Scheduled) -> Scheduled {
        if !self.over {
            self.ran.insert(id, of.ran);
        }
        let before = self.ran.get(&id).copied().unwrap_or(0);
        Scheduled {
            most: of.ran.saturating_sub(before),
            ..of
        }
    }

    /// A thread has ended: its id may be given again.
    pub(super) fn forget(&mut self, id: u32) {
        self.ran.remove(&id);
    }

    /// The first look is over.
    pub(super) fn end(&mut self) {
        self.over = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the thread with this id, which ran for so long in all, has used since the first look.
    fn since(begun: &mut Begun, (id, ran): (u32, u64)) -> u64 {
        let of = Scheduled {
            ran,
            ..Scheduled::default()
        };
        begun.since(id, of).most
    }

    #[test]
    fn a_thread_that_used_much_before_is_not_the_busiest_one_since() {
        let mut begun = Begun::default();
        let first = [(1, 8_000), (2, 3_000)].map(|of| since(&mut begun, of));
        assert_eq!(first, [0, 0]);
        begun.end();
        // the third has begun since
        let now = [(1, 8_000), (2, 5_400), (3, 700)].map(|of| since(&mut begun, of));
        assert_eq!(now, [0, 2_400, 700]);
        begun.forget(1);
        let again = since(&mut begun, (1, 500));
        assert_eq!(again, 500, "its id was given again");
    }
}
