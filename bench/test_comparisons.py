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
import page
import run
from lab import Failed, Spent, Unmeasured
from tools import Tool


def spent(cost):
    return Spent(cpu=cost, peak=2048, completed=1_000_000, seconds=1.0, memory=[], said="", kernel=cost * 0.75)


class Rules(unittest.TestCase):
    def test_the_worst_run_decides_whether_requests_leave_on_time(self):
        figure, met, values = comparisons.on_time([(38.0, 35.0), (80.0, 45.0), (20.0, 20.0)], [1000.0])
        self.assertFalse(met)
        self.assertIn("40 to 125 us in 3 runs", figure)
        self.assertIn("a bound: beside what waits for a connection, at most 2 of 100 requests are later", figure)
        self.assertEqual(values[1], "80 + 45 us")

    def test_requests_that_were_lost_are_not_on_time_nor_is_what_was_not_seen(self):
        good = {"failed": {}, "timed_out": 0, "dropped": 0, "woken_us": {"p99": 38.0}, "lateness_us": {"p99": 0.0}}
        self.assertEqual(comparisons.late_by(comparisons.all_answered(good)), [38.0, 0.0])
        with self.assertRaisesRegex(Failed, "2 failed, 0 timed out, 1 dropped"):
            comparisons.all_answered(good | {"failed": {"status": 2}, "dropped": 1})
        self.assertRaises(Failed, comparisons.all_answered, good | {"timed_out": 1})
        for missing in "woken_us", "lateness_us":
            self.assertRaises(Unmeasured, comparisons.late_by, good | {missing: {"p99": None}})

    def test_idle_connections_have_to_be_there_and_to_stay(self):
        def crowd(complete=True, failed=(), closed=0):
            return {"complete": complete, "habits": {"idle": {"failed": dict(failed), "closed_by_server": closed}}}
        comparisons.all_open(crowd())
        for bad in crowd(complete=False), crowd(failed={"refused": 1}), crowd(closed=1), None:
            self.assertRaises(Failed, comparisons.all_open, bad)

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

    def test_what_does_not_end_by_itself_is_ended(self):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
        lab.watch(child.pid, threading.Event(), [], longest=0)
        self.assertEqual(child.wait(), -signal.SIGKILL)
        child.stdin.close()

    def test_of_several_the_cheaper_one_is_the_floor(self):
        c, b, a = (Tool(name, None, None) for name in "cba")
        runs = {"a": [spent(1.0), spent(1.0), spent(9.0)], "b": [spent(2.0)] * 3, "c": Unmeasured("gone")}
        self.assertIs(comparisons.cheaper([c, b, a], runs), a)
        self.assertIs(comparisons.cheaper([c], runs), c)

    def test_one_load_has_one_figure(self):
        titles = [one.title for one in comparisons.ALL.values()]
        self.assertEqual(len(titles), len(set(titles)))

    def test_all_of_it_takes_less_than_twenty_one_minutes(self):
        self.assertLess(sum(one.seconds for one in comparisons.ALL.values()), 21 * 60)

    def test_the_document_has_the_sections_that_are_measured(self):
        titles = [line.removeprefix("## ") for line in run.DOCUMENT.read_text().splitlines() if line.startswith("## ")]
        self.assertEqual(titles, [one.title for one in comparisons.ALL.values()])


def peer(name, ran, completed):
    """A tool that says when it runs, and for how long it was told to."""
    def run(_url, _connections, seconds, *_extra):
        ran.append((name, seconds))
        return Spent(cpu=1.0, peak=2048, completed=completed, seconds=1.0, memory=[], said="", kernel=0.5)
    tool = Tool(name, None, None)
    tool.run = run
    return tool


@contextlib.contextmanager
def a_server(**_how):
    yield mock.Mock(url=lambda *_: "http://x/", body=tuple)


