//! What weir makes of a folder: small ones, each with what such apps have.

use std::path::Path;

use crate::support::python;
use record::{Interface, Knob, Protocol, Transport};
use stack::{Catalogue, Recognised, StackError, Wish};
use tempfile::TempDir;

struct Folder {
    dir: TempDir,
    builds: TempDir,
}

impl Folder {
    fn of(files: &[(&str, &str)]) -> Self {
        let dir = testkit::temp_dir();
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self {
            dir,
            builds: testkit::temp_dir(),
        }
    }

    fn looked_at(&self) -> Result<Recognised, StackError> {
        let python = python();
        let wish = Wish {
            dir: self.dir.path(),
            entry: None,
            interface: None,
            speaks: None,
            command: None,
            python: Some(&python),
            builds: self.builds.path(),
        };
        stack::recognise(&wish, &Catalogue::load(&[]).unwrap())
    }

    fn recognised(&self) -> Recognised {
        self.looked_at().unwrap()
    }
}

fn says(recognised: &Recognised, words: &str) {
    let because = recognised.because.join("\n");
    assert!(because.contains(words), "`{words}`: {because}");
}

fn go(source: &str) -> Folder {
    let main = format!("package main\n\nfunc main() {{\n{source}\n}}\n");
    Folder::of(&[
        ("go.mod", "module example.org/shop\n\ngo 1.19\n"),
        ("main.go", &main),
    ])
}

#[test]
fn a_go_program_is_told_its_address_as_its_source_says() {
    for (source, command, clue) in [
        ("port := os.Getenv(\"PORT\")", "'", "from PORT (`main.go`)"),
        (
            "addr := os.Getenv(\"LISTEN_ADDR\")",
            "LISTEN_ADDR=$HOST:$PORT '",
            "from LISTEN_ADDR",
        ),
        (
            "port := os.Getenv(\"HTTP_PORT\")",
            "HTTP_PORT=$PORT '",
            "from HTTP_PORT",
        ),
        (
            "a := flag.String(\"addr\", \":8080\", \"\")",
            " --addr=$HOST:$PORT",
            "flag `-addr`",
        ),
        (
            "flag.StringVar(&a, \"listen\", \":5678\", \"\")",
            " --listen=$HOST:$PORT",
            "flag `-listen`",
        ),
        (
            "p := flag.Int(\"port\", 8080, \"\")",
            " --port=$PORT",
            "flag `-port`",
        ),
        (
            "p := flag.String(\"port\", \"8080\", \"\")",
            " --port=$PORT",
            "flag `-port`",
        ),
        (
            "flags.IntVarP(&p, \"port\", \"p\", 80, \"\")",
            " --port=$PORT",
            "flag `-port`",
        ),
        (
            "p := flag.String(\"p\", \"8080\", \"\")",
            " -p=$PORT",
            "flag `-p`",
        ),
        ("gin.Default().Run()", "'", "weir sets PORT and HOST"),
    ] {
        let found = go(source).recognised();
        assert!(
            found.app.entry.contains(command),
            "{source}: {}",
            found.app.entry
        );
        says(&found, clue);
        assert_eq!(found.app.setup[0][..3], ["go", "build", "-o"]);
        assert_eq!(found.app.listens[&Protocol::Http1], [Transport::Tcp]);
    }
}

#[test]
fn a_go_program_whose_address_cannot_be_chosen_is_not_started() {
    let error = go("http.ListenAndServe(\":8080\", nil)")
        .looked_at()
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("it listens at `:8080`, which stands in `main.go`"),
        "{error}"
    );
    assert!(error.hint().unwrap().contains("--command"));
}

#[test]
fn of_several_go_programs_the_one_of_the_modules_name_is_taken() {
    let main = "package main\nfunc main() { os.Getenv(\"PORT\") }\n";
    let found = Folder::of(&[
        ("go.mod", "module example.org/shop/v2\n"),
        ("cmd/admin/main.go", main),
        ("cmd/shop/main.go", main),
    ])
    .recognised();
    says(&found, "`./cmd/shop` is its program, not `./cmd/admin`");
}

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

const WSGI: (&str, &str) = (
    "app.py",
    "def app(environ, start_response):\n    return []\n",
);

