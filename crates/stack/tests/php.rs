//! PHP: scripts run by their own names, everything else is for the app's one, and files are no scripts.

use record::{App, Interface, Knob, Route, StaticSite, Variant};
use stack::{Running, StackError, Workspace};

use crate::files::get;
use crate::support::{choice, composed, options, variant};

pub(crate) const TELLS: &str = "<?php\necho basename(__DIR__), ' ', basename(__FILE__), ' ', $_SERVER['SCRIPT_NAME'], ' ', \
                     $_SERVER['PATH_INFO'] ?? '', ' ', basename(getcwd()), \"\\n\";\n";
pub(crate) const FRONT: &str = "public index.php /index.php  public";
pub(crate) const ABOUT: &str = "public about.php /about.php  public";

/// Paths, and what answers them.
const PATHS: [(&str, &str); 14] = [
    ("/", FRONT),
    ("/no/such/page", FRONT),
    ("/none.php", FRONT),
    ("/index.php", FRONT),
    ("/about.php?a=b", ABOUT),
    (
        "/about.php/more/of.it",
        "public about.php /about.php /more/of.it public",
    ),
    ("/admin/", "admin index.php /admin/index.php  admin"),
    ("/admin/none", FRONT),
    ("/photo.jpg/x.php", FRONT),
    ("/photo.jpg", "echo 'uploaded';"),
    ("/vendor/tool/run.php", FRONT),
    ("/.hidden/run.php", FRONT),
    ("/.htpasswd", FRONT),
    ("/old.phtml", FRONT),
];

/// An app of these files besides its `public/index.php`.
pub(crate) fn php(files: &[(&str, &str)]) -> (testkit::TempDir, App) {
    let folder = testkit::temp_dir();
    for (name, text) in files.iter().chain(&[("public/index.php", TELLS)]) {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let app = App {
        name: "told".into(),
        dir: folder.path().canonicalize().unwrap(),
        interface: Interface::Php,
        entry: "public/index.php".into(),
        routes: vec![Route::get("/")],
        ..App::default()
    };
    (folder, app)
}

fn with_scripts() -> (testkit::TempDir, App) {
    php(&[
        ("public/about.php", TELLS),
        ("public/admin/index.php", TELLS),
        ("public/photo.jpg", "<?php\necho 'uploaded';\n"),
        ("public/vendor/tool/run.php", TELLS),
        ("public/.hidden/run.php", TELLS),
        ("public/.htpasswd", "secret"),
        ("public/old.phtml", TELLS),
        ("outside.php", "<?php\necho 'outside';\n"),
    ])
}

fn answers(path: &str, text: &str) -> Route {
    Route {
        contains: vec![text.to_owned()],
        ..Route::get(path)
    }
}

/// A server, with a front end before it or none.
pub(crate) fn of(front: Option<&str>, server: &str) -> Variant {
    let link = if server == "php-fpm" {
        "fastcgi"
    } else {
        "tcp"
    };
    let closing = [("fcgi-keep-conn", Knob::Switch(false))];
    let front = front.map(|front| match front {
        "haproxy" => choice(front, &closing),
        _ => choice(front, &[]),
    });
    variant(Some(choice(server, &[])), front, link)
}

pub(crate) fn started(front: Option<&str>, server: &str, app: &App) -> Running<'static> {
    stack::start(&composed(&of(front, server), app), &options())
        .unwrap_or_else(|error| panic!("{error}\n{:#?}", error.log_tail()))
}

#[test]
fn a_path_that_names_a_script_runs_that_one_and_no_other_does() {
    let (_folder, mut app) = with_scripts();
    app.routes = PATHS.map(|(path, text)| answers(path, text)).into();
    for server in ["php-fpm", "php-dev"] {
        let running = started(None, server, &app);
        running
            .reference()
            .unwrap_or_else(|error| panic!("{server}: {error}"));
        running.stop().unwrap();
    }
    for front in ["nginx", "apache"] {
        let running = started(Some(front), "php-fpm", &app);
        for (path, text) in PATHS {
            let answer = get(running.address(), path);
            assert!(answer.contains(text), "{front}: {path}: {answer}");
        }
        running.stop().unwrap();
    }
}

