//! Which functions take another share of the CPU time than before.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use stats::share_difference;

use super::Folded;
use crate::harmless::one_line;

/// A profile beside an earlier one, function by function.
#[derive(JsonSchema, Serialize)]
pub struct Changes {
    /// What it is compared with.
    pub against: String,
    /// Samples of threads on CPU, of the earlier one and of this one.
    pub samples: [u64; 2],
    /// Functions that were compared: those that were the innermost one in some sample.
    pub compared: usize,
    /// Those whose shares surely differ, the largest difference first.
    pub functions: Vec<FunctionChange>,
}

/// A function that takes another share of the CPU time than before.
#[derive(JsonSchema, Serialize)]
pub struct FunctionChange {
    /// Its name and file; text of others.
    pub function: String,
    /// Shares of the samples on CPU in which it was the innermost function, before and now, 0 to 1.
    pub shares: [f64; 2],
    /// By how much its share is larger now, -1 to 1.
    pub difference: f64,
    /// Both ends of the interval of the difference. With 95 % confidence all that were compared lie within theirs. Samples are
    /// taken as independent.
    pub interval: (f64, f64),
}

impl Changes {
    /// How the later one differs.
    pub fn of(earlier: &Folded, later: &Folded) -> Self {
        let samples = [earlier, later].map(Folded::samples);
        let (before, now) = (earlier.innermost(), later.innermost());
        let names: BTreeSet<&str> = before.keys().chain(now.keys()).copied().collect();
        let changed = |name: &str| {
            let seen = [&before, &now].map(|all| all.get(name).copied().unwrap_or(0));
            let of = share_difference((seen[1], samples[1]), (seen[0], samples[0]), names.len())?;
            let interval = of.interval?;
            (interval.0 > 0.0 || interval.1 < 0.0).then(|| FunctionChange {
                function: name.replace('\u{a0}', " "),
                shares: [0, 1].map(|at| seen[at] as f64 / samples[at] as f64),
                difference: of.value,
                interval,
            })
        };
        let mut functions: Vec<_> = names.iter().filter_map(|name| changed(name)).collect();
        functions.sort_by(|a, b| b.difference.abs().total_cmp(&a.difference.abs()));
        Self {
            against: one_line(&earlier.name).into_owned(),
            samples,
            compared: names.len(),
            functions,
        }
    }
}

impl Folded {
    /// How often each function was the innermost one.
    fn innermost(&self) -> BTreeMap<&str, u64> {
        let mut all = BTreeMap::new();
        for (stack, samples) in &self.stacks {
            let function = stack.rsplit(';').next().unwrap_or(stack);
            *all.entry(function).or_default() += samples;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Folded {
        Folded::read(name, text).unwrap()
    }

    #[test]
    fn what_takes_surely_more_or_less_is_told_with_both_shares() {
        let before = read(
            "before",
            "main;render\u{a0}(a.py:3) 230\nmain;parse 500\nmain 270\n",
        );
        let after = read(
            "after",
            "main;render\u{a0}(a.py:3) 73\nmain;parse 1\nmain 26\n",
        );
        let all = Changes::of(&before, &after);
        assert_eq!(
            (all.against.as_str(), all.samples, all.compared),
            ("before", [1_000, 100], 3)
        );
        let [render, parse] = &all.functions[..] else {
            panic!("{} differ", all.functions.len());
        };
        assert_eq!(render.function, "render (a.py:3)");
        let percent = render.shares.map(|share| (share * 100.0).round() as u32);
        assert_eq!(percent, [23, 73]);
        assert!(
            render.interval.0 > 0.35 && render.interval.1 < 0.65,
            "{:?}",
            render.interval
        );
        assert!(parse.function == "parse" && parse.interval.1 < -0.4);
    }

    #[test]
    fn what_may_be_chance_is_not_told() {
        let (before, after) = (read("a", "f 6\ng 4\n"), read("b", "f 4\ng 6\n"));
        assert!(Changes::of(&before, &after).functions.is_empty());
        let nothing = Changes::of(&read("a", ""), &after);
        assert!(nothing.functions.is_empty() && nothing.compared == 2);
    }
}
