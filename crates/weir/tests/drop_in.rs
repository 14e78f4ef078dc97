//! `weir ab` and `weir wrk` in place of ab and wrk: the same words are taken, and the ends are the same.

use std::process::Command;
use std::sync::Mutex;

use crate::support::{Place, Said, peer, scripted};
use testkit::{Refusing, ScriptedPeer, Step, answer};

/// One at a time: what a peer answers follows from the connection's number.
static ALONE: Mutex<()> = Mutex::new(());

/// Every second connection ends with a status of 500, and the first does not.
fn failing() -> (ScriptedPeer, String) {
    scripted(|number| match number % 2 {
        0 => Step::serve_once(answer(200, &[("Connection", "close")], "hello")),
        _ => Step::serve_once(answer(500, &[("Connection", "close")], "sorry, no")),
    })
}

/// How the real tool ends.
fn real(program: &str, args: &[&str]) -> Option<i32> {
    let ended = Command::new(program).args(args).output();
    let ended = ended.unwrap_or_else(|error| panic!("{program}: {error}: run `make deps`"));
    ended.status.code()
}

fn line<'a>(said: &'a Said, begins: &str) -> &'a str {
    let mut lines = said.out.lines();
    lines
        .find(|line| line.trim_start().starts_with(begins))
        .unwrap_or_else(|| panic!("no `{begins}` in {}{}", said.out, said.err))
}

#[test]
fn ab_takes_a_host_without_a_scheme() {
    let (peer, _) = peer();
    let place = Place::new();
    for port in [true, false] {
        let address = peer.address();
        let url = if port {
            format!("{address}/path")
        } else {
            format!("localhost:{}/path", address.port())
        };
        let said = place.run(&["ab", "-n", "10", &url]);
        assert!(line(said.succeeds(), "Complete requests:").ends_with(" 10"));
        assert!(line(&said, "Document Path:").ends_with(" /path"));
    }
}

#[test]
fn ab_prints_its_help_as_other_commands_do() {
    let place = Place::new();
    for asked in ["-h", "--help"] {
        let said = place.run(&["ab", asked]);
        let out = &said.succeeds().out;
        assert!(out.contains("Usage: weir ab "), "{asked}: {out}");
        assert!(out.contains("Number of requests"), "{asked}: {out}");
    }
}

#[test]
fn ab_ends_with_0_whatever_was_answered() {
    let _alone = ALONE.lock();
    let (_peer, url) = failing();
    let place = Place::new();
    let said = place.run(&["ab", "-n", "100", &url]);
    said.succeeds();
    let odd = line(&said, "Non-2xx responses:");
    let odd: u32 = odd.rsplit(' ').next().unwrap().parse().unwrap();
    assert!((40..=60).contains(&odd), "{}", said.out);
    // as long as the first one they are right to ab, whatever their status
    let failed = line(&said, "Failed requests:");
    assert!(failed.ends_with(&format!(" {odd}")), "{}", said.out);
    let note = "`weir bench` would have ended with 4";
    assert!(said.err.contains(note), "{}", said.err);
    let any = place.run(&["ab", "-l", "-n", "100", &url]);
    assert!(
        line(&any, "Failed requests:").ends_with(" 0"),
        "{}",
        any.out
    );
    assert_eq!(real("ab", &["-n", "100", &url]), Some(said.code));
}

#[test]
fn ab_ends_with_the_systems_number_where_it_cannot_connect() {
    let place = Place::new();
    let nobody = Refusing::new();
    let refused = format!("{}/", nobody.address());
    for (url, code) in [(refused.as_str(), 111), ("no.such.host.invalid/", 50)] {
        place.run(&["ab", "-n", "10", url]).fails(code, &[]);
        assert_eq!(real("ab", &["-n", "10", url]), Some(code), "{url}");
    }
    let (_peer, url) = scripted(|_| vec![Step::Read, Step::Stall]);
    let args = ["-n", "1", "-s", "1", &url];
    place
        .run(&[&["ab"][..], &args].concat())
        .fails(119, &["no response within 1 s"]);
    assert_eq!(real("ab", &args), Some(119));
}

#[test]
fn ab_ends_with_22_where_the_words_make_no_sense() {
    let place = Place::new();
    for args in [&["-n", "1", "-c", "2", "127.0.0.1:1/"][..], &["-n", "1"]] {
        let said = place.run(&[&["ab"][..], args].concat());
        said.fails_with(22);
        assert_eq!(real("ab", args), Some(22), "{args:?}");
    }
}

