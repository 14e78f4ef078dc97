//! Routes that are more than a path: a method, a body, an answer that is no text.

use crate::support::{Place, REQUESTS, standing};
use serde_json::Value;

/// Greets who asks, keeps what is put, and echoes what is posted, which must be what the route says.
const APP: &str = r#"
def app(environ, start):
    if environ["REQUEST_METHOD"] == "GET":
        status, body = "200 OK", b"hello"
    else:
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        known = environ.get("HTTP_X_WHO") == "ada" and body == bytes([0, 255, 13, 10]) * 5000
        status = "201 Created" if known else "400 Bad Request"
    start(status, [("Content-Type", "application/x-echo"), ("Content-Length", str(len(body)))])
    return [body]
"#;

const ROUTES: &str = r#"
name = "mine"
interface = "wsgi"
entry = "mine:app"

[[routes]]
path = "/"

[[routes]]
path = "/"
method = "POST"
headers = { x-who = "ada" }
body = { file = "body.bin" }
status = 201
expect-headers = { content-type = "application/x-echo" }
equals = { file = "body.bin" }

[[routes]]
path = "/item"
method = "PUT"
headers = { x-who = "ada" }
body = { file = "body.bin" }
status = 201

[[routes]]
path = "/item"
method = "DELETE"
status = 400
"#;

const VARIANTS: &str = r#"
[[variant]]
name = "get"
server = "gunicorn"
route = "/"

[[variant]]
name = "post"
server = { entry = "gunicorn", link = "uwsgi+unix" }
front = { entry = "nginx" }
route = "POST /"

[[variant]]
name = "put"
server = "gunicorn"
route = "PUT /item"
"#;

fn place() -> Place {
    let place = Place::new();
    place.app(APP);
    place.write("app/app.toml", ROUTES);
    std::fs::write(place.path("app/body.bin"), [0, 255, 13, 10].repeat(5_000)).unwrap();
    place
}

#[test]
fn methods_and_bodies_are_compared_and_loaded() {
    let place = place();
    place.plan(VARIANTS);
    let run = place.run(&["run", "plan.toml", "--json"]).measured().json();
    let trials = standing(&run);
    assert_eq!(trials.len(), 3);
    for trial in &trials {
        let measured = &trial["outcome"]["measured"];
        let status = if trial["variant"] == "get" {
            "200"
        } else {
            "201"
        };
        let load = &measured["load"];
        assert_eq!(load["statuses"][status], REQUESTS, "{load:#}");
        assert_eq!(load["completed"], REQUESTS, "{load:#}");
        assert_eq!(load["bodies"]["compared"], REQUESTS, "to the byte");
        let verified = &measured["stack"]["verified"];
        assert_eq!(verified["requests"], 4, "{verified:#}");
        assert_eq!(verified["body_compared"], Value::Null);
    }
    let bytes = |variant: &str| {
        let trial = trials
            .iter()
            .find(|trial| trial["variant"] == variant)
            .unwrap();
        let load = &trial["outcome"]["measured"]["load"];
        load["bytes_sent"].as_u64().unwrap()
    };
    assert!(
        bytes("post") > REQUESTS * 20_000,
        "the body is sent each time"
    );
    assert!(bytes("get") < REQUESTS * 1_000);
    let routes = run["run"]["plan"]["app"]["routes"].as_array().unwrap();
    assert!(routes[1]["body"]["base64"].is_string(), "{routes:#?}");
    place.assert_clean();
}

#[test]
fn a_name_that_could_be_several_routes_is_refused() {
    let place = place();
    for (route, words) in [
        (
            "/item",
            [
                "several routes `/item`",
                "use one of `/`, `POST /`, `PUT /item`",
            ],
        ),
        (
            "PUT /",
            ["no route `PUT /`", "use one of `/`, `POST /`, `PUT /item`"],
        ),
    ] {
        place.plan(&VARIANTS.replace("PUT /item", route));
        let said = place.run(&["run", "plan.toml"]);
        said.fails(5, &words);
    }
}

#[test]
fn a_body_that_is_answered_with_another_is_told() {
    let place = place();
    let wrong = ROUTES.replace(
        "equals = { file = \"body.bin\" }",
        "equals = { base64 = \"AP8NCg==\" }",
    );
    place.write("app/app.toml", &wrong);
    place.plan(VARIANTS);
    let said = place.run(&["run", "plan.toml"]);
    said.fails(8, &["`POST /` gets a wrong response", r"- \x00\xff\r\n"]);
}

#[test]
fn a_page_cannot_be_posted() {
    let place = place();
    place.plan(&format!("{VARIANTS}load = {{ page = true }}\n"));
    let said = place.run(&["run", "plan.toml"]);
    said.fails(5, &["load.page", "`PUT /item` is no page"]);
}

/// Without a plan: what is asked is said on the command line.
#[test]
fn an_app_that_is_posted_to_without_a_plan() {
    let place = place();
    let trying = |more: &[&str]| {
        let fixed = [
            "try", "mine:app", "--dir", "app", "--quick", "-n", "400", "-c", "4", "--json",
        ];
        let only = ["--variants", "gunicorn-1", "--path", "/item", "-X", "POST"];
        let args: Vec<&str> = fixed.iter().chain(&only).chain(more).copied().collect();
        place.run(&args)
    };
    let body = [
        "--body-file",
        "app/body.bin",
        "-H",
        "X-Who: ada",
        "--status",
        "201",
        "--yes-write",
    ];
    let run = trying(&body).measured().json();
    let variants = run["judged"]["variants"].as_array().unwrap();
    let all_count = |of: &serde_json::Value| of["left_out"] == 0 && of["failure"].is_null();
    assert!(variants.iter().all(all_count), "{variants:#?}");
    assert_eq!(run["run"]["plan"]["variants"][0]["route"], "POST /item");
    place.assert_clean();
}
