"""How long slices are best: equal stacks compared in whole windows and in slices of several lengths.

Two equal variants of a stack, and idle ones beside them, are loaded in a closed loop for as many seconds each, whatever the
slices. Of each block the ratio of the two is taken, by throughput and by CPU time per request: how far the ratios of a row
scatter is what an interval is made of. What slices cost shows in the rate itself: a server has to be at its pace again after
each switch, and idle neighbours have memory and timers of their own. The rows take turns, as a machine is faster at times. A
round takes 3 minutes.
"""

import math
import statistics

import lab

TITLE = "The length of slices"
ROUNDS = 5
BLOCKS = 4
WHOLE, USUAL = "whole windows, 2 variants", "slices of 100 ms, 2 variants"
ROWS = {
    WHOLE: (0, 2),
    "slices of 500 ms, 2 variants": (0.5, 2),
    "slices of 200 ms, 2 variants": (0.2, 2),
    USUAL: (0.1, 2),
    "slices of 50 ms, 2 variants": (0.05, 2),
    "slices of 20 ms, 2 variants": (0.02, 2),
    "slices of 100 ms, 8 variants": (0.1, 8),
}
"""In words, seconds of a slice, and how many variants there are."""
METRICS = ("throughput", "CPU per request")
DOCUMENT = lab.ROOT / "docs/how-we-measure.md"
"""Where what was measured is printed beside docs/trust.md."""
GOAL = f"in {ROUNDS} runs of each, two equal variants scatter at most half as much in the usual slices as in whole windows, " \
       f"by {' and by '.join(METRICS)}"
APP = """
def app(environ, start):
    for _ in range(20000):
        pass
    start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "6")])
    return [b"hello\\n"]
"""


def measure(weir):
    """Each run of each round."""
    kept = lab.begin(weir, __name__, runs=[])
    for _ in range(lab.runs(ROUNDS)):
        for row in ROWS:
            kept["runs"].append(one(weir, row))
            print(f"{len(kept['runs'])}: {words(kept['runs'][-1])}", flush=True)
            yield kept


def one(weir, row):
    seconds, variants = ROWS[row]
    with lab.folder() as place:
        lab.wsgi(place, APP)
        (place / "plan.toml").write_text(plan(variants))
        document, took = lab.run(weir, place, place / "plan.toml", "--slice", str(seconds))
    return {"row": row, "seconds": took, "blocks": read(document)}


def plan(variants):
    each = "".join(f"""
[[variant]]
name = "{name}"
server = {{ entry = "gunicorn", workers = 1, worker-class = "sync" }}
""" for name in "abcdefgh"[:variants])
    return f"""app = "app"
blocks = {BLOCKS}
noise-floor = "none"

[load]
connections = 4
seconds = 2
warm-up = {{ seconds = 0.3 }}
{each}"""


def read(document):
    """Of each block: what the first and the second variant did, by each metric. Blocks without both are left out."""
    blocks = {}
    for trial in document["trials"]:
        if trial["variant"] in "ab" and "measured" in trial["outcome"]:
            blocks.setdefault(trial["block"], {})[trial["variant"]] = figures(trial)
    return [[of["a"], of["b"]] for of in blocks.values() if len(of) == 2]


def figures(trial):
    measured = trial["outcome"]["measured"]
    rate = trial["figures"]["throughput"]
    cpu = sum(of["cpu_user"] + of["cpu_system"] for of in measured["processes"] if of["owner"] != "weir")
    return [rate, cpu / (rate * measured["load"]["seconds"])]


def ratios(runs, metric):
    """The logarithms of the ratios of both variants, of all blocks."""
    return [math.log(b[metric] / a[metric]) for run in runs for a, b in run["blocks"]]


def scatter(runs, metric):
    """Standard deviation about 0, as both are equal."""
    of = ratios(runs, metric)
    return math.sqrt(sum(ratio * ratio for ratio in of) / len(of)) if of else math.nan


