//! A run with a range of blocks takes as many as its claims need.

use crate::support::{Place, standing};
use serde_json::Value;

/// Waits as long as its environment says, so that one variant does a tenth of what another does, also on a
/// machine where each response takes some milliseconds of waiting for a core.
const APP: &str = "import os, time\n\nWAIT = float(os.environ.get('WAIT', '0.005'))\n\n\
                   def app(environ, start):\n    time.sleep(WAIT)\n    \
                   start('200 OK', [('Content-Length', '2')])\n    return [b'ok']\n";

const CLEAR: &str = "[[claim]]\nid = \"C1\"\ntext = \"ten times\"\n\
                     expect = [\"throughput of `quick` / throughput of `slow` >= 2\"]\n";

const EDGE: &str = "[[claim]]\nid = \"C2\"\ntext = \"equal\"\n\
                    expect = [\"throughput of `quick` / throughput of `twin` >= 1\"]\n";

fn plan(place: &Place, claims: &[&str]) -> String {
    place.app(APP);
    let variant = |name: &str, wait: &str| {
        format!(
            "[[variant]]\nname = \"{name}\"\nserver = \"gunicorn\"\nenv = {{ WAIT = \"{wait}\" }}\n"
        )
    };
    let twin = claims.contains(&EDGE).then(|| variant("twin", "0.02"));
    let text = format!(
        "app = \"app\"\nblocks = {{ at-least = 4, at-most = 6 }}\nseed = 1\nnoise-floor = \"none\"\n\
         [load]\nconnections = 2\nseconds = 1\nwarm-up = {{ seconds = 0 }}\n{}{}{}{}",
        variant("quick", "0.02"),
        variant("slow", "0.2"),
        twin.unwrap_or_default(),
        claims.concat()
    );
    place.write("plan.toml", &text).to_str().unwrap().to_owned()
}

fn blocks(run: &Value, variant: &str) -> usize {
    let trials = standing(run).into_iter();
    trials.filter(|trial| trial["variant"] == variant).count()
}

#[test]
fn a_clear_claim_ends_the_run_at_the_first_look() {
    let place = Place::new();
    let said = place.run(&["run", &plan(&place, &[CLEAR]), "--shared"]);
    let said = said.measured();
    assert!(said.err.contains("at most 12 trials"), "{}", said.err);
    let words = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("4 to 6 blocks"), "{words}");
    let run = place.exported("1");
    // on a busy machine a trial may be left out
    let taken = blocks(&run, "quick");
    assert!((4..6).contains(&taken), "{words}");
    assert_eq!(blocks(&run, "slow"), taken);
    let decided = format!("decided after {taken} of at most 6 blocks");
    assert!(words.contains(&decided), "{words}");
    assert_eq!(run["judged"]["claims"][0]["holds"], "holds");
    assert_eq!(run["run"]["status"], "finished");
    assert_eq!(run["run"]["cut"], Value::Null);
    let has_pace = |trial: &&Value| trial["outcome"]["measured"]["observed"]["pace"].is_f64();
    assert!(standing(&run).iter().any(has_pace), "{run:#}");
    place.run(&["run", "--resume", "1", "-q"]).measured();
    assert_eq!(
        blocks(&place.exported("1"), "quick"),
        taken,
        "nothing is left of it"
    );
    place.assert_clean();
}

#[test]
fn a_claim_at_its_edge_goes_on_with_its_own_variants() {
    let place = Place::new();
    let plan = plan(&place, &[CLEAR, EDGE]);
    let said = place.run(&["run", &plan, "--blocks", "4..8", "--shared"]);
    let said = said.measured();
    let run = place.exported("1");
    let slow = blocks(&run, "slow");
    let equal = blocks(&run, "twin");
    assert_eq!(blocks(&run, "quick"), equal);
    assert!((4..7).contains(&slow) && slow <= equal, "{slow} {equal}");
    let claim = &run["judged"]["claims"][1];
    // two equal things are told apart now and then
    if claim["holds"] == "cannot-tell" {
        let words = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("blocks are needed") || words.contains("blocks would not tell"),
            "{words}"
        );
        assert!(
            equal == 8 || words.contains("would most likely not decide"),
            "{words}"
        );
        let given_up = "given up, as it is most likely open after all 8, too: ";
        assert!(equal == 8 || said.err.contains(given_up), "{}", said.err);
    }
    let wrong = place.run(&["run", &plan, "--blocks", "2..8"]);
    assert_eq!(wrong.code, 2, "{}", wrong.err);
    assert!(wrong.err.contains("must be at least 3"), "{}", wrong.err);
    place.assert_clean();
}

#[test]
fn blocks_that_were_asked_for_are_kept_where_there_is_time_for_more() {
    let place = Place::new();
    place.write("mine.py", APP);
    let small = ["try", "mine:app", "-n", "100", "-c", "4", "--no-stress"];
    let one = ["--variants", "gunicorn-1", "--budget", "10m"];
    let said = place.run(&[&small[..], &one, &["--blocks", "4..5"]].concat());
    let words = said.measured().err.split_whitespace().collect::<Vec<_>>();
    let words = words.join(" ");
    assert!(words.contains("each 4 to 5 times"), "{words}");
    let run = place.exported("1");
    let plan = &run["run"]["plan"];
    assert_eq!((&plan["at_least"], &plan["blocks"]), (&4.into(), &5.into()));
    place.assert_clean();
}
