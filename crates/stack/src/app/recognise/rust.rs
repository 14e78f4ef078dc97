//! Rust programs: a package with a `main.rs`, and how its source says that it is told its address.

use std::path::{Path, PathBuf};

use toml::Table;

use super::missed::Missed;
use super::source::{SourceFiles, takes_a_port};
use super::{Kind, Recognised, Wish, place_for, program, text, unprepared};
use crate::error::Result;

pub(super) const KIND: Kind = Kind {
    signs: "`Cargo.toml`",
    find,
};

/// Libraries that make a program one that serves.
const FRAMEWORKS: [&str; 13] = [
    "axum",
    "actix-web",
    "rocket",
    "warp",
    "poem",
    "salvo",
    "tide",
    "ntex",
    "rouille",
    "tiny_http",
    "hyper",
    "viz",
    "gotham",
];
/// Variables that say where a program listens, besides PORT, by `env::var` or as clap's.
const VARIABLES: &str = r#"(?:var(?:_os)?\(|\benv\s*=)\s*"((?:HTTP|SERVER|APP|WEB|API|LISTEN|BIND|SERVICE)_(?:ADDR|ADDRESS|PORT)|ADDR|ADDRESS|LISTEN|BIND)""#;
/// A field that clap fills from a flag, and its type.
const FIELD: &str = r#"#\[(?:arg|clap|structopt|argh)\([^\]]*?\b(?:long|option)\b(?:\s*=\s*"([\w-]+)")?[^\]]*\]\s*(?:pub(?:\([^)]*\))?\s+)?((?:http_|listen_|bind_|server_)?(?:port|addr|address)|listen|bind)\s*:\s*([\w:]+)"#;
/// A flag that is declared by its name.
const FLAG: &str =
    r#"\.long\(\s*"((?:http-|listen-|bind-|server-)?(?:port|addr|address)|listen|bind)""#;
/// Addresses that stand in the source for good.
const FIXED: &str = r#"(?:bind|run|serve|SocketAddr::from|Server::http)\(\s*&?\(?\s*((?:"[^"\s]*:\d+")|(?:\[[\d, ]+\]|"[\d.]+"),\s*\d+)"#;

/// A package of the folder that makes a program.
struct Package {
    name: String,
    /// In the folder; `.` for the folder itself.
    place: String,
    binary: String,
    framework: Option<&'static str>,
}

fn find(wish: &Wish<'_>, missed: &mut Missed) -> Result<Option<Recognised>> {
    let Some(manifest) = text(wish.dir, "Cargo.toml") else {
        return Ok(None);
    };
    let Some(package) = choose(wish.dir, &manifest) else {
        missed.holds_none("`Cargo.toml` is there, and no package with a `main.rs`".to_owned());
        return Ok(None);
    };
    let locked = wish
        .dir
        .ancestors()
        .any(|dir| dir.join("Cargo.lock").is_file());
    if !locked {
        return Err(unprepared(
            wish,
            "a `Cargo.lock` beside its `Cargo.toml`, without which cargo would write one",
            "run `cargo generate-lockfile` in it",
        ));
    }
    let source = SourceFiles::read(&wish.dir.join(&package.place), |name| {
        name.strip_suffix(".rs").is_some()
    });
    let ([before, after], clue) = told(wish, &source, package.framework)?;
    let target = place_for(wish, "target");
    let binary = target.join("release").join(&package.binary);
    let command = format!("{before}'{}'{after}", binary.display());
    let mut found = program(wish, &command, &[]);
    found.framework = Some((package.framework.unwrap_or("rust").to_owned(), None));
    found.because.push(format!(
        "`Cargo.toml` names the package `{}`; its program is `{}`",
        package.name, package.binary
    ));
    takes_a_port(&mut found, clue);
    let build = ["cargo", "build", "--release", "--locked", "--target-dir"];
    let target = target.display().to_string();
    let what = [
        &target,
        "--package",
        &package.name,
        "--bin",
        &package.binary,
    ];
    let words = build.into_iter().chain(what);
    found.app.setup = vec![words.map(str::to_owned).collect()];
    Ok(Some(found))
}

