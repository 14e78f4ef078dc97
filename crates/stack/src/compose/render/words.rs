//! The names that an entry's texts may use, as they are handed to the templates.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use record::{Interface, Knob, Protocol, Target, Transport};
use serde::Serialize;

use crate::compose::composition::Part;
use crate::compose::workspace::{CERTIFICATE, KEY};
use crate::entry::Spoken;

/// The names that templates may use; `gunicorn.toml` explains them.
#[derive(Serialize)]
pub(super) struct Words<'a> {
    pub(super) app: AppWords<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) python: Option<PathBuf>,
    pub(super) knobs: BTreeMap<String, &'a Knob>,
    pub(super) cores: u32,
    pub(super) link: LinkWords,
    pub(super) superuser: bool,
    pub(super) site: Option<SiteWords>,
    pub(super) upstream: Option<UpstreamWords>,
    #[serde(flatten)]
    pub(super) placement: Option<PlacementWords>,
}

#[derive(Serialize)]
pub(super) struct AppWords<'a> {
    pub(super) name: &'a str,
    pub(super) dir: PathBuf,
    pub(super) entry: &'a str,
    pub(super) interface: Interface,
}

/// How a part is spoken to, as a plan decides it.
#[derive(Serialize)]
pub(super) struct LinkWords {
    pub(super) protocol: Protocol,
    pub(super) transport: Transport,
    pub(super) tls: bool,
}

#[derive(Serialize)]
pub(super) struct SiteWords {
    pub(super) dir: String,
    pub(super) url: String,
}

/// What is known only once a workspace was chosen.
#[derive(Serialize)]
pub(super) struct PlacementWords {
    pub(super) listen: ListenWords,
    pub(super) folder: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) program: Option<PathBuf>,
    pub(super) version: String,
    /// None outside TLS.
    pub(super) tls: Option<TlsWords>,
}

/// The certificate that was made for the run, and its key, as PEM files.
#[derive(Serialize)]
pub(super) struct TlsWords {
    pub(super) certificate: PathBuf,
    pub(super) key: PathBuf,
}

impl TlsWords {
    pub(super) fn below(folder: &Path) -> Self {
        Self {
            certificate: folder.join(CERTIFICATE),
            key: folder.join(KEY),
        }
    }
}

#[derive(Serialize)]
pub(super) struct ListenWords {
    pub(super) protocol: Protocol,
    #[serde(flatten)]
    pub(super) address: AddressWords,
}

impl ListenWords {
    pub(super) fn new(spoken: Spoken, target: &Target) -> Self {
        Self {
            protocol: spoken.protocol,
            address: AddressWords::of(target),
        }
    }
}

/// The servers behind a front end: the same protocol and transport for all of them. Their addresses are
/// known with the workspace.
#[derive(Serialize)]
pub(super) struct UpstreamWords {
    pub(super) protocol: Protocol,
    pub(super) transport: Transport,
    pub(super) instances: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) servers: Option<Vec<AddressWords>>,
}

impl UpstreamWords {
    pub(super) fn of(part: &Part, servers: Option<Vec<AddressWords>>) -> Self {
        Self {
            protocol: part.spoken.protocol,
            transport: part.spoken.transport,
            instances: part.instances,
            servers,
        }
    }
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum AddressWords {
    Tcp {
        transport: &'static str,
        address: String,
        host: String,
        port: u16,
    },
    Unix {
        transport: &'static str,
        address: String,
        path: PathBuf,
    },
}

impl AddressWords {
    pub(super) fn of(target: &Target) -> Self {
        match target {
            Target::Tcp(address) => Self::Tcp {
                transport: "tcp",
                address: address.to_string(),
                host: address.ip().to_string(),
                port: address.port(),
            },
            Target::Unix(path) => Self::Unix {
                transport: "unix",
                address: format!("unix:{}", path.display()),
                path: path.clone(),
            },
        }
    }
}
