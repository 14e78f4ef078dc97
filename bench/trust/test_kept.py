"""What is kept and written of experiments, and the verdicts beside another program."""

import contextlib
import io
import json
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import beside
import lab
import trust
from samples import FACTS


def run(named=0, **claims):
    return {"claims": claims, "named": named, "repeated": 0, "seconds": 90.0}


QUIET = [run(A1="does-not-hold", A2="holds", A5="cannot-tell"), run(A1="does-not-hold", A2="holds", A5="holds")]


def kept(*runs):
    return {**FACTS, "quiet": QUIET, "beside": list(runs)}


class Beside(unittest.TestCase):
    known = beside.right(QUIET)

    def test_what_quiet_runs_do_not_agree_on_is_not_known(self):
        self.assertEqual(self.known, {"A1": "does-not-hold", "A2": "holds"})

    def test_a_verdict_otherwise_is_wrong_and_an_open_one_needs_its_reason(self):
        otherwise = run(named=9, A1="does-not-hold", A2="does-not-hold")
        self.assertEqual(beside.wrong(otherwise, self.known), ["A2"])
        self.assertFalse(beside.complete(otherwise, self.known))
        still_open = {"A1": "does-not-hold", "A2": "cannot-tell"}
        self.assertFalse(beside.complete(run(**still_open), self.known))
        self.assertTrue(beside.complete(run(named=1, **still_open), self.known))
        self.assertTrue(beside.complete(run(A1="does-not-hold", A2="holds"), self.known))

    def test_fewer_runs_than_the_goal_asks_for_miss_it(self):
        good = run(A1="does-not-hold", A2="holds")
        self.assertTrue(beside.met(kept(*[good] * 20)))
        self.assertFalse(beside.met(kept(*[good] * 19)))
        self.assertFalse(beside.met(kept(*[good] * 19, run(A1="holds", A2="holds"))))

    def test_with_nothing_known_nothing_is_right(self):
        disagree = {**FACTS, "quiet": [run(A1="holds"), run(A1="does-not-hold")], "beside": [run(A1="holds")] * 20}
        self.assertFalse(beside.met(disagree))
        self.assertIn("agree on: nothing, so that nothing is known", beside.said(disagree)[0])
        self.assertEqual(beside.right([]), {})

    def test_runs_of_another_plan_are_measured_anew(self):
        unwritten = run(A1="holds")
        one, other = unwritten | {"plan": "a"}, unwritten | {"plan": "b"}
        of = {"quiet": [one, other, unwritten], "beside": [other, one], "weir": "weir 0"}
        self.assertEqual(beside.of_plan(of, "b"), {"quiet": [other], "beside": [other], "weir": "weir 0"})
        asked = mock.Mock(return_value=other)
        with mock.patch.multiple(beside, digest=lambda: "b", one=asked, taker=mock.MagicMock()), \
                mock.patch.object(lab, "begin", return_value={**FACTS, **of}), mock.patch.dict(os.environ, RUNS="1"), \
                contextlib.redirect_stdout(io.StringIO()):
            [facts] = beside.measure("weir")
        self.assertEqual((asked.call_count, len(facts["quiet"]), len(facts["beside"])), (2, 2, 2))

    def test_the_document_says_what_was_missed(self):
        page = trust.page({"beside": kept(run(named=3, A1="does-not-hold", A2="does-not-hold"))})
        self.assertIn("**missed**", page)
        self.assertIn("| wrong | 1 of 1 |", page)
        self.assertIn("wrong about A2", page)

    def test_a_run_is_read_as_weir_writes_it(self):
        doubt = {"kind": "disturbed", "because": "`core-taker` took 41 % of the machine's CPU time"}
        trials = [{"taken_again": True, "doubts": [doubt]}, {}]
        read = beside.facts({"judged": {"trials": trials, "claims": [{"id": "A1", "holds": "holds"}]}})
        self.assertEqual(read, {"claims": {"A1": "holds"}, "named": 1, "repeated": 1})


