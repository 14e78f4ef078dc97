"""What `make bench` prints and writes, without measuring anything: python3 -m unittest discover -s bench"""

import contextlib
import io
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

import ending
import goals
import neighbours
import page
import quiet
import run
import stamp
import tools
from goals import Comparison, Row
from lab import Failed

QUIET, BUSY = quiet.Use(0.02, []), quiet.Use(1.5, [(1.5, 7, "rustc")])


class Pages(unittest.TestCase):
    rows = [Row("a / b", "1.100", "median at most 1.00", False, ["1.000", "1.100", "1.200"]),
            Row("weir", "5.00 us", "", None, ["5.00 us"]), Row("c", "not measured: gone", "at most 2", None)]

    def test_a_goal_that_was_missed_is_printed_as_missed_beside_every_run(self):
        text = page.page(["* one"], [("A title", "Linux 6.1", self.rows)])
        self.assertIn("## A title\n\nLinux 6.1\n\n| what |", text)
        self.assertIn("| a / b | 1.100 | median at most 1.00 | **missed**: cause not known |", text)
        self.assertIn("* a / b: 1.000, 1.100, 1.200\n", text)
        self.assertIn("| c | not measured: gone | at most 2 |  |", text)

    def test_the_last_line_is_the_digest_of_all_above(self):
        text = page.page([], [("A title", "Linux 6.1", self.rows)])
        above, line = text[:text.rindex("<!-- ")], text[text.rindex("<!-- "):]
        self.assertEqual(line, f"<!-- written by make bench · sha256 of the text above: {page.digest(above)} -->\n")
        self.assertNotEqual(page.digest(above.replace("**missed**", "met")), page.digest(above))


class Goals(unittest.TestCase):
    def test_what_failed_is_missed_for_that_reason(self):
        def fails():
            raise Failed("no local ports")
        row = goals.row("x", "at most 2", fails)
        self.assertEqual((row.figure, row.met, row.verdict), ("failed", False, "**missed**: no local ports"))
        self.assertEqual(goals.row("x", "at most 2", lambda: ("1", True)).verdict, "met")


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
    def test_a_commit_is_dirty_where_files_differ_from_it_that_no_measurement_writes(self):
        with tempfile.TemporaryDirectory() as place, mock.patch("stamp.ROOT", pathlib.Path(place)):
            (stamp.ROOT / "docs").mkdir()
            for file in "code", "docs/measured":
                (stamp.ROOT / file).write_text("before")
            stamp.git("init", "--quiet")
            stamp.git("add", ".")
            stamp.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message=one")
            name = stamp.commit()
            self.assertRegex(name, "^[0-9a-f]{7,}$")
            (stamp.ROOT / "docs/measured").write_text("after")
            self.assertEqual(stamp.commit(), name)
            (stamp.ROOT / "code").write_text("after")
            self.assertEqual(stamp.commit(), f"{name}-dirty")

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
        for name, value in (("goals.ALL", known), ("run.DOCUMENT", self.document), ("tools.build_bare", mock.Mock()),
                            ("quiet.Watch", watch), ("run.versions", dict), ("run.nginx", lambda: "nginx/1.22.1"),
                            ("stamp.commit", lambda: "abc"), ("tools.has_names", lambda: True), ("run.PAIRS", run.FEWEST)):
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

    def test_a_run_that_is_not_worth_it_is_refused_at_once(self):
        other = pathlib.Path(self.folder) / "other.md"
        for name, value, error, hint in (
                ("run.PAIRS", 6, "PAIRS is 6", "set it to 7 or more"),
                ("tools.has_names", lambda: False, "weir is stripped, so that a profile has no names",
                 "build it with names: make build-named")):
            with mock.patch(name, value):
                code, said = self.run_it([], QUIET, [])
                self.assertEqual((code, self.document.exists()), (3, False))
                self.assertIn(f"error: {error}, and docs/bench.md is not written\nhint: {hint}, or write elsewhere: ", said)
                self.assertEqual(self.run_it([], QUIET, [QUIET], str(other))[0], 1)

    def test_a_table_says_which_event_loops_ran_and_which_server_was_loaded(self):
        def rows():
            tools.in_use.update(["io_uring", "epoll"])
            yield Row("x", "2", "", None)
        with mock.patch.dict(goals.ALL, one=Comparison("One", 1.0, rows), two=Comparison("Two", 1.0, lambda: iter([]))):
            self.run_it([], QUIET, [QUIET, QUIET])
        text = self.document.read_text()
        self.assertIn(f"## One\n\nLinux {platform.release()}; weir abc over epoll and io_uring; nginx/1.22.1\n\n", text)
        self.assertIn(f"## Two\n\nLinux {platform.release()}; weir abc\n\n", text)

    def test_a_section_that_others_disturbed_is_repeated_and_then_refused(self):
        code, said = self.run_it([], QUIET, [BUSY, BUSY, BUSY])
        self.assertEqual((code, self.document.exists(), said.count("== one")), (3, False, 3))
        code, _ = self.run_it([], QUIET, [BUSY, QUIET])
        self.assertEqual((code, self.document.exists()), (1, True))

    def test_a_machine_that_does_not_keep_its_speed_writes_elsewhere(self):
        steady, changed = "1.0 (0.9 to 1.1 in 7 pairs; 1.0 and 1.0 us)", "1.0 (0.9 to 1.1 in 7 pairs); its runs differ by 40 %: " + neighbours.CHANGED
        elsewhere = pathlib.Path(self.folder) / "target"
        for figures, refused in (([steady, changed], False), ([steady, changed, changed, "2"], True)):
            rows = [Row("x", figure, "at most 1", True) for figure in figures]
            with mock.patch.dict(goals.ALL, one=Comparison("One", 1.0, lambda rows=rows: iter(rows))), \
                    mock.patch("run.TARGET", elsewhere):
                code, said = self.run_it([], QUIET, [QUIET, QUIET])
            self.assertEqual((code == 3, self.document.exists()), (refused, not refused), said)
            self.document.unlink(missing_ok=True)
        self.assertIn("error: the machine does not keep its speed, and docs/bench.md is not written\n"
                      "hint: 2 of 3 ratios scatter by more than a tenth: measure on another one, or at another time", said)
        self.assertIn("| x | 2 | at most 1 | met |", (elsewhere / "bench.md").read_text())

    def test_a_quiet_machine_writes_what_was_missed(self):
        code, said = self.run_it([], QUIET, [QUIET])
        self.assertEqual(code, 1)
        self.assertIn("x: 2 (wanted: at most 1) MISSED: cause not known", said)
        self.assertIn("| x | 2 | at most 1 | **missed**: cause not known |", self.document.read_text())
        self.assertIn(f"## One\n\nLinux {platform.release()}; weir abc\n\n| what |", self.document.read_text())

    def test_a_table_has_the_versions_of_the_programs_that_it_names(self):
        known = {"wrk": "wrk: 4.1.0", "ab": "ab: 2.3", "bare": "C compiler of the bare loops: cc 12", "perf": "perf: 6.1"}
        rows = [Row("3 bytes, CPU per request / wrk", "0.9", "", None), Row("bare epoll loop", "absent", "", None)]
        self.assertEqual(run.beside(rows, [], "abc", known),
                         f"Linux {platform.release()}; weir abc; wrk: 4.1.0; C compiler of the bare loops: cc 12")

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


if __name__ == "__main__":
    unittest.main()
