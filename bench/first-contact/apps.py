"""Apps as their registries have them: a file for each, and how it is made."""

import dataclasses
import os
import pathlib
import subprocess
import tomllib

LIMIT = 900
"""Longest time that one app takes to be made, in seconds."""


@dataclasses.dataclass(frozen=True)
class App:
    name: str
    """Its file's name."""
    what: str
    """What it is, in a line."""
    source: str
    """Where its documentation says how it is made."""
    make: list[str]
    """Shell commands that make it, in an empty folder."""
    commands: list[str]
    """What a new user types, until one command ends in a result; `{place}` is the folder of the app."""
    needs: list[str] = dataclasses.field(default_factory=list)
    """Programs without which it cannot be made."""
    files: dict[str, str] = dataclasses.field(default_factory=dict)
    """Files that its documentation tells to write, before the commands."""
    folder: str = "."
    """Where the commands are typed."""
    env: dict[str, str] = dataclasses.field(default_factory=dict)
    """What the shell in which they are typed has set."""


def read(path):
    """The app of one file. Errors: a key that is missing, unknown or of the wrong type."""
    facts = tomllib.loads(path.read_text())
    fields = {field.name: field for field in dataclasses.fields(App)}
    unknown = set(facts) - set(fields)
    lacking = {"what", "source", "make", "commands"} - set(facts)
    if unknown or lacking:
        raise ValueError(f"{path.name}: unknown {sorted(unknown)}, missing {sorted(lacking)}")
    if not facts["commands"] or not all(isinstance(one, str) for one in facts["commands"] + facts["make"]):
        raise ValueError(f"{path.name}: `make` and `commands` are lists of shell commands")
    return App(name=path.stem, **facts)


def all_of(folder):
    return {path.stem: read(path) for path in sorted(folder.glob("*.toml"))}


def make(app, place):
    """Makes an app in a folder; why not, if that fails."""
    place.mkdir()
    for name, text in app.files.items():
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for command in app.make:
        try:
            ended = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", command], cwd=place, env=surroundings(app, place), timeout=LIMIT,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            return f"`{command}` did not end within {LIMIT} s"
        if ended.returncode:
            lines = [line for line in ended.stdout.splitlines() if line.strip()]
            return f"`{command}` ended with code {ended.returncode}: {lines[-1] if lines else 'it said nothing'}"
    return None


def surroundings(app, place):
    """The environment of its commands: of the user's own settings only what finds programs and registries."""
    taken = {name: value for name, value in os.environ.items() if not name.startswith(("WEIR_", "XDG_", "CARGO_TARGET"))}
    taken.pop("VIRTUAL_ENV", None)
    state = pathlib.Path(place).parent
    return taken | {
        "XDG_DATA_HOME": str(state / "data"), "XDG_CONFIG_HOME": str(state / "config"), "COLUMNS": "120",
    } | {name: value.replace("{place}", str(place)) for name, value in app.env.items()}
