//! `weir try` where the folder says how its app is run today, and where there is not time for everything.

use crate::support::{Place, Said};

const APP: &str = "def app(environ, start):\n    start('200 OK', [('Content-Type', 'text/plain')])\n    \
                   return [b'hello']\n";
const SMALL: [&str; 8] = [
    "try",
    "--quick",
    "-n",
    "100",
    "-c",
    "4",
    "--json",
    "--ready-timeout=20s",
];

fn trying(place: &Place, more: &[&str]) -> Said {
    place.run(&[&SMALL, more].concat())
}

/// The variants that ran, each without a failure.
fn variants(said: &Said) -> Vec<String> {
    let run = said.measured().json();
    let variants = run["judged"]["variants"].as_array().unwrap().iter();
    variants
        .map(|variant| {
            assert!(variant["failure"].is_null(), "{variant}");
            variant["name"].as_str().unwrap().to_owned()
        })
        .collect()
}

fn says(said: &Said, words: &[&str]) {
    for word in words {
        assert!(said.err.contains(word), "`{word}`: {}", said.err);
    }
}

#[test]
fn a_procfile_behind_nginx_is_one_variant() {
    let place = Place::new();
    place.write("app.py", APP);
    place.write(
        "Procfile",
        "web: gunicorn --bind unix:/run/shop.sock app:app\n",
    );
    place.write(
        "deploy/nginx.conf",
        "events { worker_connections 512; }\nhttp { upstream app { server unix:/run/shop.sock; keepalive 8; }\n\
         server { listen 80; client_max_body_size 1m; client_body_timeout 20s; location / { proxy_pass http://app; } } }\n",
    );
    let said = trying(&place, &["--variants", "today,gunicorn-1"]);
    assert_eq!(variants(&said), ["today", "gunicorn-1"]);
    says(
        &said,
        &[
            "`Procfile`, `deploy/nginx.conf` says how you run it today: the variant `today`",
            "carried over: client-max-body-size 1, upstream-keepalive 8, worker-connections 512; not carried over: `client_body_timeout`",
        ],
    );
    let run = place.exported("1");
    let programs = run["trials"][0].to_string()
        + &run["trials"][1].to_string()
        + &run["trials"][2].to_string();
    assert!(
        programs.contains("gunicorn --bind unix:$SOCKET app:app"),
        "{programs}"
    );
    place.assert_clean();
}

#[test]
fn a_unit_of_another_machine_is_run_with_the_programs_of_this_one() {
    let place = Place::new();
    place.write("app.py", APP);
    place.write(
        "deploy/shop.service",
        "[Service]\nUser=shop\nEnvironment=\"GREETING=good day\"\n\
         ExecStart=/srv/shop/venv/bin/gunicorn --workers 2 \\\n  --bind 0.0.0.0:8000 app:app\n",
    );
    let said = trying(&place, &["--variants", "today"]);
    assert_eq!(variants(&said), ["today"]);
    says(&said, &["`deploy/shop.service` says how you run it today"]);
    place.assert_clean();
}

#[test]
fn nginx_alone_is_put_before_a_server_that_it_can_speak_to() {
    let place = Place::new();
    place.write("app.py", APP);
    place.write(
        "nginx.conf",
        "http { server { location / { proxy_pass http://127.0.0.1:8000; } } }\n",
    );
    let said = trying(&place, &["--variants", "today"]);
    assert_eq!(variants(&said), ["today"]);
    says(
        &said,
        &["`nginx.conf` puts `nginx` before it; none of its settings carried over"],
    );
    place.assert_clean();
}

#[test]
fn what_there_is_no_time_for_is_said_with_what_includes_it() {
    let place = Place::new();
    place.write("app.py", APP);
    let said = trying(&place, &["--budget", "1s"]);
    let few = variants(&said);
    assert_eq!(few.len(), 3, "{few:?}");
    let all = said
        .err
        .lines()
        .find(|line| line.contains("trying 3 of "))
        .expect(&said.err);
    assert!(all.contains("about "), "{all}");
    says(
        &said,
        &[
            ": no time for them in a budget of 1 s",
            "`--all` tries them too, in about ",
        ],
    );
    let run = said.json();
    let not_tried = run["run"]["plan"]["not_tried"].as_array().unwrap();
    let for_time = not_tried
        .iter()
        .find(|of| of["why"].as_str().unwrap().starts_with("no time"));
    let left = for_time.unwrap()["names"][0].as_str().unwrap();
    assert!(!few.contains(&left.to_owned()));
    let both = format!("{left},{}", few[0]);
    let named = trying(&place, &["--variants", &both, "--budget", "1s"]);
    assert_eq!(variants(&named).len(), 2, "whoever names them gets them");
    says(&named, &["that is more than the budget of 1 s"]);
    trying(&place, &["--variants", "no-such-way"]).fails(
        2,
        &[
            "no way to serve this app is called `no-such-way`",
            "choose of ",
        ],
    );
    trying(&place, &["--variants", "gunicron-1,no-other-way"]).fails(
        2,
        &[
            "is called `gunicron-1`; no way to serve this app is called `no-other-way`",
            "did you mean `gunicorn-1`?",
        ],
    );
}
