#!/usr/bin/env python3
"""weir's load engine against its peers: `make bench`, or `make bench WHAT="small tls"`.

What is compared is the ratio of neighbours: of two programs that are compared each run of one is directly
before or after one of the other, in the order A B B A; weir is between two peers at most (A B C C B A).
A goal says beforehand of which runs it must hold; the bare loops have turns with weir whether they are in a
goal or not, and all else that is in no goal runs by itself. The server is a private nginx on one core, the
generator is on another with one thread; CPU time is the generator's whole process in user mode and in the
kernel, startup included, over the requests that were answered. Of weir's, what its load engine took is told
beside it: the rest is what the program does before the load, beside it and after it. weir checks each
answer's status and body, and keeps its distributions; of the others few check anything. `x weir` is a
program's CPU time per request over weir's, the median of the rounds that both ran in; of a program that had
none with weir it is a dash. A row whose own runs differ by more than a tenth says so.
Short bodies over kept HTTP/1.1 connections without TLS are loaded over io_uring where the kernel has it,
as `--reactor auto` does where `weir calibrate` has found it to be cheaper. Here larger ones, the open loop and
all else are loaded over epoll. Each table says over which of the two weir said that it ran.

Settings (environment): PAIRS (7), SECONDS_EACH (3), LOAD_CORE (0), SERVER_CORE (1), SCALE_SECONDS
(3, for many connections), MANY (10000000 requests, for memory), QUIET (0.1 cores that others may
use), OUT (the document, docs/bench.md).
All comparisons together write the document, some of them only if OUT says where. docs/bench.md is
written on a quiet machine that keeps its speed only, of a commit without changes, by seven pairs or more, and with a weir that
has the names of its functions. Ends with 1 if something that was measured fell short, with 3 if
docs/bench.md is not written for one of these reasons, with 130 if it was ended.
"""

import datetime
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time

import comparisons  # noqa: F401, they are known by its import, and come first
import ending
import floor
import goals
import logs
import neighbours
import page
import quiet
import stamp
import tools
from lab import PAIRS, ROOT, SECONDS, SELDOM, TARGET

DOCUMENT = ROOT / "docs/bench.md"
AGAIN = 2
"""How often a section is repeated that others disturbed."""
FEWEST = 7
"""Pairs of runs for each goal that docs/bench.md has at least."""
NOISY = "the machine is not quiet"
UNEVEN = "the machine does not keep its speed"


def main(wanted):
    unknown = [name for name in wanted if name not in goals.ALL]
    if unknown:
        print(f"error: no comparison `{unknown[0]}`\nhint: there are {', '.join(goals.ALL)}", file=sys.stderr)
        return 2
    out = pathlib.Path(os.environ["OUT"]) if os.environ.get("OUT") else None if wanted else DOCUMENT
    strict = out is not None and out.resolve() == DOCUMENT
    commit = stamp.commit()
    if strict and (flaw := flawed(commit)):
        what, instead = flaw
        return refuse(what, "", instead)
    before = quiet.look()
    if not before.is_quiet:
        if strict:
            return refuse(NOISY, f"before the start: {before}")
        print(f"note: the machine is not quiet ({before}); these figures will scatter")
    chosen = {name: goals.ALL[name] for name in wanted or goals.ALL}
    begun, load = time.monotonic(), os.getloadavg()[0]
    print(f"about {minutes(sum(one.seconds for one in chosen.values()))}", flush=True)
    tools.build_bare()
    sections = [(name, one.title, *measured(name, one, AGAIN if strict else 0)) for name, one in chosen.items()]
    took = time.monotonic() - begun
    print(f"took {minutes(took)}")
    disturbed = {name: use for name, _, _, use, _ in sections if not use.is_quiet}
    if out:
        if disturbed and strict:
            return refuse(NOISY, "; ".join(f"in `{name}`: {use}" for name, use in disturbed.items()))
        scattered = uneven([row for _, _, rows, *_ in sections for row in rows]) if strict else None
        if scattered:
            out = TARGET / "bench.md"
            out.parent.mkdir(parents=True, exist_ok=True)
        known = versions()
        out.write_text(page.page(head(commit, load, before, took, disturbed, known),
                                 [(title, beside(rows, loops, commit, known), rows) for _, title, rows, _, loops in sections]))
        print(f"written: {out}")
        if scattered:
            return refuse(UNEVEN, "", f"{scattered}: measure on another one, or at another time")
    return int(any(row.met is False for _, _, rows, *_ in sections for row in rows))


