"""The load generators: how each is called for the same work, and how it says what it has done."""

import ctypes
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass
from typing import Callable

from lab import PEERS, ROOT, TARGET, Failed, Unmeasured, measure

BROUGHT = "`make bench-peers` installs it"
"""Of most peers."""


def there(name, program, hint=BROUGHT):
    """A program that is missing is an error that says what to do."""
    if not shutil.which(program):
        raise Unmeasured(f"`{name}` is not installed; {hint}")


@dataclass
class Tool:
    name: str
    argv: Callable
    """(url, connections, seconds) to arguments."""
    completed: Callable
    version: tuple = ("--version",)
    good: tuple = (0,)
    """Exit codes of a run that counts."""
    trouble: type = Unmeasured
    """What another one means."""
    hint: str = BROUGHT
    """What to do where it is missing."""
    needs: str | None = None
    """Its program, where another one starts it."""
    engine: Callable = lambda said: ()
    """From what it prints to the CPU seconds of its load engine in user mode and in the kernel; of most this is not known."""
    named: str | None = None
    """The word by which a table names what it made, where that is not its name."""

    def run(self, url, connections, seconds, *extra, **how):
        """Loads `url` and says what that cost."""
        argv = [str(part) for part in self.argv(url, connections, seconds)]
        there(self.name, self.needs or argv[0], self.hint)
        return measure(self, [*argv, *map(str, extra)], **how)

    def says(self):
        """Its version, as it prints it itself, or else as Go noted it when it was built; None where the tool is not there."""
        program = shutil.which(self.needs or str(self.argv("http://127.0.0.1:1/", 1, 1)[0]))
        if not program:
            return None
        return made_of(program) or printed(program, self.version) or noted(program) or UNKNOWN


UNKNOWN = "its version is not known"


def made_of(program):
    """The commit that `make bench-peers` built it of, where that is what was noted."""
    note = PEERS / f"{pathlib.Path(program).name}.made"
    if pathlib.Path(program).parent != PEERS / "bin" or not note.exists():
        return None
    return f"commit {re.search('[0-9a-f]{12}', note.read_text())[0]}"


def printed(program, version):
    """The first line with a version in what it prints of itself."""
    if not version:
        return None
    # siege makes a folder in HOME whatever it is asked
    done = subprocess.run([program, *version], capture_output=True, text=True, check=False, env={**os.environ, "HOME": str(PEERS)})
    lines = [line for line in (done.stdout + done.stderr).splitlines() if re.search(r"\d+\.\d+", line)]
    return lines[0].strip() if lines else None


