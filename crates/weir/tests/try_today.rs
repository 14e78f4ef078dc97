//! `weir try` where the folder says how its app is run today, and where there is not time for everything.

use crate::support::{APP, Place, Said};

const SMALL: [&str; 8] = [
    "try",
    "--quick",
    "-n",
    "100",
    "-c",
    "4",
    "--json",
    "--ready-timeout=2m",
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

/// An app that is run today by a script with a port of its own, which weir cannot know before. It counts its starts.
fn strayed() -> Place {
    let place = Place::new();
    place.write("app.py", APP);
    let counted = "if '--help' not in sys.argv:\n    open('starts', 'a').write('x')\nclass H";
    place.write("serve.py", &PROGRAM.replacen("class H", counted, 1));
    place.write("Procfile", "web: python3 serve.py 0\n"); // the kernel chooses
    place
}

fn starts(place: &Place) -> usize {
    std::fs::read_to_string(place.path("starts")).unwrap().len()
}

#[test]
fn a_command_that_listens_elsewhere_is_started_once_and_the_others_go_on() {
    let place = strayed();
    let said = trying(&place, &["--variants", "today,gunicorn-1"]);
    assert_eq!(variants(&said), ["gunicorn-1"]);
    assert_eq!(starts(&place), 1, "{}", said.err);
    says(&said, &["let it read its port from the environment (PORT)"]);
    assert_eq!(said.err.matches("listens at ").count(), 1, "{}", said.err);
    let run = said.json();
    let plan = &run["run"]["plan"];
    assert_eq!(plan["baseline"], "gunicorn-1");
    let not_tried = plan["not_tried"].as_array().unwrap();
    let today = not_tried.iter().find(|of| of["names"][0] == "today");
    let why = today.unwrap()["why"].as_str().unwrap();
    assert!(why.contains("listens at "), "{why}");
    place.assert_clean();
}

/// Something is required of it, so that it stays, and fails by what is known of it: at most one half of the A/A pair is
/// started once more.
#[test]
fn what_is_required_of_a_command_that_listens_elsewhere_is_not_met_and_costs_few_starts() {
    let place = strayed();
    let condition = "throughput of `today` / throughput of `gunicorn-1` > 0.001";
    let names = ["--variants", "today,gunicorn-1", "--expect", condition];
    let said = trying(&place, &names);
    assert!([3, 4].contains(&said.code), "{} {}", said.code, said.err);
    assert!(starts(&place) <= 3, "{}: {}", starts(&place), said.err);
    let hint = "hint: let it read its port from the environment (PORT)";
    assert_eq!(said.err.matches(hint).count(), 1, "{}", said.err);
    let run = said.json();
    let mut variants = run["judged"]["variants"].as_array().unwrap().iter();
    let today = variants.find(|of| of["name"] == "today").unwrap();
    let why = today["failure"].as_str().unwrap();
    assert!(why.contains("listens at "), "{why}");
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
        &["`Procfile` says how you run it today: the variant `today`"],
    );
    // what there is no time for is a line of its own
    let short = said.err.matches(" setups not tried: ").count();
    assert_eq!(short, 1, "{}", said.err);
    let run = said.json();
    let mut untried = run["run"]["plan"]["not_tried"].as_array().unwrap().iter();
    let own = untried.find(|of| of["names"][0] == "own").unwrap();
    assert_eq!(own["why"], "the same as `today`");
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

/// Fewer blocks fit, the fewest that give a verdict are planned, and what they need beyond the budget is said.
#[test]
fn a_small_budget_has_few_blocks() {
    let place = Place::new();
    place.write("app.py", APP);
    let small = ["try", "-n", "100", "-c", "4", "--json", "--no-stress"];
    let more = ["--ready-timeout=2m", "--budget", "1s"];
    let said = place.run(&[&small[..], &more].concat());
    assert_eq!(said.measured().json()["run"]["plan"]["blocks"], 3);
    says(
        &said,
        &[
            "to serve it, each 3 times: about ",
            "that is more than the budget of 1 s",
        ],
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
