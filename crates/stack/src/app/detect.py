"""Looks at an application for weir: `python detect.py MODULE[:CALLABLE]`, in the app's folder.

Prints one JSON object on its last line. It imports the module, as a server would; of what it finds there
it calls factories alone (`create_app`, `make_app`), and those only when the module has no app.
"""

import difflib
import importlib
import inspect
import json
import os
import pkgutil
import re
import sys
import traceback

NAMES = ("app", "application", "create_app", "make_app", "wsgi_app", "asgi_app", "init_app")
MAKERS = ("create_app", "make_app", "init_app")
# Text of a function that makes an app, and of one that does more than that.
MAKES = re.compile(r"\b(Application|Bottle|FastAPI|Flask|Quart|Starlette)\(")
SERVES = re.compile(r"\b(run|run_app|serve|serve_forever|run_forever)\(")
CLASSES = {
    "wsgi": ("flask.app.", "django.core.handlers.wsgi.", "bottle.Bottle", "falcon.app.App"),
    "program": ("aiohttp.web_app.Application",),
    "asgi": ("starlette.applications.", "fastapi.applications.", "quart.app.", "django.core.handlers.asgi.", "falcon.asgi.app.App"),
}
# Pages that a framework adds by itself, paths that can be typed as they are, and those with values in them.
DOCUMENTS = ("/openapi.json", "/docs/oauth2-redirect", "/redoc")
PATH = re.compile(r"/[A-Za-z0-9_/.~@-]{1,79}")
PATTERN = re.compile(r"/[A-Za-z0-9_/.~@{}<>:*-]{1,79}")
FRAMEWORKS = ("flask", "django", "fastapi", "starlette", "quart", "bottle", "falcon", "aiohttp")


def main(argument):
    module_name, _, wanted = argument.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except BaseException as error:  # SystemExit too: a module that ends the process does not load
        return dict(trouble(error), module=module_name)
    callables = [name for name, value in vars(module).items() if looks_like_app(value)]
    name = wanted or next((name for name in NAMES if may_be_app(getattr(module, name, None))), None)
    name = name or (callables[0] if callables else None) or maker(module)
    if name is None:
        return {"error": "module `%s` has no application" % module_name, "callables": callables, "none": True}
    factory = name.endswith(")")
    try:
        app = eval(name, vars(module)) if factory else attribute(module, name)
        if not factory and name in MAKERS and inspect.isfunction(app):
            call = (None if wanted else maker(module)) if needed(app) else name + "()"
            if call is None:
                wants = ", ".join("`%s`" % parameter for parameter in needed(app))
                return {"error": "`%s` wants %s" % (name, wants), "callables": callables, "maker": name}
            name, app, factory = call, eval(call, vars(module)), True
    except BaseException as error:
        return dict(trouble(error), callables=callables)
    if inspect.isclass(app) and interface_of(app) is None:
        return {"error": "`%s` in module `%s` is a class, not an app" % (name, module_name), "callables": callables}
    if not callable(app) and not inspect.iscoroutine(app):
        return {"error": "`%s` in module `%s` cannot be called" % (name, module_name), "callables": callables}
    return describe(app, "%s:%s" % (module_name, name))


def trouble(error):
    """What went wrong, in the error's own words, and what is lacking: a module, variables."""
    return {
        "error": "%s: %s" % (type(error).__name__, error),
        "missing": missing(error),
        "meant": meant(missing(error) or ""),
        "lost": lost(missing(error) or ""),
        "unset": [name for name in unset(error) if name not in os.environ],
        "ends": isinstance(error, SystemExit),
        "traceback": traceback.format_exc().splitlines()[-15:],
    }


def missing(error):
    return getattr(error, "name", None) if isinstance(error, ModuleNotFoundError) else None


def meant(name):
    """The module of Python's own whose name is misspelt: to install what has the misspelt one would be a risk."""
    near = difflib.get_close_matches(name, getattr(sys, "stdlib_module_names", ()), n=1, cutoff=0.9)
    return near[0] if near and len(name) >= 6 and not name.startswith(near[0]) else None


