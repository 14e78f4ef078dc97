"""The rules by which `make bench` says what is met, and the order in which it runs."""

import contextlib
import signal
import subprocess
import sys
import threading
import unittest
from unittest import mock

import comparisons
import floor
import lab
import neighbours
import run
import turns
from goals import ALL
from lab import Failed, Spent, Unmeasured


def spent(peak):
    return Spent(cpu=1.0, peak=peak, completed=1, seconds=1.0, memory=[], said="")


class Rules(unittest.TestCase):
    def test_the_worst_run_decides_whether_requests_leave_on_time(self):
        def late(woken, own):
            return comparisons.Late(woken, own, 5.0, 0.48, 0.25)
        figure, met, values, cause = comparisons.on_time([late(38.0, 35.0), late(80.0, 45.0), late(20.0, 20.0)], [1000.0])
        self.assertFalse(met)
        self.assertIn("40 to 125 us in 3 runs (medians: woken late 38 us, the engine itself 35 us)", figure)
        self.assertIn("a bound: beside what waits for a connection, at most 2 of 100 requests are later", figure)
        self.assertEqual(values[1], "80 + 45 us (p50 5.0 us, 48 % of a core for work and 25 % for busy waiting)")
        self.assertEqual(cause, "in the worst run the kernel alone woke weir 80 us late, and the engine itself took 45 us "
                                "(p50 5.0 us, 48 % of a core for work and 25 % for busy waiting)")
        self.assertEqual(comparisons.on_time([late(36.0, 35.0)], [1000.0])[3],
                         "in the worst run the kernel woke weir 36 us late and the engine itself took 35 us "
                         "(p50 5.0 us, 48 % of a core for work and 25 % for busy waiting); the goal leaves 24 us for the engine")
        self.assertEqual(comparisons.on_time([late(20.0, 20.0)], [1000.0])[1:],
                         (True, ["20 + 20 us (p50 5.0 us, 48 % of a core for work and 25 % for busy waiting)"], ""))

    def test_memory_that_grew_is_told_by_when_it_did(self):
        self.assertEqual(comparisons.grown([100, 110, 110, 110, 110, 110, 110, 110, 110, 2000]),
                         "1,890 of the 1,900 KiB came between 90 % and 100 % of the time; their cause is not known")

    def test_what_a_connection_takes_is_told_of_each_run(self):
        none, full = ([spent(peak) for peak in peaks] for peaks in ((1000, 1010, 1020), (2000, 2010, 4020)))
        self.assertEqual(comparisons.in_bytes(comparisons.each(none, full, 1024)), ["1,000 bytes", "1,000 bytes", "3,000 bytes"])
        self.assertEqual(comparisons.told_each(none, full, 1024),
                         "1,000 bytes each, the median of 3 runs (peak 2,010 KiB, without them 1,010 KiB)")

    def test_requests_that_were_lost_are_not_on_time_nor_is_what_was_not_seen(self):
        good = {"failed": {}, "timed_out": 0, "dropped": 0, "busiest": 0.5, "busy_waited": 0.5, "seconds": 2.0,
                "woken_p99_of_all_us": 38.0, "lateness_us": {"p50": 0.0, "p99": 1.0}}
        self.assertEqual(comparisons.late_by(comparisons.all_answered(good)), comparisons.Late(38.0, 1.0, 0.0, 0.5, 0.25))
        with self.assertRaisesRegex(Failed, "2 failed, 0 timed out, 1 dropped"):
            comparisons.all_answered(good | {"failed": {"status": 2}, "dropped": 1})
        self.assertRaises(Failed, comparisons.all_answered, good | {"timed_out": 1})
        self.assertRaises(Unmeasured, comparisons.late_by, good | {"lateness_us": {"p50": None, "p99": None}})

    def test_idle_connections_have_to_be_there_and_to_stay(self):
        def crowd(complete=True, failed=(), closed=0):
            return {"complete": complete, "habits": {"idle": {"failed": dict(failed), "closed_by_server": closed}}}
        comparisons.all_open(crowd())
        for bad in crowd(complete=False), crowd(failed={"refused": 1}), crowd(closed=1), None:
            self.assertRaises(Failed, comparisons.all_open, bad)

    def test_rounds_go_forth_and_back_and_leave_out_what_fails(self):
        order = []

        def one(name):
            order.append(name)
            if name == "c":
                raise Unmeasured("gone")
            return name
        found = turns.rounds({name: lambda name=name: one(name) for name in "abc"}, 2)
        self.assertEqual(order, list("abcba"))
        self.assertEqual((found["a"], str(found["c"])), (["a", "a"], "gone"))

    def test_what_does_not_end_by_itself_is_ended(self):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
        lab.watch(child.pid, threading.Event(), [], longest=0)
        self.assertEqual(child.wait(), -signal.SIGKILL)
        child.stdin.close()

    def test_one_load_has_one_figure(self):
        titles = [one.title for one in ALL.values()]
        self.assertEqual(len(titles), len(set(titles)))

    def test_all_of_it_takes_less_than_twenty_one_and_a_half_minutes(self):
        # by estimates that allow for all programs: where they said 21 minutes it took 19
        self.assertLess(sum(one.seconds for one in ALL.values()), 21.5 * 60)

    def test_the_document_has_the_sections_that_are_measured(self):
        titles = [line.removeprefix("## ") for line in run.DOCUMENT.read_text().splitlines() if line.startswith("## ")]
        self.assertEqual(titles, [one.title for one in ALL.values()])

    def test_without_a_server_each_section_has_rows_that_say_so(self):
        @contextlib.contextmanager
        def none(**_how):
            raise Unmeasured("`nginx` is missing")
            yield
        with mock.patch.object(comparisons, "server", none), mock.patch.object(floor, "server", none), \
                mock.patch.object(neighbours, "server", none):
            for section in "reactors", "h2", "tls", "once", "floor", "idle":
                rows = [*ALL[section].rows()]
                self.assertTrue(rows, section)
                for row in rows:
                    self.assertEqual((row.figure, row.met), ("not measured: `nginx` is missing", None))
