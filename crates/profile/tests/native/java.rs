//! Programs in Java, whose names are asked for when a profile ends.

use std::path::Path;

use record::CodeClass;

use super::{Running, assert_hot, function, run, share};

/// A class whose hot function is never a part of the one that calls it.
fn hot_class(folder: &Path) {
    std::fs::write(
        folder.join("Hot.java"),
        "public class Hot {\n    static long sum;\n    static void spin() {\n\
         \x20       for (int i = 0; i < 10_000_000; i++) sum += i ^ sum;\n    }\n\
         \x20   public static void main(String[] arguments) {\n        System.out.println(\"ready\");\n\
         \x20       while (true) spin();\n    }\n}\n",
    )
    .unwrap();
}

const NOT_INLINED: [&str; 3] = [
    "java",
    "-XX:CompileCommand=quiet",
    "-XX:CompileCommand=dontinline,Hot.spin",
];

#[test]
fn a_program_in_java_has_the_names_that_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    hot_class(folder);
    let running = Running::start(folder, &[&NOT_INLINED[..], &["Hot.java"]].concat());
    let sampled = running.sampled(folder);
    assert_hot(&sampled, "Hot.spin", "Hot");
    let map = format!("/tmp/perf-{}.map", running.0.id());
    assert!(!Path::new(&map).exists(), "{map} is left");
}

#[test]
fn functions_that_java_does_not_compile_are_its_interpreters() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    hot_class(folder);
    run(folder, &["javac", "Hot.java"]);
    let running = Running::start(folder, &["java", "-Xint", "Hot"]);
    let (facts, stacks) = running.sampled(folder);
    assert_eq!(facts.problem, None);
    let interpreter = "(interpreter)";
    assert!(share(&stacks, interpreter) > 0.6, "{stacks:?}");
    assert_eq!(function(&stacks, interpreter).class, CodeClass::Runtime);
    for stack in &stacks.stacks {
        let times = stacks.of(stack).filter(|of| of.name == interpreter);
        assert!(times.count() <= 1, "`main` and `spin` are one: {stacks:?}");
    }
}

#[test]
fn java_that_tells_no_names_is_said_to() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    hot_class(folder);
    let argv = [
        &NOT_INLINED[..],
        &["-XX:+DisableAttachMechanism", "Hot.java"],
    ];
    let running = Running::start(folder, &argv.concat());
    let (facts, stacks) = running.sampled(folder);
    let problem = facts.problem.unwrap_or_default();
    assert!(problem.contains("no names, as `jcmd "), "{problem}");
    assert!(share(&stacks, "(no symbol)") > 0.6, "{stacks:?}");
}
