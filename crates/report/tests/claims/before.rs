//! The claims of a store beside those of an earlier one.

use super::{claims, run};
use judge::Holds;
use report::claims::{Before, ClaimStanding, markdown};

#[test]
fn what_was_measured_before_stands_beside_it_and_each_verdict_that_is_another_one() {
    let (run, trials, judged) = run();
    let at = |seconds: i64| run.started + jiff::SignedDuration::from_secs(seconds);
    let mut all = claims(&run, &trials, &judged);
    assert!(!markdown(&all).contains("Before and after"));
    all.evidence[0].starts = vec![at(0), at(360), at(720)];
    let mut then = Before {
        store: "before.db".into(),
        rows: all.rows.clone(),
        evidence: all.evidence.clone(),
    };
    all.before = Some(then.clone());
    let same = markdown(&all);
    for told in [
        "those of the same plans in `before.db`",
        "| trials | 3 | 3 |\n| time | 12.0 min | 12.0 min |\n| decided | 2 | 2 |\n| open | 1 | 1 |\n",
        "No claim has another verdict.",
    ] {
        assert!(same.contains(told), "{told}: {same}");
    }
    // gone on with an hour later: what lies between is no time that it took
    then.evidence[0].starts.extend([at(4_320), at(4_680)]);
    for row in &mut then.rows {
        if let ClaimStanding::Judged { verdict, .. } = &mut row.standing {
            verdict.holds = Holds::CannotTell;
        }
    }
    all.before = Some(then);
    let other = markdown(&all);
    for told in [
        "| trials | 5 | 3 |\n| time | 18.0 min | 12.0 min |\n| decided | 0 | 2 |\n| open | 3 | 1 |\n",
        "| [A1](#a1) | cannot tell: 1.10 × [1.07, 1.13], wanted within 0.95 .. 1.33 | holds: 1.10 × ",
    ] {
        assert!(other.contains(told), "{told}: {other}");
    }
    assert!(!other.contains("| [A5](#a5) | cannot tell: "), "{other}");
    all.before.as_mut().unwrap().store = "a`<b>.db".into();
    let odd = markdown(&all);
    assert!(
        odd.contains("those of the same plans in `a'&lt;b>.db`"),
        "{odd}"
    );
}
