"""The tools that are compared: what they say, what they lack, where their time goes and what they hold."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import floor
import lab
import logs
import peers
import tools
from lab import Failed, Unmeasured
from tools import Tool


class Floors(unittest.TestCase):
    samples = ("    7 \n\tffffffff821e8f67 tcp_sendmsg ([kernel.kallsyms])\n\tffffffff821e0000 __x64_sys_sendto ([kernel.kallsyms])\n"
               "\t55d000 Send::send (/x/examples/engine)\n\n    7 \n\t7f0012 __libc_recv (/usr/lib/libc.so.6)\n\t55d000 main (/x/examples/engine)\n\n"
               "    7 \n\t55d012 <load::worker::Worker<S>>::next (/x/examples/engine)\n\n    9 \n\t55d013 [unknown] (/x/examples/engine)\n\n"
               "    7 \n\t7ffd5a3f0a10 __vdso_clock_gettime ([vdso])\n\t55d012 main (/x/examples/engine)\n\n")

    def test_samples_are_told_apart_by_where_their_code_lies(self):
        found = floor.read(self.samples, 250, "engine")
        self.assertEqual([found.of(whose) for whose in (floor.KERNEL, floor.LIBC, floor.OWN)], [2.0, 4.0, 4.0])
        self.assertIn((floor.LIBC, "__vdso_clock_gettime"), found.by_stack)
        self.assertIn((floor.OWN, "<load::worker::Worker<S>>::next"), found.by_name)
        self.assertEqual(found.total, 10.0)
        self.assertEqual(found.outside, {(floor.OWN, "[unknown]"): 2.0})
        self.assertIn((floor.KERNEL, "__x64_sys_sendto", "tcp_sendmsg"), found.by_stack)

    def test_the_difference_has_the_stacks_of_both(self):
        ours = floor.Profile(3.0, {}, {(floor.KERNEL, "a", "b"): 2.0, (floor.OWN, "x;y"): 1.0})
        text = floor.difference(ours, floor.Profile(1.5, {}, {(floor.KERNEL, "a", "b"): 1.5}))
        self.assertEqual(text, "its own;x:y 0 1000\nthe kernel;a;b 1500 2000\n")

    def test_what_takes_the_most_above_the_bare_loop_comes_first(self):
        ours = floor.Profile(3.0, {(floor.KERNEL, "a"): 2.0, (floor.OWN, "b"): 1.0})
        ours.outside = {(floor.OWN, "b"): 0.25}
        first, *_, above, last = floor.told("x", [ours], [floor.Profile(1.5, {(floor.KERNEL, "a"): 1.5})])
        self.assertEqual(above.figure, f"`b` +1.00 us ({floor.OWN}), `a` +0.50 us ({floor.KERNEL})")
        self.assertEqual(last.figure, f"0.25 us: `b` 0.25 us ({floor.OWN})")
        self.assertEqual(first.values, ["weir 3.00 us, bare 1.50 us"])

    def test_of_several_runs_the_mean_counts(self):
        found = floor.mean([floor.Profile(2.0, {"a": 2.0}, {"a": 2.0}), floor.Profile(4.0, {"a": 1.0, "b": 3.0}, {"b": 4.0}, {"b": 1.0})])
        self.assertEqual(found, floor.Profile(3.0, {"a": 1.5, "b": 1.5}, {"a": 1.0, "b": 2.0}, {"b": 0.5}))

    def test_a_profile_of_a_program_without_names_is_none(self):
        def of(nameless):
            return floor.Profile(9.0, {(floor.KERNEL, floor.NAMELESS): 8.0, (floor.OWN, floor.NAMELESS): nameless, (floor.OWN, "a"): 0.9})
        self.assertEqual(floor.named(of(0.05)), of(0.05))
        self.assertRaisesRegex(Unmeasured, "`weir` is stripped, so that 0.15 us .* `make build-named`", floor.named, of(0.15))
        server = mock.MagicMock()
        server.return_value.__enter__.return_value.url.return_value = "http://127.0.0.1:1/"
        for nameless in 0.05, 0.15:
            with mock.patch.object(floor, "server", server), \
                    mock.patch.object(floor, "profile", lambda *_, nameless=nameless: of(nameless)):
                said = "\n".join(row.figure for row in floor.floor())
            self.assertEqual("not measured: `weir` is stripped" in said, nameless > 0.1, said)

    def test_a_picture_says_of_which_commit_it_is(self):
        profiles = [floor.Profile(2.0, {}, {(floor.KERNEL, "a"): 2.0})]
        drawn = mock.Mock(return_value=mock.Mock(stdout="<svg/>"))
        with tempfile.TemporaryDirectory() as place, mock.patch("floor.both", return_value=(profiles, profiles)), \
                mock.patch("tools.build_bare"), mock.patch("tools.there"), mock.patch("stamp.commit", return_value="abc1234"), \
                mock.patch("subprocess.run", drawn):
            floor.draw(f"{place}/a.svg")
            self.assertEqual((pathlib.Path(place) / "a.svg").read_text(), "<svg/>")
        argv = drawn.call_args.args[0]
        self.assertIn("; abc1234, Linux ", argv[argv.index("--subtitle") + 1])


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

    def test_weir_says_what_its_engine_took(self):
        self.assertEqual(tools.weir.engine(self.load(engine={"cpu_user": 1.5, "cpu_system": 2.5})), (1.5, 2.5))
        self.assertEqual(tools.wrk.engine("7 requests in 1s"), ())

    def test_what_weir_says_of_its_event_loop_is_remembered(self):
        with mock.patch.object(tools, "in_use", set()):
            tools.weir_completed(self.load())
            self.assertEqual(tools.in_use, set())
            tools.weir_completed(self.load(engine={"reactor": "ring"}))
            self.assertEqual(tools.in_use, {"io_uring"})
            self.assertEqual(tools.engine.completed('{"completed":7,"reactor":"poll"}\n'), 7)
            self.assertEqual(tools.in_use, {"io_uring", "epoll"})

    def test_no_calibration_chooses_the_event_loop_of_weir(self):
        for tool, reactor in (tools.weir, "poll"), (tools.weir_ring, "ring"), (tools.weir_kept, tools.KEPT):
            argv = tool.argv("http://127.0.0.1:1/", 1, 1)
            self.assertEqual(argv[argv.index("--reactor") + 1], reactor)
        self.assertEqual(tools.bare_kept.name, f"bare {tools.LOOPS[tools.KEPT]} loop")
        for old in "5.10.0-28-amd64", "6.11.2":
            with mock.patch("platform.release", return_value=old):
                self.assertFalse(tools.has_ring(), old)

    def test_a_program_without_a_table_of_symbols_has_no_names(self):
        for sections, named in ("  [29] .symtab  SYMTAB\n  [30] .strtab  STRTAB\n", True), ("  [28] .dynsym  DYNSYM\n", False):
            with mock.patch("subprocess.run", return_value=mock.Mock(stdout=sections)):
                self.assertEqual(tools.has_names(), named)

    def test_siege_counts_its_transactions_and_none_may_fail(self):
        said = '{\t"transactions":\t\t\t      120000,\n\t"successful_transactions":\t      120000,\n\t"failed_transactions":\t\t%12u,\n}'
        self.assertEqual(tools.siege.completed(said % 0), 120_000)
        self.assertRaises(Unmeasured, tools.siege.completed, said % 3)

    def test_a_tool_that_does_not_know_its_version_has_the_one_that_was_noted(self):
        def says(printed, program="/x/hey", tool=tools.bombardier):
            def run(argv, **_how):
                said = "/x/hey: go1.26\n\tpath\ta/b\n\tmod\ta/b\tv0.1.5\th1:abc\n" if argv[0] == "go" and program == "/x/hey" else printed
                return mock.Mock(stdout=said, stderr="")
            with mock.patch("shutil.which", return_value=program), mock.patch("subprocess.run", run):
                return tool.says()
        self.assertEqual(says("one\nversion 1.2 of it\n"), "version 1.2 of it")
        self.assertEqual(says("version unspecified\n"), "a/b v0.1.5")
        self.assertEqual(says("", program="/x/other"), tools.UNKNOWN)
        self.assertIsNone(says("", program=None))
        with tempfile.TemporaryDirectory() as place, mock.patch.object(tools, "PEERS", pathlib.Path(place)):
            (tools.PEERS / "gcannon.made").write_text("https://example.com/gcannon 0123456789abcdef0123 https://example.com/b fedcba9876543210\n")
            self.assertEqual(says("", f"{place}/bin/gcannon", tools.gcannon), "commit 0123456789ab")
            self.assertEqual(says("", "/usr/bin/gcannon", tools.gcannon), tools.UNKNOWN)

    def test_what_is_missing_says_what_to_do_about_it(self):
        def missing(tool):
            with mock.patch("shutil.which", return_value=None), self.assertRaises(Unmeasured) as raised:
                tool.run("http://127.0.0.1:1/", 1, 1)
            return str(raised.exception)
        self.assertEqual(missing(tools.oha), "`oha` is not installed; `make bench-peers` installs it")
        self.assertIn("builds it", missing(tools.gcannon))
        self.assertIn("builds it", missing(tools.zrk))
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

    def test_kataribe_counts_what_its_first_table_says(self):
        said = "Top 20 Sort By Count\nCount  Total  Request\n   12  3.000  /a\n    5  9.000  /b\n\nTop 20 Sort By Total\nCount\n   12  /a\n"
        self.assertEqual(logs.kataribe_counted(said), 17)
        self.assertRaises(Unmeasured, logs.kataribe_counted, "open kataribe.toml: no such file")


class Server(unittest.TestCase):
    def test_what_cannot_be_made_leaves_no_folder_behind(self):
        with tempfile.TemporaryDirectory() as place, mock.patch("tempfile.tempdir", place), \
                mock.patch("shutil.which", return_value="/usr/sbin/nginx"):
            for error, says in (FileNotFoundError(), "`openssl` is missing"), \
                    (subprocess.CalledProcessError(1, "openssl", stderr="error: no entropy\n"), "error: no entropy"):
                with mock.patch("subprocess.run", side_effect=error), self.assertRaisesRegex(Unmeasured, says), lab.server():
                    pass
            self.assertEqual(os.listdir(place), [])


class Memory(unittest.TestCase):
    def test_what_runs_behind_a_shell_is_counted(self):
        waits = "import sys; held = bytearray(64 << 20); print('holds', flush=True); sys.stdin.read()"
        shell = f"sleep 3 | {sys.executable} -c {shlex.quote(waits)} | cat"
        tool = Tool("behind-a-shell", None, lambda said: 1)
        spent = lab.measure(tool, ["bash", "-c", shell], core=None)
        self.assertGreater(spent.peak, 64 << 10)
