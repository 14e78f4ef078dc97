"""Experiments that compare two things: which goals their ratios meet."""

import contextlib
import io
import math
import os
import unittest
from unittest import mock

import alike
import lab
import observing
import share
import slices
import slower
from samples import FACTS


class Share(unittest.TestCase):
    def test_what_is_measured_apart_has_to_lie_between(self):
        def pair(apart, to, light="a static file of nginx"):
            return {"light": light, "together": 2.0, "between": to and [2.0, to], "share": [], "interval": [1.9, 2.1], "apart": apart,
                    "apart_interval": [apart - 0.1, apart + 0.1]}
        self.assertTrue(share.within(pair(3.0, 3.2)))
        self.assertTrue(share.within(pair(2.1, None)))
        self.assertFalse(share.within(pair(3.0, None)))
        self.assertFalse(share.within(pair(4.0, 3.2)))
        self.assertFalse(share.within(pair(1.5, 3.2)))
        few = {**FACTS, "pairs": [pair(3.0, 3.2)]}
        self.assertFalse(share.met(few))
        self.assertFalse(share.met({**FACTS, "pairs": 3 * share.PAIRS * few["pairs"]}))
        self.assertTrue(share.met({**FACTS, "pairs": share.PAIRS * [pair(3.0, 3.2, light) for light in share.LIGHT]}))
        self.assertIn("* two workers against one: not measured yet: it needs a machine with 3 cores", share.said(few))
        self.assertIn("2.000 [1.900, 2.100] × together, between 2.000 and 3.200; 3.000 [2.900, 3.100] × apart: within", share.said(few)[-1])

    def test_what_has_no_interval_or_no_ratio_is_not_within(self):
        none = {"light": "it", "together": 2.0, "between": None, "share": None, "interval": None, "apart": None, "apart_interval": None}
        self.assertFalse(share.within(none))
        self.assertIn("2.000 (no interval) × together", share.words(none))
        self.assertIn("nothing to compare apart: cannot tell", share.words(none))

    def test_apart_there_are_two_cores_however_many_there_are(self):
        self.assertEqual(share.on([2, 5]), ["taskset", "--cpu-list", "2,5"])
        condition = {"value": 2.0, "interval": [1.9, 2.1]}
        with mock.patch.object(share, "CORES", [0, 1, 2, 3]), mock.patch.object(share, "one", return_value=condition) as one:
            share.pair("weir", "a static file of nginx")
            share.pair("weir", share.TWO)
        self.assertEqual([call.args[2][-1] for call in one.call_args_list], ["0", "0,1", "0,1", "0,1,2"])

    def test_two_workers_are_measured_where_the_generator_can_have_a_third_core(self):
        self.assertIn('name = "light"\nserver = { entry = "gunicorn", workers = 2 }\n', share.plan(share.TWO))
        for cores, rows in ([0], []), ([0, 1], list(share.LIGHT)[:2]), ([0, 1, 2], list(share.LIGHT)):
            with mock.patch.object(lab, "begin", return_value={**FACTS, "pairs": []}), mock.patch.dict(os.environ, RUNS="1"), \
                    mock.patch.object(share, "CORES", cores), contextlib.redirect_stdout(io.StringIO()), \
                    mock.patch.object(share, "one", return_value={"value": 2.0, "interval": [1.9, 2.1]}):
                measured = [facts["pairs"][-1]["light"] for facts in share.measure("weir")]
            self.assertEqual(measured, rows)


