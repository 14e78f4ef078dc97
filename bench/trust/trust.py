#!/usr/bin/env python3
"""What weir's verdicts are held to, measured: `make trust`, or `make trust WHAT="alike stall"`.

Each experiment is a file here with a TITLE, a GOAL, `measure` (yields its plain facts so far, again and again), `met` and
`said` (lines of Markdown of these facts), and its name in EXPERIMENTS. What came of one is kept in docs/trust until it is
measured again, also when it is interrupted, each row with the commit, the day and the machine; docs/trust.md is written from
all of them, in the order of EXPERIMENTS, and says which were never measured. An experiment with a DOCUMENT is printed there
too, between `<!-- measured: NAME -->` and `<!-- end of NAME -->`.
WHAT=document measures nothing and writes it. Settings (environment): WEIR (the binary), OUT (the document), RUNS (how often,
in place of what the goal asks for: the document says so), MORE=yes (what is measured is added to what there is). Ends with 1
if a goal was missed, or was never measured.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import signal
import sys

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
ONLY_WRITE = "document"
SAYS = "written by make trust · sha256 of the text above: "


def main(wanted):
    unknown = [name for name in wanted if name not in [*EXPERIMENTS, ONLY_WRITE]]
    if unknown:
        print(f"error: no experiment `{unknown[0]}`\nhint: there are {', '.join(EXPERIMENTS)}", file=sys.stderr)
        return 2
    weir = pathlib.Path(os.environ.get("WEIR", lab.ROOT / "target/release/weir")).resolve()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    lab.KEPT.mkdir(parents=True, exist_ok=True)
    ended = True
    with contextlib.suppress(KeyboardInterrupt):
        for name in EXPERIMENTS:
            if name in wanted or not wanted:
                ended &= keep(name, EXPERIMENTS[name].measure(weir))
    kept = {name: json.loads(file.read_text()) for name in EXPERIMENTS if (file := lab.KEPT / f"{name}.json").exists()}
    out = pathlib.Path(os.environ.get("OUT") or DOCUMENT)
    out.write_text(page(kept))
    print(f"wrote {out}")
    if not os.environ.get("OUT"):
        for name, of in EXPERIMENTS.items():
            if document := getattr(of, "DOCUMENT", None):
                document.write_text(within(document.read_text(), name, kept.get(name)))
    return 0 if ended and all(met(name, kept.get(name)) for name in EXPERIMENTS) else 1


def met(name, facts):
    """Whether an experiment met its goal; what was never measured did not."""
    return facts is not None and EXPERIMENTS[name].met(facts)


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
    return [f"Goal: {of.GOAL}: {'met' if met(name, facts) else '**missed**'}.", "", *of.said(facts)]


def page(kept):
    """The document of these facts, by the name of their experiment."""
    lines = [
        "# What weir's verdicts are held to", "",
        "Written by `make trust`, which repeats it. It is never edited by hand: a goal that was missed is printed as missed.",
        "What was measured is in `docs/trust`, run by run.", ""]
    for name, of in EXPERIMENTS.items():
        lines += [f"## {of.TITLE}", "", *section(name, kept.get(name)), ""]
    text = "\n".join(lines).rstrip("\n") + "\n\n"
    return f"{text}<!-- {SAYS}{hashlib.sha256(text.encode()).hexdigest()} -->\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
