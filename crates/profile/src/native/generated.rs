//! What a process says of the code that it generates: `/tmp/perf-PID.map`, a line for each function with its address, its size
//! (both hexadecimal) and its name. The file is text of others.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::names;
use crate::process::Frame;
use crate::runtime::Names;

/// Most functions that are kept.
const MOST: usize = 200_000;
/// How long what is not known stays so: the file is not read for each sample.
const PATIENCE: Duration = Duration::from_millis(100);
/// Bytes that are read of it at most.
const LARGEST: u64 = 256 << 20;
/// Longest line that is read.
const LONGEST: usize = 4_096;
/// What V8 writes before the names of a program's own functions.
const OWN: [&str; 5] = ["JS", "LazyCompile", "Function", "Script", "Eval"];
/// How it marks the compiler that made one.
const TIERS: [char; 4] = ['*', '~', '^', '+'];
/// How the place of a function begins, behind its name.
const PLACES: [&str; 3] = [" /", " node:", " file:"];

/// The functions that a process has generated.
#[derive(Default)]
pub(super) struct Generated {
    file: PathBuf,
    /// Bytes that were read.
    read: u64,
    /// When that was.
    refreshed: Option<Instant>,
    /// How functions stand there, if not as V8 writes them.
    names: Option<&'static Names>,
    /// By address, with the size.
    functions: BTreeMap<u64, (u64, Frame)>,
}

impl Generated {
    /// Those that a process has written down until now.
    pub(super) fn of(pid: u32) -> Self {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let own = status.lines().find_map(|line| line.strip_prefix("NSpid:"));
        // as it knows itself, in a namespace of its own
        let own = own.and_then(|numbers| numbers.split_whitespace().last());
        let own = own.map_or_else(|| pid.to_string(), str::to_owned);
        let mut generated = Self {
            file: PathBuf::from(format!("/proc/{pid}/root"))
                .join("tmp")
                .join(format!("perf-{own}.map")),
            ..Self::default()
        };
        generated.refresh();
        generated
    }

    /// Tells the process to write them down anew, and reads them. A file that was not there before is deleted.
    ///
    /// # Errors
    /// It does not; then those stay that were known.
    pub(super) fn ask(&mut self, names: &'static Names, pid: u32) -> Result<(), String> {
        let was_there = self.file.exists();
        names::ask(names, pid)?;
        *self = Self {
            file: std::mem::take(&mut self.file),
            names: Some(names),
            ..Self::default()
        };
        self.refresh();
        if !was_there {
            let _ = fs::remove_file(&self.file);
        }
        Ok(())
    }

    /// Reads what has been added.
    pub(super) fn refresh(&mut self) {
        self.refreshed = Some(Instant::now());
        let Ok(mut file) = input::open(&self.file) else {
            return;
        };
        let length = file.metadata().map_or(0, |of| of.len());
        if length <= self.read || file.seek(SeekFrom::Start(self.read)).is_err() {
            return;
        }
        let mut lines = BufReader::new(file);
        let mut line = Vec::new();
        while self.functions.len() < MOST && self.read < LARGEST {
            line.clear();
            let most = LONGEST as u64;
            let Ok(length) = std::io::Read::take(&mut lines, most).read_until(b'\n', &mut line)
            else {
                return;
            };
            // the last may be half of one
            if line.last() != Some(&b'\n') && (length as u64) < most {
                return;
            }
            self.read += length as u64;
            self.note(&String::from_utf8_lossy(&line));
        }
    }

    fn note(&mut self, line: &str) {
        let mut parts = line.trim_end().splitn(3, ' ');
        let mut number = || {
            let digits = parts.next()?;
            u64::from_str_radix(digits.strip_prefix("0x").unwrap_or(digits), 16).ok()
        };
        let (Some(address), Some(size)) = (number(), number()) else {
            return;
        };
        if let Some(name) = parts.next().filter(|_| size > 0) {
            let told = self.names.and_then(|names| names::frame(names, name));
            let frame = told.unwrap_or_else(|| frame(name));
            self.functions.insert(address, (size, frame));
        }
    }

    /// The function at an address. What is not known may just have been written down.
    pub(super) fn frame(&mut self, address: u64) -> Option<Frame> {
        let known = self.known(address);
        if known.is_some() || self.refreshed.is_some_and(|at| at.elapsed() < PATIENCE) {
            return known;
        }
        self.refresh();
        self.known(address)
    }

    fn known(&self, address: u64) -> Option<Frame> {
        let (at, (size, frame)) = self.functions.range(..=address).next_back()?;
        (address - at < *size).then(|| frame.clone())
    }
}

/// `JS:*handle /srv/app/server.js:10:22` is `handle` of that file, and what is no program's own function is named as it is.
fn frame(text: &str) -> Frame {
    let generated = || Frame {
        name: text.to_owned(),
        file: "<generated>".to_owned(),
        line: 0,
    };
    let own = || {
        let (kind, rest) = text.split_once(':')?;
        OWN.contains(&kind).then_some(())?;
        let rest = rest.trim_start_matches(TIERS);
        // both may hold spaces
        let end = PLACES.iter().filter_map(|begin| rest.find(begin)).min()?;
        let (name, place) = (&rest[..end], &rest[end + 1..]);
        let (file, line) = numbered(place)?;
        // V8 has told the column since Node 20
        let (file, line) = numbered(file).unwrap_or((file, line));
        let file = file.strip_prefix("file://").unwrap_or(file);
        Some(Frame {
            name: if name.is_empty() { "(anonymous)" } else { name }.to_owned(),
            file: file.to_owned(),
            line,
        })
    };
    own().unwrap_or_else(generated)
}

/// What stands before a last colon, and the number behind it.
fn numbered<N: std::str::FromStr>(text: &str) -> Option<(&str, N)> {
    let (before, number) = text.rsplit_once(':')?;
    Some((before, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn of(lines: &str) -> (tempfile::NamedTempFile, Generated) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(lines.as_bytes()).unwrap();
        let mut generated = Generated {
            file: file.path().to_owned(),
            ..Generated::default()
        };
        generated.refresh();
        (file, generated)
    }

    #[test]
    fn functions_have_files_and_what_has_none_is_generated() {
        let (mut file, mut generated) = of("1000 40 JS:*handle /srv/my app/server.js:10:22\n\
             2000 10 Builtin:LoadIC\nnonsense\n3000 zz x\n4000 8 JS:~ node:internal/timers:5:1\n\
             6000 8 LazyCompile:*handle /srv/my app/server.js:10\n5000 8 JS:~half");
        let name = |generated: &Generated, at| {
            let frame = generated.known(at)?;
            Some(format!("{} {}:{}", frame.name, frame.file, frame.line))
        };
        assert_eq!(
            name(&generated, 0x103f).as_deref(),
            Some("handle /srv/my app/server.js:10")
        );
        assert_eq!(name(&generated, 0x1040), None);
        assert_eq!(
            name(&generated, 0x2000).as_deref(),
            Some("Builtin:LoadIC <generated>:0")
        );
        assert_eq!(
            name(&generated, 0x4000).as_deref(),
            Some("(anonymous) node:internal/timers:5")
        );
        assert_eq!(
            name(&generated, 0x6000).as_deref(),
            Some("handle /srv/my app/server.js:10")
        );
        assert_eq!(name(&generated, 0x5000), None, "its line has not ended");
        file.write_all(b" /srv/a.js:1:1\n").unwrap();
        generated.refresh();
        assert_eq!(
            name(&generated, 0x5000).as_deref(),
            Some("half /srv/a.js:1")
        );
    }
}
