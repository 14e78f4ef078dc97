//! A network of its own for each trial where weir may make one, and else the machine's.

use std::process::Command;

use crate::own_network::{NGINX, loads, may, place};
use crate::support::through::through;
use crate::support::{Place, said};

const ARGS: [&str; 3] = ["run", "plan.toml", "--json"];

/// What is told once where weir may make networks, where it may not, and in the report then.
const OWN: &str = "each trial has a network of its own: weir may make one here";
const REFUSED: &str = "weir may not make a network for each trial here: ";
const NOT_ALLOWED: &str = "weir was not allowed to make a network for each trial";

/// A folder of files, and a plan with two blocks of them.
fn twice() -> Place {
    let place = place("requests = 100\nwarm-up = { requests = 0 }", NGINX);
    let plan = std::fs::read_to_string(place.path("plan.toml")).unwrap();
    let plan = plan.replace("blocks = 1", "blocks = 2\nnetwork = \"own-if-allowed\"");
    place.write("plan.toml", &plan);
    place
}

#[test]
fn who_may_make_networks_has_one_for_each_trial() {
    if !may() {
        return;
    }
    let place = twice();
    let run = place.run(&ARGS);
    let loads = loads(&run.measured().json());
    assert_eq!(run.err.matches(OWN).count(), 1, "{}", run.err);
    assert_eq!(loads.len(), 2);
    for load in loads {
        assert_eq!(load["network"]["own"], true, "{load:#}");
    }
    let shown = place.run(&["show", "1"]).out;
    assert!(
        shown.contains("each trial had a network of its own"),
        "{shown}"
    );
    place.assert_clean();
}

#[test]
fn who_may_not_has_the_machines_and_is_told_so() {
    let place = twice();
    // root without the capability, or whoever runs the tests
    let mut outer = Command::new("setpriv");
    if rustix::process::geteuid().is_root() {
        outer.args(["--bounding-set", "-sys_admin"]);
    }
    let run = said(through(outer, &place.weir(&ARGS)));
    let document = run.measured().json();
    assert_eq!(run.err.matches(REFUSED).count(), 1, "{}", run.err);
    assert!(!run.err.contains(OWN), "{}", run.err);
    assert_eq!(document["run"]["plan"]["network"], "own-if-allowed");
    let loads = loads(&document);
    assert_eq!(loads.len(), 2);
    for load in loads {
        assert_eq!(load["network"]["own"], false, "{load:#}");
    }
    let shown = place.run(&["show", "1"]).out;
    assert!(shown.contains(NOT_ALLOWED), "{shown}");
    place.assert_clean();
}
