use crate::Exchange;

/// The last number that a stream can have.
const LAST: u32 = (1 << 31) - 1;

/// Most streams at once, whatever is wished: their places are set aside when a connection opens.
pub(super) const MOST: u32 = 1 << 16;

/// The streams under way on a connection. A stream's place follows from its number; numbers whose
/// place is taken by one that lasts are skipped, which the protocol allows (RFC 9113, section 5.1.1).
#[derive(Debug)]
pub(super) struct Streams {
    /// A power of two of them, at least twice as many as there are ever streams.
    places: Box<[Stream]>,
    /// How many are under way.
    pub(super) open: usize,
    /// The next that may be opened.
    next: u32,
    /// Frames may still come for ended streams up to this one, which we have given up.
    forgiven: u32,
}

/// One request and its answer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stream {
    /// 0 where there is none.
    pub(super) id: u32,
    pub(super) exchange: Exchange,
    pub(super) variant: Variant,
    /// Whether the answer has no body whatever it says.
    pub(super) bodiless: bool,
    /// Bytes of the body that are missing, if it said how many there are.
    pub(super) missing: Option<u64>,
    /// Bytes that came since the peer was last allowed more.
    pub(super) unreturned: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Variant {
    /// Nothing has come yet.
    #[default]
    Asked,
    /// Interim answers have.
    Begun,
    /// The head has.
    Body,
}

impl Streams {
    pub(super) fn new(depth: u32) -> Self {
        let places = 2 * depth.clamp(1, MOST).next_power_of_two() as usize;
        Self {
            places: vec![Stream::default(); places].into(),
            open: 0,
            next: 1,
            forgiven: 0,
        }
    }

    /// Whether numbers are left for another, which may have to skip some.
    pub(super) fn has_numbers(&self) -> bool {
        self.next <= LAST - 2 * self.places.len() as u32
    }

    /// Opens another; its number.
    #[inline]
    pub(super) fn begin(&mut self, exchange: Exchange, bodiless: bool) -> u32 {
        debug_assert!(self.open < self.places.len() && self.has_numbers());
        let mut id = self.next;
        while self.place(id).id != 0 {
            id += 2;
        }
        self.next = id + 2;
        self.open += 1;
        *self.place(id) = Stream {
            id,
            exchange,
            bodiless,
            ..Stream::default()
        };
        id
    }

    #[inline]
    fn place(&mut self, id: u32) -> &mut Stream {
        let at = (id / 2) as usize & (self.places.len() - 1);
        &mut self.places[at]
    }

    /// The stream of this number, if it is under way.
    #[inline]
    pub(super) fn get(&mut self, id: u32) -> Option<&mut Stream> {
        Some(self.place(id)).filter(|stream| stream.id == id)
    }

    /// Ends a stream.
    #[inline]
    pub(super) fn end(&mut self, id: u32) -> Option<Stream> {
        let stream = std::mem::take(self.get(id)?);
        self.open -= 1;
        Some(stream)
    }

    /// Ends a stream that the peer does not know yet to be over.
    pub(super) fn give_up(&mut self, id: u32) -> Option<Stream> {
        self.forgiven = self.forgiven.max(id);
        self.end(id)
    }

    /// Whether this is the number of a stream that has been opened.
    #[inline]
    pub(super) fn was_opened(&self, id: u32) -> bool {
        id % 2 == 1 && id < self.next
    }

    /// Whether frames may come for a stream that is over.
    pub(super) fn forgives(&self, id: u32) -> bool {
        id <= self.forgiven
    }

    /// The stream of an exchange.
    pub(super) fn of(&self, exchange: Exchange) -> Option<u32> {
        let mut all = self.all();
        all.find(|stream| stream.exchange == exchange)
            .map(|stream| stream.id)
    }

    /// The one that has been under way for longest.
    pub(super) fn oldest(&self) -> Option<&Stream> {
        self.all().min_by_key(|stream| stream.id)
    }

    /// Those above this number, the oldest first.
    pub(super) fn above(&self, id: u32) -> Vec<u32> {
        let above = self.all().filter(|stream| stream.id > id);
        let mut above: Vec<u32> = above.map(|stream| stream.id).collect();
        above.sort_unstable();
        above
    }

    fn all(&self) -> impl Iterator<Item = &Stream> {
        self.places.iter().filter(|stream| stream.id != 0)
    }
}

#[cfg(test)]
impl Streams {
    /// As after so many streams that this is the next.
    pub(super) fn skip_to(&mut self, next: u32) {
        self.next = next;
    }
}
