"""The walk without walking: python3 -m unittest discover -s bench/first-contact"""

import contextlib
import io
import json
import os
import pathlib
import stat
import tempfile
import time
import unittest
from unittest import mock

import apps
import deploying
import document
import outcome
import typing_in
import walk

HERE = pathlib.Path(__file__).parent
RUN = """{"run": {"plan": {"app": {"routes": [{"path": "/shop"}]}}},
 "judged": {"variants": [{"name": "a", "figures": {"throughput": {}}}], "decision": {"variant": "a", "as_good": ["b"]},
 "lead": {"rivals": ["b", "a", "c"], "comparisons": [{"of": "b", "over": "a", "verdict": "cannot-tell"},
 {"of": "b", "over": "c", "verdict": "better"}]}}}"""
PAGES = """
import http.server, os, pathlib, sys
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == '/shop' else 404)
        self.end_headers()
    def log_message(self, *said): pass
http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Page).serve_forever()
"""
WEIR = f"""#!/bin/sh
case "$1" in
--version) echo weir 9.9 ;;
write)
  mkdir -p "$3"
  [ -z "$BROKEN" ] || {{ echo "echo no such module: $2 >&2; exit 7" > "$3/start.sh"; exit; }}
  printf '%s\\n' "exec python3 $3/pages.py $5" > "$3/start.sh"
  cat > "$3/pages.py" <<'END'
{PAGES}
END
  ;;
show) [ -e "$XDG_DATA_HOME/run" ] && cat "$XDG_DATA_HOME/run" ;;
try)
  [ "$2" = ok ] || {{ echo 'error: nothing in `.` says what app it is' >&2; exit 5; }}
  echo '`shop` is a WSGI app (flask 3.1)' >&2
  echo 'trying 2 of 3 ways to serve it, each 6 times: about 1.5 min' >&2
  mkdir -p "$XDG_DATA_HOME"
  echo '{RUN.replace(chr(10), "")}' > "$XDG_DATA_HOME/run"
  printf '%s\\n' 'Run 1' '`b` and `a` lead 2 ways to serve `/` and cannot be' '  told apart: 1 and 2, of' '  `a`.' 'Noise floor: x' ;;
esac
"""


def running(pid):
    """Whether a process is there, and not only waited for."""
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def app(**more):
    facts = {"name": "shop", "what": "A shop", "source": "https://example.org/", "make": ["echo made > file"],
             "commands": ["weir try", "weir try ok", "weir try never"]}
    return apps.App(**{**facts, **more})


