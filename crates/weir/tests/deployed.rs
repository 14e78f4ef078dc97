//! The files that `weir write` hands over, as somebody runs them who has nothing else of weir.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::started::{Started, is_open};
use crate::support::{Place, Said, two_free_ports, wait_until};

const APP: &str = "import os\nKEY = os.environ['SHOP_TEST_KEY']\ndef app(environ, start):\n    \
                   start('200 OK', [('Content-Type', 'text/plain')])\n    return [b'hello']\n";

fn tried(place: &Place, variants: &str, more: &[&str]) -> Said {
    place.write("app.py", APP);
    let small = [
        "try",
        "--quick",
        "-n",
        "200",
        "-c",
        "4",
        "--variants",
        variants,
    ];
    let mut weir = place.weir(&[&small[..], more].concat());
    weir.env("SHOP_TEST_KEY", "of-no-use-to-anybody");
    crate::support::said(weir)
}

fn started(script: &Path) -> Started {
    Started::script(script, &[("SHOP_TEST_KEY", "another")])
}

/// The process that listens at a port.
fn listener(port: u16) -> Pid {
    // while others open sockets, a look at the kernel's table may miss one
    let mut socket = None;
    wait_until("the kernel's table has the socket", || {
        let mut table = procfs::net::tcp().unwrap().into_iter();
        socket = table.find(|of| {
            of.local_address.port() == port && of.state == procfs::net::TcpState::Listen
        });
        socket.is_some()
    });
    let inode = socket.unwrap().inode;
    let all = procfs::process::all_processes().unwrap().flatten();
    let mut owners: Vec<i32> = all
        .filter(|process| {
            let open = process.fd().into_iter().flatten().flatten();
            open.into_iter().any(
                |of| matches!(of.target, procfs::process::FDTarget::Socket(own) if own == inode),
            )
        })
        .map(|process| process.pid)
        .collect();
    owners.sort_unstable();
    Pid::from_raw(owners[0]).unwrap()
}

#[test]
fn it_fails_with_the_program_that_fails_and_ends_the_others() {
    let place = Place::new();
    tried(&place, "nginx+gunicorn-cores", &[]).measured();
    let port = two_free_ports();
    let at = port.to_string();
    place
        .run(&[
            "write",
            "last:nginx+gunicorn-cores",
            "deploy",
            "--port",
            &at,
        ])
        .succeeds();
    let script = place.path("deploy/start.sh");
    let server = started(&script);
    wait_until("both listen", || is_open(port) && is_open(port + 1));
    kill_process(listener(port + 1), Signal::KILL).unwrap();
    let (status, said) = server.ended();
    assert_eq!(status, Some(137));
    assert!(
        said.contains("gunicorn has ended with status 137"),
        "{said}"
    );
    wait_until("its programs have gone", || {
        !is_open(port) && !is_open(port + 1)
    });
    let server = started(&script);
    wait_until("both listen again", || is_open(port) && is_open(port + 1));
    // a second one beside it
    let (status, said) = started(&script).ended();
    assert_eq!(status, Some(75), "{said}");
    let ends = format!(": end it with `kill {}`", server.pid().as_raw_nonzero());
    let waits = said.find("it runs already: waiting for its end, about 5 s at most\n");
    let taken = said.find("it runs already, as ");
    assert!(waits.is_some() && waits < taken, "{said}");
    assert!(said.contains(&ends), "{ends}: {said}");
    server.terminate();
    assert_eq!(server.ended().0, Some(143));
    wait_until("all have gone", || !is_open(port) && !is_open(port + 1));
    place.assert_clean();
}

