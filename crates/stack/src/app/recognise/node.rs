//! Node programs: what `package.json` starts, and how the source says that it is told its port.

use record::StaticSite;

use super::command::with_packages;
use super::missed::Missed;
use super::package::Package;
use super::source::{SourceFiles, takes_a_port};
use super::start::{lost, started};
use super::{Kind, Recognised, Wish, program, unprepared};
use crate::error::{Result, log};

const FRAMEWORKS: [&str; 5] = ["express", "fastify", "koa", "hapi", "next"];
/// Text that reads PORT from an environment, by itself or as one that is checked. A constant of this name is none.
const READS_PORT: &str = r#"\benv\s*(?:\.\s*PORT\b|\[\s*['"`]PORT\b)|['"`]PORT['"`]|\{[^}]*\bPORT\b[^}]*\}\s*=\s*(?:process\.)?env\b|\bPORT\s*:\s*(?:z|v|Joi|num|str|port)\s*[.(]"#;

pub(super) const KIND: Kind = Kind {
    signs: "`package.json`",
    find,
};

fn find(wish: &Wish<'_>, missed: &mut Missed) -> Result<Option<Recognised>> {
    let Some(package) = Package::read(wish.dir) else {
        return Ok(None);
    };
    let started = match started(&package) {
        Ok(started) => started,
        Err(why) => {
            missed.holds_none(why);
            return Ok(None);
        }
    };
    if package.has_needs() && !package.installed() {
        return Err(unprepared(
            wish,
            "`node_modules` is missing, and `package.json` names dependencies",
            &format!("run `{} install` in it", package.tool()),
        ));
    }
    let builds = package.script("build").is_some();
    if let Some(file) = lost(&started.command, &package).filter(|_| builds) {
        let file = log::as_line(file);
        let lacking = format!("`{file}` is not there, and `package.json` has a `build` script");
        return Err(unprepared(wish, &lacking, &package.build()));
    }
    let framework = FRAMEWORKS.into_iter().find(|name| package.needs(name));
    let frameworks: Vec<_> = ["node"].into_iter().chain(framework).collect();
    let command = plugged(&started.command, &package);
    let command = with_packages(&command, wish.dir);
    let mut found = program(wish, &command, &frameworks);
    found.because.extend(started.clues);
    listens(wish, &mut found)?;
    let production = "production".to_owned();
    found.app.env.insert("NODE_ENV".to_owned(), production);
    Ok(Some(found))
}

/// A command of Node, with what finds packages that are in no `node_modules`.
fn plugged(command: &str, package: &Package) -> String {
    let option = package.plugged().and_then(|file| {
        let option = format!("--require={}", file.to_str()?);
        Some(shlex::try_quote(&option).ok()?.into_owned())
    });
    match (option, command.strip_prefix("node ")) {
        (Some(option), Some(rest)) => format!("node {option} {rest}"),
        _ => command.to_owned(),
    }
}

/// What its source says of its port and its files.
fn listens(wish: &Wish<'_>, found: &mut Recognised) -> Result<()> {
    let source = SourceFiles::read(wish.dir, |name| {
        let ends = [".js", ".cjs", ".mjs", ".ts"];
        name == "www" || ends.iter().any(|end| name.ends_with(end))
    });
    // the variable alone tells nothing to who does not read it
    let told = found.app.entry.replace("PORT=$PORT", "").contains("$PORT");
    if let Some((file, _)) = source.find(READS_PORT) {
        takes_a_port(found, format!("it takes its port from PORT (`{file}`)"));
    } else if let Some((file, port)) = written(&source)
        && !told
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
