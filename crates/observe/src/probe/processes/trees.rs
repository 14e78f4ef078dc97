//! Whose processes are looked at: whatever descends from some.

use procfs::process::{Process, Task};

use crate::Listener;

/// Programs, by the process that the others of each descend from.
#[derive(Clone)]
pub(in crate::probe) struct Trees {
    /// With the names of their entries. Guardians themselves are weir's own, and left out.
    guardians: Vec<(u32, String)>,
    /// A server that somebody else started, itself and its descendants.
    server: Option<Listener>,
}

impl Trees {
    /// Every descendant of each `(guardian pid, entry name)`.
    pub(in crate::probe) fn of_stack(guardians: Vec<(u32, String)>) -> Self {
        Self {
            guardians,
            server: None,
        }
    }

    /// A server and every descendant of it.
    pub(in crate::probe) fn of_server(server: Listener) -> Self {
        Self {
            guardians: Vec::new(),
            server: Some(server),
        }
    }

    /// The processes that the others descend from, each with the name of its program.
    pub(super) fn roots(&self) -> impl Iterator<Item = (u32, String)> {
        let server = self.server.iter().map(|of| (of.pid, of.name.clone()));
        self.guardians.iter().cloned().chain(server)
    }

    /// Whether this is a guardian.
    pub(super) fn is_guardian(&self, pid: u32) -> bool {
        self.guardians.iter().any(|(guardian, _)| *guardian == pid)
    }

    /// The programs that are looked at, each once.
    pub(super) fn programs(&self) -> impl Iterator<Item = String> {
        let mut names: Vec<String> = self.roots().map(|(_, name)| name).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter()
    }

    /// Their living processes, each with the name of its program; weir's own is none of them.
    pub(in crate::probe) fn alive(&self) -> Vec<(u32, String)> {
        let each = self.roots().flat_map(|(root, name)| {
            let own = (!self.is_guardian(root)).then_some(root);
            let all = own.into_iter().chain(descendants(root));
            all.map(move |pid| (pid, name.clone()))
        });
        each.collect()
    }
}

/// Every living descendant of `root`, `root` itself left out.
///
/// The kernel lists children per thread, because any thread may fork. Processes that end while
/// they are read are left out.
pub(in crate::probe) fn descendants(root: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut unread = vec![root];
    while let Some(pid) = unread.pop() {
        let children = children(pid);
        found.extend(&children);
        unread.extend(children);
    }
    found
}

fn children(pid: u32) -> Vec<u32> {
    let process = Process::new(pid.cast_signed()).ok();
    let tasks = process.and_then(|process| process.tasks().ok());
    let children = |task: Task| task.children().unwrap_or_default();
    let tasks = tasks.into_iter().flatten().flatten();
    tasks.flat_map(children).collect()
}
