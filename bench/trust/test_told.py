"""Experiments about what weir says: its advice, its findings, its doubts."""

import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import time
import unittest
from unittest import mock

import advice
import causes
import doubts
import lab
import stall
import trust
import twice
from samples import FACTS


class Advice(unittest.TestCase):
    def row(self, interval, gain=1.9, finding="one-core", done="server.workers = 2", ratio=1.5):
        return {"app": "koa", "variant": "node", "finding": finding, "next": "raise | it", "gain": gain, "done": done, "ratio": ratio,
                "interval": interval}

    def verdict(self, *args, **more):
        return advice.verdict(self.row(*args, **more))

    def test_it_brings_something_and_not_more_than_was_said(self):
        self.assertEqual(self.verdict([1.7, 1.9]), advice.RIGHT)
        self.assertEqual(self.verdict([1.001, 1.2], ratio=1.04), advice.RIGHT)
        self.assertEqual(self.verdict([0.9, 1.03], ratio=0.97), advice.WRONG)
        self.assertEqual(self.verdict([2.1, 2.4]), advice.WRONG)
        self.assertIsNone(self.verdict([1.7, 1.9], gain=None))
        self.assertIsNone(self.verdict([1.7, 1.9], done=None))

    def test_what_may_be_nothing_is_not_right(self):
        self.assertEqual(self.verdict([1.0, 1.2], ratio=1.1), advice.OPEN, "it does not begin above nothing")
        self.assertEqual(self.verdict([1.01, 1.05], ratio=1.03), advice.OPEN, "3 % is not more than 3 %")
        self.assertEqual(self.verdict(None), advice.OPEN, "it was followed, and nothing came of it")

    def test_more_workers_than_are_busy_bring_nothing(self):
        for interval, verdict in ([0.97, 1.02], advice.RIGHT), ([0.6, 1.1], advice.RIGHT), ([0.42, 1.36], advice.OPEN), \
                ([1.02, 1.51], advice.OPEN), ([1.04, 1.09], advice.WRONG), (None, advice.OPEN):
            self.assertEqual(self.verdict(interval, None, advice.NOTHING), verdict, interval)
        self.assertIsNone(self.verdict(None, None, advice.NOTHING, done=None))

    def test_what_another_variant_of_the_run_told_has_an_interval_and_is_no_limit(self):
        told = self.row([1.9, 2.1], 1.8, advice.NOTHING) | {"told": [1.7, 2.0]}
        self.assertEqual(advice.verdict(told), advice.RIGHT)
        self.assertEqual(advice.verdict(told | {"interval": [2.2, 2.4]}), advice.WRONG)
        self.assertEqual(advice.promised(told), "1.80 [1.70, 2.00] ×")
        finding = {"kind": advice.NOTHING, "next": "use it", "gain": 1.8, "measured": {"interval": [1.7, 2.0]}}
        row = advice.one(None, {"run": {"id": 1}, "trials": []}, {"name": "one", "findings": [finding]}, None)
        self.assertEqual((row["told"], row["done"], row["why"]), ([1.7, 2.0], None, "no trial of it was measured"))

    def test_what_is_not_tried_is_told_with_its_reason(self):
        row = self.row(None, done=None, ratio=None) | {"why": "it is a change of the app"}
        self.assertIn("| not tried: it is a change of the app | up to 1.90 × | – |  |", advice.said({**FACTS, "rows": [row]})[-1])
        self.assertEqual(advice.done(self.row(None, done=None)), "not tried: nothing that weir can do")
        self.assertTrue(advice.ratio(self.row([0.5, 0.7]) | {"metric": "p99"}).startswith("p99 1.50 [0.50"))

    def test_an_advice_without_a_number_is_followed_by_a_plan_of_both(self):
        typed = []

        def said(*args):
            typed.append(args)
            if args[0] == "write":
                place = pathlib.Path(args[2])
                place.mkdir()
                (place / "plan.toml").write_text("[[variant]]\n")
            compared = [{"metric": "mean", "ratio": 0.9, "interval": None}, {"metric": "throughput", "ratio": 1.2, "interval": [1.1, 1.3]}]
            return (json.dumps(compared), "") if args[0] == "compare" else ("", "")
        server = {"entry": "node", "scale": {"processes": "workers"}, "knobs": [["workers", 2]]}
        measured = {"stack": {"servers": [server]}, "load": {"connections": 10}}
        run = {"run": {"id": 7}, "trials": [{"variant": "one", "outcome": {"measured": measured}}]}
        finding = {"kind": advice.NOTHING, "next": "make it cheaper", "cost": "machine"}
        with lab.folder() as place:
            row = advice.one(said, run, {"name": "one", "findings": [finding]}, place / "app")
            plan = (place / "with-one/plan.toml").read_text()
        self.assertEqual((row["done"], row["ratio"], row["interval"]), ("server.workers = 4", 1.2, [1.1, 1.3]))
        self.assertIn('like = "one"\nset = { "server.workers" = 4 }\n', plan)
        self.assertEqual([args[0] for args in typed], ["write", "run", "compare"])

    def test_to_what_is_kept_the_apps_are_added_that_were_not_measured(self):
        before = self.row([1.7, 1.9]) | {"app": advice.APPS[0]}
        with mock.patch.object(lab, "begin", return_value={**FACTS, "rows": [before]}), mock.patch.dict(os.environ, RUNS="2"), \
                mock.patch.object(advice, "app", return_value=[{"unmade": "no npm"}]), contextlib.redirect_stdout(io.StringIO()):
            *_, facts = advice.measure("weir")
        self.assertEqual([row["app"] for row in facts["rows"]], advice.APPS[:3])
        self.assertEqual(advice.there(facts), [(3, len(advice.APPS))])

    def test_every_app_has_to_be_measured_and_what_could_not_be_made_is_told(self):
        rows = [self.row([1.7, 1.9]) | {"app": app} for app in advice.APPS]
        self.assertTrue(advice.met({"rows": rows}))
        self.assertTrue(advice.met({"rows": [*rows, self.row(None, done=None)]}))
        self.assertFalse(advice.met({"rows": rows[1:]}))
        for not_right in self.row([0.9, 1.01]), self.row(None), self.row([0.9, 1.5]):
            self.assertFalse(advice.met({"rows": [*rows, not_right]}))
        not_followed = [self.row(None, done=None) | {"app": app} for app in advice.APPS[advice.WANTED:]]
        self.assertTrue(advice.met({"rows": [*rows[:advice.WANTED], *not_followed]}))
        self.assertFalse(advice.met({"rows": [*rows[1:advice.WANTED], self.row(None, done=None) | {"app": rows[0]["app"]}, *not_followed]}))
        self.assertFalse(advice.met({"rows": [*rows[1:], {"app": rows[0]["app"], "unmade": "no npm"}]}))
        others = [{"app": "x", "unmade": "no <npm>"}, self.row([0.9, 1.01]), self.row(None)]
        text = "\n".join(advice.said({**FACTS, "rows": [*rows[:2], *others]}))
        self.assertIn(f"Not measured yet: {', '.join(name for name in advice.APPS[2:] if name != 'koa')}.", text)
        self.assertTrue(text.endswith("Why what is wrong is so:\n\n* koa, `node`: not known"), text)
        with mock.patch.dict(advice.WHY, {("koa", "node"): "it slept"}):
            self.assertEqual(advice.said({**FACTS, "rows": others})[-1], "* koa, `node`: it slept")
        for words in ["Of 4 that could be followed 2 are right, 1 wrong, and of 1 it cannot be told", "more than 3%", "at most 10%",
                      "raise \\| it", "up to 1.90 ×", "1.50 [1.70, 1.90] × | right |", "1.50 × | cannot tell |", "not made: no &lt;npm>"]:
            self.assertIn(words, text)


