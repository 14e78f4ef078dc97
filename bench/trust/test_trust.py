import unittest

import beside
import trust


def run(named=0, **claims):
    return {"claims": claims, "named": named, "repeated": 0, "seconds": 90.0}


QUIET = [run(A1="does-not-hold", A2="holds", A5="cannot-tell"), run(A1="does-not-hold", A2="holds", A5="holds")]


def kept(*runs):
    return {"when": "2026-01-02", "weir": "weir 0", "quiet": QUIET, "beside": list(runs)}


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
