"""weir beside its peers under the same load: each runs directly before or after weir, and is compared with it by rounds."""

import functools
import itertools
import statistics

import tools
from goals import Row, row
from lab import PAIRS, SECONDS, SELDOM, Unmeasured, server
from tools import weir, weir_kept
from turns import Ratio, ratio, rounds

OPENING = 6
"""Seconds in which a generator may open 20,000 connections. gcannon takes about 3.5; what is left over makes it answer as many
requests as weir does at least (`spread`)."""
BARE = (tools.bare_epoll, tools.bare_ring)
OPENS_FIRST = {"weir", *(loop.name for loop in BARE)}
"""Of those that open so many the ones that do it before their clock begins; it is part of the others' time."""
APART = 1.1
"""Runs of which the largest figure is more than so many times the smallest are said to differ."""


def against(name, at_most, what, spent, many=False):
    """CPU time per request beside a peer's in the same rounds. The rule: the median of the rounds. `many` connections take
    long to open: what each does about it is told."""
    def figures():
        found = ratio(spent["weir"], spent[name])
        if many:
            spread(name, found)
        values = [f"{one:.3f}" for one in found.pairs]
        met = found.median <= at_most
        times = f"; weir {its_time('weir')}, {name} {its_time(name)}" if many else ""
        return f"{found}{times}{differing(found.pairs)}", met, values, "" if met else found.cause(name, at_most)
    return row(f"{what}, CPU per request / {name}", f"median at most {at_most:.2f}", figures)


CHANGED = "the machine may have changed its speed"
"""Said of runs that differ by more than a tenth from each other."""


def differing(runs):
    """What is said of runs that differ by more than a tenth from each other, by their costs or ratios."""
    apart = max(runs) / min(runs)
    return f"; its runs differ by {(apart - 1) * 100:.0f} %: {CHANGED}" if apart > APART else ""


def seconds_of(name, many):
    """How long a generator is told to run, so that each has about SECONDS of open connections."""
    return SECONDS + OPENING if many and name not in OPENS_FIRST else SECONDS


def its_time(name):
    return f"{SECONDS} s after opening" if name in OPENS_FIRST else f"{seconds_of(name, True)} s with opening"


def spread(name, found):
    """Each opens as many connections, which its CPU time has. Where the peer answers fewer requests that is a larger part of
    each of its own than of weir's, and nothing is compared."""
    ours, theirs = (statistics.median(one.completed for one in side) for side in (found.ours, found.theirs))
    if theirs < ours:
        raise Unmeasured(f"`{name}` answered {theirs:,.0f} requests and weir {ours:,.0f}, each after opening as many connections")


def loaded(runs, how_many=PAIRS, **how):
    """What `rounds` returns of functions that are given a server; where there is none, the reason in each one's place."""
    if not runs:
        return {}
    try:
        with server(**how) as nginx:
            return rounds({name: functools.partial(run, nginx) for name, run in runs.items()}, how_many)
    except Unmeasured as reason:
        return dict.fromkeys(runs, reason)


def beside(peer, at_most, what, connections=100, scheme="http", ours=(), theirs=(), ours_scheme=None, **how):
    """weir beside one peer, each with arguments of its own: whether the goal is met, and what each took."""
    spent = loaded({
        "weir": lambda nginx: weir.run(nginx.url("/", ours_scheme or scheme), connections, SECONDS, *nginx.body(), *ours),
        peer.name: lambda nginx: peer.run(nginx.url("/", scheme), connections, SECONDS, *theirs)}, **how)
    yield against(peer.name, at_most, what, spent)
    yield from generators(spent, dict.fromkeys(spent, spent))


def cheaper(peers, spent):
    """Of several that took turns the one that is cheaper by the median of the rounds, each beside the first of them: between two
    rounds the machine may change its speed. The first where none was measured."""
    measured = [peer for peer in peers if isinstance(spent[peer.name], list)]
    if not measured:
        return peers[0]
    return min(measured, key=lambda peer: Ratio(spent[peer.name], spent[measured[0].name]).median)


