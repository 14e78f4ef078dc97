"""The field reports beside a program that takes a core, without running them."""

import contextlib
import io
import json
import os
import subprocess
import sys
import unittest
from unittest import mock

import claims_beside
import lab
import trust
from samples import FACTS

BURNT = {lab.BURNER: 3}


def run(plans="a", named=None, **claims):
    verdicts = {claim: {"verdict": verdict, "named": named or {}} for claim, verdict in claims.items()}
    return {"seconds": 6000.0, "plans": plans, "claims": verdicts}


QUIET = run(A1="does-not-hold", A2="holds", B1="cannot-tell", C1="failed")


def kept(*runs):
    return {**FACTS, "quiet": [QUIET], "beside": list(runs)}


class ClaimsBeside(unittest.TestCase):
    known = claims_beside.right(kept())

    def test_only_what_the_quiet_run_decides_is_known(self):
        self.assertEqual(self.known, {"A1": "does-not-hold", "A2": "holds"})
        self.assertEqual(claims_beside.right({**FACTS, "quiet": [], "beside": []}), {})

    def test_a_claim_is_the_same_or_open_with_the_program_named(self):
        for named, verdict, what in [(None, "holds", claims_beside.SAME), (BURNT, "cannot-tell", claims_beside.NAMED),
                                     ({"dpkg": 1}, "cannot-tell", claims_beside.OPEN), (BURNT, "does-not-hold", claims_beside.DIFFERENT),
                                     (BURNT, "failed", claims_beside.DIFFERENT)]:
            came = claims_beside.became(run(named=named, A1="does-not-hold", A2=verdict), self.known)
            self.assertEqual(came, {"A1": claims_beside.SAME, "A2": what}, verdict)
        self.assertEqual(claims_beside.became(run(), {"A1": "holds"}), {"A1": claims_beside.DIFFERENT})

    def test_a_claim_that_names_the_program_itself_names_it_too(self):
        lacks = run(A1="cannot-tell")
        lacks["claims"]["A1"]["lost"] = ["dpkg", lab.BURNER]
        self.assertEqual(claims_beside.became(lacks, {"A1": "holds"}), {"A1": claims_beside.NAMED})
        [line] = claims_beside.changed(1, lacks, {"A1": "holds"})
        self.assertTrue(line.endswith("named in trials of its plan: nothing; as what took the time that it lacked: `dpkg`, `core-burner`)"))
        lacks["claims"]["A1"]["lost"] = ["dpkg"]
        self.assertEqual(claims_beside.became(lacks, {"A1": "holds"}), {"A1": claims_beside.OPEN})

    def test_one_claim_that_is_neither_misses_the_goal(self):
        good = run(named=BURNT, A1="does-not-hold", A2="cannot-tell")
        self.assertTrue(claims_beside.met(kept(good)))
        self.assertFalse(claims_beside.met(kept()))
        self.assertFalse(claims_beside.met(kept(good, run(A1="does-not-hold", A2="cannot-tell"))))
        self.assertFalse(claims_beside.met({**kept(good), "quiet": []}))

    def test_the_document_has_a_row_for_each_run_and_a_line_for_each_claim_that_changed(self):
        other = run(named=BURNT, A1="holds", A2="cannot-tell")
        text = trust.page({"claims_beside": kept(other)})
        for line in ["| 1 | 0 | 1 | 0 | 1 | 100 min |", "* run 1, A1: does not hold on the quiet machine; beside the program **different** "
                     "(holds; named in trials of its plan: `core-burner` in 3)"]:
            self.assertIn(line, text)
        same = run(A1="does-not-hold", A2="holds")
        self.assertEqual(claims_beside.said(kept(same))[-1], "Every claim came out the same.")
        self.assertEqual(claims_beside.words(same, self.known), "2 same; 100 min")

    def test_a_row_is_read_as_weir_writes_it(self):
        lost = "9 of 99 trials of all plans had to be repeated beside `dpkg`"
        judged = {"id": "A1", "standing": {"judged": {"run": 7, "verdict": {"holds": "cannot-tell"}, "lost": lost}}}
        failed = {"id": "B1", "standing": {"failed": {"plan": "b", "why": "gone"}}}
        doubts = [{"kind": "disturbed", "because": "`core-burner` and `dpkg` took 40 % of the machine's CPU time (`x`)"},
                  {"kind": "errors", "because": "`nginx` took none"}]
        document = {"judged": {"trials": [{"doubts": doubts}, {"doubts": doubts[:1]}, {}]}}
        programs = {7: claims_beside.named(document)}
        self.assertEqual(programs, {7: {"core-burner": 2, "dpkg": 2}})
        self.assertEqual(claims_beside.fact(judged, programs), {"verdict": "cannot-tell", "named": programs[7], "lost": ["dpkg"]})
        self.assertEqual(claims_beside.fact(failed, programs), {"verdict": "failed", "named": {}, "lost": []})

    def test_what_is_there_is_not_measured_again_and_runs_of_other_plans_are_no_longer_there(self):
        asked = mock.Mock(side_effect=lambda _weir, _burners: run("b", A1="holds"))
        before = {"weir": "weir 0", "quiet": [run("b", A1="holds")], "beside": [run("a"), run("b")]}
        with mock.patch.multiple(claims_beside, digest=lambda: "b", one=asked), mock.patch.object(lab, "begin", return_value=before), \
                contextlib.redirect_stdout(io.StringIO()):
            facts = list(claims_beside.measure("weir"))[-1]
        self.assertEqual((asked.call_count, len(facts["quiet"]), len(facts["beside"])), (1, 1, 2))

    def test_the_quiet_run_may_be_one_that_a_store_has(self):
        row = {"id": "A1", "standing": {"judged": {"run": 7, "verdict": {"holds": "holds"}}}}
        said = {"claims": [row], "show": {"judged": {"trials": []}}}

        def answered(command, **_how):
            self.assertEqual(command[:3], ["weir", "--store", "a.db"])
            return mock.Mock(stdout=json.dumps(said[command[3]]), stderr="")
        with mock.patch.object(subprocess, "run", answered):
            quiet = claims_beside.stored("weir", "a.db")
        self.assertEqual(quiet, {"plans": claims_beside.digest(), "claims": {"A1": {"verdict": "holds", "named": {}, "lost": []}}})

    def test_the_stores_of_runs_stay_where_that_is_asked_for(self):
        stores = []

        def claims(_weir, store, _burners):
            store.write_text("what was measured")
            stores.append(store)
            return []
        with lab.folder() as place, mock.patch.object(claims_beside, "claims", claims):
            keep = place / "new" / "kept"
            with mock.patch.dict(os.environ, KEEP=str(keep)):
                for burners in 0, 1, 1:
                    claims_beside.one("weir", burners)
            self.assertEqual(sorted(keep.glob("*/weir.db")), sorted(stores))
            self.assertEqual(sorted(store.parent.name.split("-")[0] for store in stores), ["beside", "beside", "quiet"])
            with mock.patch.dict(os.environ, KEEP=""):
                claims_beside.one("weir", 1)
            self.assertFalse(stores.pop().exists())

    def test_a_program_that_says_nothing_or_does_not_end_is_an_error(self):
        def of(code, **seconds):
            with mock.patch.multiple(claims_beside, **{"AFTER": 0, "TAKES": 0, "AT_MOST": 30, **seconds}), lab.folder() as place, \
                    mock.patch.object(subprocess, "Popen", lambda _command, **how: popen([sys.executable, "-c", code], **how)):
                return claims_beside.claims("weir", place, 0)
        popen = subprocess.Popen
        self.assertEqual(of("print('[]')"), [])
        self.assertRaisesRegex(lab.Unsaid, "weir said nothing", of, "print('{}')")
        self.assertRaisesRegex(lab.Unsaid, "was not over", of, "import signal; signal.pause()", AT_MOST=0)
