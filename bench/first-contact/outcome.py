"""What came of the walk through one app, as plain facts, which are kept until the app is walked again."""

import dataclasses
import functools
import json
import pathlib
import platform
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stamp


@dataclasses.dataclass
class Command:
    """One command that was typed."""
    command: str
    code: int
    seconds: float
    why: str | None
    """Its error, if it had one."""


@dataclasses.dataclass
class Outcome:
    name: str
    what: str
    source: str
    when: str
    """The day, in UTC."""
    weir: str
    unmade: str | None = None
    commands: list[Command] = dataclasses.field(default_factory=list)
    recognised: str | None = None
    recognised_at: int = 1
    """The command that it was recognised by."""
    seconds: float | None = None
    """From the first key to the result; none where there is none."""
    estimate: tuple[float, float] | None = None
    """What the last command promised, and what it took from then on, in seconds."""
    verdict: str | None = None
    deployed: list[str] = dataclasses.field(default_factory=list)
    """What the run says to deploy, and what is as good."""
    unstarted: str | None = None
    """Why what weir wrote to deploy does not serve the app, where it does not."""
    commit: str | None = None
    """Of which weir was made; none where nobody wrote it down, as of the machine."""
    machine: str | None = None

    @property
    def by(self):
        """With what, when and where it was walked."""
        return {key: getattr(self, key) for key in ("weir", "commit", "when", "machine")}


def machine():
    return f"{stamp.machine()}, {platform.freedesktop_os_release().get('PRETTY_NAME', 'Linux')}"


def of(walk, weir, commit=None, machine=None):
    """The facts of a walk, without the folder in which the app was made for it."""
    shown = functools.partial(without, walk.place)
    commands = [Command(one.command, one.code, one.seconds, shown(one.why())) for one in walk.typed]
    recognised, at = walk.recognised or (None, 1)
    return Outcome(
        walk.app.name, walk.app.what, walk.app.source, stamp.today(), weir, walk.unmade,
        commands, shown(recognised), at, walk.seconds, walk.estimate, shown(walk.verdict), walk.deployed if walk.run else [],
        shown(walk.unstarted), commit, machine)


def without(place, text):
    return text.replace(place, "") if text and place else text


def keep(outcome, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{outcome.name}.json").write_text(json.dumps(dataclasses.asdict(outcome), indent=1))


def kept(name, folder):
    """What came of an app when it was last walked; none if it never was."""
    try:
        facts = json.loads((folder / f"{name}.json").read_text())
    except OSError:
        return None
    return Outcome(**facts | {"commands": [Command(**one) for one in facts["commands"]]})