#[test]
fn what_lies_outside_of_the_web_root_or_is_no_script_is_not_run() {
    let (_folder, mut app) = with_scripts();
    let hostile = [
        "/../outside.php",
        "/%2e%2e/outside.php",
        "/admin/../../outside.php",
        "/..%2foutside.php/more",
        "//../outside.php",
        "/photo.jpg/.php",
    ];
    let routes = hostile.map(|path| answers(path, FRONT));
    app.routes.extend(routes);
    let running = started(None, "php-fpm", &app);
    running
        .reference()
        .unwrap_or_else(|error| panic!("{error}"));
    running.stop().unwrap();
}

#[test]
fn an_app_of_one_script_has_nothing_run_before_it() {
    let prepended = |app: &App| {
        let composition = composed(&of(None, "php-fpm"), app);
        let workspace = Workspace::preview(&composition).unwrap();
        let programs = stack::render(&composition, &workspace).unwrap();
        let files = &programs[0].files;
        let told = files[0].content.contains("auto_prepend_file");
        (told, files.len())
    };
    let (_folder, app) = php(&[]);
    assert_eq!(prepended(&app), (false, 1));
    for (_folder, app) in [with_scripts(), php(&[("public/favicon.ico", "icon")])] {
        assert_eq!(prepended(&app), (true, 2));
    }
}

/// What is said of an app with this file, which is asked for through a front end.
fn verified(front: &str, file: &str, site: Option<&str>) -> Result<(), StackError> {
    let name = format!("public{file}");
    let (_folder, mut app) = php(&[(name.as_str(), "a { color: red }\n")]);
    app.site = site.map(|name| StaticSite {
        dir: app.dir.join("public").join(name),
        url: format!("/{name}/"),
    });
    app.routes.push(Route::get(file));
    let mut running = started(Some(front), "php-fpm", &app);
    let verified = running
        .reference()
        .and_then(|reference| running.verify(&reference));
    running.stop().unwrap();
    verified.map(|_| ())
}

#[test]
fn a_file_for_browsers_is_there_behind_every_front_end() {
    for (front, site) in [
        ("nginx", Some("css")),
        ("nginx", None),
        ("haproxy", Some("css")),
    ] {
        let came = verified(front, "/css/a.css", site);
        came.unwrap_or_else(|error| panic!("{front}: {error}"));
    }
}

#[test]
fn a_file_that_a_script_answers_for_is_told_with_what_to_declare() {
    for (file, words) in [
        (
            "/data/a.json",
            "`entry = \"public/index.php\"`, and `[site]` with `dir = \"public/data\"` and `url = \"/data/\"`",
        ),
        (
            "/a.json",
            "move it into a folder of its own, as scripts lie beside it",
        ),
        (
            "/a.json",
            "`dir = \"public/assets\"` and `url = \"/assets/\"`",
        ),
    ] {
        let error = verified("nginx", file, None).unwrap_err();
        let hint = error.hint().unwrap();
        assert!(hint.contains(words), "{error}: {hint}");
    }
}

#[test]
fn a_script_among_the_files_of_a_front_end_is_shown_to_nobody() {
    let (_folder, mut app) = php(&[("public/css/a.css", "a { color: red }\n")]);
    // what is hidden above the folder hides nothing in it
    let dir = app.dir.join(".files");
    std::os::unix::fs::symlink("public/css", &dir).unwrap();
    app.site = Some(StaticSite {
        dir,
        url: "/css/".into(),
    });
    for front in ["nginx", "apache", "caddy", "lighttpd", "h2o"] {
        let running = started(Some(front), "php-fpm", &app);
        for name in ["late.php", ".htpasswd", ".git/a.css"] {
            let file = app.dir.join("public/css").join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "<?php // secret\n").unwrap();
            for more in ["", "/", "/a.css"] {
                let answer = get(running.address(), &format!("/css/{name}{more}"));
                assert!(
                    !answer.contains("secret"),
                    "{front}: {name}{more}: {answer}"
                );
            }
        }
        assert!(
            get(running.address(), "/css/a.css").contains("red"),
            "{front}"
        );
        running.stop().unwrap();
    }
}
