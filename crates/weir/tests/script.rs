//! wrk's Lua scripts, from the command line.

mod support;

use support::{Place, Said};
use testkit::Nginx;

const SITE: &str = "location / { return 200 'it is ok'; }";

/// Loads nginx with a script of this text.
fn bench(text: &str, rest: &[&str]) -> Said {
    let nginx = Nginx::start(SITE);
    let place = Place::new();
    let script = place.write("script.lua", text);
    let url = format!("http://{}/?a", nginx.address());
    let mut args = vec!["bench", &url, "-c", "4", "-n", "200", "-t", "2", "--script"];
    args.push(script.to_str().unwrap());
    args.extend(rest);
    place.run(&args)
}

#[test]
fn a_script_that_fails_is_told_before_any_load() {
    for (text, wanted) in [
        ("\nfunction setup(t) t:nothing() end", "fails in setup(): `"),
        (
            "\nfunction init(args) error(args[1]) end",
            "script.lua:2: given`",
        ),
        ("\nx = = 1", "script.lua:2: unexpected symbol"),
        (
            "function request() return 'GET /' end",
            "incomplete request at `1:6`",
        ),
    ] {
        let said = bench(text, &["--", "given"]);
        assert_eq!(said.code, 2, "{}", said.err);
        assert!(said.err.contains(wanted), "{}", said.err);
        assert!(said.err.contains("\nhint: "), "{}", said.err);
        assert_eq!(said.out, "");
    }
}

#[test]
fn arguments_need_a_script() {
    let said = Place::new().run(&["bench", "http://127.0.0.1:1/", "--", "one"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("--script"), "{}", said.err);
}
