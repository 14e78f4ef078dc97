//! What is found of a variant, as `weir explain` tells it.

use crate::sample;
use crate::terminal::plain;
use judge::{Doubt, DoubtKind, Faulted, FindingKind, Judged, Verdict};
use record::{
    Arrivals, Blow, Cause, Fault, Metric, Outcome, Process, Run, Setting, Shape, Struck, Trial,
    Victim,
};
use report::terminal::{self, Advised};
use report::view;

#[test]
fn what_was_measured_is_told_as_that_and_what_may_come_as_a_limit() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    let told = |judged: &Judged| {
        let of = sample::findings(&run, &trials, judged);
        let explained = view::explained(&of, Some("one-worker"));
        let alone = plain(&terminal::findings(&explained, 200));
        let alone: Vec<&str> = alone.split_whitespace().collect();
        // wherever its lines end
        [alone.join(" "), plain(&terminal::run(&of, &[], 100))]
    };
    let [alone, table] = told(&judged);
    assert!(alone.contains("(up to 1.90 × the throughput)"), "{alone}");
    let rule = "costs at least a knob; rule: Gunther, \"Guerrilla Capacity Planning\", 2007";
    assert!(alone.contains(rule), "{alone}");
    assert!(
        table.contains("one-worker           one process has all of a core  up to 1.90 ×"),
        "{table}"
    );
    judged.variants[1].findings[0].finding.kind = FindingKind::FewClients;
    let [alone, _] = told(&judged);
    assert!(alone.contains("(about 1.90 × the throughput)"), "{alone}");
    judged.variants[1].findings[0].finding.kind = FindingKind::OneCore;
    let finding = &mut judged.variants[1].findings[0].finding;
    finding.measured = Some(sample::comparison(
        Metric::Throughput,
        "two-workers",
        "one-worker",
        1.9,
        Verdict::Better,
    ));
    let [alone, table] = told(&judged);
    assert!(alone.contains("(1.90 × the throughput)"), "{alone}");
    let row = table.lines().find(|line| {
        line.starts_with("  one-worker") && line.contains("one process has all of a core")
    });
    let row = row.unwrap();
    assert!(row.ends_with(" 1.90 ×") && !row.contains("up to"), "{row}");
}

/// Wherever its lines end.
fn in_one_line(text: &str) -> String {
    let text = plain(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn who_took_part_of_the_machine_is_told_once() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    let because = "`cc1` took 41 % of the machine's CPU time";
    for variant in &mut judged.variants {
        variant.doubts.clear();
        let finding = &mut variant.findings[0].finding;
        finding.kind = FindingKind::OtherPrograms;
        finding.because = because.to_owned();
    }
    let told = |judged: &Judged| {
        let of = sample::findings(&run, &trials, judged);
        let text = in_one_line(&terminal::run(&of, &[], 1_000));
        let explained = view::explained(&of, Some("two-workers"));
        (text, in_one_line(&terminal::findings(&explained, 1_000)))
    };
    let title = FindingKind::OtherPrograms.rule().title;
    let (text, _) = told(&judged);
    assert!(text.contains(title) && text.contains(because), "{text}");
    for variant in &mut judged.variants {
        let doubt = Doubt {
            kind: DoubtKind::Disturbed,
            disqualifies: false,
            because: because.to_owned(),
            advice: String::new(),
        };
        variant.doubts = vec![(doubt, 3)];
    }
    let (text, explained) = told(&judged);
    let first = format!("Where the time goes to gain flask-dev {title}");
    assert!(text.contains(&first), "as `weir explain` has it: {text}");
    let told = text.matches(because).count();
    assert_eq!(told, judged.variants.len(), "among the doubts: {text}");
    assert!(explained.contains(title), "{explained}");
}

#[test]
fn a_rate_is_spoken_of_where_there_is_one_and_programs_that_nobody_saw_where_there_are_none() {
    let mut run = sample::run();
    let mut trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    for variant in &mut judged.variants {
        variant.findings.clear();
    }
    let told = |run: &Run, trials: &[Trial]| {
        let of = sample::findings(run, trials, &judged);
        let explained = view::explained(&of, Some("one-worker"));
        in_one_line(&terminal::findings(&explained, 1_000))
    };
    let nothing = "`one-worker` nothing that weir knows holds it back";
    assert_eq!(told(&run, &trials), nothing);
    run.plan.load.shape = Shape::Open(Arrivals {
        process: Process::Poisson,
        segments: Arrivals::steady(100.0),
        max_outstanding: 100,
        seed: 1,
    });
    let at_a_rate = format!("{nothing}, as where it keeps its rate");
    assert_eq!(told(&run, &trials), at_a_rate);
    run.plan.variants[1].url = Some("http://192.0.2.1/".to_owned());
    assert_eq!(told(&run, &trials), at_a_rate, "its program runs here");
    for trial in &mut trials {
        if let Outcome::Measured(measured) = &mut trial.outcome {
            measured.processes.clear();
        }
    }
    let unseen = told(&run, &trials);
    assert!(
        unseen.starts_with("`one-worker` weir saw no program of it"),
        "{unseen}"
    );
}

/// A fifth of the responses of a load of one URL had another status.
#[test]
fn trials_that_were_put_aside_for_wrong_responses_are_explained_with_that_said_first() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let mut load = trials[0].measured().unwrap().load.clone();
    load.failed = [(Cause::Status, 200)].into();
    load.statuses = [(200, 800), (503, 200)].into();
    let told = |kind: DoubtKind| {
        let doubt = Doubt {
            kind,
            disqualifies: true,
            because: "200 of 1000 requests (20 %)".to_owned(),
            advice: String::new(),
        };
        sample::with_one_load(&load, &[doubt], |of| {
            let mut judged = of.judged.clone();
            judged.variants[0].counted = 0;
            let of = sample::findings(of.run, of.trials, &judged);
            in_one_line(&terminal::findings(&view::explained(&of, None), 1_000))
        })
    };
    let wrong = told(DoubtKind::Errors);
    let words = "`url` no trial of it counts: 200 of 1000 requests (20 %). What is told here is of trials that were put aside for that. \
                 If all of these statuses are right, say so: `--status 200,503`";
    assert!(wrong.starts_with(words), "{wrong}");
    let disturbed = told(DoubtKind::Disturbed);
    let words = "`url` no trial of it counts, and such are not judged here";
    assert!(disturbed.starts_with(words), "{disturbed}");
}