def keep_alive(what, goals, connections, path="/", bare=(), others=(), floor=None, many=False, ours=weir_kept, **how):
    """Rows of weir beside each peer of a goal, what each run of all took, and by name what was measured in the same rounds. weir
    (`ours`) runs directly before or after each peer and each bare loop, in turn, between two of them at most; `others` run by
    themselves, for the table. The cheaper one of the bare loops has the goal `floor`; without one they run SELDOM times."""
    def runs(of):
        return {tool.name: lambda nginx, tool=tool: tool.run(
            nginx.url(path), connections, seconds_of(tool.name, many), *(nginx.body(path) if tool is ours else ())) for tool in of}
    spent, beside_it, all_of_weir = loaded(runs(others), SELDOM, **how), {}, []
    turns = [(pair, PAIRS) for pair in by_two([peer for peer, _ in goals])]
    turns += [(pair, PAIRS if floor else SELDOM) for pair in by_two(bare)]
    for (first, *second), how_many in turns:
        found = loaded(runs((first, ours, *second)), how_many, **how)
        beside_it |= dict.fromkeys(found, found)
        all_of_weir.append(found["weir"])
        spent |= found
    if floor:
        goals = (*goals, (cheaper(bare, spent), floor))
    rows = [against(peer.name, at_most, what, beside_it[peer.name], many) for peer, at_most in goals]
    return rows, spent | {"weir": together(all_of_weir)}, beside_it


def by_two(peers):
    return [peers[at:at + 2] for at in range(0, len(peers), 2)]


def together(ours):
    """All runs of several rounds, or why there are none."""
    reasons = [runs for runs in ours if isinstance(runs, Exception)]
    return reasons[0] if reasons else list(itertools.chain(*ours))


def count(peers, others=0):
    """How many runs `keep_alive` makes beside so many peers and, where one is in a goal, bare loops."""
    return PAIRS * (peers + (peers + 1) // 2) + SELDOM * others


def generators(spent, beside_it, many=False, of=""):
    """What a request costs each generator, the cheapest first. `beside_it` has by name what was measured in the same rounds, for
    those that had turns with weir; `of` says of which load, where a table has several."""
    measured = {name: runs for name, runs in spent.items() if isinstance(runs, list)}
    costs = {name: statistics.median(one.cost for one in runs) for name, runs in measured.items()}
    for name, cost in sorted(costs.items(), key=lambda one: one[1]):
        runs = measured[name]
        rate = statistics.median(one.completed / one.seconds for one in runs)
        peak = statistics.median(one.peak for one in runs) / 1024
        figure = (f"{cost:.2f} us CPU per request{engines(runs)}; {times_weir(name, beside_it)} x weir; "
                  f"{rate:,.0f} requests/s, {peak:.0f} MiB")
        times = f"; {its_time(name)}" if many else ""
        said = differing([one.cost for one in runs])
        yield Row(of + name, f"{figure}{times}{said}", "", None, [f"{one.cost:.2f} us" for one in runs])
    for name, reason in spent.items():
        if name not in measured:
            yield Row(of + name, f"not measured: {reason}", "", None)


def times_weir(name, beside_it):
    """How many times weir's CPU time per request a generator takes, by the rounds that both ran in; a dash where there are none."""
    runs = [beside_it.get(name, {}).get(one) for one in ("weir", name)]
    return f"{1 / Ratio(*runs).median:.2f}" if all(isinstance(one, list) for one in runs) else "-"


def engines(runs):
    """How that is divided, where the generator says what its engine took."""
    if not all(one.engine for one in runs):
        return ""
    engine = Ratio.of(runs, lambda one: sum(one.engine))
    outside = statistics.median(one.cpu - sum(one.engine) for one in runs)
    return f" (its engine {engine:.2f} us; {outside:.2f} s a run outside of it)"
