//! Real programs of other languages than Python.

mod callers;
mod java;
mod ruby;
mod waits;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use profile::{Sampler, Subject};
use record::{CodeClass, Doing, ProfileCount, ProfileFacts, Stacks};

/// Runs until it is dropped.
struct Running(Child);

impl Running {
    /// Starts a program in a folder, and waits until it says that it is ready.
    fn start(folder: &Path, argv: &[&str]) -> Self {
        let mut child = Command::new(argv[0])
            .args(&argv[1..])
            .current_dir(folder)
            .envs(profile::environment())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{argv:?}: {error}"));
        let mut said = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        assert_eq!(said.next().unwrap().unwrap(), "ready");
        drop(said);
        Self(child)
    }

    fn sampled(&self, folder: &Path) -> (ProfileFacts, Stacks) {
        let subject = Subject {
            roots: vec![self.0.id()],
            app: Some(folder.to_owned()),
            servers: Vec::new(),
        };
        // the length of a sample: on a machine that others take it is longer until enough was seen
        for seconds in [2, 4, 8] {
            let sampler = Sampler::start(subject.clone(), 200.0);
            sampler.resume();
            std::thread::park_timeout(Duration::from_secs(seconds));
            let seen = sampler.finish();
            if seen.0.on_cpu() > 50 || seconds == 8 {
                return seen;
            }
        }
        unreachable!("the last is returned whatever it is")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn run(folder: &Path, argv: &[&str]) {
    let mut command = Command::new(argv[0]);
    let command = command.args(&argv[1..]).current_dir(folder);
    let status = command
        .env("GOTOOLCHAIN", "local")
        .env("GOFLAGS", "-mod=mod");
    assert!(status.status().unwrap().success(), "{argv:?}");
}

/// Share of the samples on CPU whose stack has this function.
fn share(stacks: &Stacks, name: &str) -> f64 {
    let on_cpu = || stacks.stacks.iter().filter(|of| of.doing == Doing::OnCpu);
    let all: u64 = on_cpu().map(|of| of.samples).sum();
    let named = on_cpu().filter(|stack| stacks.of(stack).any(|of| of.name == name));
    let named: u64 = named.map(|of| of.samples).sum();
    named as f64 / all.max(1) as f64
}

/// The function of that name; a thread that waits for a core is told by its program's name, which may be the same.
fn function<'s>(stacks: &'s Stacks, name: &str) -> &'s record::Function {
    let mut all = stacks.functions.iter();
    let found = all.find(|of| of.name == name && of.file != "thread");
    found.unwrap_or_else(|| panic!("{name}: {:?}", stacks.functions))
}

/// Some of what was sampled was on CPU, and most of that is this function's and the app's.
fn assert_hot((facts, stacks): &(ProfileFacts, Stacks), name: &str, file: &str) {
    assert_eq!(facts.problem, None);
    assert!(facts.on_cpu() > 20, "{facts:?}");
    assert!(share(stacks, name) > 0.6, "{stacks:?}");
    assert!(facts.share_of(CodeClass::App) > Some(0.6), "{facts:?}");
    let hot = function(stacks, name);
    assert_eq!((hot.class, &*hot.file), (CodeClass::App, file));
}

#[test]
fn a_program_in_c_has_its_functions_names() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(
        folder.join("hot.c"),
        "#include <stdio.h>\n#include <unistd.h>\n\
         volatile unsigned long sum;\n\
         __attribute__((noinline)) void hot(void) { for (unsigned long i = 0; i < 100000000; i++) sum += i; }\n\
         int main(void) { puts(\"ready\"); fflush(stdout); for (;;) hot(); }\n",
    )
    .unwrap();
    run(
        folder,
        &["cc", "-O1", "-fno-omit-frame-pointer", "-o", "hot", "hot.c"],
    );
    let running = Running::start(folder, &["./hot"]);
    let sampled = running.sampled(folder);
    assert_hot(&sampled, "hot", "hot");
}

#[test]
fn a_program_in_go_has_packages() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("go.mod"), "module example.org/hot\n\ngo 1.19\n").unwrap();
    std::fs::create_dir(folder.join("part")).unwrap();
    std::fs::write(
        folder.join("part/part.go"),
        "package part\n\n//go:noinline\nfunc Hot() (sum int) {\n\tfor i := 0; i < 100000000; i++ {\n\t\tsum += i ^ sum\n\t}\n\
         \treturn\n}\n",
    )
    .unwrap();
    std::fs::write(
        folder.join("main.go"),
        "package main\n\nimport (\n\t\"example.org/hot/part\"\n\t\"fmt\"\n)\n\nfunc main() {\n\tfmt.Println(\"ready\")\n\
         \tfor {\n\t\tpart.Hot()\n\t}\n}\n",
    )
    .unwrap();
    run(folder, &["go", "build", "-o", "hot", "."]);
    let running = Running::start(folder, &["./hot"]);
    let sampled = running.sampled(folder);
    assert_hot(&sampled, "Hot", "example.org/hot/part");
}