def middle(runs, metric):
    return statistics.median([figures[metric] for run in runs for both in run["blocks"] for figures in both] or [math.nan])


def ran(kept, row):
    return [run for run in kept["runs"] if run["row"] == row]


def there(kept):
    """How many runs of each row there are, and how many the goal asks for."""
    return [(len(ran(kept, row)), ROUNDS) for row in ROWS]


def met(kept):
    usual, whole = ran(kept, USUAL), ran(kept, WHOLE)
    return lab.whole(there(kept)) and all(2 * scatter(usual, metric) <= scatter(whole, metric) for metric in range(len(METRICS)))


def words(run):
    scatters = ", ".join(f"{name} {scatter([run], metric):.3f}" for metric, name in enumerate(METRICS))
    return f"{run['row']}: {scatters} ({len(run['blocks'])} blocks, {run['seconds']:.0f} s)"


def said(kept):
    whole = [middle(ran(kept, WHOLE), metric) for metric in range(len(METRICS))]
    lines = []
    for row in ROWS:
        runs = ran(kept, row)
        scatters = " | ".join(f"{scatter(runs, metric):.3f}" for metric in range(len(METRICS)))
        medians = " | ".join(f"{middle(runs, metric) / whole[metric]:.3f} ×" for metric in range(len(METRICS)))
        lines.append(f"| {row} | {sum(len(run['blocks']) for run in runs)} | {scatters} | {medians} |")
    return [
        f"{lab.measured(kept)}. Two equal variants of gunicorn with one worker, an app that computes for about a "
        "millisecond, 4 connections in a closed loop, 2 s of measured time for each variant and block. The scatter is the "
        "standard deviation of the logarithms of the blocks' ratios; of so many blocks it is itself known to about a quarter.",
        "", f"| windows | blocks | {' | '.join(f'scatter, {name}' for name in METRICS)} | "
        f"{' | '.join(f'{name} against whole windows' for name in METRICS)} |", "|---|---|---|---|---|---|", *lines, *concluded(kept)]


def less(runs, than, metric):
    """How many times less some runs scatter than others, with its 95 % interval where both scatter by the normal law: the logarithm of a
    standard deviation of n values is off by the root of 1 / 2n."""
    times = scatter(than, metric) / scatter(runs, metric)
    off = 1.96 * math.sqrt(sum(1 / (2 * len(ratios(of, metric))) for of in (runs, than)))
    return times, times / math.exp(off), times * math.exp(off)


def concluded(kept):
    """What the table says, in words; nothing of what does not scatter, or was not measured."""
    of = {row: ran(kept, row) for row in ROWS}
    if not all(scatter(runs, metric) > 0 for runs in of.values() for metric in range(len(METRICS))):
        return []
    gains = [less(of[USUAL], of[WHOLE], metric) for metric in range(len(METRICS))]
    told = " and ".join("{:.1f} [{:.1f}, {:.1f}] times less by {}".format(*gain, name) for gain, name in zip(gains, METRICS))
    saved = " and ".join(f"{times * times:.1f}" for times, _low, _high in gains)
    shorter = [row for row, (seconds, variants) in ROWS.items() if variants == 2 and 0 < seconds < ROWS[USUAL][0]]
    compared = [(row, name, less(of[row], of[USUAL], metric)) for row in shorter for metric, name in enumerate(METRICS)]
    better = [f"{row}, by {name} ({times:.1f} [{low:.1f}, {high:.1f}] times)" for row, name, (times, low, high) in compared if low > 1]
    best = f"these surely scatter less than that: {'; '.join(better)}" if better else "none surely scatters less than that"
    return ["", f"Beside whole windows, slices of {1e3 * ROWS[USUAL][0]:.0f} ms scatter {told} (95 % intervals). An interval is as narrow "
            f"after {saved} times less measured time, as it narrows with the root of that time. Of shorter slices {best}."]
