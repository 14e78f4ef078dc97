use record::{ProfileFacts, Stacks};

use super::*;
use crate::terminal;
use crate::view::profile::{headline, threads, waits};

/// Of programs whose stacks are of threads on CPU alone: 50 looks a second for 4 s.
fn shares(counts: &[(Doing, CodeClass, u64)]) -> Shares {
    let count = |&(doing, class, samples): &(Doing, CodeClass, u64)| ProfileCount {
        doing,
        class,
        own: class,
        samples,
    };
    let facts = ProfileFacts {
        rate: 50.0,
        processes: 1,
        counts: counts.iter().map(count).collect(),
        ..ProfileFacts::default()
    };
    Shares::of(&Profiled::new("a", 4.0, facts, Stacks::default()))
}

#[test]
fn waits_without_stacks_are_told_as_threads_at_a_time() {
    let of = shares(&[
        (Doing::OnCpu, CodeClass::App, 100),
        (Doing::WaitsForCore, CodeClass::Runtime, 24),
        (Doing::WaitsForSocket, CodeClass::Runtime, 300),
        (Doing::Idle, CodeClass::Runtime, 2_400),
    ]);
    assert_eq!(of.samples, [100, 0, 2_724]);
    let told = "threads at a time, on average: on CPU 0.500, waits for a core 0.120, waits for a \
                socket 1.50, idle 12.0";
    assert_eq!(threads(&of).as_deref(), Some(told));
    assert_eq!(waits(&of), None, "whose code waits is not known");
    let page = terminal::profile(&of, 15, 200);
    let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(told), "{page}");
    let computes = shares(&[(Doing::OnCpu, CodeClass::App, 9)]);
    assert_eq!(threads(&computes), None);
}

#[test]
fn what_only_waits_says_for_what_and_why_nothing_else_is_known() {
    let mut of = shares(&[(Doing::WaitsForFile, CodeClass::Runtime, 200)]);
    assert_eq!(headline(&of), "no thread was on CPU when it was looked at");
    let page = terminal::profile(&of, 15, 200);
    assert!(
        page.contains("on average: waits for a file 1.00."),
        "{page}"
    );
    of.problem = Some("process 7: no rights".to_owned());
    let told = "no thread was seen on CPU: process 7: no rights";
    assert_eq!(headline(&of), told);
    let page = terminal::profile(&of, 15, 200);
    assert_eq!(page.matches("no rights").count(), 1, "{page}");
    let mut of = shares(&[]);
    of.problem = Some("process 7: gone".to_owned());
    assert_eq!(headline(&of), "nothing was sampled: process 7: gone");
}
