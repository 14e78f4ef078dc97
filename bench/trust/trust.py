#!/usr/bin/env python3
"""What weir's verdicts are held to, measured: `make trust`, or `make trust WHAT="alike stall"`.

Each experiment is a file here with a TITLE, a GOAL, `measure` (yields its plain facts so far, again and again), `met`,
`there` (pairs of how much there is of what the goal asks for; or `built`, the rows that it asks for), and
`said` (lines of Markdown of these facts), and its name in EXPERIMENTS and MINUTES. What came of one is kept in docs/trust until it is
measured again, also when it is interrupted, each row with the commit, the day and the machine; docs/trust.md is written from
all of them, in the order of EXPERIMENTS, and says which were never measured. An experiment with a DOCUMENT is printed there
too, between `<!-- measured: NAME -->` and `<!-- end of NAME -->`.
WHAT=document measures nothing and writes it. Settings (environment): WEIR (the binary), OUT (the document), RUNS (how often,
in place of what the goal asks for: the document says so), MORE=yes (what is measured is added to what there is), MINUTES=60 (adds what
can be measured in that time, of everything its share, what lacks most first). Ends with 1 if a goal was missed, or was never measured.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import signal
import statistics
import sys
import time

import advice
import alike
import beside
import causes
import claims_beside
import doubts
import lab
import observing
import quantiles
import share
import slices
import slower
import stall

DOCUMENT = lab.ROOT / "docs/trust.md"
EXPERIMENTS = {"alike": alike, "slices": slices, "share": share, "slower": slower, "quantiles": quantiles, "stall": stall,
               "observing": observing, "doubts": doubts, "causes": causes,
               "advice": advice, "beside": beside, "claims_beside": claims_beside}
MINUTES = {"alike": 6, "slices": 3, "share": 3, "slower": 12, "quantiles": 0.5, "stall": 0.3, "observing": 9, "doubts": 4, "causes": 8,
           "advice": 4, "beside": 4, "claims_beside": 100}
"""What one of its RUNS takes, by estimate."""
ONLY_WRITE = "document"
SAYS = "written by make trust · sha256 of the text above: "


def main(wanted):
    unknown = [name for name in wanted if name not in [*EXPERIMENTS, ONLY_WRITE]]
    if unknown:
        print(f"error: no experiment `{unknown[0]}`\nhint: there are {', '.join(EXPERIMENTS)}", file=sys.stderr)
        return 2
    minutes = os.environ.get("MINUTES") or "0"
    if not minutes.isdecimal():
        print(f"error: MINUTES={minutes} is no number of minutes\nhint: an hour is MINUTES=60", file=sys.stderr)
        return 2
    weir = pathlib.Path(os.environ.get("WEIR", lab.ROOT / "target/release/weir")).resolve()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    lab.KEPT.mkdir(parents=True, exist_ok=True)
    names = [name for name in EXPERIMENTS if name in wanted or not wanted]
    ended = True
    with contextlib.suppress(KeyboardInterrupt):
        for name in within_minutes(int(minutes), names) if minutes != "0" else names:
            ended &= keep(name, EXPERIMENTS[name].measure(weir))
    kept = {name: facts for name in EXPERIMENTS if (facts := facts_of(name)) is not None}
    out = pathlib.Path(os.environ.get("OUT") or DOCUMENT)
    out.write_text(page(kept))
    print(f"wrote {out}")
    if not os.environ.get("OUT"):
        for name, of in EXPERIMENTS.items():
            if document := getattr(of, "DOCUMENT", None):
                document.write_text(within(document.read_text(), name, kept.get(name)))
    return 0 if ended and all(met(name, kept.get(name)) for name in EXPERIMENTS) else 1


def within_minutes(minutes, names):
    """Each experiment, with the number of its runs set so that they fit its share of the time that is left, and at least one if that
    fits at all; they are added to what there is. First comes what lacks most of what its goal asks for."""
    until = time.monotonic() + 60 * minutes
    names = sorted(names, key=lambda name: reached(name, facts_of(name)))
    for at, name in enumerate(names):
        left = max(until - time.monotonic(), 0) / 60
        runs = fitting(left, len(names) - at, MINUTES[name])
        if runs:
            os.environ.update(MORE="yes", RUNS=str(runs))
            yield name
        else:
            print(f"{name}: left out: one run takes {MINUTES[name]:g} min by estimate, and {left:.0f} min are left", flush=True)


def fitting(left, among, each):
    """How many runs of so many minutes each fit an even share of what is left among so many experiments; one if that fits at all."""
    return max(int(left / among / each), int(each <= left))


def facts_of(name):
    """What is kept of an experiment; none of one that was never measured."""
    file = lab.KEPT / f"{name}.json"
    return json.loads(file.read_text()) if file.exists() else None


def there(name, facts):
    """How many runs there are of how many, of each kind that the goal asks for."""
    of = EXPERIMENTS[name]
    if hasattr(of, "there"):
        return of.there(facts)
    return [(sum(bool(lab.rows_of(facts, named)) for named in of.built()), len(of.built()))]


def reached(name, facts):
    """The share of what the goal asks for that there is, over all kinds: one that this machine cannot have is not the only one."""
    return statistics.fmean(min(have / wanted, 1) for have, wanted in there(name, facts)) if facts is not None else 0


def met(name, facts):
    """Whether an experiment met its goal; what was never measured did not."""
    return facts is not None and EXPERIMENTS[name].met(facts)


def verdict(name, facts):
    """Whether the goal was met, in words; what has fewer runs than it asks for was not."""
    if met(name, facts):
        return "met"
    have, wanted = min(there(name, facts), key=lambda of: of[0] / of[1])
    if have >= wanted:
        return "**missed**"
    return f"**missed**: not yet measured whole: {have} of {wanted} so far (`make trust WHAT={name} MORE=yes` adds to them, where the machine allows it)"


def keep(name, measured):
    """Writes down what is known each time that more is known; whether it came to its end."""
    print(f"{name}:", flush=True)
    try:
        for facts in measured:
            lab.stamped(facts, when=lab.stamp.today())
            unfinished = lab.KEPT / f"{name}.part"
            unfinished.write_text(json.dumps(facts, indent=1))
            unfinished.replace(lab.KEPT / f"{name}.json")
    except lab.Unsaid as error:
        print(f"error: {error}", file=sys.stderr)
        return False
    return True


def within(text, name, facts):
    """The text of a document with what was measured in its place."""
    begin, end = f"<!-- measured: {name} -->", f"<!-- end of {name} -->"
    before, rest = text.split(begin)
    _old, after = rest.split(end)
    return "\n".join([before + begin, *section(name, facts), end + after])


def section(name, facts):
    """An experiment's goal, whether it was met, and what was measured, if anything was."""
    of = EXPERIMENTS[name]
    if facts is None:
        return [f"Goal: {of.GOAL}: **missed**: not measured (`make trust WHAT={name}` does)."]
    return [f"Goal: {of.GOAL}: {verdict(name, facts)}.", "", *of.said(facts)]


def page(kept):
    """The document of these facts, by the name of their experiment."""
    lines = [
        "# What weir's verdicts are held to", "",
        "Written by `make trust`, which repeats it. It is never edited by hand: a goal that was missed is printed as missed.",
        "What was measured is in `docs/trust`, run by run. Each section begins with the commits of weir that it was measured with; where "
        "nobody wrote one down it is from before measurements noted it.", ""]
    for name, of in EXPERIMENTS.items():
        lines += [f"## {of.TITLE}", "", *section(name, kept.get(name)), ""]
    text = "\n".join(lines).rstrip("\n") + "\n\n"
    return f"{text}<!-- {SAYS}{hashlib.sha256(text.encode()).hexdigest()} -->\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
