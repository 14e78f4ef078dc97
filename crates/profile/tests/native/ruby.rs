//! A server in Ruby whose threads share one interpreter, and that keeps account of its own CPU time.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};

use profile::{Sampler, Subject};
use record::Stacks;

use super::{Running, share};

/// Four threads that answer. `render` computes with the interpreter's lock; `pause` waits and `copy` works without it.
const SERVER: &str = r#"
require 'socket'

RENDERED, PAUSED, COPIED = [], [], []

def cpu
  Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID)
end

def render
  begun = cpu
  total = 0
  number = 0
  while number < 150_000
    total += number * number % 7
    number += 1
  end
  RENDERED << (cpu - begun)
  total
end

def pause
  begun = cpu
  sleep 0.02
  PAUSED << (cpu - begun)
end

def copy(buffer)
  begun = cpu
  File.open('/dev/zero', 'rb') { |zeros| zeros.read(32 << 20, buffer) }
  COPIED << (cpu - begun)
end

def answer(path, buffer)
  case path
  when '/account'
    all = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    [RENDERED.sum, PAUSED.sum, COPIED.sum, all].join(' ')
  when '/page'
    pause
    render
  else
    copy(buffer)
    render
  end
end

def serve(client, buffer)
  path = client.gets("\r\n\r\n").split[1]
  client.write("HTTP/1.0 200 OK\r\n\r\n#{answer(path, buffer)}")
  client.close
end

server = TCPServer.new('127.0.0.1', 0)
File.write('port', server.addr[1])
clients = Queue.new
4.times do
  Thread.new do
    buffer = +''
    loop { serve(clients.pop, buffer) }
  end
end
$stdout.puts 'ready'
$stdout.flush
loop { clients << server.accept }
"#;
/// Requests that are sent while it is profiled.
const REQUESTS: usize = 600;
/// How far the shares may be from the server's own account.
const SLACK: f64 = 0.1;

/// CPU seconds by the server's own account: in `render`, in `pause`, in `copy`, and of all that it does.
fn account(port: u16) -> [f64; 4] {
    let text = fetched(port, "/account").unwrap();
    let mut figures = text.split_ascii_whitespace().map(|of| of.parse().unwrap());
    [(); 4].map(|()| figures.next().unwrap())
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

/// The stacks of the server while it answers so many clients who ask for this path, and its account of this time.
fn profiled(path: &str, clients: usize) -> (Stacks, [f64; 4]) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("served.rb"), SERVER).unwrap();
    let running = Running::start(folder, &["ruby", "served.rb"]);
    let port = fs::read_to_string(folder.join("port")).unwrap();
    let port = port.parse().unwrap();
    let sampler = Sampler::start(Subject::of_process(running.0.id()), 200.0);
    let before = account(port);
    let (sent, answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let is_left = || sent.fetch_add(1, Ordering::Relaxed) < REQUESTS;
    sampler.resume();
    std::thread::scope(|scope| {
        for _ in 0..clients {
            scope.spawn(|| {
                while is_left() {
                    let is_answered = fetched(port, path).is_some();
                    answered.fetch_add(usize::from(is_answered), Ordering::Relaxed);
                }
            });
        }
    });
    let (facts, stacks) = sampler.finish();
    let after = account(port);
    assert_eq!(answered.into_inner(), REQUESTS);
    assert_eq!(facts.problem, None);
    assert!(facts.on_cpu() > 50, "{facts:?}");
    (stacks, [0, 1, 2, 3].map(|at| after[at] - before[at]))
}

/// The shares of these methods in what is told are as they are in the account, where that many CPU seconds are all.
fn assert_told(stacks: &Stacks, all: f64, methods: &[(&str, f64)]) {
    for &(method, seconds) in methods {
        // later versions of Ruby name the class, too
        let mut names = stacks.functions.iter().map(|of| &*of.name);
        let name = names.find(|name| name.rsplit('#').next() == Some(method));
        let told = name.map_or(0.0, |name| share(stacks, name));
        let own = seconds / all;
        assert!(
            (told - own).abs() < SLACK,
            "{method} {own}, {told}: {stacks:?}"
        );
    }
}

#[test]
fn methods_of_ruby_have_the_shares_that_their_server_accounts_for() {
    let (stacks, [render, pause, _, all]) = profiled("/page", 4);
    assert!(render / all > 0.5, "most of it is the page: {render} {all}");
    assert_told(&stacks, all, &[("render", render), ("pause", pause)]);
}

/// A thread runs while the lock is nobody's, and the one that had it last has no part in that.
#[test]
fn what_of_ruby_runs_without_the_interpreters_lock_is_in_no_stack() {
    let (stacks, [render, _, copy, all]) = profiled("/copied", 1);
    assert!(copy / all > 0.15, "much of it is copied: {copy} {all}");
    let locked = all - copy;
    assert_told(&stacks, locked, &[("render", render), ("copy", 0.0)]);
}
