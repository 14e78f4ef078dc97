//! TLS to a real nginx, and to peers that get it wrong.

use std::fs;

use crate::common::{self, job, run, to};
use load::{Body, Job, LoadError};
use record::{Cause, LoadFacts, Protocol, Target, Tls, TlsVersion};
use testkit::{Authority, Certified, Nginx, ScriptedPeer, Step, answer};

const PLAIN: &str = "ssl_protocols TLSv1.2 TLSv1.3; location / { return 200 \"$ssl_protocol $ssl_session_reused\"; }";

/// A job for this server, which trusts `authority`.
fn secret(target: Target, authority: &Authority) -> Job {
    let mut job = job(target);
    job.load.tls = Some(Tls {
        authorities: Some(authority.file()),
        ..Tls::default()
    });
    job
}

fn serve(certified: &Certified, more: &str) -> Nginx {
    Nginx::start_tls(&format!("{}{more}", certified.directives()))
}

fn tls(job: &mut Job) -> &mut Tls {
    job.load.tls.as_mut().unwrap()
}

fn all_right(job: &Job) -> LoadFacts {
    let facts = run(job).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(facts.completed, 20, "{facts:?}");
    assert_eq!(facts.failures() + facts.timed_out, 0, "{facts:?}");
    facts
}

/// Why not one request was answered.
fn refused(job: &Job) -> String {
    let error = run(job).expect_err("no request can be answered");
    assert!(matches!(error, LoadError::NothingRight { .. }), "{error:?}");
    assert!(error.hint().unwrap().contains("--insecure"), "{error:?}");
    error.to_string()
}

#[test]
fn both_versions_over_tcp_and_a_unix_socket() {
    let authority = Authority::new();
    let nginx = serve(&authority.certify("localhost"), PLAIN);
    for (version, words) in [
        (TlsVersion::Tls12, "TLSv1.2"),
        (TlsVersion::Tls13, "TLSv1.3"),
    ] {
        for target in [Target::Tcp(nginx.address()), Target::Unix(nginx.path())] {
            let mut job = secret(target, &authority);
            (tls(&mut job).oldest, tls(&mut job).newest) = (Some(version), Some(version));
            common::part(&mut job).expected.body = Body::Contains(vec![words.into()]);
            let facts = all_right(&job);
            assert_eq!(facts.connects, 2, "kept alive: {facts:?}");
        }
    }
}

#[test]
fn http2_is_asked_for_by_its_name() {
    let authority = Authority::new();
    let certified = authority.certify("localhost");
    let server = "location / { return 200 \"$server_protocol, $ssl_alpn_protocol\"; }";
    let nginx = Nginx::start_tls_http2(&format!("{}{server}", certified.directives()));
    for (protocol, words) in [
        (Protocol::Http2, "HTTP/2.0, h2"),
        (Protocol::Http1, "HTTP/1.1, http/1.1"),
    ] {
        let mut job = secret(Target::Tcp(nginx.address()), &authority);
        job.protocol = protocol;
        job.load.streams = 5;
        common::part(&mut job).expected.body = Body::Exact(words.into());
        all_right(&job);
    }
    let old = serve(&certified, PLAIN);
    let mut job = secret(Target::Tcp(old.address()), &authority);
    job.protocol = Protocol::Http2;
    let why = run(&job).expect_err("it has no HTTP/2").to_string();
    assert!(why.contains("no_application_protocol"), "{why}");
}

#[test]
fn certificates_are_looked_at_unless_any_will_do() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    for (certified, words) in [
        (stranger.certify("localhost"), "unknown issuer"),
        (authority.certify("example.org"), "another name"),
        (authority.certify_expired("localhost"), "expired"),
    ] {
        let nginx = serve(&certified, PLAIN);
        let mut job = secret(Target::Tcp(nginx.address()), &authority);
        let why = refused(&job);
        assert!(why.contains(words), "{why}");
        *tls(&mut job) = Tls {
            insecure: true,
            ..Tls::default()
        };
        all_right(&job);
    }
}

#[test]
fn a_name_can_be_asked_for_that_is_not_the_hosts() {
    let authority = Authority::new();
    let nginx = serve(
        &authority.certify("example.org"),
        "location / { return 200 $ssl_server_name; }",
    );
    let mut job = secret(Target::Tcp(nginx.address()), &authority);
    tls(&mut job).server_name = Some("example.org".to_owned());
    common::part(&mut job).expected.body = Body::Exact("example.org".into());
    all_right(&job);
}

#[test]
fn a_certificate_that_is_its_own_authority_is_trusted_when_it_is_named() {
    let authority = Authority::new();
    let own = authority.self_made("localhost");
    let nginx = serve(&own, PLAIN);
    let mut job = secret(Target::Tcp(nginx.address()), &authority);
    refused(&job);
    tls(&mut job).authorities = Some(own.certificate.clone());
    all_right(&job);
    job.host = "example.org".to_owned();
    let why = refused(&job);
    assert!(why.contains("another name"), "{why}");
}

#[test]
fn a_client_may_have_to_say_who_it_is() {
    let authority = Authority::new();
    let wanted = format!(
        "ssl_verify_client on; ssl_client_certificate {};\n{PLAIN}",
        authority.file().display()
    );
    let nginx = serve(&authority.certify("localhost"), &wanted);
    for version in [TlsVersion::Tls12, TlsVersion::Tls13] {
        let mut job = secret(Target::Tcp(nginx.address()), &authority);
        tls(&mut job).newest = Some(version);
        let error = run(&job).expect_err("nobody without a certificate is let in");
        assert!(error.to_string().contains("400"), "{error}");
        let client = authority.certify("client");
        tls(&mut job).certificate = Some(client.certificate);
        tls(&mut job).key = Some(client.key);
        all_right(&job);
    }
}

