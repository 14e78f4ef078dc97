"""What was measured, as a document, and how it is told from one that was edited."""

import hashlib

SAYS = "written by make bench · sha256 of the text above: "


def page(head, sections):
    """Lines that say how it was measured, and of each section its title, with what its tables were measured, and its rows."""
    lines = ["# weir's load engine beside its peers", "",
             "Written by `make bench`, which repeats it (`make bench-peers` installs the peers).", "", *head, ""]
    for title, beside, rows in sections:
        lines += [f"## {title}", "", beside, "", *table(rows), *runs(rows)]
    return signed("\n".join(lines))


def table(rows):
    goals, plain = [row for row in rows if row.goal], [row for row in rows if not row.goal]
    lines = []
    if goals:
        lines += ["| what | measured | wanted | |", "|---|---|---|---|"]
        lines += [f"| {row.what} | {row.figure} | {row.goal} | {row.verdict} |" for row in goals] + [""]
    if plain:
        lines += ["| what | measured |", "|---|---|", *(f"| {row.what} | {row.figure} |" for row in plain), ""]
    return lines


def runs(rows):
    """Every run's value, in the order in which they ran."""
    rows = [row for row in rows if row.values]
    if not rows:
        return []
    return ["Every run, in order:", "", *(f"* {row.what}: {', '.join(row.values)}" for row in rows), ""]


def signed(text):
    """The text with a last line by which a test sees that nobody changed it."""
    text = text.rstrip("\n") + "\n\n"
    return f"{text}<!-- {SAYS}{digest(text)} -->\n"


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()
