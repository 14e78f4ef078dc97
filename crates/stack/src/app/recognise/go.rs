//! Go programs: a module with a `main` package, and how its source says that it is told its address.

use std::path::Path;

use super::missed::Missed;
use super::source::{SourceFiles, takes_a_port};
use super::{Kind, Recognised, Wish, argv, found, place_for, program, text, unprepared};
use crate::error::Result;

/// Flags that say where a program listens, the likeliest first.
const FLAGS: &str = "addr address listen listen-addr listen-address http http-addr http-address bind bind-addr \
    bind-address port http-port listen-port server-port p";
/// Variables that do, besides PORT.
const VARIABLES: &str = r#"(?:Getenv|LookupEnv)\(\s*"((?:HTTP|SERVER|APP|WEB|API|LISTEN|BIND|SERVICE)_(?:ADDR|ADDRESS|PORT)|ADDR|ADDRESS|LISTEN|BIND)"\s*\)"#;
/// Addresses that stand in the source for good.
const FIXED: &str = r#"(?:ListenAndServe(?:TLS)?\(|net\.Listen\(\s*"tcp[46]?",|Addr:|\.(?:Run|Start|Listen)\()\s*"([^"\s]*:\d+)""#;

pub(super) const KIND: Kind = Kind {
    signs: "`go.mod`",
    find,
};

fn find(wish: &Wish<'_>, missed: &mut Missed) -> Result<Option<Recognised>> {
    let Some(module) =
        text(wish.dir, "go.mod").and_then(|text| found(r"(?m)^module\s+(\S+)", &text))
    else {
        return Ok(None);
    };
    let Some((package, others)) = main_package(wish, &module) else {
        missed.holds_none("`go.mod` is there, and no `func main` here or below `cmd`".to_owned());
        return Ok(None);
    };
    let source = SourceFiles::read(wish.dir, |name| {
        name.strip_suffix(".go")
            .is_some_and(|stem| !stem.ends_with("_test"))
    });
    let told = told(wish, &source)?;
    let binary = place_for(wish, "program").display().to_string();
    let [before, after] = &told.around;
    let mut found = program(wish, &format!("{before}'{binary}'{after}"), &["go"]);
    found.because.push(format!(
        "`go.mod` names the module `{module}`; `{package}` is its program{others}"
    ));
    takes_a_port(&mut found, told.clue);
    found.app.setup = vec![argv(&["go", "build", "-o", &binary, &package])];
    Ok(Some(found))
}

/// How a program is told where to listen.
#[derive(Default)]
struct Told {
    /// What stands before the program in its command line, and behind it.
    around: [String; 2],
    clue: String,
}

fn told(wish: &Wish<'_>, source: &SourceFiles) -> Result<Told> {
    let alone = |clue| Told {
        clue,
        ..Told::default()
    };
    let by_port = |file: String| alone(format!("it takes its port from PORT (`{file}`)"));
    if let Some((file, _)) = source.find(r#""PORT"|`env:"PORT"#) {
        return Ok(by_port(file));
    }
    if let Some((file, said)) = source.find(VARIABLES) {
        let name = &said[1];
        let host = if name.ends_with("PORT") { "" } else { "$HOST:" };
        return Ok(Told {
            around: [format!("{name}={host}$PORT "), String::new()],
            clue: format!("it takes its address from {name} (`{file}`)"),
        });
    }
    if let Some(told) = FLAGS.split(' ').find_map(|name| flag(source, name)) {
        return Ok(told);
    }
    if let Some((file, said)) = source.find(FIXED) {
        let lacking = format!(
            "it listens at `{}`, which stands in `{file}`, and weir gives each start a port of its own",
            &said[1]
        );
        let hint =
            "let it read PORT, or say how it is told: `weir try --command 'CMD'` with $PORT in it";
        return Err(unprepared(wish, &lacking, hint));
    }
    // gin reads PORT where it is given nothing
    Ok(match source.find(r"\.Run\(\s*\)") {
        Some((file, _)) if source.find("gin-gonic/gin").is_some() => by_port(file),
        _ => alone(
            "nothing in its source says how it is told its address: weir sets PORT and HOST; else give \
             `--command` with $PORT in it"
                .to_owned(),
        ),
    })
}

/// A flag of this name, by `flag`, `pflag` or what is written like them.
fn flag(source: &SourceFiles, name: &str) -> Option<Told> {
    let pattern = format!(
        r#"\.(String|U?[Ii]nt\d*)(?:Var)?P?\(\s*(?:&?[\w.]+,\s*)?"{name}"\s*,\s*(?:"\w?"\s*,\s*)?([^,\n)]*)"#
    );
    let (file, said) = source.find(&pattern)?;
    let (kind, default) = (&said[1], said[2].trim_matches('"'));
    let number = !default.is_empty() && default.chars().all(|c| c.is_ascii_digit());
    let called_port = name == "p" || name.ends_with("port");
    let port = kind != "String" || number || (called_port && !default.contains(':'));
    let host = if port { "" } else { "$HOST:" };
    let dashes = if name.len() == 1 { "-" } else { "--" };
    Some(Told {
        around: [String::new(), format!(" {dashes}{name}={host}$PORT")],
        clue: format!("it takes its address by the flag `-{name}` (`{file}`)"),
    })
}

/// The package with `func main`, and words about others: the folder itself, or of the folders of `cmd`
/// the one that has the module's name, or the first.
fn main_package(wish: &Wish<'_>, module: &str) -> Option<(String, String)> {
    if is_main(wish.dir) {
        return Some((".".to_owned(), String::new()));
    }
    let commands = std::fs::read_dir(wish.dir.join("cmd")).ok()?;
    let mut commands: Vec<_> = commands
        .filter_map(|item| Some(item.ok()?.path()))
        .filter(|folder| is_main(folder))
        .filter_map(|folder| Some(folder.file_name()?.to_str()?.to_owned()))
        .collect();
    commands.sort();
    let called = |name: &String| module.split('/').any(|part| part == name);
    let named = commands.iter().position(called).unwrap_or(0);
    let name = (!commands.is_empty()).then(|| commands.remove(named))?;
    let others = match commands.join("`, `./cmd/") {
        others if others.is_empty() => others,
        others => format!(", not `./cmd/{others}`"),
    };
    Some((format!("./cmd/{name}"), others))
}

fn is_main(folder: &Path) -> bool {
    let Ok(listing) = std::fs::read_dir(folder) else {
        return false;
    };
    let files = listing.filter_map(|item| Some(item.ok()?.path()));
    let mut sources = files.filter(|file| file.extension().is_some_and(|end| end == "go"));
    sources.any(|file| {
        input::text(&file)
            .is_ok_and(|text| text.contains("package main") && text.contains("func main("))
    })
}
