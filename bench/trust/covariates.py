#!/usr/bin/env python3
"""How far the time that programs waited for a core explains what ratios of throughputs scatter: `python3 bench/trust/covariates.py STORE`.

STORE is a file of stored runs (`weir --store`). Of each run, and of each pair of variants that it loaded in a closed loop in BLOCKS
blocks and more, each block has a ratio of throughputs, in logarithms, and a difference of waits: the seconds in which processes of the
stack and weir were ready to run and had no core, per CPU second. The pair's mean over blocks is taken out of both. The coefficient of the
one on the other is that of all other runs, so that no run has a part in its own. What is printed is how much of a run's variance is
left with the difference taken out: 1 is all of it, less than 1 is what a covariate is worth. WEIR (environment) is the binary.
"""

import itertools
import json
import math
import os
import random
import statistics
import subprocess
import sys

import lab

BLOCKS = 3
"""Fewer say nothing of how far a ratio scatters."""
RESAMPLED = 2_000
WAIT = "run-queue-wait"
"""The count of a process, in microseconds."""


def main(args):
    if len(args) != 1:
        print("error: one store is asked for\nhint: python3 bench/trust/covariates.py weir.db", file=sys.stderr)
        return 2
    weir = os.environ.get("WEIR", str(lab.ROOT / "target/release/weir"))
    try:
        runs = [pairs for number in numbers(weir, args[0]) if (pairs := pairs_of(shown(weir, args[0], number)))]
    except lab.Unsaid as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if len(runs) < 2:
        print(f"error: {len(runs)} runs in {args[0]} have pairs of {BLOCKS} blocks and more: the coefficient is of other runs\n"
              "hint: `weir list` says what a store has, and `make claims` fills one", file=sys.stderr)
        return 1
    print(told(runs))
    return 0


def numbers(weir, store):
    """The numbers of all runs of a store."""
    said = subprocess.run([weir, "--store", store, "list", "--json"], check=False, capture_output=True, text=True)
    if not said.stdout.startswith("["):
        raise lab.Unsaid(f"weir lists no runs of {store}: {said.stderr.strip()}")
    return sorted(run["id"] for run in json.loads(said.stdout))


def shown(weir, store, number):
    said = subprocess.run([weir, "--store", store, "show", str(number), "--json"], check=False, capture_output=True, text=True)
    return lab.document(said.stdout, said.stderr)


def pairs_of(document):
    """Of each pair of a run's variants (of an A/A pair: of both halves) a list over blocks: the logarithm of the ratio of their
    throughputs, and the difference of their waits, both about their means."""
    counted = {place(trial) for trial in document["judged"]["trials"] if trial["counts"]}
    groups = {}
    for trial in document["trials"]:
        figures = figures_of(trial) if place(trial) in counted else None
        if figures:
            groups.setdefault((trial["block"], trial.get("group", 0)), {})[trial["variant"], trial["again"]] = figures
    points = {}
    for of in groups.values():
        for first, second in itertools.combinations(sorted(of), 2):
            (rate, wait), (other_rate, other_wait) = of[first], of[second]
            points.setdefault((first, second), []).append((math.log(rate / other_rate), wait - other_wait))
    return [centred(pair) for pair in points.values() if len(pair) >= BLOCKS]


def place(trial):
    """What tells one trial of a run from another."""
    return (trial["block"], trial["variant"], trial["again"], trial.get("group", 0), trial.get("attempt", 0))


def figures_of(trial):
    """The throughput of a closed loop, and the seconds that were waited for a core per CPU second; none where one is not known."""
    measured = trial["outcome"].get("measured")
    if not measured or measured["load"].get("offered"):
        return None
    waits = [of["counts"][WAIT] for of in measured["processes"] if WAIT in of.get("counts", {})]
    cpu = sum(of["cpu_user"] + of["cpu_system"] for of in measured["processes"])
    rate = trial.get("figures", {}).get("throughput")
    return (rate, sum(waits) / 1e6 / cpu) if waits and cpu and rate else None


def centred(points):
    """The points about the mean of each of both."""
    means = [statistics.fmean(of) for of in zip(*points)]
    return [(y - means[0], x - means[1]) for y, x in points]


def left(runs):
    """Of each run the share of its variance that is left with what the other runs' coefficient makes of the waits taken out."""
    sums = []
    for run in runs:
        points = list(itertools.chain.from_iterable(run))
        sums.append([sum(y * x for y, x in points), sum(x * x for _, x in points), sum(y * y for y, _ in points)])
    together, squares = (sum(of[at] for of in sums) for at in (0, 1))
    shares = []
    for xy, xx, yy in sums:
        slope = (together - xy) / (squares - xx) if squares > xx else 0.0
        if yy:
            shares.append((yy - 2 * slope * xy + slope * slope * xx) / yy)
    return shares


def interval(shares, seed=1):
    """The 95 % interval of the median of runs, by drawing as many of them with replacement again and again (bootstrap)."""
    draw = random.Random(seed)
    medians = sorted(statistics.median(draw.choices(shares, k=len(shares))) for _ in range(RESAMPLED))
    return medians[RESAMPLED * 25 // 1000], medians[RESAMPLED * 975 // 1000 - 1]


def told(runs):
    shares = left(runs)
    if not shares:
        return f"{len(runs)} runs: no ratio scatters from block to block."
    low, high = interval(shares)
    return (f"{sum(map(len, runs))} pairs of {len(runs)} runs: with what was waited for a core taken out {statistics.median(shares):.2f} × "
            f"[{low:.2f}, {high:.2f}] of the variance of a ratio of throughputs is left (the median of runs, each with the coefficient "
            "of all others; 95 % by bootstrap over runs).")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