def noted(program):
    """The module's version that Go wrote into it."""
    if not shutil.which("go"):
        return None
    said = subprocess.run(["go", "version", "-m", program], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(?m)^\tmod\t(\S+)\t(\S+)", said)
    return f"{found[1]} {found[2]}" if found else None


def number(pattern):
    """The sum of the numbers that a pattern finds; none is an error."""
    def read(said):
        found = re.findall(pattern, said)
        if not found:
            raise Unmeasured(f"nothing like `{pattern}` in: {said[-300:]}")
        return sum(int(one) for one in found)
    return read


def unless(trouble, read):
    """What `read` finds, unless a line says that not all went well."""
    def looked_at(said):
        if found := re.search(trouble, said):
            raise Unmeasured(found[0].strip())
        return read(said)
    return looked_at


LOOPS = {"poll": "epoll", "ring": "io_uring"}
"""The event loops of weir's load engine, by the names that it has for them."""
in_use = set()
"""Over which of them weir said that it ran, since somebody cleared this."""


def note_loop(facts):
    """Remembers the event loop, where weir's facts name one."""
    if "reactor" in facts:
        in_use.add(LOOPS[facts["reactor"]])


def weir_load(said):
    """The facts of the one load in what weir printed as JSON."""
    load = json.JSONDecoder().raw_decode(said[said.index("{"):])[0]["trials"][0]["outcome"]["measured"]["load"]
    note_loop(load.get("engine", {}))
    return load


def weir_completed(said):
    load = weir_load(said)
    if load["failed"] or load["timed_out"]:
        raise Failed(f"weir failed {load['failed']}, timed out {load['timed_out']}")
    # of those that were under way at the end of the window the others were answered wrongly or not at all
    if load["in_flight"] != load["drained"]:
        raise Failed(f"weir had {load['in_flight']} requests under way at the end, and the right answer to {load['drained']} of them")
    return load["completed"] + load["drained"]


def weir_engine(said):
    """CPU seconds of its worker threads, which load, in either mode; what it did before and after, and observing, is not in it."""
    engine = weir_load(said)["engine"]
    return engine["cpu_user"], engine["cpu_system"]


def engine_completed(said):
    """Of what the load engine alone printed."""
    facts = json.loads(said)
    note_loop(facts)
    return facts["completed"]


def gcannon_completed(said):
    """Its responses, those of its warm-up included: it opens its connections and asks for 0.1 s before it sets its counters
    to 0 and starts its clock (src/main.c: `nanosleep`, `memset` of `stats`), and its CPU time has them. They are taken to come
    at the pace of the others: that is too many, in its favour, where it opens connections for a part of that time."""
    try:
        facts, _ = json.JSONDecoder().raw_decode(said[max(said.find("{"), 0):])
        # a connection that breaks is opened again, and no error (src/worker.c: `reconnect`)
        broken = {**facts["errors"], "reconnects": facts["reconnects"]}
        answered = facts["responses"] * (facts["elapsed_sec"] + 0.1) / facts["elapsed_sec"]
    except (ValueError, KeyError) as error:
        raise Unmeasured(f"`gcannon` prints another JSON than 0.5.3 does: {error!r}") from error
    if any(broken.values()):
        raise Unmeasured("`gcannon` has errors: " + ", ".join(f"{name} {count:,}" for name, count in broken.items()))
    return round(answered)


def k6(url, connections, seconds):
    script = PEERS / "k6.js"
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(f'import http from "k6/http"; export default function () {{ http.get("{url}"); }}')
    return ["k6", "run", "--vus", connections, "--duration", f"{seconds}s", "--quiet", "--insecure-skip-tls-verify", script]


SIEGE = "connection = keep-alive\nprotocol = HTTP/1.1\nverbose = false\nlogging = false\nparser = false\nfollow-location = false\n"
"""Its settings: those that it comes with close the connection after each request."""


def siege(url, connections, seconds):
    settings = PEERS / "siege.conf"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(SIEGE)
    # without a folder of its own in HOME it makes one there
    return ["env", f"HOME={PEERS}", "siege", "-b", "-j", "-c", connections, "-t", f"{seconds}S", "-R", settings, url]


BARE = ("bare_epoll", "bare_ring")
"""What the kernel asks for by either of its ways, each a program in C beside this file."""


def bare(name):
    """How one of them is run."""
    def command(url, connections, seconds):
        host, path = url.removeprefix("http://").split("/", 1)
        return [PEERS / "bin" / name, *host.split(":"), f"/{path}", connections, seconds]
    return command


def build_bare():
    """Compiles the bare loops, as fast as the compiler makes them."""
    (PEERS / "bin").mkdir(parents=True, exist_ok=True)
    for name in BARE:
        subprocess.run(["cc", "-O3", "-o", PEERS / "bin" / name, ROOT / f"bench/{name}.c"], check=True)


OURS = "`make bench` builds it"
IO_URING_SETUP = 425
"""The system call, which `ctypes` has no name for."""


def has_ring():
    """Whether weir can run over io_uring here: Linux has what weir needs of it since 6.12, and may forbid it."""
    if [int(part) for part in re.findall(r"\d+", platform.release())[:2]] < [6, 12]:
        return False
    # a ring of one entry, set up by 120 bytes of zeros (`struct io_uring_params`)
    ring = ctypes.CDLL(None).syscall(ctypes.c_long(IO_URING_SETUP), ctypes.c_long(1), ctypes.create_string_buffer(120))
    if ring >= 0:
        os.close(ring)
    return ring >= 0


def has_names():
    """Whether weir has a table of symbols: without one no profile names its functions."""
    if not shutil.which("readelf"):
        return False
    said = subprocess.run(["readelf", "-S", TARGET / "release/weir"], capture_output=True, text=True, check=False)
    return ".symtab" in said.stdout


KEPT = "ring" if has_ring() else "poll"
"""The event loop for short bodies over kept HTTP/1.1 connections without TLS: that which `--reactor auto` takes where `weir calibrate`
has found io_uring to be cheaper. No calibration that happens to lie here decides, and all else is loaded over epoll."""


# Every answer's status is checked, and with `--equals` its body. 4 says that weir
# doubts its figures, as it does of a generator that is busy all the time; the work was done.
def weir_over(reactor, threads=1):
    """weir over one of its event loops, with so many threads."""
    return Tool("weir", lambda url, connections, seconds: [
        TARGET / "release/weir", "bench", url, "-c", connections, "-d", f"{seconds}s", "-t", threads, "--reactor", reactor,
        "--warm-up", "0s", "--json", "--quiet"], weir_completed, good=(0, 4), trouble=Failed, hint=OURS,
        engine=weir_engine)


weir, weir_ring, weir_kept = (weir_over(reactor) for reactor in ("poll", "ring", KEPT))
# its load engine alone, over epoll (`-r` would be io_uring): there each request is sent by a call of its own, and when it left is known
engine = Tool("weir's engine", lambda url, connections, seconds: [
    TARGET / "release/examples/engine", url, "-c", connections, "-d", seconds, "-t", 1], engine_completed, trouble=Failed, hint=OURS)
wrk = Tool("wrk", lambda url, connections, seconds: [
    "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", url],
    unless(r"(?m)^ *(Socket errors|Non-2xx).*", number(r"(\d+) requests in")), ("-v",))
h2load = Tool("h2load", lambda url, connections, seconds: [
    "h2load", "-t1", f"-c{connections}", f"-D{seconds}", url], number(r"(\d+) succeeded,"))
h2load_h1 = Tool("h2load", lambda url, connections, seconds: [
    "h2load", "--h1", "-t1", f"-c{connections}", f"-D{seconds}", url], number(r"(\d+) succeeded,"))
# ab sets aside 32 bytes for each request that it may come to send
ab = Tool("ab", lambda url, connections, seconds: [
    "ab", "-q", "-k", "-t", seconds, "-n", 250_000 * seconds, "-c", connections, url],
    number(r"Complete requests:\s+(\d+)"), ("-V",))
ab_once = Tool("ab", lambda url, connections, seconds: [
    "ab", "-q", "-t", seconds, "-n", 250_000 * seconds, "-c", connections, url],
    number(r"Complete requests:\s+(\d+)"), ("-V",))
bare_epoll = Tool("bare epoll loop", bare("bare_epoll"), number(r"(\d+)"), hint=OURS)
bare_ring = Tool("bare io_uring loop", bare("bare_ring"), number(r"(\d+)"), hint=OURS)
# of the two the one that asks the kernel as `weir_kept` does
bare_kept = bare_ring if KEPT == "ring" else bare_epoll
gcannon = Tool("gcannon", lambda url, connections, seconds: [
    "gcannon", url, "-c", connections, "-t", 1, "-d", f"{seconds}s", "--json"], gcannon_completed,
    version=(), hint="`make bench-peers` builds it, from github.com/MDA2AV/gcannon")
oha = Tool("oha", lambda url, connections, seconds: [
    "oha", "--no-tui", "-z", f"{seconds}s", "-c", connections, "--output-format", "json", url], number(r'"200": (\d+)'))
hey = Tool("hey", lambda url, connections, seconds: [
    "hey", "-z", f"{seconds}s", "-c", connections, url], number(r"\[200\]\s+(\d+) responses"), ())
k6 = Tool("k6", k6, number(r"http_reqs\.*: (\d+)"), ("version",))
autocannon = Tool("autocannon", lambda url, connections, seconds: [
    "autocannon", "--json", "-c", connections, "-d", seconds, url], number(r'"2xx":(\d+)'), ("--version",))
vegeta = Tool("vegeta", lambda url, connections, seconds: [
    "bash", "-c", f"echo GET {url} | vegeta attack -rate 0 -max-workers {connections} -connections {connections}"
    f" -duration {seconds}s | vegeta report -type json"], number(r'"200":(\d+)'), (), needs="vegeta")
bombardier = Tool("bombardier", lambda url, connections, seconds: [
    "bombardier", "-c", connections, "-d", f"{seconds}s", "-o", "json", "-p", "r", url], number(r'"req2xx":(\d+)'))

rewrk = Tool("rewrk", lambda url, connections, seconds: [
    "rewrk", "-t", 1, "-c", connections, "-d", f"{seconds}s", "--json", "-h", url], number(r'"requests_total":\s*(\d+)'),
    hint="`make bench-peers` builds it, where libssl-dev and pkg-config are")
siege = Tool("siege", siege, unless(r'"failed_transactions":\s*[1-9]\d*', number(r'"transactions":\s*(\d+)')), needs="siege")
# it has a rate: one that no server reaches keeps all connections busy
zrk = Tool("zrk", lambda url, connections, seconds: [
    "zrk", "-t", 1, "-c", connections, "-d", f"{seconds}s", "-R", 1_000_000, "--plain", "--format", "json",
    "--max-error-rate", 0, url], number(r'"requests": (\d+)'), hint="`make bench-peers` builds it, from github.com/zoxy-io/zrk")

PEERS_OF_THE_FIELD = [wrk, ab, h2load_h1, gcannon, zrk, rewrk, oha, bombardier, hey, siege, vegeta, k6, autocannon]
BESIDE_THEM = [Tool("C compiler of the bare loops", lambda *_: ["cc"], None, named="bare"), Tool("perf", lambda *_: ["perf"], None)]
"""What else a figure depends on."""
