"""The origin of known response times, and whether weir's quantiles are those."""

import random
import unittest

import origin
import quantiles
from samples import FACTS


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
