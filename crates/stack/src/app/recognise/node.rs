//! Node programs: what `package.json` starts, and how the source says that it is told its port.

use std::path::Path;

use record::StaticSite;
use serde_json::Value;

use super::command::addressed;
use super::missed::Missed;
use super::source::{SourceFiles, takes_a_port};
use super::{Kind, Recognised, Wish, home, program, text, unprepared};
use crate::error::Result;

/// Files that are started by custom, where `package.json` does not say.
const CUSTOM: [&str; 4] = ["server.js", "app.js", "index.js", "bin/www"];
const FRAMEWORKS: [&str; 5] = ["express", "fastify", "koa", "hapi", "next"];

pub(super) const KIND: Kind = Kind {
    signs: "`package.json`",
    find,
};

fn find(wish: &Wish<'_>, missed: &mut Missed) -> Result<Option<Recognised>> {
    let Some(package) =
        text(wish.dir, "package.json").and_then(|text| serde_json::from_str::<Value>(&text).ok())
    else {
        return Ok(None);
    };
    let Some((command, clue)) = started(&package, wish.dir) else {
        missed.holds_none(format!(
            "`package.json` has neither a `start` script nor a file to start (`main`, `{}`)",
            CUSTOM.join("`, `")
        ));
        return Ok(None);
    };
    let (dir, _) = home(wish);
    let needs = package["dependencies"].as_object();
    let installed = || dir.ancestors().any(|dir| dir.join("node_modules").is_dir());
    if needs.is_some_and(|needs| !needs.is_empty()) && !installed() {
        return Err(unprepared(
            wish,
            "`node_modules` is missing, and `package.json` names dependencies",
            "run `npm install` in it",
        ));
    }
    let framework = FRAMEWORKS
        .into_iter()
        .find(|name| package["dependencies"][*name].is_string());
    let frameworks: Vec<_> = ["node"].into_iter().chain(framework).collect();
    let mut found = program(wish, &command, &frameworks);
    found.because.push(clue);
    listens(wish, &mut found)?;
    let own = dir.join("node_modules/.bin");
    let env = &mut found.app.env;
    if own.is_dir() {
        let path = std::env::var("PATH").unwrap_or_default();
        env.insert("PATH".to_owned(), format!("{}:{path}", own.display()));
    }
    env.insert("NODE_ENV".to_owned(), "production".to_owned());
    Ok(Some(found))
}

/// What its source says of its port and its files.
fn listens(wish: &Wish<'_>, found: &mut Recognised) -> Result<()> {
    let source = SourceFiles::read(wish.dir, |name| {
        let ends = [".js", ".cjs", ".mjs", ".ts"];
        name == "www" || ends.iter().any(|end| name.ends_with(end))
    });
    if let Some((file, _)) = source.find(r"\bPORT\b") {
        takes_a_port(found, format!("it takes its port from PORT (`{file}`)"));
    } else if let Some((file, port)) = written(&source)
        && !found.app.entry.contains("$PORT")
    {
        return Err(unprepared(
            wish,
            &format!(
                "it listens at port {port}, which stands in `{file}`, and weir gives each start a port of its own"
            ),
            "let it read `process.env.PORT`, or give `weir try --command 'CMD'` with $PORT in it",
        ));
    }
    if let Some((file, _)) = source.find(r"express\.static\(")
        && let Ok(dir) = wish.dir.join("public").canonicalize()
    {
        let clue = format!("its files are in `public` (`{file}`)");
        found.because.push(clue);
        found.app.site = Some(StaticSite {
            dir,
            url: "/".to_owned(),
        });
    }
    Ok(())
}

/// The port that is written in its source, and the file: `listen(3000)`, `listen({ port: 3000 })`, or by a name.
fn written(source: &SourceFiles) -> Option<(String, String)> {
    let numbers = [
        r"\.listen\(\s*(\d{2,5})\b",
        r"\.listen\(\s*\{[^}]*\bport:\s*(\d{2,5})\b",
    ];
    let number = numbers.into_iter().find_map(|pattern| source.find(pattern));
    let number = number.or_else(|| {
        let (_, said) = source.find(r"\.listen\(\s*(?:\{[^}]*\bport:\s*)?([A-Za-z_]\w*)\b")?;
        let name = &said[1];
        source.find(&format!(
            r"\b(?:const|let|var)\s+{name}\s*=\s*(\d{{2,5}})\b"
        ))
    });
    number.map(|(file, said)| (file, said[1].to_owned()))
}

/// The command that starts it, and what said so.
fn started(package: &Value, dir: &Path) -> Option<(String, String)> {
    if let Some(start) = package["scripts"]["start"].as_str() {
        // what watches for changes is no way to serve
        let plain = start.strip_prefix("nodemon ");
        let command = plain.map_or_else(|| start.to_owned(), |rest| format!("node {rest}"));
        let clue = format!("`package.json` starts it with `{start}`");
        return Some((addressed(&command, false), clue));
    }
    let mut files = package["main"].as_str().into_iter().chain(CUSTOM);
    let file = files.find(|file| dir.join(file).is_file())?;
    let clue = format!("`package.json` is there, and `{file}`");
    Some((format!("node {file}"), clue))
}
