//! What is observed beside a load becomes facts of the trial.

use serde_json::Value;

use crate::support::Place;

pub(crate) const APP: &str = "
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

/// A variant of the app behind this front end.
fn variant(front: &str) -> String {
    format!("[[variant]]\nname = \"{front}\"\nserver = \"gunicorn\"\nfront = \"{front}\"\n")
}

fn series<'a>(observed: &'a Value, of: &str, name: &str) -> &'a Value {
    let all = observed["series"].as_array().unwrap();
    let found = all
        .iter()
        .find(|one| one["of"] == of && one["name"] == name);
    found.unwrap_or_else(|| panic!("no `{name}` of `{of}` in {observed}"))
}

#[test]
fn front_ends_count_what_weir_counts_and_series_lie_on_its_clock() {
    let place = Place::new();
    place.app(APP);
    place.plan(&(variant("nginx") + &variant("haproxy")));
    place.run(&["run", "plan.toml"]).measured();
    let export = place.exported("1");
    for trial in export["trials"].as_array().unwrap() {
        let (load, observed) = (
            &trial["outcome"]["measured"]["load"],
            &trial["outcome"]["measured"]["observed"],
        );
        let front = trial["variant"].as_str().unwrap();
        let counters = &observed["counters"][0];
        assert_eq!(
            (counters["program"].as_str(), &counters["problem"]),
            (Some(front), &Value::Null)
        );
        let requests = counters["values"]["requests"]["value"].as_f64();
        assert_eq!(requests, load["sent"].as_f64(), "{counters} of {load}");
        for (of, name) in [
            ("gunicorn", "cpu-user"),
            (front, "rss"),
            (front, "requests"),
        ] {
            let series = series(observed, of, name);
            let at = series["at"].as_array().unwrap().iter();
            let at: Vec<_> = at.map(Value::as_f64).collect();
            assert!(at.first() < at.last() && at[0] < Some(0.0), "{series}");
            assert_eq!(at.len(), series["values"].as_array().unwrap().len());
        }
        let probes = observed["probes"].as_array().unwrap();
        let names: Vec<_> = probes
            .iter()
            .map(|of| of["probe"].as_str().unwrap())
            .collect();
        let mut expected = vec![
            "counters",
            "network",
            "machine",
            "quota",
            "pressure",
            "clock",
            "sockets",
            "connections",
            "others",
            "memory",
            "processes",
        ];
        // HAProxy tells the times of requests where it tells what it counts
        expected.extend((front == "nginx").then_some("noted"));
        assert_eq!(names, expected);
        // a window may be over before connections are looked at
        let cost = |of: &Value| of["cpu"].as_f64() > Some(0.0) || of["samples"] == 0;
        assert!(probes.iter().all(cost), "{probes:?}");
    }
    let shown = place.run(&["show", "1"]).out;
    let told = ["counted  by", "requests:"].map(|words| shown.contains(words));
    assert_eq!(told, [true, true], "{shown}");
    place.assert_clean();
}

/// What one program counted in the first trial of the first run, and how many requests were sent in it.
pub(crate) fn counted(place: &Place, program: &str) -> (Value, u64) {
    let export = place.exported("1");
    let measured = &export["trials"][0]["outcome"]["measured"];
    let counters = measured["observed"]["counters"].as_array().unwrap();
    let of = counters.iter().find(|of| of["program"] == program);
    let of = of.unwrap_or_else(|| panic!("`{program}` counted nothing: {counters:?}"));
    assert_eq!(of["problem"], Value::Null, "{of}");
    let sent = measured["load"]["sent"].as_u64().unwrap();
    (of["values"].clone(), sent)
}

pub(crate) fn value(values: &Value, name: &str) -> u64 {
    let value = values[name]["value"].as_f64();
    value.unwrap_or_else(|| panic!("no `{name}` in {values}")) as u64
}

#[test]
fn apache_counts_what_weir_counts_and_what_its_workers_do() {
    let place = Place::new();
    place.app(APP);
    place.plan(&variant("apache"));
    place.run(&["run", "plan.toml"]).measured();
    let (values, sent) = counted(&place, "apache");
    // it counts a request after its response: the last one of each connection may be on the other side of an end
    let apart = value(&values, "requests").abs_diff(sent);
    assert!(apart <= 4, "{sent} of {values}");
    assert!(value(&values, "idle") > 0, "{values}");
    assert!(value(&values, "writing") <= 4, "{values}");
    place.assert_clean();
}

#[test]
fn lighttpd_tells_its_connections_by_what_they_do() {
    let place = Place::new();
    place.app(APP);
    place.plan(&variant("lighttpd"));
    place.run(&["run", "plan.toml"]).measured();
    let (values, _) = counted(&place, "lighttpd");
    // the plan's connections stay open, and weir's own is taken out
    assert_eq!(value(&values, "busy"), 4, "{values}");
    let doing = ["reading", "handling", "writing", "keeping-alive"];
    assert!(
        doing.iter().any(|name| value(&values, name) > 0),
        "{values}"
    );
    place.assert_clean();
}

/// Each request opens a connection to the database, and asks it something.
const ASKS: &str = "
import os
def asked(store):
    if store.startswith('postgresql:'):
        import psycopg
        return psycopg.connect(store)
    import pymysql
    return pymysql.connect(user='weir', database='weir', unix_socket=store.split('unix_socket=')[1])
def app(environ, start):
    database = asked(os.environ['STORE'])
    database.cursor().execute('SELECT 1')
    database.commit()
    database.close()
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

