//! A flame graph without a script, for a page that allows none: where its boxes lie.

use std::collections::{BTreeMap, HashMap};

use record::{CodeClass, Doing, Function};
use serde::Serialize;
use stats::share_difference;

use super::{Profiled, cut, words};
use crate::units;
use crate::words::shortened;

/// Width of the whole, and height of a box.
const WIDTH: f64 = 1_200.0;
const HEIGHT: f64 = 17.0;
/// Width of a letter, about.
const LETTER: f64 = 6.2;
/// Boxes that are narrower are left out.
const NARROWEST: f64 = 1.0;

/// The boxes of a flame graph of the threads on CPU, hanging from the top.
#[derive(Serialize)]
pub struct Flames {
    width: f64,
    height: f64,
    boxes: Vec<Flame>,
    /// Whether stacks are drawn from the app on, as what leads there differs between two profiles.
    from_app: bool,
}

#[derive(Serialize)]
struct Flame {
    x: f64,
    y: f64,
    width: f64,
    class: &'static str,
    /// What fits into it.
    label: String,
    title: String,
}

/// A stack by the numbers of its functions, the outermost first, and how often it was seen: before, and now.
struct Seen {
    functions: Vec<u32>,
    /// The place of the function at which the app begins, if the app has a part in it.
    begin: Option<usize>,
    samples: [u64; 2],
}

impl Seen {
    /// The same from the app on; without the app, one function that stands for it.
    fn cut(mut self, others: u32) -> Self {
        self.functions = match self.begin {
            Some(place) => self.functions.split_off(place),
            None => vec![others],
        };
        self
    }
}

/// A function on stacks that begin alike, and how often these were seen.
struct Laid {
    function: u32,
    depth: usize,
    /// Samples of now to its left.
    from: u64,
    samples: [u64; 2],
}

/// Stacks that begin alike, whose next functions are still to be laid out.
struct Open<'a> {
    from: u64,
    depth: usize,
    stacks: &'a [Seen],
}

impl Flames {
    /// Of one profile, each box coloured by whose code it is. `None` where nothing was on CPU.
    pub fn of(profiled: &Profiled) -> Option<Self> {
        let functions: Vec<&Function> = profiled.stacks.functions.iter().collect();
        let mut stacks = seen(profiled, 1, |function| function);
        let [_, whole] = sum(&stacks);
        let told = |of: &Laid, function: &Function| {
            let share = units::percent(of.samples[1] as f64 / whole as f64);
            let title = format!("{}: {share} of {whole} samples", words(function));
            (class(function.class), title)
        };
        (whole > 0).then(|| Self::new(&laid(&mut stacks), whole, &functions, told))
    }

    /// How a later profile differs from an earlier one: drawn as the later one is, `more` where it has surely a larger share of its
    /// samples than the earlier one, `less` where it has surely a smaller one, and `alike` else. With 95 % confidence all that is
    /// called so is; samples are taken as independent. Functions are the same by their names and files, as an edit of a file
    /// moves their lines. Where the app is called from elsewhere, as by another server, stacks begin at the app, and all in which
    /// it has no part are one box. `None` where one of the two has nothing on CPU.
    pub fn between(earlier: &Profiled, later: &Profiled) -> Option<Self> {
        let others = cut::others();
        let mut functions: Vec<&Function> = Vec::new();
        let mut known = HashMap::new();
        let mut stacks = Vec::new();
        for (when, of) in [(1, later), (0, earlier)] {
            let numbers = of.stacks.functions.iter().map(|function| {
                let same = (function.name.as_str(), function.file.as_str());
                *known.entry(same).or_insert_with(|| {
                    functions.push(function);
                    functions.len() as u32 - 1
                })
            });
            let numbers: Vec<u32> = numbers.collect();
            stacks.extend(seen(of, when, |function| numbers[function as usize]));
        }
        let whole = sum(&stacks);
        if whole.contains(&0) {
            return None;
        }
        let from_app = cut::is_due(&leading(&stacks, 0), &leading(&stacks, 1));
        if from_app {
            let place = functions.len() as u32;
            functions.push(&others);
            stacks = stacks.into_iter().map(|of| of.cut(place)).collect();
        }
        let all = laid(&mut stacks);
        let told = |of: &Laid, function: &Function| {
            let [before, now] = [0, 1].map(|at| (of.samples[at], whole[at]));
            let difference = share_difference(now, before, all.len());
            let (class, differs) = match difference.and_then(|of| of.interval) {
                Some((least, _)) if least > 0.0 => ("more", "surely more"),
                Some((_, most)) if most < 0.0 => ("less", "surely less"),
                _ => ("alike", "not surely another share"),
            };
            let share = |(part, of): (u64, u64)| units::percent(part as f64 / of as f64);
            let (before, now) = (share(before), share(now));
            let title = format!("{}: {now}, before {before}: {differs}", words(function));
            (class, title)
        };
        Some(Self {
            from_app,
            ..Self::new(&all, whole[1], &functions, told)
        })
    }

