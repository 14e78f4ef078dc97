//! A process of CPython: its stacks are read from its memory.

use std::collections::BTreeMap;

use py_spy::config::{LineNo, LockingStrategy};
use py_spy::{Config, PythonSpy, StackTrace};
use record::Doing;

use crate::globals::Globals;
use crate::process::{Frame, Look, Refused};
use crate::runnable::Runnable;
use crate::thread::{doing, numbers};

/// Most threads of a process whose state is asked for.
const MOST_THREADS: usize = 512;
/// How often stacks are read that begin elsewhere than before.
const READS: u32 = 3;

/// A process of CPython.
pub(crate) struct Python {
    pid: u32,
    spy: PythonSpy,
    globals: Globals,
    /// Where the stack of each thread began when it was looked at last: the function's name and file.
    begins: BTreeMap<u64, (String, String)>,
    /// What its threads did that could run.
    runnable: Runnable,
}

impl Python {
    /// Reads where the stacks of a process lie; `None` where it is none of CPython.
    pub(crate) fn attach(pid: u32) -> Result<Option<Self>, Refused> {
        let hidden = |error: procfs::ProcError| Refused::Hidden(error.to_string());
        let process = procfs::process::Process::new(pid.cast_signed()).map_err(hidden)?;
        let maps = process.maps().map_err(hidden)?;
        let Some(globals) = Globals::of(&maps.0) else {
            return Ok(None);
        };
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
        Ok(Some(Self {
            pid,
            spy,
            globals,
            begins: BTreeMap::new(),
            runnable: Runnable::of(pid),
        }))
    }

    /// From now on what it does counts, or no longer.
    pub(crate) fn count(&mut self, counts: bool) {
        self.runnable.count(counts);
    }

    /// What its threads did that has not been told yet.
    pub(crate) fn rest(&mut self) -> Vec<Look> {
        self.runnable.rest()
    }

    /// Looks at each of its threads once: `None` where its stacks changed while they were read. Those that could run are told
    /// later, when it is known how long they had a core.
    ///
    /// Threads that the runtime does not know are given while they could run: with no functions, like those that have not
    /// called any.
    pub(crate) fn look(&mut self) -> Option<Vec<Look>> {
        // the states first: reading stacks takes longer, and what a thread does changes meanwhile
        let mut threads = self.threads();
        let traces = self.traces()?;
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
            let frames = trace.frames.into_iter().map(frame).collect();
            match known.unwrap_or(likely) {
                Doing::OnCpu => self.runnable.add(number, frames),
                doing => looks.push(Look {
                    doing,
                    samples: 1,
                    frames,
                }),
            }
        }
        threads.retain(|_, doing| all_known && *doing == Doing::OnCpu);
        for number in threads.into_keys() {
            self.runnable.add(Some(number), Vec::new());
        }
        looks.extend(self.runnable.look());
        Some(looks)
    }

    /// The stacks of its threads.
    ///
    /// A generator that is resumed, or waits to be, is for a moment not linked to who called it. A stack that was read in
    /// that moment has lost its beginning, which seldom changes while a thread lives: so where one begins elsewhere than
    /// before all are read again.
    fn traces(&mut self) -> Option<Vec<StackTrace>> {
        let mut traces = self.spy.get_stack_traces().ok()?;
        for _ in 1..READS {
            if traces.iter().all(|of| self.begins_as_before(of)) {
                break;
            }
            traces = self.spy.get_stack_traces().unwrap_or(traces);
        }
        self.begins = traces
            .iter()
            .filter_map(|of| Some((of.thread_id, begins(of)?)))
            .map(|(thread, (name, file))| (thread, (name.to_owned(), file.to_owned())))
            .collect();
        Some(traces)
    }

    fn begins_as_before(&self, trace: &StackTrace) -> bool {
        let before = self.begins.get(&trace.thread_id);
        before.is_none_or(|(name, file)| begins(trace) == Some((name, file)))
    }

    fn threads(&self) -> BTreeMap<u64, Doing> {
        let is_lock = |address| self.globals.contain(address);
        numbers(self.pid)
            .take(MOST_THREADS)
            .filter_map(|number| Some((number, doing(self.pid, number, is_lock)?)))
            .collect()
    }
}

/// The name and the file of the function in which a stack begins.
fn begins(of: &StackTrace) -> Option<(&str, &str)> {
    let first = of.frames.last()?;
    Some((&first.name, &first.filename))
}

fn frame(of: py_spy::Frame) -> Frame {
    Frame {
        name: of.name,
        file: of.filename,
        line: u32::try_from(of.line).unwrap_or(0),
    }
}