def flawed(commit):
    """Why no figure of a run may be in docs/bench.md, and what to do about it; None where nothing is wrong."""
    if PAIRS < FEWEST:
        return f"PAIRS is {PAIRS}", f"set it to {FEWEST} or more"
    if commit.endswith(stamp.DIRTY):
        return f"files differ from those of commit {commit.removesuffix(stamp.DIRTY)}", "commit them first"
    if not tools.has_names():
        return "weir is stripped, so that a profile has no names", "build it with names: make build-named"
    return None


def uneven(rows):
    """What is said of a machine on which most ratios scatter, from run to run, by more than a tenth, whatever they are; None of one
    that keeps its speed."""
    ratios = [row.figure for row in rows if re.search(r" in \d+ pairs", row.figure)]
    scattered = [figure for figure in ratios if neighbours.CHANGED in figure]
    return f"{len(scattered)} of {len(ratios)} ratios scatter by more than a tenth" if 2 * len(scattered) > len(ratios) else None


def measured(name, comparison, again):
    """Its rows, what others used of the machine meanwhile, and the event loops that weir ran over. Repeated up to `again` times
    while others used too much; which attempt counts is decided by that alone."""
    for attempt in range(again + 1):
        print(f"== {name}: {comparison.title}, about {minutes(comparison.seconds)}", flush=True)
        tools.in_use.clear()
        watch, rows = quiet.Watch(), []
        for row in comparison.rows():
            goal = f" (wanted: {row.goal}) {row.verdict.replace('**missed**', 'MISSED')}" if row.goal else ""
            print(f"{row.what}: {row.figure}{goal}", flush=True)
            rows.append(row)
        use = watch.use()
        if use.is_quiet or attempt == again:
            return rows, use, sorted(tools.in_use)
        print(f"note: not quiet ({use}); once more", flush=True)


def refuse(what, why, instead="end what else runs"):
    shown = f"\n  {why} (at most {quiet.BOUND:.2f})" if why else ""
    print(f"error: {what}, and docs/bench.md is not written{shown}\n"
          f"hint: {instead}, or write elsewhere: make bench OUT=/tmp/bench.md", file=sys.stderr)
    return 3


def head(commit, load, before, took, disturbed, known):
    quietness = "; ".join(f"in `{name}` not quiet: {use}" for name, use in disturbed.items())
    return [
        *method(), "",
        f"* date: {datetime.date.today()}, in {minutes(took)}",
        f"* machine: {processor()}, {os.cpu_count()} cores, Linux {platform.release()}, load {load:.1f} when it began",
        f"* others: {before.cores:.2f} cores before the start; " + (quietness or f"at most {quiet.BOUND:.2f} in each section"),
        f"* {PAIRS} pairs of runs of {SECONDS} s for each goal, {SELDOM} runs of what is in no goal, "
        f"{floor.TURNS} under perf", f"* weir {commit}, {nginx()}",
        *(f"* {line}" for line in known.values())]


def beside(rows, loops, commit, known):
    """With what tables were measured: the kernel, weir and the event loops that it ran over, the server, where it loaded one, and the
    programs that they name."""
    text = "\n".join(f"{row.what}\n{row.figure}" for row in rows)
    named = (line for word, line in known.items() if re.search(rf"\b{re.escape(word)}\b", text))
    ran = [f"weir {commit} over {' and '.join(loops)}", nginx()] if loops else [f"weir {commit}"]
    return "; ".join([f"Linux {platform.release()}", *ran, *named])


def minutes(seconds):
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def method():
    return __doc__.split("\n\n")[1].splitlines()


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def nginx():
    if not shutil.which("nginx"):
        return "no nginx"
    done = subprocess.run(["nginx", "-v"], capture_output=True, text=True)
    return done.stderr.strip().replace("nginx version: ", "")


def versions():
    """Of each program that a figure depends on its name and version, by the word by which tables name it."""
    programs = (*tools.PEERS_OF_THE_FIELD, logs.alp, logs.kataribe, *tools.BESIDE_THEM)
    return {tool.named or tool.name: f"{tool.name}: {version}" for tool in programs if (version := tool.says())}


if __name__ == "__main__":
    sys.exit(ending.of(main, "nothing was written"))
