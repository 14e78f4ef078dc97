//! Where what `weir write` hands over listens: as it is written, or as HOST and PORT say; and how clients are shown it.

use std::fs::{self, Permissions};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;

use crate::support::started::Started;
use crate::support::{Place, two_free_ports, wait_until};

const APP: &str = "
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

/// Another address of this machine.
const OTHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

fn serves(host: Ipv4Addr, port: u16) -> bool {
    let asked = TcpStream::connect((host, port)).and_then(|mut stream| {
        stream.write_all(b"GET / HTTP/1.0\r\n\r\n")?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        Ok(text)
    });
    asked.is_ok_and(|text| text.ends_with("hello"))
}

fn is_open(host: Ipv4Addr, port: u16) -> bool {
    TcpStream::connect((host, port)).is_ok()
}

/// Two variants, measured.
fn tried(place: &Place) {
    place.write("app.py", APP);
    let small = ["try", "--quick", "-n", "200", "-c", "4", "--variants"];
    let said = place.run(&[&small[..], &["gunicorn-1,nginx+gunicorn-cores"]].concat());
    said.measured();
}

/// Writes a variant for this port.
fn written(place: &Place, of: &str, folder: &str, port: u16) {
    let said = place.run(&["write", of, folder, "--port", &port.to_string()]);
    said.succeeds();
}

/// Starts a script that does not begin, as it says.
fn refused(script: &Path, env: &[(&str, &str)], words: &str) {
    let (status, said) = Started::script(script, env).ended();
    assert_eq!(status, Some(78), "{env:?}: {said}");
    assert!(said.contains(words), "{env:?}: {said}");
}

#[test]
fn host_and_port_say_where_clients_connect() {
    let place = Place::new();
    tried(&place);
    for (variant, folder) in [("gunicorn-1", "one"), ("nginx+gunicorn-cores", "two")] {
        let (own, wanted) = (two_free_ports(), two_free_ports());
        written(&place, &format!("last:{variant}"), folder, own);
        let script = place.path(folder).join("start.sh");
        let port = wanted.to_string();
        let told = [("HOST", "127.0.0.2"), ("PORT", port.as_str())];
        for (said, host, port) in [(2, OTHER, wanted), (0, Ipv4Addr::LOCALHOST, own)] {
            let server = Started::script(&script, &told[..said]);
            wait_until("it serves where it was told", || serves(host, port));
            for (host, port) in [(OTHER, own), (Ipv4Addr::LOCALHOST, wanted)] {
                assert!(!is_open(host, port), "{variant}: {host}:{port}");
            }
            server.terminate();
            assert_eq!(server.ended().0, Some(143), "{variant}");
        }
    }
    place.assert_clean();
}

/// As systemd does it. Apache opens /dev/stderr, which a socket does not let it.
#[test]
fn standard_error_may_be_a_socket() {
    let place = Place::new();
    place.app(APP);
    place.plan("[[variant]]\nname = \"whole\"\nserver = \"gunicorn\"\nfront = \"apache\"\n");
    place.run(&["run", "plan.toml", "--quick"]).measured();
    let port = two_free_ports();
    written(&place, "last:whole", "deploy", port);
    let (mut heard, theirs) = UnixStream::pair().unwrap();
    let stderr = OwnedFd::from(theirs).into();
    let server = Started::heard(&place.path("deploy/start.sh"), &[], stderr);
    wait_until("it serves", || serves(Ipv4Addr::LOCALHOST, port));
    server.terminate();
    assert_eq!(server.ended().0, Some(143));
    let mut said = String::new();
    heard.read_to_string(&mut said).unwrap();
    assert!(said.contains("resuming normal operations"), "{said}");
    assert!(
        !place.path("deploy/stderr").exists(),
        "the pipe has no name left"
    );
    place.assert_clean();
}

#[test]
fn what_cannot_be_started_as_it_is_says_what_to_set() {
    let place = Place::new();
    tried(&place);
    let port = two_free_ports();
    written(&place, "last:nginx+gunicorn-cores", "deploy", port);
    let script = place.path("deploy/start.sh");
    let number = "set it to a number from 1 to 65534";
    for (name, value, words) in [
        ("PORT", "http", number),
        ("PORT", "0", number),
        ("PORT", "65535", number),
        ("HOST", "shop.example", "set it to an IPv4 address"),
        ("HOST", "127.0.0.1.2", "set it to an IPv4 address"),
        ("HOST", "127.0.0.256", "set it to an IPv4 address"),
        ("HOST", "::1", "set it to an IPv4 address"),
    ] {
        refused(&script, &[(name, value)], words);
    }
    fs::rename(place.path("deploy"), place.path("moved")).unwrap();
    let script = place.path("moved/start.sh");
    refused(&script, &[], "its files name another folder");
    assert!(!is_open(Ipv4Addr::LOCALHOST, port));
    place.assert_clean();
}

#[test]
fn a_certificate_of_weirs_own_is_told() {
    let place = Place::new();
    place.app(APP);
    place.plan(
        "[[variant]]\nname = \"whole\"\ntitle = \"two | `three` <b>\"\n\
         server = { entry = \"gunicorn\", link = \"unix\" }\n\
         front = { entry = \"nginx\", link = \"https\" }\n",
    );
    place.run(&["run", "plan.toml", "--quick"]).measured();
    let said = place.run(&["write", "last:whole", "deploy"]);
    let told = "put your own into `certificate.pem` and `key.pem`";
    assert!(said.succeeds().err.contains(told), "{}", said.err);
    let alone = |said: &str| said.contains("Only its owner can enter");
    assert!(!alone(&said.err), "{}", said.err);
    let read = |file: &str| fs::read_to_string(place.path("deploy").join(file)).unwrap();
    let (readme, script) = (read("README.md"), read("start.sh"));
    assert!(readme.contains(told), "{readme}");
    let title = r"whole: two \| \`three\` \<b\>";
    assert!(readme.contains(title), "{readme}");
    let asks = "deploy/certificate.pem https://127.0.0.1:8000/";
    assert!(readme.contains(asks), "{readme}");
    // what a killed server has left is in no one's way
    let mut removed = script.lines().filter(|line| line.starts_with("rm -f "));
    assert!(removed.any(|of| of.contains("gunicorn.sock")), "{script}");
    // what root starts serves as somebody else
    fs::set_permissions(place.path("app"), Permissions::from_mode(0o700)).unwrap();
    let closed = place.run(&["write", "last:whole", "again"]);
    let is_root = rustix::process::geteuid().is_root();
    assert_eq!(alone(&closed.succeeds().err), is_root, "{}", closed.err);
}