class Walks(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        self.weir = self.place / "weir"
        self.weir.write_text(WEIR)
        self.weir.chmod(self.weir.stat().st_mode | stat.S_IXUSR)

    def test_commands_are_typed_until_one_ends_in_a_result(self):
        one = walk.walk(app(), self.weir)
        self.assertEqual([(typed.command, typed.code) for typed in one.typed], [("weir try", 5), ("weir try ok", 0)])
        self.assertEqual(one.recognised, ("`shop` is a WSGI app (flask 3.1)", 2), "at the first command nothing was recognised")
        self.assertEqual(one.estimate[0], 90)
        self.assertEqual(one.verdict, "`b` and `a` lead 2 ways to serve `/` and cannot be told apart: 1 and 2, of `a`.")
        self.assertEqual(one.deployed, ["a", "b"], "what it says, and what is as good")
        self.assertIsNone(one.unstarted)
        self.assertTrue(document.met(outcome.of(one, "weir 9.9")))

    def test_what_is_made_for_development_is_not_deployed_as_long_as_there_is_another_one(self):
        run = json.loads(RUN)
        del run["judged"]["decision"]
        lead = run["judged"]["lead"]
        one = typing_in.Walk(app(), run=run)
        self.assertEqual((one.deployed, deploying.to_deploy(run)), (["b", "a"], "b"), "what is surely worse is not deployed")
        lead["development"] = ["b"]
        self.assertEqual((one.deployed, deploying.to_deploy(run)), (["a"], "a"))
        lead["development"] = lead["rivals"]
        self.assertEqual(deploying.to_deploy(run), "b")

    def test_files_that_do_not_serve_the_app_miss_the_goal(self):
        one = outcome.of(walk.walk(app(commands=["weir try ok"], env={"BROKEN": "yes"}), self.weir), "weir 9.9")
        self.assertEqual(one.unstarted, "`start.sh` ended with 7: no such module: last:a")
        self.assertIn("| no | **missed** |", document.row(one))
        elsewhere = RUN.replace("/shop", "/other").replace("\n", "")
        with mock.patch.object(deploying, "PATIENCE", 3):
            one = walk.walk(app(commands=[f"weir try ok && echo '{elsewhere}' > $XDG_DATA_HOME/run"]), self.weir)
        self.assertIn("status 404, not 200", one.unstarted)

    def test_a_quick_walk_asks_for_no_time(self):
        one = walk.walk(app(commands=["weir try ok --budget 2m"]), self.weir, quick=True)
        self.assertEqual(one.typed[0].command, f"weir try ok {typing_in.QUICK}")

    def test_an_app_without_a_result_misses_the_goal_however_fast(self):
        one = outcome.of(walk.walk(app(commands=["weir try"]), self.weir), "weir 9.9")
        self.assertFalse(document.met(one))
        self.assertIn("no result after", document.row(one))
        self.assertIn("**missed**", document.row(one))
        self.assertIn("nothing in `.` says what app it is", "\n".join(document.told(one)))

    def test_a_result_after_the_goal_is_printed_as_missed(self):
        one = walk.walk(app(commands=["weir try ok"]), self.weir)
        self.assertEqual(one.recognised, ("`shop` is a WSGI app (flask 3.1)", 1))
        one.typed[0].seconds = document.GOAL + 1
        late = outcome.of(one, "weir 9.9")
        self.assertIn("| 5.02 min | **90 s, 5.02 min** | yes | **missed** |", document.row(late))
        self.assertIn("0 of 1 apps", document.page([late]))
        self.assertIn("a factor of two: 0 of 1", document.page([late]))

    def test_an_app_that_cannot_be_made_says_which_command_failed(self):
        one = walk.walk(app(make=["echo no such thing; exit 3"]), self.weir)
        self.assertIn("ended with code 3: no such thing", one.unmade)
        self.assertIn("**missed**", document.row(outcome.of(one, "weir 9.9")))
        one = walk.walk(app(needs=["no-such-program"]), self.weir)
        self.assertIn("`no-such-program` is not installed", one.unmade)

    def test_a_folder_a_file_and_a_variable_are_as_the_app_says(self):
        seen = "test -e sub/here && test \"$WHERE\" = {place}/x && weir try ok"
        one = walk.walk(app(files={"below/sub/here": "x"}, folder="below", env={"WHERE": "{place}/x"}, commands=[seen]),
                        self.weir)
        self.assertIsNotNone(one.run, one.typed[0].lines)

    def test_a_command_that_does_not_end_is_interrupted(self):
        with mock.patch.object(typing_in, "LIMIT", 3):
            one = typing_in.one_typed("echo first; exec sleep 60", self.place, dict(os.environ))
        self.assertNotEqual(one.code, 0)
        self.assertIn("did not end within", one.why())
        self.assertEqual(one.lines[0][2], "first")

    def test_a_command_that_is_given_up_is_ended_with_what_it_started(self):
        class GivenUp(BaseException):
            pass
        started = []

        def read(child, _until):
            started.append(int(os.read(child.stdout.fileno(), 100)))
            yield from ()
            raise GivenUp
        with mock.patch.object(typing_in, "read", read), self.assertRaises(GivenUp):
            typing_in.one_typed("sleep 600 & echo $!; wait", self.place, dict(os.environ))
        until = time.monotonic() + 60
        while running(started[0]):
            self.assertLess(time.monotonic(), until, "it is still there")
            time.sleep(0.01)

    def test_what_came_of_an_app_is_kept_and_the_document_has_all(self):
        two = {"shop": app(), "bare": app(name="bare", make=["exit 1"])}
        document_file = self.place / "all.md"
        with mock.patch.dict(os.environ, {"WEIR": str(self.weir)}), mock.patch.object(apps, "all_of", return_value=two), \
                mock.patch.object(walk, "DOCUMENT", document_file), \
                mock.patch.object(walk.stamp, "commit", return_value="abc"), \
                mock.patch.object(outcome, "machine", return_value="9 cores of Z, Debian"), \
                mock.patch.object(walk, "OUTCOMES", self.place / "kept"), contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(walk.main(["shop"]), 0)
            self.assertFalse(document_file.exists(), "the other one was not walked")
            with mock.patch.dict(os.environ, {"QUICK": "yes"}):
                self.assertEqual(walk.main(["bare"]), 1)
            self.assertFalse(document_file.exists(), "a quick walk is not kept")
            self.assertEqual(walk.main(["bare"]), 1)
            text = document_file.read_text()
        self.assertIn("1 of 2 apps", text)
        self.assertRegex(text, r"\n\nweir 9.9 \(abc\), \d{4}-\d\d-\d\d, 9 cores of Z, Debian\.\n\n")
        self.assertIn("`weir try ok`: code 0", text)
        self.assertNotIn(str(self.place), text)

    def test_an_app_that_is_not_there_is_refused(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(walk.main(["nothing"]), 2)
        self.assertIn("there are aiohttp, ", said.getvalue())


class Documents(unittest.TestCase):
    def test_what_others_say_stays_in_its_cell(self):
        text = document.cell("a | b\n## c\x1b[31m <script>" + "x" * 1000)
        self.assertEqual(text.replace("\\|", "").count("|"), 0)
        self.assertNotRegex(text, r"[\n\x1b]|<script")
        self.assertLess(len(text), document.LONGEST + 3)

    def test_the_last_line_is_the_digest_of_all_above(self):
        text = document.page([])
        above = text[:text.rindex("<!-- ")]
        self.assertTrue(text.endswith(document.signed(above)[len(above):]))
        self.assertNotEqual(document.signed(above + "x")[-70:], text[-70:])

    def test_what_was_walked_with_another_commit_is_told_apart(self):
        old = outcome.Outcome("shop", "A shop", "https://example.org/", "2026-01-02", "weir 9.9")
        new = outcome.Outcome("bare", "A shop", "https://example.org/", "2026-02-03", "weir 9.9", commit="abc", machine="1 core")
        text = document.page([old, new])
        was = "weir 9.9 (of a commit that nobody wrote down), 2026-01-02, a machine that nobody wrote down"
        self.assertIn(f"\n\n1 of 2 by {was}; 1 of 2 by weir 9.9 (abc), 2026-02-03, 1 core.\n\n", text)
        self.assertIn(f"A shop ([how it is made](https://example.org/)). {was}.\n", text)

    def test_durations_are_read_as_weir_prints_them(self):
        for text, seconds in [("46.9 s", 46.9), ("1.5 min", 90), ("350 ms", 0.35), ("4.27 h", 15372)]:
            self.assertAlmostEqual(typing_in.duration(text), seconds)


class Apps(unittest.TestCase):
    known = apps.all_of(HERE / "apps")

    def test_there_are_twenty_of_every_kind(self):
        self.assertGreaterEqual(len(self.known), 20)
        kinds = {program for one in self.known.values() for program in one.needs}
        self.assertLessEqual({"python3", "node", "go", "ruby", "mvn", "php", "cargo"}, kinds)

    def test_none_is_made_with_an_app_server(self):
        servers = {"gunicorn", "uvicorn", "waitress", "hypercorn", "granian", "puma", "fastapi[standard]"}
        for one in self.known.values():
            words = {word.strip("'\"").split("==")[0] for command in one.make for word in command.split()}
            self.assertFalse(words & servers, one.name)

    def test_a_key_that_no_app_has_is_refused(self):
        with tempfile.TemporaryDirectory() as place:
            file = pathlib.Path(place) / "x.toml"
            for text, flaw in [("what='' \nsource=''\nmake=[]\ncommands=['a']\nmade=1", "made"), ("what=''", "commands"),
                               ("what=''\nsource=''\nmake=[]\ncommands=[]", "lists")]:
                file.write_text(text)
                with self.assertRaisesRegex(ValueError, flaw):
                    apps.read(file)


if __name__ == "__main__":
    unittest.main()
