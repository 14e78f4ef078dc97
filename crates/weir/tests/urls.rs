//! Variants of a plan that are URLs: servers that weir does not run.

use serde_json::Value;
use testkit::{Authority, Nginx};

use crate::support::{Place, standing};

const APP: &str = "
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

fn hello(text: &str) -> Nginx {
    Nginx::start(&format!(
        "default_type text/plain; location / {{ return 200 {text}; }}"
    ))
}

fn variant(name: &str, of: &Nginx, path: &str) -> String {
    format!(
        "[[variant]]\nname = \"{name}\"\nurl = \"http://{}{path}\"\n",
        of.address()
    )
}

fn without_app(variants: &str) -> String {
    let load = "[load]\nconnections = 2\nrequests = 400\nwarm-up = { requests = 40 }\n";
    format!("blocks = 2\nseed = 1\nnoise-floor = \"none\"\n{load}{variants}")
}

#[test]
fn two_urls_are_loaded_in_turn() {
    let (staging, production) = (hello("hello"), hello("hello"));
    let place = Place::new();
    let variants = variant("staging", &staging, "/x") + &variant("production", &production, "/x");
    place.write("urls.toml", &without_app(&variants));
    let said = place.run(&["run", "urls.toml"]);
    said.measured();
    assert!(said.out.contains("loaded in turn"), "{}", said.out);
    for name in ["staging", "production"] {
        assert!(said.out.contains(name), "{}", said.out);
    }
    let export: Value = serde_json::from_str(&place.run(&["show", "last", "--json"]).out).unwrap();
    let trials = standing(&export);
    assert_eq!(trials.len(), 4);
    let measured = &trials[0]["outcome"]["measured"];
    assert_eq!(measured["load"]["completed"], 400);
    assert_eq!(measured["stack"]["verified"]["requests"], 1);
    assert_eq!(measured["stack"]["verified"]["body_bytes"], 5);
    place.assert_clean();
}

#[test]
fn the_plan_that_compare_shows_can_be_run() {
    let (before, after) = (hello("hello"), hello("hello"));
    let place = Place::new();
    let help = place.run(&["compare", "--help"]);
    let (_, plan) = help.succeeds().out.split_once("\nblocks = ").unwrap();
    let plan = format!("blocks = {plan}")
        .replace("127.0.0.1:8001", &before.address().to_string())
        .replace("127.0.0.1:8002", &after.address().to_string())
        .replace("seconds = 5", "seconds = 1");
    place.write("two.toml", &plan);
    let said = place.run(&["run", "two.toml", "--quick"]);
    for name in ["before", "after"] {
        assert!(said.measured().out.contains(name), "{}", said.out);
    }
    place.assert_clean();
}

#[test]
fn a_url_is_compared_with_the_app_that_weir_serves() {
    let (same, other) = (hello("hello"), hello("bonjour"));
    let place = Place::new();
    place.app(APP);
    let own = "[[variant]]\nname = \"here\"\nserver = \"gunicorn\"\n";
    place.plan(&(own.to_owned() + &variant("there", &same, "")));
    place.run(&["run", "plan.toml"]).measured();
    place.plan(&(own.to_owned() + &variant("there", &other, "")));
    place
        .run(&["run", "plan.toml"])
        .fails(8, &["variant `there`", "bonjour"]);
}

#[test]
fn servers_that_answer_differently_are_not_compared() {
    let (one, two) = (hello("hello"), hello("bonjour"));
    let place = Place::new();
    place.write(
        "urls.toml",
        &without_app(&(variant("one", &one, "/") + &variant("two", &two, "/"))),
    );
    place
        .run(&["run", "urls.toml"])
        .fails(8, &["gets a wrong response", "GET /"]);
}

#[test]
fn a_certificate_of_nobody_is_accepted_where_the_plan_says_so() {
    let authority = Authority::new();
    let own = authority.certify("localhost");
    let nginx = Nginx::start_tls(&format!(
        "{} location / {{ return 200 hello; }}",
        own.directives()
    ));
    let place = Place::new();
    let url = format!("url = \"https://localhost:{}/\"\n", nginx.address().port());
    let variant = |more: &str| without_app(&format!("[[variant]]\nname = \"one\"\n{url}{more}"));
    place.write("urls.toml", &variant(""));
    place
        .run(&["run", "urls.toml"])
        .fails(9, &["certificate", "`insecure = true`"]);
    place.write("urls.toml", &variant("insecure = true\n"));
    place.run(&["run", "urls.toml"]).measured();
}

#[test]
fn what_makes_no_sense_about_a_url_is_refused_before_anything_is_asked() {
    let place = Place::new();
    place.app(APP);
    let url = "url = \"http://127.0.0.1:9/\"\n";
    let variant = |more: &str| format!("[[variant]]\nname = \"one\"\n{more}");
    for (plan, words) in [
        (variant("server = \"gunicorn\"\n"), ["`app`", "is missing"]),
        (
            variant(&format!("{url}server = \"gunicorn\"\n")),
            ["weir starts nothing", "`server`"],
        ),
        (
            variant(&format!("{url}env = {{ A = \"b\" }}\n")),
            ["weir starts nothing", "`env`"],
        ),
        (
            variant(&format!("{url}insecure = true\n")),
            ["about TLS", "`https` URL"],
        ),
        (
            variant(&format!("{url}route = \"/x\"\n")),
            ["`variant[0].route`", "into `url`"],
        ),
        (
            variant("url = \"gopher://127.0.0.1:9/\"\n"),
            ["`variant[0].url`", "unsupported scheme `gopher`"],
        ),
        (
            variant("url = \"http://no-such-host.invalid/\"\n"),
            ["`variant[0].url`", "no address is known"],
        ),
        (variant(""), ["`app`", "only variants with a `url`"]),
    ] {
        place.write("urls.toml", &without_app(&plan));
        place.run(&["run", "urls.toml"]).fails(5, &words);
    }
    place.plan(&variant("url = \"http://127.0.0.1:9/path\"\n"));
    place
        .run(&["run", "plan.toml"])
        .fails(5, &["`variant[0].url`", "server alone"]);
}
