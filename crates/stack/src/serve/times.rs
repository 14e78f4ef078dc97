//! Times and dates in a body: a page that shows what time it is differs from answer to answer, and is right.

use std::ops::Range;

use crate::serve::kind::finding_times;

/// Most characters of a time or date that are told.
const TOLD: usize = 60;

/// Where times and dates stand in a text, in order. There may be a million of them, as in a log. No digit follows one: what has
/// such an end is a longer number, as that of an order.
pub(crate) fn places(text: &str) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    for pattern in finding_times() {
        let apart = |of: &Range<usize>| {
            let next = places.partition_point(|known| known.end <= of.start);
            places.get(next).is_none_or(|next| of.end <= next.start)
        };
        let ends = |of: &Range<usize>| !text[of.end..].starts_with(|c: char| c.is_ascii_digit());
        let found = pattern.find_iter(text).map(|found| found.range());
        let more: Vec<_> = found.filter(ends).filter(apart).collect();
        places.extend(more);
        places.sort_by_key(|place| place.start);
    }
    places
}

/// The first time or date in which two texts differ, as it is in each; none where they differ in anything else, or not at
/// all.
pub(crate) fn that_differ(one: &[u8], other: &[u8]) -> Option<[String; 2]> {
    let one = std::str::from_utf8(one).ok()?;
    let other = std::str::from_utf8(other).ok()?;
    let (first, second) = (places(one), places(other));
    if between(one, &first) != between(other, &second) {
        return None;
    }
    let pairs = first.into_iter().zip(second);
    let mut pairs = pairs.map(|(left, right)| [&one[left], &other[right]]);
    let differs = pairs.find(|[left, right]| left != right)?;
    Some(differs.map(|time| time.chars().take(TOLD).collect()))
}

/// What stands before, between and after these places.
fn between<'a>(text: &'a str, places: &[Range<usize>]) -> Vec<&'a str> {
    let ends = places.iter().map(|place| place.end);
    let starts = places.iter().map(|place| place.start);
    let froms = std::iter::once(0).chain(ends);
    let tos = starts.chain(std::iter::once(text.len()));
    froms.zip(tos).map(|(from, to)| &text[from..to]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differ(one: &str, other: &str) -> Option<[String; 2]> {
        that_differ(one.as_bytes(), other.as_bytes())
    }

    #[test]
    fn texts_that_differ_in_times_and_dates_alone_are_told_from_others() {
        for (one, other, was, is) in [
            ("it is 9:59", "it is 10:00", "9:59", "10:00"),
            (
                "<i>2026-11-30T09:59:59Z</i> up",
                "<i>2026-11-30T10:00:00.5Z</i> up",
                "2026-11-30T09:59:59Z",
                "2026-11-30T10:00:00.5Z",
            ),
            (
                "from 08:00, Mon, 30 Nov 2026 09:51:29 GMT",
                "from 08:00, Tue, 1 Dec 2026 00:00:00 GMT",
                "Mon, 30 Nov 2026 09:51:29 GMT",
                "Tue, 1 Dec 2026 00:00:00 GMT",
            ),
        ] {
            let [before, after] = differ(one, other).expect(one);
            assert_eq!((&*before, &*after), (was, is));
        }
        let many = |minute: u32| format!("2026-11-30 10:00 and 10:0{minute}\n").repeat(9_000);
        assert!(differ(&many(1), &many(2)).is_some(), "however many");
        let long = |digit: &str| format!("at 10:00:00.{}", digit.repeat(10_000));
        let told = differ(&long("1"), &long("2")).unwrap();
        assert!(told[0].len() < 100 && told[0].starts_with("10:00:00.1"));
        for (one, other) in [
            ("same 10:01", "same 10:01"),
            ("pid 17 at 10:01", "pid 18 at 10:02"),
            ("at 10:01", "at 10:01 and 10:02"),
            ("at 10:01", "at noon"),
        ] {
            assert_eq!(differ(one, other), None, "{one}");
        }
        assert_eq!(that_differ(b"\xff 10:01", b"\xff 10:02"), None, "no text");
    }

    #[test]
    fn places_are_in_order_and_apart() {
        let text = "10:01 on 2026-11-30 09:51 or 2026-12-01, order 2026-12-0177";
        let found: Vec<_> = places(text).into_iter().map(|at| &text[at]).collect();
        assert_eq!(found, ["10:01", "2026-11-30 09:51", "2026-12-01"]);
    }
}
