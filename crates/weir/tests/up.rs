//! `weir up`: one variant of a plan, in the foreground. How it serves is seen by the tests that need a server.

use crate::support::Place;

#[test]
fn a_variant_that_the_plan_does_not_have_is_told_with_those_that_it_has() {
    let place = Place::new();
    place.app("def app(environ, start):\n    start('200 OK', [])\n    return [b'ok']\n");
    place.plan(
        "[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n\
         [[variant]]\nname = \"two\"\nlike = \"one\"\nserver = { entry = \"gunicorn\", workers = 2 }\n",
    );
    let said = place.run(&["up", "plan.toml", "three"]);
    said.fails(5, &["has no variant `three`", "one of `one`, `two`"]);
    place.assert_clean();
}
