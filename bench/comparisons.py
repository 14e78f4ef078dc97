"""What is compared, and what is wanted. Each has rows: what, the figure, the goal, whether it is met."""

import functools
import itertools
import json
import os
import statistics
from dataclasses import dataclass, field
from typing import Callable

import tools
from lab import PAIRS, SECONDS, SELDOM, TARGET, Failed, Unmeasured, ratio, room, rounds, server
from tools import Tool, weir

MANY = int(os.environ.get("MANY", 10_000_000))
SCALE_SECONDS = int(os.environ.get("SCALE_SECONDS", 15))
EACH = SECONDS + 0.3
"""Seconds that a run takes, its start and end included."""
OPENING = 4
"""Seconds in which a generator may open 20,000 connections."""
OPENS_FIRST = {"weir", tools.bare_epoll.name}
"""Of those that open so many the ones that do it before their clock begins; it is part of the others' time."""


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
    """Of a goal that was missed: where the time is."""


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
        return Row(what, f"failed: {reason}", goal, False)


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
    """weir beside one peer, each with arguments of its own."""
    spent = loaded({
        "weir": lambda nginx: weir.run(nginx.url("/", ours_scheme or scheme), connections, SECONDS, *nginx.body(), *ours),
        peer.name: lambda nginx: peer.run(nginx.url("/", scheme), connections, SECONDS, *theirs)}, **how)
    return against(peer.name, at_most, what, spent)


def cheaper(peers, spent):
    """Of several the one that is cheaper by the median of its runs; the first where none was measured."""
    def median(peer):
        runs = spent[peer.name]
        return statistics.median(one.cost for one in runs) if isinstance(runs, list) else float("inf")
    return min(peers, key=median)


def keep_alive(what, goals, connections, path="/", others=(), floor=None, many=False, **how):
    """Rows of weir beside each peer of a goal, and what each run of all took. weir runs directly before or after each peer, in
    turn, between two of them at most; `others` run by themselves, for the table. The cheaper of the bare loops among these has
    the goal `floor`, if there is one."""
    def runs(of):
        return {tool.name: lambda nginx, tool=tool: tool.run(
            nginx.url(path), connections, seconds_of(tool.name, many), *(nginx.body(path) if tool is weir else ())) for tool in of}
    spent = loaded(runs(others), SELDOM, **how)
    if floor:
        goals = (*goals, (cheaper(BARE, spent), floor))
    rows, ours = [], []
    for some in (goals[at:at + 2] for at in range(0, len(goals), 2)):
        first, *second = (peer for peer, _ in some)
        found = loaded(runs((first, weir, *second)), **how)
        rows += [against(peer.name, at_most, what, found, many) for peer, at_most in some]
        ours.append(found["weir"])
        spent |= found
    return rows, spent | {"weir": together(ours)}


def together(ours):
    """All runs of several rounds, or why there are none."""
    reasons = [runs for runs in ours if isinstance(runs, Exception)]
    return reasons[0] if reasons else list(itertools.chain(*ours))


