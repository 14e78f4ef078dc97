use std::io::{self, BufRead, BufReader, Read};

use ::input::{Unpacked, unpacked};

use super::line::Line;
use super::recording::Recording;
use super::{LogFormat, ReplayPlan, fields, har, log};
use crate::TrafficError;

/// What is looked at to find the format.
const SAMPLE: usize = 64 * 1024;
/// Longest line that is read; longer ones are counted as unreadable.
const LONGEST: usize = 64 * 1024;

/// From the most demanding to the least: where two read a line, the first says more about it.
const FORMATS: [LogFormat; 5] = [
    LogFormat::Json,
    LogFormat::Ltsv,
    LogFormat::CombinedTimed,
    LogFormat::Combined,
    LogFormat::Common,
];

/// Reads a log or an archive.
pub(super) fn read(plan: &ReplayPlan) -> Result<Recording, TrafficError> {
    let file = ::input::open(&plan.path).map_err(TrafficError::read(&plan.path))?;
    read_from(plan, BufReader::new(file))
}

/// Reads what such a file holds.
pub(super) fn read_from(plan: &ReplayPlan, file: impl BufRead) -> Result<Recording, TrafficError> {
    let failed = TrafficError::read(&plan.path);
    let mut input = open(file).map_err(&failed)?;
    let sample = input.fill_buf().map_err(&failed)?;
    if plan.format == LogFormat::Har || (plan.format == LogFormat::Auto && is_archive(sample)) {
        return har::read(plan, input).map_err(|error| match error.io_error_kind() {
            Some(kind) => failed(io::Error::new(kind, error)),
            None => TrafficError::Nothing {
                path: plan.path.clone(),
                problem: format!("is no HTTP archive: {error}"),
                hint: "save it again from the network panel of a browser's developer tools".into(),
                plain: None,
            },
        });
    }
    let format = match plan.format {
        LogFormat::Auto => detect(&String::from_utf8_lossy(sample)),
        format => format,
    };
    lines(plan, format, input).map_err(failed)
}

/// The file's text, unpacked if it is packed, with its beginning to be looked at.
fn open<'a>(file: impl BufRead + 'a) -> io::Result<BufReader<Box<dyn Read + 'a>>> {
    let mut text: Box<dyn Read + 'a> = match unpacked(file)? {
        Unpacked::Plain(plain) => Box::new(plain),
        Unpacked::Packed(packed) => packed,
    };
    // A decoder gives what it has, which may be little: the sample is filled here.
    let mut start = Vec::with_capacity(SAMPLE);
    text.by_ref().take(SAMPLE as u64).read_to_end(&mut start)?;
    let whole = io::Cursor::new(start).chain(text);
    Ok(BufReader::with_capacity(SAMPLE, Box::new(whole)))
}

/// Whether text begins as an archive does: an object whose first key is `log`.
fn is_archive(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut dense = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    b"{\"log\":{"
        .iter()
        .all(|wanted| dense.next() == Some(wanted))
}

/// The format that reads most of the sample's lines.
fn detect(sample: &str) -> LogFormat {
    let lines = || {
        let lines = sample.lines().filter(|line| !line.trim().is_empty());
        lines.take(20)
    };
    let count = |format| lines().filter(|line| parse(line, format).is_some()).count();
    // The last of several maxima counts, so the most demanding format goes last.
    let formats = FORMATS.into_iter().rev();
    let best = formats.max_by_key(|&format| count(format));
    let best = best.filter(|&format| count(format) > 0);
    best.unwrap_or(LogFormat::Auto)
}

fn parse(line: &str, format: LogFormat) -> Option<Line<'_>> {
    match format {
        LogFormat::Json => fields::json(line),
        LogFormat::Ltsv => fields::ltsv(line),
        LogFormat::Auto | LogFormat::Har => None,
        format => log::parse(line, format),
    }
}

fn lines(plan: &ReplayPlan, format: LogFormat, mut input: impl BufRead) -> io::Result<Recording> {
    let mut recording = Recording::new(plan, format);
    let mut buffer = Vec::new();
    for number in 1.. {
        buffer.clear();
        let mut bounded = input.by_ref().take(LONGEST as u64);
        if bounded.read_until(b'\n', &mut buffer)? == 0 {
            break;
        }
        let whole = buffer.ends_with(b"\n") || buffer.len() < LONGEST;
        if !whole {
            input.skip_until(b'\n')?;
        }
        let text = String::from_utf8_lossy(&buffer);
        let text = text.trim_end_matches(['\n', '\r']);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match parse(text, format).filter(|_| whole) {
            Some(line) => recording.log(&line),
            None if text.trim().is_empty() => {}
            None => recording.unread(number, text),
        }
    }
    Ok(recording)
}
