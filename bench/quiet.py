"""Whether the machine is quiet: how much CPU time it gives to others while a benchmark runs."""

import os
import pathlib
import time
from dataclasses import dataclass

TICKS = os.sysconf("SC_CLK_TCK")
BOUND = float(os.environ.get("QUIET", 0.1))
"""Cores that others may use, all together, before the start and in each section."""
LOOK = 3.0
"""Seconds of the look before the start."""


@dataclass
class Use:
    """What others used of the machine over some seconds."""

    cores: float
    """All of them together; what the hypervisor kept back is in it."""
    most: list
    """(cores, pid, name) of the three that used most."""

    @property
    def is_quiet(self):
        return self.cores <= BOUND

    def __str__(self):
        told = [f"{cores:.2f} by {name} ({pid})" for cores, pid, name in self.most if cores >= 0.01]
        return f"{self.cores:.2f} cores used by others" + (f": {', '.join(told)}" if told else "")


class Watch:
    """Watches others from now on."""

    def __init__(self):
        self.begun, self.before = time.monotonic(), counts()

    def use(self):
        """What they used since."""
        return used(self.before, counts(), time.monotonic() - self.begun)


def look(seconds=LOOK):
    """Watches others for so long."""
    watch = Watch()
    time.sleep(seconds)
    return watch.use()


def used(before, after, seconds):
    """Two `counts`, so many seconds apart. What has ended meanwhile is found with whoever waited for it,
    together with what it had used before."""
    spent = []
    for pid, (name, own, _) in after.items():
        ticks = own - before.get(pid, (name, 0, 0))[1]
        spent.append((max(ticks, 0) / TICKS / seconds, pid, name))
    waited = sum(children - before.get(pid, (name, 0, 0))[2] for pid, (name, _, children) in after.items())
    ended = sum(own + children for pid, (_, own, children) in before.items() if pid not in after)
    cores = sum(cores for cores, _, _ in spent) + max(waited - ended, 0) / TICKS / seconds
    return Use(cores, sorted(spent, reverse=True)[:3])


def counts():
    """Name, ticks of CPU time so far, and those of children that it has waited for, by process: of all
    but this one, its children, and the kernel's own threads, which work for whoever asked. 0 stands for
    the hypervisor."""
    found = {}
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                found[int(folder.name)] = stat((folder / "stat").read_text())
            except OSError:
                continue  # it has just ended
    parents = {pid: parent for pid, (_, parent, _, _) in found.items()}
    ours = family(os.getpid(), parents) | family(2, parents)
    others = {pid: (name, own, children) for pid, (name, _, own, children) in found.items() if pid not in ours}
    stolen = int(pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[8])
    return others | {0: ("the hypervisor", stolen, 0)}


def stat(line):
    """Name, parent, ticks and its children's of a line of /proc/PID/stat; the name may hold anything."""
    name, rest = line[line.index("(") + 1:line.rindex(")")], line[line.rindex(")") + 2:].split()
    return name, int(rest[1]), sum(map(int, rest[11:13])), sum(map(int, rest[13:15]))


def family(pid, parents):
    """A process and all that descend from it."""
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found and child not in found}:
        found |= more
    return found
