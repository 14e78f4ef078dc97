//! What is said of the variant to deploy.

use judge::{Judged, Verdict};
use report::terminal;

use crate::sample;
use crate::terminal::plain;

/// A run as a terminal has it, on one line.
fn said(change: impl FnOnce(&mut Judged)) -> String {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    judged.decision.as_mut().unwrap().as_good.clear();
    change(&mut judged);
    let text = plain(&terminal::run(
        &sample::findings(&run, &[], &judged),
        &[],
        100,
    ));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_leads_beside_it_is_not_told_apart_from_it() {
    let sure = said(|_| ());
    assert!(sure.contains("Run `two-workers`: "), "{sure}");
    assert!(sure.contains("as good no other variant"), "{sure}");
    let open = said(|judged| judged.lead.leaders.push("nginx-in-front".to_owned()));
    for words in [
        "Run `two-workers`, not told apart from `nginx-in-front`: ",
        "as good not told apart by throughput, and surely dearer: `nginx-in-front`",
    ] {
        assert!(open.contains(words), "{words}: {open}");
    }
}

#[test]
fn what_is_as_good_says_how_many_blocks_would_tell() {
    let open = said(|judged| {
        let as_good = "nginx-in-front".to_owned();
        let mut lead = judged.lead.comparisons.iter_mut();
        let of = lead.find(|of| of.over == as_good).unwrap();
        (of.verdict, of.wanted) = (Verdict::CannotTell, Some(23));
        judged.decision.as_mut().unwrap().as_good = vec![as_good];
    });
    let words = "as good `nginx-in-front`: this run cannot tell them apart from it, about 23 blocks most likely would";
    assert!(open.contains(words), "{open}");
}

#[test]
fn beside_what_is_for_development_there_is_nothing_to_choose_from() {
    let only = said(|judged| {
        let others = judged.lead.rivals.iter();
        let others = others.filter(|name| *name != "two-workers");
        judged.lead.development = others.cloned().collect();
    });
    let words = "because there was none to choose from but those made for development: `";
    assert!(only.contains(words), "{only}");
    assert!(!only.contains("as good no other variant"), "{only}");
}
