#!/usr/bin/env python3
"""weir's load engine against its peers: `make bench`, or `make bench WHAT="small tls"`.

Pairs in one run, in the order A B B A, medians of many, printed as ratios. The server is a private
nginx on one core, the generator is on another with one thread; CPU time is the generator's whole
process in user mode and in the kernel, startup included, over the requests that were answered. weir
checks each answer's status and body, and keeps its distributions; of the others few check anything.

Settings (environment): PAIRS (7), SECONDS_EACH (4), LOAD_CORE (0), SERVER_CORE (1), SCALE_SECONDS
(15, for many connections), MANY (10000000 requests, for memory).
Ends with 1 if something that was measured fell short. All comparisons together write docs/bench.md.
"""

import datetime
import os
import pathlib
import platform
import subprocess
import sys

import comparisons
import tools
from lab import PAIRS, ROOT, SECONDS

WORD = {True: "met", False: "**missed**", None: ""}


def main(wanted):
    unknown = [name for name in wanted if name not in comparisons.ALL]
    if unknown:
        print(f"error: no comparison `{unknown[0]}`; hint: {', '.join(comparisons.ALL)}", file=sys.stderr)
        return 2
    tools.build_bare()
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"note: the machine is busy (load {load:.1f}); these figures will scatter")
    sections = []
    for name in wanted or comparisons.ALL:
        comparison = comparisons.ALL[name]
        print(f"== {name}: {comparison.__doc__}", flush=True)
        rows = []
        for row in comparison():
            verdict = {True: "met", False: "MISSED", None: ""}[row.met]
            goal = f" (wanted: {row.goal}) {verdict}" if row.goal else ""
            print(f"{row.what}: {row.figure}{goal}", flush=True)
            rows.append(row)
        sections.append((comparison.__doc__, rows))
    if not wanted:
        (ROOT / "docs/bench.md").write_text(document(sections, load))
    return int(any(row.met is False for _, rows in sections for row in rows))


def document(sections, load):
    lines = [
        "# weir's load engine beside its peers", "",
        "Written by `make bench`, which repeats it (`make bench-peers` installs the peers).", "",
        *method(), "",
        f"* date: {datetime.date.today()}",
        f"* machine: {processor()}, {os.cpu_count()} cores, Linux {platform.release()}, load {load:.1f} when it began",
        f"* {PAIRS} pairs of {SECONDS} s each", f"* weir {commit()}, {nginx()}", *versions(), ""]
    for title, rows in sections:
        lines += [f"## {title}", ""]
        if any(row.goal for row in rows):
            lines += ["| what | measured | wanted | |", "|---|---|---|---|"]
            lines += [f"| {row.what} | {row.figure} | {row.goal} | {WORD[row.met]} |" for row in rows]
        else:
            lines += ["| generator | measured |", "|---|---|", *(f"| {row.what} | {row.figure} |" for row in rows)]
        lines.append("")
    return "\n".join(lines)


def method():
    return __doc__.split("\n\n")[1].splitlines()


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def commit():
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() or "of unknown version"


def nginx():
    done = subprocess.run(["nginx", "-v"], capture_output=True, text=True)
    return done.stderr.strip().replace("nginx version: ", "")


def versions():
    peers = {tool.name: tool for tool in tools.PEERS_OF_THE_FIELD}
    return [f"* {name}: {version}" for name, tool in peers.items() if (version := tool.says())]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
