//! PHP: a folder with an `index.php`, which answers every path that names no other script; an app of a framework as it is
//! deployed.

use std::ffi::OsStr;
use std::path::Path;

use record::{Interface, StaticSite};

use super::missed::Missed;
use super::{Kind, Recognised, Wish, bare, found, text, unprepared};
use crate::error::Result;
use crate::path;

pub(super) const KIND: Kind = Kind {
    signs: "`index.php` (here or in `public`)",
    find,
};

/// Folders that are served, by custom: Laravel's and Symfony's, Yii's and Drupal's, `CakePHP`'s, the project itself.
const ROOTS: [&str; 5] = ["public", "web", "webroot", "htdocs", "."];

/// Names and values of variables.
type Environment = &'static [(&'static str, &'static str)];

/// What tells an app of a framework that it is deployed.
const LARAVEL: Environment = &[
    ("APP_ENV", "production"),
    ("APP_DEBUG", "false"),
    ("LOG_CHANNEL", "stderr"),
];
const SYMFONY: Environment = &[("APP_ENV", "prod"), ("APP_DEBUG", "0")];
const CODEIGNITER: Environment = &[("CI_ENVIRONMENT", "production")];
const CAKEPHP: Environment = &[("DEBUG", "false")];
const NOTHING: Environment = &[];

/// Frameworks: a package, the name of the framework that it is, and what tells its app that it is deployed.
const FRAMEWORKS: [(&str, &str, Environment); 8] = [
    ("laravel/framework", "laravel", LARAVEL),
    ("symfony/framework-bundle", "symfony", SYMFONY),
    ("symfony/symfony", "symfony", SYMFONY),
    ("slim/slim", "slim", NOTHING),
    ("codeigniter4/framework", "codeigniter", CODEIGNITER),
    ("cakephp/cakephp", "cakephp", CAKEPHP),
    ("yiisoft/yii2", "yii", NOTHING),
    ("drupal/core-recommended", "drupal", NOTHING),
];
/// Files of `WordPress`, which is no package.
const WORDPRESS: [&str; 2] = ["wp-config.php", "wp-load.php"];

/// Folders of a web root that hold what browsers load, by custom.
const FILES: [&str; 10] = [
    "assets", "static", "build", "dist", "css", "js", "images", "img", "media", "fonts",
];
/// Ends of names of such files.
const LOADED: [&str; 6] = ["css", "png", "jpg", "svg", "webp", "gif"];

/// A script that loads Composer's packages without a look whether they are there.
const LOADS: &str = r"(?m)^(?:<\?php\s+)?(?:\$\w+\s*=\s*|return\s+)?(require)(?:_once)?\b[^;]*\bvendor/autoload\.php";

/// What brings Composer's packages.
const INSTALL: &str = "run `composer install` in that folder; `apt-get install -y composer` installs Composer on Debian, as root or with `sudo`";

/// What its user may want instead.
const INSTEAD: &str = "another script is loaded by `weir try --path /NAME.php`, and another server of PHP is tried by `--command`, as in `weir try --command 'frankenphp php-server --listen $HOST:$PORT'`";

fn find(wish: &Wish<'_>, missed: &mut Missed) -> Result<Option<Recognised>> {
    let there = |root: &&str| wish.dir.join(root).join("index.php").is_file();
    let composer = text(wish.dir, "composer.json");
    let Some(root) = ROOTS.into_iter().find(there) else {
        if composer.is_some() {
            missed.holds_none("`composer.json` is there, and no `index.php`".to_owned());
        }
        return Ok(None);
    };
    let composer = composer.unwrap_or_default();
    let composer: serde_json::Value = serde_json::from_str(&composer).unwrap_or_default();
    let script = match root {
        "." => "index.php".to_owned(),
        root => format!("{root}/index.php"),
    };
    prepared(wish, &composer, &script)?;
    let (names, deployed) = framework(wish, &composer["require"]);
    let mut found = bare(wish, Interface::Php, &script, &names);
    let clue = format!("`{script}` is there, and answers every path that names no other script");
    found.because.push(clue);
    for (name, value) in deployed {
        let told = format!("it is told {name}={value}, as it is deployed");
        found.because.push(told);
        let env = &mut found.app.env;
        env.insert((*name).to_owned(), (*value).to_owned());
    }
    files(root, &mut found);
    found.because.extend(forgotten(wish, &names));
    found.because.push(INSTEAD.to_owned());
    Ok(Some(found))
}

