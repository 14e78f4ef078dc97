"""Each doubt: a situation that it is about, built for real, and the nearest one that it is not about.

Most are loads of the origin beside this file (origin.py says what each query does), some with trouble meanwhile: weir or the
origin is stopped for a second. A doubt has to be raised in its situation, and not in its look-alike.
What only a hypervisor or a firmware does is told to weir by a file that stands in place of the kernel's. What cannot be built on
any machine is a row that says why, and counts as missed. All rows take 4 minutes; RUNS repeats them.
"""

import os
import pathlib
import time
import typing

import lab

TITLE = "Each doubt, and what looks like its reason"
REPEATS = 1
GOAL = "each doubt is raised in the situation that it is about, and not in the nearest look-alike"


class Load(typing.NamedTuple):
    """A load of the origin: in words, the query of its URL, arguments, what happens meanwhile, and arguments of the origin."""

    words: str
    query: str
    args: str
    trouble: str | None = None
    origin: tuple = ()


BUILT = (lab.BURNER, "cannot see", "CPU quota")
"""What a doubt names whose situation is built here: it is not of a program that happens to run."""
STOPPED_WEIR, STOPPED_ORIGIN = "weir is stopped", "the server is stopped"
COLD = "-c 4 -d 2s --warm-up 0s"
STEADY = Load("", "delay=0.005", COLD)
LONGER = "-c 4 -d 4s --warm-up 0s"
SHED = "-c 40 -d 3s --warm-up 0s --no-keep-alive"
BUSY = f"-t 1 -s {lab.HERE / 'busy.lua'}"
"""A script that takes a millisecond for each request."""
ROWS = [
    ("paused", Load("weir is stopped for a second", "delay=0.005", LONGER, STOPPED_WEIR),
     Load("the server is", "delay=0.005", LONGER, STOPPED_ORIGIN)),
    ("stalled", Load("the server is stopped for a second", "delay=0.005", LONGER, STOPPED_ORIGIN),
     Load("one request takes a second", "delay=0.005&slow=2000&once=yes", LONGER)),
    ("answers-differed", Load("one body in 50 lacks the expected text", "delay=0.005&wrong=50", f"{COLD} --contains hello"),
     Load("each body has a number of its own after it", "delay=0.005&number=yes", f"{COLD} --contains hello")),
    ("lengths-differed", Load("one body in 50 is a short one", "delay=0.005&wrong=50&body=1000", COLD),
     Load("each body has a number of its own after it", "delay=0.005&number=yes&body=1000", COLD)),
    ("errors", Load("one response in 100 has status 500", "delay=0.005&fail=100", COLD),
     Load("each has status 404, as expected", "delay=0.005&status=404", f"{COLD} --status 404")),
    ("unanswered", Load("a request is never answered", "delay=0.005&hang=100&once=yes", COLD),
     Load("a request is answered after the window", "delay=0.005&slow=100&once=yes&late=2.5", COLD)),
    ("time-in-failures",
     Load("one request in 300 hangs, the timeout is 0.3 s", "delay=0.002&hang=300", f"{COLD} --timeout 300ms"),
     Load("one in 300 takes 0.3 s", "delay=0.002&slow=300&late=0.3", f"{COLD} --timeout 1s")),
    ("warm-up", Load("the first 50 requests fail", "delay=0.005&early=50", "-c 4 -d 1s --warm-up 1s"),
     Load("the first 50 take 50 ms", "delay=0.005&early=50&late=0.05", "-c 4 -d 1s --warm-up 1s")),
    ("not-stationary", Load("response times rise and fall", "drift=0.02", "-c 4 -d 1s"),
     Load("the first 200 take 50 ms", "delay=0.005&early=200&late=0.05", "-c 4 -d 1s")),
    ("generator-saturated", Load("a script takes all of weir's only thread", "delay=0.001", f"{COLD} {BUSY}"),
     Load("the server's only thread is busy all the time", "", f"{COLD} -t 1")),
    ("long-turns", Load("a script takes a millisecond for each request, and the server 5", "delay=0.005", f"{LONGER} {BUSY}"),
     Load("the server does, one at a time", "serial=0.001", f"{LONGER} -t 1")),
    ("rate-not-held", Load("400 requests/s, the server manages 100", "serial=0.01", "-R 400 -c 50 -d 2s --warm-up 0s"),
     Load("it takes 50 ms for each, and many at once", "delay=0.05", "-R 400 -c 100 -d 2s --warm-up 0s")),
    ("connections", Load("8 connections of 50 ms for 400 requests/s", "delay=0.05", "-R 400 -c 8 -t 1 -d 3s --warm-up 500ms"),
     Load("8, and a server of one request at a time", "serial=0.01", "-R 400 -c 8 -t 1 -d 3s --warm-up 500ms")),
    ("late", Load("a script delays the requests by a millisecond", "", f"-R 400 -c 40 -d 2s --warm-up 0s {BUSY}"),
     Load("responses are late, and requests are not", "delay=0.02&slow=20&late=0.1", "-R 200 -c 40 -d 3s --warm-up 0s")),
    ("crowd", Load("one of 10 idle connections is never answered", "delay=0.005&hang=8&once=yes", f"{COLD} --idle 10"),
     Load("it is answered after a second", "delay=0.005&slow=8&once=yes", f"{COLD} --idle 10")),
    ("crowd", Load("50 idle connections, the server closes all beyond 20", "delay=0.005&limit=20", f"{COLD} --idle 50"),
     Load("10 idle connections", "delay=0.005&limit=20", f"{COLD} --idle 10")),
    ("not-kept-open", Load("the server says that it closes, after each response", "delay=0.002&close=1&announced=yes", COLD),
     Load("after 100", "delay=0.002&close=100&announced=yes", COLD)),
    ("not-kept-open", Load("it closes after each response, without a word", "delay=0.002&close=1", COLD),
     Load("after 100", "delay=0.002&close=100", COLD)),
    ("retransmits", Load("40 clients, an accept queue of 1", "", SHED, None, ("1",)),
     Load("the server is stopped for a second", "delay=0.005", LONGER, STOPPED_ORIGIN)),
    ("queue-full", Load("40 clients, an accept queue of 1", "", SHED, None, ("1",)),
     Load("40 clients, one of 1,000", "", SHED, None, ("1000",))),
    ("short-window", Load("20 requests of 2 ms", "delay=0.002", "-c 4 -n 20 --warm-up 0s"),
     Load("20 requests of 40 ms", "delay=0.04", "-c 4 -n 20 --warm-up 0s")),
    ("last-requests", Load("one of the last takes a second", "delay=0.005&slow=790&once=yes", "-c 4 -n 800 --warm-up 0s"),
     Load("one of the first does", "delay=0.005&slow=100&once=yes", "-c 4 -n 800 --warm-up 0s")),
    ("too-few-samples", Load("15 responses", "delay=0.04", "-c 4 -n 15 --warm-up 0s"),
     Load("25 responses", "delay=0.04", "-c 4 -n 25 --warm-up 0s")),
]
"""The doubt's name in JSON, a situation, and its look-alike."""
OWN = ("disturbed", "another program takes every core", "a program that the app started does")
"""The same with trials of weir's own stack: raised where it names that program."""
THEIRS = ("disturbed", "another program takes every core, beside a server that weir did not start", "nothing runs beside that server")
UNSEEN = ("disturbed", "the same, in a PID namespace that is not weir's", "nothing else runs, in a PID namespace of weir's own")
STARVED = ("starved", "another program takes a third of the stack's core, whenever it wants it", "four workers wait for each other there")
"""Little of the machine, but much of what the stack has. That it waits for cores does not say whose they are: raised where it is for
others, it names the program."""
QUOTA = ("starved", "weir is in a control group with a quota of half a core", "in one with a quota that it does not use up")
ROBBED = ("stolen-cpu", "`/proc/stat` says that other guests take a fifth of the CPU time", "it says that they take a fiftieth")
CLOCK = ("clock-changed", "the system says that the processors' clock goes from 3.0 to 2.4 GHz and back", "to 2.9 GHz and back")
"""What only a hypervisor and a firmware can do: files that say it stand in place of the kernel's, for weir alone."""
MEMORY = ("short-of-memory", "the app reads 300 MB in a control group of 200 MB", "in one of 4 GB")
NOT_BUILT = {
    "accounting": "it would be a bug of weir itself; tested on made-up facts",
    "littles-law": "times and rates of weir would contradict each other, which no server can do; tested on made-up facts",
}
APART = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
"""Runs what follows so that it sees no process but its own."""
PLAN = """app = "app"
blocks = 1
noise-floor = "none"

[load]
connections = 4
seconds = 2

[[variant]]
name = "one"
server = { entry = "gunicorn", workers = 2, worker-class = "sync" }
"""
ON_ONE = "cpus = { load = 1, stack = 1 }\n" + PLAN.replace("workers = 2", "workers = 4")
READS = """
import mmap, os, random, threading
PAGES = 150 * 256
def read():
    with open(f"{__file__}.{os.getpid()}", "w+b") as file:
        for _ in range(PAGES):
            file.write(b"x" * 4096)
        file.flush()
        pages = mmap.mmap(file.fileno(), 0)
        while True:
            pages[4096 * random.randrange(PAGES)]
threading.Thread(target=read, daemon=True).start()
"""
"""Reads pages of a file of 150 MB, in each of two workers."""
APP = """
import subprocess, sys
BURN = %r
%s
def app(environ, start):
    start("200 OK", [("Content-Type", "text/plain")])
    return [str(sum(range(20000))).encode()]
"""


