"""What is compared, and what is wanted."""

import json
import os
import statistics
from dataclasses import dataclass

import tools
from goals import comparison, row
from lab import PAIRS, SECONDS, SELDOM, TARGET, Failed, Unmeasured, room, server
from neighbours import BARE, OPENING, against, beside, count, generators, keep_alive, loaded
from tools import Tool, weir, weir_kept
from turns import rounds, there

MANY = int(os.environ.get("MANY", 10_000_000))
SCALE_SECONDS = int(os.environ.get("SCALE_SECONDS", 3))
EACH = SECONDS + 0.2
"""Seconds that a run takes, its start and end included."""
OPENS = 2
"""Seconds in which weir opens 20,000 connections, and the bare loop."""
GOALS_AT_100 = ((tools.wrk, 1.0), (tools.gcannon, 0.95))
OTHERS_AT_100 = [tool for tool in tools.PEERS_OF_THE_FIELD if tool not in (tools.wrk, tools.gcannon)]


@comparison("100 keep-alive connections, 3 bytes", EACH * count(len(GOALS_AT_100) + len(BARE), len(OTHERS_AT_100)))
def small():
    rows, *measured = keep_alive("3 bytes, 100 connections", GOALS_AT_100, 100, bare=BARE, others=OTHERS_AT_100, floor=1.1)
    yield from rows
    yield from generators(*measured)


@comparison("2,000 keep-alive connections, 3 bytes", EACH * (count(2) + SELDOM * (1 + len(BARE))))
def crowd():
    rows, *measured = keep_alive("3 bytes, 2,000 connections", ((tools.wrk, 0.75), (tools.gcannon, 0.95)), 2000, bare=BARE)
    yield from rows
    yield from generators(*measured)


@comparison("20,000 keep-alive connections, or as many as the limit on open files allows, 3 bytes",
            PAIRS * (2 * EACH + OPENING + OPENS) + SELDOM * (1 + len(BARE)) * (EACH + OPENS))
def throng():
    most = room(20_000)
    rows, *measured = keep_alive(f"3 bytes, {most:,} connections", ((tools.gcannon, 0.95),), most, bare=BARE, many=True,
                                 most=most + 150)
    yield from rows
    yield from generators(*measured, many=True)


@comparison("Bodies of 7.4 KB and 1 MB", EACH * (count(2 + len(BARE)) + count(2)))
def bodies():
    for what, path, how in (("7.4 KB", "/7k", {"bare": BARE, "floor": 1.15}), ("1 MB", "/1m", {"ours": weir})):
        rows, *measured = keep_alive(what, ((tools.wrk, 1.0), (tools.gcannon, 0.75)), 100, path, **how)
        yield from rows
        yield from generators(*measured, of=f"{what}: ")


LOOPS = (("3 bytes, 100 connections", 100, "/"), ("3 bytes, 2,000 connections", 2000, "/"), ("1 MB", 100, "/1m"))


@comparison("weir over io_uring, beside itself over epoll", PAIRS * EACH * 2 * len(LOOPS))
def reactors():
    for what, connections, path in LOOPS:
        def run(over):
            return lambda nginx: over.run(nginx.url(path), connections, SECONDS, *nginx.body(path))
        yield against("epoll", 1.0, what, loaded({"weir": run(tools.weir_ring), "epoll": run(weir)}))


@comparison("HTTP/2, 10 connections with 10 streams each", PAIRS * EACH * 2)
def h2():
    yield from beside(tools.h2load, 0.7, "HTTP/2, 10 streams", 10, ours=("--streams", 10), theirs=("-m", 10), ours_scheme="h2c",
                      http2=True)


@comparison("HTTP/1.1 over TLS, 100 keep-alive connections", PAIRS * EACH * 2)
def tls():
    yield from beside(tools.wrk, 0.8, "https", scheme="https", ours=("--insecure",))


@comparison("A connection for each request", PAIRS * EACH * 2)
def once():
    yield from beside(tools.ab_once, 1.0, "one connection per request", 50, ours=("--no-keep-alive",))


