//! A network of its own for each trial: what is counted there is of its load and its stack alone.

use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::net::sockopt::set_socket_linger;
use serde_json::Value;

use crate::support::through::through;
use crate::support::{Place, said, standing};

/// Connections of the loads, and their requests.
const CONNECTIONS: u64 = 4;
const REQUESTS: u64 = 2000;

/// Whether tests may make networks, as root may unless a container keeps it from that.
pub(crate) fn may() -> bool {
    let made = Command::new("unshare").args(["--net", "true"]).output();
    let may = made.is_ok_and(|made| made.status.success());
    if !may {
        testkit::may_skip("networks", "no network can be made here");
    }
    may
}

/// A folder of files, and a plan that has nginx serve one of them.
pub(crate) fn place(load: &str, variants: &str) -> Place {
    let place = Place::new();
    place.write("app/files/hello.txt", "hello\n");
    place.write(
        "app/app.toml",
        "name = \"files\"\ninterface = \"static\"\n[[routes]]\npath = \"/files/hello.txt\"\n\
         [site]\ndir = \"files\"\nurl = \"/files/\"\n",
    );
    place.write(
        "plan.toml",
        &format!(
            "app = \"app\"\nblocks = 1\nseed = 1\nnoise-floor = \"none\"\n\
             [load]\nconnections = {CONNECTIONS}\n{load}\n{variants}"
        ),
    );
    place
}

pub(crate) const NGINX: &str = "[[variant]]\nname = \"nginx\"\nfront = \"nginx\"\n";

/// What another program on the machine does meanwhile: it opens connections, and closes them with a reset. Not one right after
/// the other, which would take a core from what is measured.
fn beside<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap();
            let mut opened = 0;
            while !over.load(Ordering::Relaxed) {
                let client = TcpStream::connect(address).unwrap();
                set_socket_linger(&client, Some(Duration::ZERO)).unwrap();
                let server = listener.accept().unwrap();
                drop(client);
                drop(server);
                opened += 1;
                std::thread::park_timeout(Duration::from_millis(1));
            }
            opened
        });
        let done = work();
        over.store(true, Ordering::Relaxed);
        (done, other.join().unwrap())
    })
}

/// The loads of the trials that stand.
pub(crate) fn loads(document: &Value) -> Vec<Value> {
    let load = |trial: &&Value| trial["outcome"]["measured"]["load"].clone();
    standing(document).iter().map(load).collect()
}

fn count(load: &Value, name: &str) -> u64 {
    let count = &load["network"][name];
    count.as_u64().unwrap_or_else(|| panic!("{load:#}"))
}

#[test]
fn counts_are_exact_whatever_else_the_machine_does() {
    if !may() {
        return;
    }
    let place = place(
        &format!("requests = {REQUESTS}\nwarm-up = {{ requests = 0 }}"),
        NGINX,
    );
    let args = ["run", "plan.toml", "--own-network", "--json"];
    let (run, opened) = beside(|| place.run(&args));
    assert!(opened > 100, "the other program was there: {opened}");
    let document = run.measured().json();
    assert_eq!(document["run"]["plan"]["network"], "own");
    let loads_of_own = loads(&document);
    let load = &loads_of_own[0];
    assert_eq!(load["network"]["own"], true, "{load:#}");
    assert_eq!(count(load, "opened"), CONNECTIONS, "{load:#}");
    assert_eq!(
        (count(load, "resets"), count(load, "retransmitted")),
        (0, 0)
    );
    // three for each handshake, one for each request and one for each response; an acknowledgement stands alone at the
    // begin of a connection, for 16 segments of each side at most (TCP_MAX_QUICKACKS), and where nothing is sent in time
    let segments = count(load, "segments");
    let least = 3 * CONNECTIONS + 2 * REQUESTS;
    let alone = 2 * 16 * CONNECTIONS + count(load, "delayed");
    assert!(
        (least..=least + alone).contains(&segments),
        "{segments} of {least} and {alone}"
    );
    // headers of 20 bytes each for IP and TCP, and 12 of a timestamp, are the least that a segment has beside its data
    let data = load["bytes_sent"].as_u64().unwrap() + load["bytes_received"].as_u64().unwrap();
    let headers = count(load, "bytes") - data;
    assert!(
        (40 * segments..=60 * segments).contains(&headers),
        "{headers} bytes of headers for {segments} segments"
    );
    let shown = place.run(&["show", "1"]);
    assert!(shown.out.contains("a network of its own"), "{}", shown.out);

    // the same in the machine's network is off by what the other program did
    let (run, opened) = beside(|| place.run(&["run", "plan.toml", "--json"]));
    assert!(opened > 100, "the other program was there: {opened}");
    let shared = &loads(&run.measured().json())[0];
    assert_eq!(shared["network"]["own"], false);
    assert!(count(shared, "opened") > CONNECTIONS, "{shared:#}");
    assert!(count(shared, "resets") > 0, "{shared:#}");
    place.assert_clean();
}