class Kept(unittest.TestCase):
    def test_what_is_interrupted_keeps_what_it_has(self):
        def measured():
            yield {"runs": 1}
            yield {"runs": 2}
            raise KeyboardInterrupt
        with tempfile.TemporaryDirectory() as place, mock.patch.object(lab, "KEPT", pathlib.Path(place)):
            with contextlib.suppress(KeyboardInterrupt), contextlib.redirect_stdout(io.StringIO()):
                trust.keep("some", measured())
            self.assertEqual(os.listdir(place), ["some.json"])
            self.assertEqual(json.loads((lab.KEPT / "some.json").read_text()), {"runs": 2})

    def test_more_is_added_to_what_there_is_and_says_when_and_where(self):
        with tempfile.TemporaryDirectory() as place, mock.patch.object(lab, "KEPT", pathlib.Path(place)):
            weir = pathlib.Path(place) / "weir"
            weir.write_text("#!/bin/sh\necho weir 1\n")
            weir.chmod(0o755)
            (lab.KEPT / "some.json").write_text(json.dumps({**FACTS, "runs": [{"took": 2}]}))
            self.assertEqual(lab.begin(weir, "some", runs=[])["runs"], [])
            with mock.patch.dict(os.environ, MORE="yes"), mock.patch.object(lab.stamp, "commit", return_value="abc-dirty"):
                more = lab.begin(weir, "some", runs=[])
                self.assertEqual(lab.begin(weir, "other", runs=[])["runs"], [])
            more["runs"].append({"took": 3})
            with contextlib.redirect_stdout(io.StringIO()), mock.patch.object(lab.stamp, "today", return_value="2026-02-03"):
                trust.keep("some", [more])
            old, new = json.loads((lab.KEPT / "some.json").read_text())["runs"]
            machine = lab.stamp.machine()
            self.assertEqual(old, {"took": 2, "by": FACTS})
            self.assertEqual(new, {"took": 3, "by": {"weir": "weir 1", "commit": "abc-dirty", "when": "2026-02-03", "machine": machine}})
            self.assertEqual(lab.measured(more), "Of 2 commits: 1 of 2 by weir 0 (of a commit that nobody wrote down), 2026-01-02, "
                                                 f"1 core; 1 of 2 by weir 1 (abc-dirty), 2026-02-03, {machine}")

    def test_one_stamp_is_told_once(self):
        by = {**FACTS, "commit": "abc"}
        self.assertEqual(lab.measured({**FACTS, "runs": [{"by": by}, {"by": by}]}), "weir 0 (abc), 2026-01-02, 1 core")
        self.assertEqual(lab.measured(FACTS), "weir 0 (of a commit that nobody wrote down), 2026-01-02, 1 core")

    def test_every_experiment_notes_what_it_was_measured_with_before_it_measures(self):
        class Begun(Exception):
            pass
        for name, of in trust.EXPERIMENTS.items():
            with mock.patch.object(lab, "begin", side_effect=Begun) as begin, self.assertRaises(Begun, msg=name):
                next(of.measure("weir"))
            self.assertEqual(begin.call_args.args, ("weir", name))

    def test_what_has_fewer_runs_than_the_goal_asks_for_is_not_yet_whole(self):
        found = {"more": "5 %", "seconds": 9.0, "holds": "holds", "ratio": 1.05, "interval": [1.01, 1.09], "blocks": 4, "left_out": {}}
        slower = trust.EXPERIMENTS["slower"]
        runs = [found] * 7 + [{**found, "more": "2 %"}] * 3
        told = "**missed**: not yet measured whole: 3 of 100 so far (`make trust WHAT=slower MORE=yes` adds to them, where the machine allows it)."
        self.assertEqual(trust.section("slower", {**FACTS, "runs": runs})[0], f"Goal: {slower.GOAL}: {told}")
        lost = [{**found, "holds": "cannot-tell"}, {**found, "more": "2 %", "holds": "cannot-tell"}]
        self.assertTrue(trust.section("slower", {**FACTS, "runs": lost * 100})[0].endswith(": **missed**."))
        first = {**FACTS, "rows": [{"kind": kind, "words": words, "raised": [[kind], []]} for kind, *words in trust.doubts.built()[:1]]}
        self.assertEqual(trust.there("doubts", first), [(1, len(trust.doubts.built()))])

    def test_so_many_minutes_are_shared_and_what_lacks_most_comes_first(self):
        self.assertEqual(set(trust.MINUTES), set(trust.EXPERIMENTS))
        self.assertEqual([trust.fitting(60, 12, each) for each in (0.5, 3, 6, 100)], [10, 1, 1, 0])
        have = {"all": 4, "none": 0, "half": 2, "long": 1}
        experiments = {name: mock.Mock(there=lambda facts: [(4, 4), (facts["have"], 4)]) for name in have}
        asked = []
        with tempfile.TemporaryDirectory() as place, mock.patch.object(lab, "KEPT", pathlib.Path(place)), \
                mock.patch.multiple(trust, EXPERIMENTS=experiments, MINUTES={"all": 1, "none": 5, "half": 30, "long": 61}), \
                mock.patch.dict(os.environ), contextlib.redirect_stdout(io.StringIO()) as out:
            for name in ("all", "half", "long"):
                (lab.KEPT / f"{name}.json").write_text(json.dumps({"have": have[name]}))
            with mock.patch.object(trust.time, "monotonic", return_value=7.0):
                for name in trust.within_minutes(60, list(have)):
                    asked.append((name, os.environ["RUNS"], os.environ["MORE"]))
        self.assertEqual(asked, [("none", "3", "yes"), ("half", "1", "yes"), ("all", "60", "yes")])
        self.assertIn("long: left out: one run takes 61 min by estimate, and 60 min are left", out.getvalue())
        with mock.patch.dict(os.environ, MINUTES="an hour"), contextlib.redirect_stderr(io.StringIO()) as err:
            self.assertEqual(trust.main([]), 2)
        self.assertIn("MINUTES=60", err.getvalue())

    def test_what_was_never_measured_is_told_as_missed(self):
        page = trust.page({})
        for name, of in trust.EXPERIMENTS.items():
            self.assertIn(f"## {of.TITLE}\n\nGoal: {of.GOAL}: **missed**: not measured (`make trust WHAT={name}` does).", page)
        self.assertFalse(trust.met("slower", None))

    def test_only_what_was_measured_and_met_ends_well(self):
        met = mock.Mock(TITLE="A title", GOAL="a goal", DOCUMENT=None, met=lambda _facts: True, said=lambda _facts: ["all of it"])
        with tempfile.TemporaryDirectory() as place, contextlib.redirect_stdout(io.StringIO()), \
                mock.patch.object(lab, "KEPT", pathlib.Path(place)), mock.patch.object(trust, "DOCUMENT", pathlib.Path(place) / "all.md"), \
                mock.patch.object(trust, "EXPERIMENTS", {"one": met, "two": met}):
            (lab.KEPT / "one.json").write_text(json.dumps(FACTS))
            self.assertEqual(trust.main(["document"]), 1)
            self.assertEqual(trust.DOCUMENT.read_text().count("**missed**: not measured"), 1)
            (lab.KEPT / "two.json").write_text(json.dumps(FACTS))
            self.assertEqual(trust.main(["document"]), 0)

    def test_what_ends_in_an_error_keeps_what_it_has_too(self):
        def measured():
            yield {"runs": 1}
            raise lab.Unsaid("weir said nothing")
        with tempfile.TemporaryDirectory() as place, mock.patch.object(lab, "KEPT", pathlib.Path(place)):
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as told:
                self.assertFalse(trust.keep("some", measured()))
            self.assertIn("weir said nothing", told.getvalue())
            self.assertEqual(os.listdir(place), ["some.json"])

    def test_fewer_runs_than_the_goal_asks_for_can_be_asked_for(self):
        with mock.patch.dict(os.environ, RUNS="3"):
            self.assertEqual(lab.runs(20), 3)
        with mock.patch.dict(os.environ, RUNS=""):
            self.assertEqual(lab.runs(20), 20)
