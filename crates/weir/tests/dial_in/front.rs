//! The front end as its entry carries it: built once, started by itself on ports that the kernel chose.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};

use toml::Table;

use crate::support::{PATIENCE, repository};

const BUILT: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/dial-in");

pub(crate) struct Front {
    process: Child,
    log: Receiver<String>,
    /// Where clients connect: an address, or the path of a socket.
    pub(crate) clients: String,
    /// Where servers dial in.
    pub(crate) servers: String,
}

impl Front {
    /// Room for one request in the queue, and time limits that no test meets unless it sets them.
    pub(crate) fn start(options: &[&str]) -> Self {
        let mut process = Command::new(built())
            .args("-clients 127.0.0.1:0 -servers 127.0.0.1:0 -key sesame -queue-limit 1".split(' '))
            .args("-queue-timeout 2m -answer-timeout 2m -idle-timeout 2m".split(' '))
            .args("-attempts 2 -largest-body 1000".split(' '))
            .args(options)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (told, log) = channel();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        std::thread::spawn(move || {
            let mut lines = lines.map_while(Result::ok);
            lines.try_for_each(|line| told.send(line))
        });
        let mut front = Self {
            process,
            log,
            clients: String::new(),
            servers: String::new(),
        };
        let line = front.says("clients connect to ");
        let (_, addresses) = line.split_once("clients connect to ").unwrap();
        let (clients, servers) = addresses.split_once(", servers to ").unwrap();
        (front.clients, front.servers) = (clients.to_owned(), servers.to_owned());
        front
    }

    /// The next line of its log that has these words in it.
    pub(crate) fn says(&self, words: &str) -> String {
        loop {
            let line = self.log.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("it never says `{words}`"));
            if line.contains(words) {
                return line;
            }
        }
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn built() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let entry = repository().join("catalogue/front-ends/dial-in.toml");
        let entry: Table = std::fs::read_to_string(entry).unwrap().parse().unwrap();
        std::fs::create_dir_all(BUILT).unwrap();
        let source = format!("{BUILT}/front.go");
        std::fs::write(&source, entry["files"][0]["template"].as_str().unwrap()).unwrap();
        let program = format!("{BUILT}/front");
        let go = Command::new("go")
            .args(["build", "-o", &program, &source])
            .env("GO111MODULE", "off")
            .env("GOTOOLCHAIN", "local")
            .env("GOCACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/go"))
            .status();
        assert!(go.expect("run `make deps`").success());
        program
    })
}