class Neighbours(unittest.TestCase):
    def keep_alive(self, goals, others=(), server=a_server, answered=(), **more):
        """Rows, what each run of all took, and the order in which they ran."""
        ran, answered = [], dict(answered)
        made = {name: peer(name, ran, answered.get(name, 1_000_000)) for name in ("weir", *goals, *others)}
        with mock.patch.object(comparisons, "server", server), mock.patch.object(comparisons, "weir", made["weir"]), \
                mock.patch.object(comparisons, "BARE", [made[name] for name in others]):
            rows, spent = comparisons.keep_alive("x", [(made[name], 1.0) for name in goals], 100,
                                                 others=[made[name] for name in others], **more)
        return rows, spent, ran

    def test_weir_runs_directly_before_or_after_each_peer_of_a_goal(self):
        rows, spent, ran = self.keep_alive("abcde", "o")
        names = [name for name, _ in ran]
        self.assertEqual(names[:lab.SELDOM], ["o"] * lab.SELDOM)
        names = names[lab.SELDOM:]
        self.assertEqual("".join(name[0] for name in names[:6]), "awbbwa")
        for at, name in enumerate(names):
            self.assertIn("weir", [name, *names[max(at - 1, 0):at + 2]])
        self.assertEqual([len(row.values) for row in rows], [comparisons.PAIRS] * 5)
        self.assertEqual([len(spent[name]) for name in ("weir", *"abcdeo")], [3 * comparisons.PAIRS, *[comparisons.PAIRS] * 5, lab.SELDOM])
        self.assertEqual(len(ran), comparisons.count(5, 1))

    def test_the_floor_is_a_goal_beside_the_cheaper_bare_loop(self):
        rows, spent, _ = self.keep_alive("ab", "op", floor=1.1, answered={"o": 500_000})
        self.assertEqual(rows[-1].what, "x, CPU per request / p")
        self.assertEqual(rows[-1].goal, "median at most 1.10")
        self.assertEqual((len(spent["o"]), len(spent["p"]), len(spent["weir"])), (lab.SELDOM, comparisons.PAIRS, 2 * comparisons.PAIRS))

    def test_without_a_server_each_goal_is_a_row_that_says_so(self):
        @contextlib.contextmanager
        def none(**_how):
            raise Unmeasured("`nginx` is missing")
            yield
        rows, spent, ran = self.keep_alive("ab", "o", none, floor=1.1)
        self.assertEqual([(row.figure, row.met) for row in rows], [("not measured: `nginx` is missing", None)] * 3)
        self.assertEqual(ran, [])
        self.assertIn("not measured", [*comparisons.generators(spent)][0].figure)
        with mock.patch.object(comparisons, "server", none), mock.patch.object(floor, "server", none):
            for section in "reactors", "h2", "tls", "once", "floor", "idle":
                for row in comparisons.ALL[section].rows():
                    self.assertEqual((row.figure, row.met), ("not measured: `nginx` is missing", None))

    def test_of_many_connections_the_time_to_open_them_is_no_part_of_what_is_compared(self):
        rows, spent, ran = self.keep_alive("g", many=True)
        longer = comparisons.SECONDS + comparisons.OPENING
        self.assertEqual(set(ran), {("weir", comparisons.SECONDS), ("g", longer)})
        told = f"; weir {comparisons.SECONDS} s after opening, g {longer} s with opening"
        self.assertTrue(rows[0].figure.endswith(told), rows[0].figure)
        self.assertEqual(rows[0].met, True)
        self.assertEqual({row.what: row.figure.split("; ")[-1] for row in comparisons.generators(spent, many=True)},
                         {"weir": f"{comparisons.SECONDS} s after opening", "g": f"{longer} s with opening"})

    def test_a_peer_that_answers_fewer_after_opening_as_many_is_not_compared(self):
        rows, _, _ = self.keep_alive("g", many=True, answered={"g": 999_999})
        self.assertIsNone(rows[0].met)
        self.assertIn("`g` answered 999,999 requests and weir 1,000,000", rows[0].figure)
