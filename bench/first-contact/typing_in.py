"""Commands typed one after the other, as a new user types them, and what weir said."""

import dataclasses
import itertools
import json
import os
import re
import selectors
import signal
import subprocess
import time

import apps
import deploying

LIMIT = 1200
"""Longest time for one command, in seconds."""
WHERE = re.compile(r"^`[^`]+` is an? .+")
PROMISED = re.compile(r"^trying .*: about ([^ ]+ [^ ,]+)")
UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}


@dataclasses.dataclass
class Typed:
    """One command."""
    command: str
    code: int
    seconds: float
    lines: list  # (seconds since its start, stream, text)

    def first(self, pattern):
        """The first line that has it, and when it came."""
        found = ((at, pattern.search(text)) for at, _, text in self.lines)
        return next(((at, match) for at, match in found if match), None)

    def why(self):
        """Its error, if it had one."""
        errors = [text for _, stream, text in self.lines if stream == "err" and text.startswith("error: ")]
        return errors[0].removeprefix("error: ") if errors else None


@dataclasses.dataclass
class Walk:
    """What came of one app."""
    app: apps.App
    unmade: str | None = None
    typed: list = dataclasses.field(default_factory=list)
    run: dict | None = None
    place: str = ""
    """The temporary folder of it, which is no part of what was said."""
    unstarted: str | None = None
    """Why what weir wrote to deploy does not serve the app, where it does not."""

    @property
    def recognised(self):
        """What weir took it for, and at which command; none where it never did."""
        found = ((number, one.first(WHERE)) for number, one in enumerate(self.typed, 1))
        return next(((line[1].group(0), number) for number, line in found if line), None)

    @property
    def seconds(self):
        """From the first key to the result; none where there is no result."""
        return sum(one.seconds for one in self.typed) if self.run else None

    @property
    def estimate(self):
        """What the last command promised, and what it took from then on; none where it promised nothing."""
        found = self.typed[-1].first(PROMISED) if self.run else None
        return (duration(found[1].group(1)), self.typed[-1].seconds - found[0]) if found else None

    @property
    def verdict(self):
        """weir's own sentence on which is fastest."""
        says = re.compile(r"^(`.+` (lead|is the fastest|came first|serves) .*|(No|Only|No other) .*(variant|measured).*)")
        out = [text for _, stream, text in self.typed[-1].lines if stream == "out"] if self.run else []
        start = next((at for at, text in enumerate(out) if says.match(text)), None)
        if start is None:
            return None
        more = itertools.takewhile(lambda text: text.startswith("  "), out[start + 1:])
        return " ".join([out[start], *map(str.strip, more)])

    @property
    def deployed(self):
        """What the run says to deploy and what is as good; of one that says nothing, the variants that lead and are for use."""
        judged = (self.run or {}).get("judged", {})
        if decision := judged.get("decision"):
            return [decision["variant"], *decision.get("as_good", [])]
        lead = judged.get("lead", {})
        rivals = deploying.for_use(lead)
        surely_worse = {one["over"].split(":")[-1] for one in lead.get("comparisons", []) if one["verdict"] == "better"}
        return [name for name in rivals if name == rivals[0] or name not in surely_worse]


def duration(text):
    """Seconds of a text such as `1.5 min`."""
    number, _, unit = text.strip().partition(" ")
    return float(number.replace(",", "")) * UNITS[unit]


QUICK = "--shared --quick --budget 1s --no-stress -n 300 -c 4"
"""In place of a time, what shows that an app is served, and no more."""


def typed(app, place, weir, quick=False):
    """Types the commands of an app, until one ends in a run with a figure; starts what that says to deploy."""
    walk = Walk(app, place=str(place))
    home = place / "app"
    folder = home / app.folder
    env = apps.surroundings(app, home)
    env["PATH"] = f"{weir.parent}{os.pathsep}{env['PATH']}"
    (place / "said").mkdir()
    for number, command in enumerate(app.commands, 1):
        if quick:
            command = re.sub(r"--budget \S+", QUICK, command)
        one = one_typed(command.replace("{place}", str(home)), folder, env)
        walk.typed.append(one)
        text = "".join(f"{at:8.2f} {stream} {line}\n" for at, stream, line in one.lines)
        (place / "said" / f"{number}.txt").write_text(f"$ {command}\n{text}ended with {one.code}\n")
        run = stored(weir, folder, env) if one.code in (0, 3, 4) else None
        if run and says_something(run, quick):
            walk.run = run
            walk.unstarted = deploying.started(weir, run, folder, env, place / "deploy")
            break
    return walk


def says_something(run, quick):
    """Whether a run ends in a decision; a quick one has too few trials for that, and ends in a figure."""
    judged = run["judged"]
    return any(of.get("figures") for of in judged["variants"]) if quick else bool(judged.get("decision"))


def one_typed(command, folder, env):
    """Runs a command and keeps when each line came."""
    began = time.monotonic()
    lines, rest = [], {"out": b"", "err": b""}
    with subprocess.Popen(["bash", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as child:
        try:
            for stream, some in read(child, began + LIMIT):
                *whole, rest[stream] = (rest[stream] + some).split(b"\n")
                at = time.monotonic() - began
                lines += [(at, stream, line.decode(errors="replace").rstrip("\r")) for line in whole]
            code = ended(child, began + LIMIT)
        except BaseException:
            ended(child, 0)  # with what it started
            raise
    if time.monotonic() - began > LIMIT:
        lines.append((LIMIT, "err", f"error: it did not end within {LIMIT} s"))
    took = time.monotonic() - began
    lines += [(took, stream, text.decode(errors="replace")) for stream, text in rest.items() if text]
    return Typed(command, code, took, lines)


def read(child, until):
    """What it prints, piece by piece, until it closes both streams or its time is over."""
    with selectors.DefaultSelector() as streams:
        streams.register(child.stdout, selectors.EVENT_READ, "out")
        streams.register(child.stderr, selectors.EVENT_READ, "err")
        while streams.get_map() and time.monotonic() < until:
            for key, _ in streams.select(timeout=1):
                some = os.read(key.fd, 65536)
                if not some:
                    streams.unregister(key.fileobj)
                yield key.data, some


def ended(child, until):
    """Its code; it is asked to end when its time is over, and made to where it does not."""
    for patience, then in [(max(0, until - time.monotonic()), signal.SIGTERM), (60, signal.SIGKILL)]:
        try:
            return child.wait(patience)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, then)
    return child.wait()


def stored(weir, folder, env):
    """The last run, as weir exports it; none where there is none."""
    said = subprocess.run([weir, "show", "last", "--json"], cwd=folder, env=env, capture_output=True, text=True)
    return json.loads(said.stdout) if said.returncode == 0 else None
