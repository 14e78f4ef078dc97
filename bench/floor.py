"""Where the time of a request goes, by name: weir, as it is where it has goals, beside the bare loop that asks the kernel in the same
way, each under perf on a core of its own.

    python3 bench/floor.py FILE.svg     draws the difference of the two as a flame graph, with inferno
"""

import collections
import itertools
import pathlib
import platform
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

import stamp
import tools
from goals import Row, comparison
from lab import LOAD_CORE, SECONDS, Failed, Unmeasured, server
from turns import rounds, there

RATE = 2000
"""Samples of CPU time per second."""
TURNS = 2
"""Runs of each program."""
MOST = 8
"""How many names are printed."""
LOADS = (("3 bytes, 100 connections", 100, "/"), ("3 bytes, 2,000 connections", 2000, "/"), ("7.4 KB, 100 connections", 100, "/7k"))
KERNEL, LIBC, OWN = "the kernel", "the C library and the vDSO", "its own"
NAMELESS = "[unknown]"
"""What perf calls a function that no table of symbols has."""
BARE = tools.bare_kept.name


@dataclass
class Profile:
    """Microseconds of CPU time per request, of all of a program and by (whose, name)."""

    total: float
    by_name: dict
    by_stack: dict = field(default_factory=dict)
    """The same by whose it is, the kernel's functions from the call on, and the function itself."""
    outside: dict = field(default_factory=dict)
    """As `by_name`, of all threads but the busiest one: that is weir's engine's, or the bare loop."""

    def of(self, whose):
        return sum(cost for (owner, _), cost in self.by_name.items() if owner == whose)


@comparison("What is left above the bare loop, by name", len(LOADS) * 2 * TURNS * (SECONDS + 2.5))
def floor():
    for what, connections, path in LOADS:
        try:
            yield from told(what, *both(connections, path))
        except (Unmeasured, Failed) as reason:
            yield Row(what, f"not measured: {reason}", "", None)


def both(connections, path):
    """Profiles of weir and of the bare loop, which take turns under one load."""
    with server() as nginx:
        def run(tool, *more):
            return lambda: profile(tool, [*tool.argv(nginx.url(path), connections, SECONDS), *more])
        found = rounds({"weir": run(tools.weir_kept, *nginx.body(path)), BARE: run(tools.bare_kept)}, TURNS)
    ours, bare = there(found["weir"], found[BARE])
    return [*map(named, ours)], bare


def named(ours):
    """A profile of weir, if it has the names of weir's functions."""
    nameless = ours.by_name.get((OWN, NAMELESS), 0.0)
    if nameless > ours.of(OWN) / 10:
        raise Unmeasured(f"`weir` is stripped, so that {nameless:.2f} us of its own have no name; `make build-named` builds it with names")
    return ours


def mean(profiles):
    """Of several runs of a program."""
    def of(part):
        sums = collections.Counter()
        for one in profiles:
            sums.update(part(one))
        return {name: cost / len(profiles) for name, cost in sums.items()}
    return Profile(sum(one.total for one in profiles) / len(profiles), of(lambda one: one.by_name), of(lambda one: one.by_stack),
                   of(lambda one: one.outside))


def profile(tool, argv):
    """Runs a program under perf."""
    argv = [str(part) for part in argv]
    tools.there("perf", "perf")
    tools.there(tool.name, argv[0], tool.hint)
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as folder:
        data = f"{folder}/perf.data"
        # its clock counts where a virtual machine has no counters
        record = ["perf", "record", "--quiet", "-g", "-e", "cpu-clock", "-F", str(RATE), "-o", data, "--", "taskset", "-c", LOAD_CORE]
        done = subprocess.run([*record, *argv], capture_output=True, text=True, timeout=120, check=False)
        if done.returncode not in tool.good:
            raise Unmeasured(f"`{tool.name}` under perf ended with {done.returncode}: {done.stderr.strip()[-200:]}")
        report = ["perf", "script", "-i", data, "-F", "tid,ip,sym,dso"]
        samples = subprocess.run(report, capture_output=True, text=True, timeout=120, check=True).stdout
    return read(samples, tool.completed(done.stdout), pathlib.Path(argv[0]).name)


