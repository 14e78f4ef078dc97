"""What the experiments share: weir's documents, an origin, apps and plans in temporary folders, trouble."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench"))
import stamp

KEPT = ROOT / "docs/trust"
"""What came of each experiment."""
PYTHON = ROOT / "apps/guestbook/.venv/bin/python"
"""The interpreter with Flask and gunicorn, of `make venv`."""
HERE = pathlib.Path(__file__).resolve().parent
BURNER = "core-burner"
BURN = f"""
import ctypes, os
ctypes.CDLL(None).prctl(15, b"{BURNER}")
parent = os.getppid()
while os.getppid() == parent:
    sum(range(100000))
"""
BURSTS = f"""
import ctypes, os, time
ctypes.CDLL(None).prctl(15, b"{BURNER}")
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
parent = os.getppid()
while os.getppid() == parent:
    until = time.monotonic() + 0.034
    while time.monotonic() < until:
        pass
    time.sleep(0.066)
"""
"""Takes a third of the first core, each time before whoever has it."""
"""A program of that name that takes a core until what started it has ended."""


LENGTH = 16_384
"""Bytes of a file that stands in place of one of the kernel's."""


class Unsaid(Exception):
    """weir printed no document."""


def runs(wanted):
    """How often: what the goal asks for, or RUNS."""
    return int(os.environ.get("RUNS") or wanted)


