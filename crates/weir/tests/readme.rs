//! The README's commands are run again, and what they print has the shape that the README shows.
//!
//! Figures differ from machine to machine, and so do doubts and verdicts; what must stay is which
//! lines there are: what each begins with, in which order.

use std::process::Command;

use crate::support::{Place, Said, repository, said, standing};

/// As many blocks as give intervals, and one to spare.
const ENOUGH: &str = "5";

/// `$ weir …` blocks of the README: the arguments, and what was printed.
fn examples() -> Vec<(Vec<String>, String)> {
    let text = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let blocks = text
        .split("```console\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap());
    blocks
        .map(|block| {
            let (command, printed) = block.split_once('\n').unwrap();
            let words = command
                .strip_prefix("$ weir ")
                .expect("a weir command")
                .split(' ');
            (words.map(str::to_owned).collect(), printed.to_owned())
        })
        .collect()
}

/// The first word of each line of a table and of each paragraph, figures and variants' names masked.
/// Where a paragraph wraps depends on its figures, so its further lines do not count.
fn shape(text: &str) -> Vec<String> {
    let doubts = text.find("\nDoubts\n").unwrap_or(text.len());
    let after = text[doubts..]
        .find("\nClaims\n")
        .map_or(text.len(), |at| doubts + at);
    let stable = format!("{}{}", &text[..doubts], &text[after..]);
    let stable = without_findings(&stable);
    let row = |line: &str| {
        line.starts_with("  ") && !line.starts_with("   ") && line.trim().contains("  ")
    };
    stable
        .lines()
        .filter(|line| !line.starts_with(' ') || row(line))
        // of a machine that does not keep its pace
        .filter(|line| !line.starts_with("Pace: "))
        // of a machine whose cores are all busy
        .filter(|line| !line.starts_with("≥, ≤ or ≈ before a ratio: "))
        // of a machine that is too noisy for so few blocks
        .filter(|line| !line.starts_with("Cannot tell: ") && !line.starts_with("  left out "))
        // where several lead and cannot be told apart
        .filter(|line| !line.starts_with("  because "))
        .filter_map(|line| line.split_whitespace().next())
        .map(|word| match word.chars().next() {
            Some('`') => "`variant`".to_owned(),
            Some('0'..='9') => "figure".to_owned(),
            _ => word.to_owned(),
        })
        .collect()
}

/// A text without where the time goes, which differs from machine to machine: of which variant something is found too.
fn without_findings(text: &str) -> String {
    let Some((before, rest)) = text.split_once("\n  Where the time goes") else {
        return text.to_owned();
    };
    let (_, after) = rest
        .split_once("says why, and what to try\n")
        .expect("the last line of it");
    format!("{before}{after}")
}

fn weir(place: &Place, args: &[String]) -> Said {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut command: Command = place.weir(&args);
    command.current_dir(repository());
    said(command)
}

#[test]
fn its_commands_print_what_it_shows() {
    let place = Place::new();
    let examples = examples();
    assert!(examples.len() >= 3, "the README shows real output");
    for (mut args, printed) in examples {
        if let Some(out) = args.iter().position(|arg| arg == "--out") {
            args[out + 1] = place.path("report").to_str().unwrap().to_owned();
        }
        if args[0] == "run" {
            args.extend(["--blocks", ENOUGH].map(str::to_owned)); // the plan's spare ones change no line
        }
        let said = weir(&place, &args);
        said.measured();
        assert_eq!(
            shape(&said.out),
            shape(&printed),
            "`weir {}` prints\n{}",
            args.join(" "),
            said.out
        );
    }
    let page = std::fs::read_to_string(place.path("report/report.html")).unwrap();
    assert!(page.contains("guestbook") && page.contains("nginx.conf"));
    let run = place.exported("last");
    let plan = &run["run"]["plan"];
    let variants = plan["variants"].as_array().unwrap().len() as u64;
    let trials = standing(&run).len() as u64;
    assert_eq!(
        trials,
        (variants + 1) * plan["blocks"].as_u64().unwrap() - 1,
        "every variant, and the A/A pair in all blocks but the fifth"
    );
    for claim in run["judged"]["claims"].as_array().unwrap() {
        assert!(
            ["holds", "does-not-hold", "cannot-tell"].contains(&claim["holds"].as_str().unwrap())
        );
        for condition in claim["conditions"].as_array().unwrap() {
            assert!(condition["value"].as_f64().unwrap() > 0.0, "{claim:#}");
        }
    }
    place.assert_clean();
}