@comparison("Many connections, and what each takes", 2 * SELDOM * (SCALE_SECONDS + 4))
def connections():
    for many, workers in ((25_000, 2), (64_512, 5)):
        def figures():
            tool, how = tools.weir_over(tools.KEPT, workers), {"more": ("--timeout", "60s"), "core": None}
            runs = rounds({"idle": served(tool, workers, 1, {"workers": workers}, **how),
                           "full": served(tool, many, SCALE_SECONDS, {"workers": workers}, **how)}, SELDOM)
            idle, full = there(runs["idle"], runs["full"])
            loads = [tools.weir_load(one.said) for one in full]
            figure = (f"{least(loads, 'connects'):,} opened, {least(loads, 'completed'):,} answers, none failed; "
                      f"{told_each(idle, full, many)}")
            return (figure, all(load["connects"] == many for load in loads) and max(each(idle, full, many)) < 4096,
                    in_bytes(each(idle, full, many)))
        yield row(f"{many:,} connections", "all served, peak RSS below 4,096 bytes each above the idle process", figures)


def served(tool, connections, seconds, where, more=(), **how):
    """A run beside a server of its own: to that of the run before most local ports are still taken."""
    def run():
        with server(**where) as nginx:
            return tool.run(nginx.url(), connections, seconds, *nginx.body(), *more, **how)
    return run


def least(loads, what):
    """Of several runs the one that did least of it."""
    return min(load[what] for load in loads)


def each(idle, full, many):
    """Bytes that each of so many connections takes above the process without them, run by run."""
    return [(more.peak - less.peak) * 1024 / many for less, more in zip(idle, full)]


def told_each(idle, full, many):
    peaks = [statistics.median(one.peak for one in runs) for runs in (full, idle)]
    return (f"{statistics.median(each(idle, full, many)):,.0f} bytes each, the median of {len(full)} runs "
            f"(peak {peaks[0]:,} KiB, without them {peaks[1]:,} KiB)")


def in_bytes(values):
    return [f"{one:,.0f} bytes" for one in values]


@comparison("Connections that only stay open, and what each takes", PAIRS * (2 * 1.4 + OPENS) + SELDOM * (1.4 + OPENS))
def idle():
    many = room(20_000)
    where = {"most": many + 150}
    found = rounds({"none": served(weir_kept, 1, 1, where), "idle": served(weir_kept, 1, 1, where, ("--idle", many))})
    found |= rounds({"pool": served(weir_kept, many, 1, where)}, SELDOM)

    def figures():
        none, all_ = there(found["none"], found["idle"])
        for one in all_:
            all_open(tools.weir_load(one.said)["crowd"])
        values = each(none, all_, many)
        return f"{many:,} beside one in use; {told_each(none, all_, many)}", max(values) < 600, in_bytes(values)
    yield row("idle connections (`--idle`: beside the measured ones, in a thread of their own)", "below 600 bytes each", figures)

    def pool():
        none, all_ = there(found["none"], found["pool"])
        return f"{many:,}, all in use; {told_each(none, all_, many)}", None, in_bytes(each(none, all_, many))
    yield row("measured connections (`-c`: the engine's pool)", "", pool)


def all_open(crowd):
    """Of connections that only stay open each has to be there, and to stay."""
    if not crowd or not crowd["complete"]:
        raise Failed("not all of them were open when the window began")
    failed = sum(sum(kind["failed"].values()) for kind in crowd["habits"].values())
    closed = sum(kind["closed_by_server"] for kind in crowd["habits"].values())
    if failed or closed:
        raise Failed(f"{failed:,} of them failed, and the server closed {closed:,}")


RESULT = 3
"""Looks at the end, ten a second, in which weir has no load any more, but makes its result."""


