//! `weir bench --login`: what a user sees who has logged in, whatever makes the requests.

use crate::login::APP;
use crate::support::{Place, PythonServer, Said, said};

/// Serves that app at a port of the kernel's choice.
const SERVES: &str = "
from wsgiref.simple_server import make_server, WSGIRequestHandler

class Quiet(WSGIRequestHandler):
    def log_message(self, *args):
        pass

server = make_server('127.0.0.1', 0, app, handler_class=Quiet)
print(server.server_port, flush=True)
server.serve_forever()
";

fn bench(place: &Place, url: &str, login: &str, more: &[&str]) -> Said {
    let load = ["bench", url, "-c", "1", "-n", "20", "--warm-up", "0s"];
    let mut weir = place.weir(&[&load[..], &["--login", login], more].concat());
    weir.env("SHOP_KEY", "k e&y");
    said(weir)
}

const LOGIN: &str = "POST /login user=ann key=$SHOP_KEY";

#[test]
fn every_request_is_of_the_session() {
    let server = PythonServer::start(&format!("{APP}{SERVES}"));
    let place = Place::new();
    place.write(
        "mix.toml",
        "[[request]]\npath = \"/\"\ncontains = \"hello ann\"\n",
    );
    let line = "127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 5 \"-\" \"x\"\n";
    place.write("access.log", &line.repeat(20));
    for more in [
        &["--contains", "hello ann"][..],
        // beside a cookie of its own
        &["-H", "Cookie: a=b", "--contains", "with a=b; sid=s0"],
        &["--mix", "mix.toml"],
        &["--replay", "access.log", "--pace", "asap"],
    ] {
        let said = bench(&place, &server.url, LOGIN, more);
        let all = "20 scheduled = 20 completed + 0 failed";
        assert!(said.out.contains(all), "{more:?} {}{}", said.out, said.err);
    }
    // it is set up twice, and heard once
    place.write("own.lua", "function init() print('set up') end");
    let own = ["--script", "own.lua", "--contains", "hello ann"];
    let said = bench(&place, &server.url, LOGIN, &own);
    let told = format!("{}{}", said.out, said.err);
    assert!(told.contains("20 scheduled = 20 completed"), "{told}");
    assert_eq!(told.matches("set up").count(), 1, "{told}");
    let page = bench(&place, &server.url, LOGIN, &["--page"]);
    assert!(page.err.contains(" whole, 0 in part"), "{}", page.err);
    let json = r#"POST /login {"user": "ann", "key": "$SHOP_KEY"}"#;
    let said = bench(&place, &server.url, json, &["--contains", "hello ann"]);
    said.measured();
}

#[test]
fn what_logs_in_is_in_no_output_and_no_report() {
    let server = PythonServer::start(&format!("{APP}{SERVES}"));
    let place = Place::new();
    let said = bench(&place, &server.url, LOGIN, &["--json", "--out", "out"]);
    let json = said.measured().json();
    assert_eq!(json["run"]["plan"]["app"]["login"], "POST /login ***");
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    let shown = place.run(&["show", "last", "--json"]).out;
    for text in [&said.out, &said.err, &page, &shown] {
        for secret in ["k e&y", "sid=s0", "SHOP_KEY"] {
            assert!(!text.contains(secret), "`{secret}`: {text}");
        }
    }
}

/// Nothing listens there: whatever is sent ends with 9.
#[test]
fn what_makes_no_sense_is_told_before_anything_is_sent() {
    let (place, nowhere) = (Place::new(), "http://127.0.0.1:9/");
    place.write("mix.toml", "[[request]]\npath = \"no slash\"\n");
    place.write("syntax.lua", "x = = 1");
    place.write("init.lua", "function init() error('no words') end");
    for (more, code, words) in [
        (["--mix", "mix.toml"], 5, "does not begin with `/`"),
        (["--replay", "no.log"], 5, "cannot read `no.log`"),
        (["--body-file", "no.json"], 2, "cannot read `no.json`"),
        (["--sweep", "requests=10,20"], 2, "say the same"),
        (["--script", "no.lua"], 5, "cannot read the script `no.lua`"),
        (["--script", "syntax.lua"], 5, "syntax.lua:1: unexpected"),
        (["--script", "init.lua"], 5, "init.lua:1: no words"),
    ] {
        bench(&place, nowhere, LOGIN, &more).fails(code, &[words]);
    }
    let said = bench(&place, nowhere, LOGIN, &["--matches", "("]);
    said.fails_with(2);
    assert!(said.err.contains("regular expression"), "{}", said.err);
}

#[test]
fn a_login_that_opens_no_session_ends_it_before_the_load() {
    let server = PythonServer::start(&format!("{APP}{SERVES}"));
    let place = Place::new();
    let again = "answers `POST /login` with its form again, as for credentials that are wrong";
    bench(&place, &server.url, "POST /login user=ann key=wrong", &[]).fails(8, &[again]);
    let unset = "cannot log in: `$WEIR_NO_SUCH` in `POST /login …` is not set";
    let login = "POST /login user=ann key=$WEIR_NO_SUCH";
    bench(&place, &server.url, login, &[]).fails(2, &[unset, "export WEIR_NO_SUCH="]);
    let url = "http://127.0.0.1:9/";
    bench(&place, url, LOGIN, &[]).fails(9, &["cannot log in", "connection refused"]);
    let unread = bench(&place, &server.url, "GET /login", &[]);
    assert_eq!(unread.code, 2, "{}", unread.err);
}
