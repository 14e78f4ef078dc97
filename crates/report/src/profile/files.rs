//! A profile as texts that other tools read: an interactive flame graph, speedscope's JSON.

use inferno::flamegraph::color::MultiPalette;
use inferno::flamegraph::{Options, Palette};
use record::{CodeClass, Doing};
use serde_json::{Value, json};

use super::Profiled;
use super::folded::{counted, drawn};
use crate::harmless::one_line;

/// An interactive flame graph of the threads on CPU as SVG, coloured by whose code it is.
///
/// # Errors
/// There is no such sample.
pub fn flame_graph(profiled: &Profiled) -> Result<String, String> {
    let lines = counted(&profiled.stacks, coloured);
    let lines = lines.iter();
    let lines: Vec<String> = lines
        .map(|(stack, samples)| format!("{stack} {samples}"))
        .collect();
    let mut options = Options::default();
    options.title = format!("On CPU: {}", one_line(&profiled.name));
    options.subtitle = Some(
        "green: the app's code; aqua: frameworks; orange: servers; red: libraries and runtimes"
            .to_owned(),
    );
    options.colors = Palette::Multi(MultiPalette::Java);
    drawn(&mut options, &lines)
}

/// The profile for <https://www.speedscope.app>: each thing that threads do as a profile of its own.
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
