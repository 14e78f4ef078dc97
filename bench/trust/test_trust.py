import contextlib
import io
import json
import os
import pathlib
import random
import re
import tempfile
import unittest
from unittest import mock

import advice
import alike
import beside
import causes
import doubts
import lab
import observing
import origin
import quantiles
import share
import slices
import slower
import stall
import trust

FACTS = {"when": "2026-01-02", "weir": "weir 0", "machine": "1 core"}


def run(named=0, **claims):
    return {"claims": claims, "named": named, "repeated": 0, "seconds": 90.0}


QUIET = [run(A1="does-not-hold", A2="holds", A5="cannot-tell"), run(A1="does-not-hold", A2="holds", A5="holds")]


def kept(*runs):
    return {**FACTS, "quiet": QUIET, "beside": list(runs)}


class Share(unittest.TestCase):
    def test_what_is_measured_apart_has_to_lie_between(self):
        def pair(apart, to):
            return {"light": "it", "together": 2.0, "between": to and [2.0, to], "share": [], "interval": [1.9, 2.1], "apart": apart,
                    "apart_interval": [apart - 0.1, apart + 0.1]}
        self.assertTrue(share.within(pair(3.0, 3.2)))
        self.assertTrue(share.within(pair(2.1, None)))
        self.assertFalse(share.within(pair(3.0, None)))
        self.assertFalse(share.within(pair(4.0, 3.2)))
        self.assertFalse(share.within(pair(1.5, 3.2)))
        few = {**FACTS, "pairs": [pair(3.0, 3.2)]}
        self.assertFalse(share.met(few))
        self.assertTrue(share.met({**FACTS, "pairs": share.PAIRS * few["pairs"]}))
        self.assertIn("2.000 [1.900, 2.100] × together, between 2.000 and 3.200; 3.000 [2.900, 3.100] × apart: within", share.said(few)[-1])

    def test_what_has_no_interval_or_no_ratio_is_not_within(self):
        none = {"light": "it", "together": 2.0, "between": None, "share": None, "interval": None, "apart": None, "apart_interval": None}
        self.assertFalse(share.within(none))
        self.assertIn("2.000 (no interval) × together", share.words(none))
        self.assertIn("nothing to compare apart: cannot tell", share.words(none))

    def test_apart_there_are_two_cores_however_many_there_are(self):
        self.assertEqual(share.on([2, 5]), ["taskset", "--cpu-list", "2,5"])
        condition = {"value": 2.0, "interval": [1.9, 2.1]}
        with mock.patch.object(share, "CORE", 0), mock.patch.object(share, "OTHERS", [1, 2, 3]), \
                mock.patch.object(share, "one", return_value=condition) as one:
            share.pair("weir", "a static file of nginx")
        self.assertEqual([call.args[2][-1] for call in one.call_args_list], ["0", "0,1"])


class Observing(unittest.TestCase):
    def test_the_whole_interval_has_to_be_above_what_looking_may_take(self):
        def kept(*intervals):
            runs = [{"stack": stack, "ratio": 0.99, "interval": interval} for stack in observing.STACKS for interval in intervals]
            return {**FACTS, "runs": runs}
        good = [0.98, 1.01]
        self.assertTrue(observing.met(kept(*observing.RUNS * [good])))
        self.assertFalse(observing.met(kept(good)))
        self.assertFalse(observing.met(kept(*observing.RUNS * [[0.96, 1.01]])))
        self.assertFalse(observing.met(kept(*observing.RUNS * [None])))
        self.assertIn("0.990 [0.980, 1.010] ×; 0.990 (no interval) ×", " ".join(observing.said(kept(good, None))))
        self.assertEqual(observing.words({"stack": "one", "ratio": None, "interval": None}), "one: nothing to compare")


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

    def test_every_app_has_to_be_measured_and_what_could_not_be_made_is_told(self):
        rows = [self.row([1.7, 1.9]) | {"app": app} for app in advice.APPS]
        self.assertTrue(advice.met({"rows": rows}))
        self.assertTrue(advice.met({"rows": [*rows, self.row(None, done=None)]}))
        self.assertFalse(advice.met({"rows": rows[1:]}))
        for not_right in self.row([0.9, 1.01]), self.row(None), self.row([0.9, 1.5]):
            self.assertFalse(advice.met({"rows": [*rows, not_right]}))
        others = [{"app": "x", "unmade": "no <npm>"}, self.row([0.9, 1.01]), self.row(None)]
        text = "\n".join(advice.said({**FACTS, "rows": [*rows[:2], *others]}))
        for words in ["Of 4 that could be followed 2 are right, 1 wrong, and of 1 it cannot be told", "more than 3%", "at most 10%",
                      "raise \\| it", "up to 1.90 ×", "1.50 [1.70, 1.90] × | right |", "1.50 × | cannot tell |", "not made: no &lt;npm>"]:
            self.assertIn(words, text)


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

    def test_what_ends_in_an_error_keeps_what_it_has_too(self):
        def measured():
            yield {"runs": 1}
            raise lab.Unsaid("weir said nothing")
        with tempfile.TemporaryDirectory() as place, mock.patch.object(lab, "KEPT", pathlib.Path(place)):
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as told:
                self.assertFalse(trust.keep("some", measured()))
            self.assertIn("weir said nothing", told.getvalue())
            self.assertEqual(os.listdir(place), ["some.json"])

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


