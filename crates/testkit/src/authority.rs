use std::fs;
use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd,
};
use tempfile::TempDir;

use crate::temp_dir;

/// Makes certificates for tests, and keeps them as PEM files in a temporary folder.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    dir: TempDir,
}

/// A certificate and its key, as PEM files that live as long as their [`Authority`].
#[derive(Clone, Debug)]
pub struct Certified {
    /// The certificate's file.
    pub certificate: PathBuf,
    /// Its key's file.
    pub key: PathBuf,
}

impl Authority {
    /// One that nobody knows.
    ///
    /// # Panics
    /// When no key can be made, or no file written.
    #[must_use]
    pub fn new() -> Self {
        let dir = temp_dir();
        let mut params = CertificateParams::new(Vec::new()).expect("an authority's parameters");
        // Two of the same name would be one whose signatures are wrong.
        let name = dir.path().display().to_string();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let issuer = CertifiedIssuer::self_signed(params, key).expect("an authority");
        write(&dir.path().join("ca.pem"), &issuer.pem());
        Self { issuer, dir }
    }

    /// Its own certificate's file.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        self.dir.path().join("ca.pem")
    }

    /// A certificate for this DNS name or IP address.
    ///
    /// # Panics
    /// As [`Authority::new`].
    #[must_use]
    pub fn certify(&self, name: &str) -> Certified {
        self.sign(name, name, &parameters(name))
    }

    /// The same, expired in 2001.
    ///
    /// # Panics
    /// As [`Authority::new`].
    #[must_use]
    pub fn certify_expired(&self, name: &str) -> Certified {
        let mut params = parameters(name);
        params.not_before = date_time_ymd(2000, 1, 1);
        params.not_after = date_time_ymd(2001, 1, 1);
        self.sign(&format!("{name}-expired"), name, &params)
    }

    /// A certificate for this name that is its own authority, as `openssl req -x509` makes it.
    ///
    /// # Panics
    /// As [`Authority::new`].
    #[must_use]
    pub fn self_made(&self, name: &str) -> Certified {
        let mut params = parameters(name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let pem = params.self_signed(&key).expect("a certificate").pem();
        self.keep(&format!("{name}-self"), &pem, &key)
    }

    /// The same with a common name alone, which is no name.
    ///
    /// # Panics
    /// As [`Authority::new`].
    #[must_use]
    pub fn nameless(&self, name: &str) -> Certified {
        let mut params = parameters(name);
        params.subject_alt_names.clear();
        self.sign(&format!("{name}-nameless"), name, &params)
    }

    fn sign(&self, file: &str, name: &str, params: &CertificateParams) -> Certified {
        let key = KeyPair::generate().expect("a key");
        let signed = params.signed_by(&key, &self.issuer);
        let pem = signed.unwrap_or_else(|why| panic!("a certificate for {name}: {why}"));
        self.keep(file, &pem.pem(), &key)
    }

    fn keep(&self, file: &str, pem: &str, key: &KeyPair) -> Certified {
        let certified = Certified {
            certificate: self.dir.path().join(format!("{file}.pem")),
            key: self.dir.path().join(format!("{file}.key")),
        };
        write(&certified.certificate, pem);
        write(&certified.key, &key.serialize_pem());
        certified
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

impl Certified {
    /// What an nginx `server` needs to serve with it.
    #[must_use]
    pub fn directives(&self) -> String {
        format!(
            "ssl_certificate {}; ssl_certificate_key {};\n",
            self.certificate.display(),
            self.key.display()
        )
    }
}

fn parameters(name: &str) -> CertificateParams {
    CertificateParams::new(vec![name.to_owned()]).expect("a name")
}

fn write(file: &Path, pem: &str) {
    fs::write(file, pem).expect("a written certificate");
}