class Stall(unittest.TestCase):
    def document(self, kind, because):
        figures = {"response": {"max": 1.0}}
        return {"judged": {"trials": [{"doubts": [{"kind": kind, "because": because}]}]}, "trials": [{"figures": figures}]}

    def test_a_pause_of_weir_itself_is_not_the_servers(self):
        self.assertTrue(stall.read(self.document("stalled", "no response came for 1.01 s"))["told"])
        self.assertFalse(stall.read(self.document("paused", "weir itself stood still"))["told"])
        self.assertFalse(stall.read(self.document("errors", "3 requests failed"))["told"])

    def test_only_the_stop_may_be_told(self):
        def kept(count, *told):
            load = {"doubts": [], "p99": None, "max": 1.0}
            return {**FACTS, "loads": [{**load, "what": what, "told": what in told} for what in stall.QUERIES] * count}
        self.assertTrue(stall.met(kept(stall.WANTED, stall.STOPPED)))
        self.assertFalse(stall.met(kept(stall.WANTED - 1, stall.STOPPED)))
        self.assertFalse(stall.met(kept(stall.WANTED)))
        self.assertFalse(stall.met(kept(stall.WANTED, stall.STOPPED, stall.ONE)))


class Doubts(unittest.TestCase):
    def test_every_doubt_that_weir_has_is_a_row(self):
        source = (lab.ROOT / "crates/judge/src/doubt/mod.rs").read_text()
        listed = re.findall(r"^    \w+ = (\w+),$", source, re.MULTILINE)
        rows = {kind for kind, *_ in doubts.built()} | set(doubts.NOT_BUILT)
        self.assertEqual({name.replace("_", "-") for name in listed}, {*rows})

    def test_a_doubt_about_its_look_alike_is_as_wrong_as_none(self):
        named = ("late", "this", "that")
        self.assertTrue(doubts.right(doubts.row(named, {"late"}, {"errors"})))
        self.assertFalse(doubts.right(doubts.row(named, {"errors"}, set())))
        self.assertFalse(doubts.right(doubts.row(named, {"late"}, {"late"})))

    def test_what_the_kernel_says_of_other_guests_is_made_up_in_its_own_form(self):
        stat = "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 3 0 0\ncpu1 1 2 3 4 5 6 7 5 0 0\nintr 7 0\nctxt 3\nsoftirq 9\n"
        told = "cpu 1 2 3 4 5 6 7 48 9 10\ncpu0 1 2 3 4 5 6 7 23 0 0\ncpu1 1 2 3 4 5 6 7 25 0 0\nctxt 3\n"
        self.assertEqual(lab.with_stolen(stat, 20.7), told)

    def test_a_file_that_stands_in_place_of_the_kernels_is_as_long_whatever_it_says(self):
        says = ["a long word"]
        with lab.folder() as place, lab.saying(place / "file", lambda: says[0]):
            def read():
                return (place / "file").read_text()
            self.assertEqual((read().strip(), len(read())), ("a long word", lab.LENGTH))
            says[0] = "short"
            until = time.monotonic() + 30
            while read().strip() != "short" and time.monotonic() < until:
                time.sleep(0.01)
            self.assertEqual((read().strip(), len(read())), ("short", lab.LENGTH))

    def test_it_stands_in_place_of_each(self):
        *unshared, shell, option, each, stands, one, other, end = lab.instead("a", "b", "c")
        self.assertEqual(unshared, ["unshare", "--mount"])
        told = f'mount() {{ echo "$@"; }}; {each}'
        said = subprocess.run([shell, option, told, stands, one, other, end, "echo", "x  y"], check=True, capture_output=True, text=True)
        self.assertEqual(said.stdout, "--bind a b\n--bind a c\nx  y\n")

    def test_what_cannot_be_built_is_missed_and_says_why(self):
        kept = {**FACTS, "rows": [doubts.row(named, {named[0]}, set()) for named in doubts.built()]}
        self.assertFalse(doubts.met(kept))
        text = "\n".join(doubts.said(kept))
        self.assertEqual(text.count("**missed**"), len(doubts.NOT_BUILT))
        with mock.patch.object(doubts, "NOT_BUILT", {}):
            self.assertTrue(doubts.met(kept))
            self.assertFalse(doubts.met({**FACTS, "rows": kept["rows"][1:]}))


