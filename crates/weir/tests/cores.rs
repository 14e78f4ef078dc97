//! Cores of the load generator, which nothing of the stack runs on.

use crate::support::{Place, python};

/// Notes how many processors it and what it starts may run on.
const APP: &str = "
import os, subprocess, sys
child = subprocess.check_output([sys.executable, '-c', 'import os; print(len(os.sched_getaffinity(0)))'], text=True)
with open('../seen', 'a') as seen:
    seen.write(f'{len(os.sched_getaffinity(0))} and {child}')
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain'), ('Content-Length', '2')])
    return [b'ok']
";
const VARIANTS: &str = "
[[variant]]
name = \"one\"
server = { entry = \"gunicorn\", workers = \"cores\" }
";

#[test]
fn the_stack_is_kept_on_its_own() {
    let place = Place::new();
    place.app(APP);
    let plan = place.plan(VARIANTS);
    let plan = plan.to_str().unwrap();
    if observe::cores() < 2 {
        let refused = place.run(&["run", plan, "--load-cpus", "1"]);
        refused.fails(5, &["`cpus`: 2 cores are wanted", "let all share all"]);
        return;
    }
    let rest = observe::cores() - 1;
    let run = place.run(&["run", plan, "--load-cpus", "1", "--json"]);
    run.measured();
    let document = run.json();
    assert_eq!(
        document["run"]["plan"]["cpus"],
        serde_json::json!({ "load": 1 })
    );
    let trial = &document["trials"][0]["outcome"]["measured"];
    // the server that gives the reference is not loaded
    let seen = std::fs::read_to_string(place.path("seen")).unwrap();
    assert_eq!(
        seen.lines().last(),
        Some(&*format!("{rest} and {rest}")),
        "{seen}"
    );
    let workers = trial["processes"].as_array().unwrap().iter();
    let gunicorns = workers.filter(|of| of["owner"] == "gunicorn").count();
    assert_eq!(
        gunicorns as u32,
        1 + rest,
        "a master, and a worker for each of its cores"
    );
    assert_eq!(trial["load"]["engine"]["threads"], 1, "{trial}");
    let shown = place.run(&["show", "1"]);
    let said = "the load generator has 1 core to itself, the stack the rest";
    assert!(shown.out.contains(said), "{}", shown.out);
    place.assert_clean();
}

/// The machine of the tests may have fewer cores than these.
#[test]
fn where_stacks_are_compared_the_generator_has_cores_of_its_own() {
    let place = Place::new();
    place.app(APP);
    let two = VARIANTS.replace("\"one\"", "\"two\"");
    let cpus = |keys: &str, cores: u32| {
        let text = format!("app = \"app\"\n{keys}[load]\nseconds = 1\n{VARIANTS}{two}");
        let path = place.write("plan.toml", &text);
        let plan = experiment::read_plan(&path, Some(&python()), cores).unwrap();
        plan.cpus.map(|of| (of.load, of.stack))
    };
    assert_eq!(cpus("", 2), None);
    assert_eq!(cpus("", 4), Some((1, None)));
    assert_eq!(cpus("cpus = { load = 0 }\n", 4), None);
    let given = cpus("cpus = { load = 2, stack = 1 }\n", 4);
    assert_eq!(given, Some((2, Some(1))));
}

#[test]
fn what_all_share_is_not_the_stacks_own() {
    let place = Place::new();
    place.app(APP);
    let cpus = "cpus = { load = 0, stack = 1 }";
    let text = format!("app = \"app\"\n{cpus}\n[load]\nseconds = 1\n{VARIANTS}");
    place.write("plan.toml", &text);
    let refused = place.run(&["run", "plan.toml", "--dry-run"]);
    let words = [
        "`cpus`: with `load = 0` all share all",
        "cpus = { load = 0 }",
    ];
    refused.fails(5, &words);
    place.assert_clean();
}

#[test]
fn more_than_there_are_is_refused() {
    let place = Place::new();
    place.app(APP);
    let plan = place.plan(VARIANTS);
    let plan = plan.to_str().unwrap();
    let all = observe::cores().to_string();
    let refused = place.run(&["run", plan, "--load-cpus", &all]);
    let wanted = format!(
        "`cpus`: {} cores are wanted, and weir may use {all} here",
        observe::cores() + 1
    );
    refused.fails(5, &[&wanted, "leave one core or more to the stack"]);
    let refused = place.run(&["run", plan, "--load-cpus", &u32::MAX.to_string()]);
    refused.fails(5, &["cores are wanted"]);
    place.assert_clean();
}
