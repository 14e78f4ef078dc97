"""With which code, when and on what machine something was measured: what each measurement is stamped with."""

import collections
import datetime
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNKNOWN = "of unknown version"
UNWRITTEN = "of a commit that nobody wrote down"
"""Of what was measured before stamps had it."""
DIRTY = "-dirty"


def commit():
    """What is checked out, and whether files differ from it: not those in docs, which measurements write."""
    if not shutil.which("git"):
        return UNKNOWN
    name = git("describe", "--always").stdout.strip()
    if not name:
        return UNKNOWN
    changed = git("diff", "--quiet", "HEAD", "--", ".", ":!docs").returncode != 0
    return name + DIRTY * changed


def git(*command):
    return subprocess.run(["git", *command], cwd=ROOT, check=False, capture_output=True, text=True)


def today():
    return f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}"


def machine():
    names = [line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    return f"{os.cpu_count()} cores of {names[0] if names else 'an unknown kind'}"


def words(stamp):
    """Of facts that have `weir`, `commit`, `when` and `machine`; what was kept before may lack some."""
    where = stamp.get("machine") or "a machine that nobody wrote down"
    return f"{stamp['weir']} ({stamp.get('commit') or UNWRITTEN}), {stamp['when']}, {where}"


def told(stamps):
    """All of them, each once, in the order in which they come; where there are several, of how many each is."""
    counts = collections.Counter(map(words, stamps))
    if len(counts) == 1:
        return next(iter(counts))
    return "; ".join(f"{count} of {len(stamps)} by {each}" for each, count in counts.items())
