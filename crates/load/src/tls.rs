//! What the plan says about TLS, with its files read.

use std::path::Path;

use record::{Tls, TlsVersion};
use wire::{Identity, TlsError, TlsOptions, TlsSettings, Trust, host_and_port};

use crate::{Job, LoadError, Result};

/// The job's TLS settings, if it has any.
pub(crate) fn settings(job: &Job) -> Result<Option<TlsSettings>> {
    tls_settings(job.load.tls.as_ref(), &job.host)
}

/// How a client makes its handshake with this authority, if it makes one.
///
/// # Errors
/// A file that cannot be read, or is not what it should be.
pub fn tls_settings(tls: Option<&Tls>, authority: &str) -> Result<Option<TlsSettings>> {
    let Some(tls) = tls else {
        return Ok(None);
    };
    let name = tls.server_name.as_deref();
    let name = name.unwrap_or_else(|| host_and_port(authority).0);
    let settings = TlsSettings::new(&options(tls)?, name);
    settings.map(Some).map_err(|why| LoadError::Tls {
        file: guilty(tls, &why),
        why,
    })
}

fn options(tls: &Tls) -> Result<TlsOptions> {
    let authorities = || tls.authorities.as_deref().map(read).transpose();
    let identity = tls.certificate.as_deref().map(|certificate| {
        Ok::<_, LoadError>(Identity {
            certificates: read(certificate)?,
            key: read(tls.key.as_deref().unwrap_or(certificate))?,
        })
    });
    Ok(TlsOptions {
        trust: if tls.insecure {
            Trust::Anybody
        } else {
            Trust::Known(authorities()?)
        },
        identity: identity.transpose()?,
        resumption: !tls.no_resumption,
        oldest: tls.oldest.unwrap_or(TlsVersion::Tls12),
        newest: tls.newest.unwrap_or(TlsVersion::Tls13),
        sni: !tls.no_sni,
        ciphers: tls.ciphers.clone(),
    })
}

fn read(file: &Path) -> Result<Vec<u8>> {
    input::read(file).map_err(|error| LoadError::File {
        file: file.to_owned(),
        error,
    })
}

/// The file that an error is about.
fn guilty(tls: &Tls, why: &TlsError) -> Option<std::path::PathBuf> {
    match why {
        TlsError::Authorities(_) => tls.authorities.clone(),
        TlsError::Certificate(_) => tls.certificate.clone(),
        TlsError::Key(_) => tls.key.clone().or_else(|| tls.certificate.clone()),
        TlsError::Name(_) | TlsError::Cipher(_) | TlsError::Settings(_) => None,
    }
}