def lost(name):
    """Of a missing module of the app's own package the file that it would be, and the modules beside that."""
    package, _, module = name.rpartition(".")
    for root in sys.path if package else []:
        folder = os.path.relpath(os.path.join(root, *package.split(".")))
        own = not folder.startswith("..") and "-packages" not in folder
        if own and os.path.isdir(folder):
            beside = [of.name for of in pkgutil.iter_modules([folder])]
            return {"file": os.path.join(folder, module + ".py"), "module": module, "beside": beside}
    return None


def unset(error):
    """Variables that were looked for in the environment: it says so itself, as do readers of settings."""
    frames = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)]
    if isinstance(error, KeyError):
        return list(error.args[:1]) if frames[-1:] == ["os"] else []
    if any(name.startswith("pydantic_settings") for name in frames) and hasattr(error, "errors"):
        return [str(one["loc"][0]).upper() for one in error.errors() if one["type"] == "missing" and one["loc"]]
    text = str(error)
    if isinstance(error, (NameError, SyntaxError)) or not re.search("environ|variable|envvar", text, re.IGNORECASE):
        return []
    return re.findall(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b", text)


def maker(module):
    """A call of a function of any name whose text makes an app and returns it, and needs nothing for that."""
    for name, value in vars(module).items():
        if not inspect.isfunction(value) or value.__module__ != module.__name__:
            continue
        try:
            text, wants = inspect.getsource(value), needed(value)
        except (OSError, TypeError, ValueError):
            continue
        takes_argv = wants == ["argv"]  # as `python -m aiohttp.web` passes it
        if MAKES.search(text) and "return " in text and not SERVES.search(text) and (not wants or takes_argv):
            return name + ("([])" if takes_argv else "()")
    return None


def needed(function):
    """Names of the parameters without which it cannot be called."""
    every = inspect.signature(function).parameters.values()
    return [of.name for of in every if of.default is of.empty and of.kind not in (of.VAR_POSITIONAL, of.VAR_KEYWORD)]


def attribute(module, name):
    value = module
    for part in name.split("."):
        value = getattr(value, part)
    return value


def may_be_app(value):
    return callable(value) and (not inspect.isclass(value) or interface_of(value) is not None)


def looks_like_app(value):
    return not inspect.isclass(value) and callable(value) and interface_of(value, strict=True) is not None


def interface_of(app, strict=False):
    """wsgi or asgi: by known classes, then by what the callable takes."""
    if inspect.isclass(app):
        return "wsgi" if parameters(app)[:2] == ["environ", "start_response"] else None
    ancestors = {"%s.%s" % (kind.__module__, kind.__name__) for kind in type(app).__mro__}
    for interface, known in CLASSES.items():
        if any(name.startswith(known) for name in ancestors):
            return interface
    call = app if inspect.isroutine(app) else type(app).__call__
    names = parameters(call)
    if inspect.iscoroutinefunction(call) or names[:3] == ["scope", "receive", "send"]:
        return "asgi" if len(names) == 3 else None
    if names[:2] == ["environ", "start_response"] or (len(names) == 2 and not strict):
        return "wsgi"
    return None


def parameters(call):
    try:
        return [name for name in inspect.signature(call).parameters if name != "self"]
    except (TypeError, ValueError):
        return []


def describe(app, entry):
    if inspect.iscoroutine(app) and "aiohttp" in sys.modules:  # what makes an app there may be one
        app.close()
        return {"entry": entry, "interface": "program", "framework": ["aiohttp", version("aiohttp")], "static": None}
    interface = interface_of(app)
    if interface is None:
        return {"error": "`%s` takes neither (environ, start_response) nor (scope, receive, send)" % entry}
    found = {"entry": entry, "interface": interface, "framework": None, "static": None}
    for kind in type(app).__mro__:
        framework = kind.__module__.partition(".")[0]
        if framework in FRAMEWORKS:
            found["framework"] = [framework, version(framework)]
            break
    if found["framework"] and found["framework"][0] == "django":
        from django.conf import settings

        return dict(found, **of_django(settings))
    found["elsewhere"] = elsewhere(app)
    folder, url = getattr(app, "static_folder", None), getattr(app, "static_url_path", None)
    if folder and url and os.path.isdir(folder):
        found["static"] = {"dir": os.path.abspath(folder), "url": "/" + url.strip("/") + "/"}
    return found


def elsewhere(app):
    """Where an app has no page at `/`, the paths of those that it has; those that can be typed as they are come first."""
    try:
        routes = [(path, set(methods or ("ANY",))) for path, methods in routes_of(app)]
    except Exception:  # as its framework keeps them otherwise
        return None
    for path, methods in routes:
        anything = not isinstance(path, str) or path in ("", "/") or re.fullmatch(r"/?\{\w+:path\}", path)
        if anything and methods & {"GET", "ANY"}:
            return None
    pages = [path for path, methods in routes if "GET" in methods and PATTERN.fullmatch(path) and path not in DOCUMENTS]
    pages = list(dict.fromkeys(pages))
    pages.sort(key=lambda path: (not PATH.fullmatch(path), path == "/docs"))
    return pages if routes else None


def routes_of(app):
    """The paths and methods of its routes: of Flask and Quart, or of FastAPI, Starlette and Bottle."""
    if hasattr(app, "url_map"):
        return [(rule.rule, rule.methods) for rule in app.url_map.iter_rules()]
    return [
        (getattr(of, "path", getattr(of, "rule", None)), getattr(of, "methods", None) or [getattr(of, "method", "ANY")])
        for of in getattr(app, "routes", [])
    ]


def of_django(settings):
    """Where its files are, and what will surprise whoever serves it here."""
    found, notes = {}, unmigrated(settings)
    url, root = settings.STATIC_URL or "", settings.STATIC_ROOT
    if root and os.path.isdir(root) and url:
        found["static"] = {"dir": os.path.abspath(root), "url": "/" + url.strip("/") + "/"}
    elif root:
        notes.append("its static files are not collected: run `manage.py collectstatic` to have them served")
    hosts = settings.ALLOWED_HOSTS
    if not settings.DEBUG and not {"*", "localhost", ".localhost"} & set(hosts):
        if hosts:
            found["host"] = hosts[0].lstrip(".")
            notes.append("ALLOWED_HOSTS does not name `localhost`: it is asked as `%s`" % found["host"])
        else:
            notes.append("ALLOWED_HOSTS is empty and DEBUG off: it will answer 400")
    if getattr(settings, "SECURE_SSL_REDIRECT", False):
        notes.append("SECURE_SSL_REDIRECT is on: over plain HTTP it answers 301; switch it off for the trial")
    if settings.DEBUG:
        notes.append("DEBUG is on: it is slower so, and grows, and is not what you will deploy")
    return dict(found, notes=notes)


def unmigrated(settings):
    """What is lacking in an SQLite database; others are asked by the app alone."""
    for name, database in settings.DATABASES.items():
        file = str(database.get("NAME") or "")
        if not database.get("ENGINE", "").endswith("sqlite3") or not file or ":memory:" in file:
            continue
        if not os.path.exists(file):
            return ["its database `%s` is not there: run `manage.py migrate`" % file]
        try:
            from django.db import connections
            from django.db.migrations.executor import MigrationExecutor

            executor = MigrationExecutor(connections[name])
            if executor.migration_plan(executor.loader.graph.leaf_nodes()):
                return ["migrations have not been run: run `manage.py migrate`"]
        except Exception as error:
            return ["its database cannot be looked at: %s" % error]
    return []


def version(package):
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"


if __name__ == "__main__":
    print("\n" + json.dumps(main(sys.argv[1])))
