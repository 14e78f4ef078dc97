"""weir beside its peers under the same load: each runs directly before or after weir, and is compared with it by rounds."""

import functools
import itertools
import statistics

import tools
from goals import Row, row
from lab import PAIRS, SECONDS, SELDOM, Unmeasured, server
from tools import weir
from turns import Ratio, ratio, rounds

OPENING = 6
"""Seconds in which a generator may open 20,000 connections. gcannon takes about 3.5; what is left over makes it answer as many
requests as weir does at least (`spread`)."""
OPENS_FIRST = {"weir", tools.bare_epoll.name}
"""Of those that open so many the ones that do it before their clock begins; it is part of the others' time."""
BARE = (tools.bare_epoll, tools.bare_ring)


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
        return f"{found}{times}", met, values, "" if met else found.cause(at_most)
    return row(f"{what}, CPU per request / {name}", f"median at most {at_most:.2f}", figures)


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
    yield from generators(spent)


def cheaper(peers, spent):
    """Of several the one that is cheaper by the median of its runs; the first where none was measured."""
    def median(peer):
        runs = spent[peer.name]
        return statistics.median(one.cost for one in runs) if isinstance(runs, list) else float("inf")
    return min(peers, key=median)


def keep_alive(what, goals, connections, path="/", bare=(), others=(), floor=None, many=False, **how):
    """Rows of weir beside each peer of a goal, and what each run of all took. weir runs directly before or after each peer and
    each bare loop, in turn, between two of them at most; `others` run by themselves, for the table. The cheaper one of the bare
    loops has the goal `floor`; without one they run SELDOM times where they are by themselves beside weir."""
    def runs(of):
        return {tool.name: lambda nginx, tool=tool: tool.run(
            nginx.url(path), connections, seconds_of(tool.name, many), *(nginx.body(path) if tool is weir else ())) for tool in of}
    spent, beside_it, ours = loaded(runs(others), SELDOM, **how), {}, []
    peers = [*(peer for peer, _ in goals), *bare]
    for at in range(0, len(peers), 2):
        first, *second = peers[at:at + 2]
        found = loaded(runs((first, weir, *second)), PAIRS if floor or at < len(goals) else SELDOM, **how)
        beside_it |= {peer.name: found for peer in (first, *second)}
        ours.append(found["weir"])
        spent |= found
    if floor:
        goals = (*goals, (cheaper(bare, spent), floor))
    rows = [against(peer.name, at_most, what, beside_it[peer.name], many) for peer, at_most in goals]
    return rows, spent | {"weir": together(ours)}


def together(ours):
    """All runs of several rounds, or why there are none."""
    reasons = [runs for runs in ours if isinstance(runs, Exception)]
    return reasons[0] if reasons else list(itertools.chain(*ours))


def count(peers, others=0):
    """How many runs `keep_alive` makes beside so many peers and bare loops."""
    return PAIRS * (peers + (peers + 1) // 2) + SELDOM * others


def generators(spent, many=False, of=""):
    """What a request costs each generator, the cheapest first; `of` says of which load, where a table has several."""
    measured = {name: runs for name, runs in spent.items() if isinstance(runs, list)}
    costs = {name: statistics.median(one.cost for one in runs) for name, runs in measured.items()}
    for name, cost in sorted(costs.items(), key=lambda one: one[1]):
        rate = statistics.median(one.completed / one.seconds for one in measured[name])
        peak = statistics.median(one.peak for one in measured[name]) / 1024
        against_weir = f"{cost / costs['weir']:.2f} x weir; " if "weir" in costs else ""
        figure = f"{cost:.2f} us CPU per request{engines(measured[name])}; {against_weir}{rate:,.0f} requests/s, {peak:.0f} MiB"
        times = f"; {its_time(name)}" if many else ""
        yield Row(of + name, figure + times, "", None, [f"{one.cost:.2f} us" for one in measured[name]])
    for name, reason in spent.items():
        if name not in measured:
            yield Row(of + name, f"not measured: {reason}", "", None)


def engines(runs):
    """How that is divided, where the generator says what its engine took."""
    if not all(one.engine for one in runs):
        return ""
    engine = Ratio.of(runs, lambda one: sum(one.engine))
    outside = statistics.median(one.cpu - sum(one.engine) for one in runs)
    return f" (its engine {engine:.2f} us; {outside:.2f} s a run outside of it)"