#[test]
fn a_procfile_or_a_unit_is_how_it_is_run_today() {
    let today = |files: &[(&str, &str)]| Folder::of(&[&[WSGI], files].concat()).recognised().today;
    let run = |files: &[(&str, &str)]| today(files).unwrap().command.unwrap();
    assert_eq!(today(&[]), None);
    let procfile = (
        "Procfile",
        "release: ./migrate\nweb: gunicorn -w 3 --bind 0.0.0.0:80 app:app\n",
    );
    assert!(run(&[procfile]).ends_with(":$PATH\" gunicorn -w 3 --bind $HOST:$PORT app:app"));
    let variables = today(&[procfile, (".env", "A=b\n")]).unwrap();
    assert!(variables.notes[0].contains("`.env` is there, and weir reads none"));
    let unit = "[Service]\nEnvironment=WORKERS=3\nEnvironment=\"NAME=my shop\"\nEnvironmentFile=/etc/shop\n\
                ExecStart=/srv/shop/venv/bin/uvicorn app:app \\\n  --host 0.0.0.0 --port 80\n";
    let worker = "[Service]\nExecStart=/srv/shop/venv/bin/celery worker\n";
    let units = [
        ("deploy/shop.service", unit),
        ("deploy/celery.service", worker),
    ];
    let said = today(&units).unwrap();
    assert!(
        said.command
            .unwrap()
            .ends_with("WORKERS=3 \"NAME=my shop\" uvicorn app:app --host $HOST --port $PORT")
    );
    assert_eq!(said.from, ["deploy/shop.service"]);
    assert!(said.notes[0].contains("`/etc/shop`"));
    let configured = run(&[("gunicorn.conf.py", "workers = 2\n")]);
    assert!(configured.contains("-c gunicorn.conf.py"), "{configured}");
}

/// As tutorials have it, with settings for which weir has a knob, and with some for which it has none.
const NGINX: &str = "worker_processes auto;  # one per core\n\
    events { worker_connections 4096; multi_accept on; }\n\
    http {\n\
      sendfile on;\n      # keepalive_timeout 1;\n      keepalive_timeout 65;\n      gzip on;\n\
      upstream shop {\n        least_conn;\n        server unix:/run/shop.sock max_conns=40;\n\
        keepalive 16;\n        keepalive_timeout 30s;\n      }\n\
      server {\n        listen 80 backlog=1024;\n        client_max_body_size 8m;\n\
        location / {\n          proxy_pass http://shop;\n          proxy_http_version 1.1;\n\
          proxy_buffering off;\n          proxy_buffers 16 8k;\n          proxy_read_timeout 5m;\n\
          limit_req zone=one;\n        }\n      }\n    }\n";

#[test]
fn nginx_stands_before_it_with_the_settings_that_it_has() {
    let procfile = ("Procfile", "web: gunicorn -b unix:/run/shop.sock app:app\n");
    let files = [WSGI, procfile, ("deploy/nginx.conf", NGINX)];
    let today = Folder::of(&files).recognised().today.unwrap();
    assert_eq!(today.from, ["Procfile", "deploy/nginx.conf"]);
    assert!(
        today
            .command
            .unwrap()
            .ends_with("gunicorn -b unix:$SOCKET app:app")
    );
    assert_eq!(
        (today.link.protocol, today.link.transport),
        (Some(Protocol::Http1), Some(Transport::Unix))
    );
    let front = today.front.unwrap();
    assert_eq!(front.entry, "nginx");
    let number = |number| Knob::Number(number);
    let text = |text: &str| Knob::Text(text.to_owned());
    let wanted = [
        ("backlog", number(1024)),
        ("balancing-method", text("least_conn")),
        ("buffering", Knob::Switch(false)),
        ("buffers", number(16)),
        ("gzip", Knob::Switch(true)),
        ("keepalive-timeout", number(65)),
        ("max-conns", number(40)),
        ("multi-accept", Knob::Switch(true)),
        ("sendfile", Knob::Switch(true)),
        ("upstream-http-version", text("1.1")),
        ("upstream-keepalive", number(16)),
        ("upstream-keepalive-timeout", number(30)),
        ("worker-connections", number(4096)),
        ("workers", text("cores")),
    ];
    let wanted = wanted.map(|(name, knob)| (name.to_owned(), knob));
    assert_eq!(front.knobs.into_iter().collect::<Vec<_>>(), wanted);
    let note = today.notes.last().unwrap();
    assert!(
        note.ends_with(
            "not carried over: `client_max_body_size`, `proxy_read_timeout`, `limit_req`"
        ),
        "{note}"
    );
}

