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
        same: |_, _| true,
    };
    all.before = Some(then.clone());
    let same = markdown(&all);
    for told in [
        "those of the same claims in `before.db`",
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
    assert!(
        other.contains(" | nothing that is known of both |\n"),
        "{other}"
    );
    assert!(!other.contains("| [A5](#a5) | cannot tell: "), "{other}");
    all.before.as_mut().unwrap().store = "a`<b>.db".into();
    let odd = markdown(&all);
    assert!(
        odd.contains("those of the same claims in `a'&lt;b>.db`"),
        "{odd}"
    );
}

#[test]
fn what_is_known_to_differ_stands_beside_a_verdict_that_is_another_one() {
    let (run, trials, judged) = run();
    let mut all = claims(&run, &trials, &judged);
    let mut then = Before {
        store: "before.db".into(),
        rows: all.rows.clone(),
        evidence: all.evidence.clone(),
        same: |_, _| false,
    };
    let own = &mut then.evidence[0];
    (own.host, own.weir) = ("1 core of a Z80".into(), "0.0.9".into());
    let ClaimStanding::Judged { verdict, .. } = &mut then.rows[1].standing else {
        panic!("it is judged");
    };
    verdict.holds = Holds::CannotTell;
    verdict.conditions[0].interval = Some((2.1, 6.3));
    all.before = Some(then);
    let known = "| the plan was another one; another machine or kernel: 1 core of a Z80 before; another weir: 0.0.9 before; \
                 the interval was 100 % of its figure wide, and is 6 %: throughput of `static` / throughput of \
                 `two-workers` >= 8 |\n";
    let document = markdown(&all);
    assert!(document.contains(known), "{document}");
    let then = all.before.as_mut().unwrap();
    then.evidence[0].plan = "a-page".into();
    let document = markdown(&all);
    let moved = "| another plan: `a-page` before; another machine";
    assert!(document.contains(moved), "{document}");
}
