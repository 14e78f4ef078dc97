//! wrk's Lua scripts, from the command line.

use crate::support::{Place, Said, repository};
use serde_json::Value;
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
        said.fails(5, &[wanted]);
        assert_eq!(said.out, "");
    }
}

#[test]
fn arguments_need_a_script() {
    let said = Place::new().run(&["bench", "http://127.0.0.1:1/", "--", "one"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("--script"), "{}", said.err);
}

#[test]
fn every_answer_is_verified_by_the_script() {
    let said = bench(
        "local threads = {}
         function setup(thread) threads[#threads + 1] = thread end
         function init(args)
           right, wrong, word = 0, 0, args[1]
           print('ready at ' .. tostring(wrk.thread.addr))
         end
         function response(status, headers, body)
           local good = status == 200 and body:find(word, 1, true) and headers['Server']
           if good then right = right + 1 else wrong = wrong + 1 end
         end
         function done(summary, latency, requests)
           local r, w = 0, 0
           for _, thread in ipairs(threads) do
             r, w = r + thread:get('right'), w + thread:get('wrong')
           end
           assert(latency:percentile(50) >= latency.min and latency.max >= latency:percentile(99))
           assert(summary.duration > 0 and summary.bytes > 0 and summary.errors.status == 0)
           print(string.format('right=%d wrong=%d of %d', r, w, summary.requests))
         end",
        &["--", "ok"],
    );
    assert_eq!(
        said.out.matches("ready at 127.0.0.1:").count(),
        2,
        "{}{}",
        said.out,
        said.err
    );
    assert!(
        said.out.ends_with("right=200 wrong=0 of 200\n"),
        "{}{}",
        said.out,
        said.err
    );
}

#[test]
fn a_script_that_fails_in_the_load_costs_a_request() {
    let said = bench(
        "local asked = 0
         function request()
           asked = asked + 1
           if asked == 10 then error('the tenth') end
           return wrk.format('GET', '/' .. asked)
         end
         function done(summary) print('answered ' .. summary.requests) end",
        &[],
    );
    assert!(said.out.contains("the tenth"), "{}{}", said.out, said.err);
    assert!(said.out.contains("answered 19"), "{}", said.out);
}

#[test]
fn a_load_ends_when_every_thread_has_been_stopped() {
    let text = "local heard = 0
         function response()
           heard = heard + 1
           if heard == 5 then wrk.thread:stop() end
         end
         function done(summary) print('answered ' .. summary.requests) end";
    for more in [&[][..], &["-R", "5000"], &["--think", "1ms"]] {
        let said = bench(text, more);
        let answered = said.out.lines().last().unwrap_or_default();
        let count = answered
            .strip_prefix("answered ")
            .and_then(|n| n.parse::<u32>().ok());
        assert!(
            (10..200).contains(&count.unwrap_or(0)),
            "{}{}",
            said.out,
            said.err
        );
        assert!(said.out.contains("+ 0 failed"), "{}", said.out);
    }
}

#[test]
fn what_a_script_prints_stays_out_of_a_document() {
    let text = "print('read', 1)
         function done() io.write('written\\n') io.stdout:write('and ', 'this\\n') end";
    let said = bench(text, &["--format", "json"]);
    said.json();
    for printed in ["read\t1\n", "written\n", "and this\n"] {
        assert!(said.err.contains(printed), "{}", said.err);
    }
}

/// A server for the journeys of the document: each connection has a token, and a cookie.
const SHOP: &str = "
    location = /login { default_type application/json; return 200 '{\"token\":\"t$connection\"}'; }
    location = /items { if ($http_authorization != \"Bearer t$connection\") { return 401; } return 200 two; }
    location = /session { add_header Set-Cookie 'id=c$connection; Path=/'; return 200 in; }
    location = /account { if ($http_cookie != \"id=c$connection\") { return 401; } return 200 $arg_page; }";

/// Loads the shop with a journey, one thread's four users.
fn visit(text: &str, rest: &[&str]) -> Said {
    let nginx = Nginx::start(SHOP);
    let place = Place::new();
    let script = place.write("shop.lua", text);
    let url = format!("http://{}/", nginx.address());
    let script = ["--script", script.to_str().unwrap()];
    let args = ["bench", &url, "-c", "4", "-t", "1"];
    place.run(&[&args[..], &script, rest].concat())
}

/// The scripts of the document, in their order.
fn documented() -> Vec<String> {
    let text = std::fs::read_to_string(repository().join("docs/scripts.md")).unwrap();
    let scripts = text.split("```lua\n").skip(1);
    let scripts = scripts.map(|rest| rest.split("```").next().unwrap().to_owned());
    scripts.collect()
}

#[test]
fn the_journeys_of_the_document_run() {
    let scripts = documented();
    assert_eq!(scripts.len(), 2);
    for (script, names) in scripts.iter().zip([2, 0]) {
        let said = visit(script, &["-n", "16", "--json"]);
        let facts = said.measured().load();
        let load = &facts["load"];
        assert_eq!(load["completed"], 16, "{load:#}");
        assert_eq!(load["failed"], serde_json::json!({}), "{load:#}");
        let named = load["named"].as_array().map_or(0, Vec::len);
        assert_eq!(named, names, "{load:#}");
    }
}

#[test]
fn a_journey_runs_at_a_rate_too() {
    let text = "names = { 'login', 'items' }
        function user()
          local token = weir.json(weir.post('/login', '', nil, 'login').body).token
          local items = weir.get('/items', { Authorization = 'Bearer ' .. token }, 'items')
          if not items.right then error('no items') end
        end";
    let said = visit(text, &["-R", "200", "-d", "1s", "--json"]);
    let facts = said.measured().load();
    let load = &facts["load"];
    assert_eq!(load["failed"], serde_json::json!({}), "{load:#}");
    let completed = |number: usize| load["named"][number]["completed"].as_u64().unwrap();
    assert!(completed(1) > 0, "{load:#}");
    assert!(completed(0) - completed(1) <= 8, "{load:#}");
}

#[test]
fn users_that_sleep_and_those_that_fail_are_seen_while_the_load_runs() {
    let text = "function user(number)
          if number == 1 then error('no words') end
          weir.get('/session')
          weir.sleep(60)
        end";
    let live = ["--quiet", "--live", "/dev/stderr"];
    let said = visit(text, &[&["-d", "2s"][..], &live].concat());
    let lines = said.err.lines().filter(|line| line.starts_with('{'));
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines: Vec<_> = lines.filter(|of| of["phase"] == "window").collect();
    // on a busy machine not all of it is in the first second
    let seen = |holds: &dyn Fn(&Value) -> bool| lines.iter().any(holds);
    assert!(seen(&|of| of["asleep"] == 3), "{lines:#?}");
    assert!(
        seen(&|of| of["throughput"].as_f64() > Some(0.0)),
        "{lines:#?}"
    );
    assert!(seen(&|of| of["errors"].as_u64() > Some(0)), "{lines:#?}");
}

#[test]
fn a_journey_and_several_requests_at_once_make_no_sense() {
    let text = "function user() weir.get('/') end";
    let ways = [&["--pipeline", "2"][..], &["--http2", "--streams", "2"]];
    for several in ways {
        let said = visit(text, &[&["-n", "10"][..], several].concat());
        said.fails(2, &["a user of a script waits for its response", "`-c`"]);
    }
    let both = format!("{text} function request() end");
    visit(&both, &["-n", "10"]).fails(5, &["defines both `user` and `request`"]);
}

#[test]
fn a_script_that_asks_for_nothing_is_not_taken_for_a_server_that_is_not_there() {
    for (text, wanted) in [
        (
            "function user() end",
            "user() has returned and asked for nothing",
        ),
        (
            "function user() weir.get('items') end",
            "the path `items` does not begin with `/`",
        ),
        (
            "names = { 'a' } function user() weir.get('/') end",
            "this request has no name",
        ),
        ("function user() while true do end end", "has not come back"),
    ] {
        let hint = "hint: mend that in the script";
        visit(text, &["-n", "16"]).fails(5, &["not one request could be asked", wanted, hint]);
    }
}

/// Four users that sleep for 200 ms before each request carry 20 requests per second at most, whatever the server does.
#[test]
fn users_that_sleep_are_told_and_the_server_is_not_blamed() {
    let text = "function user() weir.sleep(0.2) weir.get('/login') end";
    let closed = visit(text, &["-n", "16"]);
    let told = " of 4 users on average";
    assert!(closed.measured().out.contains(told), "{}", closed.out);
    let awake = visit("function user() weir.get('/login') end", &["-n", "16"]);
    assert!(!awake.measured().out.contains(told), "{}", awake.out);
    let rate = ["-R", "60", "-d", "1s", "--arrivals", "constant", "--json"];
    let facts = visit(text, &rate).measured().load();
    let load = &facts["load"];
    let asleep = load["asleep"].as_f64().unwrap() / load["seconds"].as_f64().unwrap();
    // of four, whose only other work is a request
    assert!(asleep > 2.0 && asleep <= 4.0, "{load:#}");
    let doubts = facts["doubts"].as_array().unwrap();
    let of = |kind: &str| doubts.iter().find(|doubt| doubt["kind"] == kind);
    assert!(of("rate-not-held").is_none(), "{doubts:#?}");
    let because = of("connections").and_then(|doubt| doubt["because"].as_str());
    let told = because.is_some_and(|words| words.contains("of 4 users were asleep on average"));
    assert!(told, "{doubts:#?}");
}
