//! ab's options for TLS, and weir's own that do the same.

use crate::support::Place;
use testkit::{Authority, Nginx};

/// nginx, which answers with what it sees of a handshake; and a client's certificate with its key.
struct Served {
    nginx: Nginx,
    place: Place,
    client: String,
}

impl Served {
    fn new() -> Self {
        let authority = Authority::new();
        let nginx = Nginx::start_tls(&format!(
            "{}ssl_protocols TLSv1.2 TLSv1.3; ssl_client_certificate {}; ssl_verify_client optional;
             location /version {{ return 200 $ssl_protocol; }}
             location /cipher {{ return 200 $ssl_cipher; }}
             location /name {{ return 200 \"[$ssl_server_name]\"; }}
             location /client {{ if ($ssl_client_verify != SUCCESS) {{ return 403; }} return 200 known; }}",
            authority.certify("localhost").directives(),
            authority.file().display(),
        ));
        let place = Place::new();
        let client = authority.certify("somebody");
        let both = [client.certificate, client.key].map(|file| std::fs::read(file).unwrap());
        let file = place.path("client.pem");
        std::fs::write(&file, both.concat()).unwrap();
        let client = file.display().to_string();
        Self {
            nginx,
            place,
            client,
        }
    }

    fn url(&self, path: &str) -> String {
        format!("https://localhost:{}/{path}", self.nginx.address().port())
    }

    /// ab tells the length of a body alone; weir's own options must bring the body itself.
    fn answers(&self, ab: &[&str], own: &[&str], path: &str, wanted: &str) {
        let url = self.url(path);
        let said = self.place.run(&[&["ab", "-n", "10"], ab, &[&url]].concat());
        assert_eq!(said.code, 0, "{ab:?} {}", said.err);
        let length = format!("Document Length:        {} bytes", wanted.len());
        assert!(said.out.contains(&length), "{ab:?} {}", said.out);
        assert!(
            said.out.contains("Failed requests:        0\n"),
            "{ab:?} {}",
            said.out
        );
        let load = [
            "bench",
            &url,
            "-k",
            "-n",
            "10",
            "-c",
            "1",
            "--warm-up",
            "0s",
        ];
        let said = self
            .place
            .run(&[&load[..], &["--contains", wanted], own].concat());
        let all = "10 completed + 0 failed";
        assert!(said.out.contains(all), "{own:?} {}{}", said.out, said.err);
    }
}

#[test]
fn ab_shapes_its_handshakes() {
    let served = Served::new();
    served.answers(
        &["-f", "TLS1.2"],
        &["--tls-version", "1.2"],
        "version",
        "TLSv1.2",
    );
    served.answers(
        &["-f", "tls1.3"],
        &["--tls-version", "1.3"],
        "version",
        "TLSv1.3",
    );
    let chacha = "TLS_CHACHA20_POLY1305_SHA256";
    served.answers(&["-Z", chacha], &["--ciphers", chacha], "cipher", chacha);
    let old = "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256";
    served.answers(&["-Z", old], &["--ciphers", old], "version", "TLSv1.2");
    served.answers(&[], &[], "name", "[localhost]");
    served.answers(&["-I"], &["--no-sni"], "name", "[]");
    let client = served.client.as_str();
    served.answers(&["-E", client], &["--cert", client], "client", "known");
}

#[test]
fn what_cannot_be_had_is_refused() {
    let served = Served::new();
    let url = served.url("version");
    let ab = |option, value| served.place.run(&["ab", option, value, &url]);
    ab("-Z", "HIGH:!aNULL").fails(22, &["unsupported cipher suite `HIGH`"]);
    ab("-E", "/dev/null").fails(22, &["`/dev/null`"]);
    let old = ab("-f", "SSL3");
    assert_eq!(old.code, 22);
    assert!(old.err.contains("TLS 1.2 and 1.3 only"), "{}", old.err);
}
