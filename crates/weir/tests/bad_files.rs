//! Plans and apps that are wrong in themselves: one clear error each, and nothing started.

use crate::support::schema::assert_is;
use crate::support::{APP, Place};

const VARIANT: &str = "[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n";

fn refused(plan: &str, code: i32, words: &[&str]) {
    let place = Place::new();
    place.app(APP);
    place.plan(plan);
    place.run(&["run", "plan.toml"]).fails(code, words);
    place.assert_clean();
    let runs = place.run(&["list", "--json"]);
    assert_eq!(runs.out.trim(), "[]", "a plan that is wrong is no run");
}

#[test]
fn a_plan_is_looked_through_without_a_run() {
    let place = Place::new();
    place.app(APP);
    place.plan(&format!("{VARIANT}{}", VARIANT.replace("one", "two")));
    let looked = place.run(&["run", "plan.toml", "--blocks", "3", "--dry-run", "--json"]);
    let due = looked.succeeds().json();
    assert_is("schedule", &due);
    assert_eq!(
        (&due[0]["trials"], &due[0]["blocks"]),
        (&6.into(), &3.into())
    );
    let said = place.run(&["run", "plan.toml", "--dry-run"]);
    assert!(
        said.succeeds().out.contains("1 plan, 2 trials"),
        "{}",
        said.out
    );
    let few = "1 block: no interval, no verdict";
    assert!(said.err.contains(few), "{}", said.err);
    let of = |names| place.run(&["run", "plan.toml", "--dry-run", "--variants", names]);
    let said = of("two");
    let (out, err) = (&said.succeeds().out, &said.err);
    assert!(out.contains("1 plan, 1 trial"), "{out}");
    let told = "`one` is left out: the others are compared with `two`";
    assert!(err.contains(told), "{err}");
    of("tow").fails(2, &["no variant is called `tow`", "did you mean `two`?"]);
    assert!(!place.path("weir.db").exists(), "nothing was run");
    place.plan(&VARIANT.replace("gunicorn", "gunicron"));
    place
        .run(&["run", "plan.toml", "--dry-run"])
        .fails(5, &["unknown app server `gunicron`"]);
    place.assert_clean();
}

#[test]
fn an_unknown_key() {
    refused(
        &format!("{VARIANT}conections = 3\n"),
        5,
        &["plan.toml", "line", "conections", "weir help plan"],
    );
}

#[test]
fn a_stage_is_called_a_variant_now() {
    let stage = VARIANT.replace("variant", "stage");
    refused(&stage, 5, &["`stage`", "write `[[variant]]`"]);
}

#[test]
fn a_wrong_type() {
    refused(
        "[[variant]]\nname = \"one\"\nserver = 7\n",
        5,
        &["plan.toml", "line", "name of an entry"],
    );
}

#[test]
fn an_unknown_server() {
    let variant = "[[variant]]\nname = \"one\"\nserver = \"gunicron\"\n";
    refused(
        variant,
        5,
        &["variant `one`", "unknown app server `gunicron`", "gunicorn"],
    );
}

#[test]
fn a_knob_out_of_range() {
    let variant = "[[variant]]\nname = \"one\"\nserver = { entry = \"gunicorn\", workers = 0 }\n";
    refused(variant, 5, &["variant `one`", "`workers`", "gunicorn", "1"]);
}

#[test]
fn an_unknown_knob() {
    let variant = "[[variant]]\nname = \"one\"\nserver = { entry = \"gunicorn\", wokers = 1 }\n";
    refused(variant, 5, &["`wokers`", "workers"]);
}

#[test]
fn a_variant_that_serves_nothing() {
    refused(
        "[[variant]]\nname = \"one\"\n",
        5,
        &["variant[0]", "neither `server` nor `front`, nor a `url`"],
    );
}

#[test]
fn two_variants_of_one_name() {
    refused(
        &format!("{VARIANT}{VARIANT}"),
        5,
        &["two variants are called `one`"],
    );
}

#[test]
fn a_route_that_the_app_does_not_have() {
    refused(
        &format!("{VARIANT}route = \"/nowhere\"\n"),
        5,
        &["variant[0].route", "/nowhere"],
    );
}

#[test]
fn a_claim_about_an_unknown_variant() {
    let claim = "[[claim]]\nid = \"X\"\ntext = \"t\"\nreported = \"r\"\nexpect = [\"throughput of `two` > 1\"]\n";
    refused(
        &format!("{VARIANT}{claim}"),
        5,
        &["claim[0].expect[0]", "two"],
    );
}

#[test]
fn a_claim_has_a_name_of_its_own() {
    let claim = |id: &str| {
        format!(
            "[[claim]]\nid = \"{id}\"\ntext = \"t\"\nreported = \"r\"\nexpect = [\"throughput of `one` > 1\"]\n"
        )
    };
    refused(
        &format!("{VARIANT}{}", claim("")),
        5,
        &["claim[0].id", "this one is empty"],
    );
    refused(
        &format!("{VARIANT}{}{}", claim("X"), claim("X")),
        5,
        &["claim[1].id", "another claim of this plan has the same one"],
    );
}