def runs_of_equals(verdicts, at_a_rate=None):
    """A run of each load, with these verdicts by each metric."""
    of = {"closed loop": verdicts, "at a rate": at_a_rate or verdicts}
    return [{"stack": "one", "load": load, "seconds": 60.0, "doubts": {}, "verdicts": {metric: of[load] for metric in metrics}}
            for load, (metrics, _keys) in alike.LOADS.items()]


class Alike(unittest.TestCase):
    def test_better_and_worse_tell_equals_apart_and_the_rest_does_not(self):
        totals = alike.totals(runs_of_equals(["better", "worse", "same", "cannot-tell"]))
        self.assertEqual(set(totals.values()), {(2, 4)})
        self.assertEqual(len(totals), 5)

    def test_one_in_twenty_is_met_and_one_more_is_not(self):
        for apart, met in (10, True), (11, False):
            runs = runs_of_equals(["same"] * 200, ["worse"] * apart + ["same"] * (200 - apart))
            self.assertEqual(alike.met({**FACTS, "runs": runs}), met)
        self.assertFalse(alike.met({**FACTS, "runs": runs_of_equals(["same"] * 199)}))
        self.assertFalse(alike.met({**FACTS, "runs": runs_of_equals(["same"] * 200)[:1]}))

    def test_the_rounds_have_as_many_pairs_as_are_wanted(self):
        pairs = len(alike.NAMES) * (len(alike.NAMES) - 1) // 2
        self.assertGreaterEqual(alike.ROUNDS * pairs, alike.WANTED)
        self.assertEqual(alike.plan("gunicorn, gevent", "at a rate").count("[[variant]]"), len(alike.NAMES))

    def test_a_run_of_which_no_trial_counts_is_no_run_of_the_goal(self):
        none, some = runs_of_equals([])[0], runs_of_equals(["same"] * 200)
        self.assertEqual(alike.words(none), "one: no comparison: no trial counts; 60 s")
        said = alike.said({**FACTS, "runs": [none, *some]})
        self.assertIn(". 2 runs of eight equal variants", said[0])
        self.assertIn("; of 1 more no trial counts, so that nothing was compared.", said[0])
        self.assertNotIn("no trial", alike.said({**FACTS, "runs": some})[0])
        self.assertFalse(alike.met({**FACTS, "runs": [none] * 10}))


def looked_at(more, holds):
    return {"more": more, "seconds": 120.0, "holds": holds, "ratio": 1.04, "interval": [1.01, 1.07], "blocks": 9, "left_out": {}}


