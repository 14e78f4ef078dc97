use std::sync::atomic::AtomicBool;

use record::{Login, Protocol, Route, StackFacts, Target, Verified};
use wire::TlsSettings;

use crate::error::Result;
use crate::serve::fetch::Endpoint;
use crate::serve::login::{self, Session};
use crate::serve::own::OwnAddresses;
use crate::serve::readiness::Patience;
use crate::serve::running::ANSWER_LIMIT;
use crate::serve::verify::{self, Reference};

/// Where a server is that weir does not run.
#[derive(Clone, Debug)]
pub struct RemoteAddress {
    /// Where to connect.
    pub target: Target,
    /// What is spoken there.
    pub protocol: Protocol,
    /// The name that it is asked for: the `Host` header.
    pub host: String,
    /// What each request says besides.
    pub headers: Vec<(String, String)>,
}

/// A server that weir does not run: it can be asked, and that is all.
#[derive(Debug)]
pub struct Remote<'a> {
    endpoint: Endpoint,
    route: Route,
    verified: Verified,
    session: Session,
    interrupted: &'a AtomicBool,
}

impl<'a> Remote<'a> {
    /// One of the routes of a server, over TLS where that is settled.
    pub fn new(
        at: RemoteAddress,
        tls: Option<TlsSettings>,
        route: Route,
        interrupted: &'a AtomicBool,
    ) -> Self {
        let own = OwnAddresses::default();
        Self {
            endpoint: Endpoint {
                at,
                tls,
                own,
                params: Vec::new(),
            },
            route,
            verified: Verified::default(),
            session: Session::new(),
            interrupted,
        }
    }

    /// Opens a session, in which every request is sent from then on.
    ///
    /// # Errors
    /// A variable that is not set; no answer, or one that opens none.
    pub fn log_in(&mut self, login: &Login) -> Result<()> {
        let patience = self.patience();
        let opened = login::log_in(&self.endpoint, login, &mut || patience.lasts());
        let opened = opened.map_err(|no| {
            patience.or_interrupted(no.error(&self.endpoint.at.host, login, Vec::new()))
        })?;
        self.endpoint.at.headers.extend_from_slice(&opened);
        self.session = opened;
        Ok(())
    }

    /// The headers by which its session is known; none where there is none.
    pub fn session(&self) -> &[(String, String)] {
        &self.session
    }

    /// What counts as right where nothing else says so: its own answer to the route, asked for twice.
    ///
    /// # Errors
    /// No answer, or one that is not what the route declares.
    pub fn reference(&self, source: &str) -> Result<Reference> {
        Reference::ask(
            &self.endpoint,
            &[&self.route],
            source,
            None,
            self.patience(),
        )
    }

    /// Compares its answer with the reference, before any timed request. Only the route that is loaded is asked
    /// for: another one may not be meant for a server that others use.
    ///
    /// # Errors
    /// No answer, or one that differs in status, in a header or a text that the route declares, or in its body.
    pub fn verify(&mut self, reference: &Reference) -> Result<()> {
        let (route, patience) = (&self.route, self.patience());
        self.verified = verify::verify(&self.endpoint, &[route], route, reference, patience)?;
        Ok(())
    }

    /// What is known of it.
    pub fn facts(&self) -> StackFacts {
        StackFacts {
            servers: Vec::new(),
            address: self.endpoint.at.target.clone(),
            ready_after: 0.0,
            verified: self.verified.clone(),
        }
    }

    fn patience(&self) -> Patience<'a> {
        Patience::new(ANSWER_LIMIT, self.interrupted)
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;
    use crate::error::StackError;

    #[test]
    fn who_interrupts_a_login_is_told_of_no_failure() {
        let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let at = RemoteAddress {
            target: Target::Tcp(silent.local_addr().unwrap()),
            protocol: Protocol::Http1,
            host: "localhost".to_owned(),
            headers: Vec::new(),
        };
        let login: Login = "POST /login user=ann".parse().unwrap();
        let interrupted = AtomicBool::new(true);
        let mut remote = Remote::new(at, None, Route::get("/"), &interrupted);
        let error = remote.log_in(&login).unwrap_err();
        assert!(matches!(error, StackError::Interrupted), "{error}");
    }
}
