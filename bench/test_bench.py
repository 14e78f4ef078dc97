"""What `make bench` prints and writes, without measuring anything: python3 -m unittest discover -s bench"""

import contextlib
import io
import json
import os
import pathlib
import re
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
import ending
import floor
import lab
import logs
import page
import peers
import quiet
import run
import stamp
import tools
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

    def test_kataribe_counts_what_its_first_table_says(self):
        said = "Top 20 Sort By Count\nCount  Total  Request\n   12  3.000  /a\n    5  9.000  /b\n\nTop 20 Sort By Total\nCount\n   12  /a\n"
        self.assertEqual(logs.kataribe_counted(said), 17)
        self.assertRaises(Unmeasured, logs.kataribe_counted, "open kataribe.toml: no such file")

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


class Tools(unittest.TestCase):
    def load(self, **facts):
        load = {"failed": {}, "timed_out": 0, "completed": 7, "in_flight": 3, "drained": 3} | facts
        return json.dumps({"trials": [{"outcome": {"measured": {"load": load}}}]})

    def test_what_weir_did_not_answer_after_the_window_is_a_failure_too(self):
        self.assertEqual(tools.weir_completed(self.load()), 10)
        self.assertRaises(Failed, tools.weir_completed, self.load(failed={"status": 1}))
        with self.assertRaisesRegex(Failed, "3 requests under way at the end, and the right answer to 2"):
            tools.weir_completed(self.load(drained=2))

    def test_what_wrk_says_of_errors_is_why_it_is_not_measured(self):
        said = "  400000 requests in 3.00s, 50MB read\n"
        self.assertEqual(tools.wrk.completed(said), 400_000)
        for line in "Socket errors: connect 0, read 5, write 0, timeout 1", "Non-2xx or 3xx responses: 12":
            with self.assertRaises(Unmeasured) as raised:
                tools.wrk.completed(f"{said}  {line}\nRequests/sec: 1\n")
            self.assertEqual(str(raised.exception), line)

    def test_gcannons_warm_up_is_counted_as_its_cpu_time_is(self):
        def said(**facts):
            return json.dumps({"elapsed_sec": 3.0, "responses": 300_000, "reconnects": 0,
                               "errors": {"connect": 0, "read": 0, "timeout": 0}} | facts, indent=1) + "\nsaid beside it\n"
        self.assertEqual(tools.gcannon.completed(said()), 310_000)
        with self.assertRaisesRegex(Unmeasured, "connect 0, read 2, timeout 0, reconnects 0"):
            tools.gcannon.completed(said(errors={"connect": 0, "read": 2, "timeout": 0}))
        self.assertRaises(Unmeasured, tools.gcannon.completed, said(reconnects=1))
        for other in "", "{}", '{"errors": {}}':
            self.assertRaises(Unmeasured, tools.gcannon.completed, other)

    def test_what_is_missing_says_what_to_do_about_it(self):
        def missing(tool):
            with mock.patch("shutil.which", return_value=None), self.assertRaises(Unmeasured) as raised:
                tool.run("http://127.0.0.1:1/", 1, 1)
            return str(raised.exception)
        self.assertEqual(missing(tools.oha), "`oha` is not installed; `make bench-peers` installs it")
        self.assertIn("builds it", missing(tools.gcannon))
        self.assertIn("does not bring it: put a release of", missing(tools.zrk))
        self.assertIn("`make bench` builds it", missing(tools.weir))
        # a shell is there, and what it starts is not
        with mock.patch("shutil.which", side_effect=lambda program: program in ("bash", "sh") or None):
            for tool in tools.vegeta, logs.kataribe:
                self.assertRaisesRegex(Unmeasured, f"`{tool.name}` is not installed", tool.run, "x", 1, 1)

    def test_what_is_installed_is_what_is_said_to_be(self):
        makefile = (lab.ROOT / "Makefile").read_text()
        makefile = makefile[makefile.index("APT_PEERS"):makefile.index("# Web servers that are")]
        for tool in (*tools.PEERS_OF_THE_FIELD, logs.alp, logs.kataribe):
            brought = re.search(rf"\b{tool.name}[:@/ ]", makefile) is not None
            self.assertEqual(brought, "does not bring it" not in tool.hint, tool.name)

    def test_an_old_go_is_left_out_by_name(self):
        for old in "go version go1.19.8 linux/amd64", "go version go1.23 linux/amd64":
            self.assertRaisesRegex(peers.Missing, "is older than 1.24", peers.new_enough, old)
        for new in "go version go1.24.0 linux/amd64", "go version go2.0 linux/amd64", "go version devel +1234":
            peers.new_enough(new)


class Server(unittest.TestCase):
    def test_what_cannot_be_made_leaves_no_folder_behind(self):
        with tempfile.TemporaryDirectory() as place, mock.patch("tempfile.tempdir", place), \
                mock.patch("shutil.which", return_value="/usr/sbin/nginx"):
            for error, says in (FileNotFoundError(), "`openssl` is missing"), \
                    (subprocess.CalledProcessError(1, "openssl", stderr="error: no entropy\n"), "error: no entropy"):
                with mock.patch("subprocess.run", side_effect=error), self.assertRaisesRegex(Unmeasured, says), lab.server():
                    pass
            self.assertEqual(os.listdir(place), [])


class Endings(unittest.TestCase):
    def test_sigterm_ends_a_script_as_ctrl_c_does(self):
        self.addCleanup(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))
        tidied = []

        def main(_wanted):
            try:
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(10)
            finally:
                tidied.append(True)
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(ending.of(main, "nothing was written"), 130)
        self.assertEqual((tidied, said.getvalue()), ([True], "error: ended before its end; nothing was written\n"))
        self.assertEqual(ending.of(lambda _: 3, ""), 3)


class Stamps(unittest.TestCase):
    def test_without_git_the_version_is_unknown(self):
        with mock.patch("shutil.which", return_value=None):
            self.assertEqual(stamp.commit(), "of unknown version")

    def test_each_is_told_once_and_of_how_many_it_is(self):
        one, two = ({"weir": "weir 1", "commit": commit, "when": "2026-01-02", "machine": "1 core"} for commit in ("abc", None))
        self.assertEqual(stamp.told([one, one]), "weir 1 (abc), 2026-01-02, 1 core")
        self.assertEqual(stamp.told([one, two, one]), "2 of 3 by weir 1 (abc), 2026-01-02, 1 core; "
                                                      "1 of 3 by weir 1 (of a commit that nobody wrote down), 2026-01-02, 1 core")


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
                            ("quiet.Watch", watch), ("run.versions", list), ("run.nginx", str), ("stamp.commit", lambda: "abc")):
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

    def test_a_tree_with_changes_writes_nothing_but_elsewhere(self):
        other = pathlib.Path(self.folder) / "other.md"
        with mock.patch("stamp.commit", return_value="abc-dirty"):
            code, said = self.run_it([], QUIET, [])
            self.assertEqual((code, self.document.exists()), (3, False))
            self.assertIn("error: files differ from those of commit abc, and docs/bench.md is not written\n"
                          "hint: commit them first, or write elsewhere: make bench OUT=", said)
            self.assertEqual(self.run_it([], QUIET, [QUIET], str(other))[0], 1)
        self.assertIn("* weir abc-dirty, ", other.read_text())

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