    fn new(
        laid: &[Laid],
        whole: u64,
        functions: &[&Function],
        told: impl Fn(&Laid, &Function) -> (&'static str, String),
    ) -> Self {
        let drawn = |of: &Laid| {
            let function = functions[of.function as usize];
            let (class, title) = told(of, function);
            let width = wide(of.samples[1], whole);
            Flame {
                x: wide(of.from, whole),
                y: of.depth as f64 * HEIGHT,
                width,
                class,
                label: fitting(&function.name, width),
                title,
            }
        };
        let boxes: Vec<Flame> = laid.iter().map(drawn).collect();
        let lowest = boxes.iter().map(|of| of.y).fold(0.0, f64::max);
        Self {
            width: WIDTH,
            height: lowest + HEIGHT,
            boxes,
            from_app: false,
        }
    }
}

/// The stacks of threads on CPU, seen before (0) or now (1), with their functions numbered anew.
fn seen(profiled: &Profiled, when: usize, number: impl Fn(u32) -> u32) -> Vec<Seen> {
    let all = &profiled.stacks;
    let on_cpu = all.stacks.iter().filter(|of| of.doing == Doing::OnCpu);
    let seen = on_cpu.map(|of| {
        let mut samples = [0; 2];
        samples[when] = of.samples;
        Seen {
            functions: of.functions.iter().map(|at| number(*at)).collect(),
            begin: cut::begin(all, of),
            samples,
        }
    });
    seen.collect()
}

/// What leads to the app on the stacks of before (0) or now (1), with how many samples.
fn leading(stacks: &[Seen], when: usize) -> BTreeMap<&[u32], u64> {
    let mut leading = BTreeMap::new();
    for of in stacks.iter().filter(|of| of.samples[when] > 0) {
        if let Some(place) = of.begin {
            *leading.entry(&of.functions[..place]).or_default() += of.samples[when];
        }
    }
    leading
}

/// Where each function lies that is wide enough to be drawn.
fn laid(stacks: &mut [Seen]) -> Vec<Laid> {
    stacks.sort_unstable_by(|one, next| one.functions.cmp(&next.functions));
    let [_, whole] = sum(stacks);
    let mut laid = Vec::new();
    let mut open = vec![Open {
        from: 0,
        depth: 0,
        stacks,
    }];
    while let Some(node) = open.pop() {
        let mut from = node.from;
        let function = |of: &Seen| of.functions.get(node.depth).copied();
        for alike in node.stacks.chunk_by(|a, b| function(a) == function(b)) {
            let samples = sum(alike);
            let is_wide = wide(samples[1], whole) >= NARROWEST;
            if let Some(function) = function(&alike[0]).filter(|_| is_wide) {
                laid.push(Laid {
                    function,
                    depth: node.depth,
                    from,
                    samples,
                });
                open.push(Open {
                    from,
                    depth: node.depth + 1,
                    stacks: alike,
                });
            }
            from += samples[1];
        }
    }
    laid
}

/// How often these were seen, before and now.
fn sum(stacks: &[Seen]) -> [u64; 2] {
    [0, 1].map(|when| stacks.iter().map(|of| of.samples[when]).sum())
}

/// The width of so many samples.
fn wide(samples: u64, whole: u64) -> f64 {
    samples as f64 / whole as f64 * WIDTH
}

/// As much of a name as a box has room for.
fn fitting(name: &str, width: f64) -> String {
    match (width / LETTER) as usize {
        0..3 => String::new(),
        room => shortened(name, room),
    }
}

fn class(of: CodeClass) -> &'static str {
    of.name()
}

#[cfg(test)]
mod tests;
