"""What is compared, and what is wanted. Each yields rows: what, the figure, the goal, whether it is met."""

import json
import os
import statistics
from dataclasses import dataclass

import tools
from lab import PAIRS, SECONDS, TARGET, Failed, Unmeasured, pairs, server
from tools import Tool, weir

MANY = int(os.environ.get("MANY", 10_000_000))
SCALE_SECONDS = int(os.environ.get("SCALE_SECONDS", 15))


@dataclass
class Row:
    what: str
    figure: str
    goal: str
    met: object
    """True, False, or None where nothing is wanted or it could not be measured."""


def row(what, goal, figures):
    """`figures()` as a row; a reason why not, where it cannot be had."""
    try:
        figure, met = figures()
        return Row(what, figure, goal, met)
    except Unmeasured as reason:
        return Row(what, f"not measured: {reason}", goal, None)
    except Failed as reason:
        return Row(what, f"failed: {reason}", goal, False)


def against(peer, at_most, what, nginx, connections=100, path="/", scheme="http", ours=(), theirs=(), ours_scheme=None):
    """CPU time per request, in pairs."""
    def figures():
        url, ours_url = (nginx.url(path, one) for one in (scheme, ours_scheme or scheme))
        ratio = pairs(lambda: weir.run(ours_url, connections, SECONDS, *nginx.body(path), *ours),
                      lambda: peer.run(url, connections, SECONDS, *theirs))
        return str(ratio), ratio.median <= at_most
    return row(f"{what}, CPU per request / {peer.name}", f"at most {at_most:.2f}", figures)


def small():
    """100 keep-alive connections, 3 bytes"""
    with server() as nginx:
        for peer, at_most in ((tools.wrk, 1.0), (tools.bare_epoll, 1.1), (tools.gcannon, 1.05)):
            yield against(peer, at_most, "3 bytes, 100 connections", nginx)


def crowd():
    """2,000 keep-alive connections, 3 bytes"""
    with server() as nginx:
        for peer, at_most in ((tools.wrk, 1.0), (tools.bare_epoll, 1.1), (tools.gcannon, 1.05)):
            yield against(peer, at_most, "3 bytes, 2,000 connections", nginx, 2000)


def bodies():
    """Bodies of 7.4 KB and 1 MB"""
    with server() as nginx:
        yield against(tools.wrk, 1.0, "7.4 KB", nginx, path="/7k")
        yield against(tools.wrk, 1.0, "1 MB", nginx, path="/1m")


def h2():
    """HTTP/2, 10 connections with 10 streams each"""
    with server(http2=True) as nginx:
        yield against(tools.h2load, 1.0, "HTTP/2, 10 streams", nginx, 10,
                      ours=("--streams", 10), theirs=("-m", 10), ours_scheme="h2c")


def tls():
    """HTTP/1.1 over TLS, 100 keep-alive connections"""
    with server() as nginx:
        yield against(tools.wrk, 1.0, "https", nginx, scheme="https", ours=("--insecure",))


def once():
    """A connection for each request"""
    with server() as nginx:
        yield against(tools.ab_once, 1.0, "one connection per request", nginx, 50, ours=("--no-keep-alive",))


def connections():
    """Many connections, and what each takes"""
    for many, workers in ((25_000, 2), (64_512, 5)):
        def figures():
            with server(workers=workers) as nginx:
                how = ("--timeout", "60s", *nginx.body())
                idle = tools.weir_threads(workers).run(nginx.url(), workers, 2, *how, core=None)
                full = tools.weir_threads(workers).run(nginx.url(), many, SCALE_SECONDS, *how, core=None)
            load = json.loads(full.said[full.said.index("{"):])["load"]
            each = (full.peak - idle.peak) * 1024 / many
            figure = (f"{load['connects']:,} opened, {load['completed']:,} answers, none failed; "
                      f"{each:,.0f} bytes each (peak {full.peak:,} KiB, idle {idle.peak:,} KiB)")
            return figure, load["connects"] == many and each < 4096
        yield row(f"{many:,} connections", "all served, peak RSS below 4,096 bytes each above the idle process", figures)


def memory():
    """Memory over many requests"""
    def figures():
        with server() as nginx:
            counted = Tool("weir", lambda url, connections, _: [
                TARGET / "release/weir", "bench", url, "-c", connections, "-n", MANY, "-t", 1, "--warm-up", "0s",
                *nginx.body(), "--json", "--quiet"], tools.weir_completed, good=(0, 4), trouble=Failed)
            spent = counted.run(nginx.url(), 100, 0)
        if len(spent.memory) < 20:
            raise Unmeasured("the run was too short to look at its memory")
        early, late = spent.memory[len(spent.memory) // 10], spent.memory[-1]
        figure = f"{early:,} KiB at 10 %, {late:,} KiB at the end of {spent.completed:,} requests"
        return figure, late <= early * 1.02 + 64
    yield row(f"resident set over {MANY:,} requests", "flat (at most 2 % more at the end than at a tenth)", figures)


def lateness():
    """Open loop at half of capacity, on a core of its own"""
    def figures():
        engine = Tool("engine", lambda url, connections, seconds: [
            TARGET / "release/examples/engine", url, "-c", connections, "-d", seconds, "-t", 1, "-w", 1],
            tools.number(r'"completed":(\d+)'))
        late, rates = [], []
        with server() as nginx:
            for _ in range(PAIRS):
                full = json.loads(engine.run(nginx.url(), 100, SECONDS).said)["throughput"]
                half = json.loads(engine.run(nginx.url(), 100, SECONDS, "-R", full / 2).said)
                late.append([half[by]["p99"] or 0.0 for by in ("woken_us", "lateness_us")])
                rates.append(full / 2)
        woken, own = (statistics.median(one) for one in zip(*late))
        figure = (f"woken late {woken:.0f} us, the engine itself {own:.0f} us "
                  f"(p99, median of {PAIRS} runs at {statistics.median(rates):,.0f} requests/s; "
                  f"sums from {min(map(sum, late)):.0f} to {max(map(sum, late)):.0f})")
        return figure, woken + own < 100
    yield row("send time off its due time, p99", "below 100 us together", figures)


def field():
    """The field: 100 keep-alive connections, 3 bytes, one core"""
    generators = [weir, *tools.PEERS_OF_THE_FIELD]
    spent, missing = {}, {}
    with server() as nginx:
        for turn in range(PAIRS):
            # each begins once in a while: whoever is always first has the coolest machine
            for tool in generators[turn % len(generators):] + generators[:turn % len(generators)]:
                if tool.name in missing:
                    continue
                try:
                    checks = nginx.body() if tool is weir else ()
                    spent.setdefault(tool.name, []).append(tool.run(nginx.url(), 100, SECONDS, *checks))
                except (Unmeasured, Failed) as reason:
                    missing[tool.name] = str(reason)
    costs = {name: statistics.median(one.cost for one in all) for name, all in spent.items() if name not in missing}
    for name, cost in sorted(costs.items(), key=lambda one: one[1]):
        rate = statistics.median(one.completed / one.seconds for one in spent[name])
        peak = statistics.median(one.peak for one in spent[name]) / 1024
        against_weir = f"{cost / costs['weir']:.2f} x weir; " if "weir" in costs else ""
        yield Row(name, f"{cost:.2f} us CPU per request; {against_weir}{rate:,.0f} requests/s, {peak:.0f} MiB", "", None)
    for name, reason in missing.items():
        yield Row(name, f"not measured: {reason}", "", None)


ALL = {one.__name__: one for one in (small, crowd, bodies, h2, tls, once, connections, memory, lateness, field)}
