//! PHP: files that lie among scripts come from disk, and nothing else of the web root does.

use record::{App, Knob, Route, StaticSite, Variant};
use stack::Workspace;

use crate::files::get;
use crate::php::{ABOUT, FRONT, TELLS, of, php, started};
use crate::support::{built_in, choice, composed, options, variant};

/// The front ends that tell files from scripts.
const FRONTS: [&str; 4] = ["nginx", "apache", "caddy", "lighttpd"];

const COLOUR: &str = "a { color: red }";

/// Paths, what answers them, and whether that comes from disk.
const PATHS: [(&str, &str, bool); 18] = [
    ("/style.css", COLOUR, true),
    ("/style.css?v=2", COLOUR, true),
    ("/css/a.css", COLOUR, true),
    ("/css/%61.css", COLOUR, true),
    ("/", FRONT, false),
    ("/about.php?a=b", ABOUT, false),
    ("/about.php/", "public about.php /about.php / public", false),
    (
        "/about.php/a.css",
        "public about.php /about.php /a.css public",
        false,
    ),
    ("/ABOUT.PHP", FRONT, false),
    ("/STYLE.CSS", FRONT, false),
    ("/admin/", "admin index.php /admin/index.php  admin", false),
    ("/css", FRONT, false),
    ("/none.css?v=2", FRONT, false),
    ("/style.css/a.css", FRONT, false),
    ("/composer.json", FRONT, false),
    ("/css/.a.css", FRONT, false),
    ("/.hidden/a.css", FRONT, false),
    ("/vendor/tool/a.css", FRONT, false),
];

/// Paths that lead to what is nobody's, by ways of their own.
const HOSTILE: [&str; 7] = [
    "/about.php%00.css",
    "/about.php%00",
    "/css/../../outside.css",
    "/css/..%2f..%2foutside.css",
    "/%2e%2e/outside.css",
    "/css/../.hidden/a.css",
    "//.hidden//a.css",
];

/// An app of these scripts and files, all of them in its web root but one.
fn mixed() -> (testkit::TempDir, App) {
    let (folder, app) = php(&[
        ("public/about.php", TELLS),
        ("public/admin/index.php", TELLS),
        ("public/style.css", COLOUR),
        ("public/css/a.css", COLOUR),
        ("public/css/.a.css", "secret"),
        ("public/.hidden/a.css", "secret"),
        ("public/vendor/tool/a.css", "secret"),
        ("public/composer.json", "secret"),
        ("outside.css", "secret"),
    ]);
    (folder, among(app))
}

/// The app with its web root as its site.
fn among(app: App) -> App {
    let site = StaticSite {
        dir: app.dir.join("public"),
        url: "/".into(),
    };
    App {
        site: Some(site),
        ..app
    }
}

#[test]
fn a_php_app_that_declares_no_site_has_what_browsers_load_of_its_web_root() {
    let folder = testkit::temp_dir();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    let app = "name = \"a\"\ninterface = \"php\"\nentry = \"public/index.php\"\n[[routes]]\npath = \"/\"\n";
    write("app.toml", app);
    write("public/index.php", "<?php");
    write("public/data.json", "{}");
    write("style.css", "a {}");
    let site = || stack::app::read(folder.path(), None).unwrap().site;
    assert_eq!(site(), None, "no file there is for browsers");
    write("public/css/a.css", "a {}");
    let all = site().unwrap();
    assert_eq!(all.url, "/");
    assert!(all.dir.ends_with("public"), "{}", all.dir.display());
    write(
        "app.toml",
        &format!("{app}[site]\ndir = \"public/css\"\nurl = \"/css/\"\n"),
    );
    assert_eq!(site().unwrap().url, "/css/", "the file's own word counts");
}

fn from_disk(answer: &str) -> bool {
    answer.to_lowercase().contains("\r\netag:")
}

#[test]
fn files_among_scripts_come_from_disk_and_nothing_else_does() {
    let (_folder, app) = mixed();
    for front in FRONTS {
        let running = started(Some(front), "php-fpm", &app);
        for (path, text, disk) in PATHS {
            let answer = get(running.address(), path);
            assert!(answer.contains(text), "{front}: {path}: {answer}");
            assert_eq!(from_disk(&answer), disk, "{front}: {path}: {answer}");
        }
        for path in HOSTILE {
            let answer = get(running.address(), path);
            let shown = answer.contains("secret") || answer.contains("<?php");
            assert!(!shown, "{front}: {path}: {answer}");
        }
        running.stop().unwrap();
    }
}

