"""What each endpoint costs, from a log: weir beside alp and kataribe, each on one core."""

import contextlib
import csv
import json
import os
import pathlib
import random
import re
import statistics
import tempfile

from goals import comparison, row
from lab import PAIRS, SELDOM, TARGET, Failed, Unmeasured
from neighbours import against
from tools import OURS, Tool
from turns import rounds, there

LINES = int(os.environ.get("LOG_LINES", 2_000_000))
"""Lines of a log of about 0.3 GB."""
PATHS = ["/", "/cart", "/login", "/users/{}", "/users/{}/orders/{}", "/items/{}", "/search?q=w{}", "/static/app.js", "/api/v1/items/{}"]
GROUPED = ["/users/[0-9]+$", "/users/[0-9]+/orders/[0-9]+", "/items/[0-9]+$", "/api/v1/items/[0-9]+"]
"""What alp and kataribe need to be told, and weir sees by itself."""
KATARIBE = r"""
ranking_count = 20
percentiles = [50.0, 90.0, 95.0, 99.0]
scale = 0
effective_digit = 3
log_format = '\turi:([^\t?]*)[^\t]*\tstatus:(\d+)\t.*\treqtime:([0-9.]+)\t'
request_index = 1
status_index = 2
duration_index = 3
""" + "".join(f"[[bundle]]\nregexp = '^{group}'\n" for group in GROUPED)


@contextlib.contextmanager
def log(lines):
    """A log in LTSV of so many requests, by a seed, as long as this lasts, with what kataribe needs to be told beside it."""
    draw = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as folder:
        path = pathlib.Path(folder) / "access.ltsv"
        path.with_suffix(".toml").write_text(KATARIBE)
        with path.open("w") as file:
            for number in range(lines):
                file.write(line(draw, number))
        yield path


def line(draw, number):
    path = draw.choice(PATHS)
    uri = path.format(*[draw.randrange(1_000_000) for _ in range(path.count("{}"))])
    took = draw.expovariate(20)
    return (f"time:25/Nov/2026:10:{number // 60 % 60:02}:{number % 60:02} +0000\thost:10.0.{number % 256}.7\tmethod:GET\t"
            f"uri:{uri}\tstatus:200\tsize:{draw.randrange(100_000)}\treqtime:{took:.3f}\tua:Mozilla/5.0 (X11; Linux x86_64)\n")


def weir_counted(said):
    counted = json.loads(said[said.index("{"):])["total"]["now"]["count"]
    if not counted:
        raise Failed("weir counted no request")
    return counted


def alp_counted(said):
    return sum(int(line[0]) for line in csv.reader(said.splitlines()) if line and line[0].isdigit())


def kataribe_counted(said):
    """The counts of its first table."""
    table = re.search(r"Sort By Count\n.*\n((?: *\d+ .*\n)+)", said)
    if not table:
        raise Unmeasured(f"no table of counts in: {said[-300:]}")
    return sum(int(row.split()[0]) for row in table[1].splitlines())


weir = Tool("weir", lambda file, *_: [TARGET / "release/weir", "endpoints", file, "--json", "--quiet"], weir_counted, trouble=Failed,
            hint=OURS)
alp = Tool("alp", lambda file, *_: ["alp", "ltsv", "--file", file, "--format", "csv", "-m", ",".join(GROUPED)], alp_counted, ())
kataribe = Tool("kataribe", lambda file, *_: [
    "sh", "-c", 'exec kataribe -f "$0" < "$1"', pathlib.Path(file).with_suffix(".toml"), file], kataribe_counted, (),
    needs="kataribe")


@comparison("What each endpoint costs, from a log", PAIRS * 2 * 2 + SELDOM * 10)
def logs():
    with log(LINES) as file:
        size = file.stat().st_size
        spent = rounds({tool.name: lambda tool=tool: tool.run(file, 0, 0) for tool in (weir, alp)})
    yield against(alp.name, 1.0, f"{size / 1e9:.2f} GB of LTSV", spent)
    yield row(f"{size / 1e9:.2f} GB of LTSV on one core", "at least 1 GB a minute", lambda: speed(size, spent["weir"]))
    with log(LINES // 3) as file:
        # kataribe keeps every time that it reads
        small = rounds({tool.name: lambda tool=tool: tool.run(file, 0, 0) for tool in (weir, kataribe)}, SELDOM)
    yield against(kataribe.name, 1.0, f"{size / 3e9:.2f} GB of LTSV", small)
    yield row("memory, 3 times the log", "at most 1.1 times", lambda: flat(small["weir"], spent["weir"]))


def speed(size, runs):
    there(runs)
    each = [size / 1e9 / (one.seconds / 60) for one in runs]
    return f"{statistics.median(each):.2f} GB/min", statistics.median(each) >= 1, [f"{one:.2f} GB/min" for one in each]


def flat(small, large):
    there(small, large)
    before, after = (statistics.median(one.peak for one in runs) for runs in (small, large))
    if not before:
        raise Unmeasured("the smaller log was read before anybody looked")
    return f"{before / 1024:.1f} and {after / 1024:.1f} MiB", after <= 1.1 * before