/// One new connection after the other: how many of 20 took up an earlier session?
fn resumed(nginx: &Nginx, authority: &Authority, version: TlsVersion, resumption: bool) -> u64 {
    let mut job = secret(Target::Tcp(nginx.address()), authority);
    (tls(&mut job).oldest, tls(&mut job).newest) = (Some(version), Some(version));
    tls(&mut job).no_resumption = !resumption;
    job.load.connections = 1;
    job.load.keep_alive = false;
    common::part(&mut job).expected.body = Body::Contains(vec![" .".into()]);
    let fresh = run(&job).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(fresh.connects, 20, "{fresh:?}");
    let reused = fresh.failed.get(&Cause::Body).copied().unwrap_or(0);
    assert_eq!(fresh.completed + reused, 20, "{fresh:?}");
    reused
}

#[test]
fn sessions_are_resumed_unless_they_are_not_to_be() {
    let authority = Authority::new();
    let certified = authority.certify("localhost");
    let by_id = format!("ssl_session_tickets off; ssl_session_cache shared:ids:1m;\n{PLAIN}");
    let (tickets, ids) = (serve(&certified, PLAIN), serve(&certified, &by_id));
    for (nginx, version) in [
        (&tickets, TlsVersion::Tls12),
        (&tickets, TlsVersion::Tls13),
        (&ids, TlsVersion::Tls12),
    ] {
        assert_eq!(resumed(nginx, &authority, version, true), 19, "{version:?}");
        assert_eq!(resumed(nginx, &authority, version, false), 0, "{version:?}");
    }
}

#[test]
fn a_large_body_arrives_as_it_is() {
    let authority = Authority::new();
    let dir = testkit::temp_dir();
    let body: Vec<u8> = (0..1_000_000_u32).map(|at| (at * 31 / 7) as u8).collect();
    fs::write(dir.path().join("large"), &body).unwrap();
    let files = format!("root {};", dir.path().display());
    let nginx = serve(&authority.certify("localhost"), &files);
    let mut job = secret(Target::Tcp(nginx.address()), &authority);
    common::part(&mut job).request.path = "/large".to_owned();
    common::part(&mut job).expected.body = Body::Exact(body);
    let facts = all_right(&job);
    assert_eq!(facts.bodies.compared, 20);
}

#[test]
fn a_port_without_tls_is_named_as_such() {
    let peer = ScriptedPeer::tcp(|_| {
        vec![
            Step::ReadBytes(100),
            Step::Send(answer(400, &[], "plain")),
            Step::Stall,
        ]
    });
    let authority = Authority::new();
    let mut job = to(&peer);
    job.load.tls = secret(Target::Tcp(peer.address()), &authority).load.tls;
    let why = refused(&job);
    assert!(why.contains("not TLS: `HTTP/1.1 400"), "{why}");
}

#[test]
fn no_version_in_common() {
    let authority = Authority::new();
    let only = "ssl_protocols TLSv1.3;";
    let nginx = serve(&authority.certify("localhost"), only);
    let mut job = secret(Target::Tcp(nginx.address()), &authority);
    tls(&mut job).newest = Some(TlsVersion::Tls12);
    let why = refused(&job);
    assert!(why.contains("alert protocol_version"), "{why}");
}

#[test]
fn files_that_hold_no_certificate_are_named() {
    let authority = Authority::new();
    let target = Target::Tcp(([127, 0, 0, 1], 1).into());
    let complaint = |set: &dyn Fn(&mut Tls)| {
        let mut job = secret(target.clone(), &authority);
        set(tls(&mut job));
        let error = run(&job).expect_err("no such settings");
        assert!(error.hint().is_some(), "{error}");
        error.to_string()
    };
    let client = authority.certify("client");
    let missing = complaint(&|tls| tls.authorities = Some("/does/not/exist".into()));
    assert!(
        missing.contains("cannot read `/does/not/exist`"),
        "{missing}"
    );
    let key = client.key.clone();
    let none = complaint(&|tls| tls.authorities = Some(key.clone()));
    assert!(
        none.contains("client.key`: no authority's certificate"),
        "{none}"
    );
    let keyless = complaint(&|tls| tls.certificate = Some(client.certificate.clone()));
    assert!(keyless.contains("client.pem`: no key"), "{keyless}");
    let others = authority.certify("other").key;
    let mixed = complaint(&|tls| {
        tls.certificate = Some(client.certificate.clone());
        tls.key = Some(others.clone());
    });
    assert!(mixed.contains("other.key`: no key"), "{mixed}");
    let name = complaint(&|tls| tls.server_name = Some("a b".to_owned()));
    assert!(name.contains("`a b` is not a server's name"), "{name}");
}

#[test]
fn tls_is_for_the_web() {
    let authority = Authority::new();
    let mut job = secret(Target::Tcp(([127, 0, 0, 1], 1).into()), &authority);
    job.protocol = record::Protocol::Scgi;
    let error = run(&job).expect_err("no SCGI over TLS");
    assert!(matches!(error, LoadError::Unspoken(_)), "{error:?}");
}
