"""What the load generator does to a ratio by taking CPU time from one of two stacks more than from the other.

Two stacks are compared where all have one core together, and where they have that core and the generator another one. weir
says of the first how far the ratio may be from that of the second: it has to lie between. A pair of runs takes a minute.
"""

import os

import lab

TITLE = "The generator on the stack's cores"
PAIRS = 10
GOAL = f"in {PAIRS} of {PAIRS} pairs of runs the ratio where the generator has a core of its own lies within what weir says of it where " \
       "it has none"
BLOCKS = 6
CLAIM = "throughput of `light` / throughput of `heavy` > 1"
CORE, *OTHERS = sorted(os.sched_getaffinity(0))
PAGE = 'server = { entry = "gunicorn", workers = 1 }'
LIGHT = {
    "a static file of nginx": 'front = "nginx"\nroute = "/static/hello.html"',
    "a static file of gunicorn": f'{PAGE}\nroute = "/static/style.css"',
}
"""What is compared with a page of the guestbook under one gunicorn worker."""


def measure(weir):
    """Each pair: of the stacks in turn."""
    kept = lab.begin(weir, __name__, pairs=[])
    for at in range(lab.runs(PAIRS)):
        kept["pairs"].append(pair(weir, list(LIGHT)[at % len(LIGHT)]))
        print(f"{len(kept['pairs'])}: {words(kept['pairs'][-1])}", flush=True)
        yield kept


def pair(weir, light):
    together = one(weir, light, on([CORE]))
    own = together.get("own_share")
    apart = one(weir, light, on([CORE, *OTHERS[:1]]), "--load-cpus", "1")
    return {"light": light, "together": together["value"], "between": own and own["between"], "share": own and own["shares"],
            "interval": together["interval"], "apart": apart["value"], "apart_interval": apart["interval"]}


def on(cores):
    """Runs what follows on these cores alone: of two weir gives the load generator the last one."""
    return ["taskset", "--cpu-list", ",".join(map(str, cores))]


def one(weir, light, around, *more):
    with lab.folder() as place:
        (place / "plan.toml").write_text(plan(light))
        document, _seconds = lab.run(weir, place, place / "plan.toml", *more, around=around)
    [claim] = document["judged"]["claims"]
    return claim["conditions"][0]


def plan(light):
    return f"""app = "{lab.ROOT / "apps/guestbook"}"
blocks = {BLOCKS}
noise-floor = "none"

[load]
connections = 8
seconds = 1
warm-up = {{ seconds = 0.3 }}

[[variant]]
name = "light"
{LIGHT[light]}

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


def met(kept):
    return len(kept["pairs"]) >= PAIRS and all(map(within, kept["pairs"]))


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
        "one core. Apart: the stack on that one, weir on another (`cpus`). The ratio is its throughput over that of a page of "
        "the guestbook under one gunicorn worker.", "",
        *(f"* {words(pair)}" for pair in kept["pairs"])]
