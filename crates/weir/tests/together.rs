//! weir and its guardians killed at once, and weir's own file taken away under it.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use crate::support::through::as_if;
use crate::support::{PATIENCE, Place, standing};
use rustix::process::{Pid, Signal, kill_process};

/// An app whose workers have a child that has left their session.
const APP: &str = "
import subprocess
subprocess.Popen(['setsid', 'sh', '-c', 'trap : TERM INT HUP; while :; do sleep 60; done'])
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

const PLAIN: &str = "
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

const VARIANTS: &str = "[[variant]]\nname = \"two\"\nfront = { entry = \"nginx\", workers = 2 }\n\
                      server = { entry = \"gunicorn\", link = \"unix\", workers = 2 }\n";

/// A stack of two programs with two workers each, serving.
fn up(app: &str) -> (Place, Child) {
    let place = Place::new();
    place.app(app);
    place.plan(VARIANTS);
    let mut weir = place
        .weir(&["up", "plan.toml", "two"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let out = weir.stdout.as_mut().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut first).unwrap();
    assert!(first.contains("serves at"), "{first}");
    (place, weir)
}

/// Processes of the place whose executable is weir's: weir itself, its guardians, its keeper.
fn weirs(place: &Place) -> Vec<u32> {
    let weir = fs::canonicalize(env!("CARGO_BIN_EXE_weir")).unwrap();
    let runs_it =
        |pid: &u32| fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|program| program == weir);
    pids(place).into_iter().filter(runs_it).collect()
}

fn pids(place: &Place) -> Vec<u32> {
    let number = |process: &String| process.split(' ').nth(1)?.parse().ok();
    place.processes().iter().filter_map(number).collect()
}

fn name(pid: u32) -> String {
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    name.trim().to_owned()
}

fn kill(pids: &[u32]) {
    signal(pids, Signal::KILL);
}

fn signal(pids: &[u32], which: Signal) {
    for pid in pids {
        let pid = Pid::from_raw(pid.cast_signed()).unwrap();
        let _ = kill_process(pid, which);
    }
}

#[test]
fn weir_and_its_guardians_killed_together_leave_nothing() {
    let (place, mut weir) = up(APP);
    let mut own = weirs(&place);
    own.retain(|pid| name(*pid) != "keeper");
    assert!(own.len() >= 3, "weir and two guardians: {own:?}");
    kill(&own);
    weir.wait().unwrap();
    place.assert_clean();
}

/// Then nobody is there to remove the folder, or to look for who left the group of the server: the next weir does.
#[test]
fn everything_of_weir_killed_together_ends_the_servers_and_the_next_weir_does_the_rest() {
    let (place, mut weir) = up(APP);
    let own = weirs(&place);
    kill(&own);
    weir.wait().unwrap();
    let left = || {
        let mut left = place.processes();
        left.retain(|process| !process.contains("trap") && !process.contains("sleep 60"));
        left
    };
    assert!(
        testkit::eventually(PATIENCE, || left().is_empty()),
        "{:#?}",
        left()
    );
    place.app(PLAIN);
    place.run(&["run", "plan.toml"]).measured();
    place.assert_clean();
}

/// A guardian that has done its work leaves the folder to one that has not: by it the next weir finds what is left.
#[test]
fn a_guardian_killed_after_another_has_done_its_work_leaves_what_the_next_weir_finds() {
    let (place, mut weir) = up(APP);
    let [front, server] = ["nginx", "gunicorn"].map(|entry| guardian_of(&place, entry));
    signal(&[server], Signal::STOP);
    let mut others = weirs(&place);
    others.retain(|pid| name(*pid) == "keeper");
    others.push(weir.id());
    kill(&others);
    weir.wait().unwrap();
    let done = || !pids(&place).contains(&front);
    assert!(testkit::eventually(PATIENCE, done), "the front's guardian");
    kill(&[server]);
    let gone = || !pids(&place).contains(&server);
    assert!(testkit::eventually(PATIENCE, gone), "the server's guardian");
    place.app(PLAIN);
    place.run(&["run", "plan.toml"]).measured();
    place.assert_clean();
}

fn guardian_of(place: &Place, entry: &str) -> u32 {
    let processes = place.processes();
    let guards = |process: &&String| process.contains(" guardian ") && process.ends_with(entry);
    let guardian = processes.iter().find(guards).expect(entry);
    guardian.split(' ').nth(1).unwrap().parse().unwrap()
}

/// What `pkill -9 weir` and its like meet.
#[test]
fn only_weir_bears_weirs_name() {
    let (place, mut weir) = up(PLAIN);
    let own = weirs(&place);
    let named: Vec<_> = own
        .iter()
        .filter(|pid| {
            let argv = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let first = argv.split(|byte| *byte == 0).next().unwrap_or_default();
            name(**pid).contains("weir") || String::from_utf8_lossy(first).contains("weir")
        })
        .collect();
    assert_eq!(named, [&weir.id()], "of {own:?}");
    kill(&[weir.id()]);
    weir.wait().unwrap();
    place.assert_clean();
}

#[test]
fn a_run_does_not_mind_that_its_own_file_is_replaced_or_removed() {
    for removed in [true, false] {
        let place = Place::new();
        place.app(PLAIN);
        place.plan(VARIANTS);
        let copy = place.path("copy");
        fs::copy(env!("CARGO_BIN_EXE_weir"), &copy).unwrap();
        let original = place.weir(&["run", "plan.toml", "--blocks", "3"]);
        let mut weir = Command::new(&copy);
        weir.args(original.get_args()).process_group(0);
        let weir = as_if(weir, &original)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        assert!(
            testkit::eventually(PATIENCE, || place.stored() >= 1),
            "no trial was stored"
        );
        fs::remove_file(&copy).unwrap();
        if !removed {
            fs::copy("/bin/false", &copy).unwrap();
        }
        let said = weir.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&said.stderr);
        // 4: measured, and on a busy machine so short a load may not be trusted
        assert!([Some(0), Some(4)].contains(&said.status.code()), "{err}");
        assert_eq!(standing(&place.exported("1")).len(), 3);
        place.assert_clean();
    }
}
