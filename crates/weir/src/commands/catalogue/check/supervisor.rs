//! What a supervisor is for: the server below it is killed, and serves again.

use std::collections::BTreeMap;

use record::{Amount, Blow, Fault, Outcome, Victim};
use stack::{Entry, Scene};

use super::faults::happened;
use super::tester::{Befallen, Tester, load_words};
use crate::error::Result;

/// Seconds of the load, within which the server is to be back: a longer one where it was not at the end of the shorter, as
/// on a busy machine it takes long to start. Some supervisors look only every few minutes unless they are told otherwise.
const WINDOWS: [f64; 2] = [12.0, 36.0];
/// Seconds of it until the kill.
const KILL: f64 = 2.0;

/// Kills the server below the supervisor while it is loaded.
pub(super) fn killed_below(tester: &Tester, entry: &Entry) -> Result<Befallen> {
    let mut scenes = tester.rehearsal.scenes(entry, &BTreeMap::new())?;
    let Some(scene) = scenes.pop().filter(|scene| !scene.variants.is_empty()) else {
        return Ok(Err(
            "no app server that is here can be supervised".to_owned()
        ));
    };
    let mut befallen = Ok(None);
    for window in WINDOWS {
        befallen = killed_within(tester, &scene, window)?;
        if befallen.is_ok() {
            break;
        }
    }
    Ok(befallen)
}

/// The same in a load of so many seconds.
fn killed_within(tester: &Tester, scene: &Scene, window: f64) -> Result<Befallen> {
    let (app, variants) = (scene.app.clone(), scene.variants.clone());
    let baseline = variants[0].name.clone();
    let mut plan = Tester::plan(app, variants, baseline, Amount::Seconds(window));
    plan.load.faults = vec![Fault {
        at: KILL,
        blow: Blow::Kill(Victim::Main),
    }];
    plan.load.timeout = 1.0;
    let (trials, ended) = tester.run(&plan, &mut |_| {})?;
    let measured = trials.first().map(|trial| &trial.outcome);
    let Some(Outcome::Measured(measured)) = measured else {
        let why = ended.err().map_or_else(
            || "nothing was measured".to_owned(),
            |error| load_words(&error),
        );
        return Ok(Err(why));
    };
    let load = &measured.load;
    Ok(match (load.struck.first(), load.recovery()) {
        (Some(struck), _) if struck.processes == 0 => {
            Err("no process of the server was found below it".to_owned())
        }
        (_, Some(recovery)) if recovery.back => {
            let seconds = recovery.seconds;
            Ok(Some(happened(format!(
                "correct responses came again {seconds:.2} s later"
            ))))
        }
        (_, None) => Err("nothing was answered before the kill".to_owned()),
        _ => Err(format!(
            "it did not serve again within {:.0} s",
            window - KILL
        )),
    })
}
