//! thin dials in, leaves and joins while a load runs, and nobody starts the front end anew.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{PATIENCE, Place, load_of};

/// Without a length, which the entry sees to; it says who answers.
const APP: &str = r#"run lambda { |env| [200, { "X-Worker" => $$.to_s }, ["hello\n"]] }"#;

const PLAN: &str = "
[[variant]]
name = \"dialled\"
server = { entry = \"thin\", link = \"swiftiply\", instances = 2 }
front = \"dial-in\"
";

fn place() -> Place {
    let place = Place::new();
    place.write("app/config.ru", APP);
    place.write(
        "app/app.toml",
        "name = \"mine\"\ninterface = \"rack\"\nentry = \"config.ru\"\n[[routes]]\npath = \"/\"\n",
    );
    place.plan(PLAN);
    place
}

/// A thin of the test's own, that dials the same front end.
fn another(place: &Place, port: &str, name: &str) -> Child {
    let arguments = format!(
        "start --address 127.0.0.1 --port {port} --swiftiply= --environment production \
         --rackup app/framed.ru --pid {name}.pid --log {name}.log"
    );
    place.write(
        "app/framed.ru",
        "use Rack::ContentLength\nrun Rack::Adapter.load(\"app/config.ru\")\n",
    );
    Command::new("thin")
        .args(arguments.split_whitespace())
        .current_dir(place.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Asks until this process has answered.
fn answers(address: &str, pid: u32) -> bool {
    testkit::eventually(PATIENCE, || {
        let mut stream = TcpStream::connect(address).unwrap();
        let request = b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
        stream.write_all(request).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.ends_with("\r\n\r\nhello\n"), "{answer}");
        answer.contains(&format!("X-Worker: {pid}\r\n"))
    })
}

#[test]
fn servers_leave_and_join_under_load_and_no_answer_is_wrong() {
    let place = place();
    let mut up = place.weir(&["up", "plan.toml", "dialled"]);
    let mut up = up.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut says = BufReader::new(up.stdout.take().unwrap());
    says.read_line(&mut line).unwrap();
    let (_, address) = line.trim().split_once("http://").expect(&line);
    let address = address.trim_end_matches('/');
    let front = place
        .processes()
        .into_iter()
        .find(|it| it.contains("-servers"));
    let (_, rest) = front
        .as_deref()
        .unwrap()
        .split_once("-servers 127.0.0.1:")
        .unwrap();
    let port = rest.split(' ').next().unwrap();

    let url = format!("http://{address}/");
    let load = [
        "bench",
        &url,
        "-c",
        "8",
        "-d",
        "5m",
        "--warm-up",
        "0s",
        "--json",
    ];
    let mut load = place.weir(&load);
    let load = load.stdout(Stdio::piped()).spawn().unwrap();
    for (number, signal) in [Signal::KILL, Signal::INT].into_iter().enumerate() {
        let mut joined = another(&place, port, &format!("joined-{number}"));
        assert!(answers(address, joined.id()), "it never answers");
        kill_process(Pid::from_child(&joined), signal).unwrap();
        joined.wait().unwrap();
    }
    let mut last = another(&place, port, "last");
    assert!(answers(address, last.id()), "it never answers");

    kill_process(Pid::from_child(&load), Signal::INT).unwrap();
    let said = load.wait_with_output().unwrap();
    let result = load_of(&serde_json::from_slice(&said.stdout).unwrap());
    let load = &result["load"];
    assert!(load["completed"].as_u64().unwrap() > 100, "{load:#}");
    assert_eq!(load["failed"], serde_json::json!({}), "{load:#}");
    assert_eq!(load["timed_out"], 0, "{load:#}");

    kill_process(Pid::from_child(&up), Signal::INT).unwrap();
    assert!(up.wait().unwrap().success());
    last.kill().unwrap();
    last.wait().unwrap();
    place.assert_clean();
}

/// Every instance is there before a load begins: each has served its part of it.
#[test]
fn a_variant_begins_when_all_have_dialled_in() {
    let place = place();
    let said = place.run(&["run", "plan.toml", "--json"]);
    said.measured();
    let run = said.json();
    let outcome = &run["trials"][0]["outcome"];
    let names: Vec<_> = outcome["measured"]["stack"]["servers"]
        .as_array()
        .unwrap_or_else(|| panic!("{outcome:#}"))
        .iter()
        .map(|server| server["entry"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["dial-in", "thin", "thin"]);
    place.assert_clean();
}
