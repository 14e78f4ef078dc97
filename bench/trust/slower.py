"""An app that takes a little more time for each request: how often a run within its budget finds it.

A WSGI app computes for 5 ms per request, and a variant of it for 5 % or 2 % longer (its environment says for how long). It
is found if weir says that the variant is worse than the baseline by throughput or by CPU time per request. A run takes its
whole budget, so that a hundred of each take 20 hours: by default there are a few, 30 minutes in all. RUNS says how many of
each, and MORE=yes adds them to those of before.
"""

import collections
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
BY = ("throughput", "cpu-per-request")


def measure(weir):
    """Each run, of the smaller number first."""
    kept = lab.more("slower") or lab.facts(weir, rounds=rounds(), runs=[])
    left = {more: lab.runs(count) for more, count in DEFAULT.items()}
    while any(left.values()):
        for more in [more for more, count in left.items() if count]:
            left[more] -= 1
            kept["runs"].append(one(weir, more, kept["rounds"]))
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
        (place / "plan.toml").write_text(plan(rounds, round(rounds * times)))
        document, seconds = lab.run(weir, place, place / "plan.toml", "--budget", budget)
        compared = lab.compare(weir, place, "after", "before")
    return {"more": more, "seconds": seconds, **read(document, compared)}


def plan(rounds, longer):
    """As many blocks as the budget has time for."""
    return f"""app = "app"
blocks = 100

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
"""


def read(document, compared):
    """The comparison of the two by each metric (verdict, ratio, interval, blocks), and why trials were left out."""
    keys = ("verdict", "ratio", "interval", "pairs")
    by = {of["metric"]: {key: of[key] for key in keys} for of in compared if of["metric"] in BY}
    left_out = collections.Counter(doubt["kind"] for doubt in lab.doubts(document) if doubt["disqualifies"])
    return {"by": by, "left_out": dict(left_out)}


def found(run):
    return any(of["verdict"] == "worse" for of in run["by"].values())


def met(kept):
    return all(len(of) >= WANTED and sum(map(found, of)) >= least * len(of) / WANTED
               for more, (_times, _budget, least) in GOALS.items() for of in [ran(kept, more)])


def ran(kept, more):
    return [run for run in kept["runs"] if run["more"] == more]


def words(run):
    by = [f"{metric} {of['ratio']:.3f} × {interval(of['interval'])}, {of['verdict'].replace('-', ' ')}"
          for metric, of in run["by"].items()]
    blocks = max((of["pairs"] for of in run["by"].values()), default=0)
    left_out = "".join(f", {count} trials left out ({kind})" for kind, count in run["left_out"].items())
    verdict = "found" if found(run) else "not found"
    return f"{run['more']} {verdict}: {'; '.join(by) or 'nothing to compare'}; {blocks} blocks, {run['seconds']:.0f} s{left_out}"


def interval(of):
    return f"[{of[0]:.3f}, {of[1]:.3f}]" if of else "without an interval"


def said(kept):
    return [
        f"{kept['weir']}, {kept['when']}. The app computes for {WORK * 1e3:g} ms per request under one gunicorn worker, 4 "
        "connections in a closed loop, windows of a second.", "",
        "| longer by | budget | found in | wanted |", "|---|---|---|---|",
        *(f"| {more} | {budget} | {sum(map(found, ran(kept, more)))} of {len(ran(kept, more))} runs | {least} of {WANTED} |"
          for more, (_times, budget, least) in GOALS.items()), "",
        "Every run, in order:", "", *(f"* {words(run)}" for run in kept["runs"])]
