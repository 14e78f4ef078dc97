"""What the load generator does to a ratio by taking CPU time from one of two stacks more than from the other.

Two stacks are compared where all have one core together, and where they have that core and the generator another one. weir
says of the first how far the ratio may be from that of the second: it has to lie between. Two workers are compared with one on
two cores, where the one has a core to itself and the two share theirs with the generator, and with the generator on a third: a
machine without that measures the other rows alone. A pair of runs takes a minute.
"""

import os

import lab

TITLE = "The generator on the stack's cores"
PAIRS = 10
GOAL = f"in {PAIRS} of {PAIRS} pairs of runs of each row the ratio where the generator has a core of its own lies within what weir says " \
       "of it where it has none"
BLOCKS = 6
CLAIM = "throughput of `light` / throughput of `heavy` > 1"
CORES = sorted(os.sched_getaffinity(0))
PAGE = 'server = { entry = "gunicorn", workers = 1 }'
TWO = "two workers against one"
LIGHT = {
    "a static file of nginx": (1, 'front = "nginx"\nroute = "/static/hello.html"'),
    "a static file of gunicorn": (1, f'{PAGE}\nroute = "/static/style.css"'),
    TWO: (2, PAGE.replace("workers = 1", "workers = 2")),
}
"""What is compared with a page of the guestbook under one gunicorn worker, and the cores of the stack."""


def measure(weir):
    """Each pair: of the rows in turn that this machine has the cores for, the generator's among them."""
    kept = lab.begin(weir, __name__, pairs=[])
    fitting = [light for light, (cores, _lines) in LIGHT.items() if cores < len(CORES)]
    for _ in range(lab.runs(PAIRS)):
        for light in fitting:
            kept["pairs"].append(pair(weir, light))
            print(f"{len(kept['pairs'])}: {words(kept['pairs'][-1])}", flush=True)
            yield kept


def pair(weir, light):
    cores, _lines = LIGHT[light]
    together = one(weir, light, on(CORES[:cores]))
    own = together.get("own_share")
    apart = one(weir, light, on(CORES[:cores + 1]), "--load-cpus", "1")
    return {"light": light, "together": together["value"], "between": own and own["between"], "share": own and own["shares"],
            "interval": together["interval"], "apart": apart["value"], "apart_interval": apart["interval"]}


def on(cores):
    """Runs what follows on these cores alone: of several weir gives the load generator the last one, where it is to have one."""
    return ["taskset", "--cpu-list", ",".join(map(str, cores))]


def one(weir, light, around, *more):
    with lab.folder() as place:
        (place / "plan.toml").write_text(plan(light))
        document, _seconds = lab.run(weir, place, place / "plan.toml", *more, around=around)
    [claim] = document["judged"]["claims"]
    return claim["conditions"][0]


def plan(light):
    _cores, lines = LIGHT[light]
    return f"""app = "{lab.ROOT / "apps/guestbook"}"
blocks = {BLOCKS}
noise-floor = "none"

[load]
connections = 8
seconds = 1
warm-up = {{ seconds = 0.3 }}

[[variant]]
name = "light"
{lines}

[[variant]]
name = "heavy"
{PAGE}

[[claim]]
id = "S1"
text = "the light one is faster"
expect = ["{CLAIM}"]
"""


def within(pair):
    """Whether what was measured apart lies between, give or take the intervals of both; not where one of them has none."""
    if not pair["interval"] or not pair["apart_interval"]:
        return False
    low, high = pair["interval"]
    if pair["between"]:
        low, high = (end * told / pair["together"] for end, told in zip((low, high), pair["between"]))
    return low <= pair["apart_interval"][1] and pair["apart_interval"][0] <= high


def ran(kept, light):
    return [pair for pair in kept["pairs"] if pair["light"] == light]


def there(kept):
    """How many pairs of each row there are, and how many the goal asks for."""
    return [(len(ran(kept, light)), PAIRS) for light in LIGHT]


def met(kept):
    return lab.whole(there(kept)) and all(map(within, kept["pairs"]))


def words(pair):
    said = "between {:.3f} and {:.3f}".format(*pair["between"]) if pair["between"] else "alone, as weir says"
    known = pair["interval"] and pair["apart_interval"]
    verdict = "within" if within(pair) else "outside" if known else "cannot tell"
    return (f"{pair['light']}: {ratio(pair['together'], pair['interval'])} together, {said}; "
            f"{ratio(pair['apart'], pair['apart_interval'])} apart: {verdict}")


def ratio(value, interval):
    if value is None:
        return "nothing to compare"
    return f"{value:.3f} {'[{:.3f}, {:.3f}]'.format(*interval) if interval else '(no interval)'} ×"


def said(kept):
    return [
        f"{lab.measured(kept)}. 8 connections in a closed loop, {BLOCKS} blocks each. Together: weir and the stack on "
        f"one core ({TWO}: on two). Apart: the stack there, weir on another one (`cpus`). The ratio is its throughput over that of a "
        "page of the guestbook under one gunicorn worker.", "",
        *(f"* {light}: not measured yet: it needs a machine with {cores + 1} cores" for light, (cores, _lines) in LIGHT.items()
          if not ran(kept, light)),
        *(f"* {words(pair)}" for pair in kept["pairs"])]
