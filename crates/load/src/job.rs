use std::net::IpAddr;

use record::{Load, Protocol, Target};

use crate::error::{NO_PARAMS, OTHER_KIND};
use crate::{LoadError, Result, Traffic};

/// Everything that decides what a load does.
#[derive(Clone, Debug)]
pub struct Job {
    /// Where to connect.
    pub target: Target,
    /// What is spoken there.
    pub protocol: Protocol,
    /// The `Host` header, whatever the target.
    pub host: String,
    /// What app servers are told beside the request.
    pub cgi: Cgi,
    /// What is asked, and which answers count as right.
    pub traffic: Traffic,
    /// How much, how long, over how many connections.
    pub load: Load,
    /// Cores that the engine may use.
    pub cores: u32,
    /// Whether a thread waits awake for what falls due soon: nobody else must need its core then, the caller's thread neither.
    pub busy_wait: bool,
    /// Whether a target that answers nothing rightly is a fact rather than an error: one that was seen to
    /// answer just before, and breaks under the load.
    pub may_break: bool,
}

/// What a front end is configured to tell an app server with each request, in FastCGI, SCGI and uwsgi.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cgi {
    /// The folder in which a request's path names a script; absent for an application that is mounted
    /// at the root.
    pub document_root: Option<String>,
    /// Names and values of further variables, and of those that stand for weir's own.
    pub params: Vec<(String, String)>,
}

impl Job {
    pub(crate) fn check(&self) -> Result<()> {
        self.load.check()?;
        if self.cgi != Cgi::default() && !self.protocol.has_variables() {
            return Err(LoadError::invalid(NO_PARAMS, self.protocol.words()));
        }
        self.check_sources()?;
        self.traffic.check()
    }

    /// Whether its window can be cut into slices: it asks the same again and again, without waiting, and in each slice
    /// as in the one before.
    pub(crate) fn can_be_cut(&self) -> bool {
        matches!(self.traffic, Traffic::Mix(_)) && self.load.can_be_cut()
    }

    /// Connections can come from addresses of the target's kind.
    fn check_sources(&self) -> Result<()> {
        let misfit = |source: &&IpAddr| match self.target {
            Target::Tcp(address) => source.is_ipv4() != address.is_ipv4(),
            Target::Unix(_) => true,
        };
        match self.load.sources.iter().find(misfit) {
            None => Ok(()),
            Some(source) => Err(LoadError::invalid(OTHER_KIND, source.to_string())),
        }
    }

    pub(crate) fn threads(&self) -> u32 {
        crate::threads(&self.load, self.cores)
    }

    /// Connections of each thread: as even as can be, and their sum is exact.
    pub(crate) fn shares(&self) -> Vec<u64> {
        let (connections, threads) = (self.load.connections, self.threads());
        let (each, rest) = (u64::from(connections / threads), connections % threads);
        (0..threads)
            .map(|thread| each + u64::from(thread < rest))
            .collect()
    }
}
