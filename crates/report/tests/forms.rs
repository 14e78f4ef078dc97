//! A run of stacks as a table for a page, and as rows for a spreadsheet.

use judge::FindingKind;
use record::Metric;
use report::load::csv;
use report::terminal;

use crate::sample;
use crate::terminal::plain;

#[test]
fn a_run_of_stacks_is_a_table_of_its_variants() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    judged.variants[0].failure = Some("`flask-dev` ended\nwith code 1".into());
    let markdown = sample::findings(&run, &trials, &judged).markdown();
    let found = "\n\n| Where the time goes | | to gain |\n|---|---|---:|\n\
                 | flask-dev | one process has all of a core | up to 1.90 × |\n";
    let hint = format!("\n\n`weir explain {}` says why, and what to try\n", run.id);
    assert!(markdown.contains(found), "{markdown}");
    assert!(markdown.ends_with(&hint), "{markdown}");
    let lines: Vec<&str> = markdown.lines().collect();
    let first = "**`two-workers` is the fastest of 4 ways to serve `/`: ";
    assert!(lines[0].starts_with(first), "{markdown}");
    let head = "| variant | req/s | vs flask-dev | | mean | p50 | p90 | p95 | p99 | CPU/req | memory | errors |";
    assert_eq!(lines[2], head);
    let cells = |line: &str| line.split('|').count();
    for row in &lines[2..9] {
        assert_eq!(cells(row), cells(head), "{row}");
    }
    assert!(lines[4].contains("| flask-dev | 205 ±"), "{markdown}");
    assert!(lines[4].contains("| baseline |"), "{markdown}");
    assert!(
        lines[6].contains(" × [") && lines[6].contains("| better |"),
        "{markdown}"
    );
    for line in [
        "* A3: does not hold: nginx alone, serving a static page, is an order of magnitude above",
        "* `flask-dev` could not be measured: `flask-dev` ended",
    ] {
        assert!(
            lines.iter().any(|of| of.starts_with(line)),
            "{line}: {markdown}"
        );
    }
}

#[test]
fn where_the_time_of_a_load_goes_is_told_below_its_figures() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let found = sample::judged(&run, &trials).variants[0].findings.clone();
    let load = &trials[0].measured().unwrap().load;
    let markdown = sample::with_one_load(load, &[], |of| {
        let mut judged = of.judged.clone();
        judged.variants[0].findings.clone_from(&found);
        sample::findings(of.run, of.trials, &judged).markdown()
    });
    let end = "\n\nWhere the time goes:\n\n\
               * one process has all of a core (counted, in 5 of 6 trials): one process of `gunicorn` had all of a core, \
               and 0.946 of 2 cores were idle\n\
               * → raise `workers` of `gunicorn` from 1 to 2: a process for each core (up to 1.90 × the throughput)\n";
    assert!(markdown.ends_with(end), "{markdown}");
}

/// What is about the measurement hides nothing that holds the stack back; the rest is said to be elsewhere.
#[test]
fn what_holds_a_load_back_is_told_beside_what_is_about_its_measurement() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let one = sample::judged(&run, &trials).variants[0].findings[0].clone();
    let mut found = vec![one.clone(), one.clone(), one];
    found[0].finding.kind = FindingKind::OtherPrograms;
    found[1].finding.kind = FindingKind::ServiceBusy;
    let load = &trials[0].measured().unwrap().load;
    let told = sample::with_one_load(load, &[], |of| {
        let mut judged = of.judged.clone();
        judged.variants[0].findings.clone_from(&found);
        let of = sample::findings(of.run, of.trials, &judged);
        [of.markdown(), terminal::of_url(&of, false, 200).unwrap()]
    });
    let titles: Vec<&str> = found
        .iter()
        .map(|of| of.finding.kind.rule().title)
        .collect();
    for told in told {
        assert!(
            told.contains(titles[0]) && told.contains(titles[2]),
            "{told}"
        );
        assert!(!told.contains(titles[1]), "{told}");
        assert!(told.contains("`weir explain 12` says more"), "{told}");
    }
}

#[test]
fn a_run_of_stacks_is_a_row_for_each_trial() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let judged = sample::judged(&run, &trials);
    let text = csv(&sample::findings(&run, &trials, &judged).all_loads());
    let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{text}");
    // what quantiles are at least comes last
    let bounds = 2 * judge::QUANTILES.len();
    let ends = |row: &[&str]| row[row.len() - bounds - 6..row.len() - bounds].join(",");
    assert_eq!(rows[0].last(), Some(&"service_p99_99_at_least_s"));
    assert_eq!(ends(&rows[0]), "block,again,attempt,counts,load,group");
    assert_eq!(
        rows.len(),
        36,
        "the head, and all trials but the failed one"
    );
    assert_eq!(ends(&rows[1]), "0,false,0,true,\"flask-dev\",0");
    assert_eq!(ends(&rows[6]), "0,true,0,true,\"one-worker\",0");
    let left_out = rows.iter().map(|row| ends(row));
    let left_out: Vec<_> = left_out.filter(|end| end.contains(",false,\"")).collect();
    assert_eq!(left_out, ["2,false,0,false,\"static\",0"]);
}

