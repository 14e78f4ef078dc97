//! Journeys in the real engine: users of a real server, and of one that loses a connection.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use load::{Body, Expected, Job, Status, Traffic};
use record::{Amount, Cause, Load, LoadFacts, Protocol, Target, WarmUpPlan};
use script::{Options, Prints, Script};
use testkit::{Nginx, ScriptedPeer, Step, answer};

/// Loads an address with a journey: so many requests over so many connections of one thread.
fn loaded(text: &str, target: &Target, connections: u32, requests: u64) -> LoadFacts {
    let folder = testkit::temp_dir();
    let script = open(text, folder.path(), target);
    let job = Job {
        may_break: false,
        cores: 2,
        busy_wait: false,
        target: target.clone(),
        protocol: Protocol::Http1,
        host: "localhost".to_owned(),
        cgi: load::Cgi::default(),
        traffic: Traffic::Made(Arc::new(script)),
        load: Load {
            connections,
            amount: Amount::Requests(requests),
            warm_up: WarmUpPlan::None,
            keep_alive: true,
            threads: 1,
            ..Load::default()
        },
    };
    let facts = load::run(&job, &AtomicBool::new(false), &mut |_| ());
    facts.unwrap_or_else(|error| panic!("{error}"))
}

fn open(text: &str, folder: &Path, target: &Target) -> Script {
    let file = folder.join("script.lua");
    std::fs::write(&file, text).unwrap();
    let options = Options {
        file,
        url: "http://localhost/".to_owned(),
        scheme: "http".to_owned(),
        authority: "localhost".to_owned(),
        path: "/".to_owned(),
        headers: Vec::new(),
        target: target.clone(),
        args: Vec::new(),
        threads: 1,
        expected: Expected::new(Status::Is(200), Body::Any),
        instructions: 2_000_000,
        prints: Prints::Out,
    };
    Script::open(&options).unwrap_or_else(|error| panic!("{error}"))
}

/// Gives each connection a token of its own, and knows it again.
const SHOP: &str = "
    location = /login { default_type application/json; return 200 '{\"token\":\"t$connection\"}'; }
    location = /items { if ($http_authorization != \"Bearer t$connection\") { return 401; } return 200 two; }";

#[test]
fn each_user_goes_on_with_its_own_token() {
    let nginx = Nginx::start(SHOP);
    let text = "names = { 'login', 'items' }
        function user(number)
          local answer = weir.post('/login', '{\"name\":\"ada\"}', { ['Content-Type'] = 'application/json' }, 'login')
          local token = weir.json(answer.body).token
          if number == 1 then weir.sleep(0.001) end
          local items = weir.get('/items', { Authorization = 'Bearer ' .. token }, 'items')
          assert(items.right and items.body == 'two')
        end";
    let facts = loaded(text, &Target::Tcp(nginx.address()), 4, 80);
    assert!(facts.failed.is_empty(), "{facts:?}");
    let completed = |name: usize| facts.named[name].completed;
    assert_eq!(completed(0) + completed(1), 80);
    // each user is at most one login ahead
    assert!(completed(0) - completed(1) <= 4, "{facts:?}");
}

#[test]
fn a_user_hears_that_its_connection_was_lost() {
    let peer = ScriptedPeer::tcp(|connection| {
        let ok = answer(200, &[], "ok");
        if connection > 0 {
            return Step::serve(ok);
        }
        vec![Step::Read, Step::Send(ok), Step::Read, Step::Close]
    });
    let text = "function user()
          weir.post('/first')
          local answer = weir.post('/second')
          if answer.status == 0 and not answer.right then weir.get('/lost') end
        end";
    let facts = loaded(text, &Target::Tcp(peer.address()), 1, 5);
    assert_eq!((facts.completed, facts.failures()), (4, 1), "{facts:?}");
    let requests = peer.requests();
    let lines = requests.iter().map(|request| {
        let line = request.split(|&byte| byte == b'\r').next();
        String::from_utf8_lossy(line.unwrap_or_default()).into_owned()
    });
    let wanted = ["POST /first", "POST /second", "GET /lost"];
    let wanted = wanted.iter().chain(&wanted[..2]);
    let wanted: Vec<String> = wanted.map(|line| format!("{line} HTTP/1.1")).collect();
    assert_eq!(lines.collect::<Vec<_>>(), wanted);
}

#[test]
fn an_error_is_a_failed_request_and_the_user_begins_anew() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(answer(200, &[], "ok")));
    let text = "function user()\nweir.get('/')\nerror('no items')\nend";
    let facts = loaded(text, &Target::Tcp(peer.address()), 2, 20);
    assert_eq!(facts.completed + facts.failed[&Cause::Unasked], 20);
    assert!(facts.failed[&Cause::Unasked] >= 9, "{facts:?}");
    let example = &facts.examples[&Cause::Unasked];
    assert!(example.ends_with("script.lua:3: no items"), "{example}");
}

#[test]
fn a_load_ends_with_a_user_that_does_not_come_back() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(answer(200, &[], "ok")));
    let text = "function user() weir.get('/') while true do end end";
    let facts = loaded(text, &Target::Tcp(peer.address()), 1, 1_000);
    assert_eq!(facts.completed, 1, "{facts:?}");
    let example = &facts.examples[&Cause::Unasked];
    assert!(example.contains("has not come back"), "{example}");
}
