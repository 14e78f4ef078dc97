//! `weir bench` over TLS: what a user types, and what they are told.

use crate::support::{Place, Said};
use testkit::{Authority, Nginx};

fn bench(url: &str, more: &[&str]) -> Said {
    let place = Place::new();
    let mut args = vec!["bench", url, "-c", "2", "-n", "20", "--warm-up", "0s"];
    args.extend(more);
    place.run(&args)
}

/// So few answers make no figures to trust, and it says so; that they came is what counts here.
fn answered(said: &Said) {
    let all = "20 completed + 0 failed + 0 timed out";
    assert!(said.out.contains(all), "{}{}", said.out, said.err);
}

#[test]
fn https_over_tcp_and_a_unix_socket() {
    let authority = Authority::new();
    let certified = authority.certify("localhost");
    let served = format!(
        "{}ssl_protocols TLSv1.2 TLSv1.3; location / {{ return 200 $ssl_protocol; }}",
        certified.directives()
    );
    let nginx = Nginx::start_tls(&served);
    let ca = authority.file().display().to_string();
    let tcp = format!("https://localhost:{}/", nginx.address().port());
    let unix = format!("https+unix:{}|/", nginx.path().display());
    answered(&bench(&tcp, &["--cacert", &ca, "--contains", "TLSv1.3"]));
    let old = ["-k", "--tls-version", "1.2", "--contains", "TLSv1.2"];
    answered(&bench(&unix, &old));
    bench(&tcp, &[]).fails(9, &["certificate not trusted: unknown issuer", "--cacert"]);
    let address = format!("https://{}/", nginx.address());
    bench(&address, &["--cacert", &ca]).fails(9, &["another name", "--sni"]);
    answered(&bench(&address, &["--cacert", &ca, "--sni", "localhost"]));
}

#[test]
fn a_handshake_that_fails_says_what_to_type_next() {
    let authority = Authority::new();
    let ca = authority.file().display().to_string();
    let served = |directives: String| {
        Nginx::start_tls(&format!("{directives} location / {{ return 200 hello; }}"))
    };
    let own = served(authority.self_made("localhost").directives());
    let url = format!("https://localhost:{}/", own.address().port());
    let said = bench(&url, &[]);
    said.fails(9, &["certificate not trusted: self-signed", "`-k`"]);
    assert!(!said.err.contains("CaUsedAs"), "{}", said.err);
    answered(&bench(&url, &["-k"]));
    bench(&url, &["-k", "--http2"]).fails(9, &["leave out `--http2`", "does not offer it by ALPN"]);
    let nameless = served(authority.nameless("localhost").directives());
    let url = format!("https://localhost:{}/", nameless.address().port());
    let said = bench(&url, &["--cacert", &ca, "--sni", "localhost"]);
    said.fails(9, &["it has no subjectAltName", "-addext subjectAltName"]);
}

#[test]
fn options_that_make_no_sense() {
    let https = "https://127.0.0.1:1/";
    bench("http://127.0.0.1:1/", &["--sni", "a"]).fails(2, &["`--sni` makes no sense", "https"]);
    bench(https, &["--cacert", "/does/not/exist"]).fails(2, &["`/does/not/exist`", "exists"]);
    let place = Place::new();
    let empty = place.write("empty.pem", "").display().to_string();
    bench(https, &["--cacert", &empty]).fails(2, &["empty.pem`", "PEM"]);
    bench(https, &["--cacert", "/dev/null"]).fails(2, &["`/dev/null`", "not a regular file"]);
    bench(https, &["--sni", "a b"]).fails(2, &["`a b` is not a server's name"]);
}
