//! A process of CPython: its stacks are read from its memory.

use std::collections::BTreeMap;

use py_spy::config::{LineNo, LockingStrategy};
use py_spy::{Config, PythonSpy, StackTrace};
use record::Doing;

use crate::cores::Cores;
use crate::globals::Globals;
use crate::process::{Frame, Look, Refused};
use crate::runnable::Runnable;
use crate::thread::{doing, numbers};
use crate::woken::Woken;

/// Most threads of a process whose state is asked for.
const MOST_THREADS: usize = 512;
/// How often stacks are read that begin elsewhere than before, or change meanwhile: those of all threads, and that of the one that
/// holds the interpreter lock. The latter takes some 30 µs, and in a program made of generators every second reading fails.
const READS: (u32, u32) = (3, 16);

/// A process of CPython.
pub(crate) struct Python {
    pid: u32,
    spy: PythonSpy,
    globals: Globals,
    cores: Cores,
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
            cores: Cores::of(pid),
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
    /// What a thread does is asked first, and its stack is read after that, in which time a thread that runs goes on: until it waits,
    /// with the function that waits innermost. So a look would too often find such a function on CPU, the more the longer this takes.
    /// The stack of the thread that holds the interpreter lock is read at once, and by itself. Those of the others take longer, and
    /// may: no function of theirs begins or ends before they have the lock.
    ///
    /// Threads that the runtime does not know are given while they could run: with no functions, like those that have not
    /// called any.
    pub(crate) fn look(&mut self, woken: &Woken) -> Option<Vec<Look>> {
        let mut threads = self.threads(woken);
        let holder = self.traces(true, None)?.pop();
        let its = holder.as_ref().map(|of| of.thread_id);
        let traces = with_holder(self.traces(false, its)?, holder);
        self.begins = begun(&traces);
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
            let Seen { doing, has_core } = known.unwrap_or(Seen::perhaps(likely));
            let frames = trace.frames.into_iter().map(frame).collect();
            match doing {
                Doing::OnCpu => self.runnable.add(number, frames, has_core),
                doing => looks.push(Look {
                    doing,
                    samples: 1,
                    frames,
                }),
            }
        }
        threads.retain(|_, seen| all_known && seen.doing == Doing::OnCpu);
        for (number, seen) in threads {
            self.runnable.add(Some(number), Vec::new(), seen.has_core);
        }
        self.runnable.end_round();
        looks.extend(self.runnable.look());
        Some(looks)
    }

    /// The stacks of its threads, or that of the one that holds the interpreter lock, if one does. That of `known` need not be whole.
    ///
    /// A generator that is resumed, or waits to be, is for a moment not linked to who called it. A stack that was read in
    /// that moment has lost its beginning, which seldom changes while a thread lives: so where one begins elsewhere than
    /// before all are read again, as where one changed so much that it could not be read.
    fn traces(&mut self, of_holder: bool, known: Option<u64>) -> Option<Vec<StackTrace>> {
        self.spy.config.gil_only = of_holder;
        let mut read = None;
        let reads = if of_holder { READS.1 } else { READS.0 };
        for _ in 0..reads {
            let Ok(traces) = self.spy.get_stack_traces() else {
                continue;
            };
            let mut unknown = traces.iter().filter(|of| Some(of.thread_id) != known);
            let are_whole = unknown.all(|of| self.begins_as_before(of));
            read = Some(traces);
            if are_whole {
                break;
            }
        }
        read
    }

    /// Or further out: then it was not whole before.
    fn begins_as_before(&self, trace: &StackTrace) -> bool {
        let before = self.begins.get(&trace.thread_id);
        before.is_none_or(|(name, file)| {
            let is_it = |of: &py_spy::Frame| (&of.name, &of.filename) == (name, file);
            trace.frames.iter().any(is_it)
        })
    }

    /// What its threads do. Whether one has a core is asked at once: a while later it may have been given one, as every thread is
    /// in the end, and those that run but for a moment would be found too often.
    fn threads(&mut self, woken: &Woken) -> BTreeMap<u64, Seen> {
        let (pid, globals, cores) = (self.pid, &self.globals, &mut self.cores);
        let there = numbers(pid).take(MOST_THREADS);
        let seen = there.filter_map(|number| {
            let doing = doing(pid, number, |address| globals.contain(address))?;
            let mut seen = Seen::perhaps(doing);
            if seen.could_run() {
                seen.has_core = woken.took_from(pid, number) || cores.has(number);
            } else {
                cores.waits(number);
            }
            Some((number, seen))
        });
        let threads: BTreeMap<_, _> = seen.collect();
        self.cores.keep(|number| threads.contains_key(&number));
        threads
    }
}

/// What a thread does.
#[derive(Clone, Copy)]
struct Seen {
    doing: Doing,
    /// Whether it surely has a core, if it could run.
    has_core: bool,
}

impl Seen {
    /// It does this; whether with a core is not known.
    fn perhaps(doing: Doing) -> Self {
        Self {
            doing,
            has_core: false,
        }
    }

    fn could_run(self) -> bool {
        self.doing == Doing::OnCpu
    }
}

/// The stacks of threads, that of the lock's holder as it was when it held the lock; it may have ended since.
fn with_holder(mut traces: Vec<StackTrace>, holder: Option<StackTrace>) -> Vec<StackTrace> {
    for trace in &mut traces {
        trace.owns_gil = false;
    }
    let Some(holder) = holder else {
        return traces;
    };
    traces.retain(|of| of.thread_id != holder.thread_id);
    traces.push(holder);
    traces
}

/// Where stacks begin, by their threads: the function's name and file.
fn begun(traces: &[StackTrace]) -> BTreeMap<u64, (String, String)> {
    let all = traces
        .iter()
        .filter_map(|of| Some((of.thread_id, begins(of)?)));
    all.map(|(thread, (name, file))| (thread, (name.to_owned(), file.to_owned())))
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(thread_id: u64, owns_gil: bool) -> StackTrace {
        StackTrace {
            pid: 7,
            thread_id,
            thread_name: None,
            os_thread_id: None,
            active: true,
            owns_gil,
            frames: Vec::new(),
            process_info: None,
        }
    }

    #[test]
    fn one_thread_holds_the_lock_and_its_stack_is_of_then() {
        let told = |holder: Option<StackTrace>| -> Vec<(u64, bool)> {
            // the lock went from one to the other while all stacks were read
            let all = with_holder(vec![trace(1, true), trace(2, false)], holder);
            all.iter().map(|of| (of.thread_id, of.owns_gil)).collect()
        };
        assert_eq!(told(Some(trace(2, true))), [(1, false), (2, true)]);
        assert_eq!(told(None), [(1, false), (2, false)]);
        let ended = [(1, false), (2, false), (3, true)];
        assert_eq!(told(Some(trace(3, true))), ended);
    }
}