@comparison("Memory over many requests", MANY / 150_000)
def memory():
    def figures():
        with server() as nginx:
            counted = Tool("weir", lambda url, connections, _: [
                TARGET / "release/weir", "bench", url, "-c", connections, "-n", MANY, "-t", 1, "--reactor", tools.KEPT, "--warm-up", "0s",
                *nginx.body(), "--json", "--quiet"], tools.weir_completed, good=(0, 4), trouble=Failed, hint=tools.OURS)
            spent = counted.run(nginx.url(), 100, 0)
        if len(spent.memory) < 20:
            raise Unmeasured("the run was too short to look at its memory")
        loading = spent.memory[:-RESULT]
        tenths = [loading[(len(loading) - 1) * tenth // 10] for tenth in range(1, 11)]
        figure = (f"{tenths[0]:,} KiB at 10 %, {tenths[-1]:,} KiB at the end of {spent.completed:,} requests "
                  f"({max(spent.memory[-RESULT:]):,} KiB as it writes its result)")
        met = tenths[-1] <= tenths[0] * 1.02 + 64
        return figure, met, [f"{one:,} KiB" for one in tenths], "" if met else grown(tenths)
    yield row(f"resident set over {MANY:,} requests, at each tenth",
              "flat (at most 2 % and 64 KiB more at the end than at a tenth)", figures)


def grown(tenths):
    """Between which tenths most came."""
    steps = [after - before for before, after in zip(tenths, tenths[1:])]
    most = max(range(len(steps)), key=steps.__getitem__)
    return (f"{steps[most]:,} of the {tenths[-1] - tenths[0]:,} KiB came between {most + 1}0 % and {most + 2}0 % of the time; "
            "their cause is not known")


@comparison("Open loop at half of capacity, on a core of its own", PAIRS * (2 * EACH + 2))
def lateness():
    def figures():
        late, rates, spaced = [], [], ("-w", 1)
        with server() as nginx:
            for _ in range(PAIRS):
                full = all_answered(json.loads(tools.engine.run(nginx.url(), 100, SECONDS, *spaced).said))["throughput"]
                half = json.loads(tools.engine.run(nginx.url(), 100, SECONDS, *spaced, "-a", "-R", full / 2).said)
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


@dataclass
class Late:
    """How late the requests of a run left, in microseconds: the kernel woke weir so late, and weir itself took so long."""

    woken: float
    own: float
    """At most, of 99 of 100 requests."""
    half: float
    """Its own, at most, of half of them."""
    busy: float
    """Share of the time in which the engine's thread worked, 0 to 1."""
    waited: float
    """And in which it waited awake."""

    @property
    def together(self):
        return self.woken + self.own

    @property
    def beside(self):
        """What tells a lateness of some requests from one of all, and both from a lack of CPU time."""
        return f"p50 {self.half:.1f} us, {self.busy * 100:.0f} % of a core for work and {self.waited * 100:.0f} % for busy waiting"


def late_by(run):
    own = run["lateness_us"]
    if own["p99"] is None:
        raise Unmeasured("a run had no p99 of its lateness")
    return Late(run["woken_p99_of_all_us"], own["p99"], own["p50"], run["busiest"], run["busy_waited"] / run["seconds"])


def on_time(late, rates):
    """Of the lateness in each run, the kernel's and the engine's: the worst run decides. The sum of two p99 is a bound: what is
    beyond it is among the one in 100 of the one or of the other."""
    woken, own = (statistics.median(one) for one in zip(*((run.woken, run.own) for run in late)))
    sums = [run.together for run in late]
    figure = (f"together {min(sums):.0f} to {max(sums):.0f} us in {len(late)} runs (medians: woken late {woken:.0f} us, "
              f"the engine itself {own:.0f} us) at {statistics.median(rates):,.0f} requests/s; a bound: beside what waits for a "
              "connection, at most 2 of 100 requests are later")
    met = max(sums) < 60
    values = [f"{run.woken:.0f} + {run.own:.0f} us ({run.beside})" for run in late]
    return figure, met, values, "" if met else late_for(max(late, key=lambda run: run.together))


def late_for(worst):
    """Which part of the lateness of a run the goal does not leave."""
    woken, own = worst.woken, worst.own
    return (f"in the worst run the kernel woke weir {woken:.0f} us late and the engine itself took {own:.0f} us ({worst.beside}); "
            f"the goal leaves {60 - woken:.0f} us for the engine" if woken < 60 else
            f"in the worst run the kernel alone woke weir {woken:.0f} us late, and the engine itself took {own:.0f} us ({worst.beside})")