/// The packets of a file, after what it begins with.
fn packets(file: &[u8]) -> Vec<&[u8]> {
    let number = |at: usize| u32::from_ne_bytes(file[at..at + 4].try_into().unwrap());
    assert_eq!((number(0), number(20)), (0xa1b2_3c4d, 1));
    let (mut at, mut packets) = (24, Vec::new());
    while at < file.len() {
        let (read, length) = (number(at + 8) as usize, number(at + 12) as usize);
        assert_eq!(read, length, "it is whole");
        packets.push(&file[at + 16..at + 16 + read]);
        at += 16 + read;
    }
    packets
}

#[test]
fn packets_are_kept_where_that_is_asked_for() {
    if !may() {
        return;
    }
    let place = place("requests = 400\nwarm-up = { requests = 0 }", NGINX);
    let args = ["run", "plan.toml", "--capture", "packets", "--json"];
    let (run, _) = beside(|| place.run(&args));
    let document = run.measured().json();
    let measured = &standing(&document)[0]["outcome"]["measured"];
    let capture = &measured["observed"]["capture"];
    let file = capture["file"].as_str().unwrap();
    let said = format!("packets in `{file}`");
    assert!(run.err.contains(&said), "{said} in {}", run.err);
    let bytes = std::fs::read(file).unwrap();
    let packets = packets(&bytes);
    assert_eq!(
        (capture["packets"].as_u64(), capture["lost"].as_u64()),
        (Some(packets.len() as u64), Some(0))
    );
    let begin = |text: &[u8]| {
        // headers of Ethernet, IP and TCP, of which the last one says how long it is
        let data = |packet: &&&[u8]| {
            packet[12..14] == [8, 0]
                && packet[34 + 4 * usize::from(packet[46] >> 4)..].starts_with(text)
        };
        packets.iter().filter(data).count()
    };
    // those of the load, and before it those of the check
    let (asked, answered) = (begin(b"GET /files/hello.txt "), begin(b"HTTP/1.1 200 OK"));
    assert!((400..450).contains(&asked), "{asked}");
    assert_eq!(asked, answered);
    let shown = place.run(&["show", "1"]);
    assert!(
        shown.out.contains("whose packets were captured"),
        "{}",
        shown.out
    );
    place.write("file", "");
    let refused = place.run(&["run", "plan.toml", "--capture", "file"]);
    refused.fails(5, &["cannot capture packets into the folder"]);
    place.assert_clean();
}