/// The package of the folder, or of its workspace the first that serves, or the first with a program.
fn choose(dir: &Path, manifest: &str) -> Option<Package> {
    let table: Table = toml::from_str(manifest).ok()?;
    let members = table.get("workspace").and_then(|it| it.get("members"));
    let members = members.and_then(|it| it.as_array()).into_iter().flatten();
    let members = members.filter_map(|it| it.as_str());
    let members = members.flat_map(|member| expanded(dir, member));
    let places = std::iter::once(".".to_owned()).chain(members);
    let packages = places.filter_map(|place| {
        let manifest = text(&dir.join(&place), "Cargo.toml")?;
        of(dir, place, &toml::from_str(&manifest).ok()?)
    });
    let mut packages: Vec<_> = packages.collect();
    packages.sort_by_key(|package| package.framework.is_none());
    (!packages.is_empty()).then(|| packages.remove(0))
}

/// The folders of a workspace's member, which may end in `*`.
fn expanded(dir: &Path, member: &str) -> Vec<String> {
    let Some(parent) = member.strip_suffix("/*") else {
        return vec![member.to_owned()];
    };
    let listing = std::fs::read_dir(dir.join(parent)).into_iter().flatten();
    let names = listing.filter_map(|item| item.ok()?.file_name().into_string().ok());
    let mut places: Vec<_> = names.map(|name| format!("{parent}/{name}")).collect();
    places.sort();
    places
}

fn of(dir: &Path, place: String, table: &Table) -> Option<Package> {
    let about = table.get("package")?;
    let name = about.get("name")?.as_str()?.to_owned();
    let bins = table.get("bin").and_then(|it| it.as_array());
    let first = bins.and_then(|bins| bins.first()?.get("name")?.as_str());
    let default = about.get("default-run").and_then(|it| it.as_str());
    let main: PathBuf = dir.join(&place).join("src/main.rs");
    let binary = default.or(first).map(str::to_owned);
    let binary = binary.or_else(|| main.is_file().then(|| name.clone()))?;
    let needs = table.get("dependencies").and_then(|it| it.as_table());
    let needed = |name: &&str| needs.is_some_and(|needs| needs.contains_key(*name));
    let framework = FRAMEWORKS.into_iter().find(needed);
    // a name that a shell reads otherwise is none that cargo allows
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    binary.chars().all(plain).then_some(Package {
        name,
        place,
        binary,
        framework,
    })
}

/// What stands around the program in its command line, and what said so.
fn told(
    wish: &Wish<'_>,
    source: &SourceFiles,
    framework: Option<&str>,
) -> Result<([String; 2], String)> {
    let before = |words: String, clue| Ok(([words, String::new()], clue));
    if let Some((file, _)) = source.find(r#""PORT""#) {
        return before(
            String::new(),
            format!("it takes its port from PORT (`{file}`)"),
        );
    }
    if let Some((file, said)) = source.find(VARIABLES) {
        let name = &said[1];
        let host = if name.ends_with("PORT") { "" } else { "$HOST:" };
        let clue = format!("it takes its address from {name} (`{file}`)");
        return before(format!("{name}={host}$PORT "), clue);
    }
    if framework == Some("rocket") {
        let words = "ROCKET_ADDRESS=$HOST ROCKET_PORT=$PORT ".to_owned();
        return before(words, "Rocket takes its port from ROCKET_PORT".to_owned());
    }
    let field = source.find(FIELD).map(|(file, said)| {
        let name = said
            .get(1)
            .map_or_else(|| said[2].replace('_', "-"), |it| it.as_str().to_owned());
        (file, name, said[3].starts_with('u'))
    });
    let flag = || {
        source
            .find(FLAG)
            .map(|(file, said)| (file, said[1].to_owned(), false))
    };
    if let Some((file, name, number)) = field.or_else(flag) {
        let host = if number || name.ends_with("port") {
            ""
        } else {
            "$HOST:"
        };
        let clue = format!("it takes its address by the flag `--{name}` (`{file}`)");
        return Ok(([String::new(), format!(" --{name}={host}$PORT")], clue));
    }
    if let Some((file, said)) = source.find(FIXED) {
        let lacking = format!(
            "it listens at `{}`, which stands in `{file}`, and weir gives each start a port of its own",
            said[1].trim_matches('"')
        );
        let hint =
            "let it read PORT, or say how it is told: `weir try --command 'CMD'` with $PORT in it";
        return Err(unprepared(wish, &lacking, hint));
    }
    before(
        String::new(),
        "nothing in its source says how it is told its address: weir sets PORT and HOST; else give \
         `--command` with $PORT in it"
            .to_owned(),
    )
}
