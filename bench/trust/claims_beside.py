"""`weir claims` beside a program that takes a core for ten minutes of it.

All field reports are run on the quiet machine first, in 100 minutes, which says what is right: the verdict on each claim that
this run decides. Then they are run again in as long a time, and from a minute on a program takes a core for ten minutes. A
claim is decided as on the quiet machine, or it cannot be told and the program is named: by the doubts about trials of its
plan, or by the claim itself, as what took the time that its plan lacked; else the goal is missed. A round takes 100 minutes,
and the first one as long again for the quiet run. Each run is kept as soon as it has ended: with MORE=yes a run that was
interrupted is all that is lost. Runs of plans whose text was another one are not kept: they say nothing about these.
KEEP=FOLDER keeps the store of each run in a folder of its own there, so that a verdict can be looked at.
"""

import collections
import contextlib
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

import lab

TITLE = "The field reports beside a program that takes a core"
WANTED = 1
MINUTES = 100
AFTER, TAKES = 60, 600
"""Seconds from the begin of a run until the program takes a core, and for which it does."""
GOAL = f"in {WANTED} run of all field reports in which a program takes a core for {TAKES // 60} of the {MINUTES} minutes no claim is " \
       "decided otherwise than on the quiet machine, and each claim is decided as there or the program is named"
AT_MOST = 2 * 60 * MINUTES
"""Seconds after which a run that does not end is given up."""
PLANS = lab.ROOT / "claims"
PYTHON = lab.ROOT / ".deps/catalogue/bin/python"
"""The interpreter with every server of the catalogue, of `make catalogue-deps`."""
DECIDED = ("holds", "does-not-hold")
MISSING = {"verdict": "missing", "named": {}}
NAMES = re.compile(r"`([^`]+)`")
SAME, NAMED, OPEN, DIFFERENT = "same", "cannot tell, and the program is named", "cannot tell, and nothing is named", "**different**"


def measure(weir):
    """The quiet run, unless there is one, and then each run beside the program."""
    kept = of_plans(lab.begin(weir, __name__, quiet=[], beside=[]), digest())
    if not kept["quiet"]:
        store = os.environ.get("QUIET")
        kept["quiet"].append(stored(weir, store) if store else one(weir, 0))
        yield kept
    first = len(kept["beside"])
    runs = first + lab.runs(WANTED)
    for number in range(first, runs):
        kept["beside"].append(one(weir, 1))
        print(f"{number + 1} of {runs}: {words(kept['beside'][-1], right(kept))}", flush=True)
        yield kept


def digest():
    """What tells one text of the plans from another."""
    texts = [plan.read_bytes() for plan in sorted(PLANS.glob("*.toml"))]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()


def of_plans(kept, plans):
    """The facts without runs of other plans."""
    return kept | {side: [run for run in kept[side] if run["plans"] == plans] for side in ("quiet", "beside")}


def one(weir, burners):
    """One run of all field reports, with so many programs that take a core: its claims, and its seconds."""
    plans, began = digest(), time.monotonic()
    with place_of("beside" if burners else "quiet") as place:
        store = place / "weir.db"
        rows = claims(weir, store, burners)
        return {"seconds": time.monotonic() - began, "plans": plans, "claims": facts(weir, store, rows)}


@contextlib.contextmanager
def place_of(kind):
    """The folder of a run's store, as long as this lasts; one in the folder KEEP stays."""
    keep = os.environ.get("KEEP")
    if not keep:
        with lab.folder() as place:
            yield place
        return
    pathlib.Path(keep).mkdir(parents=True, exist_ok=True)
    began = time.strftime("%Y-%m-%d-%H%M", time.gmtime())
    yield pathlib.Path(tempfile.mkdtemp(prefix=f"{kind}-{began}-", dir=keep))


def stored(weir, store):
    """The run of all field reports that a store has, judged by today's plans."""
    said = subprocess.run(asked(weir, store, "--stored"), check=False, capture_output=True, text=True)
    return {"plans": digest(), "claims": facts(weir, store, rows_of(said.stdout, said.stderr))}


def asked(weir, store, *options):
    return [weir, "--store", store, "claims", "--plans", PLANS, "--json", *options]


def claims(weir, store, burners):
    """What weir says of the claims of all plans, beside so many programs that take a core for some of the time."""
    command = asked(weir, store, "--python", PYTHON, "--budget", f"{MINUTES}min", "--quiet")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            wait(process, AFTER)
            with lab.burners(burners):
                wait(process, TAKES)
            out, err = process.communicate(timeout=AT_MOST)
        except subprocess.TimeoutExpired:
            raise lab.Unsaid(f"weir claims was not over after {AT_MOST / 60:.0f} minutes") from None
        finally:
            process.kill()
    return rows_of(out, err)


