//! What is whose, on made-up tables of processes.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use record::OtherProgram;

use super::used::by_name;
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
        server: None,
        busy: 0,
    }
}

fn between(before: Vec<(i32, Process)>, now: Vec<(i32, Process)>) -> Vec<(String, u64)> {
    let mut used = Used::new();
    table(now).since(&table(before), &mut used);
    let ticks = procfs::ticks_per_second() as f64;
    let ticks = |of: OtherProgram| (of.name, (of.seconds * ticks).round() as u64);
    by_name(used).into_iter().map(ticks).collect()
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
fn what_no_process_has_used_may_be_of_a_program_that_ignores_its_children() {
    let mut cat = Command::new("env")
        .args(["--ignore-signal=CHLD", "cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut to, mut from) = (cat.stdin.take().unwrap(), cat.stdout.take().unwrap());
    to.write_all(b"x").unwrap();
    // it is `cat` by then
    from.read_exact(&mut [0]).unwrap();
    let (own, pid) = (std::process::id().cast_signed(), cat.id().cast_signed());
    let of = |parent| {
        let processes = vec![
            (own, process(1, "weir", 0, 0)),
            (pid, process(parent, "cat", 0, 0)),
        ];
        table(processes).loses_own()
    };
    let (as_own, as_others) = (of(own), of(1));
    drop(to);
    cat.wait().unwrap();
    assert_eq!((as_own, as_others), (true, false));

    let unseen = |unsure| {
        let looked = OtherPrograms {
            seconds: 1.0,
            unseen: 500,
            unsure,
            ..OtherPrograms::default()
        };
        let cores = procfs::KernelStats::current().unwrap().cpu_time.len();
        looked.told(cores as u32).0.unwrap().unseen
    };
    assert!(unseen(false) > 0.0);
    assert!(unseen(true) <= 0.0, "it is not told");
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
fn a_server_that_somebody_else_started_is_nobody_else_with_all_that_it_has_started() {
    let now = |used: u64| Table {
        server: Some(10),
        ..table(vec![
            (10, process(1, "server", used, 0)),
            (11, process(10, "server", used, 0)),
            (12, process(1, "browser", used, 0)),
        ])
    };
    let mut used = Used::new();
    now(40).since(&now(0), &mut used);
    let names: Vec<String> = by_name(used).into_iter().map(|of| of.name).collect();
    assert_eq!(names, ["browser"]);
}

#[test]
fn what_the_stack_uses_is_told_apart_with_all_that_it_has_started() {
    let now = |used: u64| {
        vec![
            (10, process(1, "postgres", 0, 0)),
            (11, process(10, "postgres", used, 0)),
            (12, process(11, "sh", used, 0)),
            (13, process(1, "browser", used, 0)),
        ]
    };
    let mut looked = OtherPrograms {
        seconds: 1.0,
        partners: [10].into(),
        ..OtherPrograms::default()
    };
    table(now(40)).since(&table(now(0)), &mut looked.used);
    let (others, partners) = looked.told(1);
    let names = |of: Option<Others>| {
        let programs = of.unwrap().programs.into_iter();
        programs.map(|of| of.name).collect::<Vec<_>>()
    };
    assert_eq!(names(others), ["browser"]);
    assert_eq!(names(partners), ["postgres", "sh"]);
}

#[test]
fn what_weir_descends_from_is_nothing_that_the_stack_uses() {
    let own = std::process::id().cast_signed();
    let all = table(vec![
        (1, process(0, "systemd", 0, 0)),
        (own - 1, process(1, "shell", 0, 0)),
        (own, process(own - 1, "weir", 0, 0)),
        (own + 1, process(own, "guard", 0, 0)),
        (own + 2, process(1, "postgres", 0, 0)),
    ]);
    let kin = [1, own - 1, own, own + 1, own + 2].map(|pid| all.is_kin(pid));
    assert_eq!(kin, [true, true, true, true, false]);
}

#[test]
fn one_process_is_told_by_its_id_and_several_by_their_number() {
    let now = |used: u64| {
        vec![
            (10, process(1, "cc1", used, 0)),
            (11, process(1, "cc1", used, 0)),
            (12, process(1, "cc1", 7, 0)), // it does nothing
            (13, process(1, "dpkg", used, 0)),
        ]
    };
    let mut used = Used::new();
    table(now(40)).since(&table(now(0)), &mut used);
    let programs = by_name(used).into_iter();
    let told: Vec<String> = programs.map(|of| of.located()).collect();
    assert_eq!(told, ["`cc1` (2 processes)", "`dpkg` (PID 13)"]);
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
