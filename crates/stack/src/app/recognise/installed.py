"""Prints the packages of this environment that no other one there needs, as JSON: what a folder without files serves."""

import importlib.metadata
import json
import re

CUSTOM = ("wsgi", "asgi", "app", "application", "main", "run", "server")
TOOLS = {"pip", "setuptools", "wheel", "uv", "pipenv", "poetry"}


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def modules(files):
    """The package itself, and modules that hold an app by custom."""
    inside = {str(file) for file in files or [] if str(file).endswith(".py")}
    packages = sorted(file.split("/")[0] for file in inside if file.count("/") == 1 and file.endswith("/__init__.py"))
    for package in packages:
        yield package
        yield from (package + "." + name for name in CUSTOM if package + "/" + name + ".py" in inside)


def main():
    found, needed = {}, set(TOOLS)
    for of in importlib.metadata.distributions():
        own = plain(of.metadata["Name"] or "")
        names = [re.match(r"[\w.-]+", one) for one in of.requires or []]
        needed.update({plain(name.group()) for name in names if name} - {own})  # `own[all]` may name itself
        scripts = [point.name for point in of.entry_points if point.group == "console_scripts"]
        found[own] = {"scripts": sorted(scripts), "modules": list(modules(of.files))}
    return [dict(of, name=name) for name, of in sorted(found.items()) if name not in needed]


if __name__ == "__main__":
    print("\n" + json.dumps(main()))