#[test]
fn files_come_through_php_where_no_front_end_can_tell_or_a_knob_says_so() {
    let (_folder, app) = mixed();
    for front in ["h2o", "haproxy"] {
        let running = started(Some(front), "php-fpm", &app);
        for (path, text, _) in PATHS {
            let answer = get(running.address(), path);
            assert!(answer.contains(text), "{front}: {path}: {answer}");
            assert!(!from_disk(&answer), "{front}: {path}: {answer}");
        }
        running.stop().unwrap();
    }
    let mut told = of(Some("nginx"), "php-fpm");
    told.fronts = vec![choice("nginx", &[("serve-static", Knob::Switch(false))])];
    for passed_on in [told, of(Some("lighttpd"), "php-dev")] {
        let running = stack::start(&composed(&passed_on, &app), &options()).unwrap();
        let answer = get(running.address(), "/style.css");
        assert!(answer.contains(COLOUR) && !from_disk(&answer), "{answer}");
        running.stop().unwrap();
    }
}

/// A front end without a server, which is asked for a path.
fn alone(front: &str, path: &str) -> Variant {
    Variant {
        route: path.into(),
        ..variant(None, Some(choice(front, &[])), "tcp")
    }
}

#[test]
fn a_front_end_alone_shows_no_script_and_nothing_hidden() {
    let (_folder, mut app) = mixed();
    app.routes.push(Route::get("/style.css"));
    for front in FRONTS {
        let composition = composed(&alone(front, "/style.css"), &app);
        let running = stack::start(&composition, &options())
            .unwrap_or_else(|error| panic!("{error}\n{:#?}", error.log_tail()));
        for (path, text, disk) in PATHS {
            let answer = get(running.address(), path);
            assert_eq!(answer.contains(text), disk, "{front}: {path}: {answer}");
        }
        for path in PATHS.map(|(path, ..)| path).iter().chain(&HOSTILE) {
            let answer = get(running.address(), path);
            let shown = answer.contains("secret") || answer.contains("<?php");
            assert!(!shown, "{front}: {path}: {answer}");
        }
        running.stop().unwrap();
    }
    for (front, path, words) in [
        ("h2o", "/style.css", "the source of its scripts"),
        ("nginx", "/", "only files that browsers load are there"),
    ] {
        let refused = built_in().compose(&alone(front, path), &app);
        let error = refused.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// The ends of the names of files that PHP itself hands out, with their types.
fn handed_out(app: &App) -> Vec<(String, String)> {
    let composition = composed(&of(None, "php-fpm"), app);
    let workspace = Workspace::preview(&composition).unwrap();
    let programs = stack::render(&composition, &workspace).unwrap();
    let mut files = programs[0].files.iter();
    let script = files.find(|file| file.path.ends_with("/paths.php"));
    let pairs = script.unwrap().content.split(',');
    let pairs = pairs.filter_map(|pair| {
        let (end, kind) = pair.split_once(" => ")?;
        Some((end.rsplit('\'').nth(1)?, kind.split('\'').nth(1)?))
    });
    pairs
        .map(|(end, kind)| (end.to_owned(), kind.to_owned()))
        .collect()
}

#[test]
fn what_php_hands_out_every_front_end_serves_by_the_same_type() {
    let (_folder, app) = php(&[("public/about.php", TELLS)]);
    let app = among(app);
    let types = handed_out(&app);
    assert!(types.len() > 20, "{types:?}");
    for (end, _) in &types {
        std::fs::write(app.dir.join(format!("public/a.{end}")), COLOUR).unwrap();
    }
    for front in FRONTS {
        let running = started(Some(front), "php-fpm", &app);
        for (end, kind) in &types {
            let answer = get(running.address(), &format!("/a.{end}"));
            assert!(from_disk(&answer), "{front}: {end}: {answer}");
            // the others take the system's types, which name some otherwise
            let own = ["nginx", "lighttpd"].contains(&front);
            let same = answer.contains(&format!("Content-Type: {kind}"));
            assert!(same || !own, "{front}: {end}: {answer}");
        }
        running.stop().unwrap();
    }
}
