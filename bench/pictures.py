"""What the pictures of `make pictures` show, in figures, put into docs/how-we-measure.md between its two markers.

    python3 bench/pictures.py PROFILE.json     what `weir profile PLAN VARIANT --diff RUN --json` printed

Ends with 1 and writes nothing if a profile has too few samples. Setting (environment): WEIR (the binary).
"""

import json
import os
import pathlib
import subprocess
import sys

import stamp

DOCUMENT = stamp.ROOT / "docs/how-we-measure.md"
BEGIN, END = "<!-- measured: pictures -->", "<!-- end of pictures -->"
FEWEST = 1000
"""Samples on CPU of each of the two: of fewer, a share is not known within a few per cent."""
MOST = 3
"""How many functions are named."""


def main(file):
    profile = json.loads(pathlib.Path(file).read_text())
    samples = profile["changes"]["samples"]
    if min(samples) < FEWEST:
        print(f"error: {min(samples)} samples on CPU, where at least {FEWEST:,} are wanted\n"
              "hint: raise `seconds` in bench/pictures.toml", file=sys.stderr)
        return 1
    DOCUMENT.write_text(within(DOCUMENT.read_text(), said(profile, measured())))
    return 0


def measured():
    """With what, when and where it was measured."""
    weir = os.environ.get("WEIR", stamp.ROOT / "target/release/weir")
    version = subprocess.run([weir, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    return stamp.words({"weir": version, "commit": stamp.commit(), "when": stamp.today(), "machine": stamp.machine()})


def said(profile, by):
    """Lines of Markdown of a profile that is compared with an earlier one."""
    changes = profile["changes"]
    before, now = changes["samples"]
    classes = [f"{of['class']} {share(of['share'])}" for of in profile["classes"] if of["share"]["value"] > 0]
    functions = [f"`{of['function']}` {percent(of['own'])}" for of in profile["functions"][:MOST]]
    return [
        f"Of the CPU time ({now:,} samples of threads on CPU in {digits(profile['seconds'])} s) works on behalf of: "
        f"{', '.join(classes)}. By themselves take most: {', '.join(functions)}.",
        f"Against `{changes['against']}` ({before:,} samples) {differing(changes)}.",
        f"Measured with {by}.",
    ]


def differing(changes):
    """How many functions take another share than before, and those that differ most."""
    differ = changes["functions"]
    verb = "surely take" if len(differ) > 1 else "surely takes"
    shares = [f"`{of['function']}` {percent(of['shares'][1])}, there {percent(of['shares'][0])}" for of in differ[:MOST]]
    told = f": {'; '.join(shares)}" if shares else ""
    return f"{len(differ) or 'none'} of {changes['compared']} functions {verb} another share of it{told}"


def share(of):
    """`67.0 % [60.0, 73.4]`."""
    low, high = of["interval"]
    return f"{percent(of['value'])} [{digits(100 * low)}, {digits(100 * high)}]"


def percent(value):
    return f"{digits(100 * value)} %"


def digits(value):
    """Three significant digits."""
    return f"{value:#.3g}".rstrip(".")


def within(text, lines):
    """The text of the document with these lines in their place."""
    before, rest = text.split(BEGIN)
    _old, after = rest.split(END)
    return "\n".join([before + BEGIN, *lines, END + after])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
