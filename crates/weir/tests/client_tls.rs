//! `weir client --tls`: programs that shake hands again and again, or do not trust the origin.

use crate::client::{ASKS, client, found};
use crate::support::Place;

/// Makes requests over TLS, each over a connection of its own, with one context for all of them or one for each.
const SECURE: &str = "
import os, socket, ssl, sys
way, requests = sys.argv[1], int(sys.argv[2])
address, port = os.environ['WEIR_URL'].removeprefix('https://').rstrip('/').split(':')
def context():
    context = ssl.create_default_context(cafile=os.environ['WEIR_CA'])
    context.maximum_version = ssl.TLSVersion.TLSv1_2 # whose session is there after the handshake
    return context
one, session = context(), None
for _ in range(requests):
    tcp = socket.create_connection((address, int(port)))
    if way == 'resumed':
        tls = one.wrap_socket(tcp, server_hostname=address, session=session)
    else:
        tls = context().wrap_socket(tcp, server_hostname=address)
    tls.sendall(b'POST / HTTP/1.1\\r\\nHost: weir\\r\\nContent-Length: 3\\r\\n\\r\\nabc')
    heard = b''
    while not heard.endswith(b'ok\\n'):
        heard += tls.recv(4096)
    session = tls.session
    tls.close()
";

#[test]
fn handshakes_are_counted_and_whether_they_resume_a_session() {
    let place = Place::new();
    place.write("secure.py", SECURE);
    for (way, resumed, expected) in [
        ("resumed", 19, &["anew"][..]),
        ("anew", 0, &["anew", "unresumed"]),
    ] {
        let account = client(&place, &["--tls", "--", "python3", "secure.py", way, "20"]);
        let talk = &account["talk"];
        let counts = ["requests", "handshakes", "resumed"].map(|name| talk[name].as_u64());
        assert_eq!(counts, [Some(20), Some(20), Some(resumed)], "{talk}");
        assert_eq!(found(&account), expected);
    }
    let told = place.run(&["client", "--tls", "--", "python3", "-c", ASKS, "{url}"]);
    assert!(told.succeeds().out.contains("TLS "), "{}", told.out);
    place.assert_clean();
}

#[test]
fn a_client_that_does_not_trust_the_origin_is_told_how_to() {
    let place = Place::new();
    let asking = |change: &str| {
        let script = format!("{change}; python3 -c '{ASKS}' \"$WEIR_URL\"; true");
        place.run(&["client", "--tls", "--", "sh", "-c", &script])
    };
    let told = asking("unset SSL_CERT_FILE");
    assert!(
        told.out.contains("whose TLS handshake fails"),
        "{} {}",
        told.out,
        told.err
    );
    assert!(told.out.contains("WEIR_CA"), "{}", told.out);
    let told = asking("WEIR_URL=http://${WEIR_URL#https://}");
    assert!(
        told.out.contains("without a TLS handshake"),
        "{} {}",
        told.out,
        told.err
    );
    place.assert_clean();
}
