//! PHP: a folder with an `index.php`, served by PHP itself.

use super::missed::Missed;
use super::source::takes_a_port;
use super::{Kind, Recognised, Wish, program, text, unprepared};
use crate::error::Result;

pub(super) const KIND: Kind = Kind {
    signs: "`index.php` (here or in `public`)",
    find,
};

/// Folders that are served, by custom: Laravel's and Symfony's, Yii's and Drupal's, `CakePHP`'s, the project itself.
const ROOTS: [&str; 5] = ["public", "web", "webroot", "htdocs", "."];
const FRAMEWORKS: [(&str, &str); 4] = [
    ("laravel/framework", "laravel"),
    ("symfony/framework-bundle", "symfony"),
    ("slim/slim", "slim"),
    ("cakephp/cakephp", "cakephp"),
];

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
    let packages = composer["require"].as_object();
    // PHP itself and its extensions have no vendor
    let packages = packages.is_some_and(|names| names.keys().any(|name| name.contains('/')));
    if packages && !wish.dir.join("vendor/autoload.php").is_file() {
        return Err(unprepared(
            wish,
            "`vendor` is missing, and `composer.json` names packages",
            "run `composer install` in it",
        ));
    }
    let mut found = program(wish, &format!("php -S $HOST:$PORT -t {root}"), &[]);
    let framework = FRAMEWORKS
        .iter()
        .find(|(package, _)| composer["require"][*package].is_string());
    found.framework = Some((framework.map_or("php", |(_, name)| name).to_owned(), None));
    let file = if root == "." {
        "index.php".to_owned()
    } else {
        format!("{root}/index.php")
    };
    takes_a_port(
        &mut found,
        format!("`{file}` is there: served by PHP's development server"),
    );
    found.because.push("it handles one request at a time unless PHP_CLI_SERVER_WORKERS is set; another server of PHP is tried by `--command`, as in `weir try --command 'frankenphp php-server --listen $HOST:$PORT'`".to_owned());
    Ok(Some(found))
}