#[test]
fn a_front_end_alone_is_known_without_the_server_behind_it() {
    let nginx =
        "server { listen 80; location / { uwsgi_pass 127.0.0.1:9000; include uwsgi_params; } }";
    let today = Folder::of(&[WSGI, ("nginx/shop.conf", nginx)])
        .recognised()
        .today
        .unwrap();
    assert_eq!(today.command, None);
    assert_eq!(today.link.protocol, Some(Protocol::Uwsgi));
    assert_eq!(today.from, ["nginx/shop.conf"]);
    let files = "server { listen 80; root /srv/shop; }";
    assert_eq!(
        Folder::of(&[WSGI, ("nginx.conf", files)])
            .recognised()
            .today,
        None
    );
}

#[test]
fn a_container_is_how_it_is_run_today_where_nothing_else_says_so() {
    let image =
        "FROM python\nENV SHOP_KEY=hush\nCMD ./migrate && exec gunicorn -b 0.0.0.0:80 app:app\n";
    let files = [WSGI, ("Dockerfile", image)];
    let today = Folder::of(&files).recognised().today.unwrap();
    assert!(
        today
            .command
            .unwrap()
            .ends_with(":$PATH\" gunicorn -b $HOST:$PORT app:app")
    );
    assert_eq!(today.from, ["Dockerfile"]);
    let notes = today.notes.join("\n");
    assert!(
        notes.contains("`./migrate` of `Dockerfile` is not run")
            && notes.contains("(SHOP_KEY)")
            && !notes.contains("hush"),
        "{notes}"
    );
    let procfile = ("Procfile", "web: cd shop && uvicorn app:app --port 80\n");
    let both = Folder::of(&[WSGI, procfile, files[1]]).recognised().today;
    let both = both.unwrap();
    assert_eq!(both.from, ["Procfile"]);
    assert!(
        both.command
            .unwrap()
            .ends_with("sh -c 'cd shop && exec uvicorn app:app --port $PORT'")
    );
    let alone = Folder::of(&[("Dockerfile", "CMD [\"shop\", \"--port\", \"80\"]\n")]);
    let alone = alone.recognised();
    assert_eq!(alone.app.entry, "shop --port $PORT");
    says(&alone, "`Dockerfile` says how it is run");
}

#[test]
fn a_folder_of_files_is_one_where_nothing_is_loaded() {
    for (file, inside) in [("index.html", ""), ("dist/index.html", "dist")] {
        let vite = ("package.json", "{\"scripts\": {\"build\": \"vite build\"}}");
        let folder = Folder::of(&[(file, "<p>hello"), vite]);
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
            dir: folder.dir.path(),
            entry: None,
            interface: Some(Interface::Program),
            speaks: Some(link.parse().unwrap()),
            command: Some(command),
            python: None,
            builds: folder.builds.path(),
        };
        let found = stack::recognise(&wish, &Catalogue::load(&[]).unwrap()).unwrap();
        assert_eq!(
            found.app.listens[&Protocol::FastCgi],
            transports,
            "{command}"
        );
    }
}

/// A package of this name with this source, locked as cargo does it.
fn rust<'a>(dependencies: &'a str, main: &'a str) -> [(&'a str, &'a str); 3] {
    [
        ("Cargo.toml", dependencies),
        ("Cargo.lock", "version = 4\n"),
        ("src/main.rs", main),
    ]
}

const PACKAGE: &str = "[package]\nname = \"shop\"\n[dependencies]\naxum = \"0.8\"\n";

