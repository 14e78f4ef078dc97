//! Go programs: a module with a `main` package, and how its source says that it is told its address.

use std::path::Path;

use super::fixed::{self, Fixed};
use super::missed::Missed;
use super::source::{SourceFiles, takes_a_port};
use super::{Kind, Recognised, Wish, argv, found, place_for, program, text, unprepared};
use crate::error::Result;

/// Flags that say where a program listens, the likeliest first.
const FLAGS: &str = "addr address listen listen-addr listen-address http http-addr http-address bind bind-addr \
    bind-address port http-port listen-port server-port p";
/// Those for a port alone, and for a host alone where the default has no port.
const PORTS: &str = "port http-port listen-port server-port";
const HOSTS: &str =
    "host addr address listen-addr listen-address bind bind-addr bind-address listen http-addr";
/// Variables that do, besides PORT: by themselves, or of a field that is filled from one.
const VARIABLES: &str = r#"(?:(?:Getenv|LookupEnv)\(\s*|\b(?:env|envconfig):)"((?:HTTP|SERVER|APP|WEB|API|LISTEN|BIND|SERVICE)_(?:ADDR|ADDRESS|PORT)|ADDR|ADDRESS|LISTEN|BIND)[",]"#;

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
    let told = told(wish, &source, &package)?;
    let binary = place_for(wish, "program").display().to_string();
    let [before, after] = &told.around;
    let mut found = program(wish, &format!("{before}'{binary}'{after}"), &["go"]);
    found.because.push(format!(
        "`go.mod` names the module `{module}`; `{package}` is its program{others}"
    ));
    takes_a_port(&mut found, told.clue);
    found.because.extend(told.note);
    found.app.setup = vec![argv(&["go", "build", "-o", &binary, &package])];
    Ok(Some(found))
}

/// How a program is told where to listen.
#[derive(Default)]
struct Told {
    /// What stands before the program in its command line, and behind it.
    around: [String; 2],
    clue: String,
    note: Option<String>,
}

fn told(wish: &Wish<'_>, source: &SourceFiles, package: &str) -> Result<Told> {
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
            note: None,
        });
    }
    if let Some(told) = flags(source) {
        return Ok(told);
    }
    let fixed = fixed::address(source, package);
    if let Some(Fixed { file, address, .. }) = fixed.as_ref().filter(|it| it.serves) {
        let lacking = format!(
            "it listens at `{address}`, which stands in `{file}`, and weir gives each start a port of its own"
        );
        let hint =
            "let it read PORT, or say how it is told: `weir try --command 'CMD'` with $PORT in it";
        return Err(unprepared(wish, &lacking, hint));
    }
    let note = fixed.map(|Fixed { file, address, .. }| {
        format!("`{address}` stands in `{file}`: where it listens there, it has to be told another address")
    });
    // gin reads PORT where it is given nothing
    let told = match source.find(r"\.Run\(\s*\)") {
        Some((file, _)) if source.find("gin-gonic/gin").is_some() => by_port(file),
        _ => alone(
            "nothing in its source says how it is told its address: weir sets PORT and HOST; else give \
             `--command` with $PORT in it"
                .to_owned(),
        ),
    };
    Ok(Told { note, ..told })
}

/// A flag for its address, or one for its host and one for its port.
fn flags(source: &SourceFiles) -> Option<Told> {
    let first = |names: &str, wanted: fn(&Flag) -> bool| {
        let mut flags = names.split(' ').filter_map(|name| flag(source, name));
        flags.find(wanted)
    };
    let host = first(HOSTS, Flag::is_host);
    if let (Some(host), Some(port)) = (host, first(PORTS, Flag::is_port)) {
        let (host, port, file) = (host.name, port.name, port.file);
        return Some(Told {
            around: [String::new(), format!(" --{host}=$HOST --{port}=$PORT")],
            clue: format!("it takes its address by the flags `-{host}` and `-{port}` (`{file}`)"),
            note: None,
        });
    }
    let flag = first(FLAGS, |_| true)?;
    let (name, file) = (&flag.name, &flag.file);
    let host = if flag.is_port() { "" } else { "$HOST:" };
    let dashes = if name.len() == 1 { "-" } else { "--" };
    Some(Told {
        around: [String::new(), format!(" {dashes}{name}={host}$PORT")],
        clue: format!("it takes its address by the flag `-{name}` (`{file}`)"),
        note: None,
    })
}

/// A flag of a program, and where it is declared.
struct Flag {
    name: String,
    file: String,
    /// Its value is a text, and no number.
    text: bool,
    default: String,
}

impl Flag {
    fn is_port(&self) -> bool {
        let default = &self.default;
        let number = !default.is_empty() && default.chars().all(|c| c.is_ascii_digit());
        let called_port = self.name == "p" || self.name.ends_with("port");
        !self.text || number || (called_port && !default.contains(':'))
    }

    fn is_host(&self) -> bool {
        !self.is_port() && !self.default.contains(':')
    }
}

/// A flag of this name, by `flag`, `pflag` or what is written like them.
fn flag(source: &SourceFiles, name: &str) -> Option<Flag> {
    let pattern = format!(
        r#"\.(String|U?[Ii]nt\d*)(?:Var)?P?\(\s*(?:&?[\w.]+,\s*)?"{name}"\s*,\s*(?:"\w?"\s*,\s*)?([^,\n)]*)"#
    );
    let (file, said) = source.find(&pattern)?;
    Some(Flag {
        name: name.to_owned(),
        file,
        text: &said[1] == "String",
        default: said[2].trim_matches('"').to_owned(),
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