class Observing(unittest.TestCase):
    def test_the_whole_interval_has_to_be_above_what_looking_may_take(self):
        def kept(*intervals):
            runs = [{"stack": stack, "blocks": observing.BLOCKS, "ratio": 0.99, "interval": interval}
                    for stack in observing.STACKS for interval in intervals]
            return {**FACTS, "runs": runs}
        good = [0.98, 1.01]
        self.assertTrue(observing.met(kept(*observing.RUNS * [good])))
        self.assertFalse(observing.met(kept(good)))
        self.assertFalse(observing.met(kept(*observing.RUNS * [[0.96, 1.01]])))
        self.assertFalse(observing.met(kept(*observing.RUNS * [None])))
        self.assertIn("0.990 [0.980, 1.010] ×; 0.990 (no interval) ×", " ".join(observing.said(kept(good, None))))
        self.assertEqual(observing.words({"stack": "one", "ratio": None, "interval": None}), "one: nothing to compare")
        self.assertIn("What each probe takes was not looked at in these runs.", observing.said(kept(good)))

    def test_runs_of_fewer_blocks_are_told_as_such_and_are_none_of_the_goals(self):
        old = [{"stack": stack, "ratio": 0.99, "interval": [0.98, 1.01]} for stack in observing.STACKS]
        new = [{**run, "blocks": observing.BLOCKS} for run in old]
        self.assertEqual(observing.there({"runs": old + new}), [(1, observing.RUNS)] * len(old))
        self.assertEqual(observing.of_as_many({"runs": old + new}), {"runs": new})
        self.assertIn(f"10 or {observing.BLOCKS} blocks a run", observing.said({**FACTS, "runs": old + new})[0])

    def test_each_probe_is_told_with_what_it_takes(self):
        def trial(variant, probe, looks, cpu):
            probes = [{"probe": probe, "samples": looks, "cpu": cpu, "longest": 1.0}]
            return {"variant": variant, "outcome": {"measured": {"observed": {"probes": probes}, "load": {"seconds": 2.0}}}}
        trials = [trial("observed", "sockets", 4, 0.001), trial("observed", "sockets", 4, 0.003), trial("observed", "connections", 0, 0),
                  trial("alone", "memory", 2, 0.5), {"variant": "observed", "outcome": {"failed": "it does not start"}}]
        costs = observing.costs(trials)
        self.assertEqual(costs, {"sockets": [8, 0.004, 4.0], "connections": [0, 0, 2.0]})
        stack = next(iter(observing.STACKS))
        run = {"stack": stack, "ratio": 0.99, "interval": [0.98, 1.01], "probes": costs}
        self.assertIn("| sockets | 500 µs, 0.10% | – | – |", observing.said({**FACTS, "runs": [run]}))
        self.assertIn("| connections | – | – | – |", observing.said({**FACTS, "runs": [run]}))


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

    def test_the_stack_with_fewest_runs_comes_next(self):
        first, second, *_ = alike.STACKS
        self.assertEqual(alike.next_of([]), first)
        self.assertEqual(alike.next_of([{"stack": first}, {"stack": first}]), second)

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
        said = slower.said(kept(95, 0, 5))
        self.assertIn("| 5 % | 2min | 100 of 100 | 95 | 95.0 % [88.8, 97.8] | 95 of 100 |", said)
        self.assertIn("| 2 % | 10min | 0 of 100 | 0 | – | 90 of 100 |", said)

    def test_runs_of_several_machines_add_up_each_with_the_work_of_its_own(self):
        before = {**looked_at("5 %", "holds"), "rounds": 7}
        with mock.patch.object(lab, "begin", return_value={**FACTS, "runs": [before]}), mock.patch.dict(os.environ, RUNS="1"), \
                mock.patch.object(slower, "rounds", return_value=9), contextlib.redirect_stdout(io.StringIO()), \
                mock.patch.object(slower, "one", side_effect=lambda _weir, more, here: {**looked_at(more, "holds"), "rounds": here}):
            *_, facts = slower.measure("weir")
        self.assertEqual([(run["more"], run["rounds"]) for run in facts["runs"]], [("5 %", 7), ("5 %", 9), ("2 %", 9)])
        self.assertEqual(slower.there(facts), [(2, 100), (1, 100)])

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
        few = kept(1.05, 1.05)["runs"][:1]
        self.assertEqual(slices.concluded({**FACTS, "runs": few}), [], "rows without blocks say nothing")

    def test_what_the_table_shows_is_told_in_words(self):
        def kept(whole, usual, shorter):
            times = {slices.WHOLE: whole, "slices of 50 ms, 2 variants": shorter, "slices of 20 ms, 2 variants": shorter}
            each = {row: math.exp(times.get(row, usual)) for row in slices.ROWS}
            return {"runs": [{"row": row, "blocks": 20 * [[[1.0, 1.0], [each[row], each[row]]]]} for row in slices.ROWS]}
        [_, told] = slices.concluded(kept(0.04, 0.02, 0.015))
        self.assertIn("slices of 100 ms scatter 2.0 [1.3, 3.1] times less by throughput and 2.0 [1.3, 3.1] times less by CPU", told)
        self.assertIn("after 4.0 and 4.0 times less measured time", told)
        self.assertIn("Of shorter slices none surely scatters less than that.", told)
        [_, told] = slices.concluded(kept(0.04, 0.02, 0.01))
        self.assertIn("these surely scatter less than that: slices of 50 ms, 2 variants, by throughput (2.0 [1.3, 3.1] times); ", told)
