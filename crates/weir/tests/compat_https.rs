//! `weir wrk` and `weir ab` over TLS: what they print there.

use crate::compat::{figure, measured, real, shape};
use crate::support::Place;
use testkit::{Authority, Nginx};

/// nginx inside TLS, and its URL.
fn secret() -> (Nginx, String) {
    let authority = Authority::new();
    let certified = authority.certify("localhost");
    let served = "location / { return 200 $scheme; } location /no { return 404 no; }";
    let nginx = Nginx::start_tls(&(certified.directives() + served));
    let url = format!("https://localhost:{}/", nginx.address().port());
    (nginx, url)
}

#[test]
fn ab_is_spoken_over_https() {
    let (_nginx, url) = secret();
    let place = Place::new();
    for keep in [&["-k"][..], &[]] {
        let args = [&["-n", "600", "-c", "3", "-q"], keep, &[&url]].concat();
        let said = place.run(&[&["ab"][..], &args].concat());
        let text = measured(&said);
        let counts = ["Complete requests:", "Failed requests:", "Document Length:"];
        assert_eq!(counts.map(|name| figure(text, name) as u64), [600, 0, 5]);
        let theirs = shape(&real("ab", &args)).into_iter().skip(3);
        // the cipher and the keys of the connection, which weir does not tell
        let of_tls = ["SSL/TLS", "Server Temp", "TLS Server"];
        let plain = |line: &String| !of_tls.iter().any(|name| line.starts_with(name));
        let theirs: Vec<_> = theirs.filter(plain).collect();
        let ours: Vec<_> = shape(text).into_iter().skip(1).collect();
        assert_eq!(ours, theirs);
    }
}

#[test]
fn wrk_is_spoken_over_https() {
    let (_nginx, url) = secret();
    let place = Place::new();
    let args = ["-t", "2", "-c", "4", "-d", "1s", "--latency", &url];
    let said = place.run(&[&["wrk"][..], &args].concat());
    let text = measured(&said);
    assert!(figure(text, "Requests/sec:") > 0.0);
    assert_eq!(shape(text), shape(&real("wrk", &args)));
    place.write(
        "a.lua",
        "function response(status, headers, body) if body ~= 'https' then print('odd', body) end end
         function done() print(wrk.scheme, wrk.port) end",
    );
    let said = place.run(&["wrk", "-t1", "-c2", "-d", "300ms", "-s", "a.lua", &url]);
    let text = measured(&said);
    assert!(!text.contains("odd"), "{text}");
    let port = url.rsplit(':').next().unwrap().trim_end_matches('/');
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with("https\t") && last.ends_with(port),
        "{text}"
    );
}
