//! A profile as texts that other tools read: an interactive flame graph, speedscope's JSON.

use inferno::flamegraph::Options;
use inferno::flamegraph::color::{Color, PaletteMap};
use record::{CodeClass, Doing, Stacks};
use serde_json::{Value, json};

use super::folded::{drawn, one_word};
use super::{Folded, Profiled};
use crate::harmless::one_line;

/// The colour of the box below all functions.
const ALL: Color = Color {
    r: 200,
    g: 200,
    b: 200,
};

/// An interactive flame graph of the threads on CPU as SVG, coloured by whose code it is.
///
/// # Errors
/// There is no such sample.
pub fn flame_graph(profiled: &Profiled) -> Result<String, String> {
    let lines = Folded::of(profiled).to_string();
    let lines: Vec<String> = lines.lines().map(str::to_owned).collect();
    let mut colours = colours(&profiled.stacks);
    let mut options = Options::default();
    options.title = format!("On CPU: {}", one_line(&profiled.name));
    options.subtitle = Some(
        "green: the app's code; aqua: frameworks; orange: servers; red: libraries and runtimes"
            .to_owned(),
    );
    options.palette_map = Some(&mut colours);
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

/// A colour for each function, by whose it is, and one for what stands for them all.
fn colours(of: &Stacks) -> PaletteMap {
    let mut colours = PaletteMap::default();
    colours.insert("", ALL);
    for function in &of.functions {
        let name = one_word(function);
        let own = colour(function.class, &name);
        colours.insert(name, own);
    }
    colours
}

/// The colour of a class, lighter or darker by the name, so that neighbours are told apart.
fn colour(class: CodeClass, name: &str) -> Color {
    let lighter = name.bytes().fold(0, u8::wrapping_add) % 50;
    let (r, g, b) = match class {
        CodeClass::App => (50, 200, 50),
        CodeClass::Framework => (50, 165, 165),
        CodeClass::Server => (200, 110, 0),
        CodeClass::Library | CodeClass::Runtime => (200, 60, 60),
    };
    Color {
        r: r + lighter,
        g: g + lighter,
        b: b + lighter,
    }
}

#[cfg(test)]
mod tests {
    use record::{Function, ProfileFacts, Stack};

    use super::*;

    #[test]
    fn boxes_have_the_colours_that_the_picture_names() {
        let classes = [
            CodeClass::Server,
            CodeClass::Framework,
            CodeClass::App,
            CodeClass::Runtime,
        ];
        let function = |class: CodeClass| Function {
            name: format!("of::{}", class.name()),
            file: "a/b.py".to_owned(),
            line: 1,
            class,
        };
        let stacks = Stacks {
            functions: classes.map(function).to_vec(),
            stacks: vec![Stack {
                functions: vec![0, 1, 2, 3],
                doing: Doing::OnCpu,
                samples: 1,
            }],
            others: 0,
        };
        let profiled = Profiled::new("a", 1.0, ProfileFacts::default(), stacks);
        let svg = flame_graph(&profiled).unwrap();
        let fill = |class: CodeClass| {
            let (_, of) = svg
                .split_once(&format!("<title>of::{}", class.name()))
                .unwrap();
            let (_, of) = of.split_once("rgb(").unwrap();
            let (parts, _) = of.split_once(')').unwrap();
            let parts = parts.split(',').map(|of| of.parse::<u8>().unwrap());
            <[u8; 3]>::try_from(parts.collect::<Vec<_>>()).unwrap()
        };
        let [server, framework, app, runtime] = classes.map(fill);
        assert!(app[1] > app[0] && app[1] > app[2], "green: {app:?}");
        assert!(
            framework[0] < framework[1] && framework[1] == framework[2],
            "aqua: {framework:?}"
        );
        assert!(
            server[0] > server[1] && server[1] > server[2],
            "orange: {server:?}"
        );
        assert!(
            runtime[0] > runtime[1] && runtime[1] == runtime[2],
            "red: {runtime:?}"
        );
    }
}
