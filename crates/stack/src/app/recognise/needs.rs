//! Which variables of weir's environment an app reads, by its source: their names, never their values.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use record::{App, Interface};
use regex::Regex;

use super::source::SourceFiles;
use super::text;

/// Names that are told.
const MOST: usize = 16;

/// Ends of the names of files that hold a program.
const ENDS: [&str; 13] = [
    ".py", ".js", ".cjs", ".mjs", ".ts", ".rb", ".ru", ".go", ".rs", ".php", ".java", ".kt", ".lua",
];

/// What every environment has, or a shell and a build make: no app needs it told.
static USUAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:PATH|HOME|USER|LOGNAME|SHELL|SHLVL|TERM|COLORTERM|LANG|LANGUAGE|PWD|OLDPWD|TMPDIR|TEMP|TMP|TZ|HOSTNAME|MAIL|EDITOR|PAGER|DISPLAY|COLUMNS|LINES|CI|HOST|PORT|SOCKET|VIRTUAL_ENV|NO_COLOR|(?:LC|XDG|SSH|PYTHON|CARGO|RUST|WEIR|NPM|NVM|PYENV|CONDA)_?.*)$").expect("written here")
});

/// A file of variables, which some apps and tools read by themselves.
const FILE: &str = ".env";

/// Files besides an app's source that say that it reads that file.
const MANIFESTS: [&str; 2] = ["Gemfile", "package.json"];

/// What reads that file.
static READS_FILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"dotenv|decouple|environs|read_env|env-file|['"/]\.env\b"#).expect("written here")
});

/// The names of variables that are set in weir's environment and that the source of an app reads, besides those that
/// its own environment sets. Who deploys it must set them.
pub fn needs(app: &App) -> Vec<String> {
    let plain = |name: &String| {
        let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let begins = name.starts_with(|c: char| c.is_ascii_uppercase());
        begins && name.len() > 2 && name.chars().all(fits)
    };
    let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let set = set
        .filter(plain)
        .filter(|name| !USUAL.is_match(name) && !app.env.contains_key(name));
    let mut all: BTreeSet<String> = app.needs.iter().cloned().collect();
    all.extend(read(&source(&app.dir), &set.collect::<Vec<_>>()));
    all.into_iter().take(MOST).collect()
}

/// The names of those variables that an app needs for which its source has a default wherever it reads them, as
/// `os.environ.get("URL", "sqlite")` does and `process.env.URL || "sqlite"`.
pub fn defaulted(app: &App) -> Vec<String> {
    if app.needs.is_empty() {
        return Vec::new();
    }
    let source = source(&app.dir);
    let lines: Vec<&str> = about_environment(&source).collect();
    let count = |pattern: &str| -> usize {
        // a name that is too long for a pattern is nowhere
        let Ok(pattern) = Regex::new(pattern) else {
            return 0;
        };
        lines
            .iter()
            .map(|line| pattern.find_iter(line).count())
            .sum()
    };
    let has_default = |name: &&String| {
        let name = regex::escape(name);
        let reads = count(&format!(r"\b{name}\b"));
        // `None` is none
        let defaults = count(&format!(
            r#"\w\(\s*['"]{name}['"]\s*,\s*[^N\s]|\b{name}\b['"]?[\])]?\s*(?:\|\||\?\?|\?:|\bor\b)"#
        ));
        reads > 0 && reads == defaults
    };
    app.needs.iter().filter(has_default).cloned().collect()
}