/// What `weir write` hands out says it so, too.
#[test]
fn why_a_variant_is_to_be_run_is_told_in_the_words_of_the_report() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let judged = sample::judged(&run, &trials);
    let of = sample::findings(&run, &trials, &judged);
    let text = in_one_line(&terminal::run(&of, &[], 1_000));
    let why = view::why_to_run(&of);
    assert!(!why.is_empty());
    for line in &why {
        let (what, words) = line.split_once(": ").unwrap();
        let row = format!(" {what} {words} ");
        assert!(text.contains(&row), "{row}: {text}");
    }
}

/// A variant whose worker was killed, a moment after its time.
fn struck(variant: &str) -> Faulted {
    let fault = Fault {
        at: 1.0,
        blow: Blow::Kill(Victim::Worker),
    };
    Faulted {
        variant: variant.to_owned(),
        faults: vec![Struck {
            fault,
            at: 1.1,
            processes: 1,
            connections: 0,
            pid_files: 0,
            gone: false,
        }],
        trials: 1,
        recovery: None,
        never: 0,
        lost: [0.0; 3],
        wrong: 0,
    }
}

#[test]
fn what_was_not_looked_at_is_told_as_that() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    for variant in &mut judged.variants {
        variant.findings.clear();
    }
    let told = |judged: &Judged| {
        let of = sample::findings(&run, &trials, judged);
        let text = plain(&terminal::findings(&view::explained(&of, None), 200));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let nothing = told(&judged);
    assert!(!nothing.contains("`one-worker`"), "{nothing}");
    judged.faulted = vec![struck("one-worker")];
    let faulted = told(&judged);
    let words = "`one-worker` its trials have faults, and such are not judged here";
    assert!(faulted.contains(words), "{faulted}");
    judged.faulted.clear();
    judged.variants[1].counted = 0;
    let uncounted = told(&judged);
    let words = "`one-worker` no trial of it counts, and such are not judged here";
    assert!(uncounted.contains(words), "{uncounted}");
}

/// As the head of the report has it.
#[test]
fn a_fault_is_told_at_the_time_that_the_plan_has() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    judged.faulted = vec![struck("one-worker")];
    let of = sample::findings(&run, &trials, &judged);
    let text = plain(&terminal::run(&of, &[], 140));
    assert!(text.contains("a worker is killed at 1.00 s"), "{text}");
}

#[test]
fn an_advice_that_was_measured_is_no_prediction() {
    let ratio = |of: &str, ratio| {
        let better = Verdict::Better;
        sample::comparison(Metric::Throughput, of, "one-worker", ratio, better)
    };
    let mut of = Advised {
        run: 13,
        variant: "one-worker".to_owned(),
        finding: FindingKind::OneCore,
        next: "raise `workers` to 2".to_owned(),
        change: Setting {
            key: "server.workers".to_owned(),
            value: 2,
        },
        front: None,
        gain: Some(1.9),
        known: None,
        measured: Some(ratio("one-worker-advised", 1.8)),
    };
    let told = |of: &Advised| plain(&terminal::advised(of, 200));
    let predicted = told(&of);
    assert!(
        predicted.contains("predicted  up to 1.90 ×\n"),
        "{predicted}"
    );
    let of_throughput = "throughput with it over throughput without; `weir show 13`";
    assert!(predicted.contains(of_throughput), "{predicted}");
    of.known = Some(ratio("two-workers", 1.9));
    let known = told(&of);
    let words = "known      1.90 × [1.82, 1.97] by `two-workers`, which was measured beside it\n";
    assert!(known.contains(words), "{known}");
    assert!(!known.contains("predicted"), "{known}");
    // at a rate nothing is said of throughput, and its times are compared
    (of.known, of.gain) = (None, None);
    of.measured = Some(sample::comparison(
        Metric::Mean,
        "one-worker-advised",
        "one-worker",
        0.6,
        Verdict::Better,
    ));
    let timed = told(&of);
    assert!(timed.contains("predicted  no number\n"), "{timed}");
    let of_times = "mean response time with it over mean response time without";
    assert!(timed.contains(of_times), "{timed}");
    assert!(!timed.contains("before a ratio"), "{timed}");
    of.measured.as_mut().unwrap().elsewhere = Some((0.4, 0.6));
    let held_down = told(&of);
    for words in ["measured   ≤ 0.600 × [", "≥, ≤ or ≈ before a ratio: "] {
        assert!(held_down.contains(words), "{words}: {held_down}");
    }
}
