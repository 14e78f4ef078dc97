//! A profile as pprof's file: gzip around one message of protocol buffers.

mod message;

use std::collections::HashMap;
use std::io::{self, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;
use record::{CodeClass, Doing, Stack};

use self::message::{Function, Label, Line, Location, Mapping, Profile, Sample, ValueType};
use super::Profiled;
use crate::harmless::one_line;
use crate::html::hidden;

/// What all functions lie in: its number, since 0 is none.
const MAPPING: u64 = 1;

/// The texts of a profile, each once. The first is empty.
struct Texts {
    all: Vec<String>,
    known: HashMap<String, i64>,
}

impl Texts {
    fn new() -> Self {
        let mut texts = Self {
            all: Vec::new(),
            known: HashMap::new(),
        };
        texts.number("");
        texts
    }

    fn number(&mut self, text: &str) -> i64 {
        let text = hidden(text);
        let text = one_line(&text);
        if let Some(known) = self.known.get(&*text) {
            return *known;
        }
        let number = self.all.len().cast_signed() as i64;
        self.all.push(text.clone().into_owned());
        self.known.insert(text.into_owned(), number);
        number
    }

    fn value(&mut self, r#type: &str, unit: &str) -> ValueType {
        ValueType {
            r#type: self.number(r#type),
            unit: self.number(unit),
        }
    }
}

/// The profile for <https://github.com/google/pprof>: samples, and CPU time in nanoseconds where the rate is known. Labels say what
/// a sample's thread did (`doing`) and on whose behalf (`class`).
///
/// # Errors
/// It cannot be packed.
pub fn pprof(profiled: &Profiled) -> io::Result<Vec<u8>> {
    let bytes = message(profiled).encode_to_vec();
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&bytes)?;
    packed.finish()
}

