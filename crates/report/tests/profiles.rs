//! Profiles: on a page how two variants differ, and files to keep; in a terminal what it costs to be profiled.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use judge::Stressed;
use record::{
    CodeClass, Doing, Function, Outcome, ProfileCount, ProfileFacts, Run, SliceFacts, Stack,
    Stacks, Stress, Trial,
};
use report::profile::Shares;
use report::{html, terminal};
use scraper::{Html, Selector};
use serde_json::Value;

use crate::sample;
use crate::terminal::plain;

/// Gives each trial of a variant a profile, in which two functions have so many samples.
fn profile(trials: &mut [Trial], variant: &str, samples: [u64; 2]) {
    let function = |name: &str| Function {
        name: name.to_owned(),
        file: "app.py".to_owned(),
        line: 1,
        class: CodeClass::App,
    };
    let stack = |(at, samples): (u32, u64)| Stack {
        functions: vec![at],
        doing: Doing::OnCpu,
        samples,
    };
    for trial in trials.iter_mut().filter(|of| of.variant == variant) {
        let Outcome::Measured(measured) = &mut trial.outcome else {
            continue;
        };
        let count = ProfileCount {
            doing: Doing::OnCpu,
            class: CodeClass::App,
            own: CodeClass::App,
            samples: samples.iter().sum(),
        };
        measured.load.profile = Some(ProfileFacts {
            rate: 50.0,
            processes: 1,
            counts: vec![count],
            ..ProfileFacts::default()
        });
        measured.observed.stacks = Stacks {
            functions: ["slow", "fast"].map(function).to_vec(),
            stacks: (0..).zip(samples).map(stack).collect(),
            others: 0,
        };
    }
}

/// The page of a run of which these variants were profiled.
fn page(profiled: &[(&str, [u64; 2])]) -> Html {
    let run = sample::run();
    let mut trials = sample::trials(&run);
    for (variant, samples) in profiled {
        profile(&mut trials, variant, *samples);
    }
    let judged = sample::judged(&run, &trials);
    let text = html::page(&sample::findings(&run, &trials, &judged));
    Html::parse_document(&text)
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<scraper::ElementRef<'a>> {
    page.select(&Selector::parse(selector).expect("valid selector"))
        .collect()
}

const BASELINE: (&str, [u64; 2]) = ("flask-dev", [100, 100]);
const OTHER: (&str, [u64; 2]) = ("one-worker", [40, 160]);

#[test]
fn two_variants_are_drawn_each_and_against_one_another() {
    let page = page(&[BASELINE, OTHER]);
    assert_eq!(page.errors, Vec::<std::borrow::Cow<str>>::new());
    assert_eq!(all(&page, "figure.flames").len(), 3);
    let titled = |class: &str| {
        let selector = |text: &str| Selector::parse(text).expect("valid selector");
        let (rect, title) = (selector(&format!("rect.{class}")), selector("title"));
        let boxes = all(&page, "figure.flames g").into_iter();
        let boxes = boxes.filter(|of| of.select(&rect).next().is_some());
        let titles = boxes.filter_map(|of| of.select(&title).next());
        let titles = titles.map(|of| of.text().collect::<String>());
        titles.collect::<Vec<_>>()
    };
    assert_eq!(
        titled("more"),
        ["fast (app.py:1): 80.0 %, before 50.0 %: surely more"]
    );
    assert_eq!(
        titled("less"),
        ["slow (app.py:1): 20.0 %, before 50.0 %: surely less"]
    );
    let text: String = page.root_element().text().collect();
    assert!(text.contains("one-worker, against flask-dev"));
    assert!(text.contains(":one-worker --diff "), "what draws it");
    assert_eq!(all(&page, "script, [src], link").len(), 0);
}

#[test]
fn of_more_than_two_none_is_drawn_against_another() {
    let page = page(&[BASELINE, OTHER, ("two-workers", [10, 10])]);
    assert_eq!(all(&page, "figure.flames").len(), 3);
    assert_eq!(all(&page, "rect.more, rect.less, rect.alike").len(), 0);
}

