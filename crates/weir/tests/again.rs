//! A trial that was lost is repeated in its block, and both attempts are told.

use crate::support::{PATIENCE, Place};
use serde_json::Value;

/// Once it has been loaded it does not start, one single time.
const ONCE_LOST: &str = "
import os
from pathlib import Path
here = Path(__file__).parent
served, lost, answers = here / 'served', here / 'lost', 0
if served.exists() and not lost.exists():
    lost.touch()
    raise RuntimeError('out of luck')
def app(environ, start):
    global answers
    answers += 1
    if answers > 30:
        served.touch()
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

const PLAN: &str = "app = \"app\"\nblocks = 3\nseed = 1\nnoise-floor = \"none\"\n\
    [load]\nconnections = 4\nrequests = 400\nwarm-up = { requests = 4 }\n\
    [[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n";

#[test]
fn a_trial_that_was_lost_is_taken_again_and_the_run_goes_on() {
    let place = Place::new();
    place.app(ONCE_LOST);
    place.write("plan.toml", PLAN);
    let patience = format!("{}s", PATIENCE.as_secs());
    let said = place.run(&["run", "plan.toml", "--ready-timeout", &patience]);
    said.measured();
    assert!(said.err.contains("will be repeated"), "{}", said.err);
    let told = "1 trial of `one` was lost and repeated: `gunicorn` ended";
    assert!(said.out.replace('\n', " ").contains(told), "{}", said.out);
    let export = place.exported("1");
    assert_eq!(export["run"]["status"], "finished");
    let trials = export["trials"].as_array().unwrap();
    let of_block = |block: u64| {
        let trials = trials.iter().filter(move |of| of["block"] == block);
        trials
            .filter(|of| of["outcome"].get("measured").is_some())
            .count()
    };
    assert!((0..3).all(|block| of_block(block) >= 1), "{trials:#?}");
    let lost: Vec<&Value> = trials
        .iter()
        .filter(|of| of["outcome"].get("failed").is_some())
        .collect();
    assert_eq!(lost.len(), 1, "{lost:#?}");
    place.assert_clean();
}
