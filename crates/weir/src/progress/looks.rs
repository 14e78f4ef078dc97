//! What a look at a run changes and leaves open, in words.

use experiment::Looked;
use judge::StillOpen;
use report::words::counted;

/// `after 6 blocks: no longer needed: a, b`; nothing where later blocks are for the same.
pub(super) fn looked(looked: &Looked) -> Option<String> {
    let blocks = counted(u64::from(looked.blocks), "block");
    if looked.settled && looked.open.iter().any(|of| of.given_up) {
        return Some(format!(
            "after {blocks}: no more are run: what is open would most likely be open after all {}, too",
            looked.of
        ));
    }
    if looked.settled {
        return Some(format!(
            "after {blocks}: nothing is open that more blocks would decide"
        ));
    }
    if looked.for_reasons {
        return Some(format!(
            "after {blocks}: the claims are done; more blocks test the reasons of those that do not hold"
        ));
    }
    let without: Vec<&str> = looked.without.iter().map(String::as_str).collect();
    let names = without.join(", ");
    (!without.is_empty()).then(|| format!("after {blocks}: no longer needed: {names}"))
}

/// Of a question that stays open: how sure that is, why, and what would decide it.
pub(super) fn left_open(looked: &Looked, open: &StillOpen) -> String {
    let blocks = counted(u64::from(looked.blocks), "block");
    let likely = format!("most likely open after all {}, too", looked.of);
    let what = if open.given_up {
        format!("given up, as it is {likely}")
    } else {
        likely
    };
    format!("after {blocks}: {what}: {}: {}", open.what, open.because)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_look_says_what_later_blocks_are_for() {
        let look = Looked {
            blocks: 4,
            without: ["a".to_owned()].into(),
            settled: false,
            for_reasons: false,
            open: Vec::new(),
            of: 12,
        };
        let words = "after 4 blocks: no longer needed: a";
        assert_eq!(looked(&look).as_deref(), Some(words));
        let open = StillOpen {
            what: "mean of `a` < 1 ms".to_owned(),
            because: "about 40 blocks are needed".to_owned(),
            blocks: 40,
            given_up: true,
        };
        assert_eq!(
            left_open(&look, &open),
            "after 4 blocks: given up, as it is most likely open after all 12, too: mean of `a` < 1 ms: about 40 blocks \
             are needed"
        );
        let reasons = Looked {
            for_reasons: true,
            ..look.clone()
        };
        let words = "after 4 blocks: the claims are done; more blocks test the reasons";
        assert!(looked(&reasons).unwrap().starts_with(words));
        let settled = |open: &[StillOpen]| {
            let looked = Looked {
                settled: true,
                open: open.to_vec(),
                ..look.clone()
            };
            super::looked(&looked).unwrap()
        };
        let all = "after 4 blocks: nothing is open that more blocks would decide";
        assert_eq!(settled(&[]), all);
        let given_up = settled(&[open]);
        assert!(given_up.contains("would most likely be open after all 12"));
        let same = Looked {
            without: BTreeSet::new(),
            ..look
        };
        assert_eq!(looked(&same), None);
    }
}
