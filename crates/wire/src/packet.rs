use std::sync::Arc;

/// A request as bytes, written once and sent many times: what FastCGI, SCGI, uwsgi and AJP13 prepare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// What goes before the place where the connection's own variables stand.
    pub(crate) before: Vec<u8>,
    /// What goes after it.
    pub(crate) after: Vec<u8>,
    /// Whether something goes there.
    pub(crate) tells_origin: bool,
    /// What of the body goes only when the peer calls for it (AJP13).
    pub(crate) later: Option<Arc<[u8]>>,
    /// Whether the answer has no body whatever its head says.
    pub(crate) bodiless: bool,
    /// Whether the connection was asked to be kept.
    pub(crate) keep: bool,
}

impl Packet {
    pub(crate) fn new(ask: &crate::Ask<'_>, before: Vec<u8>) -> Self {
        Self {
            before,
            after: Vec::new(),
            tells_origin: false,
            later: None,
            bodiless: ask.method == "HEAD",
            keep: ask.keep_alive,
        }
    }

    /// Bytes of the whole, without what says where a connection comes from, which is shorter than a
    /// kilobyte, and with the few bytes that frame a piece of a body that is called for.
    pub(crate) fn length(&self) -> usize {
        let later = self.later.as_ref().map_or(0, |later| later.len());
        self.before.len() + self.after.len() + later + later / 512
    }

    /// Nothing for a request that does not tell where its connection comes from.
    pub(crate) fn origin<'a>(&self, origin: &'a [u8]) -> &'a [u8] {
        if self.tells_origin { origin } else { &[] }
    }

    pub(crate) fn with_later(self, later: &[u8]) -> Self {
        Self {
            later: (!later.is_empty()).then(|| later.into()),
            ..self
        }
    }
}
