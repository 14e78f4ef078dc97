"""What a covariate is worth, on runs that are made up."""

import contextlib
import io
import itertools
import random
import statistics
import unittest
from unittest import mock

import covariates


def trial(block, variant, throughput, wait, **more):
    """A trial of a closed loop that used 2 s of CPU time and waited for so many seconds per CPU second."""
    process = {"owner": variant, "cpu_user": 1.0, "cpu_system": 0.5, "counts": {covariates.WAIT: round(2e6 * wait)}}
    own = {"owner": "weir", "cpu_user": 0.5, "cpu_system": 0.0}
    measured = {"processes": [process, own], "load": {"seconds": 1.0}}
    return {"block": block, "variant": variant, "again": False, "figures": {"throughput": throughput},
            "outcome": {"measured": measured}, **more}


def document(trials, left_out=()):
    opinions = [{**{key: of[key] for key in ("block", "variant", "again")}, "counts": at not in left_out} for at, of in enumerate(trials)]
    return {"trials": trials, "judged": {"trials": opinions}}


def made_up(explains, runs=40, blocks=12):
    """Runs of one pair each: of the variance of its ratios the waits explain so large a share."""
    draw = random.Random(7)
    return [[covariates.centred([point(draw, explains) for _ in range(blocks)])] for _ in range(runs)]


def point(draw, explains):
    wait = draw.gauss(0, 1)
    return -(explains ** 0.5) * wait + (1 - explains) ** 0.5 * draw.gauss(0, 1), wait


class Covariates(unittest.TestCase):
    def test_of_waits_that_explain_half_of_the_variance_half_is_left(self):
        shares = covariates.left(made_up(0.5))
        low, high = covariates.interval(shares)
        self.assertAlmostEqual(statistics.median(shares), 0.5, delta=0.15)
        self.assertLess(low, statistics.median(shares))
        self.assertTrue(0.3 < low < high < 0.75, (low, high))

    def test_of_waits_that_explain_nothing_all_is_left(self):
        shares = covariates.left(made_up(0.0))
        low, high = covariates.interval(shares)
        self.assertTrue(0.95 < low <= high < 1.1, (low, high))

    def test_a_run_has_no_part_in_its_own_coefficient(self):
        with_slope = [[[(1.0, 1.0), (-1.0, -1.0)]], [[(-1.0, 1.0), (1.0, -1.0)]]]
        self.assertEqual(covariates.left(with_slope), [4.0, 4.0])
        alone = [[[(1.0, 1.0), (-1.0, -1.0)]], [[(1.0, 0.0), (-1.0, 0.0)]]]
        self.assertEqual(covariates.left(alone), [1.0, 1.0])

    def test_a_pair_is_of_trials_of_a_block_and_a_group_that_count(self):
        trials = [trial(block, *of) for block, of in itertools.product(range(3), [("a", 200.0, 0.3), ("b", 100.0, 0.1)])]
        [pair] = covariates.pairs_of(document(trials))
        self.assertEqual([(round(y, 9), round(x, 9)) for y, x in pair], [(0.0, 0.0)] * 3)
        self.assertEqual(covariates.pairs_of(document(trials, left_out=[0])), [], "two blocks are too few")
        apart = document(trials)
        for of in apart["trials"][0], apart["judged"]["trials"][0]:
            of["group"] = 1
        self.assertEqual(covariates.pairs_of(apart), [], "in the first block they were in two groups")

    def test_only_a_closed_loop_whose_waits_are_known_has_figures(self):
        rate, wait = covariates.figures_of(trial(0, "a", 200.0, 0.25))
        self.assertEqual((rate, wait), (200.0, 0.25))
        at_a_rate = trial(0, "a", 200.0, 0.25)
        at_a_rate["outcome"]["measured"]["load"]["offered"] = 200.0
        unknown = trial(0, "a", 200.0, 0.25)
        del unknown["outcome"]["measured"]["processes"][0]["counts"]
        for none in at_a_rate, unknown, {"outcome": {"failed": {}}}:
            self.assertIsNone(covariates.figures_of(none))

    def test_a_store_is_read_run_by_run(self):
        trials = [trial(block, *of) for block in range(4) for of in [("a", 200.0 + block, 0.3 + block), ("b", 100.0, 0.1)]]
        with mock.patch.multiple(covariates, numbers=lambda *_: [1, 2], shown=lambda *_: document(trials)), \
                contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(covariates.main(["weir.db"]), 0)
        self.assertIn("2 pairs of 2 runs: ", out.getvalue())
        with mock.patch.object(covariates, "numbers", return_value=[]), contextlib.redirect_stderr(io.StringIO()) as err:
            self.assertEqual(covariates.main(["weir.db"]), 1)
            self.assertEqual(covariates.main([]), 2)
        self.assertIn("0 runs in weir.db", err.getvalue())
