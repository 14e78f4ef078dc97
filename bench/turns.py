"""Runs that take turns: each one's neighbours, and the ratio of what neighbours cost."""

import statistics
from dataclasses import dataclass

from lab import PAIRS, Failed, Unmeasured


@dataclass
class Ratio:
    """CPU time per request, ours over theirs: runs beside each other, in the order A B B A."""

    ours: list
    theirs: list

    @property
    def pairs(self):
        """In the order in which they ran."""
        return [a.cost / b.cost for a, b in zip(self.ours, self.theirs)]

    @property
    def median(self):
        return statistics.median(self.pairs)

    def cause(self, name, at_most):
        """Where the time is that a goal does not leave, and where the peer's is, which has this name."""
        (all_, kernel), (theirs, their_kernel) = (
            [self.of(side, spent) for spent in (lambda one: one.cpu, lambda one: one.kernel)] for side in (self.ours, self.theirs))
        leaves = (f"{name}: {their_kernel:.2f} us in the kernel, {theirs - their_kernel:.2f} us its own; "
                  f"the goal leaves {at_most * theirs:.2f} us")
        if not all(one.engine for one in self.ours):
            return f"{kernel:.2f} us of weir's are the kernel's and {all_ - kernel:.2f} us its own; {leaves}"
        user, system = (self.of(self.ours, lambda one, mode=mode: one.engine[mode]) for mode in (0, 1))
        return (f"of weir's {all_:.2f} us the kernel takes {system:.2f} us for the engine, the engine itself {user:.2f} us, "
                f"and the rest of the program {all_ - user - system:.2f} us; {leaves}")

    @staticmethod
    def of(runs, spent):
        """The median of some of their time, in microseconds per request."""
        return statistics.median(spent(one) / one.completed for one in runs) * 1e6

    def __str__(self):
        costs = [statistics.median(one.cost for one in side) for side in (self.ours, self.theirs)]
        return (f"{self.median:.3f} ({min(self.pairs):.3f} to {max(self.pairs):.3f} in {len(self.pairs)} pairs; "
                f"{costs[0]:.2f} and {costs[1]:.2f} us)")


def rounds(runs, how_many=PAIRS):
    """Runs functions without arguments in turns, forth and back, so that none is always the first, and of three the one in
    the middle is a neighbour of each other one; what each returned, by round. One that cannot be measured is left out: the
    reason in its place."""
    spent = {name: [] for name in runs}
    for turn in range(how_many):
        for name in sorted(runs, key=list(runs).index, reverse=turn % 2 == 1):
            if isinstance(spent[name], list):
                try:
                    spent[name].append(runs[name]())
                except (Unmeasured, Failed) as reason:
                    spent[name] = reason
    return spent


def there(*runs):
    """Of what `rounds` returned; the first reason why something was left out is raised."""
    for reason in runs:
        if isinstance(reason, Exception):
            raise reason
    return runs


def ratio(ours, theirs):
    return Ratio(*there(ours, theirs))
