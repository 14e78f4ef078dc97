//! `weir client`: programs that make requests, each in a way of its own, and what is said of them.

use std::io::Read as _;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::schema::assert_is;
use crate::support::{PATIENCE, Place, repository};

/// Sends some requests with a body over a connection of its own, in a way of its own.
const SENDER: &str = "
import os, socket, sys, time
way, requests = sys.argv[1], int(sys.argv[2])
host, port = os.environ['WEIR_URL'].removeprefix('http://').rstrip('/').split(':')
head = b'POST / HTTP/1.1\\r\\nHost: weir\\r\\nContent-Length: 50\\r\\n\\r\\n'
body = 50 * b'a'
connection = socket.create_connection((host, int(port)))
if way != 'nagle':
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
for _ in range(requests):
    if way == 'at-once':
        connection.sendall(head + body)
    else:
        connection.sendall(head)
        if way == 'late':
            time.sleep(0.045)
        connection.sendall(body)
    while not connection.recv(4096).endswith(b'ok\\n'):
        pass
";

pub(crate) fn client(place: &Place, args: &[&str]) -> Value {
    let account = place.run(&[&["client", "--json"], args].concat()).json();
    assert_is("client", &account);
    account
}

pub(crate) fn found(account: &Value) -> Vec<&str> {
    let habits = account["habits"].as_array().unwrap().iter();
    habits.map(|of| of["kind"].as_str().unwrap()).collect()
}

