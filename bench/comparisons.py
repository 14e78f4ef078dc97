"""What is compared, and what is wanted. Each has rows: what, the figure, the goal, whether it is met."""

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
"""Seconds in which a generator may open 20,000 connections; those of most peers are part of their time."""


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


def against(name, at_most, what, spent):
    """CPU time per request beside a peer's in the same rounds. The rule: the median of the rounds."""
    def figures():
        found = ratio(spent["weir"], spent[name])
        values = [f"{one:.3f}" for one in found.pairs]
        met = found.median <= at_most
        return str(found), met, values, "" if met else found.cause(at_most)
    return row(f"{what}, CPU per request / {name}", f"median at most {at_most:.2f}", figures)


def beside(peer, at_most, what, nginx, connections=100, path="/", scheme="http", ours=(), theirs=(), ours_scheme=None):
    """The same for one peer, measured here."""
    url, ours_url = (nginx.url(path, one) for one in (scheme, ours_scheme or scheme))
    spent = rounds({"weir": lambda: weir.run(ours_url, connections, SECONDS, *nginx.body(path), *ours),
                    peer.name: lambda: peer.run(url, connections, SECONDS, *theirs)})
    return against(peer.name, at_most, what, spent)


def cheaper(names, at_most, what, spent):
    """The same beside whichever of several is the cheaper one by the median of its runs."""
    def median(name):
        runs = spent[name]
        return statistics.median(one.cost for one in runs) if isinstance(runs, list) else float("inf")
    name = min(names, key=median)
    return against(name, at_most, what, spent)


def keep_alive(what, tools_beside, goals, connections, path="/", seconds=SECONDS, seldom=(), **how):
    """weir and others at the same load; a row for each goal, and at last what each run of them took."""
    with server(**how) as nginx:
        def run(tool):
            return lambda: tool.run(nginx.url(path), connections, seconds, *(nginx.body(path) if tool is weir else ()))
        spent = rounds({tool.name: run(tool) for tool in (*tools_beside, weir)}, seldom=seldom)
    for peer, at_most in goals:
        yield against(peer.name, at_most, what, spent)
    yield spent


BARE = (tools.bare_epoll, tools.bare_ring)
FIELD = [*BARE, tools.wrk, weir, tools.gcannon, *tools.PEERS_OF_THE_FIELD]


GOALS_AT_100 = ((tools.wrk, 1.0), (tools.gcannon, 0.95))
SELDOM_AT_100 = {tool.name for tool in FIELD} - {tool.name for tool in (*BARE, weir, *(peer for peer, _ in GOALS_AT_100))}


@comparison("100 keep-alive connections, 3 bytes",
            EACH * (PAIRS * (len({tool.name for tool in FIELD}) - len(SELDOM_AT_100)) + SELDOM * len(SELDOM_AT_100)))
def small():
    what = "3 bytes, 100 connections"
    beside = [tool for tool in FIELD if tool is not weir]
    *rows, spent = keep_alive(what, beside, GOALS_AT_100, 100, seldom=SELDOM_AT_100)
    yield from rows
    yield cheaper([tool.name for tool in BARE], 1.1, what, spent)
    yield from generators(spent)


def generators(spent):
    """What a request costs each generator, the cheapest first."""
    measured = {name: runs for name, runs in spent.items() if isinstance(runs, list)}
    costs = {name: statistics.median(one.cost for one in runs) for name, runs in measured.items()}
    for name, cost in sorted(costs.items(), key=lambda one: one[1]):
        rate = statistics.median(one.completed / one.seconds for one in measured[name])
        peak = statistics.median(one.peak for one in measured[name]) / 1024
        against_weir = f"{cost / costs['weir']:.2f} x weir; " if "weir" in costs else ""
        figure = f"{cost:.2f} us CPU per request; {against_weir}{rate:,.0f} requests/s, {peak:.0f} MiB"
        yield Row(name, figure, "", None, [f"{one.cost:.2f} us" for one in measured[name]])
    for name, reason in spent.items():
        if name not in measured:
            yield Row(name, f"not measured: {reason}", "", None)


@comparison("2,000 keep-alive connections, 3 bytes", PAIRS * EACH * 5)
def crowd():
    *rows, spent = keep_alive("3 bytes, 2,000 connections", (*BARE, tools.wrk, tools.gcannon),
                              ((tools.wrk, 0.75), (tools.gcannon, 0.95)), 2000)
    yield from rows
    yield from generators(spent)


