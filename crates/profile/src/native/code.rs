//! What lies where in a process.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::rc::Rc;

use procfs::process::{MMPermissions, MMapPath, MemoryMap, Process};

use super::generated::Generated;
use super::symbols::{ROOM, Symbols};
use super::unwind::{self, Context, Thread, Unwound};
use crate::process::Frame;
use crate::runtime::{Names, Runtime};

/// Most addresses of which the function is remembered.
const MOST: usize = 100_000;
/// What is said of code that nothing names.
const NAMELESS: &str = "(no symbol)";

/// A process's code: files that it has mapped, and what it has generated.
pub(super) struct Code {
    mapped: Vec<Mapped>,
    files: HashMap<String, Rc<Symbols>>,
    /// What is left for the functions and the rules of further files, in bytes.
    room: usize,
    context: Context,
    generated: Generated,
    /// Functions of files, by addresses at which they were seen.
    known: HashMap<u64, Frame>,
}

struct Mapped {
    range: Range<u64>,
    offset: u64,
    path: String,
    symbols: Rc<Symbols>,
}

impl Code {
    /// Reads the symbols of all that a process has mapped.
    pub(super) fn of(pid: u32) -> io::Result<Self> {
        let mut code = Self {
            mapped: Vec::new(),
            files: HashMap::new(),
            room: ROOM,
            context: Context::new(),
            generated: Generated::of(pid),
            known: HashMap::new(),
        };
        code.map(pid)?;
        Ok(code)
    }

    /// Takes notice of what is new.
    pub(super) fn refresh(&mut self, pid: u32) {
        // a process that has ended keeps what was known
        let _ = self.map(pid);
        self.generated.refresh();
    }

    fn map(&mut self, pid: u32) -> io::Result<()> {
        let process = Process::new(pid.cast_signed()).map_err(io::Error::other)?;
        let maps = process.maps().map_err(io::Error::other)?;
        let is_code = |map: &&MemoryMap| map.perms.contains(MMPermissions::EXECUTE);
        let mut mapped = Vec::new();
        for map in maps.0.iter().filter(is_code) {
            let MMapPath::Path(path) = &map.pathname else {
                continue;
            };
            let path = path.to_string_lossy().into_owned();
            let symbols = match self.files.get(&path) {
                Some(known) => Rc::clone(known),
                None => Rc::new(Symbols::of(pid, &path, &mut self.room)),
            };
            self.files.insert(path.clone(), Rc::clone(&symbols));
            mapped.push(Mapped {
                range: map.address.0..map.address.1,
                offset: map.offset,
                path,
                symbols,
            });
        }
        let alike = |(new, old): (&Mapped, &Mapped)| new.range == old.range && new.path == old.path;
        let same = mapped.len() == self.mapped.len();
        if !same || !mapped.iter().zip(&self.mapped).all(alike) {
            self.known.clear();
        }
        self.mapped = mapped;
        Ok(())
    }

    /// Tells the process to write down the names of what it has generated, and reads them.
    ///
    /// # Errors
    /// Why it does not.
    pub(super) fn ask(&mut self, names: &'static Names, pid: u32) -> Result<(), String> {
        let _ = self.map(pid);
        self.generated.ask(names, pid)
    }

    /// Whether Go's compiler made its program.
    pub(super) fn is_go(&self) -> bool {
        self.mapped
            .first()
            .is_some_and(|first| first.symbols.is_go())
    }

    /// Whether it has mapped a file of this runtime.
    pub(super) fn has_mapped(&self, runtime: &Runtime) -> bool {
        let names = self
            .mapped
            .iter()
            .filter_map(|of| of.path.rsplit('/').next());
        names.into_iter().any(|name| runtime.is_mapped_as(name))
    }

    /// Where the functions on the stack of a thread were.
    pub(super) fn unwound(&mut self, thread: &mut Thread<'_>) -> Unwound {
        let mapped = &self.mapped;
        unwind::unwound(thread, &mut self.context, move |address| {
            let of = mapped.iter().find(|of| of.range.contains(&address))?;
            of.symbols.rules(address - of.range.start + of.offset)
        })
    }

    /// The function at an address.
    pub(super) fn frame(&mut self, address: u64) -> Frame {
        let mut mapped = self.mapped.iter();
        let Some(of) = mapped.find(|of| of.range.contains(&address)) else {
            let known = self.generated.frame(address);
            return known.unwrap_or_else(|| Frame {
                name: NAMELESS.to_owned(),
                file: "<generated>".to_owned(),
                line: 0,
            });
        };
        if let Some(known) = self.known.get(&address) {
            return known.clone();
        }
        let named = of.symbols.named(address - of.range.start + of.offset);
        let (name, package) = named.map_or_else(
            || (NAMELESS.to_owned(), None),
            |named| (named.name, named.package),
        );
        let frame = Frame {
            name,
            file: package.unwrap_or_else(|| of.path.clone()),
            line: 0,
        };
        if self.known.len() < MOST {
            self.known.insert(address, frame.clone());
        }
        frame
    }
}
