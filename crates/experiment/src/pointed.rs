//! A program that is pointed at an origin of weir's.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsRawFd as _;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use client::{Answer, Identity, Origin, Upstream};
use record::{Client, Talk};
use stack::{CpuTime, Errand, GuardCommand, Ran, StackError, cpu_below};

use crate::named::Named;

/// What stands for the origin's URL in the command's arguments.
pub const PLACE: &str = "{url}";
/// How the command's environment names it.
pub const VARIABLE: &str = "WEIR_URL";
/// How it names the file with the certificate to trust, and how what is widely used does.
const TRUSTED: [&str; 5] = [
    "WEIR_CA",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
];

/// How the origin is reached, besides over HTTP/1 at an address, and who answers there.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Over TLS.
    pub tls: bool,
    /// By a name that is looked up, in a network of the program's own.
    pub by_name: bool,
    /// The server to which it passes requests on; its responses are its own without one.
    pub to: Option<Upstream>,
}

/// The program under way, and the origin that it asks. Nothing of either outlives this.
#[derive(Debug)]
pub struct Pointed {
    errand: Errand,
    guardian: u32,
    origin: Origin,
    /// What it had used when its first request came.
    before: Arc<OnceLock<CpuTime>>,
    /// With the certificate in it, as long as somebody may read that.
    _trusted: Option<File>,
    /// Left last: what is above is in its network.
    named: Option<Named>,
}

/// What became of it.
#[derive(Debug)]
pub struct Asked {
    /// How it ended.
    pub ran: Ran,
    /// What it had used before its first request.
    pub cpu_before: CpuTime,
    /// How it talked.
    pub talk: Talk,
}

impl Pointed {
    /// Starts the origin and then the program, with these variables on top of weir's own and of those that say where the origin
    /// is.
    ///
    /// # Errors
    /// The program is not there, or cannot be started; the system has no port, descriptor or thread for the origin, or no
    /// network in which it has a name.
    pub fn start(
        guard: &GuardCommand,
        of: &Client,
        more: &[(String, String)],
        reached: Reached,
    ) -> Result<Self, StackError> {
        let system = |error| StackError::System {
            doing: "starting weir's own origin".to_owned(),
            error,
        };
        let named = reached.by_name.then(Named::start).transpose();
        // its kind would say that the program is what cannot be run
        let named = named.map_err(|error| system(io::Error::other(error.to_string())))?;
        let mut errand = Errand::new(guard)?;
        let guardian = errand.guardian();
        let before = Arc::new(OnceLock::new());
        let at_first = Arc::clone(&before);
        let identity = reached
            .tls
            .then(Identity::new)
            .transpose()
            .map_err(system)?;
        let trusted = identity.as_ref().map(|of| in_memory(of.certificate()));
        let trusted = trusted.transpose().map_err(system)?;
        let origin = Origin::start(answer(of, reached.to), identity, move || {
            let _ = at_first.set(cpu_below(guardian));
        });
        let origin = origin.map_err(system)?;
        let url = match named {
            Some(_) => origin.url_of(Talk::NAME),
            None => origin.url(),
        };
        let words = of.command.iter().map(|word| word.replace(PLACE, &url));
        let words: Vec<_> = words.collect();
        let mut env = told(url, trusted.as_ref());
        env.extend_from_slice(more);
        errand.start(&words, env, &of.dir)?;
        Ok(Self {
            errand,
            guardian,
            origin,
            before,
            _trusted: trusted,
            named,
        })
    }

    /// The process below which everything is that the program starts.
    pub fn guardian(&self) -> u32 {
        self.guardian
    }

    /// Whether a request has come.
    pub fn has_asked(&self) -> bool {
        self.before.get().is_some()
    }

    /// Whether the program ended by itself within that time.
    pub fn ends_within(&mut self, limit: Duration) -> bool {
        self.errand.ends_within(limit)
    }

    /// Ends what is left of it, and says what it did.
    ///
    /// # Errors
    /// The guardian was killed or stopped.
    pub fn end(self) -> Result<Asked, StackError> {
        let ran = self.errand.end()?;
        let mut talk = self.origin.end();
        talk.names = self.named.map(Named::end);
        Ok(Asked {
            cpu_before: self.before.get().copied().unwrap_or(ran.cpu),
            ran,
            talk,
        })
    }
}

/// A file without a name, that ends with weir.
fn in_memory(text: &str) -> io::Result<File> {
    let file = rustix::fs::memfd_create(c"weir-ca", rustix::fs::MemfdFlags::CLOEXEC)?;
    let mut file = File::from(file);
    file.write_all(text.as_bytes())?;
    Ok(file)
}

/// What the command's environment says of the origin.
fn told(url: String, trusted: Option<&File>) -> Vec<(String, String)> {
    let mut told = vec![(VARIABLE.to_owned(), url)];
    if let Some(file) = trusted {
        let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
        told.extend(TRUSTED.map(|name| (name.to_owned(), path.clone())));
    }
    told
}

fn answer(of: &Client, to: Option<Upstream>) -> Answer {
    Answer {
        status: of.status,
        body: of.body.as_bytes().into(),
        delay: Duration::from_secs_f64(of.delay),
        to,
    }
}