#[test]
fn a_rust_program_is_told_its_address_as_its_source_says() {
    for (source, command, clue) in [
        ("std::env::var(\"PORT\")", "'", "from PORT (`src/main.rs`)"),
        (
            "env::var(\"LISTEN_ADDR\")",
            "LISTEN_ADDR=$HOST:$PORT '",
            "from LISTEN_ADDR",
        ),
        (
            "#[arg(long, env = \"HTTP_PORT\", default_value_t = 80)]\nport: u16",
            "HTTP_PORT=$PORT '",
            "from HTTP_PORT",
        ),
        (
            "#[arg(short, long, default_value_t = 80)]\n    pub port: u16",
            " --port=$PORT",
            "flag `--port`",
        ),
        (
            "#[clap(long)]\nlisten_addr: SocketAddr",
            " --listen-addr=$HOST:$PORT",
            "flag `--listen-addr`",
        ),
        (
            "Arg::new(\"p\").long(\"port\")",
            " --port=$PORT",
            "flag `--port`",
        ),
        ("fn main() {}", "'", "weir sets PORT and HOST"),
    ] {
        let found = Folder::of(&rust(PACKAGE, source)).recognised();
        assert!(
            found.app.entry.contains(command) && found.app.entry.contains("release/shop'"),
            "{source}: {}",
            found.app.entry
        );
        says(&found, clue);
        assert_eq!(found.app.setup[0][..3], ["cargo", "build", "--release"]);
        assert_eq!(found.framework.unwrap().0, "axum");
    }
    let rocket = PACKAGE.replace("axum", "rocket");
    let found = Folder::of(&rust(&rocket, "rocket::build()")).recognised();
    assert!(
        found
            .app
            .entry
            .starts_with("ROCKET_ADDRESS=$HOST ROCKET_PORT=$PORT '")
    );
}

#[test]
fn a_rust_program_whose_address_cannot_be_chosen_is_not_started() {
    for (source, address) in [
        ("TcpListener::bind(\"0.0.0.0:3000\")", "`0.0.0.0:3000`"),
        (
            "SocketAddr::from(([127, 0, 0, 1], 3000))",
            "`[127, 0, 0, 1], 3000`",
        ),
        (".bind((\"127.0.0.1\", 8080))", "8080`"),
    ] {
        let error = Folder::of(&rust(PACKAGE, source)).looked_at().unwrap_err();
        assert!(error.to_string().contains(address), "{error}");
    }
    let unlocked = [("Cargo.toml", PACKAGE), ("src/main.rs", "")];
    let error = Folder::of(&unlocked).looked_at().unwrap_err();
    assert!(error.hint().unwrap().contains("cargo generate-lockfile"));
}

#[test]
fn of_a_rust_workspace_the_package_that_serves_is_taken() {
    let found = Folder::of(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
        ("Cargo.lock", "version = 4\n"),
        ("crates/cli/Cargo.toml", "[package]\nname = \"cli\"\n"),
        ("crates/cli/src/main.rs", ""),
        ("crates/web/Cargo.toml", PACKAGE),
        ("crates/web/src/main.rs", "env::var(\"PORT\")"),
    ])
    .recognised();
    says(&found, "names the package `shop`");
    let library = [
        ("Cargo.toml", "[package]\nname = \"shelves\"\n"),
        ("src/lib.rs", ""),
    ];
    let error = Folder::of(&library).looked_at().unwrap_err().to_string();
    assert!(
        error.contains("`Cargo.toml` is there, and no package with a `main.rs`"),
        "{error}"
    );
}

#[test]
fn php_is_served_from_the_folder_that_is_public() {
    let found = Folder::of(&[("public/index.php", "<?php"), ("package.json", "{}")]).recognised();
    assert_eq!(found.app.entry, "php -S $HOST:$PORT -t public");
    says(&found, "`public/index.php` is there");
    let composer = "{\"require\": {\"php\": \">=8\", \"laravel/framework\": \"^12\"}}";
    let laravel = [("composer.json", composer), ("public/index.php", "<?php")];
    let error = Folder::of(&laravel).looked_at().unwrap_err();
    assert!(
        error.hint().unwrap().contains("composer install"),
        "{error}"
    );
    let installed = [&laravel[..], &[("vendor/autoload.php", "")]].concat();
    assert_eq!(
        Folder::of(&installed).recognised().framework.unwrap().0,
        "laravel"
    );
}

#[test]
fn a_command_without_a_port_is_asked_how_it_is_told_one() {
    let serve = "#!/bin/sh\ntest \"$2\" = --help && echo '  --host TEXT\n  -p, --port INTEGER' && exit\ntouch started\n";
    let folder = Folder::of(&[("serve", serve), ("mute", "#!/bin/sh\nexit 2\n")]);
    let given = |command: &str| {
        let wish = Wish {
            dir: folder.dir.path(),
            entry: None,
            interface: None,
            speaks: None,
            command: Some(command),
            python: None,
            builds: folder.builds.path(),
        };
        stack::recognise(&wish, &Catalogue::load(&[]).unwrap()).unwrap()
    };
    for name in ["serve", "mute"] {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.dir.path().join(name), mode).unwrap();
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
