//! Who called what a program in C works at.

use record::{Doing, Stacks};

use super::{Running, assert_hot, run};

const NESTED: &str = "#include <stdio.h>\n\
    volatile unsigned long sum;\n\
    #define APART __attribute__((noinline, noclone))\n\
    APART unsigned long inner(unsigned long n) { for (unsigned long i = 0; i < n; i++) sum += i; return sum; }\n\
    APART unsigned long middle(unsigned long n) { return inner(n) + sum; }\n\
    APART unsigned long outer(unsigned long n) { return middle(n) + sum; }\n\
    int main(void) { puts(\"ready\"); fflush(stdout); for (;;) sum += outer(100000000); }\n";

/// Share of the samples on CPU in whose stack these functions call each other in this order.
fn share_of_chain(stacks: &Stacks, chain: &[&str]) -> f64 {
    let mut all = 0;
    let mut found = 0;
    let on_cpu = stacks.stacks.iter().filter(|of| of.doing == Doing::OnCpu);
    for stack in on_cpu {
        let names: Vec<&str> = stacks.of(stack).map(|of| &*of.name).collect();
        all += stack.samples;
        if names.windows(chain.len()).any(|part| part == chain) {
            found += stack.samples;
        }
    }
    found as f64 / all.max(1) as f64
}

fn has_callers(flags: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("nested.c"), NESTED).unwrap();
    let files = ["-o", "nested", "nested.c"];
    run(folder, &[&["cc", "-O2"][..], flags, &files].concat());
    let running = Running::start(folder, &["./nested"]);
    let sampled = running.sampled(folder);
    assert_hot(&sampled, "inner", "nested");
    let chain = ["main", "outer", "middle", "inner"];
    let share = share_of_chain(&sampled.1, &chain);
    assert!(share > 0.6, "{flags:?}: {:?}", sampled.1);
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn callers_without_frame_pointers_are_known() {
    has_callers(&["-fomit-frame-pointer", "-fasynchronous-unwind-tables"]);
}

#[test]
fn callers_are_known_by_frame_pointers_alone() {
    has_callers(&[
        "-fno-omit-frame-pointer",
        // optimised, a function that calls nobody has none
        "-O0",
        "-fno-asynchronous-unwind-tables",
        "-fno-unwind-tables",
    ]);
}
