//! What is whose, on made-up tables of processes.

use super::*;

fn process(parent: i32, name: &str, own: u64, children: u64) -> Process {
    Process {
        parent,
        began: 1,
        name: name.to_owned(),
        own,
        children,
        kernel: false,
        here: true,
    }
}

fn table(of: Vec<(i32, Process)>) -> Table {
    Table {
        processes: of.into_iter().collect(),
        busy: 0,
    }
}

fn between(before: Vec<(i32, Process)>, now: Vec<(i32, Process)>) -> Vec<(String, u64)> {
    let mut used = Used::new();
    table(now).since(&table(before), &mut used);
    let ticks = procfs::ticks_per_second() as f64;
    let ticks = |(name, seconds): (String, f64)| (name, (seconds * ticks).round() as u64);
    used.into_iter().map(ticks).collect()
}

#[test]
fn what_ended_between_two_looks_is_counted_once() {
    let before = vec![
        (1, process(0, "init", 5, 0)),
        (10, process(1, "make", 10, 100)),
        (11, process(10, "cc", 30, 0)), // 30 of them were before
    ];
    let now = vec![
        (1, process(0, "init", 5, 0)),
        // one compiler more, of 50, has come and gone, and the first one used 20 more
        (10, process(1, "make", 12, 100 + 50 + 50)),
    ];
    assert_eq!(between(before, now), [("make".to_owned(), 2 + 50 + 20)]);
}

#[test]
fn whose_parent_has_ended_too_is_known_to_the_one_that_has_waited_for_both() {
    let before = vec![
        (10, process(1, "make", 10, 0)),
        (11, process(10, "sh", 5, 0)),
        (12, process(11, "cc", 300, 0)), // all but 20 of what it uses
    ];
    let now = vec![(10, process(1, "make", 10, 5 + 320))];
    assert_eq!(between(before, now), [("make".to_owned(), 20)]);
}

#[test]
fn what_no_process_has_used_is_somebody_elses() {
    let own = std::process::id().cast_signed();
    let at = |used: u64, busy: u64| Table {
        busy,
        ..table(vec![
            (own, process(1, "weir", used, 0)),
            (own + 3, process(1, "browser", used, 0)),
        ])
    };
    let unseen = |busy: u64| at(40, 1_000 + busy).since(&at(0, 1_000), &mut Used::new());
    assert_eq!((unseen(80), unseen(180), unseen(70)), (0, 100, -10));
}

#[test]
fn weir_and_what_it_started_are_nobody_else() {
    let own = std::process::id().cast_signed();
    let now = |used: u64| {
        vec![
            (own, process(1, "weir", used, 0)),
            (own + 1, process(own, "guard", used, 0)),
            (own + 2, process(own + 1, "gunicorn", used, 0)),
            (own + 3, process(1, "browser", used, 0)),
            (
                own + 4,
                Process {
                    kernel: true,
                    ..process(2, "kworker/0:1", used, 0)
                },
            ),
        ]
    };
    assert_eq!(between(now(0), now(40)), [("browser".to_owned(), 40)]);
}

#[test]
fn an_id_that_was_given_again_is_another_process() {
    let before = vec![(10, process(1, "old", 1_000, 0))];
    let young = Process {
        began: 2,
        ..process(1, "young", 7, 0)
    };
    assert_eq!(
        between(before, vec![(10, young)]),
        [("young".to_owned(), 7)]
    );
}

#[test]
fn what_runs_where_weir_may_not_takes_nothing_of_it() {
    let now = |used: u64| {
        let far = Process {
            here: false,
            ..process(1, "far", used, 0)
        };
        vec![(10, process(1, "near", used, 0)), (11, far)]
    };
    assert_eq!(between(now(0), now(40)), [("near".to_owned(), 40)]);
    let own = procfs::process::Process::myself().unwrap().stat().unwrap();
    assert!(crate::may_use(own.processor), "{own:?}");
    assert!(crate::may_use(None) && !crate::may_use(Some(-1)));
}
