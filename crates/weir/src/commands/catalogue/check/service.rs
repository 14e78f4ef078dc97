//! A service is started, looked at, and ended: nobody asks it anything. Then faults happen to it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use record::Target;
use report::terminal::Checked;
use stack::{Composition, Entry, Running, StackError};

use super::tester::{Befallen, READY, Tester, told, words};
use crate::error::Result;

/// Longest time from the kill to weir's words.
const SOON: Duration = Duration::from_secs(30);
/// How often it is looked at.
const TICK: Duration = Duration::from_millis(10);

/// Starts it in every way in which it listens.
pub(super) fn start(tester: &Tester, entry: &Entry, checked: &mut Checked) -> Result<()> {
    for scene in tester.rehearsal.scenes(entry, &BTreeMap::new())? {
        for variant in &scene.variants {
            let composition = tester.machine.compose(variant, &scene.app)?;
            match stack::start(&composition, &tester.options(READY)).and_then(once) {
                Ok(ready_after) => checked.started.push((variant.name.clone(), ready_after)),
                Err(StackError::Interrupted) => return Err(StackError::Interrupted.into()),
                Err(error) => {
                    let problem = format!("{}: {}", variant.name, words(&error));
                    checked.problems.push(problem);
                }
            }
        }
    }
    Ok(())
}

/// Ends what has started; the seconds that it took to be ready.
fn once(mut running: Running) -> std::result::Result<f64, StackError> {
    running.check_alive()?;
    let address = running.address().clone();
    let facts = running.stop()?;
    if is_there(&address) {
        return Err(StackError::Guardian {
            entry: facts.servers[0].entry.clone(),
            problem: "left it behind: it still accepts connections".to_owned(),
        });
    }
    Ok(facts.ready_after)
}

fn is_there(address: &Target) -> bool {
    match address {
        Target::Tcp(address) => std::net::TcpStream::connect(address).is_ok(),
        Target::Unix(path) => path.exists(),
    }
}

/// What weir says once it has noticed.
fn noticed(running: &mut Running) -> Option<StackError> {
    let began = Instant::now();
    loop {
        match running.check_alive() {
            Err(error) => return Some(error),
            Ok(()) if began.elapsed() > SOON => return None,
            Ok(()) => std::thread::park_timeout(TICK),
        }
    }
}

/// Its process is killed: weir says who ended, and how.
pub(super) fn killed(tester: &Tester, composition: &Composition) -> Befallen {
    let running =
        &mut stack::start(composition, &tester.options(READY)).map_err(|error| words(&error))?;
    stack::kill(running.processes()[0].0);
    match noticed(running) {
        Some(error @ StackError::Died { .. }) => Ok(Some(told(error.into()))),
        Some(error) => Err(format!("weir said: {}", words(&error))),
        None => Err("weir did not notice".to_owned()),
    }
}