#[test]
fn what_the_app_needs_is_asked_for_and_never_kept() {
    let place = Place::new();
    tried(&place, "nginx+gunicorn-cores", &[]).measured();
    place
        .run(&["write", "last:nginx+gunicorn-cores", "deploy"])
        .succeeds();
    let text = std::fs::read_to_string(place.path("deploy/start.sh")).unwrap();
    let app = std::fs::read_to_string(place.path("deploy/app.toml")).unwrap();
    assert!(app.contains("needs = [\"SHOP_TEST_KEY\"]"), "{app}");
    for file in [
        "weir.db",
        "deploy/start.sh",
        "deploy/app.toml",
        "deploy/plan.toml",
    ] {
        let bytes = std::fs::read(place.path(file)).unwrap();
        let kept = bytes
            .windows(20)
            .any(|part| part == b"of-no-use-to-anybody");
        assert!(!kept, "{file}");
    }
    let mut without = Command::new("sh");
    without
        .arg(place.path("deploy/start.sh"))
        .env_remove("SHOP_TEST_KEY");
    let ended = without.output().unwrap();
    assert_eq!(ended.status.code(), Some(78), "{ended:?}");
    let told = String::from_utf8_lossy(&ended.stderr);
    let words = "SHOP_TEST_KEY is not set: the app reads it";
    assert!(told.contains(words), "{told}");
    let nginx = std::fs::read_to_string(place.path("deploy/nginx/nginx.conf")).unwrap();
    assert!(!nginx.contains("user root"), "{nginx}");
    if rustix::process::geteuid().is_root() {
        assert!(text.contains("a user of its own"), "{text}");
    }
}

#[test]
fn a_program_that_other_machines_can_reach_is_told() {
    let place = Place::new();
    let serves = "import os, sys\nfrom http.server import *\nclass H(BaseHTTPRequestHandler):\n    protocol_version = 'HTTP/1.1'\n    \
                  def log_message(self, *a): pass\n    def do_GET(self):\n        self.send_response(200)\n        \
                  self.send_header('Content-Length', '2')\n        self.end_headers()\n        self.wfile.write(b'hi')\n\
                  ThreadingHTTPServer((sys.argv[1], int(os.environ['PORT'])), H).serve_forever()\n";
    place.write("serve.py", serves);
    for (host, told) in [("0.0.0.0", true), ("127.0.0.1", false)] {
        let command = format!("python3 serve.py {host} $PORT");
        let small = [
            "--quick",
            "-n",
            "100",
            "-c",
            "4",
            "--variants",
            "own,nginx+own",
        ];
        place
            .run(&[&["try", "--command", &command], &small[..]].concat())
            .measured();
        for (variant, words) in [
            ("own", "not on this machine alone"),
            ("nginx+own", "past the front end"),
        ] {
            let folder = format!("{variant}-{told}");
            let of = format!("last:{variant}");
            let said = place.run(&["write", &of, &folder]);
            said.succeeds();
            let text = std::fs::read_to_string(place.path(&folder).join("start.sh")).unwrap();
            assert_eq!(text.contains(words), told, "{text}");
            assert_eq!(said.err.contains(words), told, "{}", said.err);
            assert_eq!(text.contains("listens at 0.0.0.0:800"), told, "{text}");
        }
    }
}

#[test]
fn the_files_of_a_load_lie_beside_its_plan() {
    let place = Place::new();
    place.write("elsewhere/mix.toml", "[[request]]\npath = \"/\"\n");
    tried(
        &place,
        "gunicorn-1,gunicorn-cores",
        &["--mix", "elsewhere/mix.toml"],
    )
    .measured();
    let said = place.run(&["write", "last:gunicorn-1", "deploy"]);
    let files = &said.succeeds().out;
    assert!(files.contains("deploy/requests/mix.toml\n"), "{files}");
    let plan = std::fs::read_to_string(place.path("deploy/plan.toml")).unwrap();
    assert!(plan.contains("mix = \"requests/mix.toml\""), "{plan}");
    let mix = std::fs::metadata(place.path("deploy/requests/mix.toml")).unwrap();
    assert_eq!(mix.permissions().mode() & 0o077, 0, "it is its user's own");
    std::fs::remove_dir_all(place.path("elsewhere")).unwrap();
    let mut again = place.weir(&["run", "deploy/plan.toml", "--quick"]);
    again.env("SHOP_TEST_KEY", "another");
    crate::support::said(again).measured();
}
