"""What came of the walks, as a document that its last line tells from one that was edited."""

import functools
import hashlib
import os
import platform

GOAL = 300
"""Seconds from the first key to the result."""
SAYS = "written by make first-contact · sha256 of the text above: "


def page(walks, version):
    reached = sum(met(walk) for walk in walks)
    lines = [
        "# First contact", "",
        "Written by `make first-contact`, which repeats it: apps of others, made as their own documentation says, without "
        "any app server, and what a new user of weir types. It is never edited by hand.", "",
        f"{version}, {os.cpu_count()} cores, {platform.freedesktop_os_release().get('PRETTY_NAME', 'Linux')}.", "",
        f"The goal is five minutes from the first key to the result: {reached} of {len(walks)} apps.", "",
        "| app | recognised | commands | to the result | promised, took | goal |", "|---|---|---|---|---|---|",
        *(row(walk) for walk in walks), "",
    ]
    for walk in walks:
        lines += [f"## {walk.app.name}", "", f"{walk.app.what} ([how it is made]({walk.app.source})).", "", *told(walk), ""]
    return signed("\n".join(lines))


def met(walk):
    """Whether the result came in time."""
    return walk.seconds is not None and walk.seconds <= GOAL


def row(walk):
    name, goal = walk.app.name, "met" if met(walk) else "**missed**"
    if walk.unmade:
        return f"| {name} | not made | | | | {goal} |"
    promised = "" if not walk.estimate else "{}, {}".format(*map(time, walk.estimate))
    result = time(walk.seconds) if walk.run else "no result after " + time(sum(one.seconds for one in walk.typed))
    return f"| {name} | {'yes' if walk.recognised else 'no'} | {len(walk.typed)} | {result} | {promised} | {goal} |"


def told(walk):
    """The whole walk, in lines of Markdown."""
    if walk.unmade:
        return [f"It could not be made: {cell(walk.unmade)}"]
    lines, cell = [], functools.partial(shown, walk)
    for one in walk.typed:
        why = one.why()
        lines.append(f"* `{one.command}`: code {one.code} after {time(one.seconds)}" + (f": {cell(why)}" if why else ""))
    lines.append(f"* Recognised: {cell(walk.recognised) if walk.recognised else 'no'}")
    if walk.run:
        lines.append(f"* Verdict: {cell(walk.verdict or 'none')}")
        lines.append(f"* What to deploy: {' or '.join(f'`{name}`' for name in walk.deployed) or 'nothing'}")
    return lines


def said(walk):
    """The same for a terminal."""
    return [f"{walk.app.name}: {'met' if met(walk) else 'missed'}", *(f"  {line}" for line in told(walk))]


def time(seconds):
    """Three digits of it."""
    return f"{seconds:.3g} s" if seconds < 100 else f"{seconds / 60:.3g} min"


def shown(walk, text):
    """A text without the folder in which the app was made for this walk."""
    return cell(text.replace(walk.place, "") if walk.place else text)


LONGEST = 400


def cell(text):
    """A text of others in one line, bounded, that no table and no terminal takes for more than a text."""
    text = "".join(c if c.isprintable() else " " for c in text).replace("|", "\\|").replace("<", "&lt;")
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"


def signed(text):
    text = text.rstrip("\n") + "\n\n"
    return f"{text}<!-- {SAYS}{hashlib.sha256(text.encode()).hexdigest()} -->\n"