def count(goals, others=0):
    """How many runs `keep_alive` makes for so many goals."""
    return PAIRS * (goals + (goals + 1) // 2) + SELDOM * others


BARE = (tools.bare_epoll, tools.bare_ring)
GOALS_AT_100 = ((tools.wrk, 1.0), (tools.gcannon, 0.95))
OTHERS_AT_100 = (*BARE, *(tool for tool in tools.PEERS_OF_THE_FIELD if tool not in (tools.wrk, tools.gcannon)))


@comparison("100 keep-alive connections, 3 bytes", EACH * count(len(GOALS_AT_100) + 1, len(OTHERS_AT_100)))
def small():
    rows, spent = keep_alive("3 bytes, 100 connections", GOALS_AT_100, 100, others=OTHERS_AT_100, floor=1.1)
    yield from rows
    yield from generators(spent)


def generators(spent, many=False):
    """What a request costs each generator, the cheapest first."""
    measured = {name: runs for name, runs in spent.items() if isinstance(runs, list)}
    costs = {name: statistics.median(one.cost for one in runs) for name, runs in measured.items()}
    for name, cost in sorted(costs.items(), key=lambda one: one[1]):
        rate = statistics.median(one.completed / one.seconds for one in measured[name])
        peak = statistics.median(one.peak for one in measured[name]) / 1024
        against_weir = f"{cost / costs['weir']:.2f} x weir; " if "weir" in costs else ""
        figure = f"{cost:.2f} us CPU per request; {against_weir}{rate:,.0f} requests/s, {peak:.0f} MiB"
        times = f"; {its_time(name)}" if many else ""
        yield Row(name, figure + times, "", None, [f"{one.cost:.2f} us" for one in measured[name]])
    for name, reason in spent.items():
        if name not in measured:
            yield Row(name, f"not measured: {reason}", "", None)


@comparison("2,000 keep-alive connections, 3 bytes", EACH * count(2, len(BARE)))
def crowd():
    rows, spent = keep_alive("3 bytes, 2,000 connections", ((tools.wrk, 0.75), (tools.gcannon, 0.95)), 2000, others=BARE)
    yield from rows
    yield from generators(spent)


@comparison("20,000 keep-alive connections, or as many as the limit on open files allows, 3 bytes", (EACH + OPENING) * count(1, 1))
def throng():
    most = room(20_000)
    rows, spent = keep_alive(f"3 bytes, {most:,} connections", ((tools.gcannon, 0.95),), most, others=(tools.bare_epoll,),
                             many=True, most=most + 150)
    yield from rows
    yield from generators(spent, many=True)


@comparison("Bodies of 7.4 KB and 1 MB", EACH * (count(3, len(BARE)) + count(2)))
def bodies():
    rows, _ = keep_alive("7.4 KB", ((tools.wrk, 1.0), (tools.gcannon, 0.75)), 100, "/7k", others=BARE, floor=1.15)
    yield from rows
    rows, _ = keep_alive("1 MB", ((tools.wrk, 1.0), (tools.gcannon, 0.75)), 100, "/1m")
    yield from rows


LOOPS = (("3 bytes, 100 connections", 100, "/"), ("3 bytes, 2,000 connections", 2000, "/"), ("1 MB", 100, "/1m"))


@comparison("weir over io_uring, beside itself over epoll", PAIRS * EACH * 2 * len(LOOPS))
def reactors():
    for what, connections, path in LOOPS:
        def run(kind):
            return lambda nginx: weir.run(nginx.url(path), connections, SECONDS, *nginx.body(path), "--reactor", kind)
        yield against("epoll", 1.0, what, loaded({"weir": run("ring"), "epoll": run("poll")}))


@comparison("HTTP/2, 10 connections with 10 streams each", PAIRS * EACH * 2)
def h2():
    yield beside(tools.h2load, 0.7, "HTTP/2, 10 streams", 10, ours=("--streams", 10), theirs=("-m", 10), ours_scheme="h2c", http2=True)


@comparison("HTTP/1.1 over TLS, 100 keep-alive connections", PAIRS * EACH * 2)
def tls():
    yield beside(tools.wrk, 0.8, "https", scheme="https", ours=("--insecure",))


@comparison("A connection for each request", PAIRS * EACH * 2)
def once():
    yield beside(tools.ab_once, 1.0, "one connection per request", 50, ours=("--no-keep-alive",))


@comparison("Many connections, and what each takes", 2 * (SCALE_SECONDS + 7))
def connections():
    for many, workers in ((25_000, 2), (64_512, 5)):
        def figures():
            with server(workers=workers) as nginx:
                how = ("--timeout", "60s", *nginx.body())
                idle = tools.weir_threads(workers).run(nginx.url(), workers, 2, *how, core=None)
                full = tools.weir_threads(workers).run(nginx.url(), many, SCALE_SECONDS, *how, core=None)
            load = tools.weir_load(full.said)
            each = (full.peak - idle.peak) * 1024 / many
            figure = (f"{load['connects']:,} opened, {load['completed']:,} answers, none failed; "
                      f"{each:,.0f} bytes each (peak {full.peak:,} KiB, idle {idle.peak:,} KiB)")
            return figure, load["connects"] == many and each < 4096
        yield row(f"{many:,} connections", "all served, peak RSS below 4,096 bytes each above the idle process", figures)


@comparison("Connections that only stay open, and what each takes", 2 * (EACH + OPENING))
def idle():
    def figures():
        many = room(20_000)
        with server(most=many + 150) as nginx:
            none, all_ = (weir.run(nginx.url(), 1, SECONDS, *nginx.body(), *more) for more in ((), ("--idle", many)))
        all_open(tools.weir_load(all_.said)["crowd"])
        each = (all_.peak - none.peak) * 1024 / many
        return f"{many:,} beside one in use; {each:,.0f} bytes each (peak {all_.peak:,} KiB, without them {none.peak:,} KiB)", each < 600
    yield row("idle connections", "below 600 bytes each", figures)


def all_open(crowd):
    """Of connections that only stay open each has to be there, and to stay."""
    if not crowd or not crowd["complete"]:
        raise Failed("not all of them were open when the window began")
    failed = sum(sum(kind["failed"].values()) for kind in crowd["habits"].values())
    closed = sum(kind["closed_by_server"] for kind in crowd["habits"].values())
    if failed or closed:
        raise Failed(f"{failed:,} of them failed, and the server closed {closed:,}")


@comparison("Memory over many requests", MANY / 150_000)
def memory():
    def figures():
        with server() as nginx:
            counted = Tool("weir", lambda url, connections, _: [
                TARGET / "release/weir", "bench", url, "-c", connections, "-n", MANY, "-t", 1, "--warm-up", "0s",
                *nginx.body(), "--json", "--quiet"], tools.weir_completed, good=(0, 4), trouble=Failed, hint=tools.OURS)
            spent = counted.run(nginx.url(), 100, 0)
        if len(spent.memory) < 20:
            raise Unmeasured("the run was too short to look at its memory")
        tenths = [spent.memory[(len(spent.memory) - 1) * tenth // 10] for tenth in range(1, 11)]
        figure = f"{tenths[0]:,} KiB at 10 %, {tenths[-1]:,} KiB at the end of {spent.completed:,} requests"
        return figure, tenths[-1] <= tenths[0] * 1.02 + 64, [f"{one:,} KiB" for one in tenths]
    yield row(f"resident set over {MANY:,} requests, at each tenth",
              "flat (at most 2 % and 64 KiB more at the end than at a tenth)", figures)


@comparison("Open loop at half of capacity, on a core of its own", PAIRS * (2 * EACH + 2))
def lateness():
    def figures():
        late, rates, spaced = [], [], ("-w", 1)
        with server() as nginx:
            for _ in range(PAIRS):
                full = all_answered(json.loads(tools.engine.run(nginx.url(), 100, SECONDS, *spaced).said))["throughput"]
                half = json.loads(tools.engine.run(nginx.url(), 100, SECONDS, *spaced, "-R", full / 2).said)
                late.append(late_by(all_answered(half)))
                rates.append(full / 2)
        return on_time(late, rates)
    yield row("p99 woken late + p99 of the engine's own", "every run below 60 us together", figures)


def all_answered(run):
    """What weir's engine says, if each request was sent and answered."""
    lost = {"failed": sum(run["failed"].values()), "timed out": run["timed_out"], "dropped": run["dropped"]}
    if any(lost.values()):
        raise Failed("of weir's requests " + ", ".join(f"{count:,} {what}" for what, count in lost.items()))
    return run


def late_by(run):
    """Microseconds that 99 of 100 requests left late at most: the kernel woke weir so late, and weir itself took so long."""
    p99s = [run[by]["p99"] for by in ("woken_us", "lateness_us")]
    if None in p99s:
        raise Unmeasured("a run had no p99 of its lateness")
    return p99s


def on_time(late, rates):
    """Of the lateness in each run, the kernel's and the engine's: the worst run decides. The sum of two p99 is a bound: what is
    beyond it is among the one in 100 of the one or of the other."""
    woken, own = (statistics.median(one) for one in zip(*late))
    sums = [sum(one) for one in late]
    figure = (f"together {min(sums):.0f} to {max(sums):.0f} us in {len(late)} runs (medians: woken late {woken:.0f} us, "
              f"the engine itself {own:.0f} us) at {statistics.median(rates):,.0f} requests/s; a bound: beside what waits for a "
              "connection, at most 2 of 100 requests are later")
    return figure, max(sums) < 60, [f"{woken:.0f} + {own:.0f} us" for woken, own in late]
