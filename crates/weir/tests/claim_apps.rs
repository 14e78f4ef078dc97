//! Apps of claims, served by servers that their plans name: everything that their `app.toml` declares, once.

use crate::support::{Place, python, repository, standing};
use serde_json::Value;

/// What every plan here begins with: an app, and a short load.
fn beginning(app: &str) -> String {
    let app = repository().join("apps").join(app);
    let mut plan = format!("app = \"{}\"\n", app.display());
    plan += "noise-floor = \"none\"\n[load]\nconnections = 2\nrequests = 10\nwarm-up = { requests = 2 }\n";
    plan
}

/// Serves some apps with some servers each, and says how many answers of each variant were compared.
fn compared(apps: &[&str], servers: &[&str], python: &str) -> Vec<u64> {
    let folder = repository().join("apps");
    let mut plan = beginning(apps[0]);
    let pairs = apps
        .iter()
        .flat_map(|app| servers.iter().map(move |server| (app, server)));
    plan.extend(pairs.map(|(app, server)| {
        let name = format!("{app}-{server}").replace('/', "-");
        let app = folder.join(app);
        let app = app.display();
        format!("[[variant]]\nname = \"{name}\"\nserver = \"{server}\"\napp = \"{app}\"\n")
    }));
    let each = verified(&plan, python);
    assert_eq!(each.len(), apps.len() * servers.len());
    each
}

/// Runs a plan, and says how many answers of each variant were compared.
fn verified(plan: &str, python: &str) -> Vec<u64> {
    let place = Place::new();
    place.write("plan.toml", plan);
    let said = place.run(&["run", "plan.toml", "--quick", "--json", "--python", python]);
    let run = said.measured().json();
    let trials = standing(&run);
    let compared = trials.iter().map(|trial| {
        let measured = &trial["outcome"]["measured"];
        assert_eq!(measured["load"]["completed"], 10, "{trial:#}");
        let verified = &measured["stack"]["verified"];
        assert_eq!(verified["body_compared"], Value::Null, "{trial:#}");
        verified["requests"].as_u64().unwrap()
    });
    compared.collect()
}

/// The two differ in what they are made with, and in no answer.
#[test]
fn rpc_in_flask_and_on_bare_wsgi() {
    let apps = ["rpc/flask", "rpc/wsgi"];
    let routes = apps.map(|app| {
        let app = stack::app::read(&repository().join("apps").join(app), Some(&python()));
        app.unwrap().routes
    });
    assert_eq!(routes[0], routes[1]);
    assert_eq!(compared(&apps, &["gunicorn"], &catalogued()), [3, 3]);
}

/// The Python that has every server of the catalogue, and what the apps need besides.
fn catalogued() -> String {
    let python = repository().join(".deps/catalogue/bin/python");
    python.display().to_string()
}

/// Its clients differ in how they call, and in no answer.
#[test]
fn the_gateway_with_each_of_its_clients() {
    let clients = "requests requests-anew urllib3 httpx geventhttpclient two-segments one-segment";
    let clients: Vec<_> = clients.split(' ').collect();
    let plan = format!(
        "{}[[variant]]\nname = \"gateway\"\n\
         server = {{ entry = \"gunicorn\", worker-class = \"gevent\" }}\n\
         services = {{ rpc = \"http-origin\" }}\nvary = {{ \"env.GATEWAY_CLIENT\" = {clients:?} }}\n",
        beginning("gateway")
    );
    assert_eq!(verified(&plan, &catalogued()), [2; 7]);
}

#[test]
fn the_shop_is_the_same_whatever_of_it_is_faster() {
    let each = compared(
        &["shop"],
        &["gunicorn", "gevent"],
        python().to_str().unwrap(),
    );
    assert_eq!(each, [4; 2]);
}

/// A backend that reads requests in C, over a connection for each of two and over one that is kept for both.
const ONE_OF_EACH: &str = "noise-floor = \"none\"
[load]
connections = 1
requests = 2
warm-up = { requests = 0 }
timeout = 5
[[variant]]
name = \"anew\"
server = { entry = \"ruby-fcgi\", link = \"fastcgi\", extension = \"c\", supervisor = \"multiwatch\" }
route = \"/login\"
load = { keep-alive = false }
[[variant]]
name = \"kept\"
like = \"anew\"
load = { keep-alive = true }
";

/// What claims/b-backends.toml says of it, and why its clients keep no connection: the second request of one is never answered.
#[test]
fn ruby_fcgi_reads_one_request_of_each_connection() {
    let place = Place::new();
    let app = repository().join("apps/login-rack");
    place.write(
        "plan.toml",
        &format!("app = \"{}\"\n{ONE_OF_EACH}", app.display()),
    );
    let said = place.run(&["run", "plan.toml", "--quick", "--json"]);
    let run = said.measured().json();
    let trials = standing(&run);
    assert_eq!(trials.len(), 2);
    for trial in trials {
        let load = &trial["outcome"]["measured"]["load"];
        let counts = ["completed", "timed_out"].map(|name| load[name].as_u64());
        let answered = if trial["variant"] == "anew" { 2 } else { 1 };
        assert_eq!(counts, [Some(answered), Some(2 - answered)], "{trial:#}");
    }
}

#[test]
fn the_login_in_rails() {
    let servers = ["puma", "thin", "ruby-fcgi", "passenger"];
    let each = compared(&["login-rails"], &servers, python().to_str().unwrap());
    assert_eq!(each, [2; 4]);
}
