#!/usr/bin/env python3
"""The first five minutes with weir, on apps of others: `make first-contact`, or `make first-contact WHAT="isso go"`.

Each app is a file in apps/ that says how its own documentation makes it, and what a new user of weir types then. It
is made in a temporary folder from its registry, without any app server, and the commands are typed there one after the
other, until one of them ends in a result. What that says to deploy is written, started and asked for the page.
What came of an app is kept in .deps/first-contact until it is walked again, or `make clean`; docs/first-contact.md is written from all of
them, once each was walked. Settings (environment): WEIR (the binary), OUT (the document), KEEP (a folder in which all
that was said stays), QUICK (anything: short trials, which show that an app is served; nothing is kept or written).
An app's outcome has the commit, the day and the machine. Ends with 1 if an app missed the goal, with 130 if it was ended.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import apps
import document
import outcome
import typing_in

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench"))
import ending
import stamp

DOCUMENT = ROOT / "docs/first-contact.md"
OUTCOMES = ROOT / ".deps/first-contact"


def main(wanted):
    known = apps.all_of(pathlib.Path(__file__).parent / "apps")
    unknown = [name for name in wanted if name not in known]
    if unknown:
        print(f"error: no app `{unknown[0]}`\nhint: there are {', '.join(known)}", file=sys.stderr)
        return 2
    weir = pathlib.Path(os.environ.get("WEIR", ROOT / "target/release/weir")).resolve()
    quick, with_what = bool(os.environ.get("QUICK")), (version(weir), stamp.commit(), outcome.machine())
    outcomes = []
    for name in wanted or known:
        outcomes.append(outcome.of(walk(known[name], weir, quick), *with_what))
        print("\n".join(document.said(outcomes[-1])), flush=True)
        if not quick:
            outcome.keep(outcomes[-1], OUTCOMES)
    if not quick:
        write([outcome.kept(name, OUTCOMES) for name in known])
    return 0 if all(map(document.met, outcomes)) else 1


def write(outcomes):
    """The document, once there is something to say of each app."""
    if all(outcomes):
        out = pathlib.Path(os.environ.get("OUT") or DOCUMENT)
        out.write_text(document.page(outcomes))
        print(f"wrote {out}")
    else:
        print(f"{sum(map(bool, outcomes))} of {len(outcomes)} apps were walked: the document is written when all were")


def walk(app, weir, quick=False):
    """Makes one app and types its commands; what came of it."""
    missing = [program for program in app.needs if not shutil.which(program)]
    if missing:
        return typing_in.Walk(app, unmade=f"`{missing[0]}` is not installed on this machine")
    with tempfile.TemporaryDirectory(prefix="weir-first-contact-") as place:
        # as a folder of apps is: what root starts serves as a user of its own
        os.chmod(place, 0o755)
        place = pathlib.Path(place)
        try:
            why = apps.make(app, place / "app")
            return typing_in.Walk(app, unmade=why) if why else typing_in.typed(app, place, weir, quick)
        finally:
            keep(app, place)
            writable(place)


def keep(app, place):
    """Where KEEP asks for it, what was typed and said stays."""
    if os.environ.get("KEEP") and (place / "said").is_dir():
        shutil.copytree(place / "said", pathlib.Path(os.environ["KEEP"]) / app.name, dirs_exist_ok=True)


def writable(place):
    """Go makes the folders of its modules read-only, and they could not be removed."""
    subprocess.run(["chmod", "-R", "u+w", place], check=False, stderr=subprocess.DEVNULL)


def version(weir):
    return subprocess.run([weir, "--version"], check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(ending.of(main, "what came of the apps before is kept"))
