//! What programs note of single requests: lines that they append to a file of their own while the window is open.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::OpenOptionsExt as _;

use record::{Counted, Moment, NotedSource, ProgramCounters};
use rustix::fs::OFlags;

use super::Probe;
use super::counters::read::{Reader, readers};
use crate::Seen;
use crate::samples::Samples;

/// Most bytes of a window that are read of a file: a program that notes more is told by its last lines. No more stay of a long log:
/// its middle goes back to the disk while it grows.
const MOST: u64 = 4 * 1024 * 1024;
/// Lines from which a mean is told.
const LEAST: u32 = 10;

/// The lines of every program whose entry says how they are read.
pub(super) struct Noted {
    files: Vec<Lines>,
}

/// One program's file.
struct Lines {
    source: NotedSource,
    readers: Vec<(String, Reader)>,
    problem: Option<String>,
    /// Bytes before what counts; `None` while the window is closed.
    from: Option<u64>,
    /// Bytes that were read.
    read: u64,
    /// The sum of each figure, and of how many lines.
    sums: BTreeMap<String, (f64, u32)>,
}

impl Noted {
    pub(super) fn new(sources: Vec<NotedSource>) -> Self {
        Self {
            files: sources.into_iter().map(Lines::new).collect(),
        }
    }
}

impl Probe for Noted {
    fn name(&self) -> &'static str {
        "noted"
    }

    fn start(&mut self, _: Moment, _: &mut Samples) {
        self.files.iter_mut().for_each(Lines::begin);
    }

    // what is read while requests are under way takes from them
    fn sample(&mut self, _: Moment, _: &mut Samples) {}

    fn pause(&mut self, _: Moment, _: &mut Samples) {
        self.files.iter_mut().for_each(Lines::end);
    }

    fn resume(&mut self) {
        self.files.iter_mut().for_each(Lines::go_on);
    }

    fn stop(&mut self, _: Moment, _: &mut Samples) {
        self.files.iter_mut().for_each(Lines::end);
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        for lines in self.files {
            lines.tell(&mut seen.observed.counters);
        }
    }
}

impl Lines {
    fn new(source: NotedSource) -> Self {
        let (readers, problem) = readers(&source.each);
        Self {
            readers,
            problem,
            from: None,
            read: 0,
            sums: BTreeMap::new(),
            source,
        }
    }

    /// The window opens.
    fn begin(&mut self) {
        self.read = 0;
        self.sums.clear();
        self.go_on();
    }

    fn go_on(&mut self) {
        // a file that is not there yet has nothing in it
        let size = std::fs::metadata(&self.source.file).map_or(0, |file| file.len());
        self.from = Some(size);
    }

    /// Reads what came since the window opened, or went on.
    fn end(&mut self) {
        let Some(from) = self.from.take() else {
            return;
        };
        match self.since(from) {
            Ok(text) => text.lines().for_each(|line| self.add(line)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => self.problem = Some(error.to_string()),
        }
    }

    /// The whole lines from there on, and the last of them where there are many.
    fn since(&mut self, from: u64) -> std::io::Result<String> {
        // who opens a pipe would wait for somebody to write into it
        let mut options = File::options();
        options.read(true);
        options.custom_flags(OFlags::NONBLOCK.bits().cast_signed());
        let mut file = options.open(&self.source.file)?;
        let left = MOST.saturating_sub(self.read);
        let last = file.metadata()?.len().saturating_sub(left);
        file.seek(SeekFrom::Start(from.max(last)))?;
        let mut bytes = Vec::new();
        self.read += file.take(left).read_to_end(&mut bytes)? as u64;
        let ends = |byte: &u8| *byte == b'\n';
        let until = bytes.iter().rposition(ends).map_or(0, |end| end + 1);
        let mut lines = &bytes[..until];
        if last > from {
            // the first of them is not whole
            let begin = lines.iter().position(ends).map_or(0, |end| end + 1);
            lines = &lines[begin..];
        }
        Ok(String::from_utf8_lossy(lines).into_owned())
    }

    /// A line that has nothing of a figure tells nothing of it: a request that no server behind has seen.
    fn add(&mut self, line: &str) {
        for (name, reader) in &self.readers {
            if let Ok(Some(value)) = reader.read(line) {
                let (sum, lines) = self.sums.entry(name.clone()).or_default();
                (*sum, *lines) = (*sum + value, *lines + 1);
            }
        }
    }

    /// Adds its figures to what the program counted itself.
    fn tell(self, counters: &mut Vec<ProgramCounters>) {
        let each = self.source.each;
        let figure = |(name, (sum, lines)): (String, (f64, u32))| {
            let spec = each.get(&name)?;
            let counted = Counted {
                kind: spec.kind,
                unit: spec.unit.clone(),
                value: sum / f64::from(lines),
            };
            // numbers may be so large that their sum is none
            sum.is_finite().then_some((name, counted))
        };
        let enough = self
            .sums
            .into_iter()
            .filter(|(_, (_, lines))| *lines >= LEAST);
        let values = enough.filter_map(figure);
        let program = self.source.program;
        match counters.iter_mut().find(|of| of.program == program) {
            Some(of) => {
                of.values.extend(values);
                of.problem = of.problem.take().or(self.problem);
            }
            None => counters.push(ProgramCounters {
                program,
                values: values.collect(),
                problem: self.problem,
            }),
        }
    }
}

#[cfg(test)]
mod tests;