#[test]
fn files_for_other_tools_lie_in_the_page() {
    let page = page(&[OTHER]);
    let links = all(&page, "a[download]");
    let of = |name: &str, kind: &str| {
        let link = links.iter().find(|of| of.attr("download") == Some(name));
        let link = link.unwrap_or_else(|| panic!("{name}"));
        let url = link.attr("href").unwrap().strip_prefix(kind).unwrap();
        STANDARD.decode(url).unwrap()
    };
    let json = of(
        "one-worker.speedscope.json",
        "data:application/json;base64,",
    );
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["exporter"], "weir");
    assert_eq!(json["shared"]["frames"][1]["name"], "fast");
    let packed = of("one-worker.pb.gz", "data:application/gzip;base64,");
    assert_eq!(packed[..2], [0x1f, 0x8b], "gzip's begin");
    assert_eq!(links.len(), 2);
}

/// What a terminal shows of the profile of a variant that answers 200 req/s while it is profiled, in one line.
fn shown(run: &Run) -> String {
    let mut trials = sample::trials(run);
    let (variant, samples) = OTHER;
    profile(&mut trials, variant, samples);
    let mut judged = sample::judged(run, &trials);
    let stressed = Stressed {
        stress: Stress::Profiled,
        variant: variant.to_owned(),
        throughput: 200.0,
        ratio: Some(0.8),
        ..judged.stress[0].clone()
    };
    judged.stress.push(stressed);
    let profiled = sample::findings(run, &trials, &judged).profiled(variant);
    let shares = Shares::of(&profiled.expect("it was sampled"));
    let text = plain(&terminal::profile(&shares, 5, 100));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_throughput_while_it_was_profiled_stands_beside_that_of_the_other_trials() {
    let text = shown(&sample::run());
    let told = "of a core; 200 req/s while it was profiled, 250 req/s without: 0.800 ×";
    assert!(text.contains(told), "{text}");
}

#[test]
fn where_all_trials_are_profiled_nothing_is_known_of_others() {
    let mut run = sample::run();
    run.plan.load.profile = Some(50.0);
    let text = shown(&run);
    assert!(
        text.contains("of a core") && !text.contains("while it was profiled"),
        "{text}"
    );
}

#[test]
fn two_variants_whose_app_is_called_from_elsewhere_are_drawn_from_the_app_on() {
    let run = sample::run();
    let mut trials = sample::trials(&run);
    for (variant, samples) in [BASELINE, OTHER] {
        profile(&mut trials, variant, samples);
        serve(&mut trials, variant);
    }
    let judged = sample::judged(&run, &trials);
    let text = html::page(&sample::findings(&run, &trials, &judged));
    let page = Html::parse_document(&text);
    assert!(text.contains("each stack is drawn from the app"), "{text}");
    assert_eq!(all(&page, "rect.more").len(), 1, "as without servers");
    assert_eq!(all(&page, "rect.less").len(), 1);
    assert_eq!(all(&page, "rect.alike").len(), 0, "no server");
}

/// Puts a server that has the name of the variant below the app on all of its stacks.
fn serve(trials: &mut [Trial], variant: &str) {
    for trial in trials.iter_mut().filter(|of| of.variant == variant) {
        let Outcome::Measured(measured) = &mut trial.outcome else {
            continue;
        };
        let Stacks {
            functions, stacks, ..
        } = &mut measured.observed.stacks;
        let server = functions.len() as u32;
        functions.push(Function {
            name: variant.to_owned(),
            file: "server.py".to_owned(),
            line: 1,
            class: CodeClass::Server,
        });
        for stack in stacks {
            stack.functions.insert(0, server);
        }
    }
}

/// What leads in to slices is sampled, and in no window.
#[test]
fn threads_are_counted_over_the_time_in_which_they_were_sampled() {
    let threads = |led: u64| {
        let run = sample::run();
        let mut trials = sample::trials(&run);
        profile(&mut trials, OTHER.0, OTHER.1);
        for trial in &mut trials {
            if let Outcome::Measured(measured) = &mut trial.outcome {
                let led = led * measured.load.scheduled;
                measured.load.slices = Some(SliceFacts {
                    led,
                    ..SliceFacts::default()
                });
            }
        }
        let judged = sample::judged(&run, &trials);
        let profiled = sample::findings(&run, &trials, &judged).profiled(OTHER.0);
        let shares = Shares::of(&profiled.expect("it was profiled"));
        shares.threads[0].threads
    };
    let (alone, led_in) = (threads(0), threads(1));
    assert!(alone > 0.0);
    assert!((led_in - alone / 2.0).abs() < 1e-9, "{led_in} of {alone}");
}
