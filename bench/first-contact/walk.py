#!/usr/bin/env python3
"""The first five minutes with weir, on apps of others: `make first-contact`, or `make first-contact WHAT="isso go"`.

Each app is a file in apps/ that says how its own documentation makes it, and what a new user of weir types then. It
is made in a temporary folder from its registry, without any app server, and the commands are typed there one after the
other, until one of them ends in a result. All apps together write docs/first-contact.md; some of them only if OUT
says where. Settings (environment): WEIR (the binary), OUT (the document), KEEP (a folder in which every walk stays).
Ends with 1 if an app missed the goal.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import apps
import document
import typing_in

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs/first-contact.md"


def main(wanted):
    known = apps.all_of(pathlib.Path(__file__).parent / "apps")
    unknown = [name for name in wanted if name not in known]
    if unknown:
        print(f"error: no app `{unknown[0]}`\nhint: there are {', '.join(known)}", file=sys.stderr)
        return 2
    out = pathlib.Path(os.environ["OUT"]) if os.environ.get("OUT") else None if wanted else DOCUMENT
    weir = pathlib.Path(os.environ.get("WEIR", ROOT / "target/release/weir")).resolve()
    walks = []
    for name in wanted or known:
        walks.append(walk(known[name], weir))
        print("\n".join(document.said(walks[-1])), flush=True)
    if out:
        out.write_text(document.page(walks, version(weir)))
        print(f"wrote {out}")
    return 0 if all(document.met(one) for one in walks) else 1


def walk(app, weir):
    """Makes one app and types its commands; what came of it."""
    missing = [program for program in app.needs if not shutil.which(program)]
    if missing:
        return typing_in.Walk(app, unmade=f"`{missing[0]}` is not installed on this machine")
    with tempfile.TemporaryDirectory(prefix="weir-first-contact-") as place:
        place = pathlib.Path(place)
        try:
            why = apps.make(app, place / "app")
            return typing_in.Walk(app, unmade=why) if why else typing_in.typed(app, place, weir)
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
    sys.exit(main(sys.argv[1:]))