def measure(weir):
    """Each row, as often as asked for."""
    kept = lab.begin(weir, __name__, rows=[])
    for _ in range(lab.runs(REPEATS)):
        for row in rows(weir):
            kept["rows"].append(row)
            print(words(row), flush=True)
            yield kept


def rows(weir):
    """Each look-alike before its situation, which may leave something behind: segments that TCP still sends again."""
    for kind, situation, look_alike in ROWS:
        calm = kinds(weir, look_alike)
        yield row((kind, situation.words, look_alike.words), kinds(weir, situation), calm)
    calm = beside_its_own(weir)
    yield row(OWN, beside_others(weir), calm)
    calm = kinds(weir, STEADY)
    with lab.burners(2 * os.cpu_count()):
        yield row(THEIRS, kinds(weir, STEADY), calm)
    calm = trial(weir, "", plan=ON_ONE)
    with lab.burners(1, lab.BURSTS):
        yield row(STARVED, trial(weir, "", plan=ON_ONE), calm)
    apart = trial(weir, "", APART)
    with lab.burners(2 * os.cpu_count()):
        yield row(UNSEEN, trial(weir, "", APART), apart)
    calm = within(weir, 100 * os.cpu_count())
    yield row(QUOTA, within(weir, 0.5), calm)
    calm = in_memory(weir, 4_000)
    yield row(MEMORY, in_memory(weir, 200), calm)
    calm = robbed(weir, 0.02)
    yield row(ROBBED, robbed(weir, 0.2), calm)
    calm = clocked(weir, 2.9)
    yield row(CLOCK, clocked(weir, 2.4), calm)


