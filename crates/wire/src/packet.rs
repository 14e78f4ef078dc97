/// A request as bytes, written once and sent many times: what FastCGI, SCGI, uwsgi and AJP13 prepare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    bytes: Vec<u8>,
    /// Whether the answer has no body whatever its head says.
    pub(crate) bodiless: bool,
    /// Whether the connection was asked to be kept.
    pub(crate) keep: bool,
}

impl Packet {
    pub(crate) fn new(ask: &crate::Ask<'_>, bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            bodiless: ask.method == "HEAD",
            keep: ask.keep_alive,
        }
    }

    /// What goes on the wire.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
