//! A server that is killed, whose pid file names another process from then on.

use crate::faults::{APP, run};
use crate::support::Place;

/// One supervisor goes by a pid file, and one does not.
const STALE: &str = "
app = \"app\"
blocks = 1
seed = 1
noise-floor = \"none\"
keep-going = true
[load]
connections = 10
rate = 50
arrivals = \"constant\"
seconds = WINDOW
timeout = 1
warm-up = { seconds = 0.5 }
faults = [{ at = 1, stale-pid = \"all\" }]
[[variant]]
name = \"misled\"
server = \"gunicorn\"
supervisor = { entry = \"monit\", cycle = 1 }
[[variant]]
name = \"kept\"
server = \"gunicorn\"
supervisor = \"supervisord\"
";

#[test]
fn who_goes_by_a_stale_pid_file_starts_nothing_again() {
    let place = Place::new();
    place.app(APP);
    let within = |window: &str| {
        let faulted = run(&place, &STALE.replace("WINDOW", window));
        let of = |variant: &str| {
            let mut all = faulted.as_array().unwrap().iter();
            let found = all.find(|of| of["variant"] == variant);
            found
                .unwrap_or_else(|| panic!("{variant} in {faulted}"))
                .clone()
        };
        (of("misled"), of("kept"))
    };
    let (mut misled, mut kept) = within("6");
    if kept["never"] != 0 {
        // on a busy machine it takes long to start
        (misled, kept) = within("24");
    }
    assert_eq!(
        (&misled["faults"][0]["pid_files"], &misled["never"]),
        (&1.into(), &1.into()),
        "{misled}"
    );
    let named = &kept["faults"][0]["pid_files"];
    assert!(named.is_null(), "supervisord's own names itself: {kept}");
    assert_eq!(kept["never"], 0, "{kept}");
    let shown = place.run(&["show", "last"]);
    let text = &shown.out;
    for words in [
        "all processes are killed and a stale pid file is left at",
        "no pid file named it",
    ] {
        assert!(text.contains(words), "`{words}`: {text}");
    }
    place.assert_clean();
}
