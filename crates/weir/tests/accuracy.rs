//! Reported times and counts against those that the server itself has kept.

mod support;

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::Place;

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/// Answers each request after a delay of its own, and keeps how long it took.
struct Origin {
    address: SocketAddr,
    kept: Arc<Mutex<Vec<f64>>>,
}

impl Origin {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let kept = Arc::new(Mutex::new(Vec::new()));
        let keep = Arc::clone(&kept);
        thread::spawn(move || {
            for (seed, stream) in (1..).zip(listener.incoming()) {
                let keep = Arc::clone(&keep);
                thread::spawn(move || serve(stream.unwrap(), seed, &keep));
            }
        });
        Self { address, kept }
    }

    /// Ascending, of everything answered since the last call.
    fn take(&self) -> Vec<f64> {
        let mut times = std::mem::take(&mut *self.kept.lock().unwrap());
        times.sort_by(f64::total_cmp);
        times
    }
}

/// Until the client closes. Most delays are about a millisecond, one in 20 is ten.
fn serve(mut stream: TcpStream, mut seed: u64, keep: &Mutex<Vec<f64>>) {
    stream.set_nodelay(true).unwrap();
    let mut buffer = [0; 4096];
    while stream.read(&mut buffer).is_ok_and(|read| read > 0) {
        let began = Instant::now();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let drawn = seed >> 33;
        let delay = match drawn % 20 {
            0 => 10_000,
            _ => 500 + drawn % 1_000,
        };
        let until = began + Duration::from_micros(delay);
        while let Some(left) = until
            .checked_duration_since(Instant::now())
            .filter(|of| !of.is_zero())
        {
            thread::park_timeout(left);
        }
        // kept before it is sent, so that whoever has the answer finds it here
        keep.lock().unwrap().push(began.elapsed().as_secs_f64());
        if stream.write_all(ANSWER).is_err() {
            return;
        }
    }
}

/// What a plain blocking client adds to the server's own time at most: this machine's jitter now.
fn jitter(origin: &Origin) -> f64 {
    let mut stream = TcpStream::connect(origin.address).unwrap();
    let mut buffer = [0; 4096];
    let mut most: f64 = 0.0;
    for _ in 0..300 {
        let began = Instant::now();
        stream
            .write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            .unwrap();
        assert_eq!(stream.read(&mut buffer).unwrap(), ANSWER.len());
        let seen = began.elapsed().as_secs_f64();
        let own = origin.kept.lock().unwrap().pop().unwrap();
        most = most.max(seen - own);
    }
    most
}

#[test]
fn quantiles_and_counts_are_the_servers_own() {
    let origin = Origin::start();
    let url = format!("http://{}/", origin.address);
    let before = jitter(&origin);
    let args = ["bench", &url, "-c", "2", "-n", "1000", "--warm-up", "0s"];
    let said = Place::new().run(&[&args[..], &["--json"]].concat());
    assert!([0, 4].contains(&said.code), "{}", said.err);
    let own = origin.take();
    let jitter = before.max(jitter(&origin));
    let json: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(json["load"]["completed"], own.len());
    for (name, q) in [("p50", 0.5), ("p90", 0.9)] {
        let told = json["service"][name].as_f64().unwrap();
        let truth = own[(q * own.len() as f64).ceil() as usize - 1];
        // no answer can be seen before the server has sent it, so that no quantile can be lower
        let ratio = told / truth;
        let most = 1.001 + jitter / truth;
        assert!(
            (0.999..=most).contains(&ratio),
            "{name}: {ratio}, at most {most}"
        );
    }
}
