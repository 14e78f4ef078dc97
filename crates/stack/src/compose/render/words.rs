//! The names that an entry's texts may use, as they are handed to the templates; `gunicorn.toml` explains them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use minijinja::value::Serde;
use minijinja::{Value, context};
use record::Target;

use crate::compose::composition::Part;
use crate::compose::workspace::{CERTIFICATE, KEY, Placement};

/// What is known only once a workspace was chosen: the program's own place below its folder.
pub(super) fn placement(part: &Part, placement: &Placement, folder: &Path) -> Value {
    let identity = &placement.identity;
    // The certificate that was made for the run, and its key, as PEM files; none outside TLS.
    let tls = part.spoken.tls.then(|| {
        let [certificate, key] = [CERTIFICATE, KEY].map(|name| folder.join(name));
        context! { certificate => Serde(certificate), key => Serde(key) }
    });
    let protocol = Serde(part.spoken.protocol);
    context! {
        listen => context! { protocol, ..address(&placement.listen) },
        private => address(&placement.private),
        folder => Serde(folder.join(&placement.name)),
        program => defined(identity.program.as_ref()),
        version => &identity.version,
        tls,
    }
}

/// What of the servers behind a front end is known with the workspace.
pub(super) struct Behind {
    /// Their addresses.
    pub(super) servers: Vec<Value>,
    /// Parameters that each of them is sent with each request, by name.
    pub(super) params: BTreeMap<String, String>,
}

/// The servers behind a front end: the same protocol and transport for all of them.
pub(super) fn upstream(part: &Part, behind: Option<Behind>) -> Value {
    let known = behind.map(|of| (Value::from(of.servers), Value::from(Serde(of.params))));
    let (servers, params) = known.unwrap_or_default();
    context! {
        protocol => Serde(part.spoken.protocol),
        transport => Serde(part.spoken.transport),
        instances => part.instances,
        holds => part.entry.holds,
        servers,
        params,
    }
}

pub(super) fn address(target: &Target) -> Value {
    match target {
        Target::Tcp(address) => context! {
            transport => "tcp",
            address => address.to_string(),
            host => address.ip().to_string(),
            port => address.port(),
        },
        Target::Unix(path) => context! {
            transport => "unix",
            address => format!("unix:{}", path.display()),
            path => Serde(path),
        },
    }
}

/// A word that is not there where its value is not: who uses it is told so.
pub(super) fn defined(path: Option<&PathBuf>) -> Value {
    path.map_or(Value::UNDEFINED, |path| Value::from(Serde(path)))
}
