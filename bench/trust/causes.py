"""Each finding: a situation that it is about, built for real, and the nearest one that it is not about.

A situation is an app, a server and a load, run as a trial of 4 s to 16 s. Its finding has to come first, or, where it is told beside
what holds the stage back, to be found; it must not be found at all in the look-alike. All rows take 9 minutes; RUNS repeats
them, and ROWS=one-core,slots-full has only those of these findings, which MORE adds to the others. The table is written into
docs/findings.md.
"""

import os

import doubts
import lab
import twice
from situations import BESIDE, CORES, MEMORY, OTHERS, PHP, PROGRAM, RACK, ROWS, SLEEP, SPIN, STATIC, SYNC, Stage

TITLE = "Each finding, and what looks like its reason"
REPEATS = 1
GOAL = "each finding comes first in the situation that it is about, or is found where it is told beside its cause, and is not " \
       "found in the nearest look-alike"
DOCUMENT = lab.ROOT / "docs/findings.md"
"""Where what was measured is printed beside docs/trust.md."""

PLAN = """app = "%s"
blocks = 1
noise-floor = "none"
%s

[load]
seconds = %s
warm-up = { seconds = 1 }
%s

[[variant]]
name = "one"
%s
"""
APP = """
import itertools, os, subprocess, sys, threading, time
BURN = %r
%s
def app(environ, start):
    %s
    start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "5")])
    return [b"hello"]
"""
SERVER = """
import os, socket, threading, time
HEAD = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/plain\\r\\nContent-Length: 5\\r\\n\\r\\n"
BODY = b"hello"
def serve(connection):
    with connection:
        while connection.recv(65536):
            %s
with socket.create_server(("127.0.0.1", int(os.environ["PORT"]))) as listener:
    %s
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
"""


def measure(weir):
    """Each row, as often as asked for."""
    kept = lab.begin(weir, __name__, rows=[])
    # a situation that is another one now says nothing of it
    kept["rows"] = [row for row in kept["rows"] if (row["kind"], *row["words"]) in built()]
    for _ in range(lab.runs(REPEATS)):
        for row in rows(weir):
            kept["rows"].append(row)
            print(words(row), flush=True)
            yield kept


def rows(weir):
    some = os.environ.get("ROWS")
    for kind, situation, look_alike in ROWS:
        if not some or kind in some.split(","):
            yield row((kind, situation.words, look_alike.words), found(weir, situation), found(weir, look_alike))
    if some:
        return
    own = Stage("", server=SYNC, prepared="for _ in range(2): subprocess.Popen([sys.executable, '-c', BURN])")
    calm = found(weir, own)
    with lab.burners(2 * CORES):
        yield row(OTHERS, found(weir, Stage("", SPIN, SYNC)), calm)
    calm = in_memory(weir, 4_000)
    yield row(MEMORY, in_memory(weir, 200), calm)


def in_memory(weir, megabytes):
    """The findings about an app that reads much, in a control group that may have so much memory."""
    with lab.memory(megabytes) as group:
        return found(weir, Stage("", SLEEP, SYNC, prepared=doubts.READS), doubts.inside(group))


def row(named, situation, look_alike):
    """What was found in the situation and in its look-alike, the first first."""
    kind, *both = named
    return {"kind": kind, "words": both, "found": [situation, look_alike]}


def found(weir, stage, around=()):
    """The findings about a trial of this stage; `around` is a command that runs what follows it."""
    with lab.folder() as place:
        served = 'server = "command"' if stage.server == PROGRAM else f"server = {{ {stage.server} }}"
        if stage.server == PROGRAM:
            program(place, SERVER % (stage.does, stage.prepared or "pass"))
        elif stage.does == RACK:
            rack(place)
        elif stage.does == PHP:
            php(place)
        elif not stage.app:
            lab.wsgi(place, APP % (lab.BURN, stage.prepared, stage.does))
        if stage.server == STATIC:
            files(place)
            served = 'route = "/static/file.txt"'
        if stage.front:
            served += f'\nfront = {{ {stage.front} }}'
        if stage.service:
            with (place / "app/app.toml").open("a") as text:
                text.write('\n[services.database]\nenv = { DATABASE = "{{ url }}" }\n')
            served += f'\nservices = {{ database = "{stage.service}" }}'
        app = lab.ROOT / stage.app if stage.app else "app"
        (place / "plan.toml").write_text(PLAN % (app, stage.plan, stage.seconds, stage.load, served))
        document, _seconds = lab.run(weir, place, place / "plan.toml", "--shared", around=around)
    return [of["kind"] for variant in document["judged"]["variants"] for of in variant.get("findings", [])]