#[test]
fn ab_prints_all_its_percentages() {
    let (_peer, url) = peer();
    let place = Place::new();
    let said = place.run(&["ab", "-k", "-n", "900", "-e", "served.csv", &url]);
    said.succeeds();
    let table = said.out.split("Percentage of the requests").nth(1).unwrap();
    let lines: Vec<_> = table
        .lines()
        .skip(1)
        .filter(|line| !line.is_empty())
        .collect();
    let words = lines
        .iter()
        .map(|line| line.split_whitespace().next().unwrap());
    let wanted = [
        "50%", "66%", "75%", "80%", "90%", "95%", "98%", "99%", "100%",
    ];
    assert_eq!(words.collect::<Vec<_>>(), wanted, "{table}");
    let few = lines.iter().map(|line| line.ends_with("(few lie beyond)"));
    let expected = [false, false, false, false, false, false, false, true, false];
    assert_eq!(few.collect::<Vec<_>>(), expected, "{table}");
    let served = std::fs::read_to_string(place.path("served.csv")).unwrap();
    let percents = served
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap());
    assert!(
        percents.eq((0..100).map(|percent| percent.to_string())),
        "{served}"
    );
}

#[test]
fn wrk_ends_with_0_whatever_was_answered() {
    let _alone = ALONE.lock();
    let (_peer, url) = failing();
    let place = Place::new();
    let args = ["-t1", "-c2", "-d1s", "--latency", &url];
    let said = place.run(&[&["wrk"][..], &args].concat());
    said.succeeds();
    line(&said, "Non-2xx or 3xx responses:");
    let note = "`weir bench` would have ended with 4";
    assert!(said.err.contains(note), "{}", said.err);
    for percent in ["50%", "75%", "90%", "99%"] {
        line(&said, percent);
    }
    let (_only_errors, url) = scripted(|_| Step::serve(answer(503, &[], "no")));
    let said = place.run(&["wrk", "-t1", "-c1", "-d", "1s", &url]);
    said.succeeds();
    let answered: u64 = said
        .out
        .lines()
        .find_map(|line| line.trim().split_once(" requests in "))
        .map(|(count, _)| count.parse().unwrap())
        .unwrap();
    assert!(answered > 0, "{}", said.out);
    assert!(said.err.contains("would have ended with 9"), "{}", said.err);
}

#[test]
fn wrk_goes_on_where_every_connection_breaks() {
    let place = Place::new();
    let (_peer, url) = scripted(|_| vec![Step::Read, Step::Reset]);
    let said = place.run(&["wrk", "-t1", "-c1", "-d", "1s", &url]);
    said.succeeds();
    line(&said, "Socket errors: connect 0, read ");
    assert!(said.err.contains("would have ended with 9"), "{}", said.err);
}

#[test]
fn wrk_ends_with_1_where_it_cannot_begin() {
    let place = Place::new();
    let nobody = Refusing::new();
    let refused = format!("http://{}/", nobody.address());
    for args in [
        &[refused.as_str()][..],
        &["http://no.such.host.invalid/"],
        &["-t2", "-c1", refused.as_str()],
        &["-c", "many", refused.as_str()],
    ] {
        let said = place.run(&[&["wrk", "-d", "300ms"][..], args].concat());
        said.fails_with(1);
        assert_eq!(real("wrk", args), Some(1), "{args:?}");
    }
}

#[test]
fn c_modules_are_refused_with_the_reason_and_a_way_around() {
    let (_peer, url) = peer();
    let place = Place::new();
    place.write("native.so", "\u{7f}ELF");
    place.write(".luarocks/lib/lua/5.1/rock.so", "\u{7f}ELF");
    let c_path = format!("package.cpath = '{}/?.so'\n", place.path("").display());
    for (text, name, word) in [
        ("local ffi = require 'ffi'", "ffi", "could crash"),
        ("local native = require 'native'", "native", "native.so"),
        ("local rock = require 'rock'", "rock", ".luarocks"),
    ] {
        place.write("a.lua", &format!("{c_path}{text}"));
        for command in [
            &["wrk", "-t1", "-c1", "-d", "300ms", "-s", "a.lua"][..],
            &["bench", "-c", "1", "-d", "300ms", "-s", "a.lua"],
        ] {
            let said = place.run(&[command, &[url.as_str()]].concat());
            let code = if command[0] == "wrk" { 1 } else { 5 };
            said.fails(code, &["a.lua:2", name, word, "C module", "in Lua"]);
        }
    }
    // what is neither is told apart
    place.write("a.lua", "require 'nothing'");
    let said = place.run(&["wrk", "-t1", "-c1", "-d", "300ms", "-s", "a.lua", &url]);
    said.fails(1, &["module 'nothing' not found"]);
    assert!(!said.err.contains("could crash"), "{}", said.err);
}

#[test]
fn a_script_is_given_to_bench_as_to_wrk() {
    let (peer, url) = peer();
    let place = Place::new();
    place.write(
        "a.lua",
        "request = function() return wrk.format(nil, '/own') end",
    );
    let said = place.run(&["bench", &url, "-c", "1", "-n", "5", "-s", "a.lua"]);
    said.measured();
    let asked = peer.requests();
    assert!(!asked.is_empty(), "{}", said.err);
    assert!(asked.iter().all(|text| text.starts_with(b"GET /own ")));
}
