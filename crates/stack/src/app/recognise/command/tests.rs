use std::path::Path;

use super::{absent, addressed, runnable, serving, with_packages};

#[test]
fn a_fixed_address_gives_way_to_the_one_weir_chooses() {
    for (written, meant) in [
        (
            "gunicorn -w 4 -b 0.0.0.0:8000 shop:app",
            "gunicorn -w 4 -b $HOST:$PORT shop:app",
        ),
        (
            "gunicorn --bind=unix:/run/shop.sock shop:app",
            "gunicorn --bind=$HOST:$PORT shop:app",
        ),
        (
            "gunicorn --bind 0.0.0.0:$PORT shop:app",
            "gunicorn --bind $HOST:$PORT shop:app",
        ),
        ("puma -b tcp://[::]:$PORT", "puma -b tcp://$HOST:$PORT"),
        (
            "uvicorn shop:app --host 0.0.0.0 --port 80",
            "uvicorn shop:app --host $HOST --port $PORT",
        ),
        (
            "uvicorn shop:app --uds /run/shop.sock",
            "uvicorn shop:app --host $HOST --port $PORT",
        ),
        ("bundle exec puma -p $PORT", "bundle exec puma -p $PORT"),
        ("puma -b tcp://0.0.0.0:3000", "puma -b tcp://$HOST:$PORT"),
        ("puma -b unix:///run/shop.sock", "puma -b tcp://$HOST:$PORT"),
        (
            "manage.py runserver 0.0.0.0:8000",
            "manage.py runserver $HOST:$PORT",
        ),
        ("rails s -b 0.0.0.0 -p 3000", "rails s -b $HOST -p $PORT"),
    ] {
        assert_eq!(addressed(written, false), meant);
    }
    for (written, meant) in [
        (
            "gunicorn --bind=unix:/run/s.sock a:b",
            "gunicorn --bind=unix:$SOCKET a:b",
        ),
        ("uvicorn a:b --uds /run/s.sock", "uvicorn a:b --uds $SOCKET"),
        ("uwsgi --socket /run/s.sock", "uwsgi --socket $SOCKET"),
        (
            "gunicorn -b 127.0.0.1:8000 a:b",
            "gunicorn -b $HOST:$PORT a:b",
        ),
    ] {
        assert_eq!(addressed(written, true), meant);
    }
}

#[test]
fn an_address_may_have_no_flag() {
    for (written, meant) in [
        (
            "python manage.py runserver 8000",
            "python manage.py runserver $HOST:$PORT",
        ),
        (
            "./manage.py runserver --noreload localhost:8000",
            "./manage.py runserver --noreload $HOST:$PORT",
        ),
        (
            "python3 manage.py runserver --noreload",
            "python3 manage.py runserver $HOST:$PORT --noreload",
        ),
        (
            "manage.py runserver 0.0.0.0:${PORT:-8000}",
            "manage.py runserver $HOST:${PORT:-8000}",
        ),
        ("PORT=5314 node server.js", "PORT=$PORT node server.js"),
        (
            "cross-env PORT=3000 MODE=4 node .",
            "cross-env PORT=$PORT MODE=4 node .",
        ),
    ] {
        assert_eq!(addressed(written, false), meant);
    }
}

#[test]
fn of_a_line_that_does_several_things_the_last_serves() {
    for (line, command, left) in [
        ("gunicorn a:b", "gunicorn a:b", vec![]),
        ("exec gunicorn a:b", "gunicorn a:b", vec![]),
        (
            "./migrate && gunicorn a:b",
            "gunicorn a:b",
            vec!["./migrate"],
        ),
        (
            "cd shop && ./migrate; exec gunicorn a:b",
            "sh -c 'cd shop && exec gunicorn a:b'",
            vec!["./migrate"],
        ),
        ("sh -c 'a && b'", "b", vec!["a"]),
        (
            "bash -c \"python manage.py migrate && python manage.py runserver 0.0.0.0:8000\"",
            "python manage.py runserver $HOST:$PORT",
            vec!["python manage.py migrate"],
        ),
        (
            "exec /bin/sh -ec 'cd shop && a; exec b -p 80'",
            "sh -c 'cd shop && exec b -p $PORT'",
            vec!["a"],
        ),
        (
            "sh -c 'while a; do b; done'",
            "sh -c 'while a; do b; done'",
            vec![],
        ),
        (
            "sh -c 'a \"b && c\" && d'",
            "sh -c 'a \"b && c\" && d'",
            vec![],
        ),
    ] {
        assert_eq!(
            serving(line, false),
            (
                command.to_owned(),
                left.into_iter().map(str::to_owned).collect()
            )
        );
    }
}

#[test]
fn a_program_that_is_not_on_this_machine_is_named() {
    let dir = testkit::temp_dir();
    let bin = dir.path().join("venv/bin");
    std::fs::create_dir_all(&bin).unwrap();
    for program in [bin.join("shop-serve"), dir.path().join("start.sh")] {
        std::fs::write(&program, "#!/bin/sh\n").unwrap();
        testkit::executable(&program);
    }
    let python = bin.join("python");
    for (command, missing) in [
        ("PATH=\"/venv/bin:$PATH\" shop-serve -p $PORT", None),
        ("./start.sh", None),
        ("sh -c 'cd a && exec b'", None),
        ("$SERVER shop", None),
        ("MODE=fast shop-lost -p $PORT", Some("shop-lost")),
        ("./lost.sh", Some("./lost.sh")),
    ] {
        let found = absent(command, dir.path(), Some(&python));
        assert_eq!(found.as_deref(), missing, "{command}");
    }
}

#[test]
fn a_program_of_another_machine_is_looked_for_here() {
    let dir = testkit::temp_dir();
    let python = Path::new("/venv/bin/python");
    assert_eq!(
        runnable(
            "/srv/shop/venv/bin/gunicorn shop:app",
            dir.path(),
            Some(python)
        ),
        "PATH=\"/venv/bin:$PATH\" gunicorn shop:app"
    );
    let plain = "/bin/sh -c true";
    assert_eq!(runnable(plain, dir.path(), None), plain);
}

#[test]
fn a_program_of_a_package_is_found_and_the_path_stays_where_none_is_named() {
    let dir = testkit::temp_dir();
    let app = dir.path().canonicalize().unwrap().join("a $b");
    let bin = app.join("node_modules/.bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(app.join("package.json"), "{}").unwrap();
    std::fs::write(bin.join("next"), "#!/bin/sh\n").unwrap();
    let folder = bin.display().to_string().replace('$', "\\$");
    for command in ["next start", "MODE=a next", "sh -c 'cd a && exec next'"] {
        let found = format!("PATH=\"{folder}:$PATH\" {command}");
        assert_eq!(with_packages(command, &app), found);
        assert_eq!(absent(command, &app, None), None);
        let python = Path::new("/venv/bin/python");
        let both = format!("PATH=\"/venv/bin:{folder}:$PATH\" {command}");
        assert_eq!(runnable(command, &app, Some(python)), both);
    }
    for command in ["node next.js", "node .", "/opt/next start"] {
        assert_eq!(with_packages(command, &app), command);
    }
}
