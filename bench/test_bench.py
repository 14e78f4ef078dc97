"""What `make bench` prints and writes, without measuring anything: python3 -m unittest discover -s bench"""

import contextlib
import io
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

import comparisons
import floor
import lab
import logs
import page
import quiet
import run
from comparisons import Comparison, Row
from lab import Failed, Spent, Unmeasured
from tools import Tool

QUIET, BUSY = quiet.Use(0.02, []), quiet.Use(1.5, [(1.5, 7, "rustc")])


def spent(cost):
    return Spent(cpu=cost, peak=2048, completed=1_000_000, seconds=1.0, memory=[], said="", kernel=cost * 0.75)


class Pages(unittest.TestCase):
    rows = [Row("a / b", "1.100", "median at most 1.00", False, ["1.000", "1.100", "1.200"]),
            Row("weir", "5.00 us", "", None, ["5.00 us"]), Row("c", "not measured: gone", "at most 2", None)]

    def test_a_goal_that_was_missed_is_printed_as_missed_beside_every_run(self):
        text = page.page(["* one"], [("A title", self.rows)])
        self.assertIn("| a / b | 1.100 | median at most 1.00 | **missed** |", text)
        self.assertIn("* a / b: 1.000, 1.100, 1.200\n", text)
        self.assertIn("| c | not measured: gone | at most 2 |  |", text)

    def test_the_last_line_is_the_digest_of_all_above(self):
        text = page.page([], [("A title", self.rows)])
        above, line = text[:text.rindex("<!-- ")], text[text.rindex("<!-- "):]
        self.assertEqual(line, f"<!-- written by make bench · sha256 of the text above: {page.digest(above)} -->\n")
        self.assertNotEqual(page.digest(above.replace("**missed**", "met")), page.digest(above))


class Floors(unittest.TestCase):
    samples = ("\tffffffff821e8f67 tcp_sendmsg ([kernel.kallsyms])\n\tffffffff821e0000 __x64_sys_sendto ([kernel.kallsyms])\n"
               "\t55d000 Send::send (/x/examples/engine)\n\n\t7f0012 __libc_recv (/usr/lib/libc.so.6)\n\t55d000 main (/x/examples/engine)\n\n"
               "\t55d012 <load::worker::Worker<S>>::next (/x/examples/engine)\n\n\t55d013 [unknown] (/x/examples/engine)\n\n")

    def test_samples_are_told_apart_by_where_their_code_lies(self):
        found = floor.read(self.samples, 250, "engine")
        self.assertEqual([found.of(whose) for whose in (floor.KERNEL, floor.LIBC, floor.OWN)], [2.0, 2.0, 4.0])
        self.assertIn((floor.OWN, "<load::worker::Worker<S>>::next"), found.by_name)
        self.assertEqual(found.total, 8.0)
        self.assertIn((floor.KERNEL, "__x64_sys_sendto", "tcp_sendmsg"), found.by_stack)

    def test_the_difference_has_the_stacks_of_both(self):
        ours = floor.Profile(3.0, {}, {(floor.KERNEL, "a", "b"): 2.0, (floor.OWN, "x;y"): 1.0})
        text = floor.difference(ours, floor.Profile(1.5, {}, {(floor.KERNEL, "a", "b"): 1.5}))
        self.assertEqual(text, "its own;x:y 0 1000\nthe kernel;a;b 1500 2000\n")

    def test_what_takes_the_most_above_the_bare_loop_comes_first(self):
        ours = floor.Profile(3.0, {(floor.KERNEL, "a"): 2.0, (floor.OWN, "b"): 1.0})
        *_, last = floor.told("x", ours, floor.Profile(1.5, {(floor.KERNEL, "a"): 1.5}))
        self.assertEqual(last.figure, f"`b` +1.00 us ({floor.OWN}), `a` +0.50 us ({floor.KERNEL})")