#[test]
fn a_program_in_ruby_has_its_methods_files_and_what_sleeps_waits() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(
        folder.join("hot.rb"),
        "require 'set'\n\
         def hot\n  sum = 0\n  i = 0\n  while i < 100_000\n    sum += i ^ 7\n    i += 1\n  end\n  sum\nend\n\
         def again\n  hot while true\nend\n\
         Thread.new { sleep }\n$stdout.puts 'ready'\n$stdout.flush\nagain\n",
    )
    .unwrap();
    let running = Running::start(folder, &["ruby", "hot.rb"]);
    let (facts, stacks) = running.sampled(folder);
    let named = |wanted: &str| {
        let mut names = stacks.functions.iter().map(|of| &of.name);
        let found = names.find(|name| name.rsplit('#').next() == Some(wanted));
        found
            .unwrap_or_else(|| panic!("{wanted}: {stacks:?}"))
            .clone()
    };
    assert!(share(&stacks, &named("again")) > 0.6, "{stacks:?}");
    // a thread that another one may wake; the first that sleeps looks for signals and time slices meanwhile, with `ppoll`
    let sleeps = [Doing::Idle, Doing::WaitsForThread, Doing::WaitsForSocket];
    let waits = |of: &ProfileCount| sleeps.contains(&of.doing);
    assert!(facts.samples(waits) > 20, "{facts:?}");
    assert_hot(&(facts, stacks.clone()), &named("hot"), "hot.rb");
}

/// To find the way through an interpreter takes a while for each process, and none of it is of the window.
#[test]
fn many_processes_are_ready_when_a_short_window_begins() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(
        folder.join("many.rb"),
        "def hot\n  i = 0\n  i += 1 while i < 100_000\nend\n\
         parent = Process.pid\n8.times { fork { hot while Process.ppid == parent } }\n$stdout.puts 'ready'\n$stdout.flush\nsleep\n",
    )
    .unwrap();
    let running = Running::start(folder, &["ruby", "many.rb"]);
    let subject = Subject::of_process(running.0.id());
    let sampler = Sampler::start(subject, 100.0);
    sampler.resume();
    std::thread::park_timeout(Duration::from_millis(500));
    let (facts, _) = sampler.finish();
    assert_eq!(facts.processes, 9);
    // of fifty for each core that they share
    assert!(facts.on_cpu() >= 10, "{facts:?}");
}

#[test]
fn a_program_in_node_has_the_names_that_its_compiler_wrote_down() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(
        folder.join("hot.js"),
        "function hot() { let sum = 0; for (let i = 0; i < 1e7; i++) sum += i ^ sum; return sum }\n\
         console.log('ready')\n\
         function again() { hot(); setImmediate(again) }\nagain()\n",
    )
    .unwrap();
    let running = Running::start(folder, &["node", "hot.js"]);
    let sampled = running.sampled(folder);
    assert_hot(&sampled, "hot", "hot.js");
    assert_eq!(function(&sampled.1, "hot").line, 1);
    assert!(
        share(&sampled.1, "again") > 0.3,
        "its caller is known: {:?}",
        sampled.1
    );
}

#[test]
fn a_shell_that_becomes_another_program_is_sampled_as_that() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(
        folder.join("hot.py"),
        "def hot():\n    while True:\n        sum(range(1000))\nprint('ready', flush=True)\nhot()\n",
    )
    .unwrap();
    let mut child = Command::new("sh")
        .args(["-c", "read line; exec python3 hot.py"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let subject = Subject {
        roots: vec![child.id()],
        app: Some(folder.to_owned()),
        servers: Vec::new(),
    };
    let sampler = Sampler::start(subject, 100.0);
    drop(child.stdin.take());
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(said.next().unwrap().unwrap(), "ready");
    sampler.resume();
    std::thread::park_timeout(Duration::from_secs(4));
    let (facts, stacks) = sampler.finish();
    drop(Running(child));
    assert!(share(&stacks, "hot") > 0.5, "{facts:?} {stacks:?}");
    assert_eq!(function(&stacks, "hot").file, "hot.py");
}