def row(named, situation, look_alike):
    """Which doubts were raised in the situation, and in its look-alike."""
    kind, *both = named
    return {"kind": kind, "words": both, "raised": [sorted(situation), sorted(look_alike)]}


def kinds(weir, load, around=()):
    """The doubts about a load; `around` is a command that runs what follows it."""
    with lab.origin(*load.origin) as (origin, address):
        def stop(process):
            lab.stop(process if load.trouble == STOPPED_WEIR else origin, after=1.5, seconds=1)
        document = lab.bench(weir, f"{address}/?{load.query}", *load.args.split(), meanwhile=stop if load.trouble else None,
                             around=around)
    return {doubt["kind"] for doubt in lab.doubts(document)}


def beside_others(weir):
    with lab.burners(2 * os.cpu_count()):
        return trial(weir, "")


def beside_its_own(weir):
    """As many programs, which are the app's."""
    return trial(weir, "for _ in range(2): subprocess.Popen([sys.executable, '-c', BURN])")


def robbed(weir, share):
    """The doubts about a load while the kernel's file says that other guests take so large a share of the CPU time."""
    began, ticks = time.monotonic(), os.sysconf("SC_CLK_TCK") * share / (1 - share)

    def stat():
        return lab.with_stolen(pathlib.Path("/proc/stat").read_text(), (time.monotonic() - began) * ticks)
    with lab.folder() as place, lab.saying(place / "stat", stat):
        return kinds(weir, STEADY, lab.instead(place / "stat", "/proc/stat"))


