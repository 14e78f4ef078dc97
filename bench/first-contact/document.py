"""What came of the walks, as a document that its last line tells from one that was edited."""

import hashlib

from outcome import stamp

GOAL = 300
"""Seconds from the first key to the result."""
SAYS = "written by make first-contact · sha256 of the text above: "
LONGEST = 400


def page(outcomes):
    reached = sum(map(met, outcomes))
    near = [one for one in outcomes if one.estimate]
    close = sum(within_two(one) for one in near)
    walked = stamp.told([one.by for one in outcomes]) or "no app was walked"
    lines = [
        "# First contact", "",
        "Written by `make first-contact`, which repeats it: apps of others, made as their own documentation says, without "
        "any app server, and what a new user of weir types. It is never edited by hand.", "",
        f"{walked}.", "",
        f"The goal is a result within five minutes from the first key, whose files start and serve the app: {reached} of "
        f"{len(outcomes)} apps. An estimate is right within a factor of two: {close} of {len(near)}.", "",
        "| app | recognised | commands | to the result | promised, took | its files serve | goal |",
        "|---|---|---|---|---|---|---|", *(row(one) for one in outcomes), "",
    ]
    for one in outcomes:
        lines += [f"## {one.name}", "", f"{one.what} ([how it is made]({one.source})). {stamp.words(one.by)}.", "", *told(one), ""]
    return signed("\n".join(lines))


def met(outcome):
    """Whether the result came in time, and what it says to deploy serves the app."""
    return outcome.seconds is not None and outcome.seconds <= GOAL and not outcome.unstarted


def within_two(outcome):
    """Whether the last command took at most twice as long as it promised, and at least half as long."""
    promised, took = outcome.estimate
    return promised / 2 <= took <= promised * 2


def row(one):
    goal = "met" if met(one) else "**missed**"
    if one.unmade:
        return f"| {one.name} | not made | | | | | {goal} |"
    promised = "" if not one.estimate else "{}, {}".format(*map(time, one.estimate))
    if one.estimate and not within_two(one):
        promised = f"**{promised}**"
    there = one.seconds is not None
    result = time(one.seconds) if there else "no result after " + time(sum(typed.seconds for typed in one.commands))
    serve = ("no" if one.unstarted else "yes") if there else ""
    recognised = "no" if not one.recognised else "yes" if one.recognised_at == 1 else f"at command {one.recognised_at}"
    return f"| {one.name} | {recognised} | {len(one.commands)} | {result} | {promised} | {serve} | {goal} |"


def told(one):
    """The whole walk, in lines of Markdown."""
    if one.unmade:
        return [f"It could not be made: {cell(one.unmade)}"]
    lines = []
    for typed in one.commands:
        why = f": {cell(typed.why)}" if typed.why else ""
        lines.append(f"* `{typed.command}`: code {typed.code} after {time(typed.seconds)}{why}")
    lines.append(f"* Recognised: {cell(one.recognised) if one.recognised else 'no'}")
    if one.seconds is not None:
        lines.append(f"* Verdict: {cell(one.verdict or 'none')}")
        lines.append(f"* What to deploy: {' or '.join(f'`{name}`' for name in one.deployed) or 'nothing'}")
        lines.append(f"* Its files, started: {cell(one.unstarted) if one.unstarted else 'they serve the page'}")
    return lines


def said(one):
    """The same for a terminal."""
    return [f"{one.name}: {'met' if met(one) else 'missed'}", *(f"  {line}" for line in told(one))]


def time(seconds):
    """Three digits of it."""
    return f"{seconds:.3g} s" if seconds < 100 else f"{seconds / 60:.3g} min"


def cell(text):
    """A text of others in one line, bounded, that no table and no terminal takes for more than a text."""
    text = "".join(c if c.isprintable() else " " for c in text).replace("|", "\\|").replace("<", "&lt;")
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"


def signed(text):
    text = text.rstrip("\n") + "\n\n"
    return f"{text}<!-- {SAYS}{hashlib.sha256(text.encode()).hexdigest()} -->\n"
