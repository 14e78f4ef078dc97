//! A peer's side of TLS: any bytes after the client's hello, an honest server that sends any bytes as
//! its answer, and one whose handshake is damaged on its way.

use std::fs;
use std::io::Write as _;
use std::sync::{Arc, LazyLock};

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, version};
use wire::{Http1, Session as _, Setup, Tls, TlsOptions, TlsSettings, TlsVersion, Trust};

use crate::answers::{Read, cut, hear, plain, random, read};

/// A client that believes anybody.
static CLIENT: LazyLock<Setup> = LazyLock::new(|| {
    let options = TlsOptions {
        trust: Trust::Anybody,
        identity: None,
        resumption: false,
        oldest: TlsVersion::Tls12,
        newest: TlsVersion::Tls13,
        sni: true,
        ciphers: Vec::new(),
    };
    Setup {
        tls: Some(TlsSettings::new(&options, "localhost").expect("settings")),
        ..Setup::default()
    }
});

/// A server of TLS 1.2, and one of TLS 1.3.
static SERVERS: LazyLock<[Arc<ServerConfig>; 2]> = LazyLock::new(|| {
    let authority = testkit::Authority::new();
    let own = authority.certify("localhost");
    let [chain, key] = [&own.certificate, &own.key].map(|file| fs::read(file).expect("a file"));
    [&version::TLS12, &version::TLS13].map(|version| {
        let chain = vec![CertificateDer::from_pem_slice(&chain).expect("a certificate")];
        let key = PrivateKeyDer::from_pem_slice(&key).expect("a key");
        let config = ServerConfig::builder_with_protocol_versions(&[version])
            .with_no_client_auth()
            .with_single_cert(chain, key);
        Arc::new(config.expect("a server"))
    })
});

/// Reads the first byte as the kind of peer, and the rest as what it has to say.
///
/// # Panics
/// When what the peer says depends on TLS or on how it is cut, or is heard without a handshake.
pub(crate) fn check(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else {
        return;
    };
    let server = &SERVERS[usize::from(kind / 3 % 2)];
    match kind % 3 {
        0 => stranger(rest),
        1 => honest(server, rest),
        _ => damaged(server, rest),
    }
}

/// Bytes that no secret was agreed on for mean the same however they are cut: nothing.
fn stranger(data: &[u8]) {
    let hear = |pieces: &[&[u8]]| {
        let session = Tls::<Http1>::open(&CLIENT, &mut Vec::new());
        let mut heard = hear(session, pieces);
        assert_eq!(heard.events, [], "an answer to nothing");
        assert!(heard.owed.len() <= 1024, "{} bytes owed", heard.owed.len());
        heard.owed.clear(); // an alert may be encrypted, with new keys each time
        heard
    };
    let whole = hear(&[data]);
    let bytes: Vec<&[u8]> = data.chunks(1).collect();
    for pieces in [bytes, cut(data, &mut random(data))] {
        let cut = hear(&pieces);
        assert!(whole.agrees_with(&cut), "whole {whole:?}\ncut   {cut:?}");
    }
}

/// What an honest server sends is heard as it is without TLS.
fn honest(server: &Arc<ServerConfig>, data: &[u8]) {
    let random = &mut random(data);
    let mut pair = Pair::new(server);
    while !pair.client.is_ready() {
        let bytes = pair.owed();
        let outcome = pair.client.receive(&bytes, &mut pair.sent, |_, _| ());
        assert_eq!(outcome, Ok(()), "a handshake without a flaw");
    }
    let request = Http1::prepare(&plain("GET")).expect("a plain request");
    pair.client.send(0, &request, &mut pair.sent);
    let mut bytes = pair.owed(); // the server has to know of the handshake's end first
    for record in cut(data, random) {
        pair.server.writer().write_all(record).expect("room");
    }
    pair.server.send_close_notify();
    bytes.extend(pair.owed());
    let mut heard = hear(pair.client, &cut(&bytes, random));
    heard.owed.clear(); // it owes an answer to the end of the stream
    let clear: Read = read::<Http1>("GET", 1, &[data]);
    assert!(
        clear.agrees_with(&heard),
        "clear  {clear:?}\nsecret {heard:?}"
    );
}

/// A server whose every flight has a byte changed; the bytes say which, and to what.
fn damaged(server: &Arc<ServerConfig>, data: &[u8]) {
    let mut pair = Pair::new(server);
    for change in data.chunks_exact(3) {
        let mut bytes = pair.owed();
        let at = usize::from(u16::from_le_bytes([change[0], change[1]]));
        if let Some(byte) = at.checked_rem(bytes.len()).and_then(|at| bytes.get_mut(at)) {
            *byte = change[2];
        }
        let outcome = pair.client.receive(&bytes, &mut pair.sent, |_, _| {
            panic!("an answer to nothing");
        });
        if outcome.is_err() || bytes.is_empty() {
            break;
        }
    }
    pair.client.close(|_, _| panic!("an answer to nothing"));
}

/// A client and the server that it has greeted.
struct Pair {
    client: Tls<Http1>,
    server: ServerConnection,
    /// What the client has sent, and the server not read yet.
    sent: Vec<u8>,
}

impl Pair {
    fn new(server: &Arc<ServerConfig>) -> Self {
        let mut sent = Vec::new();
        Self {
            client: Tls::open(&CLIENT, &mut sent),
            server: ServerConnection::new(Arc::clone(server)).expect("a server"),
            sent,
        }
    }

    /// What the server owes once it has read what was sent; nothing more once that was wrong.
    fn owed(&mut self) -> Vec<u8> {
        let mut rest = self.sent.as_slice();
        while !rest.is_empty() {
            let read = self.server.read_tls(&mut rest);
            if read.is_err() || self.server.process_new_packets().is_err() {
                break;
            }
        }
        self.sent.clear();
        let mut bytes = Vec::new();
        while self.server.wants_write() {
            self.server.write_tls(&mut bytes).expect("room");
        }
        bytes
    }
}
