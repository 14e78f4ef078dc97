//! A process of machine code: the kernel interrupts its threads while they have a processor, and the symbols of its files,
//! or what its compiler wrote down, name where they were.

mod code;
mod generated;
mod names;
mod ring;
mod symbols;
mod unwind;

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;

use record::Doing;

use self::code::Code;
use self::ring::{Ring, Sample};
use crate::process::{Frame, Look, Refused};
use crate::runtime::{self, Runtime};

/// Most addresses that wait for their names: 32 MiB of them.
const MOST_ADDRESSES: usize = 4 << 20;
/// Most threads of a process that are sampled.
const MOST_THREADS: usize = 256;
/// Most of them whose stacks are copied: into 16 MiB of the kernel's memory.
const MOST_STACKS: usize = 64;
/// Where the kernel says what it allows.
const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";

/// A process whose threads the kernel interrupts.
pub(crate) struct Native {
    pid: u32,
    rate: f64,
    threads: BTreeMap<u32, Ring>,
    /// Of threads that have ended.
    left: Vec<Sample>,
    code: Code,
    counts: bool,
    /// Those that wait until the process is asked for names.
    unnamed: Vec<Sample>,
    /// Why it did not tell them, or why the kernel interrupts none of its threads.
    problem: Option<String>,
}

impl Native {
    /// Makes ready to interrupt the threads of a process. Where the kernel does not allow that, no stack is told, and why:
    /// what its threads wait for may be seen all the same.
    pub(crate) fn attach(pid: u32, rate: f64) -> Result<Self, Refused> {
        let code = Code::of(pid).map_err(|error| Refused::Hidden(error.to_string()))?;
        let mut native = Self {
            pid,
            rate,
            threads: BTreeMap::new(),
            left: Vec::new(),
            code,
            counts: false,
            unnamed: Vec::new(),
            problem: None,
        };
        match native.open() {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                let level = fs::read_to_string(PARANOID).unwrap_or_default();
                native.problem = Some(format!(
                    "the kernel allows no perf events (kernel.perf_event_paranoid is {}): {error}",
                    level.trim()
                ));
            }
            Err(error) => return Err(Refused::Hidden(format!("perf events: {error}"))),
        }
        Ok(native)
    }

    /// What its code was made of.
    pub(crate) fn runtime(&self) -> &'static Runtime {
        if self.code.is_go() {
            &runtime::GO
        } else if self.code.has_mapped(&runtime::JAVA) {
            &runtime::JAVA
        } else if self.code.has_mapped(&runtime::NODE) {
            &runtime::NODE
        } else if self.code.has_mapped(&runtime::PHP) {
            &runtime::PHP
        } else {
            &runtime::NATIVE
        }
    }

    /// From now on what its threads do counts, or no longer.
    pub(crate) fn count(&mut self, counts: bool) {
        self.counts = counts;
        self.threads
            .values_mut()
            .for_each(|ring| ring.count(counts));
    }

    /// Takes notice of new threads and new code.
    pub(crate) fn refresh(&mut self) {
        let had_none = self.threads.is_empty();
        // what cannot be opened any more has ended; a program that gives up its rights may be looked at only then
        if self.open().is_ok() && had_none {
            self.problem = None;
        }
        self.code.refresh(self.pid);
    }

    /// What its threads have done on a processor since the look before. To ask a process for names costs it time: of one that has
    /// to be asked, samples are kept until there are too many, or until [`Self::rest`].
    pub(crate) fn look(&mut self) -> Vec<Look> {
        let samples = self.taken();
        if self.runtime().names.is_none() {
            return self.named(samples);
        }
        self.unnamed.extend(samples);
        let addresses: usize = self.unnamed.iter().map(|of| of.addresses.len()).sum();
        if addresses < MOST_ADDRESSES {
            return Vec::new();
        }
        self.rest()
    }

    /// What they have done since the look before, and what was kept until now.
    pub(crate) fn rest(&mut self) -> Vec<Look> {
        let mut samples = std::mem::take(&mut self.unnamed);
        samples.extend(self.taken());
        let names = self.runtime().names.as_ref();
        if let Some(names) = names.filter(|_| !samples.is_empty()) {
            let asked = self.code.ask(names, self.pid);
            self.problem = asked.err().or(self.problem.take());
        }
        self.named(samples)
    }

    /// What is not known of it, and why.
    pub(crate) fn problem(&mut self) -> Option<String> {
        self.problem.take()
    }

    fn taken(&mut self) -> Vec<Sample> {
        let mut samples = std::mem::take(&mut self.left);
        for ring in self.threads.values_mut() {
            samples.extend(ring.taken(&mut self.code));
        }
        samples
    }

    fn named(&mut self, samples: Vec<Sample>) -> Vec<Look> {
        let code = &mut self.code;
        samples
            .into_iter()
            .map(|sample| look(code, &sample))
            .collect()
    }

    /// Opens the threads that are new.
    fn open(&mut self) -> std::io::Result<()> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.pid))?;
        let numbers = tasks.filter_map(|of| of.ok()?.file_name().to_str()?.parse().ok());
        let there: Vec<u32> = numbers.take(MOST_THREADS).collect();
        for (_, mut ring) in self
            .threads
            .extract_if(.., |thread, _| !there.contains(thread))
        {
            self.left.extend(ring.taken(&mut self.code));
        }
        let mut opened = Ok(());
        for thread in there {
            if self.threads.contains_key(&thread) {
                continue;
            }
            match Ring::open(thread, self.rate, self.threads.len() < MOST_STACKS) {
                Ok(mut ring) => {
                    ring.count(self.counts);
                    self.threads.insert(thread, ring);
                }
                Err(error) => opened = Err(error),
            }
        }
        // threads come and go; a process none of which could be opened cannot be sampled
        if self.threads.is_empty() {
            opened
        } else {
            Ok(())
        }
    }
}

fn look(code: &mut Code, sample: &Sample) -> Look {
    let kernel = sample.in_kernel.then(|| Frame {
        name: "(kernel)".to_owned(),
        file: "<kernel>".to_owned(),
        line: 0,
    });
    let mut callee = true;
    let frames = sample.addresses.iter().map(|address| {
        // a return address lies behind the call, which may be the last of its function
        let inside = if callee && !sample.in_kernel {
            *address
        } else {
            address.saturating_sub(1)
        };
        callee = false;
        code.frame(inside)
    });
    let mut frames: Vec<_> = kernel.into_iter().chain(frames).collect();
    frames.dedup_by(|a, b| names::is_interpreter(a) && names::is_interpreter(b));
    Look {
        doing: Doing::OnCpu,
        samples: 1,
        frames,
    }
}