@comparison("20,000 keep-alive connections, or as many as the limit on open files allows, 3 bytes",
            PAIRS * (EACH + OPENING) * 3)
def throng():
    many = room(20_000)
    *rows, spent = keep_alive(f"3 bytes, {many:,} connections", (tools.bare_epoll, tools.gcannon), ((tools.gcannon, 0.95),),
                              many, seconds=SECONDS + OPENING, most=many + 150)
    yield from rows
    yield from generators(spent)


@comparison("Bodies of 7.4 KB and 1 MB", PAIRS * EACH * 8)
def bodies():
    what = "7.4 KB"
    beside = (*BARE, tools.wrk, tools.gcannon)
    *rows, spent = keep_alive(what, beside, ((tools.wrk, 1.0), (tools.gcannon, 0.75)), 100, "/7k")
    yield from rows
    yield cheaper([tool.name for tool in BARE], 1.15, what, spent)
    *rows, _ = keep_alive("1 MB", (tools.wrk, tools.gcannon), ((tools.wrk, 1.0), (tools.gcannon, 0.75)), 100, "/1m")
    yield from rows


LOOPS = (("3 bytes, 100 connections", 100, "/"), ("3 bytes, 2,000 connections", 2000, "/"), ("1 MB", 100, "/1m"))


@comparison("weir over io_uring, beside itself over epoll", PAIRS * EACH * 2 * len(LOOPS))
def reactors():
    with server() as nginx:
        for what, connections, path in LOOPS:
            def run(kind):
                return lambda: weir.run(nginx.url(path), connections, SECONDS, *nginx.body(path), "--reactor", kind)
            spent = rounds({"weir": run("ring"), "epoll": run("poll")})
            yield against("epoll", 1.0, what, spent)


@comparison("HTTP/2, 10 connections with 10 streams each", PAIRS * EACH * 2)
def h2():
    with server(http2=True) as nginx:
        yield beside(tools.h2load, 0.7, "HTTP/2, 10 streams", nginx, 10,
                     ours=("--streams", 10), theirs=("-m", 10), ours_scheme="h2c")


@comparison("HTTP/1.1 over TLS, 100 keep-alive connections", PAIRS * EACH * 2)
def tls():
    with server() as nginx:
        yield beside(tools.wrk, 0.8, "https", nginx, scheme="https", ours=("--insecure",))


@comparison("A connection for each request", PAIRS * EACH * 2)
def once():
    with server() as nginx:
        yield beside(tools.ab_once, 1.0, "one connection per request", nginx, 50, ours=("--no-keep-alive",))


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
        each = (all_.peak - none.peak) * 1024 / many
        return f"{many:,} beside one in use; {each:,.0f} bytes each (peak {all_.peak:,} KiB, without them {none.peak:,} KiB)", each < 600
    yield row("idle connections", "below 600 bytes each", figures)


@comparison("Memory over many requests", MANY / 150_000)
def memory():
    def figures():
        with server() as nginx:
            counted = Tool("weir", lambda url, connections, _: [
                TARGET / "release/weir", "bench", url, "-c", connections, "-n", MANY, "-t", 1, "--warm-up", "0s",
                *nginx.body(), "--json", "--quiet"], tools.weir_completed, good=(0, 4), trouble=Failed)
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
                full = json.loads(tools.engine.run(nginx.url(), 100, SECONDS, *spaced).said)["throughput"]
                half = json.loads(tools.engine.run(nginx.url(), 100, SECONDS, *spaced, "-R", full / 2).said)
                late.append([half[by]["p99"] or 0.0 for by in ("woken_us", "lateness_us")])
                rates.append(full / 2)
        return on_time(late, rates)
    yield row("send time off its due time, p99", "every run below 60 us together", figures)


def on_time(late, rates):
    """Of the lateness in each run, the kernel's and the engine's: the worst run decides."""
    woken, own = (statistics.median(one) for one in zip(*late))
    sums = [sum(one) for one in late]
    figure = (f"together {min(sums):.0f} to {max(sums):.0f} us in {len(late)} runs (medians: woken late {woken:.0f} us, "
              f"the engine itself {own:.0f} us) at {statistics.median(rates):,.0f} requests/s")
    return figure, max(sums) < 60, [f"{woken:.0f} + {own:.0f} us" for woken, own in late]
