"""How weir and its peers take turns under one load, and which of their runs decide."""

import contextlib
import statistics
import unittest
from unittest import mock

import lab
import neighbours
import page
from lab import Failed, Spent, Unmeasured
from tools import Tool


def spent(cost, engine=()):
    return Spent(cpu=cost, peak=2048, completed=1_000_000, seconds=1.0, memory=[], said="", kernel=cost * 0.75, engine=engine)


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
    def keep_alive(self, goals, bare=(), others=(), server=a_server, answered=(), **more):
        """Rows, what each run of all took and what was measured in the same rounds, and the order in which they ran."""
        ran, answered = [], dict(answered)
        made = {name: peer(name, ran, answered.get(name, 1_000_000)) for name in ("weir", *goals, *bare, *others)}
        with mock.patch.object(neighbours, "server", server):
            rows, *measured = neighbours.keep_alive("x", [(made[name], 1.0) for name in goals], 100, bare=[made[name] for name in bare],
                                                    others=[made[name] for name in others], ours=made["weir"], **more)
        return rows, measured, ran

    def test_weir_runs_directly_before_or_after_each_peer_of_a_goal(self):
        rows, (spent, _), ran = self.keep_alive("abcde", others="o")
        names = [name for name, _ in ran]
        self.assertEqual(names[:lab.SELDOM], ["o"] * lab.SELDOM)
        names = names[lab.SELDOM:]
        self.assertEqual("".join(name[0] for name in names[:6]), "awbbwa")
        for at, name in enumerate(names):
            self.assertIn("weir", [name, *names[max(at - 1, 0):at + 2]])
        self.assertEqual([len(row.values) for row in rows], [neighbours.PAIRS] * 5)
        self.assertEqual([len(spent[name]) for name in ("weir", *"abcdeo")], [3 * neighbours.PAIRS, *[neighbours.PAIRS] * 5, lab.SELDOM])
        self.assertEqual(len(ran), neighbours.count(5, 1))

    def test_the_floor_is_a_goal_beside_the_cheaper_bare_loop_and_both_have_turns_with_weir(self):
        rows, (spent, _), ran = self.keep_alive("ab", "op", floor=1.1, answered={"o": 500_000})
        self.assertEqual("".join(name[0] for name, _ in ran[3 * lab.PAIRS:][:6]), "owppwo")
        self.assertEqual(rows[-1].what, "x, CPU per request / p")
        self.assertEqual(rows[-1].goal, "median at most 1.10")
        self.assertEqual((len(spent["o"]), len(spent["p"]), len(spent["weir"])), (neighbours.PAIRS, neighbours.PAIRS, 2 * neighbours.PAIRS))
        self.assertEqual(len(ran), neighbours.count(4))

    def test_bare_loops_of_no_goal_have_turns_too_and_fewer_by_themselves(self):
        for goals in "ab", "a":
            rows, (spent, _), ran = self.keep_alive(goals, "op")
            self.assertEqual((len(rows), len(spent["o"]), len(spent["weir"])),
                             (len(goals), lab.SELDOM, neighbours.PAIRS + lab.SELDOM))
            self.assertEqual("".join(name[0] for name, _ in ran[-3 * lab.SELDOM:]), "owppwoowp")

    def test_without_a_server_each_goal_is_a_row_that_says_so(self):
        @contextlib.contextmanager
        def none(**_how):
            raise Unmeasured("`nginx` is missing")
            yield
        rows, measured, ran = self.keep_alive("ab", "o", "p", none, floor=1.1)
        self.assertEqual([(row.figure, row.met) for row in rows], [("not measured: `nginx` is missing", None)] * 3)
        self.assertEqual(ran, [])
        self.assertIn("not measured", [*neighbours.generators(*measured)][0].figure)

    def test_of_many_connections_the_time_to_open_them_is_no_part_of_what_is_compared(self):
        rows, measured, ran = self.keep_alive("g", many=True)
        longer = neighbours.SECONDS + neighbours.OPENING
        self.assertEqual(set(ran), {("weir", neighbours.SECONDS), ("g", longer)})
        told = f"; weir {neighbours.SECONDS} s after opening, g {longer} s with opening"
        self.assertTrue(rows[0].figure.endswith(told), rows[0].figure)
        self.assertEqual(rows[0].met, True)
        self.assertEqual({row.what: row.figure.split("; ")[-1] for row in neighbours.generators(*measured, many=True)},
                         {"weir": f"{neighbours.SECONDS} s after opening", "g": f"{longer} s with opening"})
        self.assertEqual(neighbours.OPENS_FIRST, {"weir", "bare epoll loop", "bare io_uring loop"})

    def test_a_peer_that_answers_fewer_after_opening_as_many_is_not_compared(self):
        rows, _, _ = self.keep_alive("g", many=True, answered={"g": 999_999})
        self.assertIsNone(rows[0].met)
        self.assertIn("`g` answered 999,999 requests and weir 1,000,000", rows[0].figure)

    def test_the_median_of_the_rounds_decides_beside_a_peer(self):
        both = {"weir": [spent(1.0), spent(2.1), spent(1.0)], "wrk": [spent(1.0), spent(2.0), spent(2.0)]}
        row = neighbours.against("wrk", 1.0, "3 bytes", both)
        self.assertEqual((row.met, row.values), (True, ["1.000", "1.050", "0.500"]))
        self.assertEqual(row.cause, "")
        missed = neighbours.against("wrk", 0.9, "3 bytes", both)
        self.assertFalse(missed.met)
        self.assertEqual(missed.cause, "0.75 us of weir's are the kernel's and 0.25 us its own; "
                                       "wrk: 1.50 us in the kernel, 0.50 us its own; the goal leaves 1.80 us")
        self.assertIn(f"| **missed**: {missed.cause} |", page.page([], [("A title", "Linux 6.1", [missed])]))

    def test_what_the_engine_took_is_told_beside_the_whole_program(self):
        ours = [spent(7.0, (1.0, 5.0)), spent(8.0, (1.0, 5.5)), spent(9.0, (1.0, 6.0))]
        row = neighbours.against("wrk", 0.5, "3 bytes", {"weir": ours, "wrk": [spent(8.0)] * 3})
        self.assertEqual(row.cause, "of weir's 8.00 us the kernel takes 5.50 us for the engine, the engine itself 1.00 us, "
                                    "and the rest of the program 1.50 us; "
                                    "wrk: 6.00 us in the kernel, 2.00 us its own; the goal leaves 4.00 us")
        both = {"weir": ours, "wrk": [spent(10.0)] * 3}
        weir, wrk = neighbours.generators(both, dict.fromkeys(both, both), of="3 bytes: ")
        self.assertTrue(weir.figure.startswith("8.00 us CPU per request (its engine 6.50 us; 1.50 s a run outside of it); 1.00 x weir"))
        self.assertTrue(wrk.figure.startswith("10.00 us CPU per request; 1.25 x weir"), wrk.figure)
        self.assertEqual((weir.what, wrk.values), ("3 bytes: weir", ["10.00 us"] * 3))

    def test_how_many_times_weir_another_is_comes_from_the_rounds_of_both_alone(self):
        # beside the second peer the machine was twice as slow, and the third had no rounds with weir
        fast, slow = [spent(4.0)] * 3, [spent(8.0)] * 3
        first, second = {"weir": fast, "a": [spent(5.0)] * 3}, {"weir": slow, "b": slow}
        measured = {"a": first["a"], "b": slow, "c": slow, "weir": fast + slow}
        told = {row.what: row.figure for row in neighbours.generators(measured, {"a": first, "b": second, "weir": second})}
        self.assertEqual({name: figure.split("; ")[1] for name, figure in told.items()},
                         {"a": "1.25 x weir", "b": "1.00 x weir", "c": "- x weir", "weir": "1.00 x weir"})

    def test_runs_that_differ_by_more_than_a_tenth_say_so(self):
        steady = {"weir": [spent(1.0), spent(1.05), spent(1.09)], "wrk": [spent(1.0)] * 3}
        self.assertNotIn("differ", neighbours.against("wrk", 1.2, "x", steady).figure)
        self.assertNotIn("differ", "".join(row.figure for row in neighbours.generators(steady, {})))
        other = steady | {"weir": [spent(1.0), spent(1.05), spent(1.5)]}
        said = "; its runs differ by 50 %: the machine may have changed its speed"
        self.assertTrue(neighbours.against("wrk", 1.2, "x", other).figure.endswith(said))
        self.assertEqual({row.what: row.figure.endswith(said) for row in neighbours.generators(other, {})}, {"wrk": False, "weir": True})

    def test_what_could_not_be_measured_is_never_met(self):
        both = {"weir": [spent(1.0)], "wrk": Unmeasured("gone"), "mine": Failed("wrong")}
        self.assertIsNone(neighbours.against("wrk", 1.0, "x", both).met)
        self.assertFalse(neighbours.against("mine", 1.0, "x", both).met)

    def test_of_several_the_cheaper_one_is_the_floor(self):
        c, b, a = (Tool(name, None, None) for name in "cba")
        runs = {"a": [spent(1.0), spent(1.0), spent(9.0)], "b": [spent(2.0)] * 3, "c": Unmeasured("gone")}
        self.assertIs(neighbours.cheaper([c, b, a], runs), a)
        self.assertIs(neighbours.cheaper([c], runs), c)
        # the machine was faster in some rounds: the median of all runs is smaller of the one that was dearer in all rounds but one
        epoll, ring = [7.71, 7.76, 7.71, 7.41, 6.31, 6.30, 6.29], [7.64, 7.69, 7.65, 7.64, 6.03, 6.03, 6.03]
        self.assertLess(statistics.median(epoll), statistics.median(ring))
        runs = {"a": [*map(spent, epoll)], "b": [*map(spent, ring)]}
        for peers in (a, b), (b, a):
            self.assertIs(neighbours.cheaper(peers, runs), b)
