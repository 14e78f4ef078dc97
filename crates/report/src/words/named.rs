use record::{Distribution, NamedFacts};

/// How many names are shown one by one.
const SHOWN: usize = 12;

/// Requests of one name, or of all the names that are not shown.
#[derive(Clone, Debug)]
pub struct NamedRow {
    /// The name, or how many others.
    pub name: String,
    /// Requests that came to an end.
    pub requests: u64,
    /// Those that were answered wrongly or not at all.
    pub failed: u64,
    /// Their response times.
    pub response: Distribution,
}

/// The names with the most requests, the rest in one row. Nothing where requests have no names.
pub fn named(all: &[NamedFacts]) -> Vec<NamedRow> {
    let mut seen: Vec<&NamedFacts> = all
        .iter()
        .filter(|of| of.completed + of.failed > 0)
        .collect();
    seen.sort_by_key(|of| std::cmp::Reverse(of.completed + of.failed)); // stable
    let alone = if seen.len() > SHOWN { SHOWN - 1 } else { SHOWN };
    let (shown, others) = seen.split_at(alone.min(seen.len()));
    let rest = (!others.is_empty()).then(|| row(format!("({} others)", others.len()), others));
    let alone = shown.chunks(1).map(|of| row(of[0].name.clone(), of));
    alone.chain(rest).collect()
}

fn row(name: String, of: &[&NamedFacts]) -> NamedRow {
    let mut sum = NamedRow {
        name,
        requests: 0,
        failed: 0,
        response: Distribution::default(),
    };
    for of in of {
        sum.requests += of.completed + of.failed;
        sum.failed += of.failed;
        sum.response.merge(&of.response);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(number: u64) -> NamedFacts {
        let mut response = Distribution::default();
        response.record(1_000_000);
        NamedFacts {
            name: format!("page {number}"),
            completed: number,
            failed: u64::from(number == 7),
            response,
            ..NamedFacts::default()
        }
    }

    #[test]
    fn twelve_rows_at_most_and_no_request_is_lost() {
        let of = |count| named(&(0..=count).map(facts).collect::<Vec<_>>());
        assert_eq!(
            of(12).len(),
            12,
            "a name that was never asked for is no row"
        );
        let rows = of(40);
        assert_eq!(rows.len(), 12);
        assert_eq!(
            (&*rows[0].name, &*rows[11].name),
            ("page 40", "(29 others)")
        );
        let requests: u64 = rows.iter().map(|row| row.requests).sum();
        assert_eq!(requests, 820 + 1);
        assert_eq!(rows[11].response.count(), 29);
    }
}
