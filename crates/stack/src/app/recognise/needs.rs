//! Which variables of weir's environment an app reads, by its source: their names, never their values.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use record::App;
use regex::Regex;

use super::source::SourceFiles;

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
    all.extend(read(&app.dir, &set.collect::<Vec<_>>()));
    all.into_iter().take(MOST).collect()
}

/// Those of these names that stand on a line that speaks of an environment, as each language does that reads from it.
fn read(dir: &Path, names: &[String]) -> BTreeSet<String> {
    if names.is_empty() {
        return BTreeSet::new();
    }
    let any = format!(r"\b(?:{})\b", names.join("|"));
    let any = Regex::new(&any).expect("letters, digits and underscores");
    let source = SourceFiles::read(dir, |name| ENDS.iter().any(|end| name.ends_with(end)));
    let lines = source.texts().flat_map(str::lines);
    let lines = lines.filter(|line| line.to_ascii_lowercase().contains("env"));
    let found = lines.flat_map(|line| any.find_iter(line));
    found.map(|of| of.as_str().to_owned()).collect()
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
        let found = read(dir.path(), &names.map(str::to_owned));
        let found: Vec<_> = found.iter().map(String::as_str).collect();
        assert_eq!(found, ["PAYMENT_KEY", "RACK_KEY", "SHOP_URL"]);
    }
}
