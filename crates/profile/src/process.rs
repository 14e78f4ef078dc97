//! One process whose stacks can be read.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use py_spy::config::{LineNo, LockingStrategy};
use py_spy::{Config, Frame, PythonSpy};
use record::Doing;

use crate::thread::{Globals, doing};

/// Most threads of a process whose state is asked for.
const MOST_THREADS: usize = 512;

/// What a look at a thread saw: its functions, the innermost first.
pub(crate) struct Look {
    pub(crate) doing: Doing,
    pub(crate) frames: Vec<Frame>,
}

/// A process of the runtime.
pub(crate) struct Process {
    pub(crate) pid: u32,
    /// The folder that its relative paths begin in.
    pub(crate) runs_in: PathBuf,
    spy: PythonSpy,
    globals: Globals,
}

/// Why a process cannot be sampled.
#[derive(Debug)]
pub(crate) enum Refused {
    /// It is not of the runtime.
    Other,
    /// It has ended, or the system does not let weir look.
    Hidden(String),
    /// It is of the runtime, and its stacks cannot be read yet, or at all.
    Unreadable(String),
}

impl Refused {
    /// What there is to say of it.
    pub(crate) fn why(self) -> Option<String> {
        match self {
            Self::Other => None,
            Self::Hidden(why) | Self::Unreadable(why) => Some(why),
        }
    }
}

impl Process {
    /// Reads where the stacks of a process lie. Takes milliseconds: its program's symbols are read.
    pub(crate) fn attach(pid: u32) -> Result<Self, Refused> {
        let hidden = |error: procfs::ProcError| Refused::Hidden(error.to_string());
        let process = procfs::process::Process::new(pid.cast_signed()).map_err(hidden)?;
        let maps = process.maps().map_err(hidden)?;
        let globals = Globals::of(&maps.0).ok_or(Refused::Other)?;
        let runs_in = process.cwd().map_err(hidden)?;
        let config = Config {
            // never stops the process
            blocking: LockingStrategy::NonBlocking,
            // where a function begins: the line at work would be another function each time
            lineno: LineNo::First,
            collect_thread_names: false,
            full_filenames: true,
            ..Config::default()
        };
        let spy = PythonSpy::new(pid.cast_signed(), &config)
            .map_err(|error| Refused::Unreadable(format!("{error:#}")))?;
        Ok(Self {
            pid,
            runs_in,
            spy,
            globals,
        })
    }

    /// Whether it still is.
    pub(crate) fn is_there(&self) -> bool {
        fs::exists(format!("/proc/{}/task/{0}", self.pid)).unwrap_or(false)
    }

    /// Looks at each of its threads once: `None` where its stacks changed while they were read.
    ///
    /// Threads that the runtime does not know are given while they are on CPU: with no functions, like those that have
    /// not called any.
    pub(crate) fn look(&mut self) -> Option<Vec<Look>> {
        // the states first: reading stacks takes longer, and what a thread does changes meanwhile
        let mut threads = self.threads();
        let traces = self.spy.get_stack_traces().ok()?;
        let alone = traces.len() == 1;
        let mut all_known = true;
        let mut looks = Vec::with_capacity(traces.len());
        for trace in traces {
            // before 3.11 a thread does not tell its number; a single one is the process's first
            let own = u64::from(self.pid);
            let number = trace.os_thread_id.or(alone.then_some(own));
            let known = number.and_then(|number| threads.remove(&number));
            all_known &= known.is_some();
            let likely = if trace.owns_gil {
                Doing::OnCpu
            } else {
                Doing::Waits
            };
            let doing = known.unwrap_or(likely);
            looks.push(Look {
                doing,
                frames: trace.frames,
            });
        }
        if all_known {
            let on_cpu = threads.into_values().filter(|of| *of == Doing::OnCpu);
            looks.extend(on_cpu.map(|doing| Look {
                doing,
                frames: Vec::new(),
            }));
        }
        Some(looks)
    }

    fn threads(&self) -> BTreeMap<u64, Doing> {
        let threads = fs::read_dir(format!("/proc/{}/task", self.pid));
        let threads = threads.into_iter().flatten().take(MOST_THREADS);
        let numbers = threads.filter_map(|of| of.ok()?.file_name().to_str()?.parse().ok());
        numbers
            .filter_map(|number| Some((number, doing(self.pid, number, &self.globals)?)))
            .collect()
    }
}

/// A process and all that descend from it, as they are now.
pub(crate) fn tree(root: u32) -> Vec<u32> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        found.extend(children(pid));
        next += 1;
    }
    found
}

fn children(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task"));
    let threads = threads.into_iter().flatten().flatten();
    let lists = threads.filter_map(|of| fs::read_to_string(of.path().join("children")).ok());
    let lists: Vec<String> = lists.collect();
    let words = lists.iter().flat_map(|list| list.split_ascii_whitespace());
    words.filter_map(|word| word.parse().ok()).collect()
}
