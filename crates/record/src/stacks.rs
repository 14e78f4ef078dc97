use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::{CodeClass, Doing};

/// The stacks of a profile, each with how often it was seen.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Stacks {
    /// Every function that is on a stack.
    pub functions: Vec<Function>,
    /// The stacks, the most frequent first.
    pub stacks: Vec<Stack>,
    /// Samples of stacks that are not listed, because there are too many.
    #[serde(default)]
    pub others: u64,
}

/// A function that was on a stack. Its name and its file are text of others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, JsonSchema, Serialize, Deserialize)]
pub struct Function {
    /// Its name, with those of its class and the functions around it where the language tells.
    pub name: String,
    /// Its file, from the app's folder, the packages' or the language's own on.
    pub file: String,
    /// The line at which it begins; 0 where nobody knows.
    pub line: u32,
    /// Whose it is.
    pub class: CodeClass,
}

/// A stack as it was seen.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Stack {
    /// Indices of functions, the outermost first.
    pub functions: Vec<u32>,
    /// What its thread did.
    pub doing: Doing,
    /// How often.
    pub samples: u64,
}

impl Stacks {
    /// Most stacks of a trial that are kept.
    pub const MOST: usize = 2_000;
    /// Most functions of a stack: of a deeper one, the innermost.
    pub const DEEPEST: usize = 128;

    /// Whether nothing was sampled.
    pub fn is_empty(&self) -> bool {
        self.stacks.is_empty()
    }

    /// The functions of a stack, the outermost first.
    pub fn of<'a>(&'a self, stack: &'a Stack) -> impl DoubleEndedIterator<Item = &'a Function> {
        let functions = stack.functions.iter();
        functions.filter_map(|&at| self.functions.get(at as usize))
    }

    /// Adds the stacks of another trial of the same stack.
    pub fn add(&mut self, other: &Self) {
        let mut known: HashMap<Function, u32> = self.functions.iter().cloned().zip(0..).collect();
        let mut numbers = Vec::with_capacity(other.functions.len());
        for function in &other.functions {
            let next = self.functions.len() as u32;
            let number = *known.entry(function.clone()).or_insert(next);
            if number == next {
                self.functions.push(function.clone());
            }
            numbers.push(number);
        }
        let mut counts: HashMap<(Vec<u32>, Doing), u64> = self
            .stacks
            .drain(..)
            .map(|of| ((of.functions, of.doing), of.samples))
            .collect();
        for stack in &other.stacks {
            let functions = stack.functions.iter();
            let functions = functions
                .filter_map(|&at| numbers.get(at as usize).copied())
                .collect();
            *counts.entry((functions, stack.doing)).or_default() += stack.samples;
        }
        self.stacks = counts
            .into_iter()
            .map(|((functions, doing), samples)| Stack {
                functions,
                doing,
                samples,
            })
            .collect();
        self.others += other.others;
        self.sort();
    }

    /// Keeps this many, and the functions on them.
    pub fn keep(&mut self, most: usize) {
        self.sort();
        let left_out = self.stacks.split_off(most.min(self.stacks.len()));
        self.others += left_out.iter().map(|of| of.samples).sum::<u64>();
        let mut numbers: Vec<Option<u32>> = vec![None; self.functions.len()];
        let mut kept = Vec::new();
        for number in self.stacks.iter_mut().flat_map(|of| &mut of.functions) {
            let at = *number as usize;
            *number = *numbers[at].get_or_insert_with(|| {
                kept.push(self.functions[at].clone());
                kept.len() as u32 - 1
            });
        }
        self.functions = kept;
    }

    /// The most frequent first.
    fn sort(&mut self) {
        self.stacks.sort_by(|a, b| {
            let key = |of: &Stack| (std::cmp::Reverse(of.samples), of.doing);
            (key(a), &a.functions).cmp(&(key(b), &b.functions))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_of_several_trials_are_one() {
        let function = |name: &str| Function {
            name: name.to_owned(),
            file: "app.py".to_owned(),
            line: 1,
            class: CodeClass::App,
        };
        let stacks = |names: &[&str], samples| Stacks {
            functions: names.iter().map(|name| function(name)).collect(),
            stacks: vec![Stack {
                functions: (0..names.len() as u32).collect(),
                doing: Doing::OnCpu,
                samples,
            }],
            others: 1,
        };
        let mut all = stacks(&["a", "b"], 3);
        all.add(&stacks(&["b"], 5));
        all.add(&stacks(&["a", "b"], 4));
        let names = |at: usize| {
            let functions = all.of(&all.stacks[at]);
            functions.map(|of| &*of.name).collect::<Vec<_>>()
        };
        assert_eq!(names(0), ["a", "b"]);
        assert_eq!(all.stacks[0].samples, 7);
        assert_eq!(names(1), ["b"]);
        assert_eq!((all.functions.len(), all.others), (2, 3));
    }
}
