"""Where the time of a request goes, by name: weir's engine beside a bare loop, each under perf on a core of its own.

    python3 bench/floor.py FILE.svg     draws the difference of the two as a flame graph, with inferno
"""

import collections
import itertools
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

import tools
from comparisons import Row, comparison
from lab import LOAD_CORE, SECONDS, Failed, Unmeasured, server

RATE = 2000
"""Samples of CPU time per second."""
MOST = 8
"""How many names are printed."""
LOADS = (("3 bytes, 100 connections", 100, "/"), ("3 bytes, 2,000 connections", 2000, "/"), ("7.4 KB, 100 connections", 100, "/7k"))
KERNEL, LIBC, OWN = "the kernel", "the C library", "its own"


@dataclass
class Profile:
    """Microseconds of CPU time per request, of all of a program and by (whose, name)."""

    total: float
    by_name: dict
    by_stack: dict = field(default_factory=dict)
    """The same by whose it is, the kernel's functions from the call on, and the function itself."""

    def of(self, whose):
        return sum(cost for (owner, _), cost in self.by_name.items() if owner == whose)


@comparison("What is left above the bare loop, by name", len(LOADS) * 2 * (SECONDS + 3))
def floor():
    for what, connections, path in LOADS:
        try:
            with server() as nginx:
                url = nginx.url(path)
                ours, bare = (profile(tool, tool.argv(url, connections, SECONDS)) for tool in (tools.engine, tools.bare_epoll))
        except (Unmeasured, Failed) as reason:
            yield Row(what, f"not measured: {reason}", "", None)
            continue
        yield from told(what, ours, bare)


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
        report = ["perf", "script", "-i", data, "-F", "ip,sym,dso"]
        samples = subprocess.run(report, capture_output=True, text=True, timeout=120, check=True).stdout
    return read(samples, tool.completed(done.stdout + done.stderr), pathlib.Path(argv[0]).name)


def read(samples, requests, program):
    """What perf printed, a paragraph for each sample with the function itself first and its callers below it: in each line an
    address, a name, and in brackets where that lies."""
    each = 1e6 / RATE / requests
    by_name, by_stack, total = collections.Counter(), collections.Counter(), 0.0
    for sample in samples.split("\n\n"):
        frames = [frame(words, program) for line in sample.splitlines() if len(words := line.split()) > 2]
        if not frames:
            continue
        # who called the kernel is another program's function in each of the two
        called = [name for _, name in itertools.takewhile(lambda one: one[0] == KERNEL, frames)] or [frames[0][1]]
        by_name[frames[0]] += each
        by_stack[(frames[0][0], *reversed(called))] += each
        total += each
    return Profile(total, dict(by_name), dict(by_stack))


def frame(words, program):
    """Whose a function is, and its name."""
    place = words[-1].strip("()")
    owner = KERNEL if place.startswith("[") else OWN if pathlib.Path(place).name == program else LIBC
    return owner, " ".join(words[1:-1]).split("+0x")[0]


def told(what, ours, bare):
    """Rows: what either takes, where, and the names that take the most of it above the bare loop."""
    yield Row(what, f"{tools.engine.name} {ours.total:.2f} us CPU per request, bare epoll loop {bare.total:.2f} us", "", None)
    for whose in (KERNEL, LIBC, OWN):
        yield Row(f"{what}: {whose}", f"{tools.engine.name} {ours.of(whose):.2f} us, bare epoll loop {bare.of(whose):.2f} us", "", None)
    more = collections.Counter()
    for (whose, name), cost in ours.by_name.items():
        more[whose, name] = cost - bare.by_name.get((whose, name), 0.0)
    names = [f"`{name}` {cost:+.2f} us ({whose})" for (whose, name), cost in more.most_common(MOST)]
    yield Row(f"{what}: most above the bare loop", ", ".join(names), "", None)


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
    with server() as nginx:
        ours, bare = (profile(tool, tool.argv(nginx.url(path), connections, SECONDS)) for tool in (tools.engine, tools.bare_epoll))
    drawer = "inferno-flamegraph"
    tools.there(drawer, drawer)
    title = f"CPU time of a request ({what}): weir's engine {ours.total:.2f} us, bare epoll loop {bare.total:.2f} us"
    argv = [drawer, "--title", title, "--subtitle", "as wide as weir's; red is more than the bare loop's, blue is less",
            "--countname", "ns per request", "--nametype", ""]
    done = subprocess.run(argv, input=difference(ours, bare), capture_output=True, text=True, timeout=60, check=True)
    pathlib.Path(out).write_text(done.stdout)


if __name__ == "__main__":
    try:
        draw(sys.argv[1])
    except (IndexError, Unmeasured, Failed) as reason:
        sys.exit(f"error: {reason}\nhint: python3 bench/floor.py FILE.svg, after `make bench-peers`")