class Rules(unittest.TestCase):
    def test_the_worst_run_decides_whether_requests_leave_on_time(self):
        figure, met, values = comparisons.on_time([(38.0, 35.0), (80.0, 45.0), (20.0, 20.0)], [1000.0])
        self.assertFalse(met)
        self.assertIn("40 to 125 us in 3 runs", figure)
        self.assertEqual(values[1], "80 + 45 us")

    def test_the_median_of_the_rounds_decides_beside_a_peer(self):
        both = {"weir": [spent(1.0), spent(2.1), spent(1.0)], "wrk": [spent(1.0), spent(2.0), spent(2.0)]}
        row = comparisons.against("wrk", 1.0, "3 bytes", both)
        self.assertEqual((row.met, row.values), (True, ["1.000", "1.050", "0.500"]))
        self.assertEqual(row.cause, "")
        missed = comparisons.against("wrk", 0.9, "3 bytes", both)
        self.assertFalse(missed.met)
        self.assertEqual(missed.cause, "0.75 us of weir's are the kernel's and 0.25 us its own; the goal leaves 1.80 us")
        self.assertIn(f"| **missed**: {missed.cause} |", page.page([], [("A title", [missed])]))

    def test_what_could_not_be_measured_is_never_met(self):
        both = {"weir": [spent(1.0)], "wrk": Unmeasured("gone"), "mine": Failed("wrong")}
        self.assertIsNone(comparisons.against("wrk", 1.0, "x", both).met)
        self.assertFalse(comparisons.against("mine", 1.0, "x", both).met)

    def test_rounds_go_forth_and_back_and_leave_out_what_fails(self):
        order = []

        def one(name):
            order.append(name)
            if name == "c":
                raise Unmeasured("gone")
            return name
        found = lab.rounds({name: lambda name=name: one(name) for name in "abc"}, 2)
        self.assertEqual(order, list("abcba"))
        self.assertEqual((found["a"], str(found["c"])), (["a", "a"], "gone"))

    def test_what_is_in_no_goal_has_fewer_turns(self):
        found = lab.rounds({"a": lambda: 1, "b": lambda: 2}, 7, seldom={"b"})
        self.assertEqual([len(found[name]) for name in "ab"], [7, lab.SELDOM])

    def test_what_does_not_end_by_itself_is_ended(self):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
        lab.watch(child.pid, threading.Event(), [], longest=0)
        self.assertEqual(child.wait(), -signal.SIGKILL)
        child.stdin.close()

    def test_of_several_the_cheaper_one_is_the_floor(self):
        both = {"weir": [spent(1.2)] * 3, "a": [spent(1.0), spent(1.0), spent(9.0)], "b": [spent(2.0)] * 3, "c": Unmeasured("gone")}
        row = comparisons.cheaper(["c", "b", "a"], 1.3, "x", both)
        self.assertEqual((row.what, row.met), ("x, CPU per request / a", True))
        self.assertIsNone(comparisons.cheaper(["c"], 1.3, "x", both).met)

    def test_one_load_has_one_figure(self):
        titles = [one.title for one in comparisons.ALL.values()]
        self.assertEqual(len(titles), len(set(titles)))

    def test_all_of_it_takes_less_than_twenty_one_minutes(self):
        self.assertLess(sum(one.seconds for one in comparisons.ALL.values()), 21 * 60)

    def test_kataribe_counts_what_its_first_table_says(self):
        said = "Top 20 Sort By Count\nCount  Total  Request\n   12  3.000  /a\n    5  9.000  /b\n\nTop 20 Sort By Total\nCount\n   12  /a\n"
        self.assertEqual(logs.kataribe_counted(said), 17)
        self.assertRaises(Unmeasured, logs.kataribe_counted, "open kataribe.toml: no such file")