class Slower(unittest.TestCase):
    def test_it_is_found_where_the_claim_holds_and_not_where_it_is_open(self):
        self.assertTrue(slower.found(looked_at("5 %", "holds")))
        for verdict in "does-not-hold", "cannot-tell":
            self.assertFalse(slower.found(looked_at("5 %", verdict)))
        nothing = {**looked_at("5 %", "cannot-tell"), "ratio": None, "interval": None}
        self.assertIn("not found (cannot tell): nothing to compare", slower.words(nothing))

    def test_both_goals_need_all_runs(self):
        def kept(five, two, missed):
            runs = [looked_at("5 %", "holds")] * five + [looked_at("2 %", "holds")] * two + [looked_at("5 %", "cannot-tell")] * missed
            return {**FACTS, "rounds": 1, "runs": runs}
        self.assertTrue(slower.met(kept(95, 100, 5)))
        self.assertFalse(slower.met(kept(94, 100, 6)))
        self.assertFalse(slower.met(kept(99, 100, 0)))
        self.assertFalse(slower.met(kept(100, 99, 0)))
        self.assertIn("| 5 % | 2min | 95 of 100 runs | 95 of 100 |", slower.said(kept(95, 1, 5)))

    def test_a_run_is_read_as_weir_writes_it(self):
        condition = {"value": 1.05, "interval": [1.02, 1.08]}
        trials = [{"doubts": [{"kind": "disturbed", "disqualifies": True}, {"kind": "late", "disqualifies": False}]}, {}]
        judged = {"trials": trials, "blocks": 8, "claims": [{"holds": "holds", "conditions": [condition]}]}
        words = slower.words({"more": "5 %", "seconds": 1, **slower.read({"judged": judged})})
        self.assertIn("5 % found: 1.050 × [1.020, 1.080] the CPU time per request; 8 blocks", words)
        self.assertIn("1 trials left out (disturbed)", words)


class Slices(unittest.TestCase):
    def trial(self, variant, throughput, block=0):
        processes = [{"owner": "gunicorn", "cpu_user": 1.0, "cpu_system": 0.5}, {"owner": "weir", "cpu_user": 9.0, "cpu_system": 9.0}]
        measured = {"processes": processes, "load": {"seconds": 1.5}}
        return {"variant": variant, "block": block, "outcome": {"measured": measured}, "figures": {"throughput": throughput}}

    def test_blocks_are_pairs_of_the_two(self):
        failed = {"variant": "b", "block": 1, "outcome": {"failed": {}}}
        document = {"trials": [self.trial("a", 100.0), self.trial("b", 200.0), self.trial("c", 7.0), self.trial("a", 1.0, 1), failed]}
        self.assertEqual(slices.read(document), [[[100.0, 0.01], [200.0, 0.005]]])

    def test_half_the_scatter_is_wanted_by_both_metrics(self):
        def kept(usual, cpu):
            block = [[1.0, 1.0], [1.2, 1.2]]
            runs = [{"row": row, "blocks": [block if row == slices.WHOLE else [[1.0, 1.0], [usual, cpu]]]} for row in slices.ROWS]
            return {**FACTS, "runs": runs * slices.ROUNDS}
        self.assertTrue(slices.met(kept(1.05, 1.05)))
        self.assertFalse(slices.met(kept(1.15, 1.05)))
        self.assertFalse(slices.met(kept(1.05, 1.15)))
        self.assertFalse(slices.met({**FACTS, "runs": kept(1.05, 1.05)["runs"][1:]}))
        self.assertIn(f"| slices of 100 ms, 2 variants | {slices.ROUNDS} | 0.049 | 0.049 |", "\n".join(slices.said(kept(1.05, 1.05))))


