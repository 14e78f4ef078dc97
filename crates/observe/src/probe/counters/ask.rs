//! One question to a program: to its own listener, or by a command. What answers may be anything: time and size are
//! bounded.

use std::io::{ErrorKind, Read as _, Write as _};
use std::time::{Duration, Instant};

use record::{CounterAsk, Target};
use socket2::{Domain, SockAddr, Socket, Type};

/// Longest time for a command, which has a process to start: some take seconds where others have the cores.
const COMMAND_LIMIT: Duration = Duration::from_secs(20);
/// Largest answer, in bytes.
const LARGEST: usize = 256 * 1024;

/// Runs a command to its end within a time, and gives what it printed; or says why not.
pub type RunCommand = fn(&[String], Duration) -> Result<String, String>;

/// The text of an answer, or why there is none within this time; a command has a longer one.
pub(super) fn ask(ask: &CounterAsk, limit: Duration, run: RunCommand) -> Result<String, String> {
    match ask {
        // in HTTP/1.0 the end of the connection is that of the answer
        CounterAsk::Get { at, path } => {
            let request = format!("GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n");
            body(&answer(at, &request, limit)?)
        }
        CounterAsk::Send { at, line } => answer(at, &format!("{line}\n"), limit),
        CounterAsk::Run(argv) => match run(argv, COMMAND_LIMIT)? {
            printed if printed.len() > LARGEST => Err(too_long()),
            printed => Ok(printed),
        },
    }
}

fn answer(at: &Target, request: &str, limit: Duration) -> Result<String, String> {
    let until = Instant::now() + limit;
    let answer = exchange(at, request, until).map_err(|error| match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            format!("no whole response within {} ms", limit.as_millis())
        }
        _ => error.to_string(),
    })?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

fn too_long() -> String {
    format!("more than {} KiB", LARGEST / 1024)
}

fn exchange(at: &Target, request: &str, until: Instant) -> std::io::Result<Vec<u8>> {
    let (domain, address) = match at {
        Target::Tcp(address) => (Domain::for_address(*address), SockAddr::from(*address)),
        Target::Unix(path) => (Domain::UNIX, SockAddr::unix(path)?),
    };
    let mut socket = Socket::new(domain, Type::STREAM, None)?;
    socket.connect_timeout(&address, left(until)?)?;
    socket.set_write_timeout(Some(left(until)?))?;
    socket.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    let mut piece = [0; 8192];
    loop {
        socket.set_read_timeout(Some(left(until)?))?;
        match socket.read(&mut piece) {
            Ok(0) => return Ok(answer),
            Ok(count) => answer.extend_from_slice(&piece[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if answer.len() > LARGEST {
            return Err(std::io::Error::other(too_long()));
        }
    }
}

fn left(until: Instant) -> std::io::Result<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    (!left.is_zero())
        .then_some(left)
        .ok_or(ErrorKind::TimedOut.into())
}

/// The body of an answer over HTTP that is right.
fn body(answer: &str) -> Result<String, String> {
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("no HTTP response")?;
    let status = head
        .strip_prefix("HTTP/1.")
        .and_then(|rest| rest.get(2..5))
        .and_then(|status| status.parse::<u16>().ok());
    match status {
        Some(200) => Ok(body.to_owned()),
        Some(status) => Err(format!("it answers with status {status}")),
        None => Err("no HTTP response".to_owned()),
    }
}
