use crate::{Malformed, Result};

/// Most bytes that a control frame carries (section 5.5).
const MOST_CONTROL: u64 = 125;
const FIN: u8 = 0x80;
const RESERVED: u8 = 0x70;
const MASKED: u8 = 0x80;
/// In place of a length: it follows in two bytes, in eight.
const IN_TWO: u8 = 0x7e;
const IN_EIGHT: u8 = 0x7f;

/// What a frame is (section 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Continuation = 0,
    Text = 1,
    Binary = 2,
    Close = 8,
    Ping = 9,
    Pong = 10,
}

/// What bytes of frames mean.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A message begins.
    Begin,
    /// Bytes of it.
    Payload(&'a [u8]),
    /// It is whole.
    End,
    /// A whole control frame, which may stand between two of a message.
    Control(Kind, &'a [u8]),
}

/// The frames that a server sends, from pieces of any size. Data is handed on as it comes, so that its
/// length needs no bound.
#[derive(Debug, Default)]
pub(super) struct Incoming {
    /// The start of a header that has not arrived whole.
    header: Vec<u8>,
    frame: Option<Frame>,
    /// Whether a message has begun that further frames continue.
    inside: bool,
    /// Whether the server has closed, after which nothing counts (section 1.4).
    closed: bool,
}

/// A frame whose header is whole.
#[derive(Debug)]
struct Frame {
    kind: Kind,
    last: bool,
    missing: u64,
    /// What has come of a control frame.
    control: Vec<u8>,
}

impl Incoming {
    /// Takes bytes that arrived; calls `on` for all that they mean.
    pub(super) fn receive(
        &mut self,
        mut bytes: &[u8],
        mut on: impl FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<()> {
        while !bytes.is_empty() && !self.closed {
            let used = match &mut self.frame {
                None => self.begin(bytes, &mut on)?,
                Some(frame) => {
                    let most = usize::try_from(frame.missing).unwrap_or(usize::MAX);
                    let payload = &bytes[..bytes.len().min(most)];
                    frame.missing -= payload.len() as u64;
                    if frame.kind.is_control() {
                        frame.control.extend_from_slice(payload);
                    } else {
                        on(Piece::Payload(payload))?;
                    }
                    payload.len()
                }
            };
            bytes = &bytes[used..];
            if let Some(frame) = self.frame.take_if(|frame| frame.missing == 0) {
                self.end(&frame, &mut on)?;
            }
        }
        Ok(())
    }

    /// Takes bytes of a header; how many.
    fn begin(
        &mut self,
        bytes: &[u8],
        on: &mut impl FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<usize> {
        let wanted = length_of_header(&self.header) - self.header.len();
        let used = bytes.len().min(wanted);
        self.header.extend_from_slice(&bytes[..used]);
        if self.header.len() < length_of_header(&self.header) {
            return Ok(used);
        }
        let frame = Frame::new(&self.header)?;
        self.header.clear();
        match frame.kind {
            Kind::Text | Kind::Binary if !self.inside => on(Piece::Begin)?,
            Kind::Text | Kind::Binary => return Err(Malformed::Frame),
            Kind::Continuation if !self.inside => return Err(Malformed::Frame),
            _ => {}
        }
        self.inside |= !frame.kind.is_control();
        self.frame = Some(frame);
        Ok(used)
    }

    fn end(&mut self, frame: &Frame, on: &mut impl FnMut(Piece<'_>) -> Result<()>) -> Result<()> {
        if frame.kind.is_control() {
            self.closed = frame.kind == Kind::Close;
            return on(Piece::Control(frame.kind, &frame.control));
        }
        if frame.last {
            self.inside = false;
            on(Piece::End)?;
        }
        Ok(())
    }
}

impl Kind {
    fn of(code: u8) -> Option<Self> {
        use Kind::{Binary, Close, Continuation, Ping, Pong, Text};
        let mut known = [Continuation, Text, Binary, Close, Ping, Pong].into_iter();
        known.find(|kind| *kind as u8 == code)
    }

    fn is_control(self) -> bool {
        self as u8 >= Self::Close as u8
    }
}

impl Frame {
    /// A server's frames are not masked, use no extension, and say their lengths in as few bytes as can
    /// be; control frames are short and whole (sections 5.1, 5.2, 5.5).
    fn new(header: &[u8]) -> Result<Self> {
        let (first, second) = (header[0], header[1]);
        let kind = Kind::of(first & 0x0f).ok_or(Malformed::Frame)?;
        let last = first & FIN != 0;
        let missing = header[2..]
            .iter()
            .fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let (missing, floor) = match second & !MASKED {
            IN_TWO => (missing, 126),
            IN_EIGHT => (missing, 1 << 16),
            short => (short.into(), 0),
        };
        let sound = first & RESERVED == 0
            && second & MASKED == 0
            && (floor..1 << 63).contains(&missing)
            && (!kind.is_control() || (last && missing <= MOST_CONTROL));
        sound
            .then_some(Self {
                kind,
                last,
                missing,
                control: Vec::new(),
            })
            .ok_or(Malformed::Frame)
    }
}

fn length_of_header(header: &[u8]) -> usize {
    2 + header.get(1).map_or(0, |second| match second & !MASKED {
        IN_TWO => 2,
        IN_EIGHT => 8,
        _ => 0,
    })
}

/// Appends a client's whole frame, masked with `key` (section 5.3).
pub(super) fn masked(kind: Kind, payload: &[u8], key: [u8; 4], out: &mut Vec<u8>) {
    out.push(FIN | kind as u8);
    match (payload.len(), u16::try_from(payload.len())) {
        (short @ 0..=125, _) => out.push(MASKED | short as u8),
        (_, Ok(length)) => {
            out.push(MASKED | IN_TWO);
            out.extend(length.to_be_bytes());
        }
        (length, Err(_)) => {
            out.push(MASKED | IN_EIGHT);
            out.extend((length as u64).to_be_bytes());
        }
    }
    out.extend(key);
    let masks = key.iter().cycle();
    out.extend(payload.iter().zip(masks).map(|(byte, key)| byte ^ key));
}