class Causes(unittest.TestCase):
    def test_every_finding_that_weir_has_is_a_row(self):
        source = (lab.ROOT / "crates/judge/src/findings/mod.rs").read_text()
        listed = re.findall(r"^    \w+ = (\w+),$", source, re.MULTILINE)
        rows = {kind for kind, *_ in causes.built()}
        self.assertEqual({name.replace("_", "-") for name in listed}, {*rows})

    def test_only_the_rows_that_are_asked_for_are_measured(self):
        with mock.patch.dict("os.environ", ROWS="slots-full,pauses"), mock.patch.object(causes, "found", return_value=["one-core"]):
            measured = {row["kind"] for row in causes.rows("weir")}
        self.assertEqual(measured, {"slots-full", "pauses"})

    def test_it_has_to_come_first_and_be_absent_where_it_only_looks_like_it(self):
        named = ("one-core", "this", "that")
        self.assertTrue(causes.right(causes.row(named, ["one-core", "memory-grows"], ["slots-full"])))
        self.assertFalse(causes.right(causes.row(named, ["memory-grows", "one-core"], [])))
        self.assertFalse(causes.right(causes.row(named, ["one-core"], ["slots-full", "one-core"])))
        self.assertTrue(causes.right(causes.row(("memory-grows", "this", "that"), ["one-core", "memory-grows"], [])))

    def test_what_comes_first_and_what_is_told_beside_its_cause_are_counted_apart(self):
        def found(kind):
            return ["one-core", kind] if kind in causes.BESIDE else [kind]
        every = {**FACTS, "rows": [causes.row(named, found(named[0]), []) for named in causes.built()]}
        self.assertTrue(causes.met(every))
        beside = sum(kind in causes.BESIDE for kind, *_ in causes.built())
        every_one = len(causes.built())
        self.assertIn(f"In {every_one} of {every_one} rows", causes.said(every)[0])
        self.assertIn(f": {every_one - beside} first, {beside} beside.", causes.said(every)[0])
        every["rows"][0]["found"][0] = ["memory-grows", every["rows"][0]["kind"]]
        self.assertIn(f": {every_one - beside - 1} first, {beside} beside.", causes.said(every)[0])

    def test_what_was_found_of_a_stage_in_one_row_and_not_in_another_is_told(self):
        stage = causes.Stage("one", "does")
        rows = [("a", stage, causes.Stage("two", "other")), ("b", causes.Stage("three", "more"), stage._replace(words="four"))]
        kept = {"rows": [causes.row(("a", "one", "two"), ["a", "more"], ["d"]), causes.row(("b", "three", "four"), ["b"], ["a"])]}
        told = "* `more` was found in the situation of `a` (one), and was not in the look-alike of `b` (four)."
        self.assertEqual(list(twice.differences(rows, kept)), [told])
        self.assertEqual(list(twice.differences(rows, {"rows": kept["rows"][:1]})), [])
        self.assertTrue(twice.several(causes.ROWS))
        same = {**FACTS, "rows": [causes.row(named, ["a"], ["a"]) for named in causes.built()]}
        self.assertEqual(causes.said(same)[-1], "* none")
        same["rows"][0]["found"][0] = []
        self.assertIn("* `a` was found in ", causes.said(same)[-1])

    def test_what_was_measured_is_put_into_its_document(self):
        kept = {**FACTS, "rows": [causes.row(causes.built()[0], ["every-core-busy"], ["one-core"])]}
        old = "before\n<!-- measured: causes -->\nold\n<!-- end of causes -->\nafter\n"
        text = trust.within(old, "causes", kept)
        self.assertIn("| `every-core-busy` | an app that computes", text)
        self.assertNotIn("\nold\n", text)
        self.assertEqual(trust.within(text, "causes", kept), text)
        self.assertIn("**missed**", text)
        self.assertIn("**missed**: not measured", trust.within(text, "causes", None))
