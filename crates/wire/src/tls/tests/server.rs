//! The other end of the connections under test.

use std::fs;
use std::io::{Read, Write};
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection};
use testkit::Authority;

use crate::{Setup, TlsOptions, TlsSettings, TlsVersion, Trust};

/// A server in this process, and how a client may reach it.
pub(super) struct Server {
    pub(super) tls: ServerConnection,
    pub(super) setup: Setup,
}

impl Server {
    pub(super) fn new(alpn: &[&[u8]]) -> Self {
        let authority = Authority::new();
        let own = authority.certify("localhost");
        let pem = fs::read(own.certificate).unwrap();
        let key = fs::read(own.key).unwrap();
        let chain = vec![CertificateDer::from_pem_slice(&pem).unwrap()];
        let mut config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(chain, PrivateKeyDer::from_pem_slice(&key).unwrap())
            .unwrap();
        config.alpn_protocols = alpn.iter().map(|id| id.to_vec()).collect();
        let options = TlsOptions {
            trust: Trust::Known(Some(fs::read(authority.file()).unwrap())),
            identity: None,
            resumption: true,
            oldest: TlsVersion::Tls12,
            newest: TlsVersion::Tls13,
            sni: true,
            ciphers: Vec::new(),
        };
        Self {
            tls: ServerConnection::new(Arc::new(config)).unwrap(),
            setup: Setup {
                tls: Some(TlsSettings::new(&options, "localhost").unwrap()),
                ..Setup::default()
            },
        }
    }

    /// Takes what the client has sent; returns what it owes.
    pub(super) fn take(&mut self, bytes: &mut Vec<u8>) -> Vec<u8> {
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            self.tls.read_tls(&mut rest).unwrap();
            self.tls.process_new_packets().unwrap();
        }
        bytes.clear();
        self.owes()
    }

    pub(super) fn owes(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        while self.tls.wants_write() {
            self.tls.write_tls(&mut bytes).unwrap();
        }
        bytes
    }

    pub(super) fn asked(&mut self) -> String {
        let mut text = vec![0; 4096];
        let length = self.tls.reader().read(&mut text).unwrap();
        String::from_utf8_lossy(&text[..length]).into_owned()
    }

    pub(super) fn answer(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.tls.writer().write_all(bytes).unwrap();
        self.owes()
    }
}