def read(samples, requests, program):
    """What perf printed, a paragraph for each sample: the thread, the function itself and its callers below it, in each line an
    address, a name, and in brackets where that lies."""
    each = 1e6 / RATE / requests
    by_name, by_stack, threads = collections.Counter(), collections.Counter(), collections.defaultdict(collections.Counter)
    for sample in filter(str.strip, samples.split("\n\n")):
        thread, *lines = sample.strip("\n").splitlines()
        frames = [frame(words, program) for line in lines if len(words := line.split()) > 2]
        if not frames:
            continue
        # who called the kernel is another program's function in each of the two
        called = [name for _, name in itertools.takewhile(lambda one: one[0] == KERNEL, frames)] or [frames[0][1]]
        by_name[frames[0]] += each
        by_stack[(frames[0][0], *reversed(called))] += each
        threads[thread.strip()][frames[0]] += each
    busiest = max(threads, key=lambda thread: threads[thread].total(), default=None)
    outside = sum((names for thread, names in threads.items() if thread != busiest), collections.Counter())
    return Profile(by_name.total(), dict(by_name), dict(by_stack), dict(outside))


def frame(words, program):
    """Whose a function is, and its name. The kernel has the upper half of the addresses: what it lends to programs lies below."""
    place = words[-1].strip("()")
    upper = len(words[0]) == 16 and words[0].startswith("ffff")
    owner = KERNEL if upper else OWN if pathlib.Path(place).name == program else LIBC
    return owner, " ".join(words[1:-1]).split("+0x")[0]


def told(what, ours, bare):
    """Rows: what either takes, where, the names that take the most of it above the bare loop, and what weir takes in other
    threads than its engine's. Of several runs the mean."""
    values = [f"weir {one.total:.2f} us, bare {other.total:.2f} us" for one, other in zip(ours, bare)]
    ours, bare = mean(ours), mean(bare)
    yield Row(what, f"weir {ours.total:.2f} us CPU per request under perf, {BARE} {bare.total:.2f} us", "", None, values)
    for whose in (KERNEL, LIBC, OWN):
        yield Row(f"{what}: {whose}", f"weir {ours.of(whose):.2f} us, {BARE} {bare.of(whose):.2f} us", "", None)
    more = {name: cost - bare.by_name.get(name, 0.0) for name, cost in ours.by_name.items()}
    yield Row(f"{what}: most above the bare loop", most(more, "+"), "", None)
    names = f": {most(ours.outside)}" if ours.outside else ""
    yield Row(f"{what}: outside of weir's engine", f"{sum(ours.outside.values()):.2f} us{names}", "", None)


def most(costs, sign=""):
    """The names that take the most, and whose they are."""
    return ", ".join(f"`{name}` {cost:{sign}.2f} us ({whose})" for (whose, name), cost in collections.Counter(costs).most_common(MOST))


def difference(ours, bare):
    """Folded stacks with two counts each, the bare loop's and ours, in nanoseconds per request."""
    stacks = sorted(ours.by_stack.keys() | bare.by_stack.keys())
    counts = ((one.by_stack.get(stack, 0.0) for one in (bare, ours)) for stack in stacks)
    lines = (";".join(name.replace(";", ":") for name in stack) + "".join(f" {cost * 1000:.0f}" for cost in both)
             for stack, both in zip(stacks, counts))
    return "\n".join(lines) + "\n"


def draw(out):
    what, connections, path = LOADS[0]
    tools.build_bare()
    ours, bare = map(mean, both(connections, path))
    drawer = "inferno-flamegraph"
    tools.there(drawer, drawer)
    title = f"CPU time of a request ({what}): weir {ours.total:.2f} us, {BARE} {bare.total:.2f} us"
    when = f"{stamp.commit()}, Linux {platform.release()}, {stamp.today()}"
    argv = [drawer, "--title", title,
            "--subtitle", f"as wide as weir's; red is more than the bare loop's, blue is less; {when}",
            "--countname", "ns per request", "--nametype", ""]
    done = subprocess.run(argv, input=difference(ours, bare), capture_output=True, text=True, timeout=60, check=True)
    pathlib.Path(out).write_text(done.stdout)


if __name__ == "__main__":
    try:
        draw(sys.argv[1])
    except (IndexError, Unmeasured, Failed) as reason:
        sys.exit(f"error: {reason}\nhint: python3 bench/floor.py FILE.svg, after `make bench-peers`")
