"""An app that takes a little more time for each request: how often a run within its budget finds it.

A WSGI app computes for 5 ms per request, and a variant of it for 5 % or 2 % longer (its environment says for how long). A
plan claims that the variant takes more CPU time per request. It is found if weir says that this holds, and missed if it says
that it does not or cannot tell. A run ends when it can tell, or with its budget: a hundred of each would take up to 20 hours,
so that by default there are a few. RUNS says how many of each, and MORE=yes adds them to those of before, as of other machines.
"""

import collections
import math
import time

import lab

TITLE = "A slightly slower app"
GOALS = {"5 %": (1.05, "2min", 95), "2 %": (1.02, "10min", 90)}
"""How much longer, the budget, and how many of WANTED runs must find it."""
WANTED = 100
GOAL = " and ".join(f"an app that takes {more} longer is found within {budget} in {least} of {WANTED} runs"
                    for more, (_times, budget, least) in GOALS.items())
DEFAULT = {"5 %": 6, "2 %": 2}
WORK = 0.005
APP = """
import os
ROUNDS = range(int(os.environ["ROUNDS"]))
def app(environ, start):
    for _ in ROUNDS:
        pass
    start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "6")])
    return [b"hello\\n"]
"""
CLAIM = "cpu-per-request of `after` / cpu-per-request of `before` > 1"
MOST = {"5 %": 24, "2 %": 100}
"""Blocks that the budget has time for, and weir looks at."""


def measure(weir):
    """Each run, of the smaller number first."""
    kept = lab.begin(weir, __name__, runs=[])
    here = rounds()
    left = {more: lab.runs(count) for more, count in DEFAULT.items()}
    while any(left.values()):
        for more in [more for more, count in left.items() if count]:
            left[more] -= 1
            kept["runs"].append(one(weir, more, here))
            print(f"{len(kept['runs'])}: {words(kept['runs'][-1])}", flush=True)
            yield kept


def rounds():
    """Rounds of an empty loop that take WORK here."""
    some = 200_000
    return round(some * WORK / min(looped(range(some)) for _ in range(10)))


def looped(some):
    began = time.perf_counter()
    for _ in some:
        pass
    return time.perf_counter() - began


def one(weir, more, rounds):
    times, budget, _least = GOALS[more]
    with lab.folder() as place:
        lab.wsgi(place, APP)
        (place / "plan.toml").write_text(plan(rounds, round(rounds * times), MOST[more]))
        document, seconds = lab.run(weir, place, place / "plan.toml", "--budget", budget)
    return {"more": more, "rounds": rounds, "seconds": seconds, **read(document)}


def plan(rounds, longer, most):
    return f"""app = "app"
blocks = {{ at-least = 4, at-most = {most} }}
noise-floor = "none"

[load]
connections = 4
seconds = 1
warm-up = {{ seconds = 0.3 }}

[[variant]]
name = "before"
server = {{ entry = "gunicorn", workers = 1, worker-class = "sync" }}
env = {{ ROUNDS = "{rounds}" }}

[[variant]]
name = "after"
like = "before"
env = {{ ROUNDS = "{longer}" }}

[[claim]]
id = "S1"
text = "it takes more CPU time"
expect = ["{CLAIM}"]
"""


def read(document):
    """What became of the claim, the ratio that it is about, of how many blocks, and why trials were left out."""
    judged = document["judged"]
    [claim] = judged["claims"]
    [condition] = claim["conditions"]
    left_out = collections.Counter(doubt["kind"] for doubt in lab.doubts(document) if doubt["disqualifies"])
    return {"holds": claim["holds"], "ratio": condition["value"], "interval": condition["interval"],
            "blocks": judged["blocks"], "left_out": dict(left_out)}


def found(run):
    return run["holds"] == "holds"


def there(kept):
    """How many runs of each app there are, and how many the goal asks for."""
    return [(len(ran(kept, more)), WANTED) for more in GOALS]


def met(kept):
    enough = (sum(map(found, of)) >= least * len(of) / WANTED
              for more, (_times, _budget, least) in GOALS.items() for of in [ran(kept, more)])
    return lab.whole(there(kept)) and all(enough)


def ran(kept, more):
    return [run for run in kept["runs"] if run["more"] == more]


def words(run):
    ratio = f"{run['ratio']:.3f} × {interval(run['interval'])}" if run["ratio"] else "nothing to compare"
    left_out = "".join(f", {count} trials left out ({kind})" for kind, count in run["left_out"].items())
    verdict = "found" if found(run) else f"not found ({run['holds'].replace('-', ' ')})"
    return f"{run['more']} {verdict}: {ratio} the CPU time per request; {run['blocks']} blocks, {run['seconds']:.0f} s{left_out}"


def interval(of):
    return f"[{of[0]:.3f}, {of[1]:.3f}]" if of else "without an interval"


def share(runs):
    """How many of these found it, in per cent, with the 95 % interval of Wilson (1927)."""
    if not runs:
        return "–"
    count, right, z = len(runs), sum(map(found, runs)), 1.96
    middle = (right + z * z / 2) / (count + z * z)
    half = z * math.sqrt(right * (count - right) / count + z * z / 4) / (count + z * z)
    return "{:.1f} % [{:.1f}, {:.1f}]".format(*(100 * of for of in (right / count, middle - half, middle + half)))


def said(kept):
    return [
        f"{lab.measured(kept)}. The app computes for {WORK * 1e3:g} ms per request under one gunicorn worker, 4 "
        "connections in a closed loop, windows of a second. Runs of several days and machines add up.", "",
        "| longer by | budget | runs so far | found in | share, with its 95 % interval (Wilson) | wanted |", "|---|---|---|---|---|---|",
        *(f"| {more} | {budget} | {len(of)} of {WANTED} | {sum(map(found, of))} | {share(of)} | {least} of {WANTED} |"
          for more, (_times, budget, least) in GOALS.items() for of in [ran(kept, more)]), "",
        "Every run, in order:", "", *(f"* {words(run)}" for run in kept["runs"])]
