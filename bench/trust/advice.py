"""What weir advises for apps of others, followed and measured.

Each app is made as its documentation says (`bench/first-contact`), and tried. Of the plainest way to serve it, the first in the
table, and of the one to deploy, the first finding is taken: if weir can follow its advice, by itself (`weir explain --try`) or by a
plan (`following.py`), it is measured what that brings, beside what was said; if not, it is said why. Where every core is busy weir
says that more workers bring nothing: then twice as many are measured. An app takes 3 minutes, and 5 where the first try was too
short for a verdict. All begin anew, unless MORE=yes asks for those alone that were not measured yet: RUNS says how many of them.
"""

import collections
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import following
import lab

FIRST_CONTACT = lab.ROOT / "bench/first-contact"
sys.path.append(str(FIRST_CONTACT))
import apps

TITLE = "Advice that was followed"
APPS = sorted(file.stem for file in (FIRST_CONTACT / "apps").glob("*.toml"))
"""All of docs/first-contact.md."""
WANTED = 12
GOAL = f"for all {len(APPS)} apps of the first contact, what the first finding advises brings something wherever weir says how much, and " \
       f"not more than that; where it says that more workers bring nothing, they bring nothing; for {WANTED} at least it can be followed"
DOCUMENT = lab.ROOT / "docs/findings.md"
"""Where what was measured is printed beside docs/trust.md."""
TRIED, LONGER, FOLLOWED = "45s", "2m", "60s"
"""Time for `weir try`, for a second one where that was too short for a verdict, and for each advice."""
SOMETHING = 1.03
"""What is less is nothing."""
HARDLY = 1.10
"""Where more workers bring nothing, their whole interval is at most this."""
SLACK = 1.05
"""How far above what was said an interval may begin."""
RIGHT, WRONG, OPEN = "right", "**wrong**", "cannot tell"
NOTHING = "every-core-busy"
WITH = "advised"
"""The variant that follows the advice."""
WHY = {}
"""Why an advice was wrong, by app and variant, where somebody has found out."""


def measure(weir):
    """The apps that were not measured yet, one after the other: as many as asked for."""
    kept = lab.begin(weir, __name__, rows=[])
    for name in missing(kept)[:lab.runs(len(APPS))]:
        for row in app(weir, apps.read(FIRST_CONTACT / f"apps/{name}.toml")):
            kept["rows"].append({"app": name, **row})
            print(words(kept["rows"][-1]), flush=True)
        yield kept


def missing(kept):
    """The apps that were not measured yet."""
    measured = {row["app"] for row in kept["rows"]}
    return [name for name in APPS if name not in measured]


def app(weir, of):
    lacking = [program for program in of.needs if not shutil.which(program)]
    if lacking:
        return [{"unmade": f"`{lacking[0]}` is not installed on this machine"}]
    with tempfile.TemporaryDirectory(prefix="weir-trust-") as place:
        place = pathlib.Path(place)
        try:
            why = apps.make(of, place / "app")
            return [{"unmade": why}] if why else list(followed(weir, of, place / "app"))
        finally:
            # Go makes the folders of its modules read-only
            subprocess.run(["chmod", "-R", "u+w", place], check=False, stderr=subprocess.DEVNULL)