/// What to say where an app reads variables that the `.env` in its folder has and its environment has not, and nothing
/// there reads that file.
pub(super) fn left_in_file(app: &App) -> Option<String> {
    let file = text(&app.dir, FILE)?;
    if app.interface == Interface::Php {
        return None; // its frameworks do
    }
    let unset = |name: &String| {
        let given = std::env::var_os(name).is_some() || app.env.contains_key(name);
        !given && !USUAL.is_match(name)
    };
    let names: Vec<String> = file.lines().filter_map(variable).filter(unset).collect();
    let source = source(&app.dir);
    let found = read(&source, &names);
    let mut manifests = MANIFESTS.iter().filter_map(|file| text(&app.dir, file));
    let reads_it = source.texts().any(|text| READS_FILE.is_match(text))
        || READS_FILE.is_match(&app.entry)
        || manifests.any(|text| READS_FILE.is_match(&text));
    if found.is_empty() || reads_it {
        return None;
    }
    let names: Vec<String> = found.into_iter().take(MOST).collect();
    Some(format!(
        "`{FILE}` has {}, which the app reads and your environment has not; weir reads no such file: `set -a; . ./{FILE}; set +a`",
        names.join(", ")
    ))
}

/// The variable that a line of such a file sets.
fn variable(line: &str) -> Option<String> {
    let line = line.trim_start();
    let (name, _) = line
        .strip_prefix("export ")
        .unwrap_or(line)
        .split_once('=')?;
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (begins && name.chars().all(fits)).then(|| name.to_owned())
}

/// The files of a folder that hold a program.
fn source(dir: &Path) -> SourceFiles {
    SourceFiles::read(dir, |name| ENDS.iter().any(|end| name.ends_with(end)))
}

/// Those of these names that stand on a line that speaks of an environment, as each language does that reads from it.
fn read(source: &SourceFiles, names: &[String]) -> BTreeSet<String> {
    if names.is_empty() {
        return BTreeSet::new();
    }
    let any = format!(r"\b(?:{})\b", names.join("|"));
    let any = Regex::new(&any).expect("letters, digits and underscores");
    let found = about_environment(source).flat_map(|line| any.find_iter(line));
    found.map(|of| of.as_str().to_owned()).collect()
}

/// The lines that speak of an environment.
fn about_environment(source: &SourceFiles) -> impl Iterator<Item = &str> {
    let lines = source.texts().flat_map(str::lines);
    lines.filter(|line| line.to_ascii_lowercase().contains("env"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_source_reads_from_its_environment_is_named() {
        let dir = testkit::temp_dir();
        let write = |file: &str, text: &str| {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("app.py", "KEY = os.environ[\"PAYMENT_KEY\"]\n# MENTIONED\n");
        write("web/a.js", "const url = process.env.SHOP_URL\n");
        write("config.ru", "ENV.fetch('RACK_KEY')\n");
        write("venv/site.py", "os.environ['OF_OTHERS']\n");
        let names = [
            "PAYMENT_KEY",
            "PAYMENT",
            "SHOP_URL",
            "RACK_KEY",
            "OF_OTHERS",
            "MENTIONED",
        ];
        let found = read(&source(dir.path()), &names.map(str::to_owned));
        let found: Vec<_> = found.iter().map(String::as_str).collect();
        assert_eq!(found, ["PAYMENT_KEY", "RACK_KEY", "SHOP_URL"]);
    }

    #[test]
    fn what_has_a_default_wherever_it_is_read_is_told_apart() {
        let dir = testkit::temp_dir();
        let source = "a = os.environ.get(\"URL\", \"sqlite\")\nb = os.getenv('WORD') or 'none'\n\
                      c = environ['KEY']\nd = os.environ.get('KEY', '')\ne = os.environ.get('NAME', None)\n\
                      f = [os.environ[of] for of in ('ONE', 'TWO')]\n";
        std::fs::write(dir.path().join("app.py"), source).unwrap();
        let script = "const port = process.env.NUMBER || 80\nconst dir = process.env.PLACE\n";
        std::fs::write(dir.path().join("app.js"), script).unwrap();
        let names = [
            "URL", "WORD", "KEY", "NAME", "ONE", "NUMBER", "PLACE", "LOST",
        ];
        let app = App {
            dir: dir.path().to_owned(),
            needs: names.map(str::to_owned).to_vec(),
            ..App::default()
        };
        assert_eq!(defaulted(&app), ["URL", "WORD", "NUMBER"]);
    }
}
