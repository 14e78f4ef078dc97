//! A profile as texts that other tools read: folded stacks, an interactive flame graph, speedscope's JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use inferno::flamegraph::color::MultiPalette;
use inferno::flamegraph::{self, Options, Palette};
use record::{CodeClass, Doing, Stacks};
use serde_json::{Value, json};

use super::{Profiled, words};
use crate::harmless::one_line;

/// Stacks of threads on CPU, one a line: functions from the outermost on, a `;` between them, and how often.
pub fn folded(profiled: &Profiled) -> String {
    let mut text = String::new();
    for (stack, samples) in counted(&profiled.stacks, |name, _| name) {
        let _ = writeln!(text, "{stack} {samples}");
    }
    text
}

/// An interactive flame graph of the threads on CPU as SVG, coloured by whose code it is.
///
/// # Errors
/// There is no such sample.
pub fn flame_graph(profiled: &Profiled) -> Result<String, String> {
    let lines = counted(&profiled.stacks, coloured);
    let lines: Vec<String> = lines
        .iter()
        .map(|(stack, samples)| format!("{stack} {samples}"))
        .collect();
    let mut options = Options::default();
    options.title = format!("On CPU: {}", one_line(&profiled.name));
    options.colors = Palette::Multi(MultiPalette::Java);
    drawn(&mut options, &lines)
}

/// How two profiles differ, as SVG: drawn as the later one is, red where it has a greater share of its samples than the
/// earlier one, blue where it has a smaller one.
///
/// # Errors
/// One of them has no sample of a thread on CPU.
pub fn difference(earlier: &Profiled, later: &Profiled) -> Result<String, String> {
    let plain = |stacks| counted(stacks, |name, _| name);
    let (before, after) = (plain(&earlier.stacks), plain(&later.stacks));
    let sum = |of: &BTreeMap<String, u64>| of.values().sum::<u64>();
    let (whole_before, whole_after) = (sum(&before), sum(&after));
    if whole_before == 0 || whole_after == 0 {
        return Err("one of the two profiles has no sample of a thread on CPU".to_owned());
    }
    let mut both: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    // as if both had as many samples
    for (stack, samples) in &before {
        both.entry(stack).or_default().0 =
            (samples * whole_after + whole_before / 2) / whole_before;
    }
    for (stack, samples) in &after {
        both.entry(stack).or_default().1 = *samples;
    }
    let lines = both.iter();
    let lines: Vec<String> = lines
        .map(|(stack, (before, after))| format!("{stack} {before} {after}"))
        .collect();
    let mut options = Options::default();
    options.title = format!(
        "On CPU: {} against {}",
        one_line(&later.name),
        one_line(&earlier.name)
    );
    drawn(&mut options, &lines)
}

/// The profile for <https://www.speedscope.app>: what threads do as three profiles.
pub fn speedscope(profiled: &Profiled) -> String {
    let stacks = &profiled.stacks;
    let frames = stacks.functions.iter().map(|of| {
        json!({
            "name": one_line(&of.name),
            "file": one_line(&of.file),
            "line": Some(of.line).filter(|line| *line > 0),
        })
    });
    let profile = |doing: Doing| {
        let own = || stacks.stacks.iter().filter(move |of| of.doing == doing);
        let weights: Vec<u64> = own().map(|of| of.samples).collect();
        (!weights.is_empty()).then(|| {
            json!({
                "type": "sampled",
                "name": format!("{}: {}", one_line(&profiled.name), doing.words()),
                "unit": "none",
                "startValue": 0,
                "endValue": weights.iter().sum::<u64>(),
                "samples": own().map(|of| &of.functions).collect::<Vec<_>>(),
                "weights": weights,
            })
        })
    };
    json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": "weir",
        "name": one_line(&profiled.name),
        "shared": { "frames": frames.collect::<Vec<Value>>() },
        "profiles": Doing::ALL.into_iter().filter_map(profile).collect::<Vec<Value>>(),
    })
    .to_string()
}

fn drawn(options: &mut Options, lines: &[String]) -> Result<String, String> {
    "samples".clone_into(&mut options.count_name);
    options.hash = true; // the same colours each time
    let mut svg = Vec::new();
    let lines = lines.iter().map(String::as_str);
    flamegraph::from_lines(options, lines, &mut svg).map_err(|error| error.to_string())?;
    String::from_utf8(svg).map_err(|error| error.to_string())
}

/// The stacks of threads on CPU as lines, with how often; the same line once.
fn counted(stacks: &Stacks, label: fn(String, CodeClass) -> String) -> BTreeMap<String, u64> {
    let names: Vec<String> = stacks
        .functions
        .iter()
        // what separates functions, and what separates a stack from its number
        .map(|of| label(words(of).replace(';', ",").replace(' ', "\u{a0}"), of.class))
        .collect();
    let mut lines = BTreeMap::new();
    for stack in stacks.stacks.iter().filter(|of| of.doing == Doing::OnCpu) {
        let functions = stack.functions.iter();
        let line: Vec<&str> = functions
            .filter_map(|&at| Some(&**names.get(at as usize)?))
            .collect();
        *lines.entry(line.join(";")).or_default() += stack.samples;
    }
    lines
}

/// A name with the mark by which the palette for Java chooses a colour: green for the app, aqua for frameworks, orange
/// for servers, and red for the rest: the palette knows these by the lack of a slash, so theirs are others that look alike.
/// The mark is not drawn.
fn coloured(name: String, class: CodeClass) -> String {
    let mark = match class {
        CodeClass::App => "_[j]",
        CodeClass::Framework => "_[i]",
        CodeClass::Server => "_[k]",
        CodeClass::Library | CodeClass::Runtime => return name.replace('/', "\u{2215}"),
    };
    name + mark
}
