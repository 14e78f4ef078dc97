//! A server whose threads share one interpreter, and that keeps account of its own CPU time.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};

use profile::{Sampler, Subject};
use record::{CodeClass, Doing, ProfileFacts, Stacks};

use super::{Script, share};

/// A thread for each connection. `render` computes with the interpreter lock; `digest` lets go of it meanwhile.
const SERVER: &str = "\
import hashlib, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

rendered, digested = [], []

def render(rounds):
    begun = time.thread_time()
    total = 0
    for number in range(rounds):
        total += number * number % 7
    rendered.append(time.thread_time() - begun)
    return total

def digest(rounds):
    begun = time.thread_time()
    hashlib.pbkdf2_hmac('sha256', b'password', b'salt', rounds)
    digested.append(time.thread_time() - begun)

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == '/account':
            text = f'{sum(rendered)} {sum(digested)} {time.process_time()}'
        elif self.path == '/page':
            text = f'{render(30_000)}'
        else:
            digest(6_000)
            text = f'{render(10_000)}'
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments):
        pass

server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
with open('port', 'w') as file:
    file.write(str(server.server_port))
print('ready', flush=True)
server.serve_forever()
";
/// Requests that are sent while it is profiled.
const REQUESTS: usize = 3_000;
/// Clients that send them.
const CLIENTS: usize = 4;
/// How far the shares may be from the server's own account: four times what 600 looks scatter by, and what remains of the bias for
/// what runs long, 0.03 to 0.07 here, with idle cores as with busy ones.
const SLACK: f64 = 0.14;

/// The server's own account: CPU seconds in `render`, in `digest`, and of all that it does.
struct Account([f64; 3]);

impl Account {
    fn of(port: u16) -> Self {
        let text = fetched(port, "/account").unwrap();
        let mut figures = text.split_ascii_whitespace().map(|of| of.parse().unwrap());
        Self([(); 3].map(|()| figures.next().unwrap()))
    }

    /// The shares of `render` and of `digest` in the CPU time since it was as earlier.
    fn shares(&self, earlier: &Self) -> [f64; 2] {
        let [render, digest, all] = [0, 1, 2].map(|at| self.0[at] - earlier.0[at]);
        [render / all, digest / all]
    }
}

/// The body that a path has; `None` where there is no answer.
fn fetched(port: u16, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (_, body) = answer.split_once("\r\n\r\n")?;
    Some(body.to_owned())
}

/// A profile of the server while it answers requests for this path, and what it says itself of this time.
fn profiled(path: &str) -> (ProfileFacts, Stacks, [f64; 2]) {
    let script = Script::start(SERVER);
    let port = std::fs::read_to_string(script.folder.path().join("port")).unwrap();
    let port = port.parse().unwrap();
    let subject = Subject {
        roots: vec![script.child.id()],
        app: Some(script.folder.path().to_owned()),
        servers: vec!["http/server.py".to_owned(), "socketserver.py".to_owned()],
    };
    let sampler = Sampler::start(subject, 100.0);
    let before = Account::of(port);
    let (sent, answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let is_left = || sent.fetch_add(1, Ordering::Relaxed) < REQUESTS;
    sampler.resume();
    std::thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                while is_left() {
                    let is_answered = fetched(port, path).is_some();
                    answered.fetch_add(usize::from(is_answered), Ordering::Relaxed);
                }
            });
        }
    });
    let (facts, stacks) = sampler.finish();
    let after = Account::of(port);
    assert_eq!(answered.into_inner(), REQUESTS);
    (facts, stacks, after.shares(&before))
}

#[test]
fn an_apps_share_is_as_its_server_accounts_for_it() {
    let (facts, stacks, [own, _]) = profiled("/page");
    assert!(own > 0.5, "most of its time goes to the page: {own}");
    let told = facts.share_of(CodeClass::App).unwrap();
    assert!((told - own).abs() < SLACK, "{own}, {told}: {stacks:?}");
    let render = share(&facts, &stacks, Doing::OnCpu, "render");
    assert!((render - own).abs() < SLACK, "{own}, {render}: {stacks:?}");
}

#[test]
fn what_computes_without_the_interpreter_lock_is_on_cpu() {
    let (facts, stacks, accounts) = profiled("/digest");
    assert!(
        accounts[1] > 0.3,
        "much of its time is digests: {accounts:?}"
    );
    for (function, own) in ["render", "digest"].into_iter().zip(accounts) {
        let told = share(&facts, &stacks, Doing::OnCpu, function);
        assert!(
            (told - own).abs() < SLACK,
            "{function} {own}, {told}: {stacks:?}"
        );
    }
}