#[test]
fn machines_are_told_of_a_demand_and_of_throughputs() {
    for (keys, key, words) in [
        ("demand = \"much\"", "demand", "no number of requests"),
        (
            "demand = \"3M/day\"",
            "demand",
            "no condition compares throughputs",
        ),
        (
            "demand = \"3M/day\"\npeak = 0.5",
            "peak",
            "no number from 1",
        ),
        ("peak = 3", "peak", "there is no `demand`"),
    ] {
        let plan = format!(
            "{VARIANT}[[claim]]\nid = \"X\"\ntext = \"t\"\n{keys}\nexpect = [\"throughput of `one` > 1\"]\n"
        );
        refused(&plan, 5, &[&format!("claim[0].{key}"), words]);
    }
}

#[test]
fn a_key_and_a_value_are_told_in_the_words_of_a_plan() {
    for (text, words) in [
        ("[laod]\nseconds = 2\n", "did you mean `load`?"),
        (
            "load = { connections = -3 }\n",
            "integer `-3`, expected a whole number from 0 to 4294967295",
        ),
        (
            "load = { connections = \"ten\" }\n",
            "string \"ten\", expected a whole number from 0 to 4294967295",
        ),
        ("load = { duration = 2 }\n", "did you mean `seconds`?"),
        ("load = 1\n", "`load = { connections = 100, seconds = 2 }`"),
        ("connections = 4\n", "did you mean a key of the load"),
        ("[claim]\nid = \"A\"\n", "begins with two brackets"),
    ] {
        refused(&format!("{VARIANT}{text}"), 5, &["line", words]);
    }
}

#[test]
fn rankings_that_make_no_sense() {
    let two = format!("{VARIANT}[[variant]]\nname = \"two\"\nserver = \"gunicorn\"\n");
    for (ranking, words) in [
        (
            "of = [\"one\", \"tow\"]",
            ["ranking[0].of[1]", "did you mean `two`?"],
        ),
        (
            "of = [\"one\"]",
            ["ranking[0].of", "nothing to compare with"],
        ),
        ("of = \"one\"", ["ranking[0].of", "each = "]),
        (
            "of = \"one\"\neach = \"server\"",
            ["ranking[0].each", "does not vary by `server`"],
        ),
        (
            "of = [\"one\", \"two\"]\neach = \"server\"",
            ["ranking[0].each", "`of` is a list"],
        ),
        (
            "of = [\"one\", \"two\"]\nby = [\"maen\"]",
            ["ranking[0].by[0]", "did you mean `mean`?"],
        ),
        (
            "of = [\"one\", \"two\"]\nby = [\"mean@rate=3\"]",
            ["ranking[0].by[0]", "no variant is called"],
        ),
        (
            "of = [\"one\", \"two\"]\nby = [\"errors\"]",
            ["ranking[0].by[0]", "nothing is ranked by"],
        ),
        (
            "of = [\"one\", \"two\"]\nreported = { three = 3 }",
            ["ranking[0].reported", "`three` is not ranked"],
        ),
        ("of = 3", ["line", "a family's name, or a list of variants"]),
    ] {
        refused(
            &format!("{two}[[ranking]]\nname = \"r\"\n{ranking}\n"),
            5,
            &words,
        );
    }
}

#[test]
fn a_plan_that_is_not_there() {
    let place = Place::new();
    place
        .run(&["run", "nowhere.toml"])
        .fails(5, &["cannot read plan `nowhere.toml`"]);
}

#[test]
fn an_app_that_is_not_there() {
    let place = Place::new();
    place.plan(VARIANT);
    place.run(&["run", "plan.toml"]).fails(5, &["app.toml"]);
}

#[test]
fn an_app_with_an_unknown_key() {
    let place = Place::new();
    place.app(APP);
    place.write("app/app.toml", "name = \"mine\"\ninterfase = \"wsgi\"\n");
    place.plan(VARIANT);
    place
        .run(&["run", "plan.toml"])
        .fails(5, &["app.toml", "interfase"]);
}

#[test]
fn an_entry_with_an_unknown_key() {
    let place = Place::new();
    place.write(
        "own/app-servers/mine.toml",
        "name = \"mine\"\nkind = \"app-server\"\nflavour = 3\n",
    );
    place
        .run(&["doctor", "--catalogue", "own"])
        .fails(5, &["mine.toml", "flavour"]);
}

#[test]
fn a_run_that_is_not_there() {
    let place = Place::new();
    place
        .run(&["show", "7"])
        .fails(10, &["no run `7`", "weir try"]);
    place.run(&["show", "last"]).fails(10, &["no run"]);
}
