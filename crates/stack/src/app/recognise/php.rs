//! PHP: a folder with an `index.php`, which answers every path; an app of a framework as it is deployed.

use record::Interface;

use super::missed::Missed;
use super::{Kind, Recognised, Wish, bare, text, unprepared};
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

/// What its user may want instead.
const INSTEAD: &str = "a script beside it is served by `weir try NAME.php --as php --path /NAME.php`, and another server of PHP is tried by `--command`, as in `weir try --command 'frankenphp php-server --listen $HOST:$PORT'`";

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
    let required = &composer["require"];
    let packages = required.as_object();
    // PHP itself and its extensions have no vendor
    let packages = packages.is_some_and(|names| names.keys().any(|name| name.contains('/')));
    if packages && !wish.dir.join("vendor/autoload.php").is_file() {
        return Err(unprepared(
            wish,
            "`vendor` is missing, and `composer.json` names packages",
            "run `composer install` in it",
        ));
    }
    let script = match root {
        "." => "index.php".to_owned(),
        root => format!("{root}/index.php"),
    };
    let (names, deployed) = framework(wish, required);
    let mut found = bare(wish, Interface::Php, &script, &names);
    let clue = format!("`{script}` is there, and answers every path");
    found.because.push(clue);
    for (name, value) in deployed {
        let told = format!("it is told {name}={value}, as it is deployed");
        found.because.push(told);
        let env = &mut found.app.env;
        env.insert((*name).to_owned(), (*value).to_owned());
    }
    found.because.extend(forgotten(wish, &names));
    found.because.push(INSTEAD.to_owned());
    Ok(Some(found))
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