def rows_of(out, err):
    if not out.startswith("["):
        raise lab.Unsaid(f"weir said nothing: {err.strip()}")
    return json.loads(out)


def facts(weir, store, rows):
    """What became of each claim, with the programs that its run names."""
    programs = {run: named(shown(weir, store, run)) for run in sorted({*map(run_of, rows)} - {None})}
    return {row["id"]: fact(row, programs) for row in rows}


def wait(process, seconds):
    """Until a program ends, or so many seconds are over."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def shown(weir, store, run):
    """What weir shows of a run."""
    said = subprocess.run([weir, "--store", store, "show", str(run), "--json"], check=False, capture_output=True, text=True)
    return lab.document(said.stdout, said.stderr)


def run_of(row):
    """The run that decided a claim, or could not; nothing where there is none."""
    return row["standing"].get("judged", {}).get("run")


def named(document):
    """In how many trials of a run each program is named as what disturbed it."""
    who = [doubt["because"].split(" took ")[0] for doubt in lab.doubts(document) if doubt["kind"] == "disturbed"]
    return dict(collections.Counter(name for of in who for name in {*NAMES.findall(of)}))


def fact(row, programs):
    """The verdict on a claim, or what stands in its place, the programs that its run names, and those that it names itself."""
    [(kind, of)] = row["standing"].items()
    return {"verdict": of["verdict"]["holds"] if kind == "judged" else kind, "named": programs.get(run_of(row), {}),
            "lost": NAMES.findall(of.get("lost", ""))}


def right(kept):
    """The verdicts of the quiet run; `cannot-tell` is none."""
    claims = kept["quiet"][0]["claims"] if kept["quiet"] else {}
    return {claim: of["verdict"] for claim, of in claims.items() if of["verdict"] in DECIDED}


def became(run, known):
    """What became of each claim that is known."""
    return {claim: outcome(run["claims"].get(claim, MISSING), verdict) for claim, verdict in known.items()}


def outcome(claim, verdict):
    if claim["verdict"] == verdict:
        return SAME
    if claim["verdict"] != "cannot-tell":
        return DIFFERENT
    return NAMED if lab.BURNER in [*claim["named"], *claim.get("lost", [])] else OPEN


def there(kept):
    """How many runs beside the program there are, and how many the goal asks for."""
    return [(len(kept["beside"]), WANTED)]


def met(kept):
    known = right(kept)
    all_right = all({*became(run, known).values()} <= {SAME, NAMED} for run in kept["beside"])
    return bool(known) and lab.whole(there(kept)) and all_right


def words(run, known):
    counts = collections.Counter(became(run, known).values())
    told = ", ".join(f"{counts[what]} {what}" for what in (SAME, NAMED, OPEN, DIFFERENT) if counts[what])
    return f"{told or 'no claim is known'}; {run['seconds'] / 60:.0f} min"


def said(kept):
    known = right(kept)
    lines = [
        f"{lab.measured(kept)}. The quiet run decides {len(known)} claims. From minute {AFTER // 60} of a run on the program "
        f"`{lab.BURNER}` takes a core for {TAKES // 60} minutes.", "",
        "| run | same | cannot tell, the program is named | cannot tell, nothing is named | different | took |", "|---|---|---|---|---|---|"]
    for number, run in enumerate(kept["beside"], 1):
        counts = collections.Counter(became(run, known).values())
        cells = " | ".join(str(counts[what]) for what in (SAME, NAMED, OPEN, DIFFERENT))
        lines.append(f"| {number} | {cells} | {run['seconds'] / 60:.0f} min |")
    others = [line for number, run in enumerate(kept["beside"], 1) for line in changed(number, run, known)]
    return [*lines, "", *(["Each claim that did not come out the same:", "", *others] if others else ["Every claim came out the same."])]


def changed(number, run, known):
    """A line for each claim of a run that did not come out the same."""
    for claim, what in became(run, known).items():
        if what == SAME:
            continue
        of = run["claims"].get(claim, MISSING)
        programs = ", ".join(f"`{name}` in {trials}" for name, trials in sorted(of["named"].items())) or "nothing"
        lost = ", ".join(f"`{name}`" for name in of.get("lost", []))
        lost = f"; as what took the time that it lacked: {lost}" if lost else ""
        yield f"* run {number}, {claim}: {known[claim].replace('-', ' ')} on the quiet machine; beside the program {what} " \
              f"({of['verdict'].replace('-', ' ')}; named in trials of its plan: {programs}{lost})"
