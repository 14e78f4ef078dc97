"""What a plan can do of an advice by itself: what it sets in a variant, or why it sets nothing.

Some findings carry their change (a number in a plan); `weir explain --try` follows these. Of the others the text says what to do.
"""

import dataclasses
import re
import shutil

NAMED = re.compile(r"(?:set|raise) `([^`]+)` of `([^`]+)` (?:from \S+ )?to (\d+)")
"""An advice that names a knob, its program and a number."""
FRONT = "nginx"
"""What divides requests among instances, and keeps clients' connections."""
KEPT = 64
"""Connections that a front end keeps to the servers behind it, where it is to keep some."""
TIMES = {"limits-out-of-order", "connection-turns"}
"""Findings whose advice shortens the longest waits."""
REASONS = {
    "measurement": "it is about the load, or the machine that it comes from",
    "knob": "no knob of these programs does it by itself",
    "variant": "it is another program",
    "machine": "it takes more of the machine",
    "app": "it is a change of the app",
}
"""Why nothing is set, by what an advice costs."""


class Undone(Exception):
    """Nothing is set, and why."""


@dataclasses.dataclass(frozen=True)
class Way:
    settings: dict[str, int | bool] = dataclasses.field(default_factory=dict)
    """Values by the keys that `set` of a plan has."""
    front: str | None = None
    """The front end that it gets."""
    metric: str = "throughput"
    """What tells whether it brings something."""

    def __str__(self):
        front = [f"front = {self.front}"] if self.front else []
        return ", ".join([f"{key} = {written(value)}" for key, value in self.settings.items()] + front)

    def table(self, name, like):
        """The variant of a plan that is like another one but for this."""
        sets = ", ".join(f'"{key}" = {written(value)}' for key, value in self.settings.items())
        lines = ["[[variant]]", f'name = "{name}"', f'like = "{like}"']
        lines += [f'front = "{self.front}"'] if self.front else []
        lines += [f"set = {{ {sets} }}"] if sets else []
        return "\n".join(lines) + "\n"


def written(value):
    """A value as a plan file has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def way(finding, servers, connections):
    """What does what a finding advises about a variant of these servers under so many connections."""
    servers = [of for of in servers if not of.get("service")]
    if not servers:
        raise Undone("weir did not start what serves")
    if "measured" in finding:
        raise Undone("the run has measured it beside this variant")
    kind, text = finding["kind"], finding["next"]
    if kind in WAYS and (found := WAYS[kind](servers, text)):
        return found
    if named := NAMED.search(text):
        knob, entry, value = named.groups()
        metric = "p99" if kind in TIMES else "throughput"
        return Way({key(servers, entry, knob): int(value)}, metric=metric)
    if "load with more connections" in text:
        return Way({"load.connections": 2 * connections})
    raise Undone(REASONS[finding["cost"]])


def more(servers, _text):
    """Twice as many processes of the app server: its own, or instances behind a front end."""
    server, fronts = servers[-1], fronts_of(servers)
    knob = server.get("scale", {}).get("processes")
    if knob:
        now = knobs(server).get(knob)
        if not isinstance(now, int) or not now:
            raise Undone(f"its server runs with {knob} = {now}, which cannot be doubled")
        return Way({f"server.{knob}": 2 * now})
    instances = len(servers) - len(fronts)
    if not fronts and not shutil.which(FRONT):
        raise Undone(f"several instances need a front end, and {FRONT} is not installed")
    return Way({"server.instances": 2 * instances}, None if fronts else FRONT)


def shared_port(servers, _text):
    """A queue of connections for each worker."""
    return switched_on(servers[-1:], ["reuse-port", "reuseport"])


def undelayed(servers, _text):
    """Nagle's algorithm off, in the first program that has it on."""
    return switched_on(servers, ["tcp-nodelay"])


def kept_by_clients(servers, text):
    """A front end that keeps clients' connections for a server that cannot; another one of the run was no faster."""
    if "a front end keeps them for a server that cannot" not in text or "of this run did" in text or fronts_of(servers):
        return None
    if not shutil.which(FRONT):
        raise Undone(f"{FRONT} is not installed")
    return Way(front=FRONT)


def fronted(servers, text):
    """A front end before a server that gives a worker to each connection."""
    if not text.startswith("put a front end before") or fronts_of(servers):
        return None
    if not shutil.which(FRONT):
        raise Undone(f"{FRONT} is not installed")
    return Way(front=FRONT)


def kept_by_fronts(servers, _text):
    """A front end that opens a connection for each request keeps some."""
    for front in fronts_of(servers):
        knob = front.get("scale", {}).get("kept")
        if knob and not knobs(front).get(knob):
            return Way({key(servers, front["entry"], knob): KEPT})
    return None


WAYS = {"every-core-busy": more, "queue-overflow": more, "uneven-workers": shared_port, "delayed-acknowledgements": undelayed,
        "connection-churn": kept_by_clients, "idle-connections": fronted, "front-heavier": kept_by_fronts}
"""By the finding: what does something of its advice, where that names no number; nothing where that is not to be had."""


def switched_on(servers, names):
    """A switch of one of these names that is off."""
    for server in servers:
        for name in names:
            if knobs(server).get(name) is False:
                return Way({key(servers, server["entry"], name): True})
    return None


def knobs(server):
    return dict(server["knobs"])


def fronts_of(servers):
    """The programs before the app server, of which there may be several instances."""
    return [of for of in servers if of["entry"] != servers[-1]["entry"]]


def key(servers, entry, knob):
    """The path by which a plan sets a knob of a program."""
    fronts = list(dict.fromkeys(of["entry"] for of in fronts_of(servers)))
    if entry not in fronts:
        return f"server.{knob}"
    return f"front.{knob}" if len(fronts) == 1 else f"front.{fronts.index(entry)}.{knob}"
