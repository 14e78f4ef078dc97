"""A server that stands still for a second in the middle of a closed loop.

Nothing is asked of a server that answers nothing: a closed loop sends ten requests in that second in place of thousands, and
its quantiles do not show it. The origin is stopped (SIGSTOP) for a second in a window of four, and goes on. The nearest
look-alikes: one request of ten connections takes a second, and a server that is merely slow. 30 loads of 5 s: 3 minutes.
"""

import collections
import re

import lab

TITLE = "A second in which a closed loop stands still"
WANTED = 10
GOAL = f"told in {WANTED} of {WANTED} loads in which the server was stopped for a second, and in none of {WANTED} in which one " \
       f"request took a second, and none of {WANTED} in which all take 50 ms"
STOPPED, ONE, SLOW = "stopped for a second", "one request takes a second", "all take 50 ms"
QUERIES = {STOPPED: "delay=0.005", ONE: "delay=0.005&slow=2000&once=yes", SLOW: "delay=0.05"}
TELLS = re.compile(r"stall|stood still|stopped|no (response|answer|request)s? (came|arrived|ended|completed)")
"""How a doubt says it; doubts about weir's own pauses do not count."""


def measure(weir):
    """Each load, in turn."""
    kept = lab.begin(weir, __name__, loads=[])
    for number in range(lab.runs(WANTED)):
        for what in QUERIES:
            kept["loads"].append(load(weir, what))
        print(f"{number + 1}: {', '.join(words(load) for load in kept['loads'][-len(QUERIES):])}", flush=True)
        yield kept


def load(weir, what):
    with lab.origin() as (origin, address):
        def stop(_weir):
            lab.stop(origin, after=2, seconds=1)
        document = lab.bench(weir, f"{address}/?{QUERIES[what]}", "-c", "10", "-d", "4s", "--warm-up", "0s",
                             meanwhile=stop if what == STOPPED else None)
    return {"what": what, **read(document)}


def read(document):
    """Whether weir tells it, and the figures in which it might be seen."""
    doubts = lab.doubts(document)
    texts = [f"{doubt['kind']}: {doubt['because']}" for doubt in doubts if doubt["kind"] != "paused"]
    response = document["trials"][0]["figures"]["response"]
    return {
        "told": any(TELLS.search(text) for text in [*texts, *map(str, document.get("notes", []))]),
        "doubts": sorted({doubt["kind"] for doubt in doubts}),
        "p99": response.get("p99"), "max": response.get("max"),
    }


def counted(kept):
    """How many loads of each kind there are, and how many of these weir tells as a stop."""
    loads = collections.Counter(load["what"] for load in kept["loads"])
    told = collections.Counter(load["what"] for load in kept["loads"] if load["told"])
    return {what: (told[what], loads[what]) for what in QUERIES}


def there(kept):
    """How many loads of each kind there are, and how many the goal asks for."""
    return [(loads, WANTED) for _told, loads in counted(kept).values()]


def met(kept):
    right = (told == (loads if what == STOPPED else 0) for what, (told, loads) in counted(kept).items())
    return lab.whole(there(kept)) and all(right)


def words(load):
    return f"{load['what']}: {'told' if load['told'] else 'not told'}"


def said(kept):
    return [
        f"{lab.measured(kept)}. Ten connections for 4 s, without a warm-up.", "",
        "| the server | told | p99 | longest time | other doubts |", "|---|---|---|---|---|",
        *(row(kept, what, told, loads) for what, (told, loads) in counted(kept).items() if loads)]


def row(kept, what, told, loads):
    of = [load for load in kept["loads"] if load["what"] == what]
    others = sorted({doubt for load in of if not load["told"] for doubt in load["doubts"]})
    return f"| {what} | in {told} of {loads} | {span(of, 'p99')} | {span(of, 'max')} | {', '.join(others) or 'none'} |"


def span(loads, key):
    known = [load[key] * 1e3 for load in loads if load[key] is not None]
    return f"{min(known):.4g} to {max(known):.4g} ms" if known else "–"
