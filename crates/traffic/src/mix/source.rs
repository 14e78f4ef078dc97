use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Where values come from.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) name: String,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// Whole numbers, both ends included.
    Range { first: i64, last: i64, order: Order },
    /// Rows of one or more columns.
    Rows {
        /// Names of the columns; empty for a list of single values.
        columns: Vec<String>,
        rows: Vec<Vec<String>>,
        order: Order,
    },
    /// Random hexadecimal digits.
    Hex { digits: usize },
    /// A random UUID (RFC 9562, version 4).
    Uuid,
}

/// In which order values are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Order {
    /// Each time any of them.
    #[default]
    Random,
    /// One after the other, then from the start; the load's threads share the sequence.
    Sequential,
    /// Each once in random order, then each once in another order; the threads share it too.
    Shuffled,
}

/// One thread's place in a source.
#[derive(Debug)]
pub(super) struct Cursor {
    /// How many values the source has.
    length: u64,
    order: Order,
    /// The next value's number in the sequence that all threads share.
    next: u64,
    workers: u64,
    shuffle: Shuffle,
}

/// The order of one pass.
#[derive(Debug, Default)]
struct Shuffle {
    seed: u64,
    pass: Option<u64>,
    places: Vec<u32>,
}

impl Values {
    /// Number of the column of this name.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.columns().iter().position(|column| column == name)
    }

    /// Names of its columns; empty where it has single values.
    pub(super) fn columns(&self) -> &[String] {
        match &self.kind {
            Kind::Rows { columns, .. } => columns,
            _ => &[],
        }
    }

    /// A value that cannot stand in a header, if it has one.
    pub(super) fn breaks_lines(&self) -> Option<&str> {
        let Kind::Rows { rows, .. } = &self.kind else {
            return None;
        };
        let mut values = rows.iter().flatten().map(String::as_str);
        values.find(|value| value.chars().any(char::is_control))
    }

    /// Where one of the threads begins. `seed` is the source's own.
    pub(super) fn cursor(&self, seed: u64, worker: usize, workers: usize) -> Cursor {
        let (length, order) = match &self.kind {
            Kind::Range { first, last, order } => (last.abs_diff(*first).saturating_add(1), *order),
            Kind::Rows { rows, order, .. } => (rows.len() as u64, *order),
            Kind::Hex { .. } | Kind::Uuid => (1, Order::Random),
        };
        Cursor {
            length,
            order,
            next: worker as u64,
            workers: workers as u64,
            shuffle: Shuffle {
                seed,
                ..Shuffle::default()
            },
        }
    }
}

/// A value that was drawn.
#[derive(Debug)]
pub(super) enum Drawn<'a> {
    Row(&'a [String]),
    Made(String),
}

impl Drawn<'_> {
    pub(super) fn column(&self, column: usize) -> &str {
        match self {
            Self::Row(row) => row.get(column).map_or("", String::as_str),
            Self::Made(value) => value,
        }
    }
}

impl Kind {
    /// The next value of a thread.
    pub(super) fn draw(&self, cursor: &mut Cursor, random: &mut ChaCha8Rng) -> Drawn<'_> {
        match self {
            Self::Range { first, .. } => {
                let value = first.wrapping_add_unsigned(cursor.advance(random));
                Drawn::Made(value.to_string())
            }
            Self::Rows { rows, .. } => Drawn::Row(&rows[cursor.advance(random) as usize]),
            Self::Hex { digits } => Drawn::Made(hex(random, *digits)),
            Self::Uuid => Drawn::Made(uuid(random)),
        }
    }
}

impl Cursor {
    fn advance(&mut self, random: &mut ChaCha8Rng) -> u64 {
        if self.order == Order::Random {
            return random.random_range(0..self.length);
        }
        let number = self.next;
        self.next = number.wrapping_add(self.workers);
        let (pass, place) = (number / self.length, number % self.length);
        match self.order {
            Order::Shuffled => self.shuffle.place(pass, place, self.length),
            _ => place,
        }
    }
}

impl Shuffle {
    fn place(&mut self, pass: u64, place: u64, length: u64) -> u64 {
        if self.pass != Some(pass) {
            self.pass = Some(pass);
            self.places = (0..length as u32).collect();
            let mut random = ChaCha8Rng::seed_from_u64(self.seed);
            random.set_stream(pass);
            self.places.shuffle(&mut random);
        }
        u64::from(self.places[place as usize])
    }
}

fn hex(random: &mut ChaCha8Rng, digits: usize) -> String {
    (0..digits)
        .map(|_| char::from(b"0123456789abcdef"[random.random_range(0..16)]))
        .collect()
}

/// RFC 9562, section 5.4: 122 random bits around version 4 and the variant.
fn uuid(random: &mut ChaCha8Rng) -> String {
    let bits: u128 = random.random();
    let bits = bits & !(0xf << 76) | (4 << 76);
    let bits = bits & !(0b11 << 62) | (0b10 << 62);
    let text = format!("{bits:032x}");
    let digits = |from: usize, to: usize| &text[from..to];
    [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)]
        .map(|(from, to)| digits(from, to))
        .join("-")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn drawn(order: Order, worker: usize, workers: usize, times: usize) -> Vec<String> {
        let source = Values {
            name: "n".into(),
            kind: Kind::Range {
                first: -2,
                last: 7,
                order,
            },
        };
        let mut cursor = source.cursor(5, worker, workers);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        (0..times)
            .map(|_| {
                source
                    .kind
                    .draw(&mut cursor, &mut random)
                    .column(0)
                    .to_owned()
            })
            .collect()
    }

    #[test]
    fn threads_share_a_sequence() {
        assert_eq!(
            drawn(Order::Sequential, 0, 2, 6),
            ["-2", "0", "2", "4", "6", "-2"]
        );
        assert_eq!(drawn(Order::Sequential, 1, 2, 3), ["-1", "1", "3"]);
    }

    #[test]
    fn a_shuffled_pass_has_each_value_once_over_all_threads() {
        let (one, two) = (
            drawn(Order::Shuffled, 0, 2, 10),
            drawn(Order::Shuffled, 1, 2, 10),
        );
        let mut passes = BTreeSet::new();
        for pass in 0..2 {
            let part = pass * 5..pass * 5 + 5;
            let values = [&one[part.clone()], &two[part]].concat();
            let distinct: BTreeSet<_> = values.iter().collect();
            assert_eq!(distinct.len(), 10, "{values:?}");
            passes.insert(values);
        }
        assert_eq!(passes.len(), 2, "another order in each pass");
    }

    #[test]
    fn random_values_stay_in_range_and_reach_it_all() {
        let values: BTreeSet<String> = drawn(Order::Random, 0, 1, 500).into_iter().collect();
        let range: BTreeSet<String> = (-2..=7).map(|value: i32| value.to_string()).collect();
        assert_eq!(values, range);
    }

    #[test]
    fn identifiers_are_well_formed() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..100 {
            let id = uuid(&mut random);
            let parts: Vec<usize> = id.split('-').map(str::len).collect();
            assert_eq!(parts, [8, 4, 4, 4, 12], "{id}");
            assert_eq!(id.as_bytes()[14], b'4', "{id}");
            assert!(b"89ab".contains(&id.as_bytes()[19]), "{id}");
        }
        let digits = hex(&mut random, 7);
        assert_eq!(digits.len(), 7);
        assert!(digits.chars().all(|digit| digit.is_ascii_hexdigit()));
    }
}