/// The rate of some loads of a run changes, and that of others does not.
#[test]
fn rows_of_loads_with_more_and_fewer_stretches_line_up() {
    let run = sample::run();
    let mut trials = sample::trials(&run);
    let record::Outcome::Measured(measured) = &mut trials[1].outcome else {
        panic!("the first block has no failure");
    };
    measured.load.segments = vec![record::SegmentFacts::default(); 2];
    let judged = sample::judged(&run, &trials);
    let text = csv(&sample::findings(&run, &trials, &judged).all_loads());
    let counts = text.lines().map(|row| row.split(',').count());
    let counts: Vec<usize> = counts.collect();
    assert!(counts.iter().all(|count| *count == counts[0]), "{text}");
    let head = text.lines().next().unwrap();
    assert!(head.contains("segment_2_errors,block,"), "{head}");
}

/// The words of a text, wherever its lines end.
fn flat(text: &str) -> String {
    let text = plain(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_commit_that_was_served_is_told() {
    const COMMIT: &str = "v2-1-g4b1c9d2-dirty";
    let mut run = sample::run();
    run.plan.revisions = [("/srv/guestbook".to_owned(), COMMIT.to_owned())].into();
    let trials = sample::trials(&run);
    let judged = sample::judged(&run, &trials);
    let of = sample::findings(&run, &trials, &judged);
    let told = format!("`guestbook` at {COMMIT}");
    let shown = flat(&terminal::run(&of, &[], 100));
    assert!(shown.contains(&told), "{shown}");
    assert!(report::html::page(&of).contains(COMMIT));
    let listed = terminal::ListedRun {
        run,
        app: "/srv/guestbook".to_owned(),
        trials: 36,
        best: None,
        nothing_counts: false,
        under_way: false,
    };
    let listed = flat(&terminal::runs(&[listed], 200));
    assert!(listed.contains(&told), "{listed}");
}

#[test]
fn a_list_tells_a_run_that_goes_on_from_one_that_was_cut_short() {
    let mut run = sample::run();
    run.status = record::RunStatus::Begun;
    let listed = |under_way| terminal::ListedRun {
        run: run.clone(),
        app: "/srv/guestbook".to_owned(),
        trials: 4,
        best: None,
        nothing_counts: false,
        under_way,
    };
    let shown = plain(&terminal::runs(&[listed(false), listed(true)], 80));
    let rows: Vec<&str> = shown.lines().collect();
    assert_eq!(rows.len(), 3, "each in one line: {shown}");
    assert!(rows[1].contains("cut short"), "{shown}");
    assert!(rows[2].contains("still running"), "{shown}");
    assert!(rows[1].ends_with('…'), "{shown}");
}

#[test]
fn loads_of_one_url_are_told_apart_in_a_list() {
    let listed = |connections| {
        let mut run = sample::run();
        run.plan.variants.truncate(1);
        run.plan.variants[0].url = Some("http://127.0.0.1:8000/".to_owned());
        run.plan.variants[0].load = None;
        run.plan.load.connections = connections;
        run.plan.load.amount = record::Amount::Seconds(3.0);
        run.plan.title = "http://127.0.0.1:8000/".to_owned();
        terminal::ListedRun {
            run,
            app: "http://127.0.0.1:8000/".to_owned(),
            trials: 1,
            best: None,
            nothing_counts: false,
            under_way: false,
        }
    };
    let shown = plain(&terminal::runs(&[listed(16), listed(200)], 200));
    let rows: Vec<&str> = shown.lines().collect();
    for (row, connections) in [(1, 16), (2, 200)] {
        let words = format!("{connections} connections, 3.00 s: http://127.0.0.1:8000/");
        assert!(rows[row].contains(&words), "{words}: {shown}");
    }
}

#[test]
fn a_quantile_that_all_trials_have_together_is_told_beside_the_doubt() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    let name = judged.variants[0].name.clone();
    let few = judge::Doubt {
        kind: judge::DoubtKind::TooFewSamples,
        disqualifies: false,
        because: "357 responses: p99 needs 1,000".to_owned(),
        advice: "load with more requests".to_owned(),
    };
    judged.variants[0].doubts = vec![(few, 6)];
    let told = "the tables have p99 of all trials together";
    let whole = flat(&terminal::run(
        &sample::findings(&run, &trials, &judged),
        &[],
        100,
    ));
    assert!(!whole.contains(told), "each trial has it: {whole}");
    for of in judged.trials.iter_mut().filter(|of| of.variant == name) {
        of.figures.remove(&Metric::P99);
    }
    let shown = flat(&terminal::run(
        &sample::findings(&run, &trials, &judged),
        &[],
        100,
    ));
    assert!(shown.contains(told), "{shown}");
}