#[test]
fn databases_tell_what_they_did_by_a_command() {
    for entry in ["postgresql", "mariadb"] {
        let place = Place::new();
        place.app(ASKS);
        let app = std::fs::read_to_string(place.path("app/app.toml")).unwrap();
        let service = "[services.database]\nenv = { STORE = \"{{ url }}\" }\n";
        place.write("app/app.toml", &(app + service));
        place.plan(&format!(
            "[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\nservices = {{ database = \"{entry}\" }}\n"
        ));
        place.run(&["run", "plan.toml"]).measured();
        let (values, sent) = counted(&place, entry);
        assert_eq!(value(&values, "deadlocks"), 0);
        if entry == "postgresql" {
            assert!(value(&values, "commits") >= sent, "{sent} of {values}");
        } else {
            // one for each request: those of weir's own readings are taken out
            assert_eq!(value(&values, "connects"), sent, "{values}");
            let asked = value(&values, "questions");
            assert!(
                asked >= sent && asked.is_multiple_of(sent),
                "{sent} of {values}"
            );
        }
        place.assert_clean();
    }
}

#[test]
fn passenger_counts_what_weir_counts() {
    let place = Place::new();
    place.write(
        "app/config.ru",
        "run ->(env) { [200, { 'Content-Type' => 'text/plain' }, ['hello']] }\n",
    );
    place.write(
        "app/app.toml",
        "name = \"mine\"\ninterface = \"rack\"\nentry = \"config.ru\"\n[[routes]]\npath = \"/\"\nstatus = 200\n",
    );
    place.plan("[[variant]]\nname = \"one\"\nserver = \"passenger\"\n");
    place.run(&["run", "plan.toml"]).measured();
    let (values, sent) = counted(&place, "passenger");
    // it asks its app once itself, some time after its start
    let requests = value(&values, "requests");
    assert!((sent..=sent + 1).contains(&requests), "{sent} of {values}");
    place.assert_clean();
}

#[test]
fn counters_can_be_left_out() {
    let place = Place::new();
    place.app(APP);
    place.plan("[[variant]]\nname = \"plain\"\nserver = \"gunicorn\"\nfront = { entry = \"nginx\", counters = false, times = false }\n");
    place.run(&["run", "plan.toml"]).measured();
    let export = place.exported("1");
    let measured = &export["trials"][0]["outcome"]["measured"];
    assert_eq!(measured["observed"]["counters"], Value::Null);
    let files = &measured["stack"]["servers"][0]["files"][0];
    let content = files["content"].as_str().unwrap();
    assert!(
        !content.contains("stub_status") && !content.contains("times.log"),
        "{files}"
    );
}

#[test]
fn an_entry_says_what_it_counts() {
    let place = Place::new();
    let said = place.run(&["catalogue", "explain", "nginx"]);
    let words = "counts accepts (connections), active (connections, a gauge)";
    assert!(said.succeeds().out.contains(words), "{}", said.out);
}

/// What is told of one variant: so many clients of an app that sleeps for 50 ms in threads, behind this front end.
pub(crate) fn behind(front: &str, clients: u32, seconds: u32) -> (Place, Value) {
    let place = Place::new();
    place.app(&format!(
        "import time\n{}",
        APP.replace("    start(", "    time.sleep(0.05)\n    start(")
    ));
    place.plan(&format!(
        "[[variant]]\nname = \"one\"\nfront = {{ {front} }}\n\
         server = {{ entry = \"gunicorn\", workers = 1, worker-class = \"gthread\", threads = 64 }}\n\
         load = {{ connections = {clients}, seconds = {seconds} }}\n"
    ));
    place.run(&["run", "plan.toml", "--blocks", "1"]).measured();
    let explained = place.run(&["explain", "1:one", "--json"]).succeeds().json();
    (place, explained[0].clone())
}

#[test]
fn nginx_tells_where_the_time_of_a_response_is_spent() {
    // a line for one request in a hundred; and looks at the sockets, which are dear where many connections have just been closed
    let (place, explained) = behind("entry = \"nginx\"", 128, 14);
    let parts = &explained["parts"];
    let part = |name: &str| parts[name].as_f64().unwrap();
    assert_eq!(
        (&parts["front"], &parts["behind"]),
        (&"nginx".into(), &"gunicorn".into())
    );
    assert!(part("server") >= 0.045 && part("all") >= 0.05, "{parts}");
    // 64 threads work on as many, and the others wait for as long as these take
    assert!(part("unread") >= 0.02, "{parts}");
    assert!(part("unread") <= part("server"), "{parts}");
    assert!(part("inside") < part("server"), "{parts}");
    let export = place.exported("1");
    let observed = &export["trials"][0]["outcome"]["measured"]["observed"];
    let queues = observed["queues"].as_array().unwrap();
    for program in ["nginx", "gunicorn"] {
        let mut own = queues.iter().filter(|of| of["program"] == program);
        assert!(own.any(|of| of["room"].as_u64() > Some(0)), "{queues:?}");
    }
    let said = place.run(&["explain", "1"]);
    // lines are broken where the page ends
    let told: Vec<_> = said.succeeds().out.split_whitespace().collect();
    let told = told.join(" ");
    for words in [" outside `nginx`, ", " at `gunicorn`, about "] {
        assert!(told.contains(words), "`{words}`: {told}");
    }
    place.assert_clean();
}

#[test]
fn haproxy_tells_how_long_requests_wait_for_a_server() {
    let (place, explained) = behind("entry = \"haproxy\", server-maxconn = 1", 16, 2);
    let parts = &explained["parts"];
    let part = |name: &str| parts[name].as_f64().unwrap();
    // one request is handed on at a time, and fifteen wait
    assert!(part("queue") > 5.0 * part("server"), "{parts}");
    let said = place.run(&["explain", "1"]);
    said.succeeds();
    assert!(said.out.contains(" in its queue, "), "{}", said.out);
    place.assert_clean();
}
