//! `weir bench --goal`: the highest rate at which a condition holds.

use serde_json::Value;
use testkit::Nginx;

use crate::support::Place;

/// Lets 500 requests a second through, one every 2 ms, and makes up to 4,000 others wait.
fn nginx() -> Nginx {
    let http = "limit_req_zone $server_port zone=all:1m rate=500r/s;";
    Nginx::start_with(
        http,
        "limit_req zone=all burst=4000; location / { root .; index page; }",
    )
}

#[test]
fn the_rate_lies_between_one_that_holds_and_one_that_does_not() {
    let nginx = nginx();
    std::fs::write(nginx.folder().join("page"), "hello").unwrap();
    let url = format!("http://{}/", nginx.address());
    let place = Place::new();
    let goal = "p99 < 200ms, errors < 1%";
    let said = place.run(&[
        "bench",
        &url,
        "--goal",
        goal,
        "--survey-seconds",
        "60s",
        "--json",
        "-q",
    ]);
    let json = said.measured().json();
    let reached = &json["judged"]["reached"];
    let (holds, misses) = (reached["holds"].as_f64(), reached["misses"].as_f64());
    // a busy machine takes from it, and nothing gives it more than a window is short of showing
    assert!(holds.is_none_or(|rate| rate < 550.0), "{reached:#}");
    assert!(misses > holds && misses.is_some(), "{reached:#}");
    assert_eq!(reached["goals"].as_array().map(Vec::len), Some(2));
    let trials = json["trials"].as_array().unwrap();
    let offered = |trial: &Value| trial["outcome"]["measured"]["load"]["offered"].as_f64();
    assert!(
        offered(&trials[0]).is_none() && trials.len() > 2,
        "{reached:#}"
    );
    assert!(
        trials[1..].iter().all(|trial| offered(trial).is_some()),
        "{reached:#}"
    );
    let shown = place.run(&["show", "last"]);
    let words = "`p99 < 200ms` and `errors < 1%` hold";
    assert!(shown.out.contains(words), "{}", shown.out);
    for other in [["-R", "10"], ["-d", "10s"], ["-n", "10"]] {
        place
            .run(&["bench", &url, "--goal", goal, other[0], other[1]])
            .fails_with(2);
    }
    place
        .run(&["bench", &url, "--goal", "p99 < 5"])
        .fails_with(2);
    place.assert_clean();
}

/// Answers in 5 ms, one request at a time, so that it can about 150 a second: and half of that in 10 ms.
const APP: &str = "import os, time
def app(environ, start):
    time.sleep(float(os.environ['TAKES']))
    start('200 OK', [('Content-Type', 'text/plain'), ('Content-Length', '2')])
    return [b'ok']
";

#[test]
fn a_variant_of_a_plan_is_as_fast_as_its_goal_allows() {
    let place = Place::new();
    place.app(APP);
    let plan = "app = \"app\"\nblocks = 1\nnoise-floor = \"none\"\n\
                [load]\ngoal = \"p90 < 150ms, errors < 1%\"\nseconds = 20\n\
                [[variant]]\nname = \"quick\"\nserver = \"gunicorn\"\nenv = { TAKES = \"0.005\" }\n\
                [[variant]]\nname = \"slow\"\nlike = \"quick\"\nenv = { TAKES = \"0.02\" }\n";
    place.write("plan.toml", plan);
    let said = place.run(&["run", "plan.toml", "--json", "-q"]);
    let json = said.measured().json();
    let rate = |name: &str| {
        let trials = json["trials"].as_array().unwrap().iter();
        let mut own = trials.filter(|of| of["variant"] == name);
        let load = &own.next().unwrap()["outcome"]["measured"]["load"];
        assert!(load["shape"]["open"].is_object(), "{load:#}");
        load["offered"].as_f64().unwrap()
    };
    let (quick, slow) = (rate("quick"), rate("slow"));
    // what each can at most, and half of it: a busy machine takes from it
    assert!(slow < 50.0 && quick < 200.0, "{quick} {slow}");
    assert!(quick > 1.5 * slow, "{quick} {slow}");
    let shown = place.run(&["show", "last"]);
    let words = "the highest rate at which `p90 < 150ms, errors < 1%` holds";
    assert!(shown.out.contains(words), "{}", shown.out);
    let wrong = plan.replace("p90 <", "p90 <<");
    place.write("plan.toml", &wrong);
    place.run(&["run", "plan.toml"]).fails(5, &["load.goal"]);
    place.write("plan.toml", &plan.replace("seconds = 20", "rate = 20"));
    place.run(&["run", "plan.toml"]).fails_with(2);
    place.assert_clean();
}