def clocked(weir, lower):
    """The same while the clock of each processor is said to run at 3 GHz and, every other second, at so many: weir looks about once
    a second, and sees both in three looks."""
    def kilohertz():
        return str(round(1e6 * (lower if int(time.monotonic()) % 2 else 3.0)))
    processors = sorted(pathlib.Path("/sys/devices/system/cpu").glob("cpu[0-9]*"))
    with lab.folder() as place:
        (place / "cpufreq").mkdir()
        with lab.saying(place / "cpufreq/scaling_cur_freq", kilohertz):
            return kinds(weir, STEADY._replace(args=LONGER), lab.instead(place, *processors))


def within(weir, cores):
    """A trial in a control group that may use so many cores."""
    with lab.quota(cores) as group:
        return trial(weir, "", inside(group))


def in_memory(weir, megabytes):
    """A trial of an app that reads much, in a control group that may have so much memory."""
    with lab.memory(megabytes) as group:
        return trial(weir, READS, inside(group))


def inside(group):
    """Runs what follows in a control group."""
    return ["sh", "-c", f"echo $$ > {group}/cgroup.procs && exec \"$@\"", "sh"]


def trial(weir, starts, around=(), plan=PLAN):
    """The doubts about a trial; where programs that happen to run disturbed it, of others' only those that name one that is
    there for it."""
    with lab.folder() as place:
        lab.wsgi(place, APP % (lab.BURN, starts))
        (place / "plan.toml").write_text(plan)
        document, _seconds = lab.run(weir, place, place / "plan.toml", "--budget", "30s", around=around)
    told = lab.doubts(document)
    strangers = any(doubt["kind"] == OWN[0] and not is_built(doubt) for doubt in told)
    of_others = (OWN[0], STARVED[0]) if strangers else ()
    return {doubt["kind"] for doubt in told if is_built(doubt) or doubt["kind"] not in of_others}


def is_built(doubt):
    return any(name in doubt["because"] for name in BUILT)


def right(row):
    situation, look_alike = row["raised"]
    return row["kind"] in situation and row["kind"] not in look_alike


def built():
    """The names of all rows that can be measured: doubt, situation, look-alike."""
    loads = ((kind, situation.words, look_alike.words) for kind, situation, look_alike in ROWS)
    return [*loads, OWN, THEIRS, STARVED, UNSEEN, QUOTA, MEMORY, ROBBED, CLOCK]


def met(kept):
    """Every doubt was built, and each time right."""
    return not NOT_BUILT and lab.all_right(kept, built(), right)


def words(row):
    situation, look_alike = ("raised" if row["kind"] in kinds else "not raised" for kinds in row["raised"])
    return f"{row['kind']}: {situation}; look-alike: {look_alike}{'' if right(row) else ' (wrong)'}"


def said(kept):
    measured = [found for named in built() if (found := lab.rows_of(kept, named))]
    good = sum(all(map(right, found)) for found in measured)
    return [
        f"{lab.measured(kept)}. In {good} of {len(measured)} rows the doubt is raised in its situation, and in its "
        f"look-alike it is not. {len(NOT_BUILT)} doubts cannot be built here. Of stolen time and of clocks a file that stands in "
        "place of the kernel's tells weir.", "",
        "| doubt | situation | raised | nearest look-alike | raised | |", "|---|---|---|---|---|---|", *map(line, measured),
        *lab.not_built(NOT_BUILT)]


def line(rows):
    kind, (situation, look_alike) = rows[0]["kind"], rows[0]["words"]
    first, second = (f"{sum(kind in row['raised'][side] for row in rows)} of {len(rows)}" for side in (0, 1))
    verdict = "" if all(map(right, rows)) else "**missed**"
    return f"| `{kind}` | {situation} | {first} | {look_alike} | {second} | {verdict} |"