/// Refuses an app whose packages are needed and are not there: `composer.json` names some or says how classes are loaded, or
/// the script loads them without a look whether they are there.
fn prepared(wish: &Wish<'_>, composer: &serde_json::Value, script: &str) -> Result<()> {
    let folder = &composer["config"]["vendor-dir"];
    let folder = folder.as_str().unwrap_or("vendor");
    if wish.dir.join(folder).join("autoload.php").is_file() {
        return Ok(());
    }
    let packages = composer["require"].as_object();
    // PHP itself and its extensions have no slash
    let packages = packages.is_some_and(|names| names.keys().any(|name| name.contains('/')));
    let classes = composer["autoload"].as_object();
    let classes = classes.is_some_and(|ways| !ways.is_empty());
    let loads = || {
        let source = text(wish.dir, script).unwrap_or_default();
        composer.is_object() && found(LOADS, &source).is_some()
    };
    let why = if packages {
        "`composer.json` names packages".to_owned()
    } else if classes {
        "`composer.json` has `autoload`".to_owned()
    } else if loads() {
        format!("`{script}` requires `vendor/autoload.php`")
    } else {
        return Ok(());
    };
    let lacking = format!("`{folder}` is missing, and {why}");
    Err(unprepared(wish, &lacking, INSTALL))
}

/// Finds the folder of the web root from which front ends serve files, and names one of what PHP itself hands out then. A
/// folder with scripts in it is none of a front end's: they would be handed out as they are written.
fn files(root: &str, found: &mut Recognised) {
    let folder = found.app.dir.join(root);
    let below = |name: &str| match root {
        "." => name.to_owned(),
        root => format!("{root}/{name}"),
    };
    let there = |name: &&str| path::holds(&folder.join(name), |_| true);
    let mixed = |name: &str| path::holds(&folder.join(name), path::is_script);
    let folders: Vec<&str> = FILES.into_iter().filter(there).collect();
    let first = folders.iter().copied().find(|name| !mixed(name));
    if let Some(name) = first
        && let Ok(dir) = folder.join(name).canonicalize()
    {
        let clue = format!("its files are in `{}`, served from disk", below(name));
        found.because.push(clue);
        found.app.site = Some(StaticSite {
            dir,
            url: format!("/{name}/"),
        });
    }
    let other = folders.into_iter().find(|name| Some(*name) != first);
    let Some(other) = other.map(str::to_owned).or_else(|| loose(&folder)) else {
        return;
    };
    let scripts = if mixed(&other) {
        ", where scripts lie, too"
    } else {
        ""
    };
    let name = first.unwrap_or("assets");
    found.because.push(format!(
        "PHP itself hands out `{}`{scripts}: one folder of files is served from disk, which `[site]` in an `app.toml` names (`dir = \"{}\"`, `url = \"/{name}/\"`)",
        below(&other),
        below(name)
    ));
}

/// A file of a folder, by its name, that browsers load.
fn loose(folder: &Path) -> Option<String> {
    let listing = std::fs::read_dir(folder).ok()?;
    let names = listing.filter_map(|item| item.ok()?.file_name().into_string().ok());
    let loaded = |name: &String| {
        let end = Path::new(name).extension().and_then(OsStr::to_str);
        end.is_some_and(|end| LOADED.contains(&end))
    };
    names.filter(loaded).min()
}

/// The framework, if there is one, and what tells its app that it is deployed.
fn framework(wish: &Wish<'_>, required: &serde_json::Value) -> (Vec<&'static str>, Environment) {
    let mut known = FRAMEWORKS.iter();
    let package = known.find(|(package, ..)| required[*package].is_string());
    let there = |file: &&str| wish.dir.join(file).is_file();
    match package {
        Some((_, name, deployed)) => (vec![*name], *deployed),
        None if WORDPRESS.iter().any(there) => (vec!["wordpress"], NOTHING),
        None => (Vec::new(), NOTHING),
    }
}

/// What will surprise whoever serves it here.
fn forgotten(wish: &Wish<'_>, names: &[&str]) -> Option<String> {
    let lacks = |file: &str| !wish.dir.join(file).exists();
    let keyless = || lacks(".env") && std::env::var_os("APP_KEY").is_none();
    let note = match names {
        ["laravel"] if keyless() => {
            "`.env` is not there: `cp .env.example .env && php artisan key:generate` makes it"
        }
        ["laravel"] if lacks("bootstrap/cache/config.php") => {
            "it reads its configuration for each request: `php artisan optimize` has it read once"
        }
        ["wordpress"] if lacks("wp-config.php") => {
            "`wp-config.php` is not there: WordPress answers with its installation"
        }
        _ => return None,
    };
    Some(note.to_owned())
}