def followed(weir, of, home):
    env = apps.surroundings(of, home)
    # the commands say `weir`, whatever the file's name is
    programs = home.parent / "programs"
    programs.mkdir()
    (programs / "weir").symlink_to(weir)
    env["PATH"] = f"{programs}{os.pathsep}{env['PATH']}"

    def said(*args):
        ended = subprocess.run([weir, *args], cwd=home / of.folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return ended.stdout, ended.stderr
    for command, time in itertools.product(of.commands, (TRIED, LONGER)):
        typed = re.sub(r"--budget \S+", f"--budget {time} --no-stress", command.replace("{place}", str(home)))
        ended = subprocess.run(["bash", "-c", typed], cwd=home / of.folder, env=env, stdin=subprocess.DEVNULL, capture_output=True)
        run = json.loads(said("show", "last", "--json")[0] or "{}") if ended.returncode in (0, 3, 4) else {}
        if run.get("judged", {}).get("decision"):
            break
    else:
        yield {"unmade": "weir had no result for it"}
        return
    for variant in of_interest(run["judged"]):
        yield {"variant": variant["name"], **one(said, run, variant, home)}


def of_interest(judged):
    """The plainest way to serve it, and the one to deploy, if something is found about them."""
    found = [variant for variant in judged["variants"] if variant.get("findings")]
    decided = judged["decision"].get("variant")
    return [variant for variant in found if variant in found[:1] or variant["name"] == decided]


def one(said, run, variant, home):
    finding = variant["findings"][0]
    of = {"finding": finding["kind"], "next": finding["next"], "gain": finding.get("gain")}
    if of["gain"] and "measured" in finding:
        of["told"] = finding["measured"]["interval"]
    number, name = run["run"]["id"], variant["name"]
    if "change" not in finding or brings_nothing(of):
        try:
            return {**of, **planned(said, run, name, home, finding)}
        except following.Undone as why:
            return {**of, "done": None, "why": str(why)}
    out, err = said("explain", f"{number}:{name}", "--try", "--budget", FOLLOWED, "--json", "--quiet")
    if not out:
        return {**of, "done": None, "why": first_line(err)}
    tried = json.loads(out)
    change = f"{tried['change']['key']} = {tried['change']['value']}"
    return {**of, "done": change, **figures(tried.get("measured"))}


def brings_nothing(row):
    """Whether it was said that more workers bring nothing: another variant of the run may have shown that they do."""
    return row.get("finding") == NOTHING and not row["gain"]


def planned(said, run, name, home, finding):
    """What the advice brings, by a plan of the variant with it and without."""
    measured = next((trial["outcome"]["measured"] for trial in run["trials"]
                     if trial["variant"] == name and "measured" in trial["outcome"]), None)
    if not measured:
        raise following.Undone("no trial of it was measured")
    way = following.way(finding, measured["stack"]["servers"], measured["load"]["connections"])
    folder = home.parent / f"with-{name}"
    said("write", f"{run['run']['id']}:{name}", str(folder))
    plan = folder / "plan.toml"
    if not plan.exists():
        raise following.Undone("weir wrote no plan of it")
    plan.write_text(f"{plan.read_text()}\n{way.table(WITH, name)}")
    said("run", str(plan), "--blocks", "4..10", "--slice", "100ms", "--budget", FOLLOWED, "--json", "--quiet")
    out, err = said("compare", f"last:{WITH}", f"last:{name}", "--json")
    if not out.startswith("["):
        raise following.Undone(first_line(err))
    # none where the trials of one of them do not count
    compared = (of for of in json.loads(out) if of["metric"] == way.metric)
    return {"done": str(way), "metric": way.metric, **figures(next(compared, None))}


def first_line(text):
    return next(iter(text.strip().splitlines()), "weir said nothing")


def figures(comparison):
    return {"ratio": comparison["ratio"], "interval": comparison["interval"]} if comparison else {"ratio": None, "interval": None}


def verdict(row):
    """Whether the advice brought what was said; none where nothing was said, or nothing could be done."""
    nothing = brings_nothing(row)
    if not row.get("done") or not (nothing or row["gain"]):
        return None
    if not row["interval"]:
        return OPEN
    low, high = row["interval"]
    if nothing:
        return WRONG if low > SOMETHING else RIGHT if high <= HARDLY else OPEN
    # what another variant of the run did is no limit, and has an interval
    most = row["told"][1] if "told" in row else row["gain"]
    if high <= SOMETHING or low > SLACK * most:
        return WRONG
    return RIGHT if low > 1 and row["ratio"] > SOMETHING else OPEN


def there(kept):
    """How many apps were measured, and how many there are."""
    return [(len(APPS) - len(missing(kept)), len(APPS))]


def met(kept):
    """Each app was made and measured, of enough of them an advice could be followed, and each that could is surely right."""
    verdicts = [(row["app"], verdict(row)) for row in kept["rows"]]
    tried = {app for app, verdict in verdicts if verdict}
    all_made = not any("unmade" in row for row in kept["rows"])
    right = all(verdict in (RIGHT, None) for _app, verdict in verdicts)
    return lab.whole(there(kept)) and all_made and len(tried) >= WANTED and right


def words(row):
    if "unmade" in row:
        return f"{row['app']}: {row['unmade']}"
    return f"{row['app']}, {row['variant']}: {row['finding']}, {done(row)}: said {promised(row)}, measured {ratio(row)}"


def done(row):
    return row["done"] or f"not tried: {row.get('why', 'nothing that weir can do')}"


def promised(row):
    if brings_nothing(row):
        return "1.00 ×" if row["done"] else "–"
    if "told" in row:
        return times(row["gain"], row["told"])
    return f"up to {row['gain']:.2f} ×" if row["gain"] else "–"


def ratio(row):
    if not row.get("ratio"):
        return "–"
    metric = row.get("metric", "throughput")
    return ("" if metric == "throughput" else f"{metric} ") + times(row["ratio"], row["interval"])


def times(ratio, interval):
    within = " [{:.2f}, {:.2f}]".format(*interval) if interval else ""
    return f"{ratio:.2f}{within} ×"


def cell(text):
    return "".join(c if c.isprintable() else " " for c in text).replace("|", "\\|").replace("<", "&lt;")[:300]


def why_wrong(rows):
    """Why each advice was wrong, as lines of Markdown."""
    wrong = [row for row in rows if verdict(row) == WRONG]
    lines = [f"* {row['app']}, `{row['variant']}`: {WHY.get((row['app'], row['variant']), 'not known')}" for row in wrong]
    return ["", "Why what is wrong is so:", "", *lines] if lines else []


def said(kept):
    verdicts = collections.Counter(filter(None, map(verdict, kept["rows"])))
    not_yet = f" Not measured yet: {', '.join(missing(kept))}." if missing(kept) else ""
    lines = []
    for row in kept["rows"]:
        if "unmade" in row:
            lines.append(f"| {row['app']} | – | not made: {cell(row['unmade'])} | – | – | – | |")
            continue
        lines.append(f"| {row['app']} | `{row['variant']}` | {row['finding']}: {cell(row['next'])} | {cell(done(row))} "
                     f"| {promised(row)} | {ratio(row)} | {verdict(row) or ''} |")
    return [
        f"{lab.measured(kept)}. Of {sum(verdicts.values())} that could be followed {verdicts[RIGHT]} are right, {verdicts[WRONG]} "
        f"wrong, and of {verdicts[OPEN]} it cannot be told. Right: what was advised brought more than {SOMETHING - 1:.0%} of throughput, "
        f"with an interval wholly above nothing that begins at most {SLACK - 1:.0%} above what was said; of more workers than are busy, "
        f"the whole interval is at most {HARDLY - 1:.0%} above nothing. Wrong: the whole interval is at most {SOMETHING - 1:.0%} above "
        f"nothing, or begins further above what was said; of more workers than are busy, it is wholly above {SOMETHING - 1:.0%}."
        f"{not_yet}", "",
        "| app | variant | finding and advice | done | said | measured | |", "|---|---|---|---|---|---|---|", *lines,
        *why_wrong(kept["rows"])]
