//! One process whose stacks can be had, in the way that suits it.

use std::fs;
use std::path::PathBuf;

use record::Doing;

use crate::native::Native;
use crate::python::Python;
use crate::ruby::Ruby;
use crate::runtime::{self, Runtime};
use crate::tree::is_alive;
use crate::waits::Waits;
use crate::woken::Woken;

/// A function on a stack, as its process or its symbols name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame {
    pub(crate) name: String,
    pub(crate) file: String,
    /// Where it begins; 0 where nobody knows.
    pub(crate) line: u32,
}

/// What a look at a thread saw, or several that saw the same: its functions, the innermost first.
pub(crate) struct Look {
    pub(crate) doing: Doing,
    pub(crate) samples: u64,
    pub(crate) frames: Vec<Frame>,
}

/// Why a process cannot be sampled.
#[derive(Debug)]
pub(crate) enum Refused {
    /// It has ended, or the system does not let weir look.
    Hidden(String),
    /// Its interpreter is known, and its stacks cannot be read yet, or at all.
    Unreadable(String),
}

impl Refused {
    /// What there is to say of it.
    pub(crate) fn why(self) -> String {
        match self {
            Self::Hidden(why) | Self::Unreadable(why) => why,
        }
    }
}

/// A process that is sampled.
pub(crate) struct Process {
    pub(crate) pid: u32,
    /// The folder that its relative paths begin in.
    pub(crate) runs_in: PathBuf,
    /// What is known of its language.
    pub(crate) runtime: &'static Runtime,
    /// The program that it ran when it was attached to.
    program: PathBuf,
    by: By,
    /// What its threads wait for, where their stacks are read on a processor alone.
    waits: Option<Waits>,
}

enum By {
    /// Their interpreters' stacks are read.
    Python(Box<Python>),
    Ruby(Box<Ruby>),
    /// The kernel interrupts it.
    Native(Box<Native>),
}

impl Process {
    /// Makes ready to sample a process so many times a second. Takes milliseconds: its program's symbols are read.
    pub(crate) fn attach(pid: u32, rate: f64) -> Result<Self, Refused> {
        let (by, runtime) = if let Some(python) = Python::attach(pid)? {
            (By::Python(Box::new(python)), &*runtime::PYTHON)
        } else if let Some(ruby) = Ruby::attach(pid, rate)? {
            (By::Ruby(Box::new(ruby)), &*runtime::RUBY)
        } else {
            let native = Native::attach(pid, rate)?;
            let runtime = native.runtime();
            (By::Native(Box::new(native)), runtime)
        };
        let waits = (!matches!(by, By::Python(_))).then(|| Waits::of(pid, rate));
        let link = |name| {
            let link = fs::read_link(format!("/proc/{pid}/{name}"));
            link.map_err(|error| Refused::Hidden(error.to_string()))
        };
        Ok(Self {
            pid,
            runs_in: link("cwd")?,
            runtime,
            program: link("exe")?,
            by,
            waits,
        })
    }

    /// Whether it runs the program that it ran when it was attached to, or has ended.
    pub(crate) fn is_as_before(&self) -> bool {
        let program = fs::read_link(format!("/proc/{}/exe", self.pid));
        program.is_ok_and(|program| program == self.program)
    }

    /// Whether it still is.
    pub(crate) fn is_there(&self) -> bool {
        is_alive(self.pid)
    }

    /// From now on what it does counts, or no longer.
    pub(crate) fn count(&mut self, counts: bool) {
        match &mut self.by {
            By::Python(python) => python.count(counts),
            By::Ruby(ruby) => ruby.count(counts),
            By::Native(native) => native.count(counts),
        }
        self.waits.iter_mut().for_each(|of| of.count(counts));
    }

    /// Takes notice of threads and code that are new.
    pub(crate) fn refresh(&mut self) {
        if let By::Native(native) = &mut self.by {
            native.refresh();
            // a launcher may have loaded it meanwhile
            self.runtime = native.runtime();
        }
        self.waits.iter_mut().for_each(Waits::refresh);
    }

    /// What they have done until it counted no longer, where that is kept.
    pub(crate) fn rest(&mut self) -> Vec<Look> {
        let mut rest = match &mut self.by {
            By::Python(python) => python.rest(),
            By::Ruby(ruby) => ruby.rest(),
            By::Native(native) => native.rest(),
        };
        rest.extend(self.waits.iter_mut().flat_map(Waits::rest));
        rest
    }

    /// What is not known of it, and why; text of others in it.
    pub(crate) fn problem(&mut self) -> Option<String> {
        match &mut self.by {
            By::Python(_) => None,
            By::Ruby(ruby) => ruby.problem(),
            By::Native(native) => native.problem(),
        }
    }

    /// What its threads do, or have done on a processor since the look before: `None` where its stacks changed while they
    /// were read. What is not told at once, like what threads of machine code wait for, is told by [`Self::rest`].
    pub(crate) fn look(&mut self, woken: &Woken) -> Option<Vec<Look>> {
        let mut looks = match &mut self.by {
            By::Python(python) => python.look(woken)?,
            By::Ruby(ruby) => ruby.look(),
            By::Native(native) => native.look(),
        };
        looks.extend(self.waits.iter_mut().flat_map(Waits::look));
        Some(looks)
    }
}