fn message(profiled: &Profiled) -> Profile {
    let mut texts = Texts::new();
    let stacks = &profiled.stacks;
    let period = period(profiled);
    let samples = texts.value("samples", "count");
    let cpu = texts.value("cpu", "nanoseconds");
    let ran = period.is_some() && profiled.samples(Doing::OnCpu) > 0;
    let sample = stacks.stacks.iter();
    let sample = sample.map(|stack| sample_of(profiled, stack, period, &mut texts));
    let sample = sample.collect();
    let functions = (1..).zip(&stacks.functions);
    let function = functions.clone().map(|(id, of)| Function {
        id,
        name: texts.number(&of.name),
        filename: texts.number(&of.file),
        start_line: of.line.into(),
    });
    let function = function.collect();
    let comment = (stacks.others > 0).then(|| {
        texts.number(&format!(
            "{} samples of rare stacks are left out",
            stacks.others
        ))
    });
    Profile {
        sample_type: [samples].into_iter().chain(period.map(|_| cpu)).collect(),
        sample,
        mapping: vec![mapping(texts.number(&profiled.name))],
        location: functions.map(|(id, of)| location(id, of.line)).collect(),
        function,
        duration_nanos: nanoseconds(profiled.sampled),
        period_type: period.map(|_| cpu),
        period: period.unwrap_or_default(),
        comment: comment.into_iter().collect(),
        default_sample_type: if ran { cpu.r#type } else { samples.r#type },
        string_table: texts.all,
    }
}

fn mapping(filename: i64) -> Mapping {
    Mapping {
        id: MAPPING,
        filename,
        has_functions: true,
        has_filenames: true,
        has_line_numbers: true,
    }
}

/// Of each function there is one, of the same number.
fn location(id: u64, line: u32) -> Location {
    Location {
        id,
        mapping_id: MAPPING,
        line: vec![Line {
            function_id: id,
            line: line.into(),
        }],
    }
}

fn sample_of(profiled: &Profiled, stack: &Stack, period: Option<i64>, texts: &mut Texts) -> Sample {
    let samples = stack.samples.cast_signed();
    let cpu = period.map(|period| match stack.doing {
        Doing::OnCpu => samples.saturating_mul(period),
        _ => 0,
    });
    let inwards = profiled.stacks.of(stack).map(|of| of.class);
    let (class, _) = CodeClass::of_stack(inwards.rev());
    let mut label = |key, value| Label {
        key: texts.number(key),
        str: texts.number(value),
    };
    let there = profiled.stacks.functions.len();
    let functions = stack.functions.iter().rev();
    let functions = functions.filter(|at| (**at as usize) < there);
    Sample {
        location_id: functions.map(|at| u64::from(*at) + 1).collect(),
        value: [samples].into_iter().chain(cpu).collect(),
        label: vec![
            label("doing", stack.doing.words()),
            label("class", class.name()),
        ],
    }
}

/// Nanoseconds of CPU time that a sample on CPU stands for.
fn period(profiled: &Profiled) -> Option<i64> {
    let rate = profiled.facts.rate;
    (rate > 0.0).then(|| nanoseconds(1.0 / rate))
}

fn nanoseconds(seconds: f64) -> i64 {
    (seconds * 1e9) as i64
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use record::{ProfileCount, ProfileFacts, Stacks};

    use super::*;

    fn profiled(rate: f64, stacks: &[(&[u32], Doing, u64)]) -> Profiled {
        let function = |name: &str, class| record::Function {
            name: name.to_owned(),
            file: format!("{name}.py"),
            line: 7,
            class,
        };
        let stack = |&(functions, doing, samples): &(&[u32], Doing, u64)| Stack {
            functions: functions.to_vec(),
            doing,
            samples,
        };
        let count = |&(_, doing, samples): &(&[u32], Doing, u64)| ProfileCount {
            doing,
            class: CodeClass::App,
            own: CodeClass::App,
            samples,
        };
        let facts = ProfileFacts {
            rate,
            counts: stacks.iter().map(count).collect(),
            ..ProfileFacts::default()
        };
        let stacks = Stacks {
            functions: vec![
                function("serve", CodeClass::Server),
                function("page", CodeClass::App),
                function("dumps\u{1b}[31m", CodeClass::Runtime),
            ],
            stacks: stacks.iter().map(stack).collect(),
            others: 3,
        };
        Profiled::new("two\nlines", 2.5, facts, stacks)
    }

    fn read(of: &Profiled) -> Profile {
        let mut bytes = Vec::new();
        let packed = pprof(of).unwrap();
        let mut reader = flate2::read::GzDecoder::new(&*packed);
        reader.read_to_end(&mut bytes).unwrap();
        Profile::decode(&*bytes).unwrap()
    }

    fn text(profile: &Profile, number: i64) -> &str {
        &profile.string_table[number as usize]
    }

    #[test]
    fn samples_have_functions_times_and_what_their_threads_did() {
        let stacks: [(&[u32], _, _); 2] = [
            (&[0, 1, 2], Doing::OnCpu, 30),
            (&[0], Doing::WaitsForSocket, 5),
        ];
        let profile = read(&profiled(50.0, &stacks));
        assert_eq!(text(&profile, 0), "", "as the format wants it");
        let values = profile.sample_type.iter();
        let values = values.map(|of| (text(&profile, of.r#type), text(&profile, of.unit)));
        let values: Vec<_> = values.collect();
        assert_eq!(values, [("samples", "count"), ("cpu", "nanoseconds")]);
        assert_eq!(text(&profile, profile.default_sample_type), "cpu");
        let rate = (profile.period, profile.duration_nanos);
        assert_eq!(rate, (20_000_000, 2_500_000_000));

        let said = |at: usize| {
            let of = &profile.sample[at];
            let names = of.location_id.iter().map(|id| {
                let location = &profile.location[*id as usize - 1];
                let function = location.line[0].function_id;
                let function = &profile.function[function as usize - 1];
                assert_eq!((location.id, function.id), (*id, *id));
                assert_eq!((location.line[0].line, function.start_line), (7, 7));
                text(&profile, function.name)
            });
            let labels = of.label.iter();
            let labels = labels.map(|of| (text(&profile, of.key), text(&profile, of.str)));
            let labels: Vec<_> = labels.collect();
            (names.collect::<Vec<_>>(), of.value.clone(), labels)
        };
        let (names, value, labels) = said(0);
        assert_eq!(names, ["dumps\u{fffd}[31m", "page", "serve"]);
        assert_eq!(value, [30, 600_000_000]);
        assert_eq!(labels, [("doing", "on CPU"), ("class", "app")]);
        let (names, value, labels) = said(1);
        assert_eq!((names, value), (vec!["serve"], vec![5, 0]));
        assert_eq!(
            labels,
            [("doing", "waits for a socket"), ("class", "server")]
        );
        let lost = text(&profile, profile.comment[0]);
        assert!(lost.starts_with("3 samples"), "{lost}");
        let name = text(&profile, profile.mapping[0].filename);
        assert_eq!(name, "two\u{fffd}lines");
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        let stacks: [(&[u32], _, _); 1] = [(&[1, 99], Doing::Sleeps, 4)];
        let waits = read(&profiled(50.0, &stacks));
        assert_eq!(text(&waits, waits.default_sample_type), "samples");
        assert_eq!(waits.sample[0].location_id, [2], "there is no 99");
        let no_rate = read(&profiled(0.0, &stacks));
        assert_eq!((no_rate.sample_type.len(), no_rate.period), (1, 0));
        assert_eq!(no_rate.sample[0].value, [4]);
        assert!(read(&Profiled::default()).sample.is_empty());
    }
}
