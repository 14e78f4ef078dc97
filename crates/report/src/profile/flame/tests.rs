use record::{ProfileFacts, Stack, Stacks};

use super::*;

/// Functions of one file with their lines, and stacks of them on CPU.
fn profiled(functions: &[(&str, u32)], stacks: &[(&[u32], u64)]) -> Profiled {
    let function = |(name, line): &(&str, u32)| Function {
        name: (*name).to_owned(),
        file: "app.py".to_owned(),
        line: *line,
        class: CodeClass::App,
    };
    let stack = |(functions, samples): &(&[u32], u64)| Stack {
        functions: functions.to_vec(),
        doing: Doing::OnCpu,
        samples: *samples,
    };
    let stacks = Stacks {
        functions: functions.iter().map(function).collect(),
        stacks: stacks.iter().map(stack).collect(),
        others: 0,
    };
    Profiled::new("one", 1.0, ProfileFacts::default(), stacks)
}

/// Each box as its name, its class and its width.
fn boxes(of: &Flames) -> Vec<(&str, &str, f64)> {
    let boxes = of.boxes.iter();
    let told = boxes.map(|of| (of.title.split_once(' ').unwrap().0, of.class, of.width));
    let mut told: Vec<_> = told.collect();
    told.sort_by(|one, next| one.0.cmp(next.0));
    told
}

#[test]
fn boxes_are_as_wide_as_their_shares_and_lie_below_their_callers() {
    let of = profiled(
        &[("main", 1), ("slow", 3), ("fast", 9)],
        &[(&[0, 1], 75), (&[0, 2], 24), (&[0], 1)],
    );
    let flames = Flames::of(&of).unwrap();
    let expected = [
        ("fast", "app", 288.0),
        ("main", "app", 1_200.0),
        ("slow", "app", 900.0),
    ];
    assert_eq!(format!("{:?}", boxes(&flames)), format!("{expected:?}"));
    assert!((flames.height - 2.0 * HEIGHT).abs() < 1e-9);
    assert!(Flames::of(&profiled(&[], &[])).is_none());
}

#[test]
fn what_surely_differs_is_marked_though_its_lines_moved() {
    let before = profiled(
        &[("main", 1), ("slow", 3), ("fast", 9)],
        &[(&[0, 1], 500), (&[0, 2], 500)],
    );
    // half as many samples, and other numbers and lines
    let after = profiled(
        &[("fast", 12), ("main", 1), ("slow", 5)],
        &[(&[1, 0], 400), (&[1, 2], 100)],
    );
    let flames = Flames::between(&before, &after).unwrap();
    let expected = [
        ("fast", "more", 960.0),
        ("main", "alike", 1_200.0),
        ("slow", "less", 240.0),
    ];
    assert_eq!(format!("{:?}", boxes(&flames)), format!("{expected:?}"));
    let fast = flames.boxes.iter().find(|of| of.class == "more").unwrap();
    assert_eq!(
        fast.title,
        "fast (app.py:12): 80.0 %, before 50.0 %: surely more"
    );
    let same = Flames::between(&before, &before).unwrap();
    assert!(same.boxes.iter().all(|of| of.class == "alike"));
    assert!(Flames::between(&before, &profiled(&[], &[])).is_none());
}
