//! One answer before the load: it says which status, length and server to expect.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use load::Request;
use record::Target;
use wire::{Answer, Ask, Collector, Http1};

use crate::commands::bench::Place;
use crate::error::{Error, Result};
use crate::exit::Exit;

/// Asks once; `timeout` in seconds for each step of it.
pub(super) fn ask(place: &Place, request: &Request, timeout: f64) -> Result<Answer> {
    exchange(place, request, Duration::from_secs_f64(timeout)).map_err(|why| {
        let message = format!("unable to connect to {} {why}", place.host);
        Error::new(Exit::Target, message).hint("is the server up, and is this its port?".to_owned())
    })
}

fn exchange(
    place: &Place,
    asked: &Request,
    timeout: Duration,
) -> std::result::Result<Answer, String> {
    let headers: Vec<_> = asked
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let (mut collector, request) = Collector::<Http1>::new(&Ask {
        method: &asked.method,
        path: &asked.path,
        host: &place.host,
        headers: &headers,
        body: &asked.body,
        keep_alive: false,
    })
    .map_err(|error| error.to_string())?;
    let mut stream = connect(&place.target, timeout).map_err(|error| error.to_string())?;
    stream
        .write_all(&request)
        .map_err(|error| error.to_string())?;
    let mut piece = vec![0; 64 * 1024];
    let mut owed = Vec::new();
    loop {
        let count = stream.read(&mut piece).map_err(|error| error.to_string())?;
        if count == 0 {
            return collector.close().map_err(|error| error.to_string());
        }
        let answer = collector.receive(&piece[..count], &mut owed);
        if let Some(answer) = answer.map_err(|error| error.to_string())? {
            return Ok(answer);
        }
        stream.write_all(&owed).map_err(|error| error.to_string())?;
        owed.clear();
    }
}

trait Stream: Read + Write {}
impl<T: Read + Write> Stream for T {}

fn connect(target: &Target, timeout: Duration) -> std::io::Result<Box<dyn Stream>> {
    Ok(match target {
        Target::Tcp(address) => {
            let stream = TcpStream::connect_timeout(address, timeout)?;
            stream.set_read_timeout(Some(timeout))?;
            stream.set_write_timeout(Some(timeout))?;
            Box::new(stream)
        }
        Target::Unix(path) => {
            let stream = UnixStream::connect(path)?;
            stream.set_read_timeout(Some(timeout))?;
            stream.set_write_timeout(Some(timeout))?;
            Box::new(stream)
        }
    })
}
