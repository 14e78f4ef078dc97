//! What is read of a thread.

use std::fs::File;

use super::super::usage::Scheduled;
use super::{numbers, read};

/// Files of a thread, at most.
const FILES: usize = 3;
/// What is read of its status.
const TOLD: [&str; 4] = [
    "VmRSS",
    "VmHWM",
    "voluntary_ctxt_switches",
    "nonvoluntary_ctxt_switches",
];

/// A thread, and its files as far as there is room for them: those of others are opened one after the other at each look.
pub(super) struct Thread {
    open: Option<Open>,
    /// As it was when it was seen last.
    pub(super) last: Told,
}

/// What its files tell.
pub(super) struct Told {
    pub(super) scheduled: Scheduled,
    /// Resident memory of its process, now and at most, bytes.
    pub(super) memory: [u64; 2],
    /// The processes that it has begun, or adopted, and that are there.
    pub(super) children: Vec<u32>,
}

/// Not every kernel has all of them.
struct Open {
    status: File,
    schedstat: Option<File>,
    children: Option<File>,
}

impl Thread {
    pub(super) fn of(pid: u32, id: u32) -> Option<Self> {
        let open = Open::of(pid, id)?;
        let last = open.look()?;
        let open = Some(open);
        Some(Self { open, last })
    }

    /// Takes note of what it has now; `None` when it has ended.
    pub(super) fn look(&mut self, pid: u32, id: u32) -> Option<()> {
        self.last = match &self.open {
            Some(open) => open.look()?,
            None => Open::of(pid, id)?.look()?,
        };
        Some(())
    }

    /// Keeps its files open if there is room for them, which they take then.
    pub(super) fn keep(&mut self, room: &mut usize) {
        match room.checked_sub(FILES) {
            Some(left) if self.open.is_some() => *room = left,
            _ => self.open = None,
        }
    }

    /// How many of its files are open, at most.
    pub(super) fn number(&self) -> usize {
        self.open.as_ref().map_or(0, |_| FILES)
    }
}

impl Open {
    fn of(pid: u32, id: u32) -> Option<Self> {
        let open = |name: &str| File::open(format!("/proc/{pid}/task/{id}/{name}")).ok();
        Some(Self {
            status: open("status")?,
            schedstat: open("schedstat"),
            children: open("children"),
        })
    }

    /// `None` when the thread has ended.
    fn look(&self) -> Option<Told> {
        let [resident, most, voluntary, involuntary] = numbers(&read(&self.status)?, TOLD);
        let mut figures = listed(self.schedstat.as_ref()).into_iter();
        let mut next = || figures.next().unwrap_or(0);
        let scheduled = Scheduled {
            ran: next(),
            most: 0,
            waited: next(),
            runs: next(),
            voluntary,
            involuntary,
        };
        let children = listed(self.children.as_ref()).into_iter();
        Some(Told {
            scheduled,
            memory: [resident * 1024, most * 1024],
            children: children.map(|id| id as u32).collect(),
        })
    }
}

/// The numbers that a file lists; none where there is no such file.
fn listed(file: Option<&File>) -> Vec<u64> {
    let text = file.and_then(read).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let numbers = text.split_whitespace().map(str::parse);
    numbers.map_while(Result::ok).collect()
}
