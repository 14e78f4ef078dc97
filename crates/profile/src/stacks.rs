//! Samples are counted: in bounded memory, however many functions a program makes up.

use std::collections::HashMap;
use std::path::Path;

use record::{CodeClass, Doing, Function, ProfileCount, Stack, Stacks};

use crate::places::Places;
use crate::process::{Frame, Look};
use crate::runtime::Runtime;

/// Most functions that are told apart.
const MOST_FUNCTIONS: usize = 16_384;
/// Most stacks that are told apart.
const MOST_STACKS: usize = 8_192;
/// Longest name of a function.
const LONGEST: usize = 120;
/// A thread with no function on its stack.
const NO_FUNCTION: &str = "(no function of the interpreter)";

/// Samples of any number of processes.
pub(crate) struct Counter {
    places: Places,
    known: HashMap<Frame, u32>,
    functions: Vec<Function>,
    stacks: HashMap<(Vec<u32>, Doing), u64>,
    counts: HashMap<(Doing, CodeClass, CodeClass), u64>,
    others: u64,
}

impl Counter {
    pub(crate) fn new(places: Places) -> Self {
        Self {
            places,
            known: HashMap::new(),
            functions: Vec::new(),
            stacks: HashMap::new(),
            counts: HashMap::new(),
            others: 0,
        }
    }

    /// Counts what was seen of a thread of a process of this runtime that runs in this folder.
    pub(crate) fn add(&mut self, look: Look, runs_in: &Path, runtime: &Runtime) {
        let Look {
            doing,
            samples,
            mut frames,
        } = look;
        if frames.is_empty() {
            frames.push(nothing());
        }
        frames.truncate(Stacks::DEEPEST);
        let frames = frames.into_iter();
        let numbers: Vec<_> = frames
            .map(|frame| self.number(frame, runs_in, runtime))
            .collect();
        // one that could not be kept for its number was placed all the same
        let classes = numbers.iter().map(|(_, class)| *class);
        let (class, own) = CodeClass::of_stack(classes);
        *self.counts.entry((doing, class, own)).or_default() += samples;
        let stack: Option<Vec<u32>> = numbers.iter().rev().map(|(number, _)| *number).collect();
        let key = stack.map(|stack| (stack, doing));
        match key {
            Some(key) if self.stacks.len() < MOST_STACKS || self.stacks.contains_key(&key) => {
                *self.stacks.entry(key).or_default() += samples;
            }
            _ => self.others += samples,
        }
    }

    /// The number of a function, if there is one for it, and whose it is.
    fn number(
        &mut self,
        mut frame: Frame,
        runs_in: &Path,
        runtime: &Runtime,
    ) -> (Option<u32>, CodeClass) {
        let name = &mut frame.name;
        name.truncate(name.floor_char_boundary(LONGEST));
        if let Some(&number) = self.known.get(&frame) {
            return (Some(number), self.functions[number as usize].class);
        }
        let placed = self.places.place(&frame.file, runs_in, runtime);
        if self.functions.len() >= MOST_FUNCTIONS {
            return (None, placed.class);
        }
        let number = self.functions.len() as u32;
        self.functions.push(Function {
            name: frame.name.clone(),
            file: placed.file,
            line: frame.line,
            class: placed.class,
        });
        self.known.insert(frame, number);
        (Some(number), placed.class)
    }

    /// What was counted, and the most frequent stacks with the functions on them.
    pub(crate) fn counted(self) -> (Vec<ProfileCount>, Stacks) {
        let counts = self.counts.into_iter();
        let mut counts: Vec<_> = counts
            .map(|((doing, class, own), samples)| ProfileCount {
                doing,
                class,
                own,
                samples,
            })
            .collect();
        counts.sort_by_key(|of| (of.doing, of.class, of.own));
        let stacks = self.stacks.into_iter();
        let stacks = stacks.map(|((functions, doing), samples)| Stack {
            functions,
            doing,
            samples,
        });
        let mut all = Stacks {
            functions: self.functions,
            stacks: stacks.collect(),
            others: self.others,
        };
        all.keep(Stacks::MOST);
        (counts, all)
    }
}

fn nothing() -> Frame {
    Frame {
        name: NO_FUNCTION.to_owned(),
        file: "<none>".to_owned(),
        line: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::PYTHON;

    fn frame(name: &str, file: &str) -> Frame {
        Frame {
            name: name.to_owned(),
            file: file.to_owned(),
            line: 1,
        }
    }

    fn counter() -> Counter {
        Counter::new(Places::new(Some(Path::new("/app")), ["server".to_owned()]))
    }

    fn add(counter: &mut Counter, frames: Vec<Frame>) {
        let look = Look {
            doing: Doing::OnCpu,
            samples: 1,
            frames,
        };
        counter.add(look, Path::new("/app"), &PYTHON);
    }

    #[test]
    fn a_program_that_makes_up_functions_does_not_fill_the_memory() {
        let mut counter = counter();
        let samples = 2 * MOST_FUNCTIONS as u64;
        for number in 0..samples {
            let name = format!("{number}{}", "ü".repeat(LONGEST));
            add(&mut counter, vec![frame(&name, "/app/a.py")]);
        }
        let deep = vec![frame("deep", "/app/a.py"); 1_000];
        add(&mut counter, deep);
        assert!(counter.stacks.len() <= MOST_STACKS);
        let (counts, stacks) = counter.counted();
        assert_eq!(counts.len(), 1);
        assert_eq!(counts[0].samples, samples + 1, "none is lost");
        assert!(stacks.functions.len() <= Stacks::MOST + 1);
        assert!(stacks.functions.iter().all(|of| of.name.len() <= LONGEST));
        let kept: u64 = stacks.stacks.iter().map(|of| of.samples).sum();
        assert_eq!(kept + stacks.others, samples + 1);
    }

    #[test]
    fn a_look_may_stand_for_several() {
        let mut counter = counter();
        let look = Look {
            doing: Doing::Idle,
            samples: 30,
            frames: vec![frame("worker-*", "<thread>")],
        };
        counter.add(look, Path::new("/app"), &PYTHON);
        let (counts, stacks) = counter.counted();
        assert_eq!((counts[0].samples, stacks.stacks[0].samples), (30, 30));
        assert_eq!(counts[0].class, CodeClass::Runtime);
    }

    #[test]
    fn a_thread_without_functions_is_the_runtimes() {
        let mut counter = counter();
        add(&mut counter, Vec::new());
        let (counts, stacks) = counter.counted();
        assert_eq!(counts[0].class, CodeClass::Runtime);
        assert_eq!(stacks.functions[0].name, NO_FUNCTION);
    }
}