class Quietness(unittest.TestCase):
    def test_others_are_counted_and_what_we_start_is_not(self):
        spin = [sys.executable, "-c", "while True: pass"]
        watch, own = quiet.Watch(), subprocess.Popen(spin)
        try:
            while not cpu(own.pid) > 0.2:
                time.sleep(0.01)
            self.assertNotIn(own.pid, quiet.counts())
            self.assertNotIn(own.pid, [pid for _, pid, _ in watch.use().most])
        finally:
            own.kill()
            own.wait()

    def test_use_is_in_cores_and_names_who_used_most(self):
        before = {1: ("a", 100, 0), 2: ("b", 100, 0)}
        use = quiet.used(before, {1: ("a", 150, 0), 2: ("b", 100, 0), 3: ("c", 20, 0)}, 1.0)
        self.assertAlmostEqual(use.cores, 70 / quiet.TICKS)
        self.assertEqual([name for _, _, name in use.most], ["a", "c", "b"])
        self.assertFalse(use.is_quiet)

    def test_what_has_ended_is_counted_once_and_for_these_seconds_only(self):
        before = {1: ("make", 0, 1000), 2: ("rustc", 4000, 0)}
        use = quiet.used(before, {1: ("make", 0, 1000 + 4000 + 30)}, 1.0)
        self.assertAlmostEqual(use.cores, 30 / quiet.TICKS)

    def test_a_name_may_hold_anything(self):
        line = "12 (a b) (c) S 7 1 1 0 -1 0 0 0 0 0 1 2 3 4 20"
        self.assertEqual(quiet.stat(line), ("a b) (c", 7, 3, 7))


def cpu(pid):
    return quiet.stat(pathlib.Path(f"/proc/{pid}/stat").read_text())[2] / quiet.TICKS


class Runs(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.document = pathlib.Path(self.folder) / "bench.md"
        self.uses = []
        watch = mock.Mock(return_value=mock.Mock(use=lambda: self.uses.pop(0)))
        known = {"one": Comparison("One", 1.0, lambda: iter([Row("x", "2", "at most 1", False, ["2"])]))}
        for name, value in (("comparisons.ALL", known), ("run.DOCUMENT", self.document), ("tools.build_bare", mock.Mock()),
                            ("quiet.Watch", watch), ("run.versions", list), ("run.nginx", str)):
            self.enterContext(mock.patch(name, value))

    def run_it(self, wanted, before, uses, out=""):
        self.uses[:] = uses
        said = io.StringIO()
        with mock.patch("quiet.look", return_value=before), mock.patch.dict(os.environ, OUT=out), \
                contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            return run.main(wanted), said.getvalue()

    def test_a_machine_that_is_not_quiet_writes_nothing(self):
        code, said = self.run_it([], BUSY, [])
        self.assertEqual((code, self.document.exists()), (3, False))
        self.assertIn("1.50 cores used by others: 1.50 by rustc (7)", said)
        self.assertIn("hint: end what else runs, or write elsewhere: make bench OUT=", said)

    def test_a_section_that_others_disturbed_is_repeated_and_then_refused(self):
        code, said = self.run_it([], QUIET, [BUSY, BUSY, BUSY])
        self.assertEqual((code, self.document.exists(), said.count("== one")), (3, False, 3))
        code, _ = self.run_it([], QUIET, [BUSY, QUIET])
        self.assertEqual((code, self.document.exists()), (1, True))

    def test_a_quiet_machine_writes_what_was_missed(self):
        code, said = self.run_it([], QUIET, [QUIET])
        self.assertEqual(code, 1)
        self.assertIn("x: 2 (wanted: at most 1) MISSED", said)
        self.assertIn("| x | 2 | at most 1 | **missed** |", self.document.read_text())

    def test_elsewhere_it_says_that_it_was_not_quiet(self):
        other = pathlib.Path(self.folder) / "other.md"
        code, said = self.run_it(["one"], BUSY, [BUSY], str(other))
        self.assertIn("note: the machine is not quiet", said)
        self.assertIn("in `one` not quiet: 1.50 cores", other.read_text())
        self.assertEqual((code, self.document.exists()), (1, False))

    def test_a_part_is_printed_and_not_written(self):
        self.run_it(["one"], QUIET, [QUIET])
        self.assertFalse(self.document.exists())
        self.assertEqual(self.run_it(["two"], QUIET, [])[0], 2)


class Memory(unittest.TestCase):
    def test_what_runs_behind_a_shell_is_counted(self):
        waits = "import sys; held = bytearray(64 << 20); print('holds', flush=True); sys.stdin.read()"
        shell = f"sleep 3 | {sys.executable} -c {shlex.quote(waits)} | cat"
        tool = Tool("behind-a-shell", None, lambda said: 1)
        spent = lab.measure(tool, ["bash", "-c", shell], core=None)
        self.assertGreater(spent.peak, 64 << 10)


if __name__ == "__main__":
    unittest.main()
