//! Apps of Node, Ruby and PHP, what makes an app, files alone, and commands of the user's.

use std::path::Path;

use record::{Interface, Protocol, Transport};
use stack::{Recognised, Wish};

use super::{Folder, recognised, says};

#[test]
fn a_node_program_is_started_as_its_package_says() {
    let package = |scripts: &str| format!("{{\"scripts\": {{{scripts}}}}}");
    let listens = "app.listen(process.env.PORT)";
    let found = Folder::of(&[("package.json", &package("")), ("bin/www", listens)]).recognised();
    assert_eq!(found.app.entry, "node bin/www");
    says(&found, "PORT (`bin/www`)");
    let watched = package("\"start\": \"nodemon server.js\"");
    let found = Folder::of(&[("package.json", &watched), ("server.js", listens)]).recognised();
    assert_eq!(found.app.entry, "node server.js");
    let flagged = package("\"start\": \"json-server --port 3000 db.json\"");
    let found = Folder::of(&[("package.json", &flagged)]).recognised();
    assert_eq!(found.app.entry, "json-server --port $PORT db.json");

    for source in [
        "app.listen(3000)",
        "fastify.listen({ host: 'localhost', port: 3000 }, started)",
        "const other = 9, port = 1\nconst port = 3000\napp.listen(port, () => {})",
        "let chosen = 3000;\nserver.listen({ port: chosen })",
    ] {
        let fixed = Folder::of(&[("package.json", "{}"), ("app.js", source)]);
        let error = fixed.looked_at().unwrap_err();
        let says = "it listens at port 3000, which stands in `app.js`";
        assert!(error.to_string().contains(says), "{source}: {error}");
    }
    let bare = "{\"dependencies\": {\"express\": \"4\"}, \"main\": \"app.js\"}";
    let error = Folder::of(&[("package.json", bare), ("app.js", listens)])
        .looked_at()
        .unwrap_err();
    assert!(
        error.to_string().contains("`node_modules` is missing"),
        "{error}"
    );
    assert!(error.hint().unwrap().contains("npm install"));
}

#[test]
fn rails_is_told_how_it_is_deployed_and_its_user_what_will_surprise() {
    let rails = [
        ("config.ru", "run Rails.application\n"),
        ("config/application.rb", "require \"rails/all\"\n"),
        (
            "config/database.yml",
            "production:\n  database: db/production.sqlite3\n",
        ),
        (
            "config/environments/production.rb",
            "  config.force_ssl = true\n  # config.hosts << 'a'\n",
        ),
        ("app/assets/config/manifest.js", ""),
    ];
    let found = Folder::of(&rails).recognised();
    assert_eq!(found.app.frameworks, ["rails"]);
    assert_eq!(found.app.env["RAILS_ENV"], "production");
    for words in [
        "`config.force_ssl` is on",
        "SECRET_KEY_BASE for the trial",
        "assets:precompile",
        "db:prepare",
    ] {
        says(&found, words);
    }
    assert!(found.app.env["SECRET_KEY_BASE"].len() > 30);
    assert!(!found.because.join("\n").contains("config.hosts"));
    let assumed = "config.assume_ssl = true\nconfig.force_ssl = true\n";
    let behind = [
        &rails[..3],
        &[("config/environments/production.rb", assumed)],
    ]
    .concat();
    let behind = Folder::of(&behind).recognised();
    assert!(!behind.because.join("\n").contains("force_ssl"));
    let keyed = [&rails[..], &[("config/master.key", "0")]].concat();
    assert!(
        !Folder::of(&keyed)
            .recognised()
            .app
            .env
            .contains_key("SECRET_KEY_BASE")
    );
}

#[test]
fn what_makes_an_app_is_called_in_a_module_that_every_server_can_load() {
    let folder = Folder::of(&[
        ("shop.py", ""),
        (
            "app.py",
            "from flask import Flask\ndef create_app():\n    return Flask('shop')\n",
        ),
    ]);
    let found = folder.recognised();
    assert_eq!(
        (found.app.entry.as_str(), found.app.interface),
        ("weir_made:app", Interface::Wsgi)
    );
    says(&found, "`app:create_app()` makes it");
    let module = Path::new(&found.app.env["PYTHONPATH"]).join("weir_made.py");
    assert!(
        std::fs::read_to_string(module)
            .unwrap()
            .contains("app = app.create_app()")
    );
    assert!(
        !folder.dir.path().join("__pycache__").exists(),
        "nothing is written there"
    );
}

#[test]
fn a_folder_of_files_is_one_where_nothing_is_loaded() {
    let vite = "{\"scripts\": {\"build\": \"vite build\"}}";
    for (file, inside, package) in [("index.html", "", "{}"), ("dist/index.html", "dist", vite)] {
        let folder = Folder::of(&[(file, "<p>hello"), ("package.json", package)]);
        let found = folder.recognised();
        assert_eq!(found.app.interface, Interface::Static);
        assert_eq!(found.app.routes[0].path, "/index.html");
        let site = found.app.site.unwrap();
        let own: std::path::PathBuf = folder.dir.path().canonicalize().unwrap();
        assert_eq!(
            (site.dir, site.url.as_str()),
            (
                own.components()
                    .chain(Path::new(inside).components())
                    .collect(),
                "/"
            )
        );
    }
    let broken = Folder::of(&[("app.py", "import no_such_package\n"), ("index.html", "")]);
    let error = broken.looked_at().unwrap_err();
    assert!(error.to_string().contains("no_such_package"), "{error}");
}

