use std::sync::Arc;

/// A request as bytes, written once and sent many times: what FastCGI, SCGI, uwsgi and AJP13 prepare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    bytes: Vec<u8>,
    /// What of the body goes only when the peer calls for it (AJP13).
    pub(crate) later: Option<Arc<[u8]>>,
    /// Whether the answer has no body whatever its head says.
    pub(crate) bodiless: bool,
    /// Whether the connection was asked to be kept.
    pub(crate) keep: bool,
}

impl Packet {
    pub(crate) fn new(ask: &crate::Ask<'_>, bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            later: None,
            bodiless: ask.method == "HEAD",
            keep: ask.keep_alive,
        }
    }

    pub(crate) fn with_later(self, later: &[u8]) -> Self {
        Self {
            later: (!later.is_empty()).then(|| later.into()),
            ..self
        }
    }

    /// What goes on the wire, unasked.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
