"""What a comparison is: rows of what was measured, the figure, the goal, and whether it is met."""

from dataclasses import dataclass, field
from typing import Callable

from lab import Failed, Unmeasured


@dataclass
class Row:
    what: str
    figure: str
    goal: str
    met: object
    """True, False, or None where nothing is wanted or it could not be measured."""
    values: list = field(default_factory=list)
    """Of every run, in order."""
    cause: str = ""
    """Of a goal that was missed: where the time is, or what failed."""

    @property
    def verdict(self):
        """Whether the goal is met, and of one that is missed the cause."""
        if self.met is None:
            return ""
        return "met" if self.met else f"**missed**: {self.cause or 'cause not known'}"


@dataclass
class Comparison:
    title: str
    seconds: float
    """How long it takes, about."""
    rows: Callable


ALL = {}


def comparison(title, seconds):
    """Makes a function that yields rows one of `ALL`, under its name."""
    def known(rows):
        ALL[rows.__name__] = Comparison(title, seconds, rows)
        return rows
    return known


def row(what, goal, figures):
    """`figures()` as a row; a reason why not, where it cannot be had."""
    try:
        figure, met, *more = figures()
        return Row(what, figure, goal, met, *more)
    except Unmeasured as reason:
        return Row(what, f"not measured: {reason}", goal, None)
    except Failed as reason:
        return Row(what, "failed", goal, False, cause=str(reason))