class Quantiles(unittest.TestCase):
    def test_a_quantile_is_the_smallest_time_that_so_many_do_not_exceed(self):
        self.assertEqual([quantiles.ranked(range(1, 11), of) for of in (5000, 9000, 9001, 10000)], [5, 9, 10, 10])
        self.assertEqual(quantiles.ranked(range(1, 12001), 9990), 11988)

    def test_units_of_the_third_digit(self):
        self.assertAlmostEqual(quantiles.off(0.1018, 0.1022), 0.4)
        self.assertAlmostEqual(quantiles.off(1.601, 1.612), 1.1)
        self.assertAlmostEqual(quantiles.off(0.0999, 0.1000), 1.0)
        self.assertEqual(quantiles.off(0.1, None), float("inf"))

    def test_one_quantile_that_is_off_or_missing_misses_the_goal(self):
        def kept(*said):
            load = {"law": "steps", "shape": "closed loop", "requests": 12000, "doubts": []}
            return {**FACTS, "loads": [{**load, "quantiles": {"p50": [0.1, p50]}} for p50 in said]}
        good = [0.1005] * quantiles.WANTED
        self.assertTrue(quantiles.met(kept(*good)))
        self.assertFalse(quantiles.met(kept(*good[1:])))
        self.assertFalse(quantiles.met(kept(*good, 0.102)))
        self.assertFalse(quantiles.met(kept(*good, None)))
        self.assertIn("100 → 100.5", quantiles.said(kept(*good))[-1])

    def test_the_steps_of_the_law_are_far_from_the_quantiles(self):
        draw = random.Random(1)
        took = sorted(origin.LAWS["steps"](draw) for _ in range(12000))
        self.assertEqual([quantiles.ranked(took, of) for of in quantiles.RANKS.values()], [0.1, 0.2, 0.4, 0.8, 1.6, 1.6])


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

    def test_what_cannot_be_built_is_missed_and_says_why(self):
        kept = {**FACTS, "rows": [doubts.row(named, {named[0]}, set()) for named in doubts.built()]}
        self.assertFalse(doubts.met(kept))
        text = "\n".join(doubts.said(kept))
        self.assertEqual(text.count("**missed**"), len(doubts.NOT_BUILT))
        with mock.patch.object(doubts, "NOT_BUILT", {}):
            self.assertTrue(doubts.met(kept))
            self.assertFalse(doubts.met({**FACTS, "rows": kept["rows"][1:]}))


class Origin(unittest.TestCase):
    def test_what_the_query_asks_for(self):
        server = origin.Origin()
        server.requests = 100
        statuses = [server.status(asked) for asked in ({"fail": "50"}, {"fail": "60"}, {"early": "100"})]
        self.assertEqual(statuses, [500, 200, 500])
        self.assertEqual(server.seconds({"slow": "50"}), 1.0)
        self.assertIsNone(server.seconds({"hang": "100", "once": "yes"}))
        server.requests = 200
        self.assertEqual(server.seconds({"hang": "100", "once": "yes", "delay": "0.5"}), 0.5)
        one, next_one = server.seconds({"serial": "5"}), server.seconds({"serial": "5"})
        self.assertAlmostEqual(next_one - one, 5, places=1)


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
            self.assertEqual(lab.measured(more), "1 of 2 by weir 0 (of a commit that nobody wrote down), 2026-01-02, 1 core; "
                                                 f"1 of 2 by weir 1 (abc-dirty), 2026-02-03, {machine}")

    def test_one_stamp_is_told_once(self):
        by = {**FACTS, "commit": "abc"}
        self.assertEqual(lab.measured({**FACTS, "runs": [{"by": by}, {"by": by}]}), "weir 0 (abc), 2026-01-02, 1 core")
        self.assertEqual(lab.measured(FACTS), "weir 0 (of a commit that nobody wrote down), 2026-01-02, 1 core")

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


class Causes(unittest.TestCase):
    def test_every_finding_that_weir_has_is_a_row(self):
        source = (lab.ROOT / "crates/judge/src/findings/mod.rs").read_text()
        listed = re.findall(r"^    \w+ = (\w+),$", source, re.MULTILINE)
        rows = {kind for kind, *_ in causes.built()}
        self.assertEqual({name.replace("_", "-") for name in listed}, {*rows})

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

    def test_what_was_measured_is_put_into_its_document(self):
        kept = {**FACTS, "rows": [causes.row(causes.built()[0], ["every-core-busy"], ["one-core"])]}
        old = "before\n<!-- measured: causes -->\nold\n<!-- end of causes -->\nafter\n"
        text = trust.within(old, "causes", kept)
        self.assertIn("| `every-core-busy` | an app that computes", text)
        self.assertNotIn("\nold\n", text)
        self.assertEqual(trust.within(text, "causes", kept), text)
        self.assertIn("**missed**", text)
        self.assertIn("**missed**: not measured", trust.within(text, "causes", None))
