"""Quantiles against an origin that knows what each answer really took.

Each load is of 12,000 requests or so, closed or at a rate, to an origin (origin.py) that delays each answer by a time drawn
from a law: steps far apart, or a tail. The origin writes down how long each answer took from arrival to departure. So the
truth of each quantile is known to the request, the origin's own lateness included, and what weir says may differ by
what a request spends on its way, and by a cell of its histogram, a thousandth, at most. A load takes half a minute: 6 minutes in all.
"""

import json
import math
import urllib.request

import lab

TITLE = "Quantiles against an origin that knows its times"
WANTED = 12
GOAL = f"in {WANTED} of {WANTED} loads p50, p90, p95, p99, p99.9 and the longest time are those of the origin's own account to " \
       "three digits: less than a unit of the third away"
LOADS = [(law, shape) for law in ("steps", "exponential", "log-normal") for shape in ("closed loop", "500 requests/s")]
ARGS = {"closed loop": ["-c", "100", "-n", "12000"], "500 requests/s": ["-R", "500", "-d", "24s", "-c", "400"]}
RANKS = {"p50": 5000, "p90": 9000, "p95": 9500, "p99": 9900, "p99.9": 9990, "max": 10000}
"""Of ten thousand."""


def measure(weir):
    """Each load beside the origin's own account."""
    kept = lab.begin(weir, __name__, loads=[])
    first = len(kept["loads"])
    for number in range(first, first + lab.runs(WANTED)):
        law, shape = LOADS[number % len(LOADS)]
        kept["loads"].append(load(weir, law, shape, number))
        print(f"{number + 1}: {words(kept['loads'][-1])}", flush=True)
        yield kept


def load(weir, law, shape, seed):
    with lab.origin() as (_process, address):
        document = lab.bench(weir, f"{address}/?law={law}&seed={seed}", "--warm-up", "0s", *ARGS[shape])
        with urllib.request.urlopen(f"{address}/truth", timeout=30) as answer:
            took = sorted(json.load(answer))
    response = document["trials"][0]["figures"]["response"]
    return {
        "law": law, "shape": shape, "requests": len(took),
        "quantiles": {name: [ranked(took, of), response.get(name)] for name, of in RANKS.items()},
        "doubts": sorted({doubt["kind"] for doubt in lab.doubts(document)}),
    }


def ranked(took, of):
    """The smallest time that so many of ten thousand do not exceed."""
    return took[-(-len(took) * of // 10000) - 1]


def off(truth, said):
    """How many units of the third digit of the truth lie between them; a quantile that is not said is infinitely far."""
    if said is None:
        return math.inf
    unit = 10 ** (math.floor(math.log10(truth)) - 2)
    return abs(said - truth) / unit


def farthest(load):
    """The quantile that is farthest off, and how far."""
    return max(((name, off(*both)) for name, both in load["quantiles"].items()), key=lambda of: of[1])


def there(kept):
    """How many loads there are, and how many the goal asks for."""
    return [(len(kept["loads"]), WANTED)]


def met(kept):
    return lab.whole(there(kept)) and all(farthest(load)[1] < 1 for load in kept["loads"])


def words(load):
    name, units = farthest(load)
    return f"{load['law']}, {load['shape']}: {name} is {units:.2f} units of the third digit away"


def said(kept):
    loads = kept["loads"]
    right = sum(farthest(load)[1] < 1 for load in loads)
    return [
        f"{lab.measured(kept)}. All are equal to three digits in {right} of {len(loads)} loads. Times are in ms: the "
        "origin's own, and what weir says after the arrow.", "",
        f"| law | load | requests | {' | '.join(RANKS)} | farthest, in units of the third digit |",
        f"|---|---|---|{'---|' * len(RANKS)}---|", *(row(load) for load in loads)]


def row(load):
    cells = [f"{ms(truth)} → {ms(said)}" for truth, said in load["quantiles"].values()]
    name, units = farthest(load)
    doubted = f", doubted: {', '.join(load['doubts'])}" if load["doubts"] else ""
    return f"| {load['law']} | {load['shape']} | {load['requests']:,} | {' | '.join(cells)} | {units:.2f} ({name}){doubted} |"


def ms(seconds):
    return "–" if seconds is None else f"{seconds * 1e3:.5g}"
