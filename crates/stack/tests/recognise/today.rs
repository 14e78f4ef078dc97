//! How an app is run today.

use record::{Knob, Protocol, Transport};

use super::{Folder, says};

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
        ("client-max-body-size", number(8)),
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
        note.ends_with("not carried over: `proxy_read_timeout`, `limit_req`"),
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
    let image = "FROM python\nENV SHOP_KEY=hush PYTHONUNBUFFERED=1\nCMD ./migrate && exec gunicorn -b 0.0.0.0:80 app:app\n";
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
}

#[test]
fn a_container_alone_says_what_is_run_where_that_is_here() {
    let image = |command: &str| Folder::of(&[("Dockerfile", &format!("CMD {command}\n"))]);
    let alone = image("[\"sh\", \"shop\", \"--port\", \"80\"]").recognised();
    assert_eq!(alone.app.entry, "sh shop --port $PORT");
    says(&alone, "`Dockerfile` says how it is run");
    let shell = image("sh -c \"./migrate && sh shop --port 80\"").recognised();
    assert_eq!(shell.app.entry, "sh shop --port $PORT");
    says(&shell, "`./migrate` of `Dockerfile` is not run");
    let (said, hint) = image("[\"shop-lost\", \"--port\", \"80\"]").refused();
    assert!(
        said.contains("`Dockerfile` runs `shop-lost`, which is not on this machine"),
        "{said}"
    );
    assert!(hint.contains("weir try --command 'CMD'"), "{hint}");
    // an app that cannot be loaded is the nearer reason
    let (said, _) = Folder::of(&[
        ("Procfile", "web: shop-lost app:app\n"),
        ("app.py", "import no_such_package\n"),
    ])
    .refused();
    assert!(said.contains("no_such_package"), "{said}");
}

#[test]
fn a_program_of_the_folders_own_environment_is_found_without_an_app() {
    let folder = Folder::of(&[
        ("Procfile", "web: shop-serve --port 80\n"),
        (".venv/bin/python", ""),
        (".venv/bin/shop-serve", "#!/bin/sh\n"),
    ]);
    testkit::executable(folder.inside(".venv/bin/shop-serve"));
    let wish = stack::Wish {
        python: None,
        ..folder.wish()
    };
    let bin = folder.inside(".venv/bin").display().to_string();
    assert_eq!(
        super::recognised(&wish).unwrap().app.entry,
        format!("PATH=\"{bin}:$PATH\" shop-serve --port $PORT")
    );
}

#[test]
fn of_units_the_one_that_answers_counts() {
    let unit = |start: &str| format!("[Service]\nEnvironment=PORT=80\nExecStart={start}\n");
    let today = |units: &[(&str, &str)]| Folder::of(&[&[WSGI], units].concat()).recognised().today;
    let worker = unit("/srv/venv/bin/celery -A shop worker --loglevel $LEVEL");
    assert_eq!(today(&[("a.service", &worker)]), None);
    let other = "[Service]\nExecStart=/usr/bin/env true $OPTIONS\n";
    let shell = unit("/bin/sh -c 'true migrate && gunicorn --workers 2 shop.worker:app'");
    let units = [
        ("a.service", worker.as_str()),
        ("b.service", other),
        ("c.service", shell.as_str()),
    ];
    let said = today(&units).unwrap();
    assert_eq!(said.from, ["c.service"]);
    let command = said.command.unwrap();
    assert!(
        command.ends_with("PORT=$PORT gunicorn --workers 2 shop.worker:app"),
        "{command}"
    );
    assert!(said.notes[0].contains("`true migrate`"), "{:?}", said.notes);
}
