"""The demo beside a program that takes a core at random times.

The demo is run on the quiet machine first, twice, which says what is right: the verdict on each claim on which both runs
agree. Then it is run beside a program that takes a core for some seconds and leaves it for some, at random. A run is
wrong if it decides a claim otherwise than the quiet runs; it is complete if it decides as they do, or names the program.
Runs of a plan whose text was another one are not kept: they say nothing about this one.
"""

import collections
import contextlib
import hashlib
import subprocess
import sys

import lab

TITLE = "Beside a program that takes a core at random times"
WANTED = 20
GOAL = f"in {WANTED} of {WANTED} runs of the demo no claim is decided otherwise than on the quiet machine, and each claim is " \
       "decided as there or the program is named"
QUIET = 2
"""Runs on the quiet machine."""
NAME = "core-taker"
"""How the program is called: what the kernel has of a name ends after 15 bytes."""
TAKES, LEAVES = 3.0, 6.0
"""Mean seconds of its exponential times."""
PLAN = lab.ROOT / "claims/a-guestbook.toml"
TAKER = """
import ctypes, random, sys, time
ctypes.CDLL(None).prctl(15, sys.argv[1].encode())
chance = random.Random(int(sys.argv[2]))
while True:
    time.sleep(chance.expovariate(1 / float(sys.argv[4])))
    until = time.monotonic() + chance.expovariate(1 / float(sys.argv[3]))
    while time.monotonic() < until:
        pass
"""


def measure(weir):
    """What came of all runs so far."""
    kept = of_plan(lab.begin(weir, __name__, quiet=[], beside=[]), digest())
    while len(kept["quiet"]) < QUIET:
        kept["quiet"].append(one(weir))
    first = len(kept["beside"])
    runs = first + lab.runs(WANTED)
    for seed in range(first, runs):
        with taker(seed):
            kept["beside"].append(one(weir))
        print(f"{seed + 1} of {runs}: {words(kept['beside'][-1], right(kept['quiet']))}", flush=True)
        yield kept


def digest():
    """What tells one text of the plan from another."""
    return hashlib.sha256(PLAN.read_bytes()).hexdigest()


def of_plan(kept, plan):
    """The facts without runs of another plan, or of one that nobody wrote down."""
    return kept | {side: [run for run in kept[side] if run.get("plan") == plan] for side in ("quiet", "beside")}


@contextlib.contextmanager
def taker(seed):
    """The program, as long as this lasts."""
    said = [sys.executable, "-c", TAKER, NAME, str(seed), str(TAKES), str(LEAVES)]
    with subprocess.Popen(said) as program:
        try:
            yield
        finally:
            program.kill()


def one(weir):
    """One run of the demo: its verdicts, what its doubts say of the program, and its seconds."""
    plan = digest()
    with lab.folder() as place:
        document, seconds = lab.run(weir, place, PLAN)
    return {"seconds": seconds, "plan": plan, **facts(document)}


def facts(document):
    """What a run's document says."""
    trials = document["judged"]["trials"]
    doubts = [doubt for trial in trials for doubt in trial.get("doubts", []) if doubt["kind"] == "disturbed"]
    return {
        "claims": {claim["id"]: claim["holds"] for claim in document["judged"]["claims"]},
        "named": sum(NAME in doubt["because"] for doubt in doubts),
        "repeated": sum(bool(trial.get("taken_again")) for trial in trials),
    }


def right(quiet):
    """The verdicts on which the quiet runs agree; `cannot-tell` is none."""
    first, *others = [run["claims"] for run in quiet] or [{}]
    agreed = {claim: verdict for claim, verdict in first.items() if all(other.get(claim) == verdict for other in others)}
    return {claim: verdict for claim, verdict in agreed.items() if verdict != "cannot-tell"}


def wrong(run, known):
    """Claims that are decided otherwise than they are right."""
    return [claim for claim, verdict in known.items() if run["claims"][claim] not in (verdict, "cannot-tell")]


def complete(run, known):
    """Whether nothing is wrong, and what is open has its reason."""
    as_quiet = all(run["claims"][claim] == verdict for claim, verdict in known.items())
    return not wrong(run, known) and (as_quiet or run["named"] > 0)


def there(kept):
    """How many runs beside the program there are, and how many the goal asks for."""
    return [(len(kept["beside"]), WANTED)]


def met(kept):
    known = right(kept["quiet"])
    return bool(known) and lab.whole(there(kept)) and all(complete(run, known) for run in kept["beside"])


def words(run, known):
    if wrong(run, known):
        return f"wrong about {', '.join(wrong(run, known))}"
    left = [claim for claim, verdict in known.items() if run["claims"][claim] != verdict]
    what = f"cannot tell {', '.join(left)}" if left else "as on the quiet machine"
    return f"{what}; {run['named']} trials name the program, {run['repeated']} were repeated; {run['seconds']:.0f} s"


def said(kept):
    known = right(kept["quiet"])
    runs = kept["beside"]
    count = collections.Counter(
        "wrong" if wrong(run, known) else
        "as on the quiet machine" if all(run["claims"][claim] == verdict for claim, verdict in known.items()) else
        "open, and the program is named" if run["named"] else "open, without a reason" for run in runs)
    quiet = sum(run["seconds"] for run in kept["quiet"]) / max(len(kept["quiet"]), 1)
    took = sum(run["seconds"] for run in runs) / max(len(runs), 1)
    verdicts = ", ".join(f"{claim} {verdict.replace('-', ' ')}" for claim, verdict in known.items()) or "nothing, so that nothing is known"
    return [
        f"{lab.measured(kept)}. {len(kept['quiet'])} quiet runs agree on: {verdicts}. The program `{NAME}` takes a core "
        f"for {TAKES:g} s and leaves it for {LEAVES:g} s, both exponential.", "",
        "| what came of a run | runs |", "|---|---|",
        *(f"| {what} | {number} of {len(runs)} |" for what, number in sorted(count.items())), "",
        f"A run took {took:.0f} s, and {quiet:.0f} s on the quiet machine.", "",
        "Every run, in order:", "", *(f"* {words(run, known)}" for run in runs)]
