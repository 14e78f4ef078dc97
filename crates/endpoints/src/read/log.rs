use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};

use super::{How, LONGEST, LOOKED_AT, Odd, Read, ReadError, Reading, SHOWN, Unread};
use crate::entry::Entry;
use crate::format::Format;
use crate::time::{Basis, LONGEST as LONGEST_TIME, Time, Unit};

/// Bytes of lines that are held until the unit of their times is known.
const HELD: usize = 1 << 20;

/// A log that is being read.
pub(super) struct Log {
    /// As it was given or found.
    format: Option<Format>,
    /// The unit that was given.
    unit: Option<Unit>,
    /// The first lines, until they have told the unit; then none.
    held: Option<Held>,
    /// What was guessed of the unit of each key.
    guessed: Vec<(&'static str, Unit)>,
    read: Read,
}

#[derive(Default)]
struct Held {
    lines: Vec<Vec<u8>>,
    bytes: usize,
}

impl Log {
    pub(super) fn new(how: How) -> Self {
        Self {
            format: how.format,
            unit: how.unit,
            held: how.unit.is_none().then(Held::default),
            guessed: Vec::new(),
            read: Read {
                format: Format::Combined,
                lines: 0,
                requests: 0,
                timed: 0,
                units: Vec::new(),
                odd: None,
                unread: None,
                cut: None,
            },
        }
    }

    pub(super) fn line(
        &mut self,
        line: &[u8],
        each: &mut dyn FnMut(&Entry),
    ) -> Result<(), ReadError> {
        let Some(held) = &mut self.held else {
            return self.take(line, each);
        };
        held.bytes += line.len();
        held.lines.push(line.to_vec());
        if held.bytes >= HELD || held.lines.len() as u64 >= LOOKED_AT {
            return self.release(each);
        }
        Ok(())
    }

    /// There is no more of it, for this reason.
    pub(super) fn cut(&mut self, error: &Error) {
        self.read.cut = Some(match error.kind() {
            ErrorKind::UnexpectedEof => "ends in the middle".to_owned(),
            // what the unpacker says of it names its own parts
            _ => "is damaged, or ends in the middle".to_owned(),
        });
    }

    pub(super) fn ended(mut self, each: &mut dyn FnMut(&Entry)) -> Result<Read, ReadError> {
        self.release(each)?;
        match (self.format, self.read.cut.take()) {
            (Some(format), cut) => Ok(Read {
                format,
                cut,
                ..self.read
            }),
            (None, Some(why)) => Err(ReadError::Cut(why)),
            (None, None) if self.read.unread.is_none() => Err(ReadError::Empty),
            (None, None) => Err(self.unknown()),
        }
    }

    /// Guesses the units from the lines that were held, and reads them.
    fn release(&mut self, each: &mut dyn FnMut(&Entry)) -> Result<(), ReadError> {
        let Some(held) = self.held.take() else {
            return Ok(());
        };
        let mut of_key: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
        let mut format = self.format;
        for line in &held.lines {
            let text = String::from_utf8_lossy(line);
            let text = text.trim_end_matches('\r');
            format = format.or_else(|| Format::of(text));
            let Some(format) = format else { continue };
            format.entries(text, &mut |entry| {
                let guessed = entry.time.filter(|time| time.basis == Basis::Guessed);
                if let Some(time) = guessed.filter(|time| time.value.is_finite()) {
                    of_key.entry(time.key).or_default().push(time.value);
                }
            });
        }
        if let Some(format) = format {
            let of = |(key, values)| (key, format.guess(key, values));
            self.guessed = of_key.into_iter().map(of).collect();
        }
        held.lines.iter().try_for_each(|line| self.take(line, each))
    }

    fn take(&mut self, line: &[u8], each: &mut dyn FnMut(&Entry)) -> Result<(), ReadError> {
        self.read.lines += 1;
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end_matches('\r');
        if text.is_empty() {
            return Ok(());
        }
        self.format = self.format.or_else(|| Format::of(text));
        let understood = line.len() < LONGEST
            && self.format.is_some_and(|format| {
                format.entries(text, &mut |entry| self.request(format, entry, each))
            });
        if understood {
            return Ok(());
        }
        let (number, shown) = (self.read.lines, || text.chars().take(SHOWN).collect());
        match &mut self.read.unread {
            Some(unread) => unread.lines += 1,
            none => {
                *none = Some(Unread {
                    lines: 1,
                    first: number,
                    text: shown(),
                });
            }
        }
        if self.format.is_none() && number >= LOOKED_AT {
            return Err(self.unknown());
        }
        Ok(())
    }

    /// Counts a request, and hands it over with its time in seconds.
    fn request(&mut self, format: Format, entry: &mut Entry, each: &mut dyn FnMut(&Entry)) {
        self.read.requests += entry.times;
        if let Some(time) = entry.time {
            let time = self.in_unit(format, time);
            entry.seconds = time.seconds();
            match entry.seconds {
                Some(_) => self.timed(time, entry.times),
                None => self.odd(time, entry.times),
            }
        }
        each(entry);
    }

    /// A time in the unit that was given, or guessed.
    fn in_unit(&mut self, format: Format, time: Time) -> Time {
        if self.unit.is_some() || time.basis != Basis::Guessed {
            return time.in_unit(self.unit);
        }
        let known = self.guessed.iter().find(|(key, _)| *key == time.key);
        let unit = if let Some((_, unit)) = known {
            *unit
        } else {
            let unit = format.guess(time.key, vec![time.value]);
            self.guessed.push((time.key, unit));
            unit
        };
        Time { unit, ..time }
    }

    fn timed(&mut self, time: Time, times: u64) {
        self.read.timed += times;
        let is_given = self.unit.is_some() && time.basis != Basis::Defined;
        let mut all = self.read.units.iter_mut();
        let same = all.find(|of| (of.key, of.unit) == (time.key, time.unit));
        if let Some(reading) = same {
            reading.requests += times;
            return;
        }
        self.read.units.push(Reading {
            key: time.key,
            unit: time.unit,
            basis: time.basis,
            is_given,
            requests: times,
        });
    }

    fn odd(&mut self, time: Time, times: u64) {
        let line = self.read.lines;
        let odd = self.read.odd.get_or_insert(Odd {
            requests: 0,
            long: 0,
            line,
            value: time.value,
            unit: time.unit,
        });
        odd.requests += times;
        let is_long = time.value.is_finite() && time.value / time.unit.per_second() > LONGEST_TIME;
        odd.long += times * u64::from(is_long);
    }

    fn unknown(&self) -> ReadError {
        let unread = self.read.unread.as_ref();
        ReadError::Unknown {
            lines: self.read.lines,
            text: unread.map_or_else(String::new, |unread| unread.text.clone()),
        }
    }
}
