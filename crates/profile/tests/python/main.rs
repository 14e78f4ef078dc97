//! Real processes, sampled until enough was seen: no time is asserted, only what is most of the samples.

mod served;

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use profile::{Sampler, Subject};
use record::{CodeClass, Doing, ProfileFacts, Stacks};

/// A script that says when it is ready, and runs until its input ends.
struct Script {
    child: Child,
    folder: tempfile::TempDir,
}

impl Script {
    fn start(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let watch = "import os, sys, threading\n\
            def end():\n    sys.stdin.read()\n    os._exit(0)\n\
            threading.Thread(target=end, daemon=True).start()\n";
        let file = folder.path().join("script.py");
        std::fs::write(&file, format!("{watch}{text}")).unwrap();
        let mut child = Command::new("python3")
            .arg("script.py")
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        assert_eq!(said.next().unwrap().unwrap(), "ready");
        drop(said);
        Self { child, folder }
    }

    fn sampled(&self) -> (ProfileFacts, Stacks) {
        sampled(self.child.id(), Some(self.folder.path()))
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

fn sampled(pid: u32, app: Option<&Path>) -> (ProfileFacts, Stacks) {
    let subject = Subject {
        roots: vec![pid],
        app: app.map(Path::to_owned),
        servers: Vec::new(),
    };
    let sampler = Sampler::start(subject, 200.0);
    sampler.resume();
    // the length of a sample, and nothing that is waited for
    std::thread::park_timeout(Duration::from_secs(1));
    sampler.finish()
}

/// Share of the samples of threads that do this.
fn share(facts: &ProfileFacts, stacks: &Stacks, doing: Doing, name: &str) -> f64 {
    let all = facts.samples(|of| of.doing == doing);
    let named = stacks.stacks.iter().filter(|of| of.doing == doing);
    let named = named.filter(|stack| stacks.of(stack).any(|of| of.name == name));
    let named: u64 = named.map(|of| of.samples).sum();
    named as f64 / all.max(1) as f64
}

#[test]
fn a_hot_function_is_on_cpu_and_a_sleeping_one_waits() {
    let script = Script::start(
        "import time, json\n\
         def sleeper():\n    time.sleep(1000)\n\
         def hot():\n    while True:\n        json.dumps(list(range(50)), indent=1)\n\
         threading.Thread(target=sleeper, daemon=True).start()\n\
         print('ready', flush=True)\n\
         hot()\n",
    );
    let (facts, stacks) = script.sampled();
    assert!(
        facts.samples(|of| of.doing == Doing::OnCpu) > 20,
        "{facts:?}"
    );
    assert!(
        share(&facts, &stacks, Doing::OnCpu, "hot") > 0.9,
        "{stacks:?}"
    );
    assert!(
        share(&facts, &stacks, Doing::Sleeps, "sleeper") > 0.9,
        "{stacks:?}"
    );
    assert!(
        share(&facts, &stacks, Doing::OnCpu, "sleeper") < 0.05,
        "{stacks:?}"
    );
    // the encoder is the language's, and works for the app
    assert!(facts.share_of(CodeClass::App).unwrap() > 0.9, "{facts:?}");
    let own = facts.samples(|of| of.own == CodeClass::Runtime && of.doing == Doing::OnCpu);
    assert!(own > 0, "{facts:?}");
    let hot = stacks.functions.iter().find(|of| of.name == "hot").unwrap();
    assert_eq!((&*hot.file, hot.class), ("script.py", CodeClass::App));
}

#[test]
fn threads_that_compute_wait_for_the_interpreter_lock() {
    let script = Script::start(
        "def spin():\n    while True:\n        sum(range(100))\n\
         lock = threading.Lock()\nlock.acquire()\n\
         def locked():\n    lock.acquire()\n\
         for work in (spin, spin, spin, locked):\n    \
             threading.Thread(target=work, daemon=True).start()\n\
         print('ready', flush=True)\n\
         threading.Event().wait()\n",
    );
    let (facts, stacks) = script.sampled();
    let waits = facts.lock_wait().unwrap();
    assert!((0.4..0.9).contains(&waits), "two of three wait: {facts:?}");
    assert!(
        share(&facts, &stacks, Doing::WaitsForLock, "spin") > 0.9,
        "{stacks:?}"
    );
    // a lock of the program's own is not the interpreter's
    assert!(
        share(&facts, &stacks, Doing::WaitsForLock, "locked") < 0.05,
        "{stacks:?}"
    );
    assert!(
        share(&facts, &stacks, Doing::WaitsForThread, "locked") > 0.2,
        "{stacks:?}"
    );
}

/// Nanoseconds that the first threads of these processes have run, and that they waited for a core.
fn clocks(pids: &[u32]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for pid in pids {
        let text = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap();
        for (sum, figure) in sums.iter_mut().zip(text.split_ascii_whitespace()) {
            *sum += figure.parse::<f64>().unwrap();
        }
    }
    sums
}

#[test]
fn what_waits_for_a_core_is_not_on_cpu() {
    // three beside it on its core, until they are children of another process
    let script = Script::start(
        "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n\
         parent = os.getpid()\n\
         def beside():\n    while os.getppid() == parent:\n        pass\n    os._exit(0)\n\
         def hot():\n    while True:\n        sum(range(100))\n\
         for _ in range(3):\n    \
             if os.fork() == 0:\n        \
                 beside()\n\
         print('ready', flush=True)\n\
         hot()\n",
    );
    let own = script.child.id();
    let children = std::fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap();
    let children = children.split_whitespace().map(|pid| pid.parse().unwrap());
    let all: Vec<u32> = children.chain([own]).collect();
    let before = clocks(&all);
    let (facts, stacks) = script.sampled();
    let after = clocks(&all);
    let [ran, queued] = [0, 1].map(|at| after[at] - before[at]);
    let ran = ran / (ran + queued);
    assert!(ran < 0.6, "four share a core: {ran}");
    let waits = facts.samples(|of| of.doing == Doing::WaitsForCore);
    let told = facts.on_cpu() as f64 / (facts.on_cpu() + waits) as f64;
    assert!((0.7..1.4).contains(&(told / ran)), "{ran}: {facts:?}");
    // what waits has a stack, and the shares are of what ran
    let hot = share(&facts, &stacks, Doing::WaitsForCore, "hot");
    assert!(hot > 0.1, "{stacks:?}");
    assert!(facts.share_of(CodeClass::App).unwrap() > 0.9, "{facts:?}");
}

#[test]
fn children_are_sampled_and_what_has_ended_is_no_error() {
    let script = Script::start(
        "def child():\n    while True:\n        pass\n\
         for end in (False, True):\n    \
             pid = os.fork()\n    \
             if pid == 0:\n        \
                 if end:\n            os._exit(0)\n        \
                 child()\n\
         os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)\n\
         print('ready', flush=True)\n\
         threading.Event().wait()\n",
    );
    let (facts, stacks) = script.sampled();
    assert_eq!(
        facts.processes, 2,
        "one has ended, and nobody has asked for it: {facts:?}"
    );
    assert!(facts.errors * 10 < facts.samples(|_| true), "{facts:?}");
    assert!(
        share(&facts, &stacks, Doing::OnCpu, "child") > 0.9,
        "{stacks:?}"
    );
    let children = Command::new("cat")
        .arg(format!("/proc/{0}/task/{0}/children", script.child.id()))
        .output()
        .unwrap();
    drop(script);
    for pid in String::from_utf8_lossy(&children.stdout).split_whitespace() {
        let pid = rustix::process::Pid::from_raw(pid.parse().unwrap()).unwrap();
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
}

#[test]
fn what_only_waits_and_is_no_interpreter_is_idle() {
    let mut shell = Command::new("sh")
        .args(["-c", "echo ready; read end"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut ready = [0; 6];
    shell
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut ready)
        .unwrap();
    let call = format!("/proc/{}/syscall", shell.id());
    while std::fs::read_to_string(&call)
        .unwrap()
        .starts_with("running")
    {
        std::thread::yield_now();
    }
    let (facts, stacks) = sampled(shell.id(), None);
    drop(shell.stdin.take());
    shell.wait().unwrap();
    assert_eq!((facts.processes, facts.counts.len()), (1, 1));
    assert_eq!(facts.counts[0].doing, Doing::Idle, "{facts:?}");
    assert_eq!(stacks.functions[0].name, "sh");
    let (gone, _) = sampled(shell.id(), None);
    assert_eq!(gone.counts, []);
}
