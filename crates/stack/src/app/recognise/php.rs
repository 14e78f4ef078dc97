//! PHP: a folder with an `index.php`, and whether that answers the paths that name no other script; an app of a framework as
//! it is deployed.

use std::path::Path;

use record::Interface;

use super::missed::Missed;
use super::{Kind, Recognised, Wish, bare, found, text, unprepared};
use crate::app::web_root::web_root;
use crate::error::Result;

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

/// A script that loads Composer's packages without a look whether they are there.
const LOADS: &str = r"(?m)^(?:<\?php\s+)?(?:\$\w+\s*=\s*|return\s+)?(require)(?:_once)?\b[^;]*\bvendor/autoload\.php";

/// A rule of `.htaccess` that leads paths to the index.
const RULE: &str =
    r"(?mi)^\s*(RewriteRule\s+\S+|FallbackResource|ErrorDocument\s+404)\s+\S*\bindex\.php\b";

/// What an index that answers paths reads: the path, or the packages that read it.
const READS: &str = r"\b(REQUEST_URI|PATH_INFO|REDIRECT_URL|autoload\.php)\b";

/// What brings Composer's packages.
const INSTALL: &str = "run `composer install` in that folder; `apt-get install -y composer` installs Composer on Debian, as root or with `sudo`";

/// Where its files are.
const AMONG: &str = "what browsers load (styles, pictures and the like) lies among its scripts: front ends that can tell it from these serve it from disk";

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
    // a folder that is served by custom, below the project's own
    let laid_out = composer.is_object() && root != ".";
    let answers = laid_out || !names.is_empty() || is_front_controller(wish, root, &script);
    found.app.front_controller = Some(answers);
    found.because.push(if answers {
        format!("`{script}` is there, and answers every path that names no other script")
    } else {
        format!(
            "`{script}` is there, and nothing says that it answers other paths: what is no file has status 404, unless \
             an `app.toml` says `front-controller = true`"
        )
    });
    for (name, value) in deployed {
        let told = format!("it is told {name}={value}, as it is deployed");
        found.because.push(told);
        let env = &mut found.app.env;
        env.insert((*name).to_owned(), (*value).to_owned());
    }
    found.app.site = web_root(&found.app);
    if found.app.site.is_some() {
        found.because.push(AMONG.to_owned());
    }
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

/// Whether the index answers the paths that name no other script, as its web root's `.htaccess` and its own source say.
fn is_front_controller(wish: &Wish<'_>, root: &str, script: &str) -> bool {
    let says = |pattern: &str, folder: &Path, file: &str| {
        let text = text(folder, file);
        text.is_some_and(|text| found(pattern, &text).is_some())
    };
    says(RULE, &wish.dir.join(root), ".htaccess") || says(READS, wish.dir, script)
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
