//! Scripts that would hold, crash or end the engine.

use super::*;

const ENDLESS: &str = "while true do end";

/// What opening a script complains about, and what to do about it.
fn refused(text: &str) -> (String, String) {
    let (_folder, script) = written(text);
    let error = script.expect_err(text);
    (error.to_string(), error.hint().unwrap())
}

#[test]
fn a_call_that_does_not_come_back_is_ended_before_the_load() {
    for (text, phase) in [
        (ENDLESS.to_owned(), "when it is read"),
        (
            format!("function setup(thread) {ENDLESS} end"),
            "in setup()",
        ),
        (format!("function init(args) {ENDLESS} end"), "in init()"),
        (format!("function request() {ENDLESS} end"), "in request()"),
        // what is caught is not gone on with
        (
            "while true do pcall(function() while true do end end) end".to_owned(),
            "when it is read",
        ),
        (
            "coroutine.wrap(function() while true do end end)()".to_owned(),
            "when it is read",
        ),
        (
            "jit.on() for n = 1, 1e12 do end".to_owned(),
            "when it is read",
        ),
        (
            "local function f() return f() end f()".to_owned(),
            "when it is read",
        ),
    ] {
        let (told, hint) = refused(&text);
        assert!(
            told.starts_with(&format!("the script fails {phase}: `")),
            "{told}"
        );
        assert!(
            told.contains("it has not come back after 2000000 instructions"),
            "{told}"
        );
        assert!(
            hint.starts_with("let each call of the script end"),
            "{hint}"
        );
    }
}

#[test]
fn a_call_that_does_not_come_back_is_ended_in_the_load() {
    let later = |name: &str| {
        format!(
            "n = 0\nfunction request() return wrk.format() end\n\
             function {name}() n = n + 1 if n > 1 then {ENDLESS} end return 'GET / HTTP/1.1\\r\\n\\r\\n' end"
        )
    };
    let (_folder, script) = written(&later("request"));
    let script = script.unwrap();
    let mut asking = stream(&script);
    assert!(!asking.is_over());
    let why = asking.begin(0, 0).unwrap_err();
    assert!(why.contains("script.lua:3: it has not come back"), "{why}");
    assert!(asking.is_over(), "its thread asks nothing more");
    assert!(asking.begin(1, 0).is_err());

    let (_folder, script) = written(&later("response"));
    let script = script.unwrap();
    let mut hearing = stream(&script);
    begin(&mut *hearing, 0);
    answer(&mut *hearing, 0, 200, "");
    assert!(!hearing.is_over());
    answer(&mut *hearing, 0, 200, "");
    assert!(hearing.is_over());
    assert!(
        hearing
            .begin(0, 0)
            .unwrap_err()
            .contains("has not come back")
    );

    let (_folder, script) = written(&format!("function delay() {ENDLESS} end"));
    let mut waiting = stream(&script.unwrap());
    assert!(
        waiting
            .begin(0, 0)
            .unwrap_err()
            .contains("has not come back")
    );
}

#[test]
fn a_done_that_does_not_come_back_is_told() {
    let (_folder, script) = written(&format!("function done() {ENDLESS} end"));
    let error = script
        .unwrap()
        .finish(&record::LoadFacts::default())
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the script fails in done(): `"),
        "{error}"
    );
}

/// A budget is a call's, and not a script's.
#[test]
fn many_calls_may_take_more_than_one_may() {
    let (_folder, script) = written(
        "function request() for n = 1, 200000 do end return 'GET / HTTP/1.1\\r\\n\\r\\n' end",
    );
    let script = script.unwrap();
    let mut stream = stream(&script);
    for connection in 0..30 {
        begin(&mut *stream, connection % 4);
        answer(&mut *stream, connection % 4, 200, "");
    }
    assert!(!stream.is_over());
}

#[test]
fn bytecode_is_refused() {
    let crash = "'\\27LJ\\2\\2' .. ('\\255'):rep(64)";
    for text in [
        format!("assert(loadstring({crash}))()"),
        format!("assert(load({crash}))()"),
        format!("assert(load({crash}, 'it', 'b'))()"),
        format!("assert(load({crash}, 'it', 'bt', {{}}))()"),
        "assert(load(string.dump(function() end)))()".to_owned(),
    ] {
        let (told, hint) = refused(&text);
        assert!(told.contains("wrong mode"), "{told}");
        assert!(hint.starts_with("give Lua as text"), "{hint}");
    }
    let folder = testkit::temp_dir();
    let bytes = [b"\x1bLJ\x02\x02".as_slice(), &[0xff; 64]].concat();
    std::fs::write(folder.path().join("binary.lua"), &bytes).unwrap();
    let path = folder.path().join("binary.lua").display().to_string();
    for text in [
        format!("assert(loadfile('{path}'))()"),
        format!("assert(loadfile('{path}', 'b'))()"),
        format!("dofile('{path}')"),
        format!(
            "package.path = '{}/?.lua'; require('binary')",
            folder.path().display()
        ),
    ] {
        let (told, _) = refused(&text);
        assert!(
            told.contains("wrong mode") || told.contains("binary"),
            "{told}"
        );
    }
    let binary = Script::open(&options(folder.path().join("binary.lua"), 1));
    assert!(binary.is_err(), "the script itself");
}

#[test]
fn text_is_loaded_as_ever() {
    let folder = testkit::temp_dir();
    std::fs::write(folder.path().join("part.lua"), "return { answer = 42 }").unwrap();
    let (_folder, script) = written(&format!(
        "package.path = '{}/?.lua'\nassert(require('part').answer == 42)\n\
         assert(dofile('{0}/part.lua').answer == 42)\nassert(loadfile('{0}/part.lua')().answer == 42)\n\
         assert(loadstring('return 42')() == 42)\n\
         local pieces = {{ 'return ', 'x' }}\n\
         assert(load(function() return table.remove(pieces, 1) end, 'it', 't', {{ x = 42 }})() == 42)\n\
         assert(load('return )') == nil)",
        folder.path().display()
    ));
    script.unwrap();
}

#[test]
fn a_script_does_not_end_the_process() {
    for text in ["os.exit(0)", "function init() os.exit() end"] {
        let (told, hint) = refused(text);
        assert!(
            told.contains("os.exit() would end weir without a result"),
            "{told}"
        );
        assert!(hint.contains("wrk.thread:stop()"), "{hint}");
    }
    let (_folder, script) = written("function done() os.exit(0) end");
    let error = script
        .unwrap()
        .finish(&record::LoadFacts::default())
        .unwrap_err();
    assert!(error.to_string().contains("os.exit()"), "{error}");
}

#[test]
fn a_script_is_a_regular_file() {
    let error = Script::open(&options("/dev/zero".into(), 1)).unwrap_err();
    assert!(error.to_string().contains("not a regular file"), "{error}");
}
