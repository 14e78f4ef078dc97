//! What processes cost, of real ones.

use std::io::{BufRead as _, BufReader, Lines};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::usage::Scheduled;
use super::*;
use crate::Watch;

/// A program that has said that it is ready, below a shell that stands for its guardian; what it says, and to whom it listens.
fn below_a_shell(program: &[&str]) -> (Child, Lines<BufReader<ChildStdout>>, ChildStdin) {
    let mut shell = Command::new("sh")
        .args(["-c", "\"$@\"; true", "sh"])
        .args(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(shell.stdout.take().unwrap()).lines();
    let tell = shell.stdin.take().unwrap();
    assert_eq!(said.next().unwrap().unwrap(), "ready");
    (shell, said, tell)
}

/// A shell whose grandchild burns CPU: the cost is found below the supervisor.
#[test]
fn finds_what_a_grandchild_used() {
    let counts = "echo ready; read go; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done; read end";
    let (mut shell, mut said, mut tell) = below_a_shell(&["sh", "-c", counts]);
    let mut watch = Watch::of_stack(vec![(shell.id(), "burner".to_owned())]);
    watch.open();
    std::io::Write::write_all(&mut tell, b"go\n").unwrap();
    assert_eq!(said.next().unwrap().unwrap(), "done");
    watch.close();
    let costs = watch.seen(Moment::now()).processes;

    drop(tell);
    shell.wait().unwrap();
    let burner = costs.iter().find(|cost| cost.owner == "burner").unwrap();
    assert!(burner.cpu() > 0.0, "{burner:?}");
    assert!(burner.peak_rss > 100_000, "{burner:?}");
    for name in [ProcessCost::BYTES_READ, ProcessCost::BYTES_WRITTEN] {
        assert!(burner.counts[name] > 0, "{name} of {burner:?}");
    }
    for name in [
        ProcessCost::VOLUNTARY_SWITCHES,
        ProcessCost::INVOLUNTARY_SWITCHES,
    ] {
        assert!(burner.counts.contains_key(name), "{name} of {burner:?}");
    }
    assert_eq!(costs.last().unwrap().owner, OWN);
    assert_eq!(
        costs.len(),
        2,
        "the supervisor itself is left out: {costs:?}"
    );
}

/// Four children of a program of 40 MB, which they share with it, are not 200 MB.
#[test]
fn what_forked_children_share_is_counted_once() {
    let forks = "import os, sys\n\
                 held = bytearray(40_000_000)\n\
                 held[::4096] = b'x' * len(held[::4096])\n\
                 for _ in range(4):\n    \
                     if os.fork() == 0:\n        \
                         sys.stdin.read(); os._exit(0)\n\
                 print('ready', flush=True)\n\
                 sys.stdin.read()\n";
    let (mut shell, _said, tell) = below_a_shell(&["python3", "-c", forks]);
    let mut watch = Watch::of_stack(vec![(shell.id(), "forks".to_owned())]);
    watch.open();
    watch.close();
    let costs = watch.seen(Moment::now()).processes;
    drop(tell);
    shell.wait().unwrap();
    let forks: Vec<_> = costs.iter().filter(|cost| cost.owner == "forks").collect();
    assert_eq!(forks.len(), 5, "{forks:?}");
    let sum = |of: fn(&ProcessCost) -> u64| forks.iter().map(|cost| of(cost)).sum::<u64>();
    assert!(sum(|cost| cost.peak_rss) > 200_000_000, "{forks:?}");
    let memory = sum(ProcessCost::memory);
    assert!((40_000_000..80_000_000).contains(&memory), "{forks:?}");
}

/// Of another user's process the kernel does not tell what that reads and writes, and some kernels count no waits.
#[test]
fn what_is_not_told_is_not_zero() {
    let mut all = Processes::of(Trees::of_stack(Vec::new()));
    let own = procfs::process::Process::myself().unwrap();
    let told = own.stat().unwrap();
    let process = Process {
        owner: "app".to_owned(),
        last: Usage::of(told, Scheduled::default(), None, [0; 2]),
        ..Process::default()
    };
    all.seen.insert((10, 1), process);
    let mut seen = Seen::default();
    Box::new(all).tell(&mut seen);
    let counts = &seen.processes[0].counts;
    assert!(counts.contains_key("minor-faults"), "{counts:?}");
    for name in [ProcessCost::BYTES_READ, record::RUN_QUEUE_WAIT, "runs"] {
        assert!(!counts.contains_key(name), "{name} of {counts:?}");
    }
}

/// An id that was given again is another process.
#[test]
fn what_a_process_shares_is_not_what_the_one_before_it_did() {
    let mut all = Processes::of(Trees::of_stack(Vec::new()));
    for began in [1, 2] {
        let last = Usage {
            peak_rss: 100,
            ..Usage::default()
        };
        let process = Process {
            owner: "app".to_owned(),
            last,
            ..Process::default()
        };
        all.seen.insert((10, began), process);
    }
    let mut seen = Seen {
        shared: BTreeMap::from([((10, 2), 60)]),
        ..Seen::default()
    };
    Box::new(all).tell(&mut seen);
    let memory: Vec<u64> = seen.processes.iter().map(ProcessCost::memory).collect();
    assert_eq!(memory, [100, 40]);
}

#[test]
fn a_vanished_supervisor_costs_nothing() {
    let mut child = Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    let mut watch = Watch::of_stack(vec![(child.id(), "gone".to_owned())]);
    watch.open();
    watch.close();
    let costs = watch.seen(Moment::now()).processes;
    let owners: Vec<&str> = costs.iter().map(|cost| cost.owner.as_str()).collect();
    assert_eq!(owners, [OWN]);
}

#[test]
fn the_host_is_described() {
    let host = crate::host();
    assert!(host.cores >= 1);
    assert!(host.memory > 0);
    assert!(!host.kernel.is_empty());
}

/// A shell whose children compute for a moment each. Most are gone before anybody looks, and some are seen.
#[test]
fn what_short_children_used_is_counted_once() {
    let loops = "echo ready; read go; n=0\n\
                 while [ $n -lt 50 ]; do\n\
                 sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; true'\n\
                 n=$((n+1)); echo $n\n\
                 done\n\
                 times; read end";
    let (mut shell, mut said, mut tell) = below_a_shell(&["sh", "-c", loops]);
    let mut watch = Watch::of_stack(vec![(shell.id(), "loops".to_owned())]);
    watch.open();
    std::io::Write::write_all(&mut tell, b"go\n").unwrap();
    for number in 1..=50 {
        assert_eq!(said.next().unwrap().unwrap(), number.to_string());
        watch.sample();
    }
    watch.close();
    let costs = watch.seen(Moment::now()).processes;
    // of the shell itself, and of its children
    let wanted: f64 = said.by_ref().take(2).map(|of| seconds(&of.unwrap())).sum();

    drop(tell);
    shell.wait().unwrap();
    let own: Vec<_> = costs.iter().filter(|cost| cost.owner == "loops").collect();
    let used: f64 = own.iter().map(|cost| cost.cpu()).sum();
    assert!(
        (used - wanted).abs() < 0.1 * wanted + 0.05,
        "{used} of {wanted} s: {own:?}"
    );
    let parent = own
        .iter()
        .max_by(|one, other| one.cpu().total_cmp(&other.cpu()));
    let counts = &parent.unwrap().counts;
    assert!(counts[ProcessCost::ENDED_CHILDREN] > 0, "{own:?}");
    assert!(counts[ProcessCost::WATCHED] > 0, "{own:?}");
}

/// A shell that begins another one while the window pauses, which says what it has used by then.
#[test]
fn what_begins_in_a_pause_counts_from_then_on() {
    let counts = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; times; read end";
    let program = format!("echo ready; read go; sh -c '{counts}'; true");
    let (mut shell, mut said, mut tell) = below_a_shell(&["sh", "-c", &program]);
    let mut watch = Watch::of_stack(vec![(shell.id(), "burner".to_owned())]);
    watch.open();
    watch.pause();
    std::io::Write::write_all(&mut tell, b"go\n").unwrap();
    let before = seconds(&said.next().unwrap().unwrap());
    watch.resume();
    watch.close();
    let costs = watch.seen(Moment::now()).processes;
    drop(tell);
    shell.wait().unwrap();
    let own: Vec<_> = costs.iter().filter(|cost| cost.owner == "burner").collect();
    assert_eq!(own.len(), 2, "{own:?}");
    let used: f64 = own.iter().map(|cost| cost.cpu()).sum();
    assert!(used < 0.5 * before, "{used} s, after {before}: {own:?}");
}

/// A shell that begins a program, and later ends it.
#[test]
fn series_tell_what_processes_do_and_how_many_begin_and_end() {
    let program =
        "echo ready; read go; sleep 600 & echo $!; read go; kill $!; wait; echo done; read end";
    let (mut shell, mut said, mut tell) = below_a_shell(&["sh", "-c", program]);
    let stack = vec![(shell.id(), "starter".to_owned())];
    let mut probe = Processes::of(Trees::of_stack(stack));
    let (at, mut samples) = (Moment::now(), Samples::default());
    probe.start(at, &mut samples);
    std::io::Write::write_all(&mut tell, b"go\n").unwrap();
    let begun: u32 = said.next().unwrap().unwrap().parse().unwrap();
    probe.sample(Moment::now(), &mut samples);
    std::io::Write::write_all(&mut tell, b"go\n").unwrap();
    assert_eq!(said.next().unwrap().unwrap(), "done");
    probe.stop(Moment::now(), &mut samples);
    drop(tell);
    shell.wait().unwrap();

    let series = samples.series(at);
    let values = |pid: Option<u32>, name: &str| {
        let mut all = series.iter().filter(|of| of.of == "starter");
        let found = all.find(|of| of.pid == pid && of.name == name);
        found.map_or_else(Vec::new, |of| of.values.clone())
    };
    assert_eq!(values(None, Series::FORKS), [0.0, 1.0, 1.0]);
    assert_eq!(values(None, Series::EXITS), [0.0, 0.0, 1.0]);
    for name in ["cpu-user", "rss", "voluntary-switches", "minor-faults"] {
        assert_eq!(values(Some(begun), name).len(), 1, "{name}: {series:?}");
    }
}

/// What a shell's `times` prints in a line, such as `0m0.250s 0m0.010s`, in all.
fn seconds(times: &str) -> f64 {
    let each = times.split_whitespace().map(|time| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').unwrap();
        minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()
    });
    each.sum()
}
