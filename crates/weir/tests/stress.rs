//! What becomes of a way to serve an app when clients are slow, connections idle, or the load twice as high.

use crate::support::{APP, Place, standing};

/// A sync worker reads a request itself and waits for a slow client; a proxy before it waits instead.
#[test]
fn slow_clients_fell_a_sync_worker_and_not_the_one_behind_a_proxy() {
    let place = Place::new();
    place.write("app.py", APP);
    let variants = "gunicorn-1,nginx+gunicorn-cores";
    let small = ["try", "-n", "400", "-c", "40", "--blocks", "2"];
    let small = [&small[..], &["--variants", variants]].concat();
    // a window beside other tests may be lost to them, so one of three is enough: where a proxy made no difference, each
    // would have to leave twice as much by chance
    let falls = (0..3).any(|_| {
        let (alone, behind) = slow_clients_leave(&place, &small);
        alone < 0.5 && behind > 2.0 * alone
    });
    assert!(falls, "a proxy before it makes no difference");
    place.assert_clean();
}

/// What slow clients leave of the throughput of a sync worker alone, and of one behind a proxy.
fn slow_clients_leave(place: &Place, small: &[&str]) -> (f64, f64) {
    let said = place.run(small);
    let text = &said.measured().out;
    for words in [
        "Throughput under stress",
        "8 of 40 clients slow",
        "100 idle connections",
        "80 connections",
    ] {
        assert!(text.contains(words), "`{words}`: {text}");
    }
    let shown = place.run(&["--json", "show", "last"]).succeeds().json();
    assert_eq!(shown["judged"]["blocks"], 2, "stress is no block");
    let lines = shown["judged"]["stress"].as_array().unwrap();
    assert_eq!(lines.len(), 6);
    let left = |variant: &str| {
        let mut lines = lines.iter();
        let of = lines.find(|of| of["variant"] == variant && of["stress"] == "slow-clients");
        of.unwrap()["ratio"].as_f64().unwrap()
    };
    let trials = shown["judged"]["trials"].as_array().unwrap();
    // what the machine disturbed is taken again
    let again = said.err.matches("will be repeated").count() as u64;
    // both ways and the A/A pair, in each block
    let all = 2 * 3;
    assert!(
        (all..=all + again).contains(&(trials.len() as u64)),
        "no opinion rests on a trial under stress: {}",
        said.err
    );
    (left("gunicorn-1"), left("nginx+gunicorn-cores"))
}

#[test]
fn stress_is_left_out_where_it_is_not_wanted() {
    let place = Place::new();
    place.write("app.py", APP);
    for more in [&["--no-stress", "--blocks=1"][..], &["--quick"]] {
        let small = ["try", "-n", "100", "-c", "8", "--variants=gunicorn-1"];
        let said = place.run(&[&small[..], more].concat());
        let text = &said.measured().out;
        assert!(!text.contains("under stress"), "{more:?}: {text}");
        assert!(!said.err.contains("under stress"), "{more:?}: {}", said.err);
    }
    place.assert_clean();
}

#[test]
fn stress_for_which_there_was_no_time_is_named_with_what_brings_it() {
    let place = Place::new();
    place.write("app.py", APP);
    let small = ["try", "-n", "100", "-c", "8", "--variants=gunicorn-1"];
    let said = place.run(&[&small[..], &["--budget=1s", "--blocks=1"]].concat());
    let text = &said.measured().out;
    for words in [
        "no time was left for 1 of 8 clients slow; 100 idle connections; 16 connections",
        "`weir run --resume 1` adds what is missing",
    ] {
        assert!(text.contains(words), "`{words}`: {text}");
    }
    let page = std::fs::read_to_string(place.path("weir.reports/run-1/report.html")).unwrap();
    assert!(page.contains("no time was left for 1 of 8 clients slow"));
    let whole = place.run(&["run", "--resume", "1", "-q"]);
    let text = &whole.measured().out;
    assert!(!text.contains("no time was left"), "{text}");
    assert!(text.contains("one trial each"), "{text}");
    place.assert_clean();
}

/// What a plan says is what runs, and is not compared: one block has a ratio, and no more trials than that.
#[test]
fn a_plan_says_which_stress_it_takes() {
    let place = Place::new();
    place.write("app.py", APP);
    let app = "name = 'hello'\ninterface = 'wsgi'\nentry = 'app:app'\nroutes = [{ path = '/' }]\n";
    place.write("app.toml", app);
    let plan = "app = '.'\nblocks = 1\nnoise-floor = 'none'\nstress = ['twice-the-load']\n\
                load = { requests = 100, connections = 2 }\n\
                [[variant]]\nname = 'one'\nserver = 'gunicorn'\n";
    place.write("plan.toml", plan);
    let document = place.run(&["run", "plan.toml", "--json"]).measured().json();
    let lines = document["judged"]["stress"].as_array().unwrap();
    assert_eq!(
        (lines.len(), &lines[0]["stress"]),
        (1, &"twice-the-load".into())
    );
    assert_eq!(standing(&document).len(), 2);
    let wrong = plan.replace("twice-the-load", "thrice");
    place.write("plan.toml", &wrong);
    let said = place.run(&["run", "plan.toml"]);
    said.fails(5, &["thrice", "twice-the-load"]);
    place.assert_clean();
}