/// What waits for a delayed acknowledgement is named; what looks like it, and does not, is not.
#[test]
fn bodies_apart_from_their_heads() {
    let place = Place::new();
    place.write("sender.py", SENDER);
    for (way, segments, expected) in [
        ("at-once", 1.0, &[][..]),
        ("two", 2.0, &["apart"]),
        ("late", 2.0, &["late", "apart"]),
        ("nagle", 2.0, &["nagle", "apart"]),
    ] {
        let account = client(&place, &["--", "python3", "sender.py", way, "30"]);
        let talk = &account["talk"];
        assert_eq!(
            (&talk["requests"], &talk["connections"]),
            (&30.into(), &1.into())
        );
        let each = talk["data_segments"].as_f64().unwrap() / 30.0;
        // a busy machine retransmits now and then
        assert!(
            (segments..segments + 0.2).contains(&each),
            "{way}: {account:#}"
        );
        assert_eq!(found(&account), expected, "{way}: {account:#}");
    }
    let said = place.run(&["client", "--", "python3", "sender.py", "nagle", "20"]);
    for words in [
        "1 opened, 20.0 requests on each",
        "TCP_NODELAY",
        "with code 0",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    place.assert_clean();
}

#[test]
fn a_library_with_a_session_and_without() {
    let place = Place::new();
    let python = repository().join(".deps/catalogue/bin/python");
    let python = python.to_str().unwrap();
    let script = "import sys, requests\nof = requests.Session() if sys.argv[2] == 'kept' else requests\n\
                  assert all(of.get(sys.argv[1]).text == 'ok\\n' for _ in range(20))\n";
    let with = |way| client(&place, &["--", python, "-c", script, "{url}", way]);
    let kept = with("kept");
    assert_eq!(
        (&kept["talk"]["connections"], found(&kept)),
        (&1.into(), vec![])
    );
    let anew = with("anew");
    assert_eq!(
        (&anew["talk"]["connections"], found(&anew)),
        (&20.into(), vec!["anew"])
    );
    assert_eq!(anew["talk"]["at_once"], 1);
    let cpu = |of: &Value| of["cpu_per_request"].as_f64().unwrap();
    assert!(cpu(&kept) > 0.0 && cpu(&anew) < anew["cpu"].as_f64().unwrap());
}

/// It asks once and hangs, with a child in a session of its own.
const HANGS: &str = "import os, subprocess, sys, urllib.request\n\
    urllib.request.urlopen(os.environ['WEIR_URL']).read()\n\
    subprocess.Popen(['sleep', '600'], start_new_session=True)\nopen('asked', 'w').close()\n\
    subprocess.run(['sleep', '600'])\n";

#[test]
fn a_command_that_hangs_is_ended_with_all_that_it_started() {
    let place = Place::new();
    place.write("hangs.py", HANGS);
    let account = client(&place, &["-d", "6s", "--", "python3", "hangs.py"]);
    let ended = account["ended"].as_str().unwrap();
    let since = ended.strip_prefix("was ended, as its time was up, ");
    assert!(
        since.is_some_and(|since| since.ends_with(" s after its last request")),
        "{ended}"
    );
    assert_eq!(
        (&account["succeeded"], &account["talk"]["requests"]),
        (&true.into(), &1.into())
    );
    place.assert_clean();
    std::fs::remove_file(place.path("asked")).unwrap();
    let mut weir = place.start(&["client", "--", "python3", "hangs.py"]);
    assert!(testkit::eventually(PATIENCE, || place
        .path("asked")
        .exists()));
    kill_process(Pid::from_child(&weir), Signal::INT).unwrap();
    assert_eq!(weir.wait().unwrap().code(), Some(130));
    place.assert_clean();
}

#[test]
fn a_command_that_is_none_asks_nothing_or_fails() {
    let place = Place::new();
    place
        .run(&["client", "--", "no-such-program"])
        .fails(6, &["`no-such-program` is no program", "hint: "]);
    place
        .run(&["client", "--", "sh", "-c", "echo why; exit 3"])
        .fails(4, &["ended with code 3", "| why", "WEIR_URL"]);
    place
        .run(&["client", "--against", "'", "--", "true"])
        .fails(2, &["is no command", "hint: "]);
    let asks = "import sys, urllib.request as of; of.urlopen(sys.argv[1]).read(); sys.exit('no')";
    let said = place.run(&["client", "--", "python3", "-c", asks, "{url}"]);
    assert_eq!(said.code, 4, "{}", said.err);
    assert!(
        said.out.contains("made 1 request") && said.err.contains("| no"),
        "{}",
        said.err
    );
    place.assert_clean();
}

/// Asks for the URL that is its argument, and trusts whom the environment says.
pub(crate) const ASKS: &str =
    "import sys, urllib.request; urllib.request.urlopen(sys.argv[1]).read()";

/// Asks by the name in its URL, over one connection or over one for each request.
const BY_NAME: &str = "
import http.client, os, sys, urllib.parse
url = urllib.parse.urlsplit(os.environ['WEIR_URL'])
kept = http.client.HTTPConnection(url.hostname, url.port)
for _ in range(20):
    connection = kept if sys.argv[1] == 'kept' else http.client.HTTPConnection(url.hostname, url.port)
    connection.request('GET', '/')
    connection.getresponse().read()
";

#[test]
fn lookups_of_the_origins_name_are_counted() {
    let place = Place::new();
    place.write("by_name.py", BY_NAME);
    let way = |way| ["--dns", "--", "python3", "by_name.py", way];
    for (kind, lookups, expected) in [("kept", 1, &[][..]), ("anew", 20, &["anew", "resolves"])] {
        let account = client(&place, &way(kind));
        let names = &account["talk"]["names"];
        assert_eq!(names["lookups"], lookups, "{account:#}");
        assert_eq!(names["others"], 0, "{account:#}");
        assert_eq!(found(&account), expected, "{account:#}");
    }
    let said = place.run(&[&["client"], &way("anew")[..]].concat());
    assert!(
        said.succeeds()
            .out
            .contains("20 lookups of origin.weir.test"),
        "{}",
        said.out
    );
    // who has another way to names never finds it
    place
        .run(&["client", "--dns", "--", "sh", "-c", "echo nothing"])
        .fails(4, &["/etc/resolv.conf"]);
    let secure = ["--dns", "--tls", "--", "python3", "-c", ASKS, "{url}"];
    let account = client(&place, &secure);
    assert_eq!(account["talk"]["handshakes"], 1, "{account:#}");
    place.assert_clean();
}

/// The client says itself that it has made some requests.
#[test]
fn ctrl_c_tells_what_there_is() {
    let place = Place::new();
    place.write("forever.py", FOREVER);
    let mut weir = place
        .weir(&["client", "--", "python3", "forever.py"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let asked = place.path("asked");
    assert!(
        testkit::eventually(PATIENCE, || asked.exists()),
        "it asks nothing"
    );
    kill_process(Pid::from_child(&weir), Signal::INT).unwrap();
    let mut out = String::new();
    let told = weir.stdout.as_mut().unwrap();
    told.read_to_string(&mut out).unwrap();
    assert_eq!(weir.wait().unwrap().code(), Some(130), "{out}");
    // lines are broken where the page ends
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("it was interrupted") && words.contains("1 opened"),
        "{out}"
    );
    place.assert_clean();
}

const FOREVER: &str = "\
import http.client, os, time, urllib.parse
url = urllib.parse.urlsplit(os.environ['WEIR_URL'])
kept = http.client.HTTPConnection(url.hostname, url.port)
for number in range(100000):
    kept.request('GET', '/')
    kept.getresponse().read()
    if number == 20:
        open('asked', 'w').close()
    time.sleep(0.01)
";

/// Asks once; the third of them says so and waits before it asks.
const COUNTS: &str = "\
import os, time, urllib.request
with open('runs', 'a') as runs:
    runs.write('x')
if os.path.getsize('runs') == 3:
    open('third', 'w').close()
    time.sleep(600)
urllib.request.urlopen(os.environ['WEIR_URL']).read()
";

#[test]
fn ctrl_c_keeps_the_pairs_that_there_are() {
    let place = Place::new();
    place.write("counts.py", COUNTS);
    let against = ["client", "--json", "--against", "python3 counts.py"];
    let mut weir = place
        .weir(&[&against[..], &["--", "python3", "counts.py"]].concat())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let third = place.path("third");
    assert!(
        testkit::eventually(PATIENCE, || third.exists()),
        "there is no second pair"
    );
    kill_process(Pid::from_child(&weir), Signal::INT).unwrap();
    let mut out = String::new();
    let told = weir.stdout.as_mut().unwrap();
    told.read_to_string(&mut out).unwrap();
    assert_eq!(weir.wait().unwrap().code(), Some(130), "{out}");
    let both: Value = serde_json::from_str(&out).unwrap();
    for one in ["of", "over"] {
        assert_eq!(both[one]["talk"]["requests"], 1, "{both:#}");
    }
    place.assert_clean();
}