/// Several are up at the same time, each in a network of its own, and a service and a server behind are in it.
#[test]
fn trials_that_take_turns_have_a_network_each() {
    if !may() {
        return;
    }
    let place = Place::new();
    place.app(
        "def app(environ, start):\n    start('200 OK', [('Content-Length', '2')])\n    return [b'ok']\n",
    );
    let variants = "[[variant]]\nname = \"kept\"\nserver = { entry = \"gunicorn\", worker-class = \"gthread\", threads = 4 }\n\
         front = { entry = \"nginx\", upstream-keepalive = 16 }\n\
         [[variant]]\nname = \"anew\"\nserver = { entry = \"gunicorn\", worker-class = \"gthread\", threads = 4 }\n\
         front = \"nginx\"\n";
    let load = "[load]\nconnections = 4\nseconds = 1\nwarm-up = { seconds = 0.5 }\n";
    let conditions = "[[claim]]\nid = \"X\"\ntext = \"one connection for each response\"\n\
         expect = [\"opens of `anew` within 0.95 .. 1.05\", \"opens of `kept` < 0.2\", \"opens-inside of `anew` > 0.9\", \"packet-bytes of `kept` < 4 KiB\"]\n";
    place.write(
        "plan.toml",
        &format!(
            "app = \"app\"\nblocks = 1\nseed = 1\nnoise-floor = \"none\"\nnetwork = \"own\"\n{load}{variants}{conditions}"
        ),
    );
    let (run, opened) = beside(|| place.run(&["run", "plan.toml", "--json"]));
    assert!(opened > 100, "the other program was there: {opened}");
    let document = run.measured().json();
    for trial in standing(&document) {
        let load = &trial["outcome"]["measured"]["load"];
        assert_eq!(load["network"]["own"], true, "{load:#}");
        let led = load["slices"]["led"].as_u64().unwrap_or(0);
        let of = |count: &str| load[count].as_u64().unwrap();
        let responses = of("completed") + of("drained") + of("trailed") + led;
        let each = count(load, "opened") as f64 / responses as f64;
        let expected = match trial["variant"].as_str().unwrap() {
            "anew" => 0.98..1.02,
            _ => 0.0..0.1,
        };
        assert!(expected.contains(&each), "{each} of {load:#}");
    }
    place.assert_clean();
}

/// An app that calls an origin for each request.
const CALLS: &str = "
import os, urllib.request
def app(environ, start):
    body = urllib.request.urlopen(os.environ['ORIGIN']).read()
    start('200 OK', [('Content-Length', str(len(body)))])
    return [body]
";

/// They are asked there whether they are ready, and the app reaches them.
#[test]
fn services_are_in_it() {
    if !may() {
        return;
    }
    let place = Place::new();
    place.app(CALLS);
    let app = std::fs::read_to_string(place.path("app/app.toml")).unwrap();
    place.write(
        "app/app.toml",
        &format!(
            "{app}[services.origin]\nenv = {{ ORIGIN = \"{{{{ url }}}}\" }}\n\
             [services.database]\nenv = {{ DATABASE = \"{{{{ url }}}}\" }}\n"
        ),
    );
    place.write(
        "plan.toml",
        "app = \"app\"\nblocks = 1\nseed = 1\nnoise-floor = \"none\"\nnetwork = \"own\"\n\
         [load]\nconnections = 4\nrequests = 400\nwarm-up = { requests = 0 }\n\
         [[variant]]\nname = \"calls\"\n\
         server = { entry = \"gunicorn\", worker-class = \"gthread\", threads = 4 }\n\
         services = { origin = \"http-origin\", database = { entry = \"redis\", link = \"tcp\" } }\n",
    );
    let (run, _) = beside(|| place.run(&["run", "plan.toml", "--json"]));
    let load = &loads(&run.measured().json())[0];
    assert_eq!(count(load, "opened"), 4 + 400, "{load:#}");
    place.assert_clean();
}

#[test]
fn what_cannot_be_had_is_told_before_anything_starts() {
    let place = place("requests = 100", NGINX);
    // root without the capability, or whoever runs the tests
    let mut outer = Command::new("setpriv");
    if rustix::process::geteuid().is_root() {
        outer.args(["--bounding-set", "-sys_admin"]);
    }
    let weir = place.weir(&["run", "plan.toml", "--own-network"]);
    let refused = said(through(outer, &weir));
    refused.fails(
        5,
        &["`network`: weir may not make a network", "run weir as root"],
    );
    assert_eq!(place.stored(), 0, "nothing was begun");
    let plan = std::fs::read_to_string(place.path("plan.toml")).unwrap();
    place.write(
        "plan.toml",
        &format!("{plan}[[variant]]\nname = \"there\"\nurl = \"http://127.0.0.1:9\"\n"),
    );
    let refused = place.run(&["run", "plan.toml", "--own-network"]);
    refused.fails(5, &["the `url` of variant `there` cannot be reached"]);
    place.assert_clean();
}