def begin(weir, name, **empty):
    """The facts of an experiment at its begin: when, with which weir, on what machine, and nothing yet. If MORE asks for it
    and there are any, those of before, to which more is added: each has its own stamp."""
    version = subprocess.run([weir, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    now = {"when": stamp.today(), "weir": version, "commit": stamp.commit(), "machine": stamp.machine()}
    file = KEPT / f"{name}.json"
    if not (os.environ.get("MORE") and file.exists()):
        return {**now, **empty}
    kept = json.loads(file.read_text())
    stamped(kept)
    return {**kept, **now}


def rows(kept):
    """All that was measured one after the other, whatever an experiment calls it."""
    return [row for each in kept.values() if isinstance(each, list) for row in each]


def stamped(kept, **more):
    """Puts on each row that has none the stamp of these facts: with what, when and where it was measured."""
    own = {key: kept[key] for key in ("weir", "commit", "when", "machine") if key in kept}
    for row in rows(kept):
        row.setdefault("by", own | more)


def measured(kept):
    """With what, when and where the facts were measured, and of how many commits they are, where these are several."""
    stamps = [row.get("by", kept) for row in rows(kept)] or [kept]
    commits = len({of.get("commit") for of in stamps})
    return (f"Of {commits} commits: " if commits > 1 else "") + stamp.told(stamps)


@contextlib.contextmanager
def folder():
    """A temporary folder, as long as this lasts."""
    with tempfile.TemporaryDirectory(prefix="weir-trust-") as place:
        yield pathlib.Path(place)


def wsgi(place, source, name="app"):
    """A WSGI app with one route, `/`, in a folder of its own."""
    app = place / name
    app.mkdir()
    (app / "app.toml").write_text(
        f'name = "{name}"\ninterface = "wsgi"\nentry = "served:app"\n\n[[routes]]\npath = "/"\nstatus = 200\n')
    (app / "served.py").write_text(source)


def run(weir, place, plan, *more, around=()):
    """What weir says of a run of this plan file, with its store in that folder, and the seconds that it took; `around` is a
    command that runs what follows it."""
    began = time.monotonic()
    said = subprocess.run([*around, weir, "--store", place / "weir.db", "run", plan, "--python", PYTHON, "--json", "--quiet",
                           "--out", place / "out", *more], check=False, capture_output=True, text=True)
    return document(said.stdout, said.stderr), time.monotonic() - began


def compare(weir, place, of, over):
    """What `weir compare` says of two variants of the last run in that folder's store; nothing where no trial counts."""
    said = subprocess.run([weir, "--store", place / "weir.db", "compare", f"last:{of}", f"last:{over}", "--json"],
                          check=False, capture_output=True, text=True)
    return json.loads(said.stdout) if said.stdout.startswith("[") else []


def bench(weir, url, *args, meanwhile=None, around=()):
    """What weir says of a load of one URL; `meanwhile` is called with its process while it is under way, and `around` is a
    command that runs what follows it."""
    with folder() as place:
        command = [*around, weir, "--store", place / "weir.db", "bench", url, "--json", "--quiet", *args]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                if meanwhile:
                    meanwhile(process)
                return document(*process.communicate())
            finally:
                process.kill()


def document(out, err):
    if not out.startswith("{"):
        raise Unsaid(f"weir said nothing: {err.strip()}")
    return json.loads(out)


def rows_of(kept, named):
    """What was measured of a row: its kind, its situation, its look-alike."""
    return [row for row in kept["rows"] if (row["kind"], *row["words"]) == named]


def whole(there):
    """Whether there are as many runs of each kind as the goal asks for: pairs of how many there are, and how many it wants."""
    return all(have >= wanted for have, wanted in there)


def all_right(kept, built, right):
    """Whether each row was measured, and each time right."""
    return all(rows_of(kept, named) and all(map(right, rows_of(kept, named))) for named in built)


def not_built(reasons):
    """A line for each kind of which no row can be built."""
    return [f"| `{kind}` | not built: {why} | – | – | – | **missed** |" for kind, why in reasons.items()]


def doubts(document):
    """The doubts of all trials of a document."""
    return [doubt for trial in document["judged"]["trials"] for doubt in trial.get("doubts", [])]


@contextlib.contextmanager
def origin(*args):
    """The origin beside this file, as long as this lasts: its process and its address."""
    command = [sys.executable, HERE / "origin.py", *args]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process, f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


@contextlib.contextmanager
def burners(number, does=BURN):
    """So many programs that take a core each, or do something else, as long as this lasts."""
    programs = [subprocess.Popen([sys.executable, "-c", does]) for _ in range(number)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def instead(stands, *files):
    """Runs what follows with a file, or a folder, in place of these: nothing else sees that."""
    each = 'of=$0; while [ "$1" != -- ]; do mount --bind "$of" "$1" || exit; shift; done; shift; exec "$@"'
    return ["unshare", "--mount", "sh", "-c", each, stands, *files, "--"]


@contextlib.contextmanager
def saying(file, text):
    """A file that says what a function says, anew 20 times a second, as long as this lasts: always as many bytes, and written in
    place, as it may be mounted elsewhere."""
    over, into = threading.Event(), os.open(file, os.O_WRONLY | os.O_CREAT)

    def put():
        os.pwrite(into, text().encode().ljust(LENGTH - 1) + b"\n", 0)

    def go_on():
        while not over.wait(0.05):
            put()
    writer = threading.Thread(target=go_on)
    try:
        put()
        writer.start()
        yield
    finally:
        over.set()
        if writer.ident:
            writer.join()
        os.close(into)


def with_stolen(stat, ticks):
    """What `/proc/stat` would say if other guests had taken so many ticks more of each processor; nothing of interrupts."""
    processors = stat.count("\ncpu")
    lines = (line.split() for line in stat.splitlines() if not line.startswith(("intr", "softirq")))
    return "".join(" ".join(stolen(words, int(ticks), processors)) + "\n" for words in lines)


def stolen(words, ticks, processors):
    """A line of it in words, with these ticks where it has such."""
    name, *counts = words
    if not name.startswith("cpu"):
        return words
    more = ticks * processors if name == "cpu" else ticks
    return [name, *counts[:7], str(int(counts[7]) + more), *counts[8:]]


def quota(cores, period=100_000):
    """The folder of a new control group whose programs may use so many cores, as long as this lasts."""
    used = round(cores * period)
    return group("cpu", {"cpu.cfs_period_us": period, "cpu.cfs_quota_us": used}, {"cpu.max": f"{used} {period}"})


def memory(megabytes):
    """The same, whose programs may have so much memory, files that they read included."""
    size = megabytes * 1_000_000
    return group("memory", {"memory.limit_in_bytes": size}, {"memory.max": size})


@contextlib.contextmanager
def group(controller, first, second):
    """The folder of a new control group with these settings, by version 1 or 2 of the kernel's interface."""
    root = pathlib.Path("/sys/fs/cgroup")
    old = (root / controller).is_dir()
    made = pathlib.Path(tempfile.mkdtemp(prefix="weir-trust-", dir=root / controller if old else root))
    try:
        for name, value in (first if old else second).items():
            (made / name).write_text(str(value))
        yield made
    finally:
        made.rmdir()


def stop(process, after, seconds):
    """Stops a process after a while, and lets it go on."""
    time.sleep(after)
    process.send_signal(signal.SIGSTOP)
    try:
        time.sleep(seconds)
    finally:
        process.send_signal(signal.SIGCONT)
