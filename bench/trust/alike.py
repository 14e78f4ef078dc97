"""Equal stacks under several names (A/A): how often weir tells them apart.

A round is two runs of one plan: eight equal variants of a stack, eight blocks, once in a closed loop and once at a rate. Each
variant is compared with each other, as `weir compare` does: 28 pairs by each metric. The pairs of a run share its eight variants,
so that they say less than as many independent ones: a run that is off shows in seven of them. Four stacks take turns. A round
takes 6 minutes, the eight of the goal 50.
"""

import collections
import itertools

import lab

TITLE = "Equal stacks"
WANTED, SHARE, ROUNDS = 200, 0.05, 8
GOAL = f"of {WANTED} comparisons of equal stacks by each of throughput, p50, CPU per request and peak memory in a closed loop, " \
       f"and p99 at a rate, at most {SHARE:.0%} say better or worse"
NAMES = "abcdefgh"
GUNICORN = 'server = {{ entry = "gunicorn", workers = 1, worker-class = {} }}'
STACKS = {
    "gunicorn, a sync worker": GUNICORN.format('"sync"'),
    "gunicorn, four threads": GUNICORN.format('"gthread", threads = 4'),
    "gunicorn, gevent": GUNICORN.format('"gevent"'),
    "nginx in front of gunicorn": GUNICORN.format('"sync", link = "unix"') + '\nfront = "nginx"',
}
LOADS = {
    "closed loop": (["throughput", "p50", "cpu-per-request", "peak-memory"], "connections = 4\nseconds = 0.6"),
    "at a rate": (["p99"], "connections = 64\nrate = 700\nseconds = 1.6"),
}
"""What is told of each load, and its keys: 1,000 answers carry a p99."""
APART = ("better", "worse")
APP = """
def app(environ, start):
    start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "6")])
    return [b"hello\\n"]
"""


def measure(weir):
    """Each run of each round."""
    kept = lab.begin(weir, __name__, runs=[])
    for number in range(lab.runs(ROUNDS)):
        stack = next_of(kept["runs"])
        for load in LOADS:
            kept["runs"].append(one(weir, stack, load))
            print(f"{number + 1}: {words(kept['runs'][-1])}", flush=True)
            yield kept


def next_of(runs):
    """The stack that has fewest runs."""
    return min(STACKS, key=lambda stack: sum(run["stack"] == stack for run in runs))


def one(weir, stack, load):
    metrics, _keys = LOADS[load]
    with lab.folder() as place:
        lab.wsgi(place, APP)
        (place / "plan.toml").write_text(plan(stack, load))
        document, seconds = lab.run(weir, place, place / "plan.toml")
        compared = [by_metric(lab.compare(weir, place, *pair)) for pair in itertools.combinations(NAMES, 2)]
    verdicts = {metric: [verdict[metric] for verdict in compared if metric in verdict] for metric in metrics}
    kinds = collections.Counter(doubt["kind"] for doubt in lab.doubts(document))
    return {"stack": stack, "load": load, "seconds": seconds, "verdicts": verdicts, "doubts": dict(kinds)}


def plan(stack, load):
    _metrics, keys = LOADS[load]
    variants = "".join(f'\n[[variant]]\nname = "{name}"\n{STACKS[stack]}\n' for name in NAMES)
    return f'app = "app"\nblocks = 8\n\n[load]\n{keys}\nwarm-up = {{ seconds = 0.3 }}\n{variants}'


def by_metric(compared):
    return {of["metric"]: of["verdict"] for of in compared}


def totals(runs):
    """Of each metric and load: how many comparisons say that equals differ, and how many there are. A run without any adds none."""
    counts = {}
    for load, (metrics, _keys) in LOADS.items():
        for metric in metrics:
            said = [verdict for run in runs if run["load"] == load for verdict in run["verdicts"][metric]]
            counts[f"{metric}, {load}"] = (sum(verdict in APART for verdict in said), len(said))
    return counts


def there(kept):
    """How many comparisons by each metric there are, and how many the goal asks for."""
    return [(all_, WANTED) for _apart, all_ in totals(kept["runs"]).values()]


def met(kept):
    return lab.whole(there(kept)) and all(apart <= SHARE * all_ for apart, all_ in totals(kept["runs"]).values())


def compared(run):
    """Whether anything of it was compared; else it is no run of the goal's."""
    return any(run["verdicts"].values())


def words(run):
    parts = [f"{metric} {apart} of {all_}" for metric, (apart, all_) in totals([run]).items() if all_]
    doubts = ", ".join(f"{count} × {kind}" for kind, count in run["doubts"].items())
    what = f"told apart by {'; '.join(parts)}" if compared(run) else "no comparison: no trial counts"
    return f"{run['stack']}: {what}; {run['seconds']:.0f} s" + (f" ({doubts})" if doubts else "")


def said(kept):
    runs = kept["runs"]
    without = len(runs) - sum(map(compared, runs))
    left_out = f"; of {without} more no trial counts, so that nothing was compared" if without else ""
    return [
        f"{lab.measured(kept)}. {len(runs) - without} runs of eight equal variants and eight blocks, with the noise floor that a "
        f"plan has by default; each variant against each other one, 28 pairs a run, which are not independent{left_out}.", "",
        "| metric | told apart | of | share |", "|---|---|---|---|",
        *(f"| {name} | {apart} | {all_} | {apart / max(all_, 1):.1%} |" for name, (apart, all_) in totals(runs).items()), "",
        "Every run, in order, with the doubts about its trials:", "", *(f"* {words(run)}" for run in runs)]
