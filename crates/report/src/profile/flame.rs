//! A flame graph without a script, for a page that allows none: where its boxes lie.

use record::{CodeClass, Doing};
use serde::Serialize;

use super::{Profiled, words};
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

/// A function on some stacks, and what it called there.
struct Node<'a> {
    from: u64,
    depth: usize,
    /// Stacks that begin alike up to here, by their functions.
    stacks: &'a [(&'a [u32], u64)],
}

impl Flames {
    /// `None` where nothing was on CPU.
    pub fn of(profiled: &Profiled) -> Option<Self> {
        let all = &profiled.stacks;
        let on_cpu = all.stacks.iter().filter(|of| of.doing == Doing::OnCpu);
        let mut stacks: Vec<(&[u32], u64)> =
            on_cpu.map(|of| (&*of.functions, of.samples)).collect();
        stacks.sort_unstable();
        let whole: u64 = stacks.iter().map(|(_, samples)| samples).sum();
        if whole == 0 {
            return None;
        }
        let mut flames = Self {
            width: WIDTH,
            height: 0.0,
            boxes: Vec::new(),
        };
        let mut open = vec![Node {
            from: 0,
            depth: 0,
            stacks: &stacks,
        }];
        while let Some(node) = open.pop() {
            let mut from = node.from;
            let function = |of: &(&[u32], u64)| of.0.get(node.depth).copied();
            for alike in node.stacks.chunk_by(|a, b| function(a) == function(b)) {
                let samples: u64 = alike.iter().map(|(_, samples)| samples).sum();
                let width = samples as f64 / whole as f64 * WIDTH;
                if let Some(function) = function(&alike[0]).filter(|_| width >= NARROWEST) {
                    let function = &all.functions[function as usize];
                    let share = samples as f64 / whole as f64;
                    let name = words(function);
                    flames.boxes.push(Flame {
                        x: from as f64 / whole as f64 * WIDTH,
                        y: node.depth as f64 * HEIGHT,
                        width,
                        class: class(function.class),
                        label: fitting(&function.name, width),
                        title: format!("{name}: {} of {whole} samples", units::percent(share)),
                    });
                    open.push(Node {
                        from,
                        depth: node.depth + 1,
                        stacks: alike,
                    });
                }
                from += samples;
            }
        }
        let lowest = flames.boxes.iter().map(|of| of.y).fold(0.0, f64::max);
        flames.height = lowest + HEIGHT;
        Some(flames)
    }
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
