"""What looking at a stack costs: the same stack with probes that look several times a second, and with ones that do not.

Both take turns in slices. What looks only at the begin and the end of a turn cannot be left out: CPU time per request is
counted there. So this is the cost of the series, and of everything that findings are told by. A run takes 3 minutes. Runs of fewer
blocks, whose intervals are wider, are not kept.
"""

import lab

TITLE = "What looking costs"
RUNS = 4
MOST = 0.03
GOAL = f"in each of {RUNS} runs of each stack, processes, sockets and counters looked at several times a second take less than " \
       f"{MOST:.0%} of its throughput: the whole interval"
DOCUMENT = lab.ROOT / "docs/how-we-measure.md"
"""Where what was measured is printed beside docs/trust.md."""
BLOCKS = 30
CLAIM = "throughput of `observed` / throughput of `alone` > 0.97"
STACKS = {
    "gunicorn, a worker for each core": 'server = { entry = "gunicorn", workers = "cores" }',
    "nginx before gunicorn with 8 threads": 'front = "nginx"\nserver = { entry = "gunicorn", threads = 8 }',
    "a static file of nginx": 'front = "nginx"\nroute = "/static/hello.html"',
}


def measure(weir):
    """Each run: of the stacks in turn."""
    kept = of_as_many(lab.begin(weir, __name__, runs=[]))
    for _ in range(lab.runs(RUNS)):
        for stack in STACKS:
            kept["runs"].append(one(weir, stack))
            print(f"{len(kept['runs'])}: {words(kept['runs'][-1])}", flush=True)
            yield kept


def of_as_many(kept):
    """The facts without runs of another number of blocks."""
    return kept | {"runs": [run for run in kept["runs"] if blocks(run) == BLOCKS]}


def blocks(run):
    """How many blocks a run had: 10 before that was written down."""
    return run.get("blocks", 10)


def one(weir, stack):
    with lab.folder() as place:
        (place / "plan.toml").write_text(plan(stack))
        document, _seconds = lab.run(weir, place, place / "plan.toml")
    [claim] = document["judged"]["claims"]
    condition = claim["conditions"][0]
    return {"stack": stack, "blocks": BLOCKS, "ratio": condition["value"], "interval": condition["interval"],
            "probes": costs(document["trials"])}


def costs(trials):
    """What each probe took over all trials in which it looked at what went on: its looks, its CPU seconds and those of its windows."""
    probes = {}
    for trial in trials:
        facts = trial["outcome"].get("measured")
        if trial["variant"] == "observed" and facts:
            for probe in facts["observed"]["probes"]:
                sums = probes.setdefault(probe["probe"], [0, 0, 0])
                for at, more in enumerate((probe["samples"], probe["cpu"], facts["load"]["seconds"])):
                    sums[at] += more
    return probes


def plan(stack):
    return f"""app = "{lab.ROOT / "apps/guestbook"}"
blocks = {BLOCKS}
noise-floor = "none"

[load]
connections = 16
seconds = 2
warm-up = {{ seconds = 0.3 }}

[[variant]]
name = "observed"
{STACKS[stack]}

[[variant]]
name = "alone"
like = "observed"
load = {{ observe = false }}

[[claim]]
id = "O1"
text = "looking costs little"
expect = ["{CLAIM}"]
"""


def ran(kept, stack):
    return [run for run in kept["runs"] if run["stack"] == stack]


def there(kept):
    """How many runs of each stack, with all blocks, there are, and how many the goal asks for."""
    return [(len(ran(of_as_many(kept), stack)), RUNS) for stack in STACKS]


def met(kept):
    return lab.whole(there(kept)) and all(run["interval"] and run["interval"][0] > 1 - MOST for run in kept["runs"])


def words(run):
    if run["ratio"] is None:
        return f"{run['stack']}: nothing to compare"
    interval = "[{:.3f}, {:.3f}]".format(*run["interval"]) if run["interval"] else "(no interval)"
    return f"{run['stack']}: {run['ratio']:.3f} {interval} ×"


def said(kept):
    lines = [f"| {stack} | {'; '.join(words(run).removeprefix(f'{stack}: ') for run in ran(kept, stack))} |"
             for stack in STACKS if ran(kept, stack)]
    numbers = " or ".join(str(number) for number in sorted(set(map(blocks, kept["runs"]))))
    return [
        f"{lab.measured(kept)}. Throughput with probes that look several times a second over throughput without, in slices in turn, "
        f"{numbers} blocks a run, 16 connections in a closed loop.", "",
        "| stack | run by run |", "|---|---|", *lines, *table(kept)]


def table(kept):
    """What each probe takes of a core, in each stack: its looks at the ends of the window among it."""
    runs = {stack: [run["probes"] for run in ran(kept, stack) if run.get("probes")] for stack in STACKS}
    names = dict.fromkeys(name for each in runs.values() for probes in each for name in probes)
    if not names:
        return ["", "What each probe takes was not looked at in these runs."]
    head = ["", "CPU time of each probe: of a look, and of all its looks per second of the windows.", "",
            f"| probe | {' | '.join(STACKS)} |", f"|---|{'---|' * len(STACKS)}"]
    return head + [f"| {name} | {' | '.join(cell(runs[stack], name) for stack in STACKS)} |" for name in names]


def cell(runs, name):
    looks, cpu, seconds = (sum(run.get(name, (0, 0, 0))[at] for run in runs) for at in range(3))
    return f"{cpu / looks * 1e6:.0f} µs, {cpu / seconds:.2%}" if looks and seconds else "–"
