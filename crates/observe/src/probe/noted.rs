//! What programs note of single requests: lines that they append to a file of their own while the window is open.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

use record::{Counted, Moment, NotedSource, ProgramCounters};

use super::Probe;
use super::counters::read::{Reader, readers};
use crate::Seen;
use crate::samples::Samples;

/// Most bytes of a window that are read of a file: a program that notes more is told by its first lines.
const MOST: u64 = 8 * 1024 * 1024;
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

    /// The whole lines from there on.
    fn since(&mut self, from: u64) -> std::io::Result<String> {
        let mut file = File::open(&self.source.file)?;
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        let left = MOST.saturating_sub(self.read);
        self.read += file.take(left).read_to_end(&mut bytes)? as u64;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n');
        bytes.truncate(whole.map_or(0, |last| last + 1));
        Ok(String::from_utf8_lossy(&bytes).into_owned())
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
mod tests {
    use std::io::Write as _;
    use std::path::PathBuf;

    use record::{CounterKind, CounterSpec};
    use tempfile::TempDir;

    use super::*;

    fn spec(pattern: &str) -> CounterSpec {
        CounterSpec {
            pattern: Some(pattern.to_owned()),
            letters: None,
            row: Vec::new(),
            column: None,
            kind: CounterKind::Average,
            unit: "s".to_owned(),
            own: 0,
        }
    }

    fn noted(file: PathBuf) -> Noted {
        let each = [
            ("request-time", spec(r"^([0-9.]+)\|")),
            ("server-time", spec(r"(?:\||, )([0-9.]+)")),
        ];
        let each = each.map(|(name, spec)| (name.to_owned(), spec));
        Noted::new(vec![NotedSource {
            program: "front".to_owned(),
            file,
            each: each.into(),
        }])
    }

    fn write(file: &PathBuf, text: &[u8]) {
        let mut options = File::options();
        let mut file = options.append(true).create(true).open(file).unwrap();
        file.write_all(text).unwrap();
    }

    fn told(probe: Noted) -> Vec<ProgramCounters> {
        let mut seen = Seen::default();
        Box::new(probe).tell(&mut seen);
        seen.observed.counters
    }

    #[test]
    fn what_is_noted_while_the_window_is_open_counts() {
        let place = TempDir::new().unwrap();
        let file = place.path().join("times.log");
        let (at, mut samples) = (Moment::now(), Samples::default());
        let mut probe = noted(file.clone());
        write(&file, b"9|9\n");
        probe.start(at, &mut samples);
        write(&file, &b"0.2|0.1\n0.4|-\n".repeat(5));
        probe.pause(at, &mut samples);
        write(&file, b"8|8\n");
        probe.resume();
        // two servers were asked, one after the other; and a line that is not whole yet
        write(&file, &b"0.6|0.1, 0.2\n\xff\n".repeat(5));
        write(&file, b"7|7");
        probe.stop(at, &mut samples);
        write(&file, b"\n6|6\n");
        let counters = told(probe);
        let value = |name: &str| counters[0].values[name].value;
        assert!((value("request-time") - 0.4).abs() < 1e-9, "{counters:?}");
        assert!((value("server-time") - 0.2).abs() < 1e-9, "{counters:?}");
        assert_eq!(counters[0].problem, None);
    }

    #[test]
    fn a_few_lines_tell_no_mean() {
        let place = TempDir::new().unwrap();
        let file = place.path().join("times.log");
        let (at, mut samples) = (Moment::now(), Samples::default());
        let mut probe = noted(file.clone());
        probe.start(at, &mut samples);
        write(&file, &b"0.2|-\n".repeat(9));
        write(&file, b"0.2|0.1\n");
        probe.stop(at, &mut samples);
        let counters = told(probe);
        let names: Vec<_> = counters[0].values.keys().collect();
        assert_eq!(names, ["request-time"]);
    }

    #[test]
    fn numbers_whose_sum_is_none_tell_nothing() {
        let place = TempDir::new().unwrap();
        let file = place.path().join("times.log");
        let (at, mut samples) = (Moment::now(), Samples::default());
        let mut probe = noted(file.clone());
        probe.start(at, &mut samples);
        let largest = format!("{}|0.1\n", "9".repeat(308));
        write(&file, largest.repeat(20).as_bytes());
        probe.stop(at, &mut samples);
        assert!(told(probe)[0].values.keys().eq(["server-time"]));
    }

    #[test]
    fn a_program_that_notes_nothing_has_no_figures() {
        let place = TempDir::new().unwrap();
        let (at, mut samples) = (Moment::now(), Samples::default());
        let mut probe = noted(place.path().join("missing"));
        probe.start(at, &mut samples);
        probe.stop(at, &mut samples);
        let counters = told(probe);
        assert!(counters[0].values.is_empty() && counters[0].problem.is_none());
        let mut probe = noted(place.path().to_owned());
        probe.start(at, &mut samples);
        probe.stop(at, &mut samples);
        assert!(told(probe)[0].problem.is_some(), "a folder");
    }

    #[test]
    fn a_file_without_an_end_is_read_to_a_bound() {
        let place = TempDir::new().unwrap();
        let file = place.path().join("times.log");
        let (at, mut samples) = (Moment::now(), Samples::default());
        let mut probe = noted(file.clone());
        probe.start(at, &mut samples);
        write(&file, &b"1|1\n".repeat(3 * 1024 * 1024));
        probe.pause(at, &mut samples);
        assert_eq!(probe.files[0].read, MOST);
        probe.resume();
        write(&file, b"5|5\n");
        probe.stop(at, &mut samples);
        let counters = told(probe);
        assert!((counters[0].values["request-time"].value - 1.0).abs() < 1e-9);
    }
}
