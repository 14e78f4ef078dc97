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

/// A program that serves by itself, at the port that it is told.
const PROGRAM: &str = "import sys\nfrom http.server import *\nclass H(BaseHTTPRequestHandler):\n    \
                       protocol_version = 'HTTP/1.1'\n    def log_message(self, *a): pass\n    def do_GET(self):\n        \
                       self.send_response(200)\n        self.send_header('Content-Length', '2')\n        \
                       self.end_headers()\n        self.wfile.write(b'hi')\n\
                       ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), H).serve_forever()\n";

/// A port that stands in a script of the app's own, which weir cannot know before.
#[test]
fn a_command_that_listens_elsewhere_is_left_out_and_the_others_go_on() {
    let place = Place::new();
    place.write("app.py", APP);
    place.write("serve.py", PROGRAM);
    place.write("Procfile", "web: python3 serve.py 0\n"); // the kernel chooses
    let said = trying(&place, &["--variants", "today,gunicorn-1"]);
    let run = said.measured().json();
    let variants = run["judged"]["variants"].as_array().unwrap();
    let failure = |name: &str| {
        let variant = variants.iter().find(|of| of["name"] == name);
        variant.unwrap()["failure"].as_str().map(str::to_owned)
    };
    let why = failure("today").unwrap();
    assert!(why.contains("listens at"), "{why}");
    assert_eq!(failure("gunicorn-1"), None);
    place.assert_clean();
}

/// A port that stands in the app's own script, at which it runs already.
#[test]
fn a_port_of_its_own_that_is_in_use_is_not_taken_for_the_one_it_was_given() {
    let place = Place::new();
    place.write("serve.py", PROGRAM);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let command = format!("python3 serve.py {port}");
    let said = trying(&place, &["--command", &command, "--variants", "own"]);
    said.fails(
        7,
        &[
            "listens at another address, which is in use, and not at 127.0.0.1:",
            "let it read its port from the environment (PORT)",
        ],
    );
    place.assert_clean();
}

#[test]
fn a_candidate_that_is_run_so_today_takes_no_second_place() {
    let place = Place::new();
    place.write("serve.py", PROGRAM);
    place.write("Procfile", "web: python3 serve.py $PORT\n");
    let command = ["--command", "python3 serve.py $PORT"];
    let said = trying(&place, &[&command[..], &["--budget", "1s"]].concat());
    let tried = variants(&said);
    assert_eq!(tried[0], "today");
    assert!(!tried.contains(&"own".to_owned()), "{tried:?}");
    says(
        &said,
        &[
            "the variant `today`, in place of `own`, which is the same",
            "not tried: own: the same as `today`",
        ],
    );
    let run = said.json();
    let title = run["run"]["plan"]["variants"][0]["title"].as_str();
    let title = title.unwrap();
    assert!(title.ends_with("(Procfile), the same as own"), "{title}");
    // whoever names both gets both
    let both = trying(
        &place,
        &[&command[..], &["--variants", "own,today"]].concat(),
    );
    assert_eq!(variants(&both), ["today", "own"]);
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