def program(place, source):
    """An app that is a server of its own."""
    (place / "app").mkdir()
    (place / "app/app.toml").write_text(
        f'name = "app"\ninterface = "program"\nentry = "{lab.PYTHON} served.py"\n\n[[routes]]\npath = "/"\nstatus = 200\n')
    (place / "app/served.py").write_text(source)


def rack(place):
    """An app for Ruby's servers."""
    (place / "app").mkdir()
    (place / "app/app.toml").write_text('name = "app"\ninterface = "rack"\nentry = "config.ru"\n\n[[routes]]\npath = "/"\nstatus = 200\n')
    (place / "app/config.ru").write_text('run ->(_) { [200, { "content-type" => "text/plain" }, ["hello"]] }\n')


def php(place):
    """An app of one script."""
    (place / "app").mkdir()
    (place / "app/app.toml").write_text('name = "app"\ninterface = "php"\nentry = "index.php"\n\n[[routes]]\npath = "/"\nstatus = 200\n')
    (place / "app/index.php").write_text('<?php echo "hello";\n')


def files(place):
    """A file that a front end serves by itself."""
    (place / "app/static").mkdir()
    (place / "app/static/file.txt").write_text("hello")
    with (place / "app/app.toml").open("a") as text:
        text.write('\n[[routes]]\npath = "/static/file.txt"\nstatus = 200\n\n[site]\ndir = "static"\nurl = "/static/"\n')


def right(row):
    situation, look_alike = row["found"]
    there = row["kind"] in situation if row["kind"] in BESIDE else first(row)
    return there and row["kind"] not in look_alike


def first(row):
    """Whether the finding comes first in its situation."""
    return row["found"][0][:1] == [row["kind"]]


def built():
    """The names of all rows that can be measured: finding, situation, look-alike."""
    return [*((kind, situation.words, look_alike.words) for kind, situation, look_alike in ROWS), OTHERS, MEMORY]


def met(kept):
    """Every finding was built, and each time right."""
    return lab.all_right(kept, built(), right)


def words(row):
    situation, look_alike = (", ".join(kinds) or "nothing" for kinds in row["found"])
    return f"{row['kind']}: {situation}; look-alike: {look_alike}{'' if right(row) else ' (wrong)'}"


def said(kept):
    measured = [found for named in built() if (found := lab.rows_of(kept, named))]
    good = [found for found in measured if all(map(right, found))]
    led = sum(all(map(first, found)) for found in good)
    return [
        f"{lab.measured(kept)}. In {len(good)} of {len(measured)} rows the finding comes first in its situation, or is found where it "
        f"is told beside its cause, and is not found in its look-alike: {led} first, {len(good) - led} beside.", "",
        "| finding | situation | found | nearest look-alike | found | |", "|---|---|---|---|---|---|", *map(line, measured), "",
        "Stages that stand in two rows are measured twice. Findings that one of them has and the other has not:", "",
        *(list(twice.differences(ROWS, kept)) or ["* none"])]


def line(rows):
    kind, (situation, look_alike) = rows[0]["kind"], rows[0]["words"]
    first, second = (kinds(rows, side) for side in (0, 1))
    verdict = "" if all(map(right, rows)) else "**missed**"
    return f"| `{kind}` | {situation} | {first} | {look_alike} | {second} | {verdict} |"


def kinds(rows, side):
    """What was found on a side, each once."""
    return ", ".join(dict.fromkeys(f"`{kind}`" for row in rows for kind in row["found"][side])) or "nothing"