#[test]
fn a_program_speaks_what_its_user_says() {
    let folder = Folder::of(&[]);
    for (command, link, transports) in [
        ("serve $SOCKET", "fastcgi", vec![Transport::Unix]),
        ("serve $PORT", "fastcgi", vec![Transport::Tcp]),
        ("serve $HOST", "fastcgi+unix", vec![Transport::Unix]),
    ] {
        let wish = Wish {
            interface: Some(Interface::Program),
            speaks: Some(link.parse().unwrap()),
            command: Some(command),
            python: None,
            ..folder.wish()
        };
        let found = recognised(&wish).unwrap();
        assert_eq!(
            found.app.listens[&Protocol::FastCgi],
            transports,
            "{command}"
        );
    }
}

#[test]
fn php_is_the_script_that_answers_every_path() {
    let index = ("index.php", "<?php");
    let found = Folder::of(&[("public/index.php", "<?php"), ("package.json", "{}")]).recognised();
    assert_eq!(
        (found.app.interface, found.app.entry.as_str()),
        (Interface::Php, "public/index.php")
    );
    assert_eq!(found.framework, None);
    assert!(found.app.env.is_empty() && found.app.listens.is_empty());
    says(&found, "`public/index.php` is there");
    let found = Folder::of(&[index, ("wp-load.php", "<?php")]).recognised();
    assert_eq!(
        (found.app.entry.as_str(), found.app.frameworks),
        ("index.php", vec!["wordpress".to_owned()])
    );
    let found = Folder::of(&[index, ("wp-config.php", "<?php")]).recognised();
    assert!(!told(&found, "`wp-config.php` is not there"));
    let (error, _) = Folder::of(&[("composer.json", "{}"), ("src/shop.php", "")]).refused();
    let none = "`composer.json` is there, and no `index.php`";
    assert!(error.contains(none), "{error}");
}

#[test]
fn an_app_of_a_php_framework_is_told_that_it_is_deployed() {
    let packages = "{\"require\": {\"php\": \">=8\", \"PACKAGE\": \"*\"}}";
    let require = |package: &str| packages.replace("PACKAGE", package);
    let laravel = require("laravel/framework");
    let laravel = [
        ("composer.json", laravel.as_str()),
        ("public/index.php", "<?php"),
        ("bootstrap/cache/config.php", ""),
    ];
    let (_, hint) = Folder::of(&laravel).refused();
    assert!(hint.contains("composer install"), "{hint}");
    let installed = [&laravel[..], &[("vendor/autoload.php", "")]].concat();
    let found = Folder::of(&installed).recognised();
    assert_eq!(found.framework, Some(("laravel".to_owned(), None)));
    assert_eq!(found.app.env["APP_ENV"], "production");
    assert_eq!(found.app.env["LOG_CHANNEL"], "stderr");
    says(&found, "php artisan key:generate");
    let keyed = [&installed[..], &[(".env", "APP_KEY=0")]].concat();
    let found = Folder::of(&keyed).recognised();
    assert!(!told(&found, "php artisan"), "{:?}", found.because);
    let plain = [keyed[0], keyed[1], keyed[3], keyed[4]];
    says(&Folder::of(&plain).recognised(), "`php artisan optimize`");

    for (package, framework, variable) in [
        ("symfony/framework-bundle", "symfony", "APP_DEBUG=0"),
        (
            "codeigniter4/framework",
            "codeigniter",
            "CI_ENVIRONMENT=production",
        ),
        ("cakephp/cakephp", "cakephp", "DEBUG=false"),
    ] {
        let composer = require(package);
        let found = Folder::of(&[
            ("composer.json", &composer),
            ("public/index.php", "<?php"),
            ("vendor/autoload.php", ""),
        ]);
        let found = found.recognised();
        assert_eq!(found.app.frameworks, [framework]);
        says(&found, &format!("it is told {variable}"));
    }
}

/// Whether something like this is said of an app.
fn told(found: &Recognised, words: &str) -> bool {
    found.because.iter().any(|clue| clue.contains(words))
}

#[test]
fn a_command_without_a_port_is_asked_how_it_is_told_one() {
    let serve = "#!/bin/sh\ntest \"$2\" = --help && echo '  --host TEXT\n  -p, --port INTEGER' && exit\ntouch started\n";
    let folder = Folder::of(&[("serve", serve), ("mute", "#!/bin/sh\nexit 2\n")]);
    let given = |command: &str| {
        let wish = Wish {
            command: Some(command),
            python: None,
            ..folder.wish()
        };
        recognised(&wish).unwrap()
    };
    for name in ["serve", "mute"] {
        testkit::executable(folder.dir.path().join(name));
    }
    let found = given("./serve books.db");
    assert_eq!(
        found.app.entry,
        "./serve books.db --host $HOST --port $PORT"
    );
    says(&found, "its `--help` names `--host $HOST --port $PORT`");
    assert!(!folder.dir.path().join("started").exists());
    for (command, told) in [
        ("./serve --port 80", "./serve --port $PORT"),
        ("./serve -x $PORT", "./serve -x $PORT"),
        ("./serve; true", "./serve; true"),
        ("./mute", "./mute"),
    ] {
        assert_eq!(given(command).app.entry, told);
    }
    says(&given("./mute"), "weir sets PORT and HOST");
    assert!(!folder.dir.path().join("started").exists());
}
